#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "matrix/matrix.h"

/* What every test of matrix/ needs: text in, matrix or message out. */

#define HEAD "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\">\n"
#define LINE_4K "<access size=\"4KiB\" read=\"100\" random=\"100\"/>"
#define WORK_4K "<workload id=\"w\">" LINE_4K "</workload>\n"
#define FOOT "</matrix>\n"

static inline int setup_arena(void **state)
{
    *state = arena_new();
    return 0;
}

static inline int teardown_arena(void **state)
{
    arena_free(*state);
    return 0;
}

static inline struct matrix *must_parse(struct arena *a, const char *text)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    if (matrix_parse(a, "t.xml", text, strlen(text), &m, &e))
        fail_msg("%s: %s", e.where, e.what);
    return m;
}

static inline struct plan must_expand(struct arena *a, const char *text,
                                      const struct plan_options *o)
{
    struct plan p;
    struct error e = { 0 };
    if (matrix_expand(a, must_parse(a, text), o, &p, &e))
        fail_msg("%s", e.what);
    return p;
}
