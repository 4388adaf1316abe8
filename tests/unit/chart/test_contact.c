/* Writes every sample in light, dark and print as one page, to be looked at (TEST_OUT/contact.html), and checks the rules of
 * inline SVG on the way: no style=, no on…=, no id= but those of masks, well-formed. */
#include <ctype.h>
#include <stdlib.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/str.h"
#include "samples.h"
#include "unit.h"

static void put_base64(struct str *out, const unsigned char *at, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)at[i] << 16;
        v |= i + 1 < n ? (unsigned)at[i + 1] << 8 : 0;
        v |= i + 2 < n ? at[i + 2] : 0;
        str_char(out, digits[v >> 18]);
        str_char(out, digits[(v >> 12) & 63]);
        str_char(out, i + 1 < n ? digits[(v >> 6) & 63] : '=');
        str_char(out, i + 2 < n ? digits[v & 63] : '=');
    }
}

static void put_head(struct str *out)
{
    str_put(out,
            "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Contact sheet</title><style>");
    for (int w = FONT_REGULAR; w < FONT_COUNT; w++) {
        size_t n = 0;
        const unsigned char *at = font_bytes((enum font_weight)w, &n);
        str_printf(out, "@font-face{font-family:Sheet;font-weight:%d;src:url(data:font/ttf;base64,",
                   w == FONT_MEDIUM ? 500 : 400);
        put_base64(out, at, n);
        str_put(out, ")}");
    }
    str_put(out,
            "body{font:14px/20px Sheet;margin:0}.chart{display:block;overflow:visible;"
            "font-family:Sheet;max-width:none;height:auto;width:100%}"
            "h2{font:500 14px/20px Sheet;margin:0 0 8px;color:var(--ink2)}"
            ".row{display:grid;grid-template-columns:384px 384px 320px;gap:28px 24px;padding:20px;"
            "border-bottom:1px solid #ccc}.cell{background:var(--bg);align-self:start}");
    static const char *const themes[] = { "light", "dark", "print" };
    for (size_t i = 0; i < countof(themes); i++) {
        str_printf(out, ".%s{", themes[i]);
        theme_css(theme_find(themes[i]), out);
        str_put(out, "}");
    }
    str_put(out, ".dark{outline:12px solid #14171A}.print.bars{width:209px}</style>\n");
}

static void put_cell(struct str *out, struct arena *a, const struct sample *s, const char *theme)
{
    enum medium m = strcmp(theme, "print") == 0 ? MEDIUM_PRINT : MEDIUM_SCREEN;
    struct error e;
    const char *kind = s->make(a)->bars ? " bars" : "";
    str_printf(out, "<div class=\"cell %s%s\">", theme, kind);
    struct svg_options o = { 0 };
    assert_int_equal(canvas_svg(sample_scene(a, s, m), &o, out, &e), 0);
    str_put(out, "</div>");
}

static void writes_the_sheet(void **state)
{
    (void)state;
    struct str out = str_new(64 << 20);
    put_head(&out);
    for (size_t i = 0; i < countof(samples); i++) {
        struct arena *a = arena_new();
        str_printf(&out, "<div class=row title=\"%s\">", samples[i].name);
        put_cell(&out, a, &samples[i], "light");
        put_cell(&out, a, &samples[i], "dark");
        put_cell(&out, a, &samples[i], "print");
        str_put(&out, "</div>\n");
        arena_free(a);
    }
    assert_false(str_failed(&out));
    struct error e;
    assert_int_equal(file_write(TEST_OUT "/contact.html", out.at, out.n, &e), 0);
    str_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(writes_the_sheet) };
    int r = cmocka_run_group_tests(tests, NULL, NULL);
    font_reset();
    return r;
}
