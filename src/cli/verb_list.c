#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/verb.h"
#include "store/query.h"

static void print_json(const struct run_row *rows, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:I, s:s, s:s, s:s?, s:s, s:I, s:I, s:I}", "id",
                                              (json_int_t)rows[i].id, "name", rows[i].name,
                                              "started", clock_iso(rows[i].started_ns).s, "matrix",
                                              rows[i].matrix_name, "status", rows[i].status,
                                              "targets", (json_int_t)rows[i].n_targets, "cells",
                                              (json_int_t)rows[i].n_cells, "cells_done",
                                              (json_int_t)rows[i].n_done));
    json_t *doc = json_pack("{s:i, s:o}", "schema", 1, "runs", list);
    char *text = json_dumps(doc, JSON_INDENT(1));
    puts(text);
    free(text);
    json_decref(doc);
}

int verb_list(struct command *c, struct error *e)
{
    struct store *s = NULL;
    struct run_row *rows = NULL;
    size_t n = 0;
    if (store_open(command_store(c), STORE_READ, &s, e))
        return -1;
    int rc = store_runs(s, c->arena, &rows, &n, e);
    store_close(s);
    if (rc)
        return -1;
    if (opt_has(c, OPT_JSON)) {
        print_json(rows, n);
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        printf("%4lld  %-28s %s  %-12s %u of %u cells, %s\n", (long long)rows[i].id, rows[i].name,
               clock_iso(rows[i].started_ns).s,
               rows[i].matrix_name ? rows[i].matrix_name : "import", rows[i].n_done,
               rows[i].n_cells, rows[i].status);
    if (n == 0)
        puts("no run is stored yet");
    return 0;
}
