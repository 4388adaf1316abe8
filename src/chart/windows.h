#pragma once
#include "chart/frame.h"
#include "chart/plot_scatter.h"

/* What plots over many moments share. */

/* A linear axis that ends where the data end, with the given ticks or chosen ones. */
struct moments {
    double low, high;
    const double *ticks; /* NULL: chosen */
    size_t n_ticks;
};
void axis_moments(struct axis *axis, const struct metrics *m, const struct moments *moments);
/* px of x, kept inside the plot. */
double window_px(const struct scale *x, double v);
/* Hot spots over the whole height of the plot. */
struct windows {
    const struct series *series;
    const struct x_window *at;
    size_t n;
};
void windows_draw(const struct frame *f, const struct windows *w, const struct scale *x);
