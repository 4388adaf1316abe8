#pragma once
#include <math.h>

#include "chart/canvas.h"
#include "chart/scale.h"

/* A panel is the unit of figures: one chart with its own title at a real width (mock/tokens.md §4). Report code fills a spec
 * (plot_*.h), and gets a panel; HTML, PNG and PDF lay it out again at their own width.
 *
 * To add a chart: write chart/plot_NAME.{h,c} with a spec and a function `struct panel *plot_NAME(arena, spec)`; add its golden
 * test in tests/unit/chart; use it in report/figures. Nothing else changes. */

enum medium { MEDIUM_SCREEN, MEDIUM_PRINT };
struct look {
    enum medium medium;
    double width;         /* px */
    double header_height; /* 0 = own; else the tallest of the figure's panels */
};
double look_panel_width(enum medium m, bool bars); /* design widths of tokens.md §4 */

struct panel;
struct panel_ops {
    struct scene *(*draw)(const struct panel *p, struct arena *a, const struct look *look);
};
/* Texts all plots share; the first member of every plot's spec. */
struct panel {
    const struct panel_ops *ops;
    const char *title;    /* a finding of at most 48 characters, else a question, else the metric */
    const char *subtitle; /* "workload, queue depth 4 · higher is better · n = 5" */
    const char
        *direction; /* "higher is better"; print puts it right of the title of bars; may be NULL */
    const char *y_title, *x_title;
    const char *alt; /* one sentence with the values */
    bool bars;       /* wants the narrower panel of bars in print */
};
struct scene *panel_draw(const struct panel *p, struct arena *a, const struct look *look);
/* Height of title and subtitle at that width, wrapped. */
double panel_header_height(const struct panel *p, const struct look *look);
/* The tallest header of n panels. */
double panels_header_height(const struct panel *const *panels, size_t n, const struct look *look);

/* A series as all plots know it: one target. */
struct series {
    const char *name, *short_name;
    int slot;         /* 1.. */
    bool highlighted; /* the device under test: solid, thicker, medium weight */
};
