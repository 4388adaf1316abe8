/* A process killed in the middle of a cell loses at most the running second; two processes write to one store. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "snapshot.h"

static const uint32_t depth[] = { 4, 8 };
#define SMALL .n_targets = 1, .n_workloads = 1, .queue_depths = depth, .n_queue_depths = 2

/* A sink between the maker and the store: after every interval it tells the parent through a pipe. */
struct teller {
    struct sink *store;
    int fd;
};

static int tell(void *self, const struct interval *i, struct error *e)
{
    struct teller *t = self;
    if (sink_interval(t->store, i, e))
        return -1;
    char byte = 'i';
    if (write(t->fd, &byte, 1) != 1)
        _exit(3);
    return 0;
}

static int pass_begin(void *self, const struct run_record *r, struct error *e)
{
    return sink_run_begin(((struct teller *)self)->store, r, e);
}

static int pass_target(void *self, const struct target_record *t, struct error *e)
{
    return sink_target(((struct teller *)self)->store, t, e);
}

static int pass_cell(void *self, const struct cell_begin *c, struct error *e)
{
    return sink_cell_begin(((struct teller *)self)->store, c, e);
}

static int pass_samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    return sink_samples(((struct teller *)self)->store, at, n, e);
}

static int pass_event(void *self, const struct event *ev, struct error *e)
{
    return sink_event(((struct teller *)self)->store, ev, e);
}

static int pass_end(void *self, const struct cell_result *r, struct error *e)
{
    return sink_cell_end(((struct teller *)self)->store, r, e);
}

/* Never returns: waits to be killed after `intervals` of them (the ramp counts). */
static void child(const char *path, int fd, const struct made_options *o)
{
    static const struct sink_ops ops = { .run_begin = pass_begin,
                                         .target = pass_target,
                                         .cell_begin = pass_cell,
                                         .interval = tell,
                                         .samples = pass_samples,
                                         .event = pass_event,
                                         .cell_end = pass_end };
    struct store *s;
    struct sink *sink;
    struct error e;
    if (store_open(path, STORE_WRITE, &s, &e) || store_sink(s, NULL, &sink, &e))
        _exit(1);
    struct teller t = { .store = sink, .fd = fd };
    struct sink telling = { .ops = &ops, .self = &t };
    if (made_run(o, &telling, &e))
        _exit(2);
    for (;;)
        pause();
}

