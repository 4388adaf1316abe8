#include "chart/plot_nines.h"

#include <string.h>

#include "base/array.h"
#include "chart/curve.h"
#include "chart/frame.h"

enum { MOST_NINES = 12 };
static const double right_margin = 4;
static const double end_bar = 10, end_width = 2;
static const double hot_radius = 12;
static const double apart = 1e-12; /* nearer to 1 is 12 nines */

/* One panel while it is laid out. */
struct layout {
    const struct nines *spec;
    struct frame f;
    struct axis y;
    struct scale x;
    int nines; /* the axis ends there */
    struct curve *curves;
    struct field *field;
};

static bool many(const struct layout *l)
{
    return l->spec->n > MANY_SERIES;
}

static double nines_of(double p)
{
    return -log10(fmax(1 - p, apart));
}

static bool drawn(double p, double value)
{
    return p >= 0 && p < 1 && isfinite(value) && value > 0;
}

static bool range_of(struct layout *l, double *low, double *high)
{
    double most = 1;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            const struct nines_point *p = &l->spec->at[k].at[i];
            if (drawn(p->p, p->value)) {
                *low = fmin(*low, p->value);
                *high = fmax(*high, p->value);
                most = fmax(most, nines_of(p->p));
            }
        }
    }
    l->nines = (int)fmin(ceil(most - 1e-9), MOST_NINES);
    bool any = *low <= *high;
    *low = isfinite(l->spec->y_low) ? l->spec->y_low : *low;
    *high = isfinite(l->spec->y_high) ? l->spec->y_high : *high;
    return any && *low > 0;
}

static void place(struct layout *l)
{
    l->f.plot.x0 = ceil(l->y.label_width + 8);
    l->f.plot.x1 = scene_width(l->f.s) - right_margin;
    l->f.plot.y0 = round(l->f.header + l->f.m->plot);
    l->f.plot.y1 = l->f.plot.y0 + l->f.m->lines_height;
    l->y.scale.r0 = l->f.plot.y1;
    l->y.scale.r1 = l->f.plot.y0;
    l->x = (struct scale) { SCALE_LINEAR, 0, l->nines, l->f.plot.x0, l->f.plot.x1 };
}

static struct point at_point(const struct layout *l, double p, double value)
{
    return (struct point) { scale_px(&l->x, nines_of(p)), scale_px(&l->y.scale, value) };
}

static void make_curves(struct layout *l)
{
    struct arena *a = scene_arena(l->f.s);
    struct box bounds = { l->f.plot.x0, l->f.plot.y0 - l->f.m->text, scene_width(l->f.s),
                          l->f.plot.y1 };
    l->field = field_new(a, bounds);
    l->curves = arena_array(a, struct curve, l->spec->n);
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct nines_line *line = &l->spec->at[k];
        struct curve *c = &l->curves[k];
        c->series = &line->series;
        c->at = arena_array(a, struct point, line->n);
        for (size_t i = 0; i < line->n; i++) {
            if (drawn(line->at[i].p, line->at[i].value)) {
                c->at[c->n++] = at_point(l, line->at[i].p, line->at[i].value);
            }
        }
        curve_reduce(a, c, &l->f.plot);
        curve_add_to(c, l->field);
    }
}

/* "0", "90", "99", "99.9", "99.99" … */
static const char *nines_label(struct arena *a, int n)
{
    char digits[MOST_NINES + 4] = "0";
    if (n > 0) {
        int used = 0;
        for (int i = 0; i < n; i++) {
            if (i == 2) {
                digits[used++] = '.';
            }
            digits[used++] = '9';
        }
        if (n == 1) {
            digits[used++] = '0';
        }
        digits[used] = '\0';
    }
    return arena_strdup(a, digits);
}

static void draw_axes(const struct layout *l)
{
    struct arena *a = scene_arena(l->f.s);
    size_t n = (size_t)l->nines + 1;
    struct named_tick *at = arena_array(a, struct named_tick, n);
    begin_plain(l->f.s, "grid");
    for (size_t i = 0; i < n; i++) {
        at[i].x = scale_px(&l->x, (double)i);
        at[i].label = nines_label(a, (int)i);
        at[i].round = true;
        double x = fmin(crisp(at[i].x), l->f.plot.x1 - 0.5);
        scene_line(l->f.s, x, l->f.plot.y0, x, l->f.plot.y1, line_of(paint(INK_GRID), 1));
    }
    scene_end(l->f.s);
    axis_draw_left(&l->f, &l->y);
    axis_draw_named(&l->f, at, n);
    axis_base(&l->f);
    axis_titles(&l->f);
}

static void draw_curve(const struct layout *l, size_t k)
{
    const struct nines_line *line = &l->spec->at[k];
    const struct curve *c = &l->curves[k];
    int slot = series_slot(&line->series, many(l));
    if (c->n == 0) {
        return;
    }
    begin_series(l->f.s, &line->series, "curve");
    curve_draw(l->f.s, c, many(l));
    for (size_t i = 0; i < line->n_marks && slot; i++) {
        if (drawn(line->mark[i].p, line->mark[i].value)) {
            struct point at = at_point(l, line->mark[i].p, line->mark[i].value);
            scene_marker(l->f.s, at.x, at.y, l->f.m->marker, slot, slot > SERIES_SLOTS, true);
        }
    }
    struct point end = c->at[c->n - 1];
    scene_line(l->f.s, end.x, end.y - end_bar / 2, end.x, end.y + end_bar / 2,
               line_of(series_stroke(&line->series, many(l)).paint, end_width));
    scene_end(l->f.s);
}

static void draw_curves(const struct layout *l)
{
    for (int highlighted = 0; highlighted <= 1; highlighted++) {
        for (size_t k = 0; k < l->spec->n; k++) {
            if (l->spec->at[k].series.highlighted == (highlighted == 1)) {
                draw_curve(l, k);
            }
        }
    }
}

static void draw_names(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct curve *c = &l->curves[k];
        if (c->n > 0) {
            struct point anchors[] = { c->at[c->n - 1], c->at[c->n * 3 / 4], c->at[c->n / 2] };
            curve_name(&l->f, c, many(l), (struct anchors) { anchors, countof(anchors) }, l->field);
        }
    }
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct nines_line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n_marks; i++) {
            const struct nines_mark *mark = &line->mark[i];
            if (!drawn(mark->p, mark->value)) {
                continue;
            }
            struct point at = at_point(l, mark->p, mark->value);
            frame_hot(l->f.s, &(struct hot) { .series = &line->series,
                                              .point = i,
                                              .tooltip = mark->tooltip,
                                              .box = { at.x - hot_radius, at.y - hot_radius,
                                                       at.x + hot_radius, at.y + hot_radius } });
        }
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct nines *)p };
    double low = 0;
    double high = 0;
    l.f = frame_open(p, a, look);
    if (!range_of(&l, &low, &high)) {
        return frame_no_data(&l.f);
    }
    axis_vertical(&l.y, l.f.m, low, high, true);
    place(&l);
    make_curves(&l);
    draw_axes(&l);
    draw_curves(&l);
    draw_names(&l);
    draw_hots(&l);
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_nines(struct arena *a, const struct nines *spec)
{
    struct nines *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    if (spec->n > 0) {
        copy->at = arena_memdup(a, spec->at, spec->n * sizeof *spec->at);
    }
    return &copy->panel;
}
