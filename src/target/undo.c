#include "target/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "target/hardware.h"
#include "target/mark.h"
#include "target/mounts.h"
#include "target/tool.h"

/* The rings of io_uring are torn down after the process that had them: for a moment a mount or device is still busy. */
enum { BUSY_TRIES = 100, BUSY_PAUSE_MS = 50 };

static void pause_a_little(void)
{
    clock_sleep_until(clock_mono_ns() + BUSY_PAUSE_MS * NS_PER_MS);
}

static bool node_bears(const char *node, const char *uuid)
{
    int fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool bears = fd >= 0 && mark_is_on(fd, uuid);
    if (fd >= 0)
        close(fd);
    return bears;
}

/* The device may have another name by now: then its serial number leads to it. */
static const char *find_marked(struct arena *a, const struct undo_step *s, const char *uuid,
                               const char *serial)
{
    struct names all = sysfs_all(a);
    if (node_bears(s->subject, uuid))
        return s->subject;
    for (size_t i = 0; serial && i < all.n; i++) {
        struct blockdev b;
        const char *its = sysfs_by_name(a, all.at[i], &b) ? hardware_of(a, &b).serial : NULL;
        if (its && !strcmp(its, serial) && node_bears(sysfs_node(a, &b), uuid))
            return sysfs_node(a, &b);
    }
    return NULL;
}

static int open_exclusively(const char *node, int *ret, struct error *e)
{
    for (int i = 0; i < BUSY_TRIES; i++) {
        *ret = open(node, O_RDWR | O_EXCL | O_NONBLOCK | O_CLOEXEC);
        if (*ret >= 0 || errno != EBUSY)
            break;
        pause_a_little();
    }
    return *ret < 0 ? error_sys(e, errno, "cannot wipe '%s'", node) : 0;
}

/* The kernel remembers members of a btrfs by name, also after their signature is gone. */
static void forget_btrfs(const char *node)
{
    struct btrfs_ioctl_vol_args args = { 0 };
    size_t n = strlen(node);
    int fd = open("/dev/btrfs-control", O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    if (n < sizeof args.name) {
        memcpy(args.name, node, n);
        (void)ioctl(fd, BTRFS_IOC_FORGET_DEV, &args);
    }
    close(fd);
}

static int wipe(struct arena *a, const struct undo_step *s, const char **ret_words, struct error *e)
{
    const char *blank = s->value ? strchr(s->value, ' ') : NULL;
    const char *uuid = blank ? arena_strndup(a, s->value, (size_t)(blank - s->value)) : s->value;
    const char *node = uuid ? find_marked(a, s, uuid, blank ? blank + 1 : NULL) : NULL;
    int fd = -1;
    if (!node && uuid && blank && !file_exists(s->subject))
        return error_set(e, QD_E_NOTFOUND,
                         "cannot wipe '%s': the device is not there (attach it again)", s->subject);
    if (!node)
        return 0;
    if (open_exclusively(node, &fd, e))
        return -1;
    int rc = mark_wipe(fd, uuid, e);
    close(fd);
    if (rc)
        return error_wrap(e, "cannot wipe '%s'", node);
    forget_btrfs(node);
    *ret_words = arena_printf(a, "wiped '%s'", node);
    return 0;
}

static int stop_array(struct arena *a, const struct undo_step *s, const char **ret_words,
                      struct error *e)
{
    const char *const argv[] = { "mdadm", "--stop", s->subject, NULL };
    struct stat st;
    struct blockdev b;
    /* mdadm makes the node before it asks the kernel: a node alone is no array. */
    if (stat(s->subject, &st) || !S_ISBLK(st.st_mode) || !sysfs_by_dev(a, st.st_rdev, &b))
        return 0;
    if (tool_run(a, argv, "/", NULL, e))
        return error_wrap(e, "cannot stop the array '%s'", s->subject);
    *ret_words = arena_printf(a, "stopped the array '%s'", s->subject);
    return 0;
}

static int remove_folder(struct arena *a, const struct undo_step *s, const char **ret_words,
                         struct error *e)
{
    if (rmdir(s->subject) == 0) {
        *ret_words = arena_printf(a, "removed '%s'", s->subject);
        return 0;
    }
    return errno == ENOENT ? 0 : error_sys(e, errno, "cannot remove '%s'", s->subject);
}

static const struct mount *mounted_at(const struct mounts *m, const char *point)
{
    for (size_t i = m->n; i-- > 0;)
        if (!strcmp(m->at[i].point, point))
            return &m->at[i];
    return NULL;
}

static int unmount(struct arena *a, const struct undo_step *s, const char **ret_words,
                   struct error *e)
{
    struct mounts mounts;
    if (mounts_read(a, &mounts, e))
        return -1;
    const struct mount *m = mounted_at(&mounts, s->subject);
    if (!m)
        return 0;
    if (!s->value || !node_bears(m->source, s->value))
        return error_set(e, QD_E_UNSAFE,
                         "refused to unmount '%s': what is mounted there is not ours ('%s')",
                         s->subject, m->source);
    int rc = umount2(s->subject, UMOUNT_NOFOLLOW);
    for (int i = 0; rc && errno == EBUSY && i < BUSY_TRIES; i++) {
        pause_a_little();
        rc = umount2(s->subject, UMOUNT_NOFOLLOW);
    }
    if (rc)
        return error_sys(e, errno, "cannot unmount '%s'", s->subject);
    *ret_words = arena_printf(a, "unmounted '%s'", s->subject);
    return 0;
}

int undo_do(struct arena *a, const struct undo_step *s, const char **ret_words, struct error *e)
{
    static const struct {
        const char *kind;
        int (*undo)(struct arena *a, const struct undo_step *s, const char **ret_words,
                    struct error *e);
    } rows[] = {
        { UNDO_WIPE, wipe },
        { UNDO_STOP_ARRAY, stop_array },
        { UNDO_REMOVE_FOLDER, remove_folder },
        { UNDO_UNMOUNT, unmount },
    };
    *ret_words = NULL;
    for (size_t i = 0; i < countof(rows); i++)
        if (!strcmp(rows[i].kind, s->kind))
            return rows[i].undo(a, s, ret_words, e);
    return error_set(e, QD_E_FAIL, "cannot undo '%s' of '%s': this version does not know how",
                     s->kind, s->subject);
}

int undo_file(struct arena *a, const char *path, uint64_t dev, uint64_t ino, const char **ret_words,
              struct error *e)
{
    struct stat st;
    *ret_words = NULL;
    if (lstat(path, &st))
        return errno == ENOENT || errno == ENOTDIR
                   ? 0
                   : error_sys(e, errno, "cannot remove '%s'", path);
    if (!S_ISREG(st.st_mode) || st.st_dev != dev || st.st_ino != ino) {
        *ret_words = arena_printf(a, "'%s' is another file now: it stays", path);
        return 0;
    }
    if (unlink(path))
        return error_sys(e, errno, "cannot remove '%s'", path);
    *ret_words = arena_printf(a, "removed '%s'", path);
    return 0;
}
