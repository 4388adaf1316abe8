#pragma once
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/file.h"
#include "import/import.h"
#include "unit.h"

/* Imports files into memory, where tests look at what came through the sink. */

struct seen_cell {
    struct cell cell;
    struct workload workload;
    struct cell_result result;
    struct hist *hist[DIR_COUNT];
    ARRAY(struct interval) intervals; /* hist: 1 if there was one */
    ARRAY(struct sample) samples;
    ARRAY(struct event) events;
    int64_t started_ns;
};

struct seen {
    struct arena *a;
    struct sink sink;
    struct run_record run;
    ARRAY(struct target_record) targets;
    ARRAY(struct seen_cell) cells;
    ARRAY(struct event) events; /* of the run */
    struct import_summary files[32];
    struct error e;
    int rc;
    bool ended;
};

static inline int seen_run_begin(void *self, const struct run_record *r, struct error *e)
{
    (void)e;
    struct seen *s = self;
    s->run = *r;
    return 0;
}

static inline int seen_target(void *self, const struct target_record *t, struct error *e)
{
    (void)e;
    struct seen *s = self;
    *array_push(&s->targets) = *t;
    return 0;
}

static inline int seen_cell_begin(void *self, const struct cell_begin *c, struct error *e)
{
    (void)e;
    struct seen *s = self;
    assert_int_equal(c->cell->no, s->cells.n);
    assert_true(c->cell->target < s->targets.n);
    struct seen_cell *cell = array_push(&s->cells);
    cell->cell = *c->cell;
    cell->workload = *c->workload;
    cell->started_ns = c->started_ns;
    uint32_t share = 0;
    for (uint32_t i = 0; i < c->workload->n_lines; i++)
        share += c->workload->lines[i].share_bp;
    assert_int_equal(share, 10000);
    return 0;
}

static inline int seen_interval(void *self, const struct interval *i, struct error *e)
{
    (void)e;
    struct seen *s = self;
    struct seen_cell *c = &s->cells.at[s->cells.n - 1];
    if (c->intervals.n)
        assert_true(i->t_ns > c->intervals.at[c->intervals.n - 1].t_ns);
    for (int d = 0; d < DIR_COUNT; d++)
        if (i->dir[d].hist)
            assert_true(hist_is_sane(i->dir[d].hist));
    *array_push(&c->intervals) = *i;
    return 0;
}

static inline int seen_samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    (void)e;
    struct seen *s = self;
    for (size_t i = 0; i < n; i++)
        *array_push(&s->cells.at[s->cells.n - 1].samples) = at[i];
    return 0;
}

static inline int seen_event(void *self, const struct event *ev, struct error *e)
{
    (void)e;
    struct seen *s = self;
    assert_non_null(ev->what);
    if (ev->cell < 0)
        *array_push(&s->events) = *ev;
    else
        *array_push(&s->cells.at[ev->cell].events) = *ev;
    return 0;
}

static inline int seen_cell_end(void *self, const struct cell_result *r, struct error *e)
{
    (void)e;
    struct seen *s = self;
    struct seen_cell *c = &s->cells.at[s->cells.n - 1];
    c->result = *r;
    for (int d = 0; d < DIR_COUNT; d++)
        if (r->dir[d].hist) {
            assert_true(hist_is_sane(r->dir[d].hist));
            c->hist[d] = arena_memdup(s->a, r->dir[d].hist, sizeof **c->hist);
        }
    return 0;
}

static inline int seen_run_end(void *self, const struct run_end *r, struct error *e)
{
    (void)e;
    struct seen *s = self;
    assert_int_equal(r->status, CELL_DONE);
    s->ended = true;
    return 0;
}

static const struct sink_ops seen_ops = {
    .run_begin = seen_run_begin,
    .target = seen_target,
    .cell_begin = seen_cell_begin,
    .interval = seen_interval,
    .samples = seen_samples,
    .event = seen_event,
    .cell_end = seen_cell_end,
    .run_end = seen_run_end,
};

