#include "report/pdf_grid.h"

#include <math.h>
#include <string.h>

/* The scorecard's cover and all others are set in the first that fits. */
static const struct measure measures[] = {
    { 8, 11, 6, 3, 2.5 },
    { 7.4, 10, 5, 2.5, 2 },
    { 6.8, 9.2, 4, 2, 1.75 },
};
/* Text is wrapped rather than wider than this, and broken inside words wider than that. */
static const double text_most = 220, word_most = 96;
static const double detail_gap = 3, tint_inset = 6, text_after_number = 6;
/* Heads wrap to two lines before cells wrap at all. */
static const double head_share = 0.55, head_least = 40;

struct type grid_type(const struct grid *g, enum font_weight weight, enum ink ink)
{
    return (struct type) { weight, g->measure.size, g->measure.leading, ink };
}

/* --- columns on paper ---------------------------------------------------------------------------------------------- */

static void add(struct grid *g, size_t column, enum part part)
{
    g->at[g->n++] = (struct grid_column) {
        .column = column, .part = part, .number = g->table->columns[column].align == ALIGN_NUMBER
    };
}

static void make_columns(struct pdf *p, struct grid *g, const struct column_list *columns)
{
    g->at = arena_array(p->arena, struct grid_column, 2 * columns->n);
    g->n = 0;
    for (size_t i = 0; i < columns->n; i++) {
        size_t column = columns->at[i];
        const struct column_shape *shape = &g->shapes[column];
        if (g->scorecard && shape->strip)
            add(g, column, PART_STRIP);
        add(g, column, PART_VALUE);
        if (shape->detail)
            add(g, column, PART_DETAIL);
    }
}

size_t grid_span(const struct grid *g, size_t from, size_t span, size_t *ret_first)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (g->at[i].column < from || g->at[i].column >= from + span)
            continue;
        if (n++ == 0)
            *ret_first = i;
    }
    return n;
}

double grid_span_width(const struct grid *g, size_t first, size_t n)
{
    const struct grid_column *last = &g->at[first + n - 1];
    return last->x + last->width - g->at[first].x;
}

/* --- measuring ----------------------------------------------------------------------------------------------------- */

static void widen(struct grid_column *c, double least, double most)
{
    c->least = fmax(c->least, least);
    c->most = fmax(c->most, fmax(least, most));
}

/* What stands before the text of a cell: marker or symbol. */
static double lead_width(const struct table_cell *c)
{
    if (c->kind == CELL_VERDICT && c->symbol != SYMBOL_NONE)
        return symbol_width + 4;
    return c->slot ? marker_width + 4 : 0;
}

static void measure_text(const struct grid *g, struct grid_column *c, const struct table_cell *cell)
{
    struct type t = grid_type(g, FONT_MEDIUM, INK_INK);
    struct extent x = typeset_extent(cell->text, &t);
    double lead = lead_width(cell), line = x.line;
    if (cell->detail) {
        struct extent detail = typeset_extent(cell->detail, &t);
        line = g->scorecard ? fmax(line, detail.line) : line + 3 + detail.line;
    }
    widen(c, lead + fmin(x.word, word_most), lead + fmin(line, text_most));
}

/* Numbers that are aligned grow to the left and right of their points; others are one piece. */
static void measure_number(const struct grid *g, struct grid_column *c,
                           const struct table_cell *cell, double *whole)
{
    struct type t = grid_type(g, FONT_MEDIUM, INK_INK);
    int decimals = number_decimals(cell->text);
    double width = font_width(t.weight, t.size, cell->text ? cell->text : "");
    if (g->scorecard && cell->detail)
        width = fmax(width, font_width(t.weight, t.size, cell->detail));
    if (decimals < 0) {
        widen(c, width + c->slot, width + c->slot);
        return;
    }
    double digit = font_advance(t.weight, t.size, '0'), point = font_advance(t.weight, t.size, '.');
    double fraction = decimals ? decimals * digit + point : 0;
    *whole = fmax(*whole, width - fraction);
    widen(c, *whole + c->fraction + c->slot, 0);
}

static void measure_cell(const struct grid *g, struct grid_column *c, const struct table_cell *cell,
                         double *whole)
{
    struct type t = grid_type(g, FONT_REGULAR, INK_INK);
    if (cell->kind == CELL_EMPTY)
        return;
    if (c->part == PART_DETAIL) {
        double width = font_width(t.weight, t.size, cell->detail ? cell->detail : "");
        widen(c, width, width);
    } else if (c->part == PART_VALUE && c->number && cell->kind == CELL_VALUE) {
        measure_number(g, c, cell, whole);
    } else if (c->part == PART_VALUE) {
        measure_text(g, c, cell);
    }
}

static void measure_head(const struct grid *g, struct grid_column *c)
{
    const struct column *head = &g->table->columns[c->column];
    struct type t = grid_type(g, head->highlighted ? FONT_MEDIUM : FONT_REGULAR, INK_INK);
    if (c->part == PART_STRIP)
        widen(c, strip_width, strip_width);
    if (c->part != PART_VALUE)
        return;
    double lead = head->slot && !head->group && !g->scorecard ? marker_width + 4 : 0;
    struct extent x = typeset_extent(head->head, &t), sub = typeset_extent(head->subhead, &t);
    bool wraps = c->number && !head->highlighted && x.line > head_least;
    double line = wraps ? fmax(head_least, head_share * x.line) : x.line;
    widen(c, lead + fmin(x.word, word_most), lead + fmin(line, text_most));
    widen(c, fmin(sub.word, word_most), fmin(sub.line, text_most));
}

