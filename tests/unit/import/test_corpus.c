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

/* Figures as the files print them; NaN: it prints none. */
struct printed {
    const char *file, *tool;
    size_t n_cells, cell;
    const char *target, *workload;
    uint32_t queue_depth, workers;
    enum direction direction;
    double iops, mb_s, mean_ns, max_ns, p99_ns, tolerance; /* of the rates: their last digit */
};

static const struct printed printed[] = {
    { "cdm/blog_CDM_3.0.1.txt", "CrystalDiskMark 3.0.1", 8, 6, "C:", "random-read-4k", 32, 1,
      DIR_READ, 66371.9, 271.859, ABSENT, ABSENT, ABSENT, 1e-9 },
    { "cdm/blog_CDM_3.0.3_squeezed_spaces.txt", "CrystalDiskMark 3.0.3", 8, 5,
      "F:", "random-write-4k", 1, 1, DIR_WRITE, 44.7, 0.183, ABSENT, ABSENT, ABSENT, 1e-9 },
    { "cdm/blog_CDM_8.0.4_mix.txt", "CrystalDiskMark 8.0.4", 12, 10, "C:", "random-70-30-4k", 32,
      16, DIR_READ, 139643.3, 571.979, 3640510, ABSENT, ABSENT, 1e-9 },
    { "cdm/sm_CrystalDiskMark_20210627172807_Crucial_P2_2TB_on_X370.txt", "CrystalDiskMark 8.0.2",
      8, 1, "Crucial P2 2TB @ PCIe 3.0 x4", "sequential-read-128k", 32, 1, DIR_READ, 18846.6,
      2470.266, 1644220, ABSENT, ABSENT, 1e-9 },
    { "kdiskmark/README_report_3.0.0.txt", "KDiskMark 3.0.0", 8, 0, NULL, "sequential-read-1m", 8,
      1, DIR_READ, 497.0, 508.897, 13840050, ABSENT, ABSENT, 1e-9 },
    { "hdtune/blog_hdtune_4drives.txt", "HD Tune", 4, 1, "SAMSUNG HD502HJ", "sequential-read-64k",
      1, 1, DIR_READ, ABSENT, 113.4, ABSENT, ABSENT, ABSENT, 1e-9 },
    { "diskspd/vc_diskspd.xml", "diskspd 2.0.21a", 1, 0, "diskspd.test", "random-70-30-4k", 1, 1,
      DIR_READ, 37162 / 120.01, 152215552 / 120.01e6, 2477000, ABSENT, 21897000, 1e-9 },
    { "diskspd/vc_diskspd_ReadWrite.txt", "diskspd", 1, 0, "diskspd.dat", "random-70-30-4k", 1, 1,
      DIR_WRITE, 354.05, 1.38 * 1.048576, 2179000, 35257000, 6107000, 0.005 },
    { "diskspd/vc_diskspd_Write8k.txt", "diskspd", 5, 0, "E:\\diskspd-test.dat", "random-write-8k",
      22, 23, DIR_WRITE, 11628957 / 60.02, 11628957 * 8192. / 60.02e6, 2618046, 2985491000,
      24265000, 1e-4 },
    { "diskspd/vc_diskspd_WriteOnly-v2.2.0.txt", "diskspd 2.2.0", 1, 0, "D:\\diskspd-test.dat",
      "random-write-4k", 3, 160, DIR_WRITE, 2242082.85, 8758.14 * 1.048576, 861000, 5543894000,
      12018000, 1e-4 },
    { "vdbench/sample_flatfile.html", "Vdbench", 1, 0, NULL, "random-50-50-1k", 8, 1, DIR_WRITE,
      97.75 * (1 - 0.534527), 97.75 * (1 - 0.534527) * 1024e-6, 10300, 27000, ABSENT, 0.01 },
    { "vdbench/vdbconvert_flatfile.html", "Vdbench", 3, 0, NULL, "random-75-25-4k-rd1", 2, 1,
      DIR_READ, 117.7458 * 0.749388, 117.7458 * 0.749388 * 4096e-6, 22353200, ABSENT, ABSENT,
      1e-3 },
    { "vdbench/sd_all_10sec_20190411_totals.html", "Vdbench", 38, 2, NULL, "write-4k-ran-write-4k",
      1, 1, DIR_WRITE, 33290.3, 130.04 * 1.048576, 238000, 8610000, ABSENT, 1e-3 },
    { "elbencho/results.coribb_iops-direct.32threads.56977775.csv", "elbencho 2.1-0", 1, 0,
      "/var/opt/cray/dws/mounts/batch/56977775_striped_scratch/", "sequential-write-4k", 1, 128,
      DIR_WRITE, 197768, 772 * 1.048576, 645000, 12601000, ABSENT, 2e-3 },
    { "elbencho/results.cgpu_bw.08threads.2798615.csv", "elbencho 2.1-0", 1, 0, "/vast/glock",
      "sequential-write-1m", 1, 32, DIR_WRITE, 4947, 4947 * 1.048576, 3075000, 33274000, ABSENT,
      1e-3 },
    { "elbencho/results.perlmutter_bw-direct.01threads.1524250.live.csv", "elbencho", 1, 0, NULL,
      "write-1m", 1, 1, DIR_WRITE, 123688976384 / 1048576. / 45, 123688976384 / 45e6, ABSENT,
      ABSENT, ABSENT, 1e-3 },
    { "sysbench/readme_fileio_1.0.20_seqrewr.txt", "sysbench 1.0.20", 1, 0, NULL,
      "sequential-write-16k", 1, 10, DIR_WRITE, 18765.34, 293.21 * 1.048576, ABSENT, ABSENT, ABSENT,
      1e-4 },
    { "iozone/ext3_1.iozone.txt", "iozone 3.327", 2119, 2118, NULL,
      "iozone-freread-16384-kib-file-of-4194304-kib", 1, 1, DIR_READ, ABSENT, 96825 * 1024e-6,
      ABSENT, ABSENT, ABSENT, 1e-9 },
    { "iozone/ext4_1.iozone.txt", "iozone 3.327", 2119, 4, NULL, "random-read-4k-file-of-4-kib", 1,
      1, DIR_READ, 65585 / 4., 65585 * 1024e-6, ABSENT, ABSENT, ABSENT, 1e-9 },
    { "fio-terse/jtulak_fio-test_v3_2.1.2_multijob.out", "fio 2.1.2", 3, 0, NULL, "80-20-8k", 4, 4,
      DIR_READ, 651 + 687 + 679 + 687, (52392 + 55368 + 54672 + 55384) * 1024 / 10.067e6, ABSENT,
      514764000, ABSENT, 2e-3 },
    { "fio-terse/notes_v3_3.1_randread_hdd_truncated_tail.txt", "fio 3.1", 1, 0, NULL,
      "random-read-4k", 1, 1, DIR_READ, 3697, 14790 * 1024e-6, 534512.884, 35667000, 2211000,
      5e-4 },
    { "fio-terse/readme_v3_3.32_with_leading_text_truncated.txt", "fio 3.32", 1, 0, NULL,
      "sequential-read-4k", 1, 1, DIR_READ, 3302, 13209 * 1024e-6, 302054.914, 30823000, 6455000,
      5e-4 },
    { "fio-3.33-made-here/terse_v3.txt", "fio 3.33", 1, 0, NULL, "50-50-4k", 1, 1, DIR_WRITE, 7157,
      28631 * 1024e-6, 4797.317, 747000, 10000, 5e-4 },
    { "fio-3.33-made-here/terse_v4.txt", "fio 3.33", 1, 0, NULL, "50-50-4k", 1, 1, DIR_READ, 6450,
      25803 * 1024e-6, 125559.453, 15203000, 2179000, 5e-4 },
    { "fio-3.33-made-here/terse_v5.txt", "fio 3.33", 1, 0, NULL, "50-50-4k", 1, 1, DIR_READ, 7331,
      29327 * 1024e-6, 109642.644, 60399000, 577000, 5e-4 },
    { "fio-text/ceph_erasure2.1_rw-4k.txt", "fio 2.2.10", 1, 0, NULL, "sequential-50-50-4k", 32, 1,
      DIR_READ, 136, 557417e-6, 114210000, 452000000, 358400000, 2e-3 },
    { "fio-text/ceph_erasure2.1_randread-1M.txt", "fio 2.2.10", 1, 0, NULL, "random-read-1m", 32, 1,
      DIR_READ, 133, 136198 * 1024e-6, 240460000, 1660000000, 1369000000, 2e-3 },
    { "fio-text/dyu_fio-4K.md", "fio 3.1", 6, 0, NULL, "sequential-write-4k", 32, 1, DIR_WRITE,
      9331, 38.2, 3409240, 22758000, 5800000, 2e-3 },
    { "fio-3.33-made-here/hist_clat_hist.1.log", "fio", 1, 0, NULL, "50-50-4k", 1, 1, DIR_READ,
      10293 / 1.007, 10293 * 4096 / 1.007e6, 82439.312154, ABSENT, ABSENT, 1e-9 },
    { "fio-3.33-made-here/hist_coarse4_clat_hist.1.log", "fio", 1, 0, NULL, "50-50-4k", 1, 1,
      DIR_WRITE, 8420 / 1.006, 8420 * 4096 / 1.006e6, 5205.191449, ABSENT, 10240, 1e-9 },
};

