#pragma once
#include <cairo.h>
#include <stdint.h>

#include "chart/font.h"

/* Glyph pictures for canvas_cairo. cairo rounds glyphs to whole pixels on image surfaces, which spaces small text
 * unevenly; these are rendered at quarter pixels by FreeType, unhinted, once, and stamped. Kept for the process, dropped by
 * font_reset. */
struct glyph_key {
    enum font_weight weight;
    unsigned codepoint;
    int size;    /* px in 1/64 */
    int quarter; /* horizontal shift in 1/4 px, 0..3 */
};
struct glyph {
    cairo_surface_t *mask; /* A8; NULL: nothing to draw (a space) */
    int left, top;         /* of the mask from the pen position, px, y downwards */
};
const struct glyph *glyph_find(const struct glyph_key *key);
/* Appends the outline at (x, y), for halos. */
void glyph_outline(cairo_t *cr, const struct glyph_key *key, double x, double y);
void glyph_reset(void);
