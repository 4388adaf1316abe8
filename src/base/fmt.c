#include "base/fmt.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define MINUS "\u2212"
#define NBSP "\u00a0"
#define TIMES "\u00d7"
#define DASH "\u2013"
#define ELLIPSIS "\u2026"

/* Plain decimals longer than this fall back to the exponent form, so that every text fits. */
enum { LONGEST_PLAIN = 34 };

__attribute__((format(printf, 1, 2))) static struct text text_of(const char *fmt, ...)
{
    struct text t;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(t.s, sizeof t.s, fmt, ap);
    va_end(ap);
    return t;
}

static bool is_zero(const char *digits)
{
    return !digits[strspn(digits, "-0.")];
}

/* C digits ("-1234.50") as printed: U+2212, thousands, no negative zero. */
static struct text dress(const char *digits)
{
    bool negative = *digits == '-' && !is_zero(digits);
    digits += *digits == '-';
    size_t whole = strspn(digits, "0123456789");
    struct text t = text_of("%s", negative ? MINUS : "");
    size_t n = strlen(t.s);
    for (size_t i = 0; digits[i] && n + 2 < sizeof t.s; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            t.s[n++] = ',';
        t.s[n++] = digits[i];
    }
    t.s[n] = '\0';
    return t;
}

/* NaN and the infinities; false for ordinary numbers. */
static bool is_special(double v, struct text *ret)
{
    if (isfinite(v))
        return false;
    *ret = text_of("%s", isnan(v) ? DASH : v < 0 ? MINUS "∞" : "∞");
    return true;
}

/* A finite number rounded to significant digits: 0.ddd × 10^(exponent + 1). */
struct rounded {
    bool negative;
    char digits[24];
    int exponent; /* of the first digit */
};

static struct rounded round_digits(double v, int digits)
{
    char e[48];
    struct rounded r = { .negative = v < 0 };
    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    snprintf(e, sizeof e, "%.*e", digits - 1, fabs(v));
    r.digits[0] = e[0];
    if (digits > 1)
        memcpy(r.digits + 1, e + 2, (size_t)digits - 1);
    r.exponent = (int)strtol(strchr(e, 'e') + 1, NULL, 10);
    return r;
}

/* Decimal digits of r × 10^-scale. false: too long for a text. */
static bool expand(const struct rounded *r, int scale, char *out, size_t size)
{
    int n = (int)strlen(r->digits), point = r->exponent - scale + 1; /* digits before it */
    if (point > LONGEST_PLAIN || n - point > LONGEST_PLAIN)
        return false;
    const char *sign = r->negative ? "-" : "";
    if (point <= 0)
        snprintf(out, size, "%s0.%.*s%s", sign, -point, "0000000000000000000000000000000000",
                 r->digits);
    else if (point >= n)
        snprintf(out, size, "%s%s%.*s", sign, r->digits, point - n,
                 "0000000000000000000000000000000000");
    else
        snprintf(out, size, "%s%.*s.%s", sign, point, r->digits, r->digits + point);
    return true;
}

static void strip_zeros(char *digits)
{
    if (!strchr(digits, '.'))
        return;
    size_t n = strlen(digits);
    while (digits[n - 1] == '0')
        n--;
    n -= digits[n - 1] == '.';
    digits[n] = '\0';
}

static struct text scientific(double v, int digits)
{
    char e[48];
    snprintf(e, sizeof e, "%.*e", digits - 1, v);
    return dress(e);
}

struct text fmt_fixed(double v, int decimals)
{
    struct text t;
    if (is_special(v, &t))
        return t;
    char digits[400];
    snprintf(digits, sizeof digits, "%.*f", decimals, v);
    return strcspn(digits, ".") > LONGEST_PLAIN ? scientific(v, 3) : dress(digits);
}

struct text fmt_sig(double v, int digits)
{
    struct text t;
    if (is_special(v, &t))
        return t;
    char plain[80];
    struct rounded r = round_digits(v, digits);
    if (v == 0)
        return text_of("0");
    return expand(&r, 0, plain, sizeof plain) ? dress(plain) : scientific(v, digits);
}

struct text fmt_count(uint64_t v)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)v);
    return dress(digits);
}

