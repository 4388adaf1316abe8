#include "help.h"
#include "report/findings.h"
#include "report/summary.h"

/* Made stores with known right sentences: what is found, and in which words. */

static const char *const three[] = { "Alpha", "Beta", "Gamma" };
static const struct access_line read_4k[] = { { 10000, 4096, 10000, 10000, .burst = 1 } };
static const struct workload small = { "rand", "4 KiB random read", read_4k, 1 };

struct found {
    struct store *s;
    struct arena *a;
    struct report_data d;
    const struct point_standing *st;
};

static struct found find(const char *name, const struct given_run *g,
                         const struct report_options *o)
{
    struct found f = { .s = given_store(name, g), .a = arena_new() };
    f.d = load(f.s, f.a, o);
    f.st = standing_make(f.a, &f.d);
    return f;
}

static void done(struct found *f)
{
    arena_free(f->a);
    store_close(f->s);
}

static struct given_run run_of(const struct given_cell *cells, uint32_t n)
{
    return (struct given_run) { .names = three,
                                .n_targets = 3,
                                .workloads = &small,
                                .n_workloads = 1,
                                .cells = cells,
                                .n_cells = n };
}

#define CELL(t, q, ...)                                                                            \
    {                                                                                              \
        .target = t, .queue_depth = q, .iops = { __VA_ARGS__ }                                     \
    }

