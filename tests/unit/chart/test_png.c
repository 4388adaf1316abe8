/* PNG: decoded again by libpng, its chunks, and a few pictures against tests/golden/chart/NAME.png within a tolerance
 * (libraries differ in rounding). QD_GOLDEN_UPDATE=1 writes those anew. */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "chart/png.h"
#include "samples.h"
#include "unit.h"

struct bytes {
    void *at;
    size_t n;
};

static struct bytes picture_of(const char *const *names, size_t n, int columns,
                               const struct png_options *o)
{
    struct arena *a = arena_new();
    const struct scene **scenes = arena_array(a, const struct scene *, n);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < countof(samples); k++) {
            if (strcmp(samples[k].name, names[i]) == 0) {
                scenes[i] = sample_scene(a, &samples[k], MEDIUM_SCREEN);
            }
        }
        assert_non_null(scenes[i]);
    }
    struct bytes out = { 0 };
    struct error e = { 0 };
    if (canvas_png(scenes, n, columns, o, &out.at, &out.n, &e) < 0) {
        fail_msg("%s", e.what);
    }
    arena_free(a);
    return out;
}

struct image {
    int width, height;
    unsigned char *rgb;
};

static struct image decode(const void *bytes, size_t n)
{
    png_image p = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_memory(&p, bytes, n)) {
        fail_msg("%s", p.message);
    }
    p.format = PNG_FORMAT_RGB;
    struct image image = { (int)p.width, (int)p.height, malloc(PNG_IMAGE_SIZE(p)) };
    assert_non_null(image.rgb);
    if (!png_image_finish_read(&p, NULL, image.rgb, 0, NULL)) {
        fail_msg("%s", p.message);
    }
    return image;
}

static bool has_pixel(const struct image *image, uint32_t rgb)
{
    for (long i = 0; i < (long)image->width * image->height; i++) {
        const unsigned char *p = image->rgb + 3 * i;
        if (((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) == rgb) {
            return true;
        }
    }
    return false;
}

static void decodes_in_every_theme(void **state)
{
    (void)state;
    static const char *const names[] = { "bars_iops" };
    static const char *const themes[] = { "light", "dark", "print" };
    for (size_t i = 0; i < countof(themes); i++) {
        for (int scale = 1; scale <= 2; scale++) {
            const struct theme *theme = theme_find(themes[i]);
            struct png_options o = { .theme = theme, .scale = scale };
            struct bytes b = picture_of(names, 1, 1, &o);
            struct image image = decode(b.at, b.n);
            assert_int_equal(image.width, scale * (384 + 32));
            assert_int_equal(image.height, scale * (182 + 32));
            assert_true(has_pixel(&image, theme_rgb(theme, (struct paint) { INK_BG, 0 })));
            assert_true(has_pixel(&image, theme_rgb(theme, (struct paint) { INK_MARK, 1 })));
            assert_true(has_pixel(&image, theme_rgb(theme, (struct paint) { INK_TINT, 2 })));
            free(image.rgb);
            free(b.at);
        }
    }
}

static void panels_stand_side_by_side(void **state)
{
    (void)state;
    static const char *const names[] = { "bars_iops", "bars_time", "bars_missing", "bars_one" };
    struct png_options o = { .theme = theme_find("light"), .scale = 1 };
    struct bytes b = picture_of(names, 4, 3, &o);
    struct image image = decode(b.at, b.n);
    assert_int_equal(image.width, 3 * 384 + 2 * 24 + 32);
    assert_int_equal(image.height, 182 + 28 + 98 + 32);
    free(image.rgb);
    free(b.at);
    struct bytes narrow = picture_of(names, 2, 9, &o); /* no empty columns */
    image = decode(narrow.at, narrow.n);
    assert_int_equal(image.width, 2 * 384 + 24 + 32);
    free(image.rgb);
    free(narrow.at);
}

struct reader {
    const unsigned char *at;
    size_t n, used;
};

static void read_bytes(png_structp png, png_bytep to, png_size_t n)
{
    struct reader *r = png_get_io_ptr(png);
    assert_true(r->used + n <= r->n);
    memcpy(to, r->at + r->used, n);
    r->used += n;
}

static void says_what_it_is(void **state)
{
    (void)state;
    static const char *const names[] = { "bars_one" };
    const struct png_text text[] = { { "Software", "qdepth 1.0" },
                                     { "Title", "Response time, µs" },
                                     { "Source", NULL } };
    struct png_options o = { theme_find("light"), 2, text, countof(text) };
    struct bytes b = picture_of(names, 1, 1, &o);
    struct reader r = { b.at, b.n, 0 };
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_read_fn(png, &r, read_bytes);
    png_read_info(png, info);
    png_uint_32 x = 0;
    png_uint_32 y = 0;
    int unit = 0;
    assert_int_not_equal(png_get_pHYs(png, info, &x, &y, &unit), 0);
    assert_int_equal(x, 7559); /* 192 dpi */
    assert_int_equal(y, 7559);
    assert_int_equal(unit, PNG_RESOLUTION_METER);
    png_textp rows = NULL;
    int n = 0;
    png_get_text(png, info, &rows, &n);
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].key, "Software");
    assert_string_equal(rows[0].text, "qdepth 1.0");
    assert_int_equal(rows[0].compression, PNG_TEXT_COMPRESSION_NONE);
    assert_string_equal(rows[1].text, "Response time, µs");
    assert_int_equal(rows[1].compression, PNG_ITXT_COMPRESSION_NONE);
    png_destroy_read_struct(&png, &info, NULL);
    free(b.at);
}

