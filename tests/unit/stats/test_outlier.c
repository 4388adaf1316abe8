#include <stdlib.h>

#include "base/array.h"
#include "stats/outlier.h"
#include "stats/student.h"
#include "unit.h"

static void vector_1(void **state)
{
    (void)state;
    static const double x[] = { 490, 492, 495, 488, 491, 493, 489, 494, 520, 700 };
    struct fences f = tukey_fences(x, countof(x));
    assert_true(f.used);
    assert_close(f.q1, 490.25, 1e-15);
    assert_close(f.median, 492.5, 1e-15);
    assert_close(f.q3, 494.75, 1e-15);
    assert_close(f.severe_low, 476.75, 1e-15);
    assert_close(f.mild_low, 483.5, 1e-15);
    assert_close(f.mild_high, 501.5, 1e-15);
    assert_close(f.severe_high, 508.25, 1e-15);
    assert_int_equal(f.n_severe_high, 2);
    assert_int_equal(f.n_mild_high + f.n_mild_low + f.n_severe_low, 0);
}

static void vector_2_the_empty_second_counts(void **state)
{
    (void)state;
    static const double x[] = { 22000, 22100, 21900, 22050, 0,    21950,
                                22020, 18000, 22080, 22010, 21980 };
    struct fences f = tukey_fences(x, countof(x));
    assert_close(f.q1, 21925, 1e-15);
    assert_close(f.q3, 22035, 1e-15);
    assert_close(f.severe_low, 21595, 1e-15);
    assert_close(f.mild_low, 21760, 1e-15);
    assert_close(f.mild_high, 22200, 1e-15);
    assert_close(f.severe_high, 22365, 1e-15);
    assert_int_equal(f.n_severe_low, 2);
    assert_int_equal(f.n_mild_low + f.n_mild_high + f.n_severe_high, 0);
}

static void vector_3_half_are_equal(void **state)
{
    (void)state;
    static const double x[] = { 5, 5, 5, 5, 5, 5, 5, 9 };
    struct fences f = tukey_fences(x, countof(x));
    assert_false(f.used);
    assert_int_equal(f.n_differ, 1);
    assert_true(f.median == 5);
    assert_nan(f.severe_high);
}

static void on_the_fence_is_inside(void **state)
{
    (void)state;
    /* Q1 2.5, Q3 6.5: fences -9.5, -3.5, 12.5, 18.5 */
    double x[] = { 1, 2, 3, 4, 5, 6, 7, 12.5 };
    struct fences f = tukey_fences(x, countof(x));
    double mild = f.mild_high, severe = f.severe_high;
    x[7] = mild;
    f = tukey_fences(x, countof(x));
    assert_true(f.mild_high == mild);
    assert_int_equal(f.n_mild_high, 0);
    x[7] = severe;
    f = tukey_fences(x, countof(x));
    assert_int_equal(f.n_mild_high, 1);
    assert_int_equal(f.n_severe_high, 0);
    x[7] = severe + 0.01;
    assert_int_equal(tukey_fences(x, countof(x)).n_severe_high, 1);
}

static void too_few_or_absent(void **state)
{
    (void)state;
    double x[] = { 1, 2, 3, 4, 5, 6, 700, 8 };
    struct fences f = tukey_fences(x, 7);
    assert_false(f.used);
    assert_true(f.median == 4);
    assert_int_equal(f.n_severe_high, 0);
    f = tukey_fences(x, 0);
    assert_false(f.used);
    assert_nan(f.median);
    x[2] = ABSENT;
    f = tukey_fences(x, 8);
    assert_false(f.used);
    assert_nan(f.median);
}

/* Quantiles of a normal distribution: 25 of 3,600 lie outside 1.5 IQR, none outside 3. */
static void normal_data(void **state)
{
    (void)state;
    enum { N = 3600 };
    double *x = malloc(N * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < N; i++)
        x[(i * 7) % N] = normal_quantile((i + 0.5) / N); /* 3600 and 7 share no factor */
    struct fences f = tukey_fences(x, N);
    assert_in_range(f.n_mild_low + f.n_mild_high, 24, 26);
    assert_int_equal(f.n_severe_low + f.n_severe_high, 0);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_1),
        cmocka_unit_test(vector_2_the_empty_second_counts),
        cmocka_unit_test(vector_3_half_are_equal),
        cmocka_unit_test(on_the_fence_is_inside),
        cmocka_unit_test(too_few_or_absent),
        cmocka_unit_test(normal_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
