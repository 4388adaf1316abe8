/* Which interval and batch a moment belongs to, and when the window ends. */
#include "engine/timeline.h"

#include "unit.h"

#define MS 1000000ull
#define S 1000000000ull
#define NOW (77 * S + 123)

static struct timeline made(uint64_t ramp, uint64_t duration, uint64_t interval)
{
    struct timeline t;
    timeline_init(&t, ramp, duration, interval, NULL);
    timeline_start(&t, NOW);
    return t;
}

static void intervals_are_aligned_to_the_start_of_measuring(void **state)
{
    (void)state;
    struct timeline t = made(1500 * MS, 10 * S, S);
    assert_true(t.zero == NOW + 1500 * MS);
    assert_int_equal(timeline_first(&t), -2);
    assert_int_equal(timeline_index(&t, NOW), -2);
    assert_int_equal(timeline_index(&t, t.zero - S - 1), -2);
    assert_int_equal(timeline_index(&t, t.zero - S), -1);
    assert_int_equal(timeline_index(&t, t.zero - 1), -1);
    assert_int_equal(timeline_index(&t, t.zero), 0);
    assert_int_equal(timeline_index(&t, t.zero + S - 1), 0);
    assert_int_equal(timeline_index(&t, t.zero + S), 1);
    struct timeline whole = made(2 * S, 10 * S, S);
    assert_int_equal(timeline_first(&whole), -2);
    struct timeline none = made(0, 10 * S, S);
    assert_int_equal(timeline_first(&none), 0);
}

static void batches_are_a_64th_but_at_least_10_ms(void **state)
{
    (void)state;
    static const struct {
        uint64_t duration, interval;
        uint32_t parts;
        bool batches;
    } cases[] = {
        { 2 * S, S, 32, true },          { 500 * MS, 500 * MS, 50, true },
        { 10 * S, S, 6, true },          { 60 * S, S, 1, true },
        { 64 * S, S, 1, false },         { 7200 * S, S, 1, false },
        { 2 * S, 15 * MS, 1, false },    { 64 * S, 10 * S, 10, true },
        { 100 * MS, 10 * MS, 1, false }, { 30 * S, 60 * S, 64, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct timeline t = made(0, cases[i].duration, cases[i].interval);
        assert_int_equal(t.parts, cases[i].parts);
        assert_true(t.batches == cases[i].batches);
        assert_true(t.parts <= TIMELINE_MAX_PARTS);
    }
}

/* Every moment lies in the part whose bounds hold it, and the parts tile the interval. */
static void parts_tile_their_interval(void **state)
{
    (void)state;
    struct timeline t = made(3 * S, 10 * S, S + 1);
    for (int64_t i = -2; i < 5; i++)
        for (uint32_t p = 0; p < t.parts; p++) {
            uint64_t from = timeline_part_start(&t, i, p), to = timeline_part_start(&t, i, p + 1);
            assert_true(from < to);
            assert_int_equal(timeline_index(&t, from), i);
            assert_int_equal(timeline_part(&t, i, from), p);
            assert_int_equal(timeline_part(&t, i, to - 1), p);
            assert_true(to - from - t.interval_ns / t.parts <= 1);
        }
    assert_true(timeline_part_start(&t, 1, 0) == t.zero + S + 1);
    assert_true(timeline_part_start(&t, 1, t.parts) == timeline_part_start(&t, 2, 0));
}

static void an_interval_longer_than_the_window_is_shortened(void **state)
{
    (void)state;
    struct timeline t = made(0, 2 * S, 10 * S);
    assert_true(t.interval_ns == 2 * S);
    struct timeline odd = made(0, 2500 * MS, S);
    assert_true(odd.interval_ns == S);
}

static void the_first_reason_to_stop_wins_and_the_earliest_end(void **state)
{
    (void)state;
    struct timeline t = made(0, 10 * S, S);
    assert_false(timeline_halted(&t));
    assert_true(timeline_measured_ns(&t) == 10 * S);
    timeline_halt(&t, HALT_GONE);
    timeline_halt(&t, HALT_BROKEN);
    assert_true(timeline_halted(&t));
    timeline_cut(&t, NOW + 3 * S);
    timeline_cut(&t, NOW + 4 * S);
    assert_int_equal(timeline_why(&t), HALT_GONE);
    assert_true(timeline_measured_ns(&t) == 3 * S);
    timeline_counted(&t, NOW + 3 * S + 5);
    timeline_counted(&t, NOW + 2 * S);
    assert_true(timeline_measured_ns(&t) == 3 * S + 6);
}

static void stopped_in_the_ramp_nothing_is_measured(void **state)
{
    (void)state;
    atomic_int stop = 0;
    struct timeline t;
    timeline_init(&t, 5 * S, 10 * S, S, &stop);
    timeline_start(&t, NOW);
    assert_false(timeline_halted(&t));
    stop = 1;
    assert_true(timeline_halted(&t));
    timeline_cut(&t, NOW + S);
    assert_int_equal(timeline_why(&t), HALT_STOPPED);
    assert_true(timeline_measured_ns(&t) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_aligned_to_the_start_of_measuring),
        cmocka_unit_test(batches_are_a_64th_but_at_least_10_ms),
        cmocka_unit_test(parts_tile_their_interval),
        cmocka_unit_test(an_interval_longer_than_the_window_is_shortened),
        cmocka_unit_test(the_first_reason_to_stop_wins_and_the_earliest_end),
        cmocka_unit_test(stopped_in_the_ramp_nothing_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
