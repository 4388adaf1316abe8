#pragma once
#include "base/error.h"
#include "model/hist.h"
#include "model/plan.h"
#include "model/sink.h"

/* A run whose every second is given: one cell a target, of any length, in memory that does not grow with it. For tests that
 * must know the truth of a consistency test, and for measuring reports of 90,000 seconds. Integers and xoshiro only: same
 * options, same records, on any machine. Uses base and model. */
struct long_run {
    const char *name;         /* NULL: "long" */
    const char *report;       /* NULL: "consistency" */
    const char *const *names; /* of the targets; NULL: those of long_shape */
    uint32_t n_targets;
    const struct workload
        *workload;        /* NULL: 4 KiB random writes; one direction: that of most of its I/Os */
    uint32_t queue_depth; /* 0: 32 */
    uint32_t seconds, ramp;
    /* Adds one second's I/Os to `h`, which is empty; none: a stalled second. Negative seconds are the ramp. */
    void (*second)(void *ctx, uint32_t target, int64_t second, struct hist *h);
    void *ctx;
    uint32_t
        samples; /* single I/Os a target, evenly over its seconds, plus as many slow ones as 10; 0: none */
    bool bare; /* no histograms in the intervals */
    uint32_t cut_target,
        cut; /* cut > 0: target `cut_target` is interrupted after that many seconds */
    uint32_t gap_from, gap; /* these seconds of all targets have no record at all */
};
int long_run(const struct long_run *l, struct sink *s, struct error *e);

/* n I/Os of that response time. */
void long_add(struct hist *h, uint64_t ns, uint64_t n);

/* Three targets as a review would show them: one steady after its first 4 %, one that slows and stalls, one even but for a
 * scrub. ctx: the struct long_run it is for. */
void long_shape(void *ctx, uint32_t target, int64_t second, struct hist *h);
