#include "model/sink.h"

#include <assert.h>

enum { CLOSED, TARGETS, BETWEEN_CELLS, IN_CELL };

#define call(s, op, ...) ((s)->ops->op ? (s)->ops->op((s)->self, __VA_ARGS__) : 0)

int sink_run_begin(struct sink *s, const struct run_record *r, struct error *e)
{
    assert(s->state == CLOSED);
    int rc = call(s, run_begin, r, e);
    if (!rc)
        s->state = TARGETS;
    return rc;
}

int sink_target(struct sink *s, const struct target_record *t, struct error *e)
{
    assert(s->state == TARGETS);
    return call(s, target, t, e);
}

int sink_target_facts(struct sink *s, uint32_t target, const struct fact *at, size_t n,
                      struct error *e)
{
    assert(s->state != CLOSED);
    return call(s, target_facts, target, at, n, e);
}

int sink_cell_begin(struct sink *s, const struct cell_begin *c, struct error *e)
{
    assert(s->state == TARGETS || s->state == BETWEEN_CELLS);
    int rc = call(s, cell_begin, c, e);
    s->state = rc ? BETWEEN_CELLS : IN_CELL;
    return rc;
}

int sink_interval(struct sink *s, const struct interval *i, struct error *e)
{
    assert(s->state == IN_CELL);
    return call(s, interval, i, e);
}

int sink_samples(struct sink *s, const struct sample *at, size_t n, struct error *e)
{
    assert(s->state == IN_CELL);
    return call(s, samples, at, n, e);
}

int sink_event(struct sink *s, const struct event *ev, struct error *e)
{
    assert(s->state != CLOSED);
    return call(s, event, ev, e);
}

int sink_cell_end(struct sink *s, const struct cell_result *r, struct error *e)
{
    assert(s->state == IN_CELL);
    s->state = BETWEEN_CELLS; /* even if it fails: the run must still be ended */
    return call(s, cell_end, r, e);
}

/* A cell may still be open: behind a tee whose other sink failed. */
int sink_run_end(struct sink *s, const struct run_end *r, struct error *e)
{
    assert(s->state != CLOSED);
    s->state = CLOSED;
    return call(s, run_end, r, e);
}

static int tee_run_begin(void *self, const struct run_record *r, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_run_begin(t->first, r, e);
    return rc ? rc : sink_run_begin(t->second, r, e);
}

static int tee_target(void *self, const struct target_record *target, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_target(t->first, target, e);
    return rc ? rc : sink_target(t->second, target, e);
}

static int tee_target_facts(void *self, uint32_t target, const struct fact *at, size_t n,
                            struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_target_facts(t->first, target, at, n, e);
    return rc ? rc : sink_target_facts(t->second, target, at, n, e);
}

static int tee_cell_begin(void *self, const struct cell_begin *c, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_cell_begin(t->first, c, e);
    return rc ? rc : sink_cell_begin(t->second, c, e);
}

static int tee_interval(void *self, const struct interval *i, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_interval(t->first, i, e);
    return rc ? rc : sink_interval(t->second, i, e);
}

static int tee_samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_samples(t->first, at, n, e);
    return rc ? rc : sink_samples(t->second, at, n, e);
}

static int tee_event(void *self, const struct event *ev, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_event(t->first, ev, e);
    return rc ? rc : sink_event(t->second, ev, e);
}

static int tee_cell_end(void *self, const struct cell_result *r, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_cell_end(t->first, r, e);
    return rc ? rc : sink_cell_end(t->second, r, e);
}

static int tee_run_end(void *self, const struct run_end *r, struct error *e)
{
    struct sink_tee *t = self;
    int rc = sink_run_end(t->first, r, e);
    return rc ? rc : sink_run_end(t->second, r, e);
}

struct sink sink_tee(struct sink_tee *tee)
{
    static const struct sink_ops ops = {
        .run_begin = tee_run_begin,
        .target = tee_target,
        .target_facts = tee_target_facts,
        .cell_begin = tee_cell_begin,
        .interval = tee_interval,
        .samples = tee_samples,
        .event = tee_event,
        .cell_end = tee_cell_end,
        .run_end = tee_run_end,
    };
    return (struct sink) { .ops = &ops, .self = tee };
}
