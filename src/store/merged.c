#include <stdlib.h>

#include "base/oom.h"
#include "store/result.h"

/* Per direction, all last, over the repetitions. */
struct merged {
    bool any, hists, moments;
    struct moments m;
    struct hist h;
};

/* Columns i.. of a row: moments, scheme, bins. */
static int add_row(struct merged *into, const struct query *q, int i, struct error *e)
{
    struct moments m = col_moments(q, i);
    if (!into->any) {
        into->any = into->hists = into->moments = true;
        into->m = moments_zero();
        hist_clear(&into->h);
    }
    int has = col_hist_add(q, i + MOMENT_VALUES, &into->h, e);
    into->moments &= m.n > 0;
    moments_merge(&into->m, &m);
    into->hists &= has > 0;
    return has < 0 ? -1 : 0;
}

/* The directions are merged as they lie in the store, without decoding: a thousand repetitions renew this a thousand times. */
static int collect(struct store *s, int64_t cell, struct merged *into, struct error *e)
{
    QUERY q;
    if (db_query(s, ST_REPETITIONS, &q, e, v_int(cell)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        int d = col_direction(&q, 0, e);
        if (d < 0 || add_row(&into[d], &q, 1, e))
            return -1;
    }
    return rc;
}

static void add_all(struct merged *into)
{
    struct merged *all = &into[DIR_ALL];
    all->hists = all->moments = true;
    all->m = moments_zero();
    hist_clear(&all->h);
    for (int d = 0; d < DIR_COUNT; d++) {
        if (!into[d].any)
            continue;
        all->any = true;
        all->hists &= into[d].hists;
        all->moments &= into[d].moments;
        moments_merge(&all->m, &into[d].m);
        if (into[d].hists)
            hist_merge(&all->h, &into[d].h);
    }
}

int merged_write(struct store *s, int64_t cell, struct error *e)
{
    int64_t repetitions = 0;
    if (db_int(s, ST_REPETITIONS_COUNT, &repetitions, e, v_int(cell)) < 0)
        return -1;
    if (repetitions == 1) /* nothing to merge; an import's percentiles may stand */
        return db_run(s, ST_MERGED_COPY, e, v_int(cell));
    struct merged *all = xcalloc(DIR_ALL + 1, sizeof *all);
    int rc = collect(s, cell, all, e);
    add_all(all);
    for (int d = 0; d <= DIR_ALL && !rc; d++) {
        if (!all[d].any)
            continue;
        struct latency l = latency_none();
        if (all[d].moments)
            l = latency_of(&all[d].m, all[d].hists ? &all[d].h : NULL);
        rc = db_run(s, ST_MERGED_PUT, e, v_int(cell), v_int(d), v_real(l.stddev_ns),
                    v_real(l.p_ns[0]), v_real(l.p_ns[1]), v_real(l.p_ns[2]), v_real(l.p_ns[3]),
                    v_real(l.p_ns[4]), v_real(l.p_ns[5]));
    }
    free(all);
    return rc;
}
