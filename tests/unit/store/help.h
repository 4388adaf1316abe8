#pragma once
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "made_run.h"
#include "store/query.h"
#include "store/store.h"
#include "unit.h"

/* What the tests of the store share. Everything fails the test at once, with the message of the error. */

static inline void must(int rc, const struct error *e)
{
    if (rc)
        print_error("%s\n", e->what);
    assert_int_equal(rc, 0);
}

/* The folder of this program alone: ctest runs several at a time. */
static inline const char *own_dir(void)
{
    static char dir[400];
    struct error e;
    snprintf(dir, sizeof dir, TEST_OUT "/store/%s", program_invocation_short_name);
    must(file_mkdirs(dir, &e), &e);
    return dir;
}

/* A path in it that does not exist; one store per name. */
static inline const char *fresh(const char *name)
{
    static char path[4][512];
    static int at;
    char *p = path[at++ % 4];
    snprintf(p, sizeof path[0], "%s/%s.db", own_dir(), name);
    static const char *const tails[] = { "", "-wal", "-shm", "-journal" };
    for (size_t i = 0; i < 4; i++) {
        char file[600];
        snprintf(file, sizeof file, "%s%s", p, tails[i]);
        unlink(file);
    }
    return p;
}

static inline bool has_file(const char *path, const char *tail)
{
    char file[600];
    snprintf(file, sizeof file, "%s%s", path, tail);
    return file_exists(file);
}

static inline struct store *open_store(const char *path, enum store_mode mode)
{
    struct store *s = NULL;
    struct error e;
    must(store_open(path, mode, &s, &e), &e);
    return s;
}

static inline void fails_with(int rc, const struct error *e, enum qd_code code, const char *part)
{
    assert_int_equal(rc, -1);
    if (!strstr(e->what, part))
        print_error("'%s' does not contain '%s'\n", e->what, part);
    assert_non_null(strstr(e->what, part));
    assert_int_equal(e->code, code);
}

/* Writes a made run into an open store; its row id. */
static inline int64_t put_run(struct store *s, const struct made_options *o)
{
    struct sink *sink;
    struct error e;
    must(store_sink(s, NULL, &sink, &e), &e);
    must(made_run(o, sink, &e), &e);
    return store_sink_run(s);
}

/* A store with one made run, closed. */
static inline const char *make_store(const char *name, const struct made_options *o)
{
    const char *path = fresh(name);
    struct store *s = open_store(path, STORE_WRITE);
    put_run(s, o);
    store_close(s);
    return path;
}
