#include "help.h"
#include "report/words.h"

/* Stored rows become subjects, workloads, points and spots with the right numbers. */

static const char *const two[] = { "Alpha", "Beta" };
static const struct access_line read_4k[] = { { 10000, 4096, 10000, 10000, .burst = 1 } };
static const struct access_line read_1m[] = { { 10000, 1 << 20, 10000, 0, .burst = 1 } };
static const struct workload small = { "rand", "4 KiB random read", read_4k, 1 };
static const struct workload large = { "seq", "1 MiB sequential read", read_1m, 1 };

static struct given_run two_targets(const struct given_cell *cells, uint32_t n)
{
    return (struct given_run) { .names = two,
                                .n_targets = 2,
                                .workloads = &small,
                                .n_workloads = 1,
                                .cells = cells,
                                .n_cells = n };
}

static void seed_has_its_shape(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct store *s = given_store("data-seed", &g);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    assert_int_equal(d.n_subjects, 3);
    assert_int_equal(d.n_workloads, 2);
    assert_int_equal(d.n_points, 10);
    assert_int_equal(d.n_cells, 30);
    assert_int_equal(d.n_cells_done, 29);
    assert_int_equal(d.highlighted, 0);
    assert_true(d.single);
    assert_false(d.repeated);
    assert_string_equal(d.lat_unit_name, "ms");
    assert_string_equal(d.subjects[1].series.short_name, "Patriot");
    assert_string_equal(d.subjects[2].series.short_name, "RAID");
    assert_int_equal(d.subjects[2].series.slot, 3);
    const struct report_workload *w = &d.workloads[0];
    assert_string_equal(w->slug, "heavy-read");
    assert_string_equal(
        w->description,
        "90\u00a0% reads, 50\u00a0%\u00a08\u00a0KiB and 50\u00a0%\u00a064\u00a0KiB, random");
    assert_true(w->depth_axis);
    assert_int_equal(w->headline, METRIC_IOPS);
    const uint32_t depths[] = { 1, 4, 8, 32, 128 };
    for (size_t i = 0; i < w->n_points; i++)
        assert_int_equal(w->points[i].queue_depth, depths[i]);
    assert_string_equal(w->points[3].label, "queue depth 32");
    assert_string_equal(w->points[3].slug, "heavy-read-qd32");
    arena_free(a);
    store_close(s);
}

static void numbers_of_one_run(void **state)
{
    (void)state;
    const struct given_cell cells[] = { { .target = 0, .queue_depth = 8, .iops = { 20000 } } };
    struct given_run g = two_targets(cells, 1);
    struct store *s = given_store("data-one", &g);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    const struct spot *spot = &d.points[0].spots[0];
    assert_close(spot->metric[METRIC_IOPS].value, 20000, 2e-3);
    assert_close(spot->metric[METRIC_MB_S].value, spot->metric[METRIC_IOPS].value * 4096 / 1e6,
                 1e-12);
    assert_close(spot->metric[METRIC_LAT_MEAN].value, 8 / 20000.0 * 1e9, 1e-2);
    assert_int_equal(spot->n_reps, 1);
    assert_true(spot->metric[METRIC_IOPS].low < spot->metric[METRIC_IOPS].value);
    assert_true(spot->metric[METRIC_IOPS].high > spot->metric[METRIC_IOPS].value);
    assert_false(spot->metric[METRIC_IOPS].mean.over_repeats);
    /* the 396th of 400 equal steps of the shape */
    assert_close(spot->percentile[P99],
                 spot->metric[METRIC_LAT_MEAN].value * (0.35 - 0.65 * log(1 - 395.5 / 400)), 2e-2);
    assert_close(spot->achieved_depth, 8, 1e-12);
    assert_false(spot->not_reached);
    assert_string_equal(d.lat_unit_name, "µs");
    /* the other target has no cell at all */
    assert_string_equal(d.points[0].spots[1].missing, "it is not part of the run");
    assert_nan(d.points[0].spots[1].metric[METRIC_IOPS].value);
    arena_free(a);
    store_close(s);
}

