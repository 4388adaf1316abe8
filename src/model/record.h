#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/direction.h"
#include "model/hist.h"
#include "model/plan.h"
#include "model/target.h"

/* The records that go through a sink. Values: a sink copies what it keeps, no pointer outlives the call. Times are ns;
 * `t_ns` counts from the start of measuring (negative: ramp). */

struct source_file {
    const char *path, *format, *tool, *sha256; /* tool: name and version */
};

struct run_record {
    const char *name; /* wanted; the store makes it unique */
    const char *title;
    bool import;
    int64_t started_ns;         /* CLOCK_REALTIME */
    const char *version;        /* of qdepth */
    const char *engine_version; /* ENGINE_VERSION; NULL: not our engine */
    const char *config_hash;    /* of the plan and options: equal = comparable */
    const char *command;        /* what the user typed */
    const char *note;
    const struct plan *plan; /* NULL for imports: their cells come with cell_begin */
    uint32_t n_targets;
    const struct fact *host;
    size_t n_host;
    const struct source_file *sources;
    size_t n_sources;
    const struct left_out *left_out;
    size_t n_left_out;
};

enum cell_status {
    CELL_PLANNED,
    CELL_RUNNING,
    CELL_DONE,
    CELL_INTERRUPTED,
    CELL_FAILED,
    CELL_SKIPPED
};
const char *cell_status_name(enum cell_status s);

enum engine_used { USED_NONE, USED_IO_URING, USED_SYNC };
const char *engine_used_name(enum engine_used u); /* "", "io_uring", "sync" */

struct cell_begin {
    const struct cell *cell;
    const struct workload *workload;
    uint32_t attempt; /* 1.. */
    int64_t started_ns;
};

/* What happened in one direction during one interval. `asked` is false for directions the cell never issues. */
struct interval_direction {
    bool asked;
    uint64_t ios, bytes, errors;
    struct moments lat;      /* lat.n = ios for our own runs; imports may know less */
    const struct hist *hist; /* NULL: none */
};

/* Sums over duration/64 (at least 10 ms) inside an interval, for confidence intervals of short cells. All directions
 * asked for are kept apart; length is the same for all. */
struct batch {
    uint64_t length_ns;
    struct {
        uint64_t ios, bytes, lat_sum_ns;
    } dir[DIR_COUNT];
};

struct interval {
    int64_t t_ns; /* start, aligned to the cell's interval; < 0 in the ramp */
    uint64_t length_ns;
    struct interval_direction dir[DIR_COUNT];
    const struct batch *batches;
    size_t n_batches;
};

struct sample {
    int64_t t_ns; /* when it was reaped */
    uint64_t offset, lat_ns;
    uint32_t size;
    enum direction direction;
    bool slow; /* one of the slowest, not part of the unbiased reservoir */
};

enum severity { EVENT_NOTE, EVENT_WARNING, EVENT_ERROR };
const char *severity_name(enum severity s);

/* Something a reader of the report must know. Texts are plain sentences. */
struct event {
    const char *
        code; /* stable, for queries: "io-error", "direct-refused", "in-flight-at-end", "kernel-workers", … */
    enum severity severity;
    int32_t target,
        cell; /* index in the run, or -1: cell.no; an event of a cell gives its target too */
    int64_t t_ns;
    const char *what; /* one sentence: who and what */
    const char *text; /* what it means and what to do; may be NULL */
    int sys;          /* errno, or 0 */
    uint64_t offset, count;
};

/* Percentile of an import that has no histogram; never merged, never averaged. */
struct known_percentile {
    struct fraction p;
    double low_ns, high_ns; /* equal unless it came from a bin wider than 5 % */
    const char *origin;
};

struct direction_result {
    bool asked;
    uint64_t ios, bytes, errors;
    struct moments lat;      /* of completed I/Os */
    uint64_t lat_max_ns;     /* at least lat.max; also the age of I/Os in flight at the end */
    const struct hist *hist; /* NULL: none */
    const struct known_percentile *percentiles;
    size_t n_percentiles;
};

/* One access line's share of a direction. */
struct line_result {
    uint32_t line;
    enum direction direction;
    uint64_t ios, bytes;
    const struct hist *hist;
};

/* What the machine saw of a cell, beside what was asked of it, from the first I/O of the ramp to the last one drained. */
struct machine_saw {
    bool device, threads;                             /* looked at: the two below each */
    uint64_t device_read_bytes, device_written_bytes; /* moved by the block device, whoever asked */
    uint32_t kernel_workers; /* most threads of io_uring (iou-wrk) at one time */
};

struct cell_result {
    uint32_t source; /* of an import: index into the run's sources */
    enum cell_status status;
    const char *reason; /* failed, skipped, interrupted: one clause; else NULL */
    enum engine_used engine;
    bool direct;          /* what was really used */
    uint64_t measured_ns; /* length of the window the results cover */
    bool
        rates_only; /* an import that knows neither counts nor time: only what follows from dividing them means something */
    int64_t finished_ns; /* CLOCK_REALTIME */
    struct direction_result dir[DIR_COUNT];
    const struct known_percentile *percentiles; /* of all directions, where an import has several
                                                   without histograms */
    size_t n_percentiles;
    const struct line_result *lines;
    size_t n_lines;
    uint64_t cpu_user_ns, cpu_system_ns; /* of the workers, in the window */
    uint64_t context_switches;           /* voluntary and not */
    double achieved_depth;               /* time-average of I/Os in flight; NaN: not known */
    double
        worker_busy; /* share of the window between a batch's end and the next one's start, when no worker's I/O was
                           under way: mean of the workers; NaN: not known */
    uint64_t in_flight_at_end, oldest_in_flight_ns;
    uint64_t span_bytes, covered_bytes; /* covered: bytes of I/O issued, at most the span */
    int steady;                         /* 1, 0, -1 = not tested */
    struct machine_saw seen;
};

struct run_end {
    enum cell_status status; /* CELL_DONE, CELL_INTERRUPTED or CELL_FAILED */
    int64_t finished_ns;
    const struct fact *host; /* facts taken after the run (temperatures…) */
    size_t n_host;
};
