#pragma once
/* A made-up device with a clock of its own behind the engine's driver table, and a sink that checks the order of rows and keeps
 * them. The device writes down every I/O it finished; what the engine reports is compared with that list. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "engine/inside.h"
#include "unit.h"

#define MS 1000000ull
#define S 1000000000ull
#define FAKE_START (1000 * S)

struct fake_io {
    uint64_t no; /* in the order of issue */
    uint64_t start, end, offset;
    uint32_t size;
    int32_t result;
    uint8_t direction, target;
};

struct fake_log {
    struct fake_io *at;
    size_t n, cap;
};

struct fake_world;
typedef uint64_t fake_service(struct fake_world *w, uint64_t n, const struct slot *s, uint64_t now);
typedef int32_t fake_result(struct fake_world *w, uint64_t n, const struct slot *s, uint64_t now);

enum { FAKE_THREADS = 8, FAKE_SLOTS = 1024 };

struct fake_world {
    fake_service *service; /* ns the n-th I/O takes */
    fake_result *result;   /* NULL: all bytes */
    uint64_t constant;     /* service == NULL: this */
    uint64_t jitter;       /* service == NULL: plus a multiple of 1 ns below this */
    uint64_t overhead;     /* ns the worker itself needs before a call */
    uint64_t fatal_at;     /* the n-th call returns -EIO; 0: never */
    atomic_int *stop;      /* set by the device at stop_at */
    uint64_t stop_at;      /* clock */
    bool refuse_begin;
    uint64_t fault_from, fault_to; /* n-th I/Os from..to-1 end with fault */
    int32_t fault;
    uint64_t stall_at, stall_ns; /* nothing finishes in between; the device goes on afterwards */
    struct fake_log log[FAKE_THREADS];
    uint32_t n_threads;
};

struct fake {
    struct fake_world *world;
    struct fake_log *log;
    uint64_t clock, issued, calls;
    bool reaped;
    const struct slot *slots;
    uint32_t n_slots;
    bool busy[FAKE_SLOTS];
    uint64_t no[FAKE_SLOTS], due[FAKE_SLOTS];
    int32_t result[FAKE_SLOTS];
};

static inline void fake_note(struct fake *f, uint32_t id)
{
    struct fake_log *l = f->log;
    const struct slot *s = &f->slots[id];
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 1024;
        l->at = xrealloc(l->at, l->cap * sizeof *l->at);
    }
    l->at[l->n++] = (struct fake_io) { f->no[id], s->start,      f->clock,     s->offset,
                                       s->size,   f->result[id], s->direction, s->target };
}

static inline uint64_t fake_due(struct fake *f, const struct slot *s)
{
    struct fake_world *w = f->world;
    uint64_t n = f->issued;
    uint64_t ns = w->service  ? w->service(w, n, s, f->clock)
                  : w->jitter ? w->constant + n * 0x9e3779b97f4a7c15u % w->jitter
                              : w->constant;
    uint64_t due = f->clock + ns;
    if (w->stall_ns && due >= w->stall_at && due < w->stall_at + w->stall_ns)
        due = w->stall_at + w->stall_ns;
    return due;
}

static inline void fake_issue_at(struct fake *f, uint32_t id)
{
    const struct slot *s = &f->slots[id];
    struct fake_world *w = f->world;
    assert_true(id < f->n_slots && !f->busy[id]);
    assert_true(s->start <= f->clock);
    f->busy[id] = true;
    f->no[id] = f->issued;
    f->due[id] = fake_due(f, s);
    f->result[id] = w->result ? w->result(w, f->issued, s, f->clock) : (int32_t)s->size;
    if (f->issued >= w->fault_from && f->issued < w->fault_to)
        f->result[id] = w->fault;
    f->issued++;
}

static inline void fake_issue(struct fake *f, uint32_t id)
{
    assert_true(f->slots[id].start == f->clock);
    fake_issue_at(f, id);
}

static inline int fake_reap(struct fake *f, uint64_t wake, struct completion *done)
{
    struct fake_world *w = f->world;
    f->clock = wake;
    int got = 0;
    for (uint32_t i = 0; i < f->n_slots; i++)
        if (f->busy[i] && f->due[i] <= wake) {
            f->busy[i] = false;
            fake_note(f, i);
            done[got++] = (struct completion) { i, f->result[i] };
        }
    if (w->stop && f->clock >= w->stop_at)
        atomic_store(w->stop, 1);
    return got;
}

