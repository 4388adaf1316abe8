#include <string.h>
#include <sys/stat.h>

#include "base/embed.h"
#include "store/query.h"
#include "store/rows.h"
#include "store/writer.h"

/* Runs of another store come in by SQL over both files (merge.sql): nothing is decoded, so nothing can change. */

enum { URI_LIMIT = 16 << 10 };

static int run_sql(struct store *s, const char *sql, struct error *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? db_fail(s, e) : 0;
}

static int refuse_itself(const struct store *s, const char *other, struct error *e)
{
    struct stat x, y;
    if (stat(s->path, &x) || stat(other, &y) || x.st_dev != y.st_dev || x.st_ino != y.st_ino)
        return 0;
    return error_set(e, QD_E_USAGE, "cannot merge '%s' into itself", other);
}

/* Is a run with the same data here? */
static int is_known(struct store *s, struct arena *a, const struct run_row *run, const char *hash,
                    bool *ret, struct error *e)
{
    ROWS(int64_t) same = { 0 };
    {
        QUERY q;
        int rc;
        if (db_query(s, ST_RUNS_STARTED, &q, e, v_int(run->started_ns)))
            return -1;
        while ((rc = db_step(&q, e)) == 1)
            *rows_push(a, &same) = col_int(&q, 0);
        if (rc < 0)
            return -1;
    }
    *ret = false;
    for (size_t i = 0; i < same.n && !*ret; i++) {
        const char *its = NULL;
        if (store_data_hash(s, a, same.at[i], &its, e))
            return -1;
        *ret = !strcmp(its, hash);
    }
    return 0;
}

/* What is there, and which of it comes over. */
static int survey(struct store *s, struct arena *a, const char *other, struct merged *ret,
                  struct error *e)
{
    struct store *o = NULL;
    struct run_row *runs = NULL;
    size_t n = 0;
    if (store_open(other, STORE_READ, &o, e))
        return -1;
    int rc = store_runs(o, a, &runs, &n, e);
    struct merge_row *rows = arena_array(a, struct merge_row, n + 1);
    for (size_t i = 0; i < n && !rc; i++) {
        const char *hash = NULL;
        rows[i] = (struct merge_row) { .other = runs[i].id,
                                       .was = runs[i].name,
                                       .name = runs[i].name,
                                       .running = !strcmp(runs[i].status, "running") };
        rc = store_data_hash(o, a, runs[i].id, &hash, e) ||
                     is_known(s, a, &runs[i], hash, &rows[i].known, e)
                 ? -1
                 : 0;
    }
    store_close(o);
    *ret = (struct merged) { rows, n };
    return rc;
}

static int name_it(struct store *s, struct arena *a, struct merge_row *row, struct error *e)
{
    for (int i = 2;; i++) {
        int64_t taken = 0;
        int rc = db_int(s, ST_MERGE_NAME_TAKEN, &taken, e, v_text(row->name));
        if (rc <= 0)
            return rc;
        row->name = arena_printf(a, "%s-%d", row->was, i);
    }
}

static int copy(struct store *s, struct arena *a, const struct merged *m, struct error *e)
{
    const struct embed_row *sql = embed_find("src/store/merge.sql");
    int64_t next = 0;
    if (!sql)
        return error_set(e, QD_E_FAIL, "cannot merge: merge.sql is not in the program");
    if (db_int_(s, ST_RUN_LAST_NUMBER, NULL, 0, &next, e) < 0)
        return -1;
    for (size_t i = 0; i < m->n; i++) {
        struct merge_row *row = &m->rows[i];
        if (row->known || row->running)
            continue;
        row->run = ++next;
        if (name_it(s, a, row, e) ||
            db_run(s, ST_MERGE_RUN_PUT, e, v_int(row->other), v_int(row->run), v_text(row->name)))
            return -1;
    }
    return run_sql(s, (const char *)sql->at, e);
}

static int attach(struct store *s, const char *other, struct error *e)
{
    struct str uri = str_new(URI_LIMIT);
    int rc = db_reading_uri(other, &uri, e) || db_run(s, ST_ATTACH_OTHER, e, v_text(uri.at)) ? -1
                                                                                             : 0;
    str_done(&uri);
    return rc;
}

/* Prepared statements would hold the other file. */
static void detach(struct store *s)
{
    static const enum statement used[] = { ST_MERGE_NAME_TAKEN, ST_MERGE_RUN_PUT, ST_ATTACH_OTHER };
    for (size_t i = 0; i < countof(used); i++) {
        sqlite3_finalize(s->cached[used[i]]);
        s->cached[used[i]] = NULL;
    }
    struct error ignored;
    (void)run_sql(s, "DROP TABLE IF EXISTS temp.merge_run; DROP TABLE IF EXISTS temp.merge_shift;",
                  &ignored);
    (void)run_sql(s, "DETACH other", &ignored);
}

int store_merge(struct store *s, struct arena *a, const char *other, struct merged *ret,
                struct error *e)
{
    static const char tables[] =
        "CREATE TEMP TABLE merge_run (old INTEGER PRIMARY KEY, new INTEGER, name TEXT);"
        "CREATE TEMP TABLE merge_shift AS SELECT"
        " coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = 'target'), 0) AS target,"
        " coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = 'workload'), 0) AS workload,"
        " coalesce((SELECT seq FROM main.sqlite_sequence WHERE name = 'cell'), 0) AS cell;";
    if (writer_settle(s, e) || refuse_itself(s, other, e) || survey(s, a, other, ret, e) ||
        attach(s, other, e))
        return -1;
    int rc = db_begin(s, e);
    if (!rc)
        rc = db_end(s, run_sql(s, tables, e) || copy(s, a, ret, e) ? -1 : 0, e);
    detach(s);
    return rc;
}

/* Rewrites the file without the room that deleted runs left. */
int store_vacuum(struct store *s, uint64_t *ret_before, uint64_t *ret_after, struct error *e)
{
    struct stat st;
    if (writer_settle(s, e))
        return -1;
    if (sqlite3_wal_checkpoint_v2(s->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL))
        return db_fail(s, e);
    *ret_before = stat(s->path, &st) ? 0 : (uint64_t)st.st_size;
    if (run_sql(s, "VACUUM", e) ||
        (sqlite3_wal_checkpoint_v2(s->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) &&
         db_fail(s, e)))
        return -1;
    *ret_after = stat(s->path, &st) ? 0 : (uint64_t)st.st_size;
    return 0;
}
