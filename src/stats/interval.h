#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "model/hist.h"

/* A mean with its 95 % interval (reference/statistics.md §4). */
enum mean_note {
    MEAN_OK,
    MEAN_TOO_SHORT,   /* n < 10: "too short for an interval" */
    MEAN_FEW_BATCHES, /* n_eff < 10: interval given, no verdict on it alone */
    MEAN_ALL_EQUAL,   /* half-width 0 */
    MEAN_DRIFTS,      /* lag limit reached: "the level drifts; no interval" */
    MEAN_TWO_REPEATS, /* n = 2 repeats: dots, no whisker */
    MEAN_ONE,         /* one value, no interval */
};
struct mean_interval {
    double mean;  /* NaN: absent */
    double half;  /* half-width; NaN: no interval */
    double se;    /* standard error; NaN: none */
    double n_eff; /* effective sample size (within a run), or number of repeats */
    double tau;
    size_t n;
    enum mean_note note;
    bool over_repeats;
};

/* Ratio ΣA/ΣB of a series of n elements within one run: effective sample size by the initial monotone positive sequence
 * (§4.2; Geyer 1992). IOPS: a = ios, b = seconds. Response time: a = latency sum, b = ios. b = NULL: plain mean. */
struct mean_interval mean_within(const double *a, const double *b, size_t n);

/* Woodruff's 95 % interval of percentile p within one run (§5.4): `merged` is the run's histogram, ios[i] and above[i] are
 * all I/Os of interval i and those in buckets above the percentile's (hist_count_above). value NaN: not printable, or no
 * I/O. */
struct percentile_interval {
    double value, low, high; /* ns; low, high NaN: no interval */
    bool open;               /* no upper end: high is the maximum, any verdict is unclear */
    double se_log,
        nu; /* standard error of ln(value) and its degrees of freedom; NaN where open or no interval */
    enum mean_note note;
};
struct percentile_interval percentile_within(const struct hist *merged, struct fraction p,
                                             const double *above, const double *ios, size_t n);
/* I/Os in buckets above the one that holds `ns`. */
uint64_t hist_count_above(const struct hist *h, uint64_t ns);

/* Plain t over R repeats' means (§4.3): n = 1, 2 give no interval. */
struct mean_interval mean_over_repeats(const double *x, size_t n);

/* Where the time should go (§4.4): R runs of m intervals each. between = variance of the true run means (>= 0), within =
 * mean over the runs of τ · s². */
struct run_spread {
    double between, within;
};
struct run_spread run_spread(const double *run_means, const double *run_variances, size_t runs,
                             double intervals);
/* Best length of a run in intervals when a repeat costs that many; INFINITY if the runs do not differ. */
double best_run_length(struct run_spread s, double cost);

/* Wilson's 95 % interval of a share p of n (n may be an effective size) (§3). */
struct share_interval {
    double low, high;
};
struct share_interval share_wilson(double p, double n);
struct share_interval share_clopper_pearson(double count, double n); /* reference for tests */

/* Order-statistic interval of a percentile p of n independent values: ranks low..high (0 = none, n + 1 = none) and its
 * coverage (§2). */
struct rank_interval {
    size_t low, high;
    double coverage;
};
struct rank_interval rank_interval(size_t n, double p);

/* Thresholds chosen from the data (§3): from q50, q95, q99, q99.9 in ns; writes at most 3 to ret, returns how many. */
size_t thresholds_choose(double q50, double q95, double q99, double q999, double ret[3]);
