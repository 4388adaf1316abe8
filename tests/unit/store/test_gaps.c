/* Cells that did not come out, imports, and going on with a broken run. */
#include "help.h"

static const uint32_t depths[] = { 1, 8 };
#define SMALL .n_targets = 2, .n_workloads = 1, .queue_depths = depths, .n_queue_depths = 2

static struct cell_row *cells_of(struct store *s, struct arena *a, int64_t run, size_t n)
{
    struct cell_row *c;
    size_t got;
    struct error e;
    must(store_cells(s, a, run, &c, &got, &e), &e);
    assert_int_equal(got, n);
    return c;
}

static void every_status_is_kept_with_its_reason(void **state)
{
    (void)state;
    static const struct made_gap gaps[] = {
        { 0, -1, 1, -1, CELL_SKIPPED, "too small" },
        { 0, -1, 8, -1, CELL_FAILED, NULL },
        { 1, -1, 1, -1, CELL_INTERRUPTED, NULL },
        { 1, -1, 8, -1, CELL_PLANNED, NULL },
    };
    static const char *const statuses[] = { "skipped", "failed", "interrupted", "planned" };
    struct made_options o = { SMALL, .gaps = gaps, .n_gaps = 4 };
    struct store *s = open_store(make_store("gaps", &o), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct cell_row *c = cells_of(s, a, 1, 4);
    struct result_row *r;
    size_t n;
    must(store_results(s, a, 1, &r, &n, &e), &e);
    assert_int_equal(n, 1 + 1 + 3 + 1); /* an interrupted cell has read, write and all */
    for (int i = 0; i < 4; i++)
        assert_string_equal(c[i].status, statuses[i]);
    assert_string_equal(c[0].reason, "too small");
    assert_string_equal(c[1].reason, "the device is gone");
    assert_null(c[3].reason);
    assert_int_equal(c[2].measured_ns, 1000000000);
    assert_int_equal(c[3].engine, USED_NONE);
    assert_true(c[3].direct); /* as asked */
    assert_int_equal(r[0].direction, DIR_ALL);
    assert_string_equal(r[0].status, "skipped");
    assert_int_equal(r[0].ios, 0);
    assert_nan(r[0].iops);
    assert_nan(r[0].seconds);
    assert_nan(r[0].lat_mean_ns);
    assert_nan(r[0].lat_max_ns);
    assert_true(r[4].direction == DIR_ALL && r[4].ios > 0);
    assert_string_equal(r[5].status, "planned");
    struct run_row run;
    must(store_find_run(s, a, "1", &run, &e), &e);
    assert_int_equal(run.n_cells, 4);
    assert_int_equal(run.n_done, 0);
    assert_string_equal(run.status, "done");
    struct hist *h;
    must(store_hist(s, a, c[0].id, DIR_ALL, &h, &e), &e);
    assert_null(h);
    arena_free(a);
    store_close(s);
}

static void an_import_keeps_what_it_knows(void **state)
{
    (void)state;
    struct made_options o = { SMALL, .import = true };
    struct store *s = open_store(make_store("import", &o), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct run_row run;
    must(store_find_run(s, a, "latest", &run, &e), &e);
    assert_true(run.import);
    assert_null(run.matrix_xml);
    struct cell_row *c = cells_of(s, a, run.id, 4);
    struct result_row *r;
    size_t n;
    must(store_results(s, a, run.id, &r, &n, &e), &e);
    assert_int_equal(n, 4 * 3);
    assert_string_equal(r[0].source, "fio-3.33");
    assert_false(isnan(r[0].lat_p50_ns)); /* given as one value */
    assert_false(isnan(r[0].lat_p99_ns));
    assert_nan(r[0].lat_p95_ns);  /* not given */
    assert_nan(r[0].lat_p999_ns); /* given as a range */
    assert_nan(r[2].lat_p50_ns);  /* all: percentiles are never merged */
    assert_false(isnan(r[2].lat_mean_ns));
    struct percentile_row *k;
    must(store_known_percentiles(s, a, c[0].id, &k, &n, &e), &e);
    assert_int_equal(n, 8);
    assert_int_equal(k[0].direction, DIR_READ);
    assert_int_equal(k[0].known.p.num, 1);
    assert_int_equal(k[0].known.p.den, 2);
    assert_close(k[0].known.low_ns, r[0].lat_p50_ns, 0);
    assert_close(k[3].known.high_ns, k[3].known.low_ns * 1.25, 1e-12);
    assert_string_equal(k[3].known.origin, "made tool, clat");
    assert_int_equal(k[4].direction, DIR_WRITE);
    struct hist *h;
    must(store_hist(s, a, c[0].id, DIR_READ, &h, &e), &e);
    assert_null(h);
    struct series_row *series;
    must(store_series(s, a, c[0].id, DIR_ALL, &series, &n, &e), &e);
    assert_int_equal(n, 0);
    struct workload_row *w;
    must(store_workloads(s, a, run.id, &w, &n, &e), &e);
    assert_int_equal(n, 1); /* one, though every cell brought it */
    struct source_row *source;
    must(store_sources(s, a, run.id, &source, &n, &e), &e);
    assert_int_equal(n, 1);
    assert_string_equal(source[0].file.tool, "fio-3.33");
    int64_t holder;
    must(store_find_source(s, source[0].file.sha256, &holder, &e), &e);
    assert_int_equal(holder, run.id);
    must(store_find_source(s, "00", &holder, &e), &e);
    assert_int_equal(holder, 0);
    arena_free(a);
    store_close(s);
}

/* A lone direction keeps an import's percentiles in 'all' too. */
static void one_direction_is_all(void **state)
{
    (void)state;
    struct made_options o = { .n_targets = 1,
                              .n_workloads = 3,
                              .queue_depths = depths,
                              .n_queue_depths = 1,
                              .import = true };
    struct store *s = open_store(make_store("one-direction", &o), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct result_row *r;
    size_t n;
    must(store_results(s, a, 1, &r, &n, &e), &e);
    const struct result_row *write = &r[n - 2], *all = &r[n - 1];
    assert_string_equal(write->workload, "random-write");
    assert_int_equal(write->direction, DIR_WRITE);
    assert_close(all->lat_p99_ns, write->lat_p99_ns, 0);
    assert_close(all->lat_stddev_ns, write->lat_stddev_ns, 0);
    arena_free(a);
    store_close(s);
}

/* Breaks a run in its third cell and closes the store, as a failing sink would. */
static const char *broken(const char *name)
{
    static const struct made_gap gap = { 1, -1, 1, -1, CELL_RUNNING, NULL };
    struct made_options o = { SMALL, .gaps = &gap, .n_gaps = 1, .seconds = 4 };
    return make_store(name, &o);
}

static void an_unfinished_run_is_interrupted_with_its_seconds(void **state)
{
    (void)state;
    struct store *s = open_store(broken("unfinished"), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct run_row run;
    must(store_find_run(s, a, "made", &run, &e), &e);
    assert_string_equal(run.status, "interrupted");
    assert_true(run.finished_ns > run.started_ns);
    struct cell_row *c = cells_of(s, a, run.id, 4);
    assert_string_equal(c[1].status, "done");
    assert_string_equal(c[2].status, "interrupted");
    assert_non_null(strstr(c[2].reason, "ended"));
    assert_string_equal(c[3].status, "planned");
    assert_int_equal(c[2].measured_ns, 2000000000);
    struct hist *h;
    must(store_hist(s, a, c[2].id, DIR_ALL, &h, &e), &e);
    assert_non_null(h);
    struct result_row *r;
    size_t n;
    must(store_results(s, a, run.id, &r, &n, &e), &e);
    const struct result_row *all = &r[n - 2];
    assert_int_equal(all->cell, c[2].id);
    assert_int_equal(all->direction, DIR_ALL);
    assert_int_equal(all->ios, h->m.n);
    assert_close(all->lat_mean_ns, moments_mean(&h->m), 1e-15);
    assert_close(all->iops, (double)h->m.n / 2, 1e-15);
    arena_free(a);
    store_close(s);
}

static int resume(struct store *s, const struct made_options *o, struct error *e)
{
    struct sink *sink;
    struct store_sink_options with = { .resume_run = 1 };
    must(store_sink(s, &with, &sink, e), e);
    return made_run(o, sink, e);
}

static void resuming_measures_what_is_missing(void **state)
{
    (void)state;
    const char *path = broken("resume");
    struct store *s = open_store(path, STORE_WRITE);
    struct arena *a = arena_new();
    struct error e;
    struct cell_row *before = cells_of(s, a, 1, 4);
    struct made_options o = { SMALL, .seconds = 4, .first_cell = 2 };
    must(resume(s, &o, &e), &e);
    assert_int_equal(store_sink_run(s), 1);
    assert_string_equal(store_sink_run_name(s), "made");
    struct cell_row *after = cells_of(s, a, 1, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(after[i].status, "done");
    assert_int_equal(after[0].id, before[0].id);
    assert_int_equal(after[0].attempt, 1);
    assert_int_not_equal(after[2].id, before[2].id); /* the broken attempt stays, aside */
    assert_int_equal(after[2].attempt, 2);
    assert_int_equal(after[3].id, before[3].id); /* planned, now measured */
    assert_int_equal(after[3].attempt, 1);
    struct hist *h;
    must(store_hist(s, a, before[2].id, DIR_ALL, &h, &e), &e);
    assert_non_null(h);
    struct result_row *r;
    size_t n;
    must(store_results(s, a, 1, &r, &n, &e), &e);
    assert_int_equal(n, 4 * 3);
    struct run_row *runs;
    must(store_runs(s, a, &runs, &n, &e), &e);
    assert_int_equal(n, 1);
    assert_string_equal(runs[0].status, "done");
    assert_int_equal(runs[0].n_done, 4);
    arena_free(a);
    store_close(s);
}

static void what_is_done_is_not_measured_again(void **state)
{
    (void)state;
    struct store *s = open_store(broken("resume-done"), STORE_WRITE);
    struct error e;
    struct made_options o = { SMALL, .seconds = 4, .first_cell = 1 };
    fails_with(resume(s, &o, &e), &e, QD_E_FAIL, "cell 1");
    store_close(s);
}

static void resuming_something_else_is_refused(void **state)
{
    (void)state;
    struct store *s = open_store(broken("resume-other"), STORE_WRITE);
    struct error e;
    struct sink *sink;
    struct made_options more = { SMALL, .seconds = 4, .first_cell = 2 };
    more.n_targets = 3;
    fails_with(resume(s, &more, &e), &e, QD_E_USAGE, "target 3");
    store_close(s);
    struct made_options import = { SMALL, .import = true };
    s = open_store(make_store("resume-import", &import), STORE_WRITE);
    fails_with(resume(s, &more, &e), &e, QD_E_USAGE, "import");
    struct store_sink_options none = { .resume_run = 7 };
    must(store_sink(s, &none, &sink, &e), &e);
    fails_with(made_run(&more, sink, &e), &e, QD_E_NOTFOUND, "no such run");
    store_close(s);
}

/* The caller may be wrong about the configuration. */
static void another_configuration_is_refused(void **state)
{
    (void)state;
    struct store *s = open_store(broken("resume-config"), STORE_WRITE);
    struct error e;
    struct sink *sink;
    struct store_sink_options with = { .resume_run = 1 };
    struct run_record r = { .name = "made", .version = "0.0-made", .config_hash = "other" };
    must(store_sink(s, &with, &sink, &e), &e);
    fails_with(sink_run_begin(sink, &r, &e), &e, QD_E_USAGE, "configuration");
    must(store_sink(s, &with, &sink, &e), &e);
    r.config_hash = "made";
    r.engine_version = "2";
    fails_with(sink_run_begin(sink, &r, &e), &e, QD_E_USAGE, "engine version");
    assert_int_equal(store_sink_run(s), 0);
    store_close(s);
}

static void one_sink_at_a_time(void **state)
{
    (void)state;
    const char *path = fresh("one-sink");
    struct store *s = open_store(path, STORE_WRITE);
    struct error e;
    struct sink *first, *second;
    must(store_sink(s, NULL, &first, &e), &e);
    struct run_record r = { .name = "a", .started_ns = 1 };
    must(sink_run_begin(first, &r, &e), &e);
    fails_with(store_sink(s, NULL, &second, &e), &e, QD_E_FAIL, "being written");
    struct run_end end = { .status = CELL_DONE, .finished_ns = 2 };
    must(sink_run_end(first, &end, &e), &e);
    must(store_sink(s, NULL, &second, &e), &e);
    assert_int_equal(store_sink_run(s), 0);
    store_close(s);
    s = open_store(path, STORE_READ);
    fails_with(store_sink(s, NULL, &second, &e), &e, QD_E_FAIL, "reading");
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_is_kept_with_its_reason),
        cmocka_unit_test(an_import_keeps_what_it_knows),
        cmocka_unit_test(one_direction_is_all),
        cmocka_unit_test(an_unfinished_run_is_interrupted_with_its_seconds),
        cmocka_unit_test(resuming_measures_what_is_missing),
        cmocka_unit_test(what_is_done_is_not_measured_again),
        cmocka_unit_test(resuming_something_else_is_refused),
        cmocka_unit_test(another_configuration_is_refused),
        cmocka_unit_test(one_sink_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
