#include "chart/plot_hist.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/text.h"

static const double pitch_screen = 71, pitch_print = 58;
static const double gap = 3;    /* under a row's base line */
static const double side = 0.5; /* of the panel's edges */
static const double outline = 1.5, outline_highlighted = 2;
static const double tick_base = 13.2, title_base = 30, end = 35.4; /* under the rows, screen */

/* One panel while it is laid out. */
struct layout {
    const struct hist_rows *spec;
    struct frame f;
    struct axis x;
    double pitch;
    size_t first, last; /* bins that hold something in any row */
    double tallest;     /* share */
    double reserved; /* px above the tallest step: its label, and the names where no side is free */
};

static double share_of(const struct hist_row *r, size_t bin)
{
    return isfinite(r->share[bin]) && r->share[bin] > 0 ? r->share[bin] : 0;
}

static size_t peak_of(const struct layout *l, const struct hist_row *r)
{
    size_t peak = l->first;
    for (size_t i = l->first; i <= l->last; i++) {
        peak = share_of(r, i) > share_of(r, peak) ? i : peak;
    }
    return peak;
}

static bool find_bins(struct layout *l)
{
    const struct hist_rows *h = l->spec;
    l->first = h->n_bins;
    for (size_t k = 0; k < h->n; k++) {
        for (size_t i = 0; h->at[k].share && i < h->n_bins; i++) {
            double v = share_of(&h->at[k], i);
            if (v > 0) {
                l->first = i < l->first ? i : l->first;
                l->last = i > l->last ? i : l->last;
                l->tallest = fmax(l->tallest, v);
            }
        }
    }
    return l->tallest > 0 && h->edges[l->first] > 0;
}

/* The axis ends with the bins; ticks beyond are dropped. */
static void choose_x(struct layout *l)
{
    double low = l->spec->edges[l->first];
    double high = l->spec->edges[l->last + 1];
    axis_horizontal(&l->x, l->f.m, low, high, true);
    l->x.scale = (struct scale) { SCALE_LOG10, low, high, side, scene_width(l->f.s) - side };
    struct ticks *t = &l->x.ticks;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].value >= low * (1 - 1e-9) && t->at[i].value <= high * (1 + 1e-9)) {
            t->at[n++] = t->at[i];
        }
    }
    t->n = n;
}

static double base_of(const struct layout *l, size_t row)
{
    return round(l->f.plot.y0 + (double)(row + 1) * l->pitch - gap);
}

static double height_of(const struct layout *l, double share)
{
    return share / l->tallest * (l->pitch - gap - l->reserved);
}

static double bin_px(const struct layout *l, size_t edge)
{
    return scale_px(&l->x.scale, l->spec->edges[edge]);
}

static void draw_steps(const struct layout *l, const struct hist_row *r, double base)
{
    size_t bins = l->last - l->first + 1;
    struct point *at = arena_array(scene_arena(l->f.s), struct point, 2 * bins + 2);
    size_t n = 0;
    at[n++] = (struct point) { bin_px(l, l->first), base };
    for (size_t i = l->first; i <= l->last; i++) {
        double y = base - height_of(l, share_of(r, i));
        at[n++] = (struct point) { bin_px(l, i), y };
        at[n++] = (struct point) { bin_px(l, i + 1), y };
    }
    at[n++] = (struct point) { bin_px(l, l->last + 1), base };
    int slot = r->series.slot;
    double width = r->series.highlighted ? outline_highlighted : outline;
    scene_poly(l->f.s, at, n, false, paint_slot(INK_TINT, slot),
               line_of(paint_slot(INK_MARK, slot), width));
}

/* The most that stands in the way of a name over [x0, x1]. */
static double highest_between(const struct layout *l, const struct hist_row *r, double x0,
                              double x1)
{
    double most = 0;
    for (size_t i = l->first; i <= l->last; i++) {
        if (bin_px(l, i + 1) > x0 && bin_px(l, i) < x1) {
            most = fmax(most, height_of(l, share_of(r, i)));
        }
    }
    return most;
}

struct label {
    double x0, x1, y; /* of the peak's text; y: baseline */
};

static struct label peak_label(const struct layout *l, const struct hist_row *r, double base)
{
    size_t peak = peak_of(l, r);
    double half = font_width(FONT_REGULAR, l->f.m->text, r->peak ? r->peak : "") / 2;
    double x = (bin_px(l, peak) + bin_px(l, peak + 1)) / 2;
    x = fmax(half, fmin(x, scene_width(l->f.s) - half));
    return (struct label) { x - half, x + half, base - height_of(l, share_of(r, peak)) - 4 };
}

