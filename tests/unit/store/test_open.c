/* Opening: what is not a store, what is not there, and that reading changes no byte. */
#include <sqlite3.h>

#include "snapshot.h"

static const uint32_t depth[] = { 4 };
static const struct made_options tiny = {
    .n_targets = 1, .n_workloads = 1, .queue_depths = depth, .n_queue_depths = 1, .seconds = 1
};

static void put_file(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void sql(const char *path, const char *text)
{
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &why))
        fail_msg("%s", why);
    sqlite3_close(db);
}

/* Both modes refuse with the same words, and the file stays as it was. */
static void refused(const char *path, enum qd_code code, const char *part)
{
    struct arena *a = arena_new();
    struct store *s = NULL;
    struct error e;
    const char *dir = own_dir(), *before = snapshot(a, dir);
    fails_with(store_open(path, STORE_READ, &s, &e), &e, code, part);
    assert_non_null(strstr(e.what, path));
    fails_with(store_open(path, STORE_WRITE, &s, &e), &e, code, part);
    assert_null(s);
    assert_string_equal(snapshot(a, dir), before);
    arena_free(a);
}

static void files_that_are_no_store(void **state)
{
    (void)state;
    const char *path = fresh("text");
    put_file(path, "hello, I am a text file", 23);
    refused(path, QD_E_FAIL, "not a database");
    path = fresh("zeros");
    static const char zeros[8192];
    put_file(path, zeros, sizeof zeros);
    refused(path, QD_E_FAIL, "not a database");
    path = fresh("foreign");
    sql(path, "CREATE TABLE run (a); INSERT INTO run VALUES (1)");
    refused(path, QD_E_FAIL, "another program");
    path = fresh("foreign-wal");
    sql(path, "PRAGMA journal_mode = WAL; PRAGMA application_id = 7; CREATE TABLE run (a)");
    refused(path, QD_E_FAIL, "another program");
    refused(own_dir(), QD_E_FAIL, "not a file");
    refused("/dev/null", QD_E_FAIL, "not a file");
    path = fresh("newer");
    sql(path, "PRAGMA application_id = 1902404976; PRAGMA user_version = 7; CREATE TABLE x (a)");
    refused(path, QD_E_FAIL, "newer qdepth (schema 7, this one knows 1)");
    path = fresh("no-schema");
    sql(path, "PRAGMA application_id = 1902404976; CREATE TABLE x (a)");
    refused(path, QD_E_FAIL, "no schema");
}

static void a_missing_store_is_made_by_writers_only(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct store *s = NULL;
    struct error e;
    const char *path = fresh("missing");
    fails_with(store_open(path, STORE_READ, &s, &e), &e, QD_E_NOTFOUND, path);
    assert_false(file_exists(path));
    const char *dir = arena_printf(a, "%s/new/folder", own_dir());
    path = arena_printf(a, "%s/q.db", dir);
    unlink(path);
    rmdir(dir);
    fails_with(store_open(path, STORE_READ, &s, &e), &e, QD_E_NOTFOUND, path);
    assert_false(file_exists(dir));
    store_close(open_store(path, STORE_WRITE));
    read_all(path);
    assert_false(has_file(path, "-wal"));
    arena_free(a);
}

static void an_empty_file_becomes_a_store(void **state)
{
    (void)state;
    struct store *s = NULL;
    struct error e;
    const char *path = fresh("empty");
    put_file(path, "", 0);
    fails_with(store_open(path, STORE_READ, &s, &e), &e, QD_E_FAIL, "empty");
    store_close(open_store(path, STORE_WRITE));
    read_all(path);
}

static void folders_that_cannot_be(void **state)
{
    (void)state;
    struct store *s = NULL;
    struct error e;
    const char *path = fresh("in-the-way");
    put_file(path, "x", 1);
    struct arena *a = arena_new();
    fails_with(store_open(arena_printf(a, "%s/q.db", path), STORE_WRITE, &s, &e), &e, QD_E_IO,
               "Not a directory");
    fails_with(store_open(arena_printf(a, "%s/q.db", path), STORE_READ, &s, &e), &e, QD_E_IO,
               "Not a directory");
    fails_with(store_open("/proc/qdepth/q.db", STORE_WRITE, &s, &e), &e, QD_E_IO, "/proc/qdepth");
    arena_free(a);
}

