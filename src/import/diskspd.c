#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "import/diskspd_inside.h"

#define MS 1e6
#define COUNT_LIMIT (1ull << 53)

struct diskspd_sum diskspd_nothing(void)
{
    const double none = (double)NAN;
    return (struct diskspd_sum) { .sd_ms = none, .low_ms = none, .high_ms = none };
}

static void clear(struct diskspd_target *t)
{
    t->dir[0] = t->dir[1] = diskspd_nothing();
}

struct diskspd_span *diskspd_span_at(struct diskspd *d, long number)
{
    struct diskspd_span **at = &d->spans;
    for (; *at; at = &(*at)->next)
        if ((*at)->number == number)
            return *at;
    *at = arena_one(d->c->a, struct diskspd_span);
    (*at)->number = number;
    clear(&(*at)->total);
    return *at;
}

struct diskspd_target *diskspd_target_new(struct diskspd *d, struct diskspd_span *s,
                                          const char *path)
{
    struct diskspd_target **at = &s->targets;
    while (*at)
        at = &(*at)->next;
    *at = arena_one(d->c->a, struct diskspd_target);
    (*at)->path = path;
    clear(*at);
    return *at;
}

struct diskspd_target *diskspd_target_at(struct diskspd *d, struct diskspd_span *s,
                                         const char *path)
{
    for (struct diskspd_target *t = s->targets; t; t = t->next)
        if (!strcmp(t->path, path))
            return t;
    return diskspd_target_new(d, s, path);
}