static void check(double got, double wanted, double tolerance)
{
    if (!isnan(wanted))
        assert_close(got, wanted, tolerance);
}

static void others(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(printed); i++) {
        const struct printed *x = &printed[i];
        struct seen *s = import_real(x->file);
        print_message("%s\n", x->file);
        assert_string_equal(s->files[0].tool, x->tool);
        assert_int_equal(s->cells.n, x->n_cells);
        const struct seen_cell *c = &s->cells.at[x->cell];
        const struct direction_result *r = &c->result.dir[x->direction];
        double seconds = (double)c->result.measured_ns / 1e9;
        if (x->target)
            assert_string_equal(s->targets.at[c->cell.target].name, x->target);
        assert_string_equal(c->workload.id, x->workload);
        assert_int_equal(c->cell.queue_depth, x->queue_depth);
        assert_int_equal(c->cell.workers, x->workers);
        check((double)r->ios / seconds, x->iops, x->tolerance);
        check((double)r->bytes / 1e6 / seconds, x->mb_s, x->tolerance);
        check(moments_mean(&r->lat), x->mean_ns, 1e-6);
        check((double)r->lat_max_ns, x->max_ns, 1e-9);
        if (!isnan(x->p99_ns))
            check(known_at(r, 99, 100), x->p99_ns, 1e-9);
        seen_free(s);
    }
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
        cmocka_unit_test(fio_json), cmocka_unit_test(fio_jsonplus_bins),
        cmocka_unit_test(fio_logs), cmocka_unit_test(iometer_csv),
        cmocka_unit_test(others),   cmocka_unit_test(everything),
    };
    return cmocka_run_group_tests_name("import/corpus", tests, NULL, NULL);
}
