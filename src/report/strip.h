#pragma once
#include "base/fmt.h"
#include "report/doc.h"

/* The drawn advantages of a scorecard: one log scale for all its rows. */
struct strip {
    double low, high; /* domain in octaves, holds 0 */
    double base;      /* ticks stand at its powers first..last */
    int first, last;
};
/* false: no cell has a strip. */
bool strip_fit(const struct table *t, struct strip *ret);
double strip_tick(const struct strip *s, int i); /* as ratio */
struct text strip_label(const struct strip *s, int i);
/* Where a ratio lies: 0 at the low end, 1 at the high end; endless ratios beyond 1. */
double strip_share(const struct strip *s, double ratio);
bool strip_has_range(const struct table_cell *c);
