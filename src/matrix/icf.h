#pragma once
#include "base/reader.h"
#include "matrix/convert.h"

/* Shared by icf*.c. Uses base, model and matrix only. */

enum key {
    KEY_NONE,
    KEY_DESCRIPTION,
    KEY_RUN_TIME,
    KEY_RAMP,
    KEY_DISK_WORKERS,
    KEY_WORKER_CYCLING,
    KEY_TARGET_CYCLING,
    KEY_DEPTH_CYCLING,
    KEY_TEST_TYPE,
    KEY_SPEC_NAME,
    KEY_SPEC_LINES,
    KEY_MANAGER,
    KEY_WORKER,
    KEY_WORKER_TYPE,
    KEY_OUTSTANDING,
    KEY_DISK,
    KEY_ASSIGNED,
    KEY_TARGET,
};

struct cycle {
    uint64_t start, end, step;
    bool exponential;
};

struct spec {
    const char *name;
    long line;
    bool by_default; /* ALL or DISK: workers get it unless told otherwise */
    bool used;
    struct access_line lines[PLAN_MAX_LINES];
    uint32_t n_lines;
};

struct name_at {
    const char *name;
    long line;
};

struct icf_worker {
    const char *name, *manager;
    bool network;
    uint64_t depth, sectors, start, pattern;
    bool has_pattern;
    size_t n_targets;
};

struct target_use {
    const char *name;
    uint32_t workers;
};

struct icf {
    struct conversion c;
    struct reader *reader;
    struct error *e;
    enum key key;
    uint64_t run_s, ramp_s, default_workers;
    struct cycle workers, targets, depths;
    const char *test_type;
    ARRAY(struct spec) specs;
    ARRAY(struct icf_worker) all;
    ARRAY(struct name_at) assigned;
    ARRAY(struct target_use) uses;
    const char *manager;
};

/* Makes workloads, sweep and times of what was read. */
int icf_plan(struct icf *x);
