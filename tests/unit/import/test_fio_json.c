#include "help.h"

#include "base/clock.h"

/* fio JSON: numbers of small files of our own, worked out by hand. */

static void version_3_whole(void **state)
{
    (void)state;
    struct seen *s = import_one("fio-3.json");
    assert_no_warnings(s);
    assert_string_equal(s->files[0].format, "fio-json");
    assert_string_equal(s->files[0].tool, "fio 3.33");
    assert_int_equal(s->files[0].n_cells, 1);
    assert_true(s->run.import);
    assert_string_equal(s->run.name, "fio-3");
    assert_null(s->run.plan);
    assert_int_equal(s->run.n_sources, 1);
    assert_int_equal(strlen(s->run.sources[0].sha256), 64);
    assert_int_equal(s->targets.n, 1);
    assert_string_equal(s->targets.at[0].name, "sdx");
    assert_string_equal(s->targets.at[0].path, "/dev/sdx");
    assert_int_equal(s->cells.n, 1);
    const struct seen_cell *c = &s->cells.at[0];
    assert_string_equal(c->workload.id, "random-70-30-8k");
    assert_string_equal(c->workload.title, "8 KiB random, 70 % read");
    assert_int_equal(c->workload.n_lines, 1);
    assert_int_equal(c->workload.lines[0].size, 8192);
    assert_int_equal(c->workload.lines[0].read_bp, 7000);
    assert_int_equal(c->workload.lines[0].random_bp, 10000);
    assert_int_equal(c->cell.queue_depth, 4);
    assert_int_equal(c->cell.workers, 1);
    assert_int_equal(c->cell.rep, 1);
    assert_true(c->cell.direct);
    assert_true(c->cell.duration_ns == 2 * NS_PER_S);
    assert_int_equal(c->result.status, CELL_DONE);
    assert_true(c->result.measured_ns == 2 * NS_PER_S);
    assert_true(c->started_ns == INT64_C(1700000000500000000));
    assert_true(c->result.cpu_user_ns == 100 * NS_PER_MS);
    assert_true(c->result.cpu_system_ns == 200 * NS_PER_MS);
    assert_int_equal(c->result.context_switches, 101);
    assert_false(c->result.dir[DIR_TRIM].asked);
    assert_false(c->result.dir[DIR_FLUSH].asked);
    assert_true(has_event(s, "clat-percentiles"));
    seen_free(s);
}

static void version_3_times_and_bins(void **state)
{
    (void)state;
    struct seen *s = import_one("fio-3.json");
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ];
    assert_true(r->ios == 70 && r->bytes == 573440);
    assert_true(r->lat.n == 70 && r->lat.sum == 14000000);
    assert_close(moments_deviation(&r->lat), 50000, 1e-9);
    assert_true(r->lat.min == 100000 && r->lat.max == 300000 && r->lat_max_ns == 300000);
    assert_int_equal(r->n_percentiles, 2);
    assert_close(known_at(r, 1, 2), 189440, 0);
    assert_close(known_at(r, 99, 100), 288768, 0);
    assert_string_equal(r->percentiles[0].origin, "fio clat_ns");
    const struct hist *h = c->hist[DIR_READ];
    assert_true(h->m.n == 70 && h->m.sum == 13300000 && h->m.min == 90500 && h->m.max == 290000);
    assert_true(h->count[hist_index(90500)] == 1 && h->count[hist_index(90624)] == 9);
    assert_true(h->count[hist_index(189440)] == 50 && h->count[hist_index(290000)] == 10);
    assert_true(hist_percentile(h, (struct fraction) { 1, 2 }) ==
                190463); /* edge of fio's bucket */
    assert_true(hist_percentile(h, (struct fraction) { 99, 100 }) == 290000);
    const struct direction_result *w = &c->result.dir[DIR_WRITE];
    assert_true(w->ios == 30 && w->bytes == 245760 && w->lat.sum == 255);
    assert_close(moments_deviation(&w->lat), 0.508548, 1e-5);
    assert_true(c->hist[DIR_WRITE]->count[7] == 30);
    seen_free(s);
}

