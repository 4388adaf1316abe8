#include "base/reader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "unit.h"

/* Encodings and ends of lines as they come from disk, with the numbers an editor would show. */

static const char *path_of(const void *bytes, size_t n)
{
    static char path[300];
    struct error e;
    assert_int_equal(file_mkdirs(TEST_OUT "/reader", &e), 0);
    snprintf(path, sizeof path, TEST_OUT "/reader/%d.txt", (int)getpid());
    assert_int_equal(file_write(path, bytes, n, &e), 0);
    return path;
}

struct wanted {
    const char *text;
    long number;
};

static void assert_lines(const void *bytes, size_t n, const struct wanted *want, size_t n_want)
{
    struct reader *r = NULL;
    struct error e;
    char *line;
    size_t n_line;
    assert_int_equal(reader_open(path_of(bytes, n), &r, &e), 0);
    assert_int_equal(reader_size(r), n);
    for (size_t i = 0; i < n_want; i++) {
        assert_int_equal(reader_line(r, &line, &n_line, &e), 1);
        assert_string_equal(line, want[i].text);
        assert_int_equal(n_line, strlen(want[i].text));
        assert_int_equal(reader_number(r), want[i].number);
    }
    assert_int_equal(reader_line(r, &line, &n_line, &e), 0);
    reader_close(r);
    unlink(path_of("", 0));
}
#define lines(bytes, ...)                                                                          \
    assert_lines(bytes, sizeof(bytes) - 1, (const struct wanted[]) { __VA_ARGS__ },                \
                 countof(((const struct wanted[]) { __VA_ARGS__ })))

static void ends_of_lines(void **state)
{
    (void)state;
    lines("a\nb\n", { "a", 1 }, { "b", 2 });
    lines("a\nb", { "a", 1 }, { "b", 2 });
    lines("a\r\n\r\nb\r\n", { "a", 1 }, { "", 2 }, { "b", 3 });
    lines("a\rb\rc", { "a", 1 }, { "b", 2 }, { "c", 3 });
    /* progress that was overwritten on a terminal is one line of an editor */
    lines("x\n10%\r20%\r30%\ny\n", { "x", 1 }, { "10%", 2 }, { "20%", 2 }, { "30%", 2 },
          { "y", 3 });
    lines("a\0b\n", { "a b", 1 });
}

static void quotes(void **state)
{
    (void)state;
    lines("> a\n>> b\n> > c\n>\n>d\n", { "a", 1 }, { "b", 2 }, { "c", 3 }, { "", 4 }, { ">d", 5 });
}

static void encodings(void **state)
{
    (void)state;
    lines("\xEF\xBB\xBF\xC3\xA4\n", { "\xC3\xA4", 1 });
    lines("\xFF\xFE\xE4\0\n\0b\0", { "\xC3\xA4", 1 }, { "b", 2 });
    lines("\xFE\xFF\0\xE4\0\r\0\n\0b", { "\xC3\xA4", 1 }, { "b", 2 });
    lines("a\0b\0\n\0c\0", { "ab", 1 }, { "c", 2 });
    /* a pair of surrogates, and a lone one */
    lines("\xFF\xFE\x3D\xD8\x00\xDE\n\0\x3D\xD8x\0", { "\xF0\x9F\x98\x80", 1 },
          { "\xEF\xBF\xBDx", 2 });
}

/* UTF-16 whose characters and ends of line lie across the chunks that are read. */
static void across_chunks(void **state)
{
    (void)state;
    enum { LINES = 40000 };
    size_t cap = (size_t)LINES * 16, n = 0;
    unsigned char *bytes = malloc(cap);
    assert_non_null(bytes);
    bytes[n++] = 0xFF;
    bytes[n++] = 0xFE;
    for (int i = 0; i < LINES; i++) {
        const unsigned char line[] = { 'v', 0, 0x3D, 0xD8, 0x00, 0xDE, '\r', 0, '\n', 0 };
        size_t length = i % 3 ? sizeof line : sizeof line - 4;
        memcpy(bytes + n, line, length);
        n += length;
        if (length < sizeof line) {
            bytes[n++] = '\n';
            bytes[n++] = 0;
        }
    }
    struct reader *r = NULL;
    struct error e;
    char *line;
    size_t n_line;
    assert_int_equal(reader_open(path_of(bytes, n), &r, &e), 0);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(reader_line(r, &line, &n_line, &e), 1);
        assert_string_equal(line, "v\xF0\x9F\x98\x80");
        assert_int_equal(reader_number(r), i + 1);
    }
    assert_int_equal(reader_line(r, &line, &n_line, &e), 0);
    reader_close(r);
    unlink(path_of("", 0));
    free(bytes);
}

static void whole_text(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct reader *r = NULL;
    struct error e;
    char *text;
    assert_int_equal(reader_open(path_of("> a\r\n> b\rc", 10), &r, &e), 0);
    assert_int_equal(reader_text(r, a, 100, &text, &e), 0);
    assert_string_equal(text, "a\nb\rc");
    reader_close(r);
    assert_int_equal(reader_open(path_of("0123456789", 10), &r, &e), 0);
    assert_int_equal(reader_text(r, a, 9, &text, &e), -1);
    assert_int_equal(e.code, QD_E_FAIL);
    reader_close(r);
    assert_int_equal(reader_open("/nonexistent", &r, &e), -1);
    assert_int_equal(reader_open("/", &r, &e), -1);
    reader_close(NULL);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_lines), cmocka_unit_test(quotes),     cmocka_unit_test(encodings),
        cmocka_unit_test(across_chunks), cmocka_unit_test(whole_text),
    };
    return cmocka_run_group_tests_name("base/reader", tests, NULL, NULL);
}
