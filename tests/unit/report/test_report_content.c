#include <jansson.h>

#include "base/utf8.h"
#include "help.h"
#include "report/columns.h"

/* What a report says in its data files, on the terminal and with names nobody should have. */

static char *page_of(struct store *s, struct arena *a, const char *folder)
{
    const char *dir = new_folder(folder);
    const struct report_options o = { .out_dir = dir, .formats = ALL_FORMATS, .scale = 1 };
    struct report_files files;
    struct error e;
    must(report_write(s, a, &o, &files, &e), &e);
    return read_all(a, dir, "index.html");
}

/* --- data files ---------------------------------------------------------------------------------------------------- */

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Field number `field` of line `line`, both from 0; plain fields only. */
static char *field_of(struct arena *a, const char *text, size_t line, size_t field)
{
    for (; line; line--)
        text = strchr(text, '\n') + 1;
    for (; field; field--)
        text = strchr(text, ',') + 1;
    return arena_strndup(a, text, strcspn(text, ",\n"));
}

static size_t column_of(const char *name)
{
    for (size_t i = 0; i < n_result_columns; i++)
        if (!strcmp(result_columns[i].name, name))
            return i;
    fail_msg("no column %s", name);
    return 0;
}

static void results_csv_is_the_view(void **state)
{
    (void)state;
    const struct made_options o = { 0 };
    struct store *s = new_store("content-csv");
    put_made(s, &o);
    struct arena *a = arena_new();
    page_of(s, a, "content-csv");
    const char *csv = read_all(a, TEST_OUT "/report/content-csv", "data/results.csv");
    has_text(csv, "cell,run,target,workload,queue_depth,workers,size,read_pct,random_pct,fill,"
                  "span_bytes,rate_iops,rep,round,engine,direct,status,direction,ios,bytes,seconds,"
                  "iops,mb_s,lat_mean_ns,lat_stddev_ns,lat_min_ns,lat_p50_ns,lat_p90_ns,lat_p95_ns,"
                  "lat_p99_ns,lat_p999_ns,lat_p9999_ns,lat_max_ns,errors,cpu_user_s,cpu_system_s,"
                  "achieved_depth,steady,source,run_name\n");
    struct run_row run;
    struct result_row *rows = NULL;
    size_t n = 0;
    struct error e;
    must(store_find_run(s, a, "latest", &run, &e), &e);
    must(store_results(s, a, run.id, &rows, &n, &e), &e);
    assert_int_equal(count_lines(csv), n + 1);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(field_of(a, csv, i + 1, column_of("direction")),
                            direction_name(rows[i].direction));
        assert_string_equal(field_of(a, csv, i + 1, column_of("target")), rows[i].target);
        /* numbers read back as the same doubles */
        assert_true(strtod(field_of(a, csv, i + 1, column_of("iops")), NULL) == rows[i].iops);
        assert_true(strtod(field_of(a, csv, i + 1, column_of("lat_mean_ns")), NULL) ==
                    rows[i].lat_mean_ns);
    }
    arena_free(a);
    store_close(s);
}

static void csv_quotes_what_it_must(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        { "plain", "plain" },
        { "RAID 10, 12 × 7200", "\"RAID 10, 12 × 7200\"" },
        { "a \"b\"", "\"a \"\"b\"\"\"" },
        { "two\nlines", "\"two\nlines\"" },
        { "", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str s = str_new(1024);
        csv_put(&s, rows[i].text);
        assert_string_equal(s.at, rows[i].wanted);
        str_done(&s);
    }
}

