#include "chart/plot_bars.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/reference.h"
#include "chart/text.h"

enum { MAX_TICKS = 5 };
static const double room_above = 1.02; /* domain over the largest upper bound */
static const double label_pad = 6;
static const double labels_apart = 8;
static const double least_whisker = 4;
static const double cap_share = 0.44;
static const double outline = 1.25;
static const double overhang = 2; /* the baseline is longer than its bar at both ends */

/* One panel while it is laid out. */
struct layout {
    const struct bars *spec;
    struct frame f;
    struct axis axis;
    double width, top, bottom; /* of the rows */
    struct reference reference;
};

static double pitch(const struct metrics *m)
{
    return m->row_name + m->row_bar + m->row_gap;
}

static bool present(const struct bar *b)
{
    return isfinite(b->value);
}

static bool has_interval(const struct bar *b)
{
    return present(b) && isfinite(b->low) && isfinite(b->high) && b->high >= b->low;
}

static double upper(const struct bar *b)
{
    return has_interval(b) ? fmax(b->value, b->high) : b->value;
}

static double px(const struct layout *l, double v)
{
    return scale_px(&l->axis.scale, fmax(v, 0));
}

/* Where the bar's ink ends: at the whisker if one is drawn. */
struct reach {
    double bar, low, high; /* px */
    bool whisker;
};

static struct reach reach_of(const struct layout *l, const struct bar *b)
{
    struct reach r = { .bar = px(l, b->value) };
    r.low = r.high = r.bar;
    if (has_interval(b)) {
        double low = px(l, b->low);
        double high = px(l, b->high);
        r.whisker = high - low >= least_whisker;
        if (r.whisker) {
            r.low = fmin(low, r.bar);
            r.high = fmax(high, r.bar);
        }
    }
    return r;
}

static double label_width(const struct layout *l, const struct bar *b)
{
    return font_width(FONT_MEDIUM, l->f.m->text, b->label ? b->label : "");
}

static bool label_fits_inside(const struct layout *l, const struct bar *b)
{
    struct reach r = reach_of(l, b);
    return label_width(l, b) + 2 * label_pad <= r.low;
}

static double largest(const struct bars *b)
{
    double max = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (present(&b->at[i])) {
            max = fmax(max, upper(&b->at[i]));
        }
    }
    return max;
}

/* The domain ends a little beyond the largest value, or further out, where a label outside its bar needs the room. */
static void find_domain(struct layout *l)
{
    const struct bars *b = l->spec;
    double max = largest(b);
    l->reference = reference_choose(b->reference, b->reference_label, 0, max);
    bool inside = l->reference.where == REFERENCE_INSIDE;
    double domain = room_above * fmax(max, inside ? b->reference : 0);
    l->axis.scale = (struct scale) { SCALE_LINEAR, 0, domain > 0 ? domain : 1, 0.5, l->width };
    for (int round = 0; round < 3; round++) {
        double want = l->axis.scale.d1;
        for (size_t i = 0; i < b->n; i++) {
            const struct bar *bar = &b->at[i];
            double room = l->width - label_pad - label_width(l, bar) - 0.5;
            if (present(bar) && !label_fits_inside(l, bar) && room > l->width / 4) {
                want = fmax(want, upper(bar) * (l->width - 0.5) / room);
            }
        }
        l->axis.scale.d1 = want;
    }
}

/* A label is centred on its tick but stays inside the panel. */
struct span {
    double from, to;
};

static struct span label_span(const struct layout *l, const struct tick *t)
{
    double half = font_width(FONT_REGULAR, l->f.m->text, t->label.s) / 2;
    double x = fmax(half, fmin(scale_px(&l->axis.scale, t->value), l->width - half));
    return (struct span) { x - half, x + half };
}

