#include "report/table_shape.h"

#include <string.h>

int number_decimals(const char *text)
{
    if (!text)
        return -1;
    const char *s = text;
    if (!strncmp(s, "\u2212", strlen("\u2212")))
        s += strlen("\u2212");
    size_t whole = strspn(s, "0123456789,");
    if (!whole)
        return -1;
    s += whole;
    if (!*s)
        return 0;
    size_t digits = *s == '.' ? strspn(s + 1, "0123456789") : 0;
    return digits && !s[1 + digits] ? (int)digits : -1;
}

size_t table_span(const struct table *t, const struct table_row *r, size_t cell, size_t column)
{
    const struct table_cell *c = &r->cells[cell];
    size_t left = t->n_columns - column, after = r->n_cells - cell - 1;
    size_t span = c->span > 0 ? (size_t)c->span : 1;
    if (c->kind == CELL_GAP && c->span <= 0)
        span = left > after ? left - after : 1;
    return span < left ? span : left;
}

static void look_at_cell(const struct column *head, const struct table_cell *c,
                         struct column_shape *shape)
{
    if (c->kind != CELL_VALUE)
        return;
    if (c->strip > 0)
        shape->strip = true;
    if (head->align != ALIGN_NUMBER)
        return;
    if (c->detail)
        shape->detail = true;
    if (c->mark)
        shape->marks = true;
    int n = number_decimals(c->text);
    if (n > shape->decimals)
        shape->decimals = n;
}

void table_shape(const struct table *t, struct column_shape *ret)
{
    for (size_t i = 0; i < t->n_columns; i++)
        ret[i] = (struct column_shape) { 0 };
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct table_row *r = &t->rows[i];
        size_t column = 0;
        for (size_t j = 0; r->kind != ROW_GROUP && j < r->n_cells && column < t->n_columns; j++) {
            look_at_cell(&t->columns[column], &r->cells[j], &ret[column]);
            column += table_span(t, r, j, column);
        }
    }
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->role == TABLE_SCORECARD && ret[i].strip)
            ret[i].detail = false;
}

enum verdict_symbol row_verdict(const struct table_row *r)
{
    for (size_t i = 0; i < r->n_cells; i++)
        if (r->cells[i].kind == CELL_VERDICT)
            return r->cells[i].symbol;
    return SYMBOL_NONE;
}
