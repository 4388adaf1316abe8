#include "base/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A decimal number without sign or exponent, exactly: digits / 10^places. */
struct decimal {
    uint64_t digits;
    unsigned places;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Moves *s behind the number. false: no digit there, or more digits than fit. */
static bool scan_decimal(const char **s, struct decimal *ret)
{
    struct decimal d = { 0 };
    const char *p = *s;
    bool point = false, any = false;
    for (; is_digit(*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        any = true;
        if (__builtin_mul_overflow(d.digits, 10u, &d.digits) ||
            __builtin_add_overflow(d.digits, (unsigned)(*p - '0'), &d.digits))
            return false;
        d.places += point;
    }
    if (!any || p[-1] == '.' || **s == '.')
        return false;
    *s = p;
    *ret = d;
    return true;
}

static uint64_t power_of_ten(unsigned n)
{
    uint64_t v = 1;
    while (n--)
        v *= 10; /* places never exceed 19, what scan_decimal's digits can hold */
    return v;
}

/* d × factor as a whole number. */
static bool decimal_times(struct decimal d, uint64_t factor, uint64_t *ret)
{
    if (d.places > 19)
        return false;
    unsigned __int128 v = (unsigned __int128)d.digits * factor;
    uint64_t scale = power_of_ten(d.places);
    if (v % scale || v / scale > UINT64_MAX)
        return false;
    *ret = (uint64_t)(v / scale);
    return true;
}

int parse_u64(const char *text, uint64_t *ret, struct error *e)
{
    uint64_t v = 0;
    const char *p = text;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(v, 10u, &v) ||
            __builtin_add_overflow(v, (unsigned)(*p - '0'), &v))
            return error_set(e, QD_E_USAGE, "'%s' is too large", text);
    if (*p || p == text)
        return error_set(e, QD_E_USAGE, "'%s' is not a whole number", text);
    *ret = v;
    return 0;
}

/* [sign] digits [. digits] [e [sign] digits], at least one digit before or after the point. */
static bool looks_decimal(const char *p)
{
    p += *p == '+' || *p == '-';
    size_t whole = strspn(p, "0123456789"), fraction = 0;
    p += whole;
    if (*p == '.') {
        fraction = strspn(p + 1, "0123456789");
        p += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        size_t exponent = strspn(p, "0123456789");
        p += exponent;
        if (!exponent)
            return false;
    }
    return !*p;
}

int parse_double(const char *text, double *ret, struct error *e)
{
    if (!looks_decimal(text))
        return error_set(e, QD_E_USAGE, "'%s' is not a number", text);
    double v = strtod(text, NULL);
    if (!isfinite(v))
        return error_set(e, QD_E_USAGE, "'%s' is too large", text);
    *ret = v;
    return 0;
}

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit size_units[] = {
    { "", 1 },
    { "B", 1 },
    { "k", 1ull << 10 },
    { "K", 1ull << 10 },
    { "KiB", 1ull << 10 },
    { "m", 1ull << 20 },
    { "M", 1ull << 20 },
    { "MiB", 1ull << 20 },
    { "g", 1ull << 30 },
    { "G", 1ull << 30 },
    { "GiB", 1ull << 30 },
    { "t", 1ull << 40 },
    { "T", 1ull << 40 },
    { "TiB", 1ull << 40 },
    { "p", 1ull << 50 },
    { "P", 1ull << 50 },
    { "PiB", 1ull << 50 },
};

static const struct unit time_units[] = {
    { "", 1000000000 },  { "ns", 1 },          { "us", 1000 },         { "ms", 1000000 },
    { "s", 1000000000 }, { "m", 60000000000 }, { "h", 3600000000000 }, { "d", 86400000000000 },
};

static const struct unit *find_unit(const struct unit *units, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(units[i].name, name))
            return &units[i];
    return NULL;
}

