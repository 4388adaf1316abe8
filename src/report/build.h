#pragma once
#include "report/checks.h"
#include "report/data.h"
#include "report/doc.h"
#include "report/template.h"

/* Template + data = document, numbered and checked. A value that a template asks for and that does not exist becomes a labelled
 * gap and a warning. Everything lives in the arena; the bytes depend on the arguments alone. */
struct build_input {
    const struct report_data *data;
    const struct template *template;
    const char *title;   /* NULL: the template's, else made from the targets and the matrix */
    const char *warning; /* about the report itself, one sentence; NULL: none */
};
int build_document(struct arena *a, const struct build_input *in, struct document *ret,
                   struct error *e);
