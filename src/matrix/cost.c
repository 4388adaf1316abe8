#include "matrix/matrix.h"

struct plan_cost plan_cost(const struct plan *p)
{
    struct plan_cost cost = { .cells = p->n_cells, .points = p->n_points, .writes = p->writes };
    for (uint32_t i = 0; i < p->n_cells; i++) {
        uint64_t ns = cell_time_ns(&p->cells[i]);
        if (__builtin_add_overflow(cost.seconds_ns, ns, &cost.seconds_ns))
            cost.seconds_ns = UINT64_MAX;
        if (cost.seconds_ns == UINT64_MAX)
            break;
        cost.idle_ns += p->cells[i].idle_ns;
    }
    return cost;
}
