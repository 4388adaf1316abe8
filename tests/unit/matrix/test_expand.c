#include "matrix_test.h"

#include <stdio.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/str.h"
#include "matrix/spec.h"

/* Points of a matrix: the product of sweep and workloads, defaults, overrides, options. */

static const struct plan_options one_target = { .n_targets = 1 };

static void without_sweep(void **state)
{
    const char *text = HEAD "<method>How</method>" WORK_4K FOOT;
    struct plan p = must_expand(*state, text, &one_target);
    assert_string_equal(p.name, "t");
    assert_string_equal(p.title, "t");
    assert_string_equal(p.method, "How");
    assert_string_equal(p.report, "comparison");
    assert_string_equal(p.matrix_xml, text);
    assert_int_equal(p.n_workloads, 1);
    assert_int_equal(p.n_cells, 1);
    assert_int_equal(p.n_points, 1);
    assert_int_equal(p.n_targets, 1);
    assert_int_equal(p.repeat, 1);
    assert_int_equal(p.engine, ENGINE_AUTO);
    assert_int_equal(p.span_bytes, 0);
    assert_false(p.writes);
    const struct cell *c = &p.cells[0];
    assert_int_equal(c->queue_depth, 1);
    assert_int_equal(c->workers, 1);
    assert_int_equal(c->rep, 1);
    assert_int_equal(c->round, 0);
    assert_int_equal(c->duration_ns, 60 * NS_PER_S);
    assert_int_equal(c->ramp_ns, 10 * NS_PER_S);
    assert_int_equal(c->interval_ns, NS_PER_S);
    assert_int_equal(c->span_bytes, 0);
    assert_int_equal(c->span_bp, 0);
    assert_int_equal(c->rate.kind, RATE_NONE);
    assert_int_equal(c->fill.kind, FILL_RANDOM);
    assert_true(c->direct);
}

/* A workload's own pause, also of 0, takes the place of the one for all; the estimate and the method tell. */
static void idle_before_cells(void **state)
{
    static const char text[] = HEAD
        "<method>How.</method><defaults duration=\"60s\" ramp=\"0s\"/><idle duration=\"5m\"/>"
        "<workload id=\"a\">" LINE_4K "</workload>"
        "<workload id=\"b\"><idle duration=\"30s\"/>" LINE_4K "</workload>"
        "<workload id=\"c\"><idle duration=\"0s\"/>" LINE_4K "</workload>" FOOT;
    struct plan p = must_expand(*state, text, &one_target);
    assert_int_equal(p.n_cells, 3);
    assert_int_equal(p.cells[0].idle_ns, 300 * NS_PER_S);
    assert_int_equal(p.cells[1].idle_ns, 30 * NS_PER_S);
    assert_int_equal(p.cells[2].idle_ns, 0);
    assert_int_equal(plan_cost(&p).seconds_ns, (300 + 30 + 3 * 60) * NS_PER_S);
    assert_string_equal(p.method, "How. Idle for 5\u00a0min before each cell of a. "
                                  "Idle for 30\u00a0s before each cell of b.");
    p = must_expand(*state, HEAD "<idle duration=\"5s\"/>" WORK_4K FOOT, &one_target);
    assert_string_equal(p.method, "Idle for 5\u00a0s before each cell.");
}

/* Two workloads × 2 × 3, the first list of the sweep the slowest. */
static void product_in_order(void **state)
{
    struct plan p = must_expand(
        *state,
        HEAD "<workload id=\"a\">" LINE_4K "</workload><workload id=\"b\">" LINE_4K "</workload>"
             "<sweep><workers>1 2</workers><queue-depth>1 8 32</queue-depth></sweep>" FOOT,
        &one_target);
    static const uint32_t depth[] = { 1, 8, 32 };
    assert_int_equal(p.n_points, 12);
    assert_int_equal(p.n_cells, 12);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(p.cells[i].no, i);
        assert_int_equal(p.cells[i].point, i);
        assert_int_equal(p.cells[i].workload, i / 6);
        assert_int_equal(p.cells[i].workers, i / 3 % 2 + 1);
        assert_int_equal(p.cells[i].queue_depth, depth[i % 3]);
    }
    assert_string_equal(p.workloads[p.cells[11].workload].id, "b");
}

