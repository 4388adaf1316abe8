#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "chart/theme.h"
#include "unit.h"

static const char *const names[] = { "light", "dark", "print" };

static uint32_t rgb(const struct theme *t, enum ink ink, int slot)
{
    return theme_rgb(t, (struct paint) { ink, slot });
}

static void contrast_is_wcag(void **state)
{
    (void)state;
    assert_close(contrast_ratio(0xFFFFFF, 0x000000), 21, 1e-12);
    assert_close(contrast_ratio(0x000000, 0xFFFFFF), 21, 1e-12);
    assert_close(contrast_ratio(0x777777, 0x777777), 1, 1e-12);
    assert_true(fabs(contrast_ratio(0x0072B2, 0xFFFFFF) - 5.19) < 0.005);
    assert_true(fabs(contrast_ratio(0xE9ECEF, 0x14171A) - 15.17) < 0.005);
}

/* Text at least 4.5, marks and lines that carry data at least 3, each against its own background. */
static void contrast_of_every_theme(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(names); i++) {
        const struct theme *t = theme_find(names[i]);
        assert_non_null(t);
        uint32_t bg = rgb(t, INK_BG, 0);
        static const enum ink texts[] = { INK_INK, INK_INK2, INK_INK3 };
        for (size_t k = 0; k < countof(texts); k++) {
            assert_true(contrast_ratio(rgb(t, texts[k], 0), bg) >= 4.5);
            assert_true(contrast_ratio(rgb(t, texts[k], 0), rgb(t, INK_RAISE, 0)) >= 4.5);
        }
        assert_true(contrast_ratio(rgb(t, INK_AXIS, 0), bg) >= 3);
        assert_true(contrast_ratio(rgb(t, INK_WARN, 0), rgb(t, INK_WARNBG, 0)) >= 4.5);
        assert_true(contrast_ratio(rgb(t, INK_WARNB, 0), bg) >= 3);
        for (int slot = 1; slot <= SERIES_SLOTS; slot++) {
            assert_true(contrast_ratio(rgb(t, INK_MARK, slot), bg) >= 3);
            assert_true(contrast_ratio(rgb(t, INK_TEXT, slot), bg) >= 4.5);
            assert_true(contrast_ratio(rgb(t, INK_INK, 0), rgb(t, INK_TINT, slot)) >= 4.5);
            assert_true(contrast_ratio(rgb(t, INK_ON_MARK, slot), rgb(t, INK_MARK, slot)) >= 4.5);
        }
    }
}

static void print_is_light(void **state)
{
    (void)state;
    const struct theme *light = theme_find("light");
    const struct theme *print = theme_find("print");
    assert_memory_equal(light->base, print->base, sizeof light->base);
    assert_memory_equal(light->mark, print->mark, sizeof light->mark);
    assert_null(theme_find("sepia"));
}

static void every_paint_has_one_name(void **state)
{
    (void)state;
    const char *seen[INK_COUNT * SERIES_SLOTS];
    size_t n = 0;
    for (int ink = INK_BG; ink < INK_COUNT; ink++) {
        int slots = ink < INK_MARK ? 1 : SERIES_SLOTS;
        for (int slot = 1; slot <= slots; slot++) {
            const char *name = paint_css_name((struct paint) { (enum ink)ink, slot });
            for (size_t i = 0; i < n; i++) {
                assert_string_not_equal(name, seen[i]);
            }
            seen[n++] = name;
        }
    }
    assert_string_equal(paint_css_name((struct paint) { INK_INK2, 0 }), "ink2");
    assert_string_equal(paint_css_name((struct paint) { INK_MARK, 1 }), "s1");
    assert_string_equal(paint_css_name((struct paint) { INK_TINT, 3 }), "s3t");
    assert_string_equal(paint_css_name((struct paint) { INK_TEXT, 8 }), "s8x");
    assert_string_equal(paint_css_name((struct paint) { INK_ON_MARK, 2 }), "on2");
}

static void slots_repeat_from_nine(void **state)
{
    (void)state;
    const struct theme *t = theme_find("light");
    assert_int_equal(rgb(t, INK_MARK, 9), rgb(t, INK_MARK, 1));
    assert_int_equal(rgb(t, INK_TEXT, 40), rgb(t, INK_TEXT, 8));
    assert_int_equal(series_marker(9), series_marker(1));
    assert_string_equal(paint_css_name((struct paint) { INK_MARK, 10 }), "s2");
    assert_int_equal(series_dash(1)[0], 0);
    for (int slot = 2; slot <= SERIES_SLOTS; slot++) {
        assert_int_not_equal(series_dash(slot)[0], 0);
        assert_int_not_equal(series_marker(slot), series_marker(slot - 1));
    }
    assert_int_equal(series_dash(4)[3], 3);
    assert_int_equal(series_dash(4)[4], 0);
}

static void css_lists_all(void **state)
{
    (void)state;
    struct str s = str_new(4096);
    theme_css(theme_find("dark"), &s);
    assert_non_null(strstr(s.at, "--bg:#14171A;"));
    assert_non_null(strstr(s.at, "--warnbg:#2A2314;"));
    assert_non_null(strstr(s.at, "--s1:#4BA3E3;--s2:#F0803C;"));
    assert_non_null(strstr(s.at, "--s8t:#363B41;"));
    assert_non_null(strstr(s.at, "--on1:#101316;"));
    assert_false(str_failed(&s));
    str_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contrast_is_wcag),       cmocka_unit_test(contrast_of_every_theme),
        cmocka_unit_test(print_is_light),         cmocka_unit_test(every_paint_has_one_name),
        cmocka_unit_test(slots_repeat_from_nine), cmocka_unit_test(css_lists_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