static inline int fake_exchange(void *self, const uint32_t *issue, uint32_t n,
                                struct completion *done)
{
    struct fake *f = self;
    struct fake_world *w = f->world;
    f->reaped = true;
    if (++f->calls == w->fatal_at)
        return -EIO;
    for (uint32_t i = 0; i < n; i++)
        fake_issue(f, issue[i]);
    uint64_t wake = f->clock + DRIVER_PERIOD_NS;
    for (uint32_t i = 0; i < f->n_slots; i++)
        if (f->busy[i] && f->due[i] < wake)
            wake = f->due[i];
    return fake_reap(f, wake, done);
}

/* The first look after a call is the reap: no time has passed. Any other one costs the overhead. */
static inline uint64_t fake_now(void *self)
{
    struct fake *f = self;
    f->clock += f->reaped ? 0 : f->world->overhead;
    f->reaped = false;
    return f->clock;
}

static inline int fake_begin(void *self, struct error *e)
{
    struct fake *f = self;
    return f->world->refuse_begin ? error_set(e, QD_E_FAIL, "cannot begin: refused") : 0;
}

static inline void fake_end(void *self)
{
    struct fake *f = self;
    for (uint32_t i = 0; i < f->n_slots; i++)
        assert_true(!f->busy[i] || f->world->fatal_at);
}

/* Nothing in flight, or nothing that is done by then: the clock goes on to `until`. A look that does not wait takes up to 1 µs. */
static inline int fake_wait(void *self, const uint32_t *issue, uint32_t n, struct completion *done,
                            uint64_t until)
{
    struct fake *f = self;
    f->reaped = true;
    for (uint32_t i = 0; i < n; i++)
        fake_issue_at(f, issue[i]);
    uint64_t wake = until > f->clock ? until : (f->clock / 1000 + 1) * 1000;
    for (uint32_t i = 0; i < f->n_slots; i++)
        if (f->busy[i] && f->due[i] < wake)
            wake = f->due[i];
    return fake_reap(f, wake, done);
}

static const struct driver_ops fake_ops = { .begin = fake_begin,
                                            .now = fake_now,
                                            .exchange = fake_exchange,
                                            .wait = fake_wait,
                                            .end = fake_end,
                                            .close = free };

static inline int fake_open(void *context, const struct driver_setup *s, struct driver *ret,
                            struct error *e)
{
    (void)e;
    struct fake_world *w = context;
    struct fake *f = xcalloc(1, sizeof *f);
    assert_true(s->n_slots <= FAKE_SLOTS && s->thread < FAKE_THREADS);
    f->world = w;
    f->log = &w->log[s->thread];
    f->clock = FAKE_START;
    f->slots = s->slots;
    f->n_slots = s->n_slots;
    w->n_threads = s->thread + 1;
    *ret = (struct driver) { &fake_ops, f };
    return 0;
}

/* The n-th I/O that the first worker issued. */
static inline const struct fake_io *fake_nth(const struct fake_world *w, uint64_t no)
{
    for (size_t i = 0; i < w->log[0].n; i++)
        if (w->log[0].at[i].no == no)
            return &w->log[0].at[i];
    fail_msg("I/O %llu was never issued", (unsigned long long)no);
    return NULL;
}

static inline void fake_world_done(struct fake_world *w)
{
    for (uint32_t i = 0; i < FAKE_THREADS; i++)
        free(w->log[i].at);
}

/* --- the sink ----------------------------------------------------------------------------------------------------- */

struct kept_row {
    int64_t t_ns;
    uint64_t length_ns;
    struct interval_direction dir[DIR_COUNT];
    size_t n_batches;
};

struct kept_event {
    char code[32], what[320];
    int sys;
    int64_t t_ns;
    uint64_t offset, count;
    enum severity severity;
};

struct keeper {
    struct sink sink;
    struct kept_row *rows;
    size_t n_rows, cap;
    struct hist hist[DIR_COUNT]; /* merged, t_ns >= 0 */
    struct sample samples[SAMPLE_KEEP + SAMPLE_SLOWEST];
    size_t n_samples, n_events;
    struct kept_event events[64];
    size_t fail_at;               /* the n-th row is refused; 0: none */
    void (*on_first_row)(void *); /* NULL: nothing */
    void *context;
};

static inline void keep_batches(const struct interval *i)
{
    uint64_t length = 0;
    struct batch sum = { 0 };
    for (size_t b = 0; b < i->n_batches; b++) {
        length += i->batches[b].length_ns;
        for (int d = 0; d < DIR_COUNT; d++) {
            sum.dir[d].ios += i->batches[b].dir[d].ios;
            sum.dir[d].bytes += i->batches[b].dir[d].bytes;
            sum.dir[d].lat_sum_ns += i->batches[b].dir[d].lat_sum_ns;
        }
    }
    assert_true(length == i->length_ns);
    for (int d = 0; d < DIR_COUNT; d++) {
        assert_true(sum.dir[d].ios == i->dir[d].ios);
        assert_true(sum.dir[d].bytes == i->dir[d].bytes);
        assert_true(sum.dir[d].lat_sum_ns == i->dir[d].lat.sum);
    }
}

