#include <math.h>

#include "chart/text.h"
#include "report/pdf_parts.h"

static const double indent = 18, dots_gap = 6, page_room = 24;

static int draw_entry(struct pdf *p, const struct item *i, struct error *e)
{
    const struct landmark *a = i->what;
    bool top = a->level == 1;
    struct type t = top ? type_medium(type_ink(type_contents, INK_INK)) : type_contents;
    double x = i->x + (top ? 0 : indent), base = type_baseline(&t, i->y), end = i->x + i->width;
    (void)e;
    if (!a->item)
        return 0;
    if (a->number)
        pen_text(p, x, base, arena_printf(p->arena, "%u", a->number), &t);
    x += a->number ? fmax(13, font_width(t.weight, t.size, "00") + 4) : 0;
    const char *title = text_elide(p->arena, t.weight, t.size, a->title, end - page_room - x);
    x += pen_text(p, x, base, title, &t) + dots_gap;
    pen_dots(p, x, base - 1, end - page_room + dots_gap - x);
    pen_text_right(p, end, base, arena_printf(p->arena, "%zu", a->item->page + 1), &t);
    pen_link_to(p, a->item, &(struct area) { i->x, i->y, i->width, i->height });
    return 0;
}

/* On one page if they fit one. */
void pdf_contents(struct pdf *p, bool new_page)
{
    const struct landmark *last = NULL;
    size_t n = 0;
    for (size_t k = 0; k < p->landmarks.n; k++)
        if (p->landmarks.at[k].title) {
            last = &p->landmarks.at[k];
            n++;
        }
    if (!last)
        return;
    double room = p->sheet.bottom - p->sheet.top - 60;
    bool together = (double)n * (type_contents.leading + 4) < room;
    pdf_section_head(p, 0, "Contents")->new_page = new_page;
    for (size_t k = 0; k < p->landmarks.n; k++) {
        const struct landmark *a = &p->landmarks.at[k];
        if (a->title)
            flow_add(p, a->level == 1 ? 4 : 0, type_contents.leading, draw_entry, a)
                ->keep = a != last && (together || a->level == 1);
    }
}

void pdf_outline(struct pdf *p)
{
    HPDF_Outline section = NULL;
    for (size_t k = 0; k < p->landmarks.n; k++) {
        const struct landmark *a = &p->landmarks.at[k];
        struct haru_place to;
        if (!a->title || !flow_place(p, a->item, &to))
            continue;
        const char *title = a->number ? arena_printf(p->arena, "%u  %s", a->number, a->title)
                                      : a->title;
        HPDF_Outline o = haru_outline(&p->h, a->level == 1 ? NULL : section, title, &to);
        section = a->level == 1 ? o : section;
    }
}
