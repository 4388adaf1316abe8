#include "base/array.h"
#include "report/pdf_parts.h"

/* px at natural size: drawn at 0.75 pt a px. */
static const double marker_px = 10.6, marker_r = 4.1;
static const double swatch_px = 34, swatch_height = 12.8, swatch_r = 4.1;
static const double symbol_px = 10;

const double marker_width = 8, swatch_width = 26, symbol_width = 7.5, strip_width = 58;

int pen_marker(struct pdf *p, double x, double y, int slot, struct error *e)
{
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, marker_px, marker_px);
    scene_marker(s, marker_px / 2, marker_px / 2, marker_r, slot, slot > SERIES_SLOTS, false);
    int rc = pen_scene(p, s, x, y - marker_px * 0.75 / 2, 1, e);
    arena_free(a);
    return rc;
}

int pen_swatch(struct pdf *p, double x, double y, int slot, struct error *e)
{
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, swatch_px, swatch_height);
    const struct stroke line = { .paint = { INK_MARK, slot },
                                 .width = 1.75,
                                 .dash = series_dash(slot) };
    scene_line(s, 0, swatch_height / 2, swatch_px, swatch_height / 2, line);
    scene_marker(s, swatch_px / 2, swatch_height / 2, swatch_r, slot, slot > SERIES_SLOTS, true);
    int rc = pen_scene(p, s, x, y - swatch_height * 0.75 / 2, 1, e);
    arena_free(a);
    return rc;
}

static void draw_symbol(struct scene *s, enum verdict_symbol symbol)
{
    static const struct point up[] = { { 5, 1.6 }, { 8.9, 8.4 }, { 1.1, 8.4 } };
    static const struct point down[] = { { 5, 8.4 }, { 8.9, 1.6 }, { 1.1, 1.6 } };
    const struct stroke line = { .paint = { INK_INK, 0 }, .width = 1.25 };
    const struct paint ink = { INK_INK, 0 }, none = { INK_NONE, 0 };
    switch (symbol) {
    case SYMBOL_NONE:
        return;
    case SYMBOL_AHEAD:
        scene_poly(s, up, countof(up), true, ink, line);
        return;
    case SYMBOL_BEHIND:
        scene_poly(s, down, countof(down), true, none, line);
        return;
    case SYMBOL_SAME:
        scene_line(s, 1.2, 3.4, 8.8, 3.4, line);
        scene_line(s, 1.2, 6.6, 8.8, 6.6, line);
        return;
    case SYMBOL_UNKNOWN:
        scene_circle(s, 5, 5, 3.3, none, line);
        return;
    }
}

int pen_symbol(struct pdf *p, double x, double y, enum verdict_symbol symbol, struct error *e)
{
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, symbol_px, symbol_px);
    draw_symbol(s, symbol);
    int rc = pen_scene(p, s, x, y - symbol_px * 0.75 / 2, 1, e);
    arena_free(a);
    return rc;
}
