#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Exact moments of response times in integer nanoseconds (reference/statistics.md §1): merging is adding, in any
 * order, and a result is the same for 1 or 64 workers.
 *
 * Invariants: n = 0 has sum = sum_sq = max = 0 and min = UINT64_MAX (use moments_zero()).
 * Imports may not know everything: sum_sq = 0 with sum > 0 means "spread not known"; min = UINT64_MAX or max = 0 with
 * sum > 0 means "not known". (None of these can happen with real data.) */
struct moments {
    unsigned __int128 sum_sq; /* ns² */
    uint64_t n;
    uint64_t sum; /* ns */
    uint64_t min; /* ns */
    uint64_t max; /* ns */
};

static inline struct moments moments_zero(void)
{
    return (struct moments) { .min = UINT64_MAX };
}

static inline void moments_add(struct moments *m, uint64_t ns)
{
    m->n++;
    m->sum += ns;
    m->sum_sq += (unsigned __int128)ns * ns;
    m->min = ns < m->min ? ns : m->min;
    m->max = ns > m->max ? ns : m->max;
}

void moments_merge(struct moments *into, const struct moments *from);

/* Absent values are NaN: mean for n = 0; variance and deviation for n < 2 or unknown spread. */
double moments_mean(const struct moments *m); /* ns */
double moments_variance(
    const struct moments *m); /* ns², n - 1 in the denominator; §1's integer form */
double moments_deviation(const struct moments *m); /* ns */
