#pragma once
#include "report/data.h"
#include "report/doc.h"

/* Figures of what a matrix sweeps besides queue depth, of repetitions, and of two targets as before and after. NULL where the
 * data have nothing of the kind. */

/* F3: work and response time at each point of a workload as upright bars in the matrix's order. At most 8 targets: more are
 * lines (figure_overview) or a table. */
struct figure *figure_columns(struct arena *a, const struct report_data *d,
                              const struct report_workload *w);
/* F18: queue depth × workers of a workload, a shaded table of numbers a target. */
struct figure *figure_grid(struct arena *a, const struct report_data *d,
                           const struct report_workload *w);
/* F18, F15: read share × size over the variants of a workload. It belongs to the first of them, for the others NULL. */
struct figure *figure_mix(struct arena *a, const struct report_data *d,
                          const struct report_workload *w);
/* F6: throughput and IOPS against transfer size over the variants of a workload with the same reads; the first of them has it. */
struct figure *figure_sizes(struct arena *a, const struct report_data *d,
                            const struct report_workload *w);
/* The other target as before, the device under test as after; exactly two targets. */
struct figure *figure_change(struct arena *a, const struct report_data *d,
                             const struct report_workload *w);
/* F17: a dot for each repetition of a point. */
struct figure *figure_repeats(struct arena *a, const struct report_data *d,
                              const struct group_point *p);
