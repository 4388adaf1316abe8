#pragma once
#include "chart/panel.h"

/* Share of values at or below x: x log, y 0 to 100 %. */
struct ecdf_point {
    double x;     /* > 0, ascending; others are left out */
    double share; /* 0..1 */
};
struct ecdf_line {
    struct series series;
    const struct ecdf_point *at;
    size_t n;
    const char *tooltip; /* of the curve's middle: "median 1.79 ms, …" */
};
struct ecdf {
    struct panel panel;
    const struct ecdf_line *at;
    size_t n;
    double x_low, x_high; /* NaN: the data's */
};
/* Points are not copied. */
struct panel *plot_ecdf(struct arena *a, const struct ecdf *spec);
