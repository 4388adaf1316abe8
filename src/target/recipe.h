#pragma once
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/recipe.h"

/* From a recipe to the commands that carry it out. Pure: nothing is run. Commands end with NULL and live in the arena. */

struct recipe_devices {
    const char *const *nodes;
    size_t n;
};

/* Can that be made of n devices, and do its options keep to the devices given? Options that force, or that name another device, a
 * file or a subvolume by path, are refused. QD_E_USAGE. */
int recipe_check(const struct recipe *r, size_t n, struct error *e);

/* "ext4", "btrfs raid1", "md raid0", "xfs on md raid0". */
const char *recipe_words(struct arena *a, const struct recipe *r);

/* Bytes to be had of members of these sizes: about as much as the filesystem or array will offer. */
uint64_t recipe_capacity(const struct recipe *r, const uint64_t *sizes, size_t n);

/* Never with an option to force: what is there already makes the program fail. ext4 is told to write all its tables at once, or the
 * kernel would go on writing while we measure. */
const char *const *recipe_mkfs(struct arena *a, const struct recipe *r, const char *uuid,
                               const struct recipe_devices *d);
/* Without set-uid programs, devices and programs to run, whatever else the options say. */
const char *const *recipe_mount(struct arena *a, const struct recipe *r,
                                const struct recipe_devices *d, const char *point);
/* Mirrors are not synchronised first, since all that is read is written before; raid5 needs its parity. */
const char *const *recipe_array(struct arena *a, const struct recipe *r, const char *uuid,
                                const char *array, const struct recipe_devices *d);
/* The programs needed, NULL at the end. */
const char *const *recipe_tools(struct arena *a, const struct recipe *r);
