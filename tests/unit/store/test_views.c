/* The views, as an outside tool sees them: every documented column exists, and the numbers are those of the records. */
#include <sqlite3.h>
#include <stdlib.h>

#include "base/array.h"
#include "help.h"

static const uint32_t depths[] = { 1, 8 };

struct outside {
    sqlite3 *db;
    sqlite3_stmt *q;
};

static struct outside outside(const char *path)
{
    struct outside o = { 0 };
    assert_int_equal(sqlite3_open_v2(path, &o.db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    return o;
}

static void ask(struct outside *o, const char *sql)
{
    sqlite3_finalize(o->q);
    if (sqlite3_prepare_v2(o->db, sql, -1, &o->q, NULL))
        fail_msg("%s: %s", sql, sqlite3_errmsg(o->db));
}

static bool row(struct outside *o)
{
    int rc = sqlite3_step(o->q);
    assert_true(rc == SQLITE_ROW || rc == SQLITE_DONE);
    return rc == SQLITE_ROW;
}

static double real(const struct outside *o, int i)
{
    return sqlite3_column_type(o->q, i) == SQLITE_NULL ? (double)NAN
                                                       : sqlite3_column_double(o->q, i);
}

/* The only row's first column. */
static double one(struct outside *o, const char *sql)
{
    ask(o, sql);
    assert_true(row(o));
    double v = real(o, 0);
    assert_false(row(o));
    return v;
}

static void done(struct outside *o)
{
    sqlite3_finalize(o->q);
    sqlite3_close(o->db);
}

static bool has_column(struct outside *o, const char *view, const char *column)
{
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT 1 FROM pragma_table_info('%s') WHERE name = ?1", view);
    ask(o, sql);
    sqlite3_bind_text(o->q, 1, column, -1, SQLITE_TRANSIENT);
    return row(o);
}

/* docs/store.md: "### view", then a table "| column | meaning |". */
static void every_documented_column_exists(void **state)
{
    (void)state;
    struct made_options o = { .n_targets = 1, .queue_depths = depths, .n_queue_depths = 1 };
    struct outside out = outside(make_store("documented", &o));
    struct arena *a = arena_new();
    struct error e;
    char *text, *save = NULL, view[64] = "";
    size_t n, n_columns = 0, n_views = 0;
    must(file_read(a, TEST_DATA "/../../docs/store.md", 1 << 20, &text, &n, &e), &e);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char column[64];
        if (sscanf(line, "### %63s", view) == 1) {
            n_views++;
            continue;
        }
        if (!strncmp(line, "## ", 3))
            *view = '\0';
        if (!*view || sscanf(line, "| %63[a-z0-9_] |", column) != 1 || !strcmp(column, "column"))
            continue;
        if (!has_column(&out, view, column))
            fail_msg("view %s has no column %s", view, column);
        n_columns++;
    }
    assert_int_equal(n_views, 5);
    assert_int_equal((int)n_columns,
                     (int)one(&out, "SELECT count(*) FROM sqlite_schema s,"
                                    " pragma_table_info(s.name) WHERE s.type = 'view'"));
    arena_free(a);
    done(&out);
}

/* design.md §4 names these. */
static void every_promised_column_exists(void **state)
{
    (void)state;
    static const struct {
        const char *view, *columns;
    } promised[] = {
        { "results",
          "cell run target workload queue_depth workers size read_pct random_pct fill span_bytes "
          "rate_iops rep round engine direct status direction ios bytes seconds iops mb_s "
          "lat_mean_ns lat_stddev_ns lat_min_ns lat_p50_ns lat_p90_ns lat_p95_ns lat_p99_ns "
          "lat_p999_ns lat_p9999_ns lat_max_ns errors cpu_user_s cpu_system_s achieved_depth "
          "steady source" },
        { "intervals", "cell run target workload queue_depth rep t_s direction ios bytes "
                       "lat_mean_ns lat_min_ns lat_max_ns errors" },
        { "consistency", "cell mean sd_of_seconds variance" },
        { "summary", "n iops mb_s lat_mean_ns lat_p99_ns" },
    };
    struct made_options o = { .n_targets = 1, .queue_depths = depths, .n_queue_depths = 1 };
    struct outside out = outside(make_store("promised", &o));
    for (size_t i = 0; i < countof(promised); i++) {
        const char *at = promised[i].columns;
        char column[64];
        for (int used; sscanf(at, "%63s%n", column, &used) == 1; at += used)
            if (!has_column(&out, promised[i].view, column))
                fail_msg("view %s has no column %s", promised[i].view, column);
    }
    done(&out);
}

static void results_follow_from_intervals(void **state)
{
    (void)state;
    struct made_options o = {
        .n_targets = 2, .n_workloads = 4, .queue_depths = depths, .n_queue_depths = 2, .seconds = 3
    };
    struct outside out = outside(make_store("sums", &o));
    assert_close(one(&out, "SELECT count(*) FROM results"), 2 * 2 * (3 + 3 + 2 + 3), 0);
    assert_close(one(&out,
                     "SELECT count(*) FROM results r JOIN (SELECT cell, direction, sum(ios) AS ios,"
                     " sum(bytes) AS bytes, sum(errors) AS errors, sum(seconds) AS seconds,"
                     " sum(lat_sum_ns) AS lat, min(lat_min_ns) AS low, sum(lat_n) AS n"
                     " FROM intervals GROUP BY cell, direction) i USING (cell, direction)"
                     " WHERE r.ios = i.ios AND r.bytes = i.bytes AND r.errors = i.errors"
                     " AND r.seconds = i.seconds AND r.lat_mean_ns = CAST(i.lat AS REAL) / i.n"
                     " AND r.lat_min_ns = i.low AND r.iops = r.ios / r.seconds"
                     " AND abs(r.mb_s - r.bytes / 1e6 / r.seconds) <= 1e-12 * r.mb_s"),
                 2 * 2 * (3 + 3 + 2 + 3), 0);
    assert_close(one(&out, "SELECT min(t_s) FROM intervals"), 0, 0);
    assert_close(one(&out, "SELECT max(t_s) FROM intervals"), 2, 0);
    assert_close(one(&out, "SELECT min(t_ns) FROM interval"), -1e9, 0);
    /* all is the sum */
    assert_close(one(&out, "SELECT sum(ios) FILTER (WHERE direction = 'all') -"
                           " sum(ios) FILTER (WHERE direction <> 'all') FROM intervals"),
                 0, 0);
    /* IOPS × mean response time = depth */
    assert_close(one(&out, "SELECT max(abs(iops * lat_mean_ns / 1e9 / queue_depth - 1))"
                           " FROM results WHERE direction = 'all' AND target = 'Alpha SSD'") < 0.03,
                 1, 0);
    done(&out);
}

/* What a C program computes from the same seconds with two passes. */
static void consistency_is_of_the_seconds(void **state)
{
    (void)state;
    struct made_options o = { .n_targets = 1,
                              .n_workloads = 1,
                              .queue_depths = depths,
                              .n_queue_depths = 1,
                              .seconds = 70,
                              .stall_every = 10,
                              .slower = 40,
                              .bare = true };
    struct outside out = outside(make_store("even", &o));
    static const char *const directions[] = { "read", "write", "all" };
    for (size_t k = 0; k < countof(directions); k++) {
        char sql[200];
        double lat[70], iops[70], lat_sum = 0, iops_sum = 0, lat_sq = 0, iops_sq = 0;
        double sum = 0, n_ios = 0;
        int n = 0, seconds = 0, below = 0;
        snprintf(sql, sizeof sql,
                 "SELECT lat_mean_ns, ios / seconds, lat_sum_ns, ios FROM intervals"
                 " WHERE direction = '%s' ORDER BY t_s",
                 directions[k]);
        for (ask(&out, sql); row(&out); seconds++) {
            iops[seconds] = real(&out, 1);
            iops_sum += iops[seconds];
            sum += isnan(real(&out, 2)) ? 0 : real(&out, 2);
            n_ios += real(&out, 3);
            if (isnan(real(&out, 0)))
                continue;
            lat[n] = real(&out, 0);
            below += lat[n] < 10e6;
            lat_sum += lat[n++];
        }
        assert_int_equal(seconds, 70);
        assert_int_equal(n, 63); /* a stalled second has no response time */
        for (int i = 0; i < n; i++)
            lat_sq += (lat[i] - lat_sum / n) * (lat[i] - lat_sum / n);
        for (int i = 0; i < seconds; i++)
            iops_sq += (iops[i] - iops_sum / seconds) * (iops[i] - iops_sum / seconds);
        snprintf(sql, sizeof sql,
                 "SELECT n, n_empty, mean, sd_of_seconds, variance, iops, iops_sd_of_seconds,"
                 " iops_variance, below_10ms, below_100us FROM consistency WHERE direction = '%s'",
                 directions[k]);
        ask(&out, sql);
        assert_true(row(&out));
        assert_close(real(&out, 0), n, 0);
        assert_close(real(&out, 1), 7, 0);
        assert_close(real(&out, 2), sum / n_ios, 1e-15);
        assert_close(real(&out, 3), sqrt(lat_sq / (n - 1)), 1e-9);
        assert_close(real(&out, 4), lat_sq / (n - 1), 1e-9);
        assert_close(real(&out, 5), n_ios / seconds, 1e-12);
        assert_close(real(&out, 6), sqrt(iops_sq / (seconds - 1)), 1e-9);
        assert_close(real(&out, 7), iops_sq / (seconds - 1), 1e-9);
        assert_close(real(&out, 8), (double)below / n, 0);
        assert_close(real(&out, 9), 0, 0);
        assert_true(below > 0 && below < n);
    }
    done(&out);
}

static int order(const void *x, const void *y)
{
    double d = *(const double *)x - *(const double *)y;
    return d < 0 ? -1 : d > 0;
}

/* n = 1 .. 4 repetitions: the median, and percentiles of the merged histogram. */
static void summary_is_of_the_repetitions(void **state)
{
    (void)state;
    for (uint32_t reps = 1; reps <= 4; reps++) {
        struct made_options o = { .n_targets = 2,
                                  .n_workloads = 1,
                                  .queue_depths = depths,
                                  .n_queue_depths = 2,
                                  .repeat = reps,
                                  .seconds = 1 };
        const char *path = make_store("summary", &o);
        struct outside out = outside(path);
        struct store *s = open_store(path, STORE_READ);
        struct arena *a = arena_new();
        struct error e;
        struct cell_row *c;
        size_t n;
        must(store_cells(s, a, 1, &c, &n, &e), &e);
        assert_close(one(&out, "SELECT count(*) FROM summary"), 2 * 2 * 3, 0);
        assert_close(one(&out, "SELECT min(n) FROM summary"), reps, 0);
        double iops[4];
        struct hist *sum = arena_one(a, struct hist), *h;
        hist_clear(sum);
        for (size_t i = 0, k = 0; i < n; i++) {
            if (c[i].cell.target != 1 || c[i].cell.point != 1)
                continue;
            must(store_hist(s, a, c[i].id, DIR_ALL, &h, &e), &e);
            hist_merge(sum, h);
            iops[k++] = (double)h->m.n;
        }
        qsort(iops, reps, sizeof *iops, order);
        ask(&out, "SELECT iops, ios, lat_p50_ns, lat_p99_ns, lat_stddev_ns, lat_min_ns"
                  " FROM summary WHERE target = 'Beta SSD' AND point = 1 AND direction = 'all'");
        assert_true(row(&out));
        assert_close(real(&out, 0), (iops[(reps - 1) / 2] + iops[reps / 2]) / 2, 1e-15);
        assert_close(real(&out, 1), (double)sum->m.n, 0);
        assert_close(real(&out, 2), (double)hist_percentile(sum, (struct fraction) { 1, 2 }), 0);
        assert_close(real(&out, 3), (double)hist_percentile(sum, (struct fraction) { 99, 100 }), 0);
        assert_close(real(&out, 4), moments_deviation(&sum->m), 0);
        assert_close(real(&out, 5), (double)sum->m.min, 0);
        arena_free(a);
        store_close(s);
        done(&out);
    }
}

/* Only what is done counts; a broken repetition does not move the median. */
static void summary_leaves_broken_repetitions_out(void **state)
{
    (void)state;
    static const struct made_gap gap = { 0, -1, -1, 2, CELL_INTERRUPTED, NULL };
    struct made_options o = { .n_targets = 1,
                              .n_workloads = 1,
                              .queue_depths = depths,
                              .n_queue_depths = 1,
                              .repeat = 3,
                              .gaps = &gap,
                              .n_gaps = 1 };
    struct outside out = outside(make_store("summary-broken", &o));
    assert_close(one(&out, "SELECT n FROM summary WHERE direction = 'all'"), 2, 0);
    assert_close(one(&out, "SELECT ios FROM summary WHERE direction = 'all'"),
                 one(&out, "SELECT sum(ios) FROM results WHERE direction = 'all'"
                           " AND status = 'done'"),
                 0);
    assert_close(one(&out, "SELECT count(*) FROM results WHERE direction = 'all'"), 3, 0);
    done(&out);
}

/* Percentiles need 10 I/Os beyond them (reference/statistics.md §2). */
static void percentiles_need_samples(void **state)
{
    (void)state;
    struct made_options o = { .n_targets = 1,
                              .n_workloads = 1,
                              .queue_depths = depths,
                              .n_queue_depths = 1,
                              .seconds = 1,
                              .slower = 20 };
    struct outside out = outside(make_store("printable", &o));
    double n = one(&out, "SELECT ios FROM results WHERE direction = 'all'");
    assert_true(n > 200 && n < 1000);
    assert_false(isnan(one(&out, "SELECT lat_p95_ns FROM results WHERE direction = 'all'")));
    assert_nan(one(&out, "SELECT lat_p99_ns FROM results WHERE direction = 'all'"));
    assert_nan(one(&out, "SELECT lat_p9999_ns FROM results WHERE direction = 'all'"));
    assert_false(isnan(one(&out, "SELECT lat_max_ns FROM results WHERE direction = 'all'")));
    done(&out);
}

static void the_file_is_sound(void **state)
{
    (void)state;
    struct made_options o = { .n_targets = 2,
                              .n_workloads = 4,
                              .queue_depths = depths,
                              .n_queue_depths = 2,
                              .repeat = 2,
                              .errors = true };
    struct outside out = outside(make_store("sound", &o));
    ask(&out, "PRAGMA integrity_check");
    assert_true(row(&out));
    assert_string_equal((const char *)sqlite3_column_text(out.q, 0), "ok");
    ask(&out, "PRAGMA foreign_key_check");
    assert_false(row(&out));
    assert_close(one(&out, "PRAGMA user_version"), 1, 0);
    assert_close(one(&out, "PRAGMA application_id"), 0x71646570, 0);
    assert_close(one(&out, "SELECT count(*) FROM pragma_table_list"
                           " WHERE schema = 'main' AND type = 'table' AND NOT strict"
                           " AND name NOT LIKE 'sqlite_%'"),
                 0, 0);
    assert_close(one(&out, "SELECT count(*) FROM results WHERE status = 'running'"), 0, 0);
    done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_documented_column_exists),
        cmocka_unit_test(every_promised_column_exists),
        cmocka_unit_test(results_follow_from_intervals),
        cmocka_unit_test(consistency_is_of_the_seconds),
        cmocka_unit_test(summary_is_of_the_repetitions),
        cmocka_unit_test(summary_leaves_broken_repetitions_out),
        cmocka_unit_test(percentiles_need_samples),
        cmocka_unit_test(the_file_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
