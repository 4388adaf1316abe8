#include "help.h"

/* Real files of other people, where they are present (they are never part of the repository). Numbers as the files print them. */

static char corpus[300];

static struct seen *import_real(const char *name)
{
    static char path[400];
    const char *at = path;
    snprintf(path, sizeof path, "%s/%s", corpus, name);
    struct seen *s = import_with((struct import_options) { 0 }, &at, 1);
    if (s->rc)
        fail_msg("%s: %s", name, s->e.what);
    return s;
}

struct expected {
    const char *file, *tool, *workload;
    uint32_t queue_depth, workers;
    enum direction direction;
    uint64_t ios, bytes;
    double mean_ns, p99_ns; /* p99 NaN: there is none */
};

static void fio_json(void **state)
{
    (void)state;
    static const struct expected files[] = {
        { "fio-json/fp_2.18-59_randread.json", "fio 2.18-59-g618e", "random-read-4k", 1, 1,
          DIR_READ, 4392, 4392 * 4096, 13652220.173, 22912000 },
        { "fio-json/fp_3.14-6_randread.json", "fio 3.14-6-g97134", "random-read-4k", 1, 1, DIR_READ,
          501656, UINT64_C(501656) * 4096, 117488.340759, 150528 },
        { "fio-json/fp_3.1_floppy_randread.json", "fio 3.1", "random-read-4k", 1, 1, DIR_READ, 360,
          360 * 4096, 376152913.127778, 767557632 },
        { "fio-json/fp_3.6-31_16jobs_nogroup.json", "fio 3.6-31-g4386", "random-read-4k", 1, 16,
          DIR_READ, 6328, 6328 * 4096, 151727983.61204186, ABSENT },
        { "fio-json/vc_fio_write.json", "fio 3.26-19-ge7e53", "sequential-write-256k", 64, 1,
          DIR_WRITE, 4096, 1 << 30, 87058217.758301, 114819072 },
        { "fio-3.33-made-here/json_group3.json", "fio 3.33", "random-read-4k", 1, 3, DIR_READ,
          90849, UINT64_C(90849) * 4096, 64949.076864, 224256 },
        { "fio-3.33-made-here/json_status_interval_several_objects.txt", "fio 3.33",
          "random-50-50-4k", 1, 1, DIR_WRITE, 15048, 15048 * 4096, 5223.549442, 12864 },
        { "fio-3.33-made-here/json_unified_both.json", "fio 3.33", "random-50-50-4k", 1, 1,
          DIR_READ, 15670, 15670 * 4096, 110558.062923, 189440 },
    };
    for (size_t i = 0; i < countof(files); i++) {
        const struct expected *x = &files[i];
        struct seen *s = import_real(x->file);
        assert_string_equal(s->files[0].tool, x->tool);
        assert_int_equal(s->cells.n, 1);
        const struct seen_cell *c = &s->cells.at[0];
        const struct direction_result *r = &c->result.dir[x->direction];
        assert_string_equal(c->workload.id, x->workload);
        assert_int_equal(c->cell.queue_depth, x->queue_depth);
        assert_int_equal(c->cell.workers, x->workers);
        assert_true(r->ios == x->ios && r->bytes == x->bytes);
        assert_close(moments_mean(&r->lat), x->mean_ns, 1e-6);
        if (isnan(x->p99_ns))
            assert_nan(known_at(r, 99, 100));
        else
            assert_close(known_at(r, 99, 100), x->p99_ns, 1e-9);
        seen_free(s);
    }
}

static void fio_jsonplus_bins(void **state)
{
    (void)state;
    struct seen *s = import_real("fio-3.33-made-here/jsonplus_randrw.json");
    const struct hist *h = s->cells.at[0].hist[DIR_READ];
    assert_true(h->m.n == 18846 && h->m.min == 60523 && h->m.max == 3623731);
    /* the upper edge of fio's bucket, whose middle fio prints */
    assert_true(hist_percentile(h, (struct fraction) { 1, 2 }) == 93696 + 511);
    assert_true(hist_percentile(h, (struct fraction) { 99, 100 }) == 144384 + 1023);
    seen_free(s);
    s = import_real("fio-3.33-made-here/client2_json.json");
    assert_int_equal(s->cells.n, 4);
    assert_int_equal(s->targets.n, 2);
    seen_free(s);
}

static void fio_logs(void **state)
{
    (void)state;
    struct seen *s = import_real("fio-logs/fp_2.18_test-data01_randread-4k-01-01_iops.1.log");
    assert_int_equal(s->cells.at[0].intervals.n, 20);
    assert_int_equal(s->cells.at[0].intervals.at[0].dir[DIR_READ].ios, 36); /* 72 a second */
    seen_free(s);
    s = import_real("fio-3.33-made-here/offs_prio_lat.1.log");
    const struct direction_result *r = &s->cells.at[0].result.dir[DIR_READ];
    assert_true(r->ios == 60 && r->bytes == 60 * 4096 && r->lat.max == 4170221);
    seen_free(s);
    s = import_real("fio-3.33-made-here/epoch_iops.log");
    assert_int_equal(s->cells.at[0].intervals.n, 3);
    seen_free(s);
}

static void iometer_csv(void **state)
{
    (void)state;
    struct seen *s = import_real("iometer-csv/malura_results.csv");
    assert_int_equal(s->cells.n, 11); /* 13 tests, the two aborted ones are left out */
    assert_warned(s, "csv:11", "recorded no I/O");
    const struct seen_cell *c = &s->cells.at[0];
    assert_string_equal(c->workload.id, "random-60-40-4k");
    /* one end of a network test: the ALL row counts each transfer twice */
    assert_true(c->result.dir[DIR_READ].ios == 4475467 && c->result.dir[DIR_WRITE].ios == 2985176);
    /* raw ticks of 100 ns have more digits than the printed 0.007234 ms */
    assert_close(moments_mean(&c->result.dir[DIR_READ].lat), 32375001300.0 / 4475467, 1e-9);
    seen_free(s);
}

/* Whatever is there: cells or a reason, never a crash. */
static void everything(void **state)
{
    (void)state;
    char command[400];
    snprintf(command, sizeof command, "find '%s' -type f | sort", corpus);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    char path[400];
    size_t n = 0;
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = '\0';
        const char *at = path;
        struct seen *s = import_with((struct import_options) { 0 }, &at, 1);
        assert_true(s->rc ? s->e.what[0] != '\0' : s->cells.n > 0);
        seen_free(s);
        n++;
    }
    assert_int_equal(pclose(list), 0);
    assert_true(n > 50);
}

int main(void)
{
    snprintf(corpus, sizeof corpus, "%s/../shared/corpus", TEST_SOURCE);
    if (!file_exists(corpus)) {
        print_message("skipped: there is no %s\n", corpus);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fio_json),   cmocka_unit_test(fio_jsonplus_bins),
        cmocka_unit_test(fio_logs),   cmocka_unit_test(iometer_csv),
        cmocka_unit_test(everything),
    };
    return cmocka_run_group_tests_name("import/corpus", tests, NULL, NULL);
}
