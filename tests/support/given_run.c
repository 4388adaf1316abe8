#include "given_run.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/clock.h"

enum { BINS = 400 };

static const struct access_line heavy_lines[] = {
    { .share_bp = 5000, .size = 8192, .read_bp = 9000, .random_bp = 10000, .burst = 1 },
    { .share_bp = 5000, .size = 65536, .read_bp = 9000, .random_bp = 10000, .burst = 1 },
};
static const struct access_line moderate_lines[] = {
    { .share_bp = 5000, .size = 8192, .read_bp = 6500, .random_bp = 10000, .burst = 1 },
    { .share_bp = 5000, .size = 65536, .read_bp = 6500, .random_bp = 10000, .burst = 1 },
};
const struct workload given_oltp[2] = {
    { "heavy-read", "OLTP Heavy Read", heavy_lines, 2 },
    { "moderate-read", "OLTP Moderate Read", moderate_lines, 2 },
};

struct giving {
    const struct given_run *g;
    struct arena *a;
    struct sink *s;
    struct cell *cells; /* of the plan */
    const struct given_cell **given;
    uint32_t n;
    double quantiles[BINS];
};

/* --- the plan ------------------------------------------------------------------------------------------------------ */

/* Cells of equal workload and depth are the same point. */
static uint32_t point_of(const struct giving *x, const struct given_cell *c)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (x->given[i]->workload == c->workload && x->given[i]->queue_depth == c->queue_depth)
            return x->cells[i].point;
    uint32_t most = 0;
    for (uint32_t i = 0; i < x->n; i++)
        most = x->cells[i].point >= most ? x->cells[i].point + 1 : most;
    return most;
}

static void plan_cells(struct giving *x)
{
    uint32_t repeat = x->g->repeat ? x->g->repeat : 1;
    uint64_t seconds = x->g->seconds ? x->g->seconds : 64;
    x->cells = arena_array(x->a, struct cell, (size_t)x->g->n_cells * repeat);
    x->given = arena_array(x->a, const struct given_cell *, (size_t)x->g->n_cells *repeat);
    for (uint32_t i = 0; i < x->g->n_cells; i++)
        for (uint32_t rep = 1; rep <= repeat; rep++) {
            const struct given_cell *c = &x->g->cells[i];
            uint32_t point = point_of(x, c);
            x->given[x->n] = c;
            x->cells[x->n] = (struct cell) {
                .no = x->n,
                .point = point,
                .target = c->target,
                .workload = c->workload,
                .queue_depth = c->queue_depth,
                .workers = 1,
                .rep = rep,
                .duration_ns = seconds * NS_PER_S,
                .ramp_ns = 10 * NS_PER_S,
                .interval_ns = NS_PER_S,
                .direct = true,
                .seed = 1,
            };
            x->n++;
        }
}

/* --- one cell ------------------------------------------------------------------------------------------------------ */

/* The shape: exponential on a floor, its mean 1. */
static double quantile(unsigned k)
{
    static const double weight = 0.65;
    double mean = 0;
    for (unsigned i = 0; i < BINS; i++)
        mean -= log1p(-(i + 0.5) / BINS) / BINS;
    return 1 - weight * mean - weight * log1p(-(k + 0.5) / BINS);
}

/* Counts of n I/Os over the shape, as even as whole numbers allow. */
static void spread(const struct giving *x, struct hist *h, uint64_t n, double mean_ns)
{
    for (unsigned k = 0; k < BINS; k++) {
        uint64_t count = (k + 1) * n / BINS - k * n / BINS;
        uint64_t ns = (uint64_t)(mean_ns * x->quantiles[k]);
        if (!count)
            continue;
        h->count[hist_index(ns)] += count;
        h->m.n += count;
        h->m.sum += count * ns;
        h->m.sum_sq += (unsigned __int128)count * ns * ns;
        h->m.min = ns < h->m.min ? ns : h->m.min;
        h->m.max = ns > h->m.max ? ns : h->m.max;
    }
}

static double mean_size(const struct workload *w)
{
    return w->n_lines ? workload_mean_size(w) : 4096;
}

