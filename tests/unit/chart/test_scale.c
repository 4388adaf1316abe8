#include <string.h>

#include "base/array.h"
#include "chart/scale.h"
#include "unit.h"

/* Labels of the major ticks, joined by blanks. */
static const char *labels(const struct ticks *t)
{
    static char all[4096];
    all[0] = '\0';
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].major) {
            size_t n = strlen(all);
            snprintf(all + n, sizeof all - n, "%s%s", n ? " " : "", t->at[i].label.s);
        }
    }
    return all;
}

struct linear_case {
    double lo, hi;
    int wanted;
    const char *labels;
    double score, s, c, g;
};

/* The table of reference/statistics.md §12; the first row is the example of the paper. */
static const struct linear_case linear_cases[] = {
    { 8.1, 14.1, 4, "8 10 12 14", 0.636111111, -0.4, 0.972222, 0.983333 },
    { 0, 26417, 5, "0 5,000 10,000 15,000 20,000 25,000", 0.760802824, 0.8, 0.856139, 0.679150 },
    { 0.4712, 0.5531, 5, "0.475 0.500 0.525 0.550", 0.453644592, -0.6, 0.820726, 0.778999 },
    { -3.2, 4.1, 5, "−4 −2 0 2 4", 0.771775896, 0.6, 0.390129, 0.987500 },
    { 0, 110.3, 5, "0 25 50 75 100", 0.711298607, 0.4, 0.563993, 0.897000 },
    { 98, 102, 5, "98 99 100 101 102", 0.750000000, 0, 1, 1 },
    { 0, 65920, 5, "0 20,000 40,000 60,000", 0.712553021, 0.6, 0.596746, 0.786408 },
    { 0, 512, 5, "0 100 200 300 400 500", 0.854506836, 1, 0.972534, 0.720000 },
    { -12, -3, 5, "−12.5 −10.0 −7.5 −5.0 −2.5", 0.538271605, -0.6, 0.691358, 1 },
    { 1000000, 1000003, 5, "1,000,000 1,000,001 1,000,002 1,000,003", 0.583333333, 0, 1, 0.666667 },
    { 5, 5, 5, "4.8 4.9 5.0 5.1 5.2", 0.425000000, 0, 0, 0.75 },
};

static void linear_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(linear_cases); i++) {
        const struct linear_case *k = &linear_cases[i];
        struct ticks t;
        struct error e;
        assert_int_equal(ticks_linear(k->lo, k->hi, k->wanted, NULL, NULL, &t, &e), 0);
        assert_string_equal(labels(&t), k->labels);
        assert_close(t.score, k->score, 1e-8);
        assert_true(fabs(t.simplicity - k->s) < 1e-6);
        assert_true(fabs(t.coverage - k->c) < 1e-6);
        assert_true(fabs(t.density - k->g) < 1e-6);
        assert_true(t.low == t.at[0].value && t.high == t.at[t.n - 1].value);
    }
}

static void order_of_ends_does_not_matter(void **state)
{
    (void)state;
    struct ticks a;
    struct ticks b;
    struct error e;
    assert_int_equal(ticks_linear(0, 512, 5, NULL, NULL, &a, &e), 0);
    assert_int_equal(ticks_linear(512, 0, 5, NULL, NULL, &b, &e), 0);
    assert_string_equal(labels(&a), "0 100 200 300 400 500");
    assert_memory_equal(&a, &b, sizeof a);
}

static void one_value_zero(void **state)
{
    (void)state;
    struct ticks t;
    struct error e;
    assert_int_equal(ticks_linear(0, 0, 5, NULL, NULL, &t, &e), 0);
    assert_true(t.low == 0 && t.high == 1);
    assert_string_equal(labels(&t), "0.00 0.25 0.50 0.75 1.00");
}

static void not_finite_fails(void **state)
{
    (void)state;
    const double bad[] = { NAN, INFINITY, -INFINITY };
    for (size_t i = 0; i < countof(bad); i++) {
        struct ticks t;
        struct error e = { 0 };
        assert_int_equal(ticks_linear(bad[i], 1, 5, NULL, NULL, &t, &e), -1);
        assert_int_equal(ticks_linear(0, bad[i], 5, NULL, NULL, &t, &e), -1);
        assert_int_equal(ticks_log(bad[i], 1, 5, &t, &e), -1);
        assert_int_equal(ticks_log(1, bad[i], 5, &t, &e), -1);
        assert_non_null(strstr(e.what, "axis labels"));
    }
    struct ticks t;
    struct error e;
    assert_int_equal(ticks_log(0, 10, 5, &t, &e), -1);
    assert_int_equal(ticks_log(-1, 10, 5, &t, &e), -1);
}

static void too_close_for_steps(void **state)
{
    (void)state;
    struct ticks t;
    struct error e;
    double lo = 1e6;
    double hi = nextafter(lo, INFINITY);
    assert_int_equal(ticks_linear(lo, hi, 5, NULL, NULL, &t, &e), 0);
    assert_int_equal(t.n, 2);
    assert_string_equal(t.at[0].label.s, "1000000");
    assert_string_not_equal(t.at[0].label.s, t.at[1].label.s);
}

