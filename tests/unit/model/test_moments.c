#include "base/array.h"
#include "model/moments.h"
#include "unit.h"

static struct moments of(const uint64_t *x, size_t n)
{
    struct moments m = moments_zero();
    for (size_t i = 0; i < n; i++)
        moments_add(&m, x[i]);
    return m;
}

static bool equal(const struct moments *a, const struct moments *b)
{
    return a->n == b->n && a->sum == b->sum && a->sum_sq == b->sum_sq && a->min == b->min &&
           a->max == b->max;
}

static void nothing_and_one(void **state)
{
    (void)state;
    struct moments m = moments_zero();
    assert_nan(moments_mean(&m));
    assert_nan(moments_variance(&m));
    assert_nan(moments_deviation(&m));
    assert_true(m.min == UINT64_MAX);
    moments_add(&m, 7);
    assert_true(moments_mean(&m) == 7);
    assert_nan(moments_variance(&m));
    assert_int_equal(m.min, 7);
    assert_int_equal(m.max, 7);
}

static void vector_1_small_whole_numbers(void **state)
{
    (void)state;
    static const uint64_t x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
    struct moments m = of(x, countof(x));
    assert_true(moments_mean(&m) == 5);
    assert_close(moments_variance(&m), 32 / 7.0, 1e-15);
    assert_close(moments_deviation(&m), 2.138089935, 1e-9);
}

static void vector_2_no_cancellation(void **state)
{
    (void)state;
    static const uint64_t x[] = { 1000000004, 1000000007, 1000000013, 1000000016 };
    struct moments m = of(x, countof(x));
    assert_true(moments_mean(&m) == 1000000010);
    assert_true(moments_variance(&m) == 30);
    assert_close(moments_deviation(&m), 5.477225575, 1e-9);
}

static void vector_3_response_times(void **state)
{
    (void)state;
    static const uint64_t x[] = { 81920, 83217, 80411, 95012, 1203344, 82777 };
    struct moments m = of(x, countof(x));
    assert_int_equal(m.sum, 1626681);
    assert_int_equal((uint64_t)m.sum_sq, 1484017978619);
    assert_true(moments_mean(&m) == 271113.5);
    assert_close(moments_variance(&m), 208600559865.1, 1e-15);
    assert_close(moments_deviation(&m), 456728.102776, 1e-12);
    assert_int_equal(m.min, 80411);
    assert_int_equal(m.max, 1203344);
}

static void vector_4_needs_128_bits(void **state)
{
    (void)state;
    const uint64_t top = (1ull << 36) - 1, x[] = { top, top - 1, 1, 0 };
    struct moments m = of(x, countof(x));
    assert_int_equal(m.sum, 137438953470);
    unsigned __int128 q = (unsigned __int128)9444732965ull * 1000000000000 + 326973566982;
    assert_true(m.sum_sq == q);
    assert_close(moments_variance(&m), 1.5741221608649224e21, 1e-15);
    assert_close(moments_deviation(&m), 39675208390.9451, 1e-14);
}

static void all_equal_has_no_spread(void **state)
{
    (void)state;
    struct moments m = moments_zero();
    for (int i = 0; i < 1000; i++)
        moments_add(&m, 123456789);
    assert_true(moments_variance(&m) == 0);
    assert_true(moments_deviation(&m) == 0);
    struct moments z = moments_zero();
    moments_add(&z, 0);
    moments_add(&z, 0);
    assert_true(moments_mean(&z) == 0);
    assert_true(moments_variance(&z) == 0);
}

static void merging_is_adding_in_any_order(void **state)
{
    (void)state;
    static const uint64_t x[] = { 12, 15, 11, 19, 100, 101, 99 };
    struct moments all = of(x, 7), a = of(x, 4), b = of(x + 4, 3), none = moments_zero();
    struct moments ab = a, ba = b;
    moments_merge(&ab, &b);
    moments_merge(&ba, &a);
    moments_merge(&ba, &none);
    moments_merge(&none, &ab);
    assert_true(equal(&ab, &all));
    assert_true(equal(&ba, &all));
    assert_true(equal(&none, &all));
    assert_true(moments_mean(&all) == 51);
    assert_close(moments_variance(&all), 12646 / 6.0, 1e-15);
    assert_close(moments_deviation(&all), 45.909330946, 1e-9);
}

static void many_more_than_32_bits(void **state)
{
    (void)state;
    struct moments m = moments_zero();
    for (int i = 0; i < 1000; i++)
        moments_add(&m, i % 2 ? 100000 : 300000);
    struct moments total = moments_zero();
    for (int i = 0; i < 33; i++) { /* doubling: 1000 · 2^33 I/Os */
        moments_merge(&m, &(struct moments) { m.sum_sq, m.n, m.sum, m.min, m.max });
    }
    moments_merge(&total, &m);
    assert_int_equal(total.n, 1000ull << 33);
    assert_true(moments_mean(&total) == 200000);
    assert_close(moments_deviation(&total), 100000, 1e-12);
}

/* An import that lacks something stays without it when merged. */
static void unknown_stays_unknown(void **state)
{
    (void)state;
    static const uint64_t x[] = { 10, 20 };
    struct moments known = of(x, 2);
    struct moments import = { .n = 5, .sum = 100, .min = UINT64_MAX };
    assert_true(moments_mean(&import) == 20);
    assert_nan(moments_variance(&import));
    struct moments a = known, b = import;
    moments_merge(&a, &import);
    moments_merge(&b, &known);
    assert_true(equal(&a, &b));
    assert_int_equal(a.n, 7);
    assert_true(a.sum_sq == 0 && a.min == UINT64_MAX && a.max == 0);
    assert_nan(moments_variance(&a));
}

static void rounded_imports_never_go_below_zero(void **state)
{
    (void)state;
    struct moments m = { .n = 10, .sum = 1000, .sum_sq = 99999, .min = 100, .max = 100 };
    assert_true(moments_variance(&m) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_and_one),
        cmocka_unit_test(vector_1_small_whole_numbers),
        cmocka_unit_test(vector_2_no_cancellation),
        cmocka_unit_test(vector_3_response_times),
        cmocka_unit_test(vector_4_needs_128_bits),
        cmocka_unit_test(all_equal_has_no_spread),
        cmocka_unit_test(merging_is_adding_in_any_order),
        cmocka_unit_test(many_more_than_32_bits),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(rounded_imports_never_go_below_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
