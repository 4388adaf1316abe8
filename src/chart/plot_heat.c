#include "chart/plot_heat.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/windows.h"

enum { MOST_CELLS = 4096, KEY_STEPS = 48 };
static const double right_margin = 6;
static const double faintest = 0.12;
static const double key_width = 48, key_height = 8;

/* One panel while it is laid out. */
struct layout {
    const struct heat *spec;
    struct frame f;
    struct axis x, y;
    double largest;
};

static uint8_t shade(double share)
{
    return (uint8_t)lround(255 * (faintest + (1 - faintest) * share));
}

static bool usable(const struct layout *l)
{
    const struct heat *h = l->spec;
    return h->nx > 0 && h->ny > 0 && h->nx <= MOST_CELLS && h->ny <= MOST_CELLS && h->y_low > 0 &&
           h->y_high > h->y_low && h->x_high > h->x_low && isfinite(h->x_high - h->x_low) &&
           isfinite(h->y_high) && l->largest > 0;
}

static double largest(const struct heat *h)
{
    double max = 0;
    for (size_t i = 0; i < h->nx * h->ny; i++) {
        if (isfinite(h->counts[i])) {
            max = fmax(max, h->counts[i]);
        }
    }
    return max;
}

static void draw_cells(const struct layout *l)
{
    const struct heat *h = l->spec;
    uint8_t *mask = arena_array(scene_arena(l->f.s), uint8_t, h->nx * h->ny);
    double scale = log1p(l->largest);
    for (size_t x = 0; x < h->nx; x++) {
        for (size_t y = 0; y < h->ny; y++) {
            double c = h->counts[x * h->ny + y];
            if (isfinite(c) && c > 0) {
                mask[(h->ny - 1 - y) * h->nx + x] = shade(log1p(c) / scale);
            }
        }
    }
    double x0 = scale_px(&l->x.scale, h->x_low);
    double x1 = scale_px(&l->x.scale, h->x_high);
    double y0 = scale_px(&l->y.scale, h->y_high);
    double y1 = scale_px(&l->y.scale, h->y_low);
    begin_series(l->f.s, &h->series, "heat");
    scene_mask(l->f.s, x0, y0, x1 - x0, y1 - y0, mask, (int)h->nx, (int)h->ny,
               paint_slot(INK_MARK, h->series.slot));
    scene_end(l->f.s);
}

/* At the right of the line of the y title: "1", a ramp, the fullest cell. */
static void draw_key(const struct layout *l)
{
    if (!l->spec->most) {
        return;
    }
    uint8_t ramp[KEY_STEPS];
    for (int i = 0; i < KEY_STEPS; i++) {
        ramp[i] = shade((double)i / (KEY_STEPS - 1));
    }
    double y = l->f.header + l->f.m->y_title;
    double text = font_width(FONT_REGULAR, l->f.m->text, l->spec->most);
    double x = l->f.plot.x1 - text - 6 - key_width;
    begin_plain(l->f.s, "ramp");
    scene_text(l->f.s, x - 6, y, "1", plain(l->f.m, INK_INK3, ANCHOR_END));
    scene_mask(l->f.s, x, y - key_height, key_width, key_height, ramp, KEY_STEPS, 1,
               paint_slot(INK_MARK, l->spec->series.slot));
    scene_text(l->f.s, l->f.plot.x1, y, l->spec->most, plain(l->f.m, INK_INK3, ANCHOR_END));
    scene_end(l->f.s);
}

static void place(struct layout *l)
{
    l->f.plot.x0 = ceil(l->y.label_width + 8);
    l->f.plot.x1 = scene_width(l->f.s) - right_margin;
    l->f.plot.y0 = round(l->f.header + l->f.m->plot);
    l->f.plot.y1 = l->f.plot.y0 + l->f.m->scatter_height;
    l->x.scale.r0 = l->f.plot.x0;
    l->x.scale.r1 = l->f.plot.x1;
    l->y.scale.r0 = l->f.plot.y1;
    l->y.scale.r1 = l->f.plot.y0;
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    const struct heat *h = (const struct heat *)p;
    struct layout l = { .spec = h, .largest = largest(h) };
    l.f = frame_open(p, a, look);
    if (!usable(&l)) {
        return frame_no_data(&l.f);
    }
    axis_vertical(&l.y, l.f.m, h->y_low, h->y_high, true);
    axis_moments(&l.x, l.f.m, &(struct moments) { h->x_low, h->x_high, h->x_ticks, h->n_x_ticks });
    place(&l);
    axis_draw_left(&l.f, &l.y);
    draw_cells(&l);
    draw_key(&l);
    axis_draw_bottom(&l.f, &l.x, false);
    axis_base(&l.f);
    axis_titles(&l.f);
    windows_draw(&l.f, &(struct windows) { &h->series, h->windows, h->n_windows }, &l.x.scale);
    scene_set_height(l.f.s, l.f.plot.y1 + l.f.m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_heat(struct arena *a, const struct heat *spec)
{
    struct heat *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    return &copy->panel;
}
