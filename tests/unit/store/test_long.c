/* A consistency test of 25 hours: 90,000 seconds on three targets go in and come out. */
#include "help.h"

enum { SECONDS = 90000 };
static const uint32_t depth[] = { 32 };

struct pass {
    int64_t next;
    uint64_t ios;
};

static int check(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    struct pass *p = ctx;
    assert_int_equal(i->t_ns, p->next);
    p->next += 1000000000;
    p->ios += i->dir[DIR_WRITE].ios;
    return 0;
}

static void ninety_thousand_points(void **state)
{
    (void)state;
    struct made_options o = { .n_targets = 3,
                              .n_workloads = 3,
                              .queue_depths = depth,
                              .n_queue_depths = 1,
                              .seconds = SECONDS,
                              .slower = 4000,
                              .ramp = MADE_NO_RAMP,
                              .bare = true };
    static const struct made_gap not_these[] = {
        { -1, 0, -1, -1, CELL_PLANNED, NULL },
        { -1, 1, -1, -1, CELL_PLANNED, NULL },
    };
    o.gaps = not_these;
    o.n_gaps = 2;
    struct store *s = open_store(make_store("long", &o), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct cell_row *c;
    struct result_row *r;
    size_t n, n_cells, n_done = 0;
    must(store_cells(s, a, 1, &c, &n_cells, &e), &e);
    must(store_results(s, a, 1, &r, &n, &e), &e);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(r[i].status, "done") != 0 || r[i].direction != DIR_ALL)
            continue;
        struct series_row *series;
        size_t n_series;
        struct pass p = { 0 };
        must(store_series(s, a, r[i].cell, DIR_ALL, &series, &n_series, &e), &e);
        assert_int_equal(n_series, SECONDS);
        must(store_intervals(s, r[i].cell, false, check, &p, &e), &e);
        assert_int_equal(p.next, INT64_C(1000000000) * SECONDS);
        assert_int_equal(p.ios, r[i].ios);
        assert_close(r[i].seconds, SECONDS, 0);
        n_done++;
    }
    assert_int_equal(n_done, 3);
    arena_free(a);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ninety_thousand_points) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
