#pragma once
#include "chart/panel.h"

/* Upright bars from zero, linear, side by side in groups of fixed order: a group a queue depth, fill or size, a bar a target in
 * the order given. A key above the plot names them; a marker stands on each bar that has room for it, so that colour never
 * speaks alone. Values are written on the bars only where all fit. */
struct grouped_value {
    double value;      /* >= 0; NaN: missing, a low dashed box */
    double low, high;  /* 95 % interval; NaN: none */
    const char *label; /* value as text, with reservation marks */
    const char *tooltip;
};
struct grouped_series {
    struct series series;
    const struct grouped_value *at; /* one a group */
};
struct grouped {
    struct panel panel;
    const char *const *groups;
    size_t n_groups;
    const struct grouped_series *at;
    size_t n;
};
/* Values and names are not copied. */
struct panel *plot_grouped(struct arena *a, const struct grouped *spec);
