#pragma once
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "given_run.h"
#include "made_run.h"
#include "report/data.h"
#include "report/report.h"
#include "store/query.h"
#include "store/store.h"
#include "unit.h"

/* What the tests of the report share. Everything fails the test at once, with the message of the error. */

static inline void must(int rc, const struct error *e)
{
    if (rc)
        print_error("%s%s%s\n", e->where, *e->where ? ": " : "", e->what);
    assert_int_equal(rc, 0);
}

static inline void fails_with(int rc, const struct error *e, enum qd_code code, const char *part)
{
    assert_int_equal(rc, -1);
    if (!strstr(e->what, part))
        print_error("'%s' does not contain '%s'\n", e->what, part);
    assert_non_null(strstr(e->what, part));
    assert_int_equal(e->code, code);
}

static inline void has_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        print_error("'%s' is not in:\n%s\n", part, text);
    assert_non_null(strstr(text, part));
}

static inline void has_no_text(const char *text, const char *part)
{
    if (strstr(text, part))
        print_error("'%s' is in:\n%s\n", part, text);
    assert_null(strstr(text, part));
}

/* A new, open store below TEST_OUT/report; one per name. */
static inline struct store *new_store(const char *name)
{
    static const char *const tails[] = { "", "-wal", "-shm" };
    struct error e;
    struct store *s = NULL;
    char path[512], file[600];
    must(file_mkdirs(TEST_OUT "/report", &e), &e);
    snprintf(path, sizeof path, TEST_OUT "/report/%s.db", name);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        snprintf(file, sizeof file, "%s%s", path, tails[i]);
        unlink(file);
    }
    must(store_open(path, STORE_WRITE, &s, &e), &e);
    return s;
}

static inline void put_given(struct store *s, const struct given_run *g)
{
    struct sink *sink = NULL;
    struct error e;
    must(store_sink(s, NULL, &sink, &e), &e);
    must(given_run(g, sink, &e), &e);
}

static inline void put_made(struct store *s, const struct made_options *o)
{
    struct sink *sink = NULL;
    struct error e;
    must(store_sink(s, NULL, &sink, &e), &e);
    must(made_run(o, sink, &e), &e);
}

static inline struct store *given_store(const char *name, const struct given_run *g)
{
    struct store *s = new_store(name);
    put_given(s, g);
    return s;
}

/* A fresh, empty folder below TEST_OUT/report. */
static inline const char *new_folder(const char *name)
{
    static char path[4][512];
    static int at;
    char *p = path[at++ % 4], command[600];
    snprintf(p, sizeof path[0], TEST_OUT "/report/%s", name);
    snprintf(command, sizeof command, "rm -rf '%s'", p);
    assert_int_equal(system(command), 0);
    return p;
}

static inline char *read_all(struct arena *a, const char *dir, const char *name)
{
    char *text = NULL, path[600];
    size_t n = 0;
    struct error e;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    must(file_read(a, path, 64 << 20, &text, &n, &e), &e);
    return text;
}

static inline struct report_data load(struct store *s, struct arena *a,
                                      const struct report_options *o)
{
    struct report_data d;
    struct error e;
    must(report_data_load(s, a, o, &d, &e), &e);
    return d;
}

enum { ALL_FORMATS = FORMAT_HTML | FORMAT_PNG | FORMAT_SVG | FORMAT_CSV | FORMAT_JSON };
