#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Tukey's fences (reference/statistics.md §8). Nothing is ever removed from a mean: outliers are counted and named. */
struct fences {
    bool used; /* false: n < 8 or IQR = 0 */
    double q1, median, q3, severe_low, mild_low, mild_high, severe_high;
    size_t n_mild_low, n_mild_high, n_severe_low, n_severe_high,
        n_differ; /* n_differ: from the median, when IQR = 0 */
};
struct fences tukey_fences(const double *x, size_t n);
