#include "store/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"

const struct fraction latency_percentiles[LATENCY_PERCENTILES] = {
    { 1, 2 }, { 9, 10 }, { 19, 20 }, { 99, 100 }, { 999, 1000 }, { 9999, 10000 },
};

struct latency latency_none(void)
{
    struct latency l = { .stddev_ns = (double)NAN };
    for (int i = 0; i < LATENCY_PERCENTILES; i++)
        l.p_ns[i] = (double)NAN;
    return l;
}

struct latency latency_of(const struct moments *m, const struct hist *h)
{
    struct latency l = latency_none();
    l.stddev_ns = moments_deviation(m);
    for (int i = 0; h && i < LATENCY_PERCENTILES; i++)
        l.p_ns[i] = hist_percentile_or_nan(h, latency_percentiles[i]);
    return l;
}

int col_scheme(const struct query *q, int i, struct error *e)
{
    const char *scheme = (const char *)sqlite3_column_text(q->stmt, i);
    if (scheme && strcmp(scheme, HIST_SCHEME) == 0)
        return 0;
    return error_set(e, QD_E_FAIL, "cannot read a histogram in '%s': scheme '%s' is not known",
                     q->store->path, scheme ? scheme : "");
}

/* 1 with the bins of a histogram, 0 for none. */
static int col_bins(const struct query *q, int i, const void **bins, size_t *n, struct error *e)
{
    if (col_null(q, i + 1))
        return 0;
    if (col_scheme(q, i, e))
        return -1;
    *bins = col_blob(q, i + 1, n);
    return 1;
}

int col_hist(const struct query *q, int i, struct hist *ret, struct error *e)
{
    const void *bins;
    size_t n;
    int rc = col_bins(q, i, &bins, &n, e);
    if (rc == 1 && hist_decode(bins, n, ret, e))
        return error_wrap(e, "store '%s' is damaged", q->store->path);
    return rc;
}

int col_hist_add(const struct query *q, int i, struct hist *into, struct error *e)
{
    const void *bins;
    size_t n;
    int rc = col_bins(q, i, &bins, &n, e);
    if (rc == 1 && hist_merge_blob(into, bins, n, e))
        return error_wrap(e, "store '%s' is damaged", q->store->path);
    return rc;
}

static int write_latency(struct store *s, int64_t cell, int direction, const struct latency *l,
                         struct error *e)
{
    return db_run(s, ST_LATENCY_INSERT, e, v_int(cell), v_int(direction), v_real(l->stddev_ns),
                  v_real(l->p_ns[0]), v_real(l->p_ns[1]), v_real(l->p_ns[2]), v_real(l->p_ns[3]),
                  v_real(l->p_ns[4]), v_real(l->p_ns[5]));
}

/* A percentile the import knows, where it is one value and enough I/Os lie beyond it. */
static double known(const struct direction_result *x, struct fraction p)
{
    for (size_t i = 0; i < x->n_percentiles; i++) {
        const struct known_percentile *k = &x->percentiles[i];
        bool same = k->p.num * p.den == p.num * k->p.den;
        if (same && k->low_ns >= k->high_ns && (!x->ios || percentile_printable(x->ios, p)))
            return k->low_ns;
    }
    return (double)NAN;
}

static struct latency latency_of_direction(const struct direction_result *x)
{
    struct latency l = latency_of(&x->lat, x->hist);
    for (int i = 0; !x->hist && i < LATENCY_PERCENTILES; i++)
        l.p_ns[i] = known(x, latency_percentiles[i]);
    return l;
}

/* Of all directions: from the merged histogram; an import's percentiles only if there is nothing to merge, or it knows those of all. */
static struct latency latency_of_all(const struct cell_result *r)
{
    const struct direction_result *only = NULL;
    int n = 0;
    uint64_t ios = 0;
    bool hists = true, moments = true;
    for (int d = 0; d < DIR_COUNT; d++) {
        const struct direction_result *x = &r->dir[d];
        if (!x->ios)
            continue;
        only = x;
        n++;
        ios += x->ios;
        hists &= x->hist != NULL;
        moments &= x->lat.n > 0;
    }
    if (n == 1)
        return latency_of_direction(only);
    struct latency l = latency_none();
    const struct direction_result all = { .percentiles = r->percentiles,
                                          .n_percentiles = r->n_percentiles,
                                          .ios = ios };
    for (int i = 0; i < LATENCY_PERCENTILES; i++)
        l.p_ns[i] = known(&all, latency_percentiles[i]);
    if (n == 0 || !moments)
        return l;
    struct moments m = moments_zero();
    struct hist *h = xmalloc(sizeof *h);
    hist_clear(h);
    for (int d = 0; d < DIR_COUNT; d++) {
        if (!r->dir[d].ios)
            continue;
        moments_merge(&m, &r->dir[d].lat);
        if (hists)
            hist_merge(h, r->dir[d].hist);
    }
    if (hists)
        l = latency_of(&m, h);
    l.stddev_ns = moments_deviation(&m);
    free(h);
    return l;
}

