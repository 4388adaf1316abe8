#pragma once
#include "runner/runner.h"

/* Compares what a cell asked of its target with what the machine did meanwhile, and says where they differ: one observer a cell,
 * between the engine and the sink. Events of the cell, sent at its end:
 *
 *   not-from-device, not-to-device  the block device moved less than 98 % of what direct I/O asked: a cache answered
 *   direct-not-honoured             direct writes dirtied the page cache (btrfs with checksums): the result's direct is corrected;
 *                                 not asked of devices, ext4 and xfs, where the device's counters tell it
 *   background-io                   the device moved 2 % and 1 MiB more than the cell: somebody else uses it, or the filesystem writes for itself
 *   kernel-workers                  threads of io_uring (iou-wrk) served requests although none was expected
 *   worker-limit                    the processors that drive the target were busy all the time: they were the limit
 *
 * Device figures need exactly one block device behind the target. They are whole-device figures. Costs a look at /proc/self/task
 * at most each 500 ms, on the collector's thread. */
struct observed {
    const struct runner_target *target;
    const struct opened_target *opened;
    const struct cell *cell;
    const struct workload *workload;
};

struct observer {
    struct sink sink; /* for the engine; passes everything on */
    struct sink *under;
    struct observed of;
    struct device_counts {
        bool known;
        uint64_t read_bytes, written_bytes;
    } device;
    uint64_t dirtied; /* bytes, of the whole machine; UINT64_MAX: not known */
    uint64_t bytes[DIR_COUNT], errors;
    uint64_t look_at; /* ns, when to count threads next */
    uint32_t kernel_workers;
    bool expected_workers; /* the engine has told of them already */
};

/* Just before and just after engine_measure. observe_end completes the result (seen, direct) and sends the events. */
void observe_begin(struct observer *o, const struct observed *of, struct sink *under);
int observe_end(struct observer *o, struct cell_result *r, struct error *e);
