#pragma once
#include "import/figure.h"
#include "import/table.h"

/* Shared by table*.c. */

enum { TABLE_COLUMNS = 128 };

/* One row: names and values side by side; an empty value is a missing one. */
struct table_row {
    long line;
    const char *const *names;
    const char *const *values;
    size_t n;
};

/* A cell in the making: rows of one cell follow each other, one a direction. */
struct table {
    struct collect *c;
    struct import_cell *cell; /* of the rows before; NULL: none */
    const char *key;          /* what tells cells apart */
    bool has_directions;      /* a row of a real direction came for it */
};

/* Does this name mean anything in a table? */
bool table_knows(const char *name);
/* Do these names make a table: a rate, and what was measured? */
bool table_is(const char *const *names, size_t n);
void table_warn_unknown(struct collect *c, const char *const *names, size_t n);
/* After the last row. */
void table_end_cell(struct table *t);
void table_take(struct table *t, const struct table_row *row);
