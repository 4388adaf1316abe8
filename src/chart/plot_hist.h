#pragma once
#include "chart/panel.h"

/* Histograms on a shared log axis, one row a target, same height scale, so that equal areas are equal shares (mock/tokens.md
 * "Histogram"). */
struct hist_row {
    struct series series;
    const double *share; /* one a bin, >= 0; NaN counts as 0 */
    const char *peak;    /* the highest bin as text: "23.2 %" */
    const char *tooltip;
    const char *missing; /* instead of a row without data: "not measured: REASON" */
};
struct hist_rows {
    struct panel panel;
    const double *edges; /* n_bins + 1, ascending, > 0 */
    size_t n_bins;
    const struct hist_row *at;
    size_t n;
};
/* Edges and shares are not copied. */
struct panel *plot_hist(struct arena *a, const struct hist_rows *spec);
