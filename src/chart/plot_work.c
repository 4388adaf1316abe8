#include "chart/plot_work.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/place.h"
#include "chart/reference.h"
#include "chart/text.h"

static const double inset = 5;
static const double right_margin = 14;
static const double hot_radius = 12;
static const double ring_width = 1.25;
static const double label_away = 5, ring_away = 4; /* from the marker's or ring's edge */

/* One panel while it is laid out. */
struct layout {
    const struct work *spec;
    struct frame f;
    struct axis x, y;
    struct field *field;
};

static bool drawn(const struct work_point *p)
{
    return isfinite(p->x) && isfinite(p->y) && p->x > 0 && p->y > 0;
}

static bool many(const struct layout *l)
{
    return l->spec->n > MANY_SERIES;
}

static bool is_grey(const struct layout *l, const struct work_line *line)
{
    return series_slot(&line->series, many(l)) == 0;
}

static struct point at_point(const struct layout *l, const struct work_point *p)
{
    return (struct point) { scale_px(&l->x.scale, p->x), scale_px(&l->y.scale, p->y) };
}

struct range {
    double x0, x1, y0, y1;
};

static struct range range_of(const struct layout *l)
{
    struct range r = { HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL };
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            const struct work_point *p = &l->spec->at[k].at[i];
            if (drawn(p)) {
                r.x0 = fmin(r.x0, p->x);
                r.x1 = fmax(r.x1, p->x);
                r.y0 = fmin(r.y0, p->y);
                r.y1 = fmax(r.y1, p->y);
            }
        }
    }
    return r;
}

static void place_scales(struct layout *l)
{
    l->f.plot.x0 = ceil(l->y.label_width + 8);
    l->f.plot.x1 = scene_width(l->f.s) - right_margin;
    l->f.plot.y0 = round(l->f.header + l->f.m->plot);
    l->f.plot.y1 = l->f.plot.y0 + l->f.m->lines_height;
    l->x.scale.r0 = l->f.plot.x0 + inset;
    l->x.scale.r1 = l->f.plot.x1 - inset;
    l->y.scale.r0 = l->f.plot.y1;
    l->y.scale.r1 = l->f.plot.y0;
}

static double radius(const struct layout *l, const struct work_point *p)
{
    return p->ring ? l->f.m->ring : l->f.m->marker;
}

/* What labels must stay clear of. `margin` around the points leaves room for their names. */
static struct field *make_field(const struct layout *l, double margin)
{
    /* labels may stand beside the plot and a little above it */
    struct box bounds = { l->f.plot.x0 + 1, l->f.plot.y0 - l->f.m->text, scene_width(l->f.s),
                          l->f.plot.y1 - 1 };
    struct field *f = field_new(scene_arena(l->f.s), bounds);
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n; i++) {
            if (!drawn(&line->at[i])) {
                continue;
            }
            struct point at = at_point(l, &line->at[i]);
            double r = radius(l, &line->at[i]) + margin;
            field_add_box(f, (struct box) { at.x - r, at.y - r, at.x + r, at.y + r });
            if (i > 0 && drawn(&line->at[i - 1])) {
                struct point from = at_point(l, &line->at[i - 1]);
                field_add_line(f, from.x, from.y, at.x, at.y);
            }
        }
    }
    return f;
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

static void draw_path(const struct layout *l, const struct work_line *line)
{
    struct stroke k = series_stroke(&line->series, many(l));
    struct point *run = arena_array(scene_arena(l->f.s), struct point, line->n + 1);
    size_t n = 0;
    for (size_t i = 0; i <= line->n; i++) {
        if (i < line->n && drawn(&line->at[i])) {
            run[n++] = at_point(l, &line->at[i]);
        } else {
            scene_poly(l->f.s, run, n, false, paint(INK_NONE), k);
            n = 0;
        }
    }
}

static void draw_markers(const struct layout *l, const struct work_line *line)
{
    int slot = series_slot(&line->series, many(l));
    double r = slot ? l->f.m->marker : l->f.m->marker * 0.6;
    for (size_t i = 0; i < line->n; i++) {
        const struct work_point *p = &line->at[i];
        if (!drawn(p)) {
            continue;
        }
        struct point at = at_point(l, p);
        if (p->ring && slot) {
            scene_circle(l->f.s, at.x, at.y, l->f.m->ring, paint(INK_NONE),
                         line_of(paint(INK_INK2), ring_width));
        }
        scene_marker(l->f.s, at.x, at.y, r, slot, p->not_reached || slot > SERIES_SLOTS, true);
    }
}

static void draw_series(const struct layout *l, bool highlighted)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        if (line->series.highlighted == highlighted) {
            begin_series(l->f.s, &line->series, "line");
            draw_path(l, line);
            draw_markers(l, line);
            scene_end(l->f.s);
        }
    }
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static double away_of(const struct layout *l, const struct work_point *p)
{
    return p->ring ? l->f.m->ring + ring_away : l->f.m->marker + label_away;
}