/* Of the widest mark in the column. */
static double slot_of(const struct grid *g, size_t column, const struct type *t)
{
    double widest = 0;
    for (size_t i = 0; i < g->table->n_rows; i++) {
        const struct table_row *r = &g->table->rows[i];
        for (size_t j = 0, at = 0; r->kind != ROW_GROUP && j < r->n_cells && at <= column; j++) {
            if (at == column && r->cells[j].mark)
                widest = fmax(widest, 1.5 + font_width(t->weight, t->size, r->cells[j].mark));
            at += table_span(g->table, r, j, at);
        }
    }
    return widest;
}

static void set_alignment(const struct grid *g, struct grid_column *c)
{
    struct type t = grid_type(g, FONT_MEDIUM, INK_INK);
    const struct column_shape *shape = &g->shapes[c->column];
    if (!c->number || c->part != PART_VALUE)
        return;
    if (shape->decimals > 0)
        c->fraction = shape->decimals * font_advance(t.weight, t.size, '0') +
                      font_advance(t.weight, t.size, '.');
    c->slot = shape->marks ? slot_of(g, c->column, &t) : 0;
}

static void measure_columns(const struct grid *g)
{
    for (size_t i = 0; i < g->n; i++) {
        struct grid_column *c = &g->at[i];
        c->least = c->most = 0;
        set_alignment(g, c);
        measure_head(g, c);
        double whole = 0;
        for (size_t r = 0; r < g->table->n_rows; r++) {
            struct row_walk walk = { .grid = g, .row = &g->table->rows[r] };
            struct placed_cell at;
            while (g->table->rows[r].kind != ROW_GROUP && row_next(&walk, &at))
                if (at.first <= i && i < at.first + at.n &&
                    g->at[at.first].column == g->at[at.first + at.n - 1].column)
                    measure_cell(g, c, &at.row->cells[at.cell], &whole);
        }
    }
}

/* --- widths -------------------------------------------------------------------------------------------------------- */

static double gap_before(const struct grid *g, size_t i)
{
    if (i == 0)
        return 0;
    if (g->at[i].part == PART_DETAIL)
        return detail_gap;
    if (g->table->role == TABLE_FACTS)
        return 2 * g->measure.gap;
    return g->measure.gap + (g->at[i - 1].number && !g->at[i].number ? text_after_number : 0);
}

static double share_of(const struct grid *g, const struct grid_column *c)
{
    if (g->table->role == TABLE_FACTS)
        return c == &g->at[g->n - 1] ? 1 : 0;
    if (g->scorecard)
        return c->number && !g->shapes[c->column].strip ? c->most : 0;
    return c->part == PART_DETAIL ? 0 : c->most;
}

/* What is left over goes to all in proportion; what is missing is taken from those that can wrap. */
static bool share_width(struct grid *g)
{
    double gaps = 0, least = 0, most = 0, shares = 0;
    for (size_t i = 0; i < g->n; i++) {
        gaps += gap_before(g, i);
        least += g->at[i].least;
        most += g->at[i].most;
        shares += share_of(g, &g->at[i]);
    }
    double room = g->width - 2 * g->inset - gaps;
    bool fits = least <= room + 0.01;
    double x = g->inset;
    for (size_t i = 0; i < g->n; i++) {
        struct grid_column *c = &g->at[i];
        if (most <= room)
            c->width = c->most + (shares > 0 ? (room - most) * share_of(g, c) / shares : 0);
        else if (fits)
            c->width = c->least + (c->most - c->least) * (room - least) / (most - least);
        else
            c->width = c->least * room / least;
        x += gap_before(g, i);
        c->x = x;
        x += c->width;
    }
    return fits;
}

static bool any_head(const struct grid *g, bool groups)
{
    for (size_t i = 0; i < g->n; i++) {
        const struct column *c = &g->table->columns[g->at[i].column];
        if (groups ? c->group != NULL : c->head != NULL)
            return true;
    }
    return false;
}

static bool is_tinted(const struct table *t)
{
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].kind == ROW_HIGHLIGHT)
            return true;
    return false;
}

static void tighten(struct measure *m, unsigned tight)
{
    m->above -= 0.7 * tight;
    m->below -= 0.6 * tight;
}

bool grid_make(struct pdf *p, const struct table *t, const struct column_list *columns,
               struct grid *ret)
{
    struct grid g = { .table = t,
                      .x = p->flow->x,
                      .width = p->flow->width,
                      .inset = is_tinted(t) ? tint_inset : 0,
                      .scorecard = t->role == TABLE_SCORECARD };
    struct column_shape *shapes = arena_array(p->arena, struct column_shape, t->n_columns);
    table_shape(t, shapes);
    g.shapes = shapes;
    strip_fit(t, &g.strip);
    make_columns(p, &g, columns);
    g.has_groups = any_head(&g, true);
    g.has_heads = any_head(&g, false);
    bool fits = false;
    for (size_t i = 0; i < countof(measures) && !fits; i++) {
        g.measure = measures[i];
        measure_columns(&g);
        fits = share_width(&g);
    }
    if (g.scorecard)
        tighten(&g.measure, p->tight);
    *ret = g;
    return fits;
}
