#pragma once
#include "report/doc.h"
#include "report/over_time.h"

/* Tables of the records of one point (reference/statistics.md §1, §3); NULL where no target has any. */

/* Mean, σ, variance, quantiles, band and stalls of the records' averages: of the whole run and its window, or, behind a figure,
 * of one of the two. */
enum evenness_rows { EVENNESS_BOTH, EVENNESS_RUN, EVENNESS_WINDOW };
const struct table *table_evenness(struct arena *a, const struct report_data *d,
                                   const struct group_point *p, enum evenness_rows rows);
const char *evenness_id(struct arena *a, const struct group_point *p); /* of the table of both */

/* Share of the records' averages below thresholds: those the template states ("0.5ms 0.52ms"), or, for NULL, chosen from the
 * pooled points of all targets. */
const struct table *table_shares(struct arena *a, const struct report_data *d,
                                 const struct group_point *p, const char *thresholds);

/* Stretches below limits ("90% 400MB/s"): how many, how long, the longest, the first. */
const struct table *table_drops(struct arena *a, const struct report_data *d,
                                const struct group_point *p, const char *below);
