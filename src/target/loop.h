#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "target/sysfs.h"

/* Loop devices: what is attached to which, and making one of our own. */

/* One in use, and what is behind it: a regular file (dev, ino) or a block device (rdev). Zeros where the kernel's path
 * leads nowhere here and the device does not tell. */
struct loop {
    struct blockdev b;
    const char *path; /* of the backing file, as the kernel gives it */
    dev_t dev;
    ino_t ino;
    dev_t rdev;
};
struct loops {
    const struct loop *at;
    size_t n;
};
struct loops loops_read(struct arena *a);
const struct loop *loops_by_name(const struct loops *l, const char *name); /* or NULL */
const struct loop *loops_over_file(const struct loops *l, dev_t dev, ino_t ino);
const struct loop *loops_over_device(const struct loops *l, dev_t rdev);

/* Attaches a free loop device to an open file and opens it, exclusively if `write`. The kernel detaches it when the
 * descriptor is closed, however the process ends. `direct` asks that it goes round the page cache of the file's filesystem. */
int loop_attach(struct arena *a, int backing, bool write, bool direct, int *ret_fd,
                struct error *e);
