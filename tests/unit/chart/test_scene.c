#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "chart/canvas.h"
#include "chart/number.h"
#include "chart/scene.h"
#include "unit.h"

static const struct paint ink = { INK_INK, 0 };
static const struct stroke none;

static struct scene *fresh(struct arena **ret)
{
    *ret = arena_new();
    return scene_new(*ret, 100, 50);
}

static void holds_marks_in_order(void **state)
{
    (void)state;
    struct arena *a;
    struct scene *s = fresh(&a);
    struct error e;
    char label[] = "changes later";
    scene_set_words(s, "Title", "Alt");
    scene_begin(s, &(struct group) { .kind = GROUP_SERIES, .role = "bar", .slot = 2 });
    scene_rect(s, 1, 2, 3, 4, ink, none);
    scene_text(s, 5, 6, label, (struct text_style) { .size = 12, .paint = ink });
    scene_text(s, 5, 6, "", (struct text_style) { .size = 12 });
    scene_text(s, 5, 6, NULL, (struct text_style) { .size = 12 });
    scene_end(s);
    memset(label, 'x', 5);
    assert_int_equal(scene_check(s, &e), 0);
    assert_int_equal(scene_count(s), 4);
    assert_int_equal(scene_at(s, 0)->u.group.slot, 2);
    assert_true(scene_at(s, 1)->w == 3);
    assert_string_equal(scene_at(s, 2)->u.text.original, "changes later");
    assert_ptr_equal(scene_at(s, 2)->u.text.original, scene_at(s, 2)->u.text.drawn);
    assert_close(scene_at(s, 2)->w, font_width(FONT_REGULAR, 12, "changes later"), 1e-12);
    assert_int_equal(scene_at(s, 3)->kind, MARK_END);
    assert_string_equal(scene_title(s), "Title");
    scene_set_height(s, 70);
    assert_true(scene_height(s) == 70 && scene_width(s) == 100);
    arena_free(a);
}

static void bad_coordinates_fail_once_and_for_all(void **state)
{
    (void)state;
    const double bad[] = { NAN, INFINITY, -INFINITY, 1.1e6, -2e6 };
    for (size_t i = 0; i < countof(bad); i++) {
        struct arena *a;
        struct scene *s = fresh(&a);
        struct error e = { 0 };
        scene_set_words(s, "T", NULL);
        scene_circle(s, 1, bad[i], 2, ink, none);
        scene_rect(s, 1, 2, 3, 4, ink, none);
        assert_int_equal(scene_check(s, &e), -1);
        assert_non_null(strstr(e.what, "cannot draw chart 'T'"));
        struct str out = str_new(1 << 16);
        struct svg_options o = { 0 };
        assert_int_equal(canvas_svg(s, &o, &out, &e), -1);
        str_done(&out);
        arena_free(a);
    }
}

static void groups_must_close(void **state)
{
    (void)state;
    struct arena *a;
    struct scene *s = fresh(&a);
    struct error e;
    scene_begin(s, &(struct group) { .role = "x" });
    assert_int_equal(scene_check(s, &e), -1);
    scene_end(s);
    assert_int_equal(scene_check(s, &e), 0);
    scene_end(s);
    assert_int_equal(scene_check(s, &e), -1);
    arena_free(a);
}

static void size_must_be_usable(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e;
    assert_int_equal(scene_check(scene_new(a, 0, 10), &e), -1);
    assert_int_equal(scene_check(scene_new(a, 10, NAN), &e), -1);
    assert_int_equal(scene_check(scene_new(a, 10, 1e9), &e), -1);
    arena_free(a);
}

static void long_lines_are_refused(void **state)
{
    (void)state;
    struct arena *a;
    struct scene *s = fresh(&a);
    struct error e;
    struct point *at = arena_array(a, struct point, 5001);
    scene_poly(s, at, 5000, false, ink, none);
    assert_int_equal(scene_check(s, &e), 0);
    scene_poly(s, at, 1, false, ink, none); /* nothing to draw */
    assert_int_equal(scene_count(s), 1);
    scene_poly(s, at, 5001, false, ink, none);
    assert_int_equal(scene_check(s, &e), -1);
    arena_free(a);
}

static void markers_differ(void **state)
{
    (void)state;
    struct str all[SERIES_SLOTS];
    for (int slot = 1; slot <= SERIES_SLOTS; slot++) {
        struct arena *a;
        struct scene *s = fresh(&a);
        all[slot - 1] = str_new(1 << 16);
        scene_marker(s, 10, 10, 4, slot, false, false);
        for (size_t i = 0; i < scene_count(s); i++) {
            const struct mark *m = scene_at(s, i);
            str_printf(&all[slot - 1], "%d:%zu;", m->kind, m->kind == MARK_POLY ? m->u.poly.n : 0);
            if (m->kind == MARK_POLY) {
                str_printf(&all[slot - 1], "%s", number_2(m->u.poly.at[0].y).s);
            }
        }
        for (int k = 1; k < slot; k++) {
            assert_string_not_equal(all[k - 1].at, all[slot - 1].at);
        }
        arena_free(a);
    }
    for (int slot = 1; slot <= SERIES_SLOTS; slot++) {
        str_done(&all[slot - 1]);
    }
}

static void numbers_are_short(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        { 0, "0" },         { -0.0, "0" },         { -0.001, "0" },    { 0.004, "0" },
        { 0.005, "0.01" },  { 12.5, "12.5" },      { 12.05, "12.05" }, { 3.999, "4" },
        { -0.25, "-0.25" }, { -7, "-7" },          { 100, "100" },     { 0.1, "0.1" },
        { 1e6, "1000000" }, { 384.126, "384.13" }, { 0.01, "0.01" },   { 10.10, "10.1" },
    };
    for (size_t i = 0; i < countof(cases); i++) {
        assert_string_equal(number_2(cases[i].v).s, cases[i].text);
    }
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
        cmocka_unit_test(holds_marks_in_order),
        cmocka_unit_test(bad_coordinates_fail_once_and_for_all),
        cmocka_unit_test(groups_must_close),
        cmocka_unit_test(size_must_be_usable),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(markers_differ),
        cmocka_unit_test(numbers_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
