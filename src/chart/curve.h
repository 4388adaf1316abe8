#pragma once
#include "chart/frame.h"
#include "chart/place.h"

/* Curves of a series through many points, as plot_nines and plot_ecdf draw them: reduced, never smoothed, named where there is
 * room. */
struct curve {
    const struct series *series;
    struct point *at; /* px, ascending in x */
    size_t n;
};
/* Reduces to what the px columns of the plot can show. */
void curve_reduce(struct arena *a, struct curve *c, const struct box *plot);
void curve_draw(struct scene *s, const struct curve *c, bool many);
void curve_add_to(const struct curve *c, struct field *field);
/* The short name beside one of the anchors (px), the first where it is free; without a free place a grey peer stays unnamed. */
struct anchors {
    const struct point *at;
    size_t n;
};
void curve_name(const struct frame *f, const struct curve *c, bool many, struct anchors anchors,
                struct field *field);
