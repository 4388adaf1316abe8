/* io_uring on real files. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "disk.h"

static struct trial *ring(struct trial *t)
{
    t->job.choice = ENGINE_IO_URING;
    return t;
}

static void a_mix_on_a_direct_file(void **state)
{
    (void)state;
    struct trial *t = ring(disk_direct(4 << 20));
    t->cell.queue_depth = 16;
    disk_check_mix(t);
    assert_int_equal(t->result.engine, USED_IO_URING);
    assert_true(t->result.direct == t->targets[0].direct);
    disk_free(t);
}

static void a_mix_in_memory_with_three_workers(void **state)
{
    (void)state;
    struct trial *t = ring(disk_in_memory(4 << 20));
    t->cell.workers = 3;
    disk_check_mix(t);
    assert_false(t->result.direct);
    disk_free(t);
}

static void any_depth(void **state)
{
    (void)state;
    static const uint32_t depths[] = { 1, 2, 7, 128, 1024 };
    for (size_t i = 0; i < 5; i++) {
        struct trial *t = ring(disk_in_memory(8 << 20));
        t->cell.queue_depth = depths[i];
        t->cell.duration_ns = 1000 * MS;
        disk_run(t);
        assert_int_equal(t->result.status, CELL_DONE);
        assert_true(t->result.dir[DIR_READ].ios > 0);
        assert_int_equal(t->result.dir[DIR_READ].errors, 0);
        assert_true(t->result.in_flight_at_end <= depths[i]);
        disk_free(t);
    }
}

static void two_targets_together(void **state)
{
    (void)state;
    struct trial *t = ring(disk_in_memory(1 << 20)), *other = disk_in_memory(2 << 20);
    t->targets[1] = other->targets[0];
    t->job.n_targets = 2;
    disk_run(t);
    assert_true(t->result.span_bytes == 3 << 20);
    assert_int_equal(t->result.dir[DIR_READ].errors, 0);
    disk_free(t);
    disk_free(other);
}

static void writes_are_unique_and_stay_in_the_span(void **state)
{
    (void)state;
    struct trial *t = ring(disk_direct(1 << 20));
    disk_check_writes(t);
    disk_free(t);
}

static void the_fill_is_written(void **state)
{
    (void)state;
    struct trial *t = ring(disk_in_memory(1 << 20));
    t->lines[0].read_bp = 0;
    t->lines[0].random_bp = 0;
    t->cell.fill.kind = FILL_ONES;
    disk_run(t);
    unsigned char *all = disk_content(t);
    for (size_t i = 0; i < 4096; i++)
        assert_int_equal(all[i], 0xff);
    free(all);
    disk_free(t);
}

static void reading_changes_nothing(void **state)
{
    (void)state;
    struct trial *t = ring(disk_in_memory(1 << 20));
    unsigned char *before = xmalloc(1 << 20);
    struct rng rng = rng_seed(5);
    rng_fill(&rng, before, 1 << 20);
    assert_int_equal(pwrite(t->targets[0].fd, before, 1 << 20, 0), 1 << 20);
    t->targets[0].writable = false;
    disk_run(t);
    unsigned char *after = disk_content(t);
    assert_memory_equal(before, after, 1 << 20);
    free(before);
    free(after);
    disk_free(t);
}

static void short_reads_are_errors(void **state)
{
    (void)state;
    struct trial *t = ring(disk_in_memory(1 << 20));
    disk_check_short(t);
    disk_free(t);
}

static void errors_of_the_kernel_are_results(void **state)
{
    (void)state;
    struct trial *t = ring(disk_in_memory(1 << 20));
    disk_check_errors(t);
    disk_free(t);
}

static void a_target_without_nowait_is_told(void **state)
{
    (void)state;
    struct trial *t = disk_in_memory(1 << 20);
    t->targets[0].nowait = false;
    disk_run(t);
    assert_int_equal(t->result.engine, USED_IO_URING);
    const struct kept_event *ev = keeper_event(t->keeper, "kernel-workers");
    assert_non_null(ev);
    assert_non_null(strstr(ev->what, "kernel worker threads"));
    disk_free(t);
}

/* A pipe nobody writes to: nothing ever finishes. The worker wakes by itself, closes its intervals and sees the stop; then
 * the writer is closed, and the reads end. */
static void *stop_then_release(void *arg)
{
    struct trial *t = arg;
    while (atomic_load(&t->engine->workers[0]->ring.complete) < 2)
        usleep(1000);
    atomic_store(&t->stop, 1);
    while (atomic_load(&t->engine->workers[0]->ring.complete) != RECORDS_FINISHED)
        usleep(1000);
    close((int)t->targets[2].fd);
    return NULL;
}

