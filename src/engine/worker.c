#include "engine/worker.h"

/* Chooses the slot's next I/O. */
static inline __attribute__((always_inline)) void choose(struct worker *w, struct slot *s)
{
    const struct way *way = pattern_next(&w->pattern, s->target, &s->offset);
    s->size = way->size;
    s->tally = way->tally;
    s->direction = way->direction;
    s->buffer = way->direction == DIR_READ ? s->read_buffer : s->write_data;
}

static void __attribute__((noinline, cold))
failed(struct worker *w, const struct slot *s, int32_t result, uint64_t now)
{
    meter_add_error(&w->meter, s);
    if (faults_add(&w->faults, s, result, now)) {
        timeline_halt(w->meter.time, HALT_GONE);
        w->meter.edge = 0;
    }
}

static inline void finish(struct worker *w, struct slot *s, int32_t result, uint64_t now)
{
    if (s->direction == DIR_WRITE)
        buffers_next_write(&w->buffers, s);
    if (__builtin_expect(result != (int32_t)s->size, 0)) {
        failed(w, s, result, now);
        return;
    }
    w->faults.gone_in_a_row[s->target] = 0;
    meter_add(&w->meter, s, now);
}

void worker_finish(struct worker *w, struct slot *s, int32_t result, uint64_t now)
{
    finish(w, s, result, now);
}

void worker_broken(struct worker *w, int sys)
{
    error_sys(&w->error, sys, "cannot submit I/O");
    w->broken = true;
    timeline_halt(w->meter.time, HALT_BROKEN);
    w->meter.edge = 0;
}

/* Writes down the n I/Os that had finished at `now` and makes up as many new ones in their slots: what finished last goes first,
 * its buffer is still in the cache. Returns when the first of them was ready to go: the clock of the whole batch runs from
 * there, so that no I/O waits for the rest of its batch unseen. */
static inline __attribute__((always_inline)) uint64_t turn(struct worker *w, uint32_t n,
                                                           uint64_t now)
{
    uint64_t ready = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct completion *c = &w->done[n - 1 - i];
        struct slot *s = &w->slots[c->slot];
        w->issue[i] = c->slot;
        finish(w, s, c->result, now);
        choose(w, s);
        if (i == 0)
            ready = w->driver.ops->now(w->driver.self);
        s->start = ready;
    }
    return n ? ready : w->driver.ops->now(w->driver.self);
}

static uint64_t first_batch(struct worker *w)
{
    for (uint32_t i = 0; i < w->n_slots; i++) {
        w->issue[i] = i;
        choose(w, &w->slots[i]);
    }
    uint64_t ready = w->driver.ops->now(w->driver.self);
    for (uint32_t i = 0; i < w->n_slots; i++)
        w->slots[i].start = ready;
    return ready;
}

/* The loop everything else is there for. Every slot is in flight during the call, so what finished is what is issued next.
 * Two looks at the clock a batch: when its first I/O is ready, and when the completions have been reaped. Data to write was
 * made ready before. Returns how many had finished at the reap that came too late to count. */
static __attribute__((hot, noinline)) uint32_t measure(struct worker *w)
{
    const struct driver_ops *ops = w->driver.ops;
    struct meter *m = &w->meter;
    uint32_t n = w->n_slots;
    uint64_t ready = first_batch(w);
    for (;;) {
        int got = ops->exchange(w->driver.self, w->issue, n, w->done);
        uint64_t now = w->driver.ops->now(w->driver.self);
        if (__builtin_expect(got < 0, 0)) {
            worker_broken(w, -got);
            got = 0;
        }
        bool over = now >= m->edge && meter_cross(m, now);
        meter_span(m, ready, w->n_slots - n, false);
        meter_span(m, now, w->n_slots, true);
        n = (uint32_t)got;
        if (over)
            return n;
        ready = turn(w, n, now);
        m->last_reap = now;
    }
}

/* What was in flight at the end is waited for, but does not count. */
static void drain(struct worker *w, uint32_t finished)
{
    for (uint32_t i = 0; i < w->n_slots; i++)
        meter_add_unfinished(&w->meter, &w->slots[i]);
    while (finished < w->n_slots && !w->broken) {
        int got = w->driver.ops->exchange(w->driver.self, NULL, 0, w->done);
        if (got < 0)
            worker_broken(w, -got);
        else
            finished += (uint32_t)got;
    }
}

static bool wait_for_start(struct gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->ready++;
    pthread_cond_broadcast(&g->moved);
    while (g->state == GATE_SHUT)
        pthread_cond_wait(&g->moved, &g->lock);
    bool open = g->state == GATE_OPEN;
    pthread_mutex_unlock(&g->lock);
    return open;
}

void *worker_main(void *worker)
{
    struct worker *w = worker;
    w->broken = w->driver.ops->begin(w->driver.self, &w->error) != 0;
    if (wait_for_start(w->gate)) {
        uint64_t now = w->driver.ops->now(w->driver.self);
        if (!meter_begin(&w->meter, now))
            drain(w, w->replay ? replay_measure(w) : measure(w));
    }
    w->driver.ops->end(w->driver.self);
    return NULL;
}
