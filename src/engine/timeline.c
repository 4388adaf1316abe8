#include "engine/timeline.h"

#include "base/clock.h"

#define MIN_BATCH_NS (10 * NS_PER_MS)

static const atomic_int never;

void timeline_init(struct timeline *t, uint64_t ramp_ns, uint64_t duration_ns, uint64_t interval_ns,
                   const atomic_int *stop)
{
    *t = (struct timeline) {
        .ramp_ns = ramp_ns,
        .duration_ns = duration_ns,
        .interval_ns = interval_ns < duration_ns ? interval_ns : duration_ns,
        .stop = stop ? stop : &never,
    };
    uint64_t batch = duration_ns / TIMELINE_MAX_PARTS;
    if (batch < MIN_BATCH_NS)
        batch = MIN_BATCH_NS;
    t->batches = batch < t->interval_ns;
    t->parts = t->batches ? (uint32_t)(t->interval_ns / batch) : 1;
}

void timeline_start(struct timeline *t, uint64_t now)
{
    t->origin = now;
    t->zero = now + t->ramp_ns;
    atomic_store(&t->end, t->zero + t->duration_ns);
    atomic_store(&t->last_end, 0);
}

void timeline_halt(struct timeline *t, enum halt why)
{
    int none = HALT_NONE;
    atomic_compare_exchange_strong(&t->halt, &none, (int)why);
}

enum halt timeline_why(const struct timeline *t)
{
    return (enum halt)atomic_load(&t->halt);
}

static void store_smaller(_Atomic uint64_t *at, uint64_t value)
{
    uint64_t old = atomic_load(at);
    while (value < old && !atomic_compare_exchange_weak(at, &old, value))
        ;
}

void timeline_cut(struct timeline *t, uint64_t now)
{
    if (now >= atomic_load(&t->end))
        return;
    timeline_halt(t, HALT_STOPPED);
    store_smaller(&t->end, now);
}

int64_t timeline_index(const struct timeline *t, uint64_t now)
{
    if (now >= t->zero)
        return (int64_t)((now - t->zero) / t->interval_ns);
    return -1 - (int64_t)((t->zero - now - 1) / t->interval_ns);
}

static uint64_t index_start(const struct timeline *t, int64_t index)
{
    return t->zero + (uint64_t)index * t->interval_ns;
}

/* Part p starts at floor(p * interval / parts). */
uint32_t timeline_part(const struct timeline *t, int64_t index, uint64_t now)
{
    uint64_t x = now - index_start(t, index);
    return (uint32_t)(((unsigned __int128)(x + 1) * t->parts - 1) / t->interval_ns);
}

uint64_t timeline_part_start(const struct timeline *t, int64_t index, uint32_t part)
{
    uint64_t x = (uint64_t)((unsigned __int128)t->interval_ns * part / t->parts);
    return index_start(t, index) + x;
}

int64_t timeline_first(const struct timeline *t)
{
    return timeline_index(t, t->origin);
}

int64_t timeline_planned(const struct timeline *t)
{
    return (int64_t)((t->duration_ns + t->interval_ns - 1) / t->interval_ns);
}

void timeline_counted(struct timeline *t, uint64_t last_reap)
{
    uint64_t old = atomic_load(&t->last_end);
    while (last_reap + 1 > old && !atomic_compare_exchange_weak(&t->last_end, &old, last_reap + 1))
        ;
}

uint64_t timeline_last(const struct timeline *t)
{
    uint64_t end = atomic_load(&t->end), last = atomic_load(&t->last_end);
    return end > last ? end : last;
}

uint64_t timeline_measured_ns(const struct timeline *t)
{
    uint64_t last = timeline_last(t);
    return last > t->zero ? last - t->zero : 0;
}
