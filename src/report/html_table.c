#include <string.h>

#include "base/array.h"
#include "report/html_page.h"
#include "report/table_shape.h"

struct grid {
    struct page *page;
    const struct table *table;
    struct column_shape *columns;
    struct strip strip;
    bool has_strip, scorecard;
};

static bool is_number(const struct grid *g, size_t column)
{
    return g->table->columns[column].align == ALIGN_NUMBER;
}

static size_t span_of(const struct grid *g, const struct table_row *r, size_t cell, size_t column)
{
    return table_span(g->table, r, cell, column);
}

static size_t width_of(const struct grid *g, size_t column)
{
    const struct column_shape *l = &g->columns[column];
    return 1 + (l->detail ? 1 : 0) + (l->strip && g->scorecard ? 1 : 0);
}

/* Columns of the page for n columns of the document, as an attribute; NULL for 1. */
static const char *colspan(const struct grid *g, size_t column, size_t n)
{
    size_t width = 0;
    for (size_t i = 0; i < n; i++)
        width += width_of(g, column + i);
    return width == 1 ? NULL : arena_printf(g->page->arena, "%zu", width);
}

static const char *classes(const struct grid *g, const char *const *words, size_t n)
{
    char *out = NULL;
    for (size_t i = 0; i < n; i++)
        if (words[i])
            out = out ? arena_printf(g->page->arena, "%s %s", out, words[i])
                      : arena_strdup(g->page->arena, words[i]);
    return out;
}
#define CLASSES(g, ...)                                                                            \
    classes(g, (const char *const[]) { __VA_ARGS__ },                                              \
            countof(((const char *const[]) { __VA_ARGS__ })))

/* --- heads -------------------------------------------------------------------------------------------------------- */

static bool same_group(const struct column *a, const struct column *b)
{
    return a->group && b->group && !strcmp(a->group, b->group);
}

static void put_head_text(struct grid *g, const struct column *c)
{
    struct tags *t = &g->page->t;
    if (c->group) {
        tag(t, "span", "class", "vh", NULL);
        tag_text(t, c->group);
        tag_text(t, " ");
        tag_end(t, "span");
    } else {
        icon_marker(g->page, g->scorecard ? 0 : c->slot);
    }
    tag_line(t, "span", g->scorecard ? "hd" : NULL, c->head ? c->head : "");
    if (c->subhead) {
        tag_text(t, " ");
        tag_line(t, "span", "sub", c->subhead);
    }
    if (g->scorecard && c->highlighted) {
        tag_text(t, " ");
        tag_line(t, "span", "tag", "device under test");
    }
}

static void put_advantage_head(struct grid *g, const struct column *c)
{
    struct tags *t = &g->page->t;
    tag(t, "th", "scope", "col", "class", "strip", NULL);
    tag_line(t, "span", "vh", "Advantage drawn");
    strip_head(g->page, &g->strip);
    tag_end(t, "th");
    tag(t, "th", "scope", "col", "class", "adv", NULL);
    tag_line(t, "span", "r", c->head);
    tag_text(t, " ");
    tag_line(t, "span", "ci", c->subhead);
    tag_end(t, "th");
}

static void put_head(struct grid *g, size_t i, bool two_rows)
{
    const struct column *c = &g->table->columns[i];
    const struct column_shape *l = &g->columns[i];
    struct tags *t = &g->page->t;
    const char *rows = two_rows && !c->group ? "2" : NULL;
    if (g->scorecard && l->strip) {
        put_advantage_head(g, c);
        return;
    }
    const char *class = CLASSES(g, is_number(g, i) ? "n" : NULL, c->highlighted ? "d" : NULL,
                                c->highlighted ? slot_class(c->slot) : NULL);
    tag(t, "th", "scope", "col", "class", class, "rowspan", rows, NULL);
    put_head_text(g, c);
    tag_end(t, "th");
    if (!l->detail)
        return;
    tag(t, "th", "scope", "col", "class", c->highlighted ? "n ci d" : "n ci", "rowspan", rows,
        NULL);
    tag(t, "span", "class", "vh", NULL);
    tag_text(t, c->group);
    tag_text(t, c->group ? " " : NULL);
    tag_text(t, c->head);
    tag_text(t, " interval");
    tag_end(t, "span");
    tag_end(t, "th");
}

