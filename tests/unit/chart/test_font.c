#include <string.h>

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include "base/array.h"
#include "chart/font.h"
#include "chart/text.h"
#include "unit.h"

static const char *const runs[] = {
    "IOPS",
    "Average response time, ms",
    "26,200 †‡",
    "RAID 10, 12 × 7200 rpm · −4.1 % · 35 µs",
    "Привет, Ωμέγα, čšž „quotes“ …",
};

/* Hint metrics on image surfaces are on by default and would round; off, both must agree. */
static double cairo_width(enum font_weight w, double size, const char *text)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    cairo_font_face_t *face = cairo_ft_font_face_create_for_ft_face(font_face(w),
                                                                    FT_LOAD_NO_HINTING);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_set_font_options(cr, options);
    cairo_set_font_face(cr, face);
    cairo_set_font_size(cr, size);
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    assert_int_equal(cairo_status(cr), CAIRO_STATUS_SUCCESS);
    cairo_font_options_destroy(options);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    cairo_font_face_destroy(face);
    return extents.x_advance;
}

static void widths_equal_cairo(void **state)
{
    (void)state;
    static const double sizes[] = { 10, 11.5, 12, 14, 24 };
    for (int w = FONT_REGULAR; w < FONT_COUNT; w++) {
        for (size_t i = 0; i < countof(runs); i++) {
            for (size_t k = 0; k < countof(sizes); k++) {
                double want = cairo_width((enum font_weight)w, sizes[k], runs[i]);
                double got = font_width((enum font_weight)w, sizes[k], runs[i]);
                /* cairo holds glyph metrics in 1/64 px */
                assert_true(fabs(got - want) < 0.01 * (double)strlen(runs[i]));
            }
        }
    }
    cairo_debug_reset_static_data();
}

static void widths_scale(void **state)
{
    (void)state;
    assert_close(font_width(FONT_REGULAR, 24, runs[1]), 2 * font_width(FONT_REGULAR, 12, runs[1]),
                 1e-12);
    assert_true(font_width(FONT_MEDIUM, 12, runs[1]) > font_width(FONT_REGULAR, 12, runs[1]));
    assert_true(font_width(FONT_REGULAR, 12, "") == 0);
    /* digits are tabular */
    for (char c = '0'; c <= '9'; c++) {
        char one[] = { c, 0 };
        assert_true(font_width(FONT_REGULAR, 12, one) == font_width(FONT_REGULAR, 12, "0"));
    }
    assert_true(font_ascent(FONT_REGULAR, 12) > 9 && font_ascent(FONT_REGULAR, 12) < 14);
}

static void has_what_reports_print(void **state)
{
    (void)state;
    static const unsigned needed[] = { 'A',    0xA0,  0xB5,   0xD7, 0x2013, 0x2212, 0x2020, 0x2021,
                                       0x2026, 0x3C3, 0x2264, 0xB7, 0x202F, 0x10D,  0x416 };
    for (size_t i = 0; i < countof(needed); i++) {
        assert_true(font_has(FONT_REGULAR, needed[i]));
        assert_true(font_has(FONT_MEDIUM, needed[i]));
    }
    assert_false(font_has(FONT_REGULAR, 0x1F680));
    assert_false(font_has(FONT_REGULAR, 0x643));
}

static void comes_back_after_reset(void **state)
{
    (void)state;
    double before = font_width(FONT_REGULAR, 12, runs[0]);
    font_reset();
    assert_true(font_width(FONT_REGULAR, 12, runs[0]) == before);
    size_t n = 0;
    const unsigned char *bytes = font_bytes(FONT_MEDIUM, &n);
    assert_in_range(n, 10000, 200000);
    assert_memory_equal(bytes, "\0\1\0\0", 4); /* TrueType: what libharu can embed */
}

static void missing_glyphs_get_a_placeholder(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *same = "plain – text";
    assert_ptr_equal(text_drawable(a, FONT_REGULAR, same), same);
    assert_string_equal(text_drawable(a, FONT_REGULAR, "a 🚀 b"), "a ? b");
    assert_string_equal(text_drawable(a, FONT_REGULAR, "كم"), "??");
    assert_string_equal(text_drawable(a, FONT_REGULAR, "x\xE2\x80\x8Dy\xEF\xB8\x8Fz"), "xyz");
    assert_string_equal(text_drawable(a, FONT_REGULAR, "a\nb\tc\x01"), "a b c ");
    assert_string_equal(text_drawable(a, FONT_REGULAR, "\xff\xfe."), "??.");
    assert_string_equal(text_drawable(a, FONT_REGULAR, ""), "");
    assert_close(font_width(FONT_REGULAR, 12, "a 🚀 b"), font_width(FONT_REGULAR, 12, "a ? b"),
                 1e-12);
    arena_free(a);
}

static void elides_by_width(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *name = "Patriot Torqx 128 GB";
    double full = font_width(FONT_REGULAR, 12, name);
    assert_ptr_equal(text_elide(a, FONT_REGULAR, 12, name, full), name);
    for (double width = full - 0.5; width > 12; width -= 3) {
        const char *cut = text_elide(a, FONT_REGULAR, 12, name, width);
        size_t n = strlen(cut);
        assert_true(font_width(FONT_REGULAR, 12, cut) <= width + 1e-9);
        assert_string_equal(cut + n - strlen("…"), "…");
        assert_memory_equal(cut, name, n - strlen("…"));
        assert_int_not_equal(cut[n - strlen("…") - 1], ' ');
    }
    assert_string_equal(text_elide(a, FONT_REGULAR, 12, name, 0), "…");
    arena_free(a);
}

static void wraps_at_spaces(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *text = "one two  three four";
    struct text_lines all = text_wrap(a, FONT_REGULAR, 12, text, 1000);
    assert_int_equal(all.n, 1);
    assert_string_equal(all.at[0], text);
    double width = font_width(FONT_REGULAR, 12, "one two");
    struct text_lines two = text_wrap(a, FONT_REGULAR, 12, text, width);
    assert_int_equal(two.n, 3);
    assert_string_equal(two.at[0], "one two");
    assert_string_equal(two.at[1], "three");
    assert_string_equal(two.at[2], "four");
    const char *spaced = "35\xC2\xA0µs of 4\xC2\xA0KiB";
    double first = font_width(FONT_REGULAR, 12, "35\xC2\xA0µs of 4");
    struct text_lines nbsp = text_wrap(a, FONT_REGULAR, 12, spaced, first);
    assert_string_equal(nbsp.at[0], "35\xC2\xA0µs of");
    assert_string_equal(nbsp.at[1], "4\xC2\xA0KiB");
    assert_int_equal(text_wrap(a, FONT_REGULAR, 12, "", 10).n, 0);
    assert_int_equal(text_wrap(a, FONT_REGULAR, 12, NULL, 10).n, 0);
    assert_int_equal(text_wrap(a, FONT_REGULAR, 12, "   ", 10).n, 0);
    struct text_lines narrow = text_wrap(a, FONT_REGULAR, 12, "ÄÖÜ", 0);
    assert_int_equal(narrow.n, 3); /* one letter a line rather than an endless loop */
    assert_string_equal(narrow.at[2], "Ü");
    arena_free(a);
}

static int reset(void **state)
{
    (void)state;
    font_reset();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_equal_cairo),
        cmocka_unit_test(widths_scale),
        cmocka_unit_test(has_what_reports_print),
        cmocka_unit_test(comes_back_after_reset),
        cmocka_unit_test(missing_glyphs_get_a_placeholder),
        cmocka_unit_test(elides_by_width),
        cmocka_unit_test(wraps_at_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
