#include "stats/interval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/oom.h"
#include "stats/doubles.h"
#include "stats/moment.h"
#include "stats/student.h"

enum { LEAST_BATCHES = 10, MOST_LAG = 1000, LEAST_REPEATS = 3 };
static const double UPPER_TAIL = 0.025; /* of a 95 % interval */

static struct mean_interval no_interval(double mean, size_t n, enum mean_note note)
{
    double nan = (double)NAN;
    return (struct mean_interval) {
        .mean = mean, .half = nan, .se = nan, .n_eff = nan, .tau = nan, .n = n, .note = note
    };
}

static double autocovariance(const double *d, size_t n, size_t lag)
{
    double sum = 0;
    for (size_t i = 0; i + lag < n; i++)
        sum += d[i] * d[i + lag];
    return sum / (double)n;
}

/* Geyer's initial monotone positive sequence: τ of the deviations d, or NaN if the lag limit came first. */
static double correlation_time(const double *d, size_t n, double gamma0)
{
    double sum = 0, before = (double)INFINITY;
    for (size_t lag = 0; lag < n; lag += 2) {
        if (lag + 1 > MOST_LAG)
            return (double)NAN;
        double pair = autocovariance(d, n, lag) + autocovariance(d, n, lag + 1);
        if (pair <= 0)
            break;
        before = pair < before ? pair : before;
        sum += before;
    }
    double tau = (2 * sum - gamma0) / gamma0;
    return tau > 1 ? tau : 1;
}

/* Deviations of a[i] - ratio · b[i] from their mean into d; true if there is nothing but rounding in them. */
static bool deviations(const double *a, const double *b, size_t n, double ratio, double *d)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double expected = ratio * (b ? b[i] : 1);
        d[i] = a[i] - expected;
        largest = fmax(largest, fmax(fabs(a[i]), fabs(expected)));
    }
    double mean = sum_neumaier(d, n) / (double)n;
    bool flat = true;
    for (size_t i = 0; i < n; i++) {
        d[i] -= mean;
        flat = flat && fabs(d[i]) <= 8 * DBL_EPSILON * largest;
    }
    return flat;
}

static struct mean_interval from_deviations(const double *d, size_t n, double ratio, double mean_b)
{
    double gamma0 = autocovariance(d, n, 0);
    double tau = correlation_time(d, n, gamma0);
    if (isnan(tau))
        return no_interval(ratio, n, MEAN_DRIFTS);
    double n_eff = fmax(2, (double)n / tau);
    double se = sqrt(gamma0 / (n_eff - 1)) / mean_b;
    return (struct mean_interval) { .mean = ratio,
                                    .half = student_quantile(UPPER_TAIL, n_eff - 1) * se,
                                    .se = se,
                                    .n_eff = n_eff,
                                    .tau = tau,
                                    .n = n,
                                    .note = n_eff < LEAST_BATCHES ? MEAN_FEW_BATCHES : MEAN_OK };
}

static struct mean_interval exactly(double mean, size_t n)
{
    return (struct mean_interval) {
        .mean = mean, .n_eff = (double)n, .tau = 1, .n = n, .note = MEAN_ALL_EQUAL
    };
}

struct mean_interval mean_within(const double *a, const double *b, size_t n)
{
    double sum_b = b ? sum_neumaier(b, n) : (double)n;
    if (!(sum_b > 0) || !all_finite(a, n) || (b && !all_finite(b, n)))
        return no_interval((double)NAN, n, MEAN_TOO_SHORT);
    double ratio = sum_neumaier(a, n) / sum_b;
    if (n < LEAST_BATCHES)
        return no_interval(ratio, n, MEAN_TOO_SHORT);
    double *d = xmalloc(n * sizeof *d);
    struct mean_interval m = deviations(a, b, n, ratio, d)
                                 ? exactly(ratio, n)
                                 : from_deviations(d, n, ratio, sum_b / (double)n);
    free(d);
    return m;
}

struct mean_interval mean_over_repeats(const double *x, size_t n)
{
    struct mean_interval m = no_interval((double)NAN, n, n < 2 ? MEAN_ONE : MEAN_TWO_REPEATS);
    m.over_repeats = true;
    if (n == 0 || !all_finite(x, n))
        return m;
    struct moment moment = { 0 };
    for (size_t i = 0; i < n; i++)
        moment_add(&moment, x[i]);
    m.mean = moment.mean;
    m.n_eff = (double)n;
    m.tau = 1;
    if (n >= 2)
        m.se = moment_deviation(&moment) / sqrt((double)n);
    if (n >= LEAST_REPEATS) {
        m.half = m.se > 0 ? student_quantile(UPPER_TAIL, (double)n - 1) * m.se : 0;
        m.note = m.se > 0 ? MEAN_OK : MEAN_ALL_EQUAL;
    }
    return m;
}

struct run_spread run_spread(const double *run_means, const double *run_variances, size_t runs,
                             double intervals)
{
    struct moment means = { 0 }, variances = { 0 };
    for (size_t i = 0; i < runs; i++) {
        moment_add(&means, run_means[i]);
        moment_add(&variances, run_variances[i]);
    }
    double within = runs ? variances.mean : (double)NAN;
    double between = moment_variance(&means) - within / intervals;
    return (struct run_spread) { .between = between < 0 ? 0 : between, .within = within };
}

double best_run_length(struct run_spread s, double cost)
{
    return s.between == 0 ? (double)INFINITY : sqrt(cost * s.within / s.between);
}
