#include "help.h"
#include "report/checks.h"

/* The warnings of a report: which condition raises which, and what is said instead when it does not hold. */

static const char *const two[] = { "Alpha", "Beta" };
static const struct access_line read_4k[] = { { 10000, 4096, 10000, 10000, .burst = 1 } };
static const struct workload small = { "rand", "4 KiB random read", read_4k, 1 };

static struct given_run run_of(const struct given_cell *cells, uint32_t n)
{
    return (struct given_run) { .names = two,
                                .n_targets = 2,
                                .workloads = &small,
                                .n_workloads = 1,
                                .cells = cells,
                                .n_cells = n };
}

struct checked {
    struct store *s;
    struct arena *a;
    struct report_data d;
    struct checks c;
};

static struct checked check(const char *name, const struct given_run *g)
{
    struct checked k = { .s = given_store(name, g), .a = arena_new() };
    k.d = load(k.s, k.a, &(struct report_options) { 0 });
    k.c = checks_make(k.a, &k.d);
    return k;
}

static void done(struct checked *k)
{
    arena_free(k->a);
    store_close(k->s);
}

static const struct warning *warning_with(const struct checks *c, const char *what)
{
    for (size_t i = 0; i < c->n_warnings; i++)
        if (strstr(c->warnings[i].what, what))
            return &c->warnings[i];
    return NULL;
}

static bool passed(const struct checks *c, const char *name)
{
    for (size_t i = 0; i < c->n_passed; i++)
        if (!strcmp(c->passed[i], name))
            return true;
    return false;
}

