#include <string.h>

#include "base/array.h"
#include "base/rng.h"
#include "chart/raster.h"
#include "unit.h"

enum { SIDE = 40 };

static int at(const uint8_t *mask, int x, int y)
{
    return mask[y * SIDE + x];
}

static void density_values(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct density *d = density_new(a, SIDE, SIDE);
    for (int i = 0; i < 99; i++) {
        density_add(d, 10.5, 10.5);
    }
    for (int i = 0; i < 9; i++) {
        density_add(d, 11.2, 10.9);
    }
    const uint8_t *mask = density_mask(d);
    assert_int_equal(at(mask, 10, 10), 255);
    /* 0.40 + 0.60 ln 10 / ln 100 = 0.70 */
    assert_int_equal(at(mask, 11, 10), lround(0.7 * 255));
    assert_int_equal(at(mask, 12, 10), 0);
    assert_int_equal(at(mask, 10, 11), 0);
    arena_free(a);
}

static void lonely_points_become_discs(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct density *d = density_new(a, SIDE, SIDE);
    density_add(d, 20.5, 20.5);
    density_add(d, 0.2, 0.2); /* at the corner: the disc is cut */
    for (int i = 0; i < 4; i++) {
        density_add(d, 34 + i, 34); /* four near each other stay pixels */
    }
    const uint8_t *mask = density_mask(d);
    assert_int_equal(at(mask, 20, 20), 255);
    /* the rim: a disc of 2.2 covers 0.681 of that pixel */
    assert_in_range(at(mask, 22, 20), 154, 159);
    assert_int_equal(at(mask, 21, 20), lround(0.9 * 255));
    assert_int_equal(at(mask, 23, 20), 0);
    assert_int_equal(at(mask, 1, 1), lround(0.9 * 255));
    assert_int_equal(at(mask, 34, 33), 0);
    assert_int_not_equal(at(mask, 34, 34), 0);
    arena_free(a);
}

static void edges_and_strangers(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct density *d = density_new(a, SIDE, SIDE);
    struct splat *s = splat_new(a, SIDE, SIDE);
    const double bad[] = { -0.1, SIDE + 0.1, NAN, INFINITY, -INFINITY, 1e300 };
    for (size_t i = 0; i < countof(bad); i++) {
        density_add(d, bad[i], 5);
        density_add(d, 5, bad[i]);
        splat_add(s, bad[i], 5, 2, 1);
        splat_add(s, 5, bad[i], 2, 1);
    }
    const uint8_t *mask = density_mask(d);
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(mask[i], 0);
    }
    mask = splat_mask(s);
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(mask[i], 0);
    }
    density_add(d, SIDE, SIDE); /* exactly on the far edge: the last pixel */
    assert_int_not_equal(at(density_mask(d), SIDE - 1, SIDE - 1), 0);
    splat_add(s, SIDE, SIDE, 2, 1);
    assert_int_not_equal(at(splat_mask(s), SIDE - 1, SIDE - 1), 0);
    arena_free(a);
}

static void discs_darken_each_other(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct splat *s = splat_new(a, SIDE, SIDE);
    splat_add(s, 10.5, 10.5, 2, 0.42);
    assert_int_equal(at(splat_mask(s), 10, 10), lround(0.42 * 255));
    splat_add(s, 10.5, 10.5, 2, 0.42);
    assert_int_equal(at(splat_mask(s), 10, 10), lround((1 - 0.58 * 0.58) * 255));
    for (int i = 0; i < 100000; i++) {
        splat_add(s, 10.5, 10.5, 2, 0.9);
    }
    assert_int_equal(at(splat_mask(s), 10, 10), 255);
    splat_add(s, 30, 30, 3, 1);
    const uint8_t *mask = splat_mask(s);
    double sum = 0;
    for (int y = 20; y < SIDE; y++) {
        for (int x = 20; x < SIDE; x++) {
            sum += at(mask, x, y) / 255.0;
        }
    }
    assert_close(sum, M_PI * 9, 0.02); /* the area of the disc */
    arena_free(a);
}

