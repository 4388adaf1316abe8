#include "help.h"

#include "base/clock.h"

/* fio's logs: small sets of our own, sums worked out by hand. */

struct text_file {
    const char *name, *text;
};

/* Files with just these names, in a folder of their own, imported together. */
static struct seen *import_set(const struct text_file *files, size_t n)
{
    static char paths[8][300];
    const char *at[8];
    char dir[200];
    struct error e;
    snprintf(dir, sizeof dir, TEST_OUT "/import/set-%d", (int)getpid());
    assert_int_equal(file_mkdirs(dir, &e), 0);
    for (size_t i = 0; i < n; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", dir, files[i].name);
        assert_int_equal(file_write(paths[i], files[i].text, strlen(files[i].text), &e), 0);
        at[i] = paths[i];
    }
    struct seen *s = import_with((struct import_options) { 0 }, at, n);
    for (size_t i = 0; i < n; i++)
        unlink(paths[i]);
    return s;
}

static struct seen *import_good(const struct text_file *files, size_t n)
{
    struct seen *s = import_set(files, n);
    if (s->rc)
        fail_msg("%s", s->e.what);
    return s;
}

/* Two threads, windows of a second; five columns: ns. */
static void windows_of_threads_are_joined(void **state)
{
    (void)state;
    static const struct text_file files[] = {
        { "w_iops.1.log", "1000, 100, 0, 0, 0\n2000, 200, 0, 0, 0\n" },
        { "w_iops.2.log", "1001, 300, 0, 0, 0\n2001, 400, 0, 0, 0\n" },
        { "w_bw.1.log", "1000, 400, 0, 0, 0\n2000, 800, 0, 0, 0\n" },
        { "w_bw.2.log", "1001, 1200, 0, 0, 0\n2001, 1600, 0, 0, 0\n" },
        { "w_lat.1.log", "1000, 5000, 0, 0, 0\n2000, 7000, 0, 0, 0\n" },
        { "w_lat.2.log", "1001, 7000, 0, 0, 0\n2001, 9000, 0, 0, 0\n" },
    };
    struct seen *s = import_good(files, 6);
    assert_int_equal(s->cells.n, 1);
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->intervals.n, 2);
    assert_true(c->intervals.at[0].t_ns == 0);
    assert_true(c->intervals.at[0].length_ns == NS_PER_S);
    assert_true(c->intervals.at[1].t_ns == (int64_t)NS_PER_S);
    const struct interval_direction *x = &c->intervals.at[0].dir[DIR_READ];
    assert_int_equal(x->ios, 400);       /* 100 + 300 × 1.001 */
    assert_int_equal(x->bytes, 1639629); /* (400 + 1200 × 1.001) KiB, rounded */
    assert_close(moments_mean(&x->lat), 6000, 0);
    assert_int_equal(x->lat.n, 400);
    const struct direction_result *r = &c->result.dir[DIR_READ];
    assert_int_equal(r->ios, 1000);
    assert_close(moments_mean(&r->lat), (400 * 6000 + 600 * 8000) / 1000.0, 1e-9);
    assert_nan(moments_deviation(&r->lat));
    assert_string_equal(c->workload.id, "read-4k");
    assert_true(c->result.measured_ns == 2 * NS_PER_S);
    assert_string_equal(s->targets.at[0].name, "w");
    assert_int_equal(s->run.n_sources, 6);
    seen_free(s);
}

/* Every column generation of single I/Os: bs; offset; priority; both; issue time. */
static void single_ios_of_all_versions(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0, 1000, 0, 4096\n999, 3000, 0, 4096\n1000, 5000, 0, 4096\n",
        "0, 1000, 0, 4096, 0\n999, 3000, 0, 4096, 0\n1000, 5000, 0, 4096, 0\n",
        "0, 1000, 0, 4096, 8192, 0\n999, 3000, 0, 4096, 0, 0\n1000, 5000, 0, 4096, 4096, 0\n",
        "0, 1000, 0, 4096, 8192, 0x0000\n999, 3000, 0, 4096, 0, 0x0000\n1000, 5000, 0, 4096, 0, "
        "0x2001\n",
        "0, 1000, 0, 4096, 8192, 0, 7\n999, 3000, 0, 4096, 0, 0, 8\n1000, 5000, 0, 4096, 4096, 0, "
        "9\n",
    };
    for (size_t i = 0; i < countof(texts); i++) {
        const struct text_file f = { "s_lat.1.log", texts[i] };
        struct seen *s = import_good(&f, 1);
        const struct seen_cell *c = &s->cells.at[0];
        const struct direction_result *r = &c->result.dir[DIR_READ];
        uint64_t unit = i ? 1 : 1000; /* four columns and 3000: µs is the guess */
        assert_int_equal(warned(s, "s_lat.1.log", "is a guess"), i == 0);
        assert_int_equal(r->ios, 3);
        assert_int_equal(r->bytes, 12288);
        assert_true(r->lat.sum == 9000 * unit && r->lat.min == 1000 * unit &&
                    r->lat.max == 5000 * unit);
        assert_int_equal(c->intervals.n, 2);
        assert_int_equal(c->intervals.at[0].dir[DIR_READ].ios, 2);
        assert_true(c->intervals.at[1].dir[DIR_READ].lat.sum == 5000 * unit);
        if (i)
            assert_true(c->hist[DIR_READ]->m.n == 3);
        assert_string_equal(c->workload.id, "read-4k");
        seen_free(s);
    }
}

