#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "stats/interval.h"

/* Is B different from A (reference/statistics.md §5)? */

#define COMPARE_DELTA 0.03      /* practical threshold δ, §5.3 */
#define COMPARE_ASSUMED_CV 0.05 /* between runs, when nothing better is known, §5.2 */

/* One side: its mean with the variance terms its uncertainty consists of. */
struct variance_term {
    double v;  /* relative variance of the mean, (SE/mean)² */
    double nu; /* degrees of freedom; INFINITY for an assumed one */
};
struct side {
    double mean; /* NaN: absent */
    struct variance_term term[2];
    size_t n_terms;
    size_t n;                   /* repeats */
    bool assumed;               /* a term is COMPARE_ASSUMED_CV */
    const char *not_comparable; /* reason, or NULL */
};

/* From the means of R repeats, or from one run's interval with the coefficient of variation between runs (§5.2). cv_nu: its
 * degrees of freedom, INFINITY if assumed. With fewer than 3 repeats `within` (may be NULL) is used. */
struct side side_make(const double *repeat_means, size_t n, const struct mean_interval *within,
                      double between_cv, double cv_nu, bool assumed);

/* Pooled between-run coefficient of variation from groups of repeats (§5.2): cv[i] of n[i] repeats. Returns NaN if the
 * degrees of freedom are under 5; *ret_nu gets them. */
double pooled_cv(const double *cv, const size_t *n, size_t groups, double *ret_nu);

enum verdict {
    VERDICT_NOT_COMPARABLE,
    VERDICT_BETTER,
    VERDICT_WORSE,
    VERDICT_SAME,
    VERDICT_UNCLEAR
};

struct comparison {
    double ratio;     /* oriented: > 1 = B is better; NaN: not comparable */
    double low, high; /* 95 %; equal to ratio if all repeats were identical; NaN: none */
    double p;         /* two-sided; NaN: none */
    double adjusted_p;
    double nu;
    enum verdict verdict;
    bool assumed;       /* rests on the assumed between-run variation */
    const char *reason; /* not comparable: why */
};

/* ratio = b/a, or a/b where a lower value is better. adjusted_p = p until compare_adjust. */
struct comparison compare_means(const struct side *a, const struct side *b, bool lower_is_better);

/* The verdict rule of §5.3 on adjusted_p; compare_means and compare_adjust call it. */
enum verdict compare_verdict(const struct comparison *c);

/* Corrects a family of n comparisons in place and renews their verdicts: Benjamini–Hochberg (tables) or Holm
 * (--fail-on). Rows without p are left alone. */
void compare_adjust_bh(struct comparison *c, size_t n);
void compare_adjust_holm(struct comparison *c, size_t n);
void adjust_bh(const double *p, double *ret, size_t n);
void adjust_holm(const double *p, double *ret, size_t n);

/* Fieller's interval of mean_b/mean_a, a cross-check for tests. false: unusable (g >= 1). */
bool fieller(const struct mean_interval *a, const struct mean_interval *b, double t,
             double *ret_low, double *ret_high);
