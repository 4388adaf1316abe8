#include "help.h"

#include <sys/stat.h>

/* What holds for every format: encodings, broken and unknown files, --strict, several files. */

#define SMALL                                                                                      \
    "{\"fio version\":\"fio-3.16\",\n\"jobs\":[{\"jobname\":\"a\",\"job "                          \
    "options\":{\"rw\":\"read\",\"bs\":\"4k\"},"                                                   \
    "\"read\":{\"io_bytes\":40960,\"total_ios\":10,\"runtime\":1000}}]}\n"

static struct seen *import_bytes(const void *bytes, size_t n, struct import_options o)
{
    const char *path = written("b.json", bytes, n);
    struct seen *s = import_with(o, &path, 1);
    unlink(path);
    return s;
}

/* The text in another encoding gives the same. */
static void assert_reads(const void *bytes, size_t n)
{
    struct seen *s = import_bytes(bytes, n, (struct import_options) { 0 });
    if (s->rc)
        fail_msg("%s", s->e.what);
    assert_no_warnings(s);
    assert_int_equal(s->cells.n, 1);
    assert_true(s->cells.at[0].result.dir[DIR_READ].bytes == 40960);
    seen_free(s);
}

static size_t utf16(const char *text, bool big, bool mark, unsigned char *to)
{
    size_t n = 0;
    if (mark) {
        to[n++] = big ? 0xFE : 0xFF;
        to[n++] = big ? 0xFF : 0xFE;
    }
    for (const char *p = text; *p; p++) {
        to[n + big] = (unsigned char)*p;
        to[n + !big] = 0;
        n += 2;
    }
    return n;
}

static void encodings(void **state)
{
    (void)state;
    unsigned char wide[2 * sizeof SMALL + 4];
    assert_reads(SMALL, strlen(SMALL));
    assert_reads("\xEF\xBB\xBF" SMALL, strlen(SMALL) + 3);
    assert_reads(wide, utf16(SMALL, false, true, wide));
    assert_reads(wide, utf16(SMALL, true, true, wide));
    assert_reads(wide, utf16(SMALL, false, false, wide));
    assert_reads(wide, utf16(SMALL, true, false, wide));
}

/* Ends of lines, quotes, no end at the end. */
static void lines(void **state)
{
    (void)state;
    char text[3 * sizeof SMALL], *to = text;
    for (const char *p = SMALL; *p; p++) {
        if (*p == '\n')
            *to++ = '\r';
        *to++ = *p;
    }
    assert_reads(text, (size_t)(to - text));
    to = text;
    for (const char *p = SMALL; *p; p++)
        *to++ = (char)(*p == '\n' ? '\r' : *p);
    assert_reads(text, (size_t)(to - text));
    assert_reads(SMALL, strlen(SMALL) - 1);
    to = text;
    for (const char *p = SMALL; *p; p++) {
        if (to == text || p[-1] == '\n') {
            memcpy(to, "> > ", 4);
            to += 4;
        }
        *to++ = *p;
    }
    assert_reads(text, (size_t)(to - text));
}

static void nothing_readable(void **state)
{
    (void)state;
    static const char *const texts[] = { "",   "\n",        "error: failed to setup shm segment\n",
                                         "{}", "{\"a\":1}", "\x7F\x45\x90\xFF\xFE\x01" };
    static const char *const whys[] = { "the file is empty",           "it is blank",
                                        "failed to setup shm segment", "no result in this file",
                                        "no result in this file",      "it is no text" };
    for (size_t i = 0; i < countof(texts); i++) {
        struct seen *s = import_bytes(texts[i], strlen(texts[i]), (struct import_options) { 0 });
        assert_int_equal(s->rc, -1);
        assert_int_equal(s->e.code, QD_E_FAIL);
        if (!strstr(s->e.what, whys[i]))
            fail_msg("'%s' is not in '%s'", whys[i], s->e.what);
        assert_int_equal(s->files[0].n_warnings, 1);
        seen_free(s);
    }
    const char *path = "/nonexistent/file.json";
    struct seen *s = import_with((struct import_options) { 0 }, &path, 1);
    assert_int_equal(s->e.code, QD_E_IO);
    seen_free(s);
    /* a pipe is refused, not waited for */
    path = written("pipe", "", 0);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    s = import_with((struct import_options) { 0 }, &path, 1);
    unlink(path);
    assert_non_null(strstr(s->e.what, "it is not a file"));
    seen_free(s);
}

