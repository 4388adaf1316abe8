#include "report/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/oom.h"
#include "report/words.h"

bool window_asked(const struct report_options *o)
{
    return o->last_ns || o->since_ns || o->until_ns;
}

int window_check(const struct report_options *o, struct error *e)
{
    if (o->last_ns && (o->since_ns || o->until_ns))
        return error_set(e, QD_E_USAGE, "--last goes with neither --since nor --until");
    if (o->until_ns && o->since_ns >= o->until_ns)
        return error_set(e, QD_E_USAGE, "--since %s is not before --until %s",
                         fmt_span_ns(o->since_ns).s, fmt_span_ns(o->until_ns).s);
    return 0;
}

struct time_range window_of(const struct report_options *o, uint64_t end_ns)
{
    uint64_t from = o->since_ns, to = o->until_ns ? o->until_ns : end_ns;
    if (o->last_ns)
        from = o->last_ns < end_ns ? end_ns - o->last_ns : 0;
    to = to < end_ns ? to : end_ns;
    from = from < to ? from : to;
    return (struct time_range) { (int64_t)from, (int64_t)to };
}

/* --- words --------------------------------------------------------------------------------------------------------- */

const char *window_words(struct arena *a, const struct report_options *o)
{
    if (o->last_ns)
        return arena_printf(a, "the last %s", time_words(a, o->last_ns));
    if (!o->until_ns)
        return arena_printf(a, "the time from %s on", fmt_span_ns(o->since_ns).s);
    if (!o->since_ns)
        return arena_printf(a, "the first %s", time_words(a, o->until_ns));
    return arena_printf(a, "the time from %s to %s", fmt_span_ns(o->since_ns).s,
                        fmt_span_ns(o->until_ns).s);
}

static const char *option_words(struct arena *a, const char *name, uint64_t ns)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = { { "h", 3600 * NS_PER_S },
                  { "m", 60 * NS_PER_S },
                  { "s", NS_PER_S },
                  { "ms", NS_PER_MS },
                  { "ns", 1 } };
    size_t i = 0;
    while (ns % units[i].ns)
        i++;
    return ns ? arena_printf(a, " --%s %llu%s", name, (unsigned long long)(ns / units[i].ns),
                             units[i].unit)
              : "";
}

const char *window_options(struct arena *a, const struct report_options *o)
{
    return arena_printf(a, "%s%s%s", option_words(a, "last", o->last_ns),
                        option_words(a, "since", o->since_ns),
                        option_words(a, "until", o->until_ns));
}

/* --- numbers ------------------------------------------------------------------------------------------------------- */

struct sums {
    struct direction_sum {
        uint64_t ios, bytes, errors, with_hist;
        struct moments lat;
        struct hist hist;
    } dir[DIR_COUNT + 1]; /* DIR_ALL too */
    uint64_t length_ns;
    size_t n;
};

static int add_interval(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    struct sums *x = ctx;
    x->length_ns += i->length_ns;
    x->n++;
    for (int d = 0; d < DIR_COUNT; d++) {
        struct direction_sum *at = &x->dir[d];
        at->ios += i->dir[d].ios;
        at->bytes += i->dir[d].bytes;
        at->errors += i->dir[d].errors;
        moments_merge(&at->lat, &i->dir[d].lat);
    }
    return 0;
}

static int add_histogram(void *ctx, int64_t t_ns, enum direction d, const void *blob, size_t n,
                         struct error *e)
{
    (void)t_ns;
    struct sums *x = ctx;
    return hist_merge_blob(&x->dir[d].hist, blob, n, e);
}

static void add_directions(struct sums *x)
{
    struct direction_sum *all = &x->dir[DIR_ALL];
    for (int d = 0; d < DIR_COUNT; d++) {
        all->ios += x->dir[d].ios;
        all->bytes += x->dir[d].bytes;
        all->errors += x->dir[d].errors;
        moments_merge(&all->lat, &x->dir[d].lat);
        hist_merge(&all->hist, &x->dir[d].hist);
    }
}

/* A histogram that lacks I/Os (imports) gives no percentile. */
static double percentile(const struct direction_sum *x, uint64_t num, uint64_t den)
{
    bool whole = x->hist.m.n == x->ios && x->ios > 0;
    return whole ? hist_percentile_or_nan(&x->hist, (struct fraction) { num, den }) : (double)NAN;
}

static void fill_row(const struct sums *x, struct result_row *r)
{
    const struct direction_sum *d = &x->dir[r->direction];
    bool min = d->lat.n && d->lat.min != UINT64_MAX, max = d->lat.n && d->lat.max;
    r->ios = d->ios;
    r->bytes = d->bytes;
    r->errors = d->errors;
    r->seconds = (double)x->length_ns / 1e9;
    r->iops = (double)d->ios / r->seconds;
    r->mb_s = (double)d->bytes / 1e6 / r->seconds;
    r->lat_mean_ns = moments_mean(&d->lat);
    r->lat_stddev_ns = moments_deviation(&d->lat);
    r->lat_min_ns = min ? (double)d->lat.min : (double)NAN;
    r->lat_max_ns = max ? (double)d->lat.max : (double)NAN;
    r->lat_p50_ns = percentile(d, 1, 2);
    r->lat_p90_ns = percentile(d, 9, 10);
    r->lat_p95_ns = percentile(d, 19, 20);
    r->lat_p99_ns = percentile(d, 99, 100);
    r->lat_p999_ns = percentile(d, 999, 1000);
    r->lat_p9999_ns = percentile(d, 9999, 10000);
    r->cpu_user_s = r->cpu_system_s = NAN;
}

static void clear_row(struct result_row *r)
{
    r->ios = r->bytes = r->errors = 0;
    r->seconds = r->iops = r->mb_s = r->lat_mean_ns = r->lat_stddev_ns = r->lat_min_ns = NAN;
    r->lat_p50_ns = r->lat_p90_ns = r->lat_p95_ns = r->lat_p99_ns = r->lat_p999_ns = NAN;
    r->lat_p9999_ns = r->lat_max_ns = r->cpu_user_s = r->cpu_system_s = NAN;
}

int window_measure(struct store *s, const struct time_range *range, struct cell_row *cell,
                   struct result_row *rows, size_t n, struct error *e)
{
    struct sums *x = xcalloc(1, sizeof *x);
    for (int d = 0; d <= DIR_ALL; d++) {
        x->dir[d].lat = moments_zero();
        hist_clear(&x->dir[d].hist);
    }
    int rc = store_intervals_in(s, cell->id, range, add_interval, x, e) ||
                     store_interval_histograms(s, cell->id, range, add_histogram, x, e)
                 ? -1
                 : 0;
    add_directions(x);
    for (size_t i = 0; i < n && rc == 0; i++) {
        if (x->n)
            fill_row(x, &rows[i]);
        else
            clear_row(&rows[i]);
    }
    if (rc == 0 && !x->n && cell->measured_ns) {
        cell->status = cell_status_name(CELL_SKIPPED);
        cell->reason = "it has no records in the window";
    }
    cell->measured_ns = x->length_ns;
    free(x);
    return rc;
}
