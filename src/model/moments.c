#include "model/moments.h"

#include <math.h>

static bool spread_known(const struct moments *m)
{
    return m->sum_sq != 0 || m->sum == 0;
}

static bool max_known(const struct moments *m)
{
    return m->max != 0 || m->sum == 0;
}

static bool min_known(const struct moments *m)
{
    return m->n == 0 || m->min != UINT64_MAX;
}

void moments_merge(struct moments *into, const struct moments *from)
{
    bool spread = spread_known(into) && spread_known(from);
    bool least = min_known(into) && min_known(from);
    bool most = max_known(into) && max_known(from);
    into->n += from->n;
    into->sum += from->sum;
    into->sum_sq = spread ? into->sum_sq + from->sum_sq : 0;
    into->min = !least ? UINT64_MAX : from->min < into->min ? from->min : into->min;
    into->max = !most ? 0 : from->max > into->max ? from->max : into->max;
}

double moments_mean(const struct moments *m)
{
    return m->n ? (double)m->sum / (double)m->n : (double)NAN;
}

double moments_variance(const struct moments *m)
{
    if (m->n < 2 || !spread_known(m))
        return (double)NAN;
    uint64_t q = m->sum / m->n, r = m->sum % m->n;
    unsigned __int128 wide_q = q;
    /* Σ(x - q)², exact modulo 2^128. Sums an import derived from rounded figures may leave it a little below 0. */
    __int128 d = (__int128)(m->sum_sq - 2 * wide_q * m->sum + wide_q * q * m->n);
    double squares = (double)d - (double)r * (double)r / (double)m->n;
    return squares > 0 ? squares / (double)(m->n - 1) : 0;
}

double moments_deviation(const struct moments *m)
{
    return sqrt(moments_variance(m));
}
