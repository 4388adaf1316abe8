#include "report/html.h"

#include <string.h>

#include "report/html_page.h"

/* A key of more targets takes several lines, so that it does not stay in view. */
enum { SHORT_KEY = 5 };

static void put_meta(struct page *p, const char *key, const char *name, const char *content)
{
    if (content)
        tag(&p->t, "meta", key, name, "content", content, NULL);
}

static void put_head(struct page *p, const struct page_code *code)
{
    struct tags *t = &p->t;
    tag(t, "head", NULL);
    tag(t, "meta", "charset", "utf-8", NULL);
    put_meta(p, "http-equiv", "Content-Security-Policy", code->policy);
    put_meta(p, "name", "viewport", "width=device-width, initial-scale=1");
    put_meta(p, "name", "color-scheme", "light dark");
    put_meta(p, "name", "generator", arena_printf(p->arena, "qdepth %s", p->d->version));
    put_meta(p, "name", "description", p->d->description);
    tag_newline(t);
    tag_line(t, "title", NULL, arena_printf(p->arena, "%s \u00B7 qdepth", p->d->title));
    tag_data(t, "style", &code->style);
    tag_end(t, "head");
    tag_newline(t);
}

static void put_title(struct page *p)
{
    struct tags *t = &p->t;
    const struct document *d = p->d;
    tag(t, "header", "class", "title", NULL);
    tag(t, "p", "class", "kicker", NULL);
    tag_line(t, "span", NULL, d->kicker);
    tag_text(t, " ");
    tag_line(t, "span", "notice", d->notice);
    tag_end(t, "p");
    tag_line(t, "h1", NULL, d->title);
    tag_line(t, "p", "meta", d->meta);
    if (d->verdict.n) {
        tag(t, "p", "class", "verdict", NULL);
        page_rich(p, &d->verdict);
        tag_end(t, "p");
    }
    tag_end(t, "header");
    tag_newline(t);
}

static void put_key(struct page *p, const struct key_entry *k)
{
    struct tags *t = &p->t;
    tag(t, "label", NULL);
    tag(t, "input", "type", "checkbox", "id", arena_printf(p->arena, "qd-show-%d", k->series.slot),
        "checked", "", NULL);
    icon_swatch(p, k->series.slot);
    tag_line(t, "span", NULL, k->series.name);
    tag_text(t, " ");
    tag_line(t, "span", k->series.highlighted ? "tag dut" : "tag", k->note);
    tag_end(t, "label");
}

static void put_themes(struct page *p)
{
    static const char *const themes[][2] = { { "auto", "Auto" },
                                             { "light", "Light" },
                                             { "dark", "Dark" } };
    struct tags *t = &p->t;
    const char *chosen = p->o->theme ? p->o->theme : "auto";
    tag(t, "fieldset", "class", "theme", NULL);
    tag_line(t, "legend", NULL, "Theme");
    for (size_t i = 0; i < 3; i++) {
        tag(t, "label", NULL);
        tag(t, "input", "type", "radio", "name", "qd-theme", "id",
            arena_printf(p->arena, "qd-theme-%s", themes[i][0]), "checked",
            strcmp(chosen, themes[i][0]) ? NULL : "", NULL);
        tag_text(t, themes[i][1]);
        tag_end(t, "label");
    }
    tag_end(t, "fieldset");
}

static void put_key_bar(struct page *p)
{
    struct tags *t = &p->t;
    tag(t, "div", "class", p->d->n_keys > SHORT_KEY ? "key long" : "key", "role", "region",
        "aria-label", "Key and display", NULL);
    tag(t, "fieldset", NULL);
    tag(t, "legend", NULL);
    tag_text(t, "Key");
    tag_line(t, "span", "vh", ": show or dim a target in all charts");
    tag_end(t, "legend");
    for (size_t i = 0; i < p->d->n_keys; i++)
        put_key(p, &p->d->keys[i]);
    tag_end(t, "fieldset");
    tag_newline(t);
    put_themes(p);
    tag_end(t, "div");
    tag_newline(t);
}

