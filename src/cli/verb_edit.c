#include <stdio.h>
#include <string.h>

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

static int rename_target(struct command *c, struct store *s, int64_t run, const char *text,
                         struct error *e)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return error_set(e, QD_E_USAGE, "--target-name takes OLD=NEW, not '%s'", text);
    const char *from = arena_strndup(c->arena, text, (size_t)(equals - text));
    if (store_rename_target(s, run, from, equals + 1, e))
        return -1;
    printf("target %s is now called %s\n", from, equals + 1);
    return 0;
}

static int edit(struct command *c, struct store *s, const struct run_row *run, struct error *e)
{
    size_t n = 0;
    const char *name = opt_text(c, OPT_NAME), *note = opt_text(c, OPT_NOTE);
    const char *const *renames = opt_all(c, OPT_TARGET_NAME, &n);
    for (size_t i = 0; i < n; i++)
        if (rename_target(c, s, run->id, renames[i], e))
            return -1;
    if (note && store_note_run(s, run->id, *note ? note : NULL, e))
        return -1;
    if (note)
        printf("run %s %s\n", run->name, *note ? "has the note" : "has no note now");
    if (name && store_rename_run(s, run->id, name, e))
        return -1;
    if (name)
        printf("run %s is now called %s\n", run->name, name);
    return 0;
}

int verb_edit(struct command *c, struct error *e)
{
    struct store *s = NULL;
    struct run_row run;
    if (!opt_has(c, OPT_NAME) && !opt_has(c, OPT_NOTE) && !opt_has(c, OPT_TARGET_NAME))
        return error_set(e, QD_E_USAGE, "edit needs --name, --note or --target-name");
    if (open_run(c, &s, &run, e))
        return -1;
    int rc = edit(c, s, &run, e);
    store_close(s);
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
