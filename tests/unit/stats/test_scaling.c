#include "base/array.h"
#include "stats/scaling.h"
#include "unit.h"

static const double rising[] = { 11900, 23100, 43800, 78000, 121000, 150000, 158000, 157200 };

static void vector_1_knee(void **state)
{
    (void)state;
    struct knee k;
    assert_true(knee_find(rising, NULL, 8, &k));
    assert_int_equal(k.at, 6); /* QD 64; 32 reaches 0.949367 */
    assert_int_equal(k.peak, 6);
    assert_true(k.saturated);
    assert_false(k.falls);
}

static void the_limit_is_inclusive(void **state)
{
    (void)state;
    struct knee k;
    static const double x[] = { 50, 95, 100, 94.9 };
    assert_true(knee_find(x, NULL, 4, &k));
    assert_int_equal(k.at, 1);
    assert_int_equal(k.peak, 2);
    assert_true(k.falls);
    static const double y[] = { 50, 95, 100, 95 };
    assert_true(knee_find(y, NULL, 4, &k));
    assert_false(k.falls);
}

static void not_saturated(void **state)
{
    (void)state;
    struct knee k;
    static const double x[] = { 100, 200, 400 };
    assert_true(knee_find(x, NULL, 3, &k));
    assert_int_equal(k.at, 2);
    assert_false(k.saturated);
    static const double small_gain[] = { 100, 200, 210 };
    assert_true(knee_find(small_gain, NULL, 3, &k));
    assert_int_equal(k.at, 1);
    assert_true(k.saturated);
    static const double gains_5[] = { 100, 1000, 1051 };
    assert_true(knee_find(gains_5, NULL, 3, &k));
    assert_int_equal(k.at, 1);
    assert_true(knee_find(x, NULL, 1, &k)); /* one depth shows no saturation */
    assert_false(k.saturated);
}

static void gaps_and_depths_not_reached(void **state)
{
    (void)state;
    struct knee k;
    const double gaps[] = { ABSENT, 100, ABSENT, 200, 205, ABSENT };
    assert_true(knee_find(gaps, NULL, 6, &k));
    assert_int_equal(k.at, 3);
    assert_int_equal(k.peak, 4);
    assert_true(k.saturated);
    static const double x[] = { 100, 200, 205, 250 };
    static const bool reached[] = { true, true, true, false };
    assert_true(knee_find(x, reached, 4, &k));
    assert_int_equal(k.at, 1);
    assert_int_equal(k.peak, 2);
    static const bool none[] = { false, false, false, false };
    assert_false(knee_find(x, none, 4, &k));
    const double absent[] = { ABSENT, 0, ENDLESS };
    assert_false(knee_find(absent, NULL, 3, &k));
    assert_false(knee_find(NULL, NULL, 0, &k));
}

static void vector_2_little(void **state)
{
    (void)state;
    assert_close(little_deviation(120000, 266000, 32), -0.0025, 1e-12);
    assert_true(little_holds(120000, 266000, 32, 1e6, 60));
    assert_close(little_deviation(1e6, 560, 32), -0.9825, 1e-12);
    assert_false(little_holds(1e6, 560, 32, 1e6, 60));
    /* a stall of 1 s in a cell of 2 s may show 50 % */
    assert_true(little_holds(60000, 266000, 32, 1e9, 2));
    assert_false(little_holds(60000, 266000, 32, 1e9, 60));
    assert_true(little_holds(1000, 1e6 * 1.0299, 1, 0, 60));
    assert_false(little_holds(1000, 1e6 * 1.0301, 1, 0, 60));
    assert_false(little_holds(ABSENT, 266000, 32, 1e6, 60));
}

static void vector_3_directions_add_up(void **state)
{
    (void)state;
    double reads = little_deviation(9000, 100000, 1) + 1,
           writes = little_deviation(1000, 400000, 1) + 1;
    assert_close(reads + writes, 1.3, 1e-12);
    assert_close(little_deviation(10000, 130000, 1) + 1, 1.3, 1e-12);
}

static void geometric_vector_1(void **state)
{
    (void)state;
    static const double x[] = { 1.2, 0.9, 1.5, 1.1 }, w[] = { 2, 1, 1, 1 };
    static const double se[] = { 0.01, 0.02, 0.015, 0.03 };
    assert_close(geometric_mean(x, NULL, 4), 1.155385532, 1e-9);
    assert_close(geometric_mean(x, w, 4), 1.164173714, 1e-9);
    assert_close(geometric_mean_se(se, w, 4), 0.008774964387, 1e-9);
    static const double equal[] = { 1, 1, 1, 1 };
    assert_close(geometric_mean_se(se, equal, 4), geometric_mean_se(se, NULL, 4), 1e-15);
}

/* The ratio of two scores is the same whatever the baseline. */
static void geometric_vector_2(void **state)
{
    (void)state;
    static const double v[3][3] = { { 100, 1000, 50 }, { 130, 800, 60 }, { 90, 1500, 45 } };
    static const double want[3][3] = { { 1, 1.076642522, 1.067067991 },
                                       { 0.928813398, 1, 0.991107047 },
                                       { 0.937147406, 1.008972747, 1 } };
    for (int base = 0; base < 3; base++)
        for (int t = 0; t < 3; t++) {
            double ratios[3];
            for (int cell = 0; cell < 3; cell++)
                ratios[cell] = v[t][cell] / v[base][cell];
            assert_close(geometric_mean(ratios, NULL, 3), want[base][t], 1e-9);
        }
}

static void geometric_edges(void **state)
{
    (void)state;
    const double zero[] = { 1, 0, 2 }, negative[] = { 1, -1 }, absent[] = { 1, ABSENT, 2 };
    const double endless[] = { 1, ENDLESS }, one[] = { 7 }, none[] = { 0, 0 };
    assert_nan(geometric_mean(zero, NULL, 3));
    assert_nan(geometric_mean(negative, NULL, 2));
    assert_nan(geometric_mean(absent, NULL, 3));
    assert_nan(geometric_mean(endless, NULL, 2));
    assert_nan(geometric_mean(one, NULL, 0));
    assert_nan(geometric_mean(zero, none, 1));
    assert_close(geometric_mean(one, NULL, 1), 7, 1e-15);
    const double wide[] = { 1e-9, 1e12, 1e-3 };
    assert_close(geometric_mean(wide, NULL, 3), 1, 1e-14);
    assert_nan(geometric_mean_se(one, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_1_knee),      cmocka_unit_test(the_limit_is_inclusive),
        cmocka_unit_test(not_saturated),      cmocka_unit_test(gaps_and_depths_not_reached),
        cmocka_unit_test(vector_2_little),    cmocka_unit_test(vector_3_directions_add_up),
        cmocka_unit_test(geometric_vector_1), cmocka_unit_test(geometric_vector_2),
        cmocka_unit_test(geometric_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