static void labels_are_exact_and_distinct(void **state)
{
    (void)state;
    for (int e10 = -9; e10 <= 12; e10++) {
        for (int m = 1; m < 100; m += 7) {
            struct ticks t;
            struct error e;
            double hi = m * pow(10, e10);
            assert_int_equal(ticks_linear(0, hi, 5, NULL, NULL, &t, &e), 0);
            assert_in_range(t.n, 2, SCALE_MAX_TICKS);
            for (size_t i = 1; i < t.n; i++) {
                assert_string_not_equal(t.at[i - 1].label.s, t.at[i].label.s);
                assert_true(t.at[i - 1].value < t.at[i].value);
            }
        }
    }
    struct ticks t;
    struct error e;
    assert_int_equal(ticks_linear(0, 1e-9, 5, NULL, NULL, &t, &e), 0);
    assert_string_equal(labels(&t), "0 2.5e−10 5e−10 7.5e−10 1e−9");
}

static bool refuses_many(void *ctx, const struct ticks *t)
{
    return t->n <= *(size_t *)ctx;
}

static bool refuses_all(void *ctx, const struct ticks *t)
{
    (void)ctx;
    (void)t;
    return false;
}

static void fits_is_asked(void **state)
{
    (void)state;
    struct ticks t;
    struct error e;
    size_t most = 3;
    assert_int_equal(ticks_linear(0, 512, 6, refuses_many, &most, &t, &e), 0);
    assert_in_range(t.n, 2, 3);
    assert_int_equal(ticks_linear(0, 512, 6, refuses_all, NULL, &t, &e), 0);
    assert_string_equal(labels(&t), "0 512");
}

struct log_case {
    double lo, hi;
    int most;
    double d0, d1;
    const char *labels;
};

/* The examples of §12, in ns, µs and plain numbers. */
static const struct log_case log_cases[] = {
    { 47, 112000, 6, 20, 200000, "100 1,000 10,000 100,000" },
    { 80, 1300, 6, 50, 2000, "50 100 200 500 1,000 2,000" },
    { 80, 1300, 5, 50, 2000, "100 1,000" },
    { 0.9, 130000, 6, 0.5, 200000, "1 10 100 1,000 10,000 100,000" },
    { 100, 100000, 9, 100, 100000, "100 1,000 10,000 100,000" },
    { 3, 4, 5, 2, 5, "2 5" },
    { 0.3, 0.4, 5, 0.2, 0.5, "0.2 0.5" },
    { 148, 148, 5, 100, 200, "100 200" },
    { 100, 100, 5, 50, 200, "50 100 200" },
    { 1e-9, 1e-8, 5, 1e-9, 1e-8, "0.000000001 0.000000002 0.000000005 0.00000001" },
    { 3e5, 4e6, 2, 2e5, 5e6, "200,000 5,000,000" },
};

static void log_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(log_cases); i++) {
        const struct log_case *k = &log_cases[i];
        struct ticks t;
        struct error e;
        assert_int_equal(ticks_log(k->lo, k->hi, k->most, &t, &e), 0);
        assert_string_equal(labels(&t), k->labels);
        assert_close(t.low, k->d0, 1e-12);
        assert_close(t.high, k->d1, 1e-12);
    }
}

static void log_minor_ticks(void **state)
{
    (void)state;
    struct ticks t;
    struct error e;
    assert_int_equal(ticks_log(1, 1000, 3, &t, &e), 0);
    assert_int_equal(t.n, 28); /* 1..9 of three decades, and 1000 */
    for (size_t i = 1; i < t.n; i++) {
        assert_true(t.at[i].value > t.at[i - 1].value);
        assert_true(t.at[i].major == (t.at[i].label.s[0] != '\0'));
    }
    assert_int_equal(ticks_log(1e-9, 1e12, 5, &t, &e), 0);
    assert_true(t.n <= countof(t.at));
    assert_close(t.at[t.n - 1].value, 1e12, 1e-12);
}

static void values_to_px(void **state)
{
    (void)state;
    struct scale linear = { SCALE_LINEAR, 0, 200, 10, 110 };
    assert_close(scale_px(&linear, 50), 35, 1e-12);
    assert_close(scale_px(&linear, 300), 160, 1e-12);
    struct scale down = { SCALE_LOG10, 1, 1000, 300, 0 };
    assert_close(scale_px(&down, 10), 200, 1e-12);
    assert_close(scale_px(&down, 1000), 0, 1e-9);
    struct scale depth = { SCALE_LOG2, 1, 128, 0, 70 };
    assert_close(scale_px(&depth, 8), 30, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_table),        cmocka_unit_test(order_of_ends_does_not_matter),
        cmocka_unit_test(one_value_zero),      cmocka_unit_test(not_finite_fails),
        cmocka_unit_test(too_close_for_steps), cmocka_unit_test(labels_are_exact_and_distinct),
        cmocka_unit_test(fits_is_asked),       cmocka_unit_test(log_table),
        cmocka_unit_test(log_minor_ticks),     cmocka_unit_test(values_to_px),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
