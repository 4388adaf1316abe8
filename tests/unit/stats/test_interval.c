#include <stdlib.h>

#include "base/array.h"
#include "base/rng.h"
#include "stats/interval.h"
#include "unit.h"

static void vector_1_waves(void **state)
{
    (void)state;
    static const double x[] = { 100, 102, 104, 103, 101, 99, 98, 97, 99,  101,
                                103, 105, 104, 102, 100, 98, 97, 99, 101, 102 };
    struct mean_interval m = mean_within(x, NULL, countof(x));
    assert_close(m.mean, 100.75, 1e-15);
    assert_close(m.tau, 2.441995360, 1e-9);
    assert_close(m.n_eff, 8.190023753, 1e-9);
    assert_close(m.se, 0.8656223855, 1e-9);
    assert_close(m.half, 2.035956263, 1e-9);
    assert_close(m.mean - m.half, 98.714043737, 1e-10);
    assert_int_equal(m.note, MEAN_FEW_BATCHES);
    assert_int_equal(m.n, 20);
    assert_false(m.over_repeats);
}

static void vector_2_alternating_buys_no_certainty(void **state)
{
    (void)state;
    static const double x[] = { 10, 12, 10, 12, 10, 12, 10, 12, 10, 12, 10, 12 };
    struct mean_interval m = mean_within(x, NULL, countof(x));
    assert_true(m.tau == 1);
    assert_true(m.n_eff == 12);
    assert_close(m.half, 0.663621995, 1e-9);
    assert_int_equal(m.note, MEAN_OK);
}

static void vector_3_equal_and_trend(void **state)
{
    (void)state;
    double x[20];
    for (size_t i = 0; i < 12; i++)
        x[i] = 7;
    struct mean_interval m = mean_within(x, NULL, 12);
    assert_true(m.mean == 7 && m.half == 0 && m.se == 0);
    assert_int_equal(m.note, MEAN_ALL_EQUAL);
    for (size_t i = 0; i < 12; i++)
        x[i] = 0.1; /* no exact double */
    m = mean_within(x, NULL, 12);
    assert_close(m.mean, 0.1, 1e-15);
    assert_int_equal(m.note, MEAN_ALL_EQUAL);
    for (size_t i = 0; i < 20; i++)
        x[i] = (double)i + 1;
    m = mean_within(x, NULL, 20);
    assert_close(m.tau, 6.978947368, 1e-9);
    assert_close(m.n_eff, 2.865761689, 1e-9);
    assert_close(m.half, 19.475341, 1e-7);
}

static void vector_4_slow_waves(void **state)
{
    (void)state;
    static const double x[] = { 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 13, 13, 12, 12, 11,
                                11, 10, 10, 9,  9,  8,  8,  9,  9,  10, 10, 11, 11, 12, 12 };
    struct mean_interval m = mean_within(x, NULL, countof(x));
    assert_close(m.mean, 11, 1e-15);
    assert_close(m.tau, 6.9, 1e-12);
    assert_close(m.n_eff, 4.347826087, 1e-9);
    assert_close(m.half, 2.680439672, 1e-9);
}

/* §4 vector 5 with the data of §1 vector 8: the empty second needs no special case. */
static void vector_5_mean_response_time(void **state)
{
    (void)state;
    static const double ios[] = { 1000, 1200, 800, 1100, 0, 900, 1000, 1300, 700, 1000, 1050, 950 };
    static const double us[] = { 100, 110, 95, 105, 0, 98, 102, 120, 90, 101, 103, 99 };
    double sum[12];
    for (size_t i = 0; i < 12; i++)
        sum[i] = ios[i] * us[i];
    struct mean_interval m = mean_within(sum, ios, 12);
    assert_close(m.mean, 103.263636364, 1e-11);
    assert_true(m.tau == 1);
    assert_close(m.se, 2.562943125, 1e-9);
    assert_close(m.half, 5.640999785, 1e-9);
}

static void vector_6_partial_last_interval(void **state)
{
    (void)state;
    static const double ios[] = { 1000, 1010, 990, 1005, 995, 1002, 998, 1001, 999, 500 };
    static const double seconds[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5 };
    struct mean_interval m = mean_within(ios, seconds, 10);
    assert_close(m.mean, 1000, 1e-15);
    assert_close(m.half, 4.047292462, 1e-9);
}

/* §1 vector 7: a rate is a ratio of sums. */
static void rates_are_ratios_of_sums(void **state)
{
    (void)state;
    static const double ios[] = { 1000, 1200, 400 }, seconds[] = { 1, 1, 0.5 };
    struct mean_interval m = mean_within(ios, seconds, 3);
    assert_true(m.mean == 1040);
    assert_nan(m.half);
    assert_int_equal(m.note, MEAN_TOO_SHORT);
}

