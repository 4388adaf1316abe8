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
#include "chart/text.h"

/* libharu clamps at 32767 and loses precision above; nothing on a page is that far out. */
static const double coordinate_limit = 20000;

static int load_font(struct haru *h, enum font_weight w, struct error *e)
{
    size_t n = 0;
    const void *bytes = font_bytes(w, &n);
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

HPDF_Page haru_page(struct haru *h, double width, double height)
{
    HPDF_Page page = HPDF_AddPage(h->doc);
    HPDF_Page_SetWidth(page, (HPDF_REAL)width);
    HPDF_Page_SetHeight(page, (HPDF_REAL)height);
    return page;
}

int haru_check(const struct haru *h, struct error *e)
{
    if (h->not_finite)
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

void haru_fill_rgb(HPDF_Page page, uint32_t rgb)
{
    HPDF_Page_SetRGBFill(page, (HPDF_REAL)((rgb >> 16) & 0xFF) / 255,
                         (HPDF_REAL)((rgb >> 8) & 0xFF) / 255, (HPDF_REAL)(rgb & 0xFF) / 255);
}

void haru_stroke_rgb(HPDF_Page page, uint32_t rgb)
{
    HPDF_Page_SetRGBStroke(page, (HPDF_REAL)((rgb >> 16) & 0xFF) / 255,
                           (HPDF_REAL)((rgb >> 8) & 0xFF) / 255, (HPDF_REAL)(rgb & 0xFF) / 255);
}

void haru_dash(HPDF_Page page, const int *dash)
{
    enum { MAX_DASH = 8 };
    HPDF_UINT16 pattern[MAX_DASH];
    HPDF_UINT n = 0;
    for (; dash && dash[n] && n < MAX_DASH; n++)
        pattern[n] = (HPDF_UINT16)dash[n];
    HPDF_Page_SetDash(page, n ? pattern : NULL, n, 0);
}

bool haru_finite(struct haru *h, double v)
{
    bool fine = isfinite(v) && fabs(v) < coordinate_limit;
    h->not_finite |= !fine;
    return fine;
}

double haru_text(struct haru *h, HPDF_Page page, double x, double y, const char *text,
                 enum font_weight weight, double size)
{
    if (!*text || !haru_finite(h, x) || !haru_finite(h, y))
        return 0;
    struct arena *a = arena_new();
    const char *drawn = text_drawable(a, weight, text);
    double width = font_width(weight, size, drawn);
    HPDF_Page_BeginText(page);
    HPDF_Page_SetFontAndSize(page, h->font[weight], (HPDF_REAL)size);
    HPDF_Page_TextOut(page, (HPDF_REAL)x, (HPDF_REAL)y, drawn);
    HPDF_Page_EndText(page);
    arena_free(a);
    return width;
}
