#include "engine/selftest.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/oom.h"
#include "engine/inside.h"

#define WINDOW_NS (10 * NS_PER_S)
#define US 1000ull

enum { MOST_DEPTH = 32, RAMP_STEPS = 1000 };

/* --- a device with a clock of its own ------------------------------------------------------------------------------ */

struct made {
    uint64_t clock, base_ns; /* every I/O takes base_ns, */
    uint64_t step_ns;        /* and the n-th (n mod RAMP_STEPS) steps more */
    uint64_t stall_at, stall_ns;
    uint64_t issued, start;
    uint32_t n_slots;
    uint64_t due[MOST_DEPTH]; /* 0: not in flight */
    const struct slot *slots;
};

static uint64_t due_of(struct made *d)
{
    uint64_t due = d->clock + d->base_ns + d->issued++ % RAMP_STEPS * d->step_ns;
    uint64_t stall = d->start + d->stall_at;
    return d->stall_ns && due >= stall && due < stall + d->stall_ns ? stall + d->stall_ns : due;
}

static int made_exchange(void *self, const uint32_t *issue, uint32_t n, struct completion *done)
{
    struct made *d = self;
    for (uint32_t i = 0; i < n; i++)
        d->due[issue[i]] = due_of(d);
    uint64_t next = d->clock + DRIVER_PERIOD_NS;
    for (uint32_t i = 0; i < d->n_slots; i++)
        next = d->due[i] && d->due[i] < next ? d->due[i] : next;
    d->clock = next;
    int got = 0;
    for (uint32_t i = 0; i < d->n_slots; i++)
        if (d->due[i] && d->due[i] <= next) {
            d->due[i] = 0;
            done[got++] = (struct completion) { i, (int32_t)d->slots[i].size };
        }
    return got;
}

static uint64_t made_now(void *self)
{
    return ((struct made *)self)->clock;
}

static int made_begin(void *self, struct error *e)
{
    (void)self;
    (void)e;
    return 0;
}

static void made_end(void *self)
{
    (void)self;
}

static int made_open(void *context, const struct driver_setup *s, struct driver *ret,
                     struct error *e)
{
    static const struct driver_ops ops = { .begin = made_begin,
                                           .now = made_now,
                                           .exchange = made_exchange,
                                           .end = made_end,
                                           .close = free };
    (void)e;
    struct made *d = xcalloc(1, sizeof *d);
    *d = *(const struct made *)context;
    d->start = d->clock = NS_PER_S;
    d->slots = s->slots;
    d->n_slots = s->n_slots;
    *ret = (struct driver) { &ops, d };
    return 0;
}

/* --- measuring it -------------------------------------------------------------------------------------------------- */

struct rows {
    uint64_t n, ios;
};

static int count_row(void *self, const struct interval *i, struct error *e)
{
    (void)e;
    struct rows *r = self;
    r->n += i->length_ns == NS_PER_S;
    r->ios += i->dir[DIR_READ].ios;
    return 0;
}

struct outcome {
    double iops, mean_ns, max_ns, median_ns, p99_ns, depth, rows;
};

static double percentile(const struct hist *h, uint64_t num)
{
    return (double)hist_percentile(h, (struct fraction) { num, 100 });
}

static void read_result(const struct cell_result *r, const struct rows *rows, struct outcome *ret)
{
    const struct direction_result *d = &r->dir[DIR_READ];
    double seconds = (double)r->measured_ns / 1e9;
    *ret = (struct outcome) {
        .iops = (double)d->ios / seconds,
        .mean_ns = moments_mean(&d->lat),
        .max_ns = (double)d->lat.max,
        .median_ns = d->ios ? percentile(d->hist, 50) : (double)NAN,
        .p99_ns = d->ios ? percentile(d->hist, 99) : (double)NAN,
        .depth = r->achieved_depth,
        .rows = rows->ios == d->ios ? (double)rows->n : -1,
    };
}

