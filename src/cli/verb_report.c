#include "cli/make_report.h"
#include "cli/verb.h"
#include "store/query.h"

int verb_report(struct command *c, struct error *e)
{
    static const char *const latest[] = { "latest" };
    const char *const *runs = c->n_args ? c->args : latest;
    size_t n_runs = c->n_args ? c->n_args : 1;
    struct store *s = NULL;
    struct run_row first;
    if (store_open_whole(command_store(c), &s, e))
        return -1;
    int rc = store_find_run(s, c->arena, runs[0], &first, e);
    if (rc == 0)
        rc = write_report(c, s, runs, n_runs, arena_printf(c->arena, "out/%s", first.name), e);
    store_close(s);
    return rc;
}
