/* The display list of every sample, on screen and in print, against tests/golden/chart/NAME.txt.
 * QD_GOLDEN_UPDATE=1 writes the files anew: then read the difference before committing it. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "samples.h"
#include "unit.h"

static void dump(const struct sample *sample, struct str *out)
{
    for (int m = MEDIUM_SCREEN; m <= MEDIUM_PRINT; m++) {
        struct arena *a = arena_new();
        struct scene *s = sample_scene(a, sample, (enum medium)m);
        struct error e = { 0 };
        if (scene_check(s, &e) < 0) {
            fail_msg("%s: %s", sample->name, e.what);
        }
        str_put(out, m == MEDIUM_SCREEN ? "--- screen\n" : "--- print\n");
        canvas_dump(s, out);
        arena_free(a);
    }
}

/* The first line that differs, for the message. */
static void explain(const char *name, const char *got, const char *want)
{
    int line = 1;
    const char *g = got;
    const char *w = want;
    while (*g && *g == *w) {
        line += *g == '\n';
        g++;
        w++;
    }
    while (g > got && g[-1] != '\n') {
        g--;
        w--;
    }
    fail_msg("%s.txt:%d\n  got  %.*s\n  want %.*s", name, line, (int)strcspn(g, "\n"), g,
             (int)strcspn(w, "\n"), w);
}

static void equals_golden(void **state)
{
    (void)state;
    struct error e = { 0 };
    const char *update = getenv("QD_GOLDEN_UPDATE");
    for (size_t i = 0; i < countof(samples); i++) {
        struct arena *a = arena_new();
        struct str out = str_new(16 << 20);
        char path[512];
        snprintf(path, sizeof path, "%s/chart/%s.txt", TEST_GOLDEN, samples[i].name);
        dump(&samples[i], &out);
        if (update && strcmp(update, "1") == 0) {
            assert_int_equal(file_write(path, out.at, out.n, &e), 0);
        }
        char *want = NULL;
        size_t n = 0;
        if (file_read(a, path, 16 << 20, &want, &n, &e) < 0) {
            fail_msg("%s", e.what);
        }
        if (n != out.n || memcmp(want, out.at, n) != 0) {
            explain(samples[i].name, out.at, want);
        }
        str_done(&out);
        arena_free(a);
    }
}

static void drawing_twice_is_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < countof(samples); i++) {
        struct str first = str_new(16 << 20);
        struct str second = str_new(16 << 20);
        dump(&samples[i], &first);
        font_reset();
        dump(&samples[i], &second);
        assert_string_equal(first.at, second.at);
        str_done(&first);
        str_done(&second);
    }
}

/* No text leaves its panel: the width is the one the page and the PDF give it. */
static void texts_stay_inside(void **state)
{
    (void)state;
    static const double shift[] = { 0, 0.5, 1 };
    for (size_t i = 0; i < countof(samples); i++) {
        for (int m = MEDIUM_SCREEN; m <= MEDIUM_PRINT; m++) {
            struct arena *a = arena_new();
            struct scene *s = sample_scene(a, &samples[i], (enum medium)m);
            for (size_t k = 0; k < scene_count(s); k++) {
                const struct mark *mark = scene_at(s, k);
                if (mark->kind == MARK_TEXT) {
                    double x = mark->x - shift[mark->u.text.style.anchor] * mark->w;
                    if (x < -0.51 || x + mark->w > scene_width(s) + 0.51 ||
                        mark->y > scene_height(s)) {
                        fail_msg("%s: '%s' at %g..%g of %g", samples[i].name, mark->u.text.drawn, x,
                                 x + mark->w, scene_width(s));
                    }
                }
            }
            arena_free(a);
        }
    }
}

struct span {
    double x0, y0, x1, y1;
    const char *text;
};

/* No two texts overlap, in any sample that is not made to be crowded. */
static void texts_stay_apart(void **state)
{
    (void)state;
    static const double shift[] = { 0, 0.5, 1 };
    for (size_t i = 0; i < countof(samples); i++) {
        for (int m = MEDIUM_SCREEN; m <= MEDIUM_PRINT; m++) {
            struct arena *a = arena_new();
            struct scene *s = sample_scene(a, &samples[i], (enum medium)m);
            struct span *spans = arena_array(a, struct span, scene_count(s));
            size_t n = 0;
            for (size_t k = 0; k < scene_count(s); k++) {
                const struct mark *t = scene_at(s, k);
                if (t->kind != MARK_TEXT) {
                    continue;
                }
                double x = t->x - shift[t->u.text.style.anchor] * t->w;
                double size = t->u.text.style.size;
                struct span me = { x, t->y - 0.7 * size, x + t->w, t->y, t->u.text.drawn };
                for (size_t j = 0; j < n; j++) {
                    if (me.x0 < spans[j].x1 - 0.5 && spans[j].x0 < me.x1 - 0.5 &&
                        me.y0 < spans[j].y1 - 0.5 && spans[j].y0 < me.y1 - 0.5) {
                        fail_msg("%s (%s): '%s' lies on '%s'", samples[i].name,
                                 m == MEDIUM_PRINT ? "print" : "screen", me.text, spans[j].text);
                    }
                }
                spans[n++] = me;
            }
            arena_free(a);
        }
    }
}

static void header_is_shared(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct panel *one = bars_iops(a);
    struct panel *two = bars_long_title(a);
    const struct panel *both[] = { one, two };
    struct look look = { .medium = MEDIUM_SCREEN, .width = 384 };
    double tall = panel_header_height(two, &look);
    assert_true(panel_header_height(one, &look) < tall);
    look.header_height = panels_header_height(both, 2, &look);
    assert_true(look.header_height == tall);
    /* the same rows at the same place: the plots stand on one line */
    double y[2] = { 0, 0 };
    for (int k = 0; k < 2; k++) {
        struct scene *s = panel_draw(both[k], a, &look);
        for (size_t i = 0; i < scene_count(s) && y[k] == 0; i++) {
            y[k] = scene_at(s, i)->kind == MARK_RECT ? scene_at(s, i)->y : 0;
        }
    }
    assert_true(y[0] == y[1] && y[0] > tall);
    assert_true(look_panel_width(MEDIUM_SCREEN, true) == 384);
    assert_true(look_panel_width(MEDIUM_PRINT, true) == 209);
    assert_true(look_panel_width(MEDIUM_PRINT, false) == 320);
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
        cmocka_unit_test(equals_golden),     cmocka_unit_test(drawing_twice_is_equal),
        cmocka_unit_test(texts_stay_inside), cmocka_unit_test(texts_stay_apart),
        cmocka_unit_test(header_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
