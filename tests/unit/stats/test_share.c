#include "base/array.h"
#include "stats/interval.h"
#include "unit.h"

static void wilson_and_clopper_pearson(void **state)
{
    (void)state;
    static const struct {
        double count, n, w_low, w_high, cp_low, cp_high;
    } rows[] = {
        { 3599, 3600, 0.998428138, 0.999950964, 0.998453304, 0.999992967 },
        { 3420, 3600, 0.942388572, 0.956652087, 0.942367848, 0.956890354 },
        { 0, 60, 0, 0.060171852, 0, 0.059629492 },
        { 9, 10, 0.595849973, 0.982123787, 0.554983883, 0.997471421 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct share_interval w = share_wilson(rows[i].count / rows[i].n, rows[i].n);
        struct share_interval c = share_clopper_pearson(rows[i].count, rows[i].n);
        assert_close(w.low, rows[i].w_low, 1e-9);
        assert_close(w.high, rows[i].w_high, 1e-8);
        assert_close(c.low, rows[i].cp_low, 1e-9);
        assert_close(c.high, rows[i].cp_high, 1e-8);
        /* The mirrored share has the mirrored interval. */
        struct share_interval m = share_wilson(1 - rows[i].count / rows[i].n, rows[i].n);
        assert_close(m.low, 1 - w.high, 1e-9);
        assert_close(m.high, 1 - w.low, 1e-9);
        m = share_clopper_pearson(rows[i].n - rows[i].count, rows[i].n);
        assert_close(m.low, 1 - c.high, 1e-8);
    }
    struct share_interval w = share_wilson(0.95, 400);
    assert_close(w.low, 0.924036365, 1e-9);
    assert_close(w.high, 0.967402570, 1e-9);
}

static void impossible_shares(void **state)
{
    (void)state;
    assert_nan(share_wilson(0.5, 0).low);
    assert_nan(share_wilson(ABSENT, 10).low);
    assert_nan(share_wilson(1.1, 10).high);
    assert_nan(share_clopper_pearson(5, 4).low);
    assert_nan(share_clopper_pearson(0, 0).high);
    assert_true(share_wilson(1, 60).high == 1);
    assert_true(share_clopper_pearson(60, 60).high == 1);
}

/* §2, vector 4; the coverage of (100, ½) there has a digit wrong, the exact fraction is 0.96479979978. */
static void order_statistics(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double p;
        size_t low, high;
        double coverage;
    } rows[] = {
        { 20, 0.5, 6, 15, 0.958610535 },
        { 100, 0.5, 40, 61, 0.9647997998 },
        { 100, 0.9, 84, 96, 0.955690107 },
        { 1000, 0.99, 983, 997, 0.976094763 },
        { 10000, 0.999, 9983, 9997, 0.975457462 },
        { 1000, 0.999, 997, 1001, 0.981073167 },
        { 7, 0.5, 1, 7, 0.984375 },
        { 5, 0.5, 0, 6, 1 },
        { 1, 0.5, 0, 2, 1 },
        { 10, 1, 10, 11, 1 },
        { 10, 0, 0, 1, 1 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        struct rank_interval r = rank_interval(rows[i].n, rows[i].p);
        assert_int_equal(r.low, rows[i].low);
        assert_int_equal(r.high, rows[i].high);
        assert_close(r.coverage, rows[i].coverage, 1e-9);
    }
    assert_nan(rank_interval(0, 0.5).coverage);
    assert_nan(rank_interval(10, ABSENT).coverage);
}

/* The normal approximation must be near for more than 2^31 values. */
static void order_statistics_of_very_many(void **state)
{
    (void)state;
    const double n = 4e9;
    struct rank_interval r = rank_interval((size_t)n, 0.99);
    double half = 1.959964 * sqrt(n * 0.99 * 0.01);
    assert_close((double)r.low, n * 0.99 - half, 1e-8);
    assert_close((double)r.high, n * 0.99 + half, 1e-8);
    assert_close(r.coverage, 0.95, 1e-4);
}

static void thresholds(void **state)
{
    (void)state;
    static const struct {
        double q50, q95, q99, q999;
        size_t n;
        double want[3];
    } rows[] = {
        { 487000, 499800, 511000, 531200, 3, { 500000, 520000, 540000 } },
        { 8.1e6, 12.4e6, 19e6, 41e6, 2, { 20e6, 50e6 } },
        { 82000, 83000, 83500, 83900, 2, { 83500, 84000 } },
        { 100000, 100000, 100000, 100000, 1, { 102000 } },
        { 0, 0, 0, 0, 1, { 1 } },
        { 1, 2, 3, 4, 3, { 3, 4, 5 } },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        double got[3];
        size_t n = thresholds_choose(rows[i].q50, rows[i].q95, rows[i].q99, rows[i].q999, got);
        assert_int_equal(n, rows[i].n);
        for (size_t k = 0; k < n; k++)
            assert_true(got[k] == rows[i].want[k]);
    }
    double got[3];
    assert_int_equal(thresholds_choose(ABSENT, 1, 2, 3, got), 0);
    assert_int_equal(thresholds_choose(1, 1, 2, ENDLESS, got), 0);
    assert_int_equal(thresholds_choose(1e12, 2e12, 3e12, 4e12, got), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_and_clopper_pearson),
        cmocka_unit_test(impossible_shares),
        cmocka_unit_test(order_statistics),
        cmocka_unit_test(order_statistics_of_very_many),
        cmocka_unit_test(thresholds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