/* Runs the maker in a child until `intervals` were acknowledged, then kills it. */
static void kill_after(const char *path, const struct made_options *o, int intervals)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        child(path, ends[1], o);
    }
    close(ends[1]);
    char byte;
    for (int i = 0; i < intervals; i++)
        assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(kill(pid, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    close(ends[0]);
}

static int count(void *ctx, const struct interval *i, struct error *e)
{
    (void)i;
    (void)e;
    ++*(size_t *)ctx;
    return 0;
}

/* 1 s of ramp and 3 s of a cell of 6 s are acknowledged; then the maker waits as if measuring. */
static const struct made_gap cut = { -1, -1, 8, -1, CELL_RUNNING, NULL };
static const struct made_options killed = { SMALL, .seconds = 6, .gaps = &cut, .n_gaps = 1 };
enum { FIRST_CELL = 7, ACKNOWLEDGED = 4 };

static void nothing_acknowledged_is_lost(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *dir = fresh_dir(a, "killed"), *path = arena_printf(a, "%s/q.db", dir);
    kill_after(path, &killed, FIRST_CELL + ACKNOWLEDGED);
    assert_true(has_file(path, "-wal"));
    const char *before = snapshot(a, dir);
    struct store *s = open_store(path, STORE_READ);
    struct error e;
    struct run_row run;
    struct cell_row *c;
    size_t n, seen = 0;
    must(store_find_run(s, a, "latest", &run, &e), &e);
    assert_string_equal(run.status, "interrupted");
    must(store_cells(s, a, run.id, &c, &n, &e), &e);
    assert_int_equal(n, 2);
    assert_string_equal(c[0].status, "done");
    assert_string_equal(c[1].status, "interrupted");
    assert_non_null(c[1].reason);
    must(store_intervals(s, c[1].id, true, count, &seen, &e), &e);
    assert_int_equal(seen, ACKNOWLEDGED);
    struct result_row *r;
    must(store_results(s, a, run.id, &r, &n, &e), &e);
    assert_string_equal(r[n - 1].status, "interrupted");
    assert_nan(r[n - 1].iops);
    store_close(s);
    assert_string_equal(snapshot(a, dir), before); /* not even the index of the WAL */
    arena_free(a);
}

/* Also when the WAL's index is lost, as after a power cut, or when both were copied. */
static void a_wal_without_its_index_is_read(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *dir = fresh_dir(a, "no-index"), *path = arena_printf(a, "%s/q.db", dir);
    kill_after(path, &killed, FIRST_CELL + ACKNOWLEDGED);
    assert_int_equal(unlink(arena_printf(a, "%s-shm", path)), 0);
    const char *before = snapshot(a, dir);
    struct store *s = open_store(path, STORE_READ);
    struct error e;
    struct cell_row *c;
    size_t n, seen = 0;
    must(store_cells(s, a, 1, &c, &n, &e), &e);
    must(store_intervals(s, c[1].id, true, count, &seen, &e), &e);
    assert_int_equal(seen, ACKNOWLEDGED);
    store_close(s);
    assert_string_equal(snapshot(a, dir), before);
    arena_free(a);
}

static void the_next_writer_sums_up_what_is_there(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *path = fresh("killed-recovered");
    kill_after(path, &killed, FIRST_CELL + ACKNOWLEDGED);
    store_close(open_store(path, STORE_WRITE));
    assert_false(has_file(path, "-wal"));
    struct store *s = open_store(path, STORE_READ);
    struct error e;
    struct cell_row *c;
    struct result_row *r;
    struct hist *h;
    size_t n;
    must(store_cells(s, a, 1, &c, &n, &e), &e);
    assert_string_equal(c[1].status, "interrupted");
    assert_int_equal(c[1].measured_ns, 3000000000);
    must(store_hist(s, a, c[1].id, DIR_ALL, &h, &e), &e);
    must(store_results(s, a, 1, &r, &n, &e), &e);
    assert_int_equal(r[n - 1].ios, h->m.n);
    assert_close(r[n - 1].iops, (double)h->m.n / 3, 1e-15);
    assert_close(r[n - 1].lat_stddev_ns, moments_deviation(&h->m), 0);
    store_close(s);
    struct made_options again = { SMALL, .seconds = 6, .first_cell = 1 };
    s = open_store(path, STORE_WRITE);
    struct store_sink_options with = { .resume_run = 1 };
    struct sink *sink;
    must(store_sink(s, &with, &sink, &e), &e);
    must(made_run(&again, sink, &e), &e);
    must(store_cells(s, a, 1, &c, &n, &e), &e);
    assert_int_equal(n, 2);
    assert_string_equal(c[1].status, "done");
    assert_int_equal(c[1].attempt, 2);
    store_close(s);
    arena_free(a);
}

/* A reader that may write ends the broken run first; after that it changes nothing, and a run that goes on stays as it is. */
static void a_reader_may_end_a_broken_run(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *dir = fresh_dir(a, "whole"), *path = arena_printf(a, "%s/q.db", dir);
    struct store *s = NULL;
    struct error e;
    struct cell_row *c;
    size_t n;
    kill_after(path, &killed, FIRST_CELL + ACKNOWLEDGED);
    for (int i = 0; i < 2; i++) {
        const char *before = snapshot(a, dir);
        must(store_open_whole(path, &s, &e), &e);
        must(store_cells(s, a, 1, &c, &n, &e), &e);
        assert_string_equal(c[1].status, "interrupted");
        assert_int_equal(c[1].measured_ns, 3000000000);
        store_close(s);
        assert_int_equal(strcmp(snapshot(a, dir), before) == 0, i == 1);
    }
    fails_with(store_open_whole(fresh("whole-none"), &s, &e), &e, QD_E_NOTFOUND, "no such file");
    arena_free(a);
}

/* A living process is not taken for a dead one. */
static void a_running_run_is_running(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *path = fresh("alive");
    struct store *s = open_store(path, STORE_WRITE), *other;
    struct sink *sink;
    struct error e;
    must(store_sink(s, NULL, &sink, &e), &e);
    must(made_run(&killed, sink, &e), &e);
    other = open_store(path, STORE_WRITE);
    struct run_row run;
    struct cell_row *c;
    size_t n;
    must(store_find_run(other, a, "latest", &run, &e), &e);
    assert_string_equal(run.status, "running");
    must(store_cells(other, a, run.id, &c, &n, &e), &e);
    assert_string_equal(c[1].status, "running");
    store_close(other);
    store_close(s);
    arena_free(a);
}

/* Killed at many points: the store always opens and is consistent. */
static void killed_anywhere(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    for (int after = 1; after < FIRST_CELL + ACKNOWLEDGED; after++) {
        const char *path = fresh("killed-anywhere");
        kill_after(path, &killed, after);
        read_all(path);
        struct store *s = open_store(path, STORE_WRITE);
        struct error e;
        struct cell_row *c;
        size_t n, seen = 0;
        must(store_cells(s, a, 1, &c, &n, &e), &e);
        assert_int_equal(n, 2);
        for (size_t i = 0; i < n; i++) {
            assert_string_not_equal(c[i].status, "running");
            must(store_intervals(s, c[i].id, true, count, &seen, &e), &e);
        }
        assert_true(seen >= (size_t)after);
        store_close(s);
    }
    arena_free(a);
}

static pid_t write_in_child(const char *path)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    struct store *s;
    struct sink *sink;
    struct error e;
    struct made_options o = { SMALL, .seconds = 3 };
    bool bad = store_open(path, STORE_WRITE, &s, &e) || store_sink(s, NULL, &sink, &e) ||
               made_run(&o, sink, &e);
    if (bad)
        fprintf(stderr, "%s\n", e.what);
    else
        store_close(s);
    _exit(bad);
}

