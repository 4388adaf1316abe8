#include "matrix/order.h"

#include "base/rng.h"

uint64_t order_cell_seed(uint64_t plan_seed, uint32_t point, uint32_t rep)
{
    uint64_t state = plan_seed;
    state = rng_splitmix(&state) ^ point;
    state = rng_splitmix(&state) ^ rep;
    return rng_splitmix(&state);
}

static void put(struct cell *at, const struct point *p, uint32_t target, uint32_t rep)
{
    *at = p->cell;
    at->target = target;
    at->rep = rep;
}

static void as_written(struct cell *to, const struct points *points, uint32_t n_targets)
{
    for (uint32_t t = 0; t < n_targets; t++)
        for (uint32_t p = 0; p < points->n; p++)
            for (uint32_t rep = 1; rep <= points->at[p].repeat; rep++)
                put(to++, &points->at[p], t, rep);
}

static void interleaved(struct cell *to, const struct points *points, uint32_t n_targets)
{
    for (uint32_t p = 0; p < points->n; p++)
        for (uint32_t rep = 1; rep <= points->at[p].repeat; rep++)
            for (uint32_t t = 0; t < n_targets; t++)
                put(to++, &points->at[p], t, rep);
}

static void shuffle(struct cell *cells, uint64_t n, uint64_t seed)
{
    struct rng r = rng_seed(seed);
    for (uint64_t i = n; i > 1; i--) {
        uint64_t j = rng_below(&r, i);
        struct cell held = cells[i - 1];
        cells[i - 1] = cells[j];
        cells[j] = held;
    }
}

struct cell *order_cells(struct arena *a, const struct points *points, uint32_t n_targets,
                         enum order_kind order, uint64_t seed)
{
    uint64_t n = points->cells * n_targets;
    struct cell *cells = arena_array(a, struct cell, n);
    if (order == ORDER_INTERLEAVED)
        interleaved(cells, points, n_targets);
    else
        as_written(cells, points, n_targets);
    if (order == ORDER_RANDOM)
        shuffle(cells, n, seed);
    for (uint64_t i = 0; i < n; i++) {
        cells[i].no = (uint32_t)i;
        cells[i].seed = order_cell_seed(seed, cells[i].point, cells[i].rep);
    }
    return cells;
}
