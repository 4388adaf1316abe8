#include "long_run.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/oom.h"
#include "base/rng.h"
#include "made_run.h"

enum { SLOWEST = 10, DEPTH = 32 };

static const struct access_line write_line = {
    .share_bp = 10000, .size = 4096, .random_bp = 10000, .burst = 1
};
static const struct workload writes = { "random-write-4k", "4 KiB random write", &write_line, 1 };
static const char *const shape_names[] = { "Alpha SSD", "Beta SSD", "Gamma HDD" };

struct giving {
    const struct long_run *l;
    struct sink *s;
    const struct workload *workload;
    enum direction direction;
    uint32_t depth, size;
    struct cell cells[PLAN_MAX_TARGETS];
    struct hist second, total;
    struct sample *samples;
    uint32_t n_samples, target;
    struct rng rng;
};

void long_add(struct hist *h, uint64_t ns, uint64_t n)
{
    if (!n)
        return;
    h->m.n += n;
    h->m.sum += n * ns;
    h->m.sum_sq += (unsigned __int128)n * ns * ns;
    h->m.min = ns < h->m.min ? ns : h->m.min;
    h->m.max = ns > h->m.max ? ns : h->m.max;
    h->count[hist_index(ns)] += n;
}

/* --- shape --------------------------------------------------------------------------------------------------------- */

/* Triangular around v, at most ± percent. */
static uint64_t jitter(struct rng *r, uint64_t v, uint64_t percent)
{
    uint64_t draw = rng_below(r, 1001) + rng_below(r, 1001);
    return v - v * percent / 100 + 2 * v * percent / 100 * draw / 2000;
}

static uint64_t level_ns(const struct long_run *l, struct rng *r, uint32_t target, int64_t second)
{
    uint64_t done = second < 0 ? 0 : (uint64_t)second * 1000 / l->seconds; /* thousandths */
    uint64_t draw = rng_below(r, 1000);
    switch (target % 3) {
    case 0:
        return jitter(r, done < 40 ? 330000 : 485000, draw < 2 ? 60 : 6);
    case 1:
        return jitter(r, 3000000 + 9000000 * (done < 200 ? done : 200) / 200, draw < 10 ? 99 : 70) *
               (draw < 10 ? 8 : 1);
    default:
        return jitter(r, done >= 550 && done < 610 ? 31000000 : 21000000, 12);
    }
}

/* Response times of one second around its level: about 140 buckets, a longer and longer way up. */
void long_shape(void *ctx, uint32_t target, int64_t second, struct hist *h)
{
    const struct long_run *l = ctx;
    struct rng r = rng_seed((uint64_t)target << 40 ^ (uint64_t)(second + 100000));
    if (target % 3 == 1 && second * 5 > l->seconds && rng_below(&r, 1000) < 1)
        return;
    uint64_t level = level_ns(l, &r, target, second);
    uint64_t ios = (l->queue_depth ? l->queue_depth : DEPTH) * NS_PER_S / level, left = ios;
    for (uint64_t k = 0; left > 0; k++) {
        uint64_t n = left / 40 + (left > 1 ? rng_below(&r, left / 40 + 2) : 1);
        n = n > left ? left : n;
        long_add(h, level * (700 + 7 * k + k * k * k / 800) / 1000, n);
        left -= n;
    }
}

/* --- one cell ------------------------------------------------------------------------------------------------------ */

static uint64_t bucket_at(const struct hist *h, uint64_t rank)
{
    uint32_t i = 0;
    while (i < HIST_BUCKETS - 1 && rank >= h->count[i])
        rank -= h->count[i++];
    uint64_t ns = hist_lower(i);
    return ns < h->m.min ? h->m.min : ns;
}

static void take_sample(struct giving *x, int64_t second, uint64_t ns, bool slow)
{
    x->samples[x->n_samples++] = (struct sample) {
        .t_ns = second * (int64_t)NS_PER_S + (int64_t)rng_below(&x->rng, NS_PER_S),
        .offset = rng_below(&x->rng, 1 << 18) * 4096,
        .lat_ns = ns,
        .size = x->size,
        .direction = x->direction,
        .slow = slow,
    };
}

static void take_samples(struct giving *x, int64_t second, uint32_t seconds)
{
    if (second < 0 || !x->second.m.n)
        return;
    uint64_t from = (uint64_t)second * x->l->samples / seconds;
    uint64_t to = ((uint64_t)second + 1) * x->l->samples / seconds;
    for (; from < to; from++)
        take_sample(x, second, bucket_at(&x->second, rng_below(&x->rng, x->second.m.n)), false);
    if (second % (seconds / SLOWEST + 1) == 0)
        take_sample(x, second, x->second.m.max, true);
}

static int give_second(struct giving *x, int64_t second, struct error *e)
{
    const struct long_run *l = x->l;
    if (l->gap && second >= l->gap_from && second < (int64_t)l->gap_from + l->gap)
        return 0;
    hist_clear(&x->second);
    l->second(l->ctx, x->target, second, &x->second);
    struct interval i = { .t_ns = second * (int64_t)NS_PER_S, .length_ns = NS_PER_S };
    for (int d = 0; d < DIR_COUNT; d++)
        i.dir[d].lat = moments_zero();
    i.dir[x->direction] = (struct interval_direction) {
        .asked = true,
        .ios = x->second.m.n,
        .bytes = x->second.m.n * x->size,
        .lat = x->second.m,
        .hist = l->bare ? NULL : &x->second,
    };
    if (second >= 0)
        hist_merge(&x->total, &x->second);
    return sink_interval(x->s, &i, e);
}

