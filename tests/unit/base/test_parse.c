#include <string.h>

#include "base/array.h"
#include "base/parse.h"
#include "unit.h"

static void u64(void **state)
{
    (void)state;
    struct error e;
    uint64_t v;
    assert_int_equal(parse_u64("0", &v, &e), 0);
    assert_int_equal(v, 0);
    assert_int_equal(parse_u64("18446744073709551615", &v, &e), 0);
    assert_int_equal(v, UINT64_MAX);
    assert_int_equal(parse_u64("007", &v, &e), 0);
    assert_int_equal(v, 7);
    static const char *const bad[] = { "",
                                       "-1",
                                       "+1",
                                       " 1",
                                       "1 ",
                                       "1.0",
                                       "0x10",
                                       "1k",
                                       "18446744073709551616",
                                       "99999999999999999999999" };
    for (size_t i = 0; i < countof(bad); i++) {
        v = 5;
        assert_int_equal(parse_u64(bad[i], &v, &e), -1);
        assert_int_equal(e.code, QD_E_USAGE);
        assert_int_equal(v, 5);
        assert_non_null(strstr(e.what, bad[i]));
    }
}

static void numbers(void **state)
{
    (void)state;
    struct error e;
    double v;
    static const struct {
        const char *text;
        double want;
    } good[] = {
        { "12", 12 }, { "0.5", 0.5 }, { "1e3", 1000 }, { "-2.5E-1", -0.25 }, { ".5", 0.5 },
        { "3.", 3 },  { "+1", 1 },    { "0", 0 },      { "1e-400", 0 },      { "0.1", 0.1 }
    };
    for (size_t i = 0; i < countof(good); i++) {
        assert_int_equal(parse_double(good[i].text, &v, &e), 0);
        assert_true(v == good[i].want);
    }
    static const char *const bad[] = { "",      "nan", "inf", "infinity", "0x1p3",
                                       "1e400", "1,5", " 1",  "1 ",       ".",
                                       "-",     "1e",  "1e+", "--1",      "1.2.3" };
    for (size_t i = 0; i < countof(bad); i++) {
        assert_int_equal(parse_double(bad[i], &v, &e), -1);
        assert_int_equal(e.code, QD_E_USAGE);
    }
}

static void sizes(void **state)
{
    (void)state;
    struct error e;
    uint64_t v;
    static const struct {
        const char *text;
        uint64_t want;
    } good[] = {
        { "4096", 4096 },
        { "4k", 4096 },
        { "4K", 4096 },
        { "4KiB", 4096 },
        { "1.5MiB", 3 << 19 },
        { "1GiB", 1ull << 30 },
        { "2T", 2ull << 40 },
        { "512B", 512 },
        { "0", 0 },
        { "0.5k", 512 },
        { "8g", 8ull << 30 },
        { "1PiB", 1ull << 50 },
        { "1.000", 1 },
        { "16383P", 16383ull << 50 },
        { "18446744073709551615", UINT64_MAX },
    };
    for (size_t i = 0; i < countof(good); i++) {
        assert_int_equal(parse_size(good[i].text, &v, &e), 0);
        assert_int_equal(v, good[i].want);
    }
    static const char *const bad[] = { "",    "k",      "-4k",  "4 k",   "4kb",
                                       "4KB", "4x",     "1.3k", "1.k",   ".5k",
                                       "1e3", "16384P", "0.5",  "4kiBB", "18446744073709551616" };
    for (size_t i = 0; i < countof(bad); i++) {
        assert_int_equal(parse_size(bad[i], &v, &e), -1);
        assert_int_equal(e.code, QD_E_USAGE);
        assert_non_null(strstr(e.what, bad[i]));
    }
}

static void durations(void **state)
{
    (void)state;
    struct error e;
    uint64_t v;
    static const struct {
        const char *text;
        uint64_t want;
    } good[] = {
        { "500ns", 500 },
        { "10us", 10000 },
        { "500ms", 500000000 },
        { "30s", 30000000000 },
        { "30", 30000000000 },
        { "10m", 600000000000 },
        { "25h", 90000000000000 },
        { "2d", 172800000000000 },
        { "1.5s", 1500000000 },
        { "0.25h", 900000000000 },
        { "0", 0 },
    };
    for (size_t i = 0; i < countof(good); i++) {
        assert_int_equal(parse_duration(good[i].text, &v, &e), 0);
        assert_int_equal(v, good[i].want);
    }
    static const char *const bad[] = { "",   "s",  "-1s",  "1 s",       "0.5ns",
                                       "1w", "1S", "1e3s", "999999999d" };
    for (size_t i = 0; i < countof(bad); i++)
        assert_int_equal(parse_duration(bad[i], &v, &e), -1);
}