static void window_values_of_both_kinds(void **state)
{
    (void)state;
    static const struct text_file f = { "b_lat.1.log",
                                        "1000, 500, 90000, 1, 0, 0\n2000, 700, 80000, 1, 0, 0\n" };
    struct seen *s = import_good(&f, 1);
    assert_true(s->cells.at[0].result.dir[DIR_WRITE].lat.sum == 1200);
    assert_false(s->cells.at[0].result.dir[DIR_READ].asked);
    assert_warned(s, "b_lat", "no IOPS log beside it");
    assert_string_equal(s->cells.at[0].workload.id, "write-unknown");
    seen_free(s);
}

static void directions_are_apart(void **state)
{
    (void)state;
    static const struct text_file f = {
        "d_iops.log", "500, 70, 0, 0\n500, 30, 1, 0\n1000, 70, 0, 0\n1000, 30, 1, 0\n"
    };
    struct seen *s = import_good(&f, 1);
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->result.dir[DIR_READ].ios, 70);
    assert_int_equal(c->result.dir[DIR_WRITE].ios, 30);
    assert_int_equal(c->intervals.n, 2);
    assert_string_equal(c->workload.id, "70-30-unknown");
    seen_free(s);
}

static void little_tells_the_unit(void **state)
{
    (void)state;
    static const struct text_file us[] = { { "l_iops.1.log", "1000, 73, 0, 0\n" },
                                           { "l_lat.1.log", "1000, 13694, 0, 0\n" } };
    static const struct text_file ns[] = { { "l_iops.1.log", "1000, 9000, 0, 0\n" },
                                           { "l_lat.1.log", "1000, 110000, 0, 0\n" } };
    struct seen *s = import_good(us, 2);
    assert_close(moments_mean(&s->cells.at[0].result.dir[DIR_READ].lat), 13694000, 0);
    seen_free(s);
    s = import_good(ns, 2);
    assert_close(moments_mean(&s->cells.at[0].result.dir[DIR_READ].lat), 110000, 0);
    seen_free(s);
}

static void the_clock_of_log_unix_epoch(void **state)
{
    (void)state;
    static const struct text_file f = {
        "e_iops.log",
        "1796060409847, 100, 0, 0, 0\n1796060410347, 200, 0, 0, 0\n1796060410847, 300, 0, 0, 0\n"
    };
    struct seen *s = import_good(&f, 1);
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->intervals.n, 3);
    assert_true(c->intervals.at[0].t_ns == 0);
    assert_true(c->intervals.at[2].t_ns == 1000 * (int64_t)NS_PER_MS);
    assert_true(c->started_ns == INT64_C(1796060409000) * (int64_t)NS_PER_MS);
    seen_free(s);
}

static void garbage_keeps_the_good_rows(void **state)
{
    (void)state;
    static const struct text_file f = { "g_clat.1.log",
                                        "1, 500, 0, 4096, 0\n0, 4w50605, 1, 4096, 0\n2, 700, 0, "
                                        "4096, 0\n2, 7, 9, 4096, 0\n3, 800, 0, 40" };
    struct seen *s = import_good(&f, 1);
    assert_warned(s, "g_clat.1.log:2", "'0, 4w50605, 1, 4096, 0' is left out");
    assert_warned(s, "g_clat.1.log:4", "no row of a fio log");
    assert_int_equal(s->cells.at[0].result.dir[DIR_READ].ios, 3);
    assert_true(has_event(s, "clat-only"));
    seen_free(s);
}

static void logs_belong_to_their_job(void **state)
{
    (void)state;
    static const struct text_file files[] = {
        { "r.json", "{\"fio version\":\"fio-2.18\",\"jobs\":[{\"jobname\":\"j\",\"job "
                    "options\":{\"rw\":\"randread\",\"bs\":\"4k\",\"write_iops_log\":\"run/p\"},"
                    "\"read\":{\"io_bytes\":8192,\"io_kbytes\":8,\"total_ios\":2,\"runtime\":2000,"
                    "\"lat\":{\"min\":1,\"max\":9,\"mean\":5,\"stddev\":1}}}]}" },
        { "p_iops.1.log", "1000, 1, 0, 0\n2000, 1, 0, 0\n" },
        { "p_lat.1.log", "1000, 4, 0, 0\n2000, 6, 0, 0\n" },
        { "p_slat.1.log", "" },
    };
    struct seen *s = import_good(files, 3);
    assert_int_equal(s->cells.n, 1);
    const struct seen_cell *c = &s->cells.at[0];
    assert_string_equal(c->workload.id, "random-read-4k");
    assert_int_equal(c->intervals.n, 2);
    assert_true(c->intervals.at[0].dir[DIR_READ].lat.sum == 4000); /* µs: the JSON is of 2.18 */
    assert_int_equal(c->result.dir[DIR_READ].ios, 2);              /* its own, not added to */
    assert_false(warned(s, "p_lat", "guess"));
    seen_free(s);
}