struct text fmt_label(double v)
{
    return fmt_sig(v, 3);
}

struct text fmt_table(double v)
{
    if (!isfinite(v) || v == 0 || round_digits(v, 4).exponent >= 0)
        return fmt_sig(v, 4);
    struct text t = fmt_fixed(v, 3);
    if (v > 0 && is_zero(t.s))
        return text_of("<" NBSP "0.001");
    return t;
}

struct text fmt_table_iops(double v)
{
    struct text t;
    if (is_special(v, &t))
        return t;
    char tenth[400];
    snprintf(tenth, sizeof tenth, "%.1f", fabs(v));
    return fmt_fixed(v, strlen(tenth) > strlen("999.9") ? 0 : 1);
}

/* Three digits with the SI prefix that fits, none above `largest` (an exponent). */
static struct text with_prefix(double v, const char *unit, int largest, bool strip)
{
    static const char *const prefixes[] = { "n", "µ", "m", "", "k", "M", "G" };
    struct text t;
    if (is_special(v, &t))
        return t;
    struct rounded r = round_digits(v, 3);
    int group = r.exponent >= 0 ? r.exponent / 3 : -((2 - r.exponent) / 3);
    group = group < -3 ? -3 : group > largest / 3 ? largest / 3 : group;
    const char *prefix = v == 0 ? "" : prefixes[group + 3];
    char plain[80] = "0";
    if (v != 0 && !expand(&r, group * 3, plain, sizeof plain))
        t = scientific(v, 3);
    else {
        if (strip)
            strip_zeros(plain);
        t = dress(plain);
    }
    return *prefix || *unit ? text_of("%.48s" NBSP "%s%s", t.s, prefix, unit) : t;
}

struct text fmt_si(double v, const char *unit)
{
    return with_prefix(v, unit, 9, false);
}

struct text fmt_duration_ns(double ns)
{
    return with_prefix(ns / 1e9, "s", 0, false);
}

struct text fmt_span_ns(uint64_t ns)
{
    if (ns < 999500000)
        return with_prefix((double)ns / 1e9, "s", 0, true);
    uint64_t ms = ns / 1000000 + (ns % 1000000 >= 500000);
    if (ms < 60000) {
        char seconds[32];
        snprintf(seconds, sizeof seconds, "%llu.%03llu", (unsigned long long)ms / 1000,
                 (unsigned long long)ms % 1000);
        strip_zeros(seconds);
        return text_of("%s" NBSP "s", seconds);
    }
    uint64_t s = ms / 1000 + (ms % 1000 >= 500);
    const struct {
        uint64_t n;
        const char *unit;
    } parts[] = { { s / 3600, "h" }, { s / 60 % 60, "min" }, { s % 60, "s" } };
    struct text t = { "" };
    for (size_t i = 0; i < countof(parts); i++)
        if (parts[i].n)
            t = text_of("%.40s%s%.16s" NBSP "%s", t.s, *t.s ? " " : "", fmt_count(parts[i].n).s,
                        parts[i].unit);
    return t;
}

struct text fmt_bytes(uint64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    unsigned u = 0;
    while (u + 1 < countof(units) && bytes >> (10 * (u + 1)))
        u++;
    uint64_t unit = 1ull << (10 * u), whole = bytes / unit, rest = bytes % unit;
    unsigned hundredths = (unsigned)((unsigned __int128)rest * 100 / unit);
    bool exact = (unsigned __int128)rest * 100 % unit == 0;
    if (rest == 0)
        return text_of("%s" NBSP "%s", fmt_count(whole).s, units[u]);
    if (exact && (whole < 10 || (whole < 100 && hundredths % 10 == 0))) {
        char digits[32];
        snprintf(digits, sizeof digits, "%llu.%02u", (unsigned long long)whole, hundredths);
        strip_zeros(digits);
        return text_of("%s" NBSP "%s", digits, units[u]);
    }
    if (rest % (unit >> 10) == 0 && bytes / (unit >> 10) < 10000)
        return text_of("%s" NBSP "%s", fmt_count(bytes / (unit >> 10)).s, units[u - 1]);
    if (whole >= 1000 && u + 1 < countof(units))
        u++;
    return text_of("%.48s" NBSP "%s", fmt_sig((double)bytes / (double)(1ull << (10 * u)), 3).s,
                   units[u]);
}

