#pragma once
#include "import/collect.h"

/* Saved texts of CrystalDiskMark 1 to 9 and KDiskMark, also pasted ones and several in one file. A row is a cell, a report met again a
 * repetition. */
bool cdm_sniff(const char *head, const char *name);
int cdm_read(struct collect *c, struct error *e);
