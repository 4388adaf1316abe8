#include "stats/scaling.h"

#include <math.h>

#include "stats/doubles.h"

#define LITTLE_TOLERANCE 0.03

static bool measured(double x)
{
    return isfinite(x) && x > 0;
}

bool knee_find(const double *iops, const bool *reached, size_t n, struct knee *ret)
{
    size_t peak = n, last = n, before_last = n;
    for (size_t i = 0; i < n; i++) {
        if (!measured(iops[i]) || (reached && !reached[i]))
            continue;
        before_last = last;
        last = i;
        peak = peak == n || iops[i] > iops[peak] ? i : peak;
    }
    if (peak == n)
        return false;
    size_t at = 0;
    while (!measured(iops[at]) || (reached && !reached[at]) || 100 * iops[at] < 95 * iops[peak])
        at++;
    bool still_gains = before_last == n || 100 * iops[last] >= 105 * iops[before_last];
    *ret = (struct knee) { .at = at,
                           .peak = peak,
                           .saturated = at != last || !still_gains,
                           .falls = 100 * iops[last] < 95 * iops[peak] };
    return true;
}

double little_deviation(double iops, double mean_ns, double depth)
{
    return iops * mean_ns / 1e9 / depth - 1;
}

bool little_holds(double iops, double mean_ns, double depth, double lat_max_ns, double seconds)
{
    double boundary = lat_max_ns / 1e9 / seconds;
    return fabs(little_deviation(iops, mean_ns, depth)) <= LITTLE_TOLERANCE + boundary;
}

double geometric_mean(const double *x, const double *weights, size_t n)
{
    struct compensated logs = { 0 };
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        if (!measured(x[i]))
            return (double)NAN;
        double w = weights ? weights[i] : 1;
        compensated_add(&logs, w * log(x[i]));
        total += w;
    }
    return total > 0 ? exp(compensated_total(&logs) / total) : (double)NAN;
}

double geometric_mean_se(const double *se, const double *weights, size_t n)
{
    double squares = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        double w = weights ? weights[i] : 1;
        squares += w * se[i] * w * se[i];
        total += w;
    }
    return total > 0 ? sqrt(squares) / total : (double)NAN;
}
