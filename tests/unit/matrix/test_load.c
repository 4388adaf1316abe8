#include "matrix_test.h"

#include "base/clock.h"
#include "matrix/spec.h"

/* What stands in a file is what the matrix holds. */

static const struct unsupported nothing_refused[] = { { NULL, NULL, NULL, NULL } };

/* As if this version could do everything the plan can hold. */
static struct matrix *must_read_all(struct arena *a, const char *text)
{
    const struct xml_source source = { .file = "t.xml", .text = text, .n = strlen(text) };
    struct matrix *m = NULL;
    struct error e = { 0 };
    if (matrix_read(a, &source, nothing_refused, &m, &e))
        fail_msg("%s: %s", e.where, e.what);
    return m;
}

static void smallest(void **state)
{
    const char *text = HEAD WORK_4K FOOT;
    struct matrix *m = must_parse(*state, text);
    assert_string_equal(matrix_name(m), "t");
    assert_string_equal(matrix_title(m), "t");
    assert_string_equal(m->report, "comparison");
    assert_string_equal(m->method, "");
    assert_string_equal(m->xml, text);
    assert_int_equal(m->order, ORDER_AS_WRITTEN);
    assert_int_equal(m->seed, 1);
    assert_false(matrix_writes(m));
    assert_false(matrix_has_default_targets(m));
    assert_int_equal(m->n_variants, 1);
    assert_string_equal(m->variants[0].id, "w");
    assert_string_equal(m->variants[0].title, "w");
    assert_int_equal(m->variants[0].n_lines, 1);
    assert_int_equal(m->variants[0].lines[0].share_bp, 10000);
    assert_int_equal(m->variants[0].lines[0].size, 4096);
    assert_int_equal(m->variants[0].lines[0].burst, 1);
    assert_int_equal(m->defaults.v[SET_DURATION].u, 60 * NS_PER_S);
    assert_int_equal(m->defaults.v[SET_RAMP].u, 10 * NS_PER_S);
    assert_int_equal(m->defaults.v[SET_INTERVAL].u, NS_PER_S);
    assert_int_equal(m->defaults.v[SET_WORKERS].u, 1);
    assert_int_equal(m->defaults.v[SET_QUEUE_DEPTH].u, 1);
    assert_int_equal(m->defaults.v[SET_REPEAT].u, 1);
    assert_int_equal(m->defaults.v[SET_DIRECT].u, 1);
    assert_int_equal(m->defaults.v[SET_FILL].fill.kind, FILL_RANDOM);
}

static void root_and_method(void **state)
{
    struct matrix *m = must_parse(
        *state, "<?xml version=\"1.0\"?><!-- a comment -->\n"
                "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"quick\" title=\" A \n title \"\n"
                " report=\"review\" order=\"random\" seed=\"18446744073709551615\" "
                "targets=\"one-by-one\">\n"
                "<method>\n  Two &lt;lines&gt;\n\tand <![CDATA[more]]>\n</method>\n" WORK_4K FOOT);
    assert_string_equal(matrix_title(m), "A title");
    assert_string_equal(m->method, "Two <lines> and more");
    assert_string_equal(m->report, "review");
    assert_int_equal(m->order, ORDER_RANDOM);
    assert_true(m->seed == UINT64_MAX);
    assert_true(matrix_has_default_targets(m));
}

static void byte_order_mark_and_declared_encoding(void **state)
{
    must_parse(*state, "\xEF\xBB\xBF" HEAD WORK_4K FOOT);
    /* the text is UTF-8 whatever it says */
    struct matrix *m = must_parse(*state, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" HEAD
                                          "<method>\xC2\xB5s</method>" WORK_4K FOOT);
    assert_string_equal(m->method, "\xC2\xB5s");
}

static void prefix_instead_of_default_namespace(void **state)
{
    struct matrix *m = must_parse(
        *state, "<q:matrix xmlns:q=\"urn:qdepth:matrix:1\" name=\"t\"><q:workload id=\"w\">"
                "<q:access size=\"512\" read=\"0\" random=\"0\"/></q:workload></q:matrix>");
    assert_int_equal(m->variants[0].lines[0].size, 512);
    assert_true(matrix_writes(m));
}

