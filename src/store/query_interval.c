#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/oom.h"
#include "store/batch.h"
#include "store/db.h"
#include "store/query.h"
#include "store/result.h"
#include "store/rows.h"

/* From this measured time on the seconds are enough (reference/statistics.md §4.2). */
#define SERIES_OF_SECONDS_FROM_NS (64 * NS_PER_S)

/* A number of records that is not believed before they are seen. */
enum { EXPECTED_MOST = 1 << 20 };

struct series {
    struct arena *arena;
    ROWS(struct series_row) rows;
    int64_t t;
    size_t base; /* first row of the interval at t */
    bool any, unbatched;
};

/* Element `at` of the interval at t; directions are added. */
static struct series_row *element(struct series *x, size_t at, uint64_t length_ns)
{
    if (x->base + at == x->rows.n)
        rows_push(x->arena, &x->rows)->seconds = (double)length_ns / 1e9;
    return &x->rows.at[x->base + at];
}

static void next_interval(struct series *x, int64_t t)
{
    if (!x->any || t != x->t)
        x->base = x->rows.n;
    x->any = true;
    x->t = t;
}

static void add_second(struct series *x, const struct query *q)
{
    struct series_row *r = element(x, 0, col_u64(q, 2));
    uint64_t ios = col_u64(q, 3);
    r->ios += (double)ios;
    r->bytes += (double)col_u64(q, 4);
    r->lat_sum_ns += ios && !col_u64(q, 5) ? (double)NAN : (double)col_u64(q, 6);
}

static int add_batches(struct series *x, const struct query *q, struct error *e)
{
    size_t n_blob, n;
    struct batch_row *b;
    const void *blob = col_blob(q, 7, &n_blob);
    if (batch_decode(blob, n_blob, x->arena, &b, &n, e))
        return error_wrap(e, "store '%s' is damaged", q->store->path);
    if (n == 0)
        x->unbatched = true;
    for (size_t i = 0; i < n; i++) {
        struct series_row *r = element(x, i, b[i].length_ns);
        r->ios += (double)b[i].ios;
        r->bytes += (double)b[i].bytes;
        r->lat_sum_ns += (double)b[i].lat_sum_ns;
    }
    return 0;
}

