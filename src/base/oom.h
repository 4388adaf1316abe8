#pragma once
#include <stddef.h>

/* Out of memory ends the process, but only cli decides how: it sets the hook first thing.
 * The hook must not return; if none is set, or it returns, the process aborts. */
void base_on_oom(void (*hook)(size_t bytes));
_Noreturn void base_oom(size_t bytes);

/* malloc family that never returns NULL (calls base_oom). Free with free(). */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
