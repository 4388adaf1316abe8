#pragma once
#include "report/standing.h"

/* What a figure shows, as data first: subject, verb, object, numbers, certainty. finding_words phrases it by a table
 * (mock/tokens.md §6), so that tests can check the one without the other. */
enum finding_kind {
    FINDING_NOTHING,        /* no target was measured */
    FINDING_ALONE,          /* one target was */
    FINDING_AHEAD,          /* a is better than b, the next */
    FINDING_SAME,           /* no practical difference between a and b */
    FINDING_UNCLEAR,        /* no clear difference between a and b */
    FINDING_SAME_MANY,      /* no practical difference among a and `level` */
    FINDING_UNCLEAR_MANY,   /* no clear difference among them */
    FINDING_NOT_COMPARABLE, /* c.reason */
    FINDING_COUNT
};

struct finding {
    enum finding_kind kind;
    enum metric metric;
    const struct group_point *point;
    size_t a, b;         /* subjects: the best and the next; SIZE_MAX none */
    struct comparison c; /* of a against b, > 1 = a is better */
    bool general;        /* both have at least 3 repetitions; else "in this run" */
    const size_t *level; /* subjects level with a, b first */
    size_t n_level;
    const size_t *rest; /* further measured subjects, best first */
    size_t n_rest;
    const size_t *missing;
    size_t n_missing;
};

struct finding finding_at(struct arena *a, const struct report_data *d,
                          const struct point_standing *st, const struct group_point *p);
const char *finding_words(struct arena *a, const struct report_data *d, const struct finding *f);

/* "18 % more", "8.58 times", each with its interval in brackets and what it is of, e.g. "3.13 times [3.07, 3.19] those of Torqx",
 * for a better than b. */
const char *advantage_words(struct arena *a, enum metric m, const struct comparison *c,
                            const char *b);

/* Replaces each {key} of the pattern. Keys that are not in the list are a defect and stay as they are. */
struct blank {
    const char *key, *text;
};
char *fill_in(struct arena *a, const char *pattern, const struct blank *blanks, size_t n);
