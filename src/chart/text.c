#include "chart/text.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static bool invisible(uint32_t cp)
{
    return cp == 0xAD || (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x202A && cp <= 0x202E) ||
           (cp >= 0x2060 && cp <= 0x206F) || (cp >= 0xFE00 && cp <= 0xFE0F) || cp == 0xFEFF;
}

uint32_t text_drawn(enum font_weight w, uint32_t cp)
{
    if (cp < 0x20 || cp == 0x7F) {
        return ' ';
    }
    if (cp < 0x7F) {
        return cp;
    }
    if (invisible(cp)) {
        return 0;
    }
    return font_has(w, cp) ? cp : '?';
}

const char *text_drawable(struct arena *a, enum font_weight w, const char *text)
{
    bool same = true;
    const char *s = text;
    const char *before = s;
    for (uint32_t cp = utf8_next(&s); cp != 0 && same; cp = utf8_next(&s)) {
        char bytes[4];
        uint32_t drawn = text_drawn(w, cp);
        size_t n = drawn ? utf8_put(drawn, bytes) : 0;
        same = n == (size_t)(s - before) && memcmp(bytes, before, n) == 0;
        before = s;
    }
    if (same) {
        return text;
    }
    /* '?' and the space are never longer than what they replace */
    char *out = arena_alloc(a, strlen(text) + 1);
    size_t n = 0;
    s = text;
    for (uint32_t cp = utf8_next(&s); cp != 0; cp = utf8_next(&s)) {
        uint32_t drawn = text_drawn(w, cp);
        if (drawn != 0) {
            n += utf8_put(drawn, out + n);
        }
    }
    out[n] = '\0';
    return out;
}

/* Bytes of the longest start of text that is at most `width` wide. */
static size_t fitting(enum font_weight w, double size, const char *text, double width)
{
    const char *s = text;
    size_t fits = 0;
    double used = 0;
    for (uint32_t cp = utf8_next(&s); cp != 0; cp = utf8_next(&s)) {
        uint32_t drawn = text_drawn(w, cp);
        used += drawn ? font_advance(w, size, drawn) : 0;
        if (used > width + 1e-9) {
            break;
        }
        fits = (size_t)(s - text);
    }
    return fits;
}

const char *text_elide(struct arena *a, enum font_weight w, double size, const char *text,
                       double width)
{
    if (font_width(w, size, text) <= width + 1e-9) {
        return text;
    }
    static const char dots[] = "…";
    size_t n = fitting(w, size, text, width - font_width(w, size, dots));
    while (n > 0 && text[n - 1] == ' ') {
        n--;
    }
    return arena_printf(a, "%.*s%s", (int)n, text, dots);
}

/* Bytes of the next line: up to the last space that fits, at least one code point. */
static size_t line_length(enum font_weight w, double size, const char *text, double width)
{
    size_t n = fitting(w, size, text, width);
    if (text[n] == '\0' || text[n] == ' ') {
        return n;
    }
    for (size_t i = n; i > 0; i--) {
        if (text[i - 1] == ' ') {
            return i - 1;
        }
    }
    if (n == 0) {
        const char *s = text;
        utf8_next(&s);
        n = (size_t)(s - text);
    }
    return n;
}

struct text_lines text_wrap(struct arena *a, enum font_weight w, double size, const char *text,
                            double width)
{
    struct text_lines lines = { 0 };
    if (!text || !*text) {
        return lines;
    }
    lines.at = arena_array(a, const char *, strlen(text) + 1);
    for (const char *s = text; *s;) {
        size_t n = line_length(w, size, s, width);
        size_t shown = n;
        while (shown > 0 && s[shown - 1] == ' ') {
            shown--;
        }
        if (shown > 0) {
            lines.at[lines.n++] = arena_strndup(a, s, shown);
        }
        s += n;
        while (*s == ' ') {
            s++;
        }
    }
    return lines;
}
