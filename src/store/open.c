#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/oom.h"
#include "base/str.h"
#include "store/db.h"
#include "store/recover.h"
#include "store/store.h"
#include "store/writer.h"

enum {
    HEADER_BYTES = 100,
    HEADER_WAL = 18,    /* 2: the file is in WAL mode */
    HEADER_APP_ID = 68, /* big-endian, 32 bits */
    BUSY_MS = 30000,    /* longest wait for another writer's commit or checkpoint */
    READ_TRIES = 100,
    FOLD_TRIES = 10,
    FOLD_PAUSE_MS = 20,
    PATH_LIMIT = 64 << 10,
};

/* What lies on the disk before anything is opened. */
struct ground {
    bool exists, empty, wal_mode, has_wal, has_shm;
    bool wal_filled;
};

static bool beside(const char *path, const char *suffix, bool filled)
{
    struct str s = str_new(PATH_LIMIT);
    str_printf(&s, "%s%s", path, suffix);
    struct stat st;
    bool there = !stat(s.at, &st) && (!filled || st.st_size > 0);
    str_done(&s);
    return there;
}

/* Through the VFS: closing a descriptor of our own would drop the locks this process has on the file. */
static int read_header(const char *path, unsigned char *ret, struct error *e)
{
    if (access(path, R_OK))
        return error_sys(e, errno, "cannot open store '%s'", path);
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    sqlite3_filename name = sqlite3_create_filename(path, "", "", 0, NULL);
    sqlite3_file *f = xcalloc(1, (size_t)vfs->szOsFile);
    int rc = vfs->xOpen(vfs, name, f, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, NULL);
    if (rc == SQLITE_OK)
        rc = f->pMethods->xRead(f, ret, HEADER_BYTES, 0);
    if (f->pMethods)
        f->pMethods->xClose(f);
    free(f);
    sqlite3_free_filename(name);
    if (rc == SQLITE_OK || rc == SQLITE_IOERR_SHORT_READ)
        return 0;
    return error_sys(e, EIO, "cannot read store '%s'", path);
}

static int check_header(const char *path, const unsigned char *h, struct error *e)
{
    if (memcmp(h, "SQLite format 3", 16) != 0)
        return error_set(e, QD_E_FAIL, "cannot open '%s' as a store: it is not a database", path);
    uint32_t id = 0;
    for (int i = 0; i < 4; i++)
        id = id << 8 | h[HEADER_APP_ID + i];
    if (id != APPLICATION_ID)
        return error_set(e, QD_E_FAIL,
                         "cannot open '%s' as a store: it is a database of another program", path);
    return 0;
}

static int survey(const char *path, struct ground *ret, struct error *e)
{
    struct stat st;
    *ret = (struct ground) { 0 };
    if (stat(path, &st)) {
        if (errno == ENOENT)
            return 0;
        return error_sys(e, errno, "cannot open store '%s'", path);
    }
    if (!S_ISREG(st.st_mode))
        return error_set(e, QD_E_FAIL, "cannot open '%s' as a store: it is not a file", path);
    ret->exists = true;
    ret->empty = st.st_size == 0;
    char *real = realpath(path, NULL);
    if (!real)
        return error_sys(e, errno, "cannot open store '%s'", path);
    ret->has_wal = beside(real, "-wal", false);
    ret->wal_filled = beside(real, "-wal", true);
    ret->has_shm = beside(real, "-shm", false);
    unsigned char header[HEADER_BYTES] = { 0 };
    int rc = ret->empty ? 0 : read_header(real, header, e) || check_header(path, header, e);
    ret->wal_mode = header[HEADER_WAL] == 2;
    free(real);
    return rc ? -1 : 0;
}

/* An absolute or "./" path, so that no name means anything special to SQLite. */
static void put_uri(struct str *s, const char *path)
{
    str_put(s, *path == '/' ? "file:/" : "file:./");
    for (const char *p = path + strspn(path, "/"); *p; p++)
        if (strchr("?#%", *p))
            str_printf(s, "%%%02X", (unsigned)(unsigned char)*p);
        else
            str_char(s, *p);
}