static void put_group_heads(struct grid *g)
{
    const struct table *t = g->table;
    struct tags *out = &g->page->t;
    tag(out, "tr", NULL);
    for (size_t i = 0, n; i < t->n_columns; i += n) {
        const struct column *c = &t->columns[i];
        for (n = 1; i + n < t->n_columns && same_group(c, &t->columns[i + n]);)
            n++;
        if (!c->group) {
            put_head(g, i, true);
            continue;
        }
        tag(out, "th", "scope", "colgroup", "class", "gh", "colspan", colspan(g, i, n), NULL);
        icon_marker(g->page, c->slot);
        tag_text(out, c->group);
        tag_end(out, "th");
    }
    tag_end(out, "tr");
}

static void put_heads(struct grid *g)
{
    const struct table *t = g->table;
    bool groups = false, heads = false;
    for (size_t i = 0; i < t->n_columns; i++) {
        groups |= t->columns[i].group != NULL;
        heads |= t->columns[i].head != NULL;
    }
    if (!groups && !heads)
        return;
    tag(&g->page->t, "thead", NULL);
    if (groups)
        put_group_heads(g);
    tag(&g->page->t, "tr", NULL);
    for (size_t i = 0; i < t->n_columns; i++)
        if (!groups || t->columns[i].group)
            put_head(g, i, false);
    tag_end(&g->page->t, "tr");
    tag_end(&g->page->t, "thead");
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

static void put_digits(struct grid *g, size_t column, const struct table_cell *c)
{
    static const char zeros[] = ".000000000";
    struct tags *t = &g->page->t;
    const struct column_shape *l = &g->columns[column];
    if (l->marks) {
        tag(t, "span", "class", "mk", NULL);
        tag_text(t, c->mark);
        tag_end(t, "span");
    }
    int n = number_decimals(c->text);
    int most = l->decimals < 9 ? l->decimals : 9;
    if (n < 0 || n >= most)
        return;
    tag(t, "span", "class", "pad", "aria-hidden", "true", NULL);
    tag_text(t, arena_printf(g->page->arena, "%.*s", n ? most - n : most + 1, zeros + (n ? 1 : 0)));
    tag_end(t, "span");
}

static void put_cell_text(struct grid *g, const struct table_cell *c)
{
    struct tags *t = &g->page->t;
    icon_marker(g->page, c->slot);
    if (c->href) {
        tag(t, "a", "href", c->href, NULL);
        tag_text(t, c->text);
        tag_end(t, "a");
    } else {
        tag_text(t, c->text);
    }
}

static void put_advantage(struct grid *g, const struct table_row *r, size_t i, const char *label)
{
    struct tags *t = &g->page->t;
    const struct table_cell *c = &r->cells[i];
    tag(t, "td", "class", "strip", NULL);
    if (c->strip > 0)
        strip_cell(g->page, &g->strip, c, row_verdict(r));
    tag_end(t, "td");
    tag(t, "td", "class", "adv", "data-l", label, NULL);
    tag_line(t, "span", "r", c->text);
    tag_text(t, " ");
    tag_line(t, "span", "ci", c->detail);
    tag_end(t, "td");
}

static void put_verdict(struct grid *g, const struct table_cell *c, const char *label)
{
    struct tags *t = &g->page->t;
    bool clear = c->symbol == SYMBOL_AHEAD || c->symbol == SYMBOL_BEHIND;
    tag(t, "td", "class", clear ? "vd clear" : "vd", "data-l", label, NULL);
    tag(t, "span", NULL);
    icon_verdict(g->page, c->symbol);
    tag_text(t, c->text);
    tag_end(t, "span");
    tag_end(t, "td");
}

static void put_value(struct grid *g, size_t column, const struct table_cell *c, const char *label)
{
    struct tags *t = &g->page->t;
    const struct column *head = &g->table->columns[column];
    const struct column_shape *l = &g->columns[column];
    bool number = is_number(g, column);
    const char *name = head->row_head ? "th" : "td";
    tag(t, name, "scope", head->row_head ? "row" : NULL, "class",
        CLASSES(g, number ? "n" : NULL, head->highlighted ? "d" : NULL,
                head->highlighted ? slot_class(head->slot) : NULL, c->best ? "best" : NULL),
        "data-l", label, NULL);
    put_cell_text(g, c);
    if (number)
        put_digits(g, column, c);
    if (c->detail && !l->detail) {
        tag_text(t, " ");
        tag_line(t, "span", "dir", c->detail);
    }
    tag_end(t, name);
    if (!l->detail)
        return;
    tag(t, "td", "class", head->highlighted ? "n ci d" : "n ci", NULL);
    tag_text(t, c->detail);
    tag_end(t, "td");
}

static void put_cell(struct grid *g, const struct table_row *r, size_t cell, size_t column)
{
    struct tags *t = &g->page->t;
    const struct table_cell *c = &r->cells[cell];
    const struct column *head = &g->table->columns[column];
    const char *label = g->scorecard && !head->row_head ? head->head : NULL;
    const char *span = colspan(g, column, span_of(g, r, cell, column));
    switch (c->kind) {
    case CELL_GAP:
        tag(t, "td", "class", is_number(g, column) && !span ? "gap n" : "gap", "colspan", span,
            "data-l", label, NULL);
        tag_text(t, c->text);
        tag_end(t, "td");
        return;
    case CELL_EMPTY:
        tag(t, "td", "class", "none", "colspan", span, NULL);
        tag_end(t, "td");
        return;
    case CELL_VERDICT:
        put_verdict(g, c, label);
        return;
    case CELL_VALUE:
        if (g->scorecard && g->columns[column].strip)
            put_advantage(g, r, cell, label);
        else
            put_value(g, column, c, label);
        return;
    }
}

static void put_group_row(struct grid *g, const struct table_row *r)
{
    struct tags *t = &g->page->t;
    tag(t, "tr", "class", "grp", NULL);
    tag(t, "th", "scope", "rowgroup", "colspan", colspan(g, 0, g->table->n_columns), NULL);
    if (r->n_cells)
        put_cell_text(g, &r->cells[0]);
    if (r->detail) {
        tag_text(t, " ");
        tag_line(t, "span", "dir", r->detail);
    }
    tag_end(t, "th");
    tag_end(t, "tr");
}

static void put_row(struct grid *g, const struct table_row *r)
{
    struct tags *t = &g->page->t;
    bool highlight = r->kind == ROW_HIGHLIGHT;
    tag(t, "tr", "class", highlight ? CLASSES(g, "dut", slot_class(r->slot)) : NULL, NULL);
    for (size_t cell = 0, column = 0; cell < r->n_cells && column < g->table->n_columns; cell++) {
        size_t span = span_of(g, r, cell, column);
        put_cell(g, r, cell, column);
        column += span;
    }
    tag_end(t, "tr");
    tag_newline(t);
}

static void put_rows(struct grid *g)
{
    struct tags *t = &g->page->t;
    bool open = false;
    for (size_t i = 0; i < g->table->n_rows; i++) {
        const struct table_row *r = &g->table->rows[i];
        bool group = r->kind == ROW_GROUP;
        if (open && group)
            tag_end(t, "tbody");
        if (!open || group)
            tag(t, "tbody", NULL);
        open = true;
        if (group)
            put_group_row(g, r);
        else
            put_row(g, r);
    }
    if (open)
        tag_end(t, "tbody");
}

/* The scroll region is named by the caption's opening words. */
static const char *name_of(struct page *p, const struct table *t)
{
    if (!t->caption.n)
        return "Table";
    if (t->caption.at[0].style == RUN_STRONG)
        return t->caption.at[0].text;
    return rich_plain(&t->caption, p->arena);
}

void page_table(struct page *p, const struct table *t, const char *name)
{
    static const char *const frames[] = {
        [TABLE_PLAIN] = "scroll",     [TABLE_SCORECARD] = "scroll score",
        [TABLE_DATA] = "scroll data", [TABLE_FACTS] = "scroll kv",
        [TABLE_FULL] = "scroll full",
    };
    struct grid g = { .page = p, .table = t, .scorecard = t->role == TABLE_SCORECARD };
    g.columns = arena_array(p->arena, struct column_shape, t->n_columns);
    table_shape(t, g.columns);
    g.has_strip = strip_fit(t, &g.strip);
    tag_newline(&p->t);
    tag(&p->t, "div", "class", frames[t->role], "id", t->id, "tabindex", "0", "role", "region",
        "aria-label", name ? name : name_of(p, t), NULL);
    tag(&p->t, "table", NULL);
    if (t->caption.n) {
        tag(&p->t, "caption", NULL);
        tag(&p->t, "span", NULL);
        page_rich(p, &t->caption);
        tag_end(&p->t, "span");
        tag_end(&p->t, "caption");
    }
    put_heads(&g);
    put_rows(&g);
    tag_end(&p->t, "table");
    tag_end(&p->t, "div");
}
