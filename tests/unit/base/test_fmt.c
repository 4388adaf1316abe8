#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fmt.h"
#include "base/rng.h"
#include "unit.h"

#define NB "\u00a0"
#define MI "\u2212"

struct row {
    double v;
    int digits;
    const char *want;
};

static void fixed_rounds_once_half_to_even(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { 0.125, 2, "0.12" },
        { 0.375, 2, "0.38" },
        { 2.5, 0, "2" },
        { 3.5, 0, "4" },
        { 1234.5, 0, "1,234" },
        { 1235.5, 0, "1,236" },
        { 2.675, 2, "2.67" },
        { 1.005, 2, "1.00" },
        { 12345 / 1000.0, 2, "12.35" },
        { 99.995, 2, "100.00" },
        { -0.004, 2, "0.00" },
        { -0.0, 1, "0.0" },
        { -4.1, 1, MI "4.1" },
        { 999.999, 2, "1,000.00" },
        { 1e9, 0, "1,000,000,000" },
        { -1234567.891, 2, MI "1,234,567.89" },
        { 123456, 0, "123,456" },
        { 0, 0, "0" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_fixed(rows[i].v, rows[i].digits).s, rows[i].want);
}

static void absent_and_infinite(void **state)
{
    (void)state;
    double nan = ABSENT, inf = ENDLESS;
    assert_string_equal(fmt_fixed(nan, 2).s, "–");
    assert_string_equal(fmt_sig(nan, 3).s, "–");
    assert_string_equal(fmt_table(nan).s, "–");
    assert_string_equal(fmt_table_iops(nan).s, "–");
    assert_string_equal(fmt_si(nan, "s").s, "–");
    assert_string_equal(fmt_duration_ns(nan).s, "–");
    assert_string_equal(fmt_ratio(nan).s, "–");
    assert_string_equal(fmt_ratio_interval(nan, 1, 2).s, "–");
    assert_string_equal(fmt_advantage(nan).s, "–");
    assert_string_equal(fmt_advantage_interval(nan, nan, nan).s, "–");
    assert_string_equal(fmt_advantage_bracket(1.2, nan, nan).s, "–");
    assert_string_equal(fmt_exact(nan).s, "");
    assert_string_equal(fmt_share(0, 0).s, "–");
    assert_string_equal(fmt_fixed(inf, 2).s, "∞");
    assert_string_equal(fmt_sig(-inf, 2).s, MI "∞");
    assert_string_equal(fmt_exact(inf).s, "");
}

static void significant_digits(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { 26417, 3, "26,400" },
        { 0.4362, 3, "0.436" },
        { 434.2, 3, "434" },
        { 45, 3, "45.0" },
        { 2.912, 3, "2.91" },
        { 22060, 3, "22,100" },
        { 2335, 3, "2,340" },
        { 999.5, 3, "1,000" },
        { 9.995, 3, "9.99" },
        { 9.985, 3, "9.98" },
        { 0.9996, 3, "1.00" },
        { -0.4362, 2, MI "0.44" },
        { 1e-9, 3, "0.00000000100" },
        { 1e12, 3, "1,000,000,000,000" },
        { 0, 3, "0" },
        { 7, 1, "7" },
        { 1234567, 1, "1,000,000" },
        { 0.0157, 3, "0.0157" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_sig(rows[i].v, rows[i].digits).s, rows[i].want);
    assert_string_equal(fmt_label(26200).s, "26,200");
    assert_string_equal(fmt_label(0.436).s, "0.436");
    assert_string_equal(fmt_label(434).s, "434");
    assert_string_equal(fmt_label(45).s, "45.0");
    assert_string_equal(fmt_label(2.91).s, "2.91");
}

