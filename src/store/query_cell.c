#include <math.h>
#include <string.h>

#include "store/db.h"
#include "store/query.h"
#include "store/result.h"
#include "store/rows.h"

NAMED(enum fill_kind, fill_kind_name, FILL_DUPLICATE)
NAMED(enum engine_used, engine_used_name, USED_SYNC)
NAMED(enum severity, severity_name, EVENT_ERROR)
NAMED(enum direction, direction_name, DIR_ALL)

static struct fill col_fill(const struct query *q, int i)
{
    struct fill f = { .kind = fill_kind_name_at(q, i, FILL_RANDOM),
                      .percent = (uint32_t)col_u64(q, i + 1) };
    size_t n;
    const void *pattern = col_blob(q, i + 2, &n);
    if (pattern && n <= sizeof f.pattern) {
        memcpy(f.pattern, pattern, n);
        f.pattern_bytes = (uint32_t)n;
    }
    return f;
}

static struct rate col_rate(const struct query *q, int i)
{
    struct rate r = { .value = sqlite3_column_double(q->stmt, i + 1),
                      .poisson = col_int(q, i + 2) };
    const char *kind = (const char *)sqlite3_column_text(q->stmt, i);
    if (kind && !strcmp(kind, "iops"))
        r.kind = RATE_IOPS;
    else if (kind && !strcmp(kind, "percent"))
        r.kind = RATE_PERCENT_OF_MAX;
    else if (kind && !strcmp(kind, "recorded"))
        r.kind = RATE_RECORDED;
    return r;
}

/* Columns 4 to 24: what was asked. */
static struct cell col_cell(const struct query *q)
{
    return (struct cell) {
        .no = (uint32_t)col_u64(q, 4),
        .point = (uint32_t)col_u64(q, 5),
        .target = (uint32_t)col_u64(q, 6),
        .workload = (uint32_t)col_u64(q, 7),
        .queue_depth = (uint32_t)col_u64(q, 8),
        .workers = (uint32_t)col_u64(q, 9),
        .rep = (uint32_t)col_u64(q, 10),
        .round = (uint32_t)col_u64(q, 11),
        .duration_ns = col_u64(q, 12),
        .ramp_ns = col_u64(q, 13),
        .interval_ns = col_u64(q, 14),
        .span_bytes = col_u64(q, 15),
        .span_bp = (uint32_t)col_u64(q, 16),
        .span_offset = col_u64(q, 17),
        .fill = col_fill(q, 18),
        .rate = col_rate(q, 21),
        .direct = col_int(q, 24),
        .seed = col_seed(q, 25),
    };
}

static struct cell_row read_cell(struct arena *a, const struct query *q, int64_t run, bool dead)
{
    struct cell_row c = {
        .id = col_int(q, 0),
        .run = run,
        .target = col_int(q, 1),
        .workload = col_int(q, 2),
        .attempt = (uint32_t)col_u64(q, 3),
        .cell = col_cell(q),
        .status = col_word(a, q, 26),
        .reason = col_text(a, q, 27),
        .engine = engine_used_name_at(q, 28, USED_NONE),
        .direct = col_int(q, 29),
        .started_ns = col_int(q, 30),
        .finished_ns = col_int(q, 31),
        .measured_ns = col_u64(q, 32),
        .cpu_user_ns = col_u64(q, 33),
        .cpu_system_ns = col_u64(q, 34),
        .context_switches = col_u64(q, 35),
        .achieved_depth = col_real(q, 36),
        .worker_busy = col_real(q, 37),
        .in_flight_at_end = col_u64(q, 38),
        .oldest_in_flight_ns = col_u64(q, 39),
        .span_bytes = col_u64(q, 40),
        .covered_bytes = col_u64(q, 41),
        .steady = col_null(q, 42) ? -1 : (int)col_int(q, 42),
        .rates_only = col_int(q, 46) != 0,
        .seen = { .device = !col_null(q, 43),
                  .threads = !col_null(q, 45),
                  .device_read_bytes = col_u64(q, 43),
                  .device_written_bytes = col_u64(q, 44),
                  .kernel_workers = (uint32_t)col_u64(q, 45) },
    };
    if (dead && !strcmp(c.status, "running")) {
        c.status = cell_status_name(CELL_INTERRUPTED);
        c.reason = "the program ended while it was measured";
    }
    return c;
}

