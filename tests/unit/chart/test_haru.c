/* Drawing into PDFs: each trap of reference/libraries.md §3 and §7. */
#include "chart/canvas_haru.h"

#include <string.h>

#include "chart/sfnt.h"
#include "pdf_tools.h"

static struct haru_type regular(double size)
{
    return (struct haru_type) { FONT_REGULAR, size };
}

static void open_page(struct haru *h)
{
    struct error e = { 0 };
    assert_int_equal(haru_open(h, &e), 0);
    assert_non_null(haru_add_page(h, 400, 300));
}

/* Saves into test-out and closes. */
static const char *save(struct haru *h, const char *name, size_t *ret_n)
{
    static char path[256];
    struct error e = { 0 };
    void *bytes = NULL;
    size_t n = 0;
    int rc = haru_save(h, &bytes, &n, &e);
    if (rc)
        print_error("%s\n", e.what);
    assert_int_equal(rc, 0);
    snprintf(path, sizeof path, "%s/haru-%s.pdf", TEST_OUT, name);
    write_pdf(path, bytes, n);
    check_pdf(path);
    free(bytes);
    haru_close(h);
    if (ret_n)
        *ret_n = n;
    return path;
}

static void refused(struct haru *h, const char *words)
{
    struct error e = { 0 };
    void *bytes = NULL;
    size_t n = 0;
    assert_int_equal(haru_save(h, &bytes, &n, &e), -1);
    assert_null(bytes);
    assert_non_null(strstr(e.what, words));
    haru_close(h);
}

/* --- numbers ------------------------------------------------------------------------------------------------------- */

static void numbers_without_a_place_are_refused(void **state)
{
    (void)state;
    const double bad[] = { ABSENT, ENDLESS, -ENDLESS, 32768, -1e9 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct haru h;
        open_page(&h);
        haru_text(&h, bad[i], 10, "nowhere", regular(10));
        refused(&h, "not a finite number");
        open_page(&h);
        haru_box(&h, 0, 0, 10, bad[i]);
        HPDF_Page_Stroke(h.page);
        refused(&h, "not a finite number");
    }
}

static void a_scene_with_nan_is_refused(void **state)
{
    (void)state;
    struct haru h;
    struct error e = { 0 };
    struct arena *a = arena_new();
    open_page(&h);
    struct scene *s = scene_new(a, 100, 100);
    scene_line(s, 0, 0, ABSENT, 10, (struct stroke) { .paint = { INK_INK, 0 }, .width = 1 });
    const struct haru_spot at = { 10, 290, 0.75 };
    assert_int_equal(canvas_haru(&h, s, &at, theme_find("print"), &e), -1);
    const struct haru_spot nowhere = { ABSENT, 290, 0.75 };
    struct scene *fine = scene_new(a, 100, 100);
    scene_rect(fine, 0, 0, 10, 10, (struct paint) { INK_INK, 0 }, (struct stroke) { 0 });
    assert_int_equal(canvas_haru(&h, fine, &nowhere, theme_find("print"), &e), -1);
    assert_non_null(strstr(e.what, "not a finite number"));
    arena_free(a);
    refused(&h, "not a finite number");
}

/* --- errors -------------------------------------------------------------------------------------------------------- */

static void an_error_sticks(void **state)
{
    (void)state;
    struct haru h;
    struct error e = { 0 };
    open_page(&h);
    assert_int_equal(haru_check(&h, &e), 0);
    HPDF_Page_EndText(h.page); /* outside a text */
    haru_text(&h, 10, 10, "after it", regular(10));
    assert_int_equal(haru_check(&h, &e), -1);
    assert_non_null(strstr(e.what, "libharu failed (0x1051"));
    refused(&h, "libharu failed");
}

static void closing_forgives(void **state)
{
    (void)state;
    struct haru h = { .font_fd = { -1, -1 } };
    haru_close(&h);
    struct error e = { 0 };
    assert_int_equal(haru_open(&h, &e), 0);
    haru_close(&h);
    haru_close(&h);
}

/* --- text ---------------------------------------------------------------------------------------------------------- */

