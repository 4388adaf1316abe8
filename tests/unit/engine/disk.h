#pragma once
/* A real file behind a trial of fake.h: anonymous memory, or an unlinked file with direct I/O. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake.h"

static inline void disk_use(struct trial *t, int fd, uint64_t size, bool direct)
{
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    t->targets[0].fd = fd;
    t->targets[0].size = size;
    t->targets[0].direct = direct;
    t->targets[0].block = direct ? 4096 : 1;
    t->targets[0].memory_align = 4096;
    t->cell.duration_ns = 300 * MS;
    t->cell.interval_ns = 100 * MS;
    t->cell.ramp_ns = 50 * MS;
}

static inline struct trial *disk_in_memory(uint64_t size)
{
    struct trial *t = trial_new();
    disk_use(t, memfd_create("disk", MFD_CLOEXEC), size, false);
    return t;
}

static inline struct trial *disk_direct(uint64_t size)
{
    struct trial *t = trial_new();
    int fd = open(TEST_OUT, O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
    bool direct = fd >= 0;
    if (!direct)
        fd = open(TEST_OUT, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    disk_use(t, fd, size, direct);
    return t;
}

static inline void disk_run(struct trial *t)
{
    if (engine_open(&t->job, &t->engine, &t->error) != 0 ||
        engine_measure(t->engine, &t->keeper->sink, &t->result, &t->error) != 0)
        fail_msg("%s", t->error.what);
    assert_whole(t->keeper, &t->result);
}

static inline void disk_free(struct trial *t)
{
    int fd = t->targets[0].fd;
    trial_free(t);
    close(fd);
}

static inline unsigned char *disk_content(const struct trial *t)
{
    size_t size = t->targets[0].size;
    void *m = mmap(NULL, size, PROT_READ, MAP_SHARED, t->targets[0].fd, 0);
    assert_true(m != MAP_FAILED);
    unsigned char *copy = xmalloc(size);
    memcpy(copy, m, size);
    munmap(m, size);
    return copy;
}

/* For limits that cannot be taken back. The child says by its exit code what failed. */
static inline void in_child(int (*body)(void))
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(body());
    int status = 0;
    assert_true(waitpid(pid, &status, 0) == pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* What every engine must do with real files; `choice` is set by the caller. */

static inline void disk_check_mix(struct trial *t)
{
    t->lines[0] = (struct access_line) {
        .share_bp = 7000, .size = 4096, .read_bp = 7000, .random_bp = 10000, .burst = 1
    };
    t->lines[1] = (struct access_line) {
        .share_bp = 3000, .size = 65536, .read_bp = 5000, .random_bp = 0, .burst = 1
    };
    t->workload.n_lines = 2;
    disk_run(t);
    assert_int_equal(t->result.status, CELL_DONE);
    assert_true(t->result.measured_ns == 300 * MS);
    assert_true(t->result.dir[DIR_READ].ios > 0 && t->result.dir[DIR_WRITE].ios > 0);
    assert_int_equal(t->result.dir[DIR_READ].errors + t->result.dir[DIR_WRITE].errors, 0);
    assert_int_equal(t->keeper->n_rows, 4);
    assert_true(t->result.cpu_user_ns + t->result.cpu_system_ns > 0);
    assert_true(t->result.worker_busy >= 0 && t->result.worker_busy <= 1);
    double most = t->cell.queue_depth * t->cell.workers;
    assert_true(t->result.achieved_depth > 0 && t->result.achieved_depth <= most + 1e-9);
    double n = (double)(t->result.dir[DIR_READ].ios + t->result.dir[DIR_WRITE].ios);
    double p = 0.7 * 0.7 + 0.3 * 0.5, sd = sqrt(n * p * (1 - p));
    assert_true(fabs((double)t->result.dir[DIR_READ].ios - n * p) <= 5 * sd + most);
}

/* Random data: each 512 bytes that were written differ from all others. Only the span is touched. */
static inline int disk_compare(const void *a, const void *b)
{
    return memcmp(a, b, 512);
}

static inline void disk_check_writes(struct trial *t)
{
    t->lines[0].read_bp = 0;
    t->cell.span_offset = 65536;
    t->cell.span_bytes = 131072;
    disk_run(t);
    unsigned char *all = disk_content(t);
    size_t size = t->targets[0].size, first = 65536, end = first + 131072, zero = 0;
    for (size_t i = 0; i < size; i++)
        if (i < first || i >= end)
            assert_int_equal(all[i], 0);
    qsort(all + first, 131072 / 512, 512, disk_compare);
    for (size_t i = first; i < end; i += 512) {
        static const unsigned char none[512];
        if (memcmp(all + i, none, 512) == 0)
            zero++;
        else if (i > first)
            assert_memory_not_equal(all + i - 512, all + i, 512);
    }
    assert_true(zero < 131072 / 512);
    free(all);
}

/* The file ends in the middle of the span: reads come back short there. */
static inline void disk_check_short(struct trial *t)
{
    assert_int_equal(ftruncate(t->targets[0].fd, (off_t)t->targets[0].size / 2 + 512), 0);
    disk_run(t);
    const struct kept_event *ev = keeper_event(t->keeper, "short-io");
    assert_non_null(ev);
    assert_true(ev->count >= t->result.dir[DIR_READ].errors);
    assert_true(t->result.dir[DIR_READ].errors > 0 && t->result.dir[DIR_READ].ios > 0);
    assert_true(ev->offset >= t->targets[0].size / 2);
}

/* A descriptor that cannot be written: every write fails, every read goes on. */
static inline void disk_check_errors(struct trial *t)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", t->targets[0].fd);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    close(t->targets[0].fd);
    t->targets[0].fd = fd;
    t->lines[0].read_bp = 5000;
    disk_run(t);
    assert_int_equal(t->result.dir[DIR_WRITE].ios, 0);
    assert_true(t->result.dir[DIR_WRITE].errors > 0 && t->result.dir[DIR_READ].ios > 0);
    assert_int_equal(keeper_event(t->keeper, "io-error")->sys, EBADF);
    assert_int_equal(t->result.status, CELL_DONE);
}
