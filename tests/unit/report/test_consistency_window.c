/* --last, --since, --until, and what figures over time make of runs that are short, cut, stalled, or have holes. */
#include "help.h"

#include "long_run.h"
#include "report/detail.h"
#include "report/findings_even.h"
#include "report/limits.h"
#include "report/tables_time.h"
#include "report/window.h"

static struct store *long_store(const char *name, const struct long_run *l)
{
    struct store *s = new_store(name);
    struct sink *sink = NULL;
    struct error e;
    must(store_sink(s, NULL, &sink, &e), &e);
    must(long_run(l, sink, &e), &e);
    return s;
}

static const char *write_page(struct store *s, struct arena *a, const struct report_options *given,
                              const char *name)
{
    struct error e;
    struct report_files files;
    struct report_options o = *given;
    o.out_dir = new_folder(name);
    o.formats = FORMAT_HTML | FORMAT_PDF;
    must(report_write(s, a, &o, &files, &e), &e);
    return read_all(a, o.out_dir, "index.html");
}

/* --- options ------------------------------------------------------------------------------------------------------- */

static void what_cannot_be_meant_is_refused(void **state)
{
    (void)state;
    struct error e;
    fails_with(window_check(&(struct report_options) { .last_ns = 1, .since_ns = 1 }, &e), &e,
               QD_E_USAGE, "--last goes with neither");
    fails_with(window_check(&(struct report_options) { .last_ns = 1, .until_ns = 1 }, &e), &e,
               QD_E_USAGE, "--last goes with neither");
    fails_with(
        window_check(&(struct report_options) { .since_ns = 60000000000, .until_ns = 60000000000 },
                     &e),
        &e, QD_E_USAGE, "--since 1\u00a0min is not before --until 1\u00a0min");
    must(window_check(&(struct report_options) { .since_ns = 1, .until_ns = 2 }, &e), &e);
    must(window_check(&(struct report_options) { 0 }, &e), &e);
}

