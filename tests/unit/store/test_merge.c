/* Runs of one store into another: nothing lost, nothing twice, nothing changed. */
#include <sqlite3.h>

#include "base/embed.h"
#include "help.h"

static const uint32_t depth[] = { 1, 4 };
static const struct made_options tiny = { .n_workloads = 2,
                                          .queue_depths = depth,
                                          .n_queue_depths = 2 };

static const char *hash_of(struct arena *a, struct store *s, int64_t run)
{
    const char *hash = NULL;
    struct error e;
    must(store_data_hash(s, a, run, &hash, &e), &e);
    return hash;
}

/* Another run each time: the data differ by the seed. */
static void put(struct store *s, uint64_t seed, bool errors)
{
    struct made_options o = tiny;
    o.seed = seed;
    o.errors = errors;
    put_run(s, &o);
}

static void runs_come_over_whole(void **state)
{
    (void)state;
    const char *here = fresh("merge-here"), *there = fresh("merge-there");
    struct arena *a = arena_new();
    struct error e;
    struct store *s = open_store(there, STORE_WRITE);
    put(s, 1, false);
    put(s, 2, true);
    const char *first = hash_of(a, s, 1), *second = hash_of(a, s, 2);
    store_close(s);
    s = open_store(here, STORE_WRITE);
    put(s, 3, false);
    const char *own = hash_of(a, s, 1);
    struct merged m;
    must(store_merge(s, a, there, &m, &e), &e);
    assert_int_equal(m.n, 2);
    assert_int_equal(m.rows[0].run, 2);
    assert_int_equal(m.rows[1].run, 3);
    assert_string_equal(m.rows[0].was, "made");
    assert_string_equal(m.rows[0].name, "made-2");
    assert_string_equal(m.rows[1].was, "made-2");
    assert_string_equal(m.rows[1].name, "made-2-2");
    assert_string_equal(hash_of(a, s, 1), own);
    assert_string_equal(hash_of(a, s, 2), first);
    assert_string_equal(hash_of(a, s, 3), second);
    struct result_row *results;
    size_t n = 0;
    must(store_results(s, a, 3, &results, &n, &e), &e);
    assert_true(n > 0);
    /* Again: all is known. */
    must(store_merge(s, a, there, &m, &e), &e);
    assert_true(m.rows[0].known && m.rows[1].known);
    assert_int_equal(m.rows[0].run, 0);
    put(s, 4, false); /* numbers go on behind those that came over */
    struct run_row *runs;
    must(store_runs(s, a, &runs, &n, &e), &e);
    assert_int_equal(n, 4);
    assert_int_equal(runs[3].id, 4);
    store_close(s);
    /* The other store is as it was. */
    s = open_store(there, STORE_READ);
    assert_string_equal(hash_of(a, s, 1), first);
    assert_string_equal(hash_of(a, s, 2), second);
    store_close(s);
    assert_false(has_file(here, "-wal"));
    arena_free(a);
}

static void what_cannot_be_merged(void **state)
{
    (void)state;
    const char *here = fresh("merge-not");
    struct arena *a = arena_new();
    struct error e;
    struct merged m;
    struct store *s = open_store(here, STORE_WRITE);
    put(s, 1, false);
    fails_with(store_merge(s, a, here, &m, &e), &e, QD_E_USAGE, "into itself");
    fails_with(store_merge(s, a, fresh("merge-none"), &m, &e), &e, QD_E_NOTFOUND, "no such file");
    const char *text = fresh("merge-text");
    char letters[4096];
    memset(letters, 'x', sizeof letters);
    must(file_write(text, letters, sizeof letters, &e), &e);
    fails_with(store_merge(s, a, text, &m, &e), &e, QD_E_FAIL, "not a database");
    assert_false(has_file(fresh("merge-none"), ""));
    put(s, 2, false); /* the store goes on being one */
    store_close(s);
    arena_free(a);
}

static void a_run_that_goes_on_stays(void **state)
{
    (void)state;
    const char *here = fresh("merge-to"), *there = fresh("merge-running");
    struct arena *a = arena_new();
    struct error e;
    struct merged m;
    struct store *other = open_store(there, STORE_WRITE), *s = open_store(here, STORE_WRITE);
    struct sink *sink;
    must(store_sink(other, NULL, &sink, &e), &e);
    struct run_record r = { .name = "going-on", .started_ns = 1 };
    must(sink_run_begin(sink, &r, &e), &e);
    must(store_merge(s, a, there, &m, &e), &e);
    assert_int_equal(m.n, 1);
    assert_true(m.rows[0].running);
    assert_int_equal(m.rows[0].run, 0);
    store_close(other);
    must(store_merge(s, a, there, &m, &e), &e); /* interrupted now */
    assert_int_equal(m.rows[0].run, 1);
    store_close(s);
    arena_free(a);
}