static int put_seconds(struct giving *x, uint32_t i, double iops, struct hist *sum, struct error *e)
{
    const struct given_cell *c = x->given[i];
    const struct workload *w = &x->g->workloads[c->workload];
    uint64_t seconds = x->cells[i].duration_ns / NS_PER_S;
    double noise = x->g->noise > 0 ? x->g->noise : 0.01;
    double depth = c->depth > 0 ? c->depth : c->queue_depth;
    double mean = c->mean_ns > 0 ? c->mean_ns : depth / iops * 1e9;
    struct hist *h = arena_one(x->a, struct hist);
    for (uint64_t s = 0; s < seconds; s++) {
        hist_clear(h);
        double wave = (double)((s * 7) % 5) - 2; /* -2 .. 2, mean 0 over 5 */
        uint64_t n = (uint64_t)llround(iops * (1 + noise * wave / 2));
        spread(x, h, n, mean);
        struct interval interval = { .t_ns = (int64_t)(s * NS_PER_S), .length_ns = NS_PER_S };
        interval.dir[DIR_READ] = (struct interval_direction) {
            .asked = true,
            .ios = n,
            .bytes = (uint64_t)((double)n * mean_size(w)),
            .errors = s == 0 ? c->errors : 0,
            .lat = h->m,
            .hist = x->g->bare ? NULL : h,
        };
        hist_merge(sum, h);
        if (sink_interval(x->s, &interval, e))
            return -1;
    }
    return 0;
}

static int end_cell(struct giving *x, uint32_t i, const struct hist *sum, struct error *e)
{
    const struct given_cell *c = x->given[i];
    const struct workload *w = &x->g->workloads[c->workload];
    bool done = c->ends == CELL_PLANNED;
    struct cell_result r = {
        .status = done ? CELL_DONE : c->ends,
        .reason = c->reason,
        .engine = done ? USED_IO_URING : USED_NONE,
        .direct = !c->buffered,
        .measured_ns = done ? x->cells[i].duration_ns : 0,
        .finished_ns = INT64_C(1773480473000000000),
        .achieved_depth = c->depth > 0 ? c->depth : c->queue_depth,
        .worker_busy = 0.25,
        .span_bytes = 1ull << 30,
        .covered_bytes = 1ull << 30,
        .steady = c->unsteady ? 0 : -1,
    };
    if (done)
        r.dir[DIR_READ] = (struct direction_result) {
            .asked = true,
            .ios = sum->m.n,
            .bytes = (uint64_t)((double)sum->m.n * mean_size(w)),
            .errors = c->errors,
            .lat = sum->m,
            .lat_max_ns = sum->m.max,
            .hist = sum,
        };
    return sink_cell_end(x->s, &r, e);
}

static int give_cell(struct giving *x, uint32_t i, struct error *e)
{
    const struct given_cell *c = x->given[i];
    double iops = c->iops[x->cells[i].rep - 1];
    bool done = c->ends == CELL_PLANNED;
    if (done && !(iops > 0))
        return 0;
    const struct cell_begin begin = { .cell = &x->cells[i],
                                      .workload = &x->g->workloads[c->workload],
                                      .attempt = 1,
                                      .started_ns = INT64_C(1773480413000000000) };
    struct hist *sum = arena_one(x->a, struct hist);
    hist_clear(sum);
    if (sink_cell_begin(x->s, &begin, e) || (done && put_seconds(x, i, iops, sum, e)))
        return -1;
    return end_cell(x, i, sum, e);
}

/* --- the run ------------------------------------------------------------------------------------------------------- */

static int begin(struct giving *x, struct error *e)
{
    static const struct fact host[] = {
        { "Host", "secret-host" },
        { "Processor", "8 cores" },
        { "Kernel", "Linux 6.1.0" },
    };
    const struct given_run *g = x->g;
    const struct plan plan = {
        .name = "oltp",
        .title = "OLTP mixes",
        .method = "One worker, 100 % random, direct I/O.",
        .report = g->report ? g->report : "comparison",
        .matrix_xml = "<matrix name=\"oltp\"/>",
        .workloads = g->workloads,
        .n_workloads = g->n_workloads,
        .cells = x->cells,
        .n_cells = x->n,
        .n_targets = g->n_targets,
        .n_points = x->n,
        .repeat = g->repeat ? g->repeat : 1,
        .seed = 20260314,
    };
    const struct run_record r = {
        .name = g->name ? g->name : "given",
        .title = "OLTP mixes",
        .started_ns = INT64_C(1773480413000000000),
        .version = "0.1.0",
        .config_hash = "9f2c41d760be",
        .command = g->command ? g->command : "qdepth run oltp",
        .plan = &plan,
        .n_targets = g->n_targets,
        .host = host,
        .n_host = countof(host),
    };
    return sink_run_begin(x->s, &r, e);
}

