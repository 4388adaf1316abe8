#include <string.h>

#include "report/pdf_parts.h"

/* A jump shows a little of what is above. */
static const double above = 8;

bool flow_place(struct pdf *p, const struct item *i, struct haru_place *ret)
{
    if (!i)
        return false;
    double y = i->y > above ? i->y - above : 0;
    *ret = (struct haru_place) { .page = p->pages[i->page], .top = p->sheet.height - y };
    return true;
}

static const struct item *item_of(const struct pdf *p, const char *id)
{
    for (size_t i = 0; i < p->landmarks.n; i++)
        if (p->landmarks.at[i].id && !strcmp(p->landmarks.at[i].id, id))
            return p->landmarks.at[i].item;
    return NULL;
}

static struct haru_area area_of(const struct pdf *p, const struct area *at)
{
    return (struct haru_area) { at->x, p->sheet.height - at->y - at->height, at->width,
                                at->height };
}

void pen_link_to(struct pdf *p, const struct item *i, const struct area *at)
{
    struct haru_place to;
    struct haru_area area = area_of(p, at);
    if (flow_place(p, i, &to))
        haru_link(&p->h, &area, &to);
}

void pen_link(struct pdf *p, const char *href, const struct area *at)
{
    struct haru_area area = area_of(p, at);
    if (href[0] == '#')
        pen_link_to(p, item_of(p, href + 1), at);
    else
        haru_link_url(&p->h, &area, href);
}
