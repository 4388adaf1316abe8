#pragma once
#include <stdbool.h>
#include <stdint.h>

/* How the first `bytes` of a file are stored, by the kernel's own map (FIEMAP; SEEK_HOLE where a filesystem has no such map, which
 * tells holes only). A read of a hole or of an unwritten extent is answered without the storage, so a benchmark of it measures
 * the filesystem's code. Delayed allocations are written out first. */
struct extents {
    bool known;                                /* the filesystem answered */
    uint64_t hole_bytes, first_hole;           /* never written */
    uint64_t unwritten_bytes, first_unwritten; /* allocated (fallocate), never written */
    uint64_t encoded_bytes;                    /* stored compressed or encrypted */
};
struct extents extents_find(int fd, uint64_t bytes);
