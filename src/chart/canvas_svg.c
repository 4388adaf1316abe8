#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "chart/canvas.h"
#include "chart/number.h"
#include "chart/png.h"

/* Margin of a stand-alone file, px. In the page, CSS spaces the panels. */
static const double margin = 16;
static const double root_size = 12;

struct svg {
    const struct scene *scene;
    const struct svg_options *o;
    struct str *out;
    struct error *e;
    bool failed;
};

static void put_escaped(struct str *out, const char *text)
{
    for (const char *s = text; *s;) {
        const char *before = s;
        uint32_t cp = utf8_next(&s);
        char bytes[4];
        switch (cp) {
        case '<':
            str_put(out, "&lt;");
            break;
        case '>':
            str_put(out, "&gt;");
            break;
        case '&':
            str_put(out, "&amp;");
            break;
        case '"':
            str_put(out, "&quot;");
            break;
        case '\n':
        case '\t':
            str_char(out, (char)cp);
            break;
        default:
            /* XML has no place for other control characters and two non-characters */
            if (cp < 0x20) {
                str_char(out, ' ');
            } else if (cp == 0xFFFD || cp == 0xFFFE || cp == 0xFFFF) {
                str_putn(out, bytes, utf8_put(0xFFFD, bytes));
            } else {
                str_putn(out, before, (size_t)(s - before));
            }
        }
    }
}

static void put_attribute(struct svg *g, const char *name, double v)
{
    str_printf(g->out, " %s=\"%s\"", name, number_2(v).s);
}

static void put_paint(struct svg *g, const char *name, struct paint p)
{
    if (p.ink == INK_NONE) {
        return;
    }
    if (g->o->standalone) {
        str_printf(g->out, " %s=\"#%06X\"", name, (unsigned)theme_rgb(g->o->theme, p));
    } else {
        str_printf(g->out, " %s=\"var(--%s)\"", name, paint_css_name(p));
    }
}

static void put_stroke(struct svg *g, const struct stroke *k)
{
    if (k->width <= 0 || k->paint.ink == INK_NONE) {
        return;
    }
    put_paint(g, "stroke", k->paint);
    if (k->width != 1) {
        put_attribute(g, "stroke-width", k->width);
    }
    bool dashed = k->dash && *k->dash;
    for (const int *d = k->dash; d && *d; d++) {
        str_printf(g->out, "%s%d", d == k->dash ? " stroke-dasharray=\"" : " ", *d);
    }
    str_put(g->out, dashed ? "\"" : "");
    if (k->round) {
        str_put(g->out, " stroke-linejoin=\"round\"");
        str_put(g->out, dashed ? "" : " stroke-linecap=\"round\"");
    }
}

static void put_class(struct svg *g, const struct group *p)
{
    const char *space = "";
    str_put(g->out, "<g class=\"");
    if (p->kind == GROUP_POINT) {
        str_put(g->out, "hot");
        space = " ";
    }
    if (p->slot > 0) {
        str_printf(g->out, "%ss%d", space, p->slot);
        space = " ";
    }
    if (p->highlighted) {
        str_printf(g->out, "%sdut", space);
        space = " ";
    }
    if (p->role) {
        str_put(g->out, space);
        put_escaped(g->out, p->role);
    }
    str_char(g->out, '"');
}

static void put_begin(struct svg *g, const struct mark *m)
{
    const struct group *p = &m->u.group;
    put_class(g, p);
    if (p->kind == GROUP_POINT) {
        str_printf(g->out, " data-i=\"%d\"", p->point);
        if (p->value) {
            str_put(g->out, " data-v=\"");
            put_escaped(g->out, p->value);
            str_char(g->out, '"');
        }
    }
    str_char(g->out, '>');
    if (p->tooltip) {
        str_put(g->out, "<title>");
        put_escaped(g->out, p->tooltip);
        str_put(g->out, "</title>");
    }
}

