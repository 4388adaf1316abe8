#pragma once
#include "model/record.h"
#include "store/store.h"

/* Reading. All rows and strings live in the arena. Absent numbers are NaN. Order of rows is always stated and never depends
 * on hashing. Absent strings are "", except those marked "or NULL".
 *
 * A run whose process was killed reads as interrupted, and so does the cell it was measuring: its intervals are there, its
 * result only after the next writing open has summed them up. */

struct run_row {
    int64_t id;
    const char *name, *title, *status, *version, *engine_version, *config_hash, *command;
    const char *note;                                                             /* or NULL */
    const char *matrix_name, *matrix_title, *matrix_method, *matrix_xml, *report; /* or NULL */
    bool import;
    int64_t started_ns, finished_ns; /* finished: 0 = did not */
    uint64_t seed;
    uint32_t n_targets, n_cells, n_done;
    const struct fact *host;
    size_t n_host;
};
/* All runs, oldest first. */
int store_runs(struct store *s, struct arena *a, struct run_row **ret, size_t *ret_n,
               struct error *e);
/* By name, number (row id) or "latest" (the newest by row id). QD_E_NOTFOUND otherwise. */
int store_find_run(struct store *s, struct arena *a, const char *run, struct run_row *ret,
                   struct error *e);

struct target_row {
    int64_t id, run; /* id is stable and never reused: colours are given by its order */
    struct target_record record;
};
/* Of one run, by no. */
int store_targets(struct store *s, struct arena *a, int64_t run, struct target_row **ret,
                  size_t *ret_n, struct error *e);

/* What a run left out, in order of its device sheet. */
int store_left_out(struct store *s, struct arena *a, int64_t run, struct left_out **ret,
                   size_t *ret_n, struct error *e);

struct workload_row {
    int64_t id, run;
    struct workload workload;
};
/* Of one run, in order of the plan. */
int store_workloads(struct store *s, struct arena *a, int64_t run, struct workload_row **ret,
                    size_t *ret_n, struct error *e);

/* A cell with what was asked and what became of it. */
struct cell_row {
    int64_t id, run, target, workload; /* row ids */
    struct cell cell;
    uint32_t attempt;
    const char *status, *reason; /* status: cell_status_name; reason or NULL */
    enum engine_used engine;
    bool direct; /* used; as asked while that is not known */
    int64_t started_ns, finished_ns;
    bool rates_only; /* counts and measured_ns are made up to give the rates */
    uint64_t measured_ns, cpu_user_ns, cpu_system_ns, context_switches;
    uint64_t in_flight_at_end, oldest_in_flight_ns, span_bytes, covered_bytes;
    double achieved_depth, worker_busy;
    int steady;
    struct machine_saw seen;
};
/* Latest attempt of every cell of a run, planned ones too, by cell.no. */
int store_cells(struct store *s, struct arena *a, int64_t run, struct cell_row **ret, size_t *ret_n,
                struct error *e);

/* A row of the view `results`. direction DIR_ALL is the view's "all": one for every cell, also for a planned or skipped one
 * (ios 0, numbers NaN). */
struct result_row {
    int64_t cell, run;
    const char *run_name, *target, *workload, *fill, *engine, *status, *source;
    uint32_t queue_depth, workers, rep, round;
    double size, read_pct, random_pct, rate_iops; /* size: share-weighted mean bytes */
    uint64_t span_bytes;
    bool direct;
    enum direction direction;
    uint64_t ios, bytes, errors;
    double seconds, iops, mb_s, lat_mean_ns, lat_stddev_ns, lat_min_ns, lat_p50_ns, lat_p90_ns,
        lat_p95_ns, lat_p99_ns, lat_p999_ns, lat_p9999_ns, lat_max_ns, cpu_user_s, cpu_system_s,
        achieved_depth;
    int steady;
};
/* Rows of a run by cell.no, then direction (read, write, trim, flush, all). */
int store_results(struct store *s, struct arena *a, int64_t run, struct result_row **ret,
                  size_t *ret_n, struct error *e);

/* Histogram of a cell and direction, DIR_ALL merged over the directions; *ret is NULL if there is none. */
int store_hist(struct store *s, struct arena *a, int64_t cell, enum direction d, struct hist **ret,
               struct error *e);

/* The series that statistics work on (reference/statistics.md §4.2): batches while the measured time is under 64 s, else
 * intervals; ramp left out. One element has ios, bytes, response time sum and length. DIR_ALL sums the directions. */
