#include "target/direct.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/oom.h"

enum { LEAST_BLOCK = 512, MOST_BLOCK = 64 << 10, PAGE = 4096 };

static void *aligned(size_t alignment, size_t size)
{
    void *p = NULL;
    if (posix_memalign(&p, alignment, size))
        base_oom(size);
    memset(p, 0, size);
    return p;
}

/* A memfd takes O_DIRECT only when it is opened, not afterwards. */
static bool reopen_direct(struct opened_target *o)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", o->fd);
    int fd = open(path, (o->writable ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC);
    if (fd < 0)
        return false;
    close(o->fd);
    o->fd = fd;
    return true;
}

static bool set_direct(struct opened_target *o, bool on)
{
    int flags = fcntl(o->fd, F_GETFL);
    if (flags < 0)
        return false;
    if (fcntl(o->fd, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0)
        return true;
    return on && !o->block_device && reopen_direct(o);
}

/* 0: the kernel says direct I/O is not possible; 1: it says how; -1: it does not say. */
static int ask_alignment(int fd, uint32_t *ret_block, uint32_t *ret_memory)
{
    struct statx x = { 0 };
    if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &x) || !(x.stx_mask & STATX_DIOALIGN))
        return -1;
    if (!x.stx_dio_offset_align || !x.stx_dio_mem_align)
        return 0;
    *ret_block = x.stx_dio_offset_align;
    *ret_memory = x.stx_dio_mem_align;
    return 1;
}

static bool refused(ssize_t n)
{
    return n < 0 && (errno == EINVAL || errno == EOPNOTSUPP || errno == ENOTTY);
}

/* Is an I/O of this block accepted? A device's own error is not a refusal: the engine will meet and count it. */
static bool accepts(const struct opened_target *o, size_t block, bool writes)
{
    void *p = aligned(block < PAGE ? PAGE : block, block);
    bool ok = !(writes && refused(pwrite(o->fd, p, block, 0))) &&
              !refused(pread(o->fd, p, block, 0));
    free(p);
    return ok;
}

static bool find_block(struct opened_target *o, bool writes)
{
    uint32_t block = LEAST_BLOCK, memory = 0;
    int logical = 0;
    int said = ask_alignment(o->fd, &block, &memory);
    if (said == 0)
        return false;
    if (said < 0 && o->block_device && !ioctl(o->fd, BLKSSZGET, &logical) && logical > 0)
        block = (uint32_t)logical;
    for (; block <= MOST_BLOCK; block *= 2)
        if (accepts(o, block, writes)) {
            o->block = block;
            o->memory_align = memory ? memory : (block < PAGE ? PAGE : block);
            return true;
        }
    return false;
}

void direct_find(struct opened_target *o, bool wanted, bool writes)
{
    o->direct = wanted && set_direct(o, true);
    if (o->direct && find_block(o, writes))
        return;
    if (o->direct)
        set_direct(o, false);
    o->direct = false;
    o->block = o->memory_align = 1;
    if (writes)
        accepts(o, PAGE, true);
}

bool nowait_works(const struct opened_target *o)
{
    enum { TRIES = 3 };
    size_t size = o->direct ? o->block : PAGE;
    struct iovec v = { aligned(size < PAGE ? PAGE : size, size), size };
    bool works = false;
    for (int i = 0; i < TRIES; i++) {
        ssize_t n = preadv2(o->fd, &v, 1, 0, RWF_NOWAIT);
        works = n >= 0 || errno == EAGAIN;
        if (n >= 0 || !works)
            break;
        /* What made it wait (a cold map of the file, a busy queue) is warm after an ordinary read; then ask again. */
        if (pread(o->fd, v.iov_base, size, 0) < 0)
            break;
    }
    free(v.iov_base);
    return works;
}
