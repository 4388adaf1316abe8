#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chart/canvas.h"

/* Pixels to PNG bytes through libpng, with the settings that are smaller and faster for charts: no filter, zlib level 3
 * (reference/libraries.md §1). Same pixels, same bytes. */
enum picture_kind {
    PICTURE_GREY,  /* 1 byte a pixel */
    PICTURE_XRGB32 /* native-endian 0xXXRRGGBB, as cairo's RGB24 */
};
struct picture {
    enum picture_kind kind;
    const void *at;
    size_t stride; /* bytes a row */
    int width, height;
    double scale; /* px per CSS px, for pHYs; 0 = none */
    const struct png_text *text;
    size_t n_text;
};
/* Free *ret with free(). */
int picture_encode(const struct picture *p, void **ret, size_t *ret_n, struct error *e);
