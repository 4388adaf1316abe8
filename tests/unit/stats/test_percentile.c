#include "base/array.h"
#include "stats/interval.h"
#include "stats/student.h"
#include "unit.h"

static struct hist merged, one;

/* statistics.md §5, vector 8. */
static const double ios[] = { 1000, 1200, 800, 1100, 900, 1000, 1300, 700, 1000, 1050, 950, 1000 };
static const double above[] = { 10, 14, 6, 12, 8, 9, 20, 5, 11, 10, 8, 10 };

static void vector_8_share_above(void **state)
{
    (void)state;
    struct mean_interval m = mean_within(above, ios, countof(ios));
    assert_close(m.mean, 0.01025, 1e-12);
    assert_true(m.tau == 1);
    assert_close(m.se, 0.0007011506371, 1e-9);
    assert_close(m.half, 0.001543222147, 1e-9);
}

/* 12,000 I/Os of 1, 2, 3, … µs, 123 of them above the bucket of p99. */
static void value_and_its_interval(void **state)
{
    (void)state;
    hist_clear(&merged);
    for (uint64_t i = 1; i <= 12000; i++)
        hist_record(&merged, i * 1000);
    const struct fraction p99 = { 99, 100 };
    struct percentile_interval r = percentile_within(&merged, p99, above, ios, countof(ios));
    assert_true(r.value == (double)hist_percentile(&merged, p99));
    assert_int_equal(r.note, MEAN_OK);
    assert_false(r.open);
    /* ranks ⌈12000 · (1 - 0.01025 ∓ 0.001543222147)⌉ */
    assert_true(r.low == (double)hist_percentile(&merged, (struct fraction) { 11859, 12000 }));
    assert_true(r.high == (double)hist_percentile(&merged, (struct fraction) { 11896, 12000 }));
    assert_true(r.low <= r.value && r.value <= r.high);
    assert_true(r.nu == 11);
    assert_close(r.se_log, log(r.high / r.low) / (2 * student_quantile(0.025, 11)), 1e-14);
}

static void counting_above(void **state)
{
    (void)state;
    hist_clear(&one);
    hist_record(&one, 1000); /* [1000, 1003] */
    hist_record(&one, 1003);
    hist_record(&one, 1004);
    hist_record(&one, 100000000000);
    assert_int_equal(hist_count_above(&one, 999), 4);
    assert_int_equal(hist_count_above(&one, 1001), 2);
    assert_int_equal(hist_count_above(&one, 1004), 1);
    assert_int_equal(hist_count_above(&one, UINT64_MAX), 0);
}

static void open_upper_end(void **state)
{
    (void)state;
    hist_clear(&merged);
    for (uint64_t i = 1; i <= 12000; i++)
        hist_record(&merged, i * 1000);
    static const double rare[] = { 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0 };
    struct percentile_interval r = percentile_within(&merged, (struct fraction) { 999, 1000 }, rare,
                                                     ios, countof(ios));
    assert_false(isnan(r.value));
    assert_true(r.open);
    assert_true(r.high == 12000000);
    assert_nan(r.se_log);
}

static void what_may_not_be_printed_has_no_interval(void **state)
{
    (void)state;
    hist_clear(&merged);
    for (uint64_t i = 1; i <= 999; i++)
        hist_record(&merged, i * 1000);
    struct percentile_interval r = percentile_within(&merged, (struct fraction) { 99, 100 }, above,
                                                     ios, countof(ios));
    assert_nan(r.value);
    assert_nan(r.low);
    r = percentile_within(&merged, (struct fraction) { 1, 2 }, above, ios, 9);
    assert_false(isnan(r.value));
    assert_nan(r.low);
    assert_nan(r.high);
    assert_int_equal(r.note, MEAN_TOO_SHORT);
    hist_clear(&merged);
    assert_nan(percentile_within(&merged, (struct fraction) { 1, 2 }, above, ios, 12).value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_8_share_above),
        cmocka_unit_test(value_and_its_interval),
        cmocka_unit_test(counting_above),
        cmocka_unit_test(open_upper_end),
        cmocka_unit_test(what_may_not_be_printed_has_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
