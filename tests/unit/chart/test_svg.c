/* The rules of inline and stand-alone SVG (mock/tokens.md §3, chart/canvas.h). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "samples.h"
#include "unit.h"

static struct str svg_of(const struct sample *sample, const struct svg_options *o)
{
    struct arena *a = arena_new();
    struct str out = str_new(16 << 20);
    struct error e = { 0 };
    if (canvas_svg(sample_scene(a, sample, MEDIUM_SCREEN), o, &out, &e) < 0) {
        fail_msg("%s: %s", sample->name, e.what);
    }
    arena_free(a);
    return out;
}

static const struct sample *find(const char *name)
{
    for (size_t i = 0; i < countof(samples); i++) {
        if (strcmp(samples[i].name, name) == 0) {
            return &samples[i];
        }
    }
    fail_msg("no sample %s", name);
    return NULL;
}

/* Is there an attribute that starts with `name` inside any tag? Text and values are skipped. */
static bool has_attribute(const char *svg, const char *name)
{
    bool tag = false;
    bool quoted = false;
    for (const char *s = svg; *s; s++) {
        if (*s == '"' && tag) {
            quoted = !quoted;
        } else if (!quoted && *s == '<') {
            tag = true;
        } else if (!quoted && *s == '>') {
            tag = false;
        }
        if (tag && !quoted && *s == ' ' && strncmp(s + 1, name, strlen(name)) == 0) {
            return true;
        }
    }
    return false;
}

/* Enough of XML for our output: tags balance, attributes are quoted and each once, text holds no bare '<' or '&'. */
static void assert_well_formed(const char *name, const char *svg)
{
    char open[64][16];
    int depth = 0;
    for (const char *s = svg; *s;) {
        if (*s == '&') {
            if (strncmp(s, "&lt;", 4) && strncmp(s, "&gt;", 4) && strncmp(s, "&amp;", 5) &&
                strncmp(s, "&quot;", 6)) {
                fail_msg("%s: bare & at %.20s", name, s);
            }
        }
        assert_true((unsigned char)*s >= 0x20 || *s == '\n' || *s == '\t');
        if (*s != '<') {
            s++;
            continue;
        }
        bool closing = s[1] == '/';
        const char *word = s + 1 + closing;
        size_t n = strcspn(word, " />\n");
        const char *end = word;
        for (bool quoted = false; *end && (quoted || *end != '>'); end++) {
            quoted ^= *end == '"';
            assert_true(!quoted || *end != '<');
        }
        assert_int_equal(*end, '>');
        assert_in_range(n, 1, 15);
        if (closing) {
            if (depth == 0 || strncmp(open[depth - 1], word, n) != 0 ||
                open[depth - 1][n] != '\0') {
                fail_msg("%s: </%.*s> closes <%s>", name, (int)n, word,
                         depth ? open[depth - 1] : "");
            }
            depth--;
        } else if (end[-1] != '/') {
            assert_in_range(depth, 0, 63);
            memcpy(open[depth], word, n);
            open[depth++][n] = '\0';
        }
        s = end + 1;
    }
    assert_int_equal(depth, 0);
}

static void inline_rules(void **state)
{
    (void)state;
    const struct svg_options o = { 0 };
    for (size_t i = 0; i < countof(samples); i++) {
        struct str out = svg_of(&samples[i], &o);
        assert_well_formed(samples[i].name, out.at);
        assert_memory_equal(out.at, "<svg class=\"chart\" viewBox=\"0 0 384 ", 36);
        assert_non_null(strstr(out.at, " role=\"img\" aria-label=\""));
        assert_false(has_attribute(out.at, "style"));
        assert_false(has_attribute(out.at, "on"));
        bool mask = strstr(out.at, "<mask id=\"m");
        assert_true(mask || !has_attribute(out.at, "id="));
        assert_null(strstr(out.at, "=\"#"));
        assert_null(strstr(out.at, "<script"));
        assert_null(strstr(out.at, "\"nan"));
        assert_null(strstr(out.at, "\"inf"));
        str_done(&out);
    }
}

static void groups_become_classes_and_tooltips(void **state)
{
    (void)state;
    const struct svg_options o = { 0 };
    struct str out = svg_of(find("bars_iops"), &o);
    assert_non_null(strstr(out.at, "<g class=\"s1 dut row\">"));
    assert_non_null(strstr(out.at, "<g class=\"s2 row\">"));
    assert_non_null(strstr(out.at,
                           "<g class=\"hot s1\" data-i=\"1\" data-v=\"2,290\"><title>Pliant "
                           "LS 300</title><rect x=\"0\""));
    assert_non_null(strstr(out.at, "pointer-events=\"all\"/></g>"));
    assert_non_null(strstr(out.at, "fill=\"var(--s1)\""));
    assert_non_null(strstr(out.at, "fill=\"var(--s2t)\""));
    assert_non_null(strstr(out.at, "fill=\"var(--on1)\">2,290</text>"));
    assert_non_null(strstr(out.at, ">RAID 10, 12 × 7200 rpm</text>"));
    assert_null(strstr(out.at, "textLength"));
    str_done(&out);
}

