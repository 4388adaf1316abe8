#pragma once
#include <stddef.h>

/* Memory that dies together. One arena per command (or per report page). Out of memory calls base_oom(), so no
 * caller tests for NULL. Memory is zeroed and aligned for any type. Not thread-safe. */
struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is fine */
void *arena_alloc(struct arena *a, size_t size);
void *arena_memdup(struct arena *a, const void *p, size_t size);
char *arena_strdup(struct arena *a, const char *s); /* NULL gives NULL */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
size_t arena_used(const struct arena *a); /* bytes handed out, for tests and memory bounds */

/* n zeroed things of type T; overflow of the product calls base_oom. */
#define arena_array(a, T, n) ((T *)arena_array_((a), (n), sizeof(T)))
#define arena_one(a, T) ((T *)arena_alloc((a), sizeof(T)))
void *arena_array_(struct arena *a, size_t n, size_t item);
