/* Makes a store with one long run, as a consistency test of three targets leaves it: made_store FILE [SECONDS [TARGETS]] */
#include <stdio.h>
#include <stdlib.h>

#include "base/parse.h"
#include "long_run.h"
#include "store/store.h"

static int make(const char *path, struct long_run *l, struct error *e)
{
    struct store *s = NULL;
    struct sink *sink = NULL;
    if (store_open(path, STORE_WRITE, &s, e))
        return -1;
    int rc = store_sink(s, NULL, &sink, e) || long_run(l, sink, e) ? -1 : 0;
    store_close(s);
    return rc;
}

int main(int argc, char **argv)
{
    struct error e = { 0 };
    uint64_t seconds = 90000, targets = 3;
    if (argc < 2 || argc > 4 || (argc > 2 && parse_u64(argv[2], &seconds, &e)) ||
        (argc > 3 && parse_u64(argv[3], &targets, &e)) || targets > PLAN_MAX_TARGETS) {
        fputs("usage: made_store FILE [SECONDS [TARGETS]]\n", stderr);
        return 2;
    }
    struct long_run l = { .n_targets = (uint32_t)targets,
                          .seconds = (uint32_t)seconds,
                          .ramp = 10,
                          .samples = 20000,
                          .second = long_shape };
    l.ctx = &l;
    if (make(argv[1], &l, &e)) {
        fprintf(stderr, "made_store: %s\n", e.what);
        return 1;
    }
    return 0;
}
