#pragma once
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "matrix/matrix.h"
#include "matrix_test.h"

/* Configurations of other programs, from a text. */

static inline const char *foreign_file(const char *name, const void *bytes, size_t n)
{
    static char path[300];
    struct error e;
    assert_int_equal(file_mkdirs(TEST_OUT "/foreign", &e), 0);
    snprintf(path, sizeof path, TEST_OUT "/foreign/%d-%s", (int)getpid(), name);
    assert_int_equal(file_write(path, bytes, n, &e), 0);
    return path;
}

/* Loads and expands for one target; fails the test if that is not possible. */
static inline struct matrix *foreign(struct arena *a, const char *name, const char *text,
                                     struct plan *plan)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    const struct plan_options o = { .n_targets = 1 };
    const char *path = foreign_file(name, text, strlen(text));
    if (matrix_load(a, path, &m, &e) || matrix_expand(a, m, &o, plan, &e))
        fail_msg("%s: %s", e.where, e.what);
    unlink(path);
    return m;
}

/* It cannot be read: where and why. */
static inline void foreign_fails(struct arena *a, const char *text, long line, const char *why)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    char where[20];
    const char *path = foreign_file("bad.icf", text, strlen(text));
    assert_int_equal(matrix_load(a, path, &m, &e), -1);
    unlink(path);
    assert_int_equal(e.code, QD_E_FORMAT);
    snprintf(where, sizeof where, ":%ld", line);
    if ((line && !strstr(e.where, where)) || !strstr(e.what, why))
        fail_msg("%s: %s", e.where, e.what);
}

static inline bool left_out(const struct matrix *m, const char *what)
{
    for (const char *const *at = matrix_left_out(m); *at; at++)
        if (strstr(*at, what))
            return true;
    return false;
}
static inline void assert_left_out(const struct matrix *m, const char *what)
{
    if (left_out(m, what))
        return;
    for (const char *const *at = matrix_left_out(m); *at; at++)
        print_error("%s\n", *at);
    fail_msg("'%s' is not listed", what);
}
