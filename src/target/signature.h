#pragma once
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* What is written on a device or image: every filesystem, RAID, volume, swap and partition-table signature libblkid knows, also
 * with a wrong checksum, one clause each ("holds an ext4 filesystem", "has a GPT partition table"). fd is open for reading.
 * Fails where it cannot be read: then its content is not known and it must not be written. */
struct clauses {
    const char **at;
    size_t n;
};
int signatures_read(struct arena *a, int fd, struct clauses *ret, struct error *e);
