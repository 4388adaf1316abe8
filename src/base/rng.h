#pragma once
#include <stdint.h>

/* xoshiro256** seeded by splitmix64 (reference/statistics.md §10: Blackman and Vigna 2021; Steele, Lea, Flood 2014).
 * Same seed, same stream, on every machine. Not for secrets. */
struct rng {
    uint64_t s[4];
};

/* The next splitmix64 output; advances *state. */
uint64_t rng_splitmix(uint64_t *state);
struct rng rng_seed(uint64_t seed);
/* Seed of worker number w of a run: splitmix64 output number w (0-based) of the run's seed. */
uint64_t rng_worker_seed(uint64_t run_seed, unsigned worker);

static inline uint64_t rng_rotl_(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->s;
    uint64_t out = rng_rotl_(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotl_(s[3], 45);
    return out;
}

/* Goes on where rng_below's first draw m had to be rejected, which is rare: kept out of line. */
uint64_t rng_below_again_(struct rng *r, uint64_t n, unsigned __int128 m) __attribute__((cold));

/* Uniform in [0, n), unbiased (Lemire 2019). n must be at least 1. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
    unsigned __int128 m = (unsigned __int128)rng_next(r) * n;
    return __builtin_expect((uint64_t)m < n, 0) ? rng_below_again_(r, n, m) : (uint64_t)(m >> 64);
}

/* Uniform double in [0, 1), 53 bits. */
static inline double rng_double(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Fills n bytes with random data (incompressible). */
void rng_fill(struct rng *r, void *bytes, uint64_t n);
