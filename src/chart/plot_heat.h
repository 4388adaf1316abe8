#pragma once
#include "chart/panel.h"
#include "chart/plot_scatter.h"

/* How often which value at which time: cells of x by log y, darker where more fell (reference/charts.md F13). One series a
 * panel. */
struct heat {
    struct panel panel;
    struct series series;
    const double *counts; /* nx columns of ny cells each: [column · ny + row], row 0 at y_low */
    size_t nx, ny;        /* at most 4,096 each */
    double x_low, x_high;
    double y_low, y_high;  /* > 0; rows are equally high on the log axis */
    const double *x_ticks; /* NULL: chosen */
    size_t n_x_ticks;
    const char *most;               /* the fullest cell as text, for the key: "12,300 I/Os" */
    const struct x_window *windows; /* hot spots; the whole height */
    size_t n_windows;
};
/* Counts are not copied. Value of a cell: 0.12 + 0.88 ln(1+c)/ln(1+cmax); empty cells stay blank. */
struct panel *plot_heat(struct arena *a, const struct heat *spec);
