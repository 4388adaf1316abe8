#include "runner/extents.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/oom.h"

enum { AT_ONCE = 512 };

static void add(uint64_t *sum, uint64_t *first, uint64_t at, uint64_t n)
{
    if (n && !*sum)
        *first = at;
    *sum += n;
}

/* Notes the gap before an extent and the extent; both cut to the file. Returns where the next one may begin. */
static uint64_t take(struct extents *x, const struct fiemap_extent *f, uint64_t at, uint64_t bytes)
{
    uint64_t start = f->fe_logical < bytes ? f->fe_logical : bytes;
    uint64_t end = f->fe_logical + f->fe_length < bytes ? f->fe_logical + f->fe_length : bytes;
    if (start > at)
        add(&x->hole_bytes, &x->first_hole, at, start - at);
    start = start > at ? start : at;
    if (end <= start)
        return start;
    if (f->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
        add(&x->unwritten_bytes, &x->first_unwritten, start, end - start);
    if (f->fe_flags & FIEMAP_EXTENT_ENCODED)
        x->encoded_bytes += end - start;
    return end;
}

static bool by_map(int fd, uint64_t bytes, struct extents *x)
{
    struct fiemap *m = xcalloc(1, sizeof *m + AT_ONCE * sizeof(struct fiemap_extent));
    uint64_t at = 0;
    bool last = false;
    bool works = true;
    while (works && !last && at < bytes) {
        memset(m, 0, sizeof *m);
        m->fm_start = at;
        m->fm_length = bytes - at;
        m->fm_flags = FIEMAP_FLAG_SYNC;
        m->fm_extent_count = AT_ONCE;
        works = ioctl(fd, FS_IOC_FIEMAP, m) == 0;
        uint64_t before = at;
        for (uint32_t i = 0; works && i < m->fm_mapped_extents; i++) {
            at = take(x, &m->fm_extents[i], at, bytes);
            last = last || (m->fm_extents[i].fe_flags & FIEMAP_EXTENT_LAST);
        }
        last = last || at == before;
    }
    if (works && at < bytes)
        add(&x->hole_bytes, &x->first_hole, at, bytes - at);
    free(m);
    return works;
}

static bool by_seeking(int fd, uint64_t bytes, struct extents *x)
{
    off_t at = 0;
    while ((uint64_t)at < bytes) {
        off_t hole = lseek(fd, at, SEEK_HOLE);
        if (hole < 0)
            return false;
        if ((uint64_t)hole >= bytes)
            break;
        off_t data = lseek(fd, hole, SEEK_DATA);
        uint64_t end = data < 0 || (uint64_t)data > bytes ? bytes : (uint64_t)data;
        add(&x->hole_bytes, &x->first_hole, (uint64_t)hole, end - (uint64_t)hole);
        at = (off_t)end;
    }
    return true;
}

struct extents extents_find(int fd, uint64_t bytes)
{
    struct extents x = { 0 };
    x.known = by_map(fd, bytes, &x);
    if (x.known)
        return x;
    x = (struct extents) { 0 };
    x.known = by_seeking(fd, bytes, &x);
    return x;
}
