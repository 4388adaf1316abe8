#include "engine/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CAP_LEAST = 256 };

/* Several samplers together hold about 1.5 * SAMPLE_KEEP before the last draw. */
uint32_t sampler_cap(uint32_t n_samplers)
{
    uint32_t cap = n_samplers > 1 ? 2 * SAMPLE_KEEP / n_samplers : SAMPLE_KEEP;
    return cap < CAP_LEAST ? CAP_LEAST : cap;
}

size_t sampler_bytes(uint32_t cap)
{
    return (cap + 1 + SAMPLE_SLOWEST) * sizeof(struct sample);
}

void sampler_init(struct sampler *s, uint64_t seed, uint32_t cap, void *memory)
{
    *s = (struct sampler) {
        .skip = UINT64_MAX,
        .floor = UINT64_MAX,
        .rng = rng_seed(seed),
        .cap = cap,
        .kept = memory,
        .slow = (struct sample *)memory + cap + 1,
    };
}

void sampler_start(struct sampler *s)
{
    s->skip = 1;
    s->floor = 0;
}

/* I/Os until the next one taken: 1 + geometric. */
static uint64_t next_skip(struct sampler *s)
{
    if (s->level == 0)
        return 1;
    double u = 1.0 - rng_double(&s->rng); /* (0, 1] */
    return 1 + (uint64_t)(log(u) / log1p(-ldexp(1, -(int)s->level)));
}

static void halve(struct sampler *s)
{
    uint32_t n = 0;
    uint64_t coins = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (i % 64 == 0)
            coins = rng_next(&s->rng);
        if (coins >> (i % 64) & 1)
            s->kept[n++] = s->kept[i];
    }
    s->n = n;
    s->level++;
}

static void swap(struct sample *a, struct sample *b)
{
    struct sample t = *a;
    *a = *b;
    *b = t;
}

static void sift_down(struct sample *heap, uint32_t n)
{
    for (uint32_t i = 0;;) {
        uint32_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < n && heap[left].lat_ns < heap[least].lat_ns)
            least = left;
        if (right < n && heap[right].lat_ns < heap[least].lat_ns)
            least = right;
        if (least == i)
            return;
        swap(&heap[i], &heap[least]);
        i = least;
    }
}

static void sift_up(struct sample *heap, uint32_t i)
{
    for (; i > 0 && heap[i].lat_ns < heap[(i - 1) / 2].lat_ns; i = (i - 1) / 2)
        swap(&heap[i], &heap[(i - 1) / 2]);
}

static void take_slow(struct sampler *s, const struct sample *io)
{
    if (s->n_slow < SAMPLE_SLOWEST) {
        s->slow[s->n_slow] = *io;
        sift_up(s->slow, s->n_slow++);
    } else {
        s->slow[0] = *io;
        sift_down(s->slow, s->n_slow);
    }
    if (s->n_slow == SAMPLE_SLOWEST)
        s->floor = s->slow[0].lat_ns;
}

void sampler_take(struct sampler *s, const struct sample *io)
{
    if (io->lat_ns > s->floor)
        take_slow(s, io);
    if (s->skip != 0)
        return;
    s->kept[s->n++] = *io;
    while (s->n > s->cap)
        halve(s);
    s->skip = next_skip(s);
}

static int by_time(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    return (x->t_ns > y->t_ns) - (x->t_ns < y->t_ns);
}

static int slowest_first(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    return (x->lat_ns < y->lat_ns) - (x->lat_ns > y->lat_ns);
}

/* Selection sampling (Knuth, algorithm S): every subset of `keep` is equally likely. */
static size_t merge_kept(struct sampler *const *s, size_t n, struct sample *ret)
{
    uint32_t level = 0;
    size_t total = 0, keep, got = 0;
    for (size_t i = 0; i < n; i++)
        level = s[i]->level > level ? s[i]->level : level;
    for (size_t i = 0; i < n; i++) {
        while (s[i]->level < level)
            halve(s[i]);
        total += s[i]->n;
    }
    keep = total < SAMPLE_KEEP ? total : SAMPLE_KEEP;
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < s[i]->n; k++, total--)
            if (rng_below(&s[0]->rng, total) < keep - got)
                ret[got++] = s[i]->kept[k];
    qsort(ret, got, sizeof *ret, by_time);
    return got;
}

static size_t merge_slow(struct sampler *const *s, size_t n, struct sample *ret)
{
    struct sampler *all = s[0];
    for (size_t i = 1; i < n; i++)
        for (uint32_t k = 0; k < s[i]->n_slow; k++)
            if (all->n_slow < SAMPLE_SLOWEST || s[i]->slow[k].lat_ns > all->floor)
                take_slow(all, &s[i]->slow[k]);
    memcpy(ret, all->slow, all->n_slow * sizeof *ret);
    qsort(ret, all->n_slow, sizeof *ret, slowest_first);
    for (uint32_t i = 0; i < all->n_slow; i++)
        ret[i].slow = true;
    return all->n_slow;
}

size_t sampler_merge(struct sampler *const *s, size_t n, struct sample *ret)
{
    size_t kept = merge_kept(s, n, ret);
    return kept + merge_slow(s, n, ret + kept);
}
