#include "engine/ring.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/oom.h"
#include "engine/tick.h"
#include "model/plan.h"

#define WAKE UINT64_MAX
#define LOCKED_HINT "a larger limit of locked memory may help: ulimit -l"
enum { MAX_ENTRIES = 32768, MAX_BUFFERS = 16384 };

struct ring {
    struct io_uring uring;
    struct tick tick;
    const struct slot *slots;
    int fd
        [PLAN_MAX_TARGETS]; /* as the kernel wants it: index of a registered file, or the descriptor */
    uint8_t sqe_flags;
    uint8_t opcode[DIR_COUNT];
    uint32_t
        first_buffer[DIR_COUNT]; /* registered; operations on plain buffers do not look at it */
    bool disabled, wake_armed;
    struct __kernel_timespec period;
};

/* The ring has an entry for every slot and for the wake: there is always a free one. */
static struct io_uring_sqe *next_sqe(struct ring *r)
{
    struct io_uring_sq *sq = &r->uring.sq;
    return &sq->sqes[sq->sqe_tail++ & sq->ring_mask];
}

/* Fields that are not written here are zero from the start: nobody else writes to an entry. */
static void ring_queue(struct ring *r, uint32_t id)
{
    const struct slot *s = &r->slots[id];
    struct io_uring_sqe *sqe = next_sqe(r);
    sqe->opcode = r->opcode[s->direction];
    sqe->flags = r->sqe_flags;
    sqe->fd = r->fd[s->target];
    sqe->off = s->offset;
    sqe->addr = (uintptr_t)s->buffer;
    sqe->len = s->size;
    sqe->user_data = id;
    sqe->buf_index = (uint16_t)(r->first_buffer[s->direction] + id);
}

static void ring_arm_wake(struct ring *r)
{
    struct io_uring_sqe *sqe = next_sqe(r);
    io_uring_prep_timeout(sqe, &r->period, 0, 0);
    sqe->user_data = WAKE;
    r->wake_armed = true;
}

static int ring_reap(struct ring *r, struct completion *done)
{
    struct io_uring_cq *cq = &r->uring.cq;
    unsigned ready = io_uring_cq_ready(&r->uring), head = *cq->khead;
    int n = 0;
    for (unsigned i = 0; i < ready; i++) {
        const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & cq->ring_mask];
        if (__builtin_expect(cqe->user_data == WAKE, 0))
            r->wake_armed = false;
        else
            done[n++] = (struct completion) { (uint32_t)cqe->user_data, cqe->res };
    }
    io_uring_cq_advance(&r->uring, ready);
    return n;
}

static __attribute__((hot)) int ring_exchange(void *self, const uint32_t *issue, uint32_t n,
                                              struct completion *done)
{
    struct ring *r = self;
    for (uint32_t i = 0; i < n; i++)
        ring_queue(r, issue[i]);
    if (__builtin_expect(!r->wake_armed, 0))
        ring_arm_wake(r);
    int rc = io_uring_submit_and_wait(&r->uring, 1);
    if (__builtin_expect(rc < 0, 0) && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY)
        return rc;
    return ring_reap(r, done);
}

static int ring_wait(void *self, const uint32_t *issue, uint32_t n, struct completion *done,
                     uint64_t until)
{
    struct ring *r = self;
    uint64_t now = tick_now(&r->tick), left = until > now ? until - now : 0;
    struct __kernel_timespec t = { .tv_sec = (long long)(left / NS_PER_S),
                                   .tv_nsec = (long long)(left % NS_PER_S) };
    struct io_uring_cqe *first = NULL;
    for (uint32_t i = 0; i < n; i++)
        ring_queue(r, issue[i]);
    int rc = io_uring_submit_and_wait_timeout(&r->uring, &first, 1, &t, NULL);
    if (rc < 0 && rc != -ETIME && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY)
        return rc;
    return ring_reap(r, done);
}

static __attribute__((hot)) uint64_t ring_now(void *self)
{
    struct ring *r = self;
    return tick_now(&r->tick);
}

/* liburing 2.3 declares io_uring_enable_rings, but its shared library does not have it. */
static int enable(struct io_uring *ring)
{
    long rc = syscall(SYS_io_uring_register, ring->ring_fd, IORING_REGISTER_ENABLE_RINGS, NULL, 0);
    return rc < 0 ? errno : 0;
}

/* The task that enables a disabled ring becomes its single issuer. */
static int ring_begin(void *self, struct error *e)
{
    struct ring *r = self;
    int sys = r->disabled ? enable(&r->uring) : 0;
    if (sys)
        return error_sys(e, sys, "cannot enable the io_uring of a worker");
    (void)io_uring_register_ring_fd(&r->uring);
    tick_begin(&r->tick);
    return 0;
}

/* The kernel takes a ring apart only after its process is gone, which holds a filesystem busy: let go of the files now. */
static void ring_end(void *self)
{
    struct ring *r = self;
    if (r->sqe_flags == IOSQE_FIXED_FILE)
        (void)io_uring_unregister_files(&r->uring);
    (void)io_uring_unregister_ring_fd(&r->uring);
}

static void ring_close(void *self)
{
    struct ring *r = self;
    io_uring_queue_exit(&r->uring);
    free(r);
}

