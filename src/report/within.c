#include "report/within.h"

#include <math.h>

#include "base/array.h"
#include "base/clock.h"
#include "stats/moment.h"

/* From this measured time on the seconds are enough (§4.2). */
#define OF_SECONDS_FROM_NS (64 * NS_PER_S)

/* Of more intervals than this every k-th is read for a percentile: a standard error needs 10 (§4.2). */
enum { HISTOGRAMS_MOST = 1800 };

static const struct time_range whole = { 0, INT64_MAX };

/* --- histogram ----------------------------------------------------------------------------------------------------- */

struct merging {
    struct hist *h;
    uint64_t ios;
};

static int merge_one(void *ctx, int64_t t_ns, enum direction d, const void *blob, size_t n,
                     struct error *e)
{
    (void)t_ns;
    (void)d;
    struct merging *m = ctx;
    return hist_merge_blob(m->h, blob, n, e);
}

static int count_ios(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    struct merging *m = ctx;
    for (int d = 0; d < DIR_COUNT; d++)
        m->ios += i->dir[d].lat.n;
    return 0;
}

int within_hist(struct store *s, struct arena *a, int64_t cell, const struct time_range *window,
                struct hist **ret, struct error *e)
{
    if (!window)
        return store_hist(s, a, cell, DIR_ALL, ret, e);
    struct merging m = { .h = arena_one(a, struct hist) };
    hist_clear(m.h);
    if (store_interval_histograms(s, cell, window, merge_one, &m, e) ||
        store_intervals_in(s, cell, window, count_ios, &m, e))
        return -1;
    *ret = m.h->m.n && m.h->m.n == m.ios ? m.h : NULL;
    return 0;
}

/* --- means --------------------------------------------------------------------------------------------------------- */

struct elements {
    double *seconds, *ios, *mb, *lat;
    size_t n;
};

static struct elements elements_new(struct arena *a, size_t n)
{
    return (struct elements) { .seconds = arena_array(a, double, n),
                               .ios = arena_array(a, double, n),
                               .mb = arena_array(a, double, n),
                               .lat = arena_array(a, double, n),
                               .n = n };
}

static int of_batches(struct store *s, struct arena *a, int64_t cell, struct elements *ret,
                      struct error *e)
{
    struct series_row *rows = NULL;
    size_t n = 0;
    if (store_series(s, a, cell, DIR_ALL, &rows, &n, e))
        return -1;
    *ret = elements_new(a, n);
    for (size_t i = 0; i < n; i++) {
        ret->seconds[i] = rows[i].seconds;
        ret->ios[i] = rows[i].ios;
        ret->mb[i] = rows[i].bytes / 1e6;
        ret->lat[i] = rows[i].lat_sum_ns;
    }
    return 0;
}

/* At most SERIES_MOST elements. */
static void of_seconds(struct arena *a, const struct seconds *from, const struct time_range *window,
                       struct elements *ret)
{
    struct seconds part = window ? seconds_in(from, window) : *from;
    size_t group = part.n ? (part.n - 1) / SERIES_MOST + 1 : 1;
    *ret = elements_new(a, (part.n + group - 1) / group);
    for (size_t i = 0; i < part.n; i++) {
        const struct second_row *r = &part.at[i];
        size_t at = i / group;
        ret->seconds[at] += r->length;
        ret->ios[at] += r->ios;
        ret->mb[at] += r->bytes / 1e6;
        ret->lat[at] += r->ios > 0 && !(r->lat_n > 0) ? (double)NAN : r->lat_sum_ns;
    }
}

int within_means(struct store *s, const struct spot_reps *reps, struct spot *ret, struct error *e)
{
    struct arena *scratch = arena_new();
    const struct cell_row *c = reps->cells[0];
    struct elements x = { 0 };
    int rc;
    if (!reps->windows[0] && c->measured_ns < OF_SECONDS_FROM_NS) {
        rc = of_batches(s, scratch, c->id, &x, e);
    } else {
        struct seconds loaded = { 0 };
        const struct seconds *seconds = ret->in_time ? ret->in_time : &loaded;
        rc = ret->in_time ? 0 : seconds_load(s, scratch, c->id, &loaded, e);
        if (rc == 0)
            of_seconds(scratch, seconds, reps->windows[0], &x);
    }
    if (rc == 0 && x.n > 0) {
        ret->metric[METRIC_IOPS].within = mean_within(x.ios, x.seconds, x.n);
        ret->metric[METRIC_MB_S].within = mean_within(x.mb, x.seconds, x.n);
        ret->metric[METRIC_LAT_MEAN].within = mean_within(x.lat, x.ios, x.n);
    }
    arena_free(scratch);
    return rc;
}

