#include <string.h>

#include "report/pdf_grid.h"

static const double caption_gap = 4, group_space = 5, rule_width = 0.5, bar_width = 2;

struct row_item {
    const struct grid *grid;
    const struct table_row *row;
    bool last; /* of the table */
};

/* --- backgrounds --------------------------------------------------------------------------------------------------- */

static void draw_rule(struct pdf *p, const struct area *row, enum ink ink)
{
    pen_rule(p,
             &(struct area) { row->x, row->y + row->height - rule_width, row->width, rule_width },
             (struct paint) { ink, 0 });
}

/* The device under test's column is tinted from the head to the last row. */
static void draw_tints(struct pdf *p, const struct grid *g, const struct area *row, bool head)
{
    for (size_t i = 0; i < g->n; i++) {
        const struct column *c = &g->table->columns[g->at[i].column];
        if (!g->scorecard || !c->highlighted)
            continue;
        double half = g->measure.gap / 2;
        struct area at = { row->x + g->at[i].x - half, row->y, g->at[i].width + 2 * half,
                           row->height };
        pen_fill(p, &at, (struct paint) { INK_DUTBG, 0 });
        at.height = bar_width;
        if (head)
            pen_fill(p, &at, (struct paint) { INK_MARK, c->slot });
    }
}

static void draw_highlight(struct pdf *p, const struct table_row *r, const struct area *row)
{
    if (r->kind != ROW_HIGHLIGHT)
        return;
    pen_fill(p, row, (struct paint) { INK_DUTBG, 0 });
    pen_fill(p, &(struct area) { row->x, row->y, bar_width, row->height },
             (struct paint) { INK_MARK, r->slot });
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

static int draw_heads(struct pdf *p, const struct item *i, struct error *e)
{
    const struct grid *g = i->what;
    const struct area at = { i->x, i->y, i->width, i->height };
    draw_tints(p, g, &at, true);
    if (heads_draw(p, g, i->y, e))
        return -1;
    draw_rule(p, &at, INK_AXIS);
    return 0;
}

static int draw_row(struct pdf *p, const struct item *i, struct error *e)
{
    const struct row_item *r = i->what;
    const struct area at = { i->x, i->y, i->width, i->height };
    draw_highlight(p, r->row, &at);
    draw_tints(p, r->grid, &at, false);
    struct row_walk walk = { .grid = r->grid, .row = r->row };
    struct placed_cell c;
    while (row_next(&walk, &c))
        if (cell_draw(p, &c, &at, e))
            return -1;
    draw_rule(p, &at, r->last ? INK_AXIS : INK_GRID);
    return 0;
}

static struct typeset group_lines(struct arena *a, const struct row_item *r, bool continued)
{
    const struct table_cell *c = r->row->n_cells ? &r->row->cells[0] : NULL;
    struct type t = grid_type(r->grid, FONT_REGULAR, INK_INK);
    struct rich text = { 0 };
    rich_put(&text, a, RUN_STRONG, c && c->text ? c->text : "");
    if (continued)
        rich_put(&text, a, RUN_STRONG, " (continued)");
    if (r->row->detail)
        rich_printf(&text, a, RUN_SOFT, " %s", r->row->detail);
    return typeset_rich(a, &text, &t, r->grid->width - (c && c->slot ? marker_width + 4 : 0));
}

static int draw_group(struct pdf *p, const struct item *i, struct error *e)
{
    const struct row_item *r = i->what;
    const struct measure *m = &r->grid->measure;
    const struct area at = { i->x, i->y, i->width, i->height };
    int slot = r->row->n_cells ? r->row->cells[0].slot : 0;
    struct arena *a = arena_new();
    struct typeset set = group_lines(a, r, i->continued);
    struct type t = grid_type(r->grid, FONT_MEDIUM, INK_INK);
    double y = i->y + i->height - m->below - (double)set.n * m->leading;
    double x = i->x + r->grid->inset;
    int rc = slot ? pen_marker(p, x, type_baseline(&t, y) - 0.36 * t.size, slot, e) : 0;
    for (size_t k = 0; k < set.n && !rc; k++)
        pen_line(p, &set.at[k], x + (slot ? marker_width + 4 : 0),
                 type_baseline(&t, y + (double)k * m->leading));
    arena_free(a);
    draw_rule(p, &at, INK_AXIS);
    return rc;
}

/* --- heights ------------------------------------------------------------------------------------------------------- */

static double row_height(const struct row_item *r)
{
    const struct measure *m = &r->grid->measure;
    struct arena *a = arena_new();
    struct row_walk walk = { .grid = r->grid, .row = r->row };
    struct placed_cell c;
    size_t lines = 1;
    while (row_next(&walk, &c)) {
        size_t n = cell_lines(a, &c);
        lines = n > lines ? n : lines;
    }
    arena_free(a);
    return m->above + m->below + (double)lines * m->leading;
}

static double group_height(const struct pdf *p, const struct row_item *r)
{
    const struct measure *m = &r->grid->measure;
    struct arena *a = arena_new();
    /* as high as its longer form, so that a copy has room */
    double lines = (double)group_lines(a, r, true).n;
    arena_free(a);
    double space = r->grid->scorecard ? group_space - 1.5 * p->tight : group_space;
    return space + m->above + m->below + (lines > 1 ? lines : 1) * m->leading;
}

/* --- items --------------------------------------------------------------------------------------------------------- */

static void copy_run(struct rich *to, struct arena *a, const struct text_run *run)
{
    if (run->style == RUN_LINK)
        rich_link(to, a, run->text, run->href);
    else
        rich_put(to, a, run->style, run->text);
}

/* Words in brackets behind the caption's opening: "Scorecard." becomes "Scorecard (continued).". */
static struct rich caption_with(struct arena *a, const struct rich *caption, const char *words)
{
    struct rich out = { 0 };
    for (size_t i = 0; i < caption->n; i++) {
        const struct text_run *run = &caption->at[i];
        size_t n = strlen(run->text), tail = 0;
        if (i > 0 || run->style != RUN_STRONG) {
            copy_run(&out, a, run);
            continue;
        }
        while (tail < n && strchr(".:", run->text[n - tail - 1]))
            tail++;
        rich_put(&out, a, RUN_STRONG, arena_strndup(a, run->text, n - tail));
        rich_printf(&out, a, RUN_PLAIN, " (%s)%s", words, run->text + n - tail);
    }
    if (caption->n && caption->at[0].style != RUN_STRONG)
        rich_printf(&out, a, RUN_PLAIN, " (%s)", words);
    return out;
}

/* A part of the table: all of it, or as many columns as fit beside each other. */
struct part_of {
    const struct table *table;
    struct grid *grid;
    size_t number, of;
    double before;
};

static void put_caption(struct pdf *p, const struct part_of *t, bool continued)
{
    struct rich caption = t->table->caption;
    const char *part = t->of > 1 ? arena_printf(p->arena, "part %zu of %zu", t->number, t->of)
                                 : NULL;
    if (part && continued)
        part = arena_printf(p->arena, "%s, continued", part);
    else if (continued)
        part = "continued";
    if (part)
        caption = caption_with(p->arena, &caption, part);
    pdf_rich(p, &caption,
             &(struct prose) { .type = type_caption, .before = t->before, .keep = true });
}

static void put_heads(struct pdf *p, const struct part_of *t)
{
    double height = heads_height(p->arena, t->grid);
    if (height > 0)
        flow_add(p, t->table->caption.n ? caption_gap : t->before, height, draw_heads, t->grid)
            ->keep = true;
}

/* The same again, for pages that the table goes on to. */
static void fill_repeat(struct pdf *p, const struct part_of *t, struct repeat *ret)
{
    struct aside aside;
    aside_begin(p, &aside);
    put_caption(p, t, true);
    put_heads(p, t);
    aside_end(p, &aside, ret);
}

static void put_rows(struct pdf *p, const struct part_of *t)
{
    const struct table *table = t->table;
    bool bare = !table->caption.n && heads_height(p->arena, t->grid) <= 0;
    struct row_item *rows = arena_array(p->arena, struct row_item, table->n_rows);
    size_t since_head = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        struct row_item *r = &rows[i];
        *r = (struct row_item) { t->grid, &table->rows[i], i + 1 == table->n_rows };
        bool group = table->rows[i].kind == ROW_GROUP;
        p->flow->group = group ? NULL : p->flow->group;
        struct item *item = flow_add(p, i == 0 && bare ? t->before : 0,
                                     group ? group_height(p, r) : row_height(r),
                                     group ? draw_group : draw_row, r);
        since_head = group ? 0 : since_head + 1;
        /* at least two rows with a head, and no single row on the last page */
        item->keep = !r->last && (since_head < 2 || i + 2 == table->n_rows);
        if (group)
            p->flow->group = item;
    }
}

