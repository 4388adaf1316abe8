#include "chart/plot_ecdf.h"

#include <string.h>

#include "base/array.h"
#include "chart/curve.h"
#include "chart/frame.h"

static const double right_margin = 6;
static const double hot_radius = 12;
/* Where a name may stand, in shares: the curves are far apart in the middle and meet at the ends. */
static const double name_shares[] = { 0.5, 0.6, 0.7, 0.4, 0.8, 0.3, 0.2, 0.9 };

/* One panel while it is laid out. */
struct layout {
    const struct ecdf *spec;
    struct frame f;
    struct axis x, y;
    struct curve *curves;
    struct field *field;
};

static bool many(const struct layout *l)
{
    return l->spec->n > MANY_SERIES;
}

static bool drawn(const struct ecdf_point *p)
{
    return isfinite(p->x) && p->x > 0 && p->share >= 0 && p->share <= 1;
}

static bool range_of(const struct layout *l, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            const struct ecdf_point *p = &l->spec->at[k].at[i];
            if (drawn(p)) {
                *low = fmin(*low, p->x);
                *high = fmax(*high, p->x);
            }
        }
    }
    bool any = *low <= *high;
    *low = isfinite(l->spec->x_low) ? l->spec->x_low : *low;
    *high = isfinite(l->spec->x_high) ? l->spec->x_high : *high;
    return any && *low > 0;
}

static void place(struct layout *l)
{
    l->f.plot.x0 = ceil(l->y.label_width + 8);
    l->f.plot.x1 = scene_width(l->f.s) - right_margin;
    l->f.plot.y0 = round(l->f.header + l->f.m->plot);
    l->f.plot.y1 = l->f.plot.y0 + l->f.m->lines_height;
    l->x.scale.r0 = l->f.plot.x0;
    l->x.scale.r1 = l->f.plot.x1;
    l->y.scale.r0 = l->f.plot.y1;
    l->y.scale.r1 = l->f.plot.y0;
}

/* A step at each value: the share changes there and nowhere between. */
static void make_curve(const struct layout *l, const struct ecdf_line *line, struct curve *c)
{
    struct arena *a = scene_arena(l->f.s);
    c->series = &line->series;
    c->at = arena_array(a, struct point, 2 * line->n + 2);
    double before = scale_px(&l->y.scale, 0);
    for (size_t i = 0; i < line->n; i++) {
        if (drawn(&line->at[i])) {
            double x = scale_px(&l->x.scale, line->at[i].x);
            double y = scale_px(&l->y.scale, 100 * line->at[i].share);
            c->at[c->n++] = (struct point) { x, before };
            c->at[c->n++] = (struct point) { x, y };
            before = y;
        }
    }
    curve_reduce(a, c, &l->f.plot);
    curve_add_to(c, l->field);
}

static void make_curves(struct layout *l)
{
    l->field = field_new(scene_arena(l->f.s), l->f.plot);
    l->curves = arena_array(scene_arena(l->f.s), struct curve, l->spec->n);
    for (size_t k = 0; k < l->spec->n; k++) {
        make_curve(l, &l->spec->at[k], &l->curves[k]);
    }
}

/* Where the curve first reaches that share. */
static struct point crossing(const struct layout *l, const struct curve *c, double share)
{
    double y = scale_px(&l->y.scale, 100 * share);
    size_t i = 0;
    while (i + 1 < c->n && c->at[i].y > y) {
        i++;
    }
    return (struct point) { c->at[i].x, y };
}

static void draw_names(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct curve *c = &l->curves[k];
        if (c->n == 0) {
            continue;
        }
        struct point anchors[countof(name_shares)];
        for (size_t i = 0; i < countof(name_shares); i++) {
            anchors[i] = crossing(l, c, name_shares[i]);
        }
        curve_name(&l->f, c, many(l), (struct anchors) { anchors, countof(anchors) }, l->field);
    }
}

static void draw_curves(const struct layout *l)
{
    for (int highlighted = 0; highlighted <= 1; highlighted++) {
        for (size_t k = 0; k < l->spec->n; k++) {
            const struct series *series = &l->spec->at[k].series;
            if (series->highlighted == (highlighted == 1) && l->curves[k].n > 0) {
                begin_series(l->f.s, series, "curve");
                curve_draw(l->f.s, &l->curves[k], many(l));
                scene_end(l->f.s);
            }
        }
    }
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        if (l->curves[k].n > 0) {
            struct point at = crossing(l, &l->curves[k], 0.5);
            frame_hot(l->f.s, &(struct hot) { .series = &l->spec->at[k].series,
                                              .point = 0,
                                              .tooltip = l->spec->at[k].tooltip,
                                              .box = { at.x - hot_radius, at.y - hot_radius,
                                                       at.x + hot_radius, at.y + hot_radius } });
        }
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct ecdf *)p };
    double low = 0;
    double high = 0;
    l.f = frame_open(p, a, look);
    if (!range_of(&l, &low, &high)) {
        return frame_no_data(&l.f);
    }
    axis_horizontal(&l.x, l.f.m, low, high, true);
    axis_vertical(&l.y, l.f.m, 0, 100, false);
    place(&l);
    make_curves(&l);
    axis_draw_left(&l.f, &l.y);
    axis_draw_bottom(&l.f, &l.x, true);
    axis_base(&l.f);
    axis_titles(&l.f);
    draw_curves(&l);
    draw_names(&l);
    draw_hots(&l);
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_ecdf(struct arena *a, const struct ecdf *spec)
{
    struct ecdf *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    if (spec->n > 0) {
        copy->at = arena_memdup(a, spec->at, spec->n * sizeof *spec->at);
    }
    return &copy->panel;
}
