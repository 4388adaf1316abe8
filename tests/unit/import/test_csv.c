#include "import/csv.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

enum { MAX = 6 };

static void assert_splits(const char *line, char separator, size_t n, const char *const *want)
{
    char text[200], *fields[MAX];
    snprintf(text, sizeof text, "%s", line);
    assert_int_equal(csv_split(text, separator, fields, MAX), n);
    for (size_t i = 0; i < n && i < MAX; i++)
        assert_string_equal(fields[i], want[i]);
}

static void splits_rows(void **state)
{
    (void)state;
    assert_splits("", ',', 1, (const char *[]) { "" });
    assert_splits("a", ',', 1, (const char *[]) { "a" });
    assert_splits("a,b,", ',', 3, (const char *[]) { "a", "b", "" });
    assert_splits(" a b , c\t;,d", ',', 3, (const char *[]) { "a b", "c\t;", "d" });
    assert_splits("1,5;2", ';', 2, (const char *[]) { "1,5", "2" });
    assert_splits("a\t b\t", '\t', 3, (const char *[]) { "a", "b", "" });
    assert_splits("\"a,b\",\"say \"\"x\"\" \",c", ',', 3,
                  (const char *[]) { "a,b", "say \"x\" ", "c" });
    assert_splits("\"not closed, a", ',', 1, (const char *[]) { "not closed, a" });
    assert_splits("\"a\" b,c", ',', 2, (const char *[]) { "a b", "c" });
    assert_splits("1,2,3,4,5,6,7,8", ',', 8, (const char *[]) { "1", "2", "3", "4", "5", "6" });
}

static void finds_the_separator(void **state)
{
    (void)state;
    assert_int_equal(csv_separator("a,b;c,d\n;;;;;;"), ',');
    assert_int_equal(csv_separator("a;b,1;c"), ';');
    assert_int_equal(csv_separator("a\tb"), '\t');
    assert_int_equal(csv_separator("one"), 0);
    assert_int_equal(csv_separator(""), 0);
}

static void finds_columns(void **state)
{
    (void)state;
    char line[] = "Target Type, IOps ,iops";
    char *fields[MAX];
    size_t n = csv_split(line, ',', fields, MAX);
    assert_int_equal(csv_find(fields, n, "iops"), 1);
    assert_int_equal(csv_find(fields, n, "target type"), 0);
    assert_int_equal(csv_find(fields, n, "IOp"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_rows),
        cmocka_unit_test(finds_the_separator),
        cmocka_unit_test(finds_columns),
    };
    return cmocka_run_group_tests_name("import/csv", tests, NULL, NULL);
}
