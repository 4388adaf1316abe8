#pragma once
#include "base/error.h"
#include "base/str.h"
#include "chart/scene.h"

/* Draws a scene. Same scene, same bytes. Each canvas is one file canvas_*.c. */

/* Inline SVG for the page: real text, classes and presentation attributes, no style= and no id that could collide; colours are
 * CSS variables (fill="var(--s1)"). role=img with aria-label; tooltips as <title>. `standalone`: a file of its own, with literal
 * colours of the theme and, for "light", a prefers-color-scheme block; font-family names with fallbacks. */
struct svg_options {
    bool standalone;
    const struct theme *theme;       /* standalone only */
    const char *data_hash, *version; /* standalone: metadata; may be NULL */
    const char *
        scope; /* unique among the charts of one page: keeps the ids of equal masks apart; may be NULL */
};
int canvas_svg(const struct scene *s, const struct svg_options *o, struct str *out,
               struct error *e);

/* PNG file bytes (free with free()): scale 1 or 2 px per px, pHYs, and tEXt rows. Scenes side by side as one picture: nx columns. */
struct png_text {
    const char *key, *value;
};
struct png_options {
    const struct theme *theme;
    double scale;
    const struct png_text *text;
    size_t n_text;
};
int canvas_png(const struct scene *const *scenes, size_t n, int columns,
               const struct png_options *o, void **ret, size_t *ret_n, struct error *e);

/* One line a mark, for golden tests. */
void canvas_dump(const struct scene *s, struct str *out);
