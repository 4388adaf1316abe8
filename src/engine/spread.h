#pragma once
#include <stdint.h>

#include "base/rng.h"
#include "model/plan.h"

/* Random positions that are not uniform (reference/statistics.md §10): numbers in [0, n).
 *
 * zipf θ: rank k with a weight of k^-θ, by rejection-inversion: right for all θ, no table. Ranks are scattered over the
 * positions by a fixed permutation, else the hot ones would be neighbours. pareto h: a share of 1 - h goes to the first h.
 * normal σ: around the middle, σ as a share of n; what falls outside is drawn again. */
struct spread {
    enum distribution_kind kind;
    uint64_t n;
    double param;                      /* θ, the exponent of pareto, σ */
    double h_first, h_last, threshold; /* zipf */
    uint64_t key[4];                   /* of the permutation */
    uint32_t half_bits;
};

/* kind is zipf, pareto or normal; n > 0. */
void spread_init(struct spread *s, enum distribution_kind kind, double param, uint64_t n);
uint64_t spread_draw(const struct spread *s, struct rng *r);

/* Rank 1.. of zipf for a uniform u in [0, 1), or 0 where it must be drawn again. */
uint64_t spread_zipf_rank(const struct spread *s, double u);
/* Every position once: a permutation of [0, n). */
uint64_t spread_scatter(const struct spread *s, uint64_t rank);