/* Ratios have 3 digits, never more than 2 decimals; the choice is made after rounding. */
static int ratio_decimals(double r)
{
    char digits[400];
    for (int decimals = 2; decimals > 0; decimals--) {
        snprintf(digits, sizeof digits, "%.*f", decimals, fabs(r));
        if (strlen(digits) <= strlen("9.99"))
            return decimals;
    }
    return 0;
}

static int percent_decimals(double percent)
{
    char digits[400];
    snprintf(digits, sizeof digits, "%.1f", fabs(percent));
    return strlen(digits) > strlen("9.9") ? 0 : 1;
}

struct text fmt_ratio(double r)
{
    struct text t;
    if (is_special(r, &t))
        return t;
    return text_of("%.56s" TIMES, fmt_fixed(r, ratio_decimals(r)).s);
}

/* printf rounds as the floating-point environment says: an end of an interval never moves inwards. */
static struct text outward(double v, int decimals, int direction)
{
    int before = fegetround();
    fesetround(direction);
    struct text t = fmt_fixed(v, decimals);
    fesetround(before);
    return t;
}

/* One way of writing a ratio: as such, or as a percent change. */
struct form {
    bool percent;
    int decimals;
};

static double in_form(struct form f, double r)
{
    return f.percent ? (r - 1) * 100 : r;
}

static bool is_percent(double r)
{
    return r > 0.5 && r < 2;
}

/* A small factor keeps two significant digits, so that none prints as 0.00. */
static int factor_decimals(double r)
{
    enum { MOST = 8 };
    int decimals = ratio_decimals(r);
    while (decimals < MOST && r > 0 && r * pow(10, decimals) < 9.5)
        decimals++;
    return decimals;
}

static struct form form_of(double r, bool percent)
{
    struct form f = { .percent = percent };
    f.decimals = percent ? percent_decimals(in_form(f, r)) : factor_decimals(r);
    return f;
}

static struct text with_sign(struct text t, struct form f)
{
    bool plus = f.percent && *t.s >= '0' && *t.s <= '9' && t.s[strspn(t.s, "0.,")];
    return plus ? text_of("+%.60s", t.s) : t;
}

static struct text estimate(double r, struct form f)
{
    struct text t = with_sign(fmt_fixed(in_form(f, r), f.decimals), f);
    return text_of("%.56s%s", t.s, f.percent ? NBSP "%" : TIMES);
}

static struct text low_end(double lo, struct form f)
{
    return with_sign(outward(in_form(f, lo), f.decimals, FE_DOWNWARD), f);
}

static struct text high_end(double hi, struct form f)
{
    return with_sign(outward(in_form(f, hi), f.decimals, FE_UPWARD), f);
}

static struct text bracket(double lo, double hi, struct form f)
{
    if (isinf(hi))
        return text_of("[%.40s, " ELLIPSIS ")", low_end(lo, f).s);
    return text_of("[%.28s, %.28s]", low_end(lo, f).s, high_end(hi, f).s);
}

/* Does an end that is not 1 print as 1? */
static bool touches_one(double lo, double hi, struct form f)
{
    struct text one = fmt_fixed(in_form(f, 1), f.decimals);
    return (lo > 1 && !strcmp(low_end(lo, f).s, one.s)) ||
           (hi < 1 && !strcmp(high_end(hi, f).s, one.s));
}

static struct form interval_form(double r, double lo, double hi, bool percent)
{
    struct form f = form_of(r, percent);
    while (f.decimals < 4 && touches_one(lo, hi, f))
        f.decimals++;
    return f;
}

static struct text with_bracket(double r, double lo, double hi, bool percent)
{
    struct text t;
    if (is_special(r, &t))
        return t;
    if (isnan(lo) || isnan(hi))
        return estimate(r, form_of(r, percent));
    struct form f = interval_form(r, lo, hi, percent);
    return text_of("%.24s %.38s", estimate(r, f).s, bracket(lo, hi, f).s);
}

struct text fmt_ratio_interval(double r, double lo, double hi)
{
    return with_bracket(r, lo, hi, false);
}

struct text fmt_advantage(double r)
{
    struct text t;
    return is_special(r, &t) ? t : estimate(r, form_of(r, is_percent(r)));
}

