#include "import/pattern.h"

#include <assert.h>
#include <string.h>

#include "model/workload_name.h"

enum { WHOLE_BP = 10000 };

struct import_pattern pattern_simple(struct arena *a, uint32_t size, uint32_t read_bp,
                                     uint32_t random_bp)
{
    struct import_pattern p = { 0 };
    *pattern_add(a, &p) = (struct access_line) {
        .share_bp = WHOLE_BP, .size = size, .read_bp = read_bp, .random_bp = random_bp, .burst = 1
    };
    return p;
}

struct access_line *pattern_add(struct arena *a, struct import_pattern *p)
{
    uint32_t n = p->n_lines;
    assert(n < PATTERN_MAX_LINES);
    if (!(n & (n - 1))) { /* full: there is room for the next power of two */
        struct access_line *more = arena_array(a, struct access_line, n ? 2 * n : 1);
        if (n)
            memcpy(more, p->lines, n * sizeof *more);
        p->lines = more;
    }
    p->lines[n] = (struct access_line) { 0 };
    p->n_lines++;
    return &p->lines[n];
}

/* The largest line takes what rounding left over. */
static void settle_shares(struct access_line *lines, uint32_t n)
{
    uint64_t sum = 0;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += lines[i].share_bp;
        if (lines[i].share_bp > lines[largest].share_bp)
            largest = i;
    }
    uint64_t given = 0;
    for (uint32_t i = 0; i < n && sum; i++) {
        lines[i].share_bp = (uint32_t)(lines[i].share_bp * (uint64_t)WHOLE_BP / sum);
        given += lines[i].share_bp;
    }
    if (n)
        lines[largest].share_bp += (uint32_t)(WHOLE_BP - given);
}

struct workload pattern_workload(struct arena *a, const struct import_pattern *p)
{
    settle_shares(p->lines, p->n_lines);
    struct workload w = { .lines = p->lines, .n_lines = p->n_lines };
    if (p->name) {
        w.title = p->name;
        w.id = workload_slug(a, p->name);
    } else {
        workload_name(a, &w, !p->order_unknown);
    }
    return w;
}
