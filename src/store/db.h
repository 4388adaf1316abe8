#pragma once
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/str.h"
#include "model/moments.h"
#include "store/statements.h"

/* Inside of the store: a thin layer over SQLite. Uses base and model. Only files of this folder include it (and the tests
 * of it). All SQL is constant text; values are bound, never printed into it. */

struct writer;

struct store {
    sqlite3 *db;
    char *path; /* as given, for messages */
    bool writable;
    bool folds; /* in WAL mode by us: to be folded back */
    sqlite3_stmt *cached[ST_COUNT];
    struct writer *writer; /* the latest; each points to the one before */
};

/* Schema this program reads and writes, and the mark of our files. */
enum { SCHEMA_VERSION = 1, APPLICATION_ID = 1902404976 };

/* --- values to bind ----------------------------------------------------------------------------------------------- */

enum value_kind { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BLOB, VALUE_TOO_LARGE };
struct value {
    enum value_kind kind;
    int64_t i;
    double real;
    const void *at;
    size_t n;
};
struct value v_null(void);
struct value v_int(int64_t v);
struct value v_u64(uint64_t v);        /* above INT64_MAX: the statement fails */
struct value v_nonzero(uint64_t v);    /* 0 is NULL */
struct value v_id(int64_t v);          /* a row id; 0 is NULL */
struct value v_bits(uint64_t v);       /* 64 bits as they are: device and inode numbers */
struct value v_real(double v);         /* NaN is NULL */
struct value v_positive(double v);     /* what is not above 0 is NULL */
struct value v_text(const char *text); /* NULL is NULL */
struct value v_blob(const void *at, size_t n);

/* What the store keeps of moments: n, sum, square high and low, min, max (NULL where moments.h says "not known"). */
enum { MOMENT_VALUES = 6 };
void v_moments(const struct moments *m, struct value ret[MOMENT_VALUES]);

/* --- statements --------------------------------------------------------------------------------------------------- */

/* Runs a cached statement that gives no rows. */
#define db_run(s, st, e, ...)                                                                      \
    db_run_((s), (st), (const struct value[]) { __VA_ARGS__ },                                     \
            sizeof((struct value[]) { __VA_ARGS__ }) / sizeof(struct value), (e))
int db_run_(struct store *s, enum statement st, const struct value *v, size_t n, struct error *e);
/* The same without values. */
int db_do(struct store *s, enum statement st, struct error *e);

/* A statement that gives rows (text and blobs bound must outlive it): db_query binds, db_step is 1 for a row, 0 at the end, -1 and e. Several may be open at a time;
 * each is closed by query_close (the cleanup attribute) and belongs to the caller. */
struct query {
    struct store *store;
    sqlite3_stmt *stmt;
};
void query_close(struct query *q);
#define QUERY __attribute__((cleanup(query_close))) struct query
#define db_query(s, st, ret, e, ...)                                                               \
    db_query_((s), (st), (const struct value[]) { __VA_ARGS__ },                                   \
              sizeof((struct value[]) { __VA_ARGS__ }) / sizeof(struct value), (ret), (e))
int db_query_(struct store *s, enum statement st, const struct value *v, size_t n,
              struct query *ret, struct error *e);
int db_step(struct query *q, struct error *e);
/* First column of the first row as an integer; 0 rows: 0 with *ret untouched; 1 if there was one. */
#define db_int(s, st, ret, e, ...)                                                                 \
    db_int_((s), (st), (const struct value[]) { __VA_ARGS__ },                                     \
            sizeof((struct value[]) { __VA_ARGS__ }) / sizeof(struct value), (ret), (e))
int db_int_(struct store *s, enum statement st, const struct value *v, size_t n, int64_t *ret,
            struct error *e);

/* Columns of the current row. */
int64_t col_int(const struct query *q, int i);                       /* NULL is 0 */
uint64_t col_u64(const struct query *q, int i);                      /* NULL is 0 */
double col_real(const struct query *q, int i);                       /* NULL is NaN */
bool col_null(const struct query *q, int i);                         /* is it? */
const char *col_text(struct arena *a, const struct query *q, int i); /* NULL is NULL */
const char *col_word(struct arena *a, const struct query *q, int i); /* NULL is "" */
const void *col_blob(const struct query *q, int i, size_t *ret_n);   /* dies with the row */
struct moments col_moments(const struct query *q, int i);            /* MOMENT_VALUES columns */
/* enum direction below DIR_COUNT, or -1 and e: the file is damaged. */
int col_direction(const struct query *q, int i, struct error *e);

/* URI under which a store can be read as it is now (open.c), for ATTACH. */
int db_reading_uri(const char *path, struct str *ret, struct error *e);

/* --- transactions and failure ------------------------------------------------------------------------------------- */

int db_begin(struct store *s, struct error *e); /* IMMEDIATE: waits for another writer */
int db_commit(struct store *s, struct error *e);
void db_rollback(struct store *s);
/* Ends the transaction: commits if rc is 0, else rolls back and returns -1. */
int db_end(struct store *s, int rc, struct error *e);

/* Fills e from the last failure of SQLite, naming the store. */
int db_fail(struct store *s, struct error *e);
