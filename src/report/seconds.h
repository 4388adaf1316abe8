#pragma once
#include "base/arena.h"
#include "store/query.h"

/* The records of one cell in time ("seconds": their length is the cell's interval), all directions summed, the ramp left out:
 * what figures over time and numbers about seconds are made from. 48 bytes a record, so 25 hours take 4.3 MB. */
struct seconds {
    const struct second_row *at;
    size_t n;
    double step; /* length of a record, s: that of most */
};

/* *ret: n = 0 if the cell has none. */
int seconds_load(struct store *s, struct arena *a, int64_t cell, struct seconds *ret,
                 struct error *e);

/* Those that start in the range; a view. */
struct seconds seconds_in(const struct seconds *s, const struct time_range *range);
double seconds_end(const struct seconds *s); /* s from the start of measuring; 0 for none */

/* Mean response time, ns; NaN: nothing was completed, or not known. */
static inline double second_mean(const struct second_row *s)
{
    return s->lat_n > 0 ? s->lat_sum_ns / s->lat_n : (double)__builtin_nan("");
}

/* Of more records, so many neighbours are summed up that at most these are left: longer elements of a series are less correlated
 * and no less information (reference/statistics.md §4.2), and their autocovariance takes a tenth of the time. */
enum { SERIES_MOST = 7200 };
