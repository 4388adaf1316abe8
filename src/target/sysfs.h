#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"

/* Block devices as the kernel describes them below /sys (and the root that tests put before /sys and /proc). All in the
 * caller's arena. A device that goes away while it is read looks like one without that attribute. */

struct blockdev {
    const char *name; /* kernel name as sysfs spells it: "sda1", "cciss!c0d0" */
    const char *dir;  /* its directory, links resolved */
    dev_t dev;
    bool partition;
};

struct names {
    const char **at; /* sorted as people count: sda2 before sda10 */
    size_t n;
};
const char *names_joined(struct arena *a, const struct names *n, const char *between);

/* root + path, where path starts with "/sys" or "/proc". */
char *sysfs_path(struct arena *a, const char *path);
bool sysfs_is_real(void); /* no made-up root: /dev belongs to the same machine */

bool sysfs_parse_dev(const char *text, dev_t *ret); /* "8:1" */

/* All give false where there is no such block device. */
bool sysfs_by_dev(struct arena *a, dev_t dev, struct blockdev *ret);
bool sysfs_by_name(struct arena *a, const char *name, struct blockdev *ret);
/* Of a device node such as "/dev/sda1" or "/dev/mapper/vg-home"; by its name where the node is not there. */
bool sysfs_by_node(struct arena *a, const char *node, struct blockdev *ret);

/* The disk a partition lies on; a disk gives itself. */
struct blockdev sysfs_disk(struct arena *a, const struct blockdev *b);
struct names sysfs_partitions(struct arena *a, const struct blockdev *b);
/* Names linked in its "holders" (who is made of it) or "slaves" (what it is made of). */
struct names sysfs_links(struct arena *a, const struct blockdev *b, const char *which);
struct names sysfs_all(struct arena *a);
/* Entries of a directory without "." and "..", sorted; none if it cannot be read. */
struct names sysfs_entries(struct arena *a, const char *dir);

char *sysfs_text(struct arena *a, const struct blockdev *b, const char *attribute); /* or NULL */
uint64_t sysfs_number(struct arena *a, const struct blockdev *b, const char *attribute,
                      uint64_t otherwise);
/* Of the disk's request queue, also for a partition. */
char *sysfs_queue_text(struct arena *a, const struct blockdev *b, const char *attribute);
uint64_t sysfs_queue_number(struct arena *a, const struct blockdev *b, const char *attribute,
                            uint64_t otherwise);
uint64_t sysfs_bytes(struct arena *a, const struct blockdev *b); /* size; 0 = empty or gone */
char *sysfs_node(struct arena *a, const struct blockdev *b);     /* "/dev/sda1" */
