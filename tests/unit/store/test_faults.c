/* When the store syncs and when it does not; then every write, truncation and sync of a whole run fails once: the call that needed it says so, and what is left is a sound
 * store in which a finished cell is complete. */
#include "help.h"

#include "fault_vfs.h"
#include "store/writer.h"

/* --- the VFS ------------------------------------------------------------------------------------------------------- */

struct fault_plan fault;

struct fault_file {
    sqlite3_file base;
    sqlite3_file *real; /* behind this struct */
    bool main;
};

static sqlite3_file *real_of(sqlite3_file *f)
{
    return ((struct fault_file *)f)->real;
}

static bool fails_now(void)
{
    if (fault.countdown <= 0)
        return fault.for_good && fault.failed > 0;
    if (--fault.countdown > 0)
        return false;
    fault.failed++;
    return true;
}

static int on_close(sqlite3_file *f)
{
    return real_of(f)->pMethods->xClose(real_of(f));
}

static int on_read(sqlite3_file *f, void *at, int n, sqlite3_int64 offset)
{
    return real_of(f)->pMethods->xRead(real_of(f), at, n, offset);
}

static int on_write(sqlite3_file *f, const void *at, int n, sqlite3_int64 offset)
{
    fault.main_writes += ((struct fault_file *)f)->main;
    if (fails_now())
        return fault.code;
    return real_of(f)->pMethods->xWrite(real_of(f), at, n, offset);
}

static int on_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    if (fails_now())
        return fault.code;
    return real_of(f)->pMethods->xTruncate(real_of(f), size);
}

static int on_sync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    fault.syncs++;
    return fails_now() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int on_size(sqlite3_file *f, sqlite3_int64 *ret)
{
    return real_of(f)->pMethods->xFileSize(real_of(f), ret);
}

static int on_lock(sqlite3_file *f, int level)
{
    return real_of(f)->pMethods->xLock(real_of(f), level);
}

static int on_unlock(sqlite3_file *f, int level)
{
    return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int on_check(sqlite3_file *f, int *ret)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), ret);
}

static int on_control(sqlite3_file *f, int op, void *arg)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}

static int on_sector(sqlite3_file *f)
{
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int on_device(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int on_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **ret)
{
    return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, ret);
}

static int on_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return real_of(f)->pMethods->xShmLock(real_of(f), offset, n, flags);
}

static void on_shm_barrier(sqlite3_file *f)
{
    real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int on_shm_unmap(sqlite3_file *f, int delete)
{
    return real_of(f)->pMethods->xShmUnmap(real_of(f), delete);
}

static sqlite3_vfs *system_vfs;

static int on_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *ret)
{
    static const sqlite3_io_methods methods = {
        2,           on_close,       on_read,      on_write,   on_truncate, on_sync,   on_size,
        on_lock,     on_unlock,      on_check,     on_control, on_sector,   on_device, on_shm_map,
        on_shm_lock, on_shm_barrier, on_shm_unmap, NULL,       NULL,
    };
    struct fault_file *x = (struct fault_file *)f;
    (void)vfs;
    x->real = (sqlite3_file *)(x + 1);
    x->main = flags & SQLITE_OPEN_MAIN_DB;
    x->real->pMethods = NULL;
    int rc = system_vfs->xOpen(system_vfs, name, x->real, flags, ret);
    x->base.pMethods = x->real->pMethods ? &methods : NULL;
    return rc;
}

void fault_install(void)
{
    static sqlite3_vfs vfs;
    system_vfs = sqlite3_vfs_find(NULL);
    vfs = *system_vfs;
    vfs.zName = "fault";
    vfs.szOsFile += (int)sizeof(struct fault_file);
    vfs.xOpen = on_open;
    assert_int_equal(sqlite3_vfs_register(&vfs, 1), SQLITE_OK);
}

/* --- the tests ----------------------------------------------------------------------------------------------------- */

static const uint32_t depth[] = { 4 };
static const struct made_options tiny = { .n_targets = 1,
                                          .n_workloads = 1,
                                          .queue_depths = depth,
                                          .n_queue_depths = 1,
                                          .seconds = 2,
                                          .slower = 20,
                                          .samples = 20 };

/* 0, or -1 with the error of the first call that failed; the store is closed as the program would. */
static int whole_run(const char *path, struct error *e)
{
    struct store *s = NULL;
    struct sink *sink;
    int rc = store_open(path, STORE_WRITE, &s, e) || store_sink(s, NULL, &sink, e) ||
                     made_run(&tiny, sink, e)
                 ? -1
                 : 0;
    store_close(s);
    return rc;
}

static int add(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    uint64_t *ios = ctx;
    if (i->t_ns >= 0)
        *ios += i->dir[DIR_READ].ios + i->dir[DIR_WRITE].ios;
    return 0;
}

static void check_cell(struct store *s, struct arena *a, const struct cell_row *c, bool done)
{
    struct error e;
    struct hist *h;
    uint64_t ios = 0;
    must(store_intervals(s, c->id, true, add, &ios, &e), &e);
    must(store_hist(s, a, c->id, DIR_ALL, &h, &e), &e);
    assert_true(!done || !strcmp(c->status, "done"));
    if (!strcmp(c->status, "done"))
        assert_int_equal(c->measured_ns, 2000000000);
    assert_int_equal(h ? h->m.n : 0, strcmp(c->status, "planned") && c->measured_ns ? ios : 0);
}

