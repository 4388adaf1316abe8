#pragma once
#include "import/collect.h"

/* bonnie++'s CSV, 1.03 (27 fields) and 1.9x (its format version first, 48 fields). Block writes, reads, rewrites, per-character I/O and
 * seeks are a cell each; what was too fast ("+++++") is missing. Rates are KiB/s; response times of 1.9x are the largest only. */
bool bonnie_sniff(const char *head, const char *name);
int bonnie_read(struct collect *c, struct error *e);
