#include "target/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"

int path_split(struct arena *a, const char *path, struct path_parts *ret, struct error *e)
{
    char real[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *folder = slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
    if (!*base)
        return error_set(e, QD_E_NOTFOUND, "no such directory '%s'", path);
    if (!*folder)
        folder = "/";
    if (!realpath(folder, real)) {
        if (errno == ENOENT && strncmp(path, "/dev/", 5) == 0)
            return error_set(e, QD_E_USAGE, "no such device '%s'", path);
        if (errno == ENOENT || errno == ENOTDIR)
            return error_set(e, QD_E_NOTFOUND, "no such directory '%s'", folder);
        return error_sys(e, errno, "cannot use '%s'", folder);
    }
    *ret = (struct path_parts) { arena_strdup(a, real), base };
    return 0;
}

int64_t path_born(int fd)
{
    struct statx x = { 0 };
    if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &x) || !(x.stx_mask & STATX_BTIME))
        return 0;
    return x.stx_btime.tv_sec * (int64_t)NS_PER_S + x.stx_btime.tv_nsec;
}
