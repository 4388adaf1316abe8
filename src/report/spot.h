#pragma once
#include "report/data.h"

/* The statistics of one point on one target, from the store's rows (reference/statistics.md §2, §4, §5.4). */

/* The repetitions of a spot that are done, each with its row of direction all. */
struct spot_reps {
    const struct cell_row *const *cells;
    const struct result_row *const *rows;
    const struct time_range *const *windows; /* that the rows are about; NULL: the whole cell */
    size_t n;
};

/* Fills everything of *ret but `cell`, `window`, `n_wanted`, `missing` and the sides. */
int spot_measure(struct store *s, struct arena *a, const struct spot_reps *reps, struct spot *ret,
                 struct error *e);

/* Fills spot->in_time, unless it is there; a cell without intervals has none (n = 0). */
int spot_load_seconds(struct store *s, struct arena *a, struct spot *spot, struct error *e);

/* Fills the sides, once the subject's variation between runs is known. */
void spot_sides(struct spot *spot, const struct subject *subject, struct arena *a);
