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
    const struct metrics *m;
    struct scene *s;
    struct axis y;
    struct scale x;
    struct box plot;
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
    for (double v = low; v <= high + step / 2 && t->n < SCALE_MAX_TICKS; v += step) {
        t->at[t->n++] = (struct tick) { v, fmt_fixed(v, 0), true };
    }
    l->y.scale = (struct scale) { SCALE_LINEAR, low, fmax(high, t->at[t->n - 1].value), 0, 0 };
    for (size_t i = 0; i < t->n; i++) {
        double w = font_width(FONT_REGULAR, l->m->text, t->at[i].label.s);
        l->y.label_width = fmax(l->y.label_width, w);
    }
}

static double band_label_width(const struct layout *l)
{
    return font_width(FONT_REGULAR, l->m->text, "+10 %");
}

static void place(struct layout *l, double header)
{
    l->plot.x0 = ceil(l->y.label_width + 8);
    l->plot.x1 = floor(scene_width(l->s) - band_label_width(l) - 6);
    l->plot.y0 = round(header + l->m->plot);
    l->plot.y1 = l->plot.y0 + l->m->steady_height;
    l->y.scale.r0 = l->plot.y1;
    l->y.scale.r1 = l->plot.y0;
    double last = l->spec->n > 1 ? (double)l->spec->n : 2;
    l->x = (struct scale) { SCALE_LINEAR, 1, last, l->plot.x0 + inset, l->plot.x1 - inset };
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
    double x0 = fmax(l->plot.x0, round_px(l, window_start(l->spec)) - half_window);
    begin_plain(l->s, "window");
    scene_rect(l->s, x0, l->plot.y0, l->plot.x1 - x0, l->plot.y1 - l->plot.y0, paint(INK_ZOOM),
               (struct stroke) { 0 });
    scene_end(l->s);
}

static void draw_limit(const struct layout *l, double x0, int sign)
{
    double band = l->spec->band;
    double y = y_px(l, 100 + sign * band);
    double apart = l->m->text * 0.6; /* the two labels, where the band is narrow */
    double label = sign > 0 ? fmin(y, y_px(l, 100) - apart) : fmax(y, y_px(l, 100) + apart);
    const char *text = arena_printf(scene_arena(l->s), "%s%s\u00a0%%", sign > 0 ? "+" : "−",
                                    fmt_exact(band).s);
    scene_line(l->s, x0, crisp(y), l->plot.x1, crisp(y),
               dashed(paint(INK_INK2), 1, dash_reference));
    scene_text(l->s, l->plot.x1 + 5, label + l->m->middle, text,
               plain(l->m, INK_INK3, ANCHOR_START));
}

static void draw_band(const struct layout *l)
{
    if (l->spec->window == 0 || !(l->spec->band > 0)) {
        return;
    }
    double x0 = fmax(l->plot.x0, round_px(l, window_start(l->spec)) - half_window);
    begin_plain(l->s, "band");
    scene_line(l->s, x0, y_px(l, 100), l->plot.x1, y_px(l, 100), line_of(paint(INK_INK2), 1));
    draw_limit(l, x0, 1);
    draw_limit(l, x0, -1);
    scene_end(l->s);
}

static void draw_line(const struct layout *l)
{
    struct point *run = arena_array(scene_arena(l->s), struct point, l->spec->n + 1);
    struct point *few = arena_array(scene_arena(l->s), struct point, 4 * MOST_POINTS);
    struct stroke k = series_stroke(&l->spec->series, false);
    k.width = thin;
    size_t n = 0;
    for (size_t i = 0; i <= l->spec->n; i++) {
        if (i < l->spec->n && isfinite(l->spec->at[i].percent)) {
            run[n++] = (struct point) { round_px(l, i), y_px(l, l->spec->at[i].percent) };
            continue;
        }
        if (n > MOST_POINTS) {
            n = reduce_m4(run, n, l->plot.x0, l->plot.x1, MOST_POINTS, few);
            scene_poly(l->s, few, n, false, paint(INK_NONE), k);
        } else {
            scene_poly(l->s, run, n, false, paint(INK_NONE), k);
        }
        n = 0;
    }
}

static void draw_fit(const struct layout *l)
{
    const struct steady *p = l->spec;
    if (p->window > 1 && isfinite(p->fit_first) && isfinite(p->fit_last)) {
        scene_line(l->s, round_px(l, window_start(p)), y_px(l, p->fit_first), round_px(l, p->n - 1),
                   y_px(l, p->fit_last), line_of(paint(INK_INK), fit_width));
    }
}

static void draw_series(const struct layout *l)
{
    const struct steady *p = l->spec;
    int slot = p->series.slot;
    begin_series(l->s, &p->series, "rounds");
    draw_line(l);
    draw_fit(l);
    for (size_t i = 0; i < p->n && p->n <= CROWDED; i++) {
        if (isfinite(p->at[i].percent)) {
            bool inside = p->window > 0 && i >= window_start(p);
            scene_marker(l->s, round_px(l, i), y_px(l, p->at[i].percent), l->m->marker * 0.9, slot,
                         !inside, true);
        }
    }
    scene_end(l->s);
}

/* Every n-th round, and the last. */
static void draw_rounds(const struct layout *l)
{
    struct arena *a = scene_arena(l->s);
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
    axis_draw_named(l->s, at, labels, l->m, &l->plot);
}

static void draw_hots(const struct layout *l)
{
    double half = fmin(9, (l->x.r1 - l->x.r0) / (double)l->spec->n / 2);
    for (size_t i = 0; i < l->spec->n; i++) {
        double x = round_px(l, i);
        frame_hot(l->s, &(struct hot) { .series = &l->spec->series,
                                        .point = i,
                                        .tooltip = l->spec->at[i].tooltip,
                                        .box = { x - half, l->plot.y0, x + half, l->plot.y1 } });
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct steady *)p, .m = metrics_of(look->medium) };
    double header = 0;
    l.s = frame_open(p, a, look, &header);
    if (l.spec->n == 0) {
        frame_no_data(l.s, l.m, 0, header + l.m->plot);
        scene_set_height(l.s, header + l.m->plot + l.m->text);
        return l.s;
    }
    find_axis(&l);
    place(&l, header);
    draw_window(&l);
    axis_draw_left(l.s, &l.y, l.m, &l.plot);
    draw_band(&l);
    draw_series(&l);
    draw_rounds(&l);
    axis_base(l.s, &l.plot);
    axis_titles(l.s, p, l.m, &l.plot, header);
    draw_hots(&l);
    scene_set_height(l.s, l.plot.y1 + l.m->end);
    return l.s;
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
