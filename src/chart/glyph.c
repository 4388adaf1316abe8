#include "chart/glyph.h"

#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "base/oom.h"

/* Open addressing, a power of two; dropped as a whole when half full, which a report never reaches. */
enum { SLOTS = 8192, FULL = SLOTS / 2 };

struct slot {
    struct glyph_key key;
    struct glyph glyph;
    bool used;
};
static struct slot *table;
static size_t filled;

static size_t hash(const struct glyph_key *k)
{
    uint64_t h = ((uint64_t)k->codepoint << 24) ^ ((uint64_t)k->size << 4) ^
                 ((uint64_t)k->weight << 2) ^ (uint64_t)k->quarter;
    return (size_t)((h * 0x9E3779B97F4A7C15u) >> 51);
}

static bool equal(const struct glyph_key *a, const struct glyph_key *b)
{
    return a->codepoint == b->codepoint && a->size == b->size && a->weight == b->weight &&
           a->quarter == b->quarter;
}

static FT_Face load(const struct glyph_key *k)
{
    FT_Face face = font_face(k->weight);
    if (FT_Set_Char_Size(face, 0, k->size, 72, 72) != 0 ||
        FT_Load_Char(face, k->codepoint, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) {
        return NULL;
    }
    return face;
}

static struct glyph render(const struct glyph_key *k)
{
    struct glyph g = { 0 };
    FT_Face face = load(k);
    if (!face) {
        return g;
    }
    FT_Outline_Translate(&face->glyph->outline, k->quarter * 16, 0);
    if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0) {
        return g;
    }
    const FT_Bitmap *b = &face->glyph->bitmap;
    if (b->width == 0 || b->rows == 0) {
        return g;
    }
    g.mask = cairo_image_surface_create(CAIRO_FORMAT_A8, (int)b->width, (int)b->rows);
    unsigned char *to = cairo_image_surface_get_data(g.mask);
    if (!to) {
        base_oom((size_t)b->width * b->rows);
    }
    size_t stride = (size_t)cairo_image_surface_get_stride(g.mask);
    for (size_t y = 0; y < b->rows; y++) {
        memcpy(to + y * stride, b->buffer + (ptrdiff_t)y * b->pitch, b->width);
    }
    cairo_surface_mark_dirty(g.mask);
    g.left = face->glyph->bitmap_left;
    g.top = -face->glyph->bitmap_top;
    return g;
}

const struct glyph *glyph_find(const struct glyph_key *key)
{
    if (filled >= FULL) {
        glyph_reset();
    }
    if (!table) {
        table = xcalloc(SLOTS, sizeof *table);
    }
    size_t i = hash(key);
    while (table[i].used && !equal(&table[i].key, key)) {
        i = (i + 1) % SLOTS;
    }
    if (!table[i].used) {
        table[i] = (struct slot) { *key, render(key), true };
        filled++;
    }
    return &table[i].glyph;
}

struct pen {
    cairo_t *cr;
    double x, y;
};

static double at_x(const struct pen *p, const FT_Vector *v)
{
    return p->x + (double)v->x / 64.0;
}

static double at_y(const struct pen *p, const FT_Vector *v)
{
    return p->y - (double)v->y / 64.0;
}

static int outline_move(const FT_Vector *to, void *ctx)
{
    const struct pen *p = ctx;
    cairo_close_path(p->cr);
    cairo_move_to(p->cr, at_x(p, to), at_y(p, to));
    return 0;
}

static int outline_line(const FT_Vector *to, void *ctx)
{
    const struct pen *p = ctx;
    cairo_line_to(p->cr, at_x(p, to), at_y(p, to));
    return 0;
}

static int outline_conic(const FT_Vector *c, const FT_Vector *to, void *ctx)
{
    const struct pen *p = ctx;
    double x0 = 0;
    double y0 = 0;
    cairo_get_current_point(p->cr, &x0, &y0);
    double x1 = at_x(p, c);
    double y1 = at_y(p, c);
    double x2 = at_x(p, to);
    double y2 = at_y(p, to);
    /* a quadratic curve as the cubic it equals */
    cairo_curve_to(p->cr, x0 + (x1 - x0) * 2 / 3, y0 + (y1 - y0) * 2 / 3, x2 + (x1 - x2) * 2 / 3,
                   y2 + (y1 - y2) * 2 / 3, x2, y2);
    return 0;
}

static int outline_cubic(const FT_Vector *c1, const FT_Vector *c2, const FT_Vector *to, void *ctx)
{
    const struct pen *p = ctx;
    cairo_curve_to(p->cr, at_x(p, c1), at_y(p, c1), at_x(p, c2), at_y(p, c2), at_x(p, to),
                   at_y(p, to));
    return 0;
}

void glyph_outline(cairo_t *cr, const struct glyph_key *key, double x, double y)
{
    static const FT_Outline_Funcs funcs = {
        outline_move, outline_line, outline_conic, outline_cubic, 0, 0
    };
    FT_Face face = load(key);
    if (face) {
        struct pen pen = { cr, x, y };
        FT_Outline_Decompose(&face->glyph->outline, &funcs, &pen);
        cairo_close_path(cr);
    }
}

void glyph_reset(void)
{
    for (size_t i = 0; table && i < SLOTS; i++) {
        if (table[i].glyph.mask) {
            cairo_surface_destroy(table[i].glyph.mask);
        }
    }
    free(table);
    table = NULL;
    filled = 0;
}
