#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "chart/font.h"

/* Text as charts draw it: what the font lacks, cutting and wrapping by measured width. */

/* The code point drawn for cp: itself, '?' where the font has no glyph, a space for control characters, 0 (nothing) for
 * invisible ones such as joiners and direction marks. */
uint32_t text_drawn(enum font_weight w, uint32_t cp);
/* `text` with those replacements; the same pointer if nothing changes. */
const char *text_drawable(struct arena *a, enum font_weight w, const char *text);

/* Cuts at the end with "…" so that it is at most `width` wide; the same pointer if it fits. */
const char *text_elide(struct arena *a, enum font_weight w, double size, const char *text,
                       double width);

/* Greedy lines of at most `width`, broken at spaces (never at no-break spaces), inside a word only if it alone is too
 * wide. Empty or NULL text has no lines. */
struct text_lines {
    const char **at;
    size_t n;
};
struct text_lines text_wrap(struct arena *a, enum font_weight w, double size, const char *text,
                            double width);
