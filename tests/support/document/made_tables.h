#pragma once
#include "report/doc.h"

/* Tables of the made document. */
const struct table *made_scorecard(struct arena *a);
const struct table *made_headline_table(struct arena *a);
const struct table *made_overview_table(struct arena *a, size_t workload);
const struct table *made_triplet_table(struct arena *a, size_t workload, size_t depth);
const struct table *made_percentiles(struct arena *a, size_t workload);
const struct table *made_environment(struct arena *a);
const struct table *made_host(struct arena *a, bool second);
const struct table *made_results(struct arena *a);