static void too_short_absent_or_not_finite(void **state)
{
    (void)state;
    double x[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, zero[12] = { 0 };
    struct mean_interval m = mean_within(x, NULL, 9);
    assert_close(m.mean, 5, 1e-15);
    assert_nan(m.half);
    assert_int_equal(m.note, MEAN_TOO_SHORT);
    assert_false(isnan(mean_within(x, NULL, 10).half));
    assert_nan(mean_within(x, NULL, 0).mean);
    assert_nan(mean_within(x, zero, 12).mean);
    m = mean_within(zero, NULL, 12);
    assert_true(m.mean == 0 && m.half == 0);
    x[5] = ABSENT;
    m = mean_within(x, NULL, 12);
    assert_nan(m.mean);
    assert_nan(m.half);
    x[5] = ENDLESS;
    assert_nan(mean_within(x, NULL, 12).mean);
    x[5] = 6;
    zero[3] = ABSENT;
    assert_nan(mean_within(x, zero, 12).mean);
}

static void drift_over_a_long_run_has_no_interval(void **state)
{
    (void)state;
    enum { N = 90000 };
    double *x = malloc(N * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < N; i++)
        x[i] = i < N / 2 ? 100 : 50;
    struct mean_interval m = mean_within(x, NULL, N);
    assert_int_equal(m.note, MEAN_DRIFTS);
    assert_close(m.mean, 75, 1e-12);
    assert_nan(m.half);
    struct rng r = rng_seed(5);
    for (int i = 0; i < N; i++)
        x[i] = rng_double(&r);
    m = mean_within(x, NULL, N);
    assert_int_equal(m.note, MEAN_OK);
    assert_true(fabs(m.mean - 0.5) < m.half && m.half < 0.003);
    free(x);
}

/* Scaling the data scales the interval, nothing else. */
static void any_magnitude(void **state)
{
    (void)state;
    static const double x[] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9 };
    struct mean_interval base = mean_within(x, NULL, countof(x));
    for (double scale = 1e-9; scale < 1e13; scale *= 1000) {
        double scaled[countof(x)];
        for (size_t i = 0; i < countof(x); i++)
            scaled[i] = x[i] * scale;
        struct mean_interval m = mean_within(scaled, NULL, countof(x));
        assert_close(m.half, base.half * scale, 1e-12);
        assert_close(m.n_eff, base.n_eff, 1e-12);
    }
}

static void vector_7_repeats(void **state)
{
    (void)state;
    static const double x[] = { 22340, 22510, 22180, 22460, 22290 };
    struct mean_interval m = mean_over_repeats(x, 5);
    assert_close(m.mean, 22356, 1e-15);
    assert_close(m.se * sqrt(5), 132.4009063, 1e-9);
    assert_close(m.half, 164.3974387, 1e-9);
    assert_int_equal(m.note, MEAN_OK);
    assert_true(m.over_repeats);
    assert_true(m.n_eff == 5);
}

static void few_repeats(void **state)
{
    (void)state;
    static const double x[] = { 100, 104, 102 };
    struct mean_interval m = mean_over_repeats(x, 2);
    assert_true(m.mean == 102);
    assert_nan(m.half);
    assert_close(m.se, 2, 1e-15); /* ±25.412409 would be 12.7 times that */
    assert_int_equal(m.note, MEAN_TWO_REPEATS);
    m = mean_over_repeats(x, 1);
    assert_true(m.mean == 100);
    assert_nan(m.half);
    assert_nan(m.se);
    assert_int_equal(m.note, MEAN_ONE);
    assert_nan(mean_over_repeats(x, 0).mean);
    assert_close(mean_over_repeats(x, 3).half, 4.9682754235, 1e-10);
    static const double same[] = { 5, 5, 5 };
    m = mean_over_repeats(same, 3);
    assert_true(m.half == 0);
    assert_int_equal(m.note, MEAN_ALL_EQUAL);
    const double absent[] = { 1, ABSENT, 3 };
    assert_nan(mean_over_repeats(absent, 3).mean);
}

static void vector_8_where_the_time_should_go(void **state)
{
    (void)state;
    static const double runs[3][4] = { { 100, 104, 98, 102 },
                                       { 110, 108, 112, 106 },
                                       { 95, 99, 97, 97 } };
    double means[3], variances[3];
    for (int i = 0; i < 3; i++) {
        struct mean_interval m = mean_over_repeats(runs[i], 4);
        means[i] = m.mean;
        variances[i] = m.se * m.se * 4;
    }
    struct mean_interval m = mean_over_repeats(means, 3);
    assert_close(m.mean, 102.333333333, 1e-11);
    assert_close(m.half, 15.178332, 1e-7);
    struct run_spread s = run_spread(means, variances, 3, 4);
    assert_close(s.within, 5.333333333, 1e-9);
    assert_close(s.between, 36, 1e-12);
    assert_close(best_run_length(s, 40), 2.434, 1e-3);
    static const double equal[] = { 100, 100, 100 };
    s = run_spread(equal, variances, 3, 4);
    assert_true(s.between == 0);
    assert_true(isinf(best_run_length(s, 40)));
    assert_nan(run_spread(means, variances, 1, 4).between);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_1_waves),
        cmocka_unit_test(vector_2_alternating_buys_no_certainty),
        cmocka_unit_test(vector_3_equal_and_trend),
        cmocka_unit_test(vector_4_slow_waves),
        cmocka_unit_test(vector_5_mean_response_time),
        cmocka_unit_test(vector_6_partial_last_interval),
        cmocka_unit_test(rates_are_ratios_of_sums),
        cmocka_unit_test(too_short_absent_or_not_finite),
        cmocka_unit_test(drift_over_a_long_run_has_no_interval),
        cmocka_unit_test(any_magnitude),
        cmocka_unit_test(vector_7_repeats),
        cmocka_unit_test(few_repeats),
        cmocka_unit_test(vector_8_where_the_time_should_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
