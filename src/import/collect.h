#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/reader.h"
#include "import/import.h"
#include "import/pattern.h"
#include "model/record.h"

/* What the formats hand in: cells with whatever a file knows of them, warnings and notes. Nothing reaches the sink before every
 * file was read (emit.c), so that --strict can refuse and logs can find the cell they belong to. Everything lives in the arena. */

/* One interval of a cell; histograms are kept encoded. */
struct import_interval {
    struct interval at; /* hist NULL; no batches */
    void *bins[DIR_COUNT];
    size_t n_bins[DIR_COUNT];
};

/* A fact that goes with one cell into the report. */
struct import_note {
    const char *code, *what, *text;
    enum severity severity;
};

struct import_cell {
    const char *target; /* NULL: the file says nothing of it */
    const char *target_path;
    struct import_pattern pattern;
    const char
        *job; /* its name in the file: tells apart cells of one file that are otherwise equal */
    uint32_t queue_depth, workers;
    bool direct;
    uint64_t duration_ns, ramp_ns; /* asked for; 0: not known */
    int64_t started_ns;            /* 0: not known */
    struct cell_result result;     /* its hist pointers are set from these when it is emitted: */
    struct hist *hist[DIR_COUNT];
    size_t source;          /* index of the file */
    const char *log_prefix; /* what the tool calls this job's logs, or NULL */
    ARRAY(struct import_interval) intervals;
    ARRAY(struct import_note) notes;
};

struct import_place {
    struct import_cell *cell;
};

struct import_source {
    struct import_summary *summary;
    const char *path, *name; /* name: last part of the path */
    struct reader *reader;   /* at its start */
    const char *sha256;
    uint32_t no;        /* among the run's sources */
    const char *format; /* how the reader was chosen */
    int64_t started_ns;
    ARRAY(struct import_warning) warnings;
    size_t n_warnings;   /* also those that are not kept */
    const char *said[8]; /* codes of collect_warn_once */
};

struct collect {
    struct arena *a;
    const struct import_options *options;
    ARRAY(struct import_place) cells;
    bool too_many;                   /* cells for one run: some were not kept */
    ARRAY(struct import_note) notes; /* of the run */
    struct import_source *sources;
    size_t n_sources;
    struct import_source *source;    /* the file being read */
    struct log_set *logs;            /* of fio_log.c */
    struct iometer_pending *iometer; /* of iometer_csv.c */
    struct vdbench_run *vdbench;     /* of vdbench.c */
};

void collect_done(struct collect *c); /* frees what is not in the arena */

/* A new cell with nothing known: depth and workers 1, status done, no I/O. */
struct import_cell *collect_cell(struct collect *c);
/* Takes the newest cell back. */
void collect_drop(struct collect *c);
/* Something of the file being read was lost, doubted or replaced. line 0: no line. */
void collect_warn(struct collect *c, long line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of the whole file, once for all with that code (a literal). */
void collect_warn_once(struct collect *c, const char *code, const char *what);
/* The same, about a key of a JSON or XML file. */
void collect_warn_key(struct collect *c, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* What the reader of the report must know; once a code and run. */
void collect_note(struct collect *c, const struct import_note *n);
void collect_cell_note(struct import_cell *cell, const struct import_note *n);

/* IOPS and MB/s the file states against counts and seconds of the cell: over 1 % apart is a warning that names `key`. */
struct import_claim {
    const char *key;
    long line;
    uint64_t counted;              /* I/Os or bytes */
    double seconds, claimed, unit; /* unit: what the last digit of the claim is worth */
    const char *what;              /* "IOPS", "B/s" */
};
void collect_check_claim(struct collect *c, const struct import_claim *claim);

/* A depth or number of workers as a run may have it: 0 is 1, what is over `most` is `most`, with a warning. */
uint32_t collect_limited(struct collect *c, long line, uint32_t v, uint32_t most);

/* The whole of a JSON file, which is read into memory: over 256 MB only with --big. */
int collect_json_text(struct collect *c, char **ret, struct error *e);

/* emit.c: all cells through the sink, as one run. */
int collect_emit(struct collect *c, struct sink *s, struct error *e);
