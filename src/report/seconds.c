#include "report/seconds.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The length of the record in the middle: the first and the last may be cut. */
int seconds_load(struct store *s, struct arena *a, int64_t cell, struct seconds *ret,
                 struct error *e)
{
    struct second_row *rows = NULL;
    size_t n = 0;
    if (store_seconds(s, a, cell, &rows, &n, e))
        return -1;
    *ret = (struct seconds) { .at = rows, .n = n, .step = n ? rows[n / 2].length : 0 };
    return 0;
}

/* The first record that does not start before t_ns. */
static size_t first_at(const struct seconds *s, int64_t t_ns)
{
    size_t low = 0, high = s->n;
    double t = (double)t_ns / 1e9;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->at[middle].start < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct seconds seconds_in(const struct seconds *s, const struct time_range *range)
{
    size_t from = first_at(s, range->from_ns), to = first_at(s, range->to_ns);
    return (struct seconds) { .at = s->at + from, .n = to - from, .step = s->step };
}

double seconds_end(const struct seconds *s)
{
    return s->n ? s->at[s->n - 1].start + s->at[s->n - 1].length : 0;
}
