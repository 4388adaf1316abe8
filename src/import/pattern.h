#pragma once
#include "base/arena.h"
#include "model/plan.h"

/* What a foreign job did, in the words of a plan. Equal patterns of all formats get the same id and title, which are those of the
 * shipped matrices ("random-read-4k", "4 KiB random read"), so that imports and own runs line up. */
enum { PATTERN_MAX_LINES = 32 };

struct import_pattern {
    const char
        *name; /* of an access specification with a name of its own; NULL: made from the lines */
    struct access_line *lines; /* of this pattern alone, in the arena: most cells have one line */
    uint32_t n_lines;
    bool order_unknown; /* random or sequential is not in the file */
};

/* One line: that share of reads, random or not, in basis points. */
struct import_pattern pattern_simple(struct arena *a, uint32_t size, uint32_t read_bp,
                                     uint32_t random_bp);
/* A new, zeroed line behind those there are, which may move. At most PATTERN_MAX_LINES. */
struct access_line *pattern_add(struct arena *a, struct import_pattern *p);
/* The workload: id, title, and the pattern's own lines, whose shares are made to sum to 10000. */
struct workload pattern_workload(struct arena *a, const struct import_pattern *p);
