#pragma once
#include "base/arena.h"
#include "base/array.h"
#include "model/record.h"
#include "store/db.h"
#include "store/store.h"

/* The sink of the store. Every call is one transaction, and nothing of a failed call stays. While a cell runs a call commits
 * at once (a few µs: no fsync), so that a killed process loses at most the running second and a second writer never waits
 * long; only when calls come faster than real time (imports, tests) are they gathered, COMMIT_PAUSE_NS at most. */

struct known_workload {
    int64_t id;
    const char *key; /* everything in it as text: equal text, equal workload */
    double size, read_pct, random_pct;
    const char *sync;
};

struct writer {
    struct sink sink;
    struct store *store;
    struct store_sink_options options;
    struct writer *before; /* its sink lives on until store_close */
    struct arena *arena;

    int64_t run; /* 0 before run_begin */
    const char *run_name, *version, *engine_version;
    bool open; /* begun and not ended */
    bool import;
    const struct cell *planned;
    uint32_t n_planned, n_targets;
    ARRAY(int64_t) targets; /* row ids by no */
    ARRAY(struct known_workload) workloads;

    int64_t cell; /* row id of the cell that runs, 0 = none */
    uint32_t cell_no, n_samples;
    struct arena *blobs; /* of the last intervals; renewed when it has grown */

    bool in_transaction, full_sync;
    double allowance; /* commits that may be made at once */
    uint64_t refilled /* the allowance, when */, last_checkpoint;
    uint64_t checkpoint_every_ns; /* within a cell; tests shorten it */
};

/* Commits what the sink has gathered, so that the connection is free for another transaction. */
int writer_settle(struct store *s, struct error *e);
/* And the next transaction survives a power cut. */
int writer_settle_synced(struct store *s, struct error *e);

/* Ends a run that was left open as interrupted, as far as the store can still be written; frees all sinks. */
void writer_close(struct store *s);

/* write_run.c; these and the following inside a transaction. */
int write_run(struct writer *w, const struct run_record *r, struct error *e);
int write_target(struct writer *w, const struct target_record *t, struct error *e);
int write_target_facts(struct writer *w, uint32_t target, const struct fact *at, size_t n,
                       struct error *e);
int write_run_end(struct writer *w, const struct run_end *r, struct error *e);
int check_resumed_run(struct writer *w, const struct run_record *r, struct error *e);
int check_resumed_target(struct writer *w, const struct target_record *t, struct error *e);

/* write_workload.c; a cell's workload is written when it is first seen if no plan named it. */
int write_workload(struct writer *w, const struct workload *load, struct error *e);
void know_workload(struct writer *w, const struct workload *load, int64_t id);
int find_workload(struct writer *w, const struct cell_begin *c, const struct known_workload **ret,
                  struct error *e);

/* write_cell.c */
int write_planned_cells(struct writer *w, struct error *e);
int write_cell_begin(struct writer *w, const struct cell_begin *c, struct error *e);
int write_interval(struct writer *w, const struct interval *i, struct error *e);
int write_samples(struct writer *w, const struct sample *at, size_t n, struct error *e);
int write_event(struct writer *w, const struct event *ev, struct error *e);
