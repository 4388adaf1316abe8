#pragma once
#include "engine/engine.h"

/* Which engine drives this job. `auto`: io_uring, but the sync engine at queue depth 1 where a target cannot complete
 * without a kernel worker, and everywhere if io_uring is not to be had; `why` then gets the reason. */
int choose_engine(const struct engine_job *job, enum engine_used *ret, char *why, size_t why_size,
                  struct error *e);

/* Does some target need kernel workers? */
bool choose_needs_workers(const struct engine_job *job);
