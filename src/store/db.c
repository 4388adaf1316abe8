#include "store/db.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/oom.h"
#include "model/direction.h"

/* Squares are kept as high * 2^62 + low, so that both halves are plain non-negative integers to anyone's SQL. */
enum { SQUARE_LOW_BITS = 62 };
#define SQUARE_LOW_MASK ((UINT64_C(1) << SQUARE_LOW_BITS) - 1)

struct value v_null(void)
{
    return (struct value) { .kind = VALUE_NULL };
}

struct value v_int(int64_t v)
{
    return (struct value) { .kind = VALUE_INT, .i = v };
}

struct value v_u64(uint64_t v)
{
    return v > INT64_MAX ? (struct value) { .kind = VALUE_TOO_LARGE } : v_int((int64_t)v);
}

struct value v_nonzero(uint64_t v)
{
    return v ? v_u64(v) : v_null();
}

struct value v_id(int64_t v)
{
    return v ? v_int(v) : v_null();
}

struct value v_bits(uint64_t v)
{
    return v_int((int64_t)v);
}

struct value v_positive(double v)
{
    return v > 0 ? v_real(v) : v_null();
}

struct value v_real(double v)
{
    return (struct value) { .kind = VALUE_REAL, .real = v };
}

struct value v_text(const char *text)
{
    if (!text)
        return v_null();
    return (struct value) { .kind = VALUE_TEXT, .at = text, .n = strlen(text) };
}

struct value v_blob(const void *at, size_t n)
{
    if (!at)
        return v_null();
    return (struct value) { .kind = VALUE_BLOB, .at = at, .n = n };
}

void v_moments(const struct moments *m, struct value ret[MOMENT_VALUES])
{
    bool any = m->n > 0;
    bool spread = any && (m->sum_sq != 0 || m->sum == 0);
    ret[0] = v_u64(m->n);
    ret[1] = v_u64(m->sum);
    ret[2] = spread ? v_u64((uint64_t)(m->sum_sq >> SQUARE_LOW_BITS)) : v_null();
    ret[3] = spread ? v_u64((uint64_t)m->sum_sq & SQUARE_LOW_MASK) : v_null();
    ret[4] = any && m->min != UINT64_MAX ? v_u64(m->min) : v_null();
    ret[5] = any && (m->max != 0 || m->sum == 0) ? v_u64(m->max) : v_null();
}

static int bind(sqlite3_stmt *stmt, int at, const struct value *v)
{
    switch (v->kind) {
    case VALUE_INT:
        return sqlite3_bind_int64(stmt, at, v->i);
    case VALUE_REAL:
        return sqlite3_bind_double(stmt, at, v->real);
    case VALUE_TEXT:
        return sqlite3_bind_text64(stmt, at, v->at, v->n, SQLITE_STATIC, SQLITE_UTF8);
    case VALUE_BLOB:
        return sqlite3_bind_blob64(stmt, at, v->at, v->n, SQLITE_STATIC);
    case VALUE_TOO_LARGE:
        return SQLITE_RANGE;
    case VALUE_NULL:
        break;
    }
    return sqlite3_bind_null(stmt, at);
}

static int bind_all(struct store *s, sqlite3_stmt *stmt, const struct value *v, size_t n,
                    struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        if (v[i].kind == VALUE_TOO_LARGE)
            return error_set(e, QD_E_FAIL, "cannot write to store '%s': a number is above 2^63",
                             s->path);
        if (bind(stmt, (int)i + 1, &v[i]))
            return db_fail(s, e);
    }
    return 0;
}

static int prepare(struct store *s, enum statement st, sqlite3_stmt **ret, struct error *e)
{
    if (sqlite3_prepare_v2(s->db, statement_sql(st), -1, ret, NULL))
        return db_fail(s, e);
    return 0;
}

int db_run_(struct store *s, enum statement st, const struct value *v, size_t n, struct error *e)
{
    sqlite3_stmt **stmt = &s->cached[st];
    if (!*stmt && prepare(s, st, stmt, e))
        return -1;
    int rc = bind_all(s, *stmt, v, n, e);
    if (!rc && sqlite3_step(*stmt) != SQLITE_DONE)
        rc = db_fail(s, e);
    sqlite3_reset(*stmt);
    sqlite3_clear_bindings(*stmt);
    return rc;
}

int db_do(struct store *s, enum statement st, struct error *e)
{
    return db_run_(s, st, NULL, 0, e);
}

void query_close(struct query *q)
{
    sqlite3_finalize(q->stmt);
    q->stmt = NULL;
}

int db_query_(struct store *s, enum statement st, const struct value *v, size_t n,
              struct query *ret, struct error *e)
{
    *ret = (struct query) { .store = s };
    if (prepare(s, st, &ret->stmt, e) || bind_all(s, ret->stmt, v, n, e)) {
        query_close(ret);
        return -1;
    }
    return 0;
}

