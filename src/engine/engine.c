#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/oom.h"
#include "engine/choose.h"
#include "engine/inside.h"
#include "engine/job.h"
#include "engine/memory.h"
#include "engine/ring.h"
#include "engine/sync.h"

enum {
    THREADS_MOST = 4096,
    PAGE = 4096,
    RECORDS_LEAST = 4,
    RECORDS_MOST = 128,
    RECORDS_ALL = 128 << 20, /* bytes of records of all workers, if RECORDS_LEAST fit */
};
/* The sink may stand still that long before a worker has to wait for it. */
#define SINK_PATIENCE_NS (30 * NS_PER_S)

/* How a job is spread over threads. */
struct layout {
    uint32_t n_threads, n_slots; /* slots of one thread */
    uint32_t n_records, sampler_cap;
    struct buffers_wanted buffers;
};

static uint32_t records_of(const struct engine *g, uint32_t n_threads)
{
    uint64_t n = SINK_PATIENCE_NS / g->time.interval_ns;
    uint64_t afford = RECORDS_ALL / (record_size(g->plan.n_tallies) * n_threads);
    n = n > RECORDS_MOST ? RECORDS_MOST : n;
    n = n > afford ? afford : n;
    return n < RECORDS_LEAST ? RECORDS_LEAST : (uint32_t)n;
}

static uint32_t largest_of(const struct engine *g, enum direction d)
{
    return g->replaying ? g->replay.largest[d] : job_largest(g->job.workload, d);
}

static int plan_layout(const struct engine *g, struct layout *l, struct error *e)
{
    const struct engine_job *job = &g->job;
    const struct cell *c = job->cell;
    uint64_t in_flight = (uint64_t)c->queue_depth * job->n_targets;
    uint64_t threads = c->workers * (g->used == USED_SYNC ? in_flight : 1);
    if (threads > THREADS_MOST)
        return error_set(e, QD_E_FAIL,
                         "cannot keep %s I/Os in flight with pread and pwrite: that takes a "
                         "thread each, and %d are the most",
                         fmt_count(threads).s, THREADS_MOST);
    *l = (struct layout) {
        .n_threads = (uint32_t)threads,
        .n_slots = g->used == USED_SYNC ? 1 : (uint32_t)in_flight,
        .n_records = records_of(g, (uint32_t)threads),
        .sampler_cap = sampler_cap((uint32_t)threads),
    };
    uint32_t align = PAGE;
    for (uint32_t i = 0; i < job->n_targets; i++)
        if (job->targets[i].memory_align > align)
            align = job->targets[i].memory_align;
    l->buffers = (struct buffers_wanted) {
        .n_slots = l->n_slots,
        .largest_read = largest_of(g, DIR_READ),
        .largest_write = largest_of(g, DIR_WRITE),
        .align = align,
        .n_threads = l->n_threads,
        .salt = (uint64_t)clock_real_ns(),
        .fill = &c->fill,
    };
    return 0;
}

/* Cuts a worker's memory; with cut->at = NULL only counts. */
static struct worker *cut_worker(struct carve *cut, const struct layout *l, uint32_t n_tallies)
{
    struct worker *w = carve(cut, sizeof *w);
    struct slot *slots = carve(cut, l->n_slots * sizeof *slots);
    struct completion *done = carve(cut, l->n_slots * sizeof *done);
    uint32_t *issue = carve(cut, l->n_slots * sizeof *issue);
    uint32_t *idle = carve(cut, l->n_slots * sizeof *idle);
    void *samples = carve(cut, sampler_bytes(l->sampler_cap));
    unsigned char *records = carve(cut, l->n_records * record_size(n_tallies));
    if (!w)
        return NULL;
    w->slots = slots;
    w->done = done;
    w->issue = issue;
    w->idle = idle;
    w->n_slots = l->n_slots;
    sampler_init(&w->meter.sampler, 0, l->sampler_cap, samples);
    record_ring_init(&w->ring, records, l->n_records, n_tallies);
    return w;
}

static int check_memory(const struct engine *g, const struct layout *l, struct error *e)
{
    uint64_t have = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t need = l->n_threads * (g->worker_bytes + buffers_size(&l->buffers));
    if (need > have / 2)
        return error_set(e, QD_E_FAIL,
                         "cannot measure with %s of buffers: the machine has %s (try less depth, "
                         "fewer workers or smaller I/O)",
                         fmt_bytes(need).s, fmt_bytes(have).s);
    return 0;
}

