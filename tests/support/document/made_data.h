#pragma once
#include <stddef.h>

/* The invented numbers behind the made document. */
enum { MADE_TARGETS = 3, MADE_WORKLOADS = 2, MADE_DEPTHS = 5 };
enum made_metric { MADE_IOPS, MADE_MB_S, MADE_MEAN_MS, MADE_P99_MS, MADE_METRICS };

extern const char *const made_names[MADE_TARGETS];
extern const char *const made_short_names[MADE_TARGETS];
extern const char *const made_workloads[MADE_WORKLOADS];
extern const char *const made_ids[MADE_WORKLOADS];
extern const int made_depths[MADE_DEPTHS];

/* NaN where the cell is missing. */
double made_value(size_t workload, size_t depth, size_t target, enum made_metric m);
/* Half the width of its 95 % interval. */
double made_half(size_t workload, size_t depth, size_t target, enum made_metric m);
/* "†", "‡" or "". */
const char *made_mark(size_t workload, size_t depth, size_t target);