int db_step(struct query *q, struct error *e)
{
    int rc = sqlite3_step(q->stmt);
    if (rc == SQLITE_ROW)
        return 1;
    return rc == SQLITE_DONE ? 0 : db_fail(q->store, e);
}

int db_int_(struct store *s, enum statement st, const struct value *v, size_t n, int64_t *ret,
            struct error *e)
{
    QUERY q;
    if (db_query_(s, st, v, n, &q, e))
        return -1;
    int rc = db_step(&q, e);
    if (rc == 1)
        *ret = col_int(&q, 0);
    return rc;
}

int64_t col_int(const struct query *q, int i)
{
    return sqlite3_column_int64(q->stmt, i);
}

uint64_t col_u64(const struct query *q, int i)
{
    return (uint64_t)sqlite3_column_int64(q->stmt, i);
}

bool col_null(const struct query *q, int i)
{
    return sqlite3_column_type(q->stmt, i) == SQLITE_NULL;
}

double col_real(const struct query *q, int i)
{
    return col_null(q, i) ? (double)NAN : sqlite3_column_double(q->stmt, i);
}

const char *col_text(struct arena *a, const struct query *q, int i)
{
    const unsigned char *text = sqlite3_column_text(q->stmt, i);
    return text ? arena_strndup(a, (const char *)text, (size_t)sqlite3_column_bytes(q->stmt, i))
                : NULL;
}

const char *col_word(struct arena *a, const struct query *q, int i)
{
    const char *text = col_text(a, q, i);
    return text ? text : "";
}

const void *col_blob(const struct query *q, int i, size_t *ret_n)
{
    const void *at = sqlite3_column_blob(q->stmt, i);
    *ret_n = (size_t)sqlite3_column_bytes(q->stmt, i);
    return at;
}

struct moments col_moments(const struct query *q, int i)
{
    struct moments m = moments_zero();
    m.n = col_u64(q, i);
    if (!m.n)
        return m;
    m.sum = col_u64(q, i + 1);
    m.sum_sq = (unsigned __int128)col_u64(q, i + 2) << SQUARE_LOW_BITS | col_u64(q, i + 3);
    m.min = col_null(q, i + 4) ? UINT64_MAX : col_u64(q, i + 4);
    m.max = col_u64(q, i + 5);
    return m;
}

int col_direction(const struct query *q, int i, struct error *e)
{
    int64_t d = col_int(q, i);
    if (d >= 0 && d < DIR_COUNT)
        return (int)d;
    return error_set(e, QD_E_FAIL, "cannot read store '%s': it is damaged (direction %lld)",
                     q->store->path, (long long)d);
}

int db_begin(struct store *s, struct error *e)
{
    return db_do(s, ST_BEGIN, e);
}

int db_commit(struct store *s, struct error *e)
{
    return db_do(s, ST_COMMIT, e);
}

void db_rollback(struct store *s)
{
    struct error ignored;
    /* SQLite rolls back by itself after some failures. */
    if (!sqlite3_get_autocommit(s->db))
        db_do(s, ST_ROLLBACK, &ignored);
}

int db_end(struct store *s, int rc, struct error *e)
{
    if (!rc)
        rc = db_commit(s, e);
    if (rc)
        db_rollback(s);
    return rc ? -1 : 0;
}

int db_fail(struct store *s, struct error *e)
{
    const char *doing = s->writable ? "write to" : "read";
    int sys = sqlite3_system_errno(s->db);
    switch (sqlite3_errcode(s->db)) {
    case SQLITE_NOMEM:
        base_oom(0);
    case SQLITE_FULL:
        return error_sys(e, ENOSPC, "cannot %s store '%s'", doing, s->path);
    case SQLITE_IOERR:
        return error_sys(e, sys ? sys : EIO, "cannot %s store '%s'", doing, s->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(e, QD_E_FAIL, "cannot %s store '%s': another process holds it", doing,
                         s->path);
    case SQLITE_READONLY:
        if (s->writable)
            return error_sys(e, EROFS, "cannot write to store '%s'", s->path);
        /* the rollback journal of a killed process, which only a writer may undo */
        error_set(e, QD_E_FAIL, "cannot read store '%s': a change of it was cut short", s->path);
        return error_hint(e, "any verb that writes repairs it");
    case SQLITE_CANTOPEN:
        return error_sys(e, sys ? sys : ENOENT, "cannot open store '%s'", s->path);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return error_set(e, QD_E_FAIL, "cannot %s store '%s': it is damaged (%s)", doing, s->path,
                         sqlite3_errmsg(s->db));
    default:
        return error_set(e, QD_E_FAIL, "cannot %s store '%s': %s", doing, s->path,
                         sqlite3_errmsg(s->db));
    }
}
