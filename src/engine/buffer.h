#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "engine/driver.h"
#include "engine/fill.h"
#include "model/plan.h"

/* The I/O buffers of one worker: mapped, touched and filled before the clock starts.
 *
 * What is written comes from a pool that was generated before: each slot owns a region of it, larger than one I/O, and takes
 * its pieces in turn, so that a filesystem which compresses neighbouring blocks together does not see the same bytes
 * again. Random and compressible data gets a stamp in every STAMP_BYTES, a number that no other one of this measurement has:
 * no two blocks are equal. Of duplicate data the units that are no copies get stamps. A region is changed only while its
 * slot has nothing in flight. */

struct buffers {
    void *memory;
    size_t bytes;
    uint32_t read_bytes, write_bytes; /* of a slot */
    uint32_t piece, step;             /* largest write; from one piece of a region to the next */
    bool stamped;                     /* all of it */
    bool copies;                      /* some units are copies: the others are stamped */
    uint64_t stamp, copy_mark;
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

/* Sets the buffers of the slots, their first piece of data ready. */
int buffers_open(struct buffers *b, const struct buffers_wanted *w, struct slot *slots,
                 struct error *e);
void buffers_close(struct buffers *b);

/* Stamps the units of a piece that are no copies. */
void buffers_stamp_originals(struct buffers *b, unsigned char *at);

/* Makes the slot's next piece of data to write ready. */
static inline void buffers_next_write(struct buffers *b, struct slot *s)
{
    uint32_t at = s->write_next;
    if (at + b->piece > b->write_bytes)
        at = 0;
    s->write_next = at + b->step;
    s->write_data = s->write_buffer + at;
    if (b->stamped)
        for (uint32_t i = 0; i + sizeof b->stamp <= b->piece;
             i += STAMP_BYTES, b->stamp += STAMP_STEP)
            memcpy(s->write_data + i, &b->stamp, sizeof b->stamp);
    else if (b->copies)
        buffers_stamp_originals(b, s->write_data);
}
