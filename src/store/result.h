#pragma once
#include "model/record.h"
#include "store/db.h"

/* What a finished cell leaves, in one transaction: its result per direction, histograms, known percentiles, lines, and the
 * numbers no view can compute from them (tables latency, merged_latency, evenness). `cell` is the row id. */
int result_write(struct store *s, int64_t cell, const struct cell_result *r, struct error *e);

/* Percentile columns of the views, in order. */
enum { LATENCY_PERCENTILES = 6 };
extern const struct fraction latency_percentiles[LATENCY_PERCENTILES];

/* evenness.c: from the stored intervals of a cell. */
int evenness_write(struct store *s, int64_t cell, struct error *e);

/* hash.c: what store_data_hash needs of the many rows of a cell, so that no report has to read them all. */
int rows_hash_write(struct store *s, int64_t cell, struct error *e);

/* merged.c: of all repetitions like this cell that are done. */
int merged_write(struct store *s, int64_t cell, struct error *e);

/* Numbers of tables latency and merged_latency; absent is NaN. */
struct latency {
    double stddev_ns, p_ns[LATENCY_PERCENTILES];
};
struct latency latency_none(void);
/* hist may be NULL. */
struct latency latency_of(const struct moments *m, const struct hist *h);

/* Is column i the name of the one scheme we read? */
int col_scheme(const struct query *q, int i, struct error *e);
/* Decodes columns i (scheme) and i + 1 (bins) of the row. 1: there was one; 0: NULL; -1: damaged or of another scheme. */
int col_hist(const struct query *q, int i, struct hist *ret, struct error *e);
/* The same, added to a histogram. */
int col_hist_add(const struct query *q, int i, struct hist *into, struct error *e);
