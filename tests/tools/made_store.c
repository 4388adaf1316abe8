/* Makes a store with one run, for bench/report: made_store FILE oltp, the comparison of seeds/000; made_store FILE long [SECONDS
 * [TARGETS]], a consistency test, 90,000 seconds on three targets without more words. */
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "given_run.h"
#include "long_run.h"
#include "store/store.h"

struct asked {
    bool oltp;
    uint64_t seconds, targets;
};

static int give(const struct asked *a, struct sink *sink, struct error *e)
{
    if (a->oltp) {
        struct given_run g = given_seed();
        return given_run(&g, sink, e);
    }
    struct long_run l = { .n_targets = (uint32_t)a->targets,
                          .seconds = (uint32_t)a->seconds,
                          .ramp = 10,
                          .samples = 20000,
                          .second = long_shape };
    l.ctx = &l;
    return long_run(&l, sink, e);
}

static int make(const char *path, const struct asked *a, struct error *e)
{
    struct store *s = NULL;
    struct sink *sink = NULL;
    if (store_open(path, STORE_WRITE, &s, e))
        return -1;
    int rc = store_sink(s, NULL, &sink, e) || give(a, sink, e) ? -1 : 0;
    store_close(s);
    return rc;
}

static bool understand(int argc, char **argv, struct asked *ret)
{
    struct error ignored;
    *ret = (struct asked) { .seconds = 90000, .targets = 3 };
    if (argc < 3 || argc > 5)
        return false;
    ret->oltp = !strcmp(argv[2], "oltp");
    if (!ret->oltp && strcmp(argv[2], "long") != 0)
        return false;
    if ((argc > 3 && parse_u64(argv[3], &ret->seconds, &ignored)) ||
        (argc > 4 && parse_u64(argv[4], &ret->targets, &ignored)))
        return false;
    return ret->seconds > 0 && ret->seconds < 10000000 && ret->targets > 0 &&
           ret->targets <= PLAN_MAX_TARGETS;
}

int main(int argc, char **argv)
{
    struct error e = { 0 };
    struct asked asked;
    if (!understand(argc, argv, &asked)) {
        fputs("usage: made_store FILE oltp | made_store FILE long [SECONDS [TARGETS]]\n", stderr);
        return 2;
    }
    if (make(argv[1], &asked, &e)) {
        fprintf(stderr, "made_store: %s\n", e.what);
        return 1;
    }
    return 0;
}
