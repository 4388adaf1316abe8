#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Scaling over queue depth and Little's law (reference/statistics.md §7). */
struct knee {
    size_t at;      /* index of the lowest depth reaching 95 % of the peak */
    size_t peak;    /* index of the largest value among the depths reached */
    bool saturated; /* false: "not saturated up to QD n" */
    bool falls;     /* more than 5 % below the peak at the deepest depth */
};
/* iops[i] at ascending depths; NaN = not measured; reached[i] false = the device did not reach that depth (cannot be the
 * knee; NULL: all reached). false if no value is usable. */
bool knee_find(const double *iops, const bool *reached, size_t n, struct knee *ret);

/* Relative deviation of iops × mean response time (ns) from the depth: L/depth - 1. */
double little_deviation(double iops, double mean_ns, double depth);
/* |deviation| within 3 % plus the boundary effect lat_max/seconds? */
bool little_holds(double iops, double mean_ns, double depth, double lat_max_ns, double seconds);

/* Weighted geometric mean of n positive values (§11); weights NULL = equal; NaN if any value is absent or not positive. */
double geometric_mean(const double *x, const double *weights, size_t n);
/* Standard error of its logarithm from those of the ln x[i], which must be independent; NaN as above. */
double geometric_mean_se(const double *se, const double *weights, size_t n);
