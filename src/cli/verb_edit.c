#include <stdio.h>

#include "cli/verb.h"
#include "store/query.h"

static int open_run(struct command *c, struct store **ret, struct run_row *ret_run, struct error *e)
{
    struct store *s = NULL;
    /* Reading first: a mistyped path must not make a new store. */
    if (store_open(command_store(c), STORE_READ, &s, e))
        return -1;
    int rc = store_find_run(s, c->arena, c->args[0], ret_run, e);
    store_close(s);
    return rc ? -1 : store_open(command_store(c), STORE_WRITE, ret, e);
}

int verb_edit(struct command *c, struct error *e)
{
    struct store *s = NULL;
    struct run_row run;
    const char *name = opt_text(c, OPT_NAME);
    if (!name)
        return error_set(e, QD_E_USAGE, "edit needs --name NEW-NAME");
    if (open_run(c, &s, &run, e))
        return -1;
    int rc = store_rename_run(s, run.id, name, e);
    store_close(s);
    if (rc == 0)
        printf("run %s is now called %s\n", run.name, name);
    return rc;
}

int verb_delete(struct command *c, struct error *e)
{
    struct store *s = NULL;
    struct run_row run;
    if (open_run(c, &s, &run, e))
        return -1;
    int rc = store_delete_run(s, run.id, e);
    store_close(s);
    if (rc == 0)
        printf("run %s was deleted\n", run.name);
    return rc;
}
