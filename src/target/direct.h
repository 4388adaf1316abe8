#pragma once
#include <stdbool.h>

#include "model/target.h"

/* What a descriptor can do, found by doing it. o->fd is open (and sized, if new); these fill direct, block, memory_align
 * and nowait.
 *
 * Direct I/O: O_DIRECT set on the open file, or on a second descriptor of it through /proc where the first cannot have it
 * (memfd: then o->fd changes), then tried with an aligned read of the first block. `writes` says that the file is ours and
 * empty: the block is written first, so that the read reaches the device and not a hole. Alignment comes from
 * STATX_DIOALIGN (Linux 6.1), else from the smallest of 512 B … 64 KiB that the kernel accepts. Refused: the descriptor is left
 * buffered, with block and memory_align 1. */
void direct_find(struct opened_target *o, bool wanted, bool writes);

/* Can a read complete or queue without a kernel worker (preadv2 with RWF_NOWAIT)? EAGAIN, would have to wait, counts as yes. */
bool nowait_works(const struct opened_target *o);
