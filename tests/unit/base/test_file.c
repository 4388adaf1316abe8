#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embed.h"
#include "base/file.h"
#include "unit.h"

static struct arena *a;
static char *dir;

static int setup(void **state)
{
    (void)state;
    a = arena_new();
    dir = arena_printf(a, "%s/base-file-XXXXXX", TEST_OUT);
    return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

static char *in_dir(const char *name)
{
    return arena_printf(a, "%s/%s", dir, name);
}

static void write_then_read(void **state)
{
    (void)state;
    struct error e;
    char *path = in_dir("data"), *text;
    size_t n;
    assert_int_equal(file_write(path, "a\0bc", 4, &e), 0);
    assert_true(file_exists(path));
    assert_int_equal(file_read(a, path, 100, &text, &n, &e), 0);
    assert_int_equal(n, 4);
    assert_memory_equal(text, "a\0bc", 5);
    assert_int_equal(file_write(path, "", 0, &e), 0);
    assert_int_equal(file_read(a, path, 0, &text, &n, &e), 0);
    assert_int_equal(n, 0);
    assert_string_equal(text, "");
    assert_false(file_exists(arena_printf(a, "%s.tmp-%ld", path, (long)getpid())));
}

static void read_refuses(void **state)
{
    (void)state;
    struct error e;
    char *path = in_dir("large"), *text = NULL;
    size_t n = 0;
    assert_int_equal(file_write(path, "12345", 5, &e), 0);
    assert_int_equal(file_read(a, path, 5, &text, &n, &e), 0);
    text = NULL;
    assert_int_equal(file_read(a, path, 4, &text, &n, &e), -1);
    assert_null(text);
    assert_non_null(strstr(e.what, "larger than 4"));
    assert_int_equal(file_read(a, in_dir("none"), 4, &text, &n, &e), -1);
    assert_int_equal(e.sys, ENOENT);
    assert_int_equal(file_read(a, dir, 4, &text, &n, &e), -1);
    assert_int_equal(e.sys, EISDIR);
}

static void failed_write_keeps_the_old(void **state)
{
    (void)state;
    struct error e;
    char *text;
    size_t n;
    assert_int_equal(file_write(in_dir("no/such/dir"), "x", 1, &e), -1);
    assert_int_equal(e.sys, ENOENT);
    /* A directory in the way of the temporary file. */
    char *path = in_dir("kept");
    assert_int_equal(file_write(path, "old", 3, &e), 0);
    assert_int_equal(mkdir(arena_printf(a, "%s.tmp-%ld", path, (long)getpid()), 0777), 0);
    assert_int_equal(file_write(path, "new", 3, &e), -1);
    assert_int_equal(file_read(a, path, 100, &text, &n, &e), 0);
    assert_string_equal(text, "old");
    /* The target is a directory: rename fails, the temporary file goes. */
    char *taken = in_dir("taken");
    assert_int_equal(mkdir(taken, 0777), 0);
    assert_int_equal(file_write(taken, "x", 1, &e), -1);
    assert_false(file_exists(arena_printf(a, "%s.tmp-%ld", taken, (long)getpid())));
}

static void lines(void **state)
{
    (void)state;
    struct error e;
    char *path = in_dir("line");
    assert_int_equal(file_write(path, "  Samsung SSD \t\nsecond\n", 23, &e), 0);
    assert_string_equal(file_line(a, path), "Samsung SSD");
    assert_int_equal(file_write(path, " \n", 2, &e), 0);
    assert_null(file_line(a, path));
    assert_int_equal(file_write(path, "", 0, &e), 0);
    assert_null(file_line(a, path));
    assert_null(file_line(a, in_dir("none")));
    assert_non_null(file_line(a, "/proc/sys/kernel/osrelease"));
}

static void directories(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(file_mkdirs(in_dir("a/b/c"), &e), 0);
    assert_true(file_exists(in_dir("a/b/c")));
    assert_int_equal(file_mkdirs(in_dir("a/b/c/"), &e), 0);
    assert_int_equal(file_mkdirs("/", &e), 0);
    assert_int_equal(file_write(in_dir("plain"), "x", 1, &e), 0);
    assert_int_equal(file_mkdirs(in_dir("plain"), &e), -1);
    assert_int_equal(e.sys, ENOTDIR);
    assert_int_equal(file_mkdirs(in_dir("plain/sub"), &e), -1);
    assert_int_equal(e.sys, ENOTDIR);
}

static void basenames(void **state)
{
    (void)state;
    assert_string_equal(file_basename(a, "/a/b"), "b");
    assert_string_equal(file_basename(a, "/a/b/"), "b");
    assert_string_equal(file_basename(a, "b//"), "b");
    assert_string_equal(file_basename(a, "b"), "b");
    assert_string_equal(file_basename(a, "/"), "/");
    assert_string_equal(file_basename(a, "//"), "/");
    assert_string_equal(file_basename(a, ""), "");
}

static void embedded_files(void **state)
{
    (void)state;
    const struct embed_row *font = embed_find("fonts/sans-400.ttf");
    assert_non_null(font);
    assert_true(font->end - font->at > 1000);
    assert_memory_equal(font->at, "\0\1\0\0", 4);
    assert_int_equal(*font->end, 0);
    assert_null(embed_find("fonts/none"));
    assert_null(embed_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_then_read),
        cmocka_unit_test(read_refuses),
        cmocka_unit_test(failed_write_keeps_the_old),
        cmocka_unit_test(lines),
        cmocka_unit_test(directories),
        cmocka_unit_test(basenames),
        cmocka_unit_test(embedded_files),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
