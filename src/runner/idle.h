#pragma once
#include "runner/runner.h"

/* The pause before a cell: asks nothing of any target for c->idle_ns and tells the job's watch about it. Returns -1 with
 * QD_E_CANCELLED as soon as *stop is set. */
int idle_before(const struct runner_job *job, const struct cell *c, struct error *e);
