#pragma once
#include "import/diskspd.h"
#include "import/figure.h"

/* Shared by diskspd*.c: what a timespan was to do and what came of it. Directions: 0 read, 1 write. */

/* Response times and counts of one file in one direction; < 0 or NaN: not known. */
struct diskspd_sum {
    uint64_t ios, bytes;
    double lat_ms; /* sum over I/Os; NaN: unknown of some */
    double sd_ms;  /* of the only part; NaN: unknown or of several */
    double low_ms, high_ms;
    size_t parts;
    struct percentiles percentiles;
};

struct diskspd_target {
    struct diskspd_target *next;
    const char *path;
    uint32_t size, depth, threads; /* 0: not said */
    double write_pct;
    bool random, direct, listed; /* listed: among what was to be done */
    struct diskspd_sum dir[2];
};

struct diskspd_second {
    int64_t end_ms;
    uint64_t ios[2];
    double mean_ms[2], low_ms[2], high_ms[2];
};

struct diskspd_span {
    struct diskspd_span *next;
    long number; /* from 1 */
    double duration_s, warmup_s, seconds;
    uint32_t threads;
    bool any; /* the results of a thread, or of all, were in the file */
    struct diskspd_target *targets;
    struct diskspd_target total; /* of all files */
    ARRAY(struct diskspd_second) iops;
    long line;
};

struct diskspd {
    struct collect *c;
    const char *tool;
    int64_t started_ns;
    struct diskspd_span *spans;
};

struct diskspd_span *diskspd_span_at(struct diskspd *d, long number);
/* That file in the timespan; made if it is not there. */
struct diskspd_target *diskspd_target_at(struct diskspd *d, struct diskspd_span *s,
                                         const char *path);
struct diskspd_target *diskspd_target_new(struct diskspd *d, struct diskspd_span *s,
                                          const char *path);
/* A part (thread) of a direction; mean and sd may be NaN. */
void diskspd_add(struct diskspd_sum *into, const struct diskspd_sum *part);
struct diskspd_sum diskspd_nothing(void);
/* All timespans as cells; frees what they hold. */
void diskspd_finish(struct diskspd *d);
