#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "target/signature.h"
#include "target/sysfs.h"
#include "target/target.h"

/* Is it safe to write? Asked of the kernel each time, never remembered. Every function lists all it finds, one clause each; an
 * empty list is the only "nothing found". What cannot be asked is a failure, never "nothing found". */

/* Who uses a block device, by sysfs and procfs: mounts, swap and holders of the device, its partitions, its disk, overlapping
 * partitions and whatever is made of them; the system's disk; partitions; loop devices on both sides. And what is written on it:
 * fd is the device open for reading, its number b's; -1: only who uses it. */
int guard_device(struct arena *a, const struct blockdev *b, int fd, struct clauses *ret,
                 struct error *e);

/* Who uses an existing regular file: swap, a loop device. */
int guard_file(struct arena *a, dev_t dev, ino_t ino, struct clauses *ret, struct error *e);

/* "mounted at /home; has 2 partitions (sda1, sda2)" */
const char *guard_sentence(struct arena *a, const struct clauses *c);
