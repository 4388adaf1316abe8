#pragma once
#include "chart/frame.h"
#include "chart/place.h"
#include "chart/plot_line.h"
#include "chart/reference.h"

/* A panel of lines while it is laid out: shared by plot_line.c (axes, marks) and line_labels.c (names, notes). */
struct end_label {
    size_t line;
    double y;     /* of the last point */
    double moved; /* to this y, beside the plot */
};
struct line_layout {
    const struct lines *spec;
    struct frame f;
    struct axis y;
    struct scale x;
    double *depths; /* all x, ascending, each once */
    size_t n_depths;
    struct reference reference;
    struct field *field;
    struct end_label *right; /* names beside the plot */
    struct end_label *inner; /* names of lines that end before it does */
    size_t n_right, n_inner;
};

bool line_many(const struct line_layout *l);
/* Has that point a place? Log axes have none for zeros. */
bool line_usable(const struct line_layout *l, double v);
bool line_drawn(const struct line_layout *l, const struct line_point *p);
/* NULL: none is drawn. */
const struct line_point *line_last(const struct line_layout *l, const struct line *line);
struct point line_place(const struct line_layout *l, size_t line, const struct line_point *p);

/* Chooses what is named where. y scale ranges must be set; fills right and inner. */
void line_labels_choose(struct line_layout *l);
/* Right margin the names need, with room for leaders where one is moved far. */
double line_labels_margin(const struct line_layout *l);
void line_labels_draw(struct line_layout *l);
void line_notes_draw(struct line_layout *l);
