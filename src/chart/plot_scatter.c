#include "chart/plot_scatter.h"

#include <stdlib.h>

#include "base/array.h"
#include "chart/frame.h"
#include "chart/raster.h"
#include "chart/windows.h"

enum { FEW_POINTS = 2000, MANY_POINTS = 10000 };
static const double right_margin = 6;
static const double dot_width = 2.4, dot_opacity = 0.42;
static const double solid_width = 2.8;   /* few points, and the outermost of more */
static const double outer_share = 0.005; /* at each end */
static const double strip_height = 15;
static const double strip_drop = 8; /* below a y label at the end of the axis */
static const double pad = 2;        /* px around the plot, for dots on its edge */
static const double tick_width = 1.5, tick_inset = 4;

/* One panel while it is laid out. */
struct layout {
    const struct scatter *spec;
    struct frame f;
    struct axis x, y;
    double strip;  /* its top */
    double bottom; /* with it */
    size_t n_drawn;
};

static bool has_x(const struct scatter *p, size_t i)
{
    return isfinite(p->x[i]);
}

static bool has_value(const struct scatter *p, size_t i)
{
    return has_x(p, i) && isfinite(p->y[i]) && (!p->log_y || p->y[i] > 0);
}

struct range {
    double x0, x1, y0, y1;
};

static void include(double *low, double *high, double v)
{
    *low = v < *low ? v : *low;
    *high = v > *high ? v : *high;
}

static struct range range_of(struct layout *l)
{
    const struct scatter *p = l->spec;
    struct range r = { HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL };
    for (size_t i = 0; i < p->n; i++) {
        if (has_x(p, i)) {
            include(&r.x0, &r.x1, p->x[i]);
        }
        if (has_value(p, i)) {
            include(&r.y0, &r.y1, p->y[i]);
            l->n_drawn++;
        }
    }
    r.x0 = isfinite(p->x_low) ? p->x_low : r.x0;
    r.x1 = isfinite(p->x_high) ? p->x_high : r.x1;
    r.y0 = isfinite(p->y_low) ? p->y_low : r.y0;
    r.y1 = isfinite(p->y_high) ? p->y_high : r.y1;
    return r;
}

static bool label_at_end(const struct layout *l)
{
    for (size_t i = 0; i < l->y.ticks.n; i++) {
        const struct tick *t = &l->y.ticks.at[i];
        if (t->major && l->f.plot.y1 - scale_px(&l->y.scale, t->value) < l->f.m->text / 2) {
            return true;
        }
    }
    return false;
}

static void place(struct layout *l)
{
    const char *strip = l->spec->strip;
    double named = strip ? font_width(FONT_REGULAR, l->f.m->text, strip) : 0;
    l->f.plot.x0 = ceil(fmax(l->y.label_width, named) + 8);
    l->f.plot.x1 = scene_width(l->f.s) - right_margin;
    l->f.plot.y0 = round(l->f.header + l->f.m->plot);
    l->f.plot.y1 = l->f.plot.y0 + l->f.m->scatter_height;
    l->x.scale.r0 = l->f.plot.x0;
    l->x.scale.r1 = l->f.plot.x1;
    l->y.scale.r0 = l->f.plot.y1;
    l->y.scale.r1 = l->f.plot.y0;
    l->strip = l->f.plot.y1 + (strip && label_at_end(l) ? strip_drop : 0);
    l->bottom = l->strip + (strip ? strip_height : 0);
}

