#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The embedded subset fonts (fonts/README.md). Widths come from FreeType's unscaled advances, so that every canvas lays
 * out alike: no hinting, no kerning (reference/libraries.md §2). */
enum font_weight { FONT_REGULAR, FONT_MEDIUM, FONT_COUNT };

/* Width in units of `size` (px or pt) of UTF-8 text as drawn. */
double font_width(enum font_weight w, double size, const char *text);
/* Advance of one code point the font has. */
double font_advance(enum font_weight w, double size, uint32_t codepoint);
double font_ascent(enum font_weight w, double size);
/* Has the font a glyph for that code point? */
bool font_has(enum font_weight w, unsigned codepoint);
/* Bytes of the font file, for embedding. */
const void *font_bytes(enum font_weight w, size_t *ret_n);
/* FT_Face as void *, shared by canvas_cairo; lives as long as the process. */
void *font_face(enum font_weight w);
/* Frees the shared faces (leak checks); they are made again at need. */
void font_reset(void);
