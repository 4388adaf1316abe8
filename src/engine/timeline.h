#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* When what counts: the ramp, the window [0, duration), its intervals and the batches inside them. Shared by all workers
 * and the collector; times are ns of the drivers' clock. Set before the workers start; then only `end` and `halt` change.
 *
 * Interval i covers [zero + i * interval, zero + (i + 1) * interval): negative in the ramp; the first one begins at the
 * origin, the last one ends at `end`. Each is cut into `parts` batches of equal length (to 1 ns). */
enum { TIMELINE_MAX_PARTS = 64 };

enum halt {
    HALT_NONE,
    HALT_STOPPED,
    HALT_GONE,
    HALT_BROKEN,
    HALT_FINISHED /* nothing left to do */
};

struct timeline {
    uint64_t origin, zero; /* start of the ramp, of the window */
    uint64_t ramp_ns, duration_ns, interval_ns;
    uint32_t parts;
    bool batches; /* false: a batch of duration/64 would be no shorter than an interval */
    const atomic_int *stop;
    atomic_int halt;           /* enum halt: the first reason to end early wins */
    _Atomic uint64_t end;      /* of the window; pulled forward by timeline_cut */
    _Atomic uint64_t last_end; /* the latest reap that counted, + 1 */
};

/* An interval longer than the window is shortened to it. stop may be NULL. */
void timeline_init(struct timeline *t, uint64_t ramp_ns, uint64_t duration_ns, uint64_t interval_ns,
                   const atomic_int *stop);
void timeline_start(struct timeline *t, uint64_t now);

/* How often a worker looks whether it shall stop. */
#define TIMELINE_LOOK_NS 50000000ull

static inline bool timeline_halted(const struct timeline *t)
{
    return atomic_load(&t->halt) != HALT_NONE || atomic_load(t->stop) != 0;
}

/* Ends the window early: everybody leaves at the next look. */
void timeline_halt(struct timeline *t, enum halt why);
/* Called by the worker that sees the halt: nothing reaped at or after `now` counts. Once the window is over it was whole,
 * and this changes nothing. */
void timeline_cut(struct timeline *t, uint64_t now);
enum halt timeline_why(const struct timeline *t);

int64_t timeline_index(const struct timeline *t, uint64_t now);
uint32_t timeline_part(const struct timeline *t, int64_t index, uint64_t now);
/* Start of a batch; part == parts: the end of the interval. */
uint64_t timeline_part_start(const struct timeline *t, int64_t index, uint32_t part);

/* First interval of the ramp (0 without one) and the number of those in the window as planned. */
int64_t timeline_first(const struct timeline *t);
int64_t timeline_planned(const struct timeline *t);
/* Said by each worker before it finishes: its last reap that counted. */
void timeline_counted(struct timeline *t, uint64_t last_reap);
/* The end of everything measured, and how much of the window that is; final when all workers have finished. */
uint64_t timeline_last(const struct timeline *t);
uint64_t timeline_measured_ns(const struct timeline *t);
