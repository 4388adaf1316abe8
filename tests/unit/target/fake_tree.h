#pragma once
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"
#include "target/target.h"
#include "unit.h"

/* A made-up /sys and /proc in a folder of its own, as small as the code allows: what the kernel would show of disks this machine
 * does not have. One tree at a time. */
static char tree[128];

static int tree_remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static inline void tree_text(const char *path, const char *text)
{
    struct error e = { 0 };
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", tree, path);
    *strrchr(full, '/') = '\0';
    assert_int_equal(file_mkdirs(full, &e), 0);
    snprintf(full, sizeof full, "%s%s", tree, path);
    assert_int_equal(file_write(full, text, strlen(text), &e), 0);
}

static inline void tree_link(const char *to, const char *from)
{
    struct error e = { 0 };
    char target[PATH_MAX], full[PATH_MAX];
    snprintf(full, sizeof full, "%s%s", tree, from);
    *strrchr(full, '/') = '\0';
    assert_int_equal(file_mkdirs(full, &e), 0);
    snprintf(full, sizeof full, "%s%s", tree, from);
    snprintf(target, sizeof target, "%s%s", tree, to);
    assert_int_equal(symlink(target, full), 0);
}

static inline int tree_start(void **state)
{
    (void)state;
    snprintf(tree, sizeof tree, "/tmp/qdepth-tree-XXXXXX");
    if (!mkdtemp(tree))
        return -1;
    target_set_root(tree);
    tree_text("/proc/self/mountinfo", "1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n");
    tree_text("/proc/swaps", "Filename Type Size Used Priority\n");
    tree_text("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
    return 0;
}

static inline int tree_stop(void **state)
{
    (void)state;
    target_set_root("");
    return nftw(tree, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* folder: where below /sys/devices; the last part is the name. */
static inline void tree_device(const char *folder, const char *dev, const char *sectors)
{
    char path[512], at[300];
    const char *name = strrchr(folder, '/') + 1;
    snprintf(at, sizeof at, "/sys/devices%s", folder);
    snprintf(path, sizeof path, "%s/dev", at);
    tree_text(path, dev);
    snprintf(path, sizeof path, "%s/size", at);
    tree_text(path, sectors);
    snprintf(path, sizeof path, "/sys/dev/block/%s", dev);
    tree_link(at, path);
    snprintf(path, sizeof path, "/sys/class/block/%s", name);
    tree_link(at, path);
}

static inline void tree_attribute(const char *name, const char *attribute, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "/sys/class/block/%s/%s", name, attribute);
    tree_text(path, text);
}

static inline void tree_disk(const char *name, const char *dev)
{
    char folder[128];
    snprintf(folder, sizeof folder, "/pci0/%s", name);
    tree_device(folder, dev, "2097152");
}

static inline void tree_partition(const char *disk, const char *name, const char *dev,
                                  const char *start)
{
    char folder[128];
    snprintf(folder, sizeof folder, "/pci0/%s/%s", disk, name);
    tree_device(folder, dev, "2048");
    tree_attribute(name, "partition", "1");
    tree_attribute(name, "start", start);
}

/* `holder` is made of `slave`. */
static inline void tree_hold(const char *holder, const char *slave)
{
    char to[256], from[256];
    snprintf(to, sizeof to, "/sys/class/block/%s", holder);
    snprintf(from, sizeof from, "/sys/class/block/%s/holders/%s", slave, holder);
    tree_link(to, from);
    snprintf(to, sizeof to, "/sys/class/block/%s", slave);
    snprintf(from, sizeof from, "/sys/class/block/%s/slaves/%s", holder, slave);
    tree_link(to, from);
}
