#pragma once
#include "import/collect.h"

/* fio's normal output of 2.x and 3.x, also pasted, with progress lines, and several runs in one file. Numbers of I/Os are
 * those of its line "issued"; each line of times has its own unit. */
bool fio_text_sniff(const char *head, const char *name);
int fio_text_read(struct collect *c, struct error *e);
