#pragma once
#include "import/collect.h"

/* iozone -a: a row per file and record size, a column per test, KiB/s unless it says operations (-O). Columns that were
 * not run (-i) are blank and found by their place under the heading. A cell per number; re-tests (rewrite, reread, …) keep iozone's
 * name. */
bool iozone_sniff(const char *head, const char *name);
int iozone_read(struct collect *c, struct error *e);