static bool labels_fit(void *ctx, const struct ticks *t)
{
    const struct layout *l = ctx;
    double free_from = -HUGE_VAL;
    for (size_t i = 0; i < t->n; i++) {
        struct span span = label_span(l, &t->at[i]);
        if (span.from < free_from) {
            return false;
        }
        free_from = span.to + labels_apart;
    }
    return true;
}

static void drop_beyond(struct ticks *t, double end)
{
    while (t->n > 1 && t->at[t->n - 1].value > end) {
        t->n--;
    }
}

static void find_ticks(struct layout *l)
{
    struct ticks *t = &l->axis.ticks;
    struct error e;
    if (largest(l->spec) <= 0) {
        t->n = 1;
        t->at[0] = (struct tick) { 0, { "0" }, true };
        return;
    }
    for (int wanted = MAX_TICKS; wanted >= 2; wanted--) {
        if (ticks_linear(0, l->axis.scale.d1, wanted, labels_fit, l, t, &e) < 0) {
            t->n = 0;
        }
        drop_beyond(t, l->axis.scale.d1);
        if (t->n <= MAX_TICKS) {
            break;
        }
    }
    if (t->n > 0 && t->at[0].value == 0) {
        t->at[0].label = (struct text) { "0" };
    }
}

static void draw_grid(const struct layout *l)
{
    begin_plain(l->f.s, "grid");
    for (size_t i = 0; i < l->axis.ticks.n; i++) {
        const struct tick *t = &l->axis.ticks.at[i];
        if (t->value > 0) {
            double x = fmin(crisp(px(l, t->value)), l->width - 0.5);
            scene_line(l->f.s, x, l->top, x, l->bottom, line_of(paint(INK_GRID), 1));
        }
    }
    scene_end(l->f.s);
}

static void draw_tick_labels(const struct layout *l)
{
    double y = l->bottom + l->f.m->bar_tick_base;
    begin_plain(l->f.s, "ticks");
    double free_from = -HUGE_VAL;
    for (size_t i = 0; i < l->axis.ticks.n; i++) {
        const struct tick *t = &l->axis.ticks.at[i];
        struct span span = label_span(l, t);
        if (span.from >= free_from) {
            scene_text(l->f.s, (span.from + span.to) / 2, y, t->label.s,
                       plain(l->f.m, INK_INK3, ANCHOR_MIDDLE));
            free_from = span.to + labels_apart;
        }
    }
    scene_end(l->f.s);
}

static void draw_whisker(const struct layout *l, const struct reach *r, double y)
{
    double middle = y + l->f.m->row_bar / 2;
    double half = cap_share * l->f.m->row_bar / 2;
    struct stroke ink = line_of(paint(INK_INK), outline);
    scene_line(l->f.s, r->low, middle, r->high, middle, ink);
    scene_line(l->f.s, r->low, middle - half, r->low, middle + half, ink);
    scene_line(l->f.s, r->high, middle - half, r->high, middle + half, ink);
}

static void draw_label(const struct layout *l, const struct bar *b, const struct reach *r, double y)
{
    struct text_style style = { .size = l->f.m->text,
                                .weight = FONT_MEDIUM,
                                .paint = paint(INK_INK) };
    double x = r->high + label_pad;
    if (label_fits_inside(l, b)) {
        x = r->low - label_pad;
        style.anchor = ANCHOR_END;
        if (b->series.highlighted) {
            style.paint = paint_slot(INK_ON_MARK, b->series.slot);
        }
    } else {
        style.halo = true;
    }
    scene_text(l->f.s, x, y + l->f.m->row_bar / 2 + l->f.m->middle, b->label, style);
}

