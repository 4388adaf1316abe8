#pragma once
#include "report/doc.h"

/* One self-contained page: inline CSS, fonts and SVG, strict Content-Security-Policy by hashes, readable without script.
 * Looks and order are mock/report.html's; the renderer draws each panel when it is reached. Bytes depend on the document
 * alone. Style and script come from the embedded templates/report/{page,table,medium}.css and page.js. */
struct html_options {
    const char *theme; /* "auto", "light", "dark" */
    const char *
        charts_dir; /* relative folder the links SVG/PNG point to ("charts"), NULL: no such links */
    const char *data_dir; /* "data": links to results.csv and .json; NULL: none */
    const char *pdf;      /* "report.pdf": link to the same as PDF; NULL: none */
};
int html_write(const struct document *d, const struct html_options *o, struct str *out,
               struct error *e);
