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

static void broken(struct worker *w, int sys)
{
    error_sys(&w->error, sys, "cannot submit I/O");
    w->broken = true;
    timeline_halt(w->meter.time, HALT_BROKEN);
    w->meter.edge = 0;
}

/* Makes up the next batch; returns when its first I/O was ready to go. */
static inline uint64_t choose_batch(struct worker *w, const uint32_t *issue, uint32_t n)
{
    if (n)
        choose(w, &w->slots[issue[0]]);
    uint64_t now = w->driver.ops->now(w->driver.self);
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            choose(w, &w->slots[issue[i]]);
        w->slots[issue[i]].start = now;
    }
    return now;
}

/* The loop everything else is there for. Every slot is in flight during the call, so what finished is what is issued next.
 * Two looks at the clock a batch: when its first I/O is ready, so that no I/O waits for the rest of its batch unseen, and
 * when the completions have been reaped. Data to write was made ready before. What finished last goes first: its buffer
 * is still in the cache. Returns how many had finished at the reap that came too late to count. */
static __attribute__((hot, noinline)) uint32_t measure(struct worker *w)
{
    const struct driver_ops *ops = w->driver.ops;
    void *self = w->driver.self;
    struct meter *m = &w->meter;
    struct completion *done = w->done;
    uint32_t *issue = w->issue, n = w->n_slots;
    for (uint32_t i = 0; i < n; i++)
        issue[i] = i;
    for (;;) {
        uint64_t before = choose_batch(w, issue, n);
        int got = ops->exchange(self, issue, n, done);
        uint64_t now = ops->now(self);
        if (__builtin_expect(got < 0, 0)) {
            broken(w, -got);
            got = 0;
        }
        bool over = now >= m->edge && meter_cross(m, now);
        meter_span(m, before, w->n_slots - n, false);
        meter_span(m, now, w->n_slots, true);
        n = (uint32_t)got;
        if (over)
            return n;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t id = done[i].slot;
            issue[n - 1 - i] = id;
            finish(w, &w->slots[id], done[i].result, now);
        }
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
            broken(w, -got);
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
            drain(w, measure(w));
    }
    w->driver.ops->end(w->driver.self);
    return NULL;
}
