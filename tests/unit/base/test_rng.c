#include <string.h>

#include "base/array.h"
#include "base/rng.h"
#include "unit.h"

static void splitmix(void **state)
{
    (void)state;
    static const uint64_t zero[] = { 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
                                     0xf88bb8a8724c81ec };
    static const uint64_t one[] = { 0x910a2dec89025cc1, 0xbeeb8da1658eec67, 0xf893a2eefb32555e,
                                    0x71c18690ee42c90b };
    uint64_t a = 0, b = 1;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(rng_splitmix(&a), zero[i]);
        assert_int_equal(rng_splitmix(&b), one[i]);
        assert_int_equal(rng_worker_seed(0, i), zero[i]);
        assert_int_equal(rng_worker_seed(1, i), one[i]);
    }
}

static void xoshiro(void **state)
{
    (void)state;
    static const uint64_t small[] = {
        11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600
    };
    struct rng r = { { 1, 2, 3, 4 } };
    for (size_t i = 0; i < countof(small); i++)
        assert_int_equal(rng_next(&r), small[i]);

    static const uint64_t seeded[] = { 0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52,
                                       0x581ce1ff0e4ae394 };
    static const uint64_t out[] = { 0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1,
                                    0xecb8ad4703b360a1 };
    static const double doubles[] = { 0.0838629710598822, 0.378980250662669, 0.680043411028139,
                                      0.924692945325388 };
    struct rng a = rng_seed(42), b = rng_seed(42);
    assert_memory_equal(a.s, seeded, sizeof seeded);
    for (size_t i = 0; i < countof(out); i++) {
        assert_int_equal(rng_next(&a), out[i]);
        assert_close(rng_double(&b), doubles[i], 1e-14);
    }
}

/* A generator whose next output is x: s[1] = x · 9⁻¹ rotated back by 7 · 5⁻¹. */
static struct rng that_draws(uint64_t x)
{
    const uint64_t inverse_of_5 = 0xcccccccccccccccd, inverse_of_9 = 0x8e38e38e38e38e39;
    struct rng r = { { 7, rng_rotl_(x * inverse_of_9, 57) * inverse_of_5, 11, 13 } };
    struct rng copy = r;
    assert_int_equal(rng_next(&copy), x);
    return r;
}

/* Was the first draw enough? */
static bool kept(struct rng r, uint64_t n, uint64_t *ret)
{
    struct rng once = r;
    rng_next(&once);
    *ret = rng_below(&r, n);
    return !memcmp(once.s, r.s, sizeof r.s);
}

static void bounded_draws(void **state)
{
    (void)state;
    static const struct {
        uint64_t n, x, want;
        bool kept;
    } rows[] = {
        { 10, 0, 0, false },
        { 10, 1, 0, true },
        { 10, 1ull << 63, 0, false },
        { 10, UINT64_MAX, 9, true },
        { 6, 0x8000000000000001, 3, true },
        { 3, 0, 0, false },
        { 3, 1, 0, true },
        { 262144, 12345678901234567890ull, 175442, true },
        { 1, 0, 0, true },
        { 1, UINT64_MAX, 0, true },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        uint64_t got;
        assert_int_equal(kept(that_draws(rows[i].x), rows[i].n, &got), rows[i].kept);
        assert_true(got < rows[i].n);
        if (rows[i].kept)
            assert_int_equal(got, rows[i].want);
    }
    static const uint64_t draws[] = { 83, 378, 680, 924 };
    struct rng r = rng_seed(42);
    for (size_t i = 0; i < countof(draws); i++)
        assert_int_equal(rng_below(&r, 1000), draws[i]);
}

/* χ² over 10 values, fixed seed; df 9: two-sided 0.001 limits of statistics.md §10. */
static void draws_are_even(void **state)
{
    (void)state;
    struct rng r = rng_seed(1);
    double count[10] = { 0 }, chi2 = 0;
    for (int i = 0; i < 100000; i++)
        count[rng_below(&r, 10)]++;
    for (int i = 0; i < 10; i++)
        chi2 += (count[i] - 10000) * (count[i] - 10000) / 10000;
    assert_true(chi2 > 1.151950 && chi2 < 27.877165);
}

static void fill_is_the_stream(void **state)
{
    (void)state;
    struct rng a = rng_seed(42), b = rng_seed(42);
    unsigned char bytes[21], guard = 0xA5;
    memset(bytes, guard, sizeof bytes);
    rng_fill(&a, bytes, 20);
    static const unsigned char first[] = { 0x16, 0xc7, 0x2e, 0x0c, 0x2e, 0x0b, 0x78, 0x15 };
    assert_memory_equal(bytes, first, sizeof first);
    assert_int_equal(bytes[16], 0xa1);
    assert_int_equal(bytes[20], guard);
    for (int i = 0; i < 3; i++)
        rng_next(&b);
    assert_memory_equal(a.s, b.s, sizeof a.s);
    rng_fill(&a, NULL, 0);
    assert_memory_equal(a.s, b.s, sizeof a.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitmix),           cmocka_unit_test(xoshiro),
        cmocka_unit_test(bounded_draws),      cmocka_unit_test(draws_are_even),
        cmocka_unit_test(fill_is_the_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
