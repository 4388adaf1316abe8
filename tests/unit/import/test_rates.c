#include "help.h"

#include "base/clock.h"

/* Formats that print rates, and tables: files of our own whose figures were worked out by hand. */

static const struct seen_cell *cell_of(const struct seen *s, const char *workload, uint32_t depth)
{
    for (size_t i = 0; i < s->cells.n; i++)
        if (!strcmp(s->cells.at[i].workload.id, workload) &&
            s->cells.at[i].cell.queue_depth == depth)
            return &s->cells.at[i];
    fail_msg("no cell '%s' at depth %u", workload, depth);
    return NULL;
}

static double iops_of(const struct seen_cell *c, enum direction d)
{
    return (double)c->result.dir[d].ios * 1e9 / (double)c->result.measured_ns;
}

static double mb_of(const struct seen_cell *c, enum direction d)
{
    return (double)c->result.dir[d].bytes * 1e3 / (double)c->result.measured_ns;
}

static void crystaldiskmark_8(void **state)
{
    (void)state;
    struct seen *s = import_one("cdm-8.txt");
    assert_string_equal(s->files[0].tool, "CrystalDiskMark 8.0.4");
    assert_string_equal(s->targets.at[0].name, "Drive \"X\", 100 %");
    assert_int_equal(s->cells.n, 5);
    const struct seen_cell *c = cell_of(s, "random-read-4k", 32);
    assert_int_equal(c->cell.workers, 16);
    assert_true(c->result.rates_only);
    assert_true(c->cell.duration_ns == 5 * NS_PER_S);
    assert_true(c->started_ns == INT64_C(1704519708) * (int64_t)NS_PER_S); /* 2024/01/06 5:41:48 */
    assert_close(iops_of(c, DIR_READ), 100000, 1e-12);
    assert_close(mb_of(c, DIR_READ), 409.6, 1e-12);
    assert_close(moments_mean(&c->result.dir[DIR_READ].lat), 5120e3, 1e-9);
    c = cell_of(s, "sequential-write-1m", 8);
    assert_close(mb_of(c, DIR_WRITE), 524.288, 1e-12);
    assert_false(c->result.dir[DIR_READ].asked);
    c = cell_of(s, "sequential-70-30-1m", 8);
    assert_close(mb_of(c, DIR_READ), 314.573, 1e-12);
    assert_warned(s, "cdm-8.txt", "[Mix] are not told apart");
    assert_true(has_event(s, "best-of"));
    seen_free(s);
}

static void crystaldiskmark_of_old(void **state)
{
    (void)state;
    struct seen *s = import_one("cdm-3.txt");
    assert_int_equal(s->cells.n, 7); /* the row of 0 was not run */
    assert_string_equal(s->targets.at[0].name, "D:");
    assert_close(iops_of(cell_of(s, "random-read-4k", 32), DIR_READ), 1000, 1e-12);
    assert_close(mb_of(cell_of(s, "random-read-512k", 1), DIR_READ), 52.429, 1e-12);
    assert_warned(s, "cdm-3.txt:7", "does not say the size");
    assert_warned(s, "cdm-3.txt:14", "999 IOPS of 4096 bytes are 4.0919 MB/s");
    assert_int_equal(s->files[0].n_warnings, 2);
    seen_free(s);
    s = import_one("cdm-6.txt");
    assert_int_equal(s->cells.n, 5); /* the row whose bracket is open is lost */
    assert_close(mb_of(cell_of(s, "sequential-read-128k", 32), DIR_READ), 1310.72, 1e-12);
    assert_close(mb_of(cell_of(s, "random-read-4k", 1), DIR_READ), 40.96, 1e-12); /* "40,960" */
    assert_close(iops_of(cell_of(s, "random-read-4k", 1), DIR_READ), 10000, 1e-12);
    assert_int_equal(cell_of(s, "random-read-4k", 8)->cell.workers, 8);
    seen_free(s);
}

