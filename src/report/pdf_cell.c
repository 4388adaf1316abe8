#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "chart/text.h"
#include "report/pdf_grid.h"

/* A row is never parted, so it may not be higher than a page. */
enum { MOST_LINES = 40 };

/* --- walking ------------------------------------------------------------------------------------------------------- */

bool row_next(struct row_walk *w, struct placed_cell *ret)
{
    const struct table *t = w->grid->table;
    while (w->cell < w->row->n_cells && w->column < t->n_columns) {
        size_t cell = w->cell++, from = w->column;
        size_t span = table_span(t, w->row, cell, from);
        w->column += span;
        struct placed_cell at = { .grid = w->grid, .row = w->row, .cell = cell };
        at.n = grid_span(w->grid, from, span, &at.first);
        if (at.n) {
            *ret = at;
            return true;
        }
    }
    return false;
}

static const struct table_cell *cell_of(const struct placed_cell *c)
{
    return &c->row->cells[c->cell];
}

static const struct column *head_of(const struct placed_cell *c)
{
    return &c->grid->table->columns[c->grid->at[c->first].column];
}

/* The column of the cell's value: a strip may stand before it. */
static const struct grid_column *value_column(const struct placed_cell *c)
{
    const struct grid_column *at = &c->grid->at[c->first];
    return at->part == PART_STRIP ? at + 1 : at;
}

static bool is_number(const struct placed_cell *c)
{
    return cell_of(c)->kind == CELL_VALUE && head_of(c)->align == ALIGN_NUMBER;
}

/* --- text cells ---------------------------------------------------------------------------------------------------- */

static struct type cell_type(const struct placed_cell *c)
{
    const struct table_cell *cell = cell_of(c);
    const struct column *head = head_of(c);
    bool clear = cell->symbol == SYMBOL_AHEAD || cell->symbol == SYMBOL_BEHIND;
    if (cell->kind == CELL_GAP)
        return grid_type(c->grid, FONT_REGULAR, INK_INK3);
    if (cell->kind == CELL_VERDICT)
        return grid_type(c->grid, clear ? FONT_MEDIUM : FONT_REGULAR, clear ? INK_INK : INK_INK2);
    if (c->grid->table->role == TABLE_FACTS && head->row_head)
        return grid_type(c->grid, FONT_REGULAR, INK_INK3);
    bool strong = cell->best || (head->row_head && !c->grid->scorecard);
    return grid_type(c->grid, strong ? FONT_MEDIUM : FONT_REGULAR, INK_INK);
}

static double lead_of(const struct placed_cell *c)
{
    const struct table_cell *cell = cell_of(c);
    if (cell->kind == CELL_VERDICT && cell->symbol != SYMBOL_NONE)
        return symbol_width + 4;
    return cell->slot && cell->kind != CELL_GAP ? marker_width + 4 : 0;
}

static struct rich rich_of(struct arena *a, const struct placed_cell *c)
{
    const struct table_cell *cell = cell_of(c);
    struct rich r = { 0 };
    if (cell->href)
        rich_link(&r, a, cell->text ? cell->text : "", cell->href);
    else
        rich_put(&r, a, RUN_PLAIN, cell->text ? cell->text : "");
    if (cell->mark)
        rich_printf(&r, a, RUN_PLAIN, " %s", cell->mark);
    return r;
}

/* Text, then its detail: below it in a scorecard, else behind it. */
static struct typeset lines_of(struct arena *a, const struct placed_cell *c)
{
    const struct table_cell *cell = cell_of(c);
    struct type t = cell_type(c), detail = grid_type(c->grid, FONT_REGULAR, INK_INK3);
    double width = fmax(8, grid_span_width(c->grid, c->first, c->n) - lead_of(c));
    struct rich r = rich_of(a, c);
    if (cell->detail && !c->grid->scorecard)
        rich_printf(&r, a, RUN_SOFT, " %s", cell->detail);
    struct typeset set = typeset_rich(a, &r, &t, width);
    if (cell->detail && c->grid->scorecard) {
        struct typeset more = typeset_text(a, cell->detail, &detail, width);
        struct set_line *all = arena_array(a, struct set_line, set.n + more.n);
        memcpy(all, set.at, set.n * sizeof *all);
        if (more.n)
            memcpy(all + set.n, more.at, more.n * sizeof *all);
        set = (struct typeset) { all, set.n + more.n };
    }
    if (set.n > MOST_LINES)
        set.n = MOST_LINES;
    return set;
}