struct text fmt_advantage_interval(double r, double lo, double hi)
{
    return with_bracket(r, lo, hi, is_percent(r));
}

struct text fmt_advantage_bracket(double r, double lo, double hi)
{
    if (!isfinite(r) || isnan(lo) || isnan(hi))
        return text_of(DASH);
    return bracket(lo, hi, interval_form(r, lo, hi, is_percent(r)));
}

struct text fmt_bp(uint32_t bp)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%u.%02u", bp / 100, bp % 100);
    strip_zeros(digits);
    return text_of("%.56s" NBSP "%%", dress(digits).s);
}

struct text fmt_share(uint64_t count, uint64_t n)
{
    if (n == 0)
        return text_of(DASH);
    if (count == 0 || count == n)
        return text_of("%s" NBSP "%%", count ? "100" : "0");
    int decimals = 0;
    for (uint64_t finest = 100; decimals < 4 && n > finest; finest *= 10)
        decimals++;
    struct text t = fmt_fixed(100.0 * (double)count / (double)n, decimals);
    double step = pow(10, -decimals);
    if (is_zero(t.s))
        return text_of("<" NBSP "%s" NBSP "%%", fmt_fixed(step, decimals).s);
    if (!strncmp(t.s, "100", 3))
        return text_of(">" NBSP "%s" NBSP "%%", fmt_fixed(100 - step, decimals).s);
    return text_of("%.56s" NBSP "%%", t.s);
}

/* The same digits for 1 <= v < 2^53, found with integers: v = m / 2^k, and the decimal N / 10^p reads back as v if it lies within
 * half a step of v. A million of them are written into one file. false: take the long way. */
static bool exact_quickly(double v, struct text *ret)
{
    int exponent = 0;
    uint64_t m = (uint64_t)ldexp(frexp(v, &exponent), 53);
    int k = 53 - exponent;
    if (!(v >= 1) || k <= 0 || k > 52 ||
        m == 1ull << 52) /* below a power of two steps are half as long */
        return false;
    unsigned __int128 scaled = m, ten = 1, half = (unsigned __int128)1 << (k - 1);
    for (int p = 0; p <= 16; p++, scaled *= 10, ten *= 10) {
        unsigned __int128 n = scaled >> k, rest = scaled & ((half << 1) - 1);
        if (rest > half || (rest == half && (n & 1)))
            n++;
        unsigned __int128 back = n << k;
        unsigned __int128 off = back > scaled ? back - scaled : scaled - back;
        if (2 * off >= ten)
            continue;
        uint64_t whole = (uint64_t)(n / ten), decimals = (uint64_t)(n % ten);
        *ret = p ? text_of("%" PRIu64 ".%0*" PRIu64, whole, p, decimals)
                 : text_of("%" PRIu64, whole);
        return true;
    }
    return false;
}

struct text fmt_exact(double v)
{
    if (!isfinite(v))
        return text_of("%s", "");
    if (v == 0)
        return text_of("0");
    struct text quick;
    if (exact_quickly(v, &quick))
        return quick;
    char e[48];
    int digits = 1;
    do
        snprintf(e, sizeof e, "%.*e", digits - 1, v);
    while (strtod(e, NULL) != v && ++digits <= 17);
    struct rounded r = round_digits(v, digits);
    char plain[80];
    if (r.exponent >= -7 && r.exponent < 21 && expand(&r, 0, plain, sizeof plain))
        return text_of("%.63s", plain);
    return text_of("%.48s", e);
}

struct text fmt_plural(uint64_t n, const char *noun)
{
    size_t length = strlen(noun);
    char last = length ? noun[length - 1] : '\0', before = length > 1 ? noun[length - 2] : '\0';
    struct text count = fmt_count(n);
    if (n == 1)
        return text_of("%.26s %.32s", count.s, noun);
    if (last == 'y' && !strchr("aeiou", before))
        return text_of("%.26s %.*sies", count.s, (int)length - 1, noun);
    bool hiss = last == 's' || last == 'x' || (last == 'h' && (before == 'c' || before == 's'));
    return text_of("%.26s %.32s%s", count.s, noun, hiss ? "es" : "s");
}
