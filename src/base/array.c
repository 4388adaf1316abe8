#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"

void array_grow_(void **at, size_t *cap, size_t want, size_t item)
{
    if (want > *cap) {
        size_t bigger = *cap < 8 ? 8 : *cap + *cap / 2;
        bigger = bigger < want ? want : bigger;
        size_t bytes;
        if (__builtin_mul_overflow(bigger, item, &bytes))
            base_oom(SIZE_MAX);
        *at = xrealloc(*at, bytes);
        *cap = bigger;
    }
    memset((char *)*at + (want - 1) * item, 0, item);
}

void array_free_(void **at, size_t *n, size_t *cap)
{
    free(*at);
    *at = NULL;
    *n = *cap = 0;
}
