#include "report/table_build.h"

struct table_builder table_begin(struct arena *a, enum table_role role, const char *id)
{
    struct table_builder b = { .a = a, .table = arena_one(a, struct table) };
    b.table->role = role;
    b.table->id = id;
    return b;
}

struct column *table_column(struct table_builder *b, const char *head, enum align align)
{
    struct column *c = array_push(&b->columns);
    c->head = head;
    c->align = align;
    return c;
}

static void end_row(struct table_builder *b)
{
    if (b->rows.n == 0)
        return;
    struct table_row *row = &b->rows.at[b->rows.n - 1];
    row->n_cells = b->cells.n;
    row->cells = b->cells.n ? arena_memdup(b->a, b->cells.at, b->cells.n * sizeof *b->cells.at)
                            : NULL;
    b->cells.n = 0;
}

struct table_row *table_row(struct table_builder *b, enum row_kind kind)
{
    end_row(b);
    struct table_row *row = array_push(&b->rows);
    row->kind = kind;
    return row;
}

struct table_cell *table_cell(struct table_builder *b, const char *text)
{
    struct table_cell *c = array_push(&b->cells);
    *c = (struct table_cell) { .text = text };
    return c;
}

void table_gap(struct table_builder *b, const char *reason)
{
    struct table_cell *c = table_cell(b, arena_printf(b->a, "not measured: %s", reason));
    c->kind = CELL_GAP;
}

const struct table *table_end(struct table_builder *b)
{
    end_row(b);
    struct table *t = b->table;
    t->n_columns = b->columns.n;
    t->n_rows = b->rows.n;
    if (t->n_columns)
        t->columns = arena_memdup(b->a, b->columns.at, t->n_columns * sizeof *t->columns);
    if (t->n_rows)
        t->rows = arena_memdup(b->a, b->rows.at, t->n_rows * sizeof *t->rows);
    array_free(&b->columns);
    array_free(&b->rows);
    array_free(&b->cells);
    return t;
}
