#include <string.h>

#include "base/array.h"
#include "base/parse.h"
#include "store/db.h"
#include "store/process.h"
#include "store/query.h"
#include "store/rows.h"

/* A run that a killed process left behind reads as interrupted, before any writer has put that down. */
static const char *true_status(struct arena *a, const struct query *q, int status, int writer)
{
    const char *text = col_word(a, q, status);
    if (!strcmp(text, "running") && process_is_dead(col_text(a, q, writer)))
        return cell_status_name(CELL_INTERRUPTED);
    return text;
}

int run_is_dead(struct store *s, int64_t run, struct error *e)
{
    QUERY q;
    if (db_query(s, ST_RUN_WRITER, &q, e, v_int(run)))
        return -1;
    int rc = db_step(&q, e);
    if (rc != 1)
        return rc;
    struct arena *a = arena_new();
    int dead = process_is_dead(col_text(a, &q, 0));
    arena_free(a);
    return dead;
}

struct facts {
    const struct fact *at;
    size_t n;
};

static int read_facts(struct store *s, struct arena *a, enum statement st, int64_t id,
                      struct facts *ret, struct error *e)
{
    ROWS(struct fact) rows = { 0 };
    QUERY q;
    if (db_query(s, st, &q, e, v_int(id)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = (struct fact) { col_word(a, &q, 0), col_word(a, &q, 1) };
    *ret = (struct facts) { rows.at, rows.n };
    return rc;
}

static int read_run(struct arena *a, const struct query *q, struct run_row *ret, struct error *e)
{
    *ret = (struct run_row) {
        .id = col_int(q, 0),
        .name = col_word(a, q, 1),
        .title = col_word(a, q, 2),
        .import = col_int(q, 3),
        .status = true_status(a, q, 4, 5),
        .version = col_word(a, q, 6),
        .engine_version = col_word(a, q, 7),
        .config_hash = col_word(a, q, 8),
        .command = col_word(a, q, 9),
        .note = col_text(a, q, 10),
        .matrix_name = col_text(a, q, 11),
        .matrix_title = col_text(a, q, 12),
        .matrix_method = col_text(a, q, 13),
        .matrix_xml = col_text(a, q, 14),
        .report = col_text(a, q, 15),
        .started_ns = col_int(q, 16),
        .finished_ns = col_int(q, 17),
        .seed = col_seed(q, 18),
        .n_targets = (uint32_t)col_u64(q, 19),
        .n_cells = (uint32_t)col_u64(q, 20),
        .n_done = (uint32_t)col_u64(q, 21),
    };
    struct facts host = { 0 };
    if (read_facts(q->store, a, ST_HOST_FACTS, ret->id, &host, e))
        return -1;
    ret->host = host.at;
    ret->n_host = host.n;
    return 0;
}

uint64_t col_seed(const struct query *q, int i)
{
    struct error ignored;
    uint64_t seed = 0;
    const char *text = (const char *)sqlite3_column_text(q->stmt, i);
    if (text)
        parse_u64(text, &seed, &ignored);
    return seed;
}

int store_runs(struct store *s, struct arena *a, struct run_row **ret, size_t *ret_n,
               struct error *e)
{
    ROWS(struct run_row) rows = { 0 };
    QUERY q;
    if (db_query_(s, ST_RUNS, NULL, 0, &q, e))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        if (read_run(a, &q, rows_push(a, &rows), e))
            return -1;
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_find_run(struct store *s, struct arena *a, const char *run, struct run_row *ret,
                   struct error *e)
{
    QUERY q = { 0 };
    struct error ignored;
    uint64_t id = 0;
    bool latest = !strcmp(run, "latest");
    int rc;
    if (latest)
        rc = db_query_(s, ST_RUN_LATEST, NULL, 0, &q, e);
    else if (!parse_u64(run, &id, &ignored) && id <= INT64_MAX)
        rc = db_query(s, ST_RUN_BY_ID, &q, e, v_u64(id));
    else
        rc = db_query(s, ST_RUN_NAMED, &q, e, v_text(run));
    if (!rc)
        rc = db_step(&q, e);
    if (rc < 0)
        return -1;
    if (rc == 1)
        return read_run(a, &q, ret, e);
    if (latest)
        return error_set(e, QD_E_NOTFOUND, "cannot find a run: store '%s' has none", s->path);
    error_set(e, QD_E_NOTFOUND, "cannot find run '%s' in store '%s'", run, s->path);
    return error_hint(e, "qdepth list shows what is there");
}

NAMED(enum target_kind, target_kind_name, TARGET_IMPORTED)

/* Columns from `at`: the mark, then those of a device sheet. */
static const struct device_sheet *read_sheet(struct arena *a, const struct query *q, int at)
{
    if (!col_int(q, at))
        return NULL;
    struct device_sheet *d = arena_one(a, struct device_sheet);
    const double price = col_real(q, at + 1);
    *d = (struct device_sheet) {
        .price = price > 0 ? price : 0,
        .currency = col_text(a, q, at + 2),
        .capacity_bytes = col_u64(q, at + 3),
        .endurance_bytes = col_u64(q, at + 4),
        .rated_read_lat_ns = col_u64(q, at + 9),
        .rated_write_lat_ns = col_u64(q, at + 10),
        .members = col_text(a, q, at + 11),
        .sample_of = col_text(a, q, at + 12),
        .factor = col_text(a, q, at + 13),
    };
    double *const rated[] = { &d->rated_read_iops, &d->rated_write_iops, &d->rated_read_mb_s,
                              &d->rated_write_mb_s };
    for (int i = 0; i < (int)countof(rated); i++)
        if (!col_null(q, at + 5 + i))
            *rated[i] = col_real(q, at + 5 + i);
    const void *picture = col_blob(q, at + 14, &d->picture_bytes);
    d->picture = d->picture_bytes ? arena_memdup(a, picture, d->picture_bytes) : NULL;
    return d;
}

int store_left_out(struct store *s, struct arena *a, int64_t run, struct left_out **ret,
                   size_t *ret_n, struct error *e)
{
    ROWS(struct left_out) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_LEFT_OUT, &q, e, v_int(run)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = (struct left_out) { col_word(a, &q, 0), col_word(a, &q, 1) };
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_targets(struct store *s, struct arena *a, int64_t run, struct target_row **ret,
                  size_t *ret_n, struct error *e)
{
    ROWS(struct target_row) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_TARGETS, &q, e, v_int(run)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        struct target_row *t = rows_push(a, &rows);
        t->id = col_int(&q, 0);
        t->run = run;
        t->record = (struct target_record) {
            .no = (uint32_t)col_u64(&q, 1),
            .name = col_word(a, &q, 2),
            .path = col_word(a, &q, 3),
            .kind = target_kind_name_at(&q, 4, TARGET_IMPORTED),
            .identity = col_word(a, &q, 5),
            .layout = col_word(a, &q, 6),
            .capacity_bytes = col_u64(&q, 7),
            .span_bytes = col_u64(&q, 8),
            .logical_block = (uint32_t)col_u64(&q, 9),
            .physical_block = (uint32_t)col_u64(&q, 10),
            .highlighted = col_int(&q, 11),
            .sheet = read_sheet(a, &q, 12),
        };
        struct facts facts = { 0 };
        if (read_facts(s, a, ST_TARGET_FACTS, t->id, &facts, e))
            return -1;
        t->record.facts = facts.at;
        t->record.n_facts = facts.n;
    }
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

NAMED(enum sync_kind, sync_kind_name, SYNC_FSYNC)
NAMED(enum distribution_kind, distribution_name, DIST_ZONES)

static int read_lines(struct store *s, struct arena *a, int64_t workload, struct workload *ret,
                      struct error *e)
{
    ROWS(struct access_line) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_LINES, &q, e, v_int(workload)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = (struct access_line) {
            .share_bp = (uint32_t)col_u64(&q, 0),
            .size = (uint32_t)col_u64(&q, 1),
            .read_bp = (uint32_t)col_u64(&q, 2),
            .random_bp = (uint32_t)col_u64(&q, 3),
            .burst = (uint32_t)col_u64(&q, 4),
            .delay_ns = col_u64(&q, 5),
            .align = col_u64(&q, 6),
            .stride = col_u64(&q, 7),
            .trim_bp = (uint32_t)col_u64(&q, 8),
            .sync = sync_kind_name_at(&q, 9, SYNC_NONE),
            .sync_every = (uint32_t)col_u64(&q, 10),
            .distribution = distribution_name_at(&q, 11, DIST_UNIFORM),
            .distribution_param = sqlite3_column_double(q.stmt, 12),
        };
    ret->lines = rows.at;
    ret->n_lines = (uint32_t)rows.n;
    return rc;
}

int store_workloads(struct store *s, struct arena *a, int64_t run, struct workload_row **ret,
                    size_t *ret_n, struct error *e)
{
    ROWS(struct workload_row) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_WORKLOADS, &q, e, v_int(run)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1) {
        struct workload_row *w = rows_push(a, &rows);
        *w = (struct workload_row) {
            .id = col_int(&q, 0),
            .run = run,
            .workload = { .id = col_word(a, &q, 1), .title = col_word(a, &q, 2) },
        };
        if (read_lines(s, a, w->id, &w->workload, e))
            return -1;
    }
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_sources(struct store *s, struct arena *a, int64_t run, struct source_row **ret,
                  size_t *ret_n, struct error *e)
{
    ROWS(struct source_row) rows = { 0 };
    QUERY q;
    if (db_query(s, ST_SOURCES, &q, e, v_int(run)))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = (struct source_row) { { .path = col_word(a, &q, 0),
                                                       .format = col_word(a, &q, 1),
                                                       .tool = col_word(a, &q, 2),
                                                       .sha256 = col_word(a, &q, 3) } };
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_find_source(struct store *s, const char *sha256, int64_t *ret_run, struct error *e)
{
    *ret_run = 0;
    return db_int(s, ST_SOURCE_BY_HASH, ret_run, e, v_text(sha256)) < 0 ? -1 : 0;
}

int store_own_files(struct store *s, struct arena *a, struct own_file_row **ret, size_t *ret_n,
                    struct error *e)
{
    ROWS(struct own_file_row) rows = { 0 };
    QUERY q;
    if (db_query_(s, ST_OWN_FILES, NULL, 0, &q, e))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = (struct own_file_row) {
            .run = col_int(&q, 0),
            .path = col_word(a, &q, 1),
            .dev = col_u64(&q, 2),
            .ino = col_u64(&q, 3),
            .in_use = col_int(&q, 4),
        };
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}

int store_undo_steps(struct store *s, struct arena *a, struct undo_row **ret, size_t *ret_n,
                     struct error *e)
{
    ROWS(struct undo_row) rows = { 0 };
    QUERY q;
    if (db_query_(s, ST_UNDO_STEPS, NULL, 0, &q, e))
        return -1;
    int rc;
    while ((rc = db_step(&q, e)) == 1)
        *rows_push(a, &rows) = (struct undo_row) {
            .id = col_int(&q, 0),
            .run = col_int(&q, 1),
            .kind = col_word(a, &q, 2),
            .subject = col_word(a, &q, 3),
            .value = col_text(a, &q, 4),
            .in_use = col_int(&q, 5),
        };
    *ret = rows.at;
    *ret_n = rows.n;
    return rc;
}