static void kind_is_the_last_in_the_name(void **state)
{
    (void)state;
    static const struct text_file f = { "random-read_bw.log_iops.1.log", "1000, 5, 0, 0\n" };
    struct seen *s = import_good(&f, 1);
    assert_int_equal(s->cells.at[0].result.dir[DIR_READ].ios, 5);
    seen_free(s);
    static const struct text_file none = { "x.log", "1000, 5, 0, 0\n" };
    s = import_set(&none, 1);
    assert_int_equal(s->rc, -1);
    assert_non_null(strstr(s->e.what, "the name does not say what it logs"));
    seen_free(s);
    static const struct text_file slat = { "x_slat.1.log", "1000, 5, 0, 0\n" };
    s = import_set(&slat, 1);
    assert_non_null(strstr(s->e.what, "slat) alone"));
    seen_free(s);
}

static void a_repeated_time_is_dropped(void **state)
{
    (void)state;
    static const struct text_file f = {
        "t_iops.1.log", "1000, 5, 0, 0\n1000, 900, 0, 0\n2000, 5, 0, 0\n5000, 5, 0, 0\n"
    };
    struct seen *s = import_good(&f, 1);
    assert_warned(s, "t_iops.1.log:2", "does not come after");
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->intervals.n, 3); /* the gap stays a gap */
    assert_true(c->intervals.at[2].t_ns == 4 * (int64_t)NS_PER_S);
    assert_true(c->intervals.at[2].length_ns == NS_PER_S);
    assert_int_equal(c->result.dir[DIR_READ].ios, 15);
    seen_free(s);
}

/* fio may log a response time at the end and no rate: nobody knows how many I/Os that were. */
static void a_window_without_its_rate_is_left_out(void **state)
{
    (void)state;
    static const struct text_file files[] = {
        { "n_iops.1.log", "1000, 9000, 0, 0, 0\n" },
        { "n_lat.1.log", "1000, 100, 0, 0, 0\n2000, 900, 0, 0, 0\n" },
    };
    struct seen *s = import_good(files, 2);
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->intervals.n, 1);
    assert_close(moments_mean(&c->result.dir[DIR_READ].lat), 100, 0);
    seen_free(s);
}

/* Rows of single I/Os come as these end: directions in turn, seconds back and forth, another thread over the same seconds. */
static void rows_out_of_order_are_counted_where_they_belong(void **state)
{
    (void)state;
    static const struct text_file files[] = {
        { "o_lat.1.log", "2100, 10, 0, 4096, 0\n2100, 70, 1, 8192, 0\n999, 20, 0, 4096, 0\n"
                         "1000, 30, 0, 4096, 0\n999, 40, 0, 4096, 0\n2999, 50, 0, 4096, 0\n"
                         "1500, 60, 1, 8192, 0\n" },
        { "o_lat.2.log", "500, 80, 0, 4096, 0\n1500, 90, 0, 4096, 0\n3500, 100, 0, 4096, 0\n" },
    };
    static const uint64_t ios[] = { 3, 2, 2, 1 }, sums[] = { 140, 120, 60, 100 };
    struct seen *s = import_good(files, 2);
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->intervals.n, 4);
    for (int i = 0; i < 4; i++) {
        const struct interval_direction *r = &c->intervals.at[i].dir[DIR_READ];
        assert_int_equal(r->ios, ios[i]);
        assert_int_equal(r->bytes, ios[i] * 4096);
        assert_int_equal(r->lat.sum, sums[i]);
        assert_non_null(r->hist);
    }
    assert_int_equal(c->intervals.at[1].dir[DIR_WRITE].ios, 1);
    assert_int_equal(c->intervals.at[2].dir[DIR_WRITE].lat.max, 70);
    assert_int_equal(c->hist[DIR_READ]->m.n, 8);
    assert_int_equal(c->hist[DIR_READ]->m.sum, 420);
    assert_int_equal(c->result.dir[DIR_WRITE].ios, 2);
    seen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_threads_are_joined),
        cmocka_unit_test(rows_out_of_order_are_counted_where_they_belong),
        cmocka_unit_test(single_ios_of_all_versions),
        cmocka_unit_test(window_values_of_both_kinds),
        cmocka_unit_test(directions_are_apart),
        cmocka_unit_test(little_tells_the_unit),
        cmocka_unit_test(the_clock_of_log_unix_epoch),
        cmocka_unit_test(garbage_keeps_the_good_rows),
        cmocka_unit_test(logs_belong_to_their_job),
        cmocka_unit_test(kind_is_the_last_in_the_name),
        cmocka_unit_test(a_repeated_time_is_dropped),
        cmocka_unit_test(a_window_without_its_rate_is_left_out),
    };
    return cmocka_run_group_tests_name("import/fio_log", tests, NULL, NULL);
}
