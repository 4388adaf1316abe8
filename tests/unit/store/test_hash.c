/* The hash of a run's data: the same in any store and under any name, another for any other data. */
#include <sqlite3.h>

#include "help.h"

static const uint32_t depths[] = { 1, 4 };
static const struct made_options usual = { .n_targets = 2,
                                           .n_workloads = 2,
                                           .queue_depths = depths,
                                           .n_queue_depths = 2,
                                           .seconds = 1,
                                           .errors = true };

static const char *hash_of(struct arena *a, const char *path, const char *run)
{
    struct store *s = open_store(path, STORE_READ);
    struct error e;
    struct run_row r;
    const char *hash;
    must(store_find_run(s, a, run, &r, &e), &e);
    must(store_data_hash(s, a, r.id, &hash, &e), &e);
    store_close(s);
    return hash;
}

static void equal_data_equal_hash(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e;
    const char *first = hash_of(a, make_store("hash-a", &usual), "latest");
    assert_int_equal(strlen(first), 12);
    assert_int_equal(strspn(first, "0123456789abcdef"), 12);
    const char *path = fresh("hash-b");
    struct store *s = open_store(path, STORE_WRITE);
    struct made_options other = usual;
    other.n_targets = 4;
    other.seed = 9;
    put_run(s, &other); /* so that all row ids differ */
    int64_t run = put_run(s, &usual);
    must(store_rename_run(s, run, "renamed", &e), &e);
    store_close(s);
    assert_string_equal(hash_of(a, path, "renamed"), first);
    assert_string_not_equal(hash_of(a, path, "1"), first);
    arena_free(a);
}

/* One value changed anywhere that a report shows. */
static void any_change_changes_it(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE run SET note = 'a note'",
        "UPDATE run SET status = 'interrupted'",
        "UPDATE target SET name = 'Other SSD' WHERE no = 1",
        "UPDATE target SET price = 99 WHERE no = 0",
        "UPDATE environment SET value = 'x' WHERE target IS NULL AND key = 'Kernel'",
        "UPDATE environment SET value = 'x' WHERE target IS NOT NULL AND key = 'Model'",
        "UPDATE workload SET title = 'x' WHERE no = 1",
        "UPDATE access_line SET read_bp = read_bp + 1 WHERE no = 1",
        "UPDATE cell SET achieved_depth = achieved_depth + 1e-9 WHERE no = 3",
        "UPDATE cell SET status = 'failed' WHERE no = 3",
        "UPDATE result SET ios = ios + 1 WHERE cell = 2 AND direction = 1",
        "UPDATE result SET lat_min = NULL WHERE cell = 2 AND direction = 1",
        "UPDATE histogram SET bins = x'0100' WHERE cell = 2 AND direction = 0",
        "UPDATE line_result SET bytes = bytes + 1 WHERE cell = 2 AND line = 1",
        "UPDATE interval SET errors = errors + 1 WHERE cell = 2 AND direction = 0 AND t_ns = 0",
        "UPDATE interval SET ios = ios + 1 WHERE cell = 2 AND direction = 0 AND t_ns < 0",
        "UPDATE interval SET batches = NULL WHERE cell = 2 AND direction = 0 AND t_ns = 0",
        "UPDATE interval_histogram SET bins = x'00' WHERE cell = 2 AND direction = 0",
        "UPDATE sample SET lat_ns = lat_ns + 1 WHERE cell = 2 AND no = 7",
        "UPDATE event SET text = NULL WHERE code = 'made'",
        "INSERT INTO percentile VALUES (1, 0, 1, 2, 3, 4, 'x')",
        "INSERT INTO source_file VALUES (1, 0, 'a', 'b', 'c', 'd')",
    };
    struct arena *a = arena_new();
    const char *path = make_store("hash-change", &usual), *was = hash_of(a, path, "latest");
    assert_string_equal(hash_of(a, path, "latest"), was);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sqlite3 *db;
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        if (sqlite3_exec(db, changes[i], NULL, NULL, NULL))
            fail_msg("%s: %s", changes[i], sqlite3_errmsg(db));
        if (sqlite3_changes(db) == 0)
            fail_msg("changes nothing: %s", changes[i]);
        sqlite3_close(db);
        const char *is = hash_of(a, path, "latest");
        if (!strcmp(is, was))
            fail_msg("hash stays the same: %s", changes[i]);
        was = is;
    }
    arena_free(a);
}

/* What the store keeps so that it need not read all rows again is what it would read. */
static void kept_hash_is_the_hash(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *path = make_store("hash-kept", &usual), *was = hash_of(a, path, "latest");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE cell SET rows_sha256 = NULL", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 8);
    sqlite3_close(db);
    assert_string_equal(hash_of(a, path, "latest"), was);
    arena_free(a);
}

static void of_nothing(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e;
    const char *hash;
    struct store *s = open_store(make_store("hash-none", &usual), STORE_READ);
    fails_with(store_data_hash(s, a, 2, &hash, &e), &e, QD_E_NOTFOUND, "run 2");
    store_close(s);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_data_equal_hash),
        cmocka_unit_test(any_change_changes_it),
        cmocka_unit_test(kept_hash_is_the_hash),
        cmocka_unit_test(of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