static void shares_with_decimals(void **state)
{
    struct matrix *m = must_parse(
        *state, HEAD
        "<workload id=\"w\">"
        "<access share=\"33.33\" size=\"8KiB\" read=\"66.67%\" random=\"0\"/>"
        "<access share=\"33.33%\" size=\"16k\" read=\"100\" random=\"0.01\"/>"
        "<access share=\"33.34\" size=\"1.5MiB\" read=\"100.00\" random=\"100\" align=\"4KiB\"/>"
        "</workload>" FOOT);
    const struct access_line *l = m->variants[0].lines;
    assert_int_equal(m->variants[0].n_lines, 3);
    assert_int_equal(l[0].share_bp, 3333);
    assert_int_equal(l[2].share_bp, 3334);
    assert_int_equal(l[0].read_bp, 6667);
    assert_int_equal(l[1].random_bp, 1);
    assert_int_equal(l[1].size, 16384);
    assert_int_equal(l[2].size, 1572864);
    assert_int_equal(l[0].align, 0);
    assert_int_equal(l[2].align, 4096);
    assert_true(matrix_writes(m));
}

static void limits_are_inside(void **state)
{
    struct matrix *m = must_parse(
        *state,
        HEAD "<defaults duration=\"1ms\" ramp=\"0\" interval=\"10ms\" workers=\"256\""
             " queue-depth=\"1024\" repeat=\"1000\" direct=\"no\" fill=\"ones\"/>"
             "<workload id=\"a\"><access size=\"512\" read=\"100\" random=\"0\"/></workload>"
             "<workload id=\"b\" repeat=\"1\" duration=\"366d\" ramp=\"24h\" interval=\"1h\">"
             "<access size=\"64MiB\" read=\"100\" random=\"0\"/></workload>" FOOT);
    assert_int_equal(m->defaults.v[SET_DURATION].u, NS_PER_MS);
    assert_int_equal(m->defaults.v[SET_RAMP].u, 0);
    assert_int_equal(m->defaults.v[SET_WORKERS].u, 256);
    assert_int_equal(m->defaults.v[SET_QUEUE_DEPTH].u, 1024);
    assert_int_equal(m->defaults.v[SET_DIRECT].u, 0);
    assert_int_equal(m->defaults.v[SET_FILL].fill.kind, FILL_ONES);
    assert_int_equal(m->works[1].own.v[SET_DURATION].u, UINT64_C(366) * 86400 * NS_PER_S);
    assert_int_equal(m->works[1].own.v[SET_REPEAT].u, 1);
    assert_int_equal(m->variants[1].lines[0].size, 64 << 20);
}

static void hundred_lines(void **state)
{
    struct str s = str_new(1 << 16);
    str_put(&s, HEAD "<workload id=\"w\">");
    for (int i = 0; i < PLAN_MAX_LINES; i++)
        str_put(&s, "<access share=\"1\" size=\"4k\" read=\"50\" random=\"50\"/>");
    str_put(&s, "</workload>" FOOT);
    struct matrix *m = must_parse(*state, s.at);
    assert_int_equal(m->variants[0].n_lines, 100);
    str_done(&s);
}

static void fills(void **state)
{
    struct matrix *m = must_read_all(
        *state,
        HEAD WORK_4K "<sweep><fill>random zero ones pattern:DEADbeef compressible:30 duplicate:0%"
                     " pattern:00112233445566778899aabbccddeeff</fill></sweep>" FOOT);
    const struct axis *x = &m->axes[0];
    assert_int_equal(x->n, 7);
    assert_int_equal(x->at[0].fill.kind, FILL_RANDOM);
    assert_int_equal(x->at[1].fill.kind, FILL_ZERO);
    assert_int_equal(x->at[2].fill.kind, FILL_ONES);
    assert_int_equal(x->at[3].fill.kind, FILL_PATTERN);
    assert_int_equal(x->at[3].fill.pattern_bytes, 4);
    assert_memory_equal(x->at[3].fill.pattern, "\xDE\xAD\xBE\xEF", 4);
    assert_int_equal(x->at[4].fill.kind, FILL_COMPRESSIBLE);
    assert_int_equal(x->at[4].fill.percent, 30);
    assert_int_equal(x->at[5].fill.kind, FILL_DUPLICATE);
    assert_int_equal(x->at[5].fill.percent, 0);
    assert_int_equal(x->at[6].fill.pattern_bytes, 16);
}

static void access_line_of_a_later_version(void **state)
{
    struct matrix *m = must_read_all(
        *state, HEAD
        "<workload id=\"w\"><access size=\"4k\" read=\"0\" random=\"100\" delay=\"2ms\" burst=\"8\""
        " stride=\"1MiB\" trim=\"12.5\" sync=\"fdatasync:16\" distribution=\"zipf:0.99\"/>"
        "</workload>" FOOT);
    const struct access_line *l = m->variants[0].lines;
    assert_int_equal(l->delay_ns, 2 * NS_PER_MS);
    assert_int_equal(l->burst, 8);
    assert_int_equal(l->stride, 1 << 20);
    assert_int_equal(l->trim_bp, 1250);
    assert_int_equal(l->sync, SYNC_FDATASYNC);
    assert_int_equal(l->sync_every, 16);
    assert_int_equal(l->distribution, DIST_ZIPF);
    assert_true(l->distribution_param == 0.99);
}

