#pragma once
#include "chart/panel.h"

/* One value a moment, many moments: dots up to 10,000 points, above that a density raster (mock/tokens.md "Scatter and
 * density"). A strip under the plot holds the moments without a value, which have no place on the axis. */
struct x_window {
    double from, to; /* of x */
    const char *tooltip;
};
/* A value to compare with, named at the right end; nothing is drawn of one outside the axis. */
struct y_line {
    double y;
    const char *label;
};
struct scatter {
    struct panel panel;
    struct series series;
    const double *x, *y; /* y NaN (on a log axis also 0): no value */
    size_t n;
    bool log_y;
    double x_low, x_high;  /* NaN: the data's */
    double y_low, y_high;  /* the same in all panels of a figure; NaN: the data's */
    const double *x_ticks; /* NULL: chosen */
    size_t n_x_ticks;
    const char *strip;              /* name of the strip, "stalled"; NULL: none is drawn */
    struct x_window zoom;           /* shaded, named by its tooltip ("zoom"); from NaN: none */
    const struct x_window *windows; /* hot spots; the whole height */
    size_t n_windows;
    double band_low, band_high; /* shaded behind the dots; equal: none */
    const struct y_line *lines;
    size_t n_lines;
};
/* The arrays are not copied. */
struct panel *plot_scatter(struct arena *a, const struct scatter *spec);