size_t cell_lines(struct arena *a, const struct placed_cell *c)
{
    if (cell_of(c)->kind == CELL_EMPTY)
        return 1;
    if (is_number(c))
        return c->grid->scorecard && cell_of(c)->detail ? 2 : 1;
    size_t n = lines_of(a, c).n;
    return n ? n : 1;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

/* Top of n lines: in the middle of the row in a scorecard, else at its top. */
static double top_of(const struct placed_cell *c, const struct area *row, size_t n)
{
    const struct measure *m = &c->grid->measure;
    double inside = row->height - m->above - m->below, text = (double)n * m->leading;
    return row->y + m->above + (c->grid->scorecard ? (inside - text) / 2 : 0);
}

static int draw_text_cell(struct pdf *p, const struct placed_cell *c, const struct area *row,
                          struct error *e)
{
    const struct table_cell *cell = cell_of(c);
    const struct grid_column *column = &c->grid->at[c->first];
    struct type t = cell_type(c);
    struct arena *a = arena_new();
    struct typeset set = lines_of(a, c);
    double x = row->x + column->x, y = top_of(c, row, set.n);
    bool right = column->number && c->n == 1 && cell->kind == CELL_GAP;
    int rc = 0;
    double middle = type_baseline(&t, y) - 0.36 * t.size;
    if (cell->kind == CELL_VERDICT)
        rc = pen_symbol(p, x, middle, cell->symbol, e);
    else if (cell->slot && cell->kind != CELL_GAP)
        rc = pen_marker(p, x, middle, cell->slot, e);
    for (size_t i = 0; i < set.n && !rc; i++) {
        double shift = right ? column->width - set.at[i].width : lead_of(c);
        pen_line(p, &set.at[i], x + shift, type_baseline(&t, y + (double)i * t.leading));
    }
    arena_free(a);
    return rc;
}

/* Where a number begins: all points of a column stand below each other; what is no plain number ends at the right. */
static double number_x(const struct grid_column *c, double end, const char *text,
                       const struct type *t)
{
    int decimals = number_decimals(text);
    double width = font_width(t->weight, t->size, text);
    if (decimals < 0)
        return end - c->slot - width;
    double digit = font_advance(t->weight, t->size, '0');
    double fraction = decimals ? decimals * digit + font_advance(t->weight, t->size, '.') : 0;
    return end - c->slot - c->fraction - (width - fraction);
}

/* The mark stands right behind the digits. */
static void draw_number(struct pdf *p, const struct placed_cell *c, const struct area *row)
{
    const struct table_cell *cell = cell_of(c);
    const struct grid_column *column = value_column(c);
    struct type t = cell_type(c), soft = grid_type(c->grid, FONT_REGULAR, INK_INK3);
    const char *text = cell->text ? cell->text : "";
    bool two = c->grid->scorecard && cell->detail;
    double y = top_of(c, row, two ? 2 : 1), base = type_baseline(&t, y);
    double end = row->x + column->x + column->width;
    if (two) {
        pen_text_right(p, end, base, text, &t);
        pen_text_right(p, end, type_baseline(&t, y + t.leading), cell->detail, &soft);
        return;
    }
    double x = number_x(column, end, text, &t);
    double width = pen_text(p, x, base, text, &t);
    if (cell->href)
        pen_link(p, cell->href, &(struct area) { x, y, width, t.leading });
    if (cell->mark)
        pen_text(p, x + width + 1, base, cell->mark, &t);
}

static void draw_detail(struct pdf *p, const struct placed_cell *c, const struct area *row)
{
    const struct grid_column *column = value_column(c) + 1;
    struct type soft = grid_type(c->grid, FONT_REGULAR, INK_INK3);
    const char *detail = cell_of(c)->detail;
    if (detail)
        pen_text_right(p, row->x + column->x + column->width,
                       type_baseline(&soft, top_of(c, row, 1)), detail, &soft);
}

/* --- the drawn advantage ------------------------------------------------------------------------------------------- */

static const double strip_height = 14, strip_inset = 8, strip_r = 2.4, strip_text = 10; /* px */

static double strip_px(const struct strip *s, double ratio)
{
    double width = strip_width / 0.75, share = strip_share(s, ratio);
    return isinf(share) ? width - strip_inset / 2 : strip_inset + (width - 2 * strip_inset) * share;
}

static void build_strip(struct scene *s, const struct strip *strip, const struct table_cell *c,
                        enum verdict_symbol symbol)
{
    const struct paint ink = { INK_INK, 0 }, bg = { INK_BG, 0 }, soft = { INK_INK3, 0 };
    for (int i = strip->first; i <= strip->last; i++) {
        double x = strip_px(strip, strip_tick(strip, i));
        scene_line(s, x, 0, x, strip_height,
                   (struct stroke) { .paint = { i ? INK_GRID : INK_INK2, 0 }, .width = 1 });
    }
    double middle = strip_height / 2;
    if (strip_has_range(c))
        scene_line(s, strip_px(strip, c->strip_low), middle, strip_px(strip, c->strip_high), middle,
                   (struct stroke) { .paint = ink, .width = 1.25 });
    bool behind = symbol == SYMBOL_BEHIND, ahead = symbol == SYMBOL_AHEAD;
    scene_circle(s, strip_px(strip, c->strip), middle, strip_r,
                 behind  ? bg
                 : ahead ? ink
                         : soft,
                 (struct stroke) { .paint = ink, .width = behind ? 1.25 : 0 });
}

static int draw_strip(struct pdf *p, const struct placed_cell *c, const struct area *row,
                      struct error *e)
{
    const struct grid *g = c->grid;
    if (!(cell_of(c)->strip > 0))
        return 0;
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, strip_width / 0.75, strip_height);
    build_strip(s, &g->strip, cell_of(c), row_verdict(c->row));
    int rc = pen_scene(p, s, row->x + g->at[c->first].x,
                       row->y + (row->height - 0.75 * strip_height) / 2, 1, e);
    arena_free(a);
    return rc;
}

