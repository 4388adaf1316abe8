#include "engine/collect.h"

#include <errno.h>

#include "engine/memory.h"

/* How many intervals one worker may be behind the others. */
enum { ROWS = 64 };

static bool direction_asked(const struct pattern_plan *p, int direction)
{
    for (uint32_t i = 0; i < p->n_tallies; i++)
        if ((int)p->tallies[i].direction == direction)
            return true;
    return false;
}

int collector_open(struct collector *c, const struct pattern_plan *plan, struct timeline *time,
                   struct error *e)
{
    uint32_t directions = 0;
    for (int d = 0; d < DIR_COUNT; d++)
        directions += direction_asked(plan, d);
    size_t totals = plan->n_tallies * sizeof(struct tally);
    size_t hists = (size_t)ROWS * directions * sizeof(struct hist);
    *c = (struct collector) { .time = time,
                              .keys = plan->tallies,
                              .n_tallies = plan->n_tallies,
                              .n_rows = ROWS,
                              .bytes = totals + hists + ROWS * sizeof(struct row) + 4096 };
    if (memory_map(c->bytes, "intervals", &c->memory, e) != 0)
        return -1;
    sem_init(&c->news, 0, 0);
    struct carve cut = { .at = c->memory };
    c->totals = carve(&cut, totals);
    struct hist *hist = carve(&cut, hists);
    c->rows = carve(&cut, ROWS * sizeof(struct row));
    for (uint32_t i = 0; i < plan->n_tallies; i++)
        hist_clear(&c->totals[i].hist);
    for (uint32_t i = 0; i < ROWS; i++)
        for (int d = 0; d < DIR_COUNT; d++)
            if (direction_asked(plan, d)) {
                c->rows[i].hist[d] = hist++;
                hist_clear(c->rows[i].hist[d]);
            }
    return 0;
}

void collector_close(struct collector *c)
{
    if (!c->memory)
        return;
    sem_destroy(&c->news);
    memory_unmap(c->memory, c->bytes);
    c->memory = NULL;
}

static struct row *row_of(struct collector *c, int64_t index)
{
    return &c->rows[(uint64_t)index % c->n_rows];
}

static void merge_batches(struct row *row, const struct record *r, uint32_t parts)
{
    for (uint32_t p = 0; p < parts; p++)
        for (int d = 0; d < DIR_COUNT; d++) {
            row->batch[p].dir[d].ios += r->batch[p].dir[d].ios;
            row->batch[p].dir[d].bytes += r->batch[p].dir[d].bytes;
            row->batch[p].dir[d].lat_sum_ns += r->batch[p].dir[d].lat_sum_ns;
        }
}

static void merge_record(struct collector *c, const struct record *r)
{
    struct row *row = row_of(c, r->index);
    merge_batches(row, r, c->time->parts);
    for (uint32_t i = 0; i < c->n_tallies; i++) {
        const struct tally *t = &r->tally[i];
        enum direction d = c->keys[i].direction;
        row->errors[d] += t->errors;
        row->bytes[d] += t->bytes;
        if (t->hist.m.n)
            hist_merge(row->hist[d], &t->hist);
        if (r->index < 0)
            continue;
        c->totals[i].bytes += t->bytes;
        c->totals[i].errors += t->errors;
        if (t->hist.m.n)
            hist_merge(&c->totals[i].hist, &t->hist);
    }
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static size_t row_batches(const struct collector *c, const struct row *row, uint64_t row_end,
                          struct batch *ret)
{
    const struct timeline *t = c->time;
    size_t n = 0;
    if (!t->batches || c->next < 0)
        return 0;
    for (uint32_t p = 0; p < t->parts; p++) {
        uint64_t start = timeline_part_start(t, c->next, p);
        uint64_t end = sooner(timeline_part_start(t, c->next, p + 1), row_end);
        if (start >= end)
            break;
        ret[n] = row->batch[p];
        ret[n++].length_ns = end - start;
    }
    return n;
}

static void row_clear(struct row *row)
{
    for (int d = 0; d < DIR_COUNT; d++) {
        if (row->hist[d] && row->hist[d]->m.n)
            hist_clear(row->hist[d]);
        row->bytes[d] = row->errors[d] = 0;
    }
    for (uint32_t p = 0; p < TIMELINE_MAX_PARTS; p++)
        row->batch[p] = (struct batch) { 0 };
}

static void hand_over(struct collector *c, struct sink *s, struct error *e)
{
    const struct timeline *t = c->time;
    struct row *row = row_of(c, c->next);
    struct batch batches[TIMELINE_MAX_PARTS];
    uint64_t start = later(timeline_part_start(t, c->next, 0), t->origin);
    uint64_t end = sooner(timeline_part_start(t, c->next, t->parts), timeline_last(t));
    struct interval i = { .t_ns = (int64_t)(start - t->zero),
                          .length_ns = end - start,
                          .batches = batches,
                          .n_batches = row_batches(c, row, end, batches) };
    for (int d = 0; d < DIR_COUNT; d++) {
        struct hist *h = row->hist[d];
        if (h)
            i.dir[d] = (struct interval_direction) { .asked = true,
                                                     .ios = h->m.n,
                                                     .bytes = row->bytes[d],
                                                     .errors = row->errors[d],
                                                     .lat = h->m,
                                                     .hist = h };
        else
            i.dir[d].lat = moments_zero();
    }
    if (!c->failed && sink_interval(s, &i, e) != 0) {
        c->failed = true;
        timeline_halt(c->time, HALT_BROKEN);
    }
    row_clear(row);
    c->next++;
}

static void take_records(struct collector *c, struct record_ring *ring, int64_t kept)
{
    const struct record *r;
    while ((r = record_ring_peek(ring)) && r->index < kept) {
        merge_record(c, r);
        record_ring_give_back(ring);
    }
}

/* The first interval that is not over for all workers; RECORDS_FINISHED when they have finished. */
static int64_t complete_until(const struct collector *c)
{
    int64_t complete = RECORDS_FINISHED;
    for (uint32_t i = 0; i < c->n_rings; i++) {
        int64_t mark = atomic_load_explicit(&c->rings[i]->complete, memory_order_acquire);
        complete = mark < complete ? mark : complete;
    }
    return complete;
}

/* Takes what the workers have handed over and passes on the rows that are complete. Returns true if those were the last.
 * The marks are read before the rings: what they cover is then in the rings. */
static bool advance(struct collector *c, struct sink *s, struct error *e)
{
    int64_t complete = complete_until(c), limit = complete;
    if (complete == RECORDS_FINISHED) {
        uint64_t last = timeline_last(c->time);
        limit = last > c->time->origin ? timeline_index(c->time, last - 1) + 1 : c->next;
    }
    do {
        int64_t kept = c->next + c->n_rows;
        for (uint32_t i = 0; i < c->n_rings; i++)
            take_records(c, c->rings[i], kept);
        while (c->next < limit && c->next < kept)
            hand_over(c, s, e);
    } while (c->next < limit);
    return complete == RECORDS_FINISHED;
}

int collector_run(struct collector *c, struct sink *s, struct error *e)
{
    c->next = timeline_first(c->time);
    do
        while (sem_wait(&c->news) != 0 && errno == EINTR)
            ;
    while (!advance(c, s, e));
    return c->failed ? -1 : 0;
}
