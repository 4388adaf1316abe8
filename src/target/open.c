#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "target/direct.h"
#include "target/guard.h"
#include "target/hardware.h"
#include "target/loop.h"
#include "target/path.h"
#include "target/permit.h"
#include "target/scratch.h"
#include "target/sysfs.h"
#include "target/target.h"

struct target {
    struct opened_target o;
    bool scratch;
    struct named_scratch named;
};

static int changed(const struct target_info *t, const char *into, struct error *e)
{
    return error_set(e, QD_E_UNSAFE, "refused to open '%s': it is another %s now", t->spec.path,
                     into);
}

static bool is_probed(const struct target_info *t, int fd)
{
    struct stat st;
    if (fstat(fd, &st))
        return false;
    if (t->kind == TARGET_BLOCK)
        return S_ISBLK(st.st_mode) && st.st_rdev == t->dev;
    return S_ISREG(st.st_mode) && st.st_dev == t->dev && st.st_ino == t->ino &&
           path_born(fd) == t->born_ns;
}

/* Looks first and opens what was looked at, so that a name that changed hands is never opened, not even for a moment. */
static int open_probed(struct arena *a, const struct target_info *t, int flags, int *ret_fd,
                       struct error *e)
{
    const char *path = t->spec.path;
    int at = open(path, O_PATH | O_CLOEXEC);
    if (at < 0)
        return error_sys(e, errno, "cannot open '%s'", path);
    if (!is_probed(t, at)) {
        close(at);
        return changed(t, t->kind == TARGET_BLOCK ? "device" : "file", e);
    }
    int fd = open(arena_printf(a, "/proc/self/fd/%d", at), flags | O_CLOEXEC);
    int sys = errno;
    close(at);
    if (fd < 0 && sys == EBUSY)
        return error_set(e, QD_E_UNSAFE, "refused to write to '%s': something has taken hold of it",
                         path);
    if (fd < 0)
        return error_sys(e, sys, "cannot open '%s'", path);
    if (!is_probed(t, fd)) {
        close(fd);
        return changed(t, t->kind == TARGET_BLOCK ? "device" : "file", e);
    }
    *ret_fd = fd;
    return 0;
}

/* The same number may be another disk by now (hot plug), or in use since the permit was given. */
static int check_device(struct arena *a, const struct target_info *t, const struct target *x,
                        struct error *e)
{
    struct blockdev b;
    struct clauses found = { 0 };
    if (!sysfs_by_dev(a, t->dev, &b))
        return error_set(e, QD_E_GONE, "cannot use '%s': it is gone", t->spec.path);
    const char *serial = hardware_of(a, &b).serial;
    if (strcmp(serial ? serial : "", t->serial ? t->serial : "") != 0 ||
        strcmp(b.name, t->sysfs) != 0 || sysfs_bytes(a, &b) != t->capacity_bytes)
        return changed(t, "device", e);
    if (!x->o.writable)
        return 0;
    if (guard_device(a, &b, x->o.fd, &found, e))
        return error_wrap(e, "cannot tell what is on '%s'", t->spec.path);
    if (found.n)
        return error_set(e, QD_E_UNSAFE, "refused to write to '%s': %s", t->spec.path,
                         guard_sentence(a, &found));
    return 0;
}

static int check_file(struct arena *a, const struct target_info *t, struct error *e)
{
    struct clauses found = { 0 };
    if (guard_file(a, (dev_t)t->dev, (ino_t)t->ino, &found, e))
        return -1;
    if (found.n)
        return error_set(e, QD_E_UNSAFE, "refused to write to '%s': %s", t->spec.path,
                         guard_sentence(a, &found));
    return 0;
}

static int open_device(struct arena *a, const struct target_info *t, struct target *x,
                       struct error *e)
{
    x->o.block_device = true;
    return open_probed(a, t, x->o.writable ? O_RDWR | O_EXCL : O_RDONLY, &x->o.fd, e) ||
                   check_device(a, t, x, e)
               ? -1
               : 0;
}

static int open_file(struct arena *a, const struct target_info *t, struct target *x,
                     struct error *e)
{
    if (open_probed(a, t, x->o.writable ? O_RDWR : O_RDONLY, &x->o.fd, e))
        return -1;
    return x->o.writable ? check_file(a, t, e) : 0;
}

/* x->o.fd is the file; becomes the loop device over it. */
static int put_loop_over(struct arena *a, const struct target_info *t, struct target *x,
                         struct error *e)
{
    int device = -1;
    if (loop_attach(a, x->o.fd, x->o.writable, t->spec.direct, &device, e))
        return error_wrap(e, "cannot use 'loop:%s'", t->spec.path);
    close(x->o.fd);
    scratch_remove(&x->named);
    x->o.fd = device;
    x->o.block_device = true;
    return 0;
}

