#pragma once
#include <stdbool.h>
#include <stdint.h>

/* How a target is made of devices for the time of a run: a filesystem, an md array, or a filesystem on an md array. Which devices
 * stands beside it. */
struct recipe {
    const char *
        type; /* of the filesystem: "ext4", "xfs", "btrfs"; NULL: the array itself, as a block device */
    const char *level;    /* "raid0", "raid1", "raid10", "raid5"; NULL: one device */
    bool mdadm;           /* the level is md's, else the filesystem's own (btrfs) */
    uint64_t chunk_bytes; /* of md; 0 = mdadm's default */
    const char *mkfs_options, *mount_options; /* as given, or NULL */
};
