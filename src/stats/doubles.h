#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Small things every formula over a series of doubles needs. Used inside stats only. */

/* Neumaier's compensated sum, term by term. */
struct compensated {
    double sum, lost;
};
void compensated_add(struct compensated *c, double x);
double compensated_total(const struct compensated *c);

bool all_finite(const double *x, size_t n);
/* A copy in ascending order; free() it. No NaN may be in x. */
double *sorted_copy(const double *x, size_t n);