static void same_scene_same_bytes(void **state)
{
    (void)state;
    static const char *const names[] = { "lines_time", "work_heavy" };
    struct png_options o = { .theme = theme_find("dark"), .scale = 1.5 };
    struct bytes a = picture_of(names, 2, 2, &o);
    font_reset();
    struct bytes b = picture_of(names, 2, 2, &o);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.at, b.at, a.n);
    free(a.at);
    free(b.at);
}

static void compare(const char *name, const struct bytes *got, const struct bytes *want)
{
    struct image g = decode(got->at, got->n);
    struct image w = decode(want->at, want->n);
    assert_int_equal(g.width, w.width);
    assert_int_equal(g.height, w.height);
    long n = 3L * g.width * g.height;
    long sum = 0;
    long far = 0;
    for (long i = 0; i < n; i++) {
        int d = abs(g.rgb[i] - w.rgb[i]);
        sum += d;
        far += d > 64;
    }
    if ((double)sum / (double)n > 0.5 || (double)far / (double)n > 0.001) {
        fail_msg("%s: mean difference %.3f, %ld values far off", name, (double)sum / (double)n,
                 far);
    }
    free(g.rgb);
    free(w.rgb);
}

static void equals_golden(void **state)
{
    (void)state;
    static const char *const names[] = {
        "bars_missing", "lines_time_missing", "work_heavy",  "scatter_splat",
        "bars_names",   "grouped_three",      "cells_mix",   "pairs_missing",
        "hist_missing", "lines_forty",        "nines_three", "steady_reached",
    };
    const char *update = getenv("QD_GOLDEN_UPDATE");
    for (size_t i = 0; i < countof(names); i++) {
        struct arena *a = arena_new();
        struct error e = { 0 };
        struct png_options o = { .theme = theme_find(i % 2 ? "dark" : "light"), .scale = 1 };
        struct bytes got = picture_of(&names[i], 1, 1, &o);
        char path[512];
        snprintf(path, sizeof path, "%s/chart/%s.png", TEST_GOLDEN, names[i]);
        if (update && strcmp(update, "1") == 0) {
            assert_int_equal(file_write(path, got.at, got.n, &e), 0);
        }
        char *bytes = NULL;
        struct bytes want = { 0 };
        if (file_read(a, path, 1 << 20, &bytes, &want.n, &e) < 0) {
            fail_msg("%s", e.what);
        }
        want.at = bytes;
        compare(names[i], &got, &want);
        free(got.at);
        arena_free(a);
    }
}

static void bad_scenes_and_sizes_fail(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e = { 0 };
    void *at = NULL;
    size_t n = 0;
    struct png_options o = { .theme = theme_find("light"), .scale = 1 };
    struct scene *bad = scene_new(a, 100, 100);
    scene_rect(bad, NAN, 0, 1, 1, (struct paint) { INK_INK, 0 }, (struct stroke) { 0 });
    const struct scene *scenes[] = { bad };
    assert_int_equal(canvas_png(scenes, 1, 1, &o, &at, &n, &e), -1);
    const struct scene *huge[] = { scene_new(a, 60000, 100) };
    assert_int_equal(canvas_png(huge, 1, 1, &o, &at, &n, &e), -1);
    assert_non_null(strstr(e.what, "too many"));
    o.scale = NAN;
    const struct scene *fine[] = { scene_new(a, 10, 10) };
    assert_int_equal(canvas_png(fine, 1, 1, &o, &at, &n, &e), -1);
    assert_null(at);
    arena_free(a);
}

static void grey_pictures(void **state)
{
    (void)state;
    static const unsigned char pixels[] = {
        0, 255, 9, 9, 128, 64, 9, 9
    }; /* two rows of 2, padded */
    struct picture p = { .kind = PICTURE_GREY, .at = pixels, .stride = 4, .width = 2, .height = 2 };
    void *at = NULL;
    size_t n = 0;
    struct error e;
    assert_int_equal(picture_encode(&p, &at, &n, &e), 0);
    struct image image = decode(at, n);
    static const unsigned char want[] = { 0, 0, 0, 255, 255, 255, 128, 128, 128, 64, 64, 64 };
    assert_memory_equal(image.rgb, want, sizeof want);
    free(image.rgb);
    free(at);
    p.width = 0;
    assert_int_equal(picture_encode(&p, &at, &n, &e), -1);
}

static void masks_are_painted(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct scene *s = scene_new(a, 20, 20);
    static const uint8_t mask[] = { 255, 0, 0, 255 };
    const struct theme *theme = theme_find("light");
    scene_mask(s, 0, 0, 20, 20, mask, 2, 2, (struct paint) { INK_MARK, 2 });
    const struct scene *scenes[] = { s };
    struct png_options o = { .theme = theme, .scale = 1 };
    void *at = NULL;
    size_t n = 0;
    struct error e;
    assert_int_equal(canvas_png(scenes, 1, 1, &o, &at, &n, &e), 0);
    struct image image = decode(at, n);
    assert_int_equal(image.width, 52);
    const unsigned char *on = image.rgb + 3 * (20 * 52 + 20);
    const unsigned char *off = image.rgb + 3 * (20 * 52 + 30);
    assert_memory_equal(on, "\xD5\x5E\x00", 3);
    assert_memory_equal(off, "\xFF\xFF\xFF", 3);
    free(image.rgb);
    free(at);
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
        cmocka_unit_test(decodes_in_every_theme), cmocka_unit_test(panels_stand_side_by_side),
        cmocka_unit_test(says_what_it_is),        cmocka_unit_test(same_scene_same_bytes),
        cmocka_unit_test(equals_golden),          cmocka_unit_test(bad_scenes_and_sizes_fail),
        cmocka_unit_test(grey_pictures),          cmocka_unit_test(masks_are_painted),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
