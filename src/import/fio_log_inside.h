#pragma once
#include "import/figure.h"

/* Shared by fio_log*.c. */

enum log_kind { LOG_LAT, LOG_CLAT, LOG_SLAT, LOG_IOPS, LOG_BW, LOG_HIST, LOG_KINDS };
enum { LOG_DIRS = 3 }; /* read, write, trim: as enum direction */

/* One row of a log that averages: its window ends at t_ms and began dt_ms before. */
struct log_row {
    int64_t t_ms;
    double value;
    uint32_t dt_ms;
    uint8_t direction;
};

/* A second of a log of single I/Os. */
struct log_second {
    int64_t at; /* s */
    uint64_t ios, bytes;
    struct moments lat;
    void *bins;
    size_t n_bins;
};

/* A row of a histogram log: what was counted in the window that ends at t_ms. */
struct log_count {
    int64_t t_ms;
    uint64_t ios, bytes;
    struct moments lat; /* of the middles of its bins */
    void *bins;
    size_t n_bins;
    uint8_t direction;
};

/* One kind of one job's logs, all threads. */
struct log_part {
    bool any, single; /* single: a row is an I/O */
    size_t n_threads;
    ARRAY(struct log_row) rows;
    ARRAY(struct log_second) seconds[LOG_DIRS]; /* by time; only those with I/Os */
    ARRAY(struct log_count) counts;             /* of histogram logs */
    struct wide_bins *coarse[LOG_DIRS];         /* of those whose bins are over 5 % wide: sums */
    double counted_ns;           /* of all histograms\' times, so that sums stay below 2^63 */
    struct hist *hist[LOG_DIRS]; /* of all single I/Os, in the log's own unit */
    uint32_t sizes[LOG_DIRS];    /* of all of them; 0: none yet, UINT32_MAX: they differ */
    int64_t last_ms;
    bool nanoseconds; /* sure of it: five columns or more came with 3.18 */
    size_t source;
};

struct log_set {
    struct log_set *next;
    const char *base; /* what stands before _bw */
    const char *host; /* of client logs, or "" */
    int64_t epoch_ms; /* what the times were moved by, or 0 */
    struct log_part parts[LOG_KINDS];
};

/* What a name says; false if it names no kind. */
struct log_name {
    const char *base, *host;
    enum log_kind kind;
};
/* Adds an encoded histogram to another, which may be NULL. */
int fio_log_add_bins(struct arena *a, void **into, size_t *n_into, const void *bins, size_t n,
                     struct error *e);
/* fio_log_hist.c: the rows of a histogram log. */
int fio_log_read_hist(struct collect *c, struct log_set *set, struct error *e);
/* Could this line be one? */
bool fio_log_hist_line(const char *line);

bool fio_log_name(struct arena *a, const char *name, struct log_name *ret);
