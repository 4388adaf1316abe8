#include "base/array.h"
#include "base/rng.h"
#include "model/hist.h"
#include "unit.h"

static struct hist h, other; /* too large for a stack frame each */

static const struct fraction p0 = { 0, 1 }, p50 = { 1, 2 }, p90 = { 9, 10 }, p95 = { 19, 20 },
                             p99 = { 99, 100 }, p999 = { 999, 1000 }, p100 = { 1, 1 };

static void record(struct hist *to, uint64_t ns, uint64_t times)
{
    while (times--)
        hist_record(to, ns);
}

static void bucket_rule(void **state)
{
    (void)state;
    static const struct {
        uint64_t v;
        uint32_t index;
        uint64_t lower, upper;
    } rows[] = {
        { 0, 0, 0, 0 },
        { 127, 127, 127, 127 },
        { 255, 255, 255, 255 },
        { 256, 256, 256, 257 },
        { 511, 383, 510, 511 },
        { 512, 384, 512, 515 },
        { 1000, 506, 1000, 1003 },
        { 4096, 768, 4096, 4127 },
        { 100000, 1347, 99840, 100351 },
        { 123456, 1393, 123392, 123903 },
        { 1000000, 1780, 999424, 1003519 },
        { 1000000000, 3054, 998244352, 1002438655 },
        { 60000000000, 3807, 59861106688, 60129542143 },
        { (1ull << 36) - 1, 3839, 68451041280, 68719476735 },
        { 1ull << 36, 3839, 68451041280, 68719476735 },
        { UINT64_MAX, 3839, 68451041280, 68719476735 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        assert_int_equal(hist_index(rows[i].v), rows[i].index);
        assert_int_equal(hist_lower(rows[i].index), rows[i].lower);
        assert_int_equal(hist_upper(rows[i].index), rows[i].upper);
    }
}

static void buckets_tile_the_range(void **state)
{
    (void)state;
    assert_int_equal(HIST_BUCKETS, 3840);
    uint64_t expected = 0;
    for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
        uint64_t lower = hist_lower(i), upper = hist_upper(i);
        assert_int_equal(lower, expected);
        assert_true(upper >= lower);
        assert_int_equal(hist_index(lower), i);
        assert_int_equal(hist_index(upper), i);
        assert_true(lower < 256 ? upper == lower : (upper - lower + 1) * 128 <= lower);
        expected = upper + 1;
    }
    assert_true(expected == 1ull << 36);
}

static void percentiles_of_a_ramp(void **state)
{
    (void)state;
    hist_clear(&h);
    for (uint64_t us = 1; us <= 1000; us++)
        hist_record(&h, us * 1000);
    assert_true(hist_is_sane(&h));
    assert_int_equal(hist_percentile(&h, p50), 501759);
    assert_int_equal(hist_percentile(&h, p90), 901119);
    assert_int_equal(hist_percentile(&h, p95), 950271);
    assert_int_equal(hist_percentile(&h, p99), 991231);
    assert_int_equal(hist_percentile(&h, p999), 999423);
    assert_int_equal(hist_percentile(&h, p100), 1000000);
    assert_int_equal(hist_percentile(&h, p0), 1000);
    assert_true(hist_percentile_or_nan(&h, p99) == 991231);
    assert_nan(hist_percentile_or_nan(&h, p999));
    assert_nan(hist_percentile_or_nan(&h, p100));
}

static void rank_is_exact_where_doubles_are_not(void **state)
{
    (void)state;
    hist_clear(&h);
    record(&h, 500, 999);
    record(&h, 100000000, 1);
    assert_int_equal(hist_percentile(&h, p50), 501);
    assert_int_equal(hist_percentile(&h, p99), 501);
    assert_int_equal(hist_percentile(&h, p999), 501); /* rank 999; ⌈99.9/100·1000⌉ is 1000 */
    assert_int_equal(hist_percentile(&h, p100), 100000000);
}