/* --- 99th percentile ----------------------------------------------------------------------------------------------- */

/* I/Os of each interval, and those of them slower than the bucket a percentile lies in. */
struct beyond {
    uint32_t bucket;
    int64_t t_ns;
    ARRAY(double) slower;
    ARRAY(double) ios;
};

static int count_beyond(void *ctx, int64_t t_ns, enum direction d, const void *blob, size_t n,
                        struct error *e)
{
    (void)d;
    struct beyond *b = ctx;
    struct hist_cursor c;
    uint64_t slower = 0;
    hist_cursor_open(&c, blob, n);
    while (hist_cursor_next(&c))
        slower += c.index > b->bucket ? c.count : 0;
    if (hist_cursor_end(&c, e))
        return -1;
    if (!b->ios.n || t_ns != b->t_ns) {
        *array_push(&b->slower) = 0;
        *array_push(&b->ios) = 0;
    }
    b->t_ns = t_ns;
    b->slower.at[b->slower.n - 1] += (double)slower;
    b->ios.at[b->ios.n - 1] += (double)c.m.n;
    return 0;
}

static double percentile_at(const struct hist *h, double share)
{
    const uint64_t den = 1000000000;
    share = share < 0 ? 0 : share;
    return (double)hist_percentile(h, (struct fraction) { (uint64_t)(share * (double)den), den });
}

/* Woodruff: the interval of the share of slower I/Os, read back through the histogram. The share itself is that of all I/Os. */
static void woodruff(const struct hist *h, double x, const struct beyond *b, struct value *v)
{
    struct mean_interval share = mean_within(b->slower.at, b->ios.at, b->ios.n);
    if (isnan(share.half))
        return;
    double at = 1 - (double)hist_count_above(h, (uint64_t)x) / (double)h->m.n;
    double low = percentile_at(h, at - share.half), top = at + share.half;
    struct mean_interval *w = &v->within;
    *w = share;
    w->mean = x;
    w->se = w->half = top < 1 ? 0 : (double)NAN;
    v->high = top < 1 ? 0 : (double)INFINITY;
    if (top >= 1 || !(low > 0) || !(share.se > 0))
        return;
    double t = share.half / share.se;
    w->se = x * (log(percentile_at(h, top)) - log(low)) / (2 * t);
    w->half = t * w->se;
}

/* Every k-th interval: they start at multiples of the interval from where the window begins. */
static int thinned(struct store *s, const struct cell_row *c, const struct time_range *window,
                   struct beyond *b, struct error *e)
{
    int64_t step = (int64_t)c->cell.interval_ns, length = (int64_t)c->measured_ns;
    int64_t from = (window->from_ns + step - 1) / step * step;
    struct time_steps steps = { from, from + length, (length / step / HISTOGRAMS_MOST + 1) * step };
    steps.to_ns = window->to_ns < steps.to_ns ? window->to_ns : steps.to_ns;
    return store_some_histograms(s, c->id, &steps, count_beyond, b, e);
}

int within_p99(struct store *s, const struct spot_reps *reps, const struct hist *h, struct value *v,
               struct error *e)
{
    const struct cell_row *c = reps->cells[0];
    struct beyond b = { .bucket = hist_index((uint64_t)v->value) };
    const struct time_range *window = reps->windows[0] ? reps->windows[0] : &whole;
    bool many = c->cell.interval_ns && c->measured_ns / c->cell.interval_ns > HISTOGRAMS_MOST;
    int rc = many ? thinned(s, c, window, &b, e)
                  : store_interval_histograms(s, c->id, window, count_beyond, &b, e);
    bool known = sum_neumaier(b.ios.at, b.ios.n) > 0;
    if (rc == 0 && known)
        woodruff(h, v->value, &b, v);
    array_free(&b.slower);
    array_free(&b.ios);
    return rc;
}