static void text_is_made_drawable(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "emoji \U0001F600 end", "emoji ? end" },
        { "one\ntwo\tthree\x01", "one two three" },
        { "soft\u00ADhyphen", "softhyphen" },
        { "zero\u200Bwidth\u202Eturned", "zerowidthturned" },
        { "broken \xff\xc3, end", "broken ??, end" },
        { "\u05E9\u05DC\u05D5\u05DD", "????" },
        { "µ ≤ × ² č Ж – “q” 10⁶", "µ ≤ × ² č Ж – “q” 10⁶" },
    };
    struct haru h;
    open_page(&h);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double width = haru_text(&h, 10, 280 - 20 * (double)i, rows[i][0], regular(10));
        assert_close(width, font_width(FONT_REGULAR, 10, rows[i][0]), 1e-9);
    }
    assert_true(haru_text(&h, 10, 20, "", regular(10)) == 0);
    assert_true(haru_text(&h, 10, 20, "\u200B", regular(10)) == 0);
    const char *path = save(&h, "text", NULL);
    if (!has_tool("pdftotext"))
        return;
    char *text = tool_output("pdftotext -layout", path, "-");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strstr(text, rows[i][1])) {
            print_error("'%s' is not in: %s\n", rows[i][1], text);
            fail();
        }
    free(text);
}

static void endless_text_is_cut_between_characters(void **state)
{
    (void)state;
    enum { N = 100000 };
    char *text = malloc(2 * N + 1);
    assert_non_null(text);
    for (size_t i = 0; i < N; i++)
        memcpy(text + 2 * i, "\u00E9", 2);
    text[2 * N] = '\0';
    struct haru h;
    open_page(&h);
    double width = haru_text(&h, 10, 10, text, regular(1));
    assert_close(width, 16000 * font_advance(FONT_REGULAR, 1, 0xE9), 1e-6);
    free(text);
    save(&h, "endless", NULL);
}

static void fonts_are_embedded_as_subsets(void **state)
{
    (void)state;
    struct haru h;
    open_page(&h);
    haru_text(&h, 10, 50, "Regular", regular(10));
    haru_text(&h, 10, 30, "Medium", (struct haru_type) { FONT_MEDIUM, 10 });
    size_t n = 0;
    const char *path = save(&h, "fonts", &n);
    assert_true(n < 90000);
    if (!has_tool("pdffonts"))
        return;
    char *fonts = tool_output("pdffonts", path, "");
    assert_int_equal(count_of(fonts, "+Roboto"), 2);
    assert_int_equal(count_of(fonts, "yes yes yes"), 2);
    free(fonts);
}

/* --- fonts --------------------------------------------------------------------------------------------------------- */

static void damaged_fonts_are_refused(void **state)
{
    (void)state;
    struct error e = { 0 };
    size_t n = 0;
    for (enum font_weight w = 0; w < FONT_COUNT; w++) {
        const void *font = font_bytes(w, &n);
        assert_int_equal(sfnt_check(font, n, &e), 0);
    }
    unsigned char *copy = malloc(n);
    assert_non_null(copy);
    for (size_t i = 0; i < n; i += 997) {
        memcpy(copy, font_bytes(FONT_MEDIUM, &n), n);
        copy[i] ^= 0x10;
        size_t tables = (size_t)copy[5];
        bool adjustment = false; /* of head: not covered by a checksum, and not read */
        for (size_t t = 0; t < tables; t++) {
            const unsigned char *row = copy + 12 + 16 * t;
            size_t at = (size_t)row[9] << 16 | (size_t)row[10] << 8 | row[11];
            adjustment |= !memcmp(row, "head", 4) && i >= at + 8 && i < at + 12;
        }
        bool search = i >= 6 && i < 12; /* hints of the directory */
        assert_true(sfnt_check(copy, n, &e) == -1 || adjustment || search);
    }
    assert_int_equal(sfnt_check("a plain text file", 17, &e), -1);
    assert_int_equal(sfnt_check("", 0, &e), -1);
    for (size_t cut = 0; cut < n; cut += 1009)
        assert_int_equal(sfnt_check(font_bytes(FONT_MEDIUM, &n), cut, &e), -1);
    memcpy(copy, font_bytes(FONT_MEDIUM, &n), n);
    copy[5] = 0xFF;
    assert_int_equal(sfnt_check(copy, n, &e), -1);
    memcpy(copy, font_bytes(FONT_MEDIUM, &n), n);
    copy[4] = copy[5] = 0;
    assert_int_equal(sfnt_check(copy, n, &e), -1);
    assert_non_null(strstr(e.what, "has no table 'head'"));
    free(copy);
}

/* --- marks --------------------------------------------------------------------------------------------------------- */

static void draw(struct haru *h, struct scene *s)
{
    struct error e = { 0 };
    const struct haru_spot at = { 20, 280, 0.75 };
    int rc = canvas_haru(h, s, &at, theme_find("print"), &e);
    if (rc)
        print_error("%s\n", e.what);
    assert_int_equal(rc, 0);
}