/* Squeezed and quoted, two reports after each other: the second is a repetition. */
static void crystaldiskmark_pasted(void **state)
{
    (void)state;
    struct seen *s = import_text("pasted.md",
                                 "> CrystalDiskMark 3.0.1 x64 (C) 2007\r\n"
                                 "> Random Read 4KB (QD=1) : 1.000 MB/s [ 244.1 IOPS]\r\n"
                                 "> CrystalDiskMark 3.0.1 x64 (C) 2007\r\n"
                                 "> Random Read 4KB (QD=1) : 2.000 MB/s [ 488.3 IOPS]");
    assert_int_equal(s->cells.n, 2);
    assert_int_equal(s->cells.at[1].cell.rep, 2);
    assert_int_equal(s->cells.at[0].cell.point, s->cells.at[1].cell.point);
    assert_close(mb_of(&s->cells.at[1], DIR_READ), 2, 1e-12);
    seen_free(s);
}

static void kdiskmark(void **state)
{
    (void)state;
    struct seen *s = import_one("kdiskmark.txt");
    assert_string_equal(s->files[0].tool, "KDiskMark 3.1.0");
    assert_int_equal(s->cells.n, 2);
    assert_close(mb_of(&s->cells.at[0], DIR_READ), 102.4, 1e-12); /* as it says, with a warning */
    assert_warned(s, "kdiskmark.txt:5", "104.858 MB/s, but it says 102.4");
    assert_true(s->cells.at[0].cell.duration_ns == 5 * NS_PER_S);
    seen_free(s);
}

static void hdtune(void **state)
{
    (void)state;
    struct seen *s = import_one("hdtune.txt");
    assert_int_equal(s->cells.n, 2);
    assert_int_equal(s->targets.n, 2);
    assert_string_equal(s->targets.at[0].name, "EXAMPLE DISK 1");
    assert_string_equal(s->cells.at[0].workload.id, "sequential-write-64k");
    assert_close(mb_of(&s->cells.at[0], DIR_WRITE), 100, 1e-12);
    assert_string_equal(s->cells.at[0].events.at[0].what,
                        "HD Tune also gives for EXAMPLE DISK 1: transfer rate minimum 50.0 MB/sec, "
                        "transfer rate maximum 150.0 MB/sec, access time 12.5 ms, burst rate 200.0 "
                        "MB/sec, CPU Usage 1.5%.");
    assert_close(mb_of(&s->cells.at[1], DIR_READ), 65.536, 1e-12); /* decimal comma */
    seen_free(s);
}

static void atto(void **state)
{
    (void)state;
    struct seen *s = import_one("atto.txt");
    assert_int_equal(s->cells.n, 6);
    assert_close(mb_of(cell_of(s, "sequential-write-512b", 4), DIR_WRITE), 10.24, 1e-12);
    assert_close(mb_of(cell_of(s, "sequential-read-1m", 4), DIR_READ), 1048.576, 1e-12);
    assert_warned(s, "atto.txt:8", "3 bananas");
    seen_free(s);
    s = import_text("kb.txt", "ATTO Disk Benchmark\nWrite Read\n4 KB 81920 163840 KB/s\n");
    assert_int_equal(s->rc, -1); /* one of the two has no unit */
    seen_free(s);
    s = import_text("kb.txt", "ATTO Disk Benchmark\nSize Read (KiB/s) Write\n4 KB 80 40\n");
    assert_close(mb_of(&s->cells.at[0], DIR_READ), 0.08192, 1e-12);
    assert_warned(s, "kb.txt", "queue depth");
    seen_free(s);
}

