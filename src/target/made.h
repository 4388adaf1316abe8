#pragma once
#include <stdatomic.h>

#include "model/recipe.h"
#include "target/target.h"
#include "target/undo.h"

/* A target that is made of devices for the time of a run: filesystem or array (model/recipe.h).
 *
 *   made_probe → made_permit → made_open → target_probe'd info, opened like any other → made_undo
 *
 * Every step of making is written to a journal before it is taken, and undone from there: at the end, or by whoever reads the
 * journal after a crash (target/undo.h). The devices were blank before, or there was no permit; they are blank afterwards. */

struct made_spec {
    struct recipe recipe;
    const struct target_info *members; /* probed block devices */
    size_t n_members;
};

/* What it will be, without touching anything: kind, capacity (about), what it is made of. QD_E_USAGE: members that are no block
 * devices, too few, options that are refused; QD_E_FAIL: a program that is needed is not installed, or the kernel lacks md. */
int made_probe(struct arena *a, const char *name, bool direct, const struct made_spec *m,
               struct target_info *ret, struct error *e);

/* Asks for each member as permit_ask does. *ret has one for each. */
int made_permit(struct arena *a, const struct made_spec *m, const char *const *destroy,
                struct write_permit *const **ret, struct error *e);

/* Where steps are written down before they are taken, and struck out once undone. */
struct made_journal {
    int (*add)(void *ctx, const struct undo_step *s, int64_t *ret_id, struct error *e);
    int (*gone)(void *ctx, int64_t id, struct error *e);
    void *ctx;
};

struct made;
/* Makes it. The guard is asked again, as when a device is opened. *ret is there also on failure: what was done so far is to be
 * undone. *stop (may be NULL) ends the wait for the parity of raid5: QD_E_CANCELLED. */
struct made_job {
    const struct made_spec *spec;
    struct write_permit *const *permits;
    const struct made_journal *journal;
    const char *name;
    bool direct;
    const atomic_int *stop;
};
int made_open(struct arena *a, const struct made_job *job, struct made **ret, struct error *e);
/* As probed now that it is there, with a permit to write it: for target_open. Facts are what the kernel says of it. */
const struct target_info *made_info(const struct made *m);
struct write_permit *made_info_permit(const struct made *m);

/* Undoes all, newest first; what fails stays in the journal and is the error. NULL is fine. Close what is open on it before. */
int made_undo(struct arena *a, struct made *m, struct error *e);
