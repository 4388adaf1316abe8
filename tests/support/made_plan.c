#include "base/array.h"
#include "base/clock.h"
#include "base/rng.h"
#include "made_inside.h"
#include "made_run.h"

static const struct access_line heavy_read[] = {
    { .share_bp = 5000, .size = 8192, .read_bp = 9000, .random_bp = 10000, .burst = 1 },
    { .share_bp = 5000, .size = 65536, .read_bp = 9000, .random_bp = 10000, .burst = 1 },
};
static const struct access_line moderate_read[] = {
    { .share_bp = 5000, .size = 8192, .read_bp = 6500, .random_bp = 10000, .burst = 1 },
    { .share_bp = 5000, .size = 65536, .read_bp = 6500, .random_bp = 10000, .burst = 1 },
};
static const struct access_line random_write[] = {
    { .share_bp = 10000, .size = 4096, .random_bp = 10000, .burst = 1 },
};
static const struct access_line log_append[] = {
    { .share_bp = 10000, .size = 8192, .burst = 1, .sync = SYNC_FDATASYNC, .sync_every = 1 },
};
static const struct workload workloads[] = {
    { "heavy-read", "OLTP Heavy Read", heavy_read, countof(heavy_read) },
    { "moderate-read", "OLTP Moderate Read", moderate_read, countof(moderate_read) },
    { "random-write", "4 KiB random write", random_write, countof(random_write) },
    { "log", "Log append", log_append, countof(log_append) },
};
static const uint32_t usual_depths[] = { 1, 4, 8, 32, 128 };

struct made_options made_defaults(const struct made_options *o)
{
    struct made_options d = *o;
    d.name = d.name ? d.name : "made";
    d.title = d.title ? d.title : "A made run";
    d.seed = d.seed ? d.seed : 1;
    d.n_targets = d.n_targets ? d.n_targets : 3;
    d.n_workloads = d.n_workloads ? d.n_workloads : 2;
    if (!d.queue_depths) {
        d.queue_depths = usual_depths;
        d.n_queue_depths = countof(usual_depths);
    }
    d.workers = d.workers ? d.workers : 1;
    d.repeat = d.repeat ? d.repeat : 1;
    d.seconds = d.seconds ? d.seconds : 2;
    d.ramp = d.ramp == MADE_NO_RAMP ? 0 : d.ramp ? d.ramp : 1;
    d.slower = d.slower ? d.slower : 1;
    d.samples = d.samples ? d.samples : 500;
    return d;
}

static struct cell cell_of(const struct made_options *o, uint32_t no)
{
    uint32_t points = o->n_workloads * o->n_queue_depths;
    uint32_t point = no % points;
    return (struct cell) {
        .no = no,
        .point = point,
        .target = no / points / o->repeat,
        .workload = point / o->n_queue_depths,
        .queue_depth = o->queue_depths[point % o->n_queue_depths],
        .workers = o->workers,
        .rep = no / points % o->repeat + 1,
        .duration_ns = o->seconds * NS_PER_S,
        .ramp_ns = o->ramp * NS_PER_S,
        .interval_ns = NS_PER_S,
        .fill = { .kind = FILL_RANDOM },
        .direct = true,
        .seed = rng_worker_seed(o->seed, no),
    };
}

const struct plan *made_plan(struct arena *a, const struct made_options *given)
{
    struct made_options o = made_defaults(given);
    uint32_t n = o.n_targets * o.repeat * o.n_workloads * o.n_queue_depths;
    struct cell *cells = arena_array(a, struct cell, n);
    for (uint32_t i = 0; i < n; i++)
        cells[i] = cell_of(&o, i);
    struct plan *p = arena_one(a, struct plan);
    *p = (struct plan) {
        .name = "made",
        .title = arena_strdup(a, o.title),
        .method = "One worker, direct I/O; numbers made for tests.",
        .report = "comparison",
        .matrix_xml = "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"made\"/>\n",
        .workloads = workloads,
        .n_workloads = o.n_workloads,
        .cells = cells,
        .n_cells = n,
        .n_targets = o.n_targets,
        .n_points = o.n_workloads * o.n_queue_depths,
        .repeat = o.repeat,
        .seed = o.seed,
        .span_bytes = MADE_SPAN,
        .writes = true,
    };
    return p;
}

struct target_record made_target(struct arena *a, uint32_t no)
{
    static const char *const names[] = { "Alpha SSD", "Beta SSD", "Gamma HDD", "Delta HDD" };
    static const enum target_kind kinds[] = { TARGET_BLOCK, TARGET_DIRECTORY, TARGET_FILE };
    struct fact *facts = arena_array(a, struct fact, 3);
    facts[0] = (struct fact) { "Model", arena_printf(a, "MADE-%u", no + 1) };
    facts[1] = (struct fact) { "Firmware", "1.0" };
    facts[2] = (struct fact) { "I/O scheduler", no == 1 ? "mq-deadline" : "none" };
    return (struct target_record) {
        .no = no,
        .name = no < countof(names) ? names[no] : arena_printf(a, "Target %u", no + 1),
        .path = arena_printf(a, "/made/%u", no),
        .kind = no < countof(kinds) ? kinds[no] : TARGET_FILE,
        .identity = arena_printf(a, "MADE%06u", no + 1),
        .layout = "256 MiB of random data written",
        .capacity_bytes = UINT64_C(500107862016) * (no + 1),
        .span_bytes = MADE_SPAN,
        .logical_block = 512,
        .physical_block = 4096,
        .highlighted = no == 0,
        .facts = facts,
        .n_facts = 3,
    };
}
