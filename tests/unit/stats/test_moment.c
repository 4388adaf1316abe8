#include "base/array.h"
#include "stats/moment.h"
#include "unit.h"

static struct moment of(const double *x, size_t n)
{
    struct moment m = { 0 };
    for (size_t i = 0; i < n; i++)
        moment_add(&m, x[i]);
    return m;
}

static void vector_1(void **state)
{
    (void)state;
    static const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
    struct moment m = of(x, countof(x));
    assert_close(m.mean, 5, 1e-15);
    assert_close(m.m2, 32, 1e-15);
    assert_close(moment_variance(&m), 4.571428571, 1e-9);
    assert_close(moment_deviation(&m), 2.138089935, 1e-9);
    assert_close(moment_cv(&m), 0.427617987, 1e-9);
}

static void vector_2_no_cancellation(void **state)
{
    (void)state;
    static const double x[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
    struct moment m = of(x, countof(x));
    assert_close(m.mean, 1000000010, 1e-15);
    assert_close(moment_variance(&m), 30, 1e-12);
}

static void vector_5_merge(void **state)
{
    (void)state;
    static const double x[] = { 12, 15, 11, 19, 100, 101, 99 };
    struct moment a = of(x, 4), b = of(x + 4, 3), none = { 0 };
    assert_close(a.mean, 14.25, 1e-15);
    assert_close(a.m2, 38.75, 1e-15);
    assert_close(b.m2, 2, 1e-15);
    struct moment ab = a, ba = b;
    moment_merge(&ab, &b);
    moment_merge(&ba, &a);
    assert_close(ab.mean, 51, 1e-15);
    assert_close(ab.m2, 12646, 1e-15);
    assert_close(moment_variance(&ab), 2107.666667, 1e-9);
    assert_close(moment_deviation(&ab), 45.909330946, 1e-9);
    assert_close(ba.m2, ab.m2, 1e-12);
    moment_merge(&ab, &none);
    assert_true(ab.n == 7);
    moment_merge(&none, &ab);
    assert_true(none.n == 7 && none.mean == ab.mean && none.m2 == ab.m2);
}

static void vector_6_neumaier(void **state)
{
    (void)state;
    static const double x[] = { 1, 1e100, 1, -1e100 };
    assert_true(sum_neumaier(x, 4) == 2);
    assert_true(sum_neumaier(x, 0) == 0);
    double tenth[1000];
    for (size_t i = 0; i < countof(tenth); i++)
        tenth[i] = 0.1;
    assert_close(sum_neumaier(tenth, countof(tenth)), 100, 1e-16);
}

static void few_values(void **state)
{
    (void)state;
    struct moment m = { 0 };
    assert_nan(moment_variance(&m));
    assert_nan(moment_cv(&m));
    moment_add(&m, 3);
    assert_true(m.mean == 3);
    assert_nan(moment_variance(&m));
    assert_nan(moment_deviation(&m));
    moment_add(&m, 3);
    assert_true(moment_variance(&m) == 0);
    assert_true(moment_cv(&m) == 0);
    static const double zeros[] = { 0, 0, 0 };
    m = of(zeros, 3);
    assert_true(moment_variance(&m) == 0);
    assert_nan(moment_cv(&m));
}

static void order_and_size_do_not_matter(void **state)
{
    (void)state;
    enum { N = 90000 };
    struct moment up = { 0 }, down = { 0 };
    for (int i = 0; i < N; i++) {
        int mixed = (int)(i * 7919ll % N); /* 7919 is prime: each once */
        moment_add(&up, 1e-9 * (mixed + 1));
        moment_add(&down, 1e-9 * (N - mixed));
    }
    assert_close(up.mean, 1e-9 * (N + 1) / 2, 1e-12);
    assert_close(moment_variance(&up), 1e-18 * N * (N + 1.0) / 12, 1e-12);
    assert_close(down.mean, up.mean, 1e-12);
    assert_close(down.m2, up.m2, 1e-12);
    struct moment big = { 0 };
    moment_add(&big, 1e12);
    moment_add(&big, 1e12 + 2);
    assert_close(moment_variance(&big), 2, 1e-15);
}

static void medians(void **state)
{
    (void)state;
    static const double x[] = { 9, 1, 5, 3, 7 };
    assert_true(median_of(x, 5) == 5);
    assert_true(median_of(x, 4) == 4);
    assert_true(median_of(x, 1) == 9);
    assert_true(x[0] == 9);
    assert_nan(median_of(x, 0));
    const double absent[] = { 1, ABSENT, 3 };
    assert_nan(median_of(absent, 3));
    const double endless[] = { 1, ENDLESS, 3 };
    assert_nan(median_of(endless, 3));
}

static void quantiles_of_type_7(void **state)
{
    (void)state;
    static const double x[] = { 488, 489, 490, 491, 492, 493, 494, 495, 520, 700 };
    assert_close(quantile_sorted(x, 10, 0.25), 490.25, 1e-15);
    assert_close(quantile_sorted(x, 10, 0.5), 492.5, 1e-15);
    assert_close(quantile_sorted(x, 10, 0.75), 494.75, 1e-15);
    assert_true(quantile_sorted(x, 10, 0) == 488);
    assert_true(quantile_sorted(x, 10, 1) == 700);
    assert_true(quantile_sorted(x, 1, 0.3) == 488);
    assert_nan(quantile_sorted(x, 0, 0.5));
}

/* §1: the two pairs of the published review, and the pairs of §13. */
static void printed_deviation_and_variance(void **state)
{
    (void)state;
    assert_int_equal(variance_agrees("0.0157", "0.00246"), 0);
    assert_int_equal(variance_agrees("0.0157", "0.000246"), 1);
    assert_int_equal(variance_agrees("0.0142", "0.000201"), 1);
    assert_int_equal(variance_agrees("0.0142", "0.000202"), 1);
    assert_int_equal(variance_agrees("0.0157", "0.000248"), 1);
    assert_int_equal(variance_agrees("1.23", "1.52"), 1);
    /* the range of 0.0157 is [0.0002449225, 0.0002480625], half a unit wider */
    assert_int_equal(variance_agrees("0.0157", "0.0002449225"), 1);
    assert_int_equal(variance_agrees("0.0157", "0.0002449223"), 0);
    assert_int_equal(variance_agrees("0.0157", "0.0002480625"), 1);
    assert_int_equal(variance_agrees("0.0157", "0.0002480627"), 0);
    assert_int_equal(variance_agrees("0.0157", "0.000249"), 0);
    assert_int_equal(variance_agrees("1.57e-2", "2.46e-4"), 1);
    assert_int_equal(variance_agrees("157", "24649"), 1);
    assert_int_equal(variance_agrees("157", "24000"), 0);
    assert_int_equal(variance_agrees("0.00", "0.00"), 1);
    assert_int_equal(variance_agrees("–", "0.1"), -1);
    assert_int_equal(variance_agrees("0.1", ""), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_1),
        cmocka_unit_test(vector_2_no_cancellation),
        cmocka_unit_test(vector_5_merge),
        cmocka_unit_test(vector_6_neumaier),
        cmocka_unit_test(few_values),
        cmocka_unit_test(order_and_size_do_not_matter),
        cmocka_unit_test(medians),
        cmocka_unit_test(quantiles_of_type_7),
        cmocka_unit_test(printed_deviation_and_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
