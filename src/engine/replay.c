#include "engine/replay.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/fmt.h"
#include "base/oom.h"
#include "engine/round.h"
#include "engine/worker.h"

/* A sleeping thread wakes up to 0.1 ms late: the last part is spent looking at the clock. */
#define SPIN_NS 150000ull

static int fit(struct replay *r, struct trace_io *io, const struct span *span, uint32_t block,
               const struct opened_target *target, struct error *e)
{
    uint64_t from = io->offset / block * block, to = round_up(io->offset + io->size, block);
    uint64_t first = round_up(span->first, block);
    uint64_t last = (span->first + span->bytes) / block * block, size = to - from;
    if (first + size > last || size > PLAN_MAX_SIZE)
        return error_set(e, QD_E_FAIL, "cannot replay an I/O of %s on '%s': the span is %s",
                         fmt_bytes(size).s, target->name, fmt_bytes(span->bytes).s);
    uint64_t room = last - first - size + block; /* of starts */
    r->widened += from != io->offset || size != io->size;
    r->folded += from > last - first - size;
    io->offset = first + from % room;
    io->size = (uint32_t)size;
    if (io->size > r->largest[io->direction])
        r->largest[io->direction] = io->size;
    return 0;
}

int replay_open(struct replay *r, const struct trace *t, const struct span *span,
                const struct opened_target *target, struct error *e)
{
    *r = (struct replay) {
        .ios = xcalloc(t->n, sizeof *r->ios), .n = t->n, .timed = t->speed > 0, .trace = t
    };
    for (size_t i = 0; i < t->n; i++) {
        struct trace_io *io = &r->ios[i];
        *io = t->ios[i];
        io->at_ns = r->timed ? (uint64_t)((double)io->at_ns / t->speed) : 0;
        r->end_ns = io->at_ns;
        if (fit(r, io, span, target->block, target, e))
            return -1;
    }
    return 0;
}

void replay_close(struct replay *r)
{
    free(r->ios);
    r->ios = NULL;
}

/* --- the loop ------------------------------------------------------------------------------------------------------ */

/* Slots of one worker that are not in flight, and its next I/O: taken only when there is a slot for it, so that it does not
 * wait here while another thread is idle. */
struct loop {
    struct worker *w;
    uint32_t *idle, n_idle, n_issue;
    const struct trace_io *next;
    uint64_t due;
};

static bool has_next(struct loop *l)
{
    struct replay *r = l->w->replay;
    if (l->next || atomic_load(&r->next) >= r->n)
        return l->next != NULL;
    size_t i = atomic_fetch_add(&r->next, 1);
    l->next = i < r->n ? &r->ios[i] : NULL;
    l->due = l->next && r->timed ? l->w->meter.time->zero + l->next->at_ns : 0;
    return l->next != NULL;
}

static void put_in_slot(struct loop *l, uint64_t now)
{
    struct worker *w = l->w;
    uint32_t id = l->idle[--l->n_idle];
    struct slot *s = &w->slots[id];
    struct replay_lateness *x = &w->lateness;
    bool timed = w->replay->timed;
    s->offset = l->next->offset;
    s->size = l->next->size;
    s->direction = l->next->direction;
    s->tally = w->replay_tally[s->direction];
    s->buffer = s->direction == DIR_READ ? s->read_buffer : s->write_data;
    s->start = timed ? l->due : now;
    w->issue[l->n_issue++] = id;
    x->issued++;
    if (timed && now - l->due > REPLAY_LATE_NS) {
        x->late++;
        x->worst_ns = now - l->due > x->worst_ns ? now - l->due : x->worst_ns;
    }
    l->next = NULL;
}

/* Until when to wait: for the next start if a slot is free for it, else for any completion. */
static uint64_t wait_until(const struct loop *l, uint64_t now)
{
    uint64_t until = now + DRIVER_PERIOD_NS;
    if (l->w->meter.edge == 0)
        return now; /* over: see it at once */
    if (!l->next || !l->n_idle || l->due >= until)
        return until;
    if (l->due <= now + SPIN_NS)
        return now;
    return l->due - SPIN_NS;
}

/* Whoever reaps the last I/O of all threads ends the window. */
static void reap(struct loop *l, uint32_t got, uint64_t now)
{
    struct worker *w = l->w;
    struct replay *r = w->replay;
    for (uint32_t i = 0; i < got; i++) {
        struct slot *s = &w->slots[w->done[i].slot];
        worker_finish(w, s, w->done[i].result, now);
        s->start = UINT64_MAX; /* idle */
        l->idle[l->n_idle++] = w->done[i].slot;
    }
    if (!got)
        return;
    w->meter.last_reap = now;
    if (atomic_fetch_add(&r->done, got) + got == r->n) {
        timeline_halt(w->meter.time, HALT_FINISHED);
        w->meter.edge = 0;
    }
}

static void begin(struct loop *l, struct worker *w)
{
    *l = (struct loop) { .w = w, .idle = w->idle };
    for (uint32_t i = 0; i < w->n_slots; i++) {
        w->slots[i].start = UINT64_MAX;
        l->idle[l->n_idle++] = i;
    }
}

uint32_t replay_measure(struct worker *w)
{
    const struct driver_ops *ops = w->driver.ops;
    struct meter *m = &w->meter;
    struct loop l;
    begin(&l, w);
    for (;;) {
        uint64_t before = ops->now(w->driver.self);
        meter_span(m, before, w->n_slots - l.n_idle, false);
        for (l.n_issue = 0; l.n_idle && has_next(&l) && l.due <= before;)
            put_in_slot(&l, before);
        uint32_t in_flight = w->n_slots - l.n_idle;
        int got = ops->wait(w->driver.self, w->issue, l.n_issue, w->done, wait_until(&l, before));
        uint64_t now = ops->now(w->driver.self);
        if (__builtin_expect(got < 0, 0)) {
            worker_broken(w, -got);
            got = 0;
        }
        bool over = now >= m->edge && meter_cross(m, now);
        meter_span(m, now, in_flight, true);
        if (over)
            return l.n_idle + (uint32_t)got;
        reap(&l, (uint32_t)got, now);
    }
}
