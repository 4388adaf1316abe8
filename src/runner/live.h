#pragma once
#include "runner/runner.h"

/* A target while the run lasts: opened, and before that made if it has to be; closed, and undone. */
struct live {
    const struct runner_target
        *plan; /* of a made target once it is there: with what was found then */
    uint32_t no;
    struct target *handle; /* NULL: not open */
    struct made *made;
    struct opened_target view; /* a copy: direct follows the running cell */
    bool laid_out;
    struct fill fill;
    const char *failed; /* why no further cell of it can be measured, or NULL */
};

/* Opens it, made first where it is to be made: then its facts go to the sink, and a copy of its plan takes the place of
 * l->plan. What was made is undone by live_close also if this fails. */
int live_open(struct arena *a, const struct runner_job *job, struct live *l, struct error *e);

/* Closes and undoes. What cannot be undone stays in the store's journal and is an event. Harmless where nothing is open. */
void live_close(struct arena *a, const struct runner_job *job, struct live *l);
