#pragma once
#include "report/evenness.h"

/* Limits a template states, as texts with blanks between them. Both were checked by the schema. */

/* Rates: "400MB/s", "5000IOPS", "90%" of the median of a target's own records. */
struct limit {
    double value; /* percent, or in the unit of `of` */
    bool percent;
    enum rate_of of;
    const char *text; /* "400 MB/s", "90 % of its median" */
};
size_t limits_of_rate(struct arena *a, const char *text, struct limit **ret);
/* The limit in the unit of `of` for a target with that median; NaN: it is about the other unit. */
double limit_value(const struct limit *l, enum rate_of of, double median);

/* Times: "0.5ms 520us", ns, ascending. */
size_t limits_of_time(struct arena *a, const char *text, double **ret);
