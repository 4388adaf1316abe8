#include "target/permit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "target/guard.h"
#include "target/path.h"
#include "target/sysfs.h"

struct write_permit {
    enum target_kind kind;
    bool exists;
    uint64_t dev, ino;
    int64_t born_ns;
    const char *identity;
};

bool permit_covers(const struct write_permit *p, const struct target_info *t)
{
    return p && p->kind == t->kind && p->exists == t->exists && p->dev == t->dev &&
           p->ino == t->ino && p->born_ns == t->born_ns && strcmp(p->identity, t->identity) == 0;
}

static int refuse(const struct target_info *t, const char *why, struct error *e)
{
    return error_set(e, QD_E_UNSAFE, "refused to write to '%s': %s", t->spec.path, why);
}

/* Does one of the texts the user gave lead to this file or device? */
static bool names_path(const struct target_info *t, const char *const *destroy)
{
    for (size_t i = 0; destroy && destroy[i]; i++) {
        struct stat st;
        if (stat(destroy[i], &st))
            continue;
        if (t->kind == TARGET_BLOCK ? S_ISBLK(st.st_mode) && st.st_rdev == t->dev
                                    : st.st_dev == t->dev && st.st_ino == t->ino)
            return true;
    }
    return false;
}

static bool names_serial(const char *serial, const char *const *destroy)
{
    for (size_t i = 0; destroy && destroy[i]; i++)
        if (strcmp(destroy[i], serial) == 0)
            return true;
    return false;
}

static int ask_folder(const char *folder, const struct target_info *t, struct error *e)
{
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS))
        return error_sys(e, errno, "cannot write in '%s'", t->spec.path);
    return 0;
}

static int ask_new_file(struct arena *a, const struct target_info *t, struct error *e)
{
    struct path_parts p;
    if (path_split(a, t->spec.path, &p, e))
        return -1;
    if (faccessat(AT_FDCWD, p.folder, W_OK | X_OK, AT_EACCESS))
        return error_sys(e, errno, "cannot make '%s'", t->spec.path);
    return 0;
}

/* A write lease is given only while nobody else has the file open; where leases are not known, nothing is. Who opens it in the
 * moment between makes the kernel send us a signal: one that is ignored instead of SIGIO, which would end the process. */
static bool open_elsewhere(int fd)
{
    fcntl(fd, F_SETSIG, SIGURG);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0) {
        fcntl(fd, F_SETLEASE, F_UNLCK);
        return false;
    }
    return errno == EAGAIN;
}

static int examine_file(struct arena *a, const struct target_info *t, struct clauses *ret,
                        struct error *e)
{
    struct stat st;
    struct clauses c = { 0 };
    const char *path = t->spec.path;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return error_sys(e, errno, "cannot open '%s'", path);
    int rc = 0;
    if (fstat(fd, &st) || st.st_dev != t->dev || st.st_ino != t->ino || path_born(fd) != t->born_ns)
        rc = refuse(t, "it is another file now", e);
    else
        rc = guard_file(a, st.st_dev, st.st_ino, &c, e);
    bool elsewhere = rc == 0 && open_elsewhere(fd);
    close(fd);
    if (rc)
        return -1;
    *ret = (struct clauses) { arena_array(a, const char *, c.n + 1), c.n };
    for (size_t i = 0; i < c.n; i++)
        ret->at[i] = c.at[i];
    if (elsewhere && c.n == 0)
        ret->at[ret->n++] = "another program has it open";
    return 0;
}

static int ask_file(struct arena *a, const struct target_info *t, const char *const *destroy,
                    struct error *e)
{
    struct clauses found = { 0 };
    const char *path = t->spec.path;
    if (examine_file(a, t, &found, e))
        return -1;
    if (found.n)
        return refuse(t, guard_sentence(a, &found), e);
    if (!names_path(t, destroy)) {
        refuse(t, "it exists and its content would be lost", e);
        return error_hint(e, "allow it with --destroy %s", path);
    }
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
        return error_sys(e, errno, "cannot write to '%s'", path);
    return 0;
}

/* Opens the device for reading, exclusively where nobody else has claimed it. */
static int open_claimed(const struct target_info *t, int *ret_fd, bool *ret_claimed,
                        struct error *e)
{
    struct stat st;
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    int fd = open(t->spec.path, flags | O_EXCL);
    *ret_claimed = fd >= 0;
    if (fd < 0 && errno == EBUSY)
        fd = open(t->spec.path, flags);
    if (fd < 0)
        return error_sys(e, errno, "cannot open '%s'", t->spec.path);
    if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != t->dev) {
        close(fd);
        return refuse(t, "it is another device now", e);
    }
    *ret_fd = fd;
    return 0;
}

