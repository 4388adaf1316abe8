#include <sha2.h>

#include "store/db.h"
#include "store/query.h"

enum { HASH_HEX = 12 };

static void feed(SHA2_CTX *c, const void *at, size_t n)
{
    SHA256Update(c, at, n);
}

static void feed_u64(SHA2_CTX *c, uint64_t v)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(v >> 8 * i);
    feed(c, bytes, sizeof bytes);
}

/* Type, length, bytes: no two rows give the same stream. */
static void feed_column(SHA2_CTX *c, const struct query *q, int i)
{
    int type = sqlite3_column_type(q->stmt, i);
    feed_u64(c, (uint64_t)type);
    if (type == SQLITE_INTEGER) {
        feed_u64(c, col_u64(q, i));
    } else if (type == SQLITE_FLOAT) {
        union {
            double real;
            uint64_t bits;
        } v = { .real = sqlite3_column_double(q->stmt, i) };
        feed_u64(c, v.bits);
    } else if (type != SQLITE_NULL) {
        size_t n;
        const void *at = col_blob(q, i, &n);
        feed_u64(c, n);
        feed(c, at, n);
    }
}

static int feed_rows(struct store *s, SHA2_CTX *c, enum statement st, int64_t run, struct error *e)
{
    QUERY q;
    if (db_query(s, st, &q, e, v_int(run)))
        return -1;
    feed_u64(c, (uint64_t)(st - ST_HASH_FIRST));
    int rc, n = sqlite3_column_count(q.stmt);
    while ((rc = db_step(&q, e)) == 1)
        for (int i = 0; i < n; i++)
            feed_column(c, &q, i);
    return rc;
}

int store_data_hash(struct store *s, struct arena *a, int64_t run, const char **ret,
                    struct error *e)
{
    SHA2_CTX c;
    SHA256Init(&c);
    int64_t id;
    int rc = db_int(s, ST_RUN_EXISTS, &id, e, v_int(run));
    if (rc < 0)
        return -1;
    if (rc == 0)
        return error_set(e, QD_E_NOTFOUND, "cannot find run %lld in store '%s'", (long long)run,
                         s->path);
    for (int st = ST_HASH_FIRST; st <= ST_HASH_LAST; st++)
        if (feed_rows(s, &c, (enum statement)st, run, e))
            return -1;
    char hex[SHA256_DIGEST_STRING_LENGTH];
    SHA256End(&c, hex);
    *ret = arena_strndup(a, hex, HASH_HEX);
    return 0;
}
