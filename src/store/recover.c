#include "store/recover.h"

#include <math.h>
#include <stdlib.h>

#include "base/oom.h"
#include "store/process.h"
#include "store/result.h"

#define REASON "the program ended while it was measured"

/* The sum of a cell's measured intervals. */
struct sum {
    struct cell_result result;
    struct hist hist[DIR_COUNT], one;
    bool no_hist[DIR_COUNT]; /* an interval with I/Os had none */
    int64_t first_t, last_t, last_end;
    bool any;
};

static int add_row(struct sum *x, const struct query *q, struct error *e)
{
    int at = col_direction(q, 1, e);
    if (at < 0)
        return -1;
    int64_t t = col_int(q, 0);
    struct direction_result *d = &x->result.dir[at];
    struct hist *h = &x->hist[at];
    if (!x->any)
        x->first_t = t;
    x->last_end = t + col_int(q, 2);
    bool new_second = !x->any || t != x->last_t;
    x->any = true;
    x->last_t = t;
    if (t < 0)
        return 0;
    if (new_second)
        x->result.measured_ns += col_u64(q, 2);
    if (!d->asked) {
        d->asked = true;
        d->lat = moments_zero();
        hist_clear(h);
    }
    d->ios += col_u64(q, 3);
    d->bytes += col_u64(q, 4);
    d->errors += col_u64(q, 5);
    struct moments m = col_moments(q, 6);
    moments_merge(&d->lat, &m);
    d->lat_max_ns = d->lat.max;
    int has = col_hist(q, 6 + MOMENT_VALUES, &x->one, e);
    if (has > 0)
        hist_merge(h, &x->one);
    else if (col_u64(q, 3))
        x->no_hist[at] = true;
    return has < 0 ? -1 : 0;
}

static int recover_cell(struct store *s, int64_t cell, int64_t started_ns, struct sum *x,
                        struct error *e)
{
    *x = (struct sum) { .result = { .status = CELL_INTERRUPTED,
                                    .reason = REASON,
                                    .achieved_depth = (double)NAN,
                                    .worker_busy = (double)NAN,
                                    .steady = -1 } };
    QUERY q;
    if (db_query(s, ST_INTERVALS_TO_SUM, &q, e, v_int(cell)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        if (add_row(x, &q, e))
            return -1;
    if (rc < 0)
        return -1;
    x->result.finished_ns = started_ns + (x->any ? x->last_end - x->first_t : 0);
    for (int d = 0; d < DIR_COUNT; d++)
        if (x->result.dir[d].asked && !x->no_hist[d])
            x->result.dir[d].hist = &x->hist[d];
    if (result_write(s, cell, &x->result, e))
        return -1;
    return db_run(s, ST_CELL_ENGINE_UNKNOWN, e, v_int(cell));
}

int recover_cells(struct store *s, int64_t run, struct error *e)
{
    int64_t cell = 0;
    int rc;
    struct sum *x = xmalloc(sizeof *x);
    while ((rc = db_int(s, ST_CELL_RUNNING, &cell, e, v_int(run))) == 1) {
        int64_t started = 0;
        if (db_int(s, ST_CELL_STARTED, &started, e, v_int(cell)) < 0 ||
            recover_cell(s, cell, started, x, e)) {
            rc = -1;
            break;
        }
    }
    free(x);
    return rc;
}

int recover_run(struct store *s, int64_t run, struct error *e)
{
    if (db_begin(s, e))
        return -1;
    int rc = recover_cells(s, run, e);
    if (!rc)
        rc = db_run(s, ST_RUN_BROKEN, e, v_int(run));
    return db_end(s, rc, e);
}

/* Ids of the runs whose process is gone. */
struct runs {
    int64_t *at;
    size_t n, cap;
};

static int find_dead(struct store *s, struct runs *ret, struct error *e)
{
    QUERY q;
    if (db_query_(s, ST_RUNS_RUNNING, NULL, 0, &q, e))
        return -1;
    struct arena *a = arena_new();
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        if (process_is_dead(col_text(a, &q, 1)))
            *array_push(ret) = col_int(&q, 0);
    arena_free(a);
    return rc;
}

static int recover_found(struct store *s, struct error *e)
{
    struct runs dead = { 0 };
    int rc = find_dead(s, &dead, e);
    for (size_t i = 0; i < dead.n && !rc; i++)
        rc = recover_cells(s, dead.at[i], e) || db_run(s, ST_RUN_BROKEN, e, v_int(dead.at[i])) ? -1
                                                                                               : 0;
    array_free(&dead);
    return rc;
}

bool recover_needed(struct store *s)
{
    struct error ignored;
    struct runs dead = { 0 };
    bool any = find_dead(s, &dead, &ignored) == 0 && dead.n > 0;
    array_free(&dead);
    return any;
}

/* Looks first without a lock, and again with it: another process may have recovered or resumed the run. */
int recover_dead_runs(struct store *s, struct error *e)
{
    struct runs dead = { 0 };
    int rc = find_dead(s, &dead, e);
    bool any = dead.n > 0;
    array_free(&dead);
    if (rc || !any)
        return rc;
    if (db_begin(s, e))
        return -1;
    return db_end(s, recover_found(s, e), e);
}
