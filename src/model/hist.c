#include "model/hist.h"

#include <math.h>
#include <string.h>

enum { LAST = HIST_BUCKETS - 1, SUB_BUCKETS = 1 << HIST_SUB_BITS };
enum { SAMPLES_BEYOND = 10 }; /* a percentile is printed only with that many I/Os beyond it, §2 */

uint64_t hist_lower(uint32_t index)
{
    if (index < 2 * SUB_BUCKETS)
        return index;
    uint64_t mantissa = (index & (SUB_BUCKETS - 1)) + SUB_BUCKETS;
    return mantissa << ((index >> HIST_SUB_BITS) - 1);
}

uint64_t hist_upper(uint32_t index)
{
    if (index < 2 * SUB_BUCKETS)
        return index;
    return hist_lower(index) + (1ull << ((index >> HIST_SUB_BITS) - 1)) - 1;
}

void hist_clear(struct hist *h)
{
    memset(h, 0, sizeof *h);
    h->m = moments_zero();
}

void hist_merge(struct hist *into, const struct hist *from)
{
    moments_merge(&into->m, &from->m);
    into->overflow += from->overflow;
    for (uint32_t i = 0; i < HIST_BUCKETS; i++)
        into->count[i] += from->count[i];
}

static bool max_known(const struct hist *h)
{
    return h->m.max != 0 || h->m.sum == 0;
}

static bool min_known(const struct hist *h)
{
    return h->m.min != UINT64_MAX;
}

bool hist_is_sane(const struct hist *h)
{
    unsigned __int128 n = 0;
    uint32_t first = HIST_BUCKETS, last = 0;
    for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
        n += h->count[i];
        if (h->count[i]) {
            first = first < i ? first : i;
            last = i;
        }
    }
    if (n != h->m.n || h->overflow > h->count[LAST])
        return false;
    if (n == 0)
        return !h->m.sum && !h->m.sum_sq && !h->m.max && h->m.min == UINT64_MAX;
    if (min_known(h) && hist_index(h->m.min) != first)
        return false;
    if (!max_known(h))
        return true;
    return hist_index(h->m.max) == last &&
           (h->m.max >> HIST_RANGE_BITS != 0) == (h->overflow > 0) &&
           (!min_known(h) || h->m.min <= h->m.max);
}

/* 1 .. n, §2: max(1, ⌈n·p⌉). */
static uint64_t rank_of(uint64_t n, struct fraction p)
{
    unsigned __int128 k = ((unsigned __int128)n * p.num + p.den - 1) / p.den;
    return k < 1 ? 1 : (uint64_t)k;
}

/* Largest value bucket i can hold. */
static uint64_t top_of(const struct hist *h, uint32_t i)
{
    return i == LAST && h->overflow > 0 && max_known(h) ? h->m.max : hist_upper(i);
}

uint64_t hist_percentile(const struct hist *h, struct fraction p)
{
    if (p.num == 0 && min_known(h))
        return h->m.min;
    uint64_t rank = rank_of(h->m.n, p), seen = 0;
    uint32_t i = 0;
    while (i < LAST && (seen += h->count[i]) < rank)
        i++;
    uint64_t v = top_of(h, i);
    return max_known(h) && v > h->m.max ? h->m.max : v;
}

bool percentile_printable(uint64_t n, struct fraction p)
{
    if (n == 0)
        return false;
    uint64_t rank = rank_of(n, p);
    bool low = (unsigned __int128)p.num * 2 < p.den;
    return n - rank >= SAMPLES_BEYOND && (!low || rank - 1 >= SAMPLES_BEYOND);
}

double hist_percentile_or_nan(const struct hist *h, struct fraction p)
{
    return percentile_printable(h->m.n, p) ? (double)hist_percentile(h, p) : (double)NAN;
}

double hist_share_below(const struct hist *h, uint64_t t_ns, double *ret_error)
{
    *ret_error = 0;
    if (h->m.n == 0)
        return (double)NAN;
    if (min_known(h) && t_ns <= h->m.min)
        return 0;
    if (max_known(h) && t_ns > h->m.max)
        return 1;
    uint32_t at = hist_index(t_ns);
    uint64_t below = 0;
    for (uint32_t i = 0; i < at; i++)
        below += h->count[i];
    double n = (double)h->m.n, inside = 0;
    uint64_t lower = hist_lower(at);
    if (t_ns > lower) {
        double weight = (double)h->count[at] / n;
        inside = weight * (double)(t_ns - lower) / (double)(top_of(h, at) - lower + 1);
        *ret_error = weight;
    }
    return (double)below / n + inside;
}