int parse_size(const char *text, uint64_t *ret_bytes, struct error *e)
{
    const char *p = text;
    struct decimal d;
    const struct unit *u = NULL;
    if (scan_decimal(&p, &d))
        u = find_unit(size_units, countof(size_units), p);
    if (!u)
        return error_set(e, QD_E_USAGE, "'%s' is not a size (such as 4096, 4k, 64KiB, 1GiB)", text);
    if (!decimal_times(d, u->factor, ret_bytes))
        return error_set(e, QD_E_USAGE, "'%s' is too large or no whole number of bytes", text);
    return 0;
}

int parse_duration(const char *text, uint64_t *ret_ns, struct error *e)
{
    const char *p = text;
    struct decimal d;
    const struct unit *u = NULL;
    if (scan_decimal(&p, &d))
        u = find_unit(time_units, countof(time_units), p);
    if (!u)
        return error_set(e, QD_E_USAGE, "'%s' is not a time (such as 500ms, 30s, 10m, 25h)", text);
    if (!decimal_times(d, u->factor, ret_ns))
        return error_set(e, QD_E_USAGE, "'%s' is too large or finer than 1 ns", text);
    return 0;
}

int parse_percent(const char *text, uint32_t *ret_bp, struct error *e)
{
    const char *p = text;
    struct decimal d;
    uint64_t bp;
    bool ok = scan_decimal(&p, &d);
    p += ok && *p == '%';
    if (!ok || *p)
        return error_set(e, QD_E_USAGE, "'%s' is not a percentage", text);
    if (d.places > 2 || !decimal_times(d, 100, &bp) || bp > 10000)
        return error_set(e, QD_E_USAGE,
                         "'%s' is not a percentage from 0 to 100 with at most two decimals", text);
    *ret_bp = (uint32_t)bp;
    return 0;
}

int parse_bool(const char *text, bool *ret, struct error *e)
{
    static const char *const words[] = { "no", "yes", "false", "true", "0", "1", "off", "on" };
    for (size_t i = 0; i < countof(words); i++)
        if (!strcmp(text, words[i])) {
            *ret = i % 2;
            return 0;
        }
    return error_set(e, QD_E_USAGE, "'%s' is neither yes nor no", text);
}

/* Lowest terms of a fraction whose denominator is a power of ten. */
static struct fraction reduced(uint64_t num, uint64_t den)
{
    for (unsigned prime = 2; prime <= 5; prime += 3)
        while (num % prime == 0 && den % prime == 0) {
            num /= prime;
            den /= prime;
        }
    return (struct fraction) { num, den };
}

int parse_percentile(const char *text, struct fraction *ret, struct error *e)
{
    const char *p = text;
    struct decimal d;
    if (!scan_decimal(&p, &d) || *p)
        return error_set(e, QD_E_USAGE, "'%s' is not a percentile (such as 50 or 99.9)", text);
    if (d.places > 15)
        return error_set(e, QD_E_USAGE, "'%s' has too many decimals", text);
    uint64_t den = 100 * power_of_ten(d.places);
    if (d.digits > den)
        return error_set(e, QD_E_USAGE, "'%s' is not a percentile from 0 to 100", text);
    *ret = reduced(d.digits, den);
    return 0;
}

/* Marks a cut element so that no parse can take it for a shorter, valid one. */
static void mark_cut(char *buf, size_t n)
{
    static const char mark[] = "…";
    size_t room = n > sizeof mark ? n - sizeof mark : 0;
    while (room > 0 && ((unsigned char)buf[room] & 0xC0) == 0x80)
        room--;
    if (n >= sizeof mark)
        memcpy(buf + room, mark, sizeof mark);
    else
        buf[0] = '\0';
}

bool parse_next(const char **cursor, char *buf, size_t n)
{
    static const char separators[] = ", \t\r\n";
    const char *from = *cursor + strspn(*cursor, separators);
    size_t length = strcspn(from, separators);
    *cursor = from + length;
    if (!length)
        return false;
    bool cut = length >= n;
    size_t kept = cut ? n - 1 : length;
    memcpy(buf, from, kept);
    buf[kept] = '\0';
    if (cut)
        mark_cut(buf, n);
    return true;
}
