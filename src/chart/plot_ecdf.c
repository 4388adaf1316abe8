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
    const struct metrics *m;
    struct scene *s;
    struct axis x, y;
    struct box plot;
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
    *low = INFINITY;
    *high = -INFINITY;
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

static void place(struct layout *l, double header)
{
    l->plot.x0 = ceil(l->y.label_width + 8);
    l->plot.x1 = scene_width(l->s) - right_margin;
    l->plot.y0 = round(header + l->m->plot);
    l->plot.y1 = l->plot.y0 + l->m->lines_height;
    l->x.scale.r0 = l->plot.x0;
    l->x.scale.r1 = l->plot.x1;
    l->y.scale.r0 = l->plot.y1;
    l->y.scale.r1 = l->plot.y0;
}

/* A step at each value: the share changes there and nowhere between. */
static void make_curve(const struct layout *l, const struct ecdf_line *line, struct curve *c)
{
    struct arena *a = scene_arena(l->s);
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
    curve_reduce(a, c, &l->plot);
    curve_add_to(c, l->field);
}

static void make_curves(struct layout *l)
{
    l->field = field_new(scene_arena(l->s), l->plot);
    l->curves = arena_array(scene_arena(l->s), struct curve, l->spec->n);
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
        curve_name(l->s, l->m, c, many(l), anchors, countof(anchors), l->field);
    }
}

static void draw_curves(const struct layout *l)
{
    for (int highlighted = 0; highlighted <= 1; highlighted++) {
        for (size_t k = 0; k < l->spec->n; k++) {
            const struct series *series = &l->spec->at[k].series;
            if (series->highlighted == (highlighted == 1) && l->curves[k].n > 0) {
                begin_series(l->s, series, "curve");
                curve_draw(l->s, &l->curves[k], many(l));
                scene_end(l->s);
            }
        }
    }
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        if (l->curves[k].n > 0) {
            struct point at = crossing(l, &l->curves[k], 0.5);
            frame_hot(l->s, &(struct hot) { .series = &l->spec->at[k].series,
                                            .point = 0,
                                            .tooltip = l->spec->at[k].tooltip,
                                            .box = { at.x - hot_radius, at.y - hot_radius,
                                                     at.x + hot_radius, at.y + hot_radius } });
        }
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct ecdf *)p, .m = metrics_of(look->medium) };
    double header = 0;
    double low = 0;
    double high = 0;
    l.s = frame_open(p, a, look, &header);
    if (!range_of(&l, &low, &high)) {
        frame_no_data(l.s, l.m, 0, header + l.m->plot);
        scene_set_height(l.s, header + l.m->plot + l.m->text);
        return l.s;
    }
    axis_horizontal(&l.x, l.m, low, high, true);
    axis_vertical(&l.y, l.m, 0, 100, false);
    place(&l, header);
    make_curves(&l);
    axis_draw_left(l.s, &l.y, l.m, &l.plot);
    axis_draw_bottom(l.s, &l.x, l.m, &l.plot, true);
    axis_base(l.s, &l.plot);
    axis_titles(l.s, p, l.m, &l.plot, header);
    draw_curves(&l);
    draw_names(&l);
    draw_hots(&l);
    scene_set_height(l.s, l.plot.y1 + l.m->end);
    return l.s;
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
