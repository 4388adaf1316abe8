#include <stdio.h>

#include "cli/verb.h"
#include "matrix/matrix.h"

static int print_one(const char *name, struct error *e)
{
    const char *xml = matrix_shipped_xml(name);
    if (!xml)
        return error_set(e, QD_E_USAGE, "no shipped matrix is called '%s' (see qdepth matrices)",
                         name);
    fputs(xml, stdout);
    return 0;
}

int verb_matrices(struct command *c, struct error *e)
{
    if (c->n_args)
        return print_one(c->args[0], e);
    for (const char *const *name = matrix_shipped(c->arena); *name; name++) {
        struct matrix *m = NULL;
        if (matrix_load(c->arena, *name, &m, e))
            return -1;
        printf("%-14s %s\n", *name, matrix_title(m));
    }
    return 0;
}
