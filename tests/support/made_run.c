#include "made_run.h"

#include "base/array.h"
#include "base/clock.h"
#include "made_inside.h"

static const struct fact host_before[] = {
    { "Host", "made-host" },
    { "Kernel", "Linux 6.1.0-made" },
    { "CPU", "Made CPU, 8 cores" },
    { "Memory", "16 GiB" },
};
static const struct fact host_after[] = { { "Temperature after", "41 °C" } };
static const struct source_file imported = {
    .path = "made.json",
    .format = "fio-json",
    .tool = "fio-3.33",
    .sha256 = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
};

static int begin(const struct made_options *o, const struct plan *p, struct sink *s,
                 struct error *e)
{
    struct run_record r = {
        .name = o->name,
        .title = o->title,
        .import = o->import,
        .started_ns = MADE_STARTED_NS,
        .version = "0.0-made",
        .config_hash = "made",
        .command = o->import ? "qdepth import made.json" : "qdepth run made",
        .plan = o->import ? NULL : p,
        .n_targets = o->n_targets,
        .host = host_before,
        .n_host = countof(host_before),
        .sources = o->import ? &imported : NULL,
        .n_sources = o->import ? 1 : 0,
    };
    if (sink_run_begin(s, &r, e))
        return -1;
    struct arena *a = arena_new();
    int rc = 0;
    for (uint32_t i = 0; i < o->n_targets && !rc; i++) {
        struct target_record t = made_target(a, i);
        rc = sink_target(s, &t, e);
    }
    arena_free(a);
    return rc;
}

static int first_events(const struct made_options *o, struct sink *s, struct error *e)
{
    struct event note = { .code = "made",
                          .target = -1,
                          .cell = -1,
                          .what = "The numbers of this run were made for a test.",
                          .text = "No storage was measured." };
    struct event warning = { .code = "io-scheduler",
                             .severity = EVENT_WARNING,
                             .target = 1,
                             .cell = -1,
                             .what = "Beta SSD uses the I/O scheduler mq-deadline.",
                             .text = "A scheduler may reorder and merge I/Os." };
    if (sink_event(s, &note, e))
        return -1;
    return o->n_targets > 1 ? sink_event(s, &warning, e) : 0;
}

static const struct made_gap *gap_of(const struct made_options *o, const struct cell *c)
{
    for (uint32_t i = 0; i < o->n_gaps; i++) {
        const struct made_gap *g = &o->gaps[i];
        if ((g->target < 0 || g->target == (int32_t)c->target) &&
            (g->workload < 0 || g->workload == (int32_t)c->workload) &&
            (g->queue_depth < 0 || g->queue_depth == (int32_t)c->queue_depth) &&
            (g->rep < 0 || g->rep == (int32_t)c->rep))
            return g;
    }
    return NULL;
}

static int end_empty(const struct made_gap *g, struct sink *s, struct error *e)
{
    struct cell_result r = {
        .status = g->status,
        .reason = g->reason                   ? g->reason
                  : g->status == CELL_SKIPPED ? "the target is too small for this cell"
                                              : "the device is gone",
        .achieved_depth = __builtin_nan(""),
        .worker_busy = __builtin_nan(""),
        .steady = -1,
    };
    return sink_cell_end(s, &r, e);
}

/* 1: the run ends here, as if killed. */
static int one_cell(const struct made_options *o, const struct plan *p, const struct cell *c,
                    struct sink *s, struct error *e)
{
    const struct made_gap *g = gap_of(o, c);
    if (g && g->status == CELL_PLANNED)
        return 0;
    struct cell_begin b = { .cell = c,
                            .workload = &p->workloads[c->workload],
                            .attempt = o->first_cell ? 2 : 1,
                            .started_ns = MADE_STARTED_NS + (int64_t)(c->no * 60 * NS_PER_S) };
    if (sink_cell_begin(s, &b, e))
        return -1;
    if (g && (g->status == CELL_SKIPPED || g->status == CELL_FAILED))
        return end_empty(g, s, e);
    struct made_cell m = { .o = o,
                           .cell = c,
                           .workload = b.workload,
                           .seconds = g ? (o->seconds + 1) / 2 : o->seconds,
                           .end = !g || g->status != CELL_RUNNING };
    if (made_cell_measure(&m, s, e))
        return -1;
    return m.end ? 0 : 1;
}

int made_run(const struct made_options *given, struct sink *s, struct error *e)
{
    struct made_options o = made_defaults(given);
    struct arena *a = arena_new();
    const struct plan *p = made_plan(a, &o);
    int rc = begin(&o, p, s, e) || first_events(&o, s, e) ? -1 : 0;
    for (uint32_t i = o.first_cell; i < p->n_cells && !rc; i++)
        rc = one_cell(&o, p, &p->cells[i], s, e);
    struct run_end end = { .status = CELL_DONE,
                           .finished_ns = MADE_STARTED_NS + (int64_t)(p->n_cells * 60 * NS_PER_S),
                           .host = host_after,
                           .n_host = countof(host_after) };
    if (!rc && sink_run_end(s, &end, e))
        rc = -1;
    arena_free(a);
    return rc < 0 ? -1 : 0;
}
