#include "help.h"

/* Iometer's result files of every generation; the data are made, with the columns and quirks of the real ones. */

static void a_cell_per_test_and_target(void **state)
{
    (void)state;
    struct seen *s = import_one("iometer-1.1.csv");
    assert_no_warnings(s);
    assert_string_equal(s->files[0].format, "iometer-csv");
    assert_string_equal(s->files[0].tool, "Iometer 1.1.0");
    assert_int_equal(s->targets.n, 1);
    assert_string_equal(s->targets.at[0].name, "PHYSICALDRIVE:1");
    assert_int_equal(s->cells.n, 3);
    /* two workers are added once, though ALL, MANAGER, WORKER and DISK rows all say the same */
    const struct seen_cell *c = &s->cells.at[1];
    assert_string_equal(c->workload.id, "oltp-heavy-read");
    assert_string_equal(c->workload.title, "OLTP Heavy Read");
    assert_int_equal(c->workload.n_lines, 2);
    assert_int_equal(c->workload.lines[1].size, 65536);
    assert_int_equal(c->workload.lines[1].read_bp, 9000);
    assert_int_equal(c->cell.queue_depth, 4);
    assert_int_equal(c->cell.workers, 2);
    const struct direction_result *r = &c->result.dir[DIR_READ], *w = &c->result.dir[DIR_WRITE];
    assert_int_equal(r->ios, 54000);
    assert_int_equal(w->ios, 6000);
    assert_int_equal(r->bytes, UINT64_C(54000) * 36864);
    assert_close((double)c->result.measured_ns, 10e9, 1e-9);
    assert_close(moments_mean(&r->lat), 0.5e6, 1e-9);
    assert_close(moments_mean(&w->lat), 0.75e6, 1e-9);
    assert_int_equal(r->lat_max_ns, 4500000);
    assert_true(r->lat.min == UINT64_MAX);
    assert_nan(moments_deviation(&r->lat));
    assert_int_equal(r->n_percentiles, 0);
    assert_int_equal(c->result.n_percentiles, 0); /* bins that count nothing */
    seen_free(s);
}

/* A second run in the same file; one line of access is named as everywhere; one direction has percentiles, as ranges. */
static void appended_run_with_bins(void **state)
{
    (void)state;
    struct seen *s = import_one("iometer-1.1.csv");
    const struct seen_cell *c = &s->cells.at[2];
    assert_string_equal(c->workload.id, "random-read-4k");
    assert_int_equal(c->cell.queue_depth, 8);
    assert_int_equal(c->started_ns, INT64_C(1773568800) * 1000000000);
    const struct direction_result *r = &c->result.dir[DIR_READ];
    assert_int_equal(r->n_percentiles, 6);
    assert_close(known_at(r, 99, 100), 200e3, 1e-12);
    for (size_t i = 0; i < r->n_percentiles; i++)
        if (r->percentiles[i].p.num == 99)
            assert_close(r->percentiles[i].high_ns, 500e3, 1e-12);
    assert_false(c->result.dir[DIR_WRITE].asked);
    seen_free(s);
}

/* Binary megabytes under their old name, only ALL and MANAGER rows, a specification with a comma in its name. */
static void generation_of_2008(void **state)
{
    (void)state;
    struct seen *s = import_one("iometer-2008.csv");
    assert_no_warnings(s);
    assert_int_equal(s->cells.n, 1);
    assert_string_equal(s->targets.at[0].name, "iometer-2008");
    assert_string_equal(s->cells.at[0].workload.id, "sequential-write-64k");
    assert_int_equal(s->cells.at[0].result.dir[DIR_WRITE].bytes, UINT64_C(20000) * 65536);
    seen_free(s);
}

static void instantaneous_rows_become_intervals(void **state)
{
    (void)state;
    struct seen *s = import_data((const char *[]) { "inst-iometer-1.1.csv", "iometer-1.1.csv" }, 2);
    assert_int_equal(s->cells.n, 3);
    const struct seen_cell *c = &s->cells.at[2];
    assert_int_equal(c->intervals.n, 10);
    for (size_t i = 0; i < 10; i++) {
        const struct interval *in = &c->intervals.at[i];
        assert_int_equal(in->t_ns, (int64_t)i * 1000000000);
        assert_int_equal(in->length_ns, 1000000000);
        assert_int_equal(in->dir[DIR_READ].ios, 9100 + 200 * i);
    }
    assert_int_equal(c->result.dir[DIR_READ].ios, 100000);
    seen_free(s);
    s = import_one("inst-iometer-1.1.csv");
    assert_int_equal(s->cells.n, 1);
    assert_int_equal(s->cells.at[0].intervals.n, 10);
    assert_int_equal(s->cells.at[0].result.dir[DIR_READ].ios, 100000);
    assert_close((double)s->cells.at[0].result.measured_ns, 10e9, 1e-6);
    seen_free(s);
}