static void printable_from(void **state)
{
    (void)state;
    static const struct {
        struct fraction p;
        uint64_t least;
    } rows[] = { { { 1, 2 }, 20 },
                 { { 9, 10 }, 100 },
                 { { 19, 20 }, 200 },
                 { { 99, 100 }, 1000 },
                 { { 999, 1000 }, 10000 },
                 { { 9999, 10000 }, 100000 },
                 { { 99999, 100000 }, 1000000 },
                 { { 1, 100 }, 1001 } };
    for (size_t i = 0; i < countof(rows); i++) {
        assert_true(percentile_printable(rows[i].least, rows[i].p));
        assert_false(percentile_printable(rows[i].least - 1, rows[i].p));
    }
    assert_false(percentile_printable(0, p50));
    assert_true(percentile_printable(UINT64_MAX, p999));
    assert_false(percentile_printable(UINT64_MAX, p100));
    assert_false(percentile_printable(UINT64_MAX, p0));
}

static void all_equal_is_exact(void **state)
{
    (void)state;
    hist_clear(&h);
    record(&h, 123457, 100);
    assert_int_equal(hist_percentile(&h, p50), 123457);
    assert_int_equal(hist_percentile(&h, p0), 123457);
    assert_int_equal(hist_percentile(&h, p100), 123457);
    hist_clear(&h);
    record(&h, 0, 3);
    assert_true(hist_is_sane(&h));
    assert_int_equal(hist_percentile(&h, p99), 0);
}

/* Percentiles are never averaged: the merged one comes from merged counts. */
static void merging(void **state)
{
    (void)state;
    hist_clear(&h);
    hist_clear(&other);
    record(&h, 100, 990);
    record(&h, 1000, 10);
    record(&other, 200, 500);
    record(&other, 5000, 500);
    assert_int_equal(hist_percentile(&h, p99), 100);
    assert_int_equal(hist_percentile(&other, p99), 5000);
    hist_merge(&h, &other);
    assert_true(hist_is_sane(&h));
    assert_int_equal(h.m.n, 2000);
    assert_int_equal(hist_percentile(&h, p99), 5000);
    assert_int_equal(hist_percentile(&h, p50), 200);
    hist_clear(&other);
    hist_merge(&h, &other);
    assert_true(hist_is_sane(&h));
    hist_merge(&other, &h);
    assert_memory_equal(other.count, h.count, sizeof h.count);
    assert_int_equal(other.m.min, 100);
    assert_int_equal(other.m.max, 5000);
}

static void beyond_the_range(void **state)
{
    (void)state;
    const uint64_t huge = 100000000000;
    hist_clear(&h);
    record(&h, 1000, 50);
    record(&h, huge, 50);
    record(&h, huge + 7, 1);
    assert_int_equal(h.overflow, 51);
    assert_true(hist_is_sane(&h));
    assert_int_equal(hist_percentile(&h, p99), huge + 7);
    assert_true(moments_mean(&h.m) == (50 * 1000.0 + 51.0 * (double)huge + 7) / 101);
}

/* reported ∈ [true, true · (1 + 1/128)] and never above the maximum, on a long-tailed stream. */
static void error_is_bounded(void **state)
{
    (void)state;
    enum { N = 20000 };
    static uint64_t x[N];
    struct rng r = rng_seed(3);
    hist_clear(&h);
    for (size_t i = 0; i < N; i++) {
        x[i] = (uint64_t)(50000 * exp(4 * rng_double(&r) * rng_double(&r)));
        hist_record(&h, x[i]);
    }
    for (size_t gap = N / 2; gap > 0; gap /= 2) /* shell sort */
        for (size_t i = gap; i < N; i++)
            for (size_t k = i; k >= gap && x[k - gap] > x[k]; k -= gap) {
                uint64_t t = x[k];
                x[k] = x[k - gap];
                x[k - gap] = t;
            }
    uint64_t before = 0;
    for (uint64_t k = 1; k <= 1000; k++) {
        uint64_t truth = x[k * N / 1000 - 1],
                 got = hist_percentile(&h, (struct fraction) { k, 1000 });
        assert_true(got >= truth && got - truth <= truth / 128 && got <= h.m.max);
        assert_true(got >= before);
        before = got;
    }
}

