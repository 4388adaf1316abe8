#include "runner/content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/oom.h"

enum { LEAST_BLOCK = 4096, BLOCKS = 64 };

double content_entropy(const unsigned char *bytes, uint32_t n)
{
    uint32_t count[256] = { 0 };
    double bits = 0;
    for (uint32_t i = 0; i < n; i++)
        count[bytes[i]]++;
    for (int v = 0; v < 256; v++)
        if (count[v])
            bits -= count[v] * log2((double)count[v] / n);
    return bits / n;
}

static void judge(struct content *c, const unsigned char *bytes, uint32_t n)
{
    c->looked_at++;
    if (memcmp(bytes, bytes + 1, n - 1) == 0)
        c->constant++;
    else if (content_entropy(bytes, n) <= CONTENT_BITS)
        c->compressible++;
}

struct content content_look(const struct opened_target *o)
{
    struct content c = { 0 };
    uint32_t block = o->block > LEAST_BLOCK ? o->block : LEAST_BLOCK;
    uint64_t n = o->size / block, step = n > BLOCKS ? n / BLOCKS : 1;
    void *bytes = NULL;
    if (posix_memalign(&bytes, o->memory_align > block ? o->memory_align : block, block))
        base_oom(block);
    for (uint64_t i = 0; i < BLOCKS && i * step < n; i++)
        if (pread(o->fd, bytes, block, (off_t)(i * step * block)) == (ssize_t)block)
            judge(&c, bytes, block);
    free(bytes);
    return c;
}
