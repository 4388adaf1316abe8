#pragma once
#include "import/collect.h"

/* sysbench fileio, 0.4 to 1.0, also several runs in one file: a cell per run. Its response times cover all requests: they are those of
 * the reads or writes only where there were no others (no fsync). */
bool sysbench_sniff(const char *head, const char *name);
int sysbench_read(struct collect *c, struct error *e);