struct series_row {
    double seconds, ios, bytes, lat_sum_ns;
};
int store_series(struct store *s, struct arena *a, int64_t cell, enum direction d,
                 struct series_row **ret, size_t *ret_n, struct error *e);

/* The measured intervals of a cell with all directions summed, by time. Without I/O an interval has lat_n 0. */
struct second_row {
    double start, length; /* s from the start of measuring */
    double ios, bytes, lat_n, lat_sum_ns;
};
int store_seconds(struct store *s, struct arena *a, int64_t cell, struct second_row **ret,
                  size_t *ret_n, struct error *e);

/* Percentiles an import gave without a histogram, by direction (DIR_ALL last), then p. Never merged, never averaged. */
struct percentile_row {
    enum direction direction;
    struct known_percentile known;
};
int store_known_percentiles(struct store *s, struct arena *a, int64_t cell,
                            struct percentile_row **ret, size_t *ret_n, struct error *e);

/* What each access line of a cell did, by line, then direction; hist NULL where there is none. */
int store_line_results(struct store *s, struct arena *a, int64_t cell, struct line_result **ret,
                       size_t *ret_n, struct error *e);

/* Every interval of a cell, ramp too, by t, through a callback that may stop: 1 ends the pass without failure, -1 (with e)
 * fails it. What the callback gets dies with the call. Histograms are decoded only if asked for. */
typedef int interval_fn(void *ctx, const struct interval *i, struct error *e);
int store_intervals(struct store *s, int64_t cell, bool histograms, interval_fn *each, void *ctx,
                    struct error *e);

/* Those that start in [from_ns, to_ns), without histograms. */
struct time_range {
    int64_t from_ns, to_ns;
};
int store_intervals_in(struct store *s, int64_t cell, const struct time_range *range,
                       interval_fn *each, void *ctx, struct error *e);

/* The histograms alone, as blobs for hist_cursor and hist_merge_blob; by t, then direction; the same rules for the callback. */
typedef int interval_histogram_fn(void *ctx, int64_t t_ns, enum direction d, const void *blob,
                                  size_t n, struct error *e);
int store_interval_histograms(struct store *s, int64_t cell, const struct time_range *range,
                              interval_histogram_fn *each, void *ctx, struct error *e);
/* Only those that start exactly at from_ns, from_ns + stride_ns, …, before to_ns: without reading what lies between. */
struct time_steps {
    int64_t from_ns, to_ns, stride_ns; /* stride > 0 */
};
int store_some_histograms(struct store *s, int64_t cell, const struct time_steps *steps,
                          interval_histogram_fn *each, void *ctx, struct error *e);

/* By time. */
int store_samples(struct store *s, struct arena *a, int64_t cell, struct sample **ret,
                  size_t *ret_n, struct error *e);

struct event_row {
    int64_t id, cell, target; /* row ids, 0 = none */
    struct event event;
};
/* Events of a run, by id. */
int store_events(struct store *s, struct arena *a, int64_t run, struct event_row **ret,
                 size_t *ret_n, struct error *e);

/* Files a run was imported from, in order. */
struct source_row {
    struct source_file file;
};
int store_sources(struct store *s, struct arena *a, int64_t run, struct source_row **ret,
                  size_t *ret_n, struct error *e);

/* Row id of the run that holds an imported file with this hash, 0 = none. */
int store_find_source(struct store *s, const char *sha256, int64_t *ret_run, struct error *e);

/* The journal of store_own_file_add, oldest first: scratch files that may still have to be removed. */
struct own_file_row {
    int64_t run; /* row id, 0 = none any more */
    bool in_use; /* by a run that goes on */
    const char *path;
    uint64_t dev, ino;
};
int store_own_files(struct store *s, struct arena *a, struct own_file_row **ret, size_t *ret_n,
                    struct error *e);

/* The journal of store_undo_add, newest first: the order in which it is undone. */
int store_undo_steps(struct store *s, struct arena *a, struct undo_row **ret, size_t *ret_n,
                     struct error *e);

/* The first 12 hex digits of a SHA-256 over everything of a run that a report shows, its name and row ids left out: equal
 * data, equal hash, also in another store. */
int store_data_hash(struct store *s, struct arena *a, int64_t run, const char **ret,
                    struct error *e);
