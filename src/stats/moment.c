#include "stats/moment.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "stats/doubles.h"

void moment_add(struct moment *m, double x)
{
    m->n++;
    double d = x - m->mean;
    m->mean += d / m->n;
    m->m2 += d * (x - m->mean);
}

void moment_merge(struct moment *into, const struct moment *from)
{
    if (from->n == 0)
        return;
    if (into->n == 0) {
        *into = *from;
        return;
    }
    double n = into->n + from->n, d = from->mean - into->mean;
    into->m2 += from->m2 + d * d * into->n * from->n / n;
    into->mean += d * from->n / n;
    into->n = n;
}

double moment_variance(const struct moment *m)
{
    return m->n < 2 ? (double)NAN : m->m2 / (m->n - 1);
}

double moment_deviation(const struct moment *m)
{
    return sqrt(moment_variance(m));
}

double moment_cv(const struct moment *m)
{
    return m->mean == 0 ? (double)NAN : moment_deviation(m) / m->mean;
}

double sum_neumaier(const double *x, size_t n)
{
    struct compensated c = { 0 };
    for (size_t i = 0; i < n; i++)
        compensated_add(&c, x[i]);
    return compensated_total(&c);
}

double median_of(const double *x, size_t n)
{
    if (n == 0 || !all_finite(x, n))
        return (double)NAN;
    double *sorted = sorted_copy(x, n);
    double median = n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
    free(sorted);
    return median;
}

double quantile_sorted(const double *sorted, size_t n, double p)
{
    if (n == 0)
        return (double)NAN;
    double h = (double)(n - 1) * p;
    size_t at = (size_t)h;
    if (at + 1 >= n)
        return sorted[n - 1];
    return sorted[at] + (h - (double)at) * (sorted[at + 1] - sorted[at]);
}

/* A printed number stands for everything within half a unit of its last digit. */
static bool read_printed(const char *text, double *ret_value, double *ret_half_unit)
{
    struct error ignored;
    if (parse_double(text, ret_value, &ignored))
        return false;
    size_t mantissa = strcspn(text, "eE"), point = strcspn(text, ".");
    double exponent = text[mantissa] ? strtod(text + mantissa + 1, NULL) : 0;
    if (point < mantissa)
        exponent -= (double)(mantissa - point - 1);
    *ret_half_unit = 0.5 * pow(10, exponent);
    return true;
}

int variance_agrees(const char *printed_deviation, const char *printed_variance)
{
    double s, s_half, v, v_half;
    if (!read_printed(printed_deviation, &s, &s_half) ||
        !read_printed(printed_variance, &v, &v_half))
        return -1;
    double low = s > s_half ? s - s_half : 0, high = s + s_half;
    const double slack = 1e-12; /* of the decimals' own conversion; the limits are inclusive */
    return v >= (low * low - v_half) * (1 - slack) && v <= (high * high + v_half) * (1 + slack);
}
