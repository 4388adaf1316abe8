#include "engine/choose.h"

#include <stdio.h>

#include "engine/ring.h"

bool engine_has_io_uring(struct error *e)
{
    return ring_available(e);
}

bool choose_needs_workers(const struct engine_job *job)
{
    for (uint32_t i = 0; i < job->n_targets; i++)
        if (!job->targets[i].nowait)
            return true;
    return false;
}

int choose_engine(const struct engine_job *job, enum engine_used *ret, char *why, size_t why_size,
                  struct error *e)
{
    why[0] = 0;
    *ret = USED_SYNC;
    if (job->choice == ENGINE_SYNC)
        return 0;
    struct error reason = { 0 };
    if (!ring_available(&reason)) {
        if (job->choice == ENGINE_IO_URING) {
            *e = reason;
            return error_hint(e, "try --engine auto");
        }
        snprintf(why, why_size, "%s", reason.what);
        return 0;
    }
    if (job->choice == ENGINE_AUTO && job->cell->queue_depth == 1 && choose_needs_workers(job))
        return 0;
    *ret = USED_IO_URING;
    return 0;
}