static void open_streams(struct engine *g, bool shared)
{
    if (g->replaying)
        return;
    uint32_t n_targets = g->job.n_targets, n_workers = g->job.cell->workers;
    size_t n = (size_t)n_targets * n_workers;
    g->streams = xcalloc(n, sizeof *g->streams);
    if (shared)
        g->locks = xcalloc(n, sizeof *g->locks);
    for (size_t i = 0; i < n; i++) {
        uint32_t worker = (uint32_t)(i / n_targets), target = (uint32_t)(i % n_targets);
        g->streams[i].next = pattern_stream_start(&g->plan, target, worker, n_workers);
        if (shared) {
            pthread_mutex_init(&g->locks[i], NULL);
            g->streams[i].lock = &g->locks[i];
        }
    }
}

/* Which worker of the cell a thread belongs to, and the target of its slot i. */
static uint32_t worker_of(const struct engine *g, uint32_t thread)
{
    uint32_t per_worker = g->n_threads / g->job.cell->workers;
    return thread / per_worker;
}

static uint8_t target_of(const struct engine *g, uint32_t thread, uint32_t slot)
{
    uint32_t per_worker = g->n_threads / g->job.cell->workers;
    uint32_t i = thread % per_worker + slot;
    return (uint8_t)(i / g->job.cell->queue_depth);
}

static void set_replay(struct engine *g, struct worker *w)
{
    w->replay = &g->replay;
    for (uint32_t i = 0; i < g->plan.n_tallies; i++)
        w->replay_tally[g->plan.tallies[i].direction] = (uint16_t)i;
}

static int open_worker(struct engine *g, struct layout *l, const struct driver_maker *maker,
                       struct error *e)
{
    void *memory = NULL;
    uint32_t thread = g->n_workers;
    if (memory_map(g->worker_bytes, "a worker", &memory, e) != 0)
        return -1;
    struct carve cut = { .at = memory };
    struct worker *w = cut_worker(&cut, l, g->plan.n_tallies);
    g->workers[thread] = w;
    g->rings[thread] = &w->ring;
    g->n_workers++;
    uint64_t seed = rng_worker_seed(g->job.cell->seed, thread);
    w->gate = &g->gate;
    if (g->replaying)
        set_replay(g, w);
    else
        pattern_init(&w->pattern, seed, &g->plan,
                     &g->streams[worker_of(g, thread) * g->job.n_targets], g->job.n_targets);
    w->meter.sampler.rng = rng_seed(~seed);
    w->meter.time = &g->time;
    w->meter.ring = &w->ring;
    w->meter.news = &g->collector.news;
    w->meter.keys = g->plan.tallies;
    w->meter.n_tallies = g->plan.n_tallies;
    faults_init(&w->faults);
    for (uint32_t i = 0; i < w->n_slots; i++)
        w->slots[i].target = target_of(g, thread, i);
    l->buffers.thread = thread;
    if (buffers_open(&w->buffers, &l->buffers, w->slots, e) != 0)
        return -1;
    const struct driver_setup setup = { .thread = thread,
                                        .targets = g->job.targets,
                                        .n_targets = g->job.n_targets,
                                        .slots = w->slots,
                                        .n_slots = w->n_slots,
                                        .read_bytes = w->buffers.read_bytes,
                                        .write_bytes = w->buffers.write_bytes };
    return maker->open(maker->context, &setup, &w->driver, e);
}