static void each_condition_has_its_warning(void **state)
{
    (void)state;
    static const struct {
        struct given_cell bad;
        const char *what, *text, *passes;
    } rows[] = {
        { { .target = 1, .queue_depth = 8, .iops = { 800 }, .buffered = true },
          "Beta was measured through the page cache.",
          "memory as much as the storage",
          "direct I/O used" },
        { { .target = 1, .queue_depth = 8, .iops = { 800 }, .depth = 4 },
          "Beta did not have as many I/Os in flight as asked.",
          "at most 4.0",
          "queue depth reached" },
        { { .target = 1, .queue_depth = 8, .iops = { 800 }, .unsteady = true },
          "Beta was not steady.",
          "carry a ‡",
          "steady state where it was tested" },
        { { .target = 1, .queue_depth = 8, .iops = { 800 }, .mean_ns = 1e6 },
          "IOPS and response time disagree in 1 cell.",
          "Beta in rand at queue depth 8 it is off by −90\u00a0%",
          "IOPS × response time equals the I/Os in flight" },
        { { .target = 1, .queue_depth = 8, .iops = { 800 }, .errors = 3 },
          "I/Os failed on Beta.",
          "At 1 point",
          "no I/O errors" },
        { { .target = 1, .queue_depth = 8, .ends = CELL_FAILED, .reason = "gone" },
          "1 of 2 cells was not measured.",
          "qdepth run --resume given",
          "every cell measured" },
    };
    const struct given_cell good = { .target = 0, .queue_depth = 8, .iops = { 800 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct given_cell with[] = { good, rows[i].bad };
        struct given_run g = run_of(with, 2);
        struct checked k = check("checks-with", &g);
        const struct warning *w = warning_with(&k.c, rows[i].what);
        if (!w)
            print_error("no '%s'\n", rows[i].what);
        assert_non_null(w);
        has_text(rich_plain(&w->text, k.a), rows[i].text);
        assert_false(passed(&k.c, rows[i].passes));
        done(&k);
        const struct given_cell without[] = { good,
                                              { .target = 1, .queue_depth = 8, .iops = { 800 } } };
        g = run_of(without, 2);
        k = check("checks-without", &g);
        assert_null(warning_with(&k.c, rows[i].what));
        assert_true(passed(&k.c, rows[i].passes));
        done(&k);
    }
}

static void warnings_link_the_place(void **state)
{
    (void)state;
    struct given_run g = given_seed();
    struct checked k = check("checks-link", &g);
    const struct warning *w = warning_with(&k.c, "in flight as asked");
    assert_non_null(w);
    const struct text_run *last = &w->text.at[w->text.n - 1];
    assert_int_equal(last->style, RUN_LINK);
    assert_string_equal(last->href, "#heavy-read-qd128");
    assert_string_equal(last->text, "OLTP Heavy Read, queue depth 128");
    done(&k);
}

static void one_run_each_is_said(void **state)
{
    (void)state;
    struct given_cell cells[] = { { .target = 0, .queue_depth = 1, .iops = { 100, 101, 99 } } };
    struct given_run g = run_of(cells, 1);
    struct checked k = check("checks-once", &g);
    const struct warning *w = warning_with(&k.c, "Each point was measured once.");
    assert_non_null(w);
    has_text(rich_plain(&w->text, k.a), "5\u00a0% variation between runs is assumed, not measured");
    done(&k);
    g.repeat = 3;
    k = check("checks-thrice", &g);
    assert_null(warning_with(&k.c, "measured once"));
    assert_true(passed(&k.c, "repeated at least 3 times"));
    done(&k);
}

static void a_far_repeat_is_said(void **state)
{
    (void)state;
    const struct given_cell cells[] = {
        { .target = 0, .queue_depth = 1, .iops = { 1000, 1000, 1001, 1000, 2000 } },
    };
    struct given_run g = run_of(cells, 1);
    g.repeat = 5;
    g.noise = 1e-9;
    struct checked k = check("checks-far", &g);
    /* mean 1200.2 with standard error 199.95: 200.2 away from the median */
    assert_non_null(warning_with(&k.c, "One repeat is far from the others at 1 point."));
    done(&k);
}

static void an_interrupted_run_is_said(void **state)
{
    (void)state;
    const struct given_cell cells[] = {
        { .target = 0, .queue_depth = 1, .iops = { 100 } },
        { .target = 1, .queue_depth = 1 },
    };
    struct given_run g = run_of(cells, 2);
    g.interrupted = true;
    struct checked k = check("checks-interrupted", &g);
    assert_non_null(warning_with(&k.c, "The run was interrupted: 1 of 2 cells was not measured."));
    done(&k);
}

/* Events: errors first; of one kind and target once, with how often; a note only where it belongs. */
static void events_are_gathered(void **state)
{
    (void)state;
    const struct given_cell cells[] = { { .target = 0, .queue_depth = 1, .iops = { 100 } } };
    const struct event events[] = {
        { .code = "kernel-workers",
          .severity = EVENT_WARNING,
          .target = 0,
          .cell = -1,
          .what = "Alpha went through kernel workers.",
          .text = "It costs time." },
        { .code = "kernel-workers",
          .severity = EVENT_WARNING,
          .target = 0,
          .cell = -1,
          .what = "Alpha went through kernel workers.",
          .text = "It costs time." },
        { .code = "io-error",
          .severity = EVENT_ERROR,
          .target = 1,
          .cell = -1,
          .what = "Beta failed an I/O." },
        { .code = "in-flight-at-end",
          .severity = EVENT_NOTE,
          .target = 0,
          .cell = -1,
          .what = "One I/O was in flight." },
        { .code = "store-on-target",
          .severity = EVENT_NOTE,
          .target = 0,
          .cell = -1,
          .what = "The store lies on Alpha." },
    };
    struct given_run g = run_of(cells, 1);
    g.events = events;
    g.n_events = sizeof events / sizeof *events;
    struct checked k = check("checks-events", &g);
    assert_string_equal(k.c.warnings[0].what, "Beta failed an I/O.");
    const struct warning *w = warning_with(&k.c, "kernel workers");
    assert_non_null(w);
    assert_string_equal(rich_plain(&w->text, k.a), "It costs time. The same happened 1 time more.");
    assert_non_null(warning_with(&k.c, "The store lies on Alpha."));
    assert_null(warning_with(&k.c, "in flight."));
    assert_int_equal(k.c.n_notes, 1);
    has_text(rich_plain(&k.c.notes[0], k.a), "One I/O was in flight.");
    done(&k);
}

static void marks_stand_for_reservations(void **state)
{
    (void)state;
    assert_null(spot_marks(&(struct spot) { 0 }));
    assert_string_equal(spot_marks(&(struct spot) { .not_reached = true }), "†");
    assert_string_equal(spot_marks(&(struct spot) { .not_steady = true }), "‡");
    assert_string_equal(spot_marks(&(struct spot) { .not_reached = true, .not_steady = true }),
                        "†‡");
    assert_null(spot_marks(&(struct spot) { .not_reached = true, .missing = "gone" }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_condition_has_its_warning), cmocka_unit_test(warnings_link_the_place),
        cmocka_unit_test(one_run_each_is_said),           cmocka_unit_test(a_far_repeat_is_said),
        cmocka_unit_test(an_interrupted_run_is_said),     cmocka_unit_test(events_are_gathered),
        cmocka_unit_test(marks_stand_for_reservations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
