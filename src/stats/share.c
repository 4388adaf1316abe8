#include <math.h>

#include "stats/beta.h"
#include "stats/interval.h"
#include "stats/student.h"

static const double TAIL = 0.025; /* each side of a 95 % interval */

struct share_interval share_wilson(double p, double n)
{
    if (!(n > 0) || !(p >= 0 && p <= 1))
        return (struct share_interval) { (double)NAN, (double)NAN };
    const double z = STATS_Z975, z2 = z * z;
    double scale = 1 + z2 / n;
    double centre = (p + z2 / (2 * n)) / scale;
    double half = z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / scale;
    return (struct share_interval) { p == 0 ? 0 : centre - half, p == 1 ? 1 : centre + half };
}

/* x with I_x(a, b) = q, by bisection: as exact as beta_regularised, and in no hurry. */
static double beta_quantile(double q, double a, double b)
{
    double low = 0, high = 1;
    for (int i = 0; i < 200 && low < high; i++) {
        double x = low + (high - low) / 2;
        if (x <= low || x >= high)
            break;
        if (beta_regularised(a, b, x, 1 - x) < q)
            low = x;
        else
            high = x;
    }
    return high;
}

struct share_interval share_clopper_pearson(double count, double n)
{
    if (!(n > 0) || !(count >= 0 && count <= n))
        return (struct share_interval) { (double)NAN, (double)NAN };
    return (struct share_interval) {
        count == 0 ? 0 : beta_quantile(TAIL, count, n - count + 1),
        count == n ? 1 : beta_quantile(1 - TAIL, count + 1, n - count),
    };
}

/* P(X <= k - 1) of X ~ Bin(n, p). */
static double binomial_below(size_t k, size_t n, double p)
{
    if (k == 0)
        return 0;
    if (k > n)
        return 1;
    return beta_regularised((double)(n - k + 1), (double)k, 1 - p, p);
}

struct rank_interval rank_interval(size_t n, double p)
{
    if (n == 0 || !(p >= 0 && p <= 1))
        return (struct rank_interval) { 0, n + 1, (double)NAN };
    size_t low = 0, above = n + 1; /* binomial_below(low) <= TAIL < binomial_below(above) */
    while (above - low > 1) {
        size_t k = low + (above - low) / 2;
        if (binomial_below(k, n, p) <= TAIL)
            low = k;
        else
            above = k;
    }
    size_t below = 0, high = n + 1; /* binomial_below(below) < 1 - TAIL <= binomial_below(high) */
    while (high - below > 1) {
        size_t k = below + (high - below) / 2;
        if (binomial_below(k, n, p) >= 1 - TAIL)
            high = k;
        else
            below = k;
    }
    return (struct rank_interval) { low, high,
                                    binomial_below(high, n, p) - binomial_below(low, n, p) };
}

/* 1, 2, 5, 10, 20, … */
static double round_step(int i)
{
    static const double mantissas[] = { 1, 2, 5 };
    int decade = i / 3;
    return mantissas[i % 3] * pow(10, decade);
}

static size_t thresholds_of_step(double h, const double q[3], double ret[3])
{
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        double t = h * (floor(q[i] / h) + 1);
        if (n == 0 || t > ret[n - 1])
            ret[n++] = t;
    }
    return n;
}

size_t thresholds_choose(double q50, double q95, double q99, double q999, double ret[3])
{
    enum { MOST_TRIES = 3 };
    const double q[] = { q95, q99, q999 };
    if (!isfinite(q50 + q95 + q99 + q999) || q999 < 0)
        return 0;
    double span = fmax(q999 - q50, q50 / 25);
    int step = 0; /* whole nanoseconds */
    while (round_step(step + 1) <= span / 2)
        step++;
    size_t n = thresholds_of_step(round_step(step), q, ret);
    for (int tries = 0; n == 1 && q95 != q999 && step > 0 && tries < MOST_TRIES; tries++)
        n = thresholds_of_step(round_step(--step), q, ret);
    return n;
}
