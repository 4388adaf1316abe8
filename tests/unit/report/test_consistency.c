/* seeds/001 from stored seconds: a store whose truth is known must give its printed statements to the last digit, and show that
 * the variance printed there cannot be right. The truth is computed here again, from integers, on another way. */
#include "help.h"

#include "base/embed.h"
#include "long_run.h"
#include "report/evenness.h"
#include "report/window.h"
#include "stats/moment.h"

enum { SECONDS = 90000, HOUR = 3600, IOS = 66000 };

/* One controller of the review: how many of its points lie below 0.5, 0.52 and 0.55 ms, and how far the points are spread. */
struct controller {
    const char *name;
    uint32_t below_500, below_520, below_550;
    uint64_t low_ns; /* the fastest second; chosen so that σ is the review's */
};

/* SAS 9300-8e: none at or above 0.55 ms, 99.97 % below 0.52 ms, 95 % below 0.5 ms. SAS 9207-8i: 99.98, 99.88 and 92.7 %. */
static const struct controller controllers[] = {
    { "SAS 9300-8e", 85500, 89973, 90000, 451262 },
    { "SAS 9207-8i", 83430, 89892, 89982, 458660 },
};

/* Points below each limit are spread evenly from the one before; the order is mixed by a stride that is coprime to n. */
static uint64_t second_ns(const struct controller *c, uint32_t second)
{
    uint64_t k = (uint64_t)second * 49999 % SECONDS;
    const uint64_t edges[] = { c->low_ns, 500000, 520000, 550000, 560000 };
    const uint32_t counts[] = { 0, c->below_500, c->below_520, c->below_550, SECONDS };
    int i = 0;
    while (k >= counts[i + 1])
        i++;
    uint64_t n = counts[i + 1] - counts[i];
    return edges[i] + (edges[i + 1] - edges[i]) * (k - counts[i]) / n;
}

static void give_second(void *ctx, uint32_t target, int64_t second, struct hist *h)
{
    (void)ctx;
    long_add(h, second_ns(&controllers[target], (uint32_t)second), IOS);
}

/* σ² of the points from..SECONDS by exact integers. */
static double true_variance(const struct controller *c, uint32_t from)
{
    __int128 sum = 0, squares = 0, n = SECONDS - from;
    for (uint32_t s = from; s < SECONDS; s++) {
        __int128 v = (__int128)second_ns(c, s);
        sum += v;
        squares += v * v;
    }
    return (double)(n * squares - sum * sum) / (double)(n * (n - 1));
}

static struct store *seed_store(void)
{
    static const char *const names[] = { "SAS 9300-8e", "SAS 9207-8i" };
    struct store *s = new_store("seed-001");
    struct sink *sink = NULL;
    struct error e;
    const struct long_run l = {
        .n_targets = 2, .names = names, .seconds = SECONDS, .second = give_second, .bare = true
    };
    must(store_sink(s, NULL, &sink, &e), &e);
    must(long_run(&l, sink, &e), &e);
    return s;
}

static struct store *store_of_tests;

static int setup(void **state)
{
    (void)state;
    store_of_tests = seed_store();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    store_close(store_of_tests);
    return 0;
}

static struct evenness evenness_of_cell(struct arena *a, int64_t cell)
{
    struct seconds s;
    struct error e;
    must(seconds_load(store_of_tests, a, cell, &s, &e), &e);
    return evenness_of(a, &s);
}

/* --- the numbers --------------------------------------------------------------------------------------------------- */

static const char *share(const struct evenness *e, double ns)
{
    static struct text t[8];
    static int at;
    struct text *p = &t[at++ % 8];
    *p = fmt_share(evenness_below(e, ns), e->n);
    return p->s;
}

static void shares_are_the_reviews(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct evenness x = evenness_of_cell(a, 1), y = evenness_of_cell(a, 2);
    assert_int_equal(x.n, SECONDS);
    assert_int_equal(x.n_empty, 0);
    assert_string_equal(share(&x, 550000), "100\u00a0%");
    assert_string_equal(share(&x, 520000), "99.970\u00a0%");
    assert_string_equal(share(&x, 500000), "95.000\u00a0%");
    assert_string_equal(share(&y, 550000), "99.980\u00a0%");
    assert_string_equal(share(&y, 520000), "99.880\u00a0%");
    assert_string_equal(share(&y, 500000), "92.700\u00a0%");
    /* strictly: a point on the threshold is not below it */
    assert_int_equal(evenness_below(&x, x.least), 0);
    arena_free(a);
}