static inline int keep_interval(void *self, const struct interval *i, struct error *e)
{
    struct keeper *k = self;
    if (k->fail_at && k->n_rows + 1 == k->fail_at)
        return error_set(e, QD_E_FAIL, "cannot keep the row");
    if (k->on_first_row && k->n_rows == 0)
        k->on_first_row(k->context);
    if (k->n_rows == k->cap) {
        k->cap = k->cap ? 2 * k->cap : 64;
        k->rows = xrealloc(k->rows, k->cap * sizeof *k->rows);
    }
    struct kept_row *row = &k->rows[k->n_rows++];
    *row = (struct kept_row) { .t_ns = i->t_ns,
                               .length_ns = i->length_ns,
                               .n_batches = i->n_batches };
    if (i->n_batches)
        keep_batches(i);
    for (int d = 0; d < DIR_COUNT; d++) {
        row->dir[d] = i->dir[d];
        row->dir[d].hist = NULL;
        assert_true(i->dir[d].asked == (i->dir[d].hist != NULL));
        assert_true(i->dir[d].ios == i->dir[d].lat.n);
        if (!i->dir[d].hist)
            continue;
        assert_true(hist_is_sane(i->dir[d].hist));
        assert_true(i->dir[d].hist->m.n == i->dir[d].ios);
        if (i->t_ns >= 0)
            hist_merge(&k->hist[d], i->dir[d].hist);
    }
    return 0;
}

static inline int keep_samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    (void)e;
    struct keeper *k = self;
    assert_true(k->n_samples + n <= SAMPLE_KEEP + SAMPLE_SLOWEST);
    memcpy(k->samples + k->n_samples, at, n * sizeof *at);
    k->n_samples += n;
    return 0;
}

static inline int keep_event(void *self, const struct event *ev, struct error *e)
{
    (void)e;
    struct keeper *k = self;
    assert_true(k->n_events < 64);
    struct kept_event *x = &k->events[k->n_events++];
    snprintf(x->code, sizeof x->code, "%s", ev->code);
    snprintf(x->what, sizeof x->what, "%s", ev->what);
    x->sys = ev->sys;
    x->t_ns = ev->t_ns;
    x->offset = ev->offset;
    x->count = ev->count;
    x->severity = ev->severity;
    return 0;
}

static const struct sink_ops keeper_ops = { .interval = keep_interval,
                                            .samples = keep_samples,
                                            .event = keep_event };

static inline struct keeper *keeper_new(void)
{
    struct keeper *k = xcalloc(1, sizeof *k);
    struct error e = { 0 };
    k->sink = (struct sink) { &keeper_ops, k, 0 };
    for (int d = 0; d < DIR_COUNT; d++)
        hist_clear(&k->hist[d]);
    sink_run_begin(&k->sink, &(struct run_record) { 0 }, &e);
    sink_cell_begin(&k->sink, &(struct cell_begin) { 0 }, &e);
    return k;
}

static inline void keeper_free(struct keeper *k)
{
    free(k->rows);
    free(k);
}

static inline const struct kept_event *keeper_event(const struct keeper *k, const char *code)
{
    for (size_t i = 0; i < k->n_events; i++)
        if (strcmp(k->events[i].code, code) == 0)
            return &k->events[i];
    return NULL;
}

/* --- what must always hold ------------------------------------------------------------------------------------------ */

static inline void assert_same_moments(const struct moments *a, const struct moments *b)
{
    assert_true(a->n == b->n);
    assert_true(a->sum == b->sum);
    assert_true(a->sum_sq == b->sum_sq);
    assert_true(a->min == b->min);
    assert_true(a->max == b->max);
}

