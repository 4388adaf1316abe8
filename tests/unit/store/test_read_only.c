/* Stores on a read-only file system, at rest and as a killed process left them. */
#include <sqlite3.h>

#include "mount.h"
#include "snapshot.h"

#define DIR TEST_OUT "/store/read-only"
#define PATH DIR "/q.db"

static const uint32_t depth[] = { 4 };
static const struct made_options tiny = {
    .n_targets = 1, .n_workloads = 1, .queue_depths = depth, .n_queue_depths = 1, .seconds = 1
};

static void copy(const char *from, const char *to)
{
    struct arena *a = arena_new();
    struct error e;
    char *bytes;
    size_t n;
    must(file_read(a, from, 64 << 20, &bytes, &n, &e), &e);
    must(file_write(to, bytes, n, &e), &e);
    arena_free(a);
}

static void at_rest(void **state)
{
    (void)state;
    mount_tmpfs(DIR, "size=32m");
    copy(make_store("rest", &tiny), PATH);
    remount_read_only(DIR);
    read_all(PATH);
    struct store *s = NULL;
    struct error e;
    fails_with(store_open(PATH, STORE_WRITE, &s, &e), &e, QD_E_IO, "Read-only file system");
    assert_non_null(strstr(e.what, PATH));
    unmount(DIR);
}

/* The store while a run is written, copied with what belongs to it. */
static void copied(bool index)
{
    const char *path = fresh("open-run");
    struct store *s = open_store(path, STORE_WRITE);
    put_run(s, &tiny);
    struct arena *a = arena_new();
    mount_tmpfs(DIR, "size=32m");
    copy(path, PATH);
    copy(arena_printf(a, "%s-wal", path), PATH "-wal");
    if (index)
        copy(arena_printf(a, "%s-shm", path), PATH "-shm");
    store_close(s);
    remount_read_only(DIR);
    s = open_store(PATH, STORE_READ);
    struct run_row *runs;
    struct error e;
    size_t n;
    must(store_runs(s, a, &runs, &n, &e), &e);
    assert_int_equal(n, 1);
    store_close(s);
    read_all(PATH);
    unmount(DIR);
    arena_free(a);
}

static void with_its_wal(void **state)
{
    (void)state;
    copied(true);
}

static void with_its_wal_alone(void **state)
{
    (void)state;
    copied(false);
}

/* WAL mode, but no WAL: a copy of the one file of a run that had just been checkpointed. */
static void in_wal_mode_alone(void **state)
{
    (void)state;
    const char *path = make_store("wal-alone", &tiny);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    mount_tmpfs(DIR, "size=32m");
    copy(path, PATH);
    remount_read_only(DIR);
    read_all(PATH);
    unmount(DIR);
}

int main(void)
{
    need_mounts();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest),
        cmocka_unit_test(with_its_wal),
        cmocka_unit_test(with_its_wal_alone),
        cmocka_unit_test(in_wal_mode_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
