#pragma once
#include "base/arena.h"
#include "base/error.h"

/* A path whose last part need not exist: the folder resolved (no links, no ".."), and the last part. QD_E_NOTFOUND for a missing
 * folder, and for a path that ends in a slash and so can only be one; QD_E_USAGE if the path says "/dev/…". */
struct path_parts {
    const char *folder, *base;
};
int path_split(struct arena *a, const char *path, struct path_parts *ret, struct error *e);
