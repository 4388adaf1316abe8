#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/str.h"

/* Reads until the end, a full limit or an error (its errno, else 0). */
static int read_all(int fd, struct str *into)
{
    char buf[32 << 10];
    while (!str_failed(into)) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            return 0;
        str_putn(into, buf, (size_t)n);
    }
    return 0;
}

int file_read(struct arena *a, const char *path, size_t limit, char **ret, size_t *ret_n,
              struct error *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_sys(e, errno, "cannot open '%s'", path);
    struct str s = str_new(limit);
    int sys = read_all(fd, &s);
    close(fd);
    int rc = 0;
    if (sys)
        rc = error_sys(e, sys, "cannot read '%s'", path);
    else if (str_failed(&s))
        rc = error_set(e, QD_E_FAIL, "cannot read '%s': larger than %s", path, fmt_bytes(limit).s);
    else {
        *ret = arena_memdup(a, s.at, s.n + 1);
        *ret_n = s.n;
    }
    str_done(&s);
    return rc;
}

int file_open(const char *path, int *ret_fd, uint64_t *ret_n, struct error *e)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_sys(e, errno, "cannot open '%s'", path);
    int rc = fstat(fd, &st) ? error_sys(e, errno, "cannot read '%s'", path)
             : !S_ISREG(st.st_mode)
                 ? error_set(e, QD_E_FAIL, "cannot read '%s': it is not a file", path)
                 : 0;
    if (rc) {
        close(fd);
        return rc;
    }
    *ret_fd = fd;
    *ret_n = (uint64_t)st.st_size;
    return 0;
}

char *file_line(struct arena *a, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    char buf[4096];
    ssize_t n = read(fd, buf, sizeof buf - 1);
    close(fd);
    if (n <= 0)
        return NULL;
    buf[n] = '\0';
    char *from = buf, *to = buf + strcspn(buf, "\n");
    while (from < to && strchr(" \t\r", *from))
        from++;
    while (to > from && strchr(" \t\r", to[-1]))
        to--;
    return to > from ? arena_strndup(a, from, (size_t)(to - from)) : NULL;
}

static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, bytes, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return errno;
        bytes += k;
        n -= (size_t)k;
    }
    return fsync(fd) ? errno : 0;
}

/* Returns an errno value, or 0. */
static int write_and_rename(const char *path, const char *tmp, const void *bytes, size_t n)
{
    int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int sys = write_all(fd, bytes, n);
    if (close(fd) && !sys)
        sys = errno;
    if (!sys && rename(tmp, path))
        sys = errno;
    if (sys)
        unlink(tmp);
    return sys;
}

int file_write(const char *path, const void *bytes, size_t n, struct error *e)
{
    struct str tmp = str_new(strlen(path) + 32);
    str_printf(&tmp, "%s.tmp-%ld", path, (long)getpid());
    int sys = write_and_rename(path, tmp.at, bytes, n);
    str_done(&tmp);
    return sys ? error_sys(e, sys, "cannot write '%s'", path) : 0;
}

static bool is_directory(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

int file_mkdirs(const char *path, struct error *e)
{
    struct str s = str_new(strlen(path));
    str_put(&s, path);
    int sys = 0;
    for (char *p = s.at; *p && !sys;) {
        p += strspn(p, "/");
        p += strcspn(p, "/");
        char end = *p;
        *p = '\0';
        int failed = mkdir(s.at, 0777) ? errno : 0;
        if (failed && !is_directory(s.at))
            sys = failed == EEXIST ? ENOTDIR : failed;
        *p = end;
    }
    str_done(&s);
    return sys ? error_sys(e, sys, "cannot create directory '%s'", path) : 0;
}

bool file_exists(const char *path)
{
    struct stat st;
    return !stat(path, &st);
}

char *file_basename(struct arena *a, const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    if (start == end && end > 0)
        start = end - 1; /* "/" alone */
    return arena_strndup(a, path + start, end - start);
}
