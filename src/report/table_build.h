#pragma once
#include "base/array.h"
#include "report/doc.h"

/* Builds a struct table column by column, then row by row. Texts are not copied; the table lives in the arena. */
struct table_builder {
    struct arena *a;
    struct table *table;
    ARRAY(struct column) columns;
    ARRAY(struct table_row) rows;
    ARRAY(struct table_cell) cells; /* of the row being filled */
};

struct table_builder table_begin(struct arena *a, enum table_role role, const char *id);
/* The pointers of table_column and table_cell stay valid until the next call of either. */
struct column *table_column(struct table_builder *b, const char *head, enum align align);
/* Ends the row before, if any. */
struct table_row *table_row(struct table_builder *b, enum row_kind kind);
struct table_cell *table_cell(struct table_builder *b, const char *text);
/* "not measured: REASON" over the columns that are left. */
void table_gap(struct table_builder *b, const char *reason);
const struct table *table_end(struct table_builder *b);
