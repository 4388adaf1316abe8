#pragma once
#include <stdatomic.h>

#include "base/error.h"
#include "model/plan.h"
#include "model/record.h"
#include "model/sink.h"
#include "model/target.h"

/* Measures one cell on opened targets (shared/engine.md has the semantics). Uses model and base only: opens nothing,
 * prints nothing, knows no SQL.
 *
 * A worker is a thread with its own ring and `queue_depth` I/Os in flight on each target it drives. All memory is mapped and
 * touched in engine_open; while measuring nothing is allocated. Workers hand fixed-size interval records through a
 * single-producer ring to one collector (the thread that called engine_measure), which wakes when a worker has finished an
 * interval, merges them over the workers and calls sink_interval (ramp intervals too, with t_ns < 0; the first of them is
 * shorter if the ramp is no multiple of the interval), then, at the end, sink_samples. Events of the cell go to
 * sink_event: "io-error" and "short-io" (the first of each kind, all counted), "kernel-workers", "no-io-uring",
 * "plain-buffers", "results-held-up", "in-flight-at-end".
 *
 * Response time = from just before the submitting call to the reap seen by the worker. An I/O belongs to the interval in
 * which it is reaped; the sum of the intervals with t_ns >= 0 is the result, exactly. */
struct engine;

struct engine_job {
    const struct cell *cell;
    const struct workload *workload;
    const struct opened_target *targets; /* driven together by every worker */
    uint32_t n_targets;
    enum engine_choice choice;
    atomic_int *stop; /* not 0: end now, keep what was measured (status interrupted); may be NULL */
};

/* Sets workers, rings and buffers up. Fails with a clear message if the job cannot be done (no memory to lock is not a
 * failure: plain buffers are used). */
int engine_open(const struct engine_job *job, struct engine **ret, struct error *e);

/* Ramp, then the measured time; to be called once. I/O errors are results, not failures: counted, and the first of each
 * kind is an event. A device that is gone ends the cell with status failed and reason. Fails only if the sink fails, a
 * thread cannot be made or the kernel refuses the ring itself. *ret and all it points to live until engine_close. */
int engine_measure(struct engine *g, struct sink *s, struct cell_result *ret, struct error *e);

/* The same for a result that is kept nowhere: ops (NULL = nothing) and self see what a sink would from the cell on. */
int engine_measure_only(struct engine *g, const struct sink_ops *ops, void *self,
                        struct cell_result *ret, struct error *e);

void engine_close(struct engine *g); /* NULL is fine */

/* Would `auto` use io_uring on this machine? false with the reason in e: seccomp, sysctl, old kernel. */
bool engine_has_io_uring(struct error *e);

/* Bumped whenever a change of the engine may change numbers; stored with every run. */
#define ENGINE_VERSION "2"
