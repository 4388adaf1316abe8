#include "chart/plot_line.h"

#include <string.h>

#include "base/array.h"
#include "chart/line_layout.h"

static const double inset = 6;      /* of the first and last depth */
static const double dodge_step = 8; /* between the targets of one depth */
static const double hot_side = 22, hot_dodged = 8;
static const double thin = 1.25; /* stems, intervals */
static const double least_marker = 1.8;

bool line_many(const struct line_layout *l)
{
    return l->spec->n > MANY_SERIES;
}

bool line_usable(const struct line_layout *l, double v)
{
    return isfinite(v) && (!l->spec->log_y || v > 0);
}

bool line_drawn(const struct line_layout *l, const struct line_point *p)
{
    return isfinite(p->x) && line_usable(l, p->y);
}

const struct line_point *line_last(const struct line_layout *l, const struct line *line)
{
    for (size_t i = line->n; i > 0; i--) {
        if (line_drawn(l, &line->at[i - 1])) {
            return &line->at[i - 1];
        }
    }
    return NULL;
}

/* --- domains ------------------------------------------------------------------------------------------------------ */

static void add_depth(struct line_layout *l, double x)
{
    size_t at = l->n_depths;
    while (at > 0 && l->depths[at - 1] > x) {
        at--;
    }
    if (!isfinite(x) || (at > 0 && l->depths[at - 1] == x)) {
        return;
    }
    memmove(&l->depths[at + 1], &l->depths[at], (l->n_depths - at) * sizeof(double));
    l->depths[at] = x;
    l->n_depths++;
}

static void collect_depths(struct line_layout *l, struct arena *a)
{
    size_t total = 0;
    for (size_t k = 0; k < l->spec->n; k++) {
        total += l->spec->at[k].n;
    }
    l->depths = arena_array(a, double, total + 1);
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            add_depth(l, l->spec->at[k].at[i].x);
        }
    }
}

struct range {
    double low, high;
};

static void widen(const struct line_layout *l, struct range *r, double v)
{
    if (line_usable(l, v)) {
        r->low = fmin(r->low, v);
        r->high = fmax(r->high, v);
    }
}

static struct range y_range(const struct line_layout *l)
{
    struct range r = { HUGE_VAL, -HUGE_VAL };
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            const struct line_point *p = &l->spec->at[k].at[i];
            if (line_drawn(l, p)) {
                widen(l, &r, p->y);
                widen(l, &r, p->low);
                widen(l, &r, p->high);
                widen(l, &r, p->upper);
            }
        }
    }
    if (!l->spec->log_y && r.low <= r.high) {
        r.low = fmin(r.low, 0);
    }
    return r;
}

static double dodge_of(const struct line_layout *l, size_t line)
{
    double middle = (double)(l->spec->n - 1) / 2;
    double step = fmin(dodge_step, 4 * dodge_step / (double)l->spec->n);
    return l->spec->dodge ? ((double)line - middle) * step : 0;
}

static void place_y(struct line_layout *l)
{
    l->f.plot.y0 = round(l->f.header + l->f.m->plot);
    l->f.plot.y1 = l->f.plot.y0 + l->f.m->lines_height;
    l->y.scale.r0 = l->f.plot.y1;
    l->y.scale.r1 = l->f.plot.y0;
}

static void place_x(struct line_layout *l)
{
    double in = inset + fabs(dodge_of(l, 0));
    l->f.plot.x0 = ceil(l->y.label_width + 8);
    l->f.plot.x1 = floor(scene_width(l->f.s) - line_labels_margin(l));
    bool positive = l->depths[0] > 0;
    l->x = (struct scale) { positive ? SCALE_LOG2 : SCALE_LINEAR, l->depths[0],
                            l->depths[l->n_depths - 1], l->f.plot.x0 + in, l->f.plot.x1 - in };
    if (l->n_depths == 1) {
        /* one depth stands in the middle */
        l->x.kind = SCALE_LINEAR;
        l->x.d0 -= 1;
        l->x.d1 += 1;
    }
}

