#include "base/array.h"
#include "made_inside.h"

/* Response times at depth 1 in ns, cost per KiB, and how many I/Os a target serves at once. */
static const struct {
    uint64_t base_ns[DIR_COUNT], ns_per_kib, parallel;
} devices[] = {
    { { 110000, 70000, 40000, 900000 }, 900, 7 },
    { { 140000, 95000, 60000, 1300000 }, 1500, 5 },
    { { 5200000, 4100000, 90000, 9000000 }, 7000, 3 },
    { { 7600000, 6900000, 90000, 12000000 }, 8000, 2 },
};

void made_stream_start(struct made_stream *s, const struct made_options *o, const struct cell *c,
                       const struct workload *w)
{
    uint32_t d = c->target < countof(devices) ? c->target : countof(devices) - 1;
    bool slow = !o->slower_from || o->slower_from == c->target + 1;
    *s = (struct made_stream) {
        .workload = w,
        .rng = rng_seed(c->seed),
        .slots = (uint64_t)c->queue_depth * c->workers,
        .slower = (slow ? o->slower : 1) * (uint64_t)(c->target - d + 1),
        .ns_per_kib = devices[d].ns_per_kib,
        .parallel = devices[d].parallel,
    };
    for (int i = 0; i < DIR_COUNT; i++)
        s->base_ns[i] = devices[d].base_ns[i];
    made_stream_next(s);
}

static uint32_t draw_line(struct made_stream *s)
{
    uint64_t draw = rng_below(&s->rng, 10000);
    uint32_t i = 0;
    while (i + 1 < s->workload->n_lines && draw >= s->workload->lines[i].share_bp)
        draw -= s->workload->lines[i++].share_bp;
    return i;
}

static enum direction draw_direction(struct made_stream *s, const struct access_line *l)
{
    if (s->flush_next) {
        s->flush_next = false;
        return DIR_FLUSH;
    }
    if (rng_below(&s->rng, 10000) < l->read_bp)
        return DIR_READ;
    s->writes++;
    s->flush_next = l->sync >= SYNC_FDATASYNC && s->writes % l->sync_every == 0;
    return rng_below(&s->rng, 10000) < l->trim_bp ? DIR_TRIM : DIR_WRITE;
}

/* Around the mean by ± 30 %, one in a hundred 2 to 6 times, one in two thousand 10 to 30 times as long. */
static uint64_t spread(struct made_stream *s, uint64_t mean)
{
    uint64_t lat = mean * (700 + rng_below(&s->rng, 600)) / 1000;
    uint64_t tail = rng_below(&s->rng, 2000);
    if (tail == 0)
        return lat * (10 + rng_below(&s->rng, 20));
    return tail <= 20 ? lat * (20 + rng_below(&s->rng, 40)) / 10 : lat;
}

void made_stream_next(struct made_stream *s)
{
    struct made_io *io = &s->io;
    io->line = draw_line(s);
    const struct access_line *l = &s->workload->lines[io->line];
    io->direction = draw_direction(s, l);
    uint64_t size = io->direction == DIR_FLUSH ? 0 : l->size;
    io->offset = size ? rng_below(&s->rng, MADE_SPAN / size) * size : 0;
    uint64_t mean = s->base_ns[io->direction] + size / 1024 * s->ns_per_kib;
    uint64_t lat = spread(s, mean * (s->parallel + s->slots) / s->parallel) * s->slower;
    s->rest += lat;
    s->clock += s->rest / s->slots;
    s->rest %= s->slots;
    io->at = s->clock;
    io->lat_ns = lat;
    if (s->owed) {
        io->lat_ns += s->stall_ns;
        s->owed--;
    }
}

void made_stream_stall(struct made_stream *s, uint64_t until)
{
    if (s->io.at >= until)
        return;
    s->stall_ns = until - s->io.at;
    s->io.at = s->clock = until;
    s->io.lat_ns += s->stall_ns;
    s->owed = s->slots - 1;
}