static const struct driver_ops ring_ops = { .begin = ring_begin,
                                            .now = ring_now,
                                            .exchange = ring_exchange,
                                            .wait = ring_wait,
                                            .end = ring_end,
                                            .close = ring_close };

/* A ring counts as locked memory of its user until the kernel has taken it apart, which it does some time after it was closed: with
 * a small limit the ring of the cell before may be in the way of the next. */
static int queue_init(uint32_t entries, struct io_uring *ring, struct io_uring_params *p)
{
    enum { TRIES = 40 };
    const struct io_uring_params asked = *p;
    int rc = io_uring_queue_init_params(entries, ring, p);
    for (int i = 1; rc == -ENOMEM && i < TRIES; i++) {
        clock_sleep_until(clock_mono_ns() + 10 * NS_PER_MS);
        *p = asked;
        rc = io_uring_queue_init_params(entries, ring, p);
    }
    return rc;
}

static int ring_setup(struct ring *r, uint32_t entries)
{
    struct io_uring_params p = { .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                                          IORING_SETUP_SUBMIT_ALL | IORING_SETUP_R_DISABLED };
    int rc = queue_init(entries, &r->uring, &p);
    r->disabled = rc == 0;
    if (rc == -EINVAL) {
        p = (struct io_uring_params) { 0 };
        rc = queue_init(entries, &r->uring, &p);
    }
    return rc;
}

static void ring_register_files(struct ring *r, const struct driver_setup *s)
{
    for (uint32_t i = 0; i < s->n_targets; i++)
        r->fd[i] = s->targets[i].fd;
    if (io_uring_register_files(&r->uring, r->fd, s->n_targets) != 0)
        return;
    r->sqe_flags = IOSQE_FIXED_FILE;
    for (uint32_t i = 0; i < s->n_targets; i++)
        r->fd[i] = (int)i;
}

/* One piece a slot and direction: a single large one costs the kernel a search for each I/O. */
static int ring_register_buffers(struct ring *r, const struct driver_setup *s)
{
    uint32_t n_reads = s->read_bytes ? s->n_slots : 0, n_writes = s->write_bytes ? s->n_slots : 0;
    r->first_buffer[DIR_WRITE] = n_reads;
    uint32_t n = n_reads + n_writes;
    if (n > MAX_BUFFERS)
        return E2BIG;
    struct iovec *v = xcalloc(n, sizeof *v);
    for (uint32_t i = 0; i < n_reads; i++)
        v[i] = (struct iovec) { s->slots[i].read_buffer, s->read_bytes };
    for (uint32_t i = 0; i < n_writes; i++)
        v[n_reads + i] = (struct iovec) { s->slots[i].write_buffer, s->write_bytes };
    int rc = io_uring_register_buffers(&r->uring, v, n);
    free(v);
    return -rc;
}

int ring_open(void *context, const struct driver_setup *s, struct driver *ret, struct error *e)
{
    struct ring_report *report = context;
    if (s->n_slots >= MAX_ENTRIES)
        return error_set(e, QD_E_FAIL,
                         "cannot keep %u I/Os in flight in one worker: a ring holds fewer than %d",
                         s->n_slots, MAX_ENTRIES);
    struct ring *r = xcalloc(1, sizeof *r);
    int rc = ring_setup(r, s->n_slots + 1);
    if (rc < 0) {
        free(r);
        if (report)
            report->no_ring = -rc;
        error_sys(e, -rc, "cannot set up an io_uring with %u entries", s->n_slots + 1);
        return rc == -ENOMEM ? error_hint(e, LOCKED_HINT) : -1;
    }
    r->slots = s->slots;
    r->period.tv_nsec = (long long)DRIVER_PERIOD_NS;
    ring_register_files(r, s);
    int refused = ring_register_buffers(r, s);
    if (refused && report)
        report->plain_buffers = refused;
    r->opcode[DIR_READ] = refused ? IORING_OP_READ : IORING_OP_READ_FIXED;
    r->opcode[DIR_WRITE] = refused ? IORING_OP_WRITE : IORING_OP_WRITE_FIXED;
    *ret = (struct driver) { &ring_ops, r };
    return 0;
}

bool ring_available(struct error *e)
{
    struct io_uring ring;
    struct io_uring_params p = { 0 };
    int rc = queue_init(2, &ring, &p);
    if (rc < 0) {
        error_sys(e, -rc, "cannot use io_uring");
        if (rc == -EPERM)
            error_hint(e, "refused by sysctl kernel.io_uring_disabled or a container's filter");
        if (rc == -ENOMEM)
            error_hint(e, LOCKED_HINT);
        return false;
    }
    struct io_uring_probe *probe = io_uring_get_probe_ring(&ring);
    bool knows = probe && io_uring_opcode_supported(probe, IORING_OP_READ) &&
                 io_uring_opcode_supported(probe, IORING_OP_WRITE) &&
                 io_uring_opcode_supported(probe, IORING_OP_TIMEOUT);
    io_uring_free_probe(probe);
    io_uring_queue_exit(&ring);
    if (!knows)
        error_set(e, QD_E_FAIL, "cannot use io_uring: this kernel is too old for it");
    return knows;
}