/* Whatever state the writer is in, from making the file to folding it: a reader always gets a sound answer. */
static void reading_while_another_process_writes(void **state)
{
    (void)state;
    const char *path = fresh("watched");
    store_close(open_store(path, STORE_WRITE));
    for (int round = 0; round < 3; round++) {
        pid_t pid = write_in_child(path);
        int status, n_reads = 0;
        for (; waitpid(pid, &status, WNOHANG) == 0; n_reads++)
            read_all(path);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_true(n_reads > 0);
    }
    store_close(open_store(path, STORE_WRITE));
    assert_false(has_file(path, "-wal"));
    read_all(path);
}

/* They also make the store together. */
static void two_runs_into_one_store(void **state)
{
    (void)state;
    enum { WRITERS = 3 };
    struct arena *a = arena_new();
    const char *path = fresh("together");
    for (int i = 0; i < WRITERS; i++)
        write_in_child(path);
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    store_close(open_store(path, STORE_WRITE));
    assert_false(has_file(path, "-wal"));
    struct store *s = open_store(path, STORE_READ);
    struct error e;
    struct run_row *runs;
    size_t n;
    const char *first, *hash;
    must(store_runs(s, a, &runs, &n, &e), &e);
    assert_int_equal(n, WRITERS);
    must(store_data_hash(s, a, 1, &first, &e), &e);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(runs[i].status, "done");
        assert_int_equal(runs[i].n_done, 2);
        must(store_data_hash(s, a, runs[i].id, &hash, &e), &e);
        assert_string_equal(hash, first); /* equal data, whatever was between */
    }
    store_close(s);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_acknowledged_is_lost),
        cmocka_unit_test(a_wal_without_its_index_is_read),
        cmocka_unit_test(the_next_writer_sums_up_what_is_there),
        cmocka_unit_test(a_reader_may_end_a_broken_run),
        cmocka_unit_test(a_running_run_is_running),
        cmocka_unit_test(killed_anywhere),
        cmocka_unit_test(reading_while_another_process_writes),
        cmocka_unit_test(two_runs_into_one_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