static int give_targets(struct giving *x, struct error *e)
{
    for (uint32_t i = 0; i < x->g->n_targets; i++) {
        const struct fact facts[] = {
            { "Model", x->g->names[i] },
            { "Serial", arena_printf(x->a, "SERIAL-NUMBER-%04u", i) },
        };
        const struct target_record t = {
            .no = i,
            .name = x->g->names[i],
            .path = arena_printf(x->a, "/dev/disk/by-id/ata-SERIAL-NUMBER-%04u", i),
            .kind = TARGET_BLOCK,
            .identity = facts[1].value,
            .layout = "as found",
            .capacity_bytes = 1ull << 38,
            .span_bytes = 1ull << 30,
            .logical_block = 512,
            .physical_block = 4096,
            .highlighted = i == 0,
            .facts = facts,
            .n_facts = countof(facts),
        };
        if (sink_target(x->s, &t, e))
            return -1;
    }
    return 0;
}

int given_run(const struct given_run *g, struct sink *s, struct error *e)
{
    struct giving x = { .g = g, .a = arena_new(), .s = s };
    plan_cells(&x);
    for (unsigned k = 0; k < BINS; k++)
        x.quantiles[k] = quantile(k);
    int rc = begin(&x, e) || give_targets(&x, e) ? -1 : 0;
    for (size_t i = 0; !rc && i < g->n_events; i++)
        rc = sink_event(s, &g->events[i], e);
    for (uint32_t i = 0; !rc && i < x.n; i++)
        rc = give_cell(&x, i, e);
    const struct run_end end = { .status = g->interrupted ? CELL_INTERRUPTED : CELL_DONE,
                                 .finished_ns = INT64_C(1773482413000000000) };
    if (!rc)
        rc = sink_run_end(s, &end, e);
    arena_free(x.a);
    return rc;
}

/* --- seeds/000 ----------------------------------------------------------------------------------------------------- */

static const char *const seed_names[] = { "Pliant LS 300", "Patriot Torqx 128 GB",
                                          "RAID 10, 12 × 7200 rpm" };
#define ROW(t, w, q, ...)                                                                          \
    {                                                                                              \
        .target = t, .workload = w, .queue_depth = q, .iops = { __VA_ARGS__ }                      \
    }
static const struct given_cell seed_cells[] = {
    ROW(0, 0, 1, 2290),
    ROW(0, 0, 4, 7890),
    ROW(0, 0, 8, 13120),
    ROW(0, 0, 32, 22060),
    ROW(0, 0, 128, 26180),
    ROW(0, 1, 1, 2180),
    ROW(0, 1, 4, 7120),
    ROW(0, 1, 8, 11340),
    ROW(0, 1, 32, 18060),
    ROW(0, 1, 128, 21940),
    ROW(1, 0, 1, 2335),
    ROW(1, 0, 4, 2520),
    ROW(1, 0, 8, 2980),
    ROW(1, 0, 32, 3050),
    { .target = 1, .queue_depth = 128, .iops = { 2890 }, .depth = 31.9 },
    ROW(1, 1, 1, 690),
    ROW(1, 1, 4, 742),
    ROW(1, 1, 8, 768),
    ROW(1, 1, 32, 801),
    { .target = 1, .workload = 1, .queue_depth = 128, .iops = { 779 }, .depth = 31.9 },
    ROW(2, 0, 1, 148.2),
    ROW(2, 0, 4, 462.3),
    ROW(2, 0, 8, 684.1),
    ROW(2, 0, 32, 1012),
    ROW(2, 0, 128, 1163),
    ROW(2, 1, 1, 212),
    ROW(2, 1, 4, 338),
    ROW(2, 1, 8, 392),
    ROW(2, 1, 32, 468),
    { .target = 2,
      .workload = 1,
      .queue_depth = 128,
      .ends = CELL_FAILED,
      .reason = "a member drive failed after 11 s" },
};

struct given_run given_seed(void)
{
    return (struct given_run) {
        .name = "oltp-2026-03-14",
        .names = seed_names,
        .n_targets = countof(seed_names),
        .workloads = given_oltp,
        .n_workloads = countof(given_oltp),
        .cells = seed_cells,
        .n_cells = countof(seed_cells),
        .command =
            "qdepth run oltp --target \"Pliant LS 300=/dev/sdb\" --destroy SERIAL-NUMBER-0000",
    };
}
