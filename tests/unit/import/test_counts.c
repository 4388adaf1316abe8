#include "help.h"

#include "base/clock.h"

/* Formats that count or give time: fio's texts and histogram logs, diskspd, Vdbench, elbencho, sysbench. */

static double known_high(const struct direction_result *r, uint64_t num, uint64_t den)
{
    for (size_t i = 0; i < r->n_percentiles; i++)
        if (r->percentiles[i].p.num == num && r->percentiles[i].p.den == den)
            return r->percentiles[i].high_ns;
    return ABSENT;
}

static void terse_of_all_versions(void **state)
{
    (void)state;
    static const struct {
        const char *file, *tool, *job, *workload;
        uint32_t depth, workers;
        uint64_t reads, writes;
    } files[] = {
        { "fio-terse-2.txt", "fio 2.0.8", "old job", "random-read-4k", 8, 1, 1000, 0 },
        { "fio-terse-3.txt", "fio 3.33", "a;b c", "80-20-4k", 1, 1, 1000, 250 },
        { "fio-terse-4.txt", "fio 3.33", "j", "80-20-4k", 1, 2, 2000, 500 },
        { "fio-terse-5.txt", "fio 3.33", "j", "80-20-4k", 1, 1, 1000, 250 },
    };
    for (size_t i = 0; i < countof(files); i++) {
        struct seen *s = import_one(files[i].file);
        assert_int_equal(s->cells.n, 1);
        const struct seen_cell *c = &s->cells.at[0];
        const struct direction_result *r = &c->result.dir[DIR_READ];
        assert_string_equal(s->files[0].tool, files[i].tool);
        assert_string_equal(c->workload.id, files[i].workload);
        assert_int_equal(c->cell.queue_depth, files[i].depth);
        assert_int_equal(c->cell.workers, files[i].workers);
        assert_true(r->ios == files[i].reads && r->bytes == files[i].reads * 4096);
        assert_true(c->result.dir[DIR_WRITE].ios == files[i].writes);
        assert_true(c->result.measured_ns == 10 * NS_PER_S);
        assert_close(moments_mean(&r->lat), 125e3, 1e-9); /* lat, not clat */
        assert_true(r->lat.min == 42000 && r->lat.max == 1010000);
        if (files[i].workers > 1)
            assert_int_equal(r->n_percentiles, 0);
        else
            assert_close(known_at(r, 99, 100), 400e3, 1e-12);
        assert_true(c->result.context_switches == 1000 * files[i].workers);
        seen_free(s);
    }
    struct seen *s = import_one("fio-terse-5.txt");
    assert_int_equal(s->cells.n, 1);
    seen_free(s);
    s = import_one("fio-terse-4.txt");
    assert_warned(s, "txt:1", "percentiles of 2 jobs 'j' cannot be put together");
    seen_free(s);
}

static void normal_text_of_2(void **state)
{
    (void)state;
    struct seen *s = import_one("fio-text-2.txt");
    assert_no_warnings(s);
    assert_int_equal(s->cells.n, 1);
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ], *w = &c->result.dir[DIR_WRITE];
    assert_string_equal(c->workload.id, "sequential-50-50-4k");
    assert_int_equal(c->cell.queue_depth, 32);
    assert_true(r->ios == 1000 && r->bytes == 4096000 && w->ios == 500 && w->bytes == 2048000);
    assert_close(moments_mean(&r->lat), 100.06e6, 1e-9); /* ms */
    assert_close(moments_mean(&w->lat), 1250.5e3, 1e-9); /* µs */
    assert_true(w->lat.max == UINT64_C(2862800000));     /* 2862.8K of them */
    assert_close(known_at(r, 99, 100), 358400e3, 1e-12);
    assert_close(known_at(w, 99, 100), 371e6, 1e-12); /* its percentiles are ms */
    assert_close(known_at(r, 999, 1000), 423936e3, 1e-12);
    assert_true(c->started_ns == INT64_C(1451988000) * (int64_t)NS_PER_S); /* 10 s before the end */
    seen_free(s);
}