static void version_2_is_in_microseconds_and_kib(void **state)
{
    (void)state;
    struct seen *s = import_one("fio-2-jsonplus.json");
    assert_no_warnings(s);
    assert_string_equal(s->files[0].tool, "fio 2.18");
    const struct seen_cell *c = &s->cells.at[0];
    const struct direction_result *r = &c->result.dir[DIR_READ];
    assert_string_equal(c->workload.id, "random-read-4k");
    assert_string_equal(s->targets.at[0].name, "/data");
    assert_int_equal(c->cell.queue_depth, 2);
    assert_false(c->cell.direct);
    assert_true(r->bytes == 409600 && r->ios == 100);
    assert_true(r->lat.n == 100 && r->lat.sum == 10250000 && r->lat.max == 260000);
    assert_int_equal(r->n_percentiles, 2); /* not the unused places */
    assert_close(known_at(r, 99, 100), 258000, 0);
    const struct hist *h = c->hist[DIR_READ];
    /* numbered bins: 192 is the first of group 2, 256 and 257 µs... of width 4: 256 to 259 */
    assert_true(h->m.n == 100 && h->m.min == 98000 && h->m.max == 258000);
    assert_true(h->count[hist_index(258000)] == 1 && h->count[hist_index(98000)] >= 1);
    seen_free(s);
}

/* --- small texts ------------------------------------------------------------------------------------------------------ */

#define OPTIONS(more) "\"job options\":{\"rw\":\"randread\",\"bs\":\"4k\"" more "}"
#define LAT(n, mean)                                                                               \
    "\"lat_ns\":{\"min\":50,\"max\":500,\"mean\":" mean ",\"stddev\":10,\"N\":" n "}"
#define READ(ios, bytes, iops, more)                                                               \
    "\"read\":{\"io_bytes\":" bytes ",\"total_ios\":" ios ",\"runtime\":1000,\"iops\":" iops more  \
    "}"
#define JOB(name, options, read)                                                                   \
    "{\"jobname\":\"" name "\",\"groupid\":0,\"error\":0," options "," read "}"
#define FILE_OF(jobs) "{\"fio version\":\"fio-3.16\",\n\"jobs\":[" jobs "]}\n"
#define PLAIN_READ READ("10", "40960", "10.0", "," LAT("10", "100"))

static struct seen *good(const char *text)
{
    struct seen *s = import_text("a.json", text);
    if (s->rc)
        fail_msg("%s", s->e.what);
    return s;
}

static void jobs_of_one_name_are_one_cell(void **state)
{
    (void)state;
    struct seen *s = good(
        FILE_OF(JOB("a", OPTIONS(""), READ("10", "40960", "10", "," LAT("10", "100"))) "," JOB(
            "a", OPTIONS(""), READ("30", "122880", "30", "," LAT("30", "200")))));
    assert_no_warnings(s);
    assert_int_equal(s->cells.n, 1);
    const struct seen_cell *c = &s->cells.at[0];
    assert_int_equal(c->cell.workers, 2);
    assert_true(c->result.dir[DIR_READ].ios == 40 && c->result.dir[DIR_READ].bytes == 163840);
    assert_close(moments_mean(&c->result.dir[DIR_READ].lat), 175, 0); /* by I/Os, not 150 */
    seen_free(s);
}

static void percentiles_are_never_averaged(void **state)
{
    (void)state;
    const char *p = "," LAT(
        "10", "100") ",\"clat_ns\":{\"N\":10,\"mean\":100,\"percentile\":{\"99.000000\":120}}";
    char text[2000];
    snprintf(text, sizeof text,
             "{\"fio version\":\"fio-3.16\",\"jobs\":[{\"jobname\":\"a\"," OPTIONS(
                 "") ","
                     "\"read\":{\"io_bytes\":40960,\"total_ios\":10,\"runtime\":1000%s}},"
                     "{\"jobname\":\"a\"," OPTIONS(
                         "") ","
                             "\"read\":{\"io_bytes\":40960,\"total_ios\":10,\"runtime\":1000%s}}]}",
             p, p);
    struct seen *s = good(text);
    assert_warned(s, "a.json:1", "percentiles of 2 jobs 'a' cannot be put together");
    assert_int_equal(s->cells.at[0].result.dir[DIR_READ].n_percentiles, 0);
    seen_free(s);
}