static void put_text(struct svg *g, const struct mark *m)
{
    const struct text_style *t = &m->u.text.style;
    static const char *const anchors[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };
    str_put(g->out, "<text");
    put_attribute(g, "x", m->x);
    put_attribute(g, "y", m->y);
    if (t->size != root_size) {
        put_attribute(g, "font-size", t->size);
    }
    str_put(g->out, t->weight == FONT_MEDIUM ? " font-weight=\"500\"" : "");
    str_put(g->out, anchors[t->anchor]);
    put_paint(g, "fill", m->fill);
    if (t->halo) {
        struct stroke surface = { .paint = { INK_BG, 0 }, .width = 3, .round = true };
        put_stroke(g, &surface);
        str_put(g->out, " paint-order=\"stroke\"");
    }
    /* keeps the layout where the reader has other fonts or a glyph comes from one */
    if (g->o->standalone || m->u.text.drawn != m->u.text.original) {
        put_attribute(g, "textLength", m->w);
        str_put(g->out, " lengthAdjust=\"spacingAndGlyphs\"");
    }
    str_char(g->out, '>');
    put_escaped(g->out, m->u.text.original);
    str_put(g->out, "</text>");
}

static void put_point(struct svg *g, const char *command, double x, double y)
{
    str_printf(g->out, "%s%s %s", command, number_2(x).s, number_2(y).s);
}

static void put_poly(struct svg *g, const struct mark *m)
{
    str_put(g->out, "<path d=\"");
    for (size_t i = 0; i < m->u.poly.n; i++) {
        put_point(g, i == 0 ? "M" : i == 1 ? "L" : " ", m->u.poly.at[i].x, m->u.poly.at[i].y);
    }
    str_put(g->out, m->u.poly.closed ? "Z\"" : "\"");
    put_paint(g, "fill", m->fill);
    put_stroke(g, &m->stroke);
    str_put(g->out, "/>");
}

static bool same_stroke(const struct stroke *a, const struct stroke *b)
{
    return a->paint.ink == b->paint.ink && a->paint.slot == b->paint.slot && a->width == b->width &&
           a->dash == b->dash && a->round == b->round;
}

/* Lines in a row with one stroke become one path. Returns the index of the last one. */
static size_t put_lines(struct svg *g, size_t i)
{
    const struct mark *first = scene_at(g->scene, i);
    str_put(g->out, "<path d=\"");
    for (;; i++) {
        const struct mark *m = scene_at(g->scene, i);
        put_point(g, "M", m->x, m->y);
        if (m->y == m->h) {
            str_printf(g->out, "H%s", number_2(m->w).s);
        } else if (m->x == m->w) {
            str_printf(g->out, "V%s", number_2(m->h).s);
        } else {
            put_point(g, "L", m->w, m->h);
        }
        const struct mark *next = i + 1 < scene_count(g->scene) ? scene_at(g->scene, i + 1) : NULL;
        if (!next || next->kind != MARK_LINE || !same_stroke(&next->stroke, &first->stroke)) {
            break;
        }
    }
    str_char(g->out, '"');
    put_stroke(g, &first->stroke);
    str_put(g->out, "/>");
    return i;
}

static void put_box(struct svg *g, const struct mark *m)
{
    put_attribute(g, "x", m->x);
    put_attribute(g, "y", m->y);
    put_attribute(g, "width", m->w);
    put_attribute(g, "height", m->h);
}

static void put_rect(struct svg *g, const struct mark *m)
{
    str_put(g->out, "<rect");
    put_box(g, m);
    put_paint(g, "fill", m->fill);
    put_stroke(g, &m->stroke);
    str_put(g->out, "/>");
}

static void put_circle(struct svg *g, const struct mark *m)
{
    str_put(g->out, "<circle");
    put_attribute(g, "cx", m->x);
    put_attribute(g, "cy", m->y);
    put_attribute(g, "r", m->w);
    put_paint(g, "fill", m->fill);
    put_stroke(g, &m->stroke);
    str_put(g->out, "/>");
}

static void put_hot(struct svg *g, const struct mark *m)
{
    str_put(g->out, "<rect");
    put_box(g, m);
    str_put(g->out, " pointer-events=\"all\"/>");
}

