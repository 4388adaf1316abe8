/* Shaded tables: numbers stay readable on every shade, and shade follows value. */
#include <math.h>

#include "chart/plot_cells.h"
#include "unit.h"

static unsigned channel(uint32_t rgb, int shift)
{
    return (rgb >> shift) & 0xff;
}

static uint32_t blend(uint32_t over, uint32_t under, double share)
{
    uint32_t rgb = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double v = share * channel(over, shift) + (1 - share) * channel(under, shift);
        rgb |= (uint32_t)lround(v) << shift;
    }
    return rgb;
}

static void numbers_are_readable(void **state)
{
    (void)state;
    static const char *const names[] = { "light", "dark", "print" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct theme *t = theme_find(names[i]);
        uint32_t ink = theme_rgb(t, (struct paint) { INK_INK, 0 });
        uint32_t bg = theme_rgb(t, (struct paint) { INK_BG, 0 });
        for (int slot = 1; slot <= SERIES_SLOTS; slot++) {
            uint32_t mark = theme_rgb(t, (struct paint) { INK_MARK, slot });
            double ratio = contrast_ratio(ink, blend(mark, bg, CELLS_DARKEST));
            if (ratio < 4.5) {
                fail_msg("%s, slot %d: %g", names[i], slot, ratio);
            }
        }
    }
}

static const struct mark *shades(const struct scene *s)
{
    for (size_t i = 0; i < scene_count(s); i++) {
        if (scene_at(s, i)->kind == MARK_MASK) {
            return scene_at(s, i);
        }
    }
    return NULL;
}

static void shade_follows_value(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    static const char *const names[] = { "a", "b" };
    const struct cells_value at[] = { { 0, "0", NULL, false },
                                      { 50, "50.0", NULL, false },
                                      { NAN, "\u2013", NULL, false },
                                      { 100, "100", NULL, true } };
    struct cells spec = { .panel = { .title = "t" },
                          .series = { "A", NULL, 1, true },
                          .columns = names,
                          .rows = names,
                          .n_columns = 2,
                          .n_rows = 2,
                          .most = 100,
                          .at = at };
    struct look look = { .medium = MEDIUM_SCREEN, .width = 384 };
    const struct mark *m = shades(panel_draw(plot_cells(a, &spec), a, &look));
    assert_non_null(m);
    assert_int_equal(m->u.raster.nx, 2);
    assert_int_equal(m->u.raster.ny, 2);
    const uint8_t *mask = m->u.raster.mask;
    assert_int_equal(mask[0], lround(255 * CELLS_FAINTEST));
    assert_int_equal(mask[1], lround(255 * (CELLS_FAINTEST + CELLS_DARKEST) / 2));
    assert_int_equal(mask[2], 0);
    assert_int_equal(mask[3], lround(255 * CELLS_DARKEST));
    spec.most = 200; /* of another panel of the figure */
    m = shades(panel_draw(plot_cells(a, &spec), a, &look));
    assert_int_equal(m->u.raster.mask[3], lround(255 * (CELLS_FAINTEST + CELLS_DARKEST) / 2));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(numbers_are_readable),
                                        cmocka_unit_test(shade_follows_value) };
    int r = cmocka_run_group_tests(tests, NULL, NULL);
    font_reset();
    return r;
}
