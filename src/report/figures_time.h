#pragma once
#include "report/figures.h"
#include "report/over_time.h"

/* Figures over time and of what happened in it (reference/charts.md F7 to F9, F11 to F14; mock/tokens.md "Scatter and density").
 * All need spot->detail (report/detail.h) and are NULL where no target has records. One panel a target, equal axes. */

/* The whole run, its window, and the window on a linear axis. With one or two targets one figure whose rows are targets, else
 * three figures. Returns how many were made, at most 3. */
enum { TIME_FIGURES = 3 };
size_t figures_time(struct arena *a, const struct report_data *d, const struct group_point *p,
                    struct figure *ret[TIME_FIGURES]);

/* IOPS or MB/s of each record over the whole run; `below`: limits to draw (report/limits.h), may be NULL. */
struct figure *figure_rate(struct arena *a, const struct report_data *d,
                           const struct group_point *p, const char *below);

/* Single I/Os of the window, from its merged histogram: percentiles, shares, histogram (figures_spread.c). */
struct figure *figure_spread(struct arena *a, const struct report_data *d,
                             const struct group_point *p);
/* Records of the window: shares of their averages, boxes of averages and of work. */
struct figure *figure_seconds(struct arena *a, const struct report_data *d,
                              const struct group_point *p);

/* Response times over time (figures_inside.c): all I/Os of the window as a heat map; the sampled ones of the run as dots. */
struct figure *figure_heat(struct arena *a, const struct report_data *d,
                           const struct group_point *p);
struct figure *figure_samples(struct arena *a, const struct report_data *d,
                              const struct group_point *p);

/* An empty figure of the point: its id and slug end in `name`, its title names the point if the workload has several. */
struct figure *figure_of_point(struct arena *a, const struct report_data *d,
                               const struct group_point *p, const char *name, const char *title);
/* "interrupted after 2 h" behind a subtitle, or "". */
const char *cut_words(struct arena *a, const struct spot *spot);
