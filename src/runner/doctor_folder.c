#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/oom.h"
#include "base/rng.h"
#include "runner/doctor.h"
#include "runner/layout.h"
#include "stats/moment.h"
#include "stats/scaling.h"

enum { SIZE = 4096, SPAN = 64 << 20 };
#define SECONDS 0.5
#define WITHIN 0.03

int doctor_place_open(struct arena *a, const char *folder, struct doctor_place *ret,
                      struct error *e)
{
    struct target_spec spec;
    struct write_permit *permit = NULL;
    struct doctor_place p = { 0 };
    if (target_spec_parse(a, arena_printf(a, "scratch=%s", folder), &spec, e) ||
        target_probe(a, &spec, &p.info, e))
        return -1;
    if (p.info.kind != TARGET_DIRECTORY)
        return error_set(e, QD_E_USAGE, "'%s' is not a folder", folder);
    if (permit_ask(a, &p.info, NULL, &permit, e) ||
        target_open(a, &p.info, permit, SPAN, &p.target, e))
        return -1;
    p.opened = target_opened(p.target);
    const struct layout_job job = { .target = p.opened, .seed = 1 };
    if (layout_write(&job, e)) {
        target_close(p.target);
        return -1;
    }
    *ret = p;
    return 0;
}

void doctor_place_close(struct doctor_place *p)
{
    p->target = target_close(p->target);
}

int doctor_read(const struct doctor_place *p, const struct doctor_reading *r,
                struct doctor_rate *ret, struct error *e)
{
    const struct access_line line = {
        .share_bp = 10000, .size = SIZE, .read_bp = 10000, .random_bp = 10000, .burst = 1
    };
    const struct workload workload = { "doctor", "doctor", &line, 1 };
    const struct cell cell = { .queue_depth = r->depth,
                               .workers = 1,
                               .ramp_ns = NS_PER_S / 20,
                               .duration_ns = (uint64_t)(r->seconds * (double)NS_PER_S),
                               .interval_ns = NS_PER_S,
                               .direct = true,
                               .seed = 1 };
    const struct engine_job job = { .cell = &cell,
                                    .workload = &workload,
                                    .targets = p->opened,
                                    .n_targets = 1,
                                    .choice = r->engine };
    struct engine *g = NULL;
    struct cell_result x;
    if (engine_open(&job, &g, e))
        return -1;
    int rc = engine_measure_only(g, NULL, NULL, &x, e);
    if (rc == 0) {
        const struct direction_result *d = &x.dir[DIR_READ];
        *ret = (struct doctor_rate) { .iops = (double)d->ios * 1e9 / (double)x.measured_ns,
                                      .mean_ns = moments_mean(&d->lat),
                                      .lat_max_ns = (double)d->lat_max_ns,
                                      .achieved_depth = x.achieved_depth };
    }
    engine_close(g);
    return rc;
}

/* Nothing but clock, pread, clock. */
static int bare_loop(const struct doctor_place *p, double *ret_mean_ns, struct error *e)
{
    void *buffer = NULL;
    if (posix_memalign(&buffer, SIZE, SIZE))
        base_oom(SIZE);
    struct rng rng = rng_seed(1);
    uint64_t n = 0, sum = 0, now = clock_mono_ns();
    uint64_t end = now + (uint64_t)(SECONDS * (double)NS_PER_S);
    int rc = 0;
    while (rc == 0 && now < end) {
        off_t at = (off_t)(rng_below(&rng, SPAN / SIZE) * SIZE);
        uint64_t before = clock_mono_ns();
        if (pread(p->opened->fd, buffer, SIZE, at) != SIZE)
            rc = error_sys(e, errno, "cannot read the scratch file");
        now = clock_mono_ns();
        sum += now - before;
        n++;
    }
    free(buffer);
    *ret_mean_ns = n ? (double)sum / (double)n : (double)NAN;
    return rc;
}

static void put(struct doctor *d, enum doctor_state state, const char *what, const char *found,
                const char *advice)
{
    doctor_put(d, &(struct doctor_finding) { .state = state,
                                             .part = "folder",
                                             .what = what,
                                             .found = found,
                                             .advice = state == DOCTOR_GOOD ? NULL : advice });
}

static void look_at_direct(struct doctor *d, const struct doctor_place *p)
{
    put(d, p->opened->direct ? DOCTOR_GOOD : DOCTOR_NOTE, "direct I/O",
        p->opened->direct
            ? arena_printf(d->a, "accepted, in blocks of %s", fmt_bytes(p->opened->block).s)
            : "refused by the filesystem",
        "Files here are measured through the page cache.");
    put(d, p->opened->nowait ? DOCTOR_GOOD : DOCTOR_NOTE, "requests without waiting",
        p->opened->nowait ? "possible" : "not possible",
        "io_uring hands each request to a kernel thread; at depth 1 qdepth uses pread and pwrite.");
}

static int look_at_little(struct doctor *d, const struct doctor_place *p, struct error *e)
{
    static const uint32_t depths[] = { 1, 4, 32 };
    for (size_t i = 0; i < countof(depths); i++) {
        const struct doctor_reading reading = { depths[i], SECONDS, ENGINE_AUTO };
        struct doctor_rate r;
        if (doctor_read(p, &reading, &r, e))
            return -1;
        double n = r.iops * r.mean_ns / 1e9;
        bool holds = little_holds(r.iops, r.mean_ns, r.achieved_depth, r.lat_max_ns, SECONDS);
        bool kept = fabs(r.achieved_depth / depths[i] - 1) <= WITHIN;
        put(d, holds ? (kept ? DOCTOR_GOOD : DOCTOR_NOTE) : DOCTOR_BAD,
            arena_printf(d->a, "Little's law, depth %u", depths[i]),
            arena_printf(d->a, "%s IOPS × %s = %s in flight", fmt_table_iops(r.iops).s,
                         fmt_duration_ns(r.mean_ns).s, fmt_fixed(n, 2).s),
            holds ? "The depth asked for is not kept: the processor is the limit here."
                  : "IOPS and response time do not fit each other: one of them is wrong.");
    }
    return 0;
}

static int look_at_overhead(struct doctor *d, const struct doctor_place *p, struct error *e)
{
    enum { ROUNDS = 3 };
    double ours[ROUNDS], bare[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        const struct doctor_reading reading = { 1, SECONDS, ENGINE_SYNC };
        struct doctor_rate r;
        if (doctor_read(p, &reading, &r, e) || bare_loop(p, &bare[i], e))
            return -1;
        ours[i] = r.mean_ns;
    }
    double mine = median_of(ours, ROUNDS), loops = median_of(bare, ROUNDS);
    bool close = mine <= loops * (1 + WITHIN);
    put(d, close ? DOCTOR_GOOD : DOCTOR_NOTE, "response time beside a bare loop",
        arena_printf(d->a, "%s, a loop of pread alone %s", fmt_duration_ns(mine).s,
                     fmt_duration_ns(loops).s),
        "They differ by more than 3\u00a0%: the device's own times vary, or other programs are "
        "running. Try again on an idle machine.");
    return 0;
}

int doctor_folder(struct doctor *d, const struct doctor_place *p, struct error *e)
{
    look_at_direct(d, p);
    return look_at_little(d, p, e) || look_at_overhead(d, p, e) ? -1 : 0;
}
