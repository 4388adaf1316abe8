#include "target/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "target/filesystem.h"
#include "target/path.h"

static int open_folder(const char *path, const struct target_info *t, int *ret_fd, struct error *e)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return error_sys(e, errno, "cannot open '%s'", path);
    if (fstat(fd, &st) || st.st_dev != t->dev || st.st_ino != t->ino ||
        path_born(fd) != t->born_ns) {
        close(fd);
        return error_set(e, QD_E_UNSAFE, "refused to write in '%s': it is another directory now",
                         path);
    }
    *ret_fd = fd;
    return 0;
}

/* Reserves the space, so that a full filesystem shows now and not in the middle of a measurement. */
static int reserve(int fd, uint64_t bytes, const char *what, struct error *e)
{
    int rc = 0;
    if (bytes > INT64_MAX)
        return error_sys(e, EFBIG, "cannot make '%s' of %s", what, fmt_bytes(bytes).s);
    do
        rc = fallocate(fd, 0, 0, (off_t)bytes);
    while (rc && errno == EINTR);
    if (rc && (errno == EOPNOTSUPP || errno == ENOSYS))
        rc = ftruncate(fd, (off_t)bytes);
    return rc ? error_sys(e, errno, "cannot reserve %s for '%s'", fmt_bytes(bytes).s, what) : 0;
}

static int check_space(const char *folder, const struct target_info *t, uint64_t bytes,
                       struct error *e)
{
    struct space s;
    return space_below(folder, &s, e) || space_check(&s, t->spec.path, bytes, e) ? -1 : 0;
}

/* For filesystems without O_TMPFILE (overlay before 6.3, FUSE, NFS): a name that lasts as long as this call. */
static int make_and_unlink(struct arena *a, int folder)
{
    enum { ATTEMPTS = 100 };
    for (int i = 0; i < ATTEMPTS; i++) {
        const char *base = arena_printf(a, ".qdepth-scratch-%ld-%d", (long)getpid(), i);
        int fd = openat(folder, base, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 && unlinkat(folder, base, 0)) {
            int sys = errno;
            close(fd);
            errno = sys;
            return -1;
        }
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int scratch_anonymous(struct arena *a, const struct target_info *t, uint64_t bytes, int *ret_fd,
                      struct error *e)
{
    const char *path = t->spec.path;
    int folder = -1;
    if (check_space(path, t, bytes, e) || open_folder(path, t, &folder, e))
        return -1;
    int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL))
        fd = make_and_unlink(a, folder);
    int sys = errno;
    close(folder);
    if (fd < 0)
        return error_sys(e, sys, "cannot make a scratch file in '%s'", path);
    if (reserve(fd, bytes, path, e)) {
        close(fd);
        return -1;
    }
    *ret_fd = fd;
    return 0;
}

int scratch_memory(struct arena *a, const struct target_info *t, uint64_t bytes, int *ret_fd,
                   struct error *e)
{
    struct space s;
    if (space_memory(a, &s, e) || space_check(&s, t->spec.path, bytes, e))
        return -1;
    int fd = memfd_create("qdepth", MFD_CLOEXEC);
    if (fd < 0)
        return error_sys(e, errno, "cannot make a file in memory");
    if (ftruncate(fd, (off_t)bytes)) {
        error_sys(e, errno, "cannot make a file of %s in memory", fmt_bytes(bytes).s);
        close(fd);
        return -1;
    }
    *ret_fd = fd;
    return 0;
}

int scratch_named(struct arena *a, const struct target_info *t, uint64_t bytes, int *ret_fd,
                  struct named_scratch *ret, struct error *e)
{
    struct path_parts p;
    struct stat st;
    struct named_scratch made = { .folder = -1 };
    const char *path = t->spec.path;
    if (path_split(a, path, &p, e) || check_space(p.folder, t, bytes, e) ||
        open_folder(p.folder, t, &made.folder, e))
        return -1;
    int fd = openat(made.folder, p.base, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        int sys = errno;
        close(made.folder);
        if (sys == EEXIST)
            return error_set(e, QD_E_UNSAFE,
                             "refused to write to '%s': it did not exist a moment ago", path);
        return error_sys(e, sys, "cannot make '%s'", path);
    }
    made.base = p.base;
    made.path = arena_printf(a, "%s/%s", strcmp(p.folder, "/") == 0 ? "" : p.folder, p.base);
    fstat(fd, &st);
    made.dev = st.st_dev;
    made.ino = st.st_ino;
    if (reserve(fd, bytes, path, e)) {
        close(fd);
        scratch_remove(&made);
        return -1;
    }
    *ret_fd = fd;
    *ret = made;
    return 0;
}

void scratch_remove(struct named_scratch *s)
{
    struct stat st;
    if (s->folder < 0)
        return;
    if (!fstatat(s->folder, s->base, &st, AT_SYMLINK_NOFOLLOW) && st.st_dev == s->dev &&
        st.st_ino == s->ino)
        unlinkat(s->folder, s->base, 0);
    close(s->folder);
    *s = (struct named_scratch) { .folder = -1 };
}
