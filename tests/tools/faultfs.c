/* A filesystem with one file, `disk`, that is slow or broken in a way that is asked for: the devices tests need and this machine
 * does not have. Stays in the foreground; kill it, and the device is gone (ENOTCONN).
 *
 *   faultfs MOUNTPOINT size=BYTES [delay=NS] [eio=FROM-TO] [short=FROM-TO] [full=BYTES]
 *
 * delay: every read and write takes so long; reads are served in parallel. eio: I/O that touches these bytes fails. short: I/O that
 * starts in these bytes moves half of what was asked. full: writes that end beyond fail for lack of space.
 * Data is kept in memory. */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/array.h"
#include "base/parse.h"

struct range {
    uint64_t from, to;
};

static struct {
    uint64_t size, delay_ns, full;
    struct range eio, cut;
    char *data;
} disk = { .full = UINT64_MAX };

static int get_attributes(const char *path, struct stat *st, struct fuse_file_info *fi)
{
    (void)fi;
    *st = (struct stat) { .st_mode = S_IFDIR | 0755, .st_nlink = 2 };
    if (strcmp(path, "/") == 0)
        return 0;
    if (strcmp(path, "/disk") != 0)
        return -ENOENT;
    *st = (struct stat) { .st_mode = S_IFREG | 0666,
                          .st_nlink = 1,
                          .st_size = (off_t)disk.size,
                          .st_blksize = 4096,
                          .st_blocks = (blkcnt_t)(disk.size / 512) };
    return 0;
}

static int list(const char *path, void *buffer, fuse_fill_dir_t add, off_t offset,
                struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
    (void)path, (void)offset, (void)fi, (void)flags;
    return add(buffer, "disk", NULL, 0, 0) ? -ENOMEM : 0;
}

static int open_disk(const char *path, struct fuse_file_info *fi)
{
    if (strcmp(path, "/disk") != 0)
        return -ENOENT;
    fi->direct_io = 1;
    return 0;
}

static bool touches(const struct range *r, uint64_t at, uint64_t n)
{
    return at < r->to && at + n > r->from;
}

/* Bytes to move, or -errno; after the delay. */
static int64_t serve(uint64_t at, uint64_t n, bool write)
{
    struct timespec t = { .tv_sec = (time_t)(disk.delay_ns / 1000000000),
                          .tv_nsec = (long)(disk.delay_ns % 1000000000) };
    if (disk.delay_ns) {
        prctl(PR_SET_TIMERSLACK, 1);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
    }
    if (at >= disk.size)
        return 0;
    n = n < disk.size - at ? n : disk.size - at;
    if (touches(&disk.eio, at, n))
        return -EIO;
    if (write && at + n > disk.full)
        return -ENOSPC;
    return (int64_t)(touches(&disk.cut, at, 1) ? n / 2 : n);
}

static int read_disk(const char *path, char *to, size_t n, off_t at, struct fuse_file_info *fi)
{
    (void)path, (void)fi;
    int64_t moved = serve((uint64_t)at, n, false);
    if (moved > 0)
        memcpy(to, disk.data + at, (size_t)moved);
    return (int)moved;
}

static int write_disk(const char *path, const char *from, size_t n, off_t at,
                      struct fuse_file_info *fi)
{
    (void)path, (void)fi;
    int64_t moved = serve((uint64_t)at, n, true);
    if (moved > 0)
        memcpy(disk.data + at, from, (size_t)moved);
    return (int)moved;
}

static int sync_disk(const char *path, int data, struct fuse_file_info *fi)
{
    (void)path, (void)data, (void)fi;
    return 0;
}

static int set_option(const char *text)
{
    static const struct {
        const char *name;
        uint64_t *from, *to;
    } options[] = {
        { "size=", &disk.size, NULL },
        { "delay=", &disk.delay_ns, NULL },
        { "full=", &disk.full, NULL },
        { "eio=", &disk.eio.from, &disk.eio.to },
        { "short=", &disk.cut.from, &disk.cut.to },
    };
    struct error e;
    char part[32];
    for (size_t i = 0; i < countof(options); i++) {
        size_t n = strlen(options[i].name);
        if (strncmp(text, options[i].name, n) != 0)
            continue;
        const char *to = options[i].to ? strchr(text, '-') : NULL;
        snprintf(part, sizeof part, "%.*s", (int)(to ? to - text - (long)n : 31), text + n);
        return parse_u64(part, options[i].from, &e) ||
               (options[i].to && (!to || parse_u64(to + 1, options[i].to, &e)));
    }
    return -1;
}

int main(int argc, char **argv)
{
    static const struct fuse_operations operations = {
        .getattr = get_attributes,
        .readdir = list,
        .open = open_disk,
        .read = read_disk,
        .write = write_disk,
        .fsync = sync_disk,
    };
    for (int i = 2; i < argc; i++)
        if (set_option(argv[i])) {
            fprintf(stderr, "not an option: %s\n", argv[i]);
            return 2;
        }
    if (argc < 3 || disk.size == 0)
        return 2;
    disk.data = mmap(NULL, disk.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (disk.data == MAP_FAILED)
        return 1;
    memset(disk.data, 0x5a, disk.size);
    char foreground[] = "-f", option[] = "-o", others[] = "allow_other";
    char *fuse_argv[] = { argv[0], argv[1], foreground, option, others, NULL };
    return fuse_main(5, fuse_argv, &operations, NULL);
}
