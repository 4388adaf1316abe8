#include "chart/haru.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/oom.h"
#include "base/utf8.h"
#include "chart/sfnt.h"
#include "chart/text.h"

/* libharu clamps at 32767; nothing on a page is that far out. */
static const double coordinate_limit = 20000;

/* libharu refuses strings from 65,536 bytes on. */
enum { TEXT_LIMIT = 32000, MAX_DASH = 8 };

static int load_font(struct haru *h, enum font_weight w, struct error *e)
{
    size_t n = 0;
    const void *bytes = font_bytes(w, &n);
    if (sfnt_check(bytes, n, e))
        return error_wrap(e, "cannot use the embedded font");
    h->font_fd[w] = memfd_create("qdepth-font", MFD_CLOEXEC);
    if (h->font_fd[w] < 0)
        return error_sys(e, errno, "cannot keep a font in memory");
    if (write(h->font_fd[w], bytes, n) != (ssize_t)n)
        return error_sys(e, errno, "cannot keep a font in memory");
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", h->font_fd[w]);
    const char *name = HPDF_LoadTTFontFromFile(h->doc, path, HPDF_TRUE);
    h->font[w] = name ? HPDF_GetFont(h->doc, name, "UTF-8") : NULL;
    if (!h->font[w])
        return error_set(e, QD_E_FAIL, "libharu cannot read the embedded font (0x%04lx)",
                         HPDF_GetError(h->doc));
    return 0;
}

int haru_open(struct haru *h, struct error *e)
{
    *h = (struct haru) { .font_fd = { -1, -1 } };
    h->doc = HPDF_New(NULL, NULL);
    if (!h->doc)
        return error_set(e, QD_E_FAIL, "libharu cannot start a document");
    h->doc->pdf_version = HPDF_VER_14;
    HPDF_SetCompressionMode(h->doc, HPDF_COMP_ALL);
    HPDF_UseUTFEncodings(h->doc);
    HPDF_SetCurrentEncoder(h->doc, "UTF-8");
    for (enum font_weight w = 0; w < FONT_COUNT; w++)
        if (load_font(h, w, e))
            return -1;
    return 0;
}

void haru_close(struct haru *h)
{
    if (h->doc)
        HPDF_Free(h->doc);
    for (int w = 0; w < FONT_COUNT; w++)
        if (h->font_fd[w] >= 0)
            close(h->font_fd[w]);
    *h = (struct haru) { .font_fd = { -1, -1 } };
}

HPDF_Page haru_add_page(struct haru *h, double width, double height)
{
    HPDF_Page page = HPDF_AddPage(h->doc);
    HPDF_Page_SetWidth(page, haru_real(h, width));
    HPDF_Page_SetHeight(page, haru_real(h, height));
    haru_turn_to(h, page);
    return page;
}

void haru_turn_to(struct haru *h, HPDF_Page page)
{
    h->page = page;
}

int haru_check(const struct haru *h, struct error *e)
{
    if (h->bad_number)
        return error_set(e, QD_E_FAIL, "a page has a mark without a place (not a finite number)");
    HPDF_STATUS status = HPDF_GetError(h->doc);
    if (status != HPDF_OK)
        return error_set(e, QD_E_FAIL, "libharu failed (0x%04lx, detail %lu)", status,
                         HPDF_GetErrorDetail(h->doc));
    return 0;
}

int haru_save(struct haru *h, void **ret, size_t *ret_n, struct error *e)
{
    if (haru_check(h, e))
        return -1;
    if (HPDF_SaveToStream(h->doc) != HPDF_OK)
        return haru_check(h, e) ? -1 : error_set(e, QD_E_FAIL, "libharu cannot save");
    HPDF_UINT32 n = HPDF_GetStreamSize(h->doc);
    HPDF_BYTE *bytes = xmalloc(n ? n : 1);
    HPDF_UINT32 got = n;
    HPDF_STATUS status = HPDF_ReadFromStream(h->doc, bytes, &got);
    if ((status != HPDF_OK && status != HPDF_STREAM_EOF) || got != n) {
        free(bytes);
        return error_set(e, QD_E_FAIL, "libharu gave %u of %u bytes", got, n);
    }
    *ret = bytes;
    *ret_n = n;
    return 0;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

HPDF_REAL haru_real(struct haru *h, double v)
{
    if (isfinite(v) && fabs(v) < coordinate_limit)
        return (HPDF_REAL)v;
    h->bad_number = true;
    return 0;
}

static HPDF_REAL channel(uint32_t rgb, int shift)
{
    return (HPDF_REAL)((rgb >> shift) & 0xFF) / 255;
}

void haru_fill_rgb(struct haru *h, uint32_t rgb)
{
    HPDF_Page_SetRGBFill(h->page, channel(rgb, 16), channel(rgb, 8), channel(rgb, 0));
}

void haru_stroke_rgb(struct haru *h, uint32_t rgb)
{
    HPDF_Page_SetRGBStroke(h->page, channel(rgb, 16), channel(rgb, 8), channel(rgb, 0));
}

void haru_dash(struct haru *h, const int *dash)
{
    HPDF_UINT16 pattern[MAX_DASH];
    HPDF_UINT n = 0;
    for (; dash && n < MAX_DASH && dash[n] > 0; n++)
        pattern[n] = (HPDF_UINT16)dash[n];
    HPDF_Page_SetDash(h->page, n ? pattern : NULL, n, 0);
}

void haru_box(struct haru *h, double x, double y, double width, double height)
{
    HPDF_Page_Rectangle(h->page, haru_real(h, x), haru_real(h, y), haru_real(h, width),
                        haru_real(h, height));
}

/* What is longer than any page is cut, between two characters. */
static const char *cut(struct arena *a, const char *text)
{
    size_t n = strlen(text);
    if (n <= TEXT_LIMIT)
        return text;
    const char *s = text, *end = text;
    while (s - text <= TEXT_LIMIT) {
        end = s;
        utf8_next(&s);
    }
    return arena_strndup(a, text, (size_t)(end - text));
}

double haru_text(struct haru *h, double x, double y, const char *text, struct haru_type type)
{
    HPDF_REAL at_x = haru_real(h, x), at_y = haru_real(h, y), size = haru_real(h, type.size);
    if (!*text || h->bad_number)
        return 0;
    struct arena *a = arena_new();
    const char *drawn = cut(a, text_drawable(a, type.weight, text));
    double width = font_width(type.weight, type.size, drawn);
    if (*drawn) {
        HPDF_Page_BeginText(h->page);
        HPDF_Page_SetFontAndSize(h->page, h->font[type.weight], size);
        HPDF_Page_TextOut(h->page, at_x, at_y, drawn);
        HPDF_Page_EndText(h->page);
    }
    arena_free(a);
    return width;
}