static void jobs_of_two_names_stay_apart(void **state)
{
    (void)state;
    struct seen *s = good(
        FILE_OF(JOB("a", OPTIONS(""), PLAIN_READ) "," JOB("b", OPTIONS(""), PLAIN_READ)));
    assert_int_equal(s->cells.n, 2);
    assert_string_equal(s->cells.at[0].workload.id, "random-read-4k-a");
    assert_string_equal(s->cells.at[1].workload.title, "4 KiB random read (b)");
    assert_int_equal(s->cells.at[1].cell.rep, 1);
    seen_free(s);
}

static void text_around_and_several_objects(void **state)
{
    (void)state;
    struct seen *s = good(
        "fio: pid=1, err=5/file:ioengines.c:351, func=td_io_queue, error=Input/output error\n"
        "Jobs: 1 (f=1): [r(1)][{50.0%}]\r[eta 00m:01s]\n" FILE_OF(JOB(
            "a", OPTIONS(""),
            PLAIN_READ)) "\nDisk stats (read/write):\n  sda: "
                         "ios=1/2\n" FILE_OF(JOB("a", OPTIONS(",\"iodepth\":\"8\""), PLAIN_READ)));
    assert_int_equal(s->cells.n, 2);
    assert_int_equal(s->files[0].n_warnings, 1);
    assert_warned(s, "a.json:1", "fio said: fio: pid=1, err=5");
    assert_int_equal(s->cells.at[1].cell.queue_depth, 8);
    seen_free(s);
}

static void status_objects_are_not_summed(void **state)
{
    (void)state;
#define AT(t, ios, bytes, ms)                                                                      \
    "{\"fio version\":\"fio-3.33\",\"timestamp\":" t                                               \
    ",\"jobs\":[{\"jobname\":\"a\"," OPTIONS("") ",\"read\":{\"io_bytes\":" bytes                  \
                                                 ",\"total_ios\":" ios ",\"runtime\":" ms "}}]}\n"
    struct seen *s = good(AT("1700000001", "10", "40960", "1000") AT(
        "1700000002", "20", "81920", "2000") AT("1700000003", "25", "102400", "3000"));
    assert_int_equal(s->cells.n, 1);
    assert_true(s->cells.at[0].result.dir[DIR_READ].ios == 25);
    assert_true(has_event(s, "status-interval"));
    seen_free(s);
    /* the same job run again a minute later is another result */
    s = good(AT("1700000001", "10", "40960", "1000") AT("1700000061", "20", "81920", "1000"));
    assert_int_equal(s->cells.n, 2);
    assert_int_equal(s->cells.at[1].cell.rep, 2);
    seen_free(s);
}

static void clients_are_counted_once(void **state)
{
    (void)state;
    struct seen *s = good("{\"fio version\":\"fio-3.33\",\"global options\":{\"rw\":\"randread\"},"
                          "\"global options\":{\"rw\":\"randread\"},\"client_stats\":["
                          "{\"jobname\":\"r\",\"hostname\":\"one\",\"port\":8765," PLAIN_READ "},"
                          "{\"jobname\":\"r\",\"hostname\":\"two\",\"port\":8765," PLAIN_READ "},"
                          "{\"jobname\":\"All clients\"," READ("20", "81920", "20", "") "}]}");
    assert_int_equal(s->cells.n, 2);
    assert_int_equal(s->targets.n, 2);
    assert_string_equal(s->targets.at[1].name, "two");
    assert_string_equal(s->cells.at[0].workload.id, "random-read-4k");
    assert_true(has_event(s, "all-clients"));
    seen_free(s);
}

static void unified_both_and_mixed(void **state)
{
    (void)state;
    const char *mixed = "\"mixed\":{\"io_bytes\":81920,\"total_ios\":20,\"runtime\":1000}";
    char text[1000];
    snprintf(text, sizeof text, FILE_OF("{\"jobname\":\"a\"," OPTIONS("") "," PLAIN_READ ",%s}"),
             mixed);
    struct seen *s = good(text);
    assert_no_warnings(s);
    assert_true(s->cells.at[0].result.dir[DIR_READ].ios == 10);
    seen_free(s);
    snprintf(text, sizeof text,
             FILE_OF("{\"jobname\":\"a\",\"job options\":{\"rw\":\"randrw\",\"bs\":\"4k\"},%s}"),
             mixed);
    s = good(text);
    assert_warned(s, "a.json:2", "reads and writes are not told apart");
    assert_true(s->cells.at[0].result.dir[DIR_READ].ios == 20);
    assert_int_equal(s->cells.at[0].workload.lines[0].read_bp, 5000);
    seen_free(s);
}

