#pragma once
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>

#include "help.h"

/* Skips the whole program (exit 77) unless it may mount; mounts are in a namespace of this process and vanish with it. */
static inline void need_mounts(void)
{
    const char *why = geteuid() != 0                                        ? "not root"
                      : unshare(CLONE_NEWNS)                                ? strerror(errno)
                      : mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ? strerror(errno)
                                                                            : NULL;
    if (!why)
        return;
    printf("skipped: cannot mount a tmpfs: %s\n", why);
    exit(77);
}

static inline void mount_tmpfs(const char *dir, const char *options)
{
    struct error e;
    must(file_mkdirs(dir, &e), &e);
    assert_int_equal(mount("qdepth-test", dir, "tmpfs", 0, options), 0);
}

static inline void remount_read_only(const char *dir)
{
    assert_int_equal(mount("qdepth-test", dir, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
}

static inline void unmount(const char *dir)
{
    assert_int_equal(umount(dir), 0);
}
