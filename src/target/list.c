#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "target/guard.h"
#include "target/hardware.h"
#include "target/sysfs.h"
#include "target/target.h"

/* Open for reading, or -1: no node, no right, no medium. */
static int open_node(struct arena *a, const struct blockdev *b)
{
    struct stat st;
    int fd = -1;
    if (sysfs_is_real())
        fd = open(sysfs_node(a, b), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &st) || st.st_rdev != b->dev)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* *ret NULL: nothing. A disk that cannot be read does not hide the others. */
static int describe_use(struct arena *a, const struct blockdev *b, const char **ret,
                        struct error *e)
{
    struct clauses found;
    const char *unread = NULL;
    int fd = open_node(a, b), rc = guard_device(a, b, fd, &found, e);
    if (rc && fd >= 0) {
        unread = arena_strdup(a, e->what);
        rc = guard_device(a, b, -1, &found, e);
    }
    if (fd >= 0)
        close(fd);
    if (rc)
        return -1;
    struct names all = { arena_array(a, const char *, found.n + 2), found.n };
    for (size_t i = 0; i < found.n; i++)
        all.at[i] = found.at[i];
    if (unread)
        all.at[all.n++] = unread;
    if (sysfs_number(a, b, "ro", 0))
        all.at[all.n++] = "read-only";
    *ret = all.n ? names_joined(a, &all, "; ") : NULL;
    return 0;
}

int target_list(struct arena *a, const struct target_list_row **ret, size_t *ret_n, struct error *e)
{
    struct names all = sysfs_all(a);
    struct target_list_row *rows = arena_array(a, struct target_list_row, all.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++) {
        struct blockdev b;
        if (!sysfs_by_name(a, all.at[i], &b) || !sysfs_bytes(a, &b) ||
            sysfs_number(a, &b, "hidden", 0))
            continue;
        struct hardware h = hardware_of(a, &b);
        const char *model = h.model ? h.model : hardware_made_of(a, &b);
        rows[n] = (struct target_list_row) { sysfs_node(a, &b), model,  h.serial,
                                             h.firmware,        h.link, NULL,
                                             sysfs_bytes(a, &b) };
        if (describe_use(a, &b, &rows[n++].in_use, e))
            return -1;
    }
    *ret = rows;
    *ret_n = n;
    return 0;
}
