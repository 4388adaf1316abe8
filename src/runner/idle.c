#include "runner/idle.h"

#include "base/clock.h"

#define IDLE_STEP_NS (100 * NS_PER_MS)

int idle_before(const struct runner_job *job, const struct cell *c, struct error *e)
{
    uint64_t begin = clock_mono_ns();
    uint64_t done = 0;
    while (done < c->idle_ns) {
        if (job->stop && atomic_load(job->stop))
            return error_set(e, QD_E_CANCELLED, "interrupted while idle before a cell");
        if (job->watch.idle)
            job->watch.idle(job->watch.ctx, c, done);
        uint64_t left = c->idle_ns - done;
        clock_sleep_until(begin + done + (left < IDLE_STEP_NS ? left : IDLE_STEP_NS));
        done = clock_mono_ns() - begin;
    }
    return 0;
}