static void group_is_counted_by_its_time(void **state)
{
    (void)state;
    struct seen *s = good(FILE_OF("{\"jobname\":\"a\"," OPTIONS(
        ",\"numjobs\":\"3\",\"iodepth\":\"32\"") ",\"job_runtime\":3000," PLAIN_READ "}"));
    assert_int_equal(s->cells.at[0].cell.workers, 3);
    assert_int_equal(s->cells.at[0].cell.queue_depth, 32);
    seen_free(s);
}

static void options_may_be_missing(void **state)
{
    (void)state;
    struct seen *s = good(
        "{\"fio version\":\"fio-2.1.2\",\"jobs\":[{\"jobname\":\"a\",\n"
        "\"iodepth_level\":{\"1\":0.1,\"32\":99.9}," READ("10", "40960", "10", "") "}]}");
    assert_warned(s, "a.json:1", "queue depth 32 is read off 'iodepth_level'");
    assert_warned(s, "a.json", "random or sequential");
    assert_int_equal(s->cells.at[0].cell.queue_depth, 32);
    assert_string_equal(s->cells.at[0].workload.id, "read-4m"); /* 40960 KiB of 10 I/Os */
    seen_free(s);
}

static void what_was_moved_wins_over_options(void **state)
{
    (void)state;
    struct seen *s = good(FILE_OF(JOB("a", OPTIONS(",\"iodepth\":\"32\",\"ioengine\":\"psync\""),
                                      READ("10", "81920", "10", ""))));
    assert_warned(s, "a.json:2", "a size of 4096 bytes, but a read moved 8192");
    assert_warned(s, "a.json:2", "no effect with ioengine psync");
    assert_int_equal(s->cells.at[0].cell.queue_depth, 1);
    assert_string_equal(s->cells.at[0].workload.id, "random-read-8k");
    seen_free(s);
}

static void claims_are_checked(void **state)
{
    (void)state;
    struct seen *s = good(
        FILE_OF(JOB("a", OPTIONS(""), READ("1000", "4096000", "900", ",\"bw_bytes\":4096000"))));
    assert_int_equal(s->files[0].n_warnings, 1);
    assert_warned(s, "a.json: iops", "it says 900 I/Os per second, but 1000 in 1 s are 1000");
    seen_free(s);
    s = good(FILE_OF(JOB("a", OPTIONS(""), READ("1000", "4096000", "1000", ",\"bw\":3000"))));
    assert_warned(s, "a.json: bw", "3.072e+06 bytes per second");
    seen_free(s);
}

static void failed_and_idle_jobs(void **state)
{
    (void)state;
    struct seen *s = good(
        "{\"fio version\":\"fio-3.33\",\"jobs\":[\n{\"jobname\":\"a\",\"error\":22," OPTIONS(
            "") "," READ("0", "0", "0", "") "},\n"
                                            "{\"jobname\":\"b\",\"error\":0," OPTIONS("") "," READ(
                                                "0", "0", "0",
                                                "") "},\n"
                                                    "{\"jobname\":\"c\",\"error\":5," OPTIONS(
                                                        "") "," PLAIN_READ "}]}");
    assert_int_equal(s->cells.n, 3);
    assert_int_equal(s->cells.at[0].result.status, CELL_FAILED);
    assert_string_equal(s->cells.at[0].result.reason,
                        "fio ended 'a' with error 22 (Invalid argument)");
    assert_false(s->cells.at[0].result.dir[DIR_READ].asked);
    assert_int_equal(s->cells.at[1].result.status, CELL_SKIPPED);
    assert_int_equal(s->cells.at[2].result.status, CELL_INTERRUPTED);
    assert_true(s->cells.at[2].result.dir[DIR_READ].ios == 10);
    assert_warned(s, "a.json:2", "error 22");
    assert_warned(s, "a.json:3", "'b' did no I/O");
    seen_free(s);
}

static void broken_keeps_its_good_jobs(void **state)
{
    (void)state;
    struct seen *s = good("{\"fio version\":\"fio-3.33\",\"jobs\":[\n" JOB(
        "a", OPTIONS(""), PLAIN_READ) ",\n" JOB("b", OPTIONS(""), "\"read\":{\"io_by"));
    assert_int_equal(s->cells.n, 1);
    assert_warned(s, "a.json:3", "the JSON is broken here");
    assert_warned(s, "a.json:3", "a job is not whole");
    seen_free(s);
}

