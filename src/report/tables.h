#pragma once
#include "report/doc.h"
#include "report/standing.h"

/* The tables of a report (mock/tokens.md §7). NULL where there is nothing to show. */

/* Measures of the device under test against the best peer, corrected for their number (Benjamini–Hochberg). */
const struct table *table_scorecard(struct arena *a, const struct report_data *d);

/* Behind figures: one point, all metrics with interval; one workload by depth; the headline bars. */
const struct table *table_point(struct arena *a, const struct report_data *d,
                                const struct group_point *p);
const struct table *table_depths(struct arena *a, const struct report_data *d,
                                 const struct report_workload *w);

const struct table *table_percentiles(struct arena *a, const struct report_data *d,
                                      const struct report_workload *w);
const struct table *table_results(struct arena *a, const struct report_data *d);

/* Environment (tables_environment.c). */
const struct table *table_targets(struct arena *a, const struct report_data *d);
const struct table *table_host(struct arena *a, const struct report_data *d);
const struct table *table_engine(struct arena *a, const struct report_data *d);
const struct table *table_sources(struct arena *a, const struct report_data *d);
/* What was asked and what was achieved, a row a target. */
const struct table *table_achieved(struct arena *a, const struct report_data *d);

/* A measure of the scorecard and of the headline bars: at each subject its own point (most work) or the same for all. */
struct measure {
    const struct report_workload *workload;
    enum metric metric;
    const char *name;      /* "Most IOPS, any depth" */
    const char *condition; /* "queue depth 1"; NULL: any depth */
    const size_t *points;  /* by subject: index into workload->points, SIZE_MAX missing */
};
/* All measures of a workload, in the scorecard's order. */
size_t measures_of(struct arena *a, const struct report_data *d, const struct report_workload *w,
                   struct measure ret[5]);
const struct spot *measure_spot(const struct measure *m, size_t subject); /* NULL: missing */
/* Subjects by that measure, best first. */
const size_t *measure_order(struct arena *a, const struct report_data *d, const struct measure *m,
                            size_t *ret_n);
