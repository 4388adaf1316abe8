#include "report/spot.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "report/within.h"
#include "stats/moment.h"

/* Fewer repeats than this give no interval over repeats (§4.3). */
enum { ENOUGH_REPEATS = 3 };

/* The device reached a depth if at least this share of it was in flight (§7). */
#define REACHED 0.9

/* From this measured time on a cell's seconds are kept: figures will ask for them, and reading them twice takes time. */
#define KEEP_FROM_NS (1000 * NS_PER_S)

static const struct fraction percentiles[PERCENTILE_COUNT] = {
    { 1, 2 }, { 9, 10 }, { 99, 100 }, { 999, 1000 }, { 9999, 10000 },
};

static double row_metric(const struct result_row *r, enum metric m)
{
    switch (m) {
    case METRIC_IOPS:
        return r->iops;
    case METRIC_MB_S:
        return r->mb_s;
    case METRIC_LAT_MEAN:
        return r->lat_mean_ns;
    case METRIC_LAT_P99:
        return r->lat_p99_ns;
    case METRIC_COUNT:
        break;
    }
    return NAN;
}

static bool all_known(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]))
            return false;
    return n > 0;
}

static struct mean_interval no_interval(double mean)
{
    return (struct mean_interval) {
        .mean = mean, .half = NAN, .se = NAN, .n_eff = NAN, .n = 1, .note = MEAN_ONE
    };
}

/* --- over repetitions ---------------------------------------------------------------------------------------------- */

static int merge_hists(struct store *s, const struct spot_reps *reps, struct hist **ret,
                       struct arena *scratch, struct error *e)
{
    struct hist *merged = NULL;
    for (size_t i = 0; i < reps->n; i++) {
        struct hist *h = NULL;
        if (within_hist(s, scratch, reps->cells[i]->id, reps->windows[i], &h, e))
            return -1;
        if (!h) {
            *ret = NULL;
            return 0;
        }
        if (merged)
            hist_merge(merged, h);
        else
            merged = h;
    }
    *ret = merged;
    return 0;
}

static void take_hist(const struct hist *h, struct spot *ret)
{
    for (size_t p = 0; p < PERCENTILE_COUNT; p++)
        ret->percentile[p] = h->m.n ? hist_percentile_or_nan(h, percentiles[p]) : (double)NAN;
    ret->sigma = moments_deviation(&h->m);
}

/* Percentiles without a histogram are never merged: only a single repetition has them. */
static void take_row(const struct result_row *r, struct spot *ret)
{
    ret->percentile[P50] = r->lat_p50_ns;
    ret->percentile[P90] = r->lat_p90_ns;
    ret->percentile[P99] = r->lat_p99_ns;
    ret->percentile[P999] = r->lat_p999_ns;
    ret->percentile[P9999] = r->lat_p9999_ns;
    ret->sigma = r->lat_stddev_ns;
}

static void take_counts(const struct spot_reps *reps, struct spot *ret)
{
    double depth = 0, max = NAN;
    for (size_t i = 0; i < reps->n; i++) {
        const struct result_row *r = reps->rows[i];
        const struct cell_row *c = reps->cells[i];
        ret->ios += r->ios;
        ret->errors += r->errors;
        ret->seconds += c->rates_only ? 0 : (double)c->measured_ns / (double)NS_PER_S;
        ret->not_steady |= c->steady == 0;
        ret->buffered |= c->engine != USED_NONE && !c->direct;
        max = isnan(max) || r->lat_max_ns > max ? r->lat_max_ns : max;
        depth += c->achieved_depth;
    }
    ret->max = max;
    ret->achieved_depth = depth / (double)reps->n;
    const struct cell *asked = &reps->cells[0]->cell;
    /* what starts by a clock has in flight what the device needs */
    ret->not_reached = asked->rate.kind == RATE_NONE &&
                       ret->achieved_depth <
                           REACHED * asked->queue_depth * (asked->workers ? asked->workers : 1);
}