/* merge.sql names every column of every table that belongs to a run: who adds one is told here. */
static void every_column_is_copied(void **state)
{
    (void)state;
    const struct embed_row *sql = embed_find("src/store/merge.sql");
    assert_non_null(sql);
    const char *path = fresh("merge-columns");
    store_close(open_store(path, STORE_WRITE));
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                           " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'"
                           " AND t.name NOT IN ('direction', 'own_file', 'undo')"
                           " AND NOT (t.name IN ('environment', 'event') AND c.name = 'id')",
                           -1, &q, NULL),
        SQLITE_OK);
    struct arena *a = arena_new();
    int n = 0;
    for (; sqlite3_step(q) == SQLITE_ROW; n++) {
        const char *table = (const char *)sqlite3_column_text(q, 0);
        const char *column = (const char *)sqlite3_column_text(q, 1);
        const char *at = strstr((const char *)sql->at,
                                arena_printf(a, "INSERT INTO main.%s (", table));
        if (!at)
            fail_msg("table %s is not copied", table);
        const char *list = strchr(at, '('), *end = strchr(list, ')');
        const char *names = arena_printf(a, ",%.*s,", (int)(end - list - 1), list + 1);
        char *flat = arena_strdup(a, names), *to = flat;
        for (const char *p = names; *p; p++)
            if (*p != ' ' && *p != '\n' && *p != '"')
                *to++ = *p;
        *to = 0;
        if (!strstr(flat, arena_printf(a, ",%s,", column)))
            fail_msg("column %s of %s is not copied", column, table);
    }
    assert_true(n > 150);
    sqlite3_finalize(q);
    sqlite3_close(db);
    arena_free(a);
}

static void vacuum_gives_room_back(void **state)
{
    (void)state;
    const char *path = fresh("vacuum");
    struct arena *a = arena_new();
    struct error e;
    struct store *s = open_store(path, STORE_WRITE);
    for (uint64_t i = 1; i <= 4; i++)
        put(s, i, false);
    const char *last = hash_of(a, s, 4);
    for (int64_t run = 1; run <= 3; run++)
        must(store_delete_run(s, run, &e), &e);
    uint64_t before = 0, after = 0;
    must(store_vacuum(s, &before, &after, &e), &e);
    assert_true(after > 0 && after < before);
    assert_string_equal(hash_of(a, s, 4), last);
    store_close(s);
    arena_free(a);
}

static void targets_and_notes_are_edited(void **state)
{
    (void)state;
    struct store *s = open_store(fresh("edit"), STORE_WRITE);
    struct arena *a = arena_new();
    struct error e;
    struct target_row *t;
    struct run_row run;
    size_t n;
    put(s, 1, false);
    must(store_rename_target(s, 1, "Alpha SSD", "Old SSD", &e), &e);
    fails_with(store_rename_target(s, 1, "Alpha SSD", "X", &e), &e, QD_E_NOTFOUND, "Alpha SSD");
    fails_with(store_rename_target(s, 1, "Old SSD", "Beta SSD", &e), &e, QD_E_USAGE, "another one");
    fails_with(store_rename_target(s, 1, "Old SSD", "", &e), &e, QD_E_USAGE, "1 to 100");
    must(store_rename_target(s, 1, "Old SSD", "Old SSD", &e), &e);
    must(store_targets(s, a, 1, &t, &n, &e), &e);
    assert_string_equal(t[0].record.name, "Old SSD");
    must(store_note_run(s, 1, "before the new firmware", &e), &e);
    must(store_find_run(s, a, "1", &run, &e), &e);
    assert_string_equal(run.note, "before the new firmware");
    must(store_note_run(s, 1, NULL, &e), &e);
    must(store_find_run(s, a, "1", &run, &e), &e);
    assert_null(run.note);
    fails_with(store_note_run(s, 9, "x", &e), &e, QD_E_NOTFOUND, "run 9");
    arena_free(a);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_come_over_whole),     cmocka_unit_test(what_cannot_be_merged),
        cmocka_unit_test(a_run_that_goes_on_stays), cmocka_unit_test(every_column_is_copied),
        cmocka_unit_test(vacuum_gives_room_back),   cmocka_unit_test(targets_and_notes_are_edited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