/* A sweep over size and read makes variants; lines that give a value keep it. */
static void variants_of_workloads(void **state)
{
    struct plan p = must_expand(
        *state,
        HEAD
        "<workload id=\"open\" title=\"Open\">"
        "<access share=\"25\" random=\"100\"/>"
        "<access share=\"75\" size=\"64KiB\" random=\"0\"/></workload>"
        "<workload id=\"fixed\">" LINE_4K "</workload>"
        "<sweep><size>4k 8k</size><queue-depth>1 2</queue-depth><read>0 50 100</read></sweep>" FOOT,
        &one_target);
    assert_int_equal(p.n_workloads, 6 + 1);
    assert_int_equal(p.n_points, 12 + 2);
    for (uint32_t i = 0; i < 12; i++) {
        const struct workload *w = &p.workloads[p.cells[i].workload];
        assert_string_equal(w->id, "open");
        assert_string_equal(w->title, "Open");
        assert_int_equal(w->lines[0].size, i / 6 ? 8192 : 4096);
        assert_int_equal(w->lines[1].size, 65536);
        assert_int_equal(p.cells[i].queue_depth, i / 3 % 2 + 1);
        assert_int_equal(w->lines[0].read_bp, i % 3 * 5000);
        assert_int_equal(w->lines[1].read_bp, i % 3 * 5000);
        assert_int_equal(w->lines[0].random_bp, 10000);
        assert_int_equal(w->lines[1].random_bp, 0);
    }
    /* the same variant at both depths */
    assert_int_equal(p.cells[0].workload, p.cells[3].workload);
    for (uint32_t i = 12; i < 14; i++) {
        assert_int_equal(p.cells[i].workload, 6);
        assert_int_equal(p.workloads[6].lines[0].size, 4096);
        assert_int_equal(p.workloads[6].lines[0].read_bp, 10000);
    }
    assert_true(p.writes);
}

static void sweep_of_random_fill_and_direct(void **state)
{
    struct plan p = must_expand(*state,
                                HEAD
                                "<workload id=\"w\"><access size=\"4k\" read=\"100\"/></workload>"
                                "<sweep><fill>random zero pattern:a5</fill><direct>yes no</direct>"
                                "<random>0 12.5</random></sweep>" FOOT,
                                &one_target);
    assert_int_equal(p.n_workloads, 2);
    assert_int_equal(p.n_points, 12);
    for (uint32_t i = 0; i < 12; i++) {
        static const enum fill_kind fill[] = { FILL_RANDOM, FILL_ZERO, FILL_PATTERN };
        assert_int_equal(p.cells[i].fill.kind, fill[i / 4]);
        assert_int_equal(p.cells[i].direct, i / 2 % 2 == 0);
        assert_int_equal(p.workloads[p.cells[i].workload].lines[0].random_bp, i % 2 ? 1250 : 0);
    }
    assert_int_equal(p.cells[8].fill.pattern_bytes, 1);
    assert_int_equal(p.cells[8].fill.pattern[0], 0xA5);
    assert_false(p.writes);
}

/* A workload's own value beats the default, and takes it out of the sweep. */
static void workload_overrides(void **state)
{
    struct plan p = must_expand(
        *state,
        HEAD "<defaults duration=\"5s\" ramp=\"1s\" interval=\"500ms\" workers=\"3\" repeat=\"1\"/>"
             "<workload id=\"a\">" LINE_4K "</workload>"
             "<workload id=\"b\" duration=\"7s\" ramp=\"0\" queue-depth=\"64\" workers=\"4\""
             " direct=\"no\" fill=\"zero\" repeat=\"2\">" LINE_4K "</workload>"
             "<sweep><queue-depth>1 2</queue-depth></sweep>" FOOT,
        &one_target);
    assert_int_equal(p.n_points, 3);
    assert_int_equal(p.n_cells, 4);
    assert_int_equal(p.repeat, 2);
    assert_int_equal(p.cells[1].queue_depth, 2);
    assert_int_equal(p.cells[1].duration_ns, 5 * NS_PER_S);
    assert_int_equal(p.cells[1].ramp_ns, NS_PER_S);
    assert_int_equal(p.cells[1].interval_ns, NS_PER_S / 2);
    assert_int_equal(p.cells[1].workers, 3);
    for (uint32_t i = 2; i < 4; i++) {
        const struct cell *c = &p.cells[i];
        assert_int_equal(c->point, 2);
        assert_int_equal(c->rep, i - 1);
        assert_int_equal(c->queue_depth, 64);
        assert_int_equal(c->duration_ns, 7 * NS_PER_S);
        assert_int_equal(c->ramp_ns, 0);
        assert_int_equal(c->workers, 4);
        assert_false(c->direct);
        assert_int_equal(c->fill.kind, FILL_ZERO);
    }
}

