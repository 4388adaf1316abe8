#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/plan.h"
#include "model/sink.h"
#include "store/store.h"
#include "target/made.h"
#include "target/target.h"

/* Executes a plan over its targets: permission and space first, then the targets' data, then cell by cell through the engine
 * into the sink. What is measured is never lost by a later failure: each cell ends on its own. */

/* What a run would do, found without creating or writing anything. */
struct runner_target {
    struct target_info info;
    struct write_permit *permit; /* NULL: read only */
    uint64_t span_bytes;
    uint64_t layout_bytes;                      /* written before measuring; 0 = used as it is */
    const char *span_why;                       /* what limited a default span, or NULL */
    const struct made_spec *made;               /* made for the run; NULL: it is there */
    struct write_permit *const *member_permits; /* of what it is made of; `permit` is NULL then */
    /* Made, or shares a device with another target: opened when its first cell comes, closed (and undone) after its last. */
    bool late;
    const struct device_sheet *sheet; /* or NULL */
};
struct runner_preview {
    const struct runner_target *targets;
    uint32_t n_targets;
};

/* Asks permission for every target, fixes its span and checks that it fits. The first target that cannot be used is the error:
 * QD_E_UNSAFE without permission; QD_E_USAGE for two targets that are the same file or device, and for mem:SIZE below the
 * span, and for an order in which targets that share a device would be needed at the same time; QD_E_FAIL for too small a target or too
 * little space. */
struct runner_request {
    const struct plan *plan;
    const struct target_info *targets;
    uint32_t n_targets;
    const char *const *destroy; /* what the user allowed to be written, see permit_ask */
    /* One for each target, NULL where there is none; the lists may be NULL. */
    const struct made_spec *const *made;
    const struct device_sheet *const *sheets;
};
int runner_preview(struct arena *a, const struct runner_request *request,
                   struct runner_preview *ret, struct error *e);

/* Told about work between cells, which the sink does not see. Called from the thread of runner_run. */
struct runner_watch {
    void (*layout)(void *ctx, const char *target, uint64_t done, uint64_t total);
    void (*idle)(void *ctx, const struct cell *next, uint64_t done_ns);
    void *ctx;
};

struct runner_job {
    const struct plan *plan;
    const struct runner_preview *preview;
    const char *run_name, *command, *note; /* note may be NULL */
    const char *store_path;                /* to tell whether it lies on a target */
    const struct fact *host;               /* of the device sheet: added to what is found out */
    size_t n_host;
    const struct left_out *left_out;
    size_t n_left_out;
    struct store *store; /* journal of own files and of what was made */
    struct sink *sink;
    atomic_int *stop; /* set by a signal: end the running cell, keep what was measured */
    struct runner_watch watch;
};

struct runner_outcome {
    enum cell_status status; /* CELL_DONE or CELL_INTERRUPTED */
    /* Cells. Skipped: what the target cannot do (an I/O smaller than its block), a labelled gap and no failure. Errors: with failed
     * I/Os in them. */
    uint32_t n_done, n_skipped, n_missing, n_errors;
};

/* Opens every target before anything is written, late ones (see above) apart. Fails if a target cannot be opened or the sink fails; a cell that cannot be
 * measured is recorded with its reason and the run goes on. */
int runner_run(struct arena *a, const struct runner_job *job, struct runner_outcome *ret,
               struct error *e);
