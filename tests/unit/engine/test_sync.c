/* The sync engine on real files: a thread for each I/O in flight. */
#include <sys/resource.h>

#include "disk.h"

static struct trial *sync_engine(struct trial *t)
{
    t->job.choice = ENGINE_SYNC;
    return t;
}

static void a_mix_at_depth_one(void **state)
{
    (void)state;
    struct trial *t = sync_engine(disk_direct(4 << 20));
    t->cell.queue_depth = 1;
    disk_check_mix(t);
    assert_int_equal(t->result.engine, USED_SYNC);
    disk_free(t);
}

static void a_thread_for_each_io_in_flight(void **state)
{
    (void)state;
    struct trial *t = sync_engine(disk_in_memory(4 << 20));
    t->cell.queue_depth = 5;
    t->cell.workers = 2;
    disk_check_mix(t);
    assert_int_equal(t->engine->n_workers, 10);
    disk_free(t);
}

static void each_target_has_its_threads(void **state)
{
    (void)state;
    struct trial *t = sync_engine(disk_in_memory(1 << 20)), *other = disk_in_memory(1 << 20);
    t->targets[1] = other->targets[0];
    t->job.n_targets = 2;
    t->cell.queue_depth = 3;
    t->lines[0].read_bp = 0;
    disk_run(t);
    assert_int_equal(t->engine->n_workers, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(t->engine->workers[i]->slots[0].target, i / 3);
    disk_free(t);
    disk_free(other);
}

/* All threads of a worker write one stream: nothing is left out and nothing is written twice before the end of the span. */
static void threads_of_a_worker_share_its_stream(void **state)
{
    (void)state;
    struct trial *t = sync_engine(disk_in_memory(1ull << 30));
    t->cell.queue_depth = 4;
    t->lines[0].read_bp = 0;
    t->lines[0].random_bp = 0;
    t->cell.fill.kind = FILL_ONES;
    t->cell.duration_ns = 100 * MS;
    disk_run(t);
    uint64_t end = t->engine->streams[0].next;
    assert_true(end >= t->result.dir[DIR_WRITE].bytes);
    if (end < 1ull << 30) {
        unsigned char *all = disk_content(t);
        for (size_t i = 0; i < end; i += 4096)
            assert_int_equal(all[i], 0xff);
        assert_int_equal(all[end], 0);
        free(all);
    }
    disk_free(t);
}

static void writes_are_unique_and_stay_in_the_span(void **state)
{
    (void)state;
    struct trial *t = sync_engine(disk_direct(1 << 20));
    disk_check_writes(t);
    disk_free(t);
}

static void short_reads_are_errors(void **state)
{
    (void)state;
    struct trial *t = sync_engine(disk_in_memory(1 << 20));
    disk_check_short(t);
    disk_free(t);
}

static void errors_of_the_kernel_are_results(void **state)
{
    (void)state;
    struct trial *t = sync_engine(disk_in_memory(1 << 20));
    disk_check_errors(t);
    disk_free(t);
}

static int with_two_threads_allowed(void)
{
    struct trial *t = sync_engine(disk_in_memory(1 << 20));
    const struct rlimit two = { 2, 2 };
    t->cell.queue_depth = 16;
    if (engine_open(&t->job, &t->engine, &t->error) != 0)
        return 1;
    if ((geteuid() == 0 && setuid(65534) != 0) || setrlimit(RLIMIT_NPROC, &two) != 0)
        return 2;
    if (engine_measure(t->engine, &t->keeper->sink, &t->result, &t->error) == 0)
        return 3;
    return strstr(t->error.what, "cannot start worker") ? 0 : 4;
}

static void a_thread_that_cannot_be_made_is_an_error(void **state)
{
    (void)state;
    in_child(with_two_threads_allowed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_at_depth_one),
        cmocka_unit_test(a_thread_for_each_io_in_flight),
        cmocka_unit_test(each_target_has_its_threads),
        cmocka_unit_test(threads_of_a_worker_share_its_stream),
        cmocka_unit_test(writes_are_unique_and_stay_in_the_span),
        cmocka_unit_test(short_reads_are_errors),
        cmocka_unit_test(errors_of_the_kernel_are_results),
        cmocka_unit_test(a_thread_that_cannot_be_made_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
