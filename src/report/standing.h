#pragma once
#include "report/data.h"

/* Who is ahead at each point, by the workload's headline metric: computed once, corrected together for their number
 * (Benjamini–Hochberg over all comparisons of the report), and shared by sentences, titles and the verdict. */

/* The device under test against its peers at one point. */
enum standing {
    STANDING_NONE,    /* it was not measured, or no peer was */
    STANDING_AHEAD,   /* better than every measured peer */
    STANDING_SAME,    /* no practical difference to the best peer */
    STANDING_UNCLEAR, /* no clear difference to the best peer */
    STANDING_BEHIND,  /* at least one peer is better */
    STANDING_UNKNOWN, /* not comparable: not steady, … */
};

struct point_standing {
    enum metric metric;
    const size_t *order; /* subjects with a value, best first; ties keep slot order */
    size_t n;
    const struct comparison
        *lead; /* [n]: order[0] against order[i], > 1 = order[0] is better; [0] unused */
    enum standing dut;
    size_t best_peer; /* subject, SIZE_MAX: none */
    struct comparison
        against; /* device under test against best_peer; reason set where dut is NONE */
};

/* b against a, by their sides. A percentile whose interval has no upper end (§5.4) leaves the comparison open at one end and
 * unclear. */
struct comparison compare_values(const struct value *a, const struct value *b, enum metric m);

/* By index of d->points. */
const struct point_standing *standing_make(struct arena *a, const struct report_data *d);

/* Subjects that have a value of m at p, best first. */
const size_t *best_first(struct arena *a, const struct report_data *d, const struct group_point *p,
                         enum metric m, size_t *ret_n);

/* Index into w->points of the subject's best value of m, the lower depth if equal; SIZE_MAX: never measured. */
size_t peak_point(const struct report_workload *w, size_t subject, enum metric m);
