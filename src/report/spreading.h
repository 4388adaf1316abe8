#pragma once
#include "report/data.h"

/* One point while its distributions are drawn: shared by figures_spread.c and figures_seconds.c. */
struct spreading {
    struct arena *a;
    const struct report_data *d;
    const struct group_point *p;
    const char *part; /* "the last 60 minutes" */
};
const char *spreading_name(const struct spreading *x, size_t subject);
const char *spreading_missing(const struct spreading *x, size_t subject); /* "not measured: …" */
const char *spreading_part(const struct spreading *x); /* "The last 60 minutes" */