static int measure(const struct made *device, uint32_t depth, struct outcome *ret, struct error *e)
{
    const struct access_line line = {
        .share_bp = 10000, .size = 4096, .read_bp = 10000, .random_bp = 10000, .burst = 1
    };
    const struct workload workload = { "selftest", "selftest", &line, 1 };
    const struct cell cell = { .queue_depth = depth,
                               .workers = 1,
                               .duration_ns = WINDOW_NS,
                               .interval_ns = NS_PER_S,
                               .seed = 1 };
    const struct opened_target target = { .fd = -1,
                                          .nowait = true,
                                          .name = "selftest",
                                          .size = 1 << 20,
                                          .block = 512,
                                          .memory_align = 512 };
    const struct engine_job job = {
        .cell = &cell, .workload = &workload, .targets = &target, .n_targets = 1
    };
    struct made copy = *device;
    const struct driver_maker maker = { made_open, &copy };
    static const struct sink_ops ops = { .interval = count_row };
    struct rows rows = { 0 };
    struct engine *g = NULL;
    struct cell_result result;
    if (engine_open_with(&job, &maker, &g, e))
        return -1;
    int rc = engine_measure_only(g, &ops, &rows, &result, e);
    if (rc == 0)
        read_result(&result, &rows, ret);
    engine_close(g);
    return rc;
}

/* What ends exactly at the end of the window is no longer in it. */
static double reaped_in_window(uint32_t depth, uint64_t each_ns)
{
    return (double)(depth * ((WINDOW_NS - 1) / each_ns)) / ((double)WINDOW_NS / 1e9);
}

static int steady(struct selftest_case *c, const char *name, uint32_t depth, struct error *e)
{
    const struct made device = { .base_ns = 100 * US };
    struct outcome o;
    if (measure(&device, depth, &o, e))
        return -1;
    *c = (struct selftest_case) { .name = name,
                                  .answer = { { "IOPS", reaped_in_window(depth, 100 * US), o.iops,
                                                0 },
                                              { "mean in ns", 100e3, o.mean_ns, 0 },
                                              { "I/Os in flight", depth, o.depth, 1e-9 },
                                              { "seconds stored", 10, o.rows, 0 } },
                                  .n = 4 };
    return 0;
}

/* 0.5, 1.5, … 999.5 µs in turn, 20 times in the window; the very last ends with it and does not count. So 19,999 I/Os, of which the
 * 10,000th and the 19,800th smallest are known. */
static int spread(struct selftest_case *c, struct error *e)
{
    const double bucket = 1.0 / 128;
    const struct made device = { .base_ns = US / 2, .step_ns = US };
    struct outcome o;
    if (measure(&device, 1, &o, e))
        return -1;
    *c = (struct selftest_case) { .name = "0.5 to 999.5 µs in turn, depth 1",
                                  .answer = { { "p50 in ns", 499500, o.median_ns, bucket },
                                              { "p99 in ns", 989500, o.p99_ns, bucket },
                                              { "max in ns", 999500, o.max_ns, 0 },
                                              { "seconds stored", 10, o.rows, 0 } },
                                  .n = 4 };
    return 0;
}

static int stalled(struct selftest_case *c, struct error *e)
{
    const struct made device = { .base_ns = 100 * US,
                                 .stall_at = 5 * NS_PER_S,
                                 .stall_ns = 2200 * NS_PER_MS };
    struct outcome o;
    if (measure(&device, 1, &o, e))
        return -1;
    double lost = 2200e6 / 100e3 / 10;
    *c = (struct selftest_case) { .name = "100 µs, standing still for 2.2 s, depth 1",
                                  .answer = { { "IOPS", reaped_in_window(1, 100 * US) - lost,
                                                o.iops, 0 },
                                              { "max in ns", 2200e6 + 100e3, o.max_ns, 0 },
                                              { "seconds stored", 10, o.rows, 0 } },
                                  .n = 3 };
    return 0;
}

int engine_selftest(struct selftest_case ret[SELFTEST_CASES], struct error *e)
{
    return steady(&ret[0], "100 µs for every I/O, depth 1", 1, e) ||
                   steady(&ret[1], "100 µs for every I/O, depth 32", MOST_DEPTH, e) ||
                   spread(&ret[2], e) || stalled(&ret[3], e)
               ? -1
               : 0;
}

bool selftest_holds(const struct selftest_answer *a)
{
    return fabs(a->measured - a->expected) <= a->tolerance * fabs(a->expected) + 1e-6;
}