static void windows_are_cut_to_the_cell(void **state)
{
    (void)state;
    const struct {
        struct report_options o;
        uint64_t end;
        int64_t from, to;
    } cases[] = {
        { { .last_ns = 60 }, 100, 40, 100 },
        { { .last_ns = 60 }, 50, 0, 50 },
        { { .since_ns = 30 }, 100, 30, 100 },
        { { .since_ns = 130 }, 100, 100, 100 },
        { { .until_ns = 30 }, 100, 0, 30 },
        { { .until_ns = 300 }, 100, 0, 100 },
        { { .since_ns = 20, .until_ns = 30 }, 25, 20, 25 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct time_range r = window_of(&cases[i].o, cases[i].end);
        assert_int_equal(r.from_ns, cases[i].from);
        assert_int_equal(r.to_ns, cases[i].to);
    }
}

static void words_are_what_was_asked(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const uint64_t s = 1000000000;
    struct report_options last = { .last_ns = 60 * s },
                          both = { .since_ns = 90 * s, .until_ns = 7200 * s };
    assert_string_equal(window_words(a, &last), "the last 60 seconds");
    assert_string_equal(window_options(a, &last), " --last 1m");
    assert_string_equal(window_words(a, &both), "the time from 1\u00a0min 30\u00a0s to 2\u00a0h");
    assert_string_equal(window_options(a, &both), " --since 90s --until 2h");
    assert_string_equal(window_options(a, &(struct report_options) { 0 }), "");
    last.last_ns = 3600 * s;
    assert_string_equal(window_words(a, &last), "the last 60 minutes");
    arena_free(a);
}

/* --- exact --------------------------------------------------------------------------------------------------------- */

static const uint32_t depth[] = { 4 };
static const struct made_options mixed = {
    .n_targets = 2, .n_workloads = 1, .queue_depths = depth, .n_queue_depths = 1, .seconds = 8
};

struct adding {
    struct hist sum;
    int64_t from, to;
    uint64_t bytes;
};

static int add_whole(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    struct adding *x = ctx;
    for (int d = 0; d < DIR_COUNT; d++) {
        if (i->t_ns < x->from || i->t_ns >= x->to || !i->dir[d].hist)
            continue;
        hist_merge(&x->sum, i->dir[d].hist);
        x->bytes += i->dir[d].bytes;
    }
    return 0;
}

/* Every number of the window is that of a histogram merged the slow way. */
static void numbers_are_those_of_the_records(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct store *s = new_store("window-exact");
    put_made(s, &mixed);
    const struct report_options o = { .since_ns = 2000000000, .until_ns = 7000000000 };
    struct report_data d = load(s, a, &o);
    assert_string_equal(d.window, "the time from 2\u00a0s to 7\u00a0s");
    for (size_t i = 0; i < d.n_subjects; i++) {
        const struct spot *spot = &d.points[0].spots[i];
        static struct adding x;
        struct error e;
        x = (struct adding) { .from = 2000000000, .to = 7000000000 };
        hist_clear(&x.sum);
        must(store_intervals(s, spot->cell->id, true, add_whole, &x, &e), &e);
        assert_int_equal(spot->ios, x.sum.m.n);
        assert_close(spot->seconds, 5, 0);
        assert_close(spot->metric[METRIC_IOPS].value, (double)x.sum.m.n / 5, 1e-12);
        assert_close(spot->metric[METRIC_MB_S].value, (double)x.bytes / 5e6, 1e-12);
        assert_close(spot->metric[METRIC_LAT_MEAN].value, moments_mean(&x.sum.m), 1e-12);
        assert_close(spot->sigma, moments_deviation(&x.sum.m), 1e-12);
        assert_close(spot->max, (double)x.sum.m.max, 0);
        assert_close(spot->percentile[P99],
                     (double)hist_percentile(&x.sum, (struct fraction) { 99, 100 }), 0);
        for (size_t k = 0; k < d.n_results; k++)
            if (d.results[k].cell == spot->cell->id && d.results[k].direction == DIR_ALL)
                assert_int_equal(d.results[k].ios, x.sum.m.n);
    }
    store_close(s);
    arena_free(a);
}

/* The window of the whole time changes no number. */
static void the_whole_time_is_the_result(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct store *s = new_store("window-whole");
    put_made(s, &mixed);
    struct report_data plain = load(s, a, &(struct report_options) { 0 });
    struct report_data cut = load(s, a, &(struct report_options) { .last_ns = 3600000000000 });
    assert_null(plain.window);
    for (size_t i = 0; i < plain.n_subjects; i++) {
        const struct spot *x = &plain.points[0].spots[i], *y = &cut.points[0].spots[i];
        assert_int_equal(x->ios, y->ios);
        for (int m = 0; m < METRIC_COUNT; m++)
            assert_close(x->metric[m].value, y->metric[m].value, 1e-12);
        for (int p = 0; p < PERCENTILE_COUNT; p++)
            assert_true(x->percentile[p] == y->percentile[p] ||
                        (isnan(x->percentile[p]) && isnan(y->percentile[p])));
    }
    store_close(s);
    arena_free(a);
}

static void a_window_behind_the_end_is_a_gap(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct store *s = new_store("window-empty");
    put_made(s, &mixed);
    struct report_data d = load(s, a, &(struct report_options) { .since_ns = 3600000000000 });
    assert_string_equal(d.points[0].spots[0].missing, "it has no records in the window");
    assert_nan(d.points[0].spots[0].metric[METRIC_IOPS].value);
    const char *page = write_page(s, a, &(struct report_options) { .since_ns = 3600000000000 },
                                  "window-empty");
    has_text(page, "it has no records in the window");
    store_close(s);
    arena_free(a);
}

/* --- pages --------------------------------------------------------------------------------------------------------- */

static void the_page_says_which_window(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct long_run l = { .n_targets = 2, .seconds = 180, .samples = 300, .second = long_shape };
    l.ctx = &l;
    struct store *s = long_store("window-page", &l);
    const char *page = write_page(s, a, &(struct report_options) { .last_ns = 60000000000 },
                                  "window-page");
    has_text(page, "numbers are of the last 60 seconds of each cell");
    has_text(page, "qdepth report long --last 1m");
    has_text(page, "Minutes since the start");
    has_text(page, "Seconds into the last 60 seconds");
    page = write_page(s, a, &(struct report_options) { 0 }, "window-auto");
    has_no_text(page, "numbers are of");
    has_text(page, "The last 60 seconds"); /* a third of 180 */
    store_close(s);
    arena_free(a);
}

static void give_nothing(void *ctx, uint32_t target, int64_t second, struct hist *h)
{
    (void)ctx;
    if (target == 0)
        long_add(h, 1000000 + (uint64_t)second * 2654435761 % 97, 1000);
}

static void odd_runs_have_pages(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct long_run l;
        const char *text;
    } runs[] = {
        { "odd-one", { .n_targets = 1, .seconds = 1 }, "Response time over the run" },
        { "odd-two", { .n_targets = 1, .seconds = 2 }, "n = 2" },
        { "odd-cut",
          { .n_targets = 3, .seconds = 300, .cut_target = 1, .cut = 100 },
          "interrupted after 1\u00a0min 40\u00a0s" },
        { "odd-gap", { .n_targets = 3, .seconds = 300, .gap_from = 100, .gap = 60 }, "n = 240" },
        { "odd-bare", { .n_targets = 1, .seconds = 90, .bare = true }, "The last 30 seconds" },
        { "odd-ten", { .n_targets = 10, .seconds = 60, .samples = 50 }, "Target 10" },
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct long_run l = runs[i].l;
        l.second = long_shape;
        l.ctx = &l;
        struct store *s = long_store(runs[i].name, &l);
        has_text(write_page(s, a, &(struct report_options) { 0 }, runs[i].name), runs[i].text);
        store_close(s);
    }
    struct long_run l = { .n_targets = 2, .seconds = 60, .second = give_nothing };
    struct store *s = long_store("odd-stalled", &l);
    const char *page = write_page(s, a, &(struct report_options) { 0 }, "odd-stalled");
    has_text(page, "60 on Beta SSD");
    has_text(page, "Beta SSD has 60 stalled seconds");
    store_close(s);
    arena_free(a);
}

