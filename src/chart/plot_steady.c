#include "chart/plot_steady.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/raster.h"

enum { MOST_ROUND_LABELS = 8, CROWDED = 40, MOST_POINTS = 1200 };
static const double axis_low = 60, axis_high = 180, axis_step = 40;
static const double inset = 10;
static const double half_window = 8; /* px the window reaches beyond its outer rounds */
static const double thin = 1.25, fit_width = 2;

/* One panel while it is laid out. */
struct layout {
    const struct steady *spec;
    struct frame f;
    struct axis y;
    struct scale x;
};

static size_t window_start(const struct steady *p)
{
    return p->window < p->n ? p->n - p->window : 0;
}

/* 60 to 180 unless the values ask for more; in steps of 40. */
static void find_axis(struct layout *l)
{
    double low = axis_low;
    double high = axis_high;
    for (size_t i = 0; i < l->spec->n; i++) {
        double v = l->spec->at[i].percent;
        if (isfinite(v)) {
            low = fmin(low, v);
            high = fmax(high, v);
        }
    }
    double step = axis_step;
    while ((high - low) / step > 5) {
        step *= 2;
    }
    low = low < axis_low ? floor(low / step) * step : axis_low;
    struct ticks *t = &l->y.ticks;
    size_t lines = (size_t)((high - low) / step + 1.5);
    for (size_t i = 0; i < lines && i < SCALE_MAX_TICKS; i++) {
        double v = low + (double)i * step;
        t->at[t->n++] = (struct tick) { v, fmt_fixed(v, 0), true };
    }
    l->y.scale = (struct scale) { SCALE_LINEAR, low, fmax(high, t->at[t->n - 1].value), 0, 0 };
    for (size_t i = 0; i < t->n; i++) {
        double w = font_width(FONT_REGULAR, l->f.m->text, t->at[i].label.s);
        l->y.label_width = fmax(l->y.label_width, w);
    }
}

static double band_label_width(const struct layout *l)
{
    return font_width(FONT_REGULAR, l->f.m->text, "+10 %");
}

static void place(struct layout *l)
{
    l->f.plot.x0 = ceil(l->y.label_width + 8);
    l->f.plot.x1 = floor(scene_width(l->f.s) - band_label_width(l) - 6);
    l->f.plot.y0 = round(l->f.header + l->f.m->plot);
    l->f.plot.y1 = l->f.plot.y0 + l->f.m->steady_height;
    l->y.scale.r0 = l->f.plot.y1;
    l->y.scale.r1 = l->f.plot.y0;
    double last = l->spec->n > 1 ? (double)l->spec->n : 2;
    l->x = (struct scale) { SCALE_LINEAR, 1, last, l->f.plot.x0 + inset, l->f.plot.x1 - inset };
}

static double round_px(const struct layout *l, size_t i)
{
    return scale_px(&l->x, (double)(i + 1));
}

static double y_px(const struct layout *l, double percent)
{
    return scale_px(&l->y.scale, percent);
}

static void draw_window(const struct layout *l)
{
    if (l->spec->window == 0) {
        return;
    }
    double x0 = fmax(l->f.plot.x0, round_px(l, window_start(l->spec)) - half_window);
    begin_plain(l->f.s, "window");
    scene_rect(l->f.s, x0, l->f.plot.y0, l->f.plot.x1 - x0, l->f.plot.y1 - l->f.plot.y0,
               paint(INK_ZOOM), (struct stroke) { 0 });
    scene_end(l->f.s);
}

static void draw_limit(const struct layout *l, double x0, int sign)
{
    double band = l->spec->band;
    double y = y_px(l, 100 + sign * band);
    double apart = l->f.m->text * 0.6; /* the two labels, where the band is narrow */
    double label = sign > 0 ? fmin(y, y_px(l, 100) - apart) : fmax(y, y_px(l, 100) + apart);
    const char *text = arena_printf(scene_arena(l->f.s), "%s%s\u00a0%%", sign > 0 ? "+" : "−",
                                    fmt_exact(band).s);
    scene_line(l->f.s, x0, crisp(y), l->f.plot.x1, crisp(y),
               dashed(paint(INK_INK2), 1, dash_reference));
    scene_text(l->f.s, l->f.plot.x1 + 5, label + l->f.m->middle, text,
               plain(l->f.m, INK_INK3, ANCHOR_START));
}

