#pragma once
#include "import/collect.h"

/* HD Tune's benchmark as text, of one or several drives: the average transfer rate is a cell of sequential 64 KiB reads, the other
 * figures a note of it. */
bool hdtune_sniff(const char *head, const char *name);
int hdtune_read(struct collect *c, struct error *e);
