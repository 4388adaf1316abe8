#include "target/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

/* The kernel's own word, right also where the path is deleted or of another mount namespace. */
static bool ask_kernel(struct arena *a, struct loop *l)
{
    if (!sysfs_is_real())
        return false;
    int fd = open(sysfs_node(a, &l->b), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct loop_info64 info;
    int rc = ioctl(fd, LOOP_GET_STATUS64, &info);
    close(fd);
    if (rc)
        return false;
    l->dev = info.lo_device;
    l->ino = info.lo_inode;
    l->rdev = info.lo_rdevice;
    return true;
}

static void ask_path(struct arena *a, struct loop *l)
{
    struct stat st;
    struct blockdev under;
    if (sysfs_by_node(a, l->path, &under)) {
        l->rdev = under.dev;
    } else if (!stat(l->path, &st)) {
        l->dev = st.st_dev;
        l->ino = st.st_ino;
    }
}

struct loops loops_read(struct arena *a)
{
    struct names all = sysfs_all(a);
    ARRAY(struct loop) list = { 0 };
    for (size_t i = 0; i < all.n; i++) {
        struct loop l = { 0 };
        if (!sysfs_by_name(a, all.at[i], &l.b) || l.b.partition)
            continue;
        l.path = sysfs_text(a, &l.b, "loop/backing_file");
        if (!l.path)
            continue;
        if (!ask_kernel(a, &l))
            ask_path(a, &l);
        *array_push(&list) = l;
    }
    struct loops ret = { .n = list.n };
    if (list.n)
        ret.at = arena_memdup(a, list.at, list.n * sizeof *list.at);
    array_free(&list);
    return ret;
}

const struct loop *loops_by_name(const struct loops *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->at[i].b.name, name) == 0)
            return &l->at[i];
    return NULL;
}

const struct loop *loops_over_file(const struct loops *l, dev_t dev, ino_t ino)
{
    for (size_t i = 0; i < l->n; i++)
        if (!l->at[i].rdev && l->at[i].dev == dev && l->at[i].ino == ino)
            return &l->at[i];
    return NULL;
}

const struct loop *loops_over_device(const struct loops *l, dev_t rdev)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i].rdev && l->at[i].rdev == rdev)
            return &l->at[i];
    return NULL;
}

/* "blockdev --setro" outlives the attachment it was meant for: the next one, ours, would inherit it. */
static void make_writable(int control)
{
    const int off = 0;
    (void)ioctl(control, BLKROSET, &off);
}

/* Opens the node again for the I/O; `control` keeps the device attached meanwhile. */
static int open_attached(const char *node, int control, bool write, int *ret_fd, struct error *e)
{
    struct stat mine, opened;
    if (write)
        make_writable(control);
    int fd = open(node, (write ? O_RDWR | O_EXCL : O_RDONLY) | O_CLOEXEC);
    if (fd < 0)
        return error_sys(e, errno, "cannot open '%s'", node);
    if (fstat(control, &mine) || fstat(fd, &opened) || mine.st_rdev != opened.st_rdev) {
        close(fd);
        return error_set(e, QD_E_UNSAFE, "refused to use '%s': it became another device", node);
    }
    *ret_fd = fd;
    return 0;
}

/* 0 attached and open, -1 failed, 1 taken by somebody else meanwhile. */
static int attach_to(const char *node, const struct loop_config *config, int *ret_fd,
                     struct error *e)
{
    bool write = !(config->info.lo_flags & LO_FLAGS_READ_ONLY);
    int control = open(node, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (control < 0)
        return error_sys(e, errno, "cannot open '%s'", node);
    int rc = 0;
    if (ioctl(control, LOOP_CONFIGURE, config))
        rc = errno == EBUSY ? 1 : error_sys(e, errno, "cannot attach '%s'", node);
    else
        rc = open_attached(node, control, write, ret_fd, e);
    close(control);
    return rc;
}

int loop_attach(struct arena *a, int backing, bool write, bool direct, int *ret_fd, struct error *e)
{
    enum { ATTEMPTS = 16 };
    struct loop_config config = { .fd = (unsigned)backing };
    config.info.lo_flags = LO_FLAGS_AUTOCLEAR | (write ? 0 : LO_FLAGS_READ_ONLY) |
                           (direct ? LO_FLAGS_DIRECT_IO : 0);
    int maker = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    if (maker < 0)
        return error_sys(e, errno, "cannot open '/dev/loop-control'");
    int rc = 1;
    for (int i = 0; rc == 1 && i < ATTEMPTS; i++) {
        int no = ioctl(maker, LOOP_CTL_GET_FREE);
        if (no < 0)
            rc = error_sys(e, errno, "cannot get a free loop device");
        else
            rc = attach_to(arena_printf(a, "/dev/loop%d", no), &config, ret_fd, e);
    }
    close(maker);
    return rc == 1 ? error_set(e, QD_E_FAIL, "cannot get a free loop device: others took each one")
                   : rc;
}
