/* The disk fills up in the middle of a cell: a clear message, and everything committed stays readable. */
#include <sys/wait.h>

#include "mount.h"
#include "snapshot.h"

#define DIR TEST_OUT "/store/disk-full"
#define PATH DIR "/q.db"

static const uint32_t depth[] = { 8 };

static int count(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    size_t *n = ctx;
    assert_int_equal(i->t_ns, ((int64_t)*n - 1) * 1000000000);
    ++*n;
    return 0;
}

static size_t stored_intervals(struct store *s)
{
    struct arena *a = arena_new();
    struct error e;
    struct cell_row *c;
    size_t n, seen = 0;
    must(store_cells(s, a, 1, &c, &n, &e), &e);
    must(store_intervals(s, c[0].id, true, count, &seen, &e), &e);
    arena_free(a);
    return seen;
}

/* In a child, as a program that ends: 0 if it failed as it should. */
static int write_until_full(void)
{
    struct made_options lengthy = { .n_targets = 1,
                                    .n_workloads = 1,
                                    .queue_depths = depth,
                                    .n_queue_depths = 1,
                                    .seconds = 100000,
                                    .slower = 10 };
    struct store *s;
    struct sink *sink;
    struct error e;
    if (store_open(PATH, STORE_WRITE, &s, &e) || store_sink(s, NULL, &sink, &e))
        return 1;
    if (!made_run(&lengthy, sink, &e))
        return 2;
    bool clear = e.code == QD_E_IO && e.sys == ENOSPC && strstr(e.what, PATH) &&
                 strstr(e.what, "No space left on device");
    if (!clear)
        fprintf(stderr, "%s\n", e.what);
    store_close(s); /* cannot be folded: the WAL stays */
    return clear ? 0 : 3;
}

static void everything_committed_stays_readable(void **state)
{
    (void)state;
    mount_tmpfs(DIR, "size=3m");
    pid_t pid = fork();
    if (pid == 0)
        _exit(write_until_full());
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    struct arena *a = arena_new();
    struct error e;
    struct run_row run;
    struct store *s = open_store(PATH, STORE_READ);
    size_t there = stored_intervals(s);
    assert_true(there > 100);
    must(store_find_run(s, a, "latest", &run, &e), &e);
    assert_string_equal(run.status, "interrupted");
    store_close(s);
    assert_int_equal(mount("qdepth-test", DIR, "tmpfs", MS_REMOUNT, "size=64m"), 0);
    store_close(open_store(PATH, STORE_WRITE));
    assert_false(has_file(PATH, "-wal"));
    read_all(PATH);
    s = open_store(PATH, STORE_READ);
    assert_int_equal(stored_intervals(s), there);
    store_close(s);
    arena_free(a);
    unmount(DIR);
}

static void a_full_disk_from_the_start(void **state)
{
    (void)state;
    mount_tmpfs(DIR, "size=64k");
    struct store *s = NULL;
    struct error e;
    fails_with(store_open(PATH, STORE_WRITE, &s, &e), &e, QD_E_IO, "No space left on device");
    unmount(DIR);
}

int main(void)
{
    need_mounts();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_committed_stays_readable),
        cmocka_unit_test(a_full_disk_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