static void normal_text_of_3(void **state)
{
    (void)state;
    struct seen *s = import_one("fio-text-3.txt");
    assert_int_equal(s->cells.n, 1);
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *w = &c->result.dir[DIR_WRITE], *f = &c->result.dir[DIR_FLUSH];
    assert_string_equal(s->files[0].tool, "fio 3.33");
    assert_string_equal(c->workload.id, "random-write-8k");
    assert_int_equal(c->cell.workers, 2);
    assert_int_equal(c->result.status, CELL_INTERRUPTED);
    assert_true(w->ios == 184500 && w->bytes == UINT64_C(184500) * 8192);
    assert_close(moments_mean(&w->lat), (123000 * 301e3 + 61500 * 602e3) / 184500, 1e-9);
    assert_int_equal(w->n_percentiles, 0);
    assert_true(f->ios == 10);
    assert_close(moments_mean(&f->lat), 250e3, 1e-9);
    assert_warned(s, "txt:24", "error 5");
    assert_warned(s, "txt:8", "percentiles of 2 jobs 'w'");
    seen_free(s);
}

static void normal_text_without_its_head(void **state)
{
    (void)state;
    struct seen *s = import_text("t.txt",
                                 "j: (groupid=0, jobs=4): err= 0: pid=1: \n"
                                 "  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n"
                                 "     lat (usec): min=1, max=3, avg=2.00, stdev=0.10\n"
                                 "  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=99.0%\n"
                                 "     issued rwts: total=2000,0,0,0 short=0,0,0,0\n");
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->cell.queue_depth, 16);
    assert_int_equal(c->cell.workers, 4);
    assert_warned(s, "t.txt", "is missing");
    assert_warned(s, "IOPS", "it says 100 I/Os per second, but 2000 in 10 s are 200");
    assert_string_equal(c->workload.id, "read-2k");
    seen_free(s);
}

static void normal_text_cut_off(void **state)
{
    (void)state;
    struct seen *s = import_text("t.txt",
                                 "j: (groupid=0, jobs=1): err= 0: pid=1: \n"
                                 "  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n");
    assert_true(s->cells.at[0].result.dir[DIR_READ].ios == 1000);
    assert_warned(s, "t.txt:2", "'issued' is missing");
    seen_free(s);
}

/* Bins of 1/4 of a power of two: counts and means, percentiles as ranges. */
static void histogram_logs(void **state)
{
    (void)state;
    struct seen *s = import_one("job_clat_hist.1.log");
    assert_int_equal(s->cells.n, 1);
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ];
    assert_true(r->ios == 150 && r->bytes == 150 * 4096 && c->result.dir[DIR_WRITE].ios == 5);
    assert_int_equal(c->intervals.n, 2);
    assert_int_equal(c->intervals.at[0].dir[DIR_READ].ios, 100);
    assert_int_equal(c->intervals.at[1].dir[DIR_READ].ios, 50);
    assert_null(c->hist[DIR_READ]);
    assert_close(known_at(r, 1, 2), 64 << 9, 0); /* bin 40 is 16 of fio's from 640: 64·2^9 */
    assert_close(known_high(r, 1, 2), (80 << 9) - 1, 0);
    assert_warned(s, "log:4", "more I/Os than can be");
    assert_warned(s, "log:5", "no row");
    assert_true(has_event(s, "clat-only"));
    seen_free(s);
}

