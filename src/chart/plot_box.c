#include "chart/plot_box.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/text.h"

static const double inset = 8; /* of the first and last tick */
static const double whisker = 1.5, median = 2, outline = 1.25;
static const double cap_share = 0.56;
static const double label_pad = 7;

/* One panel while it is laid out. */
struct layout {
    const struct box_rows *spec;
    struct frame f;
    struct axis x;
    double top, bottom;
};

static double pitch(const struct metrics *m)
{
    return m->row_name + m->row_bar + m->row_gap + 4;
}

static bool present(const struct layout *l, const struct box_row *r)
{
    return isfinite(r->q02) && (!l->spec->log_x || r->q02 > 0) && isfinite(r->q25) &&
           isfinite(r->q50) && isfinite(r->q75) && isfinite(r->q98);
}

static double px(const struct layout *l, double v)
{
    return scale_px(&l->x.scale, v);
}

static bool find_axis(struct layout *l)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    double label = 0;
    for (size_t i = 0; i < l->spec->n; i++) {
        const struct box_row *r = &l->spec->at[i];
        if (present(l, r)) {
            low = fmin(low, r->q02);
            high = fmax(high, r->q98);
            label = fmax(label, font_width(FONT_MEDIUM, l->f.m->text, r->label ? r->label : ""));
        }
    }
    if (low > high) {
        return false;
    }
    axis_horizontal(&l->x, l->f.m, low, high, l->spec->log_x);
    l->x.scale.r0 = inset;
    l->x.scale.r1 = scene_width(l->f.s) - inset;
    /* a label right of the outermost whisker needs room */
    double room = scene_width(l->f.s) - label - label_pad;
    if (px(l, high) > room && room > inset) {
        double share = (room - inset) / (px(l, high) - inset);
        l->x.scale.r1 = inset + (l->x.scale.r1 - inset) * share;
    }
    return true;
}

static void draw_label(const struct layout *l, const struct box_row *r, double y)
{
    struct text_style style = {
        .size = l->f.m->text, .weight = FONT_MEDIUM, .paint = paint(INK_INK), .halo = true
    };
    scene_text(l->f.s, px(l, r->q98) + label_pad, y + l->f.m->row_bar / 2 + l->f.m->middle,
               r->label, style);
}

/* Dots that would hide each other stand at three heights in turn. */
static void draw_dots(const struct layout *l, const struct box_row *r, double y)
{
    static const double lanes[] = { 0, -1, 1 };
    double middle = y + l->f.m->row_bar / 2;
    double step = l->f.m->row_bar / 3;
    scene_line(l->f.s, px(l, r->q50), y - 2, px(l, r->q50), y + l->f.m->row_bar + 2,
               line_of(paint(INK_INK), median));
    for (size_t i = 0; i < r->n_dots; i++) {
        if (isfinite(r->dots[i]) && (!l->spec->log_x || r->dots[i] > 0)) {
            scene_marker(l->f.s, px(l, r->dots[i]), middle + step * lanes[i % countof(lanes)],
                         l->f.m->name_marker, r->series.slot, !r->series.highlighted, true);
        }
    }
}

static void draw_box(const struct layout *l, const struct box_row *r, double y)
{
    double h = l->f.m->row_bar;
    double middle = y + h / 2;
    double cap = cap_share * h / 2;
    int slot = r->series.slot;
    struct paint mark = paint_slot(INK_MARK, slot);
    struct stroke k = line_of(mark, whisker);
    double x[] = { px(l, r->q02), px(l, r->q25), px(l, r->q50), px(l, r->q75), px(l, r->q98) };
    scene_line(l->f.s, x[0], middle, x[1], middle, k);
    scene_line(l->f.s, x[3], middle, x[4], middle, k);
    scene_line(l->f.s, x[0], middle - cap, x[0], middle + cap, k);
    scene_line(l->f.s, x[4], middle - cap, x[4], middle + cap, k);
    struct paint fill = r->series.highlighted ? mark : paint_slot(INK_TINT, slot);
    scene_rect(l->f.s, x[1], y, x[3] - x[1], h, fill, line_of(mark, outline));
    scene_line(l->f.s, x[2], y - 2, x[2], y + h + 2, line_of(paint(INK_INK), median));
}

static void draw_missing(const struct layout *l, const struct box_row *r, double y)
{
    double width = scene_width(l->f.s);
    const char *why = text_elide(scene_arena(l->f.s), FONT_REGULAR, l->f.m->text,
                                 r->missing ? r->missing : "not measured", width - 12);
    scene_rect(l->f.s, 0.5, y + 0.5, width - 1, l->f.m->row_bar - 1, paint(INK_BG),
               dashed(paint(INK_AXIS), 1, dash_gap));
    scene_text(l->f.s, 6, y + l->f.m->row_bar / 2 + l->f.m->middle, why,
               plain(l->f.m, INK_INK3, ANCHOR_START));
}

static void draw_row(const struct layout *l, size_t i)
{
    const struct box_row *r = &l->spec->at[i];
    double y = l->top + (double)i * pitch(l->f.m);
    struct box line = { 0, y, scene_width(l->f.s), y + l->f.m->row_name };
    begin_series(l->f.s, &r->series, "row");
    frame_name(&l->f, &r->series, r->series.name, &line);
    if (present(l, r)) {
        (r->dots ? draw_dots : draw_box)(l, r, y + l->f.m->row_name + 4);
        draw_label(l, r, y + l->f.m->row_name + 4);
    } else {
        draw_missing(l, r, y + l->f.m->row_name + 4);
    }
    scene_end(l->f.s);
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct box_rows *)p };
    l.f = frame_open(p, a, look);
    l.top = round(l.f.header + l.f.m->rows);
    if (!find_axis(&l) && l.spec->n == 0) {
        return frame_no_data(&l.f);
    }
    l.bottom = l.top + (double)l.spec->n * pitch(l.f.m) - 2;
    l.f.plot = (struct box) { 0, l.top, look->width, l.bottom };
    if (l.x.ticks.n > 0) {
        axis_draw_bottom(&l.f, &l.x, true);
    }
    for (size_t i = 0; i < l.spec->n; i++) {
        draw_row(&l, i);
    }
    axis_base(&l.f);
    axis_titles(&l.f);
    for (size_t i = 0; i < l.spec->n; i++) {
        double y = l.top + (double)i * pitch(l.f.m);
        frame_hot(l.f.s, &(struct hot) { .series = &l.spec->at[i].series,
                                         .point = i,
                                         .tooltip = l.spec->at[i].tooltip,
                                         .value = l.spec->at[i].label,
                                         .box = { 0, y, look->width, y + pitch(l.f.m) - 2 } });
    }
    scene_set_height(l.f.s, l.bottom + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_box(struct arena *a, const struct box_rows *spec)
{
    struct box_rows *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    if (spec->n > 0) {
        copy->at = arena_memdup(a, spec->at, spec->n * sizeof *spec->at);
    }
    return &copy->panel;
}
