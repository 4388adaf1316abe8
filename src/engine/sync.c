#include "engine/sync.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/oom.h"

struct sync {
    const struct slot *slot;
    int fd;
};

static int sync_exchange(void *self, const uint32_t *issue, uint32_t n, struct completion *done)
{
    (void)issue;
    (void)n;
    const struct sync *y = self;
    const struct slot *s = y->slot;
    ssize_t got;
    do
        got = s->direction == DIR_READ ? pread(y->fd, s->buffer, s->size, (off_t)s->offset)
                                       : pwrite(y->fd, s->buffer, s->size, (off_t)s->offset);
    while (got < 0 && errno == EINTR);
    done[0] = (struct completion) { 0, got < 0 ? -errno : (int32_t)got };
    return 1;
}

static uint64_t sync_now(void *self)
{
    (void)self;
    return clock_mono_ns();
}

static int sync_begin(void *self, struct error *e)
{
    (void)self;
    (void)e;
    return 0;
}

static void sync_end(void *self)
{
    (void)self;
}

static const struct driver_ops sync_ops = {
    .begin = sync_begin, .now = sync_now, .exchange = sync_exchange, .end = sync_end, .close = free
};

int sync_open(void *context, const struct driver_setup *s, struct driver *ret, struct error *e)
{
    (void)context;
    (void)e;
    assert(s->n_slots == 1);
    struct sync *y = xcalloc(1, sizeof *y);
    *y = (struct sync) { s->slots, s->targets[s->slots[0].target].fd };
    *ret = (struct driver) { &sync_ops, y };
    return 0;
}
