/* Filesystems that this machine does not have: system calls of this program are answered here first. What is refused is what such a
 * filesystem refuses; the rest goes to the kernel. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/target.h"
#include "unit.h"

#define MIB (1L << 20)

static struct arena *a;
static char folder[64];

/* 0: as the kernel answers. */
static struct {
    int tmpfile, fallocate, set_direct, direct_read, unlink; /* errno */
    bool no_alignment;
    size_t least_direct; /* smaller direct reads give EINVAL */
} faults;

static int fails(int sys)
{
    errno = sys;
    return -1;
}

int openat(int dir, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    if (faults.tmpfile && (flags & O_TMPFILE) == O_TMPFILE)
        return fails(faults.tmpfile);
    return (int)syscall(SYS_openat, dir, path, flags, mode);
}

int fallocate(int fd, int mode, off_t from, off_t n)
{
    return faults.fallocate ? fails(faults.fallocate)
                            : (int)syscall(SYS_fallocate, fd, mode, from, n);
}

int unlinkat(int dir, const char *path, int flags)
{
    return faults.unlink ? fails(faults.unlink) : (int)syscall(SYS_unlinkat, dir, path, flags);
}

int fcntl(int fd, int what, ...)
{
    va_list ap;
    va_start(ap, what);
    long argument = va_arg(ap, long);
    va_end(ap);
    if (faults.set_direct && what == F_SETFL && argument & O_DIRECT)
        return fails(faults.set_direct);
    return (int)syscall(SYS_fcntl, fd, what, argument);
}

ssize_t pread(int fd, void *into, size_t n, off_t at)
{
    if (syscall(SYS_fcntl, fd, F_GETFL) & O_DIRECT) {
        if (faults.direct_read)
            return fails(faults.direct_read);
        if (n < faults.least_direct)
            return fails(EINVAL);
    }
    return syscall(SYS_pread64, fd, into, n, at);
}

int statx(int dir, const char *path, int flags, unsigned mask, struct statx *into)
{
    int rc = (int)syscall(SYS_statx, dir, path, flags, mask, into);
    if (faults.no_alignment)
        into->stx_mask &= ~STATX_DIOALIGN;
    return rc;
}