/* A clip is a nested viewport: a clipPath would need an id. */
static void put_clip(struct svg *g, const struct mark *m)
{
    str_put(g->out, "<svg");
    put_box(g, m);
    str_printf(g->out, " viewBox=\"%s %s %s %s\" overflow=\"hidden\">", number_2(m->x).s,
               number_2(m->y).s, number_2(m->w).s, number_2(m->h).s);
}

static void put_base64(struct str *out, const unsigned char *at, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)at[i] << 16;
        v |= i + 1 < n ? (uint32_t)at[i + 1] << 8 : 0;
        v |= i + 2 < n ? (uint32_t)at[i + 2] : 0;
        char four[4] = { digits[v >> 18], digits[(v >> 12) & 63], '=', '=' };
        if (i + 1 < n) {
            four[2] = digits[(v >> 6) & 63];
        }
        if (i + 2 < n) {
            four[3] = digits[v & 63];
        }
        str_putn(out, four, sizeof four);
    }
}

/* FNV-1a (Fowler, Noll, Vo). */
static uint64_t hash(uint64_t h, const void *at, size_t n)
{
    for (const unsigned char *p = at; n > 0; n--, p++) {
        h = (h ^ *p) * 0x100000001B3u;
    }
    return h;
}

/* The one thing that needs an id. It is made from all that the mask consists of and the chart's scope, so charts in one page
 * cannot disturb each other. */
static void put_mask(struct svg *g, const struct mark *m)
{
    size_t nx = (size_t)m->u.raster.nx;
    struct picture picture = { .kind = PICTURE_GREY,
                               .at = m->u.raster.mask,
                               .stride = nx,
                               .width = m->u.raster.nx,
                               .height = m->u.raster.ny };
    void *png = NULL;
    size_t n = 0;
    if (picture_encode(&picture, &png, &n, g->e) < 0) {
        g->failed = true;
        return;
    }
    uint64_t id = hash(0xCBF29CE484222325u, png, n);
    const double box[] = { m->x, m->y, m->w, m->h };
    for (size_t i = 0; i < countof(box); i++) {
        struct text number = number_2(box[i]);
        id = hash(id, number.s, strlen(number.s) + 1);
    }
    if (g->o->scope) {
        id = hash(id, g->o->scope, strlen(g->o->scope));
    }
    bool enlarged = m->w >= 1.5 * (double)nx;
    str_printf(g->out, "<mask id=\"m%016llx\"><image", (unsigned long long)id);
    put_box(g, m);
    str_put(g->out, " preserveAspectRatio=\"none\"");
    str_put(g->out, enlarged ? " image-rendering=\"pixelated\"" : "");
    str_put(g->out, " href=\"data:image/png;base64,");
    put_base64(g->out, png, n);
    str_put(g->out, "\"/></mask><rect");
    put_box(g, m);
    put_paint(g, "fill", m->fill);
    str_printf(g->out, " mask=\"url(#m%016llx)\"/>", (unsigned long long)id);
    free(png);
}

/* Returns the index of the last mark written. */
static size_t put_mark(struct svg *g, size_t i)
{
    const struct mark *m = scene_at(g->scene, i);
    switch (m->kind) {
    case MARK_BEGIN:
        put_begin(g, m);
        break;
    case MARK_END:
        str_put(g->out, "</g>\n");
        break;
    case MARK_RECT:
        put_rect(g, m);
        break;
    case MARK_CIRCLE:
        put_circle(g, m);
        break;
    case MARK_LINE:
        return put_lines(g, i);
    case MARK_POLY:
        put_poly(g, m);
        break;
    case MARK_TEXT:
        put_text(g, m);
        break;
    case MARK_CLIP:
        put_clip(g, m);
        break;
    case MARK_UNCLIP:
        str_put(g->out, "</svg>");
        break;
    case MARK_HOT:
        put_hot(g, m);
        break;
    case MARK_MASK:
        put_mask(g, m);
        break;
    }
    return i;
}

