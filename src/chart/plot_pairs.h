#pragma once
#include "chart/panel.h"

/* Before and after: one row a measure point, a hollow marker for the first series, a filled one for the second, the line between
 * them is the change. Dots, so the axis need not start at zero. Rows are drawn in the order given. */
struct pair {
    const char *name;     /* "queue depth 4" */
    double before, after; /* NaN: missing */
    const char *label;    /* the change as text: "+18 %" */
    const char *tooltip;
    const char *missing; /* "not measured: REASON", where one is missing */
};
struct pairs {
    struct panel panel;
    struct series before, after;
    const struct pair *at;
    size_t n;
    bool log_x; /* say so in x_title */
};
/* Rows are not copied. */
struct panel *plot_pairs(struct arena *a, const struct pairs *spec);
