#pragma once
#include "chart/panel.h"

/* Horizontal bars from zero, linear, each row name above its bar (mock/tokens.md "Bars"). Rows are drawn in the order given. */
struct bar {
    struct series series;
    const char *name;    /* above the bar; NULL = series.name */
    double value;        /* NaN: missing */
    double low, high;    /* 95 % interval; NaN: none */
    const char *label;   /* value as text, with reservation marks: "26,200 †" */
    const char *missing; /* "not measured: REASON" */
    const char *tooltip;
};
struct bars {
    struct panel panel;
    const struct bar *at;
    size_t n;
    double reference; /* a labelled line (rated figure), NaN = none */
    const char *reference_label;
};
/* The spec is copied; strings are not. */
struct panel *plot_bars(struct arena *a, const struct bars *spec);