/* No name means anything to SQLite or to a URI. */
static void odd_names(void **state)
{
    (void)state;
    static const char *const names[] = { ":memory:", "file:x?mode=memory", "a b%41#?.db",
                                         "über.db" };
    char cwd[512];
    assert_non_null(getcwd(cwd, sizeof cwd));
    struct arena *a = arena_new();
    const char *dir = fresh_dir(a, "odd");
    assert_int_equal(chdir(dir), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct store *s = open_store(names[i], STORE_WRITE);
        put_run(s, &tiny);
        store_close(s);
        assert_true(file_exists(names[i]));
        read_all(names[i]);
    }
    assert_int_equal(chdir(cwd), 0);
    const char *doubled = arena_printf(a, "//%s/doubled.db", dir);
    store_close(open_store(doubled, STORE_WRITE));
    read_all(doubled);
    arena_free(a);
}

static void one_file_remains(void **state)
{
    (void)state;
    const char *path = make_store("one-file", &tiny);
    assert_false(has_file(path, "-wal"));
    assert_false(has_file(path, "-shm"));
    assert_false(has_file(path, "-journal"));
}

static void reading_changes_no_byte(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *dir = fresh_dir(a, "untouched"), *path = arena_printf(a, "%s/q.db", dir);
    struct store *s = open_store(path, STORE_WRITE);
    put_run(s, &tiny);
    store_close(s);
    const char *before = snapshot(a, dir);
    read_all(path);
    assert_string_equal(snapshot(a, dir), before);
    arena_free(a);
}

/* In WAL mode without a WAL: folded by a process that could not switch the mode back. */
static void reading_a_resting_wal_store_changes_no_byte(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *dir = fresh_dir(a, "resting"), *path = arena_printf(a, "%s/q.db", dir);
    struct store *s = open_store(path, STORE_WRITE);
    put_run(s, &tiny);
    store_close(s);
    sql(path, "PRAGMA journal_mode = WAL");
    const char *before = snapshot(a, dir);
    read_all(path);
    assert_string_equal(snapshot(a, dir), before);
    store_close(open_store(path, STORE_WRITE));
    assert_false(has_file(path, "-wal"));
    read_all(path);
    arena_free(a);
}

static void a_reader_sees_what_a_writer_commits(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *path = make_store("beside", &tiny);
    struct store *reader = open_store(path, STORE_READ);
    struct store *writer = open_store(path, STORE_WRITE);
    struct error e;
    struct run_row *runs;
    size_t n;
    must(store_runs(reader, a, &runs, &n, &e), &e);
    assert_int_equal(n, 1);
    put_run(writer, &tiny);
    must(store_runs(reader, a, &runs, &n, &e), &e);
    assert_int_equal(n, 2);
    struct store *second = open_store(path, STORE_READ);
    must(store_runs(second, a, &runs, &n, &e), &e);
    assert_int_equal(n, 2);
    store_close(writer); /* readers keep it from being folded, they still read */
    must(store_runs(reader, a, &runs, &n, &e), &e);
    assert_int_equal(n, 2);
    store_close(reader);
    store_close(second);
    store_close(open_store(path, STORE_WRITE));
    assert_false(has_file(path, "-wal"));
    read_all(path);
    arena_free(a);
}

static void closing_nothing(void **state)
{
    (void)state;
    store_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_are_no_store),
        cmocka_unit_test(a_missing_store_is_made_by_writers_only),
        cmocka_unit_test(an_empty_file_becomes_a_store),
        cmocka_unit_test(folders_that_cannot_be),
        cmocka_unit_test(odd_names),
        cmocka_unit_test(one_file_remains),
        cmocka_unit_test(reading_changes_no_byte),
        cmocka_unit_test(reading_a_resting_wal_store_changes_no_byte),
        cmocka_unit_test(a_reader_sees_what_a_writer_commits),
        cmocka_unit_test(closing_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
