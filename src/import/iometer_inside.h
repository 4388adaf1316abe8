#pragma once
#include "import/collect.h"

/* Shared by iometer*.c. */

enum iometer_column {
    COL_TYPE,
    COL_NAME,
    COL_SPEC,
    COL_MANAGERS,
    COL_WORKERS,
    COL_IOPS,
    COL_MIB,
    COL_MB,
    COL_LAT, /* ms, as all of them */
    COL_LAT_READ,
    COL_LAT_WRITE,
    COL_MAX,
    COL_MAX_READ,
    COL_MAX_WRITE,
    COL_ERRORS_READ,
    COL_ERRORS_WRITE,
    COL_BYTES_READ,
    COL_BYTES_WRITTEN,
    COL_IOS_READ,
    COL_IOS_WRITTEN,
    COL_RUN_TIME, /* ticks of COL_SPEED, which is in Hz */
    COL_DEPTH,
    COL_SPEED,
    COL_RAW_READ, /* sums over I/Os, ticks */
    COL_RAW_WRITE,
    COL_SECTORS,
    COL_STAMP,
    COL_COUNT
};
enum { IOMETER_FIELDS = 160, IOMETER_BINS = 32, IOMETER_UNKNOWN = IOMETER_FIELDS };

/* A column that counts response times in [low, high) ns. */
struct iometer_bin {
    size_t column;
    double low, high;
};

struct iometer_heading {
    char separator;
    size_t n;             /* columns */
    size_t at[COL_COUNT]; /* IOMETER_UNKNOWN: there is no such column */
    struct iometer_bin bins[IOMETER_BINS];
    size_t n_bins;
};

/* Numbers of a row, or of rows added. Directions: 0 read, 1 write. */
struct iometer_sum {
    long line;
    uint64_t ios[2], bytes[2], errors[2];
    double lat_ms[2]; /* sum over I/Os */
    double max_ms[2];
    bool timed[2];
    double iops, mib, mb; /* as printed; < 0: not there */
    double run_s;
    uint64_t bins[IOMETER_BINS];
    uint32_t depth, workers;
    uint64_t span_bytes; /* 0: not known */
    bool counted;        /* I/Os and bytes are in the row */
};

/* An access specification of the file. */
struct iometer_spec {
    struct iometer_spec *next;
    const char *name;
    struct import_pattern pattern; /* n_lines 0: none yet */
};

/* A target under one specification in one test. */
struct iometer_part {
    struct iometer_part *next;
    const char *target; /* NULL: the rows do not say */
    const char *spec;
    struct iometer_sum sum;
    int64_t first_stamp_ns, last_stamp_ns; /* of the instantaneous file */
    ARRAY(struct import_interval) intervals;
};

/* A cell of an instantaneous file that waits for the results. */
struct iometer_pending {
    struct iometer_pending *next;
    struct import_cell cell;
};

/* iometer_row.c */

/* The columns of a heading line, which is cut up; false: it is none. */
bool iometer_heading(char *line, struct iometer_heading *ret);
/* A text field, or "". */
const char *iometer_field(const struct iometer_heading *h, char *const *fields, size_t n,
                          enum iometer_column c);
/* The numbers of a row; false if it is cut off. */
bool iometer_row(const struct iometer_heading *h, char *const *fields, size_t n,
                 struct iometer_sum *ret);
void iometer_add(struct iometer_sum *into, const struct iometer_sum *row);
/* "2019-09-07 16:40:53:778" as UTC; false: no time. */
bool iometer_time(const char *text, int64_t *ret_ns);

/* iometer_cell.c */

/* A row of the instantaneous file into the part's intervals. */
void iometer_interval(struct collect *c, struct iometer_part *p, const struct iometer_sum *row,
                      int64_t stamp_ns);
/* The part as a cell: to the collection, or to those that wait if it has intervals, which are taken. */
void iometer_cell(struct collect *c, const struct iometer_heading *h, struct iometer_part *p,
                  const struct iometer_spec *spec, int64_t started_ns);