struct point line_place(const struct line_layout *l, size_t line, const struct line_point *p)
{
    return (struct point) { scale_px(&l->x, p->x) + dodge_of(l, line),
                            scale_px(&l->y.scale, p->y) };
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

static void draw_stems(const struct line_layout *l, size_t k)
{
    const struct line *line = &l->spec->at[k];
    struct paint paint = series_stroke(&line->series, line_many(l)).paint;
    for (size_t i = 0; i < line->n; i++) {
        const struct line_point *p = &line->at[i];
        if (line_drawn(l, p) && line_usable(l, p->upper)) {
            struct point at = line_place(l, k, p);
            scene_line(l->f.s, at.x, at.y, at.x, scale_px(&l->y.scale, p->upper),
                       line_of(paint, thin));
        }
    }
}

/* One piece a run of measured points; a segment that touches a depth the device did not reach is dotted. */
static void draw_line(const struct line_layout *l, size_t k)
{
    const struct line *line = &l->spec->at[k];
    struct stroke solid = series_stroke(&line->series, line_many(l));
    struct point *run = arena_array(scene_arena(l->f.s), struct point, line->n + 1);
    size_t n = 0;
    for (size_t i = 0; i <= line->n; i++) {
        const struct line_point *p = i < line->n ? &line->at[i] : NULL;
        const struct line_point *before = i > 0 ? &line->at[i - 1] : NULL;
        bool here = p && line_drawn(l, p);
        bool joined = here && before && line_drawn(l, before);
        bool doubtful = joined && (p->not_reached || before->not_reached);
        if (doubtful) {
            struct point a = line_place(l, k, before);
            struct point b = line_place(l, k, p);
            scene_line(l->f.s, a.x, a.y, b.x, b.y, dashed(solid.paint, 1, dash_dotted));
        }
        if (!joined || doubtful) {
            scene_poly(l->f.s, run, n, false, paint(INK_NONE), solid);
            n = 0;
        }
        if (here) {
            run[n++] = line_place(l, k, p);
        }
    }
}

/* Only where it is taller than the marker; stems leave no room for it. */
static bool interval_shown(const struct line_layout *l, const struct line_point *p)
{
    return line_usable(l, p->low) && line_usable(l, p->high) && !line_usable(l, p->upper) &&
           scale_px(&l->y.scale, p->low) - scale_px(&l->y.scale, p->high) > 2 * l->f.m->marker + 2;
}

static void draw_interval(const struct line_layout *l, const struct line_point *p, double x)
{
    double low = scale_px(&l->y.scale, p->low);
    double high = scale_px(&l->y.scale, p->high);
    struct stroke ink = line_of(paint(INK_INK), thin);
    scene_line(l->f.s, x, low, x, high, ink);
    scene_line(l->f.s, x - 3, low, x + 3, low, ink);
    scene_line(l->f.s, x - 3, high, x + 3, high, ink);
}

/* Depths that stand closer than markers are wide get small ones. */
static double marker_radius(const struct line_layout *l)
{
    double r = l->f.m->marker;
    for (size_t i = 1; i < l->n_depths; i++) {
        double apart = scale_px(&l->x, l->depths[i]) - scale_px(&l->x, l->depths[i - 1]);
        r = fmin(r, fmax(least_marker, apart / 2));
    }
    return r;
}

static void draw_markers(const struct line_layout *l, size_t k)
{
    const struct line *line = &l->spec->at[k];
    int slot = series_slot(&line->series, line_many(l));
    bool repeated = slot > SERIES_SLOTS;
    double r = marker_radius(l) * (slot ? 1 : 0.6);
    for (size_t i = 0; i < line->n; i++) {
        const struct line_point *p = &line->at[i];
        if (!line_drawn(l, p)) {
            continue;
        }
        struct point at = line_place(l, k, p);
        if (interval_shown(l, p)) {
            draw_interval(l, p, at.x);
        }
        if (line_usable(l, p->upper)) {
            scene_marker(l->f.s, at.x, scale_px(&l->y.scale, p->upper), r * 0.8, slot, true, false);
        }
        scene_marker(l->f.s, at.x, at.y, r, slot, p->not_reached || repeated, r > least_marker);
    }
}

typedef void series_fn(const struct line_layout *l, size_t k);

static void draw_path(const struct line_layout *l, size_t k)
{
    draw_stems(l, k);
    draw_line(l, k);
}

static void draw_each(const struct line_layout *l, bool highlighted, const char *role,
                      series_fn *fn)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct line *line = &l->spec->at[k];
        if (line->series.highlighted == highlighted && line_last(l, line)) {
            begin_series(l->f.s, &line->series, role);
            fn(l, k);
            scene_end(l->f.s);
        }
    }
}

/* The thick line of the device under test lies below the dashes of peers, so that lines on top of each other can both be
 * seen; above them where they are grey. Its markers are always on top. */
static void draw_series(const struct line_layout *l)
{
    bool below = !line_many(l);
    draw_each(l, below, "line", draw_path);
    draw_each(l, !below, "line", draw_path);
    draw_each(l, false, "points", draw_markers);
    draw_each(l, true, "points", draw_markers);
}

