#pragma once
#include "chart/panel.h"

/* Percentiles up to the tail: x = -log10(1 - p), one more nine a step, y log (mock/tokens.md "Nines"). The caller ends a curve
 * where fewer than 10 samples lie beyond; the end gets a bar. */
struct nines_point {
    double p;     /* share of values at or below, 0 <= p < 1, ascending */
    double value; /* > 0; others are left out */
};
struct nines_mark { /* hot spot and marker, usually at whole nines */
    double p, value;
    const char *tooltip;
};
struct nines_line {
    struct series series;
    const struct nines_point *at;
    size_t n;
    const struct nines_mark *mark;
    size_t n_marks;
};
struct nines {
    struct panel panel;
    const struct nines_line *at;
    size_t n;
    double y_low, y_high; /* NaN: the data's */
};
/* Points and marks are not copied. */
struct panel *plot_nines(struct arena *a, const struct nines *spec);
