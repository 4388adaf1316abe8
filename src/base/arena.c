#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"

enum { BLOCK_BYTES = 64 << 10, ALIGN = _Alignof(max_align_t) };

struct block {
    struct block *next;
    size_t size;
    _Alignas(max_align_t) unsigned char at[];
};

struct arena {
    struct block *blocks; /* the first is the one being filled */
    size_t filled;
    size_t used;
};

struct arena *arena_new(void)
{
    return xcalloc(1, sizeof(struct arena));
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    struct block *next;
    for (struct block *b = a->blocks; b; b = next) {
        next = b->next;
        free(b);
    }
    free(a);
}

static struct block *block_new(size_t size)
{
    struct block *b = xcalloc(1, sizeof *b + size);
    b->size = size;
    return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
    if (size > SIZE_MAX - sizeof(struct block) - ALIGN)
        base_oom(size);
    size_t want = size ? (size + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
    a->used += size;
    if (a->blocks && want <= a->blocks->size - a->filled) {
        void *p = a->blocks->at + a->filled;
        a->filled += want;
        return p;
    }
    if (want > BLOCK_BYTES / 4 && a->blocks) {
        /* Large things live behind the block being filled, so that its rest is not lost. */
        struct block *b = block_new(want);
        b->next = a->blocks->next;
        a->blocks->next = b;
        return b->at;
    }
    struct block *b = block_new(want > BLOCK_BYTES ? want : BLOCK_BYTES);
    b->next = a->blocks;
    a->blocks = b;
    a->filled = want;
    return b->at;
}

void *arena_array_(struct arena *a, size_t n, size_t item)
{
    size_t size;
    if (__builtin_mul_overflow(n, item, &size))
        base_oom(SIZE_MAX);
    return arena_alloc(a, size);
}

void *arena_memdup(struct arena *a, const void *p, size_t size)
{
    void *copy = arena_alloc(a, size);
    if (size)
        memcpy(copy, p, size);
    return copy;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    n = strnlen(s, n);
    char *copy = arena_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    size_t size = n < 0 ? 1 : (size_t)n + 1;
    char *s = arena_alloc(a, size);
    vsnprintf(s, size, fmt, again);
    va_end(again);
    return s;
}

size_t arena_used(const struct arena *a)
{
    return a->used;
}
