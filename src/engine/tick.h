#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/* CLOCK_MONOTONIC read from the processor's time stamp counter: a third of the price of clock_gettime. Between two I/Os of a worker
 * at queue depth 1 nothing is in flight, and two looks at the clock are most of that time; on a target that answers in 1 µs it
 * would be 4 % of it.
 *
 * One a thread. The counter is compared with the kernel's clock every TICK_PERIOD_NS and follows its rate; the times given never go
 * back. It is used only where the kernel itself keeps time with it (clock source tsc or kvm-clock, given up by the kernel when
 * the counters of the processors disagree), and as long as both agree to 2 µs and 0.1 % of the period. Else, and on other
 * processors than x86-64, tick_now is clock_mono_ns. */
#define TICK_PERIOD_NS 20000000ull

struct tick {
    uint64_t count, ns; /* the time at a count, */
    uint64_t rate;      /* ns a count, 32 binary places, */
    uint64_t valid; /* and for how many counts after it that holds; 0: the counter is not used */
    uint64_t seen_count, seen_ns; /* the last comparison with the kernel's clock */
    uint64_t period_ns, floor;    /* to the next one; the latest time that may have been given */
};

/* May the counter be used on this machine? Looked up once. */
bool tick_usable(void);

/* On the thread that will read it; takes about 2 ms. */
void tick_begin(struct tick *t);

/* The parts of tick_begin and tick_now that tests call with made-up clocks: two readings of counter and clock, then one at the end
 * of each period. tick_compare returns the time of that moment, or gives the counter up. */
void tick_start(struct tick *t, const uint64_t count[2], const uint64_t ns[2]);
uint64_t tick_compare(struct tick *t, uint64_t count, uint64_t ns);
uint64_t tick_renew_(struct tick *t);

static inline uint64_t tick_at(const struct tick *t, uint64_t count)
{
    return t->ns + (uint64_t)(((unsigned __int128)(count - t->count) * t->rate) >> 32);
}

static inline uint64_t tick_now(struct tick *t)
{
#ifdef __x86_64__
    uint64_t count = __builtin_ia32_rdtsc();
    if (__builtin_expect(count - t->count < t->valid, 1))
        return tick_at(t, count);
#endif
    return tick_renew_(t);
}
