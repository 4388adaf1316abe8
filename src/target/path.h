#pragma once
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* A path whose last part need not exist: the folder resolved (no links, no ".."), and the last part. QD_E_NOTFOUND for a missing
 * folder, and for a path that ends in a slash and so can only be one; QD_E_USAGE if the path says "/dev/…". */
struct path_parts {
    const char *folder, *base;
};
int path_split(struct arena *a, const char *path, struct path_parts *ret, struct error *e);

/* Birth time of an open file or directory (statx), ns since 1970; 0 where the filesystem keeps none. Device and inode number alone
 * do not tell a file from a later one that got the same number. */
int64_t path_born(int fd);