static struct point at_point(const struct layout *l, size_t i)
{
    return (struct point) { scale_px(&l->x.scale, l->spec->x[i]),
                            scale_px(&l->y.scale, l->spec->y[i]) };
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

static void draw_dots(const struct layout *l)
{
    struct paint mark = paint_slot(INK_MARK, l->spec->series.slot);
    for (size_t i = 0; i < l->spec->n; i++) {
        if (has_value(l->spec, i)) {
            struct point at = at_point(l, i);
            scene_circle(l->f.s, at.x, at.y, solid_width / 2, mark, (struct stroke) { 0 });
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

/* Values beyond which a point counts as one of the outermost. */
static struct range outer_limits(const struct layout *l)
{
    double *sorted = arena_array(scene_arena(l->f.s), double, l->n_drawn);
    size_t n = 0;
    for (size_t i = 0; i < l->spec->n; i++) {
        if (has_value(l->spec, i)) {
            sorted[n++] = l->spec->y[i];
        }
    }
    qsort(sorted, n, sizeof *sorted, by_value);
    size_t outer = (size_t)(outer_share * (double)n);
    return (struct range) { .y0 = sorted[outer], .y1 = sorted[n - 1 - outer] };
}

static void draw_mask(const struct layout *l, const uint8_t *mask, int nx, int ny)
{
    scene_mask(l->f.s, l->f.plot.x0 - pad, l->f.plot.y0 - pad, (double)nx / RASTER_PER_PX,
               (double)ny / RASTER_PER_PX, mask, nx, ny,
               paint_slot(INK_MARK, l->spec->series.slot));
}

/* In px of the raster. */
static struct point raster_point(const struct layout *l, struct point at)
{
    return (struct point) { (at.x - l->f.plot.x0 + pad) * RASTER_PER_PX,
                            (at.y - l->f.plot.y0 + pad) * RASTER_PER_PX };
}

static void draw_splat(const struct layout *l, int nx, int ny)
{
    struct range outer = outer_limits(l);
    struct splat *s = splat_new(scene_arena(l->f.s), nx, ny);
    for (size_t i = 0; i < l->spec->n; i++) {
        if (has_value(l->spec, i)) {
            struct point at = raster_point(l, at_point(l, i));
            bool solid = l->spec->y[i] < outer.y0 || l->spec->y[i] > outer.y1;
            splat_add(s, at.x, at.y, (solid ? solid_width : dot_width) / 2 * RASTER_PER_PX,
                      solid ? 1 : dot_opacity);
        }
    }
    draw_mask(l, splat_mask(s), nx, ny);
}

static void draw_density(const struct layout *l, int nx, int ny)
{
    struct density *d = density_new(scene_arena(l->f.s), nx, ny);
    double x_span = scale_span(&l->x.scale);
    double y_span = scale_span(&l->y.scale);
    for (size_t i = 0; i < l->spec->n; i++) {
        if (has_value(l->spec, i)) {
            struct point at = { scale_at_span(&l->x.scale, x_span, l->spec->x[i]),
                                scale_at_span(&l->y.scale, y_span, l->spec->y[i]) };
            at = raster_point(l, at);
            density_add(d, at.x, at.y);
        }
    }
    draw_mask(l, density_mask(d), nx, ny);
}

static void draw_points(const struct layout *l)
{
    int nx = (int)lround((l->f.plot.x1 - l->f.plot.x0 + 2 * pad) * RASTER_PER_PX);
    int ny = (int)lround((l->f.plot.y1 - l->f.plot.y0 + 2 * pad) * RASTER_PER_PX);
    begin_series(l->f.s, &l->spec->series, "dots");
    if (l->n_drawn < FEW_POINTS) {
        draw_dots(l);
    } else if (l->n_drawn <= MANY_POINTS) {
        draw_splat(l, nx, ny);
    } else {
        draw_density(l, nx, ny);
    }
    scene_end(l->f.s);
}

/* A tick for each moment without a value, at most one a half px. */
static void draw_strip_ticks(const struct layout *l)
{
    size_t columns = (size_t)(2 * (l->f.plot.x1 - l->f.plot.x0)) + 2;
    bool *taken = arena_array(scene_arena(l->f.s), bool, columns);
    size_t n = 0;
    for (size_t i = 0; i < l->spec->n; i++) {
        if (has_x(l->spec, i) && !has_value(l->spec, i)) {
            double x = scale_px(&l->x.scale, l->spec->x[i]) - l->f.plot.x0;
            if (x >= 0 && x <= l->f.plot.x1 - l->f.plot.x0) {
                taken[(size_t)(2 * x)] = true;
                n++;
            }
        }
    }
    struct stroke k = line_of(paint_slot(INK_MARK, l->spec->series.slot), tick_width);
    for (size_t i = 0; i < columns; i++) {
        if (taken[i]) {
            double x = fmin(l->f.plot.x0 + (double)i / 2 + 0.25, l->f.plot.x1);
            scene_line(l->f.s, x, l->strip + tick_inset, x, l->bottom - tick_inset, k);
        }
    }
    if (n == 0) {
        scene_text(l->f.s, l->f.plot.x0 + 6, (l->strip + l->bottom) / 2 + l->f.m->middle, "none",
                   plain(l->f.m, INK_INK3, ANCHOR_START));
    }
}

static void draw_strip(const struct layout *l)
{
    if (!l->spec->strip) {
        return;
    }
    double y = crisp(l->strip);
    begin_plain(l->f.s, "strip");
    scene_line(l->f.s, l->f.plot.x0, y, l->f.plot.x1, y, line_of(paint(INK_RULE), 1));
    scene_text(l->f.s, l->f.plot.x0 - 6, (l->strip + l->bottom) / 2 + l->f.m->middle,
               l->spec->strip, plain(l->f.m, INK_INK3, ANCHOR_END));
    scene_end(l->f.s);
    begin_series(l->f.s, &l->spec->series, "stalls");
    draw_strip_ticks(l);
    scene_end(l->f.s);
}

static void draw_zoom(const struct layout *l)
{
    const struct x_window *z = &l->spec->zoom;
    if (!isfinite(z->from) || !isfinite(z->to) || z->to <= z->from) {
        return;
    }
    double x0 = window_px(&l->x.scale, z->from);
    double x1 = window_px(&l->x.scale, z->to);
    begin_plain(l->f.s, "zoom");
    scene_rect(l->f.s, x0, l->f.plot.y0, x1 - x0, l->bottom - l->f.plot.y0, paint(INK_ZOOM),
               (struct stroke) { 0 });
    scene_text(l->f.s, x1, l->f.plot.y0 - 4, z->tooltip, plain(l->f.m, INK_INK3, ANCHOR_END));
    scene_end(l->f.s);
}

static bool on_axis(const struct layout *l, double y)
{
    return isfinite(y) && y >= l->y.scale.d0 && y <= l->y.scale.d1;
}

static void draw_band(const struct layout *l)
{
    double low = fmax(l->spec->band_low, l->y.scale.d0);
    double high = fmin(l->spec->band_high, l->y.scale.d1);
    if (!(low < high)) {
        return;
    }
    double y0 = scale_px(&l->y.scale, high);
    double y1 = scale_px(&l->y.scale, low);
    begin_plain(l->f.s, "band");
    scene_rect(l->f.s, l->f.plot.x0, y0, l->f.plot.x1 - l->f.plot.x0, y1 - y0, paint(INK_ZOOM),
               (struct stroke) { 0 });
    scene_end(l->f.s);
}

static bool is_free(const double *bases, size_t n, double base, double apart)
{
    for (size_t i = 0; i < n; i++) {
        if (fabs(bases[i] - base) < apart) {
            return false;
        }
    }
    return true;
}

/* Over the dots: a line is to be compared with them. A label stands above its line, else below, where it touches no other. */
static void draw_lines(const struct layout *l)
{
    struct text_style style = plain(l->f.m, INK_INK2, ANCHOR_END);
    double *bases = arena_array(scene_arena(l->f.s), double, l->spec->n_lines);
    size_t n = 0;
    if (l->spec->n_lines == 0) {
        return;
    }
    style.halo = true;
    begin_plain(l->f.s, "lines");
    for (size_t i = 0; i < l->spec->n_lines; i++) {
        const struct y_line *line = &l->spec->lines[i];
        if (!on_axis(l, line->y)) {
            continue;
        }
        double y = scale_px(&l->y.scale, line->y);
        scene_line(l->f.s, l->f.plot.x0, y, l->f.plot.x1, y,
                   dashed(paint(INK_INK2), 1, dash_reference));
        double above = y - 4, below = y + l->f.m->text + 1;
        bool room = above - l->f.m->text >= l->f.plot.y0;
        double base = room && is_free(bases, n, above, l->f.m->text) ? above : below;
        if (base < l->f.plot.y1 && is_free(bases, n, base, l->f.m->text)) {
            scene_text(l->f.s, l->f.plot.x1 - 2, base, line->label, style);
            bases[n++] = base;
        }
    }
    scene_end(l->f.s);
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct scatter *)p };
    l.f = frame_open(p, a, look);
    struct range r = range_of(&l);
    if (!(r.x0 <= r.x1) || !(r.y0 <= r.y1) || (l.spec->log_y && r.y0 <= 0)) {
        return frame_no_data(&l.f);
    }
    axis_vertical(&l.y, l.f.m, r.y0, r.y1, l.spec->log_y);
    axis_moments(&l.x, l.f.m, &(struct moments) { r.x0, r.x1, l.spec->x_ticks, l.spec->n_x_ticks });
    place(&l);
    struct frame whole = l.f;
    whole.plot.y1 = l.bottom;
    draw_zoom(&l);
    draw_band(&l);
    axis_draw_left(&l.f, &l.y);
    draw_points(&l);
    draw_lines(&l);
    draw_strip(&l);
    axis_draw_bottom(&whole, &l.x, false);
    axis_base(&whole);
    axis_titles(&whole);
    windows_draw(&whole, &(struct windows) { &l.spec->series, l.spec->windows, l.spec->n_windows },
                 &l.x.scale);
    scene_set_height(l.f.s, l.bottom + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_scatter(struct arena *a, const struct scatter *spec)
{
    struct scatter *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    return &copy->panel;
}