/* --- limits -------------------------------------------------------------------------------------------------------- */

static void limits_are_read(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct limit *limits;
    assert_int_equal(limits_of_rate(a, "90% 400MB/s 2.5IOPS", &limits), 3);
    assert_close(limit_value(&limits[0], RATE_OF_MB, 200), 180, 1e-12);
    assert_close(limit_value(&limits[1], RATE_OF_MB, 200), 400, 0);
    assert_nan(limit_value(&limits[1], RATE_OF_IOS, 200));
    assert_close(limit_value(&limits[2], RATE_OF_IOS, 200), 2.5, 0);
    assert_string_equal(limits[1].text, "400\u00a0MB/s");
    assert_int_equal(limits_of_rate(a, NULL, &limits), 0);
    double *times;
    assert_int_equal(limits_of_time(a, "0.52ms 500us 1s", &times), 3);
    assert_close(times[0], 500000, 0);
    assert_close(times[1], 520000, 0);
    assert_close(times[2], 1e9, 0);
    arena_free(a);
}

static void drops_are_stretches(void **state)
{
    (void)state;
    static const double mb[] = { 100, 40, 40, 100, 100, 49, 100, 50, 10 };
    struct second_row rows[9];
    for (size_t i = 0; i < 9; i++)
        rows[i] = (struct second_row) {
            .start = (double)i / 2, .length = 0.5, .bytes = mb[i] * 5e5, .ios = 1, .lat_n = 1
        };
    const struct seconds s = { rows, 9, 0.5 };
    struct drops x = drops_of(&s, RATE_OF_MB, 50);
    assert_int_equal(x.n, 3);
    assert_int_equal(x.n_records, 4);
    assert_close(x.seconds, 2, 1e-12);
    assert_close(x.longest, 1, 1e-12);
    assert_close(x.first, 0.5, 1e-12);
    x = drops_of(&s, RATE_OF_MB, 5);
    assert_int_equal(x.n, 0);
    assert_nan(x.first);
    struct rates r = rates_of(&s, RATE_OF_MB);
    assert_close(r.median, 50, 1e-12);
    assert_close(r.least, 10, 1e-12);
    assert_close(r.mean, 589.0 / 9, 1e-12);
}

static void bad_limits_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "<table kind=\"shares\" thresholds=\"0.5\"/>",
        "<table kind=\"shares\" thresholds=\"\"/>",
        "<table kind=\"drops\" below=\"90\"/>",
        "<figure kind=\"rate\" below=\"-5%\"/>",
        "<figure kind=\"nosuch\"/>",
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *text = arena_printf(
            a,
            "<report xmlns=\"urn:qdepth:report:1\" name=\"t\"><for-each select=\"workload\">"
            "<section id=\"a\" title=\"b\"><for-each select=\"queue-depth\">%s</for-each></section>"
            "</for-each></report>",
            bad[i]);
        struct template t;
        struct error e;
        assert_int_equal(template_parse(a, "t.xml", text, strlen(text), &t, &e), -1);
        assert_int_equal(e.code, QD_E_FORMAT);
    }
    arena_free(a);
}

/* --- series -------------------------------------------------------------------------------------------------------- */

/* Neighbours are summed up in a long run: the mean stays exact, and so does what is printed of it. */
static void long_runs_keep_their_mean(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct long_run l = { .n_targets = 1, .seconds = 3 * SERIES_MOST + 1, .second = give_nothing };
    struct store *s = long_store("window-long", &l);
    struct report_data d = load(s, a, &(struct report_options) { 0 });
    const struct value *iops = &d.points[0].spots[0].metric[METRIC_IOPS];
    const struct value *lat = &d.points[0].spots[0].metric[METRIC_LAT_MEAN];
    assert_true(iops->within.n <= SERIES_MOST && iops->within.n > SERIES_MOST / 2);
    assert_close(iops->within.mean, 1000, 1e-12);
    assert_close(iops->within.half, 0, 1e-9);
    assert_close(lat->within.mean, lat->value, 1e-12);
    assert_true(isfinite(lat->within.half));
    assert_int_equal(d.points[0].spots[0].in_time->n, 3 * SERIES_MOST + 1);
    store_close(s);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_meant_is_refused),
        cmocka_unit_test(windows_are_cut_to_the_cell),
        cmocka_unit_test(words_are_what_was_asked),
        cmocka_unit_test(numbers_are_those_of_the_records),
        cmocka_unit_test(the_whole_time_is_the_result),
        cmocka_unit_test(a_window_behind_the_end_is_a_gap),
        cmocka_unit_test(the_page_says_which_window),
        cmocka_unit_test(odd_runs_have_pages),
        cmocka_unit_test(limits_are_read),
        cmocka_unit_test(drops_are_stretches),
        cmocka_unit_test(bad_limits_are_refused),
        cmocka_unit_test(long_runs_keep_their_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
