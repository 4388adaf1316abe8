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

/* Jobs of one name that ran side by side become one cell: the first, which takes the others in. Percentiles of several cannot be put
 * together. */
struct fio_joined {
    struct import_cell *cell; /* NULL: none yet */
    long line;
    uint64_t shortest; /* ns */
    uint32_t n;
    bool lost; /* percentiles */
};
/* `next` is the newest cell, which is dropped. */
void fio_join(struct collect *c, struct fio_joined *j, struct import_cell *next);
/* Warns of what was lost, and begins anew. */
void fio_join_end(struct collect *c, struct fio_joined *j);

/* From a line such as "NAME: (g=0): rw=randread, bs=(R) 4096B-4096B, …, ioengine=libaio, iodepth=1", which stand before all results:
 * pattern, sizes, engine and depth of the job. */
struct fio_head {
    struct fio_head *next;
    const char *name;
    struct fio_options options;
};
bool fio_head_line(struct arena *a, const char *line, struct fio_head **list);
const struct fio_options *fio_head_find(const struct fio_head *list, const char *name);
/* The version alone on a line ("fio-3.33"), or NULL. */
const char *fio_version_line(struct arena *a, const char *line);
/* Depth that most I/Os were at, of the shares of 1, 2, 4 … 64 and more; 0: unknown. */
uint32_t fio_depth_of_levels(const double shares[7]);
