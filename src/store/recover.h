#pragma once
#include <stdbool.h>

#include "store/db.h"

/* Cells that were running when their process was killed: their stored intervals become their result (the sum of the
 * intervals is the result), their status "interrupted". */

/* All runs whose process is gone. */
int recover_dead_runs(struct store *s, struct error *e);
/* One run, in a transaction of its own; the run becomes interrupted. */
int recover_run(struct store *s, int64_t run, struct error *e);
/* Only the cells of a run, inside a transaction. */
int recover_cells(struct store *s, int64_t run, struct error *e);

/* Is there a run whose process is gone? */
bool recover_needed(struct store *s);
