#pragma once
#include "base/arena.h"
#include "target/sysfs.h"

/* Who a disk is, from sysfs alone: NVMe, SCSI/ATA/SAS, USB, virtio, MMC. NULL where the kernel says nothing. A partition has its
 * disk's; a device made of others (device mapper, md, loop) has none of its own. */
struct hardware {
    const char *model, *serial, *firmware;
    const char *link; /* "PCIe 3.0 ×4", "SATA 6 Gb/s", "USB 5 Gb/s"; slower than possible: said */
};
struct hardware hardware_of(struct arena *a, const struct blockdev *b);

/* What such a made device is, in words ("LVM volume vg-home", "md raid1 of sda1, sdb1"), or NULL for a plain disk. */
const char *hardware_made_of(struct arena *a, const struct blockdev *b);
