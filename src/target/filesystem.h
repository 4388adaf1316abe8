#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "target/facts.h"
#include "target/mounts.h"
#include "target/sysfs.h"

/* What a file or directory lies on. `real` is a resolved path. */
struct place {
    const struct mount *mount; /* or NULL */
    bool on_disk;              /* exactly one block device is behind it, and it is `device` */
    struct blockdev device;
    struct devices devices; /* all of them */
};
int place_of(struct arena *a, const char *real, dev_t st_dev, struct place *ret, struct error *e);
void place_facts(struct arena *a, const struct place *p, struct facts *f);

/* Is this a place where the kernel, not a disk, answers: below /dev, /proc or /sys, or a filesystem such as proc or sysfs
 * mounted elsewhere? Then its name ("/dev", "proc"), else NULL. An existing file below /dev on a tmpfs is storage. */
const char *place_of_kernel(const char *real, const struct place *p, bool exists);

/* Free space for an ordinary user. `most`: what one scratch file may take, 95 % of it, so that a filesystem is never filled to
 * the brim. */
struct space {
    uint64_t free, most;
};
int space_below(const char *path, struct space *ret, struct error *e);
/* Available memory (MemAvailable, or what the control group leaves); most: 75 % of it. */
int space_memory(struct arena *a, struct space *ret, struct error *e);
/* QD_E_FAIL naming what is needed and what there is. `what` is the target as the user knows it. */
int space_check(const struct space *s, const char *what, uint64_t bytes, struct error *e);
