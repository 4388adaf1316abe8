#pragma once
/* Real block devices for tests: loop devices over files of our own. Needs root; skips otherwise. Whatever happens to the process,
 * nothing is left: the loop devices detach themselves when it ends, and its mounts are in a namespace of its own. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <unistd.h>

#include "base/file.h"
#include "target/target.h"
#include "unit.h"

enum { MAX_LOOPS = 4 };
#define MIB (1L << 20)

static struct arena *a;
static char folder[64];
static struct {
    int fd;
    char node[32];
} loops[MAX_LOOPS];
static size_t n_loops;

static __attribute__((unused)) int start(void **state)
{
    (void)state;
    a = arena_new();
    n_loops = 0;
    snprintf(folder, sizeof folder, "/tmp/qdepth-device-XXXXXX");
    return mkdtemp(folder) && !mkdir(arena_printf(a, "%s/mnt", folder), 0700) ? 0 : -1;
}

static __attribute__((unused)) void set_read_only(int fd, int on)
{
    assert_int_equal(ioctl(fd, BLKROSET, &on), 0);
}

static __attribute__((unused)) int remove_one(const char *path, const struct stat *st, int type,
                                              struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static __attribute__((unused)) int stop(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_loops; i++)
        (void)swapoff(loops[i].node);
    while (umount2(arena_printf(a, "%s/mnt", folder), MNT_DETACH) == 0)
        ;
    for (size_t i = 0; i < n_loops; i++) {
        set_read_only(loops[i].fd, 0);
        close(loops[i].fd);
    }
    arena_free(a);
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static __attribute__((unused)) char *in(const char *name)
{
    return arena_printf(a, "%s/%s", folder, name);
}

static __attribute__((unused)) char *image(const char *name, off_t bytes)
{
    int fd = open(in(name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, bytes), 0);
    close(fd);
    return in(name);
}

static __attribute__((unused)) int attach(int backing, int no, unsigned flags)
{
    struct loop_config c = { .fd = (unsigned)backing };
    c.info.lo_flags = flags | LO_FLAGS_AUTOCLEAR;
    int fd = open(arena_printf(a, "/dev/loop%d", no), O_RDWR | O_CLOEXEC);
    if (fd >= 0 && ioctl(fd, LOOP_CONFIGURE, &c)) {
        close(fd);
        return -1;
    }
    if (fd >= 0)
        set_read_only(fd, 0); /* left behind by somebody's blockdev --setro */
    return fd;
}

/* A loop device over a file or device, detached at the end of the test. */
static __attribute__((unused)) const char *loop_over(const char *path, unsigned flags)
{
    int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    int backing = open(path, O_RDWR | O_CLOEXEC), fd = -1, no = -1;
    assert_true(control >= 0 && backing >= 0 && n_loops < MAX_LOOPS);
    for (int i = 0; fd < 0 && i < 16; i++) {
        no = ioctl(control, LOOP_CTL_GET_FREE);
        fd = attach(backing, no, flags);
    }
    close(backing);
    close(control);
    assert_true(fd >= 0);
    loops[n_loops].fd = fd;
    snprintf(loops[n_loops].node, sizeof loops[n_loops].node, "/dev/loop%d", no);
    return loops[n_loops++].node;
}

static __attribute__((unused)) const char *blank_device(void)
{
    return loop_over(image("disk", 64 * MIB), 0);
}

/* Runs a maker of signatures; the test is skipped where it is not installed. */
static __attribute__((unused)) void make(const char *command)
{
    int rc = system(arena_printf(a, "PATH=$PATH:/sbin:/usr/sbin; %s >/dev/null 2>&1", command));
    if (WIFEXITED(rc) && WEXITSTATUS(rc) == 127) {
        print_message("skipped: '%s' is not installed\n", command);
        skip();
    }
    if (rc)
        fail_msg("'%s' failed", command);
}

static __attribute__((unused)) void mount_here(const char *node, const char *type,
                                               const char *options)
{
    if (mount(node, in("mnt"), type, 0, options)) {
        print_message("skipped: cannot mount %s: %s\n", type, strerror(errno));
        skip();
    }
}

static __attribute__((unused)) struct target_info probed(const char *text)
{
    struct error e = { 0 };
    struct target_spec s;
    struct target_info t;
    if (target_spec_parse(a, text, &s, &e) || target_probe(a, &s, &t, &e))
        fail_msg("%s", e.what);
    return t;
}

static __attribute__((unused)) struct write_permit *permit(const struct target_info *t,
                                                           const char *destroy)
{
    struct error e = { 0 };
    struct write_permit *p = NULL;
    if (permit_ask(a, t, (const char *[]) { destroy, NULL }, &p, &e))
        fail_msg("%s", e.what);
    return p;
}

/* Refused although it is named; and the first and last MiB stay as they are. */
static __attribute__((unused)) void refused(const char *node, enum qd_code code, const char *words)
{
    struct error e = { 0 };
    struct target_info t = probed(node);
    struct write_permit *p = NULL;
    assert_int_equal(permit_ask(a, &t, (const char *[]) { node, NULL }, &p, &e), -1);
    assert_null(p);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
    assert_int_equal(e.code, code);
}

static __attribute__((unused)) bool found(const char *node, const char *words)
{
    struct error e = { 0 };
    struct target_info t = probed(node);
    const char *const *at = NULL;
    size_t n = 0;
    if (guard_findings(a, &t, &at, &n, &e))
        fail_msg("%s", e.what);
    for (size_t i = 0; i < n; i++)
        if (strstr(at[i], words))
            return true;
    return false;
}

static __attribute__((unused)) void open_fails(const struct target_info *t, struct write_permit *p,
                                               uint64_t span, const char *words)
{
    struct error e = { 0 };
    struct target *x = NULL;
    assert_int_equal(target_open(a, t, p, span, &x, &e), -1);
    assert_null(x);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
}

static __attribute__((unused)) struct target *opened(const struct target_info *t,
                                                     struct write_permit *p, uint64_t span)
{
    struct error e = { 0 };
    struct target *x = NULL;
    if (target_open(a, t, p, span, &x, &e))
        fail_msg("%s", e.what);
    return x;
}

/* Writes and reads one block as the engine would. */
static __attribute__((unused)) void use(const struct opened_target *o, uint64_t offset)
{
    char *p = NULL;
    size_t n = o->block > 4096 ? o->block : 4096;
    assert_int_equal(posix_memalign((void **)&p, n, n), 0);
    memset(p, 'w', n);
    assert_int_equal(pwrite(o->fd, p, n, (off_t)offset), n);
    memset(p, 0, n);
    assert_int_equal(pread(o->fd, p, n, (off_t)offset), n);
    assert_int_equal(p[n - 1], 'w');
    free(p);
}

/* Root, loop devices and a mount namespace of our own, or the reason why not. */
static const char *missing(void)
{
    if (geteuid() != 0)
        return "root is needed for loop devices";
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return "no mount namespace of our own";
    int fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return "no loop devices";
    int no = ioctl(fd, LOOP_CTL_GET_FREE);
    close(fd);
    return no < 0 ? "no free loop device" : NULL;
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)

/* In main: prints why and gives 77 where the machine lacks something. */
static int run_device_tests(const struct CMUnitTest *tests, size_t n)
{
    const char *why = missing();
    if (why) {
        printf("skipped: %s\n", why);
        return 77;
    }
    return _cmocka_run_group_tests("devices", tests, n, NULL, NULL);
}
