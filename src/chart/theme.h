#pragma once
#include <stdint.h>

#include "base/str.h"

/* Colours by role, never by value: a scene names roles, a theme (or the page's CSS) gives the colours
 * (mock/tokens.md §1). Series roles take a slot 1..8; slots from 9 on repeat the colours with hollow markers. */
enum ink {
    INK_NONE, /* draws nothing */
    INK_BG,
    INK_RAISE,
    INK_INK,
    INK_INK2,
    INK_INK3,
    INK_RULE,
    INK_GRID,
    INK_AXIS,
    INK_DUTBG,
    INK_ZOOM,
    INK_WARN,
    INK_WARNB,
    INK_WARNBG,
    INK_MARK,    /* series: lines, markers, outlines, density */
    INK_TINT,    /* series: fill of peers' bars and boxes */
    INK_TEXT,    /* series: direct labels */
    INK_ON_MARK, /* text on a solid mark, whichever reaches 4.5:1 */
    INK_COUNT
};
enum { SERIES_SLOTS = 8 };

struct paint {
    enum ink ink;
    int slot; /* 1.. for the series roles, else 0 */
};

struct theme {
    const char *name;
    uint32_t base[INK_MARK]; /* 0xRRGGBB by role */
    uint32_t mark[SERIES_SLOTS], tint[SERIES_SLOTS], text[SERIES_SLOTS];
};

/* "light", "dark", "print" (light colours); NULL for another name. */
const struct theme *theme_find(const char *name);
uint32_t theme_rgb(const struct theme *t, struct paint p);
double contrast_ratio(uint32_t rgb_a, uint32_t rgb_b); /* WCAG 2, 1..21 */
/* Name of the CSS variable of a paint, without "--": "ink2", "s1", "s1t", "s1x", "on1". */
const char *paint_css_name(struct paint p);
/* Appends all colours as CSS declarations "--bg:#FFFFFF;--raise:…;--s1:…;--s1t:…;--s1x:…;--on1:…;". */
void theme_css(const struct theme *t, struct str *out);

/* Redundant codes of a slot (§1, "Series"). */
enum marker {
    MARKER_CIRCLE,
    MARKER_SQUARE,
    MARKER_UP,
    MARKER_DIAMOND,
    MARKER_DOWN,
    MARKER_PLUS,
    MARKER_CROSS,
    MARKER_RING
};
enum marker series_marker(int slot);
/* Dash of a slot as whole px, 0-terminated; {0} = solid. */
const int *series_dash(int slot);
