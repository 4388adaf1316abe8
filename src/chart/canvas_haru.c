#include "chart/canvas_haru.h"

#include <math.h>

enum { MAX_DASH = 8 };

struct pen {
    struct haru *h;
    const struct theme *theme;
    struct haru_spot at;
};

static HPDF_REAL px(const struct pen *p, double x)
{
    return haru_real(p->h, p->at.x + x * p->at.k);
}

static HPDF_REAL py(const struct pen *p, double y)
{
    return haru_real(p->h, p->at.y - y * p->at.k);
}

static HPDF_REAL length(const struct pen *p, double v)
{
    return haru_real(p->h, v * p->at.k);
}

static bool filled(const struct mark *m)
{
    return m->fill.ink != INK_NONE;
}

static bool stroked(const struct mark *m)
{
    return m->stroke.width > 0 && m->stroke.paint.ink != INK_NONE;
}

/* Dashes stay whole numbers: each is at least 1 pt. */
static void set_stroke(const struct pen *p, const struct stroke *k)
{
    HPDF_Page page = p->h->page;
    int dash[MAX_DASH + 1] = { 0 };
    for (int i = 0; k->dash && k->dash[i] && i < MAX_DASH; i++)
        dash[i] = (int)fmax(1, round(k->dash[i] * p->at.k));
    haru_stroke_rgb(p->h, theme_rgb(p->theme, k->paint));
    HPDF_Page_SetLineWidth(page, length(p, k->width));
    HPDF_Page_SetLineCap(page, k->round && !dash[0] ? HPDF_ROUND_END : HPDF_BUTT_END);
    HPDF_Page_SetLineJoin(page, k->round ? HPDF_ROUND_JOIN : HPDF_MITER_JOIN);
    haru_dash(p->h, dash);
}

static void set_paints(const struct pen *p, const struct mark *m)
{
    if (filled(m))
        haru_fill_rgb(p->h, theme_rgb(p->theme, m->fill));
    if (stroked(m))
        set_stroke(p, &m->stroke);
}

static void paint_path(const struct pen *p, const struct mark *m)
{
    HPDF_Page page = p->h->page;
    if (filled(m) && stroked(m))
        HPDF_Page_FillStroke(page);
    else if (filled(m))
        HPDF_Page_Fill(page);
    else if (stroked(m))
        HPDF_Page_Stroke(page);
    else
        HPDF_Page_EndPath(page);
}

static void draw_poly(const struct pen *p, const struct mark *m)
{
    HPDF_Page page = p->h->page;
    if (m->u.poly.n < 2)
        return;
    set_paints(p, m);
    HPDF_Page_MoveTo(page, px(p, m->u.poly.at[0].x), py(p, m->u.poly.at[0].y));
    for (size_t i = 1; i < m->u.poly.n; i++)
        HPDF_Page_LineTo(page, px(p, m->u.poly.at[i].x), py(p, m->u.poly.at[i].y));
    if (m->u.poly.closed)
        HPDF_Page_ClosePath(page);
    paint_path(p, m);
}

static void draw_halo(const struct pen *p, double x, double y, const struct mark *m)
{
    const struct text_style *t = &m->u.text.style;
    HPDF_Page page = p->h->page;
    haru_stroke_rgb(p->h, theme_rgb(p->theme, (struct paint) { INK_BG, 0 }));
    HPDF_Page_SetLineWidth(page, length(p, 3));
    HPDF_Page_SetLineJoin(page, HPDF_ROUND_JOIN);
    haru_dash(p->h, NULL);
    haru_unread_begin(p->h);
    HPDF_Page_SetTextRenderingMode(page, HPDF_STROKE);
    haru_text(p->h, x, y, m->u.text.original, (struct haru_type) { t->weight, t->size * p->at.k });
    HPDF_Page_SetTextRenderingMode(page, HPDF_FILL);
    haru_unread_end(p->h);
}

static void draw_text(const struct pen *p, const struct mark *m)
{
    static const double shift[] = { 0, 0.5, 1 };
    const struct text_style *t = &m->u.text.style;
    double size = t->size * p->at.k;
    double width = font_width(t->weight, size, m->u.text.drawn);
    double x = p->at.x + m->x * p->at.k - shift[t->anchor] * width;
    double y = p->at.y - m->y * p->at.k;
    if (t->halo)
        draw_halo(p, x, y, m);
    haru_fill_rgb(p->h, theme_rgb(p->theme, t->paint));
    haru_text(p->h, x, y, m->u.text.original, (struct haru_type) { t->weight, size });
}

static void draw_mask(const struct pen *p, const struct mark *m)
{
    uint32_t rgb = theme_rgb(p->theme, m->fill);
    const HPDF_BYTE one[3] = { (HPDF_BYTE)(rgb >> 16), (HPDF_BYTE)(rgb >> 8), (HPDF_BYTE)rgb };
    HPDF_Doc doc = p->h->doc;
    HPDF_Image colour = HPDF_LoadRawImageFromMem(doc, one, 1, 1, HPDF_CS_DEVICE_RGB, 8);
    HPDF_Image mask = HPDF_LoadRawImageFromMem(doc, m->u.raster.mask, (HPDF_UINT)m->u.raster.nx,
                                               (HPDF_UINT)m->u.raster.ny, HPDF_CS_DEVICE_GRAY, 8);
    if (!colour || !mask)
        return;
    HPDF_Image_AddSMask(colour, mask);
    HPDF_Page_DrawImage(p->h->page, colour, px(p, m->x), py(p, m->y + m->h), length(p, m->w),
                        length(p, m->h));
}

static void draw_box(const struct pen *p, const struct mark *m)
{
    HPDF_Page_Rectangle(p->h->page, px(p, m->x), py(p, m->y + m->h), length(p, m->w),
                        length(p, m->h));
}

static void draw_mark(const struct pen *p, const struct mark *m)
{
    HPDF_Page page = p->h->page;
    switch (m->kind) {
    case MARK_RECT:
        set_paints(p, m);
        draw_box(p, m);
        paint_path(p, m);
        return;
    case MARK_CIRCLE:
        set_paints(p, m);
        HPDF_Page_Circle(page, px(p, m->x), py(p, m->y), length(p, m->w));
        paint_path(p, m);
        return;
    case MARK_LINE:
        set_paints(p, m);
        HPDF_Page_MoveTo(page, px(p, m->x), py(p, m->y));
        HPDF_Page_LineTo(page, px(p, m->w), py(p, m->h));
        HPDF_Page_Stroke(page);
        return;
    case MARK_POLY:
        draw_poly(p, m);
        return;
    case MARK_TEXT:
        draw_text(p, m);
        return;
    case MARK_MASK:
        draw_mask(p, m);
        return;
    case MARK_CLIP:
        HPDF_Page_GSave(page);
        draw_box(p, m);
        HPDF_Page_Clip(page);
        HPDF_Page_EndPath(page);
        return;
    case MARK_UNCLIP:
        HPDF_Page_GRestore(page);
        return;
    case MARK_BEGIN:
    case MARK_END:
    case MARK_HOT:
        return;
    }
}

int canvas_haru(struct haru *h, const struct scene *s, const struct haru_spot *at,
                const struct theme *theme, struct error *e)
{
    const struct pen p = { h, theme, *at };
    if (scene_check(s, e))
        return -1;
    HPDF_Page_GSave(h->page);
    for (size_t i = 0; i < scene_count(s); i++)
        draw_mark(&p, scene_at(s, i));
    HPDF_Page_GRestore(h->page);
    return haru_check(h, e);
}
