#pragma once
#include <stddef.h>

/* Growable array of T:  ARRAY(struct row) rows = {0};  Zeroed is empty; array_push yields a pointer to the new,
 * zeroed slot (it moves: keep indices, not pointers, while pushing). Owner calls array_free. */
#define ARRAY(T)                                                                                   \
    struct {                                                                                       \
        T *at;                                                                                     \
        size_t n, cap;                                                                             \
    }

#define array_push(v)                                                                              \
    (array_grow_((void **)&(v)->at, &(v)->cap, (v)->n + 1, sizeof *(v)->at), &(v)->at[(v)->n++])
#define array_free(v) array_free_((void **)&(v)->at, &(v)->n, &(v)->cap)

void array_grow_(void **at, size_t *cap, size_t want, size_t item);
void array_free_(void **at, size_t *n, size_t *cap);

#define countof(a) (sizeof(a) / sizeof((a)[0]))
