#pragma once
#include "report/spot.h"

/* What one cell tells about itself, or the part of it that a report is about: its histogram, and the 95 % intervals of its
 * means (reference/statistics.md §4.2) and of its 99th percentile (§5.4). */

/* All directions merged; *ret is NULL if there is none. A window's is the exact merge of its intervals' histograms; NULL if an
 * interval with I/O has none. */
int within_hist(struct store *s, struct arena *a, int64_t cell, const struct time_range *window,
                struct hist **ret, struct error *e);

/* Of the first repetition: fills metric[].within of IOPS, MB/s and the mean. */
int within_means(struct store *s, const struct spot_reps *reps, struct spot *ret, struct error *e);

/* Of the first repetition, whose histogram is h and percentile v->value: fills v->within; an upper end beyond the slowest I/O
 * leaves the interval open: v->high is INFINITY. Of more than 1,800 intervals every k-th is read, so that a run of days
 * costs no more than one of hours: the interval gets wider by that, never narrower. */
int within_p99(struct store *s, const struct spot_reps *reps, const struct hist *h, struct value *v,
               struct error *e);
