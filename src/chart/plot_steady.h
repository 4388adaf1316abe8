#pragma once
#include "chart/panel.h"

/* May the numbers be trusted: a value a round as % of the mean of the last rounds (the window), the band it must stay in and
 * the fitted line (mock/tokens.md "Steady"). */
struct steady_point {
    double percent; /* NaN: missing */
    const char *tooltip;
};
struct steady {
    struct panel panel;
    struct series series;
    const struct steady_point *at; /* round 1, 2, … */
    size_t n;
    size_t window;              /* rounds at the end; 0: none yet */
    double fit_first, fit_last; /* the fitted line at the window's ends, %; NaN: none */
    double band;                /* ± %, 10 */
};
struct panel *plot_steady(struct arena *a, const struct steady *spec);