/* The intervals of a cell sum up to its result, in the files as well. */
static void intervals_csv_sums_to_results(void **state)
{
    (void)state;
    const struct made_options o = { .n_targets = 1, .n_workloads = 1, .seconds = 3 };
    struct store *s = new_store("content-intervals");
    put_made(s, &o);
    struct arena *a = arena_new();
    page_of(s, a, "content-intervals");
    const char *dir = TEST_OUT "/report/content-intervals";
    const char *intervals = read_all(a, dir, "data/intervals.csv");
    const char *results = read_all(a, dir, "data/results.csv");
    has_text(intervals,
             "cell,run,target,workload,queue_depth,rep,t_s,direction,ios,bytes,lat_mean_ns,"
             "lat_min_ns,lat_max_ns,errors\n");
    uint64_t sum = 0, result = 0;
    size_t lines = count_lines(intervals);
    assert_int_equal(lines, 1 + 5 * 3 * 3); /* depths × seconds × read, write, all; no ramp */
    for (size_t i = 1; i < lines; i++)
        if (!strcmp(field_of(a, intervals, i, 7), "all"))
            sum += strtoull(field_of(a, intervals, i, 8), NULL, 10);
    for (size_t i = 1; i < count_lines(results); i++)
        if (!strcmp(field_of(a, results, i, column_of("direction")), "all"))
            result += strtoull(field_of(a, results, i, column_of("ios")), NULL, 10);
    assert_true(sum > 0);
    assert_int_equal(sum, result);
    arena_free(a);
    store_close(s);
}

static void json_reads_back(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct store *s = given_store("content-json", &g);
    struct arena *a = arena_new();
    struct error e;
    char *text = NULL;
    must(report_json(s, a, "latest", &text, &e), &e);
    json_error_t je;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &je);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "schema")), 1);
    json_t *run = json_object_get(root, "run"), *results = json_object_get(root, "results");
    assert_string_equal(json_string_value(json_object_get(run, "name")), "oltp-2026-03-14");
    assert_string_equal(json_string_value(json_object_get(run, "started")), "2026-03-14T09:26:53Z");
    assert_int_equal(json_integer_value(json_object_get(run, "cells_done")), 29);
    size_t i, failed = 0;
    json_t *row;
    json_array_foreach(results, i, row)
    {
        assert_int_equal(json_object_size(row), n_result_columns);
        if (!strcmp(json_string_value(json_object_get(row, "status")), "failed")) {
            failed++;
            /* never measured: null, not zero */
            assert_true(json_is_null(json_object_get(row, "iops")));
            assert_true(json_is_null(json_object_get(row, "ios")));
            assert_true(json_is_null(json_object_get(row, "lat_p99_ns")));
        } else {
            assert_true(json_number_value(json_object_get(row, "iops")) > 0);
        }
        assert_true(json_is_null(json_object_get(row, "steady")));
    }
    assert_int_equal(failed, 1);
    json_decref(root);
    char *again = NULL;
    must(report_json(s, a, "latest", &again, &e), &e);
    assert_string_equal(text, again);
    arena_free(a);
    store_close(s);
}

static void json_escapes(void **state)
{
    (void)state;
    struct str s = str_new(4096);
    json_put(&s, "a\"b\\c\n\t\x01</script>é\xff😀");
    assert_string_equal(s.at, "\"a\\\"b\\\\c\\n\\t\\u0001\\u003c/script>é\uFFFD😀\"");
    str_done(&s);
}

/* --- names --------------------------------------------------------------------------------------------------------- */

static const char *const hostile[] = { "<b>&amp;</b>: 100% \"x\" 'y'",
                                       "emoji 🚀 and \xd8\xb9\xd8\xb1", "%s%n{a}{b}" };

static struct given_run hostile_run(void)
{
    static const struct access_line lines[] = { { 10000, 4096, 10000, 10000, .burst = 1 } };
    static const struct workload w = { "w<&>", "Title </script><svg onload=x> {b}", lines, 1 };
    static const struct given_cell cells[] = {
        { .target = 0, .queue_depth = 1, .iops = { 3000 } },
        { .target = 1, .queue_depth = 1, .iops = { 2000 } },
        { .target = 2, .queue_depth = 1, .ends = CELL_FAILED, .reason = "<i>gone</i> & 50%" },
    };
    return (struct given_run) {
        .names = hostile,
        .n_targets = 3,
        .workloads = &w,
        .n_workloads = 1,
        .cells = cells,
        .n_cells = 3,
    };
}