static void no_numbers_are_missing(void **state)
{
    (void)state;
    struct seen *s = good(FILE_OF(JOB(
        "a", OPTIONS(""),
        READ("10", "40960", "nan",
             ",\"lat_ns\":{\"min\":-nan,\"max\":inf,\"mean\":100,\"stddev\":1e999,\"N\":10}"))));
    const struct direction_result *r = &s->cells.at[0].result.dir[DIR_READ];
    assert_warned(s, "a.json:2", "key 'iops' holds 'nan', which is no number");
    assert_warned(s, "a.json:2", "key 'max' holds 'inf'");
    assert_true(r->lat.n == 10 && r->lat.sum == 1000 && r->lat.min == UINT64_MAX &&
                r->lat.max == 0);
    assert_nan(moments_deviation(&r->lat));
    seen_free(s);
}

static void nothing_for_n_of_zero(void **state)
{
    (void)state;
    struct seen *s = good(
        FILE_OF(JOB("a", OPTIONS(""),
                    READ("10", "40960", "10",
                         ",\"lat_ns\":{\"min\":0,\"max\":0,\"mean\":0,\"stddev\":0,\"N\":0},\"clat_"
                         "ns\":{\"min\":0,\"max\":0,\"mean\":0,\"stddev\":0,\"N\":0}"))));
    const struct direction_result *r = &s->cells.at[0].result.dir[DIR_READ];
    assert_true(r->ios == 10 && r->lat.n == 0 && r->lat_max_ns == 0);
    assert_nan(moments_mean(&r->lat));
    seen_free(s);
}

static void one_io_has_no_spread(void **state)
{
    (void)state;
    struct seen *s = good(FILE_OF(
        JOB("a", OPTIONS(""),
            "\"read\":{\"io_bytes\":4096,\"total_ios\":1,\"runtime\":1,\"iops\":1000,"
            "\"lat_ns\":{\"min\":11742,\"max\":11742,\"mean\":11742,\"stddev\":0,\"N\":1}}")));
    assert_no_warnings(s);
    assert_nan(moments_deviation(&s->cells.at[0].result.dir[DIR_READ].lat));
    seen_free(s);
}

static void lat_percentiles_need_no_note(void **state)
{
    (void)state;
    struct seen *s = good(
        FILE_OF(JOB("a", OPTIONS(""),
                    READ("10", "40960", "10",
                         ",\"lat_ns\":{\"min\":1,\"max\":9,\"mean\":5,\"stddev\":1,\"N\":10,"
                         "\"percentile\":{\"99.999900\":9}},"
                         "\"clat_ns\":{\"min\":1,\"max\":8,\"mean\":4,\"stddev\":1,\"N\":10}"))));
    const struct direction_result *r = &s->cells.at[0].result.dir[DIR_READ];
    assert_close(known_at(r, 999999, 1000000), 9, 0);
    assert_string_equal(r->percentiles[0].origin, "fio lat_ns");
    assert_false(has_event(s, "clat-percentiles"));
    seen_free(s);
}

static void flushes_and_trims(void **state)
{
    (void)state;
    struct seen *s = good(FILE_OF("{\"jobname\":\"t\",\"job "
                                  "options\":{\"rw\":\"randtrim\",\"bs\":\"64k\"},\"trim\":{\"io_"
                                  "bytes\":655360,\"total_ios\":10,\"runtime\":1000}},"
                                  "{\"jobname\":\"f\",\"job "
                                  "options\":{\"rw\":\"write\",\"fsync\":\"1\"},\"write\":{\"io_"
                                  "bytes\":40960,\"total_ios\":10,\"runtime\":1000},"
                                  "\"sync\":{\"total_ios\":10,\"lat_ns\":{\"min\":1,\"max\":3,"
                                  "\"mean\":2,\"stddev\":1,\"N\":10}}}"));
    assert_int_equal(s->cells.n, 2);
    assert_string_equal(s->cells.at[0].workload.id, "random-trim-64k");
    assert_int_equal(s->cells.at[0].workload.lines[0].trim_bp, 10000);
    assert_true(s->cells.at[0].result.dir[DIR_TRIM].bytes == 655360);
    assert_int_equal(s->cells.at[1].workload.lines[0].sync, SYNC_FSYNC);
    assert_int_equal(s->cells.at[1].workload.lines[0].sync_every, 1);
    const struct direction_result *f = &s->cells.at[1].result.dir[DIR_FLUSH];
    assert_true(f->ios == 10 && f->bytes == 0 && f->lat.sum == 20);
    seen_free(s);
}

