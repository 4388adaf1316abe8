#pragma once
#include <stdbool.h>

#include "target/target.h"

/* Was the permit given for exactly this target (identity, kind, and whether it existed)? Only target_open asks. */
bool permit_covers(const struct write_permit *p, const struct target_info *t);