static void a_device_that_hangs_is_stopped_all_the_same(void **state)
{
    (void)state;
    struct trial *t = ring(disk_in_memory(1 << 20));
    int pipe_fd[2];
    pthread_t thread;
    assert_int_equal(pipe2(pipe_fd, O_CLOEXEC), 0);
    close(t->targets[0].fd);
    t->targets[0].fd = pipe_fd[0];
    t->targets[2].fd = pipe_fd[1];
    t->cell.duration_ns = 3600 * S;
    t->cell.ramp_ns = 0;
    if (engine_open(&t->job, &t->engine, &t->error) != 0)
        fail_msg("%s", t->error.what);
    assert_int_equal(pthread_create(&thread, NULL, stop_then_release, t), 0);
    assert_int_equal(engine_measure(t->engine, &t->keeper->sink, &t->result, &t->error), 0);
    pthread_join(thread, NULL);
    assert_whole(t->keeper, &t->result);
    assert_int_equal(t->result.status, CELL_INTERRUPTED);
    assert_int_equal(t->result.dir[DIR_READ].ios + t->result.dir[DIR_READ].errors, 0);
    assert_true(t->keeper->n_rows >= 2);
    assert_true(t->result.oldest_in_flight_ns > 0);
    disk_free(t);
}

static int measure_quietly(struct trial *t)
{
    if (engine_open(&t->job, &t->engine, &t->error) != 0 ||
        engine_measure(t->engine, &t->keeper->sink, &t->result, &t->error) != 0)
        return 1;
    return t->result.dir[DIR_READ].ios > 0 && t->result.dir[DIR_READ].errors == 0 ? 0 : 2;
}

static int with_little_locked_memory(void)
{
    struct trial *t = ring(disk_in_memory(8 << 20));
    const struct rlimit none = { 64 << 10, 64 << 10 };
    t->lines[0].size = 65536;
    if (setrlimit(RLIMIT_MEMLOCK, &none) != 0 || (geteuid() == 0 && setuid(65534) != 0))
        return 10;
    int rc = measure_quietly(t);
    if (rc)
        return rc;
    return t->result.engine == USED_IO_URING && keeper_event(t->keeper, "plain-buffers") ? 0 : 3;
}

static void without_locked_memory_plain_buffers_do(void **state)
{
    (void)state;
    in_child(with_little_locked_memory);
}

static int forbid_io_uring(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int with_io_uring_forbidden(void)
{
    struct trial *t = disk_in_memory(8 << 20);
    if (forbid_io_uring() != 0)
        return 10;
    struct error e = { 0 };
    if (engine_has_io_uring(&e) || !strstr(e.what, "io_uring") || e.sys != EPERM)
        return 11;
    t->job.choice = ENGINE_IO_URING;
    if (engine_open(&t->job, &t->engine, &e) == 0)
        return 12;
    t->job.choice = ENGINE_AUTO;
    t->cell.queue_depth = 6;
    int rc = measure_quietly(t);
    if (rc)
        return rc;
    const struct kept_event *ev = keeper_event(t->keeper, "no-io-uring");
    if (!ev || ev->severity != EVENT_WARNING || !strstr(ev->what, "6 threads"))
        return 13;
    return t->result.engine == USED_SYNC && t->engine->n_workers == 6 ? 0 : 14;
}

static void without_io_uring_threads_do(void **state)
{
    (void)state;
    in_child(with_io_uring_forbidden);
}

int main(void)
{
    struct error e = { 0 };
    if (!engine_has_io_uring(&e)) {
        printf("skipped: %s\n", e.what);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_on_a_direct_file),
        cmocka_unit_test(a_mix_in_memory_with_three_workers),
        cmocka_unit_test(any_depth),
        cmocka_unit_test(two_targets_together),
        cmocka_unit_test(writes_are_unique_and_stay_in_the_span),
        cmocka_unit_test(the_fill_is_written),
        cmocka_unit_test(reading_changes_nothing),
        cmocka_unit_test(short_reads_are_errors),
        cmocka_unit_test(errors_of_the_kernel_are_results),
        cmocka_unit_test(a_target_without_nowait_is_told),
        cmocka_unit_test(a_device_that_hangs_is_stopped_all_the_same),
        cmocka_unit_test(without_locked_memory_plain_buffers_do),
        cmocka_unit_test(without_io_uring_threads_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
