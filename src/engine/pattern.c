#include "engine/pattern.h"

#include <stdlib.h>

#include "base/oom.h"
#include "engine/round.h"

/* A sequential line aligns only if asked to: the default "the size" would tear holes into a stream of mixed sizes. */
static struct way make_way(const struct access_line *line, const struct span *span, uint32_t block,
                           bool random)
{
    struct way w = { .size = line->size, .random = random };
    w.align = line->align ? line->align : random ? line->size : block;
    w.align_mask = w.align & (w.align - 1) ? UINT64_MAX : w.align - 1;
    w.first = round_up(span->first, w.align);
    uint64_t room = span->first + span->bytes - w.first - line->size;
    w.positions = room / w.align + 1;
    w.last = w.first + (w.positions - 1) * w.align;
    w.step = line->stride ? line->stride : line->size;
    return w;
}

struct weighted {
    struct way way;
    uint64_t weight;
};

static uint32_t split_line(const struct access_line *line, const struct span *span, uint32_t block,
                           struct weighted ret[4])
{
    uint32_t n = 0;
    for (int d = DIR_READ; d <= DIR_WRITE; d++)
        for (int random = 1; random >= 0; random--) {
            uint64_t direction_bp = d == DIR_READ ? line->read_bp : 10000 - line->read_bp;
            uint64_t random_bp = random ? line->random_bp : 10000 - line->random_bp;
            uint64_t weight = line->share_bp * direction_bp * random_bp;
            if (weight == 0)
                continue;
            ret[n] = (struct weighted) { make_way(line, span, block, random != 0), weight };
            ret[n++].way.direction = (uint8_t)d;
        }
    return n;
}

static void plan_tallies(struct pattern_plan *p, const struct workload *w)
{
    p->tallies = xcalloc(2 * (size_t)w->n_lines, sizeof *p->tallies);
    for (uint32_t i = 0; i < w->n_lines; i++)
        for (int d = DIR_READ; d <= DIR_WRITE; d++) {
            const struct access_line *line = &w->lines[i];
            uint32_t bp = d == DIR_READ ? line->read_bp : 10000 - line->read_bp;
            if (line->share_bp && bp)
                p->tallies[p->n_tallies++] = (struct tally_key) { i, d };
        }
}

static uint16_t tally_of(const struct pattern_plan *p, uint32_t line, uint8_t direction)
{
    uint16_t t = 0;
    while (p->tallies[t].line != line || p->tallies[t].direction != direction)
        t++;
    return t;
}

static void set_spread(struct pattern_plan *p, uint32_t way, const struct access_line *line)
{
    struct way *w = &p->ways[way];
    spread_init(&p->spreads[way], line->distribution, line->distribution_param, w->positions);
    w->spread = &p->spreads[way];
    p->sequential = true;
}

void pattern_plan_open(struct pattern_plan *p, const struct workload *w, const struct span *spans,
                       const struct opened_target *targets, uint32_t n_targets)
{
    uint32_t most = 4 * w->n_lines, padded = 1;
    while (padded < most)
        padded *= 2;
    *p = (struct pattern_plan) {
        .below = xcalloc(padded, sizeof *p->below),
        .ways = xcalloc((size_t)most * n_targets, sizeof *p->ways),
        .spreads = xcalloc((size_t)most * n_targets, sizeof *p->spreads),
    };
    plan_tallies(p, w);
    uint64_t sum = 0;
    for (uint32_t t = 0, n = 0; t < n_targets; t++)
        for (uint32_t i = 0; i < w->n_lines; i++) {
            struct weighted split[4];
            uint32_t k = split_line(&w->lines[i], &spans[t], targets[t].block, split);
            for (uint32_t j = 0; j < k; j++, n++) {
                p->ways[n] = split[j].way;
                p->ways[n].tally = tally_of(p, i, split[j].way.direction);
                p->sequential |= !split[j].way.random;
                if (w->lines[i].distribution != DIST_UNIFORM && split[j].way.random)
                    set_spread(p, n, &w->lines[i]);
                if (t == 0)
                    p->below[p->n_ways++] = sum += split[j].weight;
            }
        }
    for (uint32_t i = p->n_ways - 1; i < padded; i++)
        p->below[i] = UINT64_MAX;
    for (p->top = 1; p->top < p->n_ways; p->top *= 2)
        ;
    p->top /= 2;
}

void pattern_plan_trace(struct pattern_plan *p, const uint32_t largest[DIR_COUNT])
{
    *p = (struct pattern_plan) { .tallies = xcalloc(DIR_COUNT, sizeof *p->tallies) };
    for (int d = DIR_READ; d <= DIR_WRITE; d++)
        if (largest[d])
            p->tallies[p->n_tallies++] = (struct tally_key) { .direction = d };
}

void pattern_plan_close(struct pattern_plan *p)
{
    free(p->below);
    free(p->ways);
    free(p->tallies);
    free(p->spreads);
    *p = (struct pattern_plan) { 0 };
}

void pattern_init(struct pattern *p, uint64_t seed, const struct pattern_plan *plan,
                  struct stream *streams, uint32_t n_targets)
{
    *p = (struct pattern) { .rng = rng_seed(seed),
                            .top = plan->top,
                            .sequential = plan->sequential,
                            .below = plan->below,
                            .streams = streams };
    for (uint32_t t = 0; t < n_targets; t++)
        p->ways[t] = plan->ways + (size_t)t * plan->n_ways;
}

uint64_t pattern_stream_start(const struct pattern_plan *p, uint32_t target, uint32_t worker,
                              uint32_t n_workers)
{
    const struct way *w = &p->ways[(size_t)target * p->n_ways];
    uint32_t i = 0;
    while (i < p->n_ways - 1 && w[i].random)
        i++;
    uint64_t room = w[i].last - w[i].first + w[i].size;
    uint64_t ahead = (uint64_t)((unsigned __int128)room * worker / n_workers);
    return w[i].first + ahead / w[i].step * w[i].step;
}

static uint64_t take(struct stream *s, const struct way *w, uint64_t random_start)
{
    uint64_t start = random_start;
    if (!w->random) {
        start = s->next;
        if (__builtin_expect((start & w->align_mask) != 0, 0))
            start = round_up(start, w->align);
        if (start > w->last || start < w->first)
            start = w->first;
    }
    s->next = start + w->step;
    return start;
}

uint64_t pattern_follow(struct pattern *p, uint32_t target, const struct way *w,
                        uint64_t random_start)
{
    struct stream *s = &p->streams[target];
    if (w->spread)
        random_start = w->first + spread_draw(w->spread, &p->rng) * w->align;
    if (!s->lock)
        return take(s, w, random_start);
    pthread_mutex_lock(s->lock);
    uint64_t start = take(s, w, random_start);
    pthread_mutex_unlock(s->lock);
    return start;
}