static void drop_statements(struct store *s)
{
    for (int i = 0; i < ST_COUNT; i++) {
        sqlite3_finalize(s->cached[i]);
        s->cached[i] = NULL;
    }
}

static void disconnect(struct store *s)
{
    drop_statements(s);
    sqlite3_close(s->db);
    s->db = NULL;
}

static int connect_to(struct store *s, const char *way, int flags, struct error *e)
{
    struct str uri = str_new(PATH_LIMIT);
    put_uri(&uri, s->path);
    str_printf(&uri, "?%s", way);
    int rc = sqlite3_open_v2(uri.at, &s->db, flags | SQLITE_OPEN_URI, NULL);
    str_done(&uri);
    if (rc)
        return s->db ? db_fail(s, e) : (base_oom(0), -1);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return 0;
}

static int check_version(struct store *s, struct error *e)
{
    int64_t version = 0;
    if (db_int_(s, ST_USER_VERSION, NULL, 0, &version, e) < 0)
        return -1;
    if (version == SCHEMA_VERSION)
        return 0;
    if (version > SCHEMA_VERSION)
        return error_set(e, QD_E_FAIL,
                         "cannot open store '%s': it was written by a newer qdepth (schema %lld, "
                         "this one knows %d)",
                         s->path, (long long)version, SCHEMA_VERSION);
    return error_set(e, QD_E_FAIL, "cannot open store '%s': it has no schema", s->path);
}

/* --- reading -------------------------------------------------------------------------------------------------------- */

/* How to read without changing a byte, whatever state the file was left in:
 * - not in WAL mode, or a WAL with the shared index of its writer (alive or killed): plainly, the index read-only;
 * - a WAL whose index is gone (copied, or lost with the power): nobody can be writing, so without locks and with an index in
 *   memory (that is what locking_mode=EXCLUSIVE does);
 * - WAL mode but no WAL: whole and at rest; SQLite would make both files, so it is told that nothing can change. */
static const char *reading_way(const struct ground *g)
{
    if ((!g->wal_mode && !g->wal_filled) || (g->has_wal && g->has_shm))
        return "mode=ro&readonly_shm=1";
    return g->wal_filled ? "mode=ro&vfs=unix-none" : "mode=ro&immutable=1";
}

int db_reading_uri(const char *path, struct str *ret, struct error *e)
{
    struct ground g;
    if (survey(path, &g, e))
        return -1;
    put_uri(ret, path);
    str_printf(ret, "?%s", reading_way(&g));
    if (g.wal_filled && !g.has_shm)
        return error_set(e, QD_E_FAIL,
                         "cannot merge '%s': its last writer was killed (qdepth clean --store %s "
                         "makes it whole)",
                         path, path);
    return 0;
}

static int connect_reading(struct store *s, const struct ground *g, struct error *e)
{
    const char *way = reading_way(g);
    int64_t ignored;
    if (connect_to(s, way, SQLITE_OPEN_READONLY, e))
        return -1;
    if (strstr(way, "unix-none") && db_int_(s, ST_LOCKING_EXCLUSIVE, NULL, 0, &ignored, e) < 0)
        return -1;
    return check_version(s, e);
}

/* A writer may make or fold the WAL between the look and the opening, which then finds a file gone: look again. */
static int open_reading(struct store *s, struct error *e)
{
    for (int i = 0;; i++) {
        struct ground g;
        if (survey(s->path, &g, e))
            return -1;
        if (!g.exists) {
            error_set(e, QD_E_NOTFOUND, "cannot open store '%s': no such file", s->path);
            return error_hint(e, "the first run or import makes it");
        }
        if (g.empty)
            return error_set(e, QD_E_FAIL, "cannot open '%s' as a store: it is empty", s->path);
        if (!connect_reading(s, &g, e))
            return 0;
        if (e->sys != ENOENT || i == READ_TRIES)
            return -1;
        disconnect(s);
        clock_sleep_until(clock_mono_ns() + FOLD_PAUSE_MS * NS_PER_MS);
    }
}

/* --- writing -------------------------------------------------------------------------------------------------------- */

static int make_folder(const char *path, struct error *e)
{
    char *copy = xstrdup(path);
    int rc = file_mkdirs(dirname(copy), e);
    free(copy);
    return rc;
}

