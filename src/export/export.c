#include "export/export.h"

#include <stdarg.h>
#include <string.h>

enum { TEXT_LIMIT = 1 << 30 };

struct export_text export_new(struct arena *a)
{
    return (struct export_text) { .text = str_new(TEXT_LIMIT), .a = a };
}

void export_done(struct export_text *x)
{
    str_done(&x->text);
    array_free(&x->left_out);
}

void export_leave(struct export_text *x, const char *fmt, ...)
{
    struct str s = str_new(4096);
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(&s, fmt, ap);
    va_end(ap);
    bool known = false;
    for (size_t i = 0; i < x->left_out.n && !known; i++)
        known = !strcmp(x->left_out.at[i], s.at);
    if (!known)
        *array_push(&x->left_out) = arena_strdup(x->a, s.at);
    str_done(&s);
}