static void dashes_are_whole(void **state)
{
    (void)state;
    static const int dash[] = { 1, 3, 9, 2, 0 }, long_dash[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0 };
    struct haru h;
    struct arena *a = arena_new();
    open_page(&h);
    struct scene *s = scene_new(a, 100, 100);
    const struct stroke stroke = { .paint = { INK_MARK, 2 }, .width = 1.75, .dash = dash };
    scene_line(s, 0, 5, 100, 5, stroke);
    draw(&h, s);
    haru_dash(&h, long_dash);
    haru_dash(&h, NULL);
    arena_free(a);
    const char *path = save(&h, "dash", NULL);
    if (!has_tool("qpdf"))
        return;
    char *text = unpacked(path);
    assert_non_null(strstr(text, "[1 2 7 2 ] 0 d"));
    assert_non_null(strstr(text, "[1 1 1 1 1 1 1 1 ] 0 d"));
    assert_non_null(strstr(text, "[] 0 d"));
    free(text);
}

/* Pixel i of a row of "  R   G   B" numbers, within the rounding of the viewer. */
static bool pixel_is(const char *row, size_t i, const int rgb[3])
{
    const char *p = row + 4 * 3 * i;
    for (size_t k = 0; k < 3; k++)
        if (labs(strtol(p + 4 * k, NULL, 10) - rgb[k]) > 1)
            return false;
    return true;
}

static void a_mask_is_one_pixel_of_colour(void **state)
{
    (void)state;
    enum { NX = 384, NY = 180 };
    struct haru h;
    struct arena *a = arena_new();
    open_page(&h);
    struct scene *s = scene_new(a, 400, 200);
    uint8_t *mask = arena_array(a, uint8_t, NX * NY);
    for (size_t i = 0; i < NX * NY; i++)
        mask[i] = i % NX < NX / 2 ? 255 : 0;
    scene_mask(s, 0, 0, 384, 180, mask, NX, NY, (struct paint) { INK_MARK, 1 });
    draw(&h, s);
    arena_free(a);
    size_t n = 0;
    const char *path = save(&h, "mask", &n);
    assert_true(n < 60000); /* the mask is packed */
    if (has_tool("pdfimages")) {
        char *images = tool_output("pdfimages -list", path, "");
        assert_int_equal(count_of(images, " smask "), 1);
        assert_non_null(strstr(images, "image       1     1  rgb"));
        free(images);
    }
    if (!has_tool("pdftoppm"))
        return;
    char *pixels = tool_output("pdftoppm -r 36 -f 1 -l 1", path,
                               "| tail -c +16 | od -An -v -tu1 -w600 | sed -n 30p");
    static const int painted[3] = { 0x00, 0x72, 0xB2 }, bare[3] = { 0xFF, 0xFF, 0xFF };
    assert_true(pixel_is(pixels, 40, painted));
    assert_true(pixel_is(pixels, 120, bare));
    free(pixels);
}

static void all_marks_draw(void **state)
{
    (void)state;
    static const struct point triangle[] = { { 10, 10 }, { 30, 10 }, { 20, 30 } };
    const struct stroke thin = { .paint = { INK_AXIS, 0 }, .width = 1, .round = true };
    struct haru h;
    struct arena *a = arena_new();
    open_page(&h);
    struct scene *s = scene_new(a, 300, 200);
    scene_begin(s, &(struct group) { .role = "bar" });
    scene_clip(s, 0, 0, 100, 100);
    scene_rect(s, 0, 0, 50, 50, (struct paint) { INK_TINT, 3 }, thin);
    scene_circle(s, 60, 60, 5, (struct paint) { INK_MARK, 3 }, (struct stroke) { 0 });
    scene_unclip(s);
    scene_poly(s, triangle, 3, true, (struct paint) { INK_NONE, 0 }, thin);
    scene_poly(s, triangle, 1, false, (struct paint) { INK_NONE, 0 }, thin);
    scene_marker(s, 100, 100, 4, 7, true, true);
    scene_hot(s, 0, 0, 10, 10);
    scene_end(s);
    static const enum anchor anchors[] = { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };
    for (size_t i = 0; i < 3; i++)
        scene_text(s, 150, 20 + 20 * (double)i, "anchored",
                   (struct text_style) {
                       .size = 10, .anchor = anchors[i], .paint = { INK_TEXT, 1 }, .halo = true });
    draw(&h, s);
    arena_free(a);
    const char *path = save(&h, "marks", NULL);
    if (!has_tool("pdftotext"))
        return;
    char *text = tool_output("pdftotext", path, "-");
    assert_int_equal(count_of(text, "anchored"), 3); /* halos are not read */
    free(text);
    char *boxes = tool_output("pdftotext -bbox", path, "-");
    double x[3];
    const char *p = boxes;
    for (size_t i = 0; i < 3; i++) {
        p = strstr(p, "xMin=\"") + 6;
        x[i] = strtod(p, NULL);
        p = strstr(p, "</word>");
    }
    double width = font_width(FONT_REGULAR, 7.5, "anchored");
    assert_close(x[0], 20 + 150 * 0.75, 1e-3);
    assert_close(x[0] - x[1], width / 2, 1e-2);
    assert_close(x[0] - x[2], width, 1e-2);
    free(boxes);
}

