#pragma once
#include "report/pdf_parts.h"
#include "report/strip.h"
#include "report/table_shape.h"

/* A table laid out at a width: pdf_grid.c finds the columns, pdf_cell.c measures and draws cells, pdf_table.c makes items. */

/* A column of the document becomes up to two on paper: the strip or the detail has its own. */
enum part { PART_VALUE, PART_DETAIL, PART_STRIP };
struct grid_column {
    size_t column;
    enum part part;
    bool number;
    double least, most;    /* the width it needs, and the one it would fill */
    double x, width;       /* x from the left edge of the table */
    double fraction, slot; /* numbers: behind the digits before the point; for marks */
};
struct measure { /* of type and space */
    double size, leading, gap, above, below;
};
struct grid {
    const struct table *table;
    const struct column_shape *shapes; /* by column of the document */
    struct grid_column *at;
    size_t n;
    struct measure measure;
    struct strip strip;
    double x, width;
    double inset; /* of the columns at either end, where rows are tinted */
    bool scorecard, has_groups, has_heads;
};

/* Of the table's columns at[0..n): false if they are too wide for the width even in the smallest type. */
struct column_list {
    const size_t *at;
    size_t n;
};
bool grid_make(struct pdf *p, const struct table *t, const struct column_list *columns,
               struct grid *ret);

/* Columns of the grid that a cell over columns [from, from + span) of the document covers: *ret_first and as many. */
size_t grid_span(const struct grid *g, size_t from, size_t span, size_t *ret_first);
double grid_span_width(const struct grid *g, size_t first, size_t n);

struct type grid_type(const struct grid *g, enum font_weight weight, enum ink ink);

/* pdf_cell.c. A cell and where it stands. */
struct placed_cell {
    const struct grid *grid;
    const struct table_row *row;
    size_t cell;     /* of the row */
    size_t first, n; /* columns of the grid */
};
/* The next cell of the row that has columns in the grid; false at the end. Begin with cell = SIZE_MAX. */
struct row_walk {
    const struct grid *grid;
    const struct table_row *row;
    size_t cell, column; /* the next ones */
};
bool row_next(struct row_walk *w, struct placed_cell *ret);
/* Lines of a cell's text at its width, in the arena; numbers have one. */
size_t cell_lines(struct arena *a, const struct placed_cell *c);
int cell_draw(struct pdf *p, const struct placed_cell *c, const struct area *row, struct error *e);

/* Heads: heights, then drawing. */
double heads_height(struct arena *a, const struct grid *g);
int heads_draw(struct pdf *p, const struct grid *g, double y, struct error *e);