static void numbers_of_repeats(void **state)
{
    (void)state;
    const struct given_cell cells[] = {
        { .target = 0, .queue_depth = 1, .iops = { 1000, 1300, 1100 } },
        { .target = 1, .queue_depth = 1, .iops = { 1000, 1200, 0 } },
    };
    struct given_run g = two_targets(cells, 2);
    g.repeat = 3;
    g.noise = 1e-9;
    struct store *s = given_store("data-repeats", &g);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    const struct spot *three = &d.points[0].spots[0], *pair = &d.points[0].spots[1];
    assert_int_equal(three->n_reps, 3);
    assert_close(three->metric[METRIC_IOPS].value, 1100, 1e-12); /* the median, not the mean */
    assert_close(three->metric[METRIC_IOPS].mean.mean, 3400.0 / 3, 1e-12);
    assert_true(three->metric[METRIC_IOPS].mean.over_repeats);
    assert_int_equal(pair->n_reps, 2);
    assert_int_equal(pair->n_wanted, 3);
    assert_close(pair->metric[METRIC_IOPS].value, 1100, 1e-12);
    assert_nan(pair->metric[METRIC_IOPS].low); /* two repeats: no whisker */
    assert_int_equal(three->metric[METRIC_IOPS].side.n, 3);
    assert_false(three->metric[METRIC_IOPS].side.assumed);
    assert_true(pair->metric[METRIC_IOPS].side.assumed);
    assert_false(d.single);
    assert_false(d.repeated);
    arena_free(a);
    store_close(s);
}

/* A target with many repeated points tells how much it varies between runs; one without does not. */
static void variation_between_runs(void **state)
{
    (void)state;
    const struct given_cell cells[] = {
        { .target = 0, .queue_depth = 1, .iops = { 1000, 1020, 980 } },
        { .target = 0, .queue_depth = 2, .iops = { 2000, 2040, 1960 } },
        { .target = 0, .queue_depth = 4, .iops = { 3000, 3060, 2940 } },
        { .target = 1, .queue_depth = 1, .iops = { 1000, 1020, 980 } },
    };
    struct given_run g = two_targets(cells, 4);
    g.repeat = 3;
    g.noise = 1e-9;
    struct store *s = given_store("data-between", &g);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    assert_false(d.subjects[0].assumed); /* 3 × 2 degrees of freedom */
    assert_close(d.subjects[0].between_cv, 0.02, 1e-9);
    assert_close(d.subjects[0].between_nu, 6, 1e-12);
    assert_true(d.subjects[1].assumed); /* 2 are too few */
    assert_close(d.subjects[1].between_cv, COMPARE_ASSUMED_CV, 1e-12);
    arena_free(a);
    store_close(s);
}

static void reasons_of_gaps(void **state)
{
    (void)state;
    static const struct made_gap gaps[] = {
        { .target = 0,
          .workload = 0,
          .queue_depth = 1,
          .rep = -1,
          .status = CELL_FAILED,
          .reason = "no such device" },
        { .target = 0,
          .workload = 0,
          .queue_depth = 4,
          .rep = -1,
          .status = CELL_SKIPPED,
          .reason = "512 B is not a multiple" },
        { .target = 0, .workload = 0, .queue_depth = 8, .rep = -1, .status = CELL_INTERRUPTED },
        { .target = 0, .workload = 0, .queue_depth = 32, .rep = -1, .status = CELL_PLANNED },
    };
    const struct made_options o = { .gaps = gaps, .n_gaps = 4 };
    struct store *s = new_store("data-gaps");
    put_made(s, &o);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    const struct report_workload *w = &d.workloads[0];
    assert_string_equal(w->points[0].spots[0].missing, "no such device");
    assert_string_equal(w->points[1].spots[0].missing, "512 B is not a multiple");
    has_text(w->points[2].spots[0].missing, "interrupted after 1\u00a0s");
    assert_string_equal(w->points[3].spots[0].missing, "the run ended before it");
    for (size_t p = 0; p < 4; p++) {
        assert_nan(w->points[p].spots[0].metric[METRIC_IOPS].value);
        has_text(w->points[p].spots[0].metric[METRIC_IOPS].side.not_comparable, "not measured");
    }
    assert_null(w->points[4].spots[0].missing);
    arena_free(a);
    store_close(s);
}

