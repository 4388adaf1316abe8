#pragma once
#include "engine/engine.h"
#include "engine/pattern.h"

/* Can this job be measured? Spans of the targets go to spans[n_targets]. A size the device cannot do, a span that holds no
 * I/O and whatever the engine does not know how to do fail with a message that names it. */
int job_check(const struct engine_job *job, struct span *spans, struct error *e);

/* The largest I/O of a direction; 0: none. */
uint32_t job_largest(const struct workload *w, enum direction d);