static int start(void **state)
{
    (void)state;
    memset(&faults, 0, sizeof faults);
    a = arena_new();
    snprintf(folder, sizeof folder, "/tmp/qdepth-faults-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static int stop(void **state)
{
    (void)state;
    memset(&faults, 0, sizeof faults);
    arena_free(a);
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static size_t entries(void)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2; /* "." and ".." */
}

/* Looks, asks and opens; NULL with e filled. */
static struct target *open_one(const char *text, struct error *e)
{
    struct target_spec s;
    struct target_info t;
    struct write_permit *p = NULL;
    struct target *x = NULL;
    if (target_spec_parse(a, text, &s, e) || target_probe(a, &s, &t, e) ||
        permit_ask(a, &t, NULL, &p, e) || target_open(a, &t, p, 4 * MIB, &x, e))
        return NULL;
    return x;
}

static struct target *opened(const char *text)
{
    struct error e = { 0 };
    struct target *x = open_one(text, &e);
    if (!x)
        fail_msg("%s", e.what);
    return x;
}

static void without_tmpfile(void **state)
{
    (void)state;
    const int refusals[] = { EOPNOTSUPP, EISDIR, EINVAL };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        faults.tmpfile = refusals[i];
        struct target *x = opened(folder);
        struct stat st;
        assert_int_equal(fstat(target_opened(x)->fd, &st), 0);
        assert_int_equal(st.st_nlink, 0);
        assert_int_equal(st.st_size, 4 * MIB);
        assert_int_equal(entries(), 0);
        target_close(x);
    }
}

static void without_tmpfile_beside_an_old_name(void **state)
{
    (void)state;
    faults.tmpfile = EOPNOTSUPP;
    char *old = arena_printf(a, "%s/.qdepth-scratch-%ld-0", folder, (long)getpid());
    close(open(old, O_CREAT | O_WRONLY, 0600));
    target_close(opened(folder));
    assert_int_equal(entries(), 1);
    assert_int_equal(access(old, F_OK), 0);
}

static void a_scratch_file_that_keeps_its_name(void **state)
{
    (void)state;
    struct error e = { 0 };
    faults.tmpfile = EOPNOTSUPP;
    faults.unlink = EPERM;
    assert_null(open_one(folder, &e));
    assert_int_equal(e.code, QD_E_IO);
    assert_int_equal(e.sys, EPERM);
}

static void a_tmpfile_that_is_forbidden(void **state)
{
    (void)state;
    struct error e = { 0 };
    faults.tmpfile = EACCES;
    assert_null(open_one(folder, &e));
    assert_int_equal(e.sys, EACCES);
    assert_int_equal(entries(), 0);
}

static void without_fallocate(void **state)
{
    (void)state;
    faults.fallocate = EOPNOTSUPP;
    struct target *x = opened(folder);
    struct stat st;
    assert_int_equal(fstat(target_opened(x)->fd, &st), 0);
    assert_int_equal(st.st_size, 4 * MIB);
    target_close(x);
}

static void no_space_after_all(void **state)
{
    (void)state;
    struct error e = { 0 };
    faults.fallocate = ENOSPC;
    assert_null(open_one(folder, &e));
    assert_int_equal(e.sys, ENOSPC);
    assert_non_null(strstr(e.what, "cannot reserve 4"));
    assert_null(open_one(arena_printf(a, "%s/new.bin", folder), &e));
    assert_int_equal(e.sys, ENOSPC);
    assert_int_equal(entries(), 0);
}

static void is_buffered(const char *text)
{
    struct target *x = opened(text);
    const struct opened_target *o = target_opened(x);
    assert_false(o->direct);
    assert_int_equal(o->block, 1);
    assert_int_equal(o->memory_align, 1);
    assert_int_equal(o->size, 4 * MIB);
    assert_int_equal(syscall(SYS_fcntl, o->fd, F_GETFL) & O_DIRECT, 0);
    assert_int_equal(pwrite(o->fd, "odd", 3, 5), 3);
    target_close(x);
}

static void direct_refused_when_asked_for(void **state)
{
    (void)state;
    faults.set_direct = EINVAL;
    /* The second way, a new descriptor of the same file, is open to a filesystem that can do it. */
    struct target *x = opened(folder);
    assert_int_equal((syscall(SYS_fcntl, target_opened(x)->fd, F_GETFL) & O_DIRECT) != 0,
                     target_opened(x)->direct);
    target_close(x);
}

static void direct_refused_when_read(void **state)
{
    (void)state;
    faults.direct_read = EINVAL;
    is_buffered(folder);
    is_buffered("mem:");
    is_buffered(arena_printf(a, "%s/new.bin", folder));
    assert_int_equal(entries(), 0);
}

/* A disk that cannot be read is not one without direct I/O: the engine counts its errors. */
static void a_read_error_is_no_refusal(void **state)
{
    (void)state;
    faults.direct_read = EIO;
    struct target *x = opened(folder);
    const struct opened_target *o = target_opened(x);
    assert_int_equal(o->direct, (syscall(SYS_fcntl, o->fd, F_GETFL) & O_DIRECT) != 0);
    assert_true(o->direct);
    target_close(x);
}

static void a_block_found_by_trying(void **state)
{
    (void)state;
    faults.no_alignment = true;
    faults.least_direct = 8192;
    struct target *x = opened(folder);
    const struct opened_target *o = target_opened(x);
    assert_true(o->direct);
    assert_int_equal(o->block, 8192);
    assert_int_equal(o->memory_align, 8192);
    target_close(x);
    faults.least_direct = 1 << 20;
    is_buffered(folder);
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(without_tmpfile),
        T(without_tmpfile_beside_an_old_name),
        T(a_scratch_file_that_keeps_its_name),
        T(a_tmpfile_that_is_forbidden),
        T(without_fallocate),
        T(no_space_after_all),
        T(direct_refused_when_asked_for),
        T(direct_refused_when_read),
        T(a_read_error_is_no_refusal),
        T(a_block_found_by_trying),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
