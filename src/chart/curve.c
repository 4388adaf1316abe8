#include "chart/curve.h"

#include "chart/raster.h"
#include "chart/text.h"

static const double away = 9;

void curve_reduce(struct arena *a, struct curve *c, const struct box *plot)
{
    size_t columns = (size_t)(RASTER_PER_PX * (plot->x1 - plot->x0));
    if (c->n <= 4 * columns) {
        return;
    }
    struct point *to = arena_array(a, struct point, 4 * columns);
    c->n = reduce_m4(c->at, c->n, (struct columns) { plot->x0, plot->x1, columns }, to);
    c->at = to;
}

void curve_draw(struct scene *s, const struct curve *c, bool many)
{
    scene_poly(s, c->at, c->n, false, paint(INK_NONE), series_stroke(c->series, many));
}

void curve_add_to(const struct curve *c, struct field *field)
{
    for (size_t i = 1; i < c->n; i++) {
        field_add_line(field, c->at[i - 1].x, c->at[i - 1].y, c->at[i].x, c->at[i].y);
    }
}

void curve_name(const struct frame *f, const struct curve *c, bool many, struct anchors anchors,
                struct field *field)
{
    struct scene *s = f->s;
    const struct metrics *m = f->m;
    size_t n = anchors.n;
    /* beside the end first, then above and below */
    static const size_t preferred[PLACES_AROUND] = { 4, 1, 6, 2, 3, 0, 7, 5 };
    struct arena *a = scene_arena(s);
    struct text_style style = series_label(m, c->series, many);
    const char *name = text_elide(a, style.weight, m->text, series_short_name(c->series),
                                  scene_width(s) / 3);
    double w = font_width(style.weight, m->text, name);
    struct box *places = arena_array(a, struct box, n * PLACES_AROUND + 1);
    for (size_t i = 0; i < n; i++) {
        struct box around[PLACES_AROUND];
        places_around(m, &(struct spot) { anchors.at[i].x, anchors.at[i].y, w, away }, around);
        for (size_t k = 0; k < PLACES_AROUND; k++) {
            places[i * PLACES_AROUND + k] = around[preferred[k]];
        }
    }
    size_t total = n * PLACES_AROUND;
    bool grey = series_slot(c->series, many) == 0;
    if (n == 0 || (grey && field_least(field, places, total) > 0)) {
        return;
    }
    struct box box = places[field_place(field, places, total)];
    style.halo = true;
    begin_series(s, c->series, "label");
    scene_text(s, box.x0, (box.y0 + box.y1) / 2 + m->middle, name, style);
    scene_end(s);
}
