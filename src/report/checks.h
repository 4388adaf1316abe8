#pragma once
#include "report/data.h"
#include "report/doc.h"

/* What a reader must know before any number (reference/pitfalls.md): the events of the runs and what can be derived from their
 * records. A warning says who and what, what it means, what to do, and links the first place it concerns. */
struct checks {
    const struct warning *warnings;
    size_t n_warnings;
    const char *const *passed; /* names of the derived checks that found nothing */
    size_t n_passed;
    const struct rich *notes; /* events that are no warnings */
    size_t n_notes;
};
struct checks checks_make(struct arena *a, const struct report_data *d);

/* "†" queue depth not reached, "‡" not steady, "†‡", or NULL. */
const char *spot_marks(const struct spot *spot);
/* Explains those of the marks that some spot of these points has, for captions; "" if none. Starts with a space. */
const char *marks_words(struct arena *a, const struct report_data *d, const struct group_point *at,
                        size_t n);
