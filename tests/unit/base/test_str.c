#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "unit.h"

static void builds_text(void **state)
{
    (void)state;
    struct str s = str_new(1 << 20);
    assert_string_equal(s.at, "");
    str_put(&s, "a");
    str_put(&s, NULL);
    str_char(&s, 'b');
    str_putn(&s, "cde", 2);
    str_printf(&s, "-%d-%s", 7, "x");
    assert_string_equal(s.at, "abcd-7-x");
    assert_int_equal(s.n, 8);
    assert_false(str_failed(&s));
    str_clear(&s);
    assert_string_equal(s.at, "");
    for (int i = 0; i < 5000; i++)
        str_printf(&s, "%d,", i % 10);
    assert_int_equal(s.n, 10000);
    assert_int_equal(strlen(s.at), 10000);
    str_done(&s);
    str_done(&s);
}

static void keeps_its_limit(void **state)
{
    (void)state;
    struct str s = str_new(5);
    str_put(&s, "12345");
    assert_false(str_failed(&s));
    str_put(&s, "");
    assert_false(str_failed(&s));
    str_char(&s, '6');
    assert_true(str_failed(&s));
    assert_string_equal(s.at, "12345");
    str_clear(&s);
    assert_false(str_failed(&s));
    str_printf(&s, "%d", 123456);
    assert_true(str_failed(&s));
    str_put(&s, "x"); /* failure stays */
    assert_string_equal(s.at, "");
    str_done(&s);

    struct str none = str_new(0);
    assert_string_equal(none.at, "");
    str_char(&none, 'x');
    assert_true(str_failed(&none));
    str_done(&none);
}

static void take_moves_ownership(void **state)
{
    (void)state;
    struct str s = str_new(100);
    str_put(&s, "mine");
    char *text = str_take(&s);
    assert_string_equal(text, "mine");
    free(text);
    str_put(&s, "again");
    assert_string_equal(s.at, "again");
    free(str_take(&s));
    text = str_take(&s);
    assert_string_equal(text, "");
    free(text);
    str_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_text),
        cmocka_unit_test(keeps_its_limit),
        cmocka_unit_test(take_moves_ownership),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