static void put_part(struct pdf *p, const struct part_of *t)
{
    struct repeat *repeat = arena_one(p->arena, struct repeat);
    p->flow->repeat = repeat;
    put_caption(p, t, false);
    put_heads(p, t);
    fill_repeat(p, t, repeat);
    put_rows(p, t);
    p->flow->repeat = NULL;
    p->flow->group = NULL;
}

/* --- tables wider than the page ------------------------------------------------------------------------------------ */

struct parts {
    ARRAY(size_t) columns; /* of all parts, one after the other */
    ARRAY(size_t) ends;    /* of each part in `columns` */
    size_t fixed;          /* columns that every part begins with */
};

static double width_of(const struct grid *g, size_t column)
{
    double width = 0;
    for (size_t i = 0; i < g->n; i++)
        if (g->at[i].column == column)
            width += g->at[i].least + g->measure.gap;
    return width;
}

static bool same_group(const struct table *t, size_t i, size_t j)
{
    const char *a = t->columns[i].group, *b = t->columns[j].group;
    return a && b && !strcmp(a, b);
}

static size_t fixed_columns(const struct table *t)
{
    size_t n = 0;
    while (n + 1 < t->n_columns && t->columns[n].row_head)
        n++;
    return n ? n : 1;
}

/* Groups of columns stay together where they can. */
static void split(const struct grid *g, struct parts *ret)
{
    const struct table *t = g->table;
    size_t fixed = ret->fixed = fixed_columns(t);
    double fixed_width = 0, used = 0;
    for (size_t i = 0; i < fixed; i++)
        fixed_width += width_of(g, i);
    for (size_t i = fixed, n; i < t->n_columns; i += n) {
        double width = width_of(g, i);
        for (n = 1; i + n < t->n_columns && same_group(t, i, i + n); n++)
            width += width_of(g, i + n);
        if (fixed_width + width > g->width) {
            n = 1;
            width = width_of(g, i);
        }
        if (used > 0 && fixed_width + used + width > g->width) {
            *array_push(&ret->ends) = ret->columns.n;
            used = 0;
        }
        for (size_t k = 0; used <= 0 && k < fixed; k++)
            *array_push(&ret->columns) = k;
        for (size_t k = 0; k < n; k++)
            *array_push(&ret->columns) = i + k;
        used += width;
    }
    *array_push(&ret->ends) = ret->columns.n;
}