static void distributions_and_syncs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum distribution_kind kind;
        double param;
    } good[] = {
        { "uniform", DIST_UNIFORM, 0 },     { "zipf:0.5", DIST_ZIPF, 0.5 },
        { "zipf:1", DIST_ZIPF, 1 },         { "zipf:10", DIST_ZIPF, 10 },
        { "pareto:0.2", DIST_PARETO, 0.2 }, { "normal:0.1", DIST_NORMAL, 0.1 },
        { "normal:1", DIST_NORMAL, 1 },
    };
    static const char *const bad[] = { "zipf:0",   "zipf:10.1", "zipf:",    "zipf",
                                       "pareto:0", "pareto:1",  "normal:0", "normal:1.1",
                                       "zipf:nan", "zipf:-1",   "zipf:1e1", "gauss:1",
                                       "" };
    struct value v;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(setting_read(SET_DISTRIBUTION, good[i].text, &v));
        assert_int_equal(v.kind, good[i].kind);
        assert_true(v.d == good[i].param);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(setting_read(SET_DISTRIBUTION, bad[i], &v));

    assert_true(setting_read(SET_SYNC, "fua", &v));
    assert_int_equal(v.kind, SYNC_FUA);
    assert_true(setting_read(SET_SYNC, "fsync:1000000000", &v));
    assert_int_equal(v.kind, SYNC_FSYNC);
    assert_int_equal(v.u, 1000000000);
    assert_false(setting_read(SET_SYNC, "fsync:0", &v));
    assert_false(setting_read(SET_SYNC, "fsync", &v));
    assert_false(setting_read(SET_SYNC, "dsync:2", &v));
}

static void spans_and_rates(void **state)
{
    (void)state;
    struct value v;
    assert_true(setting_read(SET_SPAN, "1GiB", &v));
    assert_int_equal(v.kind, 0);
    assert_int_equal(v.u, 1 << 30);
    assert_true(setting_read(SET_SPAN, "10.5%", &v));
    assert_int_equal(v.kind, 1);
    assert_int_equal(v.u, 1050);
    assert_false(setting_read(SET_SPAN, "0%", &v));
    assert_false(setting_read(SET_SPAN, "101%", &v));
    assert_false(setting_read(SET_SPAN, "0", &v));
    assert_true(setting_read(SET_RATE, "0.5", &v));
    assert_int_equal(v.kind, RATE_IOPS);
    assert_true(v.d == 0.5);
    assert_true(setting_read(SET_RATE, "80%", &v));
    assert_int_equal(v.kind, RATE_PERCENT_OF_MAX);
    assert_true(v.d == 80);
    assert_false(setting_read(SET_RATE, "0", &v));
    assert_false(setting_read(SET_RATE, "101%", &v));
    assert_false(setting_read(SET_RATE, "1e9", &v));
    assert_false(setting_read(SET_RATE, "%", &v));
    assert_false(setting_read(SET_RATE, "1.2.3", &v));
}

/* Every row can be named, found and explained; <access>, settings and sweep have their own lists. */
static void table_of_settings(void **state)
{
    (void)state;
    for (int id = 0; id < SET_COUNT; id++) {
        struct str s = str_new(512);
        assert_int_equal(setting_find(setting_name(id)), id);
        assert_true(setting_in(id, IN_ACCESS) || setting_in(id, IN_SETTINGS));
        assert_int_equal(id < SET_N_SWEEPABLE, setting_in(id, IN_SWEEP));
        setting_expected(id, &s);
        assert_true(s.n > 5);
        str_done(&s);
    }
    assert_int_equal(setting_find("size "), -1);
    struct str s = str_new(512);
    setting_list(IN_SWEEP, &s);
    assert_string_equal(s.at, "queue-depth, size, read, random, workers, fill, span, rate, direct");
    str_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(smallest, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(root_and_method, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(byte_order_mark_and_declared_encoding, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(prefix_instead_of_default_namespace, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(shares_with_decimals, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(limits_are_inside, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(hundred_lines, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(fills, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(access_line_of_a_later_version, setup_arena,
                                        teardown_arena),
        cmocka_unit_test(distributions_and_syncs),
        cmocka_unit_test(spans_and_rates),
        cmocka_unit_test(table_of_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