int cell_draw(struct pdf *p, const struct placed_cell *c, const struct area *row, struct error *e)
{
    if (cell_of(c)->kind == CELL_EMPTY)
        return 0;
    if (!is_number(c))
        return draw_text_cell(p, c, row, e);
    if (c->grid->at[c->first].part == PART_STRIP && draw_strip(p, c, row, e))
        return -1;
    draw_number(p, c, row);
    if (c->grid->at[c->first + c->n - 1].part == PART_DETAIL)
        draw_detail(p, c, row);
    return 0;
}

/* --- heads --------------------------------------------------------------------------------------------------------- */

static struct type head_type(const struct grid *g, const struct column *c)
{
    bool own = g->scorecard && c->highlighted;
    return grid_type(g, own ? FONT_MEDIUM : FONT_REGULAR, own ? INK_INK : INK_INK3);
}

static double head_lead(const struct grid *g, const struct column *c)
{
    return c->slot && !c->group && !g->scorecard ? marker_width + 4 : 0;
}

static struct typeset head_lines(struct arena *a, const struct grid *g, size_t i)
{
    const struct column *c = &g->table->columns[g->at[i].column];
    struct type t = head_type(g, c), soft = grid_type(g, FONT_REGULAR, INK_INK3);
    if (g->at[i].part != PART_VALUE)
        return (struct typeset) { 0 };
    double width = fmax(8, g->at[i].width - head_lead(g, c));
    struct typeset head = typeset_text(a, c->head, &t, width);
    struct typeset sub = typeset_text(a, c->subhead, &soft, g->at[i].width);
    struct set_line *all = arena_array(a, struct set_line, head.n + sub.n + 1);
    if (head.n)
        memcpy(all, head.at, head.n * sizeof *all);
    if (sub.n)
        memcpy(all + head.n, sub.at, sub.n * sizeof *all);
    return (struct typeset) { all, head.n + sub.n };
}

static size_t most_lines(struct arena *a, const struct grid *g)
{
    size_t most = 1;
    for (size_t i = 0; i < g->n; i++) {
        size_t n = head_lines(a, g, i).n;
        most = n > most ? n : most;
    }
    return most;
}

