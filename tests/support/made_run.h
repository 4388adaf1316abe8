#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/record.h"
#include "model/sink.h"

/* A made run: a whole run of plausible numbers through any sink, for tests that need stored data without a disk. Same
 * options, same records, on any machine: integers and xoshiro only, no clock, no libm. Uses base and model.
 *
 *   struct made_options o = { .repeat = 3 };
 *   made_run(&o, sink, &e);
 *
 * What holds for every cell that is done, so that tests may rely on it:
 * - the sum of the intervals with t_ns >= 0 is the result, exactly; so is the sum of the batches, and of the lines;
 * - IOPS × mean response time = queue depth × workers, within one I/O a worker slot;
 * - every direction asked for is in every interval, empty seconds as zeros;
 * - target 0 is the fastest, the last the slowest; throughput rises with depth and saturates.
 *
 * Targets: "Alpha SSD" (block device, highlighted), "Beta SSD" (directory), "Gamma HDD" (file), "Memory", then "Target 5"….
 * Workloads: heavy-read (8 + 64 KiB, 90 % read), moderate-read (65 %), random-write (4 KiB), log (8 KiB append + flush).
 * Cells are in order target, repetition, workload, depth; the point counts workload × depth.
 * Events: one note of the run, one warning of target 1, and what `errors` adds. */

/* A cell (or all cells that match; -1 matches any, and note that 0 is the first) that does not come out as done.
 * PLANNED: never begun. RUNNING: half its seconds are written, then made_run returns 0 without cell_end and run_end, as if
 * killed. INTERRUPTED: half its seconds and a result, the run goes on. SKIPPED, FAILED: begun, no numbers, the reason. */
struct made_gap {
    int32_t target, workload, queue_depth, rep; /* indices; the depth itself; rep counts from 1 */
    enum cell_status status;
    const char *reason; /* NULL: a default sentence */
};

/* Zero is always the default. */
struct made_options {
    const char *name, *title;     /* "made", "A made run" */
    uint64_t seed;                /* 1 */
    uint32_t n_targets;           /* 3 */
    uint32_t n_workloads;         /* 2; at most 4 */
    const uint32_t *queue_depths; /* 1 4 8 32 128 */
    uint32_t n_queue_depths;
    uint32_t workers;     /* 1 */
    uint32_t repeat;      /* 1 */
    uint32_t seconds;     /* 2 measured, one interval each */
    uint32_t ramp;        /* 1 s; MADE_NO_RAMP: none */
    uint32_t slower;      /* 1: response times × this, so 1 / this I/Os; use it for long cells */
    uint32_t slower_from; /* 0: on no target; n: `slower` is for target n - 1 only */
    uint32_t stall_every; /* 0: never; n: every n-th measured second nothing finishes */
    uint32_t samples;     /* 500 a cell in the reservoir, plus the 10 slowest */
    bool bare; /* no histograms in the intervals, no batches, no samples: small and quick */
    bool
        errors; /* target 0, first workload: three read errors in the first second, with their event */
    bool
        import; /* as an importer gives it: no plan, no intervals, no histograms, known percentiles */
    bool steady; /* cells say steady = 1 instead of not tested */
    const struct made_gap *gaps;
    uint32_t n_gaps;
    uint32_t first_cell; /* go on at this cell.no, with attempt 2 (resume) */
};
enum { MADE_NO_RAMP = UINT32_MAX };

#define MADE_STARTED_NS INT64_C(1773480413000000000) /* 2026-03-14T09:26:53Z */

int made_run(const struct made_options *o, struct sink *s, struct error *e);

/* The plan of such a run, and the record of target no, in the arena. */
const struct plan *made_plan(struct arena *a, const struct made_options *o);
struct target_record made_target(struct arena *a, uint32_t no);
