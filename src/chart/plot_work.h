#pragma once
#include "chart/panel.h"

/* Work against response time ("hockey stick"): both axes log, points named by depth, a ring on the lowest depth that reaches
 * 95 % of the peak (mock/tokens.md "Work against response time"). */
struct work_point {
    double x, y;       /* NaN: left out */
    const char *label; /* "32" */
    bool ring, not_reached;
    const char *tooltip;
};
struct work_line {
    struct series series;
    const struct work_point *at;
    size_t n;
};
struct work {
    struct panel panel;
    const struct work_line *at;
    size_t n;
    double reference; /* a limit of y, dashed; NaN: none */
    const char *reference_label;
};
struct panel *plot_work(struct arena *a, const struct work *spec);
