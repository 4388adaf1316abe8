#pragma once
#include <stdatomic.h>

#include "base/error.h"
#include "model/plan.h"
#include "model/target.h"
#include "runner/runner.h"

/* Fills the span of a target with real data (random and unique per block, unless the fill says otherwise), so that no read meets a hole
 * or an unwritten extent, and flushes it. 1 MiB writes through the target's own descriptor. Returns -1 with QD_E_CANCELLED when
 * *stop was set. */
struct layout_job {
    const struct opened_target *target;
    struct fill fill;
    uint64_t seed;
    atomic_int *stop;
    const struct runner_watch *watch;
};
int layout_write(const struct layout_job *job, struct error *e);
/* In words, for the target's record: "1 GiB of random data written". */
const char *layout_words(struct arena *a, uint64_t bytes, const struct fill *fill);
