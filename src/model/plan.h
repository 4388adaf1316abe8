#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/trace.h"

/* What is to be measured, with every default resolved: made by matrix/expand (or an import), read by runner, engine,
 * store and report. Plain values; strings and arrays live in the arena of whoever made the plan. */

enum fill_kind {
    FILL_RANDOM,
    FILL_ZERO,
    FILL_ONES,
    FILL_PATTERN,
    FILL_COMPRESSIBLE,
    FILL_DUPLICATE
};
struct fill {
    enum fill_kind kind;
    uint32_t percent;       /* compressible, duplicate: 0..100 */
    uint32_t pattern_bytes; /* pattern: 1..16 */
    uint8_t pattern[16];
};

enum sync_kind { SYNC_NONE, SYNC_DSYNC, SYNC_FUA, SYNC_FDATASYNC, SYNC_FSYNC };
enum distribution_kind { DIST_UNIFORM, DIST_ZIPF, DIST_PARETO, DIST_NORMAL, DIST_ZONES };

/* One line of an access specification (Iometer's line and more). Percentages are basis points, 10000 = 100 %. */
struct access_line {
    uint32_t
        share_bp; /* probability that an I/O uses this line; the lines of a workload sum to 10000 */
    uint32_t size;      /* bytes, > 0 */
    uint32_t read_bp;   /* probability of a read */
    uint32_t random_bp; /* probability of a random start, else it follows the previous one */
    uint32_t burst;     /* I/Os per burst, 1 = none */
    uint64_t delay_ns;  /* waited before each burst, 0 = none */
    uint64_t align;     /* bytes; 0 = the size */
    uint64_t stride;    /* bytes between starts of sequential I/Os; 0 = the size */
    uint32_t trim_bp;   /* share of the non-reads that discards instead of writing */
    enum sync_kind sync;
    uint32_t sync_every; /* fdatasync:N, fsync:N */
    enum distribution_kind distribution;
    double distribution_param; /* zipf θ, pareto h, normal σ */
};

/* A workload as a cell uses it. A sweep over size, read or random makes one variant per value: same id and title, other
 * lines. */
struct workload {
    const char *id, *title;
    const struct access_line *lines;
    uint32_t n_lines;
};

/* RATE_RECORDED: a trace at its own times, `value` times as fast. */
enum rate_kind { RATE_NONE, RATE_IOPS, RATE_PERCENT_OF_MAX, RATE_RECORDED };
struct rate {
    enum rate_kind kind;
    double value; /* IOPS, or percent of the measured maximum */
    bool poisson;
};

/* One point of the matrix on one target, once. */
struct cell {
    uint32_t no;       /* its place in the order of execution, 0.. ; unique in the plan */
    uint32_t point;    /* the point of the matrix: equal on all targets and repetitions */
    uint32_t target;   /* index of the target */
    uint32_t workload; /* index into plan.workloads */
    uint32_t queue_depth, workers;
    uint32_t rep;     /* 1.. */
    uint32_t round;   /* until-steady: 1.. ; else 0 */
    uint64_t idle_ns; /* nothing is asked of the target for so long before the cell */
    uint64_t duration_ns, ramp_ns, interval_ns;
    uint64_t span_bytes;  /* 0 = the target's whole span */
    uint32_t span_bp;     /* of the target instead of span_bytes, when not 0 */
    uint64_t span_offset; /* bytes */
    struct fill fill;
    struct rate rate;
    bool direct; /* asked for */
    uint64_t seed;
    const struct trace *trace; /* replayed in place of the workload's lines; NULL: none */
};

/* From the end of the one before to its own, writing of test data apart. */
static inline uint64_t cell_time_ns(const struct cell *c)
{
    return c->idle_ns + c->ramp_ns + c->duration_ns;
}

enum order_kind { ORDER_AS_WRITTEN, ORDER_INTERLEAVED, ORDER_RANDOM };
enum engine_choice { ENGINE_AUTO, ENGINE_IO_URING, ENGINE_SYNC };

struct plan {
    const char *name, *title, *method;
    const char *report; /* name of the report template */
    const char *matrix_xml;
    const struct workload *workloads;
    uint32_t n_workloads;
    const struct cell *cells; /* in order of execution */
    uint32_t n_cells, n_targets, n_points, repeat;
    enum order_kind order;
    enum engine_choice engine;
    uint64_t seed;
    uint64_t span_bytes; /* --size; 0 = default of each target kind */
    bool writes;         /* any line of any cell changes the target */
};

/* Bounds of one plan; matrix/load, cli and importers enforce them with a message that names the limit. */
enum {
    PLAN_MAX_CELLS = 100000,
    PLAN_MAX_QUEUE_DEPTH = 1024,
    PLAN_MAX_WORKERS = 256,
    PLAN_MAX_LINES = 100,
    PLAN_MAX_WORKLOADS = 1000,
    PLAN_MAX_TARGETS = 64,
    PLAN_MAX_REPEAT = 1000,
    PLAN_MIN_SIZE = 512,
    PLAN_MAX_SIZE = 64 << 20,
};

/* Of the whole workload, weighted by share (of I/Os, not bytes). */
double workload_mean_size(const struct workload *w);    /* bytes */
double workload_read_percent(const struct workload *w); /* 0..100 */
double workload_random_percent(const struct workload *w);
uint32_t workload_max_size(const struct workload *w);
bool workload_writes(const struct workload *w); /* writes or trims */

const char *fill_kind_name(enum fill_kind k); /* "random", "zero", … */
int fill_kind_from_name(const char *name);    /* or -1 */
const char *sync_kind_name(enum sync_kind k);
const char *distribution_name(enum distribution_kind k);
const char *order_name(enum order_kind k);            /* "as-written", "interleaved", "random" */
const char *engine_choice_name(enum engine_choice c); /* "auto", "io_uring", "sync" */
