#pragma once
#include "import/collect.h"

/* A table of ATTO Disk Benchmark as text: a line "ATTO …", a heading with Write and Read, then rows of size, write and read.
 * The unit stands in the heading or behind each value. */
bool atto_sniff(const char *head, const char *name);
int atto_read(struct collect *c, struct error *e);
