#include <string.h>

#include "report/html_page.h"

static void put_run(struct page *p, const struct text_run *r)
{
    static const char *const names[] = {
        [RUN_PLAIN] = NULL,  [RUN_STRONG] = "strong", [RUN_SOFT] = "span",
        [RUN_CODE] = "code", [RUN_LINK] = "a",
    };
    const char *name = names[r->style];
    if (!name) {
        tag_text(&p->t, r->text);
        return;
    }
    tag(&p->t, name, "class", r->style == RUN_SOFT ? "soft" : NULL, "href",
        r->style == RUN_LINK ? r->href : NULL, NULL);
    tag_text(&p->t, r->text);
    tag_end(&p->t, name);
}

void page_rich(struct page *p, const struct rich *r)
{
    for (size_t i = 0; i < r->n; i++)
        put_run(p, &r->at[i]);
}

static void put_paragraph(struct page *p, const char *class, const struct rich *r)
{
    tag(&p->t, "p", "class", class, NULL);
    page_rich(p, r);
    tag_end(&p->t, "p");
}

static void put_warnings(struct page *p, const struct block *b)
{
    if (b->title) {
        tag(&p->t, "h3", "id", b->id, NULL);
        tag_text(&p->t, b->title);
        tag_end(&p->t, "h3");
    }
    tag(&p->t, "ul", "class", "warns", "id", b->title ? NULL : b->id, NULL);
    for (size_t i = 0; i < b->n_warnings; i++) {
        tag(&p->t, "li", NULL);
        tag_line(&p->t, "strong", NULL, b->warnings[i].what);
        tag_text(&p->t, " ");
        page_rich(p, &b->warnings[i].text);
        tag_end(&p->t, "li");
    }
    tag_end(&p->t, "ul");
}

static void put_facts(struct page *p, const struct block *b)
{
    tag(&p->t, "dl", "class", "facts", "id", b->id, NULL);
    for (size_t i = 0; i < b->n_facts; i++) {
        const struct doc_fact *f = &b->facts[i];
        tag_line(&p->t, "dt", NULL, f->key);
        tag(&p->t, "dd", NULL);
        icon_marker(p, f->slot);
        page_rich(p, &f->value);
        tag_end(&p->t, "dd");
    }
    tag_end(&p->t, "dl");
}

static void put_code(struct page *p, const struct block *b)
{
    tag_line(&p->t, "h3", NULL, b->title);
    tag(&p->t, "pre", "id", b->id, "tabindex", "0", NULL);
    tag_line(&p->t, "code", NULL, b->code);
    tag_end(&p->t, "pre");
}

static void put_list(struct page *p, const struct block *b)
{
    tag(&p->t, "ul", "class", "prose", "id", b->id, NULL);
    for (size_t i = 0; i < b->n_items; i++) {
        tag(&p->t, "li", NULL);
        page_rich(p, &b->items[i]);
        tag_end(&p->t, "li");
    }
    tag_end(&p->t, "ul");
}

static void put_heading(struct page *p, const struct block *b, const char *name)
{
    if (!b->title)
        return;
    tag(&p->t, name, NULL);
    if (b->number)
        tag_text(&p->t, arena_printf(p->arena, "%u\u2002", b->number));
    tag_text(&p->t, b->title);
    tag_end(&p->t, name);
}

static int put_section(struct page *p, const struct block *b, struct error *e)
{
    bool top = b->number > 0;
    tag_newline(&p->t);
    tag(&p->t, "section", "id", b->id, "class", top ? NULL : "sub", NULL);
    put_heading(p, b, top ? "h2" : "h3");
    if (page_blocks(p, b->first, e))
        return -1;
    tag_end(&p->t, "section");
    return 0;
}

static int put_tested(struct page *p, const struct block *b, struct error *e)
{
    tag_newline(&p->t);
    tag(&p->t, "section", "id", b->id, "class", "tested", NULL);
    tag(&p->t, "div", NULL);
    put_heading(p, b, "h2");
    if (page_blocks(p, b->first, e))
        return -1;
    tag_end(&p->t, "div");
    tag_end(&p->t, "section");
    return 0;
}

static int put_details(struct page *p, const struct block *b, struct error *e)
{
    tag(&p->t, "details", "class", "fold", "id", b->id, NULL);
    tag_line(&p->t, "summary", NULL, b->title);
    if (page_blocks(p, b->first, e))
        return -1;
    tag_end(&p->t, "details");
    return 0;
}

static void put_split(struct page *p)
{
    tag_end(&p->t, "div");
    tag(&p->t, "div", NULL);
}

static int put_block(struct page *p, const struct block *b, struct error *e)
{
    switch (b->kind) {
    case BLOCK_SECTION:
        return put_section(p, b, e);
    case BLOCK_TESTED:
        return put_tested(p, b, e);
    case BLOCK_DETAILS:
        return put_details(p, b, e);
    case BLOCK_FIGURE:
        return page_figure(p, b->figure, e);
    case BLOCK_PARAGRAPH:
        put_paragraph(p, "prose", &b->text);
        break;
    case BLOCK_LEAD:
        put_paragraph(p, "lead", &b->text);
        break;
    case BLOCK_NOTE:
        put_paragraph(p, "note", &b->text);
        break;
    case BLOCK_HEADING:
        tag(&p->t, "h3", "id", b->id, NULL);
        tag_text(&p->t, b->title);
        tag_end(&p->t, "h3");
        break;
    case BLOCK_TABLE:
        page_table(p, b->table, NULL);
        break;
    case BLOCK_WARNINGS:
        put_warnings(p, b);
        break;
    case BLOCK_FACTS:
        put_facts(p, b);
        break;
    case BLOCK_CODE:
        put_code(p, b);
        break;
    case BLOCK_LIST:
        put_list(p, b);
        break;
    case BLOCK_SPLIT:
        put_split(p);
        break;
    }
    return 0;
}

/* --- neighbours that stand side by side when there is room -------------------------------------------------------- */

static size_t figures_in(const struct block *section)
{
    size_t n = 0;
    for (const struct block *b = section->first; b; b = b->next)
        n += b->kind == BLOCK_FIGURE;
    return n;
}

/* Sections of one shape (as many figures, at least two), or tables of facts; else NULL. */
static const char *pair_class(const struct block *b, const struct block *next)
{
    if (!next || b->kind != next->kind)
        return NULL;
    if (b->kind == BLOCK_SECTION)
        return figures_in(b) >= 2 && figures_in(b) == figures_in(next) ? "twins" : NULL;
    if (b->kind == BLOCK_TABLE && b->table->role == next->table->role)
        return b->table->role == TABLE_FACTS ? "columns" : "pair";
    return NULL;
}

int page_blocks(struct page *p, const struct block *first, struct error *e)
{
    bool paired = false;
    for (const struct block *b = first; b; b = b->next) {
        const char *class = pair_class(b, b->next);
        if (class && !paired)
            tag(&p->t, "div", "class", class, NULL);
        if (put_block(p, b, e))
            return -1;
        if (!class && paired)
            tag_end(&p->t, "div");
        paired = class != NULL;
    }
    return 0;
}