static void interval_is_within_duration(void **state)
{
    struct plan p = must_expand(
        *state, HEAD "<defaults duration=\"300ms\" interval=\"1s\"/>" WORK_4K FOOT, &one_target);
    assert_int_equal(p.cells[0].interval_ns, 300 * NS_PER_MS);
}

/* What this version refuses in a file would reach the cell. */
static void span_and_rate(void **state)
{
    static const struct unsupported nothing_refused[] = { { NULL, NULL, NULL, NULL } };
    static const char text[] = HEAD
        "<defaults span-offset=\"1GiB\" rate=\"5000\" arrivals=\"poisson\"/>" WORK_4K
        "<workload id=\"x\" rate=\"80%\" arrivals=\"fixed\">" LINE_4K "</workload>"
        "<sweep><span>2GiB 10%</span></sweep>" FOOT;
    const struct xml_source source = { .file = "t.xml", .text = text, .n = strlen(text) };
    struct matrix *m = NULL;
    struct plan p;
    struct error e = { 0 };
    assert_int_equal(matrix_read(*state, &source, nothing_refused, &m, &e), 0);
    assert_int_equal(matrix_expand(*state, m, &one_target, &p, &e), 0);
    assert_int_equal(p.n_cells, 4);
    assert_true(p.cells[0].span_bytes == UINT64_C(2) << 30);
    assert_int_equal(p.cells[0].span_bp, 0);
    assert_int_equal(p.cells[1].span_bytes, 0);
    assert_int_equal(p.cells[1].span_bp, 1000);
    assert_int_equal(p.cells[1].span_offset, 1 << 30);
    assert_int_equal(p.cells[1].rate.kind, RATE_IOPS);
    assert_true(p.cells[1].rate.value == 5000);
    assert_true(p.cells[1].rate.poisson);
    assert_int_equal(p.cells[2].rate.kind, RATE_PERCENT_OF_MAX);
    assert_true(p.cells[2].rate.value == 80);
    assert_false(p.cells[2].rate.poisson);
}

static const char two_sweeps[] = HEAD
    "<method>As written.</method><defaults duration=\"60s\" repeat=\"2\"/>"
    "<workload id=\"a\">" LINE_4K "</workload>"
    "<workload id=\"b\" queue-depth=\"9\" workers=\"9\" duration=\"9s\" ramp=\"9s\">" LINE_4K
    "</workload>"
    "<sweep><queue-depth>1 4 8</queue-depth><workers>1 2</workers></sweep>" FOOT;

static void options_override(void **state)
{
    static const uint32_t depths[] = { 128, 16 };
    const struct plan_options o = { .n_targets = 1,
                                    .queue_depths = depths,
                                    .n_queue_depths = 2,
                                    .duration_ns = 2 * NS_PER_S,
                                    .ramp_ns = 0,
                                    .has_ramp = true,
                                    .interval_ns = 100 * NS_PER_MS,
                                    .span_bytes = 1 << 20,
                                    .seed = 99,
                                    .workers = 5,
                                    .repeat = 1,
                                    .engine = ENGINE_SYNC };
    struct plan p = must_expand(*state, two_sweeps, &o);
    /* depths replace the sweep's, also where the workload has its own; workers are swept no more */
    assert_int_equal(p.n_points, 4);
    assert_int_equal(p.n_cells, 4);
    assert_int_equal(p.repeat, 1);
    assert_int_equal(p.seed, 99);
    assert_int_equal(p.span_bytes, 1 << 20);
    assert_int_equal(p.engine, ENGINE_SYNC);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(p.cells[i].workload, i / 2);
        assert_int_equal(p.cells[i].queue_depth, depths[i % 2]);
        assert_int_equal(p.cells[i].workers, 5);
        assert_int_equal(p.cells[i].duration_ns, 2 * NS_PER_S);
        assert_int_equal(p.cells[i].ramp_ns, 0);
        assert_int_equal(p.cells[i].interval_ns, 100 * NS_PER_MS);
        assert_int_equal(p.cells[i].span_bytes, 0);
    }
    assert_string_equal(p.method,
                        "As written. For this run: measured for 2\xC2\xA0s, ramp 0\xC2\xA0s, "
                        "5 workers, 1 repetition, queue depths 128 16.");
}

