#include "chart/plot_cells.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/text.h"

static const double row_height = 2.2; /* in text sizes */
static const double names_share = 0.35;
static const double gap = 1; /* of surface around a cell */
static const double frame_width = 1.5;

/* One panel while it is laid out. */
struct layout {
    const struct cells *spec;
    struct frame f;
    double width, height; /* of a cell, px */
    bool numbers;
};

static const struct cells_value *value_at(const struct layout *l, size_t row, size_t column)
{
    return &l->spec->at[row * l->spec->n_columns + column];
}

static struct box box_of(const struct layout *l, size_t row, size_t column)
{
    double x = l->f.plot.x0 + (double)column * l->width;
    double y = l->f.plot.y0 + (double)row * l->height;
    return (struct box) { x + gap, y + gap, x + l->width - gap, y + l->height - gap };
}

static double widest_name(const struct layout *l)
{
    double w = 0;
    for (size_t i = 0; i < l->spec->n_rows; i++) {
        w = fmax(w, font_width(FONT_REGULAR, l->f.m->text, l->spec->rows[i]));
    }
    return w;
}

static bool numbers_fit(const struct layout *l)
{
    for (size_t i = 0; i < l->spec->n_rows * l->spec->n_columns; i++) {
        const struct cells_value *v = &l->spec->at[i];
        enum font_weight weight = v->best ? FONT_MEDIUM : FONT_REGULAR;
        if (isfinite(v->value) &&
            font_width(weight, l->f.m->text, v->label) > l->width - 2 * gap - 2) {
            return false;
        }
    }
    return true;
}

static void lay_out(struct layout *l)
{
    const struct metrics *m = l->f.m;
    double width = scene_width(l->f.s);
    struct box *plot = &l->f.plot;
    plot->x0 = ceil(fmin(widest_name(l), width * names_share) + 8);
    plot->x1 = width;
    l->width = (plot->x1 - plot->x0) / (double)l->spec->n_columns;
    l->height = round(row_height * m->text);
    plot->y0 = round(l->f.header + m->y_title + 8);
    plot->y1 = plot->y0 + l->height * (double)l->spec->n_rows;
    l->numbers = numbers_fit(l);
}

/* All shades as one picture, a pixel a cell; surface lines between them are drawn over it. */
static void draw_shades(const struct layout *l)
{
    size_t n = l->spec->n_rows * l->spec->n_columns;
    uint8_t *mask = arena_array(scene_arena(l->f.s), uint8_t, n);
    double most = l->spec->most;
    for (size_t i = 0; i < n; i++) {
        double v = l->spec->at[i].value;
        double share = most > 0 ? fmax(0, fmin(v / most, 1)) : 0;
        double shade = CELLS_FAINTEST + (CELLS_DARKEST - CELLS_FAINTEST) * share;
        mask[i] = isfinite(v) ? (uint8_t)lround(255 * shade) : 0;
    }
    const struct box *plot = &l->f.plot;
    scene_mask(l->f.s, plot->x0, plot->y0, plot->x1 - plot->x0, plot->y1 - plot->y0, mask,
               (int)l->spec->n_columns, (int)l->spec->n_rows,
               paint_slot(INK_MARK, l->spec->series.slot));
    struct stroke line = line_of(paint(INK_BG), 2 * gap);
    for (size_t i = 0; i <= l->spec->n_columns; i++) {
        double x = plot->x0 + (double)i * l->width;
        scene_line(l->f.s, x, plot->y0, x, plot->y1, line);
    }
    for (size_t i = 0; i <= l->spec->n_rows; i++) {
        double y = plot->y0 + (double)i * l->height;
        scene_line(l->f.s, plot->x0, y, plot->x1, y, line);
    }
}

static void draw_cell(const struct layout *l, size_t row, size_t column)
{
    const struct cells_value *v = value_at(l, row, column);
    struct box b = box_of(l, row, column);
    double w = b.x1 - b.x0;
    double h = b.y1 - b.y0;
    bool missing = !isfinite(v->value);
    if (missing) {
        scene_rect(l->f.s, b.x0 + 0.5, b.y0 + 0.5, w - 1, h - 1, paint(INK_BG),
                   dashed(paint(INK_AXIS), 1, dash_gap));
    }
    if (v->best && !missing) {
        scene_rect(l->f.s, b.x0 + 1, b.y0 + 1, w - 2, h - 2, paint(INK_NONE),
                   line_of(paint(INK_INK), frame_width));
    }
    if (l->numbers || missing) {
        struct text_style style = plain(l->f.m, missing ? INK_INK3 : INK_INK, ANCHOR_MIDDLE);
        style.weight = v->best && !missing ? FONT_MEDIUM : FONT_REGULAR;
        scene_text(l->f.s, (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2 + l->f.m->middle,
                   missing ? "\u2013" : v->label, style);
    }
}

static void draw_names(const struct layout *l)
{
    struct arena *a = scene_arena(l->f.s);
    const struct metrics *m = l->f.m;
    struct named_tick *at = arena_array(a, struct named_tick, l->spec->n_columns);
    for (size_t i = 0; i < l->spec->n_columns; i++) {
        const char *name = l->spec->columns[i];
        at[i].x = l->f.plot.x0 + ((double)i + 0.5) * l->width;
        at[i].label = l->width > 40 ? text_elide(a, FONT_REGULAR, m->text, name, l->width - 7)
                                    : name;
        at[i].round = true;
    }
    axis_draw_named(&l->f, at, l->spec->n_columns);
    begin_plain(l->f.s, "ticks");
    for (size_t i = 0; i < l->spec->n_rows; i++) {
        double y = l->f.plot.y0 + ((double)i + 0.5) * l->height;
        const char *name = text_elide(a, FONT_REGULAR, m->text, l->spec->rows[i], l->f.plot.x0 - 8);
        scene_text(l->f.s, l->f.plot.x0 - 6, y + m->middle, name, plain(m, INK_INK3, ANCHOR_END));
    }
    scene_end(l->f.s);
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct cells *)p };
    l.f = frame_open(p, a, look);
    if (l.spec->n_rows == 0 || l.spec->n_columns == 0) {
        return frame_no_data(&l.f);
    }
    lay_out(&l);
    begin_series(l.f.s, &l.spec->series, "row");
    draw_shades(&l);
    for (size_t r = 0; r < l.spec->n_rows; r++) {
        for (size_t c = 0; c < l.spec->n_columns; c++) {
            draw_cell(&l, r, c);
        }
    }
    scene_end(l.f.s);
    draw_names(&l);
    axis_titles(&l.f);
    for (size_t i = 0; i < l.spec->n_rows * l.spec->n_columns; i++) {
        const struct cells_value *v = &l.spec->at[i];
        frame_hot(l.f.s, &(struct hot) {
                             .series = &l.spec->series,
                             .point = i,
                             .tooltip = v->tooltip,
                             .value = isfinite(v->value) ? v->label : NULL,
                             .box = box_of(&l, i / l.spec->n_columns, i % l.spec->n_columns) });
    }
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_cells(struct arena *a, const struct cells *spec)
{
    struct cells *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    return &copy->panel;
}
