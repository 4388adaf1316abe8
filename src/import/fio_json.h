#pragma once
#include "import/collect.h"

/* fio --output-format=json and json+, 2.0 to 3.4x, with whatever text stands around it. */
bool fio_json_sniff(const char *head, const char *name);
int fio_json_read(struct collect *c, struct error *e);