static void draw_band(const struct layout *l)
{
    if (l->spec->window == 0 || !(l->spec->band > 0)) {
        return;
    }
    double x0 = fmax(l->f.plot.x0, round_px(l, window_start(l->spec)) - half_window);
    begin_plain(l->f.s, "band");
    scene_line(l->f.s, x0, y_px(l, 100), l->f.plot.x1, y_px(l, 100), line_of(paint(INK_INK2), 1));
    draw_limit(l, x0, 1);
    draw_limit(l, x0, -1);
    scene_end(l->f.s);
}

static void draw_line(const struct layout *l)
{
    struct point *run = arena_array(scene_arena(l->f.s), struct point, l->spec->n + 1);
    struct point *few = arena_array(scene_arena(l->f.s), struct point, 4 * MOST_POINTS);
    struct stroke k = series_stroke(&l->spec->series, false);
    k.width = thin;
    size_t n = 0;
    for (size_t i = 0; i <= l->spec->n; i++) {
        if (i < l->spec->n && isfinite(l->spec->at[i].percent)) {
            run[n++] = (struct point) { round_px(l, i), y_px(l, l->spec->at[i].percent) };
            continue;
        }
        if (n > MOST_POINTS) {
            n = reduce_m4(run, n, (struct columns) { l->f.plot.x0, l->f.plot.x1, MOST_POINTS },
                          few);
            scene_poly(l->f.s, few, n, false, paint(INK_NONE), k);
        } else {
            scene_poly(l->f.s, run, n, false, paint(INK_NONE), k);
        }
        n = 0;
    }
}

static void draw_fit(const struct layout *l)
{
    const struct steady *p = l->spec;
    if (p->window > 1 && isfinite(p->fit_first) && isfinite(p->fit_last)) {
        scene_line(l->f.s, round_px(l, window_start(p)), y_px(l, p->fit_first),
                   round_px(l, p->n - 1), y_px(l, p->fit_last), line_of(paint(INK_INK), fit_width));
    }
}

static void draw_series(const struct layout *l)
{
    const struct steady *p = l->spec;
    int slot = p->series.slot;
    begin_series(l->f.s, &p->series, "rounds");
    draw_line(l);
    draw_fit(l);
    for (size_t i = 0; i < p->n && p->n <= CROWDED; i++) {
        if (isfinite(p->at[i].percent)) {
            bool inside = p->window > 0 && i >= window_start(p);
            scene_marker(l->f.s, round_px(l, i), y_px(l, p->at[i].percent), l->f.m->marker * 0.9,
                         slot, !inside, true);
        }
    }
    scene_end(l->f.s);
}

/* Every n-th round, and the last. */
static void draw_rounds(const struct layout *l)
{
    struct arena *a = scene_arena(l->f.s);
    size_t n = l->spec->n;
    struct named_tick *at = arena_array(a, struct named_tick, n);
    size_t step = 1;
    while ((n - 1) / step + 1 > MOST_ROUND_LABELS) {
        step = step == 1 ? 2 : step == 2 ? 5 : step * 2;
    }
    size_t labels = 0;
    for (size_t i = 0; i < n; i++) {
        bool multiple = step <= 2 ? i % step == 0 : i == 0 || (i + 1) % step == 0;
        if (multiple) {
            at[labels++] = (struct named_tick) { round_px(l, i),
                                                 arena_strdup(a, fmt_count(i + 1).s), true };
        }
    }
    axis_draw_named(&l->f, at, labels);
}

static void draw_hots(const struct layout *l)
{
    double half = fmin(9, (l->x.r1 - l->x.r0) / (double)l->spec->n / 2);
    for (size_t i = 0; i < l->spec->n; i++) {
        double x = round_px(l, i);
        frame_hot(l->f.s,
                  &(struct hot) { .series = &l->spec->series,
                                  .point = i,
                                  .tooltip = l->spec->at[i].tooltip,
                                  .box = { x - half, l->f.plot.y0, x + half, l->f.plot.y1 } });
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct steady *)p };
    l.f = frame_open(p, a, look);
    if (l.spec->n == 0) {
        return frame_no_data(&l.f);
    }
    find_axis(&l);
    place(&l);
    draw_window(&l);
    axis_draw_left(&l.f, &l.y);
    draw_band(&l);
    draw_series(&l);
    draw_rounds(&l);
    axis_base(&l.f);
    axis_titles(&l.f);
    draw_hots(&l);
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_steady(struct arena *a, const struct steady *spec)
{
    struct steady *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    if (spec->n > 0) {
        copy->at = arena_memdup(a, spec->at, spec->n * sizeof *spec->at);
    }
    return &copy->panel;
}
