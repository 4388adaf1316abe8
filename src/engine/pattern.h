#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "engine/spread.h"
#include "model/direction.h"
#include "model/plan.h"
#include "model/target.h"

/* From access lines to the next I/O (reference/statistics.md §10).
 *
 * Every line is split into its ways: reads or writes, random or sequential. One bounded draw an I/O chooses the way; the
 * weights are integers, share * read * random in basis points, so that shares are exact. A random start is uniform over all
 * aligned starts that fit the span. A sequential one follows the stream's previous I/O (whatever that was), rounded up to
 * the alignment asked for, and begins again at the start of the span where it would not fit. Starts are multiples of
 * the alignment counted from the start of the target. No division and no allocation after pattern_plan_open. */
#define PATTERN_WHOLE (10000ull * 10000 * 10000)

/* One direction of one access line: results are kept apart by it. */
struct tally_key {
    uint32_t line;
    enum direction direction;
};

struct way {
    uint64_t first;     /* lowest start */
    uint64_t positions; /* random: starts first + i * align, i < positions */
    uint64_t align;
    uint64_t
        align_mask; /* a start without these bits is aligned; all bits where only a division can tell */
    uint64_t last; /* highest start */
    uint64_t step; /* from this start to the next sequential one */
    uint32_t size;
    uint16_t tally;
    uint8_t direction;
    bool random;
    const struct spread *spread; /* random, not uniform; else NULL */
};

struct span {
    uint64_t first, bytes; /* of the target, in bytes */
};

/* The part all workers share. */
struct pattern_plan {
    uint32_t n_ways;
    uint32_t top;     /* first step of the search in `below`; 0: one way */
    uint64_t *below;  /* cumulated weights, padded to a power of two with UINT64_MAX */
    struct way *ways; /* n_ways for each target */
    struct tally_key *tallies;
    uint32_t n_tallies;
    bool sequential; /* some way is: starts are tracked; or is not uniform */
    struct spread *spreads;
};

/* Spans are checked by the caller: every size fits, sizes and alignments are multiples of the block. */
void pattern_plan_open(struct pattern_plan *p, const struct workload *w, const struct span *spans,
                       const struct opened_target *targets, uint32_t n_targets);
/* For a replay: only tallies, of the directions whose largest I/O is not 0. */
void pattern_plan_trace(struct pattern_plan *p, const uint32_t largest[DIR_COUNT]);
void pattern_plan_close(struct pattern_plan *p);

/* Where a worker's sequential I/O on one target goes on. Several threads that make up one worker share it. */
struct stream {
    uint64_t next;
    pthread_mutex_t *lock; /* NULL: one thread */
};

/* Worker w of n starts its streams at w/n of the span, so that several do not read the same blocks. */
uint64_t pattern_stream_start(const struct pattern_plan *p, uint32_t target, uint32_t worker,
                              uint32_t n_workers);

struct pattern {
    struct rng rng;
    uint32_t top; /* these are the plan's */
    bool sequential;
    const uint64_t *below;
    struct stream *streams; /* one a target */
    const struct way *ways[PLAN_MAX_TARGETS];
};

void pattern_init(struct pattern *p, uint64_t seed, const struct pattern_plan *plan,
                  struct stream *streams, uint32_t n_targets);

/* Start of a sequential or not uniform I/O, or note of a random one; moves the stream. */
uint64_t pattern_follow(struct pattern *p, uint32_t target, const struct way *w,
                        uint64_t random_start);

/* The next I/O on a target; *ret_start gets its offset. */
static inline const struct way *pattern_next(struct pattern *p, uint32_t target,
                                             uint64_t *ret_start)
{
    const struct way *w = p->ways[target];
    if (p->top) {
        uint64_t x = rng_below(&p->rng, PATTERN_WHOLE);
        uint32_t k = 0;
        for (uint32_t step = p->top; step; step >>= 1)
            k += p->below[k + step - 1] <= x ? step : 0;
        w += k;
    }
    uint64_t start = w->random ? w->first + rng_below(&p->rng, w->positions) * w->align : 0;
    *ret_start = p->sequential ? pattern_follow(p, target, w, start) : start;
    return w;
}
