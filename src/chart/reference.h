#pragma once
#include "chart/frame.h"
#include "chart/place.h"

/* A labelled line at a value (a rated figure, a limit). It may widen the range of the data by half; beyond that only its
 * label is drawn, at the edge it lies behind, with a small triangle (reference/charts.md 20). */
enum reference_where { REFERENCE_NONE, REFERENCE_INSIDE, REFERENCE_BELOW, REFERENCE_ABOVE };
struct reference {
    enum reference_where where;
    double value;
    const char *label;
};
/* value NaN: none. low..high: the data. */
struct reference reference_choose(double value, const char *label, double low, double high);
/* Horizontal, in the plot; the label goes where it hits least of `busy`. Returns its box, empty without one. */
struct box reference_draw_across(const struct frame *f, const struct reference *r,
                                 const struct scale *y, struct field *busy);
/* Vertical, through the plot's rows; the label stands in the line above them, whose top is `top`. */
void reference_draw_down(const struct frame *f, const struct reference *r, const struct scale *x,
                         double top);
