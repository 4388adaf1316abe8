#include <math.h>

#include "report/tables.h"
#include "report/words.h"

/* The deepest depth that every measured target reached; the shallowest if none is. */
static size_t common_depth(const struct report_data *d, const struct report_workload *w)
{
    size_t found = 0;
    for (size_t p = 0; p < w->n_points; p++) {
        bool reached = true, any = false;
        for (size_t i = 0; i < d->n_subjects; i++) {
            const struct spot *s = &w->points[p].spots[i];
            reached = reached && !s->not_reached;
            any = any || !s->missing;
        }
        if (reached && any)
            found = p;
    }
    return found;
}

static struct measure at_peak(struct arena *a, const struct report_data *d,
                              const struct report_workload *w)
{
    size_t *points = arena_array(a, size_t, d->n_subjects);
    for (size_t i = 0; i < d->n_subjects; i++)
        points[i] = peak_point(w, i, w->headline);
    return (struct measure) {
        .workload = w,
        .metric = w->headline,
        .name = w->headline == METRIC_IOPS ? "Most IOPS, any depth" : "Most MB/s, any depth",
        .points = points,
    };
}

static struct measure at_point(struct arena *a, const struct report_data *d,
                               const struct report_workload *w, enum metric m, size_t point)
{
    static const char *const names[METRIC_COUNT] = { "IOPS", "Throughput", "Average response time",
                                                     "99th percentile" };
    size_t *points = arena_array(a, size_t, d->n_subjects);
    for (size_t i = 0; i < d->n_subjects; i++)
        points[i] = isnan(w->points[point].spots[i].metric[m].value) ? SIZE_MAX : point;
    struct measure ret = { .workload = w, .metric = m, .name = names[m], .points = points };
    ret.condition = w->points[point].label;
    return ret;
}

size_t measures_of(struct arena *a, const struct report_data *d, const struct report_workload *w,
                   struct measure ret[5])
{
    size_t n = 0, deep = common_depth(d, w);
    enum metric other = w->headline == METRIC_IOPS ? METRIC_MB_S : METRIC_IOPS;
    if (w->n_points == 0)
        return 0;
    ret[n++] = w->n_points > 1 ? at_peak(a, d, w) : at_point(a, d, w, w->headline, 0);
    ret[n++] = at_point(a, d, w, other, deep);
    ret[n++] = at_point(a, d, w, METRIC_LAT_MEAN, 0);
    ret[n++] = at_point(a, d, w, METRIC_LAT_P99, 0);
    if (deep > 0)
        ret[n++] = at_point(a, d, w, METRIC_LAT_P99, deep);
    return n;
}

const struct spot *measure_spot(const struct measure *m, size_t subject)
{
    size_t p = m->points[subject];
    return p == SIZE_MAX ? NULL : &m->workload->points[p].spots[subject];
}

const size_t *measure_order(struct arena *a, const struct report_data *d, const struct measure *m,
                            size_t *ret_n)
{
    size_t *order = arena_array(a, size_t, d->n_subjects), n = 0;
    bool lower = metric_lower_is_better(m->metric);
    for (size_t i = 0; i < d->n_subjects; i++) {
        const struct spot *s = measure_spot(m, i);
        if (!s)
            continue;
        double v = s->metric[m->metric].value;
        size_t k = n++;
        for (; k > 0; k--) {
            double before = measure_spot(m, order[k - 1])->metric[m->metric].value;
            if (!(lower ? v < before : v > before))
                break;
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
    *ret_n = n;
    return order;
}