/* §3's vector 1; its last two buckets are drawn 2048 wide there, in this layout they are 4096 wide from 2^19 up. */
static void shares(void **state)
{
    (void)state;
    hist_clear(&h);
    record(&h, 500000, 400);
    record(&h, 502000, 350);
    record(&h, 505000, 200);
    record(&h, 550000, 48);
    record(&h, 603000, 2);
    static const struct {
        uint64_t t;
        double share, error;
    } rows[] = { { 503808, 0.75, 0 },
                 { 502784, 0.575, 0.35 },
                 { 550000, 0.95 + 0.048 * 1136 / 4096, 0.048 },
                 { 603001, 1, 0 },
                 { 500000, 0, 0 },
                 { 400000, 0, 0 },
                 { 503807, 0.4 + 0.35 * 2047 / 2048, 0.35 },
                 { 520000, 0.95, 0 } };
    for (size_t i = 0; i < countof(rows); i++) {
        double error;
        assert_close(hist_share_below(&h, rows[i].t, &error), rows[i].share, 1e-12);
        assert_close(error, rows[i].error, 1e-12);
    }
    double error;
    h.m.min = 499712; /* §3: < 500000 is 0.05625 when the minimum allows it */
    assert_close(hist_share_below(&h, 500000, &error), 0.05625, 1e-12);
    assert_close(error, 0.4, 1e-12);
    hist_clear(&h);
    assert_nan(hist_share_below(&h, 5, &error));
}

static void shares_beyond_the_range(void **state)
{
    (void)state;
    hist_clear(&h);
    record(&h, 1000, 50);
    record(&h, 100000000000, 50);
    double error;
    assert_true(hist_share_below(&h, 100000000001, &error) == 1);
    double share = hist_share_below(&h, 100000000000, &error);
    assert_true(share > 0.5 && share < 1);
    assert_close(error, 0.5, 1e-12);
}

static void insane_is_found(void **state)
{
    (void)state;
    hist_clear(&h);
    assert_true(hist_is_sane(&h));
    h.m.min = 0;
    assert_false(hist_is_sane(&h));
    hist_clear(&h);
    record(&h, 1000, 10);
    record(&h, 9000, 10);
    assert_true(hist_is_sane(&h));
    h.m.n++;
    assert_false(hist_is_sane(&h));
    h.m.n--;
    h.m.min = 900;
    assert_false(hist_is_sane(&h));
    h.m.min = UINT64_MAX; /* not known: an import */
    assert_true(hist_is_sane(&h));
    h.m.max = 10000;
    assert_false(hist_is_sane(&h));
    h.m.max = 0;
    assert_true(hist_is_sane(&h));
    h.overflow = 1;
    assert_false(hist_is_sane(&h));
}

/* An import without minimum and maximum: bucket bounds are all there is. */
static void unknown_extremes_do_not_clamp(void **state)
{
    (void)state;
    hist_clear(&h);
    record(&h, 1000, 100);
    h.m.min = UINT64_MAX;
    h.m.max = 0;
    double error;
    assert_int_equal(hist_percentile(&h, p50), 1003);
    assert_int_equal(hist_percentile(&h, p100), 1003);
    assert_true(hist_share_below(&h, 1000, &error) == 0);
    assert_close(hist_share_below(&h, 1002, &error), 0.5, 1e-12);
    assert_true(hist_share_below(&h, 1004, &error) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bucket_rule),
        cmocka_unit_test(buckets_tile_the_range),
        cmocka_unit_test(percentiles_of_a_ramp),
        cmocka_unit_test(rank_is_exact_where_doubles_are_not),
        cmocka_unit_test(printable_from),
        cmocka_unit_test(all_equal_is_exact),
        cmocka_unit_test(merging),
        cmocka_unit_test(beyond_the_range),
        cmocka_unit_test(error_is_bounded),
        cmocka_unit_test(shares),
        cmocka_unit_test(shares_beyond_the_range),
        cmocka_unit_test(insane_is_found),
        cmocka_unit_test(unknown_extremes_do_not_clamp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