static void put_contents(struct page *p)
{
    struct tags *t = &p->t;
    tag(t, "nav", "class", "toc", "aria-label", "Contents", NULL);
    tag_line(t, "h2", NULL, "Contents");
    tag(t, "ol", NULL);
    for (const struct block *b = p->d->first; b; b = b->next) {
        if (!b->number || !b->id || !b->title)
            continue;
        tag(t, "li", NULL);
        tag(t, "a", "href", arena_printf(p->arena, "#%s", b->id), NULL);
        tag_line(t, "span", "no", arena_printf(p->arena, "%u", b->number));
        tag_text(t, b->title);
        tag_end(t, "a");
        tag_end(t, "li");
    }
    tag_end(t, "ol");
    tag_end(t, "nav");
}

static int put_cover(struct page *p, struct error *e)
{
    if (!p->d->scorecard && !p->d->headline)
        return 0;
    tag(&p->t, "div", "class", "cover", NULL);
    if (p->d->scorecard)
        page_table(p, p->d->scorecard, NULL);
    if (p->d->headline && page_figure(p, p->d->headline, e))
        return -1;
    tag_end(&p->t, "div");
    tag_newline(&p->t);
    return 0;
}

static int put_main(struct page *p, struct error *e)
{
    struct tags *t = &p->t;
    tag(t, "main", "id", "qd-main", NULL);
    if (put_cover(p, e))
        return -1;
    tag(t, "div", "class", "body", NULL);
    put_contents(p);
    tag(t, "div", "class", "parts", NULL);
    if (page_blocks(p, p->d->first, e))
        return -1;
    tag_end(t, "div");
    tag_end(t, "div");
    tag_end(t, "main");
    tag_newline(t);
    return 0;
}

static void put_file(struct page *p, const char *href, const char *name)
{
    tag(&p->t, "a", "href", href, "download", "", NULL);
    tag_text(&p->t, name);
    tag_end(&p->t, "a");
}

static void put_data_file(struct page *p, const char *name)
{
    put_file(p, arena_printf(p->arena, "%s/%s", p->o->data_dir, name), name);
}

static void put_footer(struct page *p)
{
    struct tags *t = &p->t;
    const struct document *d = p->d;
    tag(t, "footer", NULL);
    tag_line(t, "span", NULL, arena_printf(p->arena, "qdepth %s", d->version));
    if (d->run_names)
        tag_line(t, "span", NULL, arena_printf(p->arena, "run %s", d->run_names));
    if (d->data_hash)
        tag_line(t, "span", NULL, arena_printf(p->arena, "data %s", d->data_hash));
    if (p->o->data_dir) {
        put_data_file(p, "results.csv");
        put_data_file(p, "results.json");
    }
    if (p->o->pdf)
        put_file(p, p->o->pdf, "PDF");
    tag_line(t, "span", NULL, d->notice);
    tag_end(t, "footer");
}

static int put_body(struct page *p, const struct page_code *code, struct error *e)
{
    struct tags *t = &p->t;
    tag(t, "body", NULL);
    tag(t, "a", "class", "skip", "href", "#qd-main", NULL);
    tag_text(t, "Skip to the results");
    tag_end(t, "a");
    if (icon_sheet(p, e))
        return -1;
    tag(t, "div", "class", "page", NULL);
    put_title(p);
    put_key_bar(p);
    if (put_main(p, e))
        return -1;
    put_footer(p);
    tag_end(t, "div");
    tag_newline(t);
    tag_data(t, "script", &code->script);
    tag_end(t, "body");
    return 0;
}

static int put_page(struct page *p, const struct page_code *code, struct error *e)
{
    tag_markup(&p->t, "<!DOCTYPE html>\n");
    tag(&p->t, "html", "lang", "en", NULL);
    put_head(p, code);
    if (put_body(p, code, e))
        return -1;
    tag_end(&p->t, "html");
    tag_newline(&p->t);
    if (tags_failed(&p->t) || p->t.depth)
        return error_set(e, QD_E_FAIL, "cannot write the page: %s",
                         str_failed(p->t.out) ? "it is too large" : "its elements do not nest");
    return 0;
}

int html_write(const struct document *d, const struct html_options *o, struct str *out,
               struct error *e)
{
    struct page_code code;
    if (page_code_make(d, &code, e))
        return -1;
    struct page p = { .t = { .out = out }, .d = d, .o = o, .arena = arena_new() };
    int rc = put_page(&p, &code, e);
    arena_free(p.arena);
    page_code_done(&code);
    return rc;
}
