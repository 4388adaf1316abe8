#include "chart/plot_work.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/place.h"
#include "chart/reference.h"
#include "chart/text.h"

enum { MAX_COLOURED = 8, LABELS_WHEN_MANY = 7 };
static const double inset = 5;
static const double right_margin = 14;
static const double hot_radius = 12;
static const double ring_width = 1.25;
static const double label_away = 5, ring_away = 4; /* from the marker's or ring's edge */

/* One panel while it is laid out. */
struct layout {
    const struct work *spec;
    const struct metrics *m;
    struct scene *s;
    struct axis x, y;
    struct box plot;
    struct field *field;
};

static bool drawn(const struct work_point *p)
{
    return isfinite(p->x) && isfinite(p->y) && p->x > 0 && p->y > 0;
}

static bool many(const struct layout *l)
{
    return l->spec->n > MAX_COLOURED;
}

static bool is_grey(const struct layout *l, const struct work_line *line)
{
    return many(l) && !line->series.highlighted;
}

static int shown_slot(const struct layout *l, const struct work_line *line)
{
    return is_grey(l, line) ? 0 : line->series.slot;
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
    struct range r = { INFINITY, -INFINITY, INFINITY, -INFINITY };
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

static void place_scales(struct layout *l, double header)
{
    l->plot.x0 = ceil(l->y.label_width + 8);
    l->plot.x1 = scene_width(l->s) - right_margin;
    l->plot.y0 = round(header + l->m->plot);
    l->plot.y1 = l->plot.y0 + l->m->lines_height;
    l->x.scale.r0 = l->plot.x0 + inset;
    l->x.scale.r1 = l->plot.x1 - inset;
    l->y.scale.r0 = l->plot.y1;
    l->y.scale.r1 = l->plot.y0;
}

static double radius(const struct layout *l, const struct work_point *p)
{
    return p->ring ? l->m->ring : l->m->marker;
}

static void fill_field(struct layout *l)
{
    /* labels may stand beside the plot and a little above it */
    struct box bounds = { l->plot.x0 + 1, l->plot.y0 - l->m->text, scene_width(l->s),
                          l->plot.y1 - 1 };
    l->field = field_new(scene_arena(l->s), bounds);
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n; i++) {
            if (!drawn(&line->at[i])) {
                continue;
            }
            struct point at = at_point(l, &line->at[i]);
            double r = radius(l, &line->at[i]) + 0.5;
            field_add_box(l->field, (struct box) { at.x - r, at.y - r, at.x + r, at.y + r });
            if (i > 0 && drawn(&line->at[i - 1])) {
                struct point from = at_point(l, &line->at[i - 1]);
                field_add_line(l->field, from.x, from.y, at.x, at.y);
            }
        }
    }
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

static void draw_path(const struct layout *l, const struct work_line *line)
{
    int slot = shown_slot(l, line);
    struct stroke k = { .paint = slot ? paint_slot(INK_MARK, slot) : paint(INK_AXIS),
                        .width = line->series.highlighted ? 2.5
                                 : slot                   ? 1.75
                                                          : 1,
                        .round = true };
    const int *dash = series_dash(slot);
    k.dash = slot && *dash ? dash : NULL;
    struct point *run = arena_array(scene_arena(l->s), struct point, line->n + 1);
    size_t n = 0;
    for (size_t i = 0; i <= line->n; i++) {
        if (i < line->n && drawn(&line->at[i])) {
            run[n++] = at_point(l, &line->at[i]);
        } else {
            scene_poly(l->s, run, n, false, paint(INK_NONE), k);
            n = 0;
        }
    }
}

static void draw_markers(const struct layout *l, const struct work_line *line)
{
    int slot = shown_slot(l, line);
    double r = slot ? l->m->marker : l->m->marker * 0.6;
    for (size_t i = 0; i < line->n; i++) {
        const struct work_point *p = &line->at[i];
        if (!drawn(p)) {
            continue;
        }
        struct point at = at_point(l, p);
        if (p->ring && slot) {
            scene_circle(l->s, at.x, at.y, l->m->ring, paint(INK_NONE),
                         line_of(paint(INK_INK2), ring_width));
        }
        scene_marker(l->s, at.x, at.y, r, slot, p->not_reached || slot > SERIES_SLOTS, true);
    }
}

