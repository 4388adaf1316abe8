#include "chart/plot_grouped.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/text.h"

enum { MOST_LABELS = 24 };
static const double filled = 0.78; /* of a group's width */
static const double widest_bar = 40;
static const double outline = 1.25, least_outlined = 4, least_whisker = 4;
static const double marker_gap = 7, marker_radius = 3.2, least_marked = 8;
static const double least_crossed = 5; /* a bar thinner than this has no whisker */
static const double key_gap = 14;
static const double missing_height = 9;

/* One panel while it is laid out. */
struct layout {
    const struct grouped *spec;
    struct frame f;
    struct axis y;
    double band, bar; /* px of a group, of a bar */
    bool labels, markers;
};

static const struct grouped_value *value_at(const struct layout *l, size_t k, size_t g)
{
    return &l->spec->at[k].at[g];
}

static bool has_interval(const struct grouped_value *v)
{
    return isfinite(v->value) && isfinite(v->low) && isfinite(v->high) && v->high >= v->low;
}

static double largest(const struct layout *l)
{
    double most = -1;
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t g = 0; g < l->spec->n_groups; g++) {
            const struct grouped_value *v = value_at(l, k, g);
            if (isfinite(v->value)) {
                most = fmax(most, has_interval(v) ? fmax(v->value, v->high) : v->value);
            }
        }
    }
    return most;
}

static bool all_labels_fit(const struct layout *l)
{
    if (l->spec->n * l->spec->n_groups > MOST_LABELS) {
        return false;
    }
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t g = 0; g < l->spec->n_groups; g++) {
            const char *label = value_at(l, k, g)->label;
            if (label && font_width(FONT_MEDIUM, l->f.m->text, label) > l->bar - 2) {
                return false;
            }
        }
    }
    return true;
}

/* Marker and short name of each target in the order of the bars; returns the height used. */
static double draw_key(const struct layout *l, double top)
{
    const struct metrics *m = l->f.m;
    double width = scene_width(l->f.s);
    double x = 0;
    double y = top;
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct series *s = &l->spec->at[k].series;
        const char *name = text_elide(scene_arena(l->f.s), FONT_MEDIUM, m->text,
                                      series_short_name(s), width - m->name_x - 4);
        double used = m->name_x + font_width(FONT_MEDIUM, m->text, name) + 4;
        if (x > 0 && x + used > width) {
            x = 0;
            y += m->row_name + 2;
        }
        struct box line = { x, y, x + used + 1, y + m->row_name };
        begin_series(l->f.s, s, "key");
        frame_name(&l->f, s, name, &line);
        scene_end(l->f.s);
        x += used + key_gap;
    }
    return y + m->row_name - top;
}

static bool lay_out(struct layout *l)
{
    double most = largest(l);
    if (most < 0 || l->spec->n_groups == 0) {
        return false;
    }
    const struct metrics *m = l->f.m;
    axis_vertical(&l->y, m, 0, most > 0 ? most : 1, false);
    double key = draw_key(l, round(l->f.header + m->rows - 4));
    struct box *plot = &l->f.plot;
    plot->x0 = ceil(l->y.label_width + 8);
    plot->x1 = scene_width(l->f.s) - 1;
    l->band = (plot->x1 - plot->x0) / (double)l->spec->n_groups;
    l->bar = fmin(widest_bar, l->band * filled / (double)l->spec->n);
    l->labels = all_labels_fit(l);
    l->markers = l->bar >= least_marked;
    double above = (l->markers ? 2 * marker_gap : 2) + (l->labels ? m->text : 0);
    l->f.header += key + 8; /* the y title stands under the key */
    plot->y0 = round(l->f.header + m->plot);
    plot->y1 = plot->y0 + m->lines_height;
    l->y.scale.r0 = plot->y1;
    double end = scale_px(
        &(struct scale) { SCALE_LINEAR, l->y.scale.d0, l->y.scale.d1, plot->y1, plot->y0 }, most);
    /* the tallest bar leaves room for what stands on it */
    double squeeze = fmin(1, (plot->y1 - plot->y0 - above) / (plot->y1 - end));
    l->y.scale.r1 = plot->y1 - squeeze * (plot->y1 - plot->y0);
    return true;
}

static double left_of(const struct layout *l, size_t k, size_t g)
{
    double all = l->bar * (double)l->spec->n;
    return l->f.plot.x0 + ((double)g + 0.5) * l->band - all / 2 + (double)k * l->bar;
}

static double y_px(const struct layout *l, double v)
{
    return scale_px(&l->y.scale, fmax(v, 0));
}