static void fine_histogram_logs_have_histograms(void **state)
{
    (void)state;
    char *text = calloc(1, 20000), *p = text;
    for (int row = 1; row <= 2; row++) {
        p += sprintf(p, "%d, 1, 8192", row * 1000);
        for (int i = 0; i < 29 * 64; i++)
            p += sprintf(p, ", %d", i == 640 ? 10 * row : 0);
        *p++ = '\n';
    }
    struct seen *s = import_text("w_clat_hist.1.log", text);
    assert_int_equal(s->cells.n, 1);
    const struct hist *h = s->cells.at[0].hist[DIR_WRITE];
    assert_non_null(h);
    assert_int_equal(h->m.n, 30);
    assert_true(hist_percentile(h, (struct fraction) { 1, 2 }) >= 64 << 9);
    assert_true(hist_percentile(h, (struct fraction) { 1, 2 }) < 65 << 9);
    assert_non_null(s->cells.at[0].intervals.at[1].dir[DIR_WRITE].hist);
    assert_int_equal(s->cells.at[0].intervals.at[1].dir[DIR_WRITE].ios, 20);
    free(text);
    seen_free(s);
}

static void diskspd_text(void **state)
{
    (void)state;
    struct seen *s = import_one("diskspd.txt");
    assert_no_warnings(s);
    assert_int_equal(s->cells.n, 2);
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ];
    assert_string_equal(s->targets.at[c->cell.target].name, "d1.dat");
    assert_string_equal(c->workload.id, "random-70-30-4k");
    assert_true(c->cell.queue_depth == 3 && c->cell.workers == 2 && c->cell.direct);
    assert_true(c->cell.ramp_ns == 5 * NS_PER_S && c->result.measured_ns == 10 * NS_PER_S);
    assert_true(r->ios == 1400 && r->bytes == 5734400);
    assert_close(moments_mean(&r->lat), 750e3, 1e-9); /* of two threads of equal weight */
    assert_true(r->lat.min == 100000 && r->lat.max == 8000000);
    assert_close(known_at(r, 99, 100), 2e6, 1e-12);
    assert_close(known_at(r, 999, 1000), 4e6, 1e-12);
    assert_nan(known_at(&c->result.dir[DIR_WRITE], 999, 1000)); /* N/A */
    c = &s->cells.at[1];
    assert_string_equal(s->targets.at[c->cell.target].name, "d 2.dat");
    assert_string_equal(c->workload.id, "sequential-write-64k");
    assert_true(c->result.dir[DIR_WRITE].ios == 1000 && !c->result.dir[DIR_READ].asked);
    assert_close(moments_deviation(&c->result.dir[DIR_WRITE].lat), 500e3, 1e-6);
    seen_free(s);
}

static void diskspd_xml(void **state)
{
    (void)state;
    struct seen *s = import_one("diskspd.xml");
    assert_string_equal(s->files[0].tool, "diskspd 2.1.0-dev");
    assert_warned(s, "diskspd.xml:5", "the XML is broken here");
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ], *w = &c->result.dir[DIR_WRITE];
    assert_string_equal(c->workload.id, "random-75-25-4k"); /* RandomAccess says false */
    assert_true(c->cell.queue_depth == 8 && c->cell.workers == 2 && c->cell.direct);
    assert_true(r->ios == 300 && r->bytes == 1228800 && w->ios == 100 && w->bytes == 409600);
    assert_close(moments_mean(&r->lat), 700e3, 1e-9); /* (100·0.6 + 200·0.75) / 300 ms */
    assert_close(moments_mean(&w->lat), 1500e3, 1e-9);
    assert_true(r->lat.min == 45000 && r->lat.max == 4000000);
    assert_close(known_at(r, 1, 2), 700e3, 1e-12);
    assert_int_equal(c->intervals.n, 2);
    const struct interval *in = &c->intervals.at[1];
    assert_true(in->t_ns == (int64_t)NS_PER_S && in->dir[DIR_READ].ios == 200);
    assert_true(in->dir[DIR_WRITE].ios == 60 && in->dir[DIR_WRITE].lat.n == 0);
    assert_close(moments_mean(&in->dir[DIR_READ].lat), 800e3, 1e-9);
    seen_free(s);
}