static void a_bad_file_beside_a_good_one(void **state)
{
    (void)state;
    const char *paths[] = { written("empty.json", "", 0),
                            written("good.json", SMALL, strlen(SMALL)) };
    struct seen *s = import_with((struct import_options) { 0 }, paths, 2);
    assert_int_equal(s->rc, 0);
    assert_int_equal(s->cells.n, 1);
    assert_int_equal(s->run.n_sources, 1);
    assert_string_equal(s->files[0].warnings[0].what, "the file is empty");
    assert_int_equal(s->files[1].n_warnings, 0);
    assert_int_equal(s->events.n, 1);
    seen_free(s);
    s = import_with((struct import_options) { .strict = true }, paths, 2);
    assert_int_equal(s->rc, -1);
    assert_int_equal(s->cells.n, 0);
    assert_non_null(strstr(s->e.what, "--strict"));
    seen_free(s);
}

static void names(void **state)
{
    (void)state;
    const struct import_options o = { .target = "Drive A", .run_name = "my run", .command = "c" };
    struct seen *s = import_bytes(SMALL, strlen(SMALL), o);
    assert_string_equal(s->run.name, "my run");
    assert_string_equal(s->run.command, "c");
    assert_string_equal(s->targets.at[0].name, "Drive A");
    seen_free(s);
    const char *path = written("x.json", SMALL, strlen(SMALL));
    s = import_with((struct import_options) { .format = "fio-json" }, &path, 1);
    assert_int_equal(s->rc, 0);
    seen_free(s);
}

static void hash_of_a_file(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e;
    const char *hash;
    assert_int_equal(import_hash(a, written("abc", "abc", 3), &hash, &e), 0);
    assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(import_hash(a, "/nonexistent", &hash, &e), -1);
    arena_free(a);
}

/* Rows that are as short as they can be, each a cell of its own. */
static struct seen *import_tiny_rows(size_t n, size_t *ret_bytes)
{
    static const char heading[] = "size,iops\n";
    char *text = malloc(sizeof heading + n * 5);
    assert_non_null(text);
    char *p = stpcpy(text, heading);
    for (size_t i = 0; i < n; i++)
        p = stpcpy(p, i % 2 ? "2k,1\n" : "1k,1\n");
    struct seen *s = import_text("t.csv", text);
    *ret_bytes = (size_t)(p - text);
    free(text);
    return s;
}

/* 4 times what is read and 64 MB, of which arrays that are not in the arena get 4. */
static void memory_stays_within_its_bound(void **state)
{
    (void)state;
    size_t bytes;
    struct seen *s = import_tiny_rows(50000, &bytes);
    assert_int_equal(s->cells.n, 50000);
    assert_in_range(arena_used(s->a), 1, 4 * bytes + (60 << 20));
    seen_free(s);
}

/* What a run cannot hold is refused, and does not take memory for every cell before. */
static void more_cells_than_a_run_holds(void **state)
{
    (void)state;
    size_t bytes, twice;
    struct seen *s = import_tiny_rows(PLAN_MAX_CELLS + 1, &bytes);
    assert_int_equal(s->rc, -1);
    assert_non_null(strstr(s->e.what, "more than 100000 cells"));
    assert_int_equal(s->cells.n, 0);
    size_t used = arena_used(s->a);
    seen_free(s);
    s = import_tiny_rows(2 * PLAN_MAX_CELLS, &twice);
    assert_non_null(strstr(s->e.what, "more than 100000 cells"));
    assert_in_range(arena_used(s->a) - used, 1, 40 * (twice - bytes));
    seen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodings),
        cmocka_unit_test(lines),
        cmocka_unit_test(nothing_readable),
        cmocka_unit_test(a_bad_file_beside_a_good_one),
        cmocka_unit_test(names),
        cmocka_unit_test(hash_of_a_file),
        cmocka_unit_test(memory_stays_within_its_bound),
        cmocka_unit_test(more_cells_than_a_run_holds),
    };
    return cmocka_run_group_tests_name("import/import", tests, NULL, NULL);
}
