#pragma once
#include <stdint.h>

#include "model/target.h"

/* What the data on a target looks like, from blocks of 4 KiB (or the target's own, if larger) read evenly over its span. Drives,
 * filesystems and volumes that compress answer regular data faster than data that fills their flash. */
struct content {
    uint32_t looked_at; /* blocks that could be read */
    uint32_t constant; /* of them, with one value in all bytes (zeros: never written, or trimmed) */
    uint32_t compressible; /* of them, the others whose bytes carry less than CONTENT_BITS each */
};
/* Order-0 entropy of a block's bytes, at or below which it is called compressible: to three quarters by its byte frequencies
 * alone. 4096 random bytes have 7.95 with a deviation below 0.01. */
#define CONTENT_BITS 6.0

struct content content_look(const struct opened_target *o);

/* For tests: the entropy in bits per byte, 0 to 8. */
double content_entropy(const unsigned char *bytes, uint32_t n);
