#pragma once
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/driver.h"
#include "engine/pattern.h"
#include "engine/sample.h"
#include "engine/timeline.h"
#include "model/hist.h"
#include "model/record.h"

/* What one worker measured. An I/O is recorded once, in the histogram of its tally in the record of the current interval;
 * everything else (batches, totals, the other histograms) is made from that at the boundaries or by the collector.
 *
 * Records go to the collector through a ring with one producer and one consumer; they are filled in place. An interval in
 * which nothing happened has no record: the `complete` mark tells the collector that it is over. */

struct tally {
    uint64_t bytes, errors;
    struct hist hist;
};

struct record {
    int64_t index; /* of the interval */
    struct batch batch[TIMELINE_MAX_PARTS];
    struct tally tally[];
};

struct record_ring {
    unsigned char *memory; /* n records, all clear */
    size_t stride;
    uint32_t n, n_tallies;
    sem_t space;                        /* records free to be filled after the one in work */
    _Alignas(64) atomic_uint published; /* records the worker has handed over */
    _Atomic int64_t complete;           /* intervals below it are over for this worker */
    _Alignas(64) uint32_t taken;        /* the collector's: records given back */
};

#define RECORDS_FINISHED INT64_MAX

size_t record_size(uint32_t n_tallies);
void record_ring_init(struct record_ring *r, unsigned char *memory, uint32_t n, uint32_t n_tallies);
void record_ring_done(struct record_ring *r);
/* The oldest record handed over, or NULL; record_ring_give_back returns it, clear. */
struct record *record_ring_peek(struct record_ring *r);
void record_ring_give_back(struct record_ring *r);

struct usage {
    uint64_t user_ns, system_ns, switches;
};

struct meter {
    uint64_t edge; /* meter_cross must be called from then on; 0: at once */
    struct tally *tally;
    struct sampler sampler;
    uint64_t in_call_ns;        /* of the window: waiting in the driver */
    unsigned __int128 depth_ns; /* integral of I/Os in flight over the window */
    uint64_t counted_until;     /* time up to which both are known */
    uint64_t end;               /* of the window, as known */
    uint64_t last_reap;         /* that counted; kept by the worker */

    struct timeline *time;
    struct record_ring *ring;
    struct record *record;
    sem_t *news; /* wakes the collector */
    const struct tally_key *keys;
    uint32_t n_tallies;
    uint32_t part;
    bool counting;     /* in the window */
    struct batch seen; /* sums of the record at the last boundary */
    struct usage usage;
    _Atomic uint64_t
        full; /* times the ring was full and the worker had to wait for the collector */
    uint64_t in_flight_at_end[DIR_COUNT], oldest_ns[DIR_COUNT];
};

/* ring, sampler, time, news and keys are set by the caller. On the worker's thread, when the clock has started. Returns
 * true if the window is over already. */
bool meter_begin(struct meter *m, uint64_t now);

/* To be called at the first reap at or after `edge` (end of a batch, or time to look at the stop flag), before the I/Os
 * reaped then are recorded. Returns true if the window is over: they do not count. */
bool meter_cross(struct meter *m, uint64_t now);

/* From counted_until to `now` there were `depth` I/Os in flight, and the worker was waiting or not. */
static inline void meter_span(struct meter *m, uint64_t now, uint32_t depth, bool waiting)
{
    uint64_t to = now < m->end ? now : m->end;
    if (to <= m->counted_until)
        return;
    uint64_t length = to - m->counted_until;
    m->depth_ns += (unsigned __int128)length * depth;
    m->in_call_ns += waiting ? length : 0;
    m->counted_until = to;
}

static inline void meter_add(struct meter *m, const struct slot *s, uint64_t now)
{
    uint64_t lat = now - s->start;
    struct tally *t = &m->tally[s->tally];
    t->bytes += s->size;
    hist_record(&t->hist, lat);
    if (__builtin_expect(sampler_wants(&m->sampler, lat), 0))
        sampler_take(&m->sampler, &(struct sample) { .t_ns = (int64_t)(now - m->time->zero),
                                                     .offset = s->offset,
                                                     .lat_ns = lat,
                                                     .size = s->size,
                                                     .direction = (enum direction)s->direction });
}

static inline void meter_add_error(struct meter *m, const struct slot *s)
{
    m->tally[s->tally].errors++;
}

/* This slot was in flight when the window ended. */
void meter_add_unfinished(struct meter *m, const struct slot *s);