static int check_writable(struct store *s, struct error *e)
{
    char *copy = xstrdup(s->path);
    bool folder = access(dirname(copy), W_OK) == 0; /* the WAL goes there */
    int sys = errno;
    free(copy);
    if (folder && sqlite3_db_readonly(s->db, "main") == 0)
        return 0;
    if (folder)
        sys = access(s->path, W_OK) ? errno : EROFS;
    return error_sys(e, sys, "cannot write to store '%s'", s->path);
}

/* Two processes may come here at once: the transaction lets one of them make the schema. A creation that was cut short has
 * been rolled back to an empty file by now. */
static int make_schema(struct store *s, struct error *e)
{
    int64_t tables = 0;
    if (db_begin(s, e))
        return -1;
    int rc = db_int_(s, ST_TABLE_COUNT, NULL, 0, &tables, e) < 0 ? -1 : 0;
    const struct embed_row *sql = embed_find("src/store/schema.sql");
    if (!rc && tables == 0 && sqlite3_exec(s->db, (const char *)sql->at, NULL, NULL, NULL))
        rc = db_fail(s, e);
    return db_end(s, rc, e);
}

static int open_writing(struct store *s, struct error *e)
{
    struct ground g;
    if (make_folder(s->path, e) || survey(s->path, &g, e))
        return -1;
    s->writable = true;
    int64_t ignored, version = 0;
    if (connect_to(s, "mode=rwc", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, e) ||
        check_writable(s, e) || db_int_(s, ST_USER_VERSION, NULL, 0, &version, e) < 0)
        return -1;
    if (version == 0 && make_schema(s, e))
        return -1;
    if (check_version(s, e))
        return -1;
    /* Debian's SQLite overwrites what is deleted with zeros, which makes deleting a long run slow. */
    if (db_int_(s, ST_SECURE_DELETE_OFF, NULL, 0, &ignored, e) < 0)
        return -1;
    s->folds = true;
    /* Where a file system has no shared memory the answer is "delete": slower, as safe. */
    if (db_int_(s, ST_JOURNAL_WAL, NULL, 0, &ignored, e) < 0)
        return -1;
    if (db_int_(s, ST_AUTOCHECKPOINT_OFF, NULL, 0, &ignored, e) < 0)
        return -1;
    return recover_dead_runs(s, e);
}

int store_open(const char *path, enum store_mode mode, struct store **ret, struct error *e)
{
    struct store *s = xcalloc(1, sizeof *s);
    s->path = xstrdup(path);
    if (mode == STORE_READ ? open_reading(s, e) : open_writing(s, e)) {
        store_close(s);
        return -1;
    }
    *ret = s;
    return 0;
}

int store_open_whole(const char *path, struct store **ret, struct error *e)
{
    struct store *s = NULL;
    struct error ignored;
    if (store_open(path, STORE_READ, &s, e))
        return -1;
    if (recover_needed(s)) {
        store_close(s);
        if (!store_open(path, STORE_WRITE, &s, &ignored))
            store_close(s);
        if (store_open(path, STORE_READ, &s, e))
            return -1;
    }
    *ret = s;
    return 0;
}

/* The last process to close makes it one file again; while others have it open that is theirs to do. */
static void fold(struct store *s)
{
    sqlite3_busy_timeout(s->db, FOLD_TRIES * FOLD_PAUSE_MS);
    sqlite3_wal_checkpoint_v2(s->db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    for (int i = 0; i < FOLD_TRIES; i++) {
        QUERY q;
        struct error ignored;
        if (db_query_(s, ST_JOURNAL_DELETE, NULL, 0, &q, &ignored))
            return;
        if (sqlite3_step(q.stmt) != SQLITE_BUSY)
            return;
        clock_sleep_until(clock_mono_ns() + FOLD_PAUSE_MS * NS_PER_MS);
    }
}

void store_close(struct store *s)
{
    if (!s)
        return;
    writer_close(s);
    drop_statements(s);
    if (s->folds)
        fold(s);
    disconnect(s);
    free(s->path);
    free(s);
}
