#include <stdio.h>

#include "base/fmt.h"
#include "cli/verb.h"
#include "store/store.h"

static void print_row(const struct merge_row *r)
{
    if (r->known)
        printf("%s: here already\n", r->was);
    else if (r->running)
        printf("%s: it is being measured: left out\n", r->was);
    else
        printf("%s: now run %lld, %s\n", r->was, (long long)r->run, r->name);
}

int verb_merge(struct command *c, struct error *e)
{
    struct store *s = NULL;
    struct merged m;
    if (store_open(command_store(c), STORE_WRITE, &s, e))
        return -1;
    int rc = store_merge(s, c->arena, c->args[0], &m, e);
    store_close(s);
    for (size_t i = 0; rc == 0 && i < m.n; i++)
        print_row(&m.rows[i]);
    if (rc == 0 && m.n == 0)
        printf("'%s' has no runs\n", c->args[0]);
    return rc;
}

int verb_vacuum(struct command *c, struct error *e)
{
    struct store *s = NULL;
    uint64_t before = 0, after = 0;
    /* Reading first: a mistyped path must not make a new store. */
    if (store_open(command_store(c), STORE_READ, &s, e))
        return -1;
    store_close(s);
    if (store_open(command_store(c), STORE_WRITE, &s, e))
        return -1;
    int rc = store_vacuum(s, &before, &after, e);
    store_close(s);
    if (rc == 0)
        printf("%s: %s, was %s\n", command_store(c), fmt_bytes(after).s, fmt_bytes(before).s);
    return rc;
}
