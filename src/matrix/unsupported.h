#pragma once
#include <stdbool.h>

#include "matrix/xml.h"

/* What the file format has and this version of the program cannot do: the schema knows it, load.c reads what the plan can
 * hold, and this one table refuses it at its line. To support a thing: make the runner and engine do it, delete its row. */
struct unsupported {
    const char *element;   /* NULL: any */
    const char *attribute; /* NULL: the element itself */
    const char *
        only; /* only values that begin with this (in an element's text: any of its words); NULL: all */
    const char *except; /* a value that is supported; NULL: none */
};

extern const struct unsupported matrix_unsupported[]; /* ends with a row of NULLs */

/* Would a row of the table refuse this value of an attribute? */
bool unsupported_value(const struct unsupported *table, const char *element, const char *attribute,
                       const char *value);

/* Fails with QD_E_FORMAT at the first thing below root, in document order, that a row of the table names. */
int unsupported_check(const struct unsupported *table, const char *file, const xmlNode *root,
                      struct error *e);