static void draw_fill(const struct layout *l, const struct series *s, struct box b)
{
    struct paint mark = paint_slot(INK_MARK, s->slot);
    double w = b.x1 - b.x0;
    double h = b.y1 - b.y0;
    if (s->highlighted || w < least_outlined || h <= outline) {
        scene_rect(l->f.s, b.x0, b.y0, w, h, mark, (struct stroke) { 0 });
        return;
    }
    double in = outline / 2;
    scene_rect(l->f.s, b.x0 + in, b.y0 + in, w - outline, h - outline,
               paint_slot(INK_TINT, s->slot), line_of(mark, outline));
}

/* Top of the ink: of the whisker if one is drawn. */
static double draw_whisker(const struct layout *l, const struct grouped_value *v, double x)
{
    double top = y_px(l, v->value);
    if (!has_interval(v) || l->bar < least_crossed ||
        y_px(l, v->low) - y_px(l, v->high) < least_whisker) {
        return top;
    }
    double low = y_px(l, v->low);
    double high = y_px(l, v->high);
    double half = fmin(l->bar * 0.22, 4);
    struct stroke ink = line_of(paint(INK_INK), outline);
    scene_line(l->f.s, x, low, x, high, ink);
    scene_line(l->f.s, x - half, low, x + half, low, ink);
    scene_line(l->f.s, x - half, high, x + half, high, ink);
    return fmin(top, high);
}

static void draw_bar(const struct layout *l, size_t k, size_t g)
{
    const struct grouped_value *v = value_at(l, k, g);
    const struct series *s = &l->spec->at[k].series;
    double x = left_of(l, k, g);
    double gap = l->bar >= least_outlined ? 1 : 0;
    double base = l->f.plot.y1;
    if (!isfinite(v->value)) {
        scene_rect(l->f.s, x + gap, base - missing_height, fmax(l->bar - 2 * gap, 1),
                   missing_height, paint(INK_BG), dashed(paint(INK_AXIS), 1, dash_gap));
        return;
    }
    draw_fill(l, s, (struct box) { x + gap, y_px(l, v->value), x + l->bar - gap, base });
    double middle = x + l->bar / 2;
    double top = draw_whisker(l, v, middle);
    if (l->markers) {
        scene_marker(l->f.s, middle, top - marker_gap, marker_radius, s->slot,
                     s->slot > SERIES_SLOTS, true);
        top -= marker_gap + marker_radius;
    }
    if (l->labels) {
        struct text_style style = plain(l->f.m, INK_INK, ANCHOR_MIDDLE);
        style.weight = FONT_MEDIUM;
        style.halo = true;
        scene_text(l->f.s, middle, top - 3, v->label, style);
    }
}

static void draw_axes(const struct layout *l)
{
    struct arena *a = scene_arena(l->f.s);
    size_t n = l->spec->n_groups;
    struct named_tick *at = arena_array(a, struct named_tick, n);
    for (size_t g = 0; g < n; g++) {
        const char *name = l->spec->groups[g];
        at[g].x = l->f.plot.x0 + ((double)g + 0.5) * l->band;
        at[g].label = l->band > 60 ? text_elide(a, FONT_REGULAR, l->f.m->text, name, l->band - 8)
                                   : name;
        at[g].round = true;
    }
    axis_draw_left(&l->f, &l->y);
    axis_draw_named(&l->f, at, n);
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t g = 0; g < l->spec->n_groups; g++) {
            const struct grouped_value *v = value_at(l, k, g);
            double x = left_of(l, k, g);
            frame_hot(l->f.s,
                      &(struct hot) { .series = &l->spec->at[k].series,
                                      .point = g,
                                      .tooltip = v->tooltip,
                                      .value = isfinite(v->value) ? v->label : NULL,
                                      .box = { x, l->f.plot.y0, x + l->bar, l->f.plot.y1 } });
        }
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct grouped *)p };
    l.f = frame_open(p, a, look);
    if (!lay_out(&l)) {
        return frame_no_data(&l.f);
    }
    draw_axes(&l);
    for (size_t k = 0; k < l.spec->n; k++) {
        begin_series(l.f.s, &l.spec->at[k].series, "row");
        for (size_t g = 0; g < l.spec->n_groups; g++) {
            draw_bar(&l, k, g);
        }
        scene_end(l.f.s);
    }
    axis_base(&l.f);
    axis_titles(&l.f);
    draw_hots(&l);
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_grouped(struct arena *a, const struct grouped *spec)
{
    struct grouped *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    return &copy->panel;
}
