#include "engine/sync.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/oom.h"
#include "engine/tick.h"

struct sync {
    struct tick tick;
    const struct slot *slot;
    int fd;
};

/* Not pread(): libc's is a cancellation point, which costs two atomic operations a call once there are threads. */
static __attribute__((hot)) int sync_exchange(void *self, const uint32_t *issue, uint32_t n,
                                              struct completion *done)
{
    (void)issue;
    (void)n;
    const struct sync *y = self;
    const struct slot *s = y->slot;
    long number = s->direction == DIR_READ ? SYS_pread64 : SYS_pwrite64, got;
    do
        got = syscall(number, y->fd, s->buffer, (size_t)s->size, (off_t)s->offset);
    while (__builtin_expect(got < 0, 0) && errno == EINTR);
    done[0] = (struct completion) { 0, got < 0 ? -errno : (int32_t)got };
    return 1;
}

static int sync_wait(void *self, const uint32_t *issue, uint32_t n, struct completion *done,
                     uint64_t until)
{
    struct sync *y = self;
    if (n)
        return sync_exchange(self, issue, n, done);
    if (tick_now(&y->tick) < until)
        clock_sleep_until(until);
    return 0;
}

static __attribute__((hot)) uint64_t sync_now(void *self)
{
    struct sync *y = self;
    return tick_now(&y->tick);
}

static int sync_begin(void *self, struct error *e)
{
    struct sync *y = self;
    (void)e;
    tick_begin(&y->tick);
    return 0;
}

static void sync_end(void *self)
{
    (void)self;
}

static const struct driver_ops sync_ops = { .begin = sync_begin,
                                            .now = sync_now,
                                            .exchange = sync_exchange,
                                            .wait = sync_wait,
                                            .end = sync_end,
                                            .close = free };

int sync_open(void *context, const struct driver_setup *s, struct driver *ret, struct error *e)
{
    (void)context;
    (void)e;
    assert(s->n_slots == 1);
    struct sync *y = xcalloc(1, sizeof *y);
    *y = (struct sync) { .slot = s->slots, .fd = s->targets[s->slots[0].target].fd };
    *ret = (struct driver) { &sync_ops, y };
    return 0;
}