static void draw_point_labels(struct layout *l, const struct work_line *line)
{
    for (size_t i = 0; i < line->n; i++) {
        const struct work_point *p = &line->at[i];
        if (!drawn(p) || !p->label) {
            continue;
        }
        struct point at = at_point(l, p);
        struct box places[PLACES_AROUND];
        double w = font_width(FONT_REGULAR, l->f.m->text, p->label);
        places_around(l->f.m, &(struct spot) { at.x, at.y, w, away_of(l, p) }, places);
        struct box box = places[field_place(l->field, places, PLACES_AROUND)];
        struct text_style style = plain(l->f.m, INK_INK2, ANCHOR_MIDDLE);
        style.halo = true;
        scene_text(l->f.s, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + l->f.m->middle, p->label,
                   style);
    }
}

/* Around the last point, or an earlier one if that is crowded. A grey peer that finds no free place stays unnamed. */
static void draw_name(struct layout *l, const struct work_line *line)
{
    struct text_style style = series_label(l->f.m, &line->series, many(l));
    const char *name = text_elide(scene_arena(l->f.s), style.weight, l->f.m->text,
                                  series_short_name(&line->series),
                                  (l->f.plot.x1 - l->f.plot.x0) / 2);
    double w = font_width(style.weight, l->f.m->text, name);
    struct box *places = arena_array(scene_arena(l->f.s), struct box, line->n * PLACES_AROUND + 1);
    size_t n = 0;
    for (size_t i = line->n; i > 0; i--) {
        const struct work_point *p = &line->at[i - 1];
        if (drawn(p)) {
            struct point at = at_point(l, p);
            places_around(l->f.m, &(struct spot) { at.x, at.y, w, away_of(l, p) }, &places[n]);
            n += PLACES_AROUND;
        }
    }
    if (n == 0 || (is_grey(l, line) && field_least(l->field, places, n) > 0)) {
        return;
    }
    struct box box = places[field_place(l->field, places, n)];
    style.anchor = ANCHOR_MIDDLE;
    style.halo = true;
    scene_text(l->f.s, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + l->f.m->middle, name, style);
}

static void draw_names(struct layout *l, bool grey)
{
    size_t left = grey ? LABELLED_OF_MANY : l->spec->n;
    for (size_t k = 0; k < l->spec->n && left > 0; k++) {
        const struct work_line *line = &l->spec->at[k];
        if (is_grey(l, line) == grey) {
            left--;
            begin_series(l->f.s, &line->series, "label");
            draw_name(l, line);
            scene_end(l->f.s);
        }
    }
}

static void draw_labels(struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        if (!is_grey(l, line)) {
            begin_series(l->f.s, &line->series, "label");
            draw_point_labels(l, line);
            scene_end(l->f.s);
        }
    }
    draw_names(l, false);
    draw_names(l, true);
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n; i++) {
            const struct work_point *p = &line->at[i];
            if (drawn(p)) {
                struct point at = at_point(l, p);
                frame_hot(l->f.s,
                          &(struct hot) { .series = &line->series,
                                          .point = i,
                                          .tooltip = p->tooltip,
                                          .box = { at.x - hot_radius, at.y - hot_radius,
                                                   at.x + hot_radius, at.y + hot_radius } });
            }
        }
    }
}

static void add_reference_line(struct layout *l, const struct reference *r)
{
    if (r->where == REFERENCE_INSIDE) {
        double y = scale_px(&l->y.scale, r->value);
        field_add_line(l->field, l->f.plot.x0, y, l->f.plot.x1, y);
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct work *)p };
    l.f = frame_open(p, a, look);
    struct range r = range_of(&l);
    if (r.x0 > r.x1) {
        return frame_no_data(&l.f);
    }
    struct reference reference = reference_choose(l.spec->reference, l.spec->reference_label, r.y0,
                                                  r.y1);
    if (reference.where == REFERENCE_INSIDE) {
        r.y0 = fmin(r.y0, reference.value);
        r.y1 = fmax(r.y1, reference.value);
    }
    axis_horizontal(&l.x, l.f.m, r.x0, r.x1, true);
    axis_vertical(&l.y, l.f.m, r.y0, r.y1, true);
    place_scales(&l);
    l.field = make_field(&l, 0.5);
    axis_draw_left(&l.f, &l.y);
    axis_draw_bottom(&l.f, &l.x, false);
    axis_base(&l.f);
    axis_titles(&l.f);
    struct field *room = make_field(&l, l.f.m->text);
    field_add_box(l.field, reference_draw_across(&l.f, &reference, &l.y.scale, room));
    add_reference_line(&l, &reference);
    draw_series(&l, false);
    draw_series(&l, true);
    draw_labels(&l);
    draw_hots(&l);
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_work(struct arena *a, const struct work *spec)
{
    struct work *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    struct work_line *lines = arena_array(a, struct work_line, spec->n);
    for (size_t k = 0; k < spec->n; k++) {
        lines[k] = spec->at[k];
        if (lines[k].n > 0) {
            lines[k].at = arena_memdup(a, spec->at[k].at, spec->at[k].n * sizeof *spec->at[k].at);
        }
    }
    copy->at = lines;
    return &copy->panel;
}
