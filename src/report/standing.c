#include "report/standing.h"

#include <math.h>

#include "base/array.h"
#include "report/words.h"

static bool better(double x, double y, enum metric m)
{
    return metric_lower_is_better(m) ? x < y : x > y;
}

const size_t *best_first(struct arena *a, const struct report_data *d, const struct group_point *p,
                         enum metric m, size_t *ret_n)
{
    size_t *order = arena_array(a, size_t, d->n_subjects), n = 0;
    for (size_t i = 0; i < d->n_subjects; i++) {
        double v = p->spots[i].metric[m].value;
        if (isnan(v))
            continue;
        size_t k = n++;
        for (; k > 0 && better(v, p->spots[order[k - 1]].metric[m].value, m); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    *ret_n = n;
    return order;
}

struct comparison compare_values(const struct value *a, const struct value *b, enum metric m)
{
    struct comparison c = compare_means(&a->side, &b->side, metric_lower_is_better(m));
    if (c.verdict == VERDICT_NOT_COMPARABLE || (!isinf(a->high) && !isinf(b->high)))
        return c;
    /* only latencies are open: the ratio is a / b */
    c.low = isinf(b->high) ? 0 : c.low;
    c.high = isinf(a->high) ? (double)INFINITY : c.high;
    c.p = c.adjusted_p = NAN;
    c.verdict = VERDICT_UNCLEAR;
    return c;
}

static struct comparison compare(const struct group_point *p, enum metric m, size_t peer,
                                 size_t subject)
{
    return compare_values(&p->spots[peer].metric[m], &p->spots[subject].metric[m], m);
}

/* All comparisons of the report in one array: for each point the leader against all, then the device under test against all
 * unless it leads. */
struct family {
    ARRAY(struct comparison) all;
    size_t *lead, *dut; /* first comparison of each point; SIZE_MAX none */
};

static void compare_point(struct family *f, const struct report_data *d, size_t point,
                          const struct point_standing *st)
{
    const struct group_point *p = &d->points[point];
    f->lead[point] = f->all.n;
    for (size_t i = 0; i < st->n; i++)
        if (i > 0)
            *array_push(&f->all) = compare(p, st->metric, st->order[i], st->order[0]);
    f->dut[point] = SIZE_MAX;
    bool measured = !isnan(p->spots[d->highlighted].metric[st->metric].value);
    if (!measured || st->n < 2 || st->order[0] == d->highlighted)
        return;
    f->dut[point] = f->all.n;
    for (size_t i = 0; i < st->n; i++)
        if (st->order[i] != d->highlighted)
            *array_push(&f->all) = compare(p, st->metric, st->order[i], d->highlighted);
}

static enum standing standing_of(const struct comparison *c, size_t n)
{
    bool all_better = true, unknown = false;
    for (size_t i = 0; i < n; i++) {
        if (c[i].verdict == VERDICT_WORSE)
            return STANDING_BEHIND;
        unknown = unknown || c[i].verdict == VERDICT_NOT_COMPARABLE;
        all_better = all_better && c[i].verdict == VERDICT_BETTER;
    }
    if (unknown)
        return STANDING_UNKNOWN;
    if (all_better)
        return STANDING_AHEAD;
    return c[0].verdict == VERDICT_SAME ? STANDING_SAME : STANDING_UNCLEAR;
}

static void judge_point(struct arena *a, const struct family *f, const struct report_data *d,
                        size_t point, struct point_standing *st)
{
    st->best_peer = SIZE_MAX;
    for (size_t i = st->n; i-- > 0;)
        if (st->order[i] != d->highlighted)
            st->best_peer = st->order[i];
    if (st->n >= 2) {
        struct comparison *lead = arena_array(a, struct comparison, st->n);
        for (size_t i = 1; i < st->n; i++)
            lead[i] = f->all.at[f->lead[point] + i - 1];
        st->lead = lead;
    }
    bool leads = st->n >= 2 && st->order[0] == d->highlighted;
    size_t first = leads ? f->lead[point] : f->dut[point];
    st->against = (struct comparison) { .ratio = NAN, .low = NAN, .high = NAN, .p = NAN };
    if (!leads && first == SIZE_MAX)
        return;
    st->dut = standing_of(&f->all.at[first], st->n - 1);
    st->against = f->all.at[first];
}

const struct point_standing *standing_make(struct arena *a, const struct report_data *d)
{
    struct point_standing *st = arena_array(a, struct point_standing, d->n_points);
    struct family f = { .lead = arena_array(a, size_t, d->n_points),
                        .dut = arena_array(a, size_t, d->n_points) };
    for (size_t p = 0; p < d->n_points; p++) {
        st[p].metric = d->workloads[d->points[p].workload].headline;
        st[p].order = best_first(a, d, &d->points[p], st[p].metric, &st[p].n);
        compare_point(&f, d, p, &st[p]);
    }
    compare_adjust_bh(f.all.at, f.all.n);
    for (size_t p = 0; p < d->n_points; p++)
        judge_point(a, &f, d, p, &st[p]);
    array_free(&f.all);
    return st;
}

size_t peak_point(const struct report_workload *w, size_t subject, enum metric m)
{
    size_t peak = SIZE_MAX;
    for (size_t i = 0; i < w->n_points; i++) {
        double v = w->points[i].spots[subject].metric[m].value;
        if (!isnan(v) &&
            (peak == SIZE_MAX || better(v, w->points[peak].spots[subject].metric[m].value, m)))
            peak = i;
    }
    return peak;
}
