#include <math.h>

#include "stats/interval.h"
#include "stats/student.h"

uint64_t hist_count_above(const struct hist *h, uint64_t ns)
{
    uint64_t n = 0;
    for (uint32_t i = hist_index(ns) + 1; i < HIST_BUCKETS; i++)
        n += h->count[i];
    return n;
}

/* The percentile at a share that is no exact fraction. */
static double value_at(const struct hist *h, double share)
{
    double rank = ceil(share * (double)h->m.n);
    uint64_t k = rank < 1 ? 1 : (uint64_t)rank;
    return (double)hist_percentile(h, (struct fraction) { k < h->m.n ? k : h->m.n, h->m.n });
}

struct percentile_interval percentile_within(const struct hist *merged, struct fraction p,
                                             const double *above, const double *ios, size_t n)
{
    const double nan = (double)NAN;
    struct percentile_interval r = { nan, nan, nan, false, nan, nan, MEAN_TOO_SHORT };
    r.value = hist_percentile_or_nan(merged, p);
    struct mean_interval share = mean_within(above, ios, n);
    r.note = share.note;
    if (isnan(r.value) || isnan(share.half))
        return r;
    double at = 1 - share.mean;
    r.low = value_at(merged, at - share.half);
    r.open = at + share.half >= 1;
    r.high = value_at(merged, fmin(1, at + share.half));
    if (r.open || r.low <= 0)
        return r;
    r.nu = share.n_eff - 1;
    r.se_log = log(r.high / r.low) / (2 * student_quantile(0.025, r.nu));
    return r;
}
