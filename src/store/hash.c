#include <sha2.h>
#include <string.h>

#include "store/query.h"
#include "store/result.h"

enum { HASH_HEX = 12, HASH_BUFFER = 16 << 10 };

/* Rows are gathered before they are hashed: SHA-256 in small pieces costs twice the time. */
struct hasher {
    SHA2_CTX sha;
    unsigned char at[HASH_BUFFER];
    size_t n;
};

static void flush(struct hasher *h)
{
    SHA256Update(&h->sha, h->at, h->n);
    h->n = 0;
}

static void feed(struct hasher *h, const void *at, size_t n)
{
    if (n > sizeof h->at - h->n)
        flush(h);
    if (n > sizeof h->at) {
        SHA256Update(&h->sha, at, n);
        return;
    }
    if (n)
        memcpy(h->at + h->n, at, n);
    h->n += n;
}

/* A type and a varint (7 bits a byte, low first). */
static void feed_number(struct hasher *h, unsigned char type, uint64_t v)
{
    unsigned char bytes[11] = { type };
    size_t n = 1;
    for (; v >= 0x80; v >>= 7)
        bytes[n++] = (unsigned char)(v | 0x80);
    bytes[n++] = (unsigned char)v;
    feed(h, bytes, n);
}

/* Type, value or length, bytes: no two rows give the same stream. */
static void feed_column(struct hasher *h, const struct query *q, int i)
{
    int type = sqlite3_column_type(q->stmt, i);
    union {
        double real;
        uint64_t bits;
    } v = { .bits = 0 };
    size_t n = 0;
    const void *at = NULL;
    if (type == SQLITE_INTEGER) {
        v.bits = col_u64(q, i);
    } else if (type == SQLITE_FLOAT) {
        v.real = sqlite3_column_double(q->stmt, i);
    } else if (type != SQLITE_NULL) {
        at = col_blob(q, i, &n);
        v.bits = n;
    }
    feed_number(h, (unsigned char)type, v.bits);
    feed(h, at, n);
}

/* Rows of the run or cell ?1. */
static int feed_rows(struct store *s, struct hasher *h, enum statement st, int64_t of,
                     struct error *e)
{
    QUERY q;
    if (db_query(s, st, &q, e, v_int(of)))
        return -1;
    feed_number(h, 0, (uint64_t)(st - ST_HASH_FIRST));
    int rc, n = sqlite3_column_count(q.stmt);
    while ((rc = db_step(&q, e)) == 1)
        for (int i = 0; i < n; i++)
            feed_column(h, &q, i);
    return rc;
}

/* --- the rows of a cell -------------------------------------------------------------------------------------------- */

static int hash_rows(struct store *s, int64_t cell, uint8_t ret[SHA256_DIGEST_LENGTH],
                     struct error *e)
{
    struct hasher h = { .n = 0 };
    SHA256Init(&h.sha);
    for (int st = ST_HASH_ROWS_FIRST; st <= ST_HASH_ROWS_LAST; st++)
        if (feed_rows(s, &h, (enum statement)st, cell, e))
            return -1;
    flush(&h);
    SHA256Final(ret, &h.sha);
    return 0;
}

int rows_hash_write(struct store *s, int64_t cell, struct error *e)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    if (hash_rows(s, cell, digest, e))
        return -1;
    return db_run(s, ST_ROWS_HASH_PUT, e, v_int(cell), v_blob(digest, sizeof digest));
}

static int feed_cells(struct store *s, struct hasher *h, int64_t run, struct error *e)
{
    QUERY q;
    int rc;
    if (db_query(s, ST_HASH_CELLS_ROWS, &q, e, v_int(run)))
        return -1;
    while ((rc = db_step(&q, e)) == 1) {
        uint8_t made[SHA256_DIGEST_LENGTH];
        size_t n = 0;
        const void *digest = col_blob(&q, 3, &n);
        if (n != sizeof made) {
            if (hash_rows(s, col_int(&q, 0), made, e))
                return -1;
            digest = made;
        }
        feed_column(h, &q, 1);
        feed_column(h, &q, 2);
        feed(h, digest, sizeof made);
    }
    return rc;
}

/* --- the run ------------------------------------------------------------------------------------------------------- */

int store_data_hash(struct store *s, struct arena *a, int64_t run, const char **ret,
                    struct error *e)
{
    struct hasher h = { .n = 0 };
    SHA256Init(&h.sha);
    int64_t id;
    int rc = db_int(s, ST_RUN_EXISTS, &id, e, v_int(run));
    if (rc < 0)
        return -1;
    if (rc == 0)
        return error_set(e, QD_E_NOTFOUND, "cannot find run %lld in store '%s'", (long long)run,
                         s->path);
    for (int st = ST_HASH_FIRST; st <= ST_HASH_LAST; st++)
        if (feed_rows(s, &h, (enum statement)st, run, e))
            return -1;
    if (feed_cells(s, &h, run, e))
        return -1;
    char hex[SHA256_DIGEST_STRING_LENGTH];
    flush(&h);
    SHA256End(&h.sha, hex);
    *ret = arena_strndup(a, hex, HASH_HEX);
    return 0;
}
