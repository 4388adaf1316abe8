#include "engine/meter.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"

size_t record_size(uint32_t n_tallies)
{
    size_t size = sizeof(struct record) + n_tallies * sizeof(struct tally);
    return (size + 63) & ~(size_t)63;
}

static struct record *record_at(const struct record_ring *r, uint32_t i)
{
    return (struct record *)(void *)(r->memory + (size_t)(i % r->n) * r->stride);
}

static void record_clear(struct record *r, uint32_t n_tallies)
{
    memset(r->batch, 0, sizeof r->batch);
    for (uint32_t i = 0; i < n_tallies; i++)
        if (r->tally[i].hist.m.n)
            hist_clear(&r->tally[i].hist);
    for (uint32_t i = 0; i < n_tallies; i++)
        r->tally[i].bytes = r->tally[i].errors = 0;
}

void record_ring_init(struct record_ring *r, unsigned char *memory, uint32_t n, uint32_t n_tallies)
{
    *r = (struct record_ring) {
        .memory = memory, .stride = record_size(n_tallies), .n = n, .n_tallies = n_tallies
    };
    sem_init(&r->space, 0, n - 1);
    atomic_init(&r->published, 0);
    atomic_init(&r->complete, INT64_MIN);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t t = 0; t < n_tallies; t++)
            hist_clear(&record_at(r, i)->tally[t].hist);
}

void record_ring_done(struct record_ring *r)
{
    if (r->memory)
        sem_destroy(&r->space);
    r->memory = NULL;
}

struct record *record_ring_peek(struct record_ring *r)
{
    if (atomic_load_explicit(&r->published, memory_order_acquire) == r->taken)
        return NULL;
    return record_at(r, r->taken);
}

void record_ring_give_back(struct record_ring *r)
{
    record_clear(record_at(r, r->taken), r->n_tallies);
    r->taken++;
    sem_post(&r->space);
}

static struct usage usage_now(void)
{
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    return (struct usage) {
        .user_ns = (uint64_t)u.ru_utime.tv_sec * NS_PER_S + (uint64_t)u.ru_utime.tv_usec * 1000,
        .system_ns = (uint64_t)u.ru_stime.tv_sec * NS_PER_S + (uint64_t)u.ru_stime.tv_usec * 1000,
        .switches = (uint64_t)u.ru_nvcsw + (uint64_t)u.ru_nivcsw,
    };
}

static void window_begins(struct meter *m)
{
    m->counting = true;
    m->usage = usage_now();
    sampler_start(&m->sampler);
}

static void window_ends(struct meter *m)
{
    struct usage u = usage_now(), at_start = m->counting ? m->usage : u;
    m->usage = (struct usage) { u.user_ns - at_start.user_ns, u.system_ns - at_start.system_ns,
                                u.switches - at_start.switches };
}

static struct batch sums(const struct meter *m)
{
    struct batch b = { 0 };
    for (uint32_t i = 0; i < m->n_tallies; i++) {
        const struct moments *x = &m->tally[i].hist.m;
        enum direction d = m->keys[i].direction;
        b.dir[d].ios += x->n;
        b.dir[d].bytes += m->tally[i].bytes;
        b.dir[d].lat_sum_ns += x->sum;
    }
    return b;
}

/* A batch is what the record has gained since the last look. */
static void add_to_batch(struct meter *m)
{
    struct batch now = sums(m), *b = &m->record->batch[m->part];
    for (int d = 0; d < DIR_COUNT; d++) {
        b->dir[d].ios += now.dir[d].ios - m->seen.dir[d].ios;
        b->dir[d].bytes += now.dir[d].bytes - m->seen.dir[d].bytes;
        b->dir[d].lat_sum_ns += now.dir[d].lat_sum_ns - m->seen.dir[d].lat_sum_ns;
    }
    m->seen = now;
}

static bool record_empty(const struct meter *m)
{
    for (uint32_t i = 0; i < m->n_tallies; i++)
        if (m->tally[i].hist.m.n || m->tally[i].errors)
            return false;
    return true;
}

/* Waits for the collector only if that is many intervals behind; better late than lost. */
static void next_record(struct meter *m)
{
    struct record_ring *r = m->ring;
    uint32_t next = atomic_load_explicit(&r->published, memory_order_relaxed) + 1;
    atomic_store_explicit(&r->published, next, memory_order_release);
    if (sem_trywait(&r->space) != 0) {
        m->full++;
        sem_post(m->news);
        while (sem_wait(&r->space) != 0 && errno == EINTR)
            ;
    }
    m->record = record_at(r, next);
    m->tally = m->record->tally;
    m->seen = (struct batch) { 0 };
}

static void move_to(struct meter *m, int64_t index)
{
    if (!record_empty(m))
        next_record(m);
    m->record->index = index;
    atomic_store_explicit(&m->ring->complete, index, memory_order_release);
    sem_post(m->news);
}

bool meter_begin(struct meter *m, uint64_t now)
{
    m->end = atomic_load(&m->time->end);
    m->record = record_at(m->ring, 0);
    m->tally = m->record->tally;
    m->record->index = timeline_first(m->time);
    m->counted_until = m->time->zero;
    return meter_cross(m, now);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

bool meter_cross(struct meter *m, uint64_t now)
{
    struct timeline *t = m->time;
    if (timeline_halted(t))
        timeline_cut(t, now);
    m->end = atomic_load(&t->end);
    add_to_batch(m);
    if (now >= t->zero && !m->counting)
        window_begins(m);
    if (now >= m->end) {
        window_ends(m);
        timeline_counted(t, m->last_reap);
        move_to(m, RECORDS_FINISHED);
        return true;
    }
    int64_t index = timeline_index(t, now);
    if (index != m->record->index)
        move_to(m, index);
    m->part = timeline_part(t, index, now);
    m->edge = sooner(timeline_part_start(t, index, m->part + 1), m->end);
    m->edge = sooner(m->edge, now + TIMELINE_LOOK_NS);
    return false;
}

void meter_add_unfinished(struct meter *m, const struct slot *s)
{
    if (s->start >= m->end)
        return;
    uint64_t age = m->end - s->start;
    m->in_flight_at_end[s->direction]++;
    if (age > m->oldest_ns[s->direction])
        m->oldest_ns[s->direction] = age;
}
