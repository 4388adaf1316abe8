#include <stdlib.h>

#include "base/clock.h"
#include "base/oom.h"
#include "made_inside.h"

/* Everything of the cell being measured. */
struct work {
    const struct made_cell *c;
    struct sink *sink;
    struct made_stream stream;
    struct rng reservoir;
    bool asked[DIR_COUNT];
    struct hist total[DIR_COUNT], second[DIR_COUNT];
    struct hist line[MADE_MAX_LINES][DIR_COUNT];
    uint64_t bytes[DIR_COUNT], line_bytes[MADE_MAX_LINES][DIR_COUNT], errors[DIR_COUNT];
    struct interval interval;
    struct batch batch[100]; /* at least 10 ms of a second */
    uint64_t batch_ns, measured_ios;
    struct sample *samples; /* reservoir, then the slowest */
    uint32_t n_samples;
    struct sample slowest[MADE_SLOWEST];
};

static void find_asked(struct work *w)
{
    for (uint32_t i = 0; i < w->c->workload->n_lines; i++) {
        const struct access_line *l = &w->c->workload->lines[i];
        w->asked[DIR_READ] |= l->read_bp > 0;
        w->asked[DIR_WRITE] |= l->read_bp < 10000 && l->trim_bp < 10000;
        w->asked[DIR_TRIM] |= l->read_bp < 10000 && l->trim_bp > 0;
        w->asked[DIR_FLUSH] |= l->sync >= SYNC_FDATASYNC;
    }
}

static void keep_sample(struct work *w, const struct made_io *io, uint32_t size)
{
    uint64_t ramp_ns = w->c->cell->ramp_ns;
    struct sample x = { .t_ns = (int64_t)(io->at - ramp_ns),
                        .offset = io->offset,
                        .lat_ns = io->lat_ns,
                        .size = size,
                        .direction = io->direction };
    if (w->n_samples < w->c->o->samples) {
        w->samples[w->n_samples++] = x;
    } else {
        uint64_t at = rng_below(&w->reservoir, w->measured_ios + 1);
        if (at < w->n_samples)
            w->samples[at] = x;
    }
    x.slow = true;
    for (int i = 0; i < MADE_SLOWEST; i++)
        if (x.lat_ns > w->slowest[i].lat_ns) {
            struct sample swap = w->slowest[i];
            w->slowest[i] = x;
            x = swap;
        }
}

static void record(struct work *w, uint64_t interval_start)
{
    const struct made_io *io = &w->stream.io;
    enum direction d = io->direction;
    uint32_t size = d == DIR_FLUSH ? 0 : w->c->workload->lines[io->line].size;
    struct interval_direction *id = &w->interval.dir[d];
    id->ios++;
    id->bytes += size;
    moments_add(&id->lat, io->lat_ns);
    if (!w->c->o->bare) {
        hist_record(&w->second[d], io->lat_ns);
        struct batch *b = &w->batch[(io->at - interval_start) / w->batch_ns];
        b->dir[d].ios++;
        b->dir[d].bytes += size;
        b->dir[d].lat_sum_ns += io->lat_ns;
    }
    if (w->interval.t_ns < 0)
        return;
    hist_record(&w->total[d], io->lat_ns);
    w->bytes[d] += size;
    hist_record(&w->line[io->line][d], io->lat_ns);
    w->line_bytes[io->line][d] += size;
    if (!w->c->o->bare)
        keep_sample(w, io, size);
    w->measured_ios++;
}

static void interval_start(struct work *w, int64_t second)
{
    const struct made_options *o = w->c->o;
    w->interval = (struct interval) { .t_ns = second * (int64_t)NS_PER_S, .length_ns = NS_PER_S };
    bool batches = !o->bare && o->seconds < 64;
    w->batch_ns = o->seconds * NS_PER_S / 64;
    if (w->batch_ns < 10 * NS_PER_MS || !batches)
        w->batch_ns = 10 * NS_PER_MS;
    size_t n = (NS_PER_S + w->batch_ns - 1) / w->batch_ns;
    for (size_t i = 0; i < n; i++)
        w->batch[i] = (struct batch) { .length_ns = w->batch_ns };
    w->batch[n - 1].length_ns = NS_PER_S - (n - 1) * w->batch_ns;
    w->interval.batches = batches ? w->batch : NULL;
    w->interval.n_batches = batches ? n : 0;
    for (int d = 0; d < DIR_COUNT; d++) {
        struct interval_direction *id = &w->interval.dir[d];
        id->asked = w->asked[d];
        id->lat = moments_zero();
        if (!id->asked || o->bare)
            continue;
        hist_clear(&w->second[d]);
        id->hist = &w->second[d];
    }
    if (o->errors && second == 0 && w->c->cell->target == 0 && w->c->cell->workload == 0)
        w->errors[DIR_READ] = w->interval.dir[DIR_READ].errors = 3;
}

static int measure(struct work *w, struct error *e)
{
    const struct made_options *o = w->c->o;
    int64_t ramp = (int64_t)o->ramp;
    for (int64_t second = -ramp; second < (int64_t)w->c->seconds; second++) {
        uint64_t start = (uint64_t)(second + ramp) * NS_PER_S;
        uint64_t end = start + NS_PER_S;
        interval_start(w, second);
        if (second >= 0 && o->stall_every && (second + 1) % o->stall_every == 0)
            made_stream_stall(&w->stream, end);
        for (; w->stream.io.at < end; made_stream_next(&w->stream))
            record(w, start);
        if (!o->import && sink_interval(w->sink, &w->interval, e))
            return -1;
    }
    return 0;
}

