/* Names, finding, renaming, deleting, and the journal of own files. */
#include <sqlite3.h>

#include "help.h"

static const uint32_t depth[] = { 4 };
static const struct made_options tiny = {
    .n_targets = 1, .n_workloads = 1, .queue_depths = depth, .n_queue_depths = 1, .seconds = 1
};

static void names_that_cannot_be(void **state)
{
    (void)state;
    struct error e;
    static const char *const bad[] = { "",   "123", "latest", "a/b",  ".",    "..",
                                       "-x", " a",  "a ",     "a\nb", "\x7f", "\xff" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        fails_with(store_check_name(bad[i], &e), &e, QD_E_USAGE, "cannot name a run");
    fails_with(store_check_name(NULL, &e), &e, QD_E_USAGE, "empty");
    char lengthy[200];
    memset(lengthy, 'a', sizeof lengthy);
    lengthy[199] = '\0';
    fails_with(store_check_name(lengthy, &e), &e, QD_E_USAGE, "120 bytes");
    static const char *const good[] = { "oltp", "oltp-2", "2024 review", "a.b", "Über", "Latest" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        must(store_check_name(good[i], &e), &e);
}

static void a_taken_name_gets_a_number(void **state)
{
    (void)state;
    struct store *s = open_store(fresh("names"), STORE_WRITE);
    static const char *const want[] = { "made", "made-2", "made-3" };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(put_run(s, &tiny), i + 1);
        assert_string_equal(store_sink_run_name(s), want[i]);
    }
    struct made_options refused = tiny;
    refused.name = "latest";
    struct sink *sink;
    struct error e;
    must(store_sink(s, NULL, &sink, &e), &e);
    fails_with(made_run(&refused, sink, &e), &e, QD_E_USAGE, "newest run");
    assert_int_equal(store_sink_run(s), 0);
    store_close(s);
}

static void runs_are_found_by_name_number_and_latest(void **state)
{
    (void)state;
    struct store *s = open_store(fresh("find"), STORE_WRITE);
    struct arena *a = arena_new();
    struct error e;
    struct run_row r;
    fails_with(store_find_run(s, a, "latest", &r, &e), &e, QD_E_NOTFOUND, "has none");
    put_run(s, &tiny);
    struct made_options other = tiny;
    other.name = "other";
    put_run(s, &other);
    must(store_find_run(s, a, "made", &r, &e), &e);
    assert_int_equal(r.id, 1);
    must(store_find_run(s, a, "2", &r, &e), &e);
    assert_string_equal(r.name, "other");
    must(store_find_run(s, a, "latest", &r, &e), &e);
    assert_int_equal(r.id, 2);
    assert_string_equal(r.title, "A made run");
    assert_string_equal(r.status, "done");
    assert_string_equal(r.version, "0.0-made");
    assert_string_equal(r.engine_version, "");
    assert_string_equal(r.config_hash, "made");
    assert_string_equal(r.matrix_name, "made");
    assert_string_equal(r.report, "comparison");
    assert_null(r.note);
    assert_false(r.import);
    assert_int_equal(r.started_ns, MADE_STARTED_NS);
    assert_true(r.finished_ns > r.started_ns);
    assert_int_equal(r.seed, 1);
    assert_int_equal(r.n_targets, 1);
    assert_int_equal(r.n_cells, 1);
    assert_int_equal(r.n_done, 1);
    assert_int_equal(r.n_host, 5); /* the last was taken after the run */
    assert_string_equal(r.host[4].key, "Temperature after");
    fails_with(store_find_run(s, a, "3", &r, &e), &e, QD_E_NOTFOUND, "cannot find run '3'");
    fails_with(store_find_run(s, a, "99999999999999999999", &r, &e), &e, QD_E_NOTFOUND, "cannot");
    fails_with(store_find_run(s, a, "x'; DROP TABLE run; --", &r, &e), &e, QD_E_NOTFOUND, "DROP");
    struct run_row *runs;
    size_t n;
    must(store_runs(s, a, &runs, &n, &e), &e);
    assert_int_equal(n, 2);
    assert_string_equal(runs[0].name, "made");
    arena_free(a);
    store_close(s);
}

static void targets_and_workloads_come_back(void **state)
{
    (void)state;
    struct made_options o = { .n_workloads = 4, .queue_depths = depth, .n_queue_depths = 1 };
    struct store *s = open_store(make_store("targets", &o), STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct target_row *t;
    struct workload_row *w;
    size_t n;
    must(store_targets(s, a, 1, &t, &n, &e), &e);
    assert_int_equal(n, 3);
    for (uint32_t i = 0; i < n; i++) {
        struct target_record want = made_target(a, i);
        assert_int_equal(t[i].record.no, i);
        assert_string_equal(t[i].record.name, want.name);
        assert_string_equal(t[i].record.path, want.path);
        assert_int_equal(t[i].record.kind, want.kind);
        assert_string_equal(t[i].record.identity, want.identity);
        assert_string_equal(t[i].record.layout, want.layout);
        assert_int_equal(t[i].record.capacity_bytes, want.capacity_bytes);
        assert_int_equal(t[i].record.span_bytes, want.span_bytes);
        assert_int_equal(t[i].record.highlighted, i == 0);
        assert_int_equal(t[i].record.n_facts, 3);
        assert_string_equal(t[i].record.facts[0].value, want.facts[0].value);
        assert_true(i == 0 || t[i].id > t[i - 1].id);
    }
    const struct plan *p = made_plan(a, &o);
    must(store_workloads(s, a, 1, &w, &n, &e), &e);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        const struct workload *want = &p->workloads[i];
        assert_string_equal(w[i].workload.id, want->id);
        assert_string_equal(w[i].workload.title, want->title);
        assert_int_equal(w[i].workload.n_lines, want->n_lines);
        for (uint32_t k = 0; k < want->n_lines; k++) {
            const struct access_line *x = &w[i].workload.lines[k], *y = &want->lines[k];
            assert_int_equal(x->share_bp, y->share_bp);
            assert_int_equal(x->size, y->size);
            assert_int_equal(x->read_bp, y->read_bp);
            assert_int_equal(x->random_bp, y->random_bp);
            assert_int_equal(x->sync, y->sync);
            assert_int_equal(x->sync_every, y->sync_every);
            assert_int_equal(x->distribution, y->distribution);
        }
    }
    arena_free(a);
    store_close(s);
}

static void renaming(void **state)
{
    (void)state;
    struct store *s = open_store(fresh("rename"), STORE_WRITE);
    struct arena *a = arena_new();
    struct error e;
    struct run_row r;
    put_run(s, &tiny);
    put_run(s, &tiny);
    must(store_rename_run(s, 1, "first", &e), &e);
    must(store_rename_run(s, 1, "first", &e), &e); /* its own name is free */
    must(store_find_run(s, a, "first", &r, &e), &e);
    assert_int_equal(r.id, 1);
    fails_with(store_rename_run(s, 2, "first", &e), &e, QD_E_USAGE, "another run");
    fails_with(store_rename_run(s, 2, "42", &e), &e, QD_E_USAGE, "digits");
    fails_with(store_rename_run(s, 9, "nine", &e), &e, QD_E_NOTFOUND, "run 9");
    arena_free(a);
    store_close(s);
}

static int64_t count_rows(const char *path, const char *table)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return n;
}

