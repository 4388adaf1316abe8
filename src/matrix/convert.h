#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "matrix/matrix.h"
#include "model/plan.h"

/* Another program's configuration as a matrix: icf.c and fio_job.c read it into this, convert_finish() writes it as matrix XML and
 * reads that like any other. The XML is what a run stores. What this version or the format cannot do is listed, never dropped in
 * silence. Everything lives in the arena. Uses base, model and matrix only. */
struct conversion_work {
    const char *id, *title; /* id is made when it is finished */
    const char *kept;       /* the line that says where it comes from */
    struct access_line lines[PLAN_MAX_LINES];
    uint32_t n_lines;
    uint32_t queue_depth, workers; /* 0: the default or the sweep */
    uint64_t duration_ns, ramp_ns; /* 0: the default; */
    bool has_ramp;
    int direct;                       /* 1, 0, -1: the default */
    const char *fill;                 /* NULL: the default */
    const char *rate;                 /* "5000", or NULL */
    const char *distribution;         /* of all lines, as the XML has it, or NULL */
    const char *sync;                 /* the same */
    uint64_t span_bytes, span_offset; /* 0: all of the target */
};

struct conversion {
    struct arena *a;
    const char *file;   /* as given */
    const char *source; /* "Iometer configuration" */
    const char *title;  /* NULL: the file's name */
    uint64_t seed;      /* 0: the default */
    uint64_t duration_ns, ramp_ns;
    ARRAY(struct conversion_work) works;
    ARRAY(uint32_t) depths; /* of the sweep, rising */
    ARRAY(uint32_t) workers;
    ARRAY(const char *) left_out;
};
void conversion_done(struct conversion *c);

/* One thing that is not carried over; line 0: none. */
void conversion_leave(struct conversion *c, long line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Leaves out what a matrix cannot hold or this version refuses, and names workloads. */
int conversion_finish(struct conversion *c, struct matrix **ret, struct error *e);

/* icf.c, fio_job.c: a file of that kind. QD_E_FORMAT at FILE:LINE if it is broken. */
int icf_load(struct arena *a, const char *path, struct matrix **ret, struct error *e);
int fio_job_load(struct arena *a, const char *path, struct matrix **ret, struct error *e);
