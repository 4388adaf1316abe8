#pragma once
#include "chart/panel.h"

/* Spread at one glance: quartiles, median, whiskers from 2 % to 98 %, one row a target in the order given (mock/tokens.md
 * "Box"). A row with dots shows its values themselves and their median instead of a box: repetitions, run to run
 * (reference/charts.md F17). */
struct box_row {
    struct series series;
    double q02, q25, q50, q75, q98; /* ascending; any NaN: missing */
    const char *label;              /* the median as text, with reservation marks */
    const char *missing;            /* "not measured: REASON" */
    const char *tooltip;
    const double
        *dots; /* NULL: a box; else n_dots values, q02 the least of them and q98 the most */
    size_t n_dots;
};
struct box_rows {
    struct panel panel;
    const struct box_row *at;
    size_t n;
    bool log_x; /* when the values span more than 1 : 50; say so in x_title */
};
struct panel *plot_box(struct arena *a, const struct box_rows *spec);
