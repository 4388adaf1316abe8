#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"

/* Makes room for n more bytes and the NUL; false (and failed) if that would pass the limit. */
static bool reserve(struct str *s, size_t n)
{
    if (s->failed)
        return false;
    if (n > s->limit - s->n) {
        s->failed = true;
        return false;
    }
    size_t want = s->n + n + 1;
    if (want > s->cap) {
        size_t bigger = s->cap + s->cap / 2;
        bigger = bigger < 64 ? 64 : bigger;
        s->cap = bigger < want ? want : bigger;
        s->at = xrealloc(s->at, s->cap);
    }
    return true;
}

struct str str_new(size_t limit)
{
    struct str s = { .limit = limit };
    reserve(&s, 0);
    s.at[0] = '\0';
    return s;
}

void str_done(struct str *s)
{
    free(s->at);
    *s = (struct str) { .limit = s->limit };
}

void str_clear(struct str *s)
{
    s->n = 0;
    s->failed = false;
    if (s->at)
        s->at[0] = '\0';
}

void str_putn(struct str *s, const char *text, size_t n)
{
    if (!reserve(s, n))
        return;
    if (n)
        memcpy(s->at + s->n, text, n);
    s->n += n;
    s->at[s->n] = '\0';
}

void str_put(struct str *s, const char *text)
{
    if (text)
        str_putn(s, text, strlen(text));
}

void str_char(struct str *s, char c)
{
    str_putn(s, &c, 1);
}

void str_vprintf(struct str *s, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0)
        s->failed = true;
    else if (reserve(s, (size_t)n)) {
        vsnprintf(s->at + s->n, (size_t)n + 1, fmt, again);
        s->n += (size_t)n;
    }
    va_end(again);
}

void str_printf(struct str *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(s, fmt, ap);
    va_end(ap);
}

bool str_failed(const struct str *s)
{
    return s->failed;
}

char *str_take(struct str *s)
{
    if (!s->at)
        *s = str_new(s->limit);
    char *at = s->at;
    *s = (struct str) { .limit = s->limit };
    return at;
}
