#include "stats/student.h"

#include <math.h>
#include <stdbool.h>

#include "stats/beta.h"

/* From here on expansions around the normal distribution are nearer than 1e-11; the continued fraction gets slow. */
static const double LARGE_NU = 1e6;
static const double RELATIVE_STOP = 1e-12;
enum { MOST_STEPS = 60 };

static double normal_upper(double z)
{
    return 0.5 * erfc(z * M_SQRT1_2);
}

static double normal_density(double z)
{
    return exp(-0.5 * z * z) * (M_2_SQRTPI * M_SQRT1_2 / 2);
}

double normal_quantile(double alpha)
{
    if (!(alpha > 0 && alpha < 1))
        return (double)NAN;
    if (alpha > 0.5)
        return -normal_quantile(1 - alpha);
    /* Abramowitz and Stegun 26.2.23, within 4.5e-4; each Newton step squares that. */
    double s = sqrt(-2 * log(alpha));
    double z = s - (2.515517 + s * (0.802853 + s * 0.010328)) /
                       (1 + s * (1.432788 + s * (0.189269 + s * 0.001308)));
    for (int i = 0; i < 4; i++)
        z += (normal_upper(z) - alpha) / normal_density(z);
    return alpha == 0.5 ? 0 : z;
}

/* Wallace 1959: the normal deviate with nearly the same tail. */
static double equivalent_z(double t, double nu)
{
    if (isinf(nu))
        return t;
    return copysign((8 * nu + 1) / (8 * nu + 3) * sqrt(nu * log1p(t * t / nu)), t);
}

double student_upper(double t, double nu)
{
    if (isnan(t) || !(nu > 0))
        return (double)NAN;
    if (nu >= LARGE_NU)
        return normal_upper(equivalent_z(t, nu));
    double square = t * t;
    if (isinf(square))
        return t > 0 ? 0 : 1;
    double tail = 0.5 * beta_regularised(nu / 2, 0.5, nu / (nu + square), square / (nu + square));
    return t >= 0 ? tail : 1 - tail;
}

double student_two_sided(double t, double nu)
{
    return 2 * student_upper(fabs(t), nu);
}

static double student_density(double t, double nu)
{
    return exp(-0.5 * log(nu) - beta_ln(nu / 2, 0.5) - (nu + 1) / 2 * log1p(t * t / nu));
}

/* Newton on ln P(T > t) - ln alpha, kept inside a bracket of the root. */
static double solve(double alpha, double nu, double start)
{
    double low = 0, high = start, t = start;
    while (student_upper(high, nu) > alpha)
        high *= 2;
    for (int i = 0; i < MOST_STEPS; i++) {
        double upper = student_upper(t, nu);
        if (upper > alpha)
            low = t;
        else
            high = t;
        double next = t + log(upper / alpha) * upper / student_density(t, nu);
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        bool done = fabs(next - t) <= RELATIVE_STOP * next;
        t = next;
        if (done)
            break;
    }
    return t;
}

double student_quantile(double alpha, double nu)
{
    if (!(alpha > 0 && alpha <= 0.5) || !(nu > 0))
        return (double)NAN;
    if (alpha == 0.5)
        return 0;
    if (nu == 1)
        return 1 / tan(M_PI * alpha);
    if (nu == 2)
        return (1 - 2 * alpha) * sqrt(2 / (4 * alpha * (1 - alpha)));
    double z = normal_quantile(alpha), z2 = z * z;
    double start = z + z * (z2 + 1) / (4 * nu) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * nu * nu);
    return nu >= LARGE_NU ? start : solve(alpha, nu, start);
}
