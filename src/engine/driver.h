#pragma once
#include <stdint.h>

#include "base/error.h"
#include "model/direction.h"
#include "model/target.h"

/* What a worker asks of the kernel, a batch at a time. The kernel stays behind this table, so that tests can put a made-up
 * device with a clock of its own in its place. Implementations: ring.c (io_uring), sync.c (pread and pwrite). */

/* At most one I/O in flight. The first part describes the I/O, the second one where its data is. Read and write buffers are
 * separate: data that was read must not come back as "random" data. */
struct slot {
    _Alignas(64) uint64_t start; /* ns, just before the submitting call */
    uint64_t offset;
    unsigned char *buffer;
    uint32_t size;
    uint16_t tally; /* which direction of which access line: index into engine's tallies */
    uint8_t direction;
    uint8_t target; /* index into the job's targets */

    unsigned char *read_buffer;
    unsigned char *write_buffer; /* a region that holds several I/Os, used in turn */
    unsigned char *write_data;   /* the piece of it to be written next */
    uint32_t write_next;         /* position of the one after that */
};

struct completion {
    uint32_t slot;
    int32_t result; /* bytes, or -errno */
};

/* exchange returns after this time at the latest where the kernel allows it, so that a worker on a device that hangs still
 * closes its intervals and sees the stop flag. */
#define DRIVER_PERIOD_NS 250000000ull

struct driver_ops {
    /* On the worker's thread, before anything else. */
    int (*begin)(void *self, struct error *e);
    uint64_t (*now)(void *self); /* ns, monotonic */
    /* Submits the I/Os of slots issue[0..n) and waits until one has finished (any one that is in flight) or the period is
     * over. Returns how many have finished and stands in done[] (room for all slots), or -errno if the driver can do
     * nothing more. */
    int (*exchange)(void *self, const uint32_t *issue, uint32_t n, struct completion *done);
    /* The same, but returns at `until` at the latest, also with nothing in flight, and at once if that is over. */
    int (*wait)(void *self, const uint32_t *issue, uint32_t n, struct completion *done,
                uint64_t until);
    void (*end)(void *self); /* on the worker's thread; nothing is in flight */
    void (*close)(void *self);
};

struct driver {
    const struct driver_ops *ops;
    void *self;
};

struct driver_setup {
    uint32_t thread;
    const struct opened_target *targets;
    uint32_t n_targets;
    struct slot *slots;
    uint32_t n_slots;
    uint32_t read_bytes, write_bytes; /* of each slot's buffers; 0: none */
};

struct driver_maker {
    int (*open)(void *context, const struct driver_setup *s, struct driver *ret, struct error *e);
    void *context;
};
