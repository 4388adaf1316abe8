#include "chart/png.h"

#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/oom.h"

enum { ZLIB_LEVEL = 3, FIRST_BYTES = 16 << 10 };
static const double px_per_metre = 96 / 0.0254;

struct buffer {
    unsigned char *at;
    size_t n, cap;
};

struct encoder {
    png_structp png;
    png_infop info;
    struct buffer out;
    unsigned char *row;
    struct arena *arena;
    char why[128];
};

static void on_error(png_structp png, png_const_charp text)
{
    struct encoder *k = png_get_error_ptr(png);
    size_t n = strnlen(text, sizeof k->why - 1);
    memcpy(k->why, text, n);
    k->why[n] = '\0';
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void on_write(png_structp png, png_bytep bytes, png_size_t n)
{
    struct buffer *b = png_get_io_ptr(png);
    if (b->n + n > b->cap) {
        b->cap = 2 * (b->n + n) + FIRST_BYTES;
        b->at = xrealloc(b->at, b->cap);
    }
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool is_ascii(const char *s)
{
    for (; *s; s++) {
        if ((unsigned char)*s >= 0x80) {
            return false;
        }
    }
    return true;
}

/* tEXt is Latin-1; other text goes into iTXt, which is UTF-8. */
static void put_text(struct encoder *k, const struct picture *p)
{
    png_text *rows = arena_array(k->arena, png_text, p->n_text);
    int n = 0;
    for (size_t i = 0; i < p->n_text; i++) {
        if (!p->text[i].value) {
            continue;
        }
        rows[n].compression = is_ascii(p->text[i].value) ? PNG_TEXT_COMPRESSION_NONE
                                                         : PNG_ITXT_COMPRESSION_NONE;
        rows[n].key = arena_strdup(k->arena, p->text[i].key);
        rows[n].text = arena_strdup(k->arena, p->text[i].value);
        n++;
    }
    png_set_text(k->png, k->info, rows, n);
}

static void write_head(struct encoder *k, const struct picture *p)
{
    int colour = p->kind == PICTURE_GREY ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
    png_set_compression_level(k->png, ZLIB_LEVEL);
    png_set_filter(k->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(k->png, k->info, (png_uint_32)p->width, (png_uint_32)p->height, 8, colour,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (p->scale > 0) {
        png_uint_32 density = (png_uint_32)lround(px_per_metre * p->scale);
        png_set_pHYs(k->png, k->info, density, density, PNG_RESOLUTION_METER);
    }
    put_text(k, p);
    png_write_info(k->png, k->info);
}

static void write_rows(struct encoder *k, const struct picture *p)
{
    for (int y = 0; y < p->height; y++) {
        const unsigned char *from = (const unsigned char *)p->at + (size_t)y * p->stride;
        if (p->kind == PICTURE_GREY) {
            png_write_row(k->png, from);
            continue;
        }
        /* charts have many equal rows */
        bool again = y > 0 && memcmp(from, from - p->stride, 4 * (size_t)p->width) == 0;
        for (int x = 0; x < p->width && !again; x++) {
            uint32_t pixel;
            memcpy(&pixel, from + 4 * (size_t)x, sizeof pixel);
            k->row[3 * x] = (unsigned char)(pixel >> 16);
            k->row[3 * x + 1] = (unsigned char)(pixel >> 8);
            k->row[3 * x + 2] = (unsigned char)pixel;
        }
        png_write_row(k->png, k->row);
    }
}

static int encode(struct encoder *k, const struct picture *p)
{
    if (setjmp(png_jmpbuf(k->png)) != 0) {
        return -1;
    }
    write_head(k, p);
    write_rows(k, p);
    png_write_end(k->png, k->info);
    return 0;
}

int picture_encode(const struct picture *p, void **ret, size_t *ret_n, struct error *e)
{
    struct encoder k = { .arena = arena_new() };
    k.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &k, on_error, on_warning);
    k.info = k.png ? png_create_info_struct(k.png) : NULL;
    if (!k.info) {
        base_oom(sizeof k);
    }
    png_set_write_fn(k.png, &k.out, on_write, on_flush);
    k.row = arena_alloc(k.arena, 3 * (size_t)(p->width > 0 ? p->width : 1));
    int r = encode(&k, p);
    png_destroy_write_struct(&k.png, &k.info);
    arena_free(k.arena);
    if (r < 0) {
        free(k.out.at);
        return error_set(e, QD_E_FAIL, "cannot write PNG: %s", k.why);
    }
    *ret = k.out.at;
    *ret_n = k.out.n;
    return 0;
}