/* One point, one row: the cells, what is found, and the sentence. */
static void sentences_of_points(void **state)
{
    (void)state;
    static const struct {
        struct given_cell cells[3];
        uint32_t n, repeat;
        enum finding_kind kind;
        const char *words;
    } rows[] = {
        { { CELL(0, 4, 8000), CELL(1, 4, 2000), CELL(2, 4, 1000) },
          3,
          1,
          FINDING_AHEAD,
          "In this run Alpha is ahead: 8,000\u00a0IOPS, 4.00 times [3.48, 4.60] those of Beta; "
          "0.500\u00a0ms on average against 2.00 and 4.00\u00a0ms." },
        /* the order of the targets is no order of merit */
        { { CELL(0, 4, 1000), CELL(1, 4, 8000), CELL(2, 4, 2000) },
          3,
          1,
          FINDING_AHEAD,
          "In this run Beta is ahead: 8,000\u00a0IOPS, 4.00 times [3.48, 4.60] those of Gamma; "
          "0.500\u00a0ms on average against 2.00 and 4.00\u00a0ms." },
        /* 20 % with one run each and 5 % assumed: told as a percentage */
        { { CELL(0, 4, 1200), CELL(1, 4, 1000) },
          2,
          1,
          FINDING_AHEAD,
          "In this run Alpha is ahead: 1,200\u00a0IOPS, 20\u00a0% [4, 38] more than Beta; "
          "3.33\u00a0ms "
          "on average against 4.00\u00a0ms. Gamma was not measured here." },
        /* the same 20 % of a single run is no clear difference at 10 % */
        { { CELL(0, 4, 1100), CELL(1, 4, 1000), CELL(2, 4, 300) },
          3,
          1,
          FINDING_UNCLEAR,
          "In this run there is no clear difference between Alpha and Beta: 1,100 against "
          "1,000\u00a0IOPS, +10\u00a0% [−5, +27]. Gamma reaches 300." },
        { { CELL(0, 4, 1040), CELL(1, 4, 1000), CELL(2, 4, 1020) },
          3,
          1,
          FINDING_UNCLEAR_MANY,
          "In this run there is no clear difference between Alpha, Gamma and Beta: 1,040, 1,020 "
          "and "
          "1,000\u00a0IOPS." },
        { { CELL(0, 4, 8000) },
          1,
          1,
          FINDING_ALONE,
          "Alpha reaches 8,000\u00a0IOPS at 0.500\u00a0ms on average. Beta and Gamma were not "
          "measured here." },
        /* repeats allow general words, and 10 % that no chance explains */
        { { CELL(0, 4, 1100, 1101, 1099), CELL(1, 4, 1000, 1001, 999) },
          2,
          3,
          FINDING_AHEAD,
          "Alpha is ahead: 1,100\u00a0IOPS, 10\u00a0% [9, 11] more than Beta; 3.64\u00a0ms on "
          "average against 4.01\u00a0ms. Gamma was not measured here." },
        /* equal beyond doubt is another finding than "the data cannot tell" */
        { { CELL(0, 4, 1001, 1002, 1000), CELL(1, 4, 1000, 1001, 999) },
          2,
          3,
          FINDING_SAME,
          "There is no practical difference (within ±3\u00a0%) between Alpha and Beta: 1,000 "
          "against "
          "1,000\u00a0IOPS, +0.1\u00a0% [−0.2, +0.4]. Gamma was not measured here." },
        /* means 1133.3 and 1016.7, relative standard errors 7.8 and 7.1 %, 3.97 degrees of freedom */
        { { CELL(0, 4, 1000, 1300, 1100), CELL(1, 4, 1000, 900, 1150) },
          2,
          3,
          FINDING_UNCLEAR,
          "There is no clear difference between Alpha and Beta: 1,100 against 1,000\u00a0IOPS, "
          "+11\u00a0% [−17, +50]. Gamma was not measured here." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct given_run g = run_of(rows[i].cells, rows[i].n);
        g.repeat = rows[i].repeat;
        g.noise = 1e-9;
        struct found f = find("findings-point", &g, &(struct report_options) { 0 });
        f.d.lat_unit = 1e6;
        f.d.lat_unit_name = "ms";
        struct finding finding = finding_at(f.a, &f.d, &f.st[0], &f.d.points[0]);
        if (finding.kind != rows[i].kind)
            print_error("row %zu\n", i);
        assert_int_equal(finding.kind, rows[i].kind);
        assert_string_equal(finding_words(f.a, &f.d, &finding), rows[i].words);
        done(&f);
    }
}

static void ties_keep_slot_order(void **state)
{
    (void)state;
    const struct given_cell cells[] = { CELL(2, 1, 500), CELL(1, 1, 500), CELL(0, 1, 500) };
    struct given_run g = run_of(cells, 3);
    struct found f = find("findings-ties", &g, &(struct report_options) { 0 });
    const size_t wanted[] = { 0, 1, 2 };
    for (int m = 0; m < METRIC_COUNT; m++) {
        size_t n = 0;
        const size_t *order = best_first(f.a, &f.d, &f.d.points[0], m, &n);
        assert_int_equal(n, 3);
        assert_memory_equal(order, wanted, sizeof wanted);
    }
    struct finding finding = finding_at(f.a, &f.d, &f.st[0], &f.d.points[0]);
    assert_int_equal(finding.kind, FINDING_UNCLEAR_MANY);
    assert_close(finding.c.ratio, 1, 1e-12);
    done(&f);
}

/* The fastest has the least response time: lower is better there. */
static void directions_turn(void **state)
{
    (void)state;
    const struct given_cell cells[] = { CELL(0, 1, 500), CELL(1, 1, 1000), CELL(2, 1, 100) };
    struct given_run g = run_of(cells, 3);
    struct found f = find("findings-turn", &g, &(struct report_options) { 0 });
    const size_t wanted[] = { 1, 0, 2 };
    size_t n = 0;
    assert_memory_equal(best_first(f.a, &f.d, &f.d.points[0], METRIC_IOPS, &n), wanted,
                        sizeof wanted);
    assert_memory_equal(best_first(f.a, &f.d, &f.d.points[0], METRIC_LAT_MEAN, &n), wanted,
                        sizeof wanted);
    struct comparison work = compare_values(&f.d.points[0].spots[1].metric[METRIC_IOPS],
                                            &f.d.points[0].spots[0].metric[METRIC_IOPS],
                                            METRIC_IOPS);
    struct comparison wait = compare_values(&f.d.points[0].spots[1].metric[METRIC_LAT_MEAN],
                                            &f.d.points[0].spots[0].metric[METRIC_LAT_MEAN],
                                            METRIC_LAT_MEAN);
    assert_close(work.ratio, 0.5, 1e-2);
    assert_close(wait.ratio, 0.5, 1e-2); /* turned: less than 1 is worse, whichever the metric */
    assert_int_equal(work.verdict, VERDICT_WORSE);
    assert_int_equal(wait.verdict, VERDICT_WORSE);
    done(&f);
}

static void not_steady_is_not_compared(void **state)
{
    (void)state;
    const struct given_cell cells[] = {
        CELL(0, 1, 1000),
        { .target = 1, .queue_depth = 1, .iops = { 100 }, .unsteady = true },
    };
    struct given_run g = run_of(cells, 2);
    struct found f = find("findings-steady", &g, &(struct report_options) { 0 });
    struct finding finding = finding_at(f.a, &f.d, &f.st[0], &f.d.points[0]);
    assert_int_equal(finding.kind, FINDING_NOT_COMPARABLE);
    assert_string_equal(
        finding_words(f.a, &f.d, &finding),
        "Alpha reaches 1,000\u00a0IOPS, Beta 100\u00a0IOPS; that is no comparison: Beta "
        "was not steady. Gamma was not measured here.");
    assert_int_equal(f.st[0].dut, STANDING_UNKNOWN);
    done(&f);
}

static void forty_targets_are_told_in_one_sentence(void **state)
{
    (void)state;
    static char names[40][16];
    const char *list[40];
    struct given_cell cells[40];
    for (uint32_t i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "T%u", i);
        list[i] = names[i];
        cells[i] = (struct given_cell)CELL(i, 1, 10000.0 / (1 + i));
    }
    struct given_run g = run_of(cells, 40);
    g.names = list;
    g.n_targets = 40;
    g.seconds = 12;
    g.bare = true;
    struct found f = find("findings-forty", &g, &(struct report_options) { 0 });
    struct finding finding = finding_at(f.a, &f.d, &f.st[0], &f.d.points[0]);
    const char *words = finding_words(f.a, &f.d, &finding);
    has_text(words, "T0 is ahead: 9,990\u00a0IOPS, 2.00 times");
    has_text(words, "on average against 0.200 to 4.03\u00a0ms.");
    assert_true(strlen(words) < 200);
    done(&f);
}