static inline struct seen *seen_new(void)
{
    struct seen *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->a = arena_new();
    s->sink = (struct sink) { .ops = &seen_ops, .self = s };
    return s;
}

static inline void seen_free(struct seen *s)
{
    for (size_t i = 0; i < s->cells.n; i++) {
        array_free(&s->cells.at[i].intervals);
        array_free(&s->cells.at[i].samples);
        array_free(&s->cells.at[i].events);
    }
    array_free(&s->cells);
    array_free(&s->targets);
    array_free(&s->events);
    arena_free(s->a);
    free(s);
}

static inline struct seen *import_with(struct import_options o, const char *const *paths, size_t n)
{
    struct seen *s = seen_new();
    assert_true(n <= countof(s->files));
    o.paths = paths;
    o.n_paths = n;
    s->rc = import_files(s->a, &o, &s->sink, s->files, &s->e);
    assert_int_equal(s->ended, s->rc == 0);
    return s;
}

/* Files of tests/data/import; all must go well. */
static inline struct seen *import_data(const char *const *names, size_t n)
{
    static char paths[32][300];
    const char *at[32];
    assert_true(n <= 32);
    for (size_t i = 0; i < n; i++) {
        snprintf(paths[i], sizeof paths[i], TEST_DATA "/import/%s", names[i]);
        at[i] = paths[i];
    }
    struct seen *s = import_with((struct import_options) { 0 }, at, n);
    if (s->rc)
        fail_msg("%s", s->e.what);
    return s;
}

static inline struct seen *import_one(const char *name)
{
    return import_data(&name, 1);
}

/* Bytes as a file of that name in a folder of their own. */
static inline const char *written(const char *name, const void *bytes, size_t n)
{
    static char path[8][300];
    static int next;
    char *p = path[next++ % 8];
    struct error e;
    assert_int_equal(file_mkdirs(TEST_OUT "/import", &e), 0);
    snprintf(p, sizeof *path, TEST_OUT "/import/%d-%s", (int)getpid(), name);
    assert_int_equal(file_write(p, bytes, n, &e), 0);
    return p;
}

/* A text as a file; may fail. */
static inline struct seen *import_text(const char *name, const char *text)
{
    const char *path = written(name, text, strlen(text));
    struct seen *s = import_with((struct import_options) { 0 }, &path, 1);
    unlink(path);
    return s;
}

/* The one file's warnings, each with its place. */
static inline bool warned(const struct seen *s, const char *where, const char *what)
{
    for (size_t i = 0; i < s->files[0].n_warnings; i++)
        if (strstr(s->files[0].warnings[i].where, where) &&
            strstr(s->files[0].warnings[i].what, what))
            return true;
    return false;
}
static inline void assert_warned(const struct seen *s, const char *where, const char *what)
{
    if (warned(s, where, what))
        return;
    for (size_t i = 0; i < s->files[0].n_warnings; i++)
        print_error("%s: %s\n", s->files[0].warnings[i].where, s->files[0].warnings[i].what);
    fail_msg("no warning '%s' at '%s'", what, where);
}
#define assert_no_warnings(s)                                                                      \
    do {                                                                                           \
        if ((s)->files[0].n_warnings)                                                              \
            fail_msg("%s: %s", (s)->files[0].warnings[0].where, (s)->files[0].warnings[0].what);   \
    } while (0)

static inline bool has_event(const struct seen *s, const char *code)
{
    for (size_t i = 0; i < s->events.n; i++)
        if (!strcmp(s->events.at[i].code, code))
            return true;
    return false;
}

static inline double known_at(const struct direction_result *r, uint64_t num, uint64_t den)
{
    for (size_t i = 0; i < r->n_percentiles; i++)
        if (r->percentiles[i].p.num == num && r->percentiles[i].p.den == den)
            return r->percentiles[i].low_ns;
    return ABSENT;
}
