#include "base/array.h"
#include "chart/place.h"
#include "unit.h"

static void spread_keeps_what_is_free(void **state)
{
    (void)state;
    double y[] = { 10, 40, 90 };
    place_spread(y, 3, 15, 0, 100);
    assert_true(y[0] == 10 && y[1] == 40 && y[2] == 90);
    place_spread(y, 0, 15, 0, 100);
    double one[] = { 500 };
    place_spread(one, 1, 15, 0, 100);
    assert_true(one[0] == 100);
}

static void spread_moves_evenly(void **state)
{
    (void)state;
    double y[] = { 50, 50, 50 };
    place_spread(y, 3, 15, 0, 100);
    assert_true(y[0] == 35 && y[1] == 50 && y[2] == 65);
    double edge[] = { 99, 98 };
    place_spread(edge, 2, 15, 0, 100);
    assert_true(edge[1] == 85 && edge[0] == 100); /* order kept: 98 stays above 99 */
}

/* Against brute force over a grid: the sum of squared moves is the least possible. */
static void spread_is_optimal(void **state)
{
    (void)state;
    static const double given[][3] = {
        { 10, 12, 13 }, { 0, 1, 60 }, { 30, 31, 45 }, { 58, 59, 60 }
    };
    for (size_t k = 0; k < countof(given); k++) {
        double y[3] = { given[k][0], given[k][1], given[k][2] };
        place_spread(y, 3, 10, 0, 60);
        double got = 0;
        for (int i = 0; i < 3; i++) {
            got += (y[i] - given[k][i]) * (y[i] - given[k][i]);
            assert_true(i == 0 || y[i] - y[i - 1] >= 10 - 1e-9);
            assert_true(y[i] >= 0 && y[i] <= 60);
        }
        double best = INFINITY;
        for (double p = 0; p <= 40; p += 0.5) {
            for (double q = p + 10; q <= 50; q += 0.5) {
                for (double r = q + 10; r <= 60; r += 0.5) {
                    double sum = (p - given[k][0]) * (p - given[k][0]) +
                                 (q - given[k][1]) * (q - given[k][1]) +
                                 (r - given[k][2]) * (r - given[k][2]);
                    best = fmin(best, sum);
                }
            }
        }
        assert_true(got <= best + 1e-9);
    }
}

static void spread_with_too_many(void **state)
{
    (void)state;
    double y[20];
    for (int i = 0; i < 20; i++) {
        y[i] = 50;
    }
    place_spread(y, 20, 15, 0, 100);
    for (int i = 1; i < 20; i++) {
        assert_true(y[i] - y[i - 1] == 15); /* runs over the end rather than over each other */
    }
    assert_true(y[0] == 0);
}

static void costs(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct field *f = field_new(a, (struct box) { 0, 0, 100, 100 });
    struct box free = { 10, 10, 20, 20 };
    assert_true(field_cost(f, free) == 0);
    field_add_box(f, (struct box) { 15, 15, 30, 30 });
    assert_true(field_cost(f, free) == 60);
    field_add_line(f, 0, 12, 100, 12);
    assert_true(field_cost(f, free) == 60 + 6 * 4); /* 10 px of line: four pieces of 3 */
    assert_true(field_cost(f, (struct box) { -5, 50, 5, 60 }) == 200);
    /* touching is not hitting */
    assert_true(field_cost(f, (struct box) { 30, 30, 40, 40 }) == 0);
    field_add_line(f, 50, 50, 50, 50);
    assert_true(field_cost(f, (struct box) { 45, 45, 55, 55 }) == 0);
    arena_free(a);
}

static void takes_the_cheapest(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct field *f = field_new(a, (struct box) { 0, 0, 100, 100 });
    struct box places[] = { { 10, 10, 20, 20 }, { 40, 10, 50, 20 }, { 70, 10, 80, 20 } };
    assert_int_equal(field_place(f, places, 3), 0);
    assert_int_equal(field_place(f, places, 3), 1);
    assert_int_equal(field_place(f, places, 3), 2);
    assert_true(field_least(f, places, 3) == 60);
    assert_int_equal(field_place(f, places, 3), 0);
    for (int i = 0; i < 200; i++) {
        field_add_line(f, 0, i, 100, i);
        field_add_box(f, places[1]);
    }
    assert_int_equal(field_place(f, places, 3), 2);
    arena_free(a);
}

static void around_in_order(void **state)
{
    (void)state;
    const struct metrics *m = metrics_of(MEDIUM_SCREEN);
    struct box at[PLACES_AROUND];
    places_around(m, &(struct spot) { 100, 100, 20, 9 }, at);
    assert_true(at[0].x1 < 100 && at[0].y1 < 100);
    assert_true(at[1].x0 == 90 && at[1].y1 < 100);
    assert_true(at[2].x0 > 100 && at[2].y0 > 100);
    assert_true(at[3].x0 == 90 && at[3].y0 > 100);
    assert_true(at[4].x0 == 109 && at[4].y0 == 94);
    assert_true(at[5].x1 == 91 && at[5].y0 == 94);
    assert_true(at[6].x0 > 100 && at[6].y1 < 100);
    assert_true(at[7].x1 < 100 && at[7].y0 > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_keeps_what_is_free),
        cmocka_unit_test(spread_moves_evenly),
        cmocka_unit_test(spread_is_optimal),
        cmocka_unit_test(spread_with_too_many),
        cmocka_unit_test(costs),
        cmocka_unit_test(takes_the_cheapest),
        cmocka_unit_test(around_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
