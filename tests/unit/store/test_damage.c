/* Damaged stores: an error that names the store, never a crash, and whatever is sound stays readable. */
#include <sqlite3.h>
#include <stdlib.h>

#include "help.h"
#include "store/batch.h"

static const uint32_t depth[] = { 4 };
static const struct made_options tiny = {
    .n_targets = 1, .n_workloads = 1, .queue_depths = depth, .n_queue_depths = 1, .seconds = 1
};

static void sql(const char *path, const char *text)
{
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &why))
        fail_msg("%s", why);
    sqlite3_close(db);
}

static int ignore(void *ctx, const struct interval *i, struct error *e)
{
    (void)ctx;
    (void)i;
    (void)e;
    return 0;
}

static void a_damaged_histogram(void **state)
{
    (void)state;
    const char *path = make_store("bad-hist", &tiny);
    sql(path, "UPDATE histogram SET bins = substr(bins, 1, length(bins) - 1) WHERE direction = 0;"
              "UPDATE interval_histogram SET bins = x'FF' WHERE t_ns = 0");
    struct store *s = open_store(path, STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct hist *h;
    size_t n;
    struct result_row *r;
    fails_with(store_hist(s, a, 1, DIR_READ, &h, &e), &e, QD_E_FAIL, "damaged");
    assert_non_null(strstr(e.what, path));
    fails_with(store_hist(s, a, 1, DIR_ALL, &h, &e), &e, QD_E_FAIL, "damaged");
    must(store_hist(s, a, 1, DIR_WRITE, &h, &e), &e);
    assert_non_null(h);
    fails_with(store_intervals(s, 1, true, ignore, NULL, &e), &e, QD_E_FAIL, "damaged");
    must(store_intervals(s, 1, false, ignore, NULL, &e), &e);
    must(store_results(s, a, 1, &r, &n, &e), &e);
    assert_int_equal(n, 3);
    arena_free(a);
    store_close(s);
}

static void a_histogram_of_another_scheme(void **state)
{
    (void)state;
    const char *path = make_store("bad-scheme", &tiny);
    sql(path, "UPDATE histogram SET scheme = 'linear/3'");
    struct store *s = open_store(path, STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct hist *h;
    fails_with(store_hist(s, a, 1, DIR_READ, &h, &e), &e, QD_E_FAIL, "'linear/3'");
    arena_free(a);
    store_close(s);
}

static void damaged_batches(void **state)
{
    (void)state;
    static const char *const blobs[] = { "x'FF'", "x'FFFFFFFFFFFFFFFFFF7F'", "x'02000000'",
                                         "x'0101010101FF'", "substr(batches, 2)" };
    for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++) {
        const char *path = make_store("bad-batches", &tiny);
        char text[200];
        snprintf(text, sizeof text,
                 "UPDATE interval SET batches = %s WHERE direction = 1 AND t_ns = 0", blobs[i]);
        sql(path, text);
        struct store *s = open_store(path, STORE_READ);
        struct arena *a = arena_new();
        struct error e;
        struct series_row *series;
        size_t n;
        fails_with(store_series(s, a, 1, DIR_ALL, &series, &n, &e), &e, QD_E_FAIL, "damaged");
        fails_with(store_intervals(s, 1, false, ignore, NULL, &e), &e, QD_E_FAIL, "damaged");
        must(store_series(s, a, 1, DIR_READ, &series, &n, &e), &e);
        assert_true(n > 0);
        arena_free(a);
        store_close(s);
    }
}

/* Every truncation and every flipped byte: decoded to something or refused, never past the end. */
static void batches_survive_any_bytes(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e;
    struct batch in[3] = { { .length_ns = 31250000 },
                           { .length_ns = 31250000 },
                           { .length_ns = 1 } };
    for (int i = 0; i < 3; i++) {
        in[i].dir[DIR_TRIM].ios = (uint64_t)i * 1000;
        in[i].dir[DIR_TRIM].bytes = UINT64_MAX - (uint64_t)i;
        in[i].dir[DIR_TRIM].lat_sum_ns = UINT64_C(1) << (20 * i);
    }
    size_t n, n_rows;
    struct batch_row *rows;
    const unsigned char *blob = batch_encode(in, 3, DIR_TRIM, a, &n);
    must(batch_decode(blob, n, a, &rows, &n_rows, &e), &e);
    assert_int_equal(n_rows, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rows[i].length_ns, in[i].length_ns);
        assert_int_equal(rows[i].ios, in[i].dir[DIR_TRIM].ios);
        assert_true(rows[i].bytes == in[i].dir[DIR_TRIM].bytes);
        assert_int_equal(rows[i].lat_sum_ns, in[i].dir[DIR_TRIM].lat_sum_ns);
    }
    for (size_t cut = 1; cut < n; cut++) {
        unsigned char *exact = malloc(cut); /* so that the sanitizer sees a byte too far */
        assert_non_null(exact);
        memcpy(exact, blob, cut);
        fails_with(batch_decode(exact, cut, a, &rows, &n_rows, &e), &e, QD_E_FAIL, "damaged");
        free(exact);
    }
    unsigned char *flipped = arena_memdup(a, blob, n);
    for (size_t i = 0; i < n; i++) {
        flipped[i] ^= 0x80;
        if (batch_decode(flipped, n, a, &rows, &n_rows, &e))
            assert_int_equal(e.code, QD_E_FAIL);
        flipped[i] ^= 0x80;
    }
    must(batch_decode(NULL, 0, a, &rows, &n_rows, &e), &e);
    assert_int_equal(n_rows, 0);
    assert_null(batch_encode(in, 0, DIR_READ, a, &n));
    arena_free(a);
}