static void deleting_leaves_nothing_behind(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "run",      "target",   "environment", "workload",    "access_line",
        "cell",     "result",   "histogram",   "latency",     "merged_latency",
        "evenness", "sample",   "line_result", "percentile",  "interval",
        "event",    "own_file", "left_out",    "source_file", "interval_histogram",
    };
    enum { N = sizeof tables / sizeof *tables };
    const char *path = fresh("delete");
    struct error e;
    struct made_options import = tiny, errors = tiny;
    import.import = true;
    errors.errors = true;
    struct store *s = open_store(path, STORE_WRITE);
    put_run(s, &errors);
    store_close(s);
    int64_t before[N];
    for (int i = 0; i < N; i++)
        before[i] = count_rows(path, tables[i]);
    s = open_store(path, STORE_WRITE);
    int64_t gone = put_run(s, &errors), also = put_run(s, &import);
    must(store_delete_run(s, gone, &e), &e);
    must(store_delete_run(s, also, &e), &e);
    fails_with(store_delete_run(s, gone, &e), &e, QD_E_NOTFOUND, "run 2");
    assert_int_equal(put_run(s, &tiny), 4); /* numbers are never used again */
    must(store_delete_run(s, 4, &e), &e);
    store_close(s);
    for (int i = 0; i < N; i++)
        assert_int_equal(count_rows(path, tables[i]), before[i]);
}

static void a_run_being_written_is_not_deleted(void **state)
{
    (void)state;
    struct store *s = open_store(fresh("delete-running"), STORE_WRITE);
    struct error e;
    struct sink *sink;
    must(store_sink(s, NULL, &sink, &e), &e);
    struct run_record r = { .name = "a", .started_ns = 1 };
    must(sink_run_begin(sink, &r, &e), &e);
    fails_with(store_delete_run(s, 1, &e), &e, QD_E_FAIL, "being written");
    store_close(s);
}

