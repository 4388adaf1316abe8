#include "base/oom.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void (*on_oom)(size_t bytes);

void base_on_oom(void (*hook)(size_t bytes))
{
    on_oom = hook;
}

_Noreturn void base_oom(size_t bytes)
{
    if (on_oom)
        on_oom(bytes);
    abort();
}

void *xmalloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        base_oom(size);
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        base_oom(size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
    return p;
}

void *xrealloc(void *p, size_t size)
{
    void *q = realloc(p, size ? size : 1);
    if (!q)
        base_oom(size);
    return q;
}

char *xstrdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}
