#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drops what a cut left of a multi-byte character at the end. */
static void trim_partial(char *s)
{
    size_t n = strlen(s);
    while (n > 0 && ((unsigned char)s[n - 1] & 0xC0) == 0x80)
        n--;
    if (n > 0 && ((unsigned char)s[n - 1] & 0xC0) == 0xC0)
        s[n - 1] = '\0';
}

static void note_cut(struct error *e, int length)
{
    if (length >= 0 && (size_t)length < sizeof e->what)
        return;
    e->cut = true;
    trim_partial(e->what);
}

__attribute__((format(printf, 3, 0))) static void fill(struct error *e, enum qd_code code,
                                                       const char *fmt, va_list ap)
{
    *e = (struct error) { .code = code };
    note_cut(e, vsnprintf(e->what, sizeof e->what, fmt, ap));
}

__attribute__((format(printf, 2, 3))) static void append(struct error *e, const char *fmt, ...)
{
    size_t n = strlen(e->what);
    va_list ap;
    va_start(ap, fmt);
    int added = vsnprintf(e->what + n, sizeof e->what - n, fmt, ap);
    va_end(ap);
    note_cut(e, added < 0 ? added : added + (int)n);
}

int error_set(struct error *e, enum qd_code code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(e, code, fmt, ap);
    va_end(ap);
    return -1;
}

int error_sys(struct error *e, int sys, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(e, QD_E_IO, fmt, ap);
    va_end(ap);
    e->sys = sys;
    const char *text = strerrordesc_np(sys);
    if (text)
        append(e, ": %s", text);
    else
        append(e, ": error %d", sys);
    return -1;
}

int error_at(struct error *e, const char *file, long line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(e, QD_E_FORMAT, fmt, ap);
    va_end(ap);
    char number[32] = "";
    if (line > 0)
        snprintf(number, sizeof number, ":%ld", line);
    /* A long path loses its front, never the line number. */
    size_t room = sizeof e->where - 1 - strlen(number), n = strlen(file);
    snprintf(e->where, sizeof e->where, "%s%s", n > room ? file + (n - room) : file, number);
    return -1;
}

int error_wrap(struct error *e, const char *fmt, ...)
{
    char inner[sizeof e->what];
    memcpy(inner, e->what, sizeof inner);
    va_list ap;
    va_start(ap, fmt);
    note_cut(e, vsnprintf(e->what, sizeof e->what, fmt, ap));
    va_end(ap);
    append(e, ": %s", inner);
    return -1;
}

int error_hint(struct error *e, const char *fmt, ...)
{
    char hint[sizeof e->what];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(hint, sizeof hint, fmt, ap);
    va_end(ap);
    append(e, " (%s)", hint);
    return -1;
}