static void draw_value(const struct layout *l, const struct bar *b, double y)
{
    struct reach r = reach_of(l, b);
    int slot = b->series.slot;
    double h = l->f.m->row_bar;
    if (b->series.highlighted) {
        scene_rect(l->f.s, 0.5, y, r.bar - 0.5, h, paint_slot(INK_MARK, slot),
                   (struct stroke) { 0 });
    } else if (r.bar - 0.5 > outline) {
        double in = outline / 2;
        scene_rect(l->f.s, 0.5 + in, y + in, r.bar - 0.5 - outline, h - outline,
                   paint_slot(INK_TINT, slot), line_of(paint_slot(INK_MARK, slot), outline));
    } else {
        scene_rect(l->f.s, 0.5, y, r.bar - 0.5, h, paint_slot(INK_MARK, slot),
                   (struct stroke) { 0 });
    }
    if (r.whisker) {
        draw_whisker(l, &r, y);
    }
    draw_label(l, b, &r, y);
}

static void draw_missing(const struct layout *l, const struct bar *b, double y)
{
    double h = l->f.m->row_bar;
    scene_rect(l->f.s, 0.5, y + 0.5, l->width - 1, h - 1, paint(INK_BG),
               dashed(paint(INK_AXIS), 1, dash_gap));
    const char *why = b->missing ? b->missing : "not measured";
    const char *shown = text_elide(scene_arena(l->f.s), FONT_REGULAR, l->f.m->text, why,
                                   l->width - 2 * label_pad);
    scene_text(l->f.s, label_pad, y + h / 2 + l->f.m->middle, shown,
               plain(l->f.m, INK_INK3, ANCHOR_START));
}

static void draw_row(const struct layout *l, size_t i)
{
    const struct bar *b = &l->spec->at[i];
    double y = l->top + (double)i * pitch(l->f.m);
    double bar = y + l->f.m->row_name + 1;
    struct box line = { 0, y, l->width, y + l->f.m->row_name };
    begin_series(l->f.s, &b->series, "row");
    frame_name(&l->f, &b->series, b->name ? b->name : b->series.name, &line);
    if (present(b)) {
        draw_value(l, b, bar);
        scene_line(l->f.s, 0.5, bar - overhang, 0.5, bar + l->f.m->row_bar + overhang,
                   line_of(paint(INK_AXIS), 1));
    } else {
        draw_missing(l, b, bar);
    }
    scene_end(l->f.s);
}

static void draw_hot(const struct layout *l, size_t i)
{
    const struct bar *b = &l->spec->at[i];
    double y = l->top + (double)i * pitch(l->f.m);
    frame_hot(l->f.s, &(struct hot) { .series = &b->series,
                                      .point = i,
                                      .tooltip = b->tooltip,
                                      .value = present(b) ? b->label : NULL,
                                      .box = { 0, y, l->width, y + pitch(l->f.m) - 2 } });
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    const struct bars *spec = (const struct bars *)p;
    struct layout l = { .spec = spec, .width = look->width };
    l.f = frame_open(p, a, look);
    l.top = round(l.f.header + l.f.m->rows);
    if (spec->n == 0) {
        return frame_no_data(&l.f);
    }
    find_domain(&l);
    find_ticks(&l);
    double above = l.top;
    l.top += l.reference.where != REFERENCE_NONE ? l.f.m->row_name : 0;
    l.bottom = l.top + (double)spec->n * pitch(l.f.m) - l.f.m->row_gap + 1 + overhang;
    draw_grid(&l);
    l.f.plot = (struct box) { 0, l.top, l.width, l.bottom };
    reference_draw_down(&l.f, &l.reference, &l.axis.scale, above);
    for (size_t i = 0; i < spec->n; i++) {
        draw_row(&l, i);
    }
    draw_tick_labels(&l);
    for (size_t i = 0; i < spec->n; i++) {
        draw_hot(&l, i);
    }
    scene_set_height(l.f.s, l.bottom + l.f.m->bar_end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_bars(struct arena *a, const struct bars *spec)
{
    struct bars *b = arena_memdup(a, spec, sizeof *spec);
    b->panel.ops = &ops;
    b->panel.bars = true;
    if (spec->n > 0) {
        b->at = arena_memdup(a, spec->at, spec->n * sizeof *spec->at);
    }
    return &b->panel;
}
