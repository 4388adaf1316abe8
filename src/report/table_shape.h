#pragma once
#include "report/doc.h"

/* What the cells of a table's columns have in common, looked up once over all rows: both renderers align by it. */
struct column_shape {
    bool detail;  /* the details get a column of their own */
    bool marks;   /* every cell gets a slot for a mark */
    bool strip;   /* the advantage: drawn, then printed with its interval */
    int decimals; /* the most of its cells */
};
/* ret: one for each column. */
void table_shape(const struct table *t, struct column_shape *ret);
/* Columns that a cell of the row covers, the first of them being `column`. */
size_t table_span(const struct table *t, const struct table_row *r, size_t cell, size_t column);
/* Digits behind the point of a plain number; -1: no plain number, which is not aligned. */
int number_decimals(const char *text);
enum verdict_symbol row_verdict(const struct table_row *r);