/* Rows follow each other without gap, cover the window, and sum to the result; so do the access lines. */
static inline void assert_whole(const struct keeper *k, const struct cell_result *r)
{
    uint64_t covered = 0;
    struct direction_result sum[DIR_COUNT] = { 0 };
    for (size_t i = 0; i < k->n_rows; i++) {
        const struct kept_row *row = &k->rows[i];
        if (i)
            assert_true(row->t_ns == k->rows[i - 1].t_ns + (int64_t)k->rows[i - 1].length_ns);
        if (row->t_ns < 0)
            continue;
        covered += row->length_ns;
        for (int d = 0; d < DIR_COUNT; d++) {
            assert_true(row->dir[d].asked == r->dir[d].asked);
            sum[d].ios += row->dir[d].ios;
            sum[d].bytes += row->dir[d].bytes;
            sum[d].errors += row->dir[d].errors;
        }
    }
    assert_true(covered == r->measured_ns);
    uint64_t line_ios[DIR_COUNT] = { 0 }, line_bytes[DIR_COUNT] = { 0 };
    for (size_t i = 0; i < r->n_lines; i++) {
        line_ios[r->lines[i].direction] += r->lines[i].ios;
        line_bytes[r->lines[i].direction] += r->lines[i].bytes;
        assert_true(hist_is_sane(r->lines[i].hist));
        assert_true(r->lines[i].hist->m.n == r->lines[i].ios);
    }
    for (int d = 0; d < DIR_COUNT; d++) {
        assert_true(sum[d].ios == r->dir[d].ios && line_ios[d] == r->dir[d].ios);
        assert_true(sum[d].bytes == r->dir[d].bytes && line_bytes[d] == r->dir[d].bytes);
        assert_true(sum[d].errors == r->dir[d].errors);
        assert_true(r->dir[d].lat_max_ns >= r->dir[d].lat.max);
        assert_same_moments(&r->dir[d].lat, &k->hist[d].m);
        if (r->dir[d].hist)
            assert_memory_equal(r->dir[d].hist->count, k->hist[d].count, sizeof k->hist[d].count);
    }
}

/* The result is exactly what the device saw finish in [zero, end). */
static inline void assert_as_logged(const struct fake_world *w, const struct cell_result *r,
                                    uint64_t zero, uint64_t end)
{
    struct hist *h = xcalloc(DIR_COUNT, sizeof *h);
    uint64_t bytes[DIR_COUNT] = { 0 }, errors[DIR_COUNT] = { 0 };
    for (int d = 0; d < DIR_COUNT; d++)
        hist_clear(&h[d]);
    for (uint32_t t = 0; t < w->n_threads; t++)
        for (size_t i = 0; i < w->log[t].n; i++) {
            const struct fake_io *io = &w->log[t].at[i];
            if (io->end < zero || io->end >= end)
                continue;
            if (io->result != (int32_t)io->size) {
                errors[io->direction]++;
                continue;
            }
            hist_record(&h[io->direction], io->end - io->start);
            bytes[io->direction] += io->size;
        }
    for (int d = 0; d < DIR_COUNT; d++) {
        assert_true(r->dir[d].ios == h[d].m.n);
        assert_true(r->dir[d].bytes == bytes[d]);
        assert_true(r->dir[d].errors == errors[d]);
        assert_same_moments(&r->dir[d].lat, &h[d].m);
        if (r->dir[d].hist)
            assert_memory_equal(r->dir[d].hist->count, h[d].count, sizeof h[d].count);
    }
    free(h);
}

/* --- a job in one call ----------------------------------------------------------------------------------------------- */

struct trial {
    struct cell cell;
    struct access_line lines[4];
    struct workload workload;
    struct opened_target targets[3];
    struct engine_job job;
    struct fake_world world;
    struct keeper *keeper;
    struct engine *engine;
    struct cell_result result;
    struct error error;
    atomic_int stop;
};

/* 4 KiB random reads, depth 4, no ramp, 3 s in intervals of 1 s, on 1 MiB. */
static inline struct trial *trial_new(void)
{
    struct trial *t = xcalloc(1, sizeof *t);
    t->lines[0] = (struct access_line) {
        .share_bp = 10000, .size = 4096, .read_bp = 10000, .random_bp = 10000, .burst = 1
    };
    t->workload = (struct workload) { "test", "Test", t->lines, 1 };
    t->cell = (struct cell) { .queue_depth = 4,
                              .workers = 1,
                              .rep = 1,
                              .duration_ns = 3 * S,
                              .interval_ns = S,
                              .direct = true,
                              .seed = 42 };
    for (uint32_t i = 0; i < 3; i++)
        t->targets[i] = (struct opened_target) { .fd = -1,
                                                 .writable = true,
                                                 .direct = true,
                                                 .nowait = true,
                                                 .no = i,
                                                 .name = "disk",
                                                 .size = 1 << 20,
                                                 .block = 512,
                                                 .memory_align = 512 };
    t->job = (struct engine_job) { &t->cell, &t->workload, t->targets, 1, ENGINE_AUTO, &t->stop };
    t->world.constant = 1 * MS;
    t->keeper = keeper_new();
    return t;
}

static inline int trial_run(struct trial *t)
{
    const struct driver_maker maker = { fake_open, &t->world };
    if (engine_open_with(&t->job, &maker, &t->engine, &t->error) != 0)
        return -1;
    return engine_measure(t->engine, &t->keeper->sink, &t->result, &t->error);
}

static inline void trial_free(struct trial *t)
{
    engine_close(t->engine);
    fake_world_done(&t->world);
    keeper_free(t->keeper);
    free(t);
}