static void filters_keep_slots(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct store *s = given_store("data-filter", &g);
    struct arena *a = arena_new();
    const char *const targets[] = { "RAID 10, 12 × 7200 rpm", "Patriot Torqx 128 GB" };
    const char *const workloads[] = { "moderate-read" };
    const uint32_t depths[] = { 128, 4 };
    const struct report_options o = { .targets = targets,
                                      .n_targets = 2,
                                      .workloads = workloads,
                                      .n_workloads = 1,
                                      .queue_depths = depths,
                                      .n_queue_depths = 2 };
    struct report_data d = load(s, a, &o);
    assert_int_equal(d.n_subjects, 2);
    assert_int_equal(d.subjects[0].series.slot, 2);
    assert_int_equal(d.subjects[1].series.slot, 3);
    assert_int_equal(d.highlighted, 0); /* the first left: the marked one is filtered out */
    assert_int_equal(d.n_workloads, 1);
    assert_string_equal(d.workloads[0].slug, "moderate-read");
    assert_int_equal(d.n_points, 2);
    assert_int_equal(d.points[0].queue_depth, 4);
    assert_int_equal(d.n_cells, 4);
    arena_free(a);
    store_close(s);
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct store *s = given_store("data-unknown", &g);
    struct arena *a = arena_new();
    struct report_data d;
    struct error e;
    const char *const no[] = { "nosuch" };
    struct report_options o = { .runs = no, .n_runs = 1 };
    fails_with(report_data_load(s, a, &o, &d, &e), &e, QD_E_NOTFOUND, "nosuch");
    o = (struct report_options) { .targets = no, .n_targets = 1 };
    fails_with(report_data_load(s, a, &o, &d, &e), &e, QD_E_NOTFOUND, "there are: Pliant LS 300");
    o = (struct report_options) { .highlight = "nosuch" };
    fails_with(report_data_load(s, a, &o, &d, &e), &e, QD_E_NOTFOUND, "nosuch");
    o = (struct report_options) { .workloads = no, .n_workloads = 1 };
    fails_with(report_data_load(s, a, &o, &d, &e), &e, QD_E_NOTFOUND, "heavy-read");
    const uint32_t depth = 77;
    o = (struct report_options) { .queue_depths = &depth, .n_queue_depths = 1 };
    fails_with(report_data_load(s, a, &o, &d, &e), &e, QD_E_NOTFOUND, "nothing in run");
    arena_free(a);
    store_close(s);
}