static void order_does_not_matter(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct arena *a = arena_new();
    struct point *p = arena_array(a, struct point, N);
    struct rng rng = rng_seed(3);
    for (int i = 0; i < N; i++) {
        p[i] = (struct point) { SIDE * rng_double(&rng),
                                SIDE * rng_double(&rng) * rng_double(&rng) };
    }
    struct density *d[2] = { density_new(a, SIDE, SIDE), density_new(a, SIDE, SIDE) };
    struct splat *s[2] = { splat_new(a, SIDE, SIDE), splat_new(a, SIDE, SIDE) };
    for (int i = 0; i < N; i++) {
        const struct point *other = &p[N - 1 - i];
        density_add(d[0], p[i].x, p[i].y);
        density_add(d[1], other->x, other->y);
        if (i % 100 == 0) {
            splat_add(s[0], p[i].x, p[i].y, 2.4, 0.42);
        }
        if ((N - 1 - i) % 100 == 0) {
            splat_add(s[1], other->x, other->y, 2.4, 0.42);
        }
    }
    assert_memory_equal(density_mask(d[0]), density_mask(d[1]), SIDE * SIDE);
    assert_memory_equal(splat_mask(s[0]), splat_mask(s[1]), SIDE * SIDE);
    arena_free(a);
}

static void m4_keeps_the_extremes(void **state)
{
    (void)state;
    static const struct point given[] = { { 0.1, 5 }, { 0.2, 9 }, { 0.3, 1 }, { 0.9, 4 },
                                          { 1.5, 2 }, { 3.2, 7 }, { 3.3, 7 }, { 4.0, 8 } };
    struct point out[16];
    size_t n = reduce_m4(given, countof(given), (struct columns) { 0, 4, 4 }, out);
    /* column 0: all four; 1: one; 2: none; 3 (with the far edge): first, which is the lowest, and last */
    static const struct point want[] = { { 0.1, 5 }, { 0.2, 9 }, { 0.3, 1 }, { 0.9, 4 },
                                         { 1.5, 2 }, { 3.2, 7 }, { 4.0, 8 } };
    assert_int_equal(n, countof(want));
    assert_memory_equal(out, want, sizeof want);
    assert_int_equal(reduce_m4(given, 0, (struct columns) { 0, 4, 4 }, out), 0);
    assert_int_equal(reduce_m4(given, 1, (struct columns) { 0, 4, 4 }, out), 1);
    assert_int_equal(reduce_m4(given, 8, (struct columns) { 0, 4, 0 }, out), 0);
    assert_in_range(reduce_m4(given, 8, (struct columns) { 2, 2, 3 }, out), 1, 12); /* no width */
}

static void m4_bounds_its_output(void **state)
{
    (void)state;
    enum { N = 100000, COLUMNS = 700 };
    struct arena *a = arena_new();
    struct point *p = arena_array(a, struct point, N);
    struct point *out = arena_array(a, struct point, 4 * COLUMNS);
    struct rng rng = rng_seed(4);
    for (int i = 0; i < N; i++) {
        p[i] = (struct point) { 350.0 * i / N, rng_double(&rng) };
    }
    size_t n = reduce_m4(p, N, (struct columns) { 0, 350, COLUMNS }, out);
    assert_in_range(n, 3 * COLUMNS, 4 * COLUMNS);
    double most[COLUMNS] = { 0 };
    double kept[COLUMNS] = { 0 };
    for (int i = 0; i < N; i++) {
        size_t c = (size_t)(2 * p[i].x);
        most[c] = fmax(most[c], p[i].y);
    }
    for (size_t i = 0; i < n; i++) {
        size_t c = (size_t)(2 * out[i].x);
        kept[c] = fmax(kept[c], out[i].y);
        assert_true(i == 0 || out[i].x >= out[i - 1].x);
    }
    assert_memory_equal(most, kept, sizeof most);
    arena_free(a);
}

static void ten_million_points(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct density *d = density_new(a, SIDE, SIDE);
    for (int i = 0; i < 10000000; i++) {
        density_add(d, i % SIDE + 0.5, (i / SIDE) % SIDE + 0.5);
    }
    const uint8_t *mask = density_mask(d);
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(mask[i], 255); /* all pixels hold the same */
    }
    assert_in_range(arena_used(a), 0, 1 << 16);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(density_values),        cmocka_unit_test(lonely_points_become_discs),
        cmocka_unit_test(edges_and_strangers),   cmocka_unit_test(discs_darken_each_other),
        cmocka_unit_test(order_does_not_matter), cmocka_unit_test(m4_keeps_the_extremes),
        cmocka_unit_test(m4_bounds_its_output),  cmocka_unit_test(ten_million_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