static void iozone_columns_by_place(void **state)
{
    (void)state;
    struct seen *s = import_one("iozone.txt");
    assert_string_equal(s->files[0].tool, "iozone 3.489");
    assert_int_equal(s->cells.n, 8);
    assert_close(mb_of(cell_of(s, "sequential-write-4k", 1), DIR_WRITE), 40960 * 1024 / 1e6, 1e-12);
    assert_close(mb_of(cell_of(s, "random-read-4k", 1), DIR_READ), 20480 * 1024 / 1e6, 1e-12);
    assert_close(mb_of(cell_of(s, "random-write-64k", 1), DIR_WRITE), 163840 * 1024 / 1e6, 1e-12);
    const struct seen_cell *c = cell_of(s, "iozone-rewrite-64-kib", 1);
    assert_close(iops_of(c, DIR_WRITE), 20480, 1e-12);
    assert_true(c->result.span_bytes == 64 << 10);
    assert_warned(s, "iozone.txt:9", "no whole row");
    seen_free(s);
}

/* -O and -N, as iozone 3 says it: in its modes, with no line of its own. */
static void iozone_counts_operations(void **state)
{
    (void)state;
    static const char rows[] = "              kB  reclen    write  rewrite\n"
                               "         4194304     128     1000     2000\n";
    static const struct {
        const char *mode;
        double iops;
    } modes[] = {
        { "OPS Mode. Output is in operations per second.", 1000 },
        { "Microseconds/op Mode. Output is in microseconds per operation.", 1000 },
        { "Output is in ops/sec", 1000 },
        { "Output is in Kbytes/sec", 1000.0 / 128 },
    };
    for (size_t i = 0; i < countof(modes); i++) {
        char text[400];
        snprintf(text, sizeof text, "\tIozone: Performance Test\n\t%s\n%s", modes[i].mode, rows);
        struct seen *s = import_text("iozone.txt", text);
        assert_no_warnings(s);
        const struct seen_cell *c = cell_of(s, "sequential-write-128k", 1);
        assert_close(iops_of(c, DIR_WRITE), modes[i].iops, 1e-4);
        assert_close(mb_of(c, DIR_WRITE), modes[i].iops * (128 << 10) / 1e6, 1e-4);
        seen_free(s);
    }
}

static void bonnie_of_both_ages(void **state)
{
    (void)state;
    struct seen *s = import_one("bonnie.csv");
    assert_int_equal(s->cells.n, 11);
    assert_int_equal(s->targets.n, 2);
    const struct seen_cell *c = cell_of(s, "sequential-write-8k", 1);
    assert_close(mb_of(c, DIR_WRITE), 200000 * 1024 / 1e6, 1e-12);
    assert_true(c->result.dir[DIR_WRITE].lat_max_ns == 900 * NS_PER_MS);
    assert_int_equal(c->result.dir[DIR_WRITE].lat.n, 0); /* only the largest is known */
    assert_true(c->result.span_bytes == 16ull << 30);
    assert_close(iops_of(cell_of(s, "bonnie-random-seeks", 1), DIR_READ), 450.5, 1e-9);
    assert_warned(s, "bonnie.csv:1", "too fast");
    seen_free(s);
}

static void tables_made_by_hand(void **state)
{
    (void)state;
    struct seen *s = import_one("table.csv");
    assert_string_equal(s->files[0].tool, "a review, 2013");
    assert_int_equal(s->cells.n, 3); /* the last row has no rate */
    assert_int_equal(s->targets.n, 2);
    const struct seen_cell *c = cell_of(s, "oltp", 1);
    assert_int_equal(c->workload.lines[0].size, 8192);
    assert_int_equal(c->workload.lines[0].read_bp, 9000);
    assert_true(c->result.rates_only);
    assert_close(iops_of(c, DIR_READ), 1200.5, 1e-12);
    assert_close(moments_mean(&c->result.dir[DIR_READ].lat), 830e3, 1e-9);
    assert_close(known_at(&c->result.dir[DIR_READ], 99, 100), 1200e3, 1e-12);
    assert_nan(known_at(&cell_of(s, "oltp", 2)->result.dir[DIR_READ], 99, 100));
    assert_close(mb_of(cell_of(s, "seq", 1), DIR_READ), 505.8, 1e-12);
    assert_warned(s, "shoe_size", "not known");
    assert_warned(s, "table.csv:4", "'nan' is no number");
    assert_warned(s, "table.csv:6", "no rate");
    assert_warned(s, "table.csv", "only 'all' means something");
    seen_free(s);
}