/* Points match by what was asked, although the second run has other cells in another order. */
static void several_runs_match_by_what_was_asked(void **state)
{
    (void)state;
    const struct given_cell first[] = {
        { .target = 0, .workload = 0, .queue_depth = 1, .iops = { 100 } },
        { .target = 0, .workload = 1, .queue_depth = 1, .iops = { 50 } },
        { .target = 0, .workload = 0, .queue_depth = 8, .iops = { 800 } },
    };
    const struct given_cell second[] = {
        { .target = 0, .workload = 0, .queue_depth = 16, .iops = { 1600 } },
        { .target = 0, .workload = 1, .queue_depth = 8, .iops = { 820 } },
    };
    const struct workload one[] = { small, large }, other[] = { large, small };
    struct given_run g = { .name = "before", .names = two, .n_targets = 1, .workloads = one };
    g.n_workloads = 2;
    g.cells = first;
    g.n_cells = 3;
    struct store *s = given_store("data-runs", &g);
    g.name = "after";
    g.workloads = other;
    g.cells = second;
    g.n_cells = 2;
    put_given(s, &g);
    struct arena *a = arena_new();
    const char *const runs[] = { "before", "after", "before" };
    struct report_data d = load(s, a, &(struct report_options) { .runs = runs, .n_runs = 3 });
    assert_int_equal(d.n_runs, 2); /* named twice, read once */
    assert_int_equal(d.n_subjects, 2);
    assert_string_equal(d.subjects[0].series.name, "Alpha (before)");
    assert_string_equal(d.subjects[1].series.name, "Alpha (after)");
    assert_int_equal(d.n_workloads, 2);
    assert_int_equal(d.workloads[0].n_points, 2);
    const struct group_point *shared = &d.workloads[0].points[1];
    assert_int_equal(shared->queue_depth, 8);
    assert_close(shared->spots[0].metric[METRIC_IOPS].value, 800, 5e-3);
    assert_close(shared->spots[1].metric[METRIC_IOPS].value, 820, 5e-3);
    assert_int_equal(d.workloads[1].n_points, 2);
    assert_nan(d.workloads[1].points[0].spots[1].metric[METRIC_IOPS].value);
    has_text(d.data_hash, " + ");
    arena_free(a);
    store_close(s);
}

static void large_sequential_work_is_rated_in_mb(void **state)
{
    (void)state;
    const struct given_cell cells[] = { { .target = 0, .queue_depth = 1, .iops = { 500 } } };
    struct given_run g = two_targets(cells, 1);
    g.workloads = &large;
    struct store *s = given_store("data-large", &g);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    assert_int_equal(d.workloads[0].headline, METRIC_MB_S);
    assert_false(d.workloads[0].depth_axis); /* one depth is no axis */
    assert_string_equal(d.workloads[0].description, "reads, 1\u00a0MiB, sequential");
    arena_free(a);
    store_close(s);
}

static void serials_and_hosts_are_shortened(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct store *s = given_store("data-serials", &g);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    assert_string_equal(d.subjects[0].row.record.path, "/dev/disk/by-id/ata-…0000");
    has_no_text(d.runs[0]->command, "SERIAL");
    has_text(d.runs[0]->command, "--destroy …0000");
    assert_int_equal(d.runs[0]->n_host, 2); /* without the host's name */
    d = load(s, a, &(struct report_options) { .show_serials = true });
    assert_string_equal(d.subjects[0].row.record.path, "/dev/disk/by-id/ata-SERIAL-NUMBER-0000");
    assert_int_equal(d.runs[0]->n_host, 3);
    arena_free(a);
    store_close(s);
}

static void forty_targets(void **state)
{
    (void)state;
    const uint32_t depths[] = { 1, 4 };
    const struct made_options o = {
        .n_targets = 40, .queue_depths = depths, .n_queue_depths = 2, .bare = true
    };
    struct store *s = new_store("data-forty");
    put_made(s, &o);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    assert_int_equal(d.n_subjects, 40);
    assert_int_equal(d.n_points, 4);
    for (size_t i = 0; i < 40; i++) {
        assert_int_equal(d.subjects[i].series.slot, (int)i + 1);
        assert_false(isnan(d.points[3].spots[i].metric[METRIC_IOPS].value));
    }
    arena_free(a);
    store_close(s);
}

/* An import has neither intervals nor histograms: its own percentiles are taken as they are. */
static void imports_know_less(void **state)
{
    (void)state;
    const struct made_options o = { .import = true };
    struct store *s = new_store("data-import");
    put_made(s, &o);
    struct arena *a = arena_new();
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    assert_string_equal(d.subjects[0].source, "fio-3.33");
    const struct spot *spot = &d.points[0].spots[0];
    assert_null(spot->missing);
    assert_false(isnan(spot->metric[METRIC_IOPS].value));
    assert_nan(spot->metric[METRIC_IOPS].low);
    assert_true(spot->metric[METRIC_IOPS].side.assumed);
    assert_int_equal(d.n_sources, 1);
    arena_free(a);
    store_close(s);
}

