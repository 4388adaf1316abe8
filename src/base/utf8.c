#include "base/utf8.h"

enum { REPLACEMENT = 0xFFFD };

/* Length 1..4 of the well-formed sequence at s (then *cp is set), 0 if it is malformed. */
static size_t decode(const unsigned char *s, uint32_t *cp)
{
    if (s[0] < 0x80) {
        *cp = s[0];
        return 1;
    }
    size_t n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    uint32_t v = s[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80) /* the NUL stops here too */
            return 0;
        v = v << 6 | (s[i] & 0x3Fu);
    }
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    if (v < least[n] || v > 0x10FFFF || (v >= 0xD800 && v <= 0xDFFF))
        return 0;
    *cp = v;
    return n;
}

uint32_t utf8_next(const char **s)
{
    if (!**s)
        return 0;
    uint32_t cp = REPLACEMENT;
    size_t n = decode((const unsigned char *)*s, &cp);
    *s += n ? n : 1;
    return cp;
}

size_t utf8_put(uint32_t cp, char out[4])
{
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = REPLACEMENT;
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    for (size_t i = n - 1; i > 0; i--, cp >>= 6)
        out[i] = (char)(0x80 | (cp & 0x3F));
    out[0] = (char)(lead[n] | cp);
    return n;
}

bool utf8_valid(const char *s)
{
    uint32_t cp;
    for (size_t n; *s; s += n)
        if (!(n = decode((const unsigned char *)s, &cp)))
            return false;
    return true;
}

size_t utf8_length(const char *s)
{
    size_t n = 0;
    while (utf8_next(&s))
        n++;
    return n;
}
