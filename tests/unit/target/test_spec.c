#include <string.h>

#include "target/target.h"
#include "unit.h"

static struct arena *a;

static int start(void **state)
{
    (void)state;
    a = arena_new();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

static struct target_spec parsed(const char *text)
{
    struct error e = { 0 };
    struct target_spec s = { 0 };
    if (target_spec_parse(a, text, &s, &e))
        fail_msg("%s", e.what);
    return s;
}

static void refused(const char *text, const char *words)
{
    struct error e = { 0 };
    struct target_spec s = { .path = "untouched" };
    assert_int_equal(target_spec_parse(a, text, &s, &e), -1);
    assert_int_equal(e.code, QD_E_USAGE);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
    assert_string_equal(s.path, "untouched");
}

static void expect(const char *text, const char *name, const char *path, bool direct)
{
    struct target_spec s = parsed(text);
    assert_int_equal(s.scheme, TARGET_FILE);
    assert_string_equal(s.path, path);
    assert_int_equal(s.direct, direct);
    if (name)
        assert_string_equal(s.name, name);
    else
        assert_null(s.name);
}

static void paths_and_names(void **state)
{
    (void)state;
    expect("/dev/sda", NULL, "/dev/sda", true);
    expect("A=/dev/sda", "A", "/dev/sda", true);
    expect("Pliant LS 300=/dev/sda", "Pliant LS 300", "/dev/sda", true);
    expect("Buffered=.,direct=no", "Buffered", ".", false);
    expect(".,direct=yes", NULL, ".", true);
    expect("/a=b", NULL, "/a=b", true);
    expect("./a=b", NULL, "./a=b", true);
    expect("x=/a=b", "x", "/a=b", true);
    expect("x=y=z", "x", "y=z", true);
    expect("/data/a,b", NULL, "/data/a,b", true);
    expect("a,b=/dev/sda", "a,b", "/dev/sda", true);
    expect("ü=mem", "ü", "mem", true);
}

static void memory(void **state)
{
    (void)state;
    struct target_spec s = parsed("mem:");
    assert_int_equal(s.scheme, TARGET_MEMORY);
    assert_int_equal(s.memory_bytes, 0);
    assert_string_equal(s.path, "mem:");
    s = parsed("B=mem:64MiB,direct=no");
    assert_int_equal(s.scheme, TARGET_MEMORY);
    assert_int_equal(s.memory_bytes, 64 << 20);
    assert_string_equal(s.name, "B");
    assert_false(s.direct);
    refused("mem:lots", "mem:");
    refused("mem:0", "no size");
    refused("mem:-1", "mem:");
}

static void loops(void **state)
{
    (void)state;
    struct target_spec s = parsed("loop:a=b.img");
    assert_int_equal(s.scheme, TARGET_LOOP);
    assert_string_equal(s.path, "a=b.img");
    assert_null(s.name);
    s = parsed("L=loop:/tmp/x");
    assert_string_equal(s.name, "L");
    assert_string_equal(s.path, "/tmp/x");
    refused("loop:", "path is empty");
}

static void bad_ones(void **state)
{
    (void)state;
    refused("", "path is empty");
    refused("=", "name before '=' is empty");
    refused("=/dev/sda", "name before '=' is empty");
    refused("A=", "path is empty");
    refused("A=x,direct=maybe", "direct");
    refused("A=x,direct=no,direct=yes", "given twice");
    refused("A=x,speed=fast", "unknown option 'speed'");
    refused("A\nB=x", "control characters");
    refused("A\xff=x", "UTF-8");
    char longest[400];
    memset(longest, 'n', sizeof longest);
    memcpy(longest + 300, "=x", 3);
    refused(longest, "at most 100");
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = { T(paths_and_names), T(memory), T(loops), T(bad_ones) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