static void short_names(void **state)
{
    (void)state;
    static const struct {
        const char *names[3], *wanted[3];
    } rows[] = {
        { { "Pliant LS 300", "Patriot Torqx", "RAID 10, 12 × 7200" },
          { "Pliant", "Patriot", "RAID" } },
        { { "RAID 10, a", "RAID 1", "RAID 0" }, { "RAID 10", "RAID 1", "RAID 0" } },
        { { "same", "same two", "other" }, { "same", "same two", "other" } },
        { { "", "x", "x y" }, { " #1", "x", "x y" } },
        { { "abcdefghijklmnopqrstuvwxyz1", "abcdefghijklmnopqrstuvwxyz2", "c" },
          { "abcdefgh…uvwxyz1", "abcdefgh…uvwxyz2", "c" } },
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got[3];
        names_short(a, rows[i].names, 3, got);
        for (size_t k = 0; k < 3; k++)
            assert_string_equal(got[k], rows[i].wanted[k]);
    }
    arena_free(a);
}

static void slugs(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    assert_string_equal(slug_of(a, "OLTP Heavy Read"), "oltp-heavy-read");
    assert_string_equal(slug_of(a, "--4\u00a0KiB / <x>:%"), "4-kib-x");
    assert_string_equal(slug_of(a, "日本"), "x");
    assert_int_equal(
        strlen(slug_of(a, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")), 48);
    arena_free(a);
}

static void intervals_are_never_narrower(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const struct report_data d = { .lat_unit = 1e6, .lat_unit_name = "ms" };
    const struct {
        enum metric m;
        double v, low, high;
        const char *wanted;
    } rows[] = {
        { METRIC_IOPS, 13120, 13044.2, 13195.1, "[13,044, 13,196]" },
        { METRIC_IOPS, 148.2, 146.61, 149.79, "[146.6, 149.8]" },
        { METRIC_LAT_MEAN, 436000, 433000, 439000, "[0.433, 0.439]" },
        { METRIC_LAT_MEAN, 436000, 432999, 439001, "[0.432, 0.440]" },
        { METRIC_MB_S, 45.02, 45.02, 45.02, "[45.02, 45.02]" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct value v = { .value = rows[i].v, .low = rows[i].low, .high = rows[i].high };
        assert_string_equal(value_interval(a, &d, rows[i].m, &v), rows[i].wanted);
    }
    const struct value none = { .value = 1, .low = ABSENT, .high = ABSENT };
    assert_null(value_interval(a, &d, METRIC_IOPS, &none));
    assert_string_equal(time_table(&d, 1200).s, "0.0012"); /* 1.2 µs in a column of ms */
    assert_string_equal(time_table(&d, 12).s, "<\u00a00.0001");
    assert_string_equal(time_table(&d, 1200000).s, "1.200");
    assert_string_equal(time_table(&d, ABSENT).s, "–");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_has_its_shape),
        cmocka_unit_test(numbers_of_one_run),
        cmocka_unit_test(numbers_of_repeats),
        cmocka_unit_test(variation_between_runs),
        cmocka_unit_test(reasons_of_gaps),
        cmocka_unit_test(filters_keep_slots),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(several_runs_match_by_what_was_asked),
        cmocka_unit_test(large_sequential_work_is_rated_in_mb),
        cmocka_unit_test(serials_and_hosts_are_shortened),
        cmocka_unit_test(forty_targets),
        cmocka_unit_test(imports_know_less),
        cmocka_unit_test(short_names),
        cmocka_unit_test(slugs),
        cmocka_unit_test(intervals_are_never_narrower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
