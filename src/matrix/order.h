#pragma once
#include "base/arena.h"
#include "model/plan.h"

/* A point of the matrix before it is put on targets: its cell with target, rep, no and seed still 0. */
struct point {
    struct cell cell;
    uint32_t repeat;
};

struct points {
    const struct point *at;
    uint32_t n;
    uint64_t cells; /* on one target: the sum of repeat */
};

/* Puts points on targets in the order asked for and numbers the cells.
 *   as-written   target by target; on each, all points; repetitions of a point follow each other
 *   interleaved  point by point, repetition by repetition, round the targets: A B A B
 *   random       as-written, shuffled by Fisher and Yates with xoshiro256** of `seed`
 * Every cell gets a seed made of the plan's seed, its point and its repetition, not of its target: all targets are asked for
 * the same I/Os. n_targets × points.cells must be within PLAN_MAX_CELLS. */
struct cell *order_cells(struct arena *a, const struct points *points, uint32_t n_targets,
                         enum order_kind order, uint64_t seed);

/* Seed of one cell: three outputs of splitmix64, each from the previous one mixed with the next input. */
uint64_t order_cell_seed(uint64_t plan_seed, uint32_t point, uint32_t rep);
