#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "store/store.h"

/* Undoes what ended runs left behind, from the store's journals: mounts, filesystems, arrays, folders, scratch files. What belongs to a
 * run that goes on is left alone. Harmless to repeat. */
struct clean_watch {
    /* One sentence without full stop for each thing done, or that could not be done. */
    void (*tell)(void *ctx, const char *words, bool failed);
    void *ctx;
};
struct clean_outcome {
    size_t n_done, n_left; /* left: could not be undone, and stays in the journal */
    size_t n_in_use;       /* of runs that go on */
};
/* Fails only if the journal cannot be read or written. */
int clean_all(struct arena *a, struct store *s, const struct clean_watch *w,
              struct clean_outcome *ret, struct error *e);
