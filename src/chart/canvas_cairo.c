#include <cairo.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "chart/canvas.h"
#include "chart/glyph.h"
#include "chart/png.h"
#include "chart/text.h"

/* Around and between the panels of one picture, px. */
static const double margin = 16, column_gap = 24, row_gap = 28;
enum { MAX_PIXELS = 100000000, MAX_DASH = 8, MAX_SIDE = 32000 };

struct painter {
    cairo_t *cr;
    const struct theme *theme;
    double scale;
    double x, y; /* of the scene, px */
};

static void set_paint(struct painter *p, struct paint paint)
{
    uint32_t rgb = theme_rgb(p->theme, paint);
    cairo_set_source_rgb(p->cr, ((rgb >> 16) & 0xFF) / 255.0, ((rgb >> 8) & 0xFF) / 255.0,
                         (rgb & 0xFF) / 255.0);
}

static void set_stroke(struct painter *p, const struct stroke *k)
{
    double dash[MAX_DASH];
    int n = 0;
    for (const int *d = k->dash; d && *d && n < MAX_DASH; d++) {
        dash[n++] = *d;
    }
    set_paint(p, k->paint);
    cairo_set_line_width(p->cr, k->width);
    cairo_set_dash(p->cr, dash, n, 0);
    cairo_set_line_join(p->cr, k->round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
    cairo_set_line_cap(p->cr, k->round && n == 0 ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
}

/* Fills and strokes the path that was just built. */
static void paint_path(struct painter *p, const struct mark *m)
{
    bool stroked = m->stroke.width > 0 && m->stroke.paint.ink != INK_NONE;
    if (m->fill.ink != INK_NONE) {
        set_paint(p, m->fill);
        cairo_fill_preserve(p->cr);
    }
    if (stroked) {
        set_stroke(p, &m->stroke);
        cairo_stroke_preserve(p->cr);
    }
    cairo_new_path(p->cr);
}

static void paint_poly(struct painter *p, const struct mark *m)
{
    for (size_t i = 0; i < m->u.poly.n; i++) {
        cairo_line_to(p->cr, m->u.poly.at[i].x, m->u.poly.at[i].y);
    }
    if (m->u.poly.closed) {
        cairo_close_path(p->cr);
    }
    paint_path(p, m);
}

/* Calls with device coordinates of each glyph; the context has no transformation meanwhile. */
typedef void glyph_fn(struct painter *p, struct glyph_key key, double x, double y);

static void each_glyph(struct painter *p, const struct mark *m, glyph_fn *fn)
{
    const struct text_style *t = &m->u.text.style;
    static const double shift[] = { 0, 0.5, 1 };
    double x = (p->x + m->x - shift[t->anchor] * m->w) * p->scale;
    double y = (p->y + m->y) * p->scale;
    struct glyph_key key = { .weight = t->weight, .size = (int)lround(t->size * p->scale * 64) };
    const char *s = m->u.text.drawn;
    for (uint32_t cp = utf8_next(&s); cp != 0; cp = utf8_next(&s)) {
        uint32_t drawn = text_drawn(t->weight, cp);
        if (drawn != 0) {
            key.codepoint = drawn;
            fn(p, key, x, y);
            x += font_advance(t->weight, t->size * p->scale, drawn);
        }
    }
}

static void outline_glyph(struct painter *p, struct glyph_key key, double x, double y)
{
    glyph_outline(p->cr, &key, x, round(y));
}

static void stamp_glyph(struct painter *p, struct glyph_key key, double x, double y)
{
    double quarters = floor(x * 4 + 0.5);
    double whole = floor(quarters / 4);
    key.quarter = (int)(quarters - whole * 4);
    const struct glyph *g = glyph_find(&key);
    if (g->mask) {
        cairo_mask_surface(p->cr, g->mask, whole + g->left, round(y) + g->top);
    }
}

static void paint_text(struct painter *p, const struct mark *m)
{
    cairo_matrix_t matrix;
    cairo_get_matrix(p->cr, &matrix);
    cairo_identity_matrix(p->cr);
    if (m->u.text.style.halo) {
        struct stroke halo = { .paint = { INK_BG, 0 }, .width = 3 * p->scale, .round = true };
        each_glyph(p, m, outline_glyph);
        set_stroke(p, &halo);
        cairo_stroke(p->cr);
    }
    set_paint(p, m->fill);
    each_glyph(p, m, stamp_glyph);
    cairo_set_matrix(p->cr, &matrix);
}

static void paint_mask(struct painter *p, const struct mark *m)
{
    int nx = m->u.raster.nx;
    int ny = m->u.raster.ny;
    cairo_surface_t *mask = cairo_image_surface_create(CAIRO_FORMAT_A8, nx, ny);
    unsigned char *to = cairo_image_surface_get_data(mask);
    if (to) {
        size_t stride = (size_t)cairo_image_surface_get_stride(mask);
        for (size_t y = 0; y < (size_t)ny; y++) {
            memcpy(to + y * stride, m->u.raster.mask + y * (size_t)nx, (size_t)nx);
        }
        cairo_surface_mark_dirty(mask);
    }
    cairo_save(p->cr);
    cairo_rectangle(p->cr, m->x, m->y, m->w, m->h);
    cairo_clip(p->cr);
    cairo_translate(p->cr, m->x, m->y);
    cairo_scale(p->cr, m->w / nx, m->h / ny);
    set_paint(p, m->fill);
    cairo_pattern_t *pattern = cairo_pattern_create_for_surface(mask);
    bool enlarged = m->w * p->scale >= 1.5 * nx;
    bool same = fabs(m->w * p->scale - nx) < 1e-6;
    cairo_pattern_set_filter(pattern, enlarged || same ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
    cairo_mask(p->cr, pattern);
    cairo_pattern_destroy(pattern);
    cairo_restore(p->cr);
    cairo_surface_destroy(mask);
}

static void paint_mark(struct painter *p, const struct mark *m)
{
    switch (m->kind) {
    case MARK_RECT:
        cairo_rectangle(p->cr, m->x, m->y, m->w, m->h);
        paint_path(p, m);
        break;
    case MARK_CIRCLE:
        cairo_arc(p->cr, m->x, m->y, m->w, 0, 2 * M_PI);
        cairo_close_path(p->cr);
        paint_path(p, m);
        break;
    case MARK_LINE:
        cairo_move_to(p->cr, m->x, m->y);
        cairo_line_to(p->cr, m->w, m->h);
        paint_path(p, m);
        break;
    case MARK_POLY:
        paint_poly(p, m);
        break;
    case MARK_TEXT:
        paint_text(p, m);
        break;
    case MARK_MASK:
        paint_mask(p, m);
        break;
    case MARK_CLIP:
        cairo_save(p->cr);
        cairo_rectangle(p->cr, m->x, m->y, m->w, m->h);
        cairo_clip(p->cr);
        break;
    case MARK_UNCLIP:
        cairo_restore(p->cr);
        break;
    case MARK_BEGIN:
    case MARK_END:
    case MARK_HOT:
        break;
    }
}

static void paint_scene(struct painter *p, const struct scene *s)
{
    cairo_save(p->cr);
    cairo_scale(p->cr, p->scale, p->scale);
    cairo_translate(p->cr, p->x, p->y);
    for (size_t i = 0; i < scene_count(s); i++) {
        paint_mark(p, scene_at(s, i));
    }
    cairo_restore(p->cr);
}

/* --- several scenes in one picture -------------------------------------------------------------------------------- */

struct sheet {
    const struct scene *const *scenes;
    size_t n, columns;
    double column; /* the widest scene */
    double width, height;
};

static double row_height(const struct sheet *t, size_t row)
{
    double height = 0;
    for (size_t i = row * t->columns; i < t->n && i < (row + 1) * t->columns; i++) {
        height = fmax(height, scene_height(t->scenes[i]));
    }
    return height;
}

static size_t row_count(const struct sheet *t)
{
    return (t->n + t->columns - 1) / t->columns;
}

static int sheet_check(struct sheet *t, double scale, struct error *e)
{
    for (size_t i = 0; i < t->n; i++) {
        if (scene_check(t->scenes[i], e) < 0) {
            return -1;
        }
        t->column = fmax(t->column, scene_width(t->scenes[i]));
    }
    double gaps = (double)(t->columns - 1) * column_gap;
    t->width = 2 * margin + (double)t->columns * t->column + gaps;
    t->height = 2 * margin;
    for (size_t row = 0; row < row_count(t); row++) {
        t->height += row_height(t, row) + (row ? row_gap : 0);
    }
    double w = t->width * scale;
    double h = t->height * scale;
    if (!(w >= 1 && h >= 1 && w <= MAX_SIDE && h <= MAX_SIDE && w * h <= MAX_PIXELS)) {
        return error_set(e, QD_E_FAIL, "cannot draw picture: %.0f x %.0f px are too many", w, h);
    }
    return 0;
}

static void paint_sheet(struct painter *p, const struct sheet *t)
{
    set_paint(p, (struct paint) { INK_BG, 0 });
    cairo_paint(p->cr);
    p->y = margin;
    for (size_t row = 0; row < row_count(t); row++) {
        p->x = margin;
        for (size_t i = row * t->columns; i < t->n && i < (row + 1) * t->columns; i++) {
            paint_scene(p, t->scenes[i]);
            p->x += t->column + column_gap;
        }
        p->y += row_height(t, row) + row_gap;
    }
}

static int encode(cairo_surface_t *surface, const struct png_options *o, void **ret, size_t *ret_n,
                  struct error *e)
{
    cairo_surface_flush(surface);
    struct picture picture = {
        .kind = PICTURE_XRGB32,
        .at = cairo_image_surface_get_data(surface),
        .stride = (size_t)cairo_image_surface_get_stride(surface),
        .width = cairo_image_surface_get_width(surface),
        .height = cairo_image_surface_get_height(surface),
        .scale = o->scale,
        .text = o->text,
        .n_text = o->n_text,
    };
    return picture_encode(&picture, ret, ret_n, e);
}

int canvas_png(const struct scene *const *scenes, size_t n, int columns,
               const struct png_options *o, void **ret, size_t *ret_n, struct error *e)
{
    struct sheet sheet = { scenes, n, columns < 1 ? 1 : (size_t)columns, 0, 0, 0 };
    sheet.columns = n > 0 && sheet.columns > n ? n : sheet.columns;
    if (sheet_check(&sheet, o->scale, e) < 0) {
        return -1;
    }
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)ceil(sheet.width * o->scale), (int)ceil(sheet.height * o->scale));
    struct painter painter = { cairo_create(surface), o->theme, o->scale, 0, 0 };
    paint_sheet(&painter, &sheet);
    /* cairo keeps its first error and draws nothing more: asked once */
    cairo_status_t status = cairo_status(painter.cr);
    cairo_destroy(painter.cr);
    int r = status == CAIRO_STATUS_SUCCESS ? encode(surface, o, ret, ret_n, e)
                                           : error_set(e, QD_E_FAIL, "cannot draw picture: %s",
                                                       cairo_status_to_string(status));
    cairo_surface_destroy(surface);
    return r;
}
