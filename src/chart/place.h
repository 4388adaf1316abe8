#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "chart/frame.h"

/* Finding places for labels. Pure geometry, in px. */

/* Moves y[0..n) apart in one dimension to at least `gap`, keeping their order (ties: index order), inside [low, high] if
 * there is room, with the least sum of squared moves (isotonic regression by pooling, Barlow et al. 1972). */
void place_spread(double *y, size_t n, double gap, double low, double high);

/* What is already drawn. */
struct field;
struct field *field_new(struct arena *a, struct box bounds);
void field_add_box(struct field *f, struct box box);
void field_add_line(struct field *f, double x0, double y0, double x1, double y1);
/* 60 a box hit, 6 for each 3 px of line inside, 200 if it leaves the bounds. */
double field_cost(const struct field *f, struct box box);
/* Cost of the cheapest candidate. */
double field_least(const struct field *f, const struct box *candidates, size_t n);
/* Index of the cheapest candidate, the first of equals; it is added to the field. */
size_t field_place(struct field *f, const struct box *candidates, size_t n);

/* Box of a line of text of that width whose centre is at (x, y). */
struct box text_box(const struct metrics *m, double x, double y, double width);
/* The eight places around a point for a text, in order of preference: upper left, above, lower right, below, right, left,
 * upper right, lower left. */
enum { PLACES_AROUND = 8 };
struct spot {
    double x, y;
    double width; /* of the text */
    double away;  /* of the text from the point's centre */
};
void places_around(const struct metrics *m, const struct spot *spot, struct box ret[PLACES_AROUND]);
