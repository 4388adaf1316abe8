#pragma once
#include "import/figure.h"
#include "import/vdbench.h"

/* Shared by vdbench*.c. */

/* Numbers of a row; NaN: not there or "n/a". */
struct vdbench_row {
    long line;
    double day_s;         /* time of day */
    uint64_t first, last; /* interval, or those of an average */
    bool average;
    double rate, mb, bytes, read_pct;
    double resp, read_resp, write_resp, max, read_max, write_max, sd, read_sd, write_sd;
    double size, threads, asked_read_pct, seek_pct, depth;
};
struct vdbench_row vdbench_row_none(void);

struct vdbench_run {
    struct vdbench_run *next;
    const char *name; /* of the run definition */
    size_t source;
    bool flat, summary; /* where its rows came from */
    int64_t started_ns;
    double elapsed_s;
    ARRAY(struct vdbench_row) rows;
    struct vdbench_row average; /* line 0: none */
    struct wide_bins bins[3];   /* both, reads, writes */
};

/* "12:53:47.274" as seconds of the day; false: it is none. */
bool vdbench_time(const char *text, double *ret);
/* "7", "avg_2-60" into the row; false: neither. */
bool vdbench_interval(const char *text, struct vdbench_row *row);
struct vdbench_run *vdbench_run_new(struct collect *c, const char *name);
/* Into the newest run. */
void vdbench_take(struct vdbench_run *run, const struct vdbench_row *row);
/* The name in "… Starting RD=NAME; …"; NULL: the line is none. Moves *elapsed_s. */
const char *vdbench_starting(struct arena *a, const char *line, double *elapsed_s);