static void put_root(struct svg *g)
{
    double w = scene_width(g->scene);
    double h = scene_height(g->scene);
    double m = g->o->standalone ? margin : 0;
    str_put(g->out, "<svg");
    str_put(g->out,
            g->o->standalone ? " xmlns=\"http://www.w3.org/2000/svg\"" : " class=\"chart\"");
    str_printf(g->out, " viewBox=\"%s %s %s %s\"", number_2(-m).s, number_2(-m).s,
               number_2(w + 2 * m).s, number_2(h + 2 * m).s);
    put_attribute(g, "width", w + 2 * m);
    put_attribute(g, "height", h + 2 * m);
    str_put(g->out, " role=\"img\" aria-label=\"");
    const char *alt = scene_alt(g->scene);
    put_escaped(g->out, *alt ? alt : scene_title(g->scene));
    str_put(g->out, "\" fill=\"none\"");
    put_attribute(g, "font-size", root_size);
    if (g->o->standalone) {
        str_put(g->out,
                " font-family=\"Roboto, system-ui, -apple-system, 'Segoe UI', sans-serif\"");
    }
    str_put(g->out, ">\n");
}

static void put_swap(struct svg *g, const struct theme *dark, struct paint p)
{
    unsigned from = theme_rgb(g->o->theme, p);
    unsigned to = theme_rgb(dark, p);
    str_printf(g->out, "[fill=\"#%06X\"]{fill:#%06X}[stroke=\"#%06X\"]{stroke:#%06X}", from, to,
               from, to);
}

/* Readers that follow the system's colour scheme swap each literal colour of the light theme for its dark one. White text on
 * a mark becomes the dark surface, which reaches the same contrast. */
static void put_dark(struct svg *g)
{
    const struct theme *dark = theme_find("dark");
    str_put(g->out, "<style>@media (prefers-color-scheme:dark){");
    for (int ink = INK_BG; ink < INK_ON_MARK; ink++) {
        int slots = ink < INK_MARK ? 1 : SERIES_SLOTS;
        for (int slot = 1; slot <= slots; slot++) {
            put_swap(g, dark, (struct paint) { (enum ink)ink, slot });
        }
    }
    str_put(g->out, "}</style>\n");
}

static void put_element(struct svg *g, const char *name, const char *text)
{
    str_printf(g->out, "<%s>", name);
    put_escaped(g->out, text);
    str_printf(g->out, "</%s>\n", name);
}

static void put_head(struct svg *g)
{
    const struct svg_options *o = g->o;
    put_element(g, "title", scene_title(g->scene));
    put_element(g, "desc", scene_alt(g->scene));
    if (o->version || o->data_hash) {
        str_put(g->out, "<metadata>qdepth ");
        put_escaped(g->out, o->version ? o->version : "");
        str_put(g->out, o->data_hash ? " data " : "");
        put_escaped(g->out, o->data_hash ? o->data_hash : "");
        str_put(g->out, "</metadata>\n");
    }
    if (strcmp(o->theme->name, "light") == 0) {
        put_dark(g);
    }
    str_printf(g->out, "<rect x=\"%s\" y=\"%s\" width=\"100%%\" height=\"100%%\"",
               number_2(-margin).s, number_2(-margin).s);
    put_paint(g, "fill", (struct paint) { INK_BG, 0 });
    str_put(g->out, "/>\n");
}

int canvas_svg(const struct scene *s, const struct svg_options *o, struct str *out, struct error *e)
{
    if (scene_check(s, e) < 0) {
        return -1;
    }
    struct svg g = { .scene = s, .o = o, .out = out, .e = e };
    put_root(&g);
    if (o->standalone) {
        put_head(&g);
    }
    for (size_t i = 0; i < scene_count(s); i++) {
        i = put_mark(&g, i);
    }
    str_put(out, "</svg>\n");
    if (g.failed) {
        return -1;
    }
    if (str_failed(out)) {
        return error_set(e, QD_E_FAIL, "cannot draw chart '%s': the SVG is too large",
                         scene_title(s));
    }
    return 0;
}
