#include <stdio.h>

#include "base/fmt.h"
#include "chart/canvas.h"
#include "chart/number.h"

static void put_paint(struct str *out, const char *what, struct paint p)
{
    if (p.ink != INK_NONE) {
        str_printf(out, " %s=%s", what, paint_css_name(p));
    }
}

static void put_stroke(struct str *out, const struct stroke *k)
{
    if (k->width <= 0) {
        return;
    }
    put_paint(out, "stroke", k->paint);
    str_printf(out, " width=%s", number_2(k->width).s);
    for (const int *d = k->dash; d && *d; d++) {
        str_printf(out, "%s%d", d == k->dash ? " dash=" : ",", *d);
    }
    str_put(out, k->round ? " round" : "");
}

static void put_numbers(struct str *out, const struct mark *m, int n)
{
    const double v[] = { m->x, m->y, m->w, m->h };
    for (int i = 0; i < n; i++) {
        str_printf(out, " %s", number_2(v[i]).s);
    }
}

static void put_quoted(struct str *out, const char *what, const char *text)
{
    if (!text) {
        return;
    }
    str_printf(out, " %s\"", what);
    for (; *text; text++) {
        if (*text == '\n') {
            str_put(out, "\\n");
        } else {
            str_char(out, *text);
        }
    }
    str_char(out, '"');
}

static void put_group(struct str *out, const struct group *g)
{
    static const char *const kinds[] = { "plain", "series", "point" };
    str_printf(out, " %s", kinds[g->kind]);
    if (g->role) {
        str_printf(out, " %s", g->role);
    }
    if (g->slot) {
        str_printf(out, " slot=%d", g->slot);
    }
    if (g->kind == GROUP_POINT) {
        str_printf(out, " point=%d", g->point);
    }
    str_put(out, g->highlighted ? " highlighted" : "");
    put_quoted(out, "value=", g->value);
    put_quoted(out, "tooltip=", g->tooltip);
}

static void put_text(struct str *out, const struct mark *m)
{
    static const char *const anchors[] = { "start", "middle", "end" };
    const struct text_style *t = &m->u.text.style;
    put_numbers(out, m, 2);
    str_printf(out, " %s size=%s%s%s", anchors[t->anchor], number_2(t->size).s,
               t->weight == FONT_MEDIUM ? " medium" : "", t->halo ? " halo" : "");
    put_paint(out, "fill", m->fill);
    put_quoted(out, "", m->u.text.original);
    if (m->u.text.drawn != m->u.text.original) {
        put_quoted(out, "drawn=", m->u.text.drawn);
    }
}

static void put_poly(struct str *out, const struct mark *m)
{
    str_put(out, m->u.poly.closed ? " closed" : "");
    put_paint(out, "fill", m->fill);
    put_stroke(out, &m->stroke);
    for (size_t i = 0; i < m->u.poly.n; i++) {
        str_printf(out, " %s,%s", number_2(m->u.poly.at[i].x).s, number_2(m->u.poly.at[i].y).s);
    }
}

/* Rasters by size and checksum: pixel by pixel would be no help to a reader. */
static void put_mask(struct str *out, const struct mark *m)
{
    uint64_t sum = 0xCBF29CE484222325u;
    size_t n = (size_t)m->u.raster.nx * (size_t)m->u.raster.ny;
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ m->u.raster.mask[i]) * 0x100000001B3u;
    }
    put_numbers(out, m, 4);
    put_paint(out, "fill", m->fill);
    str_printf(out, " %dx%d fnv=%016llx", m->u.raster.nx, m->u.raster.ny, (unsigned long long)sum);
}

static void put_mark(struct str *out, const struct mark *m)
{
    static const struct {
        const char *name;
        int numbers;
    } kinds[] = {
        [MARK_BEGIN] = { "begin", 0 },   [MARK_END] = { "end", 0 },   [MARK_RECT] = { "rect", 4 },
        [MARK_CIRCLE] = { "circle", 3 }, [MARK_LINE] = { "line", 4 }, [MARK_POLY] = { "poly", 0 },
        [MARK_TEXT] = { "text", 0 },     [MARK_MASK] = { "mask", 0 }, [MARK_CLIP] = { "clip", 4 },
        [MARK_UNCLIP] = { "unclip", 0 }, [MARK_HOT] = { "hot", 4 },
    };
    str_put(out, kinds[m->kind].name);
    put_numbers(out, m, kinds[m->kind].numbers);
    switch (m->kind) {
    case MARK_BEGIN:
        put_group(out, &m->u.group);
        break;
    case MARK_TEXT:
        put_text(out, m);
        break;
    case MARK_POLY:
        put_poly(out, m);
        break;
    case MARK_MASK:
        put_mask(out, m);
        break;
    case MARK_RECT:
    case MARK_CIRCLE:
    case MARK_LINE:
        put_paint(out, "fill", m->fill);
        put_stroke(out, &m->stroke);
        break;
    default:
        break;
    }
    str_char(out, '\n');
}

void canvas_dump(const struct scene *s, struct str *out)
{
    str_printf(out, "scene %s x %s\n", number_2(scene_width(s)).s, number_2(scene_height(s)).s);
    str_put(out, "title");
    put_quoted(out, "", scene_title(s));
    str_put(out, "\nalt");
    put_quoted(out, "", scene_alt(s));
    str_char(out, '\n');
    int depth = 0;
    for (size_t i = 0; i < scene_count(s); i++) {
        const struct mark *m = scene_at(s, i);
        depth -= m->kind == MARK_END;
        for (int k = 0; k < depth; k++) {
            str_put(out, "  ");
        }
        put_mark(out, m);
        depth += m->kind == MARK_BEGIN;
    }
}