/* Cut off before its first thread: that it did no I/O is nowhere. */
static void diskspd_without_results(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<Results>\n<Profile><TimeSpans><TimeSpan><Targets><Target><Path>a</Path></Target></"
        "Targets>"
        "</TimeSpan></TimeSpans></Profile>\n<TimeSpan><TestTimeSeconds>10.0</TestTimeSeconds>\n",
        "Input parameters:\n\ttimespan:   1\n\t-------------\n\tpath: 'a'\n"
        "Results for timespan 1:\nactual test time:\t10.00s\n",
    };
    for (size_t i = 0; i < countof(texts); i++) {
        struct seen *s = import_text("t.txt", texts[i]);
        assert_int_equal(s->rc, -1);
        assert_warned(s, "t.txt", "timespan 1 has no results");
        seen_free(s);
    }
}

static void vdbench_files_of_a_run_are_joined(void **state)
{
    (void)state;
    static const char *const files[] = { "vdbench-histogram.html", "vdbench-totals.html",
                                         "vdbench-flatfile.html" };
    struct seen *s = import_data(files, 3);
    assert_int_equal(s->cells.n, 3); /* rd1 of totals is that of the flatfile; rd3 is not in it */
    const struct seen_cell *c = NULL;
    for (size_t i = 0; i < s->cells.n; i++)
        if (!strcmp(s->cells.at[i].workload.id, "random-75-25-4k"))
            c = &s->cells.at[i];
    assert_non_null(c);
    const struct direction_result *r = &c->result.dir[DIR_READ], *w = &c->result.dir[DIR_WRITE];
    assert_int_equal(c->cell.queue_depth, 8);
    assert_true(c->result.measured_ns == 2 * NS_PER_S); /* intervals 2 and 3 */
    assert_true(r->ios == 440 && w->ios == 160 && r->bytes == 440 * 4096);
    assert_close(moments_mean(&w->lat), 4.75e6, 1e-9);
    assert_true(r->lat_max_ns == 7000000 && w->lat_max_ns == 9000000);
    assert_close(c->result.achieved_depth, 0.55, 1e-12);
    assert_close(known_at(r, 95, 100), 1e6, 1e-12); /* a range of the histogram */
    assert_close(known_high(r, 95, 100), 2e6, 1e-12);
    assert_int_equal(c->intervals.n, 3);
    assert_true(c->intervals.at[0].t_ns == -(int64_t)NS_PER_S); /* left out of the average */
    assert_true(c->intervals.at[2].dir[DIR_READ].ios == 280);
    seen_free(s);
}

static void vdbench_alone(void **state)
{
    (void)state;
    struct seen *s = import_one("vdbench-flatfile.html");
    assert_int_equal(s->cells.n, 2);
    assert_int_equal(s->cells.at[1].result.status, CELL_INTERRUPTED);
    assert_warned(s, "html:9", "no whole row");
    assert_warned(s, "html", "'rd2' has no row of averages");
    seen_free(s);
    s = import_one("vdbench-totals.html");
    assert_int_equal(s->cells.n, 2);
    const struct seen_cell *c = &s->cells.at[1];
    assert_string_equal(c->workload.id, "read-7662b");
    assert_close((double)c->result.dir[DIR_READ].ios * 1e9 / (double)c->result.measured_ns, 754.6,
                 1e-3);
    assert_close(c->result.achieved_depth, 8, 1e-12);
    assert_int_equal(s->files[0].n_warnings, 1);
    seen_free(s);
}

