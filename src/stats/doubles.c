#include "stats/doubles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"

void compensated_add(struct compensated *c, double x)
{
    double next = c->sum + x;
    c->lost += fabs(c->sum) >= fabs(x) ? (c->sum - next) + x : (x - next) + c->sum;
    c->sum = next;
}

double compensated_total(const struct compensated *c)
{
    return c->sum + c->lost;
}

bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *sorted_copy(const double *x, size_t n)
{
    double *copy = xmalloc(n * sizeof *copy);
    if (n)
        memcpy(copy, x, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, ascending);
    return copy;
}