static void options_not_given(void **state)
{
    const struct plan_options o = { .n_targets = 1, .ramp_ns = 5 };
    struct plan p = must_expand(*state, two_sweeps, &o);
    assert_int_equal(p.n_points, 6 + 1);
    assert_int_equal(p.n_cells, 14);
    assert_int_equal(p.cells[0].ramp_ns, 10 * NS_PER_S);
    assert_int_equal(p.cells[12].queue_depth, 9);
    assert_int_equal(p.cells[12].ramp_ns, 9 * NS_PER_S);
    assert_int_equal(p.seed, 1);
    assert_string_equal(p.method, "As written.");
}

static void depths_of_options_without_a_sweep(void **state)
{
    static const uint32_t depths[] = { 1, 1024 };
    const struct plan_options o = { .n_targets = 1, .queue_depths = depths, .n_queue_depths = 2 };
    struct plan p = must_expand(*state, HEAD WORK_4K FOOT, &o);
    assert_int_equal(p.n_points, 2);
    assert_int_equal(p.cells[1].queue_depth, 1024);
    assert_string_equal(p.method, "For this run: queue depths 1 1024.");
}

static void bad_options(void **state)
{
    static const uint32_t zero[] = { 0 }, large[] = { 1, 1025 }, twice[] = { 4, 8, 4 };
    static const struct {
        struct plan_options o;
        const char *what;
    } rows[] = {
        { { .n_targets = 0 }, "0 targets: expected 1 to 64" },
        { { .n_targets = 65 }, "65 targets: expected 1 to 64" },
        { { .n_targets = 1, .workers = 257 }, "--workers 257: expected 1 to 256" },
        { { .n_targets = 1, .repeat = 1001 }, "--repeat 1001: expected 1 to 1000" },
        { { .n_targets = 1, .queue_depths = zero, .n_queue_depths = 1 },
          "--queue-depth 0: expected 1 to 1024" },
        { { .n_targets = 1, .queue_depths = large, .n_queue_depths = 2 },
          "--queue-depth 1025: expected 1 to 1024" },
        { { .n_targets = 1, .queue_depths = twice, .n_queue_depths = 3 },
          "--queue-depth 4 is given twice" },
        { { .n_targets = 1, .span_bytes = 4095 },
          "--size 4,095\xC2\xA0"
          "B is smaller than one I/O of workload 'w' (4\xC2\xA0KiB)" },
        { { .n_targets = 1, .duration_ns = 1 },
          "--duration 1\xC2\xA0ns: expected 1\xC2\xA0ms to 8,784\xC2\xA0h" },
        { { .n_targets = 1, .interval_ns = NS_PER_MS },
          "--interval 1\xC2\xA0ms: expected 10\xC2\xA0ms to 1\xC2\xA0h" },
        { { .n_targets = 1, .ramp_ns = 90000 * NS_PER_S, .has_ramp = true },
          "--ramp 25\xC2\xA0h: expected 0\xC2\xA0s to 24\xC2\xA0h" },
    };
    const struct matrix *m = must_parse(*state, HEAD WORK_4K FOOT);
    for (size_t i = 0; i < countof(rows); i++) {
        struct plan p;
        struct error e = { 0 };
        assert_int_equal(matrix_expand(*state, m, &rows[i].o, &p, &e), -1);
        assert_int_equal(e.code, QD_E_USAGE);
        assert_string_equal(e.what, rows[i].what);
    }
}

