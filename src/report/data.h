#pragma once
#include "base/arena.h"
#include "chart/panel.h"
#include "report/report.h"
#include "report/seconds.h"
#include "stats/compare.h"
#include "store/query.h"

/* What a report knows: the rows of its runs, arranged as point × target, with the statistics every figure, table and finding
 * shares, computed once. Serials and host names are already shortened here (report/privacy.h), so nothing after this can print
 * them. Everything lives in one arena; histograms and series are reduced to numbers while loading and not kept. */

/* A target as a series of the report. Slot = order of its row id in the store, counted over the report's runs, so that it keeps
 * its colour in every chart, also in a filtered report. A name that several runs use gets the run's name behind it. */
struct subject {
    struct series series;
    struct target_row row;
    const struct run_row *run;
    const char *source; /* "fio 3.33" for imports; NULL for our own */
    /* Coefficient of variation between runs (reference/statistics.md §5.2): pooled over the target's cells with at least 3
     * repeats, else COMPARE_ASSUMED_CV. */
    double between_cv, between_nu;
    bool assumed;
    bool buffered; /* at least one cell went through the page cache */
};

enum metric { METRIC_IOPS, METRIC_MB_S, METRIC_LAT_MEAN, METRIC_LAT_P99, METRIC_COUNT };
bool metric_lower_is_better(enum metric m);

/* One metric of a cell over its repetitions. */
struct value {
    double value; /* median over repetitions, percentiles merged; NaN absent; latency in ns */
    struct mean_interval mean;   /* for display: within the run, or over the repeats */
    struct mean_interval within; /* of the first repetition, while there are fewer than 3 */
    struct side side;            /* for comparisons */
    double low, high;            /* interval to draw; NaN none */
    const double *repeats;       /* one value a repetition that is done */
};

enum percentile { P50, P90, P99, P999, P9999, PERCENTILE_COUNT };

/* A point of the matrix on one target. */
struct spot {
    /* Of the first repetition that is done, else of the first; NULL: not in this run. */
    const struct cell_row *cell;
    size_t n_reps, n_wanted;           /* repetitions that are done; that were planned */
    const char *missing;               /* the reason, one clause, if no repetition has a value */
    struct value metric[METRIC_COUNT]; /* direction all */
    /* ns, merged over repetitions; NaN: fewer than 10 I/Os beyond it, or not known. */
    double percentile[PERCENTILE_COUNT];
    double sigma, max;     /* of response times over I/Os, ns; NaN unknown */
    double seconds;        /* measured, all repetitions */
    uint64_t ios, errors;  /* all repetitions */
    double achieved_depth; /* mean over repetitions; NaN unknown */
    bool not_reached, not_steady, buffered;
    /* Of `cell`, also of one that was cut off; NULL until something over time is drawn (report/detail.h), but long ones are
     * kept while loading. */
    const struct seconds *in_time;
    const struct time_range *window; /* the part of `cell` all numbers are about; NULL: all */
    const struct detail *detail;     /* NULL: not loaded */
};

/* A point: the same workload, depth, … on every target. */
struct group_point {
    uint32_t queue_depth, workers;
    size_t workload; /* index into workloads */
    /* "queue depth 4", with further parameters that vary: "queue depth 4, 2 workers". */
    const char *label;
    const char *tick; /* the same on an axis that says that it is the depth: "4", "4, 2 workers" */
    const char *slug; /* "heavy-read-qd4": unique in the report */
    struct spot *spots; /* by subject */
};

/* A workload; each size, read or random value of a sweep is a workload of its own here, so that its points differ in depth. */
struct report_workload {
    const char *slug,
        *title; /* with what tells it from the others of its family: "Reads, 16 KiB, 70 % reads" */
    const char *family;      /* the title without that */
    const char *any_size;    /* the title without its size: what a curve over sizes shows */
    const char *description; /* "90 % reads, 50 % 8 KiB and 50 % 64 KiB, random" */
    const struct workload *workload;
    enum metric headline;             /* IOPS, or MB/s for large sequential I/O */
    const struct group_point *points; /* by queue depth */
    size_t n_points;
    bool depth_axis; /* the points differ in queue depth alone, and there are several */
};

struct report_data {
    const struct run_row *const *runs;
    size_t n_runs;
    const struct subject *subjects; /* by slot */
    size_t n_subjects;
    size_t highlighted; /* index of the device under test */
    const struct report_workload *workloads;
    size_t n_workloads;
    const struct group_point *points; /* of all workloads in order */
    size_t n_points;
    const struct cell_row *cells; /* of all runs, filtered */
    size_t n_cells, n_cells_done;
    const struct result_row *results; /* of these cells, in order */
    size_t n_results;
    const struct event_row *events; /* of the runs and of the subjects shown */
    size_t n_events;
    const struct source_row *sources;
    size_t n_sources;
    const char *data_hash;
    /* Numbers are about a part of the time: "the last 60 seconds", and the options that ask for it; NULL: all of it. */
    const char *window, *window_options;
    /* Every spot with a value has at least 3 repetitions: general words are allowed. */
    bool repeated;
    bool single;     /* no spot has more than one */
    double lat_unit; /* ns of one unit of printed response times */
    /* "ms", or "µs" when the largest mean is under 1 ms (reference/statistics.md §13). */
    const char *lat_unit_name;
};

/* Runs, targets, workloads or depths that do not exist are QD_E_NOTFOUND or QD_E_USAGE and list what there is. */
int report_data_load(struct store *s, struct arena *a, const struct report_options *o,
                     struct report_data *ret, struct error *e);
