#include "report/pdf_parts.h"

const struct type type_title = { FONT_MEDIUM, 22, 28, INK_INK };
const struct type type_section = { FONT_MEDIUM, 15, 20, INK_INK };
const struct type type_heading = { FONT_MEDIUM, 10, 13, INK_INK };
const struct type type_verdict = { FONT_REGULAR, 12.5, 18, INK_INK };
const struct type type_lead = { FONT_REGULAR, 10.5, 15, INK_INK };
const struct type type_body = { FONT_REGULAR, 9, 13, INK_INK };
const struct type type_table = { FONT_REGULAR, 8, 11, INK_INK };
const struct type type_caption = { FONT_REGULAR, 8, 11, INK_INK3 };
const struct type type_finding = { FONT_REGULAR, 8, 11, INK_INK2 };
const struct type type_fact = { FONT_REGULAR, 8, 11.5, INK_INK };
const struct type type_code = { FONT_REGULAR, 8, 11, INK_INK };
const struct type type_key = { FONT_REGULAR, 8.5, 12, INK_INK };
const struct type type_contents = { FONT_REGULAR, 9, 15, INK_INK2 };

struct type type_medium(struct type t)
{
    t.weight = FONT_MEDIUM;
    return t;
}

struct type type_ink(struct type t, enum ink ink)
{
    t.ink = ink;
    return t;
}

/* The middle of a line is 0.342 em above its baseline: half of Roboto's ascent less half of its descent. */
double type_baseline(const struct type *t, double y)
{
    return y + t->leading / 2 + 0.342 * t->size;
}

static double up(const struct pdf *p, double y)
{
    return p->sheet.height - y;
}

double pen_text(struct pdf *p, double x, double base, const char *text, const struct type *t)
{
    haru_fill_rgb(&p->h, theme_rgb(p->theme, (struct paint) { t->ink, 0 }));
    return haru_text(&p->h, x, up(p, base), text, (struct haru_type) { t->weight, t->size });
}

double pen_text_right(struct pdf *p, double x, double base, const char *text, const struct type *t)
{
    return pen_text(p, x - font_width(t->weight, t->size, text), base, text, t);
}

static void box_path(struct pdf *p, const struct area *at)
{
    haru_box(&p->h, at->x, up(p, at->y + at->height), at->width, at->height);
}

void pen_fill(struct pdf *p, const struct area *at, struct paint paint)
{
    haru_fill_rgb(&p->h, theme_rgb(p->theme, paint));
    box_path(p, at);
    HPDF_Page_Fill(p->h.page);
}

void pen_frame(struct pdf *p, const struct area *at, double width, struct paint paint)
{
    haru_stroke_rgb(&p->h, theme_rgb(p->theme, paint));
    haru_dash(&p->h, NULL);
    HPDF_Page_SetLineWidth(p->h.page, haru_real(&p->h, width));
    HPDF_Page_SetLineJoin(p->h.page, HPDF_MITER_JOIN);
    box_path(p, at);
    HPDF_Page_Stroke(p->h.page);
}

void pen_rule(struct pdf *p, const struct area *at, struct paint paint)
{
    pen_fill(p, at, paint);
}

void pen_dots(struct pdf *p, double x, double y, double width)
{
    static const int dash[] = { 1, 2, 0 };
    if (width <= 0)
        return;
    haru_stroke_rgb(&p->h, theme_rgb(p->theme, (struct paint) { INK_AXIS, 0 }));
    haru_dash(&p->h, dash);
    HPDF_Page_SetLineCap(p->h.page, HPDF_BUTT_END);
    HPDF_Page_SetLineWidth(p->h.page, 0.75F);
    HPDF_Page_MoveTo(p->h.page, haru_real(&p->h, x), haru_real(&p->h, up(p, y)));
    HPDF_Page_LineTo(p->h.page, haru_real(&p->h, x + width), haru_real(&p->h, up(p, y)));
    HPDF_Page_Stroke(p->h.page);
}

int pen_scene(struct pdf *p, const struct scene *s, double x, double y, double scale,
              struct error *e)
{
    const struct haru_spot at = { .x = x, .y = up(p, y), .k = 0.75 * scale };
    return canvas_haru(&p->h, s, &at, p->theme, e);
}