/* The seed: ahead from depth 4 up; at depth 1 the other drive cannot be told apart. */
static void seed_verdict(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct found f = find("findings-seed", &g, &(struct report_options) { 0 });
    struct workload_course heavy = workload_course(&f.d, f.st, &f.d.workloads[0]);
    struct workload_course moderate = workload_course(&f.d, f.st, &f.d.workloads[1]);
    assert_int_equal(heavy.course, COURSE_AHEAD_FROM);
    assert_int_equal(f.d.workloads[0].points[heavy.from].queue_depth, 4);
    assert_int_equal(heavy.n_level, 1);
    assert_int_equal(moderate.course, COURSE_AHEAD);
    struct rich verdict = verdict_rich(f.a, &f.d, f.st);
    assert_int_equal(verdict.at[0].style, RUN_STRONG);
    assert_string_equal(verdict.at[0].text,
                        "In this run Pliant LS 300 is ahead of each measured peer at every queue "
                        "depth from 4 up.");
    const char *all = rich_plain(&verdict, f.a);
    has_text(all, "It reaches 26,200\u00a0IOPS in OLTP Heavy Read (8.58×");
    has_text(all, "21,900\u00a0IOPS in OLTP Moderate Read (27.4×");
    has_text(all, "In OLTP Heavy Read, queue depth 1 there is no clear difference to Patriot Torqx "
                  "128 GB (−1.9\u00a0%");
    assert_int_equal(verdict.at[verdict.n - 1].style, RUN_SOFT);
    has_text(
        workload_lead(f.a, &f.d, f.st, &f.d.workloads[0]),
        "It gains 11.4-fold in IOPS from queue depth 1 to 128 and is not saturated there. Over "
        "the same depths: Patriot Torqx 128 GB 1.24× and RAID 10, 12 × 7200 rpm 7.85×.");
    done(&f);
}

/* The same data with another device under test. */
static void seed_verdict_turns_with_the_highlight(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct found f = find("findings-highlight", &g,
                          &(struct report_options) { .highlight = "RAID 10, 12 × 7200 rpm" });
    struct rich verdict = verdict_rich(f.a, &f.d, f.st);
    assert_string_equal(
        verdict.at[0].text,
        "In this run RAID 10, 12 × 7200 rpm is behind the best peer at every point.");
    assert_int_equal(workload_course(&f.d, f.st, &f.d.workloads[1]).n, 4); /* one cell is missing */
    done(&f);
}

static void one_target_has_no_peers(void **state)
{
    (void)state;
    const struct given_cell cells[] = { CELL(0, 1, 1000), CELL(0, 8, 8000), CELL(0, 32, 7000) };
    struct given_run g = run_of(cells, 3);
    g.n_targets = 1;
    struct found f = find("findings-alone", &g, &(struct report_options) { 0 });
    struct rich verdict = verdict_rich(f.a, &f.d, f.st);
    assert_string_equal(rich_plain(&verdict, f.a),
                        "In this run Alpha reaches 8,000\u00a0IOPS in 4 KiB random read.");
    has_text(
        workload_lead(f.a, &f.d, f.st, &f.d.workloads[0]),
        "Alpha gains 7.00-fold in IOPS from queue depth 1 to 32; its peak is at 8, then it loses "
        "12\u00a0%.");
    done(&f);
}

