#include "base/array.h"
#include "base/utf8.h"
#include "unit.h"

static void decodes_each_length(void **state)
{
    (void)state;
    const char *s = "a\u00b5\u2013\U0001F600";
    assert_true(utf8_valid(s));
    assert_int_equal(utf8_length(s), 4);
    assert_int_equal(utf8_next(&s), 'a');
    assert_int_equal(utf8_next(&s), 0xB5);
    assert_int_equal(utf8_next(&s), 0x2013);
    assert_int_equal(utf8_next(&s), 0x1F600);
    const char *end = s;
    assert_int_equal(utf8_next(&s), 0);
    assert_ptr_equal(s, end);
}

static void round_trip(void **state)
{
    (void)state;
    static const uint32_t points[] = { 1,      0x7F,   0x80,   0x7FF,   0x800,   0xD7FF,
                                       0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF };
    static const size_t lengths[] = { 1, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4 };
    for (size_t i = 0; i < countof(points); i++) {
        char out[5] = { 0 };
        assert_int_equal(utf8_put(points[i], out), lengths[i]);
        const char *p = out;
        assert_true(utf8_valid(out));
        assert_int_equal(utf8_next(&p), points[i]);
        assert_int_equal(p - out, lengths[i]);
    }
}

static void malformed_bytes_are_replaced_one_by_one(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } rows[] = {
        { "\x80", 1 },             /* continuation alone */
        { "\xC0\xAF", 2 },         /* overlong */
        { "\xE0\x9F\xBF", 3 },     /* overlong */
        { "\xF0\x8F\xBF\xBF", 4 }, /* overlong */
        { "\xED\xA0\x80", 3 },     /* surrogate */
        { "\xF4\x90\x80\x80", 4 }, /* above U+10FFFF */
        { "\xF8\x88\x80\x80", 4 }, /* five-byte lead */
        { "\xE2\x82", 2 },         /* cut by the end */
        { "\xFF", 1 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        assert_false(utf8_valid(rows[i].text));
        assert_int_equal(utf8_length(rows[i].text), rows[i].length);
        const char *p = rows[i].text;
        assert_int_equal(utf8_next(&p), 0xFFFD);
        assert_int_equal(p - rows[i].text, 1);
    }
}

static void impossible_points_become_the_replacement(void **state)
{
    (void)state;
    char out[4];
    assert_int_equal(utf8_put(0xD800, out), 3);
    assert_memory_equal(out, "\xEF\xBF\xBD", 3);
    assert_int_equal(utf8_put(0x110000, out), 3);
    assert_memory_equal(out, "\xEF\xBF\xBD", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_each_length),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(malformed_bytes_are_replaced_one_by_one),
        cmocka_unit_test(impossible_points_become_the_replacement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