static void names_are_escaped_and_original(void **state)
{
    (void)state;
    const struct svg_options o = { 0 };
    struct str out = svg_of(find("bars_names"), &o);
    assert_non_null(
        strstr(out.at, "&lt;b&gt;&amp;&quot;quoted&quot;&lt;/b&gt; 100 % of %s: C:\\x"));
    assert_non_null(strstr(out.at, "aria-label=\"Bar chart of &quot;names&quot; &lt;&amp;&gt;"));
    /* the reader's own font may have what ours lacks; the width stays */
    assert_non_null(strstr(out.at, "lengthAdjust=\"spacingAndGlyphs\">fast 🚀 drive</text>"));
    assert_non_null(strstr(out.at, ">كونان</text>"));
    assert_null(strchr(out.at, '\x01'));
    assert_null(strchr(out.at, '\xff'));
    assert_non_null(strstr(out.at, "broken \xEF\xBF\xBD\xEF\xBF\xBD bytes"));
    str_done(&out);
}

static void standalone_is_a_file_of_its_own(void **state)
{
    (void)state;
    const struct svg_options o = { .standalone = true,
                                   .theme = theme_find("light"),
                                   .data_hash = "9f2c41d7",
                                   .version = "1.0 & more" };
    for (size_t i = 0; i < countof(samples); i++) {
        struct str out = svg_of(&samples[i], &o);
        assert_well_formed(samples[i].name, out.at);
        assert_null(strstr(out.at, "var(--"));
        assert_false(has_attribute(out.at, "style="));
        assert_non_null(strstr(out.at, "xmlns=\"http://www.w3.org/2000/svg\""));
        assert_non_null(strstr(out.at, "<metadata>qdepth 1.0 &amp; more data 9f2c41d7</metadata>"));
        str_done(&out);
    }
    struct str out = svg_of(find("bars_iops"), &o);
    assert_non_null(strstr(out.at, "@media (prefers-color-scheme:dark)"));
    assert_non_null(strstr(out.at, "[fill=\"#0072B2\"]{fill:#4BA3E3}"));
    assert_non_null(strstr(out.at, "<title>IOPS</title>"));
    assert_non_null(strstr(out.at, "textLength"));
    str_done(&out);
    static const char *const fixed[] = { "dark", "print" };
    for (size_t i = 0; i < countof(fixed); i++) {
        const struct svg_options other = { .standalone = true, .theme = theme_find(fixed[i]) };
        struct str file = svg_of(find("bars_iops"), &other);
        assert_null(strstr(file.at, "prefers-color-scheme"));
        assert_null(strstr(file.at, "<metadata>"));
        str_done(&file);
    }
}

/* The dark block swaps literal colours, so a light colour may stand for one dark colour only. */
static void light_colours_are_unambiguous(void **state)
{
    (void)state;
    const struct theme *light = theme_find("light");
    const struct theme *dark = theme_find("dark");
    for (int i = INK_BG; i < INK_ON_MARK; i++) {
        for (int k = INK_BG; k < INK_ON_MARK; k++) {
            for (int p = 1; p <= SERIES_SLOTS; p++) {
                for (int q = 1; q <= SERIES_SLOTS; q++) {
                    struct paint a = { (enum ink)i, p };
                    struct paint b = { (enum ink)k, q };
                    if (theme_rgb(light, a) == theme_rgb(light, b)) {
                        assert_int_equal(theme_rgb(dark, a), theme_rgb(dark, b));
                    }
                }
            }
        }
    }
}

static void xmllint_agrees(void **state)
{
    (void)state;
    if (system("xmllint --version >/dev/null 2>&1") != 0) {
        print_message("xmllint is not installed: skipped\n");
        skip();
    }
    const struct svg_options o = { .standalone = true, .theme = theme_find("light") };
    struct error e = { 0 };
    assert_int_equal(file_mkdirs(TEST_OUT "/svg", &e), 0);
    for (size_t i = 0; i < countof(samples); i++) {
        char path[512];
        struct str out = svg_of(&samples[i], &o);
        snprintf(path, sizeof path, "%s/svg/%s.svg", TEST_OUT, samples[i].name);
        assert_int_equal(file_write(path, out.at, out.n, &e), 0);
        str_done(&out);
    }
    assert_int_equal(system("xmllint --noout " TEST_OUT "/svg/*.svg"), 0);
}

static size_t bytes_of_rows(size_t n)
{
    struct arena *a = arena_new();
    struct bar *at = arena_array(a, struct bar, n);
    for (size_t i = 0; i < n; i++) {
        at[i] = bar_of(torqx, 1000, 0, "1,000");
    }
    struct look look = { .width = 384 };
    struct str out = str_new(64 << 20);
    struct error e;
    const struct svg_options o = { 0 };
    assert_int_equal(canvas_svg(panel_draw(bars_of(a, "Rows", at, n), a, &look), &o, &out, &e), 0);
    size_t bytes = out.n;
    str_done(&out);
    arena_free(a);
    return bytes;
}