/* Variance beside σ, both from the unrounded value (§13). */
static void deviation_and_variance(void **state)
{
    (void)state;
    static const struct {
        double s;
        const char *deviation, *variance;
    } rows[] = { { 0.0157, "0.0157", "0.000246" },
                 { 0.0142, "0.0142", "0.000202" },
                 { 0.01574, "0.0157", "0.000248" },
                 { 1.234, "1.23", "1.52" } };
    for (size_t i = 0; i < countof(rows); i++) {
        assert_string_equal(fmt_sig(rows[i].s, 3).s, rows[i].deviation);
        assert_string_equal(fmt_sig(rows[i].s * rows[i].s, 3).s, rows[i].variance);
    }
}

static void table_cells(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { 109.9, 0, "109.9" },
        { 11.683, 0, "11.68" },
        { 8.64, 0, "8.640" },
        { 0.4362, 0, "0.436" },
        { 4.8742, 0, "4.874" },
        { 118, 0, "118.0" },
        { 2722.3, 0, "2,722" },
        { 0.9996, 0, "1.000" },
        { 9.9996, 0, "10.00" },
        { 22063, 0, "22,060" },
        { 0, 0, "0" },
        { 0.0004, 0, "<" NB "0.001" },
        { -0.25, 0, MI "0.250" },
        { 0.0005001, 0, "0.001" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_table(rows[i].v).s, rows[i].want);
    assert_string_equal(fmt_table_iops(22060).s, "22,060");
    assert_string_equal(fmt_table_iops(26417.4).s, "26,417");
    assert_string_equal(fmt_table_iops(148.2).s, "148.2");
    assert_string_equal(fmt_table_iops(999.94).s, "999.9");
    assert_string_equal(fmt_table_iops(999.96).s, "1,000");
    assert_string_equal(fmt_table_iops(1000).s, "1,000");
    assert_string_equal(fmt_table_iops(0).s, "0.0");
}

static void counts(void **state)
{
    (void)state;
    assert_string_equal(fmt_count(0).s, "0");
    assert_string_equal(fmt_count(999).s, "999");
    assert_string_equal(fmt_count(1000).s, "1,000");
    assert_string_equal(fmt_count(UINT64_MAX).s, "18,446,744,073,709,551,615");
    assert_string_equal(fmt_plural(1, "cell").s, "1 cell");
    assert_string_equal(fmt_plural(2, "cell").s, "2 cells");
    assert_string_equal(fmt_plural(0, "batch").s, "0 batches");
    assert_string_equal(fmt_plural(1234, "directory").s, "1,234 directories");
    assert_string_equal(fmt_plural(3, "delay").s, "3 delays");
}

static void si_prefixes(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *unit, *want;
    } rows[] = {
        { 26417, "", "26.4" NB "k" },
        { 999.4, "", "999" },
        { 999.5, "", "1.00" NB "k" },
        { 999499, "", "999" NB "k" },
        { 999500, "", "1.00" NB "M" },
        { 0.00008192, "s", "81.9" NB "µs" },
        { 0.00055, "s", "550" NB "µs" },
        { 0.9996, "", "1.00" },
        { 9.995, "", "9.99" },
        { 9.985, "", "9.98" },
        { 1234567890, "", "1.23" NB "G" },
        { 515, "MB/s", "515" NB "MB/s" },
        { 0, "s", "0" NB "s" },
        { -0.002, "s", MI "2.00" NB "ms" },
        { 1e-9, "s", "1.00" NB "ns" },
        { 4e-12, "s", "0.00400" NB "ns" },
        { 1e12, "", "1,000" NB "G" },
        { 0.99951e-3, "s", "1.00" NB "ms" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_si(rows[i].v, rows[i].unit).s, rows[i].want);
}

static void durations(void **state)
{
    (void)state;
    assert_string_equal(fmt_duration_ns(81920).s, "81.9" NB "µs");
    assert_string_equal(fmt_duration_ns(1450000).s, "1.45" NB "ms");
    assert_string_equal(fmt_duration_ns(2e9).s, "2.00" NB "s");
    assert_string_equal(fmt_duration_ns(501).s, "501" NB "ns");
    assert_string_equal(fmt_duration_ns(35000).s, "35.0" NB "µs");
    assert_string_equal(fmt_duration_ns(90e12).s, "90,000" NB "s");
    assert_string_equal(fmt_duration_ns(0).s, "0" NB "s");
}

