#pragma once
#include <stdint.h>

#include "base/rng.h"
#include "model/plan.h"

/* The data of a fill (plan.h), for what is written while measuring and for what is laid out before.
 *
 * compressible:N: of every STAMP_BYTES the last N % are zeros, so that any size of I/O and any compressor sees the
 * share asked for; below 100 % at least the FILL_STAMP bytes of a stamp are random. duplicate:N: N % of the units of
 * FILL_UNIT bytes, a block of filesystems that deduplicate, are copies of one and the same random unit, in every run; the
 * others are random. Which ones is decided by the unit's number: multiples of the golden ratio modulo 1 spread evenly over
 * any run of numbers. */
enum { FILL_UNIT = 4096, STAMP_BYTES = 512, FILL_STAMP = 8 };

/* Odd, so that multiples of it are all different modulo 2^64; 2^64 divided by the golden ratio: they look random, and are
 * spread evenly. */
#define STAMP_STEP 0x9e3779b97f4a7c15u

/* n bytes at `at`, whose first unit has the number `unit`. */
void fill_make(const struct fill *f, struct rng *r, uint64_t unit, unsigned char *at, uint64_t n);

/* The first FILL_STAMP bytes of every copied unit. */
uint64_t fill_copy_mark(void);
