#pragma once
#include "chart/frame.h"
#include "chart/plot_scatter.h"

/* What plots over many moments share. */

/* A linear axis that ends where the data end, with the given ticks or chosen ones. */
void axis_moments(struct axis *axis, const struct metrics *m, double low, double high,
                  const double *ticks, size_t n);
/* px of x, kept inside the plot. */
double window_px(const struct scale *x, double v);
/* Hot spots over the whole height of `plot`. */
void windows_draw(struct scene *s, const struct series *series, const struct x_window *at, size_t n,
                  const struct scale *x, const struct box *plot);
