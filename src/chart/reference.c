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
static void draw_triangle(struct scene *s, const struct metrics *m, double x, double y, int dx,
                          int dy)
{
    double r = m->text / 3;
    struct point at[] = {
        { x + dx * r, y + dy * r },
        { x - dx * r / 2 + dy * r, y - dy * r / 2 - dx * r },
        { x - dx * r / 2 - dy * r, y - dy * r / 2 + dx * r },
    };
    scene_poly(s, at, 3, true, paint(INK_INK2), (struct stroke) { 0 });
}

/* The line lies behind the upper or lower edge. */
static struct box draw_edge_label(struct scene *s, const struct metrics *m,
                                  const struct reference *r, const struct box *plot,
                                  struct field *busy)
{
    bool above = r->where == REFERENCE_ABOVE;
    double y = above ? plot->y0 + m->text / 2 + 2 : plot->y1 - m->text / 2 - 4;
    double sign = m->text;
    double w = sign + font_width(FONT_REGULAR, m->text, r->label);
    struct box places[] = {
        text_box(m, plot->x1 - w / 2, y, w),
        text_box(m, (plot->x0 + plot->x1) / 2, y, w),
        text_box(m, plot->x0 + 4 + w / 2, y, w),
    };
    struct box box = places[field_place(busy, places, 3)];
    struct text_style style = plain(m, INK_INK3, ANCHOR_START);
    style.halo = true;
    draw_triangle(s, m, box.x0 + m->text / 3, y, 0, above ? -1 : 1);
    scene_text(s, box.x0 + sign, y + m->middle, r->label, style);
    return box;
}

static struct box draw_line_label(struct scene *s, const struct metrics *m,
                                  const struct reference *r, const struct scale *y,
                                  const struct box *plot, struct field *busy)
{
    enum { ALONG = 17, PLACES = 2 * ALONG };
    double at = crisp(scale_px(y, r->value));
    double w = font_width(FONT_REGULAR, m->text, r->label);
    double away = m->text / 2 + 2;
    struct box places[PLACES];
    for (int i = 0; i < PLACES; i++) {
        double share = (double)(i / 2) / (ALONG - 1);
        double x = plot->x1 - 2 - w / 2 + share * (plot->x0 + 4 + w - plot->x1);
        places[i] = text_box(m, x, i % 2 ? at + away : at - away, w);
    }
    scene_line(s, plot->x0, at, plot->x1, at, dashed(paint(INK_INK2), 1, dash_reference));
    struct box box = places[field_place(busy, places, PLACES)];
    struct text_style style = plain(m, INK_INK3, ANCHOR_START);
    style.halo = true;
    scene_text(s, box.x0, (box.y0 + box.y1) / 2 + m->middle, r->label, style);
    return box;
}

struct box reference_draw_across(struct scene *s, const struct metrics *m,
                                 const struct reference *r, const struct scale *y,
                                 const struct box *plot, struct field *busy)
{
    struct box box = { 0 };
    if (r->where == REFERENCE_NONE) {
        return box;
    }
    begin_plain(s, "reference");
    if (r->where == REFERENCE_INSIDE) {
        box = draw_line_label(s, m, r, y, plot, busy);
    } else {
        box = draw_edge_label(s, m, r, plot, busy);
    }
    scene_end(s);
    return box;
}

void reference_draw_down(struct scene *s, const struct metrics *m, const struct reference *r,
                         const struct scale *x, const struct box *plot, double top)
{
    if (r->where == REFERENCE_NONE) {
        return;
    }
    double w = font_width(FONT_REGULAR, m->text, r->label);
    double base = top + m->name_base;
    begin_plain(s, "reference");
    if (r->where == REFERENCE_INSIDE) {
        double at = crisp(scale_px(x, r->value));
        bool left = at - pad - w >= plot->x0;
        scene_line(s, at, top, at, plot->y1, dashed(paint(INK_INK2), 1, dash_reference));
        scene_text(s, left ? at - pad : at + pad, base, r->label,
                   plain(m, INK_INK3, left ? ANCHOR_END : ANCHOR_START));
    } else {
        double end = plot->x1 - m->text;
        draw_triangle(s, m, plot->x1 - m->text / 3, base - m->middle, 1, 0);
        scene_text(s, end, base, r->label, plain(m, INK_INK3, ANCHOR_END));
    }
    scene_end(s);
}
