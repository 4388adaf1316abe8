#pragma once
#include <stddef.h>

#include "base/error.h"

/* Is this a TrueType font that libharu may see? Bad ones crash it (reference/libraries.md §3). Checks the table directory:
 * version 1.0, the tables it needs, bounds, and every table's checksum (ISO/IEC 14496-22 §4.3; `head` without its
 * checkSumAdjustment). */
int sfnt_check(const void *bytes, size_t n, struct error *e);