static void put_parts(struct pdf *p, const struct grid *whole, double before)
{
    struct parts parts = { 0 };
    split(whole, &parts);
    for (size_t i = 0, from = 0; i < parts.ends.n; from = parts.ends.at[i++]) {
        const struct column_list columns = { parts.columns.at + from, parts.ends.at[i] - from };
        struct part_of t = { .table = whole->table,
                             .grid = arena_one(p->arena, struct grid),
                             .number = i + 1,
                             .of = parts.ends.n,
                             .before = before };
        grid_make(p, t.table, &columns, t.grid);
        put_part(p, &t);
    }
    array_free(&parts.columns);
    array_free(&parts.ends);
}

void pdf_table(struct pdf *p, const struct table *t, double before)
{
    size_t *all = arena_array(p->arena, size_t, t->n_columns);
    for (size_t i = 0; i < t->n_columns; i++)
        all[i] = i;
    const struct column_list columns = { all, t->n_columns };
    struct part_of whole = {
        .table = t, .grid = arena_one(p->arena, struct grid), .number = 1, .of = 1, .before = before
    };
    flow_anchor(p, t->id);
    if (grid_make(p, t, &columns, whole.grid) || t->n_columns < 2)
        put_part(p, &whole);
    else
        put_parts(p, whole.grid, before);
}