static void deviations_are_the_reviews(void **state)
{
    (void)state;
    static const struct {
        const char *deviation, *variance;
    } printed[] = { { "0.0157", "0.000246" }, { "0.0142", "0.000201" } };
    struct arena *a = arena_new();
    for (int i = 0; i < 2; i++) {
        struct evenness e = evenness_of_cell(a, i + 1);
        double truth = true_variance(&controllers[i], 0);
        assert_close(e.variance, truth, 1e-9);
        assert_close(e.deviation, sqrt(truth), 1e-9);
        const struct text deviation = fmt_sig(e.deviation / 1e6, 3);
        const struct text variance = fmt_sig(e.variance / 1e12, 3);
        assert_string_equal(deviation.s, printed[i].deviation);
        assert_true(variance_agrees(deviation.s, variance.s));
        if (i == 0) {
            /* the review prints 0.00246: ten times too much */
            assert_false(variance_agrees("0.0157", "0.00246"));
            assert_false(variance_agrees(deviation.s, "0.00246"));
            assert_true(variance_agrees("0.0157", printed[i].variance));
        } else {
            assert_true(variance_agrees("0.0142", "0.000201")); /* its other pair is right */
        }
    }
    arena_free(a);
}

/* With 3,600 points a share of 99.98 % does not exist: the review's numbers are of all 90,000. */
static void an_hour_cannot_show_the_reviews_shares(void **state)
{
    (void)state;
    for (uint64_t k = HOUR - 3; k <= HOUR; k++)
        assert_string_not_equal(fmt_share(k, HOUR).s, "99.98\u00a0%");
    assert_string_equal(fmt_share(89982, SECONDS).s, "99.980\u00a0%");
    assert_string_equal(fmt_share(3599, HOUR).s, "99.97\u00a0%");
    assert_string_equal(fmt_share(3420, HOUR).s, "95.00\u00a0%");
}

static void the_window_is_of_its_seconds(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct seconds s;
    struct error e;
    must(seconds_load(store_of_tests, a, 1, &s, &e), &e);
    const struct report_options o = { .last_ns = (uint64_t)HOUR * 1000000000 };
    struct time_range range = window_of(&o, (uint64_t)SECONDS * 1000000000);
    struct seconds part = seconds_in(&s, &range);
    struct evenness x = evenness_of(a, &part);
    assert_int_equal(x.n, HOUR);
    assert_close(x.variance, true_variance(&controllers[0], SECONDS - HOUR), 1e-9);
    size_t below = 0;
    for (uint32_t k = SECONDS - HOUR; k < SECONDS; k++)
        below += second_ns(&controllers[0], k) < 500000;
    assert_int_equal(evenness_below(&x, 500000), below);
    arena_free(a);
}

/* --- the page ------------------------------------------------------------------------------------------------------ */

/* The shipped template with the review's thresholds and unit. */
static const char *seed_template(struct arena *a, const char *dir)
{
    struct error e;
    const struct embed_row *row = embed_find("templates/report/consistency.xml");
    assert_non_null(row);
    char *text = arena_strndup(a, (const char *)row->at, (size_t)(row->end - row->at));
    static const struct {
        const char *from, *to;
    } changes[] = {
        { "kicker=\"Performance consistency\"", "kicker=\"Seed\" time-unit=\"ms\"" },
        { "<table kind=\"shares\"/>",
          "<table kind=\"shares\" thresholds=\"500us 0.52ms 0.55ms\"/>" },
    };
    for (size_t i = 0; i < 2; i++) {
        char *at = strstr(text, changes[i].from);
        assert_non_null(at);
        text = arena_printf(a, "%.*s%s%s", (int)(at - text), text, changes[i].to,
                            at + strlen(changes[i].from));
    }
    const char *path = arena_printf(a, "%s.xml", dir);
    must(file_write(path, text, strlen(text), &e), &e);
    return path;
}

static void the_page_says_it(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *dir = new_folder("seed-001");
    struct error e;
    struct report_files files;
    const struct report_options o = { .template_name = seed_template(a, dir),
                                      .out_dir = dir,
                                      .formats = FORMAT_HTML };
    must(report_write(store_of_tests, a, &o, &files, &e), &e);
    const char *page = read_all(a, dir, "index.html");
    static const char *const parts[] = {
        "99.970\u00a0%",
        "95.000\u00a0%",
        "99.980\u00a0%",
        "99.880\u00a0%",
        "92.700\u00a0%",
        "&lt;\u00a00.5\u00a0ms",
        "&lt;\u00a00.52\u00a0ms",
        "&lt;\u00a00.55\u00a0ms",
        "0.0157",
        "0.000246",
        "0.0142",
        "ms²",
        "stated in the template",
        "90,000",
        "The last 60 minutes",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        has_text(page, parts[i]);
    has_no_text(page, "0.00246<");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_the_reviews),
        cmocka_unit_test(deviations_are_the_reviews),
        cmocka_unit_test(an_hour_cannot_show_the_reviews_shares),
        cmocka_unit_test(the_window_is_of_its_seconds),
        cmocka_unit_test(the_page_says_it),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