static void percents(void **state)
{
    (void)state;
    struct error e;
    uint32_t bp;
    static const struct {
        const char *text;
        uint32_t want;
    } good[] = { { "0", 0 },         { "100", 10000 }, { "100%", 10000 }, { "33.33", 3333 },
                 { "33.33%", 3333 }, { "0.5", 50 },    { "90.0", 9000 },  { "0.01%", 1 } };
    for (size_t i = 0; i < countof(good); i++) {
        assert_int_equal(parse_percent(good[i].text, &bp, &e), 0);
        assert_int_equal(bp, good[i].want);
    }
    static const char *const bad[] = { "",      "%",    "-1",   "100.01", "101",
                                       "0.001", "50%%", "50 %", "1e1" };
    for (size_t i = 0; i < countof(bad); i++)
        assert_int_equal(parse_percent(bad[i], &bp, &e), -1);
}

static void bools(void **state)
{
    (void)state;
    struct error e;
    static const char *const yes[] = { "yes", "true", "1", "on" };
    static const char *const no[] = { "no", "false", "0", "off" };
    bool v;
    for (size_t i = 0; i < 4; i++) {
        v = false;
        assert_int_equal(parse_bool(yes[i], &v, &e), 0);
        assert_true(v);
        assert_int_equal(parse_bool(no[i], &v, &e), 0);
        assert_false(v);
    }
    assert_int_equal(parse_bool("", &v, &e), -1);
    assert_int_equal(parse_bool("Yes", &v, &e), -1);
    assert_int_equal(e.code, QD_E_USAGE);
}

static void percentiles(void **state)
{
    (void)state;
    struct error e;
    struct fraction f;
    static const struct {
        const char *text;
        uint64_t num, den;
    } good[] = {
        { "50", 1, 2 },  { "99.9", 999, 1000 },  { "99.99", 9999, 10000 },    { "0", 0, 1 },
        { "100", 1, 1 }, { "99.90", 999, 1000 }, { "99.999", 99999, 100000 }, { "2.5", 1, 40 }
    };
    for (size_t i = 0; i < countof(good); i++) {
        assert_int_equal(parse_percentile(good[i].text, &f, &e), 0);
        assert_int_equal(f.num, good[i].num);
        assert_int_equal(f.den, good[i].den);
    }
    static const char *const bad[] = { "",      "-1",  "100.1", "p99",
                                       "99.9%", "1e1", "nan",   "0.1234567890123456",
                                       "99,9" };
    for (size_t i = 0; i < countof(bad); i++)
        assert_int_equal(parse_percentile(bad[i], &f, &e), -1);
}

static void lists(void **state)
{
    (void)state;
    const char *cursor = " 1, 2,,16\t32 ";
    char buf[8];
    static const char *const want[] = { "1", "2", "16", "32" };
    for (size_t i = 0; i < countof(want); i++) {
        assert_true(parse_next(&cursor, buf, sizeof buf));
        assert_string_equal(buf, want[i]);
    }
    assert_false(parse_next(&cursor, buf, sizeof buf));
    assert_false(parse_next(&cursor, buf, sizeof buf));
    cursor = "";
    assert_false(parse_next(&cursor, buf, sizeof buf));
}

static void a_cut_element_does_not_parse(void **state)
{
    (void)state;
    struct error e;
    uint64_t v;
    char buf[8];
    const char *cursor = "12345678,1234567";
    assert_true(parse_next(&cursor, buf, sizeof buf));
    assert_string_equal(buf, "1234…");
    assert_int_equal(parse_u64(buf, &v, &e), -1);
    assert_true(parse_next(&cursor, buf, sizeof buf));
    assert_string_equal(buf, "1234567");
    assert_false(parse_next(&cursor, buf, sizeof buf));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u64),
        cmocka_unit_test(numbers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(durations),
        cmocka_unit_test(percents),
        cmocka_unit_test(bools),
        cmocka_unit_test(percentiles),
        cmocka_unit_test(lists),
        cmocka_unit_test(a_cut_element_does_not_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