static void nothing_measured_is_said(void **state)
{
    (void)state;
    const struct given_cell cells[] = {
        { .target = 0, .queue_depth = 1, .ends = CELL_FAILED, .reason = "gone" },
    };
    struct given_run g = run_of(cells, 1);
    struct found f = find("findings-nothing", &g, &(struct report_options) { 0 });
    struct rich verdict = verdict_rich(f.a, &f.d, f.st);
    assert_string_equal(rich_plain(&verdict, f.a), "Alpha was not measured.");
    struct finding finding = finding_at(f.a, &f.d, &f.st[0], &f.d.points[0]);
    assert_string_equal(finding_words(f.a, &f.d, &finding), "No target was measured here.");
    done(&f);
}

static const struct workload four[] = {
    { "a", "A", read_4k, 1 },
    { "b", "B", read_4k, 1 },
    { "c", "C", read_4k, 1 },
    { "d", "D", read_4k, 1 },
};
#define AT(t, w, q, v)                                                                             \
    {                                                                                              \
        .target = t, .workload = w, .queue_depth = q, .iops = { v }                                \
    }

/* Workloads whose courses differ are told one by one. */
static void courses_that_differ(void **state)
{
    (void)state;
    const struct given_cell cells[] = {
        AT(0, 0, 1, 1000), AT(1, 0, 1, 100),  AT(0, 0, 8, 1000), AT(1, 0, 8, 100),  /* ahead */
        AT(0, 1, 1, 100),  AT(1, 1, 1, 1000), AT(0, 1, 8, 100),  AT(1, 1, 8, 1000), /* behind */
        AT(0, 2, 1, 1000), AT(1, 2, 1, 1010), AT(0, 2, 8, 1000), AT(1, 2, 8, 990),  /* level */
        AT(0, 3, 1, 1000), AT(1, 3, 1, 100),  AT(0, 3, 8, 100),  AT(1, 3, 8, 1000), /* both */
    };
    struct given_run g = run_of(cells, sizeof cells / sizeof *cells);
    g.workloads = four;
    g.n_workloads = 4;
    g.n_targets = 2;
    struct found f = find("findings-mixed", &g, &(struct report_options) { 0 });
    static const enum course wanted[] = { COURSE_AHEAD, COURSE_BEHIND, COURSE_UNCLEAR,
                                          COURSE_MIXED };
    for (size_t w = 0; w < 4; w++)
        assert_int_equal(workload_course(&f.d, f.st, &f.d.workloads[w]).course, wanted[w]);
    struct rich verdict = verdict_rich(f.a, &f.d, f.st);
    assert_string_equal(verdict.at[0].text,
                        "In this run Alpha is ahead of each measured peer in A, is ahead at some "
                        "points only in D, is behind in B and shows no clear difference in C.");
    has_text(rich_plain(&verdict, f.a),
             "Of 8 points it is ahead at 3, behind at 3 and without a clear difference at 2.");
    has_text(workload_lead(f.a, &f.d, f.st, &f.d.workloads[3]),
             "In this run Alpha is ahead of each measured peer at queue depth 1 and is behind at "
             "queue depth 8.");
    done(&f);
}

/* Words the house style forbids (tokens.md §6). */
static void no_loud_words(void **state)
{
    (void)state;
    static const char *const loud[] = { "winner", "wins", "crush", "blazing", "!" };
    struct given_run g = given_seed();
    struct found f = find("findings-loud", &g, &(struct report_options) { 0 });
    for (size_t p = 0; p < f.d.n_points; p++) {
        struct finding finding = finding_at(f.a, &f.d, &f.st[p], &f.d.points[p]);
        for (size_t i = 0; i < sizeof loud / sizeof *loud; i++)
            has_no_text(finding_words(f.a, &f.d, &finding), loud[i]);
    }
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_of_points),
        cmocka_unit_test(ties_keep_slot_order),
        cmocka_unit_test(directions_turn),
        cmocka_unit_test(not_steady_is_not_compared),
        cmocka_unit_test(forty_targets_are_told_in_one_sentence),
        cmocka_unit_test(seed_verdict),
        cmocka_unit_test(seed_verdict_turns_with_the_highlight),
        cmocka_unit_test(one_target_has_no_peers),
        cmocka_unit_test(nothing_measured_is_said),
        cmocka_unit_test(courses_that_differ),
        cmocka_unit_test(no_loud_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
