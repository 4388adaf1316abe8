#pragma once
#include "report/doc.h"

/* Figures of the made document. */
struct figure *made_headline(struct arena *a);
struct figure *made_overview(struct arena *a, size_t workload);
struct figure *made_triplet(struct arena *a, size_t workload, size_t depth);
struct series made_series(size_t target);
