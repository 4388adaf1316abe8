#pragma once
#include "import/collect.h"

/* fio --minimal and --output-format=terse, versions 2 to 5, with whatever text stands around the lines. Times are µs in all of them,
 * amounts KiB; the disks at the end may be there or not, or cut off. */
bool fio_terse_sniff(const char *head, const char *name);
int fio_terse_read(struct collect *c, struct error *e);
