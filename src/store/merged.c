#include <stdlib.h>

#include "base/oom.h"
#include "store/result.h"

/* Per direction, all last, over the repetitions. */
struct merged {
    bool any, hists, moments;
    struct moments m;
    struct hist h;
};

static void add(struct merged *into, const struct moments *m, const struct hist *h)
{
    if (!into->any) {
        into->any = into->hists = into->moments = true;
        into->m = moments_zero();
        hist_clear(&into->h);
    }
    into->moments &= m->n > 0;
    moments_merge(&into->m, m);
    into->hists &= h != NULL;
    if (h)
        hist_merge(&into->h, h);
}

static int collect(struct store *s, int64_t cell, struct merged *into, struct hist *one,
                   struct error *e)
{
    QUERY q;
    if (db_query(s, ST_REPETITIONS, &q, e, v_int(cell)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        int d = col_direction(&q, 0, e);
        if (d < 0)
            return -1;
        struct moments m = col_moments(&q, 1);
        int has = col_hist(&q, 1 + MOMENT_VALUES, one, e);
        if (has < 0)
            return -1;
        add(&into[d], &m, has ? one : NULL);
        add(&into[DIR_ALL], &m, has ? one : NULL);
    }
    return rc;
}

int merged_write(struct store *s, int64_t cell, struct error *e)
{
    int64_t repetitions = 0;
    if (db_int(s, ST_REPETITIONS_COUNT, &repetitions, e, v_int(cell)) < 0)
        return -1;
    if (repetitions == 1) /* nothing to merge; an import's percentiles may stand */
        return db_run(s, ST_MERGED_COPY, e, v_int(cell));
    struct merged *all = xcalloc(DIR_ALL + 1, sizeof *all);
    struct hist *one = xmalloc(sizeof *one);
    int rc = collect(s, cell, all, one, e);
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
    free(one);
    free(all);
    return rc;
}