#define HEAD                                                                                       \
    "'Version\n1.1.0\n'Access specifications\n'Access specification name,default assignment\n"     \
    "A,NONE\n'size,% of size,% reads,% random,delay,burst,align,reply\n4096,100,100,0,0,1,0,0,\n"  \
    "'End access specifications\n'Results\n"
#define COLUMNS                                                                                    \
    "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,IOps,Average "        \
    "Response Time,Bytes Read,Bytes Written,Read I/Os,Write I/Os,Queue Depth\n"

static void broken_rows_are_left_out(void **state)
{
    (void)state;
    struct seen *s = import_text("a.csv", HEAD COLUMNS
                                 "ALL,All,A,1,1,100.0,1.5,4096000,0,1000,0,2\n"
                                 "'Results\n" COLUMNS
                                 "ALL,All,A,1,1,100,000000,1,500000,4096000,0,1000,0,2\n"
                                 "'Results\n" COLUMNS "ALL,All,A,1,1,0.0,0.0,0,0,0,0,-1\n"
                                 "'Results\n" COLUMNS "WHAT,All,A,1,1,100.0,1.5,4096000,0\n"
                                 "ALL,All,A,1,1,100.0,1.5,40960");
    assert_int_equal(s->rc, 0);
    assert_int_equal(s->cells.n, 1);
    assert_int_equal(s->cells.at[0].result.dir[DIR_READ].ios, 1000);
    assert_close(moments_mean(&s->cells.at[0].result.dir[DIR_READ].lat), 1.5e6, 1e-9);
    assert_int_equal(s->cells.at[0].result.measured_ns, UINT64_C(10000000000));
    assert_warned(s, "csv:14", "decimal commas?");
    assert_warned(s, "csv:17", "recorded no I/O");
    assert_warned(s, "csv:20", "no row of Iometer's results");
    assert_warned(s, "csv:21", "cut off");
    seen_free(s);
    s = import_text("b.csv", HEAD);
    assert_int_equal(s->rc, -1);
    seen_free(s);
}

/* Saved again by a spreadsheet that writes decimal commas. */
static void semicolons(void **state)
{
    (void)state;
    struct seen *s = import_text(
        "a.csv", "'Target Type;Target Name;Access Specification Name;IOps;Average "
                 "Read Response Time;Bytes Read;Bytes Written;Read I/Os;Write "
                 "I/Os;Queue Depth\nALL;All;B;100,000000;1,500000;4096000;0;1000;0;2\n");
    assert_int_equal(s->rc, 0);
    assert_int_equal(s->cells.n, 1);
    assert_close(moments_mean(&s->cells.at[0].result.dir[DIR_READ].lat), 1.5e6, 1e-9);
    assert_warned(s, "csv:2", "no lines of access specification 'B'");
    assert_string_equal(s->cells.at[0].workload.id, "read-4k");
    seen_free(s);
}

static void contradictions_are_said(void **state)
{
    (void)state;
    struct seen *s = import_text(
        "a.csv",
        HEAD "'Target Type,Target Name,Access Specification Name,IOps,MBps (Decimal),Bytes "
             "Read,Bytes Written,Read I/Os,Write I/Os\nALL,All,A,100.0,0.5,4096000,0,1000,0\n");
    assert_int_equal(s->cells.n, 1);
    assert_warned(s, "MBps (Decimal)", "line 11");
    seen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_per_test_and_target),
        cmocka_unit_test(appended_run_with_bins),
        cmocka_unit_test(generation_of_2008),
        cmocka_unit_test(instantaneous_rows_become_intervals),
        cmocka_unit_test(broken_rows_are_left_out),
        cmocka_unit_test(semicolons),
        cmocka_unit_test(contradictions_are_said),
    };
    return cmocka_run_group_tests_name("import/iometer_csv", tests, NULL, NULL);
}