/* --- all together ------------------------------------------------------------------------------------------------- */

static void add_point(struct line_layout *l, size_t k, size_t i)
{
    const struct line *line = &l->spec->at[k];
    const struct line_point *p = &line->at[i];
    struct point at = line_place(l, k, p);
    double r = l->f.m->marker + 1;
    field_add_box(l->field, (struct box) { at.x - r, at.y - r, at.x + r, at.y + r });
    if (line_usable(l, p->upper)) {
        double up = scale_px(&l->y.scale, p->upper);
        field_add_line(l->field, at.x, at.y, at.x, up);
        field_add_box(l->field, (struct box) { at.x - r, up - r, at.x + r, up + r });
    }
    if (interval_shown(l, p)) {
        field_add_box(l->field, (struct box) { at.x - r, scale_px(&l->y.scale, p->high), at.x + r,
                                               scale_px(&l->y.scale, p->low) });
    }
    if (i > 0 && line_drawn(l, &line->at[i - 1])) {
        struct point from = line_place(l, k, &line->at[i - 1]);
        field_add_line(l->field, from.x, from.y, at.x, at.y);
    }
}

static void fill_field(struct line_layout *l)
{
    l->field = field_new(scene_arena(l->f.s), l->f.plot);
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            if (line_drawn(l, &l->spec->at[k].at[i])) {
                add_point(l, k, i);
            }
        }
    }
}

static void draw_hots(const struct line_layout *l)
{
    double half = (l->spec->dodge ? hot_dodged : hot_side) / 2;
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n; i++) {
            const struct line_point *p = &line->at[i];
            if (!line_drawn(l, p)) {
                continue;
            }
            struct point at = line_place(l, k, p);
            double top = line_usable(l, p->upper) ? scale_px(&l->y.scale, p->upper) : at.y;
            struct box box = { at.x - half, fmin(top, at.y) - hot_side / 2, at.x + half,
                               fmax(top, at.y) + hot_side / 2 };
            frame_hot(l->f.s,
                      &(struct hot) {
                          .series = &line->series, .point = i, .tooltip = p->tooltip, .box = box });
        }
    }
}

static bool power_of_two(double v)
{
    int exponent;
    return frexp(v, &exponent) == 0.5 && exponent > 0;
}

static void draw_axes(const struct line_layout *l)
{
    struct arena *a = scene_arena(l->f.s);
    struct named_tick *at = arena_array(a, struct named_tick, l->n_depths);
    for (size_t i = 0; i < l->n_depths; i++) {
        at[i].x = scale_px(&l->x, l->depths[i]);
        at[i].label = arena_strdup(a,
                                   (l->spec->x_text ? l->spec->x_text : fmt_exact)(l->depths[i]).s);
        at[i].round = l->x.kind == SCALE_LINEAR || power_of_two(l->depths[i]);
    }
    axis_draw_left(&l->f, &l->y);
    axis_draw_named(&l->f, at, l->n_depths);
    axis_base(&l->f);
    axis_titles(&l->f);
}

static void lay_out(struct line_layout *l, struct range y)
{
    l->reference = reference_choose(l->spec->reference, l->spec->reference_label, y.low, y.high);
    if (l->reference.where == REFERENCE_INSIDE) {
        widen(l, &y, l->reference.value);
    }
    axis_vertical(&l->y, l->f.m, y.low, y.high, l->spec->log_y);
    place_y(l);
    line_labels_choose(l);
    place_x(l);
    fill_field(l);
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct line_layout l = { .spec = (const struct lines *)p };
    l.f = frame_open(p, a, look);
    collect_depths(&l, a);
    struct range y = y_range(&l);
    if (y.low > y.high) {
        return frame_no_data(&l.f);
    }
    lay_out(&l, y);
    draw_axes(&l);
    reference_draw_across(&l.f, &l.reference, &l.y.scale, l.field);
    draw_series(&l);
    line_labels_draw(&l);
    line_notes_draw(&l);
    draw_hots(&l);
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_line(struct arena *a, const struct lines *spec)
{
    struct lines *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    struct line *lines = arena_array(a, struct line, spec->n);
    for (size_t k = 0; k < spec->n; k++) {
        lines[k] = spec->at[k];
        if (lines[k].n > 0) {
            lines[k].at = arena_memdup(a, spec->at[k].at, spec->at[k].n * sizeof *spec->at[k].at);
        }
    }
    copy->at = lines;
    return &copy->panel;
}