static void a_direction_that_does_not_exist(void **state)
{
    (void)state;
    const char *path = make_store("bad-direction", &tiny);
    sql(path, "PRAGMA ignore_check_constraints = ON;"
              "UPDATE interval SET direction = 9 WHERE direction = 1;"
              "UPDATE sample SET direction = -3 WHERE no = 0");
    struct store *s = open_store(path, STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct sample *samples;
    size_t n;
    fails_with(store_intervals(s, 1, false, ignore, NULL, &e), &e, QD_E_FAIL, "direction 9");
    fails_with(store_samples(s, a, 1, &samples, &n, &e), &e, QD_E_FAIL, "direction -3");
    arena_free(a);
    store_close(s);
}

static void overwrite(const char *path, long at, size_t n)
{
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    for (size_t i = 0; i < n; i++)
        fputc(0xA5, f);
    assert_int_equal(fclose(f), 0);
}

/* Pages of rubbish, one at a time through the whole file; and a file cut short. */
static void rubbish_in_the_file(void **state)
{
    (void)state;
    enum { PAGE = 4096 };
    struct error e;
    struct stat st;
    const char *path = make_store("rubbish", &tiny);
    assert_int_equal(stat(path, &st), 0);
    size_t refused = 0, pages = (size_t)st.st_size / PAGE;
    for (size_t i = 1; i < pages; i++) {
        path = make_store("rubbish", &tiny);
        overwrite(path, (long)i * PAGE, PAGE);
        struct arena *a = arena_new();
        struct store *s = NULL;
        struct cell_row *cells;
        struct result_row *results;
        const char *hash;
        size_t n;
        if (store_open(path, STORE_READ, &s, &e) || store_cells(s, a, 1, &cells, &n, &e) ||
            store_results(s, a, 1, &results, &n, &e) || store_data_hash(s, a, 1, &hash, &e)) {
            assert_non_null(strstr(e.what, path));
            refused++;
        }
        store_close(s);
        arena_free(a);
    }
    assert_true(refused > pages / 4);
    path = make_store("rubbish", &tiny);
    assert_int_equal(truncate(path, st.st_size / 2), 0);
    struct store *s = NULL;
    struct arena *a = arena_new();
    struct cell_row *cells;
    size_t n;
    bool failed = store_open(path, STORE_READ, &s, &e) || store_cells(s, a, 1, &cells, &n, &e);
    assert_true(failed);
    assert_non_null(strstr(e.what, "damaged"));
    store_close(s);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_histogram),
        cmocka_unit_test(a_histogram_of_another_scheme),
        cmocka_unit_test(damaged_batches),
        cmocka_unit_test(batches_survive_any_bytes),
        cmocka_unit_test(a_direction_that_does_not_exist),
        cmocka_unit_test(rubbish_in_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
