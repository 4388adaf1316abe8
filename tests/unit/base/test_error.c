#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "unit.h"

static void set_and_wrap(void **state)
{
    (void)state;
    struct error e = { .sys = 5, .where = "old", .cut = true };
    assert_int_equal(error_set(&e, QD_E_NOTFOUND, "no run '%s'", "x"), -1);
    assert_int_equal(e.code, QD_E_NOTFOUND);
    assert_int_equal(e.sys, 0);
    assert_string_equal(e.where, "");
    assert_string_equal(e.what, "no run 'x'");
    assert_false(e.cut);
    assert_int_equal(error_wrap(&e, "cannot draw '%s'", "report"), -1);
    assert_int_equal(error_hint(&e, "try %s", "qdepth list"), -1);
    assert_string_equal(e.what, "cannot draw 'report': no run 'x' (try qdepth list)");
    assert_int_equal(e.code, QD_E_NOTFOUND);
}

static void sys_adds_the_cause(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(error_sys(&e, EACCES, "cannot open '%s'", "nvme0n1"), -1);
    assert_int_equal(e.code, QD_E_IO);
    assert_int_equal(e.sys, EACCES);
    assert_string_equal(e.what, "cannot open 'nvme0n1': Permission denied");
    error_sys(&e, 99999, "cannot wait");
    assert_string_equal(e.what, "cannot wait: error 99999");
}

static void at_names_the_line(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(error_at(&e, "run.xml", 41, "unknown element '%s'", "fil"), -1);
    assert_int_equal(e.code, QD_E_FORMAT);
    assert_string_equal(e.where, "run.xml:41");
    assert_string_equal(e.what, "unknown element 'fil'");
    error_at(&e, "run.xml", 0, "empty");
    assert_string_equal(e.where, "run.xml");

    char longest[400];
    memset(longest, 'p', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    error_at(&e, longest, 123, "x");
    assert_int_equal(strlen(e.where), sizeof e.where - 1);
    assert_string_equal(e.where + strlen(e.where) - 4, ":123");
}

static void too_long_is_cut_and_said(void **state)
{
    (void)state;
    char text[2000];
    for (size_t i = 0; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "µ", 3);
    struct error e;
    for (int odd = 0; odd < 2; odd++) {
        error_set(&e, QD_E_FAIL, "%s%s", odd ? "x" : "", text);
        assert_true(e.cut);
        assert_true(utf8_valid(e.what));
        assert_true(strlen(e.what) >= sizeof e.what - 3);
    }
    error_wrap(&e, "outer");
    assert_memory_equal(e.what, "outer: ", 7);
    assert_true(e.cut);

    error_set(&e, QD_E_FAIL, "short");
    error_wrap(&e, "%s", text);
    assert_true(e.cut);
    assert_true(utf8_valid(e.what));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_and_wrap),
        cmocka_unit_test(sys_adds_the_cause),
        cmocka_unit_test(at_names_the_line),
        cmocka_unit_test(too_long_is_cut_and_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