struct sides {
    bool left, right; /* free for the name */
    double right_x;
};

static struct sides sides_of(const struct layout *l, const struct hist_row *r)
{
    enum font_weight weight = r->series.highlighted ? FONT_MEDIUM : FONT_REGULAR;
    struct label peak = peak_label(l, r, 0);
    double w = l->f.m->name_x + font_width(weight, l->f.m->text, r->series.name) + 4;
    double free = l->pitch - gap - l->f.m->row_name - 2;
    double end_px = scene_width(l->f.s);
    double right = end_px - w;
    bool peak_high = -peak.y + l->f.m->text > free;
    struct sides s = { .right_x = right };
    s.left = highest_between(l, r, 0, w) <= free && !(peak_high && peak.x0 < w + 4);
    s.right = right > 0 && highest_between(l, r, right, end_px) <= free &&
              !(peak_high && peak.x1 > right - 4);
    return s;
}

/* Lower steps where a name would lie on them at both sides. */
static void reserve(struct layout *l)
{
    l->reserved = l->f.m->text + 2;
    for (size_t k = 0; k < l->spec->n; k++) {
        if (l->spec->at[k].share) {
            struct sides s = sides_of(l, &l->spec->at[k]);
            if (!s.left && !s.right) {
                l->reserved = l->f.m->row_name + l->f.m->text + 4;
                return;
            }
        }
    }
}

static void draw_row(const struct layout *l, size_t k)
{
    const struct hist_row *r = &l->spec->at[k];
    double base = base_of(l, k);
    double top = base - l->pitch + gap + 2;
    double x = 0;
    begin_series(l->f.s, &r->series, "row");
    if (r->share) {
        struct sides sides = sides_of(l, r);
        x = !sides.left && sides.right ? sides.right_x : 0;
        draw_steps(l, r, base);
    }
    struct box line = { x, top, scene_width(l->f.s), top + l->f.m->row_name };
    frame_name(&l->f, &r->series, r->series.name, &line);
    if (r->share && r->peak) {
        struct label peak = peak_label(l, r, base);
        struct text_style style = plain(l->f.m, INK_INK2, ANCHOR_START);
        style.halo = true;
        scene_text(l->f.s, peak.x0, peak.y, r->peak, style);
    } else if (!r->share) {
        scene_text(l->f.s, l->f.m->name_x, top + l->f.m->row_name + l->f.m->name_base,
                   text_elide(scene_arena(l->f.s), FONT_REGULAR, l->f.m->text,
                              r->missing ? r->missing : "not measured",
                              scene_width(l->f.s) - l->f.m->name_x),
                   plain(l->f.m, INK_INK3, ANCHOR_START));
    }
    scene_line(l->f.s, 0, crisp(base), scene_width(l->f.s), crisp(base),
               line_of(paint(INK_AXIS), 1));
    scene_end(l->f.s);
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct hist_row *r = &l->spec->at[k];
        double base = base_of(l, k);
        frame_hot(l->f.s,
                  &(struct hot) { .series = &r->series,
                                  .point = 0,
                                  .tooltip = r->tooltip,
                                  .value = r->share ? r->peak : NULL,
                                  .box = { 0, base - l->pitch + gap, scene_width(l->f.s), base } });
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    bool print = look->medium == MEDIUM_PRINT;
    struct layout l = { .spec = (const struct hist_rows *)p,
                        .pitch = print ? pitch_print : pitch_screen };
    l.f = frame_open(p, a, look);
    if (!find_bins(&l)) {
        return frame_no_data(&l.f);
    }
    choose_x(&l);
    reserve(&l);
    l.f.plot = (struct box) { side, round(l.f.header + 1), look->width - side, 0 };
    l.f.plot.y1 = base_of(&l, l.spec->n - 1);
    struct metrics under = *l.f.m;
    under.tick_base = tick_base * l.f.m->text / 12;
    under.x_title = title_base * l.f.m->text / 12;
    struct frame axis = l.f;
    axis.m = &under;
    axis_draw_bottom(&axis, &l.x, true);
    for (size_t k = 0; k < l.spec->n; k++) {
        draw_row(&l, k);
    }
    axis_titles(&axis);
    draw_hots(&l);
    scene_set_height(l.f.s, l.f.plot.y1 + end * l.f.m->text / 12 + gap);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_hist(struct arena *a, const struct hist_rows *spec)
{
    struct hist_rows *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    if (spec->n > 0) {
        copy->at = arena_memdup(a, spec->at, spec->n * sizeof *spec->at);
    }
    return &copy->panel;
}
