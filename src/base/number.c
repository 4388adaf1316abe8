#include "base/number.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/parse.h"

enum { MAX_DIGITS = 60 };

/* A number in pieces: digits up to the decimal mark without what parts thousands, the mark, digits behind it. */
struct spelled {
    char text[MAX_DIGITS + 16]; /* with '.' as parse_double takes it */
    size_t n;
    const char *end;
    char mark; /* the decimal one that was there; 0: none */
};

static size_t digits(const char *p)
{
    return strspn(p, "0123456789");
}

/* Length of what may part thousands at p; 0: nothing. */
static size_t separator(const char *p, char *ret_kind)
{
    *ret_kind = *p;
    if (*p == '.' || *p == ',' || *p == ' ' || *p == '\'')
        return 1;
    *ret_kind = ' ';
    if (!strncmp(p, "\xC2\xA0", 2))
        return 2;
    return !strncmp(p, "\xE2\x80\xAF", 3) || !strncmp(p, "\xE2\x80\x89", 3) ? 3 : 0;
}

static void put(struct spelled *s, const char *from, size_t n)
{
    for (size_t i = 0; i < n && s->n < MAX_DIGITS; i++)
        s->text[s->n++] = from[i];
}

/* Groups of three behind p that `kind` parts; how many, and where they end. */
static size_t groups(const char *p, char kind, const char **ret_end)
{
    size_t n = 0;
    char at;
    size_t skip;
    while ((skip = separator(p, &at)) && at == kind && digits(p + skip) == 3) {
        p += skip + 3;
        n++;
    }
    *ret_end = p;
    return n;
}

/* Is the mark at p the decimal one? `lead` digits stand before it. */
static bool is_decimal(const char *p, size_t lead, bool zero, enum decimal_mark mark)
{
    const char *end;
    if (mark != DECIMAL_GUESS)
        return *p == (mark == DECIMAL_POINT ? '.' : ',');
    size_t n = lead <= 3 && !zero ? groups(p, *p, &end) : 0;
    if (n == 0)
        return true;
    bool other = *end == (*p == '.' ? ',' : '.') && isdigit((unsigned char)end[1]);
    return n == 1 && *p == '.' && !other;
}

static const char *take_whole(struct spelled *s, const char *p, enum decimal_mark mark)
{
    size_t lead = digits(p);
    bool zero = lead == 1 && *p == '0';
    put(s, p, lead);
    p += lead;
    char kind;
    const char *end;
    size_t skip = separator(p, &kind);
    if (!skip || lead == 0 || lead > 3 || zero)
        return p;
    if ((kind == '.' || kind == ',') && is_decimal(p, lead, zero, mark))
        return p;
    if (!groups(p, kind, &end))
        return p;
    while (p < end) {
        p += separator(p, &kind);
        put(s, p, 3);
        p += 3;
    }
    return p;
}

static const char *take_fraction(struct spelled *s, const char *p, enum decimal_mark mark)
{
    bool fits = mark == DECIMAL_GUESS ? *p == '.' || *p == ','
                                      : *p == (mark == DECIMAL_POINT ? '.' : ',');
    size_t n = fits ? digits(p + 1) : 0;
    if (n == 0)
        return p;
    s->mark = *p;
    if (!s->n)
        put(s, "0", 1);
    put(s, ".", 1);
    put(s, p + 1, n);
    return p + 1 + n;
}

static bool spell(const char *p, enum decimal_mark mark, struct spelled *s)
{
    *s = (struct spelled) { 0 };
    if (!strncmp(p, "\xE2\x88\x92", 3)) {
        put(s, "-", 1);
        p += 3;
    } else if (*p == '-' || *p == '+') {
        put(s, p, *p == '-');
        p++;
    }
    const char *from = p;
    p = take_whole(s, p, mark);
    p = take_fraction(s, p, mark);
    if (p == from)
        return false;
    if (*p == 'e' || *p == 'E') {
        size_t sign = p[1] == '-' || p[1] == '+';
        size_t n = digits(p + 1 + sign);
        if (n && n < 5) {
            memcpy(s->text + s->n, p, 1 + sign + n);
            s->n += 1 + sign + n;
            p += 1 + sign + n;
        }
    }
    s->end = p;
    return true;
}

bool number_read(const char **at, enum decimal_mark mark, double *ret)
{
    struct spelled s;
    struct error ignored;
    if (!spell(*at, mark, &s) || parse_double(s.text, ret, &ignored))
        return false;
    *at = s.end;
    return true;
}

bool number_of(const char *text, enum decimal_mark mark, double *ret)
{
    double v;
    text += strspn(text, " \t");
    if (!number_read(&text, mark, &v) || text[strspn(text, " \t\r\n")])
        return false;
    *ret = v;
    return true;
}

/* A number whose mark can be nothing but the decimal one. */
static bool leaves_no_doubt(const char *from, const struct spelled *s)
{
    size_t lead = digits(from);
    bool parted = s->n && (size_t)(s->end - from) > s->n;
    const char *point = memchr(s->text, '.', s->n);
    size_t behind = point ? digits(point + 1) : 0;
    return s->mark && (parted || behind != 3 || lead > 3 || (lead == 1 && *from == '0'));
}

enum decimal_mark number_mark(const char *text)
{
    size_t points = 0, commas = 0;
    for (const char *p = text; *p;) {
        struct spelled s;
        if (!isdigit((unsigned char)*p) || !spell(p, DECIMAL_GUESS, &s)) {
            p++;
            continue;
        }
        /* "3.0.3" and "1,2,3" are no numbers */
        bool list = (*s.end == '.' || *s.end == ',') && isdigit((unsigned char)s.end[1]);
        if (!list && leaves_no_doubt(p, &s)) {
            points += s.mark == '.';
            commas += s.mark == ',';
        }
        p = s.end;
        while (list && (isdigit((unsigned char)*p) || *p == '.' || *p == ','))
            p++;
    }
    return points == commas ? DECIMAL_GUESS : points > commas ? DECIMAL_POINT : DECIMAL_COMMA;
}