static void elbencho_results(void **state)
{
    (void)state;
    struct seen *s = import_one("elbencho.csv");
    assert_string_equal(s->files[0].tool, "elbencho 3.0-1");
    assert_int_equal(s->cells.n, 2); /* MKDIRS does no I/O */
    const struct seen_cell *c = &s->cells.at[0];
    assert_string_equal(s->targets.at[0].name, "/mnt/x");
    assert_true(c->cell.workers == 8 && c->cell.queue_depth == 8 && c->cell.direct);
    assert_true(c->result.dir[DIR_WRITE].ios == 25600 && c->result.dir[DIR_READ].ios == 51200);
    assert_true(c->result.dir[DIR_WRITE].bytes == 100 << 20);
    assert_true(c->result.measured_ns == 10 * NS_PER_S); /* when the last was done */
    assert_close(moments_mean(&c->result.dir[DIR_READ].lat), 100e3, 1e-9);
    assert_true(c->started_ns == INT64_C(1709283600) * (int64_t)NS_PER_S); /* 09:00 UTC */
    assert_warned(s, "elbencho.csv:5", "no whole row");
    seen_free(s);
    s = import_one("elbencho.json");
    assert_int_equal(s->cells.n, 1);
    c = &s->cells.at[0];
    assert_string_equal(c->workload.id, "random-read-4k");
    assert_true(c->result.dir[DIR_READ].ios == 256000 && c->cell.queue_depth == 16);
    seen_free(s);
    s = import_one("elbencho.live.csv");
    assert_int_equal(s->cells.n, 2);
    c = &s->cells.at[0];
    assert_string_equal(c->workload.id, "write-4k");
    assert_int_equal(c->intervals.n, 2); /* rows of single workers do not count again */
    assert_true(c->intervals.at[1].dir[DIR_WRITE].bytes == 819200);
    assert_true(c->result.dir[DIR_WRITE].ios == 300);
    seen_free(s);
}

static void elbencho_live_goes_to_its_results(void **state)
{
    (void)state;
    static const char *const files[] = { "elbencho.live.csv", "elbencho.csv" };
    struct seen *s = import_data(files, 2);
    assert_int_equal(s->cells.n, 3); /* the mixed phase is not the live one that only writes */
    size_t with = 0;
    for (size_t i = 0; i < s->cells.n; i++)
        if (s->cells.at[i].intervals.n == 1) {
            assert_true(s->cells.at[i].result.dir[DIR_READ].ios == 256000);
            with++;
        }
    assert_int_equal(with, 1);
    seen_free(s);
}

static void sysbench_of_both_ages(void **state)
{
    (void)state;
    struct seen *s = import_one("sysbench-1.0.txt");
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ];
    assert_no_warnings(s);
    assert_string_equal(c->workload.id, "random-read-16k");
    assert_true(c->cell.workers == 4 && c->cell.direct);
    assert_true(r->ios == 10000 && r->bytes == 163840000);
    assert_close(moments_mean(&r->lat), 4e6, 1e-9);
    assert_close(known_at(r, 19, 20), 9.91e6, 1e-12);
    assert_true(r->lat.max == 20500000);
    seen_free(s);
    s = import_one("sysbench-0.4.txt");
    c = &s->cells.at[0];
    assert_string_equal(s->files[0].tool, "sysbench 0.4.12");
    assert_string_equal(c->workload.id, "random-60-40-16k");
    assert_true(c->result.dir[DIR_READ].ios == 6000 && c->result.dir[DIR_WRITE].ios == 4000);
    assert_true(c->result.dir[DIR_FLUSH].ios == 12800);
    assert_true(c->result.dir[DIR_READ].lat.n == 0); /* of all kinds together */
    assert_warned(s, "sysbench-0.4.txt:13", "reads, writes and fsyncs together");
    seen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terse_of_all_versions),
        cmocka_unit_test(normal_text_of_2),
        cmocka_unit_test(normal_text_of_3),
        cmocka_unit_test(normal_text_without_its_head),
        cmocka_unit_test(normal_text_cut_off),
        cmocka_unit_test(histogram_logs),
        cmocka_unit_test(fine_histogram_logs_have_histograms),
        cmocka_unit_test(diskspd_text),
        cmocka_unit_test(diskspd_xml),
        cmocka_unit_test(diskspd_without_results),
        cmocka_unit_test(vdbench_files_of_a_run_are_joined),
        cmocka_unit_test(vdbench_alone),
        cmocka_unit_test(elbencho_results),
        cmocka_unit_test(elbencho_live_goes_to_its_results),
        cmocka_unit_test(sysbench_of_both_ages),
    };
    return cmocka_run_group_tests_name("import/counts", tests, NULL, NULL);
}
