#pragma once
#include "import/figure.h"

/* What all outputs of fio have in common. */

/* A bucket of fio's histogram (stat.c, FIO_IO_U_PLAT_BITS 6): 64 a power of two, inclusive edges. */
struct fio_bin {
    uint64_t low, high, count;
};
/* Bucket number `index`, in fio's unit of time. */
struct fio_bin fio_bin_at(uint32_t index);
enum { FIO_BINS = 29 * 64, FIO_BINS_OLD = 19 * 64 };
/* The bucket json+ names by the value in its middle. */
struct fio_bin fio_bin_of(uint64_t middle);

/* Bins (rising, of ns) into our histogram, each in the middle of its bucket, which is where our two halves of it meet, so that a
 * percentile is the upper edge of fio's bucket. `m` are their moments: n is replaced by the sum of the counts, ends that do not lie in
 * the outer bins become unknown. False if all are empty. */
bool fio_hist_fill(struct hist *h, const struct fio_bin *at, size_t n, const struct moments *m);
/* The same, in the arena; NULL instead of false. */
struct hist *fio_hist(struct arena *a, const struct fio_bin *at, size_t n, const struct moments *m);

/* Options of a job; NULL: not given. */
struct fio_options {
    const char *rw, *bs, *bsrange, *bssplit, *rwmixread, *rwmixwrite, *percentage_random;
    const char *iodepth, *numjobs, *direct, *ioengine, *filename, *directory, *runtime, *ramp_time;
    const char *fsync, *fdatasync, *sync, *log_prefix, *group_reporting;
    uint32_t
        jobs; /* that ran side by side in this result; 0: what numjobs says if they are reported as a group */
    bool any; /* false: the output holds no options at all */
};
/* Size as fio writes it ("4k", "4KiB", "1m", "512"); false if it is none. */
bool fio_size(const char *text, uint64_t *ret);
/* Pattern, depth, workers, target and times of the cell from its options; what they leave open from its I/Os and bytes, which win
 * where they contradict. line: for warnings. False if no cell can be made of it. */
bool fio_describe(struct collect *c, struct import_cell *cell, const struct fio_options *o,
                  long line);

/* "fio 3.33" of "fio-3.33" or "3.33". */
const char *fio_tool(struct arena *a, const char *version);
