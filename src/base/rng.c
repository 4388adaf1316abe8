#include "base/rng.h"

#include <endian.h>
#include <string.h>

static const uint64_t GAMMA = 0x9e3779b97f4a7c15;

uint64_t rng_splitmix(uint64_t *state)
{
    uint64_t z = *state += GAMMA;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

struct rng rng_seed(uint64_t seed)
{
    struct rng r;
    for (int i = 0; i < 4; i++)
        r.s[i] = rng_splitmix(&seed);
    return r;
}

uint64_t rng_worker_seed(uint64_t run_seed, unsigned worker)
{
    uint64_t state = run_seed + worker * GAMMA;
    return rng_splitmix(&state);
}

uint64_t rng_below_again_(struct rng *r, uint64_t n, unsigned __int128 m)
{
    uint64_t t = -n % n;
    while ((uint64_t)m < t)
        m = (unsigned __int128)rng_next(r) * n;
    return (uint64_t)(m >> 64);
}

void rng_fill(struct rng *r, void *bytes, uint64_t n)
{
    unsigned char *at = bytes;
    for (; n >= 8; n -= 8, at += 8) {
        uint64_t x = htole64(rng_next(r));
        memcpy(at, &x, 8);
    }
    if (n) {
        uint64_t x = htole64(rng_next(r));
        memcpy(at, &x, n);
    }
}
