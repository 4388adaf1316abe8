#pragma once
#include "base/arena.h"
#include "model/plan.h"
#include "report/data.h"

/* Names, and numbers with their unit, as a report writes them (mock/tokens.md §5, §6; reference/statistics.md §13). */

/* "90 % reads, 50 % 8 KiB and 50 % 64 KiB, random"; "" for an import that does not know its access lines. */
const char *workload_words(struct arena *a, const struct workload *w);

/* ASCII letters, digits and single hyphens, at most 48; "x" for a text without any. */
char *slug_of(struct arena *a, const char *text);

/* For each of n names the shortest leading words that no other name begins with, at most 16 characters. */
void names_short(struct arena *a, const char *const *names, size_t n, const char **ret);

/* "A", "A and B", "A, B and C"; more than `most` names: "A, B and 38 others". */
char *list_words(struct arena *a, const char *const *words, size_t n, size_t most);

/* A stretch of time in one unit where it is whole: "90 seconds", "60 minutes", "25 hours"; else "1 h 10 min". */
const char *time_words(struct arena *a, uint64_t ns);

const char *metric_name(enum metric m); /* "IOPS", "throughput", "average response time", … */
const char *metric_unit(const struct report_data *d, enum metric m); /* "IOPS", "MB/s", "ms" */
const char *metric_direction(enum metric m);                         /* "higher is better" */
/* In the printed unit. */
double metric_scale(const struct report_data *d, enum metric m, double v);

/* Three significant digits (chart label, prose), without and with unit. */
struct text value_label(const struct report_data *d, enum metric m, double v);
struct text value_unit(const struct report_data *d, enum metric m, double v);
/* Table cell, without unit; response times in ns. */
struct text value_table(const struct report_data *d, enum metric m, double v);
struct text time_table(const struct report_data *d, double ns);
/* "[2,283, 2,387]" with the decimals of value_table(v), ends rounded outward; NULL if there is no interval. */
const char *value_interval(struct arena *a, const struct report_data *d, enum metric m,
                           const struct value *v);

/* "n = 5 runs", "one run each". */
const char *repeats_words(struct arena *a, const struct report_data *d);
