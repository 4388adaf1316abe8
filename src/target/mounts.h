#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "target/sysfs.h"

/* What is mounted and what is swapped to, as this process sees it: /proc/self/mountinfo and /proc/swaps (proc(5)). */

struct mount {
    dev_t dev; /* anonymous (major 0) for btrfs, overlay, tmpfs… */
    const char *point, *type, *source;
    const char *options, *super_options; /* of this mount; of the filesystem */
};
struct mounts {
    const struct mount *at; /* in the order they were mounted */
    size_t n;
};
/* Cannot be read: an error, because then nothing is known to be unused. */
int mounts_read(struct arena *a, struct mounts *ret, struct error *e);
/* The mount a resolved path lies on: the longest mount point, the last one where several share it; one of device `dev` goes before
 * others (0: any). NULL: none. */
const struct mount *mounts_covering(const struct mounts *m, const char *real, dev_t dev);

/* Block devices behind a mount, through btrfs' list of devices and the upper or lower folder of an overlay. None: it is not
 * on a block device we can see. */
struct devices {
    struct blockdev at[256];
    size_t n;
    bool full; /* there were more: what is not in it is not known to be absent */
};
void mount_devices(struct arena *a, const struct mounts *m, const struct mount *on,
                   struct devices *ret);
bool devices_have(const struct devices *d, dev_t dev);
void devices_add(struct devices *d, const struct blockdev *b); /* once each */

/* Is the block device part of a btrfs filesystem that is in use? Its label or UUID, or NULL. */
const char *btrfs_in_use(struct arena *a, const struct blockdev *b);

struct swap {
    const char *path;
    bool is_file;
};
struct swaps {
    const struct swap *at;
    size_t n;
};
int swaps_read(struct arena *a, struct swaps *ret, struct error *e);
bool swaps_have_device(struct arena *a, const struct swaps *s, const struct blockdev *b);
bool swaps_have_file(const struct swaps *s, dev_t dev, ino_t ino);
