#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/oom.h"
#include "engine/inside.h"

enum { STACK_BYTES = 256 << 10 };

static void gate_move(struct gate *g, enum gate_state state)
{
    pthread_mutex_lock(&g->lock);
    g->state = state;
    pthread_cond_broadcast(&g->moved);
    pthread_mutex_unlock(&g->lock);
}

static void gate_wait_ready(struct gate *g, uint32_t n)
{
    pthread_mutex_lock(&g->lock);
    while (g->ready < n)
        pthread_cond_wait(&g->moved, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

/* Signals go to the thread that called, which knows what to do with them. Returns how many threads run. */
static uint32_t start_threads(struct engine *g, struct error *e)
{
    pthread_attr_t attr;
    sigset_t all, before;
    uint32_t n = 0;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; n < g->n_workers; n++) {
        struct worker *w = g->workers[n];
        int rc = pthread_create(&w->thread, &attr, worker_main, w);
        if (rc != 0) {
            error_sys(e, rc, "cannot start worker %u of %u", n + 1, g->n_workers);
            break;
        }
        pthread_setname_np(w->thread, "qd-worker");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return n;
}

static int first_broken(struct engine *g, struct error *e)
{
    for (uint32_t i = 0; i < g->n_workers; i++)
        if (g->workers[i]->broken) {
            *e = g->workers[i]->error;
            return -1;
        }
    return 0;
}

static void join_threads(struct engine *g, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        pthread_join(g->workers[i]->thread, NULL);
}

/* Ramp and window: from the first thread to the last one joined. */
static int run_threads(struct engine *g, struct sink *s, struct error *e)
{
    uint32_t n = start_threads(g, e);
    gate_wait_ready(&g->gate, n);
    if (n < g->n_workers || first_broken(g, e) != 0) {
        gate_move(&g->gate, GATE_ABANDONED);
        join_threads(g, n);
        return -1;
    }
    struct driver *clock = &g->workers[0]->driver;
    timeline_start(&g->time, clock->ops->now(clock->self));
    gate_move(&g->gate, GATE_OPEN);
    int rc = collector_run(&g->collector, s, e);
    join_threads(g, n);
    if (rc != 0)
        return -1;
    return first_broken(g, e);
}

static void sum_workers(struct engine *g, struct cell_result *r)
{
    uint64_t calls = 0;
    unsigned __int128 depth = 0;
    for (uint32_t i = 0; i < g->n_workers; i++) {
        const struct worker *w = g->workers[i];
        const struct meter *m = &w->meter;
        faults_merge(&g->faults, &w->faults);
        r->cpu_user_ns += m->usage.user_ns;
        r->cpu_system_ns += m->usage.system_ns;
        r->context_switches += m->usage.switches;
        calls += m->in_call_ns;
        depth += m->depth_ns;
        for (int d = 0; d < DIR_COUNT; d++) {
            r->in_flight_at_end += m->in_flight_at_end[d];
            if (m->oldest_ns[d] > r->dir[d].lat_max_ns)
                r->dir[d].lat_max_ns = m->oldest_ns[d];
            if (m->oldest_ns[d] > r->oldest_in_flight_ns)
                r->oldest_in_flight_ns = m->oldest_ns[d];
        }
    }
    double window = (double)r->measured_ns;
    r->achieved_depth = r->measured_ns ? (double)depth / window : (double)NAN;
    r->worker_busy = r->measured_ns ? 1 - (double)calls / (window * g->n_workers) : (double)NAN;
}

static void sum_lines(struct engine *g, struct cell_result *r)
{
    uint64_t issued = 0;
    for (int d = 0; d < DIR_COUNT; d++)
        hist_clear(&g->hists[d]);
    for (uint32_t i = 0; i < g->plan.n_tallies; i++) {
        const struct tally_key *k = &g->plan.tallies[i];
        const struct tally *t = &g->collector.totals[i];
        struct direction_result *d = &r->dir[k->direction];
        uint64_t ios = t->hist.m.n, bytes = t->bytes;
        g->lines[i] = (struct line_result) { k->line, k->direction, ios, bytes, &t->hist };
        hist_merge(&g->hists[k->direction], &t->hist);
        d->asked = true;
        d->ios += ios;
        d->bytes += bytes;
        d->errors += t->errors;
        d->hist = &g->hists[k->direction];
        issued += bytes;
    }
    for (int d = 0; d < DIR_COUNT; d++) {
        r->dir[d].lat = g->hists[d].m;
        if (g->hists[d].m.max > r->dir[d].lat_max_ns)
            r->dir[d].lat_max_ns = g->hists[d].m.max;
    }
    r->lines = g->lines;
    r->n_lines = g->plan.n_tallies;
    for (uint32_t i = 0; i < g->job.n_targets; i++)
        r->span_bytes += g->spans[i].bytes;
    r->covered_bytes = issued < r->span_bytes ? issued : r->span_bytes;
}

static int32_t gone_target(const struct engine *g)
{
    return g->faults.gone_target < 0 ? 0 : g->faults.gone_target;
}

static void set_status(struct engine *g, struct cell_result *r)
{
    switch (timeline_why(&g->time)) {
    case HALT_NONE:
    case HALT_FINISHED:
        r->status = CELL_DONE;
        return;
    case HALT_GONE:
        r->status = CELL_FAILED;
        snprintf(g->reason, sizeof g->reason, "'%s' is gone", g->job.targets[gone_target(g)].name);
        break;
    default:
        r->status = CELL_INTERRUPTED;
        snprintf(g->reason, sizeof g->reason, "stopped by the user");
    }
    r->reason = g->reason;
}

static int give_samples(struct engine *g, struct sink *s, struct error *e)
{
    struct sampler **all = xcalloc(g->n_workers, sizeof(struct sampler *));
    for (uint32_t i = 0; i < g->n_workers; i++)
        all[i] = &g->workers[i]->meter.sampler;
    size_t n = sampler_merge(all, g->n_workers, g->samples);
    free(all);
    return n ? sink_samples(s, g->samples, n, e) : 0;
}

int engine_measure(struct engine *g, struct sink *s, struct cell_result *ret, struct error *e)
{
    if (tell_before(g, s, e) != 0 || run_threads(g, s, e) != 0)
        return -1;
    struct cell_result r = { .engine = g->used,
                             .direct = true,
                             .measured_ns = timeline_measured_ns(&g->time),
                             .finished_ns = clock_real_ns(),
                             .steady = -1 };
    for (uint32_t i = 0; i < g->job.n_targets; i++)
        r.direct &= g->job.targets[i].direct;
    sum_workers(g, &r);
    sum_lines(g, &r);
    set_status(g, &r);
    if (give_samples(g, s, e) != 0 || tell_after(g, s, e) != 0)
        return -1;
    *ret = r;
    return 0;
}

int engine_measure_only(struct engine *g, const struct sink_ops *ops, void *self,
                        struct cell_result *ret, struct error *e)
{
    static const struct sink_ops nothing = { 0 };
    struct sink sink = { ops ? ops : &nothing, self, 0 };
    const struct cell_begin begin = { .cell = g->job.cell, .workload = g->job.workload };
    if (sink_run_begin(&sink, &(struct run_record) { 0 }, e) || sink_cell_begin(&sink, &begin, e))
        return -1;
    return engine_measure(g, &sink, ret, e);
}