static void hostile_names_are_only_text(void **state)
{
    (void)state;
    struct given_run g = hostile_run();
    struct store *s = given_store("content-hostile", &g);
    struct arena *a = arena_new();
    const char *page = page_of(s, a, "content-hostile");
    has_no_text(page, "<b>&amp;</b>");
    has_no_text(page, "<i>gone</i>");
    has_no_text(page, "<svg onload");
    has_text(page, "&lt;b&gt;&amp;amp;&lt;/b&gt;: 100% ");
    has_text(page, "emoji 🚀 and");
    has_text(page, "%s%n{a}{b} was not measured here.");
    assert_true(utf8_valid(page));
    char *text = NULL;
    struct error e;
    must(report_terminal(s, a, "latest", &text, &e), &e);
    has_text(text, "<b>&amp;</b>: 100% \"x\" 'y'");
    has_text(text, "not measured: <i>gone</i> & 50%");
    arena_free(a);
    store_close(s);
}

/* --- sizes --------------------------------------------------------------------------------------------------------- */

static void one_target_reads_well(void **state)
{
    (void)state;
    const struct made_options o = { .n_targets = 1 };
    struct store *s = new_store("content-one");
    put_made(s, &o);
    struct arena *a = arena_new();
    const char *page = page_of(s, a, "content-one");
    has_text(page, "Alpha SSD alone");
    has_no_text(page, "best peer");
    has_no_text(page, "measured peer");
    arena_free(a);
    store_close(s);
}

static void forty_targets_are_all_there(void **state)
{
    (void)state;
    const uint32_t depths[] = { 1, 8 };
    const struct made_options o = {
        .n_targets = 40, .n_workloads = 1, .queue_depths = depths, .n_queue_depths = 2, .bare = true
    };
    struct store *s = new_store("content-forty");
    put_made(s, &o);
    struct arena *a = arena_new();
    const char *page = page_of(s, a, "content-forty");
    has_text(page, "Target 40");
    has_text(page, "Alpha SSD against 39 others");
    char *text = NULL;
    struct error e;
    must(report_terminal(s, a, "latest", &text, &e), &e);
    has_text(text, "Target 40");
    arena_free(a);
    store_close(s);
}

/* --- the terminal -------------------------------------------------------------------------------------------------- */

static void terminal_rows(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct store *s = given_store("content-terminal", &g);
    struct arena *a = arena_new();
    char *text = NULL;
    struct error e;
    must(report_terminal(s, a, "latest", &text, &e), &e);
    has_text(text, "OLTP Heavy Read · 90");
    has_text(text, "queue depth 4                     IOPS     MB/s  mean, ms  p99, ms\n"
                   "  Pliant LS 300                7,889    290.8       0.507    1.745\n"
                   "  Patriot Torqx 128 GB         2,520     92.89      1.589    5.472\n"
                   "  RAID 10, 12 × 7200 rpm         462.4   17.04      8.698   29.75\n");
    has_text(text, " †\n");
    has_text(text, "† queue depth not reached: at most 31.9 I/Os were in flight.");
    has_text(text,
             "  RAID 10, 12 × 7200 rpm      not measured: a member drive failed after 11 s\n");
    has_text(text, "  - 1 of 30 cells was not measured.\n");
    has_text(text, "  - Each point was measured once.\n");
    arena_free(a);
    store_close(s);
}

static void terminal_is_never_wider_than_100(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a name of two hundred characters, "
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxx",
        "🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀",
        "escape \x1b[31m red",
    };
    struct given_run g = hostile_run();
    g.names = names;
    struct store *s = given_store("content-wide", &g);
    struct arena *a = arena_new();
    char *text = NULL;
    struct error e;
    must(report_terminal(s, a, "latest", &text, &e), &e);
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n"), columns = 0;
        const char *end = line + n, *at = line;
        while (at < end)
            columns += utf8_next(&at) >= 0x1f300 ? 2 : 1;
        if (columns > 100)
            print_error("%.*s\n", (int)n, line);
        assert_true(columns <= 100);
        line = end + (*end == '\n');
    }
    assert_null(strchr(text, '\x1b')); /* a name cannot steer the terminal */
    arena_free(a);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_csv_is_the_view),
        cmocka_unit_test(csv_quotes_what_it_must),
        cmocka_unit_test(intervals_csv_sums_to_results),
        cmocka_unit_test(json_reads_back),
        cmocka_unit_test(json_escapes),
        cmocka_unit_test(hostile_names_are_only_text),
        cmocka_unit_test(one_target_reads_well),
        cmocka_unit_test(forty_targets_are_all_there),
        cmocka_unit_test(terminal_rows),
        cmocka_unit_test(terminal_is_never_wider_than_100),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