static void own_files_are_remembered(void **state)
{
    (void)state;
    const char *path = fresh("own-files");
    struct store *s = open_store(path, STORE_WRITE);
    struct arena *a = arena_new();
    struct error e;
    int64_t run = put_run(s, &tiny);
    must(store_own_file_add(s, run, "/x/scratch", 5, UINT64_MAX, &e), &e);
    must(store_own_file_add(s, 0, "/y", 6, 7, &e), &e);
    must(store_own_file_add(s, run, "/x/scratch", 8, UINT64_MAX, &e), &e); /* made again */
    must(store_own_file_gone(s, "/never", &e), &e);
    must(store_delete_run(s, run, &e), &e); /* what must be cleaned up outlives the run */
    store_close(s);
    s = open_store(path, STORE_READ);
    struct own_file_row *f;
    size_t n;
    must(store_own_files(s, a, &f, &n, &e), &e);
    assert_int_equal(n, 2);
    assert_string_equal(f[0].path, "/y");
    assert_string_equal(f[1].path, "/x/scratch");
    assert_int_equal(f[1].run, 0);
    assert_int_equal(f[1].dev, 8);
    assert_true(f[1].ino == UINT64_MAX);
    store_close(s);
    s = open_store(path, STORE_WRITE);
    must(store_own_file_gone(s, "/x/scratch", &e), &e);
    must(store_own_files(s, a, &f, &n, &e), &e);
    assert_int_equal(n, 1);
    arena_free(a);
    store_close(s);
}

static void steps_to_undo_are_remembered(void **state)
{
    (void)state;
    const char *path = fresh("undo");
    struct store *s = open_store(path, STORE_WRITE);
    struct arena *a = arena_new();
    struct error e;
    int64_t run = put_run(s, &tiny), id[3];
    const struct undo_row rows[] = {
        { .run = run, .kind = "wipe", .subject = "/dev/x", .value = "uuid" },
        { .run = run, .kind = "remove-folder", .subject = "/run/x" },
        { .kind = "unmount", .subject = "/run/y", .value = "z" },
    };
    for (int i = 0; i < 3; i++)
        must(store_undo_add(s, &rows[i], &id[i], &e), &e);
    must(store_delete_run(s, run, &e), &e); /* what must be undone outlives the run */
    store_close(s);
    s = open_store(path, STORE_WRITE);
    struct undo_row *u;
    size_t n;
    must(store_undo_steps(s, a, &u, &n, &e), &e);
    assert_int_equal(n, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(u[i].id, id[2 - i]); /* newest first */
        assert_string_equal(u[i].kind, rows[2 - i].kind);
        assert_string_equal(u[i].subject, rows[2 - i].subject);
        assert_int_equal(u[i].run, 0);
        assert_false(u[i].in_use);
    }
    assert_string_equal(u[2].value, "uuid");
    assert_null(u[1].value);
    must(store_undo_gone(s, id[1], &e), &e);
    must(store_undo_gone(s, id[1], &e), &e);
    must(store_undo_steps(s, a, &u, &n, &e), &e);
    assert_int_equal(n, 2);
    struct sink *sink;
    must(store_sink(s, NULL, &sink, &e), &e);
    struct run_record r = { .name = "going-on", .started_ns = 1 };
    must(sink_run_begin(sink, &r, &e), &e);
    const struct undo_row mine = { .run = store_sink_run(s), .kind = "wipe", .subject = "/dev/z" };
    must(store_undo_add(s, &mine, &id[0], &e), &e);
    must(store_undo_steps(s, a, &u, &n, &e), &e);
    assert_int_equal(n, 3);
    assert_true(u[0].in_use);
    assert_false(u[1].in_use);
    arena_free(a);
    store_close(s);
}

struct meddler {
    struct store *store;
    int n;
};

static int meddle(void *self, const struct interval *i, struct error *e)
{
    struct meddler *m = self;
    (void)i;
    m->n++;
    return store_own_file_add(m->store, store_sink_run(m->store), "/scratch", 1, 2, e);
}

/* The sink may hold calls it has not committed yet when they come faster than real time. */
static void changes_between_the_calls_of_a_sink(void **state)
{
    (void)state;
    static const struct sink_ops ops = { .interval = meddle };
    struct store *s = open_store(fresh("between"), STORE_WRITE);
    struct meddler m = { .store = s };
    struct sink second = { .ops = &ops, .self = &m };
    struct sink_tee tee = { .second = &second };
    struct sink both = sink_tee(&tee);
    struct made_options o = tiny;
    struct error e;
    o.seconds = 50;
    o.slower = 20;
    must(store_sink(s, NULL, &tee.first, &e), &e);
    must(made_run(&o, &both, &e), &e);
    assert_int_equal(m.n, 51);
    must(store_rename_run(s, store_sink_run(s), "later", &e), &e);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_cannot_be),
        cmocka_unit_test(a_taken_name_gets_a_number),
        cmocka_unit_test(runs_are_found_by_name_number_and_latest),
        cmocka_unit_test(targets_and_workloads_come_back),
        cmocka_unit_test(renaming),
        cmocka_unit_test(deleting_leaves_nothing_behind),
        cmocka_unit_test(a_run_being_written_is_not_deleted),
        cmocka_unit_test(own_files_are_remembered),
        cmocka_unit_test(steps_to_undo_are_remembered),
        cmocka_unit_test(changes_between_the_calls_of_a_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
