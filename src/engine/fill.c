#include "engine/fill.h"

#include <stdbool.h>
#include <string.h>

#define COPY_SEED 0x636f70696573ull

static void make_compressible(uint32_t percent, struct rng *r, unsigned char *at, uint64_t n)
{
    uint32_t random = STAMP_BYTES - STAMP_BYTES * percent / 100;
    if (random < FILL_STAMP && percent < 100)
        random = FILL_STAMP;
    rng_fill(r, at, n);
    for (uint64_t i = 0; i + random < n; i += STAMP_BYTES) {
        uint64_t end = i + STAMP_BYTES < n ? i + STAMP_BYTES : n;
        memset(at + i + random, 0, end - i - random);
    }
}

static bool is_copy(uint64_t unit, uint32_t percent)
{
    uint64_t bound = (uint64_t)(((unsigned __int128)percent << 64) / 100);
    return percent >= 100 || unit * STAMP_STEP < bound;
}

static void make_unit(bool copy, struct rng *r, unsigned char *at, uint64_t n)
{
    struct rng same = rng_seed(COPY_SEED);
    rng_fill(copy ? &same : r, at, n);
}

void fill_make(const struct fill *f, struct rng *r, uint64_t unit, unsigned char *at, uint64_t n)
{
    switch (f->kind) {
    case FILL_ZERO:
        memset(at, 0, n);
        return;
    case FILL_ONES:
        memset(at, 0xff, n);
        return;
    case FILL_PATTERN:
        for (uint64_t i = 0; i < n; i++)
            at[i] = f->pattern[i % f->pattern_bytes];
        return;
    case FILL_RANDOM:
        rng_fill(r, at, n);
        return;
    case FILL_COMPRESSIBLE:
        make_compressible(f->percent, r, at, n);
        return;
    case FILL_DUPLICATE:
        for (uint64_t i = 0; i < n; i += FILL_UNIT, unit++)
            make_unit(is_copy(unit, f->percent), r, at + i, n - i < FILL_UNIT ? n - i : FILL_UNIT);
        return;
    }
}

uint64_t fill_copy_mark(void)
{
    uint64_t mark;
    struct rng same = rng_seed(COPY_SEED);
    rng_fill(&same, &mark, sizeof mark);
    return mark;
}
