#pragma once
#include "import/collect.h"

/* Vdbench's flatfile.html (a row of named columns per interval and run definition, old and new), totals.html and summary.html (the same
 * for people, in two lines of heading) and histogram.html. A cell per run definition: its "avg_2-N" row is the result, which leaves the
 * first interval out; the others are its intervals. A histogram of the same run in the same command gives percentiles, as ranges. MB are
 * 2^20, response times ms. */
bool vdbench_flat_sniff(const char *head, const char *name);
int vdbench_flat_read(struct collect *c, struct error *e);
bool vdbench_histogram_sniff(const char *head, const char *name);
int vdbench_histogram_read(struct collect *c, struct error *e);
bool vdbench_summary_sniff(const char *head, const char *name);
int vdbench_summary_read(struct collect *c, struct error *e);
int vdbench_finish(struct collect *c, struct error *e);
