#include "cli/leftovers.h"

#include <stdio.h>

#include "base/file.h"
#include "store/store.h"

static void tell(void *ctx, const char *words, bool failed)
{
    FILE *to = failed ? stderr : ctx;
    fprintf(to, failed ? "left: %s\n" : "%s\n", words);
}

int leftovers_clean(const struct command *c, bool asked, struct clean_outcome *ret, struct error *e)
{
    const char *path = command_store(c);
    struct store *store = NULL;
    const struct clean_watch watch = { tell, asked ? stdout : stderr };
    *ret = (struct clean_outcome) { 0 };
    if (!file_exists(path))
        return 0;
    if (store_open(path, STORE_WRITE, &store, e))
        return -1;
    int rc = clean_all(c->arena, store, &watch, ret, e);
    store_close(store);
    return rc;
}
