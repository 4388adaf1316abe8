#pragma once
#include "report/doc.h"

/* The same document as the page, typeset on A4 (mock/tokens.md §8): cover with verdict, scorecard and headline figure; linked contents,
 * outline, running head and page n of N; figures laid out again at print size with captions that stay with them; tables that repeat
 * their heads. Bytes depend on the document alone. */
struct pdf_options {
    const char *paper;  /* "a4" or "letter" */
    int64_t created_ns; /* shown in the document's information: the run's time, never the clock */
};
/* *ret: the file's bytes, to be freed with free(). */
int pdf_write(const struct document *d, const struct pdf_options *o, void **ret, size_t *ret_n,
              struct error *e);