static void draw_series(const struct layout *l, bool highlighted)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        if (line->series.highlighted == highlighted) {
            begin_series(l->s, &line->series, "line");
            draw_path(l, line);
            draw_markers(l, line);
            scene_end(l->s);
        }
    }
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static double away_of(const struct layout *l, const struct work_point *p)
{
    return p->ring ? l->m->ring + ring_away : l->m->marker + label_away;
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
        double w = font_width(FONT_REGULAR, l->m->text, p->label);
        places_around(l->m, at.x, at.y, w, away_of(l, p), places);
        struct box box = places[field_place(l->field, places, PLACES_AROUND)];
        struct text_style style = plain(l->m, INK_INK2, ANCHOR_MIDDLE);
        style.halo = true;
        scene_text(l->s, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + l->m->middle, p->label,
                   style);
    }
}

/* Around the last point, or an earlier one if that is crowded. */
static void draw_name(struct layout *l, const struct work_line *line)
{
    const struct series *series = &line->series;
    enum font_weight weight = series->highlighted ? FONT_MEDIUM : FONT_REGULAR;
    const char *name = text_elide(scene_arena(l->s), weight, l->m->text,
                                  series->short_name ? series->short_name : series->name,
                                  (l->plot.x1 - l->plot.x0) / 2);
    double w = font_width(weight, l->m->text, name);
    struct box *places = arena_array(scene_arena(l->s), struct box, line->n * PLACES_AROUND + 1);
    size_t n = 0;
    for (size_t i = line->n; i > 0; i--) {
        const struct work_point *p = &line->at[i - 1];
        if (drawn(p)) {
            struct point at = at_point(l, p);
            places_around(l->m, at.x, at.y, w, away_of(l, p), &places[n]);
            n += PLACES_AROUND;
        }
    }
    if (n == 0) {
        return;
    }
    struct box box = places[field_place(l->field, places, n)];
    int slot = shown_slot(l, line);
    struct text_style style = { .size = l->m->text,
                                .weight = weight,
                                .anchor = ANCHOR_MIDDLE,
                                .paint = slot ? paint_slot(INK_TEXT, slot) : paint(INK_INK2),
                                .halo = true };
    scene_text(l->s, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + l->m->middle, name, style);
}

static void draw_labels(struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        if (!is_grey(l, line)) {
            begin_series(l->s, &line->series, "label");
            draw_point_labels(l, line);
            scene_end(l->s);
        }
    }
    size_t names = 0;
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        if (!is_grey(l, line) || names < LABELS_WHEN_MANY) {
            names += is_grey(l, line);
            begin_series(l->s, &line->series, "label");
            draw_name(l, line);
            scene_end(l->s);
        }
    }
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct work_line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n; i++) {
            const struct work_point *p = &line->at[i];
            if (drawn(p)) {
                struct point at = at_point(l, p);
                frame_hot(l->s, &(struct hot) { .series = &line->series,
                                                .point = i,
                                                .tooltip = p->tooltip,
                                                .box = { at.x - hot_radius, at.y - hot_radius,
                                                         at.x + hot_radius, at.y + hot_radius } });
            }
        }
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct work *)p, .m = metrics_of(look->medium) };
    double header = 0;
    l.s = frame_open(p, a, look, &header);
    struct range r = range_of(&l);
    if (r.x0 > r.x1) {
        frame_no_data(l.s, l.m, 0, header + l.m->plot);
        scene_set_height(l.s, header + l.m->plot + l.m->text);
        return l.s;
    }
    struct reference reference = reference_choose(l.spec->reference, l.spec->reference_label, r.y0,
                                                  r.y1);
    if (reference.where == REFERENCE_INSIDE) {
        r.y0 = fmin(r.y0, reference.value);
        r.y1 = fmax(r.y1, reference.value);
    }
    axis_horizontal(&l.x, l.m, r.x0, r.x1, true);
    axis_vertical(&l.y, l.m, r.y0, r.y1, true);
    place_scales(&l, header);
    fill_field(&l);
    axis_draw_left(l.s, &l.y, l.m, &l.plot);
    axis_draw_bottom(l.s, &l.x, l.m, &l.plot, false);
    axis_base(l.s, &l.plot);
    axis_titles(l.s, p, l.m, &l.plot, header);
    reference_draw_across(l.s, l.m, &reference, &l.y.scale, &l.plot, l.field);
    draw_series(&l, false);
    draw_series(&l, true);
    draw_labels(&l);
    draw_hots(&l);
    scene_set_height(l.s, l.plot.y1 + l.m->end);
    return l.s;
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
