#pragma once
#include "base/error.h"
#include "model/record.h"
#include "model/sink.h"

/* A run whose numbers are given: for tests that must know which sentence is right. Unlike made_run, every cell says what it
 * measured. Response times are spread around their mean by one fixed shape (p99 is 3.3 times the mean). Uses base and model. */
struct given_cell {
    uint32_t target, workload, queue_depth;
    double iops[5];        /* one a repetition; 0: that repetition was never begun */
    double mean_ns;        /* 0: by Little's law, depth / iops */
    double depth;          /* achieved; 0: as asked */
    enum cell_status ends; /* 0: done; INTERRUPTED, FAILED, SKIPPED: no numbers */
    const char *reason;
    uint64_t errors;
    bool buffered, unsteady;
};

struct given_run {
    const char *name;         /* NULL: "given" */
    const char *const *names; /* of the targets */
    uint32_t n_targets;
    const struct workload *workloads;
    uint32_t n_workloads;
    const struct given_cell *cells;
    uint32_t n_cells;
    uint32_t repeat;  /* 0: 1; at most 5 */
    uint32_t seconds; /* 0: 64 */
    double noise;     /* relative amplitude of the seconds, 0: 0.01 */
    bool bare;        /* no histogram in the intervals */
    bool interrupted;
    const struct event *events;
    size_t n_events;
    const char *command, *report;
};
int given_run(const struct given_run *g, struct sink *s, struct error *e);

/* The two workloads of the oltp matrix, and the comparison of seeds/000 as measured by the mock's numbers: three targets, depths 1
 * to 128, one cell missing. */
extern const struct workload given_oltp[2];
struct given_run given_seed(void);
