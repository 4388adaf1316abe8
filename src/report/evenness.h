#pragma once
#include "base/fmt.h"
#include "report/seconds.h"

/* How even the seconds of one cell were (reference/statistics.md §1, §3, §8). A point is the mean response time of one record
 * that completed I/O; records without any are counted, not points. Nothing is left out of any number. */
#define EVENNESS_BAND 0.05 /* "within 5 % of the mean" */

struct evenness {
    size_t n, n_empty;
    double mean; /* ns, over I/Os: sum of response times / number of I/Os */
    double variance,
        deviation; /* of the points, ns² and ns, n - 1 in the denominator; NaN: n < 2 */
    double q02, q25, median, q75, q98, least, most; /* of the points, ns */
    size_t in_band;                                 /* points within EVENNESS_BAND of the mean */
    double start, end;                              /* s; of the records */
    const double *sorted;                           /* the points in ascending order, ns */
};
/* n = 0: everything NaN. */
struct evenness evenness_of(struct arena *a, const struct seconds *s);

/* Points strictly below. */
size_t evenness_below(const struct evenness *x, double ns);
/* The k-th smallest point at nearest rank ⌈n·num/den⌉; n > 0. */
double evenness_rank(const struct evenness *x, size_t num, size_t den);

/* Work of the records: IOPS or MB/s. */
struct rates {
    size_t n;
    double mean,
        deviation; /* sum of work / sum of seconds; deviation of the records' rates, NaN: n < 2 */
    double q02, q25, median, q75, q98, least, most;
};
enum rate_of { RATE_OF_IOS, RATE_OF_MB };
struct rates rates_of(const struct seconds *s, enum rate_of what);
static inline double second_rate(const struct second_row *s, enum rate_of what)
{
    return (what == RATE_OF_MB ? s->bytes / 1e6 : s->ios) / s->length;
}

/* Stretches of records in a row whose rate is strictly below. */
struct drops {
    size_t n, n_records;
    double seconds, longest; /* s, together and of the longest stretch */
    double first;            /* s: where the first begins; NaN: none */
};
struct drops drops_of(const struct seconds *s, enum rate_of what, double below);
