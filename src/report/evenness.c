#include "report/evenness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "stats/moment.h"

/* --- sorting ------------------------------------------------------------------------------------------------------- */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 6 };

static uint64_t key_of(double v)
{
    union {
        double v;
        uint64_t bits;
    } u = { .v = v };
    return u.bits;
}

/* Doubles that are not negative have the order of their bits: 90,000 of them take a tenth of qsort's time. */
static void sort_positive(double *at, size_t n)
{
    double *other = xmalloc((n ? n : 1) * sizeof *other), *from = at, *to = other;
    size_t *first = xmalloc(DIGITS * sizeof *first);
    for (int pass = 0; pass < PASSES; pass++) {
        int shift = pass * DIGIT_BITS;
        memset(first, 0, DIGITS * sizeof *first);
        for (size_t i = 0; i < n; i++)
            first[key_of(from[i]) >> shift & (DIGITS - 1)]++;
        size_t sum = 0;
        for (size_t d = 0; d < DIGITS; d++) {
            size_t count = first[d];
            first[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            to[first[key_of(from[i]) >> shift & (DIGITS - 1)]++] = from[i];
        double *swap = from;
        from = to;
        to = swap;
    }
    free(first);
    free(other);
}
_Static_assert(PASSES % 2 == 0 && PASSES * DIGIT_BITS >= 64,
               "the sorted doubles end where they were");

/* --- points -------------------------------------------------------------------------------------------------------- */

static void take_quantiles(struct evenness *x)
{
    x->q02 = quantile_sorted(x->sorted, x->n, 0.02);
    x->q25 = quantile_sorted(x->sorted, x->n, 0.25);
    x->median = quantile_sorted(x->sorted, x->n, 0.5);
    x->q75 = quantile_sorted(x->sorted, x->n, 0.75);
    x->q98 = quantile_sorted(x->sorted, x->n, 0.98);
    x->least = x->n ? x->sorted[0] : (double)NAN;
    x->most = x->n ? x->sorted[x->n - 1] : (double)NAN;
}

struct evenness evenness_of(struct arena *a, const struct seconds *s)
{
    double *points = arena_array(a, double, s->n + 1), sum = 0, ios = 0;
    struct evenness x = { .sorted = points, .start = s->n ? s->at[0].start : 0 };
    struct moment m = { 0 };
    for (size_t i = 0; i < s->n; i++) {
        double point = second_mean(&s->at[i]);
        x.n_empty += s->at[i].ios == 0;
        if (isnan(point))
            continue;
        points[x.n++] = point;
        moment_add(&m, point);
        sum += s->at[i].lat_sum_ns;
        ios += s->at[i].lat_n;
    }
    x.end = seconds_end(s);
    x.mean = x.n ? sum / ios : (double)NAN;
    x.variance = moment_variance(&m);
    x.deviation = moment_deviation(&m);
    sort_positive(points, x.n);
    take_quantiles(&x);
    for (size_t i = 0; i < x.n; i++)
        x.in_band += fabs(points[i] - x.mean) <= EVENNESS_BAND * x.mean;
    return x;
}

size_t evenness_below(const struct evenness *x, double ns)
{
    size_t low = 0, high = x->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x->sorted[middle] < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double evenness_rank(const struct evenness *x, size_t num, size_t den)
{
    size_t rank = (x->n * num + den - 1) / den;
    return x->sorted[rank ? rank - 1 : 0];
}

/* --- rates --------------------------------------------------------------------------------------------------------- */

struct rates rates_of(const struct seconds *s, enum rate_of what)
{
    double *rates = xmalloc((s->n + 1) * sizeof *rates), work = 0, seconds = 0;
    struct moment m = { 0 };
    for (size_t i = 0; i < s->n; i++) {
        rates[i] = second_rate(&s->at[i], what);
        moment_add(&m, rates[i]);
        work += rates[i] * s->at[i].length;
        seconds += s->at[i].length;
    }
    sort_positive(rates, s->n);
    struct rates x = { .n = s->n,
                       .mean = s->n ? work / seconds : (double)NAN,
                       .deviation = moment_deviation(&m),
                       .q02 = quantile_sorted(rates, s->n, 0.02),
                       .q25 = quantile_sorted(rates, s->n, 0.25),
                       .median = quantile_sorted(rates, s->n, 0.5),
                       .q75 = quantile_sorted(rates, s->n, 0.75),
                       .q98 = quantile_sorted(rates, s->n, 0.98),
                       .least = s->n ? rates[0] : (double)NAN,
                       .most = s->n ? rates[s->n - 1] : (double)NAN };
    free(rates);
    return x;
}

struct drops drops_of(const struct seconds *s, enum rate_of what, double below)
{
    struct drops x = { .first = NAN };
    double stretch = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct second_row *r = &s->at[i];
        if (!(second_rate(r, what) < below)) {
            stretch = 0;
            continue;
        }
        bool begins = stretch == 0;
        x.n += begins;
        x.first = begins && x.n == 1 ? r->start : x.first;
        x.n_records++;
        x.seconds += r->length;
        stretch += r->length;
        x.longest = fmax(x.longest, stretch);
    }
    return x;
}
