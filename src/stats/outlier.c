#include "stats/outlier.h"

#include <math.h>
#include <stdlib.h>

#include "stats/doubles.h"
#include "stats/moment.h"

enum { LEAST_VALUES = 8 };

static void count_outside(struct fences *f, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (x[i] < f->severe_low)
            f->n_severe_low++;
        else if (x[i] < f->mild_low)
            f->n_mild_low++;
        else if (x[i] > f->severe_high)
            f->n_severe_high++;
        else if (x[i] > f->mild_high)
            f->n_mild_high++;
    }
}

struct fences tukey_fences(const double *x, size_t n)
{
    double nan = (double)NAN;
    struct fences f = { false, nan, nan, nan, nan, nan, nan, nan, 0, 0, 0, 0, 0 };
    if (n == 0 || !all_finite(x, n))
        return f;
    double *sorted = sorted_copy(x, n);
    f.q1 = quantile_sorted(sorted, n, 0.25);
    f.median = quantile_sorted(sorted, n, 0.5);
    f.q3 = quantile_sorted(sorted, n, 0.75);
    free(sorted);
    double iqr = f.q3 - f.q1;
    f.used = n >= LEAST_VALUES && iqr > 0;
    if (f.used) {
        f.severe_low = f.q1 - 3 * iqr;
        f.mild_low = f.q1 - 1.5 * iqr;
        f.mild_high = f.q3 + 1.5 * iqr;
        f.severe_high = f.q3 + 3 * iqr;
        count_outside(&f, x, n);
    } else if (iqr == 0)
        for (size_t i = 0; i < n; i++)
            f.n_differ += x[i] != f.median;
    return f;
}