static void tables_of_results(void **state)
{
    (void)state;
    struct seen *s = import_one("table.json");
    assert_int_equal(s->cells.n, 1); /* 'all' is not counted again */
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ], *w = &c->result.dir[DIR_WRITE];
    assert_false(c->result.rates_only);
    assert_true(c->result.measured_ns == 10 * NS_PER_S);
    assert_true(r->ios == 700 && r->bytes == 2867200 && r->errors == 2 && r->lat_max_ns == 5000);
    assert_true(w->ios == 300 && w->bytes == 1228800 && w->lat.n == 0);
    assert_close(moments_mean(&r->lat), 1000.5, 1e-12);
    assert_close(moments_deviation(&r->lat), 10, 1e-3);
    assert_true(r->lat.min == 500);
    assert_close(known_at(r, 1, 2), 990, 1e-12);
    seen_free(s);
    s = import_text("t.csv", "size,read_pct,kib_s,lat_mean_us,lat_max_s\n4k,0,4,12.5,0.001\n");
    c = &s->cells.at[0];
    assert_close(iops_of(c, DIR_WRITE), 1, 1e-12);
    assert_close(moments_mean(&c->result.dir[DIR_WRITE].lat), 12500, 1e-9);
    assert_true(c->result.dir[DIR_WRITE].lat_max_ns == NS_PER_MS);
    assert_string_equal(c->workload.id, "write-4k");
    seen_free(s);
    s = import_text("t.csv", "size\tiops\tmb_s\tread_pct\n4k\t100\t9\t100\n");
    assert_warned(s, "t.csv:2", "100 IOPS of 4096 bytes are 0.4096 MB/s, but it says 9 MB/s");
    seen_free(s);
}

static void tables_say_what_they_lose(void **state)
{
    (void)state;
    struct seen *s = import_text("t.csv", "workload,size,queue_depth,iops,direction,read_pct\n"
                                          "a,4k,0,5,read,100\n"
                                          "b,90t,1,5,sideways,101\n"
                                          "c,4k,1\n"
                                          "d,4k,1,5,write,0\n");
    assert_warned(s, "t.csv:2", "queue_depth: 0 is not from 1 to 1024");
    assert_warned(s, "t.csv:3", "no size");
    assert_warned(s, "t.csv:3", "101 is no percentage");
    assert_warned(s, "t.csv:3", "'sideways' is none");
    assert_warned(s, "t.csv:4", "it has 3 fields, the heading 6");
    assert_int_equal(s->cells.n, 2);
    seen_free(s);
    s = import_text("t.json", "{\"x\": 1, \"iops\": 2, \"size\": 3}");
    assert_int_equal(s->rc, -1);
    assert_non_null(strstr(s->e.what, "no list of rows"));
    seen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crystaldiskmark_8),
        cmocka_unit_test(crystaldiskmark_of_old),
        cmocka_unit_test(crystaldiskmark_pasted),
        cmocka_unit_test(kdiskmark),
        cmocka_unit_test(hdtune),
        cmocka_unit_test(atto),
        cmocka_unit_test(iozone_columns_by_place),
        cmocka_unit_test(iozone_counts_operations),
        cmocka_unit_test(bonnie_of_both_ages),
        cmocka_unit_test(tables_made_by_hand),
        cmocka_unit_test(tables_of_results),
        cmocka_unit_test(tables_say_what_they_lose),
    };
    return cmocka_run_group_tests_name("import/rates", tests, NULL, NULL);
}
