#pragma once
#include "base/error.h"
#include "model/record.h"

/* The waist of the program: everything measured or imported goes through here. Calls come in this order:
 *
 *   run_begin  target*  ( cell_begin  (interval | samples)*  cell_end )*  run_end        and event anywhere between
 *
 * Targets are numbered 0.. in the order of their calls; all targets come before the first cell. What is known of a target only
 * once it was made comes by target_facts, at any time after the last target. Cells are named by cell.no. Every call may fail (-1 and e): the caller stops measuring and ends the run as best it can. Records are values,
 * no pointer is kept. Calls come from one thread at a time (the engine's collector or the runner), never from a worker.
 *
 * To add a sink: fill a struct sink_ops (NULL = ignores it), point a struct sink at it. Implementations: the store, the
 * live progress of cli, sink_tee below, the recorders of tests. */
struct sink_ops {
    int (*run_begin)(void *self, const struct run_record *r, struct error *e);
    int (*target)(void *self, const struct target_record *t, struct error *e);
    int (*target_facts)(void *self, uint32_t target, const struct fact *at, size_t n,
                        struct error *e);
    int (*cell_begin)(void *self, const struct cell_begin *c, struct error *e);
    int (*interval)(void *self, const struct interval *i, struct error *e);
    int (*samples)(void *self, const struct sample *at, size_t n, struct error *e);
    int (*event)(void *self, const struct event *ev, struct error *e);
    int (*cell_end)(void *self, const struct cell_result *r, struct error *e);
    int (*run_end)(void *self, const struct run_end *r, struct error *e);
};

struct sink {
    const struct sink_ops *ops;
    void *self;
    int state; /* where in the order above; starts at 0; checked by assertion */
};

int sink_run_begin(struct sink *s, const struct run_record *r, struct error *e);
int sink_target(struct sink *s, const struct target_record *t, struct error *e);
int sink_target_facts(struct sink *s, uint32_t target, const struct fact *at, size_t n,
                      struct error *e);
int sink_cell_begin(struct sink *s, const struct cell_begin *c, struct error *e);
int sink_interval(struct sink *s, const struct interval *i, struct error *e);
int sink_samples(struct sink *s, const struct sample *at, size_t n, struct error *e);
int sink_event(struct sink *s, const struct event *ev, struct error *e);
int sink_cell_end(struct sink *s, const struct cell_result *r, struct error *e);
int sink_run_end(struct sink *s, const struct run_end *r, struct error *e);

/* A sink that hands every call to both; stops at the first failure. The tee must outlive the sink it returns. */
struct sink_tee {
    struct sink *first, *second;
};
struct sink sink_tee(struct sink_tee *tee);