void diskspd_add(struct diskspd_sum *into, const struct diskspd_sum *part)
{
    if (part->ios >= COUNT_LIMIT || part->bytes >= COUNT_LIMIT || into->ios >= COUNT_LIMIT ||
        into->bytes >= COUNT_LIMIT)
        return;
    into->ios += part->ios;
    into->bytes += part->bytes;
    if (!part->ios)
        return;
    into->lat_ms += part->lat_ms;
    into->sd_ms = into->parts++ ? (double)NAN : part->sd_ms;
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

static void put_direction(struct diskspd *d, struct import_cell *cell, int dir,
                          const struct diskspd_sum *s)
{
    struct direction_result *r = &cell->result.dir[dir];
    if (!s->ios && !s->bytes)
        return;
    r->asked = true;
    r->ios = s->ios;
    r->bytes = s->bytes;
    double mean = s->ios ? s->lat_ms / (double)s->ios : (double)NAN;
    struct spread x = { s->ios, mean > 0 ? mean * MS : (double)NAN, s->sd_ms * MS, s->low_ms * MS,
                        s->high_ms * MS };
    r->lat = spread_moments(&x);
    r->lat_max_ns = r->lat.n ? r->lat.max : 0;
    percentiles_keep(d->c->a, &s->percentiles, r);
}

static void put_seconds(const struct diskspd_span *s, uint32_t size, struct import_cell *cell)
{
    int64_t before = 0;
    for (size_t i = 0; i < s->iops.n; i++) {
        const struct diskspd_second *x = &s->iops.at[i];
        if (x->end_ms <= before)
            continue;
        struct import_interval *to = array_push(&cell->intervals);
        to->at.t_ns = before * (int64_t)NS_PER_MS;
        to->at.length_ns = (uint64_t)(x->end_ms - before) * NS_PER_MS;
        before = x->end_ms;
        for (int k = 0; k < DIR_COUNT; k++)
            to->at.dir[k].lat = moments_zero();
        for (int k = 0; k < 2; k++) {
            struct interval_direction *r = &to->at.dir[k];
            struct spread m = { x->ios[k], x->mean_ms[k] * MS, (double)NAN, x->low_ms[k] * MS,
                                x->high_ms[k] * MS };
            r->asked = cell->result.dir[k].asked;
            r->ios = x->ios[k];
            r->bytes = x->ios[k] * size;
            r->lat = spread_moments(&m);
        }
    }
}

static void check_claims(struct diskspd *d, const struct diskspd_span *s,
                         const struct diskspd_target *t)
{
    for (int k = 0; k < 2; k++) {
        const struct diskspd_sum *x = &t->dir[k];
        double moved = x->ios ? (double)x->bytes / (double)x->ios : 0;
        if (t->size && moved > 0 && fabs(moved - t->size) > 0.005 * moved)
            collect_warn(d->c, s->line,
                         "'%s': the block size is %u bytes, but an I/O moved %.6g on average",
                         t->path, t->size, moved);
    }
}

static void put_cell(struct diskspd *d, const struct diskspd_span *s,
                     const struct diskspd_target *t, const struct diskspd_target *results)
{
    struct import_cell *cell = collect_cell(d->c);
    uint64_t ios = results->dir[0].ios + results->dir[1].ios;
    uint64_t bytes = results->dir[0].bytes + results->dir[1].bytes;
    uint64_t size = t->size ? t->size : ios ? bytes / ios : 0;
    double writes = t->write_pct >= 0 && t->write_pct <= 100 ? t->write_pct : 0;
    size = size > PLAN_MAX_SIZE ? PLAN_MAX_SIZE : size;
    cell->target = t->path;
    cell->pattern = pattern_simple(d->c->a, (uint32_t)size, 10000 - (uint32_t)lround(writes * 100),
                                   t->random ? 10000 : 0);
    cell->pattern.order_unknown = !t->listed;
    cell->queue_depth = collect_limited(d->c, s->line, t->depth, PLAN_MAX_QUEUE_DEPTH);
    cell->workers = collect_limited(d->c, s->line, t->threads ? t->threads : s->threads,
                                    PLAN_MAX_WORKERS);
    cell->direct = t->direct;
    cell->started_ns = d->started_ns;
    if (s->duration_s > 0 && s->duration_s < 1e9)
        cell->duration_ns = (uint64_t)(s->duration_s * 1e9);
    if (s->warmup_s > 0 && s->warmup_s < 1e9)
        cell->ramp_ns = (uint64_t)(s->warmup_s * 1e9);
    if (s->seconds > 0 && s->seconds < 1e9)
        cell->result.measured_ns = (uint64_t)(s->seconds * 1e9);
    if (!ios) {
        cell->result.status = CELL_SKIPPED;
        cell->result.reason = "it did no I/O";
        collect_warn(d->c, s->line, "'%s' did no I/O", t->path);
    }
    for (int k = 0; k < 2; k++)
        put_direction(d, cell, k, &results->dir[k]);
    if (results == &s->total)
        put_seconds(s, (uint32_t)size, cell);
}

/* The threads' rows must sum to the total, else only that is sure. */
static bool sums_match(const struct diskspd_span *s)
{
    uint64_t ios = 0, all = s->total.dir[0].ios + s->total.dir[1].ios;
    for (const struct diskspd_target *t = s->targets; t; t = t->next)
        ios += t->dir[0].ios + t->dir[1].ios;
    return ios == all;
}

static void put_span(struct diskspd *d, struct diskspd_span *s)
{
    struct diskspd_target *t = s->targets;
    uint64_t all = s->total.dir[0].ios + s->total.dir[1].ios;
    if (!t || s->seconds <= 0 || !s->any) {
        collect_warn(d->c, s->line, "timespan %ld has no results", s->number);
        return;
    }
    if (!t->next && all) {
        check_claims(d, s, t);
        put_cell(d, s, t, &s->total);
        return;
    }
    if (all && !sums_match(s)) {
        collect_warn(d->c, s->line,
                     "the rows of timespan %ld's threads do not sum to its total, which is kept "
                     "for all its files together",
                     s->number);
        struct diskspd_target whole = *t;
        for (const struct diskspd_target *n = t->next; n; n = n->next)
            whole.path = arena_printf(d->c->a, "%s+%s", whole.path, n->path);
        put_cell(d, s, &whole, &s->total);
        return;
    }
    for (; t; t = t->next) {
        check_claims(d, s, t);
        put_cell(d, s, t, t);
    }
}

void diskspd_finish(struct diskspd *d)
{
    d->c->source->summary->tool = d->tool ? arena_printf(d->c->a, "diskspd %s", d->tool)
                                          : "diskspd";
    d->c->source->started_ns = d->started_ns;
    for (struct diskspd_span *s = d->spans; s; s = s->next) {
        put_span(d, s);
        array_free(&s->iops);
    }
    if (!d->spans)
        collect_warn(d->c, 0, "there is no timespan in it");
}