static int build(struct engine *g, const struct driver_maker *maker, struct error *e)
{
    const struct engine_job *job = &g->job;
    const struct cell *c = job->cell;
    struct layout l = { 0 };
    timeline_init(&g->time, c->ramp_ns, c->duration_ns, c->interval_ns, job->stop);
    if (c->trace) {
        g->replaying = true;
        if (replay_open(&g->replay, c->trace, &g->spans[0], &job->targets[0], e) != 0)
            return -1;
        pattern_plan_trace(&g->plan, g->replay.largest);
    } else {
        pattern_plan_open(&g->plan, job->workload, g->spans, job->targets, job->n_targets);
    }
    if (plan_layout(g, &l, e) != 0)
        return -1;
    struct carve count = { 0 };
    cut_worker(&count, &l, g->plan.n_tallies);
    g->worker_bytes = count.used;
    g->n_threads = l.n_threads;
    if (check_memory(g, &l, e) != 0 || collector_open(&g->collector, &g->plan, &g->time, e) != 0)
        return -1;
    open_streams(g, l.n_threads > c->workers * job->n_targets);
    g->workers = xcalloc(l.n_threads, sizeof(struct worker *));
    g->rings = xcalloc(l.n_threads, sizeof(struct record_ring *));
    g->samples = xcalloc(SAMPLE_KEEP + SAMPLE_SLOWEST, sizeof *g->samples);
    g->lines = xcalloc(g->plan.n_tallies, sizeof *g->lines);
    g->hists = xcalloc(DIR_COUNT, sizeof *g->hists);
    for (uint32_t i = 0; i < l.n_threads; i++)
        if (open_worker(g, &l, maker, e) != 0)
            return -1;
    g->collector.rings = g->rings;
    g->collector.n_rings = l.n_threads;
    return 0;
}

static struct engine *engine_new(const struct engine_job *job)
{
    struct engine *g = xcalloc(1, sizeof *g);
    g->job = *job;
    g->spans = xcalloc(job->n_targets ? job->n_targets : 1, sizeof *g->spans);
    pthread_mutex_init(&g->gate.lock, NULL);
    pthread_cond_init(&g->gate.moved, NULL);
    faults_init(&g->faults);
    return g;
}

int engine_open_with(const struct engine_job *job, const struct driver_maker *maker,
                     struct engine **ret, struct error *e)
{
    struct engine *g = engine_new(job);
    g->used = USED_IO_URING;
    if (job_check(job, g->spans, e) != 0 || build(g, maker, e) != 0) {
        engine_close(g);
        return -1;
    }
    *ret = g;
    return 0;
}

static int open_chosen(const struct engine_job *job, struct ring_report *report,
                       struct engine **ret, struct error *e)
{
    struct engine *g = engine_new(job);
    const struct driver_maker ring = { ring_open, report }, sync = { sync_open, NULL };
    if (job_check(job, g->spans, e) != 0 ||
        choose_engine(job, &g->used, g->no_io_uring, sizeof g->no_io_uring, e) != 0 ||
        build(g, g->used == USED_SYNC ? &sync : &ring, e) != 0) {
        engine_close(g);
        return -1;
    }
    g->plain_buffers = report->plain_buffers;
    *ret = g;
    return 0;
}

/* io_uring may be there and yet refuse this ring (locked memory): `auto` goes on with threads. */
int engine_open(const struct engine_job *job, struct engine **ret, struct error *e)
{
    struct ring_report report = { 0 };
    if (open_chosen(job, &report, ret, e) == 0)
        return 0;
    if (job->choice != ENGINE_AUTO || !report.no_ring)
        return -1;
    struct engine_job by_threads = *job;
    struct error refused = *e;
    by_threads.choice = ENGINE_SYNC;
    report = (struct ring_report) { 0 };
    if (open_chosen(&by_threads, &report, ret, e) != 0)
        return -1;
    snprintf((*ret)->no_io_uring, sizeof(*ret)->no_io_uring, "%s", refused.what);
    return 0;
}

static void close_worker(struct engine *g, struct worker *w)
{
    if (w->driver.ops)
        w->driver.ops->close(w->driver.self);
    buffers_close(&w->buffers);
    record_ring_done(&w->ring);
    memory_unmap(w, g->worker_bytes);
}

void engine_close(struct engine *g)
{
    if (!g)
        return;
    for (uint32_t i = 0; i < g->n_workers; i++)
        close_worker(g, g->workers[i]);
    size_t n_streams = (size_t)g->job.n_targets * g->job.cell->workers;
    for (size_t i = 0; g->locks && i < n_streams; i++)
        pthread_mutex_destroy(&g->locks[i]);
    pthread_mutex_destroy(&g->gate.lock);
    pthread_cond_destroy(&g->gate.moved);
    collector_close(&g->collector);
    pattern_plan_close(&g->plan);
    replay_close(&g->replay);
    free(g->streams);
    free(g->locks);
    free(g->workers);
    free(g->rings);
    free(g->samples);
    free(g->lines);
    free(g->hists);
    free(g->spans);
    free(g);
}
