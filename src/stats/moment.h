#pragma once
#include <stddef.h>

/* Moments of doubles (reference/statistics.md §1): Welford, Chan's merge, Neumaier's sum. For integer response times use
 * model/moments.h. Absent values (n too small) are NaN. */
struct moment {
    double n, mean, m2;
};
void moment_add(struct moment *m, double x);
void moment_merge(struct moment *into, const struct moment *from);
double moment_variance(const struct moment *m); /* n - 1 in the denominator; NaN for n < 2 */
double moment_deviation(const struct moment *m);
double moment_cv(const struct moment *m); /* deviation / mean; NaN for mean 0 */

double sum_neumaier(const double *x, size_t n);
/* Copies and sorts; median of the middle two for even n; NaN for n = 0. */
double median_of(const double *x, size_t n);
/* Linear interpolation, type 7 (§8), of x sorted ascending; p in [0, 1]. */
double quantile_sorted(const double *sorted, size_t n, double p);

/* Could this printed standard deviation and variance belong together (§1)? Both as printed text, e.g. "0.0157", "0.000246":
 * rounded from one value. */
int variance_agrees(const char *printed_deviation, const char *printed_variance);
