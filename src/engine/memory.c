#include "engine/memory.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fmt.h"
#include "engine/round.h"

enum { LINE = 64, HUGE_PAGE = 2 << 20, WORTH_HUGE = HUGE_PAGE / 2 };

/* Maps a multiple of a huge page and gives back what lies before the first boundary and behind the end. */
static void *map_aligned(size_t bytes)
{
    size_t more = bytes + HUGE_PAGE;
    unsigned char *m = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED)
        return m;
    size_t before = round_up((uintptr_t)m, HUGE_PAGE) - (uintptr_t)m;
    if (before)
        munmap(m, before);
    munmap(m + before + bytes, more - before - bytes);
    madvise(m + before, bytes, MADV_HUGEPAGE);
    return m + before;
}

static size_t mapped(size_t bytes)
{
    return bytes < WORTH_HUGE ? bytes : round_up(bytes, HUGE_PAGE);
}

int memory_map(size_t bytes, const char *what, void **ret, struct error *e)
{
    bytes = mapped(bytes);
    void *m = bytes < WORTH_HUGE
                  ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                  : map_aligned(bytes);
    if (m == MAP_FAILED)
        return error_sys(e, errno, "cannot map %s for %s", fmt_bytes(bytes).s, what);
    memset(m, 0, bytes);
    *ret = m;
    return 0;
}

void memory_unmap(void *at, size_t bytes)
{
    if (at)
        munmap(at, mapped(bytes));
}

void *carve(struct carve *c, size_t bytes)
{
    void *piece = c->at ? c->at + c->used : NULL;
    c->used += round_up(bytes, LINE);
    return piece;
}
