/* The clock read from the processor's counter, against made-up counters and clocks, and against the real one. */
#include "base/rng.h"
#include "engine/tick.h"
#include "unit.h"

#define S 1000000000ull
#define MS 1000000ull

/* A counter of 2.5 GHz that starts anywhere. */
static uint64_t count_at(uint64_t ns)
{
    return 123456789 + ns / 2 * 5;
}

static void begin(struct tick *t, uint64_t at)
{
    const uint64_t ns[2] = { at, at + 2 * MS };
    const uint64_t count[2] = { count_at(ns[0]), count_at(ns[1]) };
    tick_start(t, count, ns);
}

static uint64_t off(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void gives_the_time_in_between(void **state)
{
    (void)state;
    struct tick t;
    begin(&t, S);
    assert_true(t.valid > 0);
    for (uint64_t ns = S + 2 * MS; ns < S + 4 * MS; ns += 12346)
        assert_true(off(tick_at(&t, count_at(ns)), ns) <= 2);
}

/* Read with a jitter of 60 ns, compared each period: never back, never far off. */
static void follows_without_going_back(void **state)
{
    (void)state;
    struct tick t;
    struct rng r = rng_seed(5);
    begin(&t, S);
    uint64_t before = 0, now = S + 2 * MS, due = now;
    for (int i = 0; i < 200000; i++, now += 5000 + rng_below(&r, 5000)) {
        uint64_t given = tick_at(&t, count_at(now));
        if (count_at(now) - t.count >= t.valid)
            given = tick_compare(&t, count_at(now), now - 30 + rng_below(&r, 60));
        assert_true(given >= before);
        assert_true(off(given, now) < 500);
        before = given;
    }
    assert_true(t.valid > 0);
    assert_true(t.period_ns == TICK_PERIOD_NS);
    assert_true(now > due + S);
}

/* adjtime turns the kernel's clock 0.05 % faster, then slower. */
static void follows_a_clock_that_is_turned(void **state)
{
    (void)state;
    struct tick t;
    begin(&t, S);
    uint64_t kernel = S + 2 * MS, count = count_at(kernel), before = 0;
    for (int i = 0; i < 3000; i++) {
        kernel += i < 1500 ? 1000500 : 999500;
        count += 2500000;
        uint64_t given = count - t.count < t.valid ? tick_at(&t, count)
                                                   : tick_compare(&t, count, kernel);
        assert_true(given >= before);
        assert_true(off(given, kernel) < 25000);
        before = given;
    }
    assert_true(t.valid > 0);
}

static void a_worker_that_slept_long_has_the_kernels_time(void **state)
{
    (void)state;
    struct tick t;
    begin(&t, S);
    assert_true(tick_compare(&t, count_at(90 * S) + 50000, 90 * S) == 90 * S);
    assert_true(t.valid > 0);
}

static void is_given_up_when_the_counter_jumps(void **state)
{
    (void)state;
    const int64_t jumps[] = { 2500000, -2500000, -(int64_t)(1ull << 40), 1ll << 40 };
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        struct tick t;
        begin(&t, 1000 * S);
        uint64_t now = 1000 * S + 7 * MS;
        uint64_t last = tick_at(&t, t.count + t.valid - 1);
        uint64_t given = tick_compare(&t, count_at(now) + (uint64_t)jumps[i], now);
        assert_true(t.valid == 0);
        assert_true(given >= now && given < now + 5 * MS);
        assert_true(jumps[i] < 0 || given >= last);
        assert_true(t.floor <= last + 1);
    }
}

static void a_counter_that_stands_is_not_used(void **state)
{
    (void)state;
    struct tick t;
    const uint64_t count[2] = { 5, 5 }, ns[2] = { S, S + 2 * MS };
    tick_start(&t, count, ns);
    assert_true(t.valid == 0);
}

static void the_real_one_agrees_with_the_kernel(void **state)
{
    (void)state;
    struct tick t;
    tick_begin(&t);
    assert_true((t.valid > 0) == tick_usable());
    uint64_t before = 0, end = clock_mono_ns() + 100 * MS;
    for (;;) {
        uint64_t low = clock_mono_ns(), given = tick_now(&t), high = clock_mono_ns();
        assert_true(given >= before);
        assert_true(given + 50000 >= low && given <= high + 50000);
        before = given;
        if (high > end)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_time_in_between),
        cmocka_unit_test(follows_without_going_back),
        cmocka_unit_test(follows_a_clock_that_is_turned),
        cmocka_unit_test(a_worker_that_slept_long_has_the_kernels_time),
        cmocka_unit_test(is_given_up_when_the_counter_jumps),
        cmocka_unit_test(a_counter_that_stands_is_not_used),
        cmocka_unit_test(the_real_one_agrees_with_the_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