static int give_samples(struct work *w, struct error *e)
{
    for (int i = 0; i < MADE_SLOWEST && w->slowest[i].lat_ns; i++)
        w->samples[w->n_samples++] = w->slowest[i];
    return w->n_samples && !w->c->o->import ? sink_samples(w->sink, w->samples, w->n_samples, e)
                                            : 0;
}

static int give_error_event(struct work *w, struct error *e)
{
    if (!w->errors[DIR_READ])
        return 0;
    struct event ev = {
        .code = "io-error",
        .severity = EVENT_ERROR,
        .target = (int32_t)w->c->cell->target,
        .cell = (int32_t)w->c->cell->no,
        .t_ns = 500 * NS_PER_MS,
        .what = "3 reads failed, the first at offset 1,048,576: Input/output error",
        .text = "Failed I/Os are counted and not part of the response times.",
        .sys = 5,
        .offset = 1048576,
        .count = 3,
    };
    return sink_event(w->sink, &ev, e);
}

/* As a tool without a histogram gives them. */
static size_t known_percentiles(const struct hist *h, struct known_percentile *ret)
{
    static const struct fraction ps[] = { { 1, 2 }, { 9, 10 }, { 99, 100 }, { 999, 1000 } };
    size_t n = 0;
    for (size_t i = 0; i < 4 && h->m.n; i++) {
        double v = (double)hist_percentile(h, ps[i]);
        double wide = i == 3 ? 1.25 : 1; /* the last one comes from a wide bin */
        ret[n++] = (struct known_percentile) { ps[i], v, v * wide, "made tool, clat" };
    }
    return n;
}

static struct direction_result direction_of(const struct work *w, int d)
{
    struct direction_result x = { .asked = w->asked[d],
                                  .ios = w->total[d].m.n,
                                  .bytes = w->bytes[d],
                                  .errors = w->errors[d],
                                  .lat = w->total[d].m,
                                  .lat_max_ns = w->total[d].m.max,
                                  .hist = w->asked[d] ? &w->total[d] : NULL };
    const struct made_io *in_flight = &w->stream.io;
    if (d == (int)in_flight->direction && in_flight->lat_ns > x.lat_max_ns)
        x.lat_max_ns = in_flight->lat_ns;
    return x;
}

static size_t lines_of(const struct work *w, struct line_result *ret)
{
    size_t n = 0;
    for (uint32_t i = 0; i < w->c->workload->n_lines; i++)
        for (int d = 0; d < DIR_COUNT; d++)
            if (w->asked[d])
                ret[n++] = (struct line_result) { .line = i,
                                                  .direction = (enum direction)d,
                                                  .ios = w->line[i][d].m.n,
                                                  .bytes = w->line_bytes[i][d],
                                                  .hist = w->c->o->import ? NULL : &w->line[i][d] };
    return n;
}

static int finish(struct work *w, struct error *e)
{
    const struct made_cell *c = w->c;
    bool cut = c->seconds < c->o->seconds;
    struct line_result lines[MADE_MAX_LINES * DIR_COUNT];
    struct known_percentile known[DIR_COUNT][4];
    struct cell_result r = {
        .status = cut ? CELL_INTERRUPTED : CELL_DONE,
        .reason = cut ? "interrupted by the user" : NULL,
        .engine = c->o->import ? USED_NONE : USED_IO_URING,
        .direct = c->cell->direct,
        .measured_ns = c->seconds * NS_PER_S,
        .finished_ns = MADE_STARTED_NS + (int64_t)((c->cell->no + 1) * 60 * NS_PER_S),
        .lines = lines,
        .n_lines = lines_of(w, lines),
        .cpu_user_ns = w->measured_ios * 400,
        .cpu_system_ns = w->measured_ios * 900,
        .context_switches = w->measured_ios,
        .achieved_depth = (double)w->stream.slots,
        .worker_busy = 0.25,
        .in_flight_at_end = w->stream.slots,
        .oldest_in_flight_ns = w->stream.io.lat_ns,
        .span_bytes = MADE_SPAN,
        .steady = c->o->steady ? 1 : -1,
        .seen = { .device = !c->o->import, .threads = !c->o->import, .kernel_workers = 3 },
    };
    for (int d = 0; d < DIR_COUNT; d++) {
        r.dir[d] = direction_of(w, d);
        r.covered_bytes += r.dir[d].bytes;
        if (!c->o->import)
            continue;
        r.dir[d].hist = NULL;
        r.dir[d].percentiles = known[d];
        r.dir[d].n_percentiles = known_percentiles(&w->total[d], known[d]);
    }
    r.seen.device_read_bytes = r.dir[DIR_READ].bytes;
    r.seen.device_written_bytes = r.dir[DIR_WRITE].bytes;
    r.covered_bytes = r.covered_bytes < MADE_SPAN ? r.covered_bytes : MADE_SPAN;
    return sink_cell_end(w->sink, &r, e);
}

int made_cell_measure(const struct made_cell *c, struct sink *s, struct error *e)
{
    struct work *w = xcalloc(1, sizeof *w);
    w->c = c;
    w->sink = s;
    w->samples = xcalloc(c->o->samples + MADE_SLOWEST, sizeof *w->samples);
    find_asked(w);
    for (int d = 0; d < DIR_COUNT; d++) {
        hist_clear(&w->total[d]);
        for (int i = 0; i < MADE_MAX_LINES; i++)
            hist_clear(&w->line[i][d]);
    }
    made_stream_start(&w->stream, c->o, c->cell, c->workload);
    w->reservoir = rng_seed(c->cell->seed + 1);
    int rc = measure(w, e);
    if (!rc && c->end)
        rc = give_error_event(w, e) || give_samples(w, e) || finish(w, e) ? -1 : 0;
    free(w->samples);
    free(w);
    return rc;
}
