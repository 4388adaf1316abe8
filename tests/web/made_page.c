/* made_page FILE: the made document as a page, for tests/web and to look at. */
#include <stdio.h>

#include "base/file.h"
#include "made_document.h"
#include "report/html.h"

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: made_page FILE\n");
        return 2;
    }
    struct arena *a = arena_new();
    struct str out = str_new(16 << 20);
    struct error e = { 0 };
    const struct html_options o = { .theme = "auto", .charts_dir = "charts", .data_dir = "data" };
    int rc = html_write(made_document(a), &o, &out, &e) || file_write(argv[1], out.at, out.n, &e);
    if (rc)
        fprintf(stderr, "made_page: %s\n", e.what);
    str_done(&out);
    arena_free(a);
    return rc ? 1 : 0;
}
