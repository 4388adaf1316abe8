#include "import/scan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/number.h"

const char *scan_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

const char *scan_word(const char *p, const char *word)
{
    size_t n = strlen(word);
    p = scan_blanks(p);
    if (strncasecmp(p, word, n) != 0 ||
        (isalnum((unsigned char)p[n]) && isalnum((unsigned char)word[n - 1])))
        return NULL;
    return p + n;
}

const char *scan_label(const char *p, const char *label)
{
    p = scan_word(p, label);
    if (!p)
        return NULL;
    p = scan_blanks(p);
    return *p == ':' ? scan_blanks(p + 1) : NULL;
}

bool scan_decimal(const char **p, double *ret)
{
    const char *at = scan_blanks(*p);
    const char *digits = at + (*at == '-' || *at == '+');
    size_t whole = strspn(digits, "0123456789");
    enum decimal_mark mark = digits[whole] == ',' ? DECIMAL_COMMA : DECIMAL_POINT;
    if (digits[whole] == ',' && strchr("0123456789", digits[whole + 1]) &&
        digits[whole + 1 + strspn(digits + whole + 1, "0123456789")] == '.')
        mark = DECIMAL_POINT; /* 1,234.5 */
    if (!number_read(&at, mark, ret))
        return false;
    *p = at;
    return true;
}

bool scan_size(const char **p, double *ret)
{
    static const char prefixes[] = "kmgt";
    double v;
    const char *at = *p;
    if (!scan_decimal(&at, &v))
        return false;
    const char *unit = scan_blanks(at);
    const char *prefix = *unit ? strchr(prefixes, tolower((unsigned char)*unit)) : NULL;
    const char *end = unit + (prefix != NULL);
    end += prefix && (*end == 'i');
    if (!strncasecmp(end, "bytes", 5))
        end += 5;
    else if (*end == 'B' || *end == 'b')
        end++;
    if (!isalpha((unsigned char)*end)) {
        at = end;
        v = prefix ? ldexp(v, 10 * (int)(prefix - prefixes + 1)) : v;
    }
    *p = at;
    *ret = v;
    return true;
}

struct unit {
    const char *name;
    double value;
};

static double unit_at(const char **p, const struct unit *units, size_t n)
{
    const char *at = scan_blanks(*p);
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(units[i].name);
        if (!strncasecmp(at, units[i].name, length) && !isalnum((unsigned char)at[length])) {
            *p = at + length;
            return units[i].value;
        }
    }
    return 0;
}

double scan_time_unit(const char **p)
{
    static const struct unit units[] = {
        { "ns", 1 },          { "nsec", 1 }, { "us", 1e3 },   { "usec", 1e3 }, { "\xC2\xB5s", 1e3 },
        { "\xCE\xBCs", 1e3 }, { "ms", 1e6 }, { "msec", 1e6 }, { "s", 1e9 },    { "sec", 1e9 },
    };
    return unit_at(p, units, countof(units));
}

double scan_rate_unit(const char **p)
{
    static const struct unit units[] = {
        { "MB/s", 1e6 },       { "MB/sec", 1e6 },  { "MBps", 1e6 },   { "MiB/s", 0x1p20 },
        { "MiB/sec", 0x1p20 }, { "KB/s", 1e3 },    { "KB/sec", 1e3 }, { "KiB/s", 0x1p10 },
        { "KiB/sec", 0x1p10 }, { "GB/s", 1e9 },    { "GB/sec", 1e9 }, { "GiB/s", 0x1p30 },
        { "GiB/sec", 0x1p30 }, { "B/s", 1 },       { "B/sec", 1 },    { "byte/s", 1 },
        { "bytes/s", 1 },      { "bytes/sec", 1 }, { "TB/s", 1e12 },  { "TiB/s", 0x1p40 },
    };
    return unit_at(p, units, countof(units));
}

/* "-0800", "+02:00", "Z": seconds east; 0 where there is none. */
static int zone_at(const char *p)
{
    if (*p != '+' && *p != '-')
        return 0;
    struct tm t = { 0 };
    const char *rest = strptime(p + 1, "%H", &t);
    if (!rest)
        return 0;
    strptime(rest + (*rest == ':'), "%M", &t);
    return (*p == '-' ? -1 : 1) * (t.tm_hour * 3600 + t.tm_min * 60);
}

bool scan_date(const char *p, int64_t *ret_ns)
{
    struct tm t = { 0 };
    p = scan_blanks(p);
    const char *day = strptime(p, "%Y-%m-%d", &t);
    day = day ? day : strptime(p, "%Y/%m/%d", &t);
    p = day && *day ? strptime(day + 1, "%H:%M:%S", &t) : NULL;
    if (!p || t.tm_year < 70 || t.tm_year > 300)
        return false;
    *ret_ns = ((int64_t)timegm(&t) - zone_at(p)) * (int64_t)NS_PER_S;
    return true;
}

const char *scan_trimmed(struct arena *a, const char *p)
{
    p = scan_blanks(p);
    size_t n = strlen(p);
    while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
        n--;
    return arena_strndup(a, p, n);
}
