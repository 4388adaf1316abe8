#pragma once
#include "report/data.h"

/* Sorts cells into workloads, points and spots. Points match across runs by what was asked (workload id and lines, depth,
 * workers, fill, rate, span), never by cell numbers. */

struct arrange_run {
    const struct run_row *run;
    const struct workload_row *workloads;
    size_t n_workloads;
};

/* A cell with its place: index of its subject, its run (index into runs) and its row of direction all (NULL: none). */
struct arrange_cell {
    const struct cell_row *cell;
    const struct result_row *row;
    size_t subject, run;
    const struct time_range *window; /* that the row is about; NULL: the whole cell */
};

struct arrange_input {
    struct store *store;
    struct arena *a;
    const struct arrange_run *runs;
    size_t n_runs;
    const struct arrange_cell *cells;
    size_t n_cells;
};

/* Makes d->workloads and d->points; needs d->subjects. The spots of d->points hold their cells' statistics, but no sides
 * yet. */
int arrange(const struct arrange_input *in, struct report_data *d, struct error *e);