static int open_kind(struct arena *a, const struct target_info *t, uint64_t bytes, struct target *x,
                     struct error *e)
{
    switch (t->kind) {
    case TARGET_BLOCK:
        return open_device(a, t, x, e);
    case TARGET_DIRECTORY:
        return scratch_anonymous(a, t, bytes, &x->o.fd, e);
    case TARGET_MEMORY:
        return scratch_memory(a, t, bytes, &x->o.fd, e);
    case TARGET_FILE:
    case TARGET_LOOP:
        if (t->exists ? open_file(a, t, x, e) : scratch_named(a, t, bytes, &x->o.fd, &x->named, e))
            return -1;
        return t->kind == TARGET_LOOP ? put_loop_over(a, t, x, e) : 0;
    case TARGET_IMPORTED:
        break;
    }
    return error_set(e, QD_E_USAGE, "'%s' was imported and cannot be opened", t->name);
}

static int size_of(const struct target *x, const char *path, uint64_t *ret, struct error *e)
{
    struct stat st;
    if (x->o.block_device ? ioctl(x->o.fd, BLKGETSIZE64, ret) : fstat(x->o.fd, &st))
        return error_sys(e, errno, "cannot tell the size of '%s'", path);
    if (!x->o.block_device)
        *ret = (uint64_t)st.st_size;
    return 0;
}

/* Fills size from what is there and what is wanted; 0 wanted: all. */
static int fit(const struct target_info *t, struct target *x, uint64_t span, struct error *e)
{
    uint64_t there = 0;
    const char *path = t->spec.path;
    if (size_of(x, path, &there, e))
        return -1;
    if (there == 0)
        return error_set(e, QD_E_FAIL, "'%s' is empty: there is nothing to read", path);
    if (there < span)
        return error_set(e, QD_E_FAIL, "'%s' has %s, less than the span of %s", path,
                         fmt_bytes(there).s, fmt_bytes(span).s);
    uint64_t size = span ? span : there;
    x->o.size = size - size % x->o.block;
    if (x->o.size)
        return 0;
    return error_set(e, QD_E_FAIL, "'%s' has no room for one I/O of %s (it has %s)", path,
                     fmt_bytes(x->o.block).s, fmt_bytes(there).s);
}

/* Atime work would be measured with the reads; only the owner may switch it off. */
static void without_atime(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags | O_NOATIME);
}

static bool must_be_made(const struct target_info *t)
{
    return t->kind == TARGET_DIRECTORY || t->kind == TARGET_MEMORY || !t->exists;
}

static int check_wish(const struct target_info *t, const struct write_permit *permit, uint64_t span,
                      struct error *e)
{
    if (permit && !permit_covers(permit, t))
        return error_set(e, QD_E_UNSAFE, "refused to write to '%s': the permission is for another",
                         t->spec.path);
    if (!permit && must_be_made(t))
        return error_set(e, QD_E_UNSAFE, "refused to write to '%s': no permission was asked",
                         t->spec.path);
    if (t->kind == TARGET_MEMORY && t->spec.memory_bytes && t->spec.memory_bytes < span)
        return error_set(e, QD_E_USAGE, "mem:%s is smaller than the span of %s",
                         fmt_bytes(t->spec.memory_bytes).s, fmt_bytes(span).s);
    return 0;
}

int target_open(struct arena *a, const struct target_info *t, struct write_permit *permit,
                uint64_t span_bytes, struct target **ret, struct error *e)
{
    if (check_wish(t, permit, span_bytes, e))
        return -1;
    uint64_t bytes = span_bytes ? span_bytes : target_default_span(a, t, NULL);
    if (must_be_made(t) && bytes == 0)
        return error_set(e, QD_E_FAIL, "'%s' has too little space for a test (%s free)",
                         t->spec.path, fmt_bytes(t->capacity_bytes).s);
    struct target *x = arena_one(a, struct target);
    x->o = (struct opened_target) {
        .fd = -1, .writable = permit, .name = arena_strdup(a, t->name), .block = 1
    };
    x->named.folder = -1;
    x->scratch = must_be_made(t);
    if (open_kind(a, t, bytes, x, e) || fit(t, x, span_bytes, e)) {
        target_close(x);
        return -1;
    }
    without_atime(x->o.fd);
    direct_find(&x->o, t->spec.direct, x->scratch);
    x->o.nowait = nowait_works(&x->o);
    if (fit(t, x, span_bytes, e)) {
        target_close(x);
        return -1;
    }
    *ret = x;
    return 0;
}

const struct opened_target *target_opened(const struct target *t)
{
    return &t->o;
}

bool target_is_scratch(const struct target *t)
{
    return t->scratch;
}

const char *target_own_file(const struct target *t)
{
    return t->named.folder >= 0 ? t->named.path : NULL;
}

struct target *target_close(struct target *t)
{
    if (!t)
        return NULL;
    scratch_remove(&t->named);
    if (t->o.fd >= 0)
        close(t->o.fd);
    t->o.fd = -1;
    return NULL;
}