static int write_histogram(struct store *s, int64_t cell, int d, const struct hist *h,
                           struct error *e)
{
    struct arena *a = arena_new();
    void *bins;
    size_t n;
    hist_encode(h, a, &bins, &n);
    int rc = db_run(s, ST_HISTOGRAM_INSERT, e, v_int(cell), v_int(d), v_text(HIST_SCHEME),
                    v_blob(bins, n));
    arena_free(a);
    return rc;
}

static int write_percentiles(struct store *s, int64_t cell, int d, const struct direction_result *x,
                             struct error *e)
{
    for (size_t i = 0; i < x->n_percentiles; i++) {
        const struct known_percentile *k = &x->percentiles[i];
        if (db_run(s, ST_PERCENTILE_INSERT, e, v_int(cell), v_int(d), v_u64(k->p.num),
                   v_u64(k->p.den), v_real(k->low_ns), v_real(k->high_ns), v_text(k->origin)))
            return -1;
    }
    return 0;
}

static int write_direction(struct store *s, int64_t cell, int d, const struct direction_result *x,
                           struct error *e)
{
    struct value m[MOMENT_VALUES];
    v_moments(&x->lat, m);
    if (db_run(s, ST_RESULT_INSERT, e, v_int(cell), v_int(d), v_u64(x->ios), v_u64(x->bytes),
               v_u64(x->errors), m[0], m[1], m[2], m[3], m[4], m[5], v_nonzero(x->lat_max_ns)))
        return -1;
    if (x->hist && write_histogram(s, cell, d, x->hist, e))
        return -1;
    if (write_percentiles(s, cell, d, x, e))
        return -1;
    struct latency l = latency_of_direction(x);
    return write_latency(s, cell, d, &l, e);
}

static int write_lines(struct store *s, int64_t cell, const struct cell_result *r, struct error *e)
{
    struct arena *a = arena_new();
    int rc = 0;
    for (size_t i = 0; i < r->n_lines && !rc; i++) {
        const struct line_result *l = &r->lines[i];
        void *bins = NULL;
        size_t n = 0;
        if (l->hist)
            hist_encode(l->hist, a, &bins, &n);
        rc = db_run(s, ST_LINE_RESULT_INSERT, e, v_int(cell), v_int(l->line), v_int(l->direction),
                    v_u64(l->ios), v_u64(l->bytes), v_text(l->hist ? HIST_SCHEME : NULL),
                    v_blob(bins, n));
    }
    arena_free(a);
    return rc;
}

static int write_outcome(struct store *s, int64_t cell, const struct cell_result *r,
                         struct error *e)
{
    bool measured = r->measured_ns > 0;
    bool cpu = r->cpu_user_ns || r->cpu_system_ns; /* an import does not know them */
    return db_run(s, ST_CELL_END, e, v_int(cell), v_text(cell_status_name(r->status)),
                  v_text(r->reason), v_text(engine_used_name(r->engine)),
                  measured ? v_int(r->direct) : v_null(), v_int(r->finished_ns),
                  v_nonzero(r->measured_ns), cpu ? v_u64(r->cpu_user_ns) : v_null(),
                  cpu ? v_u64(r->cpu_system_ns) : v_null(), v_nonzero(r->context_switches),
                  v_real(r->achieved_depth), v_real(r->worker_busy),
                  measured ? v_u64(r->in_flight_at_end) : v_null(),
                  measured ? v_u64(r->oldest_in_flight_ns) : v_null(), v_nonzero(r->span_bytes),
                  v_nonzero(r->covered_bytes), r->steady < 0 ? v_null() : v_int(r->steady),
                  r->seen.device ? v_u64(r->seen.device_read_bytes) : v_null(),
                  r->seen.device ? v_u64(r->seen.device_written_bytes) : v_null(),
                  r->seen.threads ? v_int(r->seen.kernel_workers) : v_null(), v_int(r->rates_only),
                  v_int(r->source));
}

int result_write(struct store *s, int64_t cell, const struct cell_result *r, struct error *e)
{
    if (write_outcome(s, cell, r, e))
        return -1;
    bool any = false;
    for (int d = 0; d < DIR_COUNT; d++) {
        const struct direction_result *x = &r->dir[d];
        if (!x->asked && !x->ios && !x->errors)
            continue;
        any = true;
        if (write_direction(s, cell, d, x, e))
            return -1;
    }
    if (rows_hash_write(s, cell, e))
        return -1;
    if (!any)
        return 0;
    struct latency all = latency_of_all(r);
    const struct direction_result known_of_all = { .percentiles = r->percentiles,
                                                   .n_percentiles = r->n_percentiles };
    if (write_percentiles(s, cell, DIR_ALL, &known_of_all, e))
        return -1;
    if (write_latency(s, cell, DIR_ALL, &all, e) || write_lines(s, cell, r, e) ||
        evenness_write(s, cell, e))
        return -1;
    return r->status == CELL_DONE ? merged_write(s, cell, e) : 0;
}
