#include <stdio.h>

#include "base/clock.h"
#include "cli/verb.h"
#include "report/report.h"
#include "store/query.h"

static int show(struct command *c, struct store *s, struct error *e)
{
    struct run_row run;
    char *text = NULL;
    if (store_find_run(s, c->arena, c->args[0], &run, e))
        return -1;
    if (opt_has(c, OPT_JSON)) {
        if (report_json(s, c->arena, run.name, &text, e))
            return -1;
        fputs(text, stdout);
        return 0;
    }
    if (report_terminal(s, c->arena, run.name, &text, e))
        return -1;
    printf("run %s (number %lld), started %s, %s: %u of %u cells\n", run.name, (long long)run.id,
           clock_iso(run.started_ns).s, run.status, run.n_done, run.n_cells);
    if (run.command && *run.command)
        printf("%s\n", run.command);
    printf("\n%s", text);
    return 0;
}

int verb_show(struct command *c, struct error *e)
{
    struct store *s = NULL;
    if (store_open_whole(command_store(c), &s, e))
        return -1;
    int rc = show(c, s, e);
    store_close(s);
    return rc;
}