/* --- links, outline, information ----------------------------------------------------------------------------------- */

static void links_have_no_frame_and_keep_the_zoom(void **state)
{
    (void)state;
    struct haru h;
    open_page(&h);
    HPDF_Page first = h.page;
    haru_add_page(&h, 400, 300);
    const struct haru_place second = { h.page, 200 };
    haru_turn_to(&h, first);
    const struct haru_area area = { 10, 10, 50, 12 };
    haru_link(&h, &area, &second);
    haru_link_url(&h, &area, "https://example.org/a b(č)");
    HPDF_Outline top = haru_outline(&h, NULL, "Überblick \U0001F600 Ж\n", &second);
    assert_non_null(top);
    assert_non_null(haru_outline(&h, top, "below", &second));
    const char *path = save(&h, "links", NULL);
    if (!has_tool("qpdf"))
        return;
    char *text = unpacked(path);
    assert_int_equal(count_of(text, "/Subtype /Link"), 2);
    assert_int_equal(count_of(text, "/XYZ\n"), 3);
    assert_int_equal(count_of(text, "null\n"), 6);
    assert_non_null(strstr(text, "https://example.org/a%20b\\(%C4%8D\\)"));
    assert_int_equal(count_of(text, "/Border [\n    0\n    0\n    0\n  ]"), 2);
    free(text);
    char *json = tool_output("qpdf --json", path, "");
    assert_non_null(strstr(json, "Überblick \uFFFD Ж "));
    free(json);
}

static void information_is_the_callers(void **state)
{
    (void)state;
    static const struct haru_info info = {
        .title = "Größe Ж",
        .subject = "about",
        .creator = "qdepth 1",
        .keywords = "data 9f2c",
        .language = "en",
        .created_ns = 1773480413000000000, /* 2026-03-14T09:26:53Z */
    };
    void *bytes[2];
    size_t n[2];
    for (size_t i = 0; i < 2; i++) {
        struct haru h;
        struct error e = { 0 };
        open_page(&h);
        haru_set_info(&h, &info);
        haru_text(&h, 10, 10, "same", regular(10));
        assert_int_equal(haru_save(&h, &bytes[i], &n[i], &e), 0);
        haru_close(&h);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    const char *path = TEST_OUT "/haru-info.pdf";
    write_pdf(path, bytes[0], n[0]);
    check_pdf(path);
    free(bytes[0]);
    free(bytes[1]);
    if (has_tool("pdfinfo")) {
        char *text = tool_output("TZ=UTC pdfinfo -isodates", path, "");
        assert_non_null(strstr(text, "Größe Ж"));
        assert_non_null(strstr(text, "Subject:         about"));
        assert_non_null(strstr(text, "Keywords:        data 9f2c"));
        assert_non_null(strstr(text, "Creator:         qdepth 1"));
        assert_non_null(strstr(text, "CreationDate:    2026-03-14T09:26:53Z"));
        assert_non_null(strstr(text, "PDF version:     1.4"));
        free(text);
    }
    if (!has_tool("qpdf"))
        return;
    char *text = unpacked(path);
    assert_non_null(strstr(text, "/Lang (en)"));
    assert_non_null(strstr(text, "/DisplayDocTitle true"));
    free(text);
}

static int reset_fonts(void **state)
{
    (void)state;
    font_reset();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_without_a_place_are_refused),
        cmocka_unit_test(a_scene_with_nan_is_refused),
        cmocka_unit_test(an_error_sticks),
        cmocka_unit_test(closing_forgives),
        cmocka_unit_test(text_is_made_drawable),
        cmocka_unit_test(endless_text_is_cut_between_characters),
        cmocka_unit_test(fonts_are_embedded_as_subsets),
        cmocka_unit_test(damaged_fonts_are_refused),
        cmocka_unit_test(dashes_are_whole),
        cmocka_unit_test(a_mask_is_one_pixel_of_colour),
        cmocka_unit_test(all_marks_draw),
        cmocka_unit_test(links_have_no_frame_and_keep_the_zoom),
        cmocka_unit_test(information_is_the_callers),
    };
    return cmocka_run_group_tests(tests, NULL, reset_fonts);
}