int store_cells(struct store *s, struct arena *a, int64_t run, struct cell_row **ret, size_t *ret_n,
                struct error *e)
{
    ROWS(struct cell_row) rows = { 0 };
    int dead = run_is_dead(s, run, e);
    QUERY q = { 0 };
    if (dead < 0 || db_query(s, ST_CELLS, &q, e, v_int(run)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = read_cell(a, &q, run, dead);
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

static struct result_row read_result(struct arena *a, const struct query *q)
{
    return (struct result_row) {
        .cell = col_int(q, 0),
        .run = col_int(q, 1),
        .run_name = col_word(a, q, 2),
        .target = col_word(a, q, 3),
        .workload = col_word(a, q, 4),
        .queue_depth = (uint32_t)col_u64(q, 5),
        .workers = (uint32_t)col_u64(q, 6),
        .size = col_real(q, 7),
        .read_pct = col_real(q, 8),
        .random_pct = col_real(q, 9),
        .fill = col_word(a, q, 10),
        .span_bytes = col_u64(q, 11),
        .rate_iops = col_real(q, 12),
        .rep = (uint32_t)col_u64(q, 13),
        .round = (uint32_t)col_u64(q, 14),
        .engine = col_word(a, q, 15),
        .direct = col_int(q, 16),
        .status = col_word(a, q, 17),
        .direction = direction_name_at(q, 18, DIR_ALL),
        .ios = col_u64(q, 19),
        .bytes = col_u64(q, 20),
        .seconds = col_real(q, 21),
        .iops = col_real(q, 22),
        .mb_s = col_real(q, 23),
        .lat_mean_ns = col_real(q, 24),
        .lat_stddev_ns = col_real(q, 25),
        .lat_min_ns = col_real(q, 26),
        .lat_p50_ns = col_real(q, 27),
        .lat_p90_ns = col_real(q, 28),
        .lat_p95_ns = col_real(q, 29),
        .lat_p99_ns = col_real(q, 30),
        .lat_p999_ns = col_real(q, 31),
        .lat_p9999_ns = col_real(q, 32),
        .lat_max_ns = col_real(q, 33),
        .errors = col_u64(q, 34),
        .cpu_user_s = col_real(q, 35),
        .cpu_system_s = col_real(q, 36),
        .achieved_depth = col_real(q, 37),
        .steady = col_null(q, 38) ? -1 : (int)col_int(q, 38),
        .source = col_word(a, q, 39),
    };
}

int store_results(struct store *s, struct arena *a, int64_t run, struct result_row **ret,
                  size_t *ret_n, struct error *e)
{
    ROWS(struct result_row) rows = { 0 };
    int dead = run_is_dead(s, run, e);
    QUERY q = { 0 };
    if (dead < 0 || db_query(s, ST_RESULTS, &q, e, v_int(run)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        struct result_row *r = rows_push(a, &rows);
        *r = read_result(a, &q);
        if (dead && !strcmp(r->status, "running"))
            r->status = cell_status_name(CELL_INTERRUPTED);
    }
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

/* Of one direction, or merged over those that had I/O: then all of them must have one. */
int store_hist(struct store *s, struct arena *a, int64_t cell, enum direction d, struct hist **ret,
               struct error *e)
{
    QUERY q;
    *ret = NULL;
    if (db_query(s, ST_HISTOGRAMS, &q, e, v_int(cell), d == DIR_ALL ? v_null() : v_int(d)))
        return -1;
    struct hist *sum = NULL, *one = arena_one(a, struct hist);
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        int has = col_hist(&q, 0, one, e);
        if (has <= 0)
            return has;
        if (!sum) {
            sum = one;
            one = arena_one(a, struct hist);
        } else {
            hist_merge(sum, one);
        }
    }
    if (!rc)
        *ret = sum;
    return rc;
}

int store_known_percentiles(struct store *s, struct arena *a, int64_t cell,
                            struct percentile_row **ret, size_t *ret_n, struct error *e)
{
    ROWS(struct percentile_row) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_PERCENTILES, &q, e, v_int(cell)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        int d = col_int(&q, 0) == DIR_ALL ? DIR_ALL : col_direction(&q, 0, e);
        if (d < 0)
            return -1;
        *rows_push(a, &rows) = (struct percentile_row) {
            .direction = (enum direction)d,
            .known = { .p = { col_u64(&q, 1), col_u64(&q, 2) },
                       .low_ns = col_real(&q, 3),
                       .high_ns = col_real(&q, 4),
                       .origin = col_word(a, &q, 5) },
        };
    }
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_line_results(struct store *s, struct arena *a, int64_t cell, struct line_result **ret,
                       size_t *ret_n, struct error *e)
{
    ROWS(struct line_result) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_LINE_RESULTS, &q, e, v_int(cell)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        struct line_result *l = rows_push(a, &rows);
        struct hist *h = arena_one(a, struct hist);
        int d = col_direction(&q, 1, e), has = d < 0 ? -1 : col_hist(&q, 4, h, e);
        if (has < 0)
            return -1;
        *l = (struct line_result) { .line = (uint32_t)col_u64(&q, 0),
                                    .direction = (enum direction)d,
                                    .ios = col_u64(&q, 2),
                                    .bytes = col_u64(&q, 3),
                                    .hist = has ? h : NULL };
    }
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_samples(struct store *s, struct arena *a, int64_t cell, struct sample **ret,
                  size_t *ret_n, struct error *e)
{
    ROWS(struct sample) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_SAMPLES, &q, e, v_int(cell)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        int d = col_direction(&q, 4, e);
        if (d < 0)
            return -1;
        *rows_push(a, &rows) = (struct sample) {
            .t_ns = col_int(&q, 0),
            .offset = col_u64(&q, 1),
            .lat_ns = col_u64(&q, 2),
            .size = (uint32_t)col_u64(&q, 3),
            .direction = (enum direction)d,
            .slow = col_int(&q, 5),
        };
    }
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_events(struct store *s, struct arena *a, int64_t run, struct event_row **ret,
                 size_t *ret_n, struct error *e)
{
    ROWS(struct event_row) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_EVENTS, &q, e, v_int(run)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = (struct event_row) {
            .id = col_int(&q, 0),
            .cell = col_int(&q, 1),
            .target = col_int(&q, 2),
            .event = {
                .code = col_word(a, &q, 3),
                .severity = severity_name_at(&q, 4, EVENT_NOTE),
                .cell = col_null(&q, 5) ? -1 : (int32_t)col_int(&q, 5),
                .target = col_null(&q, 6) ? -1 : (int32_t)col_int(&q, 6),
                .t_ns = col_int(&q, 7),
                .what = col_word(a, &q, 8),
                .text = col_text(a, &q, 9),
                .sys = (int)col_int(&q, 10),
                .offset = col_u64(&q, 11),
                .count = col_u64(&q, 12),
            },
        };
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}