/* 1000 depths and repetitions on 64 targets are too many; without repetitions on 64 they are not. */
static void limit_of_cells(void **state)
{
    struct str s = str_new(1 << 16);
    struct plan p;
    struct error e = { 0 };
    str_put(&s, HEAD WORK_4K "<sweep><queue-depth>");
    for (int i = 1; i <= 1000; i++)
        str_printf(&s, "%d ", i);
    str_put(&s, "</queue-depth></sweep>" FOOT);
    const struct matrix *m = must_parse(*state, s.at);
    struct plan_options o = { .n_targets = 64 };
    assert_int_equal(matrix_expand(*state, m, &o, &p, &e), 0);
    assert_int_equal(p.n_cells, 64000);
    assert_int_equal(p.cells[63999].no, 63999);
    assert_int_equal(p.cells[63999].target, 63);
    o.n_targets = 1;
    o.repeat = 100;
    assert_int_equal(matrix_expand(*state, m, &o, &p, &e), 0);
    assert_int_equal(p.n_cells, PLAN_MAX_CELLS);
    o.repeat = 101;
    assert_int_equal(matrix_expand(*state, m, &o, &p, &e), -1);
    assert_int_equal(e.code, QD_E_USAGE);
    assert_string_equal(e.what,
                        "matrix 't' on 1 target has more than 100000 cells: the limit is 100000");
    o = (struct plan_options) { .n_targets = 64, .repeat = 1000 };
    assert_int_equal(matrix_expand(*state, m, &o, &p, &e), -1);
    assert_string_equal(e.what,
                        "matrix 't' on 64 targets has more than 100000 cells: the limit is 100000");
    str_done(&s);
}

static void writes(void **state)
{
#define READS(percent)                                                                             \
    HEAD "<workload id=\"r\">" LINE_4K                                                             \
         "</workload><workload id=\"w\"><access size=\"4k\" read=\"" percent                       \
         "\" random=\"0\"/></workload>" FOOT
    assert_false(must_expand(*state, READS("100"), &one_target).writes);
    assert_true(must_expand(*state, READS("99.99"), &one_target).writes);
    assert_true(matrix_writes(must_parse(*state, READS("0"))));
    /* by the sweep only */
    assert_true(matrix_writes(
        must_parse(*state, HEAD "<workload id=\"w\"><access size=\"4k\" random=\"0\"/></workload>"
                                "<sweep><read>100 99</read></sweep>" FOOT)));
    assert_false(matrix_writes(
        must_parse(*state, HEAD "<workload id=\"w\"><access size=\"4k\" random=\"0\"/></workload>"
                                "<sweep><read>100</read></sweep>" FOOT)));
}

static void costs(void **state)
{
    static const struct plan_options o = { .n_targets = 3, .repeat = 2 };
    struct plan p = must_expand(
        *state,
        HEAD "<defaults duration=\"2s\" ramp=\"500ms\"/>" WORK_4K
             "<workload id=\"x\" duration=\"10s\"><access size=\"4k\" read=\"0\" random=\"0\"/>"
             "</workload><sweep><queue-depth>1 2</queue-depth></sweep>" FOOT,
        &o);
    struct plan_cost c = plan_cost(&p);
    assert_int_equal(c.points, 4);
    assert_int_equal(c.cells, 24);
    assert_int_equal(c.seconds_ns, 12 * (2500 + 10500) * NS_PER_MS);
    assert_true(c.writes);
}

static void cost_does_not_overflow(void **state)
{
    (void)state;
    struct cell cells[3] = { { .duration_ns = UINT64_MAX / 2 },
                             { .duration_ns = UINT64_MAX / 2 },
                             { .duration_ns = UINT64_MAX / 2 } };
    struct plan p = { .cells = cells, .n_cells = 3 };
    assert_true(plan_cost(&p).seconds_ns == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(idle_before_cells, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(without_sweep, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(product_in_order, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(variants_of_workloads, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(sweep_of_random_fill_and_direct, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(workload_overrides, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(interval_is_within_duration, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(span_and_rate, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(options_override, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(options_not_given, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(depths_of_options_without_a_sweep, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(bad_options, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(limit_of_cells, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(writes, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(costs, setup_arena, teardown_arena),
        cmocka_unit_test(cost_does_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
