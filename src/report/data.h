#pragma once
#include "base/arena.h"
#include "chart/panel.h"
#include "model/hist.h"
#include "report/report.h"
#include "stats/compare.h"
#include "store/query.h"

/* What a report knows: the rows of its runs, arranged as point × target, with the statistics every figure, table and finding
 * shares, computed once. */

/* A target as a series of the report. Slot = order of its row id in the store, counted over the report's runs, so that it keeps its colour
 * in every chart, also in a filtered report. */
struct subject {
    struct series series;
    struct target_row row;
    bool imported;
    const char *source; /* "fio 3.33" for imports; NULL for our own */
};

/* One metric of a cell over its repetitions. */
enum metric { METRIC_IOPS, METRIC_MB_S, METRIC_LAT_MEAN, METRIC_LAT_P99, METRIC_COUNT };
bool metric_lower_is_better(enum metric m);

struct value {
    double value;              /* median over repetitions, NaN absent; latency in ns */
    struct mean_interval mean; /* within the run or over repeats */
    struct side side;          /* for comparisons */
    double low, high;          /* interval to draw; NaN none */
};

/* A point of the matrix on one target. */
struct spot {
    const struct cell_row *cell;       /* first repetition; NULL: not in this run */
    size_t n_reps;                     /* repetitions that are done */
    const char *missing;               /* reason if no repetition has a value */
    struct value metric[METRIC_COUNT]; /* direction all */
    const struct hist *hist;           /* merged over repetitions and directions; NULL none */
    uint64_t errors;
    double achieved_depth;
    bool not_reached, not_steady, interrupted;
};

/* A point: the same workload, depth, … on every target. */
struct group_point {
    uint32_t point, queue_depth;
    size_t workload; /* index into workloads */
    const char
        *label; /* "queue depth 4", with further parameters that vary: "queue depth 4, 2 workers" */
    struct spot *spots; /* by subject */
};

struct report_workload {
    const char *id, *title;
    const char *description; /* "50 % 8 KiB and 50 % 64 KiB, 90 % reads, random" */
    const struct workload *workload;
    const struct group_point *const *points; /* by queue depth */
    size_t n_points;
};

struct report_data {
    const struct run_row *runs;
    size_t n_runs;
    const struct subject *subjects; /* by slot */
    size_t n_subjects;
    size_t highlighted; /* index of the device under test */
    const struct report_workload *workloads;
    size_t n_workloads;
    const struct group_point *points;
    size_t n_points;
    const struct cell_row *cells; /* of all runs */
    size_t n_cells, n_cells_done;
    const struct result_row *results; /* of all runs, in order */
    size_t n_results;
    const struct event_row *events;
    size_t n_events;
    double between_cv, between_cv_nu; /* assumed 5 % unless measured */
    bool between_cv_assumed;
    const char *data_hash;
};

int report_data_load(struct store *s, struct arena *a, const struct report_options *o,
                     struct report_data *ret, struct error *e);
