/* The histograms of some intervals alone: in order, only those of the window, and exact. */
#include <sqlite3.h>

#include "help.h"

static const uint32_t depth[] = { 4 };
static const struct made_options usual = {
    .n_targets = 1, .n_workloads = 1, .queue_depths = depth, .n_queue_depths = 1, .seconds = 6
};

struct seen {
    struct hist sum;
    int64_t first, last;
    size_t n, stop_after;
};

static int add(void *ctx, int64_t t_ns, enum direction d, const void *blob, size_t n,
               struct error *e)
{
    struct seen *x = ctx;
    assert_true(d == DIR_READ || d == DIR_WRITE);
    assert_true(x->n == 0 || t_ns >= x->last);
    x->first = x->n++ ? x->first : t_ns;
    x->last = t_ns;
    if (hist_merge_blob(&x->sum, blob, n, e))
        return -1;
    return x->n == x->stop_after;
}

static struct seen *pass(struct store *s, int64_t from_ns, int64_t to_ns, size_t stop_after)
{
    static struct seen x;
    struct error e;
    x = (struct seen) { .stop_after = stop_after };
    hist_clear(&x.sum);
    const struct time_range range = { from_ns, to_ns };
    must(store_interval_histograms(s, 1, &range, add, &x, &e), &e);
    return &x;
}

static void merged_they_are_the_cells(void **state)
{
    (void)state;
    struct store *s = open_store(make_store("windows", &usual), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct hist *whole = NULL;
    must(store_hist(s, a, 1, DIR_ALL, &whole, &e), &e);
    const struct seen *x = pass(s, 0, INT64_MAX, 0);
    assert_int_equal(memcmp(&x->sum, whole, sizeof *whole), 0);
    assert_int_equal(x->n, 12);
    assert_int_equal(x->last, 5000000000);
    arena_free(a);
    store_close(s);
}

static void only_those_that_start_in_the_window(void **state)
{
    (void)state;
    struct store *s = open_store(make_store("windows", &usual), STORE_READ);
    const struct seen *x = pass(s, 2000000000, 4000000000, 0);
    assert_int_equal(x->n, 4);
    assert_int_equal(x->first, 2000000000);
    assert_int_equal(x->last, 3000000000);
    assert_int_equal(pass(s, 2000000001, 2000000001, 0)->n, 0);
    assert_int_equal(pass(s, INT64_MIN, 0, 0)->n, 2); /* the ramp */
    assert_int_equal(pass(s, 0, INT64_MAX, 3)->n, 3); /* the callback stops it */
    store_close(s);
}

static void some_are_every_other(void **state)
{
    (void)state;
    struct store *s = open_store(make_store("windows", &usual), STORE_READ);
    static struct seen x;
    struct error e;
    x = (struct seen) { .stop_after = 0 };
    hist_clear(&x.sum);
    const struct time_steps steps = { 1000000000, 6000000000, 2000000000 };
    must(store_some_histograms(s, 1, &steps, add, &x, &e), &e);
    assert_int_equal(x.n, 6); /* seconds 1, 3 and 5, two directions */
    assert_int_equal(x.first, 1000000000);
    assert_int_equal(x.last, 5000000000);
    struct hist three;
    hist_clear(&three);
    for (int64_t t = 1; t < 6; t += 2)
        hist_merge(&three, &pass(s, t * 1000000000, (t + 1) * 1000000000, 0)->sum);
    assert_int_equal(memcmp(&three, &x.sum, sizeof three), 0);
    store_close(s);
}

static int count(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    uint64_t *n = ctx;
    n[0]++;
    n[1] += i->dir[DIR_READ].ios + i->dir[DIR_WRITE].ios;
    return 0;
}

static void seconds_are_the_intervals(void **state)
{
    (void)state;
    struct store *s = open_store(make_store("windows", &usual), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct second_row *rows;
    size_t n;
    must(store_seconds(s, a, 1, &rows, &n, &e), &e);
    assert_int_equal(n, 6);
    double ios = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_close(rows[i].start, (double)i, 0);
        assert_close(rows[i].length, 1, 0);
        assert_close(rows[i].lat_n, rows[i].ios, 0);
        uint64_t seen[2] = { 0 };
        const struct time_range second = { (int64_t)i * 1000000000, (int64_t)(i + 1) * 1000000000 };
        must(store_intervals_in(s, 1, &second, count, seen, &e), &e);
        assert_int_equal(seen[0], 1);
        assert_close(rows[i].ios, (double)seen[1], 0);
        ios += rows[i].ios;
        sum += rows[i].lat_sum_ns;
    }
    struct hist *whole = NULL;
    must(store_hist(s, a, 1, DIR_ALL, &whole, &e), &e);
    assert_close(ios, (double)whole->m.n, 0);
    assert_close(sum, (double)whole->m.sum, 0);
    arena_free(a);
    store_close(s);
}

static void damage_is_told(void **state)
{
    (void)state;
    const char *path = make_store("windows-damaged", &usual);
    struct error e;
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE interval_histogram SET bins = x'0100' WHERE t_ns = 0",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    struct store *s = open_store(path, STORE_READ);
    static struct seen x;
    const struct time_range range = { 0, INT64_MAX };
    fails_with(store_interval_histograms(s, 1, &range, add, &x, &e), &e, QD_E_FAIL, "damaged");
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_they_are_the_cells),
        cmocka_unit_test(only_those_that_start_in_the_window),
        cmocka_unit_test(some_are_every_other),
        cmocka_unit_test(seconds_are_the_intervals),
        cmocka_unit_test(damage_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