/* As the next program finds it: it may be missing or empty if not even the schema could be written. */
static bool check_store(const char *path, bool done)
{
    struct arena *a = arena_new();
    struct store *s = NULL;
    struct error e;
    struct run_row *runs;
    struct cell_row *cells;
    size_t n, n_cells;
    if (store_open(path, STORE_WRITE, &s, &e)) {
        print_error("%s\n", e.what);
        fail();
    }
    must(store_runs(s, a, &runs, &n, &e), &e);
    assert_true(n <= 1);
    bool any = n == 1;
    if (any) {
        must(store_cells(s, a, runs[0].id, &cells, &n_cells, &e), &e);
        assert_true(!done || !strcmp(runs[0].status, "done"));
        for (size_t i = 0; i < n_cells; i++)
            check_cell(s, a, &cells[i], done);
    }
    store_close(s);
    assert_false(has_file(path, "-wal"));
    sqlite3 *db;
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(q, 0), "ok");
    sqlite3_finalize(q);
    sqlite3_close(db);
    arena_free(a);
    return any;
}

/* Loops until nothing fails any more; returns how often something did. With the making of the store, or from there on. */
static long every_failure(const char *name, bool making, bool for_good, int code)
{
    long n = 1, with_run = 0, told = 0;
    for (;; n++) {
        const char *path = fresh(name);
        struct error e = { 0 };
        if (!making)
            store_close(open_store(path, STORE_WRITE));
        fault_arm(n, for_good, code);
        int rc = whole_run(path, &e);
        bool failed = fault.failed > 0;
        fault_arm(0, false, 0);
        if (rc) {
            told++;
            assert_true(failed);
            assert_non_null(strstr(e.what, path));
            assert_int_equal(e.code, QD_E_IO);
        }
        with_run += check_store(path, rc == 0);
        if (!failed)
            break;
        assert_true(n < 5000);
    }
    assert_true(with_run > n / 4);
    assert_true(told > n / 4);
    return n - 1;
}

static void one_operation_fails(void **state)
{
    (void)state;
    assert_true(every_failure("fault-once", true, false, SQLITE_IOERR_WRITE) > 30);
}

static void all_fail_from_one_on(void **state)
{
    (void)state;
    assert_true(every_failure("fault-good", false, true, SQLITE_IOERR_WRITE) > 30);
}

static void the_disk_is_full_once(void **state)
{
    (void)state;
    assert_true(every_failure("fault-full", false, false, SQLITE_FULL) > 30);
}

/* --- the durability rule (design.md §4) ---------------------------------------------------------------------------- */

/* What an interval of a running cell may cost. */
enum rule { NOTHING, A_SYNC, A_CHECKPOINT };
struct probe {
    enum rule rule;
    long syncs, main_writes; /* at the last call */
    int n_intervals;
};

static void take(struct probe *p)
{
    p->syncs = fault.syncs;
    p->main_writes = fault.main_writes;
}

static int at_begin(void *self, const struct cell_begin *c, struct error *e)
{
    (void)c;
    (void)e;
    take(self);
    return 0;
}

static int at_interval(void *self, const struct interval *i, struct error *e)
{
    struct probe *p = self;
    (void)i;
    (void)e;
    assert_int_equal(fault.syncs > p->syncs, p->rule != NOTHING);
    assert_int_equal(fault.main_writes > p->main_writes, p->rule == A_CHECKPOINT);
    take(p);
    p->n_intervals++;
    return 0;
}

static int at_end(void *self, const struct cell_result *r, struct error *e)
{
    struct probe *p = self;
    (void)r;
    (void)e;
    assert_true(fault.syncs >= p->syncs + 2); /* the WAL, then the database */
    assert_true(fault.main_writes > p->main_writes);
    return 0;
}

static void probe_run(const char *name, const struct store_sink_options *with, enum rule rule)
{
    static const struct sink_ops ops = { .cell_begin = at_begin,
                                         .interval = at_interval,
                                         .cell_end = at_end };
    struct store *s = open_store(fresh(name), STORE_WRITE);
    struct probe p = { .rule = rule };
    struct sink second = { .ops = &ops, .self = &p };
    struct sink_tee tee = { .second = &second };
    struct error e;
    must(store_sink(s, with, &tee.first, &e), &e);
    if (rule == A_CHECKPOINT)
        s->writer->checkpoint_every_ns = 0;
    struct sink both = sink_tee(&tee);
    must(made_run(&tiny, &both, &e), &e);
    assert_int_equal(p.n_intervals, 3);
    store_close(s);
}

static void nothing_is_synced_while_a_cell_runs(void **state)
{
    (void)state;
    probe_run("sync-normal", NULL, NOTHING);
}

static void durable_syncs_each_second(void **state)
{
    (void)state;
    static const struct store_sink_options durable = { .durable = true };
    probe_run("sync-durable", &durable, A_SYNC);
}

/* The ten minutes are up at once. */
static void a_long_cell_is_checkpointed(void **state)
{
    (void)state;
    probe_run("sync-long", NULL, A_CHECKPOINT);
}

int main(void)
{
    fault_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_synced_while_a_cell_runs),
        cmocka_unit_test(durable_syncs_each_second),
        cmocka_unit_test(a_long_cell_is_checkpointed),
        cmocka_unit_test(one_operation_fails),
        cmocka_unit_test(all_fail_from_one_on),
        cmocka_unit_test(the_disk_is_full_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