static double line_of_heads(const struct grid *g)
{
    return g->measure.above + g->measure.below + g->measure.leading;
}

double heads_height(struct arena *a, const struct grid *g)
{
    if (!g->has_heads && !g->has_groups)
        return 0;
    return (g->has_groups ? line_of_heads(g) : 0) + g->measure.above + g->measure.below +
           (double)most_lines(a, g) * g->measure.leading;
}

static int draw_group_head(struct pdf *p, const struct grid *g, size_t first, size_t n, double y,
                           struct error *e)
{
    const struct column *c = &g->table->columns[g->at[first].column];
    struct type t = grid_type(g, FONT_REGULAR, INK_INK2);
    double end = g->x + g->at[first].x + grid_span_width(g, first, n);
    double lead = c->slot ? marker_width + 4 : 0;
    struct arena *a = arena_new();
    const char *text = text_elide(a, t.weight, t.size, c->group,
                                  grid_span_width(g, first, n) - lead);
    double base = type_baseline(&t, y + g->measure.above);
    double width = pen_text_right(p, end, base, text, &t);
    int rc = c->slot ? pen_marker(p, end - width - lead, base - 0.36 * t.size, c->slot, e) : 0;
    arena_free(a);
    return rc;
}

static int draw_groups(struct pdf *p, const struct grid *g, double y, struct error *e)
{
    for (size_t i = 0, n; i < g->n; i += n) {
        const char *group = g->table->columns[g->at[i].column].group;
        for (n = 1; group && i + n < g->n; n++) {
            const char *next = g->table->columns[g->at[i + n].column].group;
            if (!next || strcmp(next, group))
                break;
        }
        if (group && draw_group_head(p, g, i, n, y, e))
            return -1;
    }
    pen_rule(p, &(struct area) { g->x, y + line_of_heads(g) - 0.5, g->width, 0.5 },
             (struct paint) { INK_GRID, 0 });
    return 0;
}

static void draw_strip_labels(struct pdf *p, const struct grid *g, const struct grid_column *c,
                              double y)
{
    struct type t = { FONT_REGULAR, strip_text * 0.75, g->measure.leading, INK_INK3 };
    double last = -1e9;
    for (int i = g->strip.first; i <= g->strip.last; i++) {
        struct text label = strip_label(&g->strip, i);
        double width = font_width(t.weight, t.size, label.s);
        double x = g->x + c->x + 0.75 * strip_px(&g->strip, strip_tick(&g->strip, i)) - width / 2;
        if (x < last + 2)
            continue;
        pen_text(p, x, type_baseline(&t, y), label.s, &t);
        last = x + width;
    }
}

static int draw_head(struct pdf *p, const struct grid *g, size_t i, const struct area *row,
                     struct error *e)
{
    const struct grid_column *at = &g->at[i];
    const struct column *c = &g->table->columns[at->column];
    struct type t = head_type(g, c);
    struct arena *a = arena_new();
    struct typeset set = head_lines(a, g, i);
    double lead = head_lead(g, c), x = row->x + at->x;
    double y = row->y + row->height - g->measure.below - (double)set.n * t.leading;
    int rc = 0;
    if (at->part == PART_STRIP)
        draw_strip_labels(p, g, at, row->y + row->height - g->measure.below - t.leading);
    for (size_t k = 0; k < set.n && !rc; k++) {
        double base = type_baseline(&t, y + (double)k * t.leading);
        double shift = at->number ? at->width - set.at[k].width : k ? 0 : lead;
        if (k == 0 && lead > 0)
            rc = pen_marker(p, x + shift - lead, base - 0.36 * t.size, c->slot, e);
        if (!rc)
            pen_line(p, &set.at[k], x + shift, base);
    }
    arena_free(a);
    return rc;
}

int heads_draw(struct pdf *p, const struct grid *g, double y, struct error *e)
{
    struct arena *a = arena_new();
    struct area row = { g->x, y, g->width, heads_height(a, g) };
    arena_free(a);
    if (g->has_groups) {
        if (draw_groups(p, g, y, e))
            return -1;
        row.y += line_of_heads(g);
        row.height -= line_of_heads(g);
    }
    for (size_t i = 0; i < g->n; i++)
        if (draw_head(p, g, i, &row, e))
            return -1;
    return 0;
}