static void size_is_linear(void **state)
{
    (void)state;
    size_t ten = bytes_of_rows(10);
    size_t hundred = bytes_of_rows(100);
    size_t thousand = bytes_of_rows(1000);
    assert_in_range(hundred, 8 * ten, 11 * ten);
    assert_in_range(thousand, 9 * hundred, 11 * hundred);
    assert_in_range(thousand / 1000, 300, 900); /* bytes a row */
}

static void too_large_fails(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct str out = str_new(1000);
    struct error e = { 0 };
    const struct svg_options o = { 0 };
    assert_int_equal(canvas_svg(sample_scene(a, find("bars_iops"), MEDIUM_SCREEN), &o, &out, &e),
                     -1);
    assert_non_null(strstr(e.what, "too large"));
    str_done(&out);
    arena_free(a);
}

static void lines_in_a_row_are_one_path(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, 100, 100);
    struct stroke thin = { .paint = { INK_GRID, 0 }, .width = 1 };
    struct stroke thick = { .paint = { INK_GRID, 0 }, .width = 2 };
    scene_line(s, 0, 10.5, 50, 10.5, thin);
    scene_line(s, 5.25, 0, 5.25, 50, thin);
    scene_line(s, 0, 0, 7, 8, thin);
    scene_line(s, 0, 0, 9, 9, thick);
    struct str out = str_new(10000);
    struct error e;
    const struct svg_options o = { 0 };
    assert_int_equal(canvas_svg(s, &o, &out, &e), 0);
    assert_non_null(strstr(out.at,
                           "<path d=\"M0 10.5H50M5.25 0V50M0 0L7 8\" stroke=\"var(--grid)\"/>"
                           "<path d=\"M0 0L9 9\" stroke=\"var(--grid)\" stroke-width=\"2\"/>"));
    str_done(&out);
    arena_free(a);
}

/* The same chart twice on a page: no id may occur twice. */
static void scopes_keep_ids_apart(void **state)
{
    (void)state;
    static const uint8_t mask[] = { 0, 255, 128, 7 };
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, 10, 10);
    scene_mask(s, 0, 0, 2, 2, mask, 2, 2, (struct paint) { INK_MARK, 1 });
    const char *const scopes[] = { NULL, "4-0", "4-1", "4-1" };
    struct str out[4];
    struct error e;
    for (size_t i = 0; i < 4; i++) {
        out[i] = str_new(1 << 16);
        const struct svg_options o = { .scope = scopes[i] };
        assert_int_equal(canvas_svg(s, &o, &out[i], &e), 0);
    }
    for (size_t i = 1; i < 3; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(strstr(out[i].at, "<mask id="), strstr(out[k].at, "<mask id="));
    assert_string_equal(out[2].at, out[3].at);
    for (size_t i = 0; i < 4; i++)
        str_done(&out[i]);
    arena_free(a);
}

static void masks_and_clips(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, 100, 100);
    static const uint8_t mask[] = { 0, 255, 128, 7 };
    scene_clip(s, 10, 10, 50, 50);
    scene_mask(s, 0, 0, 2, 2, mask, 2, 2, (struct paint) { INK_MARK, 2 });
    scene_unclip(s);
    scene_mask(s, 0, 0, 2, 2, mask, 2, 2, (struct paint) { INK_MARK, 2 });
    scene_mask(s, 0, 0, 40, 40, mask, 2, 2, (struct paint) { INK_MARK, 3 });
    struct str out = str_new(10000);
    struct error e;
    const struct svg_options o = { 0 };
    assert_int_equal(canvas_svg(s, &o, &out, &e), 0);
    assert_well_formed("masks", out.at);
    assert_non_null(strstr(out.at,
                           "<svg x=\"10\" y=\"10\" width=\"50\" height=\"50\" viewBox=\"10 10 "
                           "50 50\" overflow=\"hidden\"><mask id=\"m"));
    assert_non_null(strstr(out.at, "href=\"data:image/png;base64,iVBORw0KGgo"));
    const char *first = strstr(out.at, "<mask id=\"");
    const char *second = strstr(first + 1, "<mask id=\"");
    const char *third = strstr(second + 1, "<mask id=\"");
    assert_memory_equal(first, second, 10 + 17); /* the same mask has the same id */
    assert_memory_not_equal(first, third, 10 + 17);
    assert_null(strstr(first, "pixelated") < third ? strstr(first, "pixelated") : NULL);
    assert_non_null(strstr(third, "image-rendering=\"pixelated\""));
    str_done(&out);
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
        cmocka_unit_test(inline_rules),
        cmocka_unit_test(groups_become_classes_and_tooltips),
        cmocka_unit_test(names_are_escaped_and_original),
        cmocka_unit_test(standalone_is_a_file_of_its_own),
        cmocka_unit_test(light_colours_are_unambiguous),
        cmocka_unit_test(xmllint_agrees),
        cmocka_unit_test(size_is_linear),
        cmocka_unit_test(too_large_fails),
        cmocka_unit_test(lines_in_a_row_are_one_path),
        cmocka_unit_test(masks_and_clips),
        cmocka_unit_test(scopes_keep_ids_apart),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
