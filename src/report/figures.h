#pragma once
#include "report/doc.h"
#include "report/standing.h"

/* From statistics to panels, words and data tables: the only place that tells a chart what its numbers mean. */

/* F0: IOPS, MB/s and average response time of one point as bars, each best first. */
struct figure *figure_bars(struct arena *a, const struct report_data *d,
                           const struct point_standing *st, const struct group_point *p);

/* F3 to F5: work over queue depth, response time over queue depth, response time against work. NULL if the points do not
 * differ in queue depth. */
struct figure *figure_overview(struct arena *a, const struct report_data *d,
                               const struct report_workload *w);

/* F2: the most work in each workload; with one or two workloads also the response time at the lowest depth of the first. */
struct figure *figure_headline(struct arena *a, const struct report_data *d);

/* Parts the figures share. */

/* A figure with a heading of level 3; its slug is its id. `title` may be set later. */
struct figure *figure_new(struct arena *a, const char *slug, const char *title,
                          const struct panel *const *panels, size_t n_panels);
/* Do values from low (> 0) to high span so much that their axis is logarithmic (reference/charts.md 3: more than 50)? */
bool wants_log(double low, double high);

/* "n = 5", or "one run". */
const char *figure_n(struct arena *a, const struct report_data *d);
/* What bars, whiskers and numbers are: "Median of 5 runs of 60 s; whiskers: …". */
const char *figure_interval_words(struct arena *a, const struct report_data *d);
/* Name, place, value with interval, n, reservations: one line each. */
const char *spot_tooltip(struct arena *a, const struct report_data *d, const struct group_point *p,
                         size_t subject, enum metric m);
/* "A 2,340 IOPS; B 2,290 IOPS; C not measured" */
const char *alt_values(struct arena *a, const struct report_data *d, const struct group_point *p,
                       enum metric m);
