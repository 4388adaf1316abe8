#pragma once
#include <stdatomic.h>

#include "engine/driver.h"
#include "engine/pattern.h"
#include "model/trace.h"

/* What replaces the pattern when a cell has a trace: its I/Os fitted to the target, in order of time, given out one by one to
 * whoever has a free slot. Shared by all threads; made before the clock starts.
 *
 * At recorded times an I/O's response time counts from when it was due, so that a device which falls behind does not hide it (no
 * coordinated omission); how many started late and how late is told. As fast as possible it counts from its submission, as in
 * any closed loop. */
struct replay {
    struct trace_io *ios; /* at_ns at the asked speed; offsets and sizes as the target takes them */
    size_t n;
    bool timed;
    atomic_size_t next, done;
    uint64_t folded,
        widened;     /* I/Os moved into the span; of another size or offset than recorded */
    uint64_t end_ns; /* of the last one */
    const struct trace *trace;
    uint32_t largest[DIR_COUNT]; /* fitted */
};

/* Fits the trace to a target's span and block: offsets beyond the span come around from its start, both ends go out to whole
 * blocks. Fails if an I/O is larger than the span. */
int replay_open(struct replay *r, const struct trace *t, const struct span *span,
                const struct opened_target *target, struct error *e);
void replay_close(struct replay *r);

/* What one thread counts. */
struct replay_lateness {
    uint64_t late, worst_ns, issued;
};
/* A start later than this after it was due is late. */
#define REPLAY_LATE_NS 1000000ull

struct worker;
/* In place of the closed loop: until the trace or the window is over. Returns how many slots were not in flight at the end. */
uint32_t replay_measure(struct worker *w);
