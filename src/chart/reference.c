#include "chart/reference.h"

#include <math.h>

static const double expansion = 1.5;
static const double pad = 6;

struct reference reference_choose(double value, const char *label, double low, double high)
{
    struct reference r = { REFERENCE_NONE, value, label ? label : "" };
    if (!isfinite(value) || !isfinite(low) || !isfinite(high)) {
        return r;
    }
    if (value > high) {
        r.where = value <= expansion * high ? REFERENCE_INSIDE : REFERENCE_ABOVE;
    } else if (value < low) {
        r.where = value >= low / expansion ? REFERENCE_INSIDE : REFERENCE_BELOW;
    } else {
        r.where = REFERENCE_INSIDE;
    }
    return r;
}

/* Points to (dx, dy) from its base. */
static void draw_triangle(const struct frame *f, struct point at, int dx, int dy)
{
    double r = f->m->text / 3;
    struct point corners[] = {
        { at.x + dx * r, at.y + dy * r },
        { at.x - dx * r / 2 + dy * r, at.y - dy * r / 2 - dx * r },
        { at.x - dx * r / 2 - dy * r, at.y - dy * r / 2 + dx * r },
    };
    scene_poly(f->s, corners, 3, true, paint(INK_INK2), (struct stroke) { 0 });
}

static void put_label(const struct frame *f, double x, double y, const char *label)
{
    struct text_style style = plain(f->m, INK_INK3, ANCHOR_START);
    style.halo = true;
    scene_text(f->s, x, y + f->m->middle, label, style);
}

/* The line lies behind the upper or lower edge. */
static struct box draw_edge_label(const struct frame *f, const struct reference *r,
                                  struct field *busy)
{
    const struct box *plot = &f->plot;
    bool above = r->where == REFERENCE_ABOVE;
    double sign = f->m->text;
    double y = above ? plot->y0 + sign / 2 + 2 : plot->y1 - sign / 2 - 4;
    double w = sign + font_width(FONT_REGULAR, f->m->text, r->label);
    struct box places[] = {
        text_box(f->m, plot->x1 - w / 2, y, w),
        text_box(f->m, (plot->x0 + plot->x1) / 2, y, w),
        text_box(f->m, plot->x0 + 4 + w / 2, y, w),
    };
    struct box box = places[field_place(busy, places, 3)];
    draw_triangle(f, (struct point) { box.x0 + sign / 3, y }, 0, above ? -1 : 1);
    put_label(f, box.x0 + sign, y, r->label);
    return box;
}

static struct box draw_line_label(const struct frame *f, const struct reference *r,
                                  const struct scale *y, struct field *busy)
{
    enum { ALONG = 17, PLACES = 2 * ALONG };
    const struct box *plot = &f->plot;
    double at = crisp(scale_px(y, r->value));
    double w = font_width(FONT_REGULAR, f->m->text, r->label);
    double away = f->m->text / 2 + 2;
    struct box places[PLACES];
    for (int i = 0; i < PLACES; i++) {
        double share = (double)(i / 2) / (ALONG - 1);
        double x = plot->x1 - 2 - w / 2 + share * (plot->x0 + 4 + w - plot->x1);
        places[i] = text_box(f->m, x, i % 2 ? at + away : at - away, w);
    }
    scene_line(f->s, plot->x0, at, plot->x1, at, dashed(paint(INK_INK2), 1, dash_reference));
    struct box box = places[field_place(busy, places, PLACES)];
    put_label(f, box.x0, (box.y0 + box.y1) / 2, r->label);
    return box;
}

struct box reference_draw_across(const struct frame *f, const struct reference *r,
                                 const struct scale *y, struct field *busy)
{
    struct box box = { 0 };
    if (r->where == REFERENCE_NONE) {
        return box;
    }
    begin_plain(f->s, "reference");
    if (r->where == REFERENCE_INSIDE) {
        box = draw_line_label(f, r, y, busy);
    } else {
        box = draw_edge_label(f, r, busy);
    }
    scene_end(f->s);
    return box;
}

void reference_draw_down(const struct frame *f, const struct reference *r, const struct scale *x,
                         double top)
{
    if (r->where == REFERENCE_NONE) {
        return;
    }
    const struct box *plot = &f->plot;
    double w = font_width(FONT_REGULAR, f->m->text, r->label);
    double base = top + f->m->name_base;
    begin_plain(f->s, "reference");
    if (r->where == REFERENCE_INSIDE) {
        double at = crisp(scale_px(x, r->value));
        bool left = at - pad - w >= plot->x0;
        scene_line(f->s, at, top, at, plot->y1, dashed(paint(INK_INK2), 1, dash_reference));
        scene_text(f->s, left ? at - pad : at + pad, base, r->label,
                   plain(f->m, INK_INK3, left ? ANCHOR_END : ANCHOR_START));
    } else {
        draw_triangle(f, (struct point) { plot->x1 - f->m->text / 3, base - f->m->middle }, 1, 0);
        scene_text(f->s, plot->x1 - f->m->text, base, r->label, plain(f->m, INK_INK3, ANCHOR_END));
    }
    scene_end(f->s);
}
