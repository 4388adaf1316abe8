#pragma once
#include "base/arena.h"
#include "model/plan.h"

/* Names made of what a workload does. Imports and converted matrices use them, and the shipped matrices have the same by hand, so
 * that equal access lines up in a report wherever it comes from. */

/* Sets id and title from the lines: "random-read-4k", "4 KiB random read"; "random-70-30-8k", "8 KiB random, 70 % read".
 * order_known false: it is not known what is random. */
void workload_name(struct arena *a, struct workload *w, bool order_known);
/* Lower case letters and digits of a name, joined by dashes; "access" if it has none. */
const char *workload_slug(struct arena *a, const char *name);
