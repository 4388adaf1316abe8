#include "stats/compare.h"

#include <math.h>

#include "stats/moment.h"
#include "stats/student.h"

#define SIGNIFICANT 0.05
enum { LEAST_REPEATS = 3, LEAST_POOLED_NU = 5 };

static void add_term(struct side *s, double v, double nu)
{
    if (isfinite(v))
        s->term[s->n_terms++] = (struct variance_term) { v, nu };
}

static double square(double x)
{
    return x * x;
}

struct side side_make(const double *repeat_means, size_t n, const struct mean_interval *within,
                      double between_cv, double cv_nu, bool assumed)
{
    struct mean_interval over = mean_over_repeats(repeat_means, n);
    struct side s = { .mean = over.mean, .n = n };
    if (n == 0 && within) {
        s.mean = within->mean;
        s.n = 1;
    }
    if (!isfinite(s.mean)) {
        s.not_comparable = "not measured";
        return s;
    }
    if (s.mean <= 0) {
        s.not_comparable = "its mean is 0";
        return s;
    }
    if (n >= LEAST_REPEATS) {
        add_term(&s, square(over.se / over.mean), (double)n - 1);
        return s;
    }
    double repeats = (double)s.n;
    if (within)
        add_term(&s, square(within->se / within->mean) / repeats, within->n_eff - 1);
    add_term(&s, square(between_cv) / repeats, cv_nu);
    s.assumed = assumed;
    return s;
}

double pooled_cv(const double *cv, const size_t *n, size_t groups, double *ret_nu)
{
    double sum = 0, nu = 0;
    for (size_t i = 0; i < groups; i++) {
        if (n[i] < LEAST_REPEATS || !isfinite(cv[i]))
            continue;
        double weight = (double)n[i] - 1;
        sum += weight * square(cv[i]);
        nu += weight;
    }
    *ret_nu = nu;
    return nu < LEAST_POOLED_NU ? (double)NAN : sqrt(sum / nu);
}

/* Adds a side's variance and its part of the Welch–Satterthwaite denominator. */
static void add_side(const struct side *s, double *v, double *denominator)
{
    for (size_t i = 0; i < s->n_terms; i++) {
        *v += s->term[i].v;
        *denominator += square(s->term[i].v) / s->term[i].nu;
    }
}

struct comparison compare_means(const struct side *a, const struct side *b, bool lower_is_better)
{
    const double nan = (double)NAN;
    struct comparison c = { .ratio = nan, .low = nan, .high = nan, .p = nan, .adjusted_p = nan };
    c.nu = nan;
    c.assumed = a->assumed || b->assumed;
    c.reason = a->not_comparable ? a->not_comparable : b->not_comparable;
    if (c.reason)
        return c;
    c.ratio = lower_is_better ? a->mean / b->mean : b->mean / a->mean;
    double v = 0, denominator = 0;
    add_side(a, &v, &denominator);
    add_side(b, &v, &denominator);
    if (a->n_terms && b->n_terms && v == 0)
        c.low = c.high = c.ratio;
    else if (a->n_terms && b->n_terms) {
        double se = sqrt(v);
        c.nu = square(v) / denominator;
        double reach = exp(student_quantile(0.025, c.nu) * se);
        c.low = c.ratio / reach;
        c.high = c.ratio * reach;
        c.p = c.adjusted_p = student_two_sided(log(c.ratio) / se, c.nu);
    }
    c.verdict = compare_verdict(&c);
    return c;
}

enum verdict compare_verdict(const struct comparison *c)
{
    const double least = 1 / (1 + COMPARE_DELTA), most = 1 + COMPARE_DELTA;
    if (c->reason || isnan(c->ratio))
        return VERDICT_NOT_COMPARABLE;
    if (isnan(c->low))
        return VERDICT_UNCLEAR;
    bool certain = isnan(c->p) || c->adjusted_p <= SIGNIFICANT; /* no p: no spread at all */
    if (certain && c->ratio >= most)
        return VERDICT_BETTER;
    if (certain && c->ratio <= least)
        return VERDICT_WORSE;
    return c->low >= least && c->high <= most ? VERDICT_SAME : VERDICT_UNCLEAR;
}

bool fieller(const struct mean_interval *a, const struct mean_interval *b, double t,
             double *ret_low, double *ret_high)
{
    double r = b->mean / a->mean, g = square(t * a->se / a->mean);
    if (!(g < 1))
        return false;
    double half = t / a->mean * sqrt(square(b->se) * (1 - g) + square(r * a->se));
    *ret_low = (r - half) / (1 - g);
    *ret_high = (r + half) / (1 - g);
    return true;
}