static void spans(void **state)
{
    (void)state;
    static const struct {
        uint64_t ns;
        const char *want;
    } rows[] = {
        { 0, "0" NB "s" },
        { 2000000000, "2" NB "s" },
        { 500000000, "500" NB "ms" },
        { 1500000, "1.5" NB "ms" },
        { 10000, "10" NB "µs" },
        { 999, "999" NB "ns" },
        { 90000000000, "1" NB "min 30" NB "s" },
        { 90000000000000, "25" NB "h" },
        { 3661000000000, "1" NB "h 1" NB "min 1" NB "s" },
        { 1500000000, "1.5" NB "s" },
        { 999700000, "1" NB "s" },
        { 2000134000, "2" NB "s" },
        { 59999999999, "1" NB "min" },
        { 7200000000000, "2" NB "h" },
        { 5400000000000000, "1,500" NB "h" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_span_ns(rows[i].ns).s, rows[i].want);
}

static void bytes(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        const char *want;
    } rows[] = {
        { 0, "0" NB "B" },
        { 512, "512" NB "B" },
        { 1000, "1,000" NB "B" },
        { 8192, "8" NB "KiB" },
        { 65536, "64" NB "KiB" },
        { 1536, "1.5" NB "KiB" },
        { 3 << 19, "1.5" NB "MiB" },
        { 1ull << 30, "1" NB "GiB" },
        { 1025ull << 10, "1,025" NB "KiB" },
        { 1500ull << 20, "1,500" NB "MiB" },
        { 1023ull << 10, "1,023" NB "KiB" },
        { 1234567, "1.18" NB "MiB" },
        { 1048575, "1.00" NB "MiB" },
        { 1000204886016, "932" NB "GiB" },
        { UINT64_MAX, "16.0" NB "EiB" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_bytes(rows[i].n).s, rows[i].want);
}

static void ratios(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { 9.994, 0, "9.99×" },    { 9.996, 0, "10.0×" }, { 12.34, 0, "12.3×" },
        { 99.95, 0, "100×" },     { 123.4, 0, "123×" },  { 1.178207, 0, "1.18×" },
        { 0.884615, 0, "0.88×" }, { 1, 0, "1.00×" },     { 12345, 0, "12,345×" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_ratio(rows[i].v).s, rows[i].want);
}

struct interval_row {
    double r, lo, hi;
    const char *want;
};

static void ratio_intervals(void **state)
{
    (void)state;
    static const struct interval_row rows[] = {
        { 1.178207, 1.167875, 1.188631, "1.18× [1.16, 1.19]" },
        { 1.015811, 0.958560, 1.076483, "1.02× [0.95, 1.08]" },
        { 0.884615, 0.755660, 1.035578, "0.88× [0.75, 1.04]" },
        { 1.0111, 1.0013, 1.021, "1.011× [1.001, 1.021]" },
        { 0.9890, 0.9791, 0.9987, "0.989× [0.979, 0.999]" },
        { 1.01, 1.00001, 1.01995, "1.0100× [1.0000, 1.0200]" },
        { 1.2, 0.525, ENDLESS, "1.20× [0.52, …)" },
        { 1, 1, 1, "1.00× [1.00, 1.00]" },
        { 12.34, 11.99, 12.66, "12.3× [11.9, 12.7]" },
        { 1.5, ABSENT, ABSENT, "1.50×" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_ratio_interval(rows[i].r, rows[i].lo, rows[i].hi).s, rows[i].want);
}

static void advantages(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { 1.18, 0, "+18" NB "%" },   { 0.981, 0, MI "1.9" NB "%" }, { 0.86, 0, MI "14" NB "%" },
        { 8.58, 0, "8.58×" },        { 0.31, 0, "0.31×" },          { 2, 0, "2.00×" },
        { 0.5, 0, "0.50×" },         { 1, 0, "0.0" NB "%" },        { 1.0004, 0, "0.0" NB "%" },
        { 0.9996, 0, "0.0" NB "%" }, { 1.0996, 0, "+10" NB "%" },   { 1.0994, 0, "+9.9" NB "%" },
        { 3.16, 0, "3.16×" },        { 1.45 / 0.436, 0, "3.33×" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_advantage(rows[i].v).s, rows[i].want);
}

static void advantage_intervals(void **state)
{
    (void)state;
    double inf = ENDLESS;
    static const struct interval_row rows[] = {
        { 1.178207193, 1.167875118, 1.188630675, "+18" NB "% [+16, +19]" },
        { 0.981, 0.9591, 1.0039, "−1.9" NB "% [−4.1, +0.4]" },
        { 0.86, 0.8301, 0.8899, "−14" NB "% [−17, −11]" },
        { 8.58, 8.4512, 8.7157, "8.58× [8.45, 8.72]" },
        { 0.31, 0.3001, 0.3199, "0.31× [0.30, 0.32]" },
        { 1.182, 1.0031, 1.4005, "+18.2" NB "% [+0.3, +40.1]" },
        { 1.02, 0.9999, 1.04, "+2.0" NB "% [−0.1, +4.1]" },
        { 1.8, 1.2, 2.5, "+80" NB "% [+19, +150]" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_advantage_interval(rows[i].r, rows[i].lo, rows[i].hi).s,
                            rows[i].want);
    assert_string_equal(fmt_advantage_interval(1.2, 1.0251, inf).s, "+20" NB "% [+2, …)");
    assert_string_equal(fmt_advantage_bracket(1.178207, 1.167875, 1.188631).s, "[+16, +19]");
    assert_string_equal(fmt_advantage_bracket(8.58, 8.4512, 8.7157).s, "[8.45, 8.72]");
    assert_string_equal(fmt_advantage_bracket(1.02, 1, 1.05).s, "[0.0, +5.1]");
    assert_string_equal(fmt_advantage_interval(0.0042, 0.00381, 0.00469).s,
                        "0.0042× [0.0038, 0.0047]");
}

static void shares(void **state)
{
    (void)state;
    assert_string_equal(fmt_bp(9000).s, "90" NB "%");
    assert_string_equal(fmt_bp(3333).s, "33.33" NB "%");
    assert_string_equal(fmt_bp(50).s, "0.5" NB "%");
    assert_string_equal(fmt_bp(0).s, "0" NB "%");
    assert_string_equal(fmt_bp(10000).s, "100" NB "%");
    static const struct {
        uint64_t count, n;
        const char *want;
    } rows[] = {
        { 3600, 3600, "100" NB "%" },
        { 0, 3600, "0" NB "%" },
        { 3599, 3600, "99.97" NB "%" },
        { 3420, 3600, "95.00" NB "%" },
        { 1, 3600, "0.03" NB "%" },
        { 1, 3, "33" NB "%" },
        { 99, 100, "99" NB "%" },
        { 1, 101, "1.0" NB "%" },
        { 89999, 90000, "99.999" NB "%" },
        { 9999999, 10000000, ">" NB "99.9999" NB "%" },
        { 1, 10000000, "<" NB "0.0001" NB "%" },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_string_equal(fmt_share(rows[i].count, rows[i].n).s, rows[i].want);
}

static void exact_reads_back(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { 26417, 0, "26417" },
        { 0.1, 0, "0.1" },
        { 26400, 0, "26400" },
        { 1.0 / 3, 0, "0.3333333333333333" },
        { -0.5, 0, "-0.5" },
        { 0, 0, "0" },
        { -0.0, 0, "0" },
        { 1e-9, 0, "1e-09" },
        { 1e22, 0, "1e+22" },
        { 123456789012345680, 0, "123456789012345680" },
        { 5e-324, 0, "5e-324" },
        { 81920.25, 0, "81920.25" },
        { 0.000001, 0, "0.000001" },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        assert_string_equal(fmt_exact(rows[i].v).s, rows[i].want);
        assert_true(strtod(fmt_exact(rows[i].v).s, NULL) == rows[i].v);
    }
    double v = 1.7976931348623157e308;
    assert_true(strtod(fmt_exact(v).s, NULL) == v);
    for (int i = 0; i < 1000; i++) {
        v = 1e-9 * pow(1.0487, i) / 3;
        assert_true(strtod(fmt_exact(v).s, NULL) == v);
    }
}

/* The fewest digits that read back, rounded as printf does: whichever way they are found. */
static void exact_is_the_shortest(void **state)
{
    (void)state;
    struct rng r = rng_seed(11);
    for (int i = 0; i < 50000; i++) {
        double v = (double)rng_below(&r, 1ull << (1 + rng_below(&r, 53)));
        v = i % 3 == 0 ? v : i % 3 == 1 ? v / (double)(1 + rng_below(&r, 100000)) : v / 1000;
        struct text t = fmt_exact(v);
        assert_true(strtod(t.s, NULL) == v);
        int digits = 1;
        char want[64];
        do
            snprintf(want, sizeof want, "%.*e", digits - 1, v);
        while (strtod(want, NULL) != v && ++digits <= 17);
        char got[64];
        snprintf(got, sizeof got, "%.*e", digits - 1, strtod(t.s, NULL));
        assert_string_equal(got, want);
        size_t significant = 0;
        bool leading = true;
        for (const char *c = t.s; *c && *c != 'e'; c++) {
            leading = leading && (*c == '0' || *c == '.' || *c == '-');
            significant += !leading && *c != '.';
        }
        for (size_t n = strlen(t.s); !strchr(t.s, '.') && n > 0 && t.s[n - 1] == '0'; n--)
            significant--;
        assert_true(v == 0 || (int)significant == digits);
    }
}

/* Nothing overflows a text, whatever the number. */
static void extremes_fit(void **state)
{
    (void)state;
    static const double extremes[] = { 1e300, -1e300, 1e-300, 5e-324, 1e33, 1e34, -1e-40 };
    for (size_t i = 0; i < countof(extremes); i++) {
        double v = extremes[i];
        assert_non_null(memchr(fmt_fixed(v, 9).s, '\0', sizeof(struct text)));
        assert_non_null(memchr(fmt_sig(v, 17).s, '\0', sizeof(struct text)));
        assert_non_null(memchr(fmt_si(v, "MB/s").s, '\0', sizeof(struct text)));
        assert_non_null(memchr(fmt_ratio_interval(v, v, v).s, '\0', sizeof(struct text)));
        assert_non_null(memchr(fmt_table(v).s, '\0', sizeof(struct text)));
    }
    assert_string_equal(fmt_sig(1e300, 3).s, "1.00e+300");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_rounds_once_half_to_even),
        cmocka_unit_test(absent_and_infinite),
        cmocka_unit_test(significant_digits),
        cmocka_unit_test(deviation_and_variance),
        cmocka_unit_test(table_cells),
        cmocka_unit_test(counts),
        cmocka_unit_test(si_prefixes),
        cmocka_unit_test(durations),
        cmocka_unit_test(spans),
        cmocka_unit_test(bytes),
        cmocka_unit_test(ratios),
        cmocka_unit_test(ratio_intervals),
        cmocka_unit_test(advantages),
        cmocka_unit_test(advantage_intervals),
        cmocka_unit_test(shares),
        cmocka_unit_test(exact_reads_back),
        cmocka_unit_test(exact_is_the_shortest),
        cmocka_unit_test(extremes_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
