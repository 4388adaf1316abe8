#pragma once
#include "chart/panel.h"

/* A table whose cells are shaded by their value and hold it as a number: depth × workers, read share × size
 * (reference/charts.md F18). One series a panel. Shade = CELLS_FAINTEST to CELLS_DARKEST of the mark colour over the surface,
 * linear from 0 to `most`, so that the number on it keeps 4.5:1 in every theme. */
#define CELLS_FAINTEST 0.04
#define CELLS_DARKEST 0.42
struct cells_value {
    double value;      /* >= 0; NaN: missing, a dashed cell */
    const char *label; /* written if all of them fit */
    const char *tooltip;
    bool best; /* medium weight and a frame */
};
struct cells {
    struct panel panel; /* y_title: what the rows are, x_title: what the columns are */
    struct series series;
    const char *const *columns, *const *rows; /* from the left, from the top */
    size_t n_columns, n_rows;
    double most;                  /* largest value of all panels of the figure: the darkest shade */
    const struct cells_value *at; /* [row · n_columns + column] */
};
/* Values and names are not copied. */
struct panel *plot_cells(struct arena *a, const struct cells *spec);
