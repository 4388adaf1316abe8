#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "model/record.h"

/* Batches of one interval and one direction as a blob: varints (7 bits a byte, low first) of the number of batches, then of
 * length in ns, I/Os, bytes and sum of response times of each. */
struct batch_row {
    uint64_t length_ns, ios, bytes, lat_sum_ns;
};

/* n = 0: NULL. The blob is in the arena. */
const void *batch_encode(const struct batch *at, size_t n, enum direction d, struct arena *a,
                         size_t *ret_n);
/* A damaged blob is a QD_E_FAIL. n = 0: no batches. */
int batch_decode(const void *blob, size_t n, struct arena *a, struct batch_row **ret, size_t *ret_n,
                 struct error *e);
