#include "engine/memory.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/fmt.h"

enum { LINE = 64 };

int memory_map(size_t bytes, const char *what, void **ret, struct error *e)
{
    void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                   -1, 0);
    if (m == MAP_FAILED)
        return error_sys(e, errno, "cannot map %s for %s", fmt_bytes(bytes).s, what);
    *ret = m;
    return 0;
}

void memory_unmap(void *at, size_t bytes)
{
    if (at)
        munmap(at, bytes);
}

void *carve(struct carve *c, size_t bytes)
{
    void *piece = c->at ? c->at + c->used : NULL;
    c->used += (bytes + LINE - 1) / LINE * LINE;
    return piece;
}
