#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "model/record.h"

/* Single I/Os kept for plots, chosen without bias and without allocation: each I/O is taken with the same probability, and
 * whenever more than `cap` are held the probability is halved and each one held stays by the toss of a coin. A counter
 * skips to the next one taken (geometric distribution), so that an I/O not taken costs one subtraction. Beside it the
 * SAMPLE_SLOWEST slowest, in a heap with the fastest of them on top.
 *
 * One sampler a worker; sampler_merge brings them to one probability and to SAMPLE_KEEP. */
enum { SAMPLE_KEEP = 20000, SAMPLE_SLOWEST = 100 };

struct sampler {
    uint64_t skip;  /* the I/O that takes it to 0 is taken */
    uint64_t floor; /* slower ones enter the heap */
    struct rng rng;
    uint32_t level; /* probability 2^-level */
    uint32_t cap, n, n_slow;
    struct sample *kept; /* cap + 1 */
    struct sample *slow; /* SAMPLE_SLOWEST */
};

/* How many a sampler holds at most when there are n_samplers; bytes one needs. */
uint32_t sampler_cap(uint32_t n_samplers);
size_t sampler_bytes(uint32_t cap);

/* Takes nothing until sampler_start. memory: sampler_bytes(cap), aligned for uint64_t. */
void sampler_init(struct sampler *s, uint64_t seed, uint32_t cap, void *memory);
void sampler_start(struct sampler *s);

static inline bool sampler_wants(struct sampler *s, uint64_t lat_ns)
{
    return --s->skip == 0 || lat_ns > s->floor;
}

/* For an I/O that sampler_wants. */
void sampler_take(struct sampler *s, const struct sample *io);

/* Writes what the n samplers hold to ret (room for SAMPLE_KEEP + SAMPLE_SLOWEST), the reservoir by time, then the slowest
 * first; returns how many. The samplers are used up. */
size_t sampler_merge(struct sampler *const *s, size_t n, struct sample *ret);
