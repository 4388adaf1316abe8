#pragma once
#include <string.h>

#include "base/arena.h"
#include "store/db.h"

/* Shared by query_*.c. */

/* Growing rows that end in an arena: doubling leaves at most as much behind as they take. */
#define ROWS(T)                                                                                    \
    struct {                                                                                       \
        T *at;                                                                                     \
        size_t n, cap;                                                                             \
    }
#define rows_push(a, v)                                                                            \
    (rows_grow((a), (void **)&(v)->at, &(v)->cap, (v)->n, sizeof *(v)->at), &(v)->at[(v)->n++])

static inline void rows_grow(struct arena *a, void **at, size_t *cap, size_t n, size_t item)
{
    if (n < *cap)
        return;
    *cap = *cap ? 2 * *cap : 16;
    void *more = arena_array_(a, *cap, item);
    if (n)
        memcpy(more, *at, n * item);
    *at = more;
}

/* NAMED(enum x, x_name, LAST) makes x_name_at(query, column, otherwise): the value whose name the column holds. */
#define NAMED(T, name, last)                                                                       \
    static T name##_at(const struct query *q, int i, T otherwise)                                  \
    {                                                                                              \
        const char *text = (const char *)sqlite3_column_text(q->stmt, i);                          \
        for (int k = 0; text && k <= (int)(last); k++)                                             \
            if (!strcmp(name((T)k), text))                                                         \
                return (T)k;                                                                       \
        return otherwise;                                                                          \
    }

/* Seeds are decimal text: 64 bits without sign. */
uint64_t col_seed(const struct query *q, int i);

/* 1: the run says it is running but its process is gone; 0: no; -1: failure. */
int run_is_dead(struct store *s, int64_t run, struct error *e);