static int end_cell(struct giving *x, uint32_t seconds, bool cut, struct error *e)
{
    struct cell_result r = {
        .status = cut ? CELL_INTERRUPTED : CELL_DONE,
        .reason = cut ? "interrupted by the user" : NULL,
        .engine = USED_IO_URING,
        .direct = true,
        .measured_ns = seconds * NS_PER_S,
        .finished_ns = MADE_STARTED_NS + (int64_t)((x->target + 1) * (uint64_t)seconds * NS_PER_S),
        .achieved_depth = (double)x->total.m.sum / ((double)seconds * (double)NS_PER_S),
        .worker_busy = 0.25,
        .span_bytes = 1 << 30,
        .covered_bytes = 1 << 30,
        .steady = -1,
    };
    r.dir[x->direction] = (struct direction_result) {
        .asked = true,
        .ios = x->total.m.n,
        .bytes = x->total.m.n * x->size,
        .lat = x->total.m,
        .lat_max_ns = x->total.m.max,
        .hist = &x->total,
    };
    return sink_cell_end(x->s, &r, e);
}

static int give_cell(struct giving *x, uint32_t target, struct error *e)
{
    const struct long_run *l = x->l;
    const struct cell_begin begin = { .cell = &x->cells[target],
                                      .workload = x->workload,
                                      .attempt = 1,
                                      .started_ns = MADE_STARTED_NS };
    bool cut = l->cut && target == l->cut_target;
    uint32_t seconds = cut ? l->cut : l->seconds;
    hist_clear(&x->total);
    x->target = target;
    x->n_samples = 0;
    x->rng = rng_seed(target);
    int rc = sink_cell_begin(x->s, &begin, e);
    for (int64_t second = -(int64_t)l->ramp; !rc && second < (int64_t)seconds; second++) {
        rc = give_second(x, second, e);
        if (!rc && l->samples)
            take_samples(x, second, seconds);
    }
    if (!rc && x->n_samples)
        rc = sink_samples(x->s, x->samples, x->n_samples, e);
    return rc ? -1 : end_cell(x, seconds, cut, e);
}

/* --- the run ------------------------------------------------------------------------------------------------------- */

static void plan_cells(struct giving *x)
{
    for (uint32_t i = 0; i < x->l->n_targets; i++)
        x->cells[i] = (struct cell) {
            .no = i,
            .target = i,
            .queue_depth = x->depth,
            .workers = 1,
            .rep = 1,
            .duration_ns = x->l->seconds * NS_PER_S,
            .ramp_ns = x->l->ramp * NS_PER_S,
            .interval_ns = NS_PER_S,
            .direct = true,
            .seed = i,
        };
}

static int begin(struct giving *x, struct error *e)
{
    static const struct fact host[] = { { "Kernel", "Linux 6.1.0-made" } };
    const struct long_run *l = x->l;
    const struct plan plan = {
        .name = l->report ? l->report : "consistency",
        .title = "Consistency",
        .method = "Numbers made for tests.",
        .report = l->report ? l->report : "consistency",
        .matrix_xml = "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"made\"/>\n",
        .workloads = x->workload,
        .n_workloads = 1,
        .cells = x->cells,
        .n_cells = l->n_targets,
        .n_targets = l->n_targets,
        .n_points = 1,
        .repeat = 1,
        .seed = 1,
        .writes = x->direction == DIR_WRITE,
    };
    const struct run_record r = {
        .name = l->name ? l->name : "long",
        .title = "Consistency",
        .started_ns = MADE_STARTED_NS,
        .version = "0.0-made",
        .config_hash = "made",
        .command = "qdepth run consistency",
        .plan = &plan,
        .n_targets = l->n_targets,
        .host = host,
        .n_host = countof(host),
    };
    return sink_run_begin(x->s, &r, e);
}

static int give_targets(struct giving *x, struct error *e)
{
    struct arena *a = arena_new();
    int rc = 0;
    for (uint32_t i = 0; i < x->l->n_targets && !rc; i++) {
        struct target_record t = made_target(a, i);
        t.name = x->l->names ? x->l->names[i] : i < countof(shape_names) ? shape_names[i] : t.name;
        rc = sink_target(x->s, &t, e);
    }
    arena_free(a);
    return rc;
}

int long_run(const struct long_run *l, struct sink *s, struct error *e)
{
    struct giving *x = xcalloc(1, sizeof *x);
    x->l = l;
    x->s = s;
    x->workload = l->workload ? l->workload : &writes;
    x->direction = workload_read_percent(x->workload) > 50 ? DIR_READ : DIR_WRITE;
    x->depth = l->queue_depth ? l->queue_depth : DEPTH;
    x->size = (uint32_t)workload_mean_size(x->workload);
    x->samples = xcalloc((size_t)l->samples + SLOWEST + 1, sizeof *x->samples);
    plan_cells(x);
    int rc = begin(x, e) || give_targets(x, e) ? -1 : 0;
    for (uint32_t i = 0; i < l->n_targets && !rc; i++)
        rc = give_cell(x, i, e);
    const struct run_end end = { .status = l->cut ? CELL_INTERRUPTED : CELL_DONE,
                                 .finished_ns = MADE_STARTED_NS + INT64_C(270000000000000) };
    if (!rc)
        rc = sink_run_end(s, &end, e);
    free(x->samples);
    free(x);
    return rc;
}