static void take_values(struct arena *a, const struct spot_reps *reps, struct spot *ret)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct value *v = &ret->metric[m];
        double *x = arena_array(a, double, reps->n);
        for (size_t i = 0; i < reps->n; i++)
            x[i] = row_metric(reps->rows[i], m);
        v->repeats = x;
        bool known = all_known(x, reps->n);
        v->value = m == METRIC_LAT_P99 ? ret->percentile[P99]
                   : known             ? median_of(x, reps->n)
                                       : (double)NAN;
        v->mean = known && reps->n > 1 ? mean_over_repeats(x, reps->n) : no_interval(v->value);
        v->within = no_interval(v->value);
    }
}

static int take_within(struct store *s, const struct spot_reps *reps, const struct hist *h,
                       struct spot *ret, struct error *e)
{
    struct value *p99 = &ret->metric[METRIC_LAT_P99];
    if (within_means(s, reps, ret, e))
        return -1;
    bool has_p99 = reps->n == 1 && h && !isnan(p99->value);
    return has_p99 ? within_p99(s, reps, h, p99, e) : 0;
}

static int take_intervals(struct store *s, const struct spot_reps *reps, const struct hist *h,
                          struct spot *ret, struct error *e)
{
    if (reps->n < ENOUGH_REPEATS && take_within(s, reps, h, ret, e))
        return -1;
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct value *v = &ret->metric[m];
        if (reps->n == 1)
            v->mean = v->within;
        bool drawn = isfinite(v->mean.half) && !isnan(v->value) && !isinf(v->high);
        v->low = drawn ? v->mean.mean - v->mean.half : (double)NAN;
        v->high = isinf(v->high) ? (double)INFINITY
                  : drawn        ? v->mean.mean + v->mean.half
                                 : (double)NAN;
    }
    return 0;
}

int spot_load_seconds(struct store *s, struct arena *a, struct spot *spot, struct error *e)
{
    struct seconds loaded;
    if (spot->in_time || !spot->cell)
        return 0;
    if (seconds_load(s, a, spot->cell->id, &loaded, e))
        return -1;
    spot->in_time = arena_memdup(a, &loaded, sizeof loaded);
    return 0;
}

int spot_measure(struct store *s, struct arena *a, const struct spot_reps *reps, struct spot *ret,
                 struct error *e)
{
    struct arena *scratch = arena_new();
    struct hist *h = NULL;
    ret->n_reps = reps->n;
    for (size_t p = 0; p < PERCENTILE_COUNT; p++)
        ret->percentile[p] = NAN;
    ret->sigma = NAN;
    take_counts(reps, ret);
    int rc = merge_hists(s, reps, &h, scratch, e);
    if (rc == 0 && reps->cells[0]->measured_ns >= KEEP_FROM_NS)
        rc = spot_load_seconds(s, a, ret, e);
    if (rc == 0 && h)
        take_hist(h, ret);
    else if (rc == 0 && reps->n == 1)
        take_row(reps->rows[0], ret);
    if (rc == 0) {
        take_values(a, reps, ret);
        rc = take_intervals(s, reps, h, ret, e);
    }
    arena_free(scratch);
    return rc;
}

void spot_sides(struct spot *spot, const struct subject *subject, struct arena *a)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct value *v = &spot->metric[m];
        size_t n = spot->n_reps;
        bool known = n > 0 && all_known(v->repeats, n);
        const double *means = known && (n > 1 || m != METRIC_LAT_P99) ? v->repeats : &v->value;
        v->side = side_make(means, means == v->repeats ? n : 1, &v->within, subject->between_cv,
                            subject->between_nu, subject->assumed);
        if (spot->missing || isnan(v->value))
            v->side.not_comparable = arena_printf(a, "%s was not measured here",
                                                  subject->series.name);
        else if (spot->not_steady)
            v->side.not_comparable = arena_printf(a, "%s was not steady", subject->series.name);
    }
}
