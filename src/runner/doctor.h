#pragma once
#include "base/array.h"
#include "engine/engine.h"
#include "target/target.h"

/* Is this a machine to measure storage on, and does qdepth measure truly on it? Findings for `qdepth doctor`, in the order they are
 * to be printed. Nothing is stored; what is written is one scratch file that vanishes. */
enum doctor_state {
    DOCTOR_GOOD,
    DOCTOR_NOTE, /* it works, but measures something else, or less well */
    DOCTOR_BAD   /* qdepth cannot measure, or measures wrongly */
};
const char *doctor_state_name(enum doctor_state s); /* "ok", "note", "bad" */

struct doctor_finding {
    enum doctor_state state;
    const char *part; /* "machine", "known answers", "folder" */
    const char *what; /* "io_uring" */
    const char *found;
    const char *advice; /* or NULL */
};

struct doctor {
    struct arena *a;
    ARRAY(struct doctor_finding) list; /* array_free when done */
};
void doctor_put(struct doctor *d, const struct doctor_finding *f);

/* io_uring, locked memory, processors, their frequency, load, clock. */
void doctor_machine(struct doctor *d);

/* Devices made of arithmetic, whose numbers are known exactly. */
int doctor_answers(struct doctor *d, struct error *e);

/* A scratch file in a folder, laid out with data. */
struct doctor_place {
    struct target_info info;
    struct target *target;
    const struct opened_target *opened;
};
int doctor_place_open(struct arena *a, const char *folder, struct doctor_place *ret,
                      struct error *e);
void doctor_place_close(struct doctor_place *p);

/* 4 KiB random reads of it. */
struct doctor_rate {
    double iops, mean_ns, lat_max_ns, achieved_depth;
};
struct doctor_reading {
    uint32_t depth;
    double seconds;
    enum engine_choice engine;
};
int doctor_read(const struct doctor_place *p, const struct doctor_reading *r,
                struct doctor_rate *ret, struct error *e);

/* Direct I/O, Little's law at depths 1 to 32, response time beside a bare loop of pread. */
int doctor_folder(struct doctor *d, const struct doctor_place *p, struct error *e);
