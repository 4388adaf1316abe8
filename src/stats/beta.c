#include "stats/beta.h"

#include <float.h>
#include <math.h>

enum { STIRLING_FROM = 10, MOST_TERMS = 200000 };

/* ln Γ(x) minus Stirling's formula, x >= STIRLING_FROM. */
static double stirling_rest(double x)
{
    double s = 1 / (x * x);
    return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / x;
}

/* lgamma() keeps the sign in a global; this one can be called from threads. */
static double ln_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

double beta_ln(double a, double b)
{
    double small = a < b ? a : b, large = a < b ? b : a, sum = a + b;
    if (large < STIRLING_FROM)
        return ln_gamma(a) + ln_gamma(b) - ln_gamma(sum);
    double rest = stirling_rest(large) - stirling_rest(sum);
    double tail = log1p(-small / sum); /* ln(large / sum) */
    if (small < STIRLING_FROM)
        return ln_gamma(small) + rest + small - small * log(sum) + (large - 0.5) * tail;
    const double half_ln_2pi = 0.91893853320467274178;
    return half_ln_2pi - 0.5 * log(large) + stirling_rest(small) + rest +
           (small - 0.5) * log(small / sum) + large * tail;
}

static double away_from_zero(double v)
{
    return fabs(v) < DBL_MIN ? DBL_MIN : v;
}

static double continued_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), f = d;
    for (int m = 1; m <= MOST_TERMS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        f *= d * c;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        f *= d * c;
        if (fabs(d * c - 1) <= 4 * DBL_EPSILON)
            break;
    }
    return f;
}

static double ln_of(double v, double one_minus)
{
    return v < 0.5 ? log(v) : log1p(-one_minus);
}

double beta_regularised(double a, double b, double x, double y)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double front = exp(a * ln_of(x, y) + b * ln_of(y, x) - beta_ln(a, b));
    if (x < (a + 1) / (a + b + 2))
        return front * continued_fraction(a, b, x) / a;
    return 1 - front * continued_fraction(b, a, y) / b;
}