/* What the kernel tells counts also where this user may not open the device: "mounted" is the better answer. */
static int examine_device(struct arena *a, const struct target_info *t, const struct blockdev *b,
                          struct error *e)
{
    int fd = -1;
    bool claimed = false;
    struct clauses found = { 0 };
    struct error closed = { 0 };
    if (open_claimed(t, &fd, &claimed, &closed) && closed.code == QD_E_UNSAFE) {
        *e = closed;
        return -1;
    }
    int rc = guard_device(a, b, fd, &found, e);
    if (fd >= 0)
        close(fd);
    if (rc)
        return error_wrap(e, "cannot tell what is on '%s'", t->spec.path);
    if (found.n == 0 && fd < 0) {
        *e = closed;
        return -1;
    }
    if (found.n == 0 && claimed)
        return 0;
    refuse(t, found.n ? guard_sentence(a, &found) : "the kernel or another program holds it", e);
    return error_hint(e, "only a device that nothing uses and that bears no signature is written");
}

static int ask_device(struct arena *a, const struct target_info *t, const char *const *destroy,
                      struct error *e)
{
    struct blockdev b;
    if (!sysfs_by_dev(a, t->dev, &b))
        return error_set(e, QD_E_GONE, "cannot use '%s': it is gone", t->spec.path);
    if (examine_device(a, t, &b, e))
        return -1;
    if (t->serial ? !names_serial(t->serial, destroy) : !names_path(t, destroy)) {
        refuse(t, arena_printf(a, "all %s on it would be lost", fmt_bytes(t->capacity_bytes).s), e);
        return error_hint(e, "allow it with --destroy %s", t->serial ? t->serial : t->spec.path);
    }
    if (sysfs_number(a, &b, "ro", 0))
        return error_set(e, QD_E_FAIL, "cannot write to '%s': the device is read-only",
                         t->spec.path);
    if (faccessat(AT_FDCWD, t->spec.path, W_OK, AT_EACCESS))
        return error_sys(e, errno, "cannot write to '%s'", t->spec.path);
    return 0;
}

static int ask(struct arena *a, const struct target_info *t, const char *const *destroy,
               struct error *e)
{
    switch (t->kind) {
    case TARGET_MEMORY:
        return 0;
    case TARGET_DIRECTORY:
        return ask_folder(t->spec.path, t, e);
    case TARGET_FILE:
    case TARGET_LOOP:
        return t->exists ? ask_file(a, t, destroy, e) : ask_new_file(a, t, e);
    case TARGET_BLOCK:
        return ask_device(a, t, destroy, e);
    case TARGET_IMPORTED:
        break;
    }
    return error_set(e, QD_E_USAGE, "'%s' was imported and cannot be written", t->name);
}

int permit_ask(struct arena *a, const struct target_info *t, const char *const *destroy,
               struct write_permit **ret, struct error *e)
{
    if (ask(a, t, destroy, e))
        return -1;
    struct write_permit *p = arena_one(a, struct write_permit);
    *p = (struct write_permit) { t->kind, t->exists, t->dev, t->ino, t->born_ns, t->identity };
    *ret = p;
    return 0;
}

int guard_findings(struct arena *a, const struct target_info *t, const char *const **ret,
                   size_t *ret_n, struct error *e)
{
    struct blockdev b;
    struct stat st;
    struct clauses found = { 0 };
    *ret = NULL;
    *ret_n = 0;
    if (t->kind != TARGET_BLOCK)
        return 0;
    if (!sysfs_by_dev(a, t->dev, &b))
        return error_set(e, QD_E_GONE, "cannot use '%s': it is gone", t->spec.path);
    int fd = open(t->spec.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return error_sys(e, errno, "cannot open '%s'", t->spec.path);
    int rc = fstat(fd, &st) || st.st_rdev != t->dev
                 ? error_set(e, QD_E_UNSAFE, "'%s' is another device now", t->spec.path)
                 : guard_device(a, &b, fd, &found, e);
    close(fd);
    if (rc)
        return -1;
    *ret = found.at;
    *ret_n = found.n;
    return 0;
}
