#pragma once
#include "report/doc.h"
#include "report/standing.h"
#include "report/tables_time.h"

/* What the seconds of one point say, as data first (like findings.h). It is about what the report's numbers are about: the whole
 * run, or the window that was asked for. All needs spot->detail. */
enum even_kind {
    EVEN_NOTHING,  /* no target has records */
    EVEN_ALONE,    /* one has */
    EVEN_BOTH,     /* `fast` has the lower average and is tighter as well */
    EVEN_SPLIT,    /* `fast` has the lower average, `tight` is tighter */
    EVEN_AVERAGES, /* the averages of the fastest two cannot be told apart; `tight` is tighter */
    EVEN_COUNT
};
struct even_finding {
    enum even_kind kind;
    size_t fast, second;       /* subjects: the lowest averages; SIZE_MAX none */
    size_t tight, loose;       /* the lowest σ, and the next */
    struct comparison average; /* of `fast` against `second`, > 1: `fast` is better */
    size_t n;                  /* subjects with records */
    const size_t *order;       /* by average */
    size_t n_stalled;          /* records without I/O, all targets */
    size_t most_stalled;       /* subject; SIZE_MAX none */
};
struct even_finding even_at(struct arena *a, const struct report_data *d,
                            const struct group_point *p);

/* What the numbers are of: evenness of the whole run or of the window; NULL without records. */
const struct evenness *even_numbers(const struct report_data *d, const struct spot *s);

/* Two to four sentences, the first strong. */
struct rich even_words(struct arena *a, const struct report_data *d, const struct group_point *p);
