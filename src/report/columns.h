#pragma once
#include <stdbool.h>

#include "base/fmt.h"
#include "base/str.h"
#include "store/query.h"

/* The columns of the view `results`, in its order: one table for results.csv and results.json. */
enum column_kind { COLUMN_TEXT, COLUMN_NUMBER };
struct result_column {
    const char *name;
    enum column_kind kind;
};
extern const struct result_column result_columns[];
extern const size_t n_result_columns;

/* The value of column i; a missing value has missing = true. */
struct column_value {
    bool missing;
    const char *text;
    struct text number; /* fmt_exact */
};
struct column_value result_column_value(const struct result_row *r, size_t i);

/* A CSV field: quoted where it has a comma, quote or line break. */
void csv_put(struct str *s, const char *text);
/* A JSON string with its quotes; invalid UTF-8 becomes U+FFFD. */
void json_put(struct str *s, const char *text);
