#pragma once
#include "base/str.h"
#include "matrix/convert.h"

/* Shared by fio_job*.c. Uses base, model and matrix only. */

struct fio_option {
    const char *name, *value; /* value "" where there is none */
    long line;
};

struct fio_section {
    const char *name; /* NULL: none yet */
    long line;
    struct fio_option *at;
    size_t n;
};

struct fio_file {
    struct conversion c;
    struct error *e;
    struct fio_section global;
    size_t n_jobs;
};

/* One job, [global] included, as a workload; what does not map is listed. */
int fio_job_convert(struct fio_file *x, const struct fio_section *job);
