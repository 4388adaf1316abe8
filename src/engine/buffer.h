#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "engine/driver.h"
#include "model/plan.h"

/* The I/O buffers of one worker: mapped, touched and filled before the clock starts.
 *
 * What is written comes from a pool that was generated before: each slot owns a region of it, larger than one I/O, and takes
 * its pieces in turn, so that a filesystem which compresses neighbouring blocks together does not see the same bytes
 * again. Random data gets a stamp in every STAMP_BYTES, a number that no other one of this measurement has: no two blocks
 * are equal. A region is changed only while its slot has nothing in flight. */
enum { STAMP_BYTES = 512 };

struct buffers {
    void *memory;
    size_t bytes;
    uint32_t read_bytes, write_bytes; /* of a slot */
    uint32_t align;
    bool stamped;
    uint64_t stamp;
};

struct buffers_wanted {
    uint32_t n_slots;
    uint32_t largest_read, largest_write; /* I/O, bytes; 0: none */
    uint32_t align;                       /* power of two */
    uint32_t thread, n_threads;
    uint64_t salt; /* of the measurement */
    const struct fill *fill;
};

/* Bytes buffers_open will map. */
size_t buffers_size(const struct buffers_wanted *w);

/* Sets the buffers of the slots. */
int buffers_open(struct buffers *b, const struct buffers_wanted *w, struct slot *slots,
                 struct error *e);
void buffers_close(struct buffers *b);

/* Odd, so that multiples of it are all different modulo 2^64; 2^64 divided by the golden ratio: they look random. */
#define STAMP_STEP 0x9e3779b97f4a7c15u

/* The slot's next piece of data to write. */
static inline unsigned char *buffers_next_write(struct buffers *b, struct slot *s, uint32_t size)
{
    uint32_t at = s->write_next;
    if (at > b->write_bytes - size)
        at = 0;
    s->write_next = (at + size + b->align - 1) & ~(b->align - 1);
    unsigned char *data = s->write_buffer + at;
    if (b->stamped)
        for (uint32_t i = 0; i + sizeof b->stamp <= size; i += STAMP_BYTES, b->stamp += STAMP_STEP)
            memcpy(data + i, &b->stamp, sizeof b->stamp);
    return data;
}