static void sizes_by_direction_and_split(void **state)
{
    (void)state;
    struct seen *s = good(
        FILE_OF("{\"jobname\":\"a\",\"job "
                "options\":{\"rw\":\"rw\",\"bs\":\"4k,64k\",\"rwmixwrite\":\"25\"},"
                "\"read\":{\"io_bytes\":40960,\"total_ios\":10,\"runtime\":1000},\"write\":{\"io_"
                "bytes\":655360,\"total_ios\":10,\"runtime\":1000}},"
                "{\"jobname\":\"b\",\"job "
                "options\":{\"rw\":\"randread\",\"bssplit\":\"4k/75:8k/"
                "\"},\"read\":{\"io_bytes\":20480,\"total_ios\":4,\"runtime\":1000}}"));
    assert_no_warnings(s);
    const struct workload *w = &s->cells.at[0].workload;
    assert_int_equal(w->n_lines, 2);
    assert_int_equal(w->lines[0].size, 4096);
    assert_int_equal(w->lines[0].share_bp, 7500);
    assert_int_equal(w->lines[1].size, 65536);
    assert_int_equal(w->lines[1].read_bp, 0);
    assert_string_equal(w->id, "sequential-75-25-mixed-19k");
    w = &s->cells.at[1].workload;
    assert_int_equal(w->n_lines, 2);
    assert_int_equal(w->lines[1].size, 8192);
    assert_int_equal(w->lines[1].share_bp, 2500);
    seen_free(s);
}

static void repeated_file_names_are_joined(void **state)
{
    (void)state;
    struct seen *s = good(FILE_OF(
        JOB("a", OPTIONS(",\"filename\":\"Nvme0n1\",\"filename\":\"Nvme1n1\""), PLAIN_READ)));
    assert_string_equal(s->targets.at[0].name, "Nvme0n1+Nvme1n1");
    seen_free(s);
}

static void limits_are_named(void **state)
{
    (void)state;
    struct seen *s = import_text("a.json",
                                 FILE_OF(JOB("a", OPTIONS(",\"iodepth\":\"4096\""), PLAIN_READ)));
    assert_int_equal(s->rc, -1);
    assert_int_equal(s->e.code, QD_E_FAIL);
    assert_warned(s, "a.json:2", "beyond the limits of 1024 and 256");
    seen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_3_whole),
        cmocka_unit_test(version_3_times_and_bins),
        cmocka_unit_test(version_2_is_in_microseconds_and_kib),
        cmocka_unit_test(jobs_of_one_name_are_one_cell),
        cmocka_unit_test(percentiles_are_never_averaged),
        cmocka_unit_test(jobs_of_two_names_stay_apart),
        cmocka_unit_test(text_around_and_several_objects),
        cmocka_unit_test(status_objects_are_not_summed),
        cmocka_unit_test(clients_are_counted_once),
        cmocka_unit_test(unified_both_and_mixed),
        cmocka_unit_test(group_is_counted_by_its_time),
        cmocka_unit_test(options_may_be_missing),
        cmocka_unit_test(what_was_moved_wins_over_options),
        cmocka_unit_test(claims_are_checked),
        cmocka_unit_test(failed_and_idle_jobs),
        cmocka_unit_test(broken_keeps_its_good_jobs),
        cmocka_unit_test(no_numbers_are_missing),
        cmocka_unit_test(nothing_for_n_of_zero),
        cmocka_unit_test(one_io_has_no_spread),
        cmocka_unit_test(lat_percentiles_need_no_note),
        cmocka_unit_test(flushes_and_trims),
        cmocka_unit_test(sizes_by_direction_and_split),
        cmocka_unit_test(repeated_file_names_are_joined),
        cmocka_unit_test(limits_are_named),
    };
    return cmocka_run_group_tests_name("import/fio_json", tests, NULL, NULL);
}
