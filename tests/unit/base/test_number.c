#include "base/number.h"

#include <string.h>

#include "base/array.h"
#include "unit.h"

struct spelling {
    const char *text;
    enum decimal_mark mark;
    double value;
};

static void reads_every_spelling(void **state)
{
    (void)state;
    static const struct spelling rows[] = {
        { "0", DECIMAL_GUESS, 0 },
        { "12", DECIMAL_GUESS, 12 },
        { "1234.5", DECIMAL_GUESS, 1234.5 },
        { "1234,5", DECIMAL_GUESS, 1234.5 },
        { "1,234.5", DECIMAL_GUESS, 1234.5 },
        { "1.234,5", DECIMAL_GUESS, 1234.5 },
        { "1,234,567", DECIMAL_GUESS, 1234567 },
        { "1.234.567", DECIMAL_GUESS, 1234567 },
        { "1.234.567,25", DECIMAL_GUESS, 1234567.25 },
        { "1,234", DECIMAL_GUESS, 1234 },
        { "1.234", DECIMAL_GUESS, 1.234 },
        { "0,234", DECIMAL_GUESS, 0.234 },
        { "1234,567", DECIMAL_GUESS, 1234.567 },
        { "1 234,5", DECIMAL_GUESS, 1234.5 },
        { "1\xC2\xA0"
          "234\xC2\xA0"
          "567,5",
          DECIMAL_GUESS, 1234567.5 },
        { "1\xE2\x80\xAF"
          "234.5",
          DECIMAL_GUESS, 1234.5 },
        { "1'234.5", DECIMAL_GUESS, 1234.5 },
        { "1,234", DECIMAL_COMMA, 1.234 },
        { "1.234", DECIMAL_COMMA, 1234 },
        { "1.234", DECIMAL_POINT, 1.234 },
        { "1,234", DECIMAL_POINT, 1234 },
        { "-0.5", DECIMAL_POINT, -0.5 },
        { "\xE2\x88\x92"
          "0,5",
          DECIMAL_GUESS, -0.5 },
        { "+7", DECIMAL_GUESS, 7 },
        { ".5", DECIMAL_POINT, 0.5 },
        { "1.5e3", DECIMAL_GUESS, 1500 },
        { "1,5E-3", DECIMAL_COMMA, 0.0015 },
        { "  12.5 \r\n", DECIMAL_GUESS, 12.5 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        double v = ABSENT;
        if (!number_of(rows[i].text, rows[i].mark, &v))
            fail_msg("'%s' is a number", rows[i].text);
        if (v != rows[i].value)
            fail_msg("'%s' gives %.17g", rows[i].text, v);
    }
}

static void refuses_what_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = { "",    "-",     "nan",   "inf", "-nan", "N/A",  "x1",
                                         "1 2", "1.2.3", "1e999", ".",   ",",    "0x10", "12 MB" };
    for (size_t i = 0; i < countof(texts); i++) {
        double v = 42;
        if (number_of(texts[i], DECIMAL_GUESS, &v))
            fail_msg("'%s' gives %g", texts[i], v);
        assert_true(v == 42);
    }
    double v;
    assert_false(number_of("1,5", DECIMAL_POINT, &v));
    assert_false(number_of("1.5", DECIMAL_COMMA, &v));
}

static void stops_behind_the_number(void **state)
{
    (void)state;
    const char *at = "463,123 MB/s";
    double v;
    assert_true(number_read(&at, DECIMAL_COMMA, &v));
    assert_true(v == 463.123);
    assert_string_equal(at, " MB/s");
    at = "12 34";
    assert_true(number_read(&at, DECIMAL_GUESS, &v));
    assert_true(v == 12);
    assert_string_equal(at, " 34");
    at = "5.";
    assert_true(number_read(&at, DECIMAL_GUESS, &v));
    assert_string_equal(at, ".");
    at = "MB";
    assert_false(number_read(&at, DECIMAL_GUESS, &v));
    assert_string_equal(at, "MB");
    char many[300];
    memset(many, '9', sizeof many - 1);
    many[sizeof many - 1] = 0;
    at = many;
    assert_true(number_read(&at, DECIMAL_GUESS, &v)); /* cut, not beyond the buffer */
}

static void knows_the_mark_of_a_text(void **state)
{
    (void)state;
    assert_int_equal(number_mark("Sequential Read : 463,12 MB/s\nWrite : 1.234,5"), DECIMAL_COMMA);
    assert_int_equal(number_mark("CrystalDiskMark 3.0.3\nRead : 463.12 MB/s [ 1,234.5 IOPS]"),
                     DECIMAL_POINT);
    assert_int_equal(number_mark("Read : 463,123 MB/s\n"), DECIMAL_GUESS);
    assert_int_equal(number_mark("Read : 1463,123 MB/s\n"), DECIMAL_COMMA);
    assert_int_equal(number_mark("0,123"), DECIMAL_COMMA);
    assert_int_equal(number_mark("no numbers 12 34"), DECIMAL_GUESS);
    assert_int_equal(number_mark("1,2,3 and 3.0.3"), DECIMAL_GUESS);
    assert_int_equal(number_mark(""), DECIMAL_GUESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_spelling),
        cmocka_unit_test(refuses_what_is_none),
        cmocka_unit_test(stops_behind_the_number),
        cmocka_unit_test(knows_the_mark_of_a_text),
    };
    return cmocka_run_group_tests_name("base/number", tests, NULL, NULL);
}
