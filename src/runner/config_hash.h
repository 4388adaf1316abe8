#pragma once
#include "base/arena.h"
#include "model/plan.h"

/* First 12 hex digits of a SHA-256 over all that makes two runs comparable: engine version, workloads, cells without their targets,
 * seeds and order. Equal hash: like for like. */
const char *config_hash(struct arena *a, const struct plan *p);