static int read_series(struct store *s, struct series *x, int64_t cell, enum direction d,
                       bool batches, struct error *e)
{
    QUERY q;
    if (db_query(s, ST_SERIES, &q, e, v_int(cell), d == DIR_ALL ? v_null() : v_int(d)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        next_interval(x, col_int(&q, 0));
        if (!batches)
            add_second(x, &q);
        else if (add_batches(x, &q, e))
            return -1;
        if (x->unbatched)
            return 0;
    }
    return rc;
}

int store_series(struct store *s, struct arena *a, int64_t cell, enum direction d,
                 struct series_row **ret, size_t *ret_n, struct error *e)
{
    int64_t measured_ns = 0;
    if (db_int(s, ST_MEASURED_NS, &measured_ns, e, v_int(cell)) < 0)
        return -1;
    struct series x = { .arena = a };
    if ((uint64_t)measured_ns < SERIES_OF_SECONDS_FROM_NS && read_series(s, &x, cell, d, true, e))
        return -1;
    if (x.unbatched || !x.any) {
        x = (struct series) { .arena = a };
        if (read_series(s, &x, cell, d, false, e))
            return -1;
    }
    *ret = x.rows.at;
    *ret_n = x.rows.n;
    return 0;
}

/* --- seconds -------------------------------------------------------------------------------------------------------- */

int store_seconds(struct store *s, struct arena *a, int64_t cell, struct second_row **ret,
                  size_t *ret_n, struct error *e)
{
    int64_t expected = 0;
    if (db_int(s, ST_EXPECTED_INTERVALS, &expected, e, v_int(cell)) < 0)
        return -1;
    ROWS(struct second_row) rows = { 0 };
    if (expected > 0 && expected < EXPECTED_MOST)
        rows.at = arena_array(a, struct second_row, rows.cap = (size_t)expected);
    QUERY q;
    if (db_query(s, ST_SERIES, &q, e, v_int(cell), v_null()))
        return -1;
    int rc;
    for (int64_t before = -1; (rc = db_step(&q, e)) == 1;) {
        int64_t t = col_int(&q, 0);
        if (!rows.n || t != before)
            *rows_push(a, &rows) = (struct second_row) {
                .start = (double)t / 1e9,
                .length = (double)col_u64(&q, 2) / 1e9,
            };
        before = t;
        struct second_row *r = &rows.at[rows.n - 1];
        r->ios += (double)col_u64(&q, 3);
        r->bytes += (double)col_u64(&q, 4);
        r->lat_n += (double)col_u64(&q, 5);
        r->lat_sum_ns += (double)col_u64(&q, 6);
    }
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

/* --- every interval through a callback ------------------------------------------------------------------------------ */

struct pass {
    struct interval interval;
    struct batch *batches; /* in scratch, or NULL */
    struct hist *hist[DIR_COUNT];
    struct arena *scratch; /* of one interval; NULL while nothing is in it */
};

static void pass_free(struct pass *p)
{
    for (int d = 0; d < DIR_COUNT; d++)
        free(p->hist[d]);
    arena_free(p->scratch);
    free(p);
}

static void pass_start(struct pass *p, int64_t t_ns, uint64_t length_ns)
{
    arena_free(p->scratch);
    p->scratch = NULL;
    p->batches = NULL;
    p->interval = (struct interval) { .t_ns = t_ns, .length_ns = length_ns };
    for (int d = 0; d < DIR_COUNT; d++)
        p->interval.dir[d].lat = moments_zero();
}

static int take_batches(struct pass *p, const struct query *q, int d, struct error *e)
{
    size_t n_blob, n;
    const void *blob = col_blob(q, 6 + MOMENT_VALUES, &n_blob);
    if (!n_blob)
        return 0;
    if (!p->scratch)
        p->scratch = arena_new();
    struct batch_row *rows;
    if (batch_decode(blob, n_blob, p->scratch, &rows, &n, e))
        return error_wrap(e, "store '%s' is damaged", q->store->path);
    if (!p->batches) {
        p->batches = arena_array(p->scratch, struct batch, n);
        p->interval.batches = p->batches;
        p->interval.n_batches = n;
    }
    if (n != p->interval.n_batches)
        return error_set(e, QD_E_FAIL, "store '%s' is damaged: batches of an interval differ",
                         q->store->path);
    for (size_t i = 0; i < n; i++) {
        p->batches[i].length_ns = rows[i].length_ns;
        p->batches[i].dir[d].ios = rows[i].ios;
        p->batches[i].dir[d].bytes = rows[i].bytes;
        p->batches[i].dir[d].lat_sum_ns = rows[i].lat_sum_ns;
    }
    return 0;
}

static int take_row(struct pass *p, const struct query *q, struct error *e)
{
    int d = col_direction(q, 1, e);
    if (d < 0)
        return -1;
    struct interval_direction *x = &p->interval.dir[d];
    x->asked = true;
    x->ios = col_u64(q, 3);
    x->bytes = col_u64(q, 4);
    x->errors = col_u64(q, 5);
    x->lat = col_moments(q, 6);
    if (take_batches(p, q, d, e))
        return -1;
    if (!p->hist[d] && !col_null(q, 8 + MOMENT_VALUES))
        p->hist[d] = xmalloc(sizeof *p->hist[d]);
    int has = col_hist(q, 7 + MOMENT_VALUES, p->hist[d], e);
    x->hist = has > 0 ? p->hist[d] : NULL;
    return has < 0 ? -1 : 0;
}

static int run_pass(struct pass *p, struct query *q, interval_fn *each, void *ctx, struct error *e)
{
    bool any = false;
    int rc;
    while ((rc = db_step(q, e)) == 1) {
        if (!any || col_int(q, 0) != p->interval.t_ns) {
            int stop = any ? each(ctx, &p->interval, e) : 0;
            if (stop)
                return stop;
            pass_start(p, col_int(q, 0), col_u64(q, 2));
            any = true;
        }
        if (take_row(p, q, e))
            return -1;
    }
    return rc || !any ? rc : each(ctx, &p->interval, e);
}

static int intervals_of(struct query *q, interval_fn *each, void *ctx, struct error *e)
{
    struct pass *p = xcalloc(1, sizeof *p);
    int rc = run_pass(p, q, each, ctx, e);
    pass_free(p);
    return rc < 0 ? -1 : 0;
}

int store_intervals_in(struct store *s, int64_t cell, const struct time_range *range,
                       interval_fn *each, void *ctx, struct error *e)
{
    QUERY q;
    if (db_query(s, ST_INTERVALS, &q, e, v_int(cell), v_int(range->from_ns), v_int(range->to_ns)))
        return -1;
    return intervals_of(&q, each, ctx, e);
}

int store_intervals(struct store *s, int64_t cell, bool histograms, interval_fn *each, void *ctx,
                    struct error *e)
{
    static const struct time_range all = { INT64_MIN, INT64_MAX };
    if (!histograms)
        return store_intervals_in(s, cell, &all, each, ctx, e);
    QUERY q;
    if (db_query(s, ST_INTERVALS_WITH_HISTOGRAMS, &q, e, v_int(cell)))
        return -1;
    return intervals_of(&q, each, ctx, e);
}

/* --- histograms alone ----------------------------------------------------------------------------------------------- */

static int give_histogram(const struct query *q, interval_histogram_fn *each, void *ctx,
                          struct error *e)
{
    int d = col_direction(q, 1, e);
    if (d < 0 || col_scheme(q, 2, e))
        return -1;
    size_t n;
    const void *blob = col_blob(q, 3, &n);
    int rc = each(ctx, col_int(q, 0), (enum direction)d, blob, n, e);
    return rc < 0 ? error_wrap(e, "cannot read the intervals in '%s'", q->store->path) : rc;
}

static int histograms_of(struct query *q, interval_histogram_fn *each, void *ctx, struct error *e)
{
    int rc;
    while ((rc = db_step(q, e)) == 1) {
        rc = give_histogram(q, each, ctx, e);
        if (rc)
            break;
    }
    return rc < 0 ? -1 : 0;
}

int store_interval_histograms(struct store *s, int64_t cell, const struct time_range *range,
                              interval_histogram_fn *each, void *ctx, struct error *e)
{
    QUERY q;
    if (db_query(s, ST_INTERVAL_HISTOGRAMS, &q, e, v_int(cell), v_int(range->from_ns),
                 v_int(range->to_ns)))
        return -1;
    return histograms_of(&q, each, ctx, e);
}

int store_some_histograms(struct store *s, int64_t cell, const struct time_steps *steps,
                          interval_histogram_fn *each, void *ctx, struct error *e)
{
    QUERY q;
    if (db_query(s, ST_SOME_HISTOGRAMS, &q, e, v_int(cell), v_int(steps->from_ns),
                 v_int(steps->to_ns), v_int(steps->stride_ns)))
        return -1;
    return histograms_of(&q, each, ctx, e);
}
