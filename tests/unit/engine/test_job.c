/* What can be measured at all, and which engine does it. */
#include "engine/job.h"

#include <string.h>

#include "engine/choose.h"
#include "engine/ring.h"
#include "fake.h"

static void refused(struct trial *t, enum qd_code code, const char *why)
{
    struct engine *g = NULL;
    struct error e = { 0 };
    assert_int_equal(engine_open(&t->job, &g, &e), -1);
    assert_null(g);
    if (!strstr(e.what, why))
        fail_msg("'%s' does not say '%s'", e.what, why);
    assert_int_equal(e.code, code);
    trial_free(t);
}

static void depth_and_workers_have_limits(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.queue_depth = 0;
    refused(t, QD_E_USAGE, "queue depth 0");
    t = trial_new();
    t->cell.queue_depth = 1025;
    refused(t, QD_E_USAGE, "it must be 1 to 1024");
    t = trial_new();
    t->cell.workers = 257;
    refused(t, QD_E_USAGE, "257 workers");
    t = trial_new();
    t->cell.duration_ns = 0;
    refused(t, QD_E_USAGE, "no time");
}

static void lines_are_checked(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->lines[0].share_bp = 9999;
    refused(t, QD_E_USAGE, "do not sum to 100");
    t = trial_new();
    t->workload.n_lines = 0;
    refused(t, QD_E_USAGE, "0 access lines");
    t = trial_new();
    t->lines[0].size = 511;
    refused(t, QD_E_USAGE, "access line 1: size 511");
    t = trial_new();
    t->lines[0].random_bp = 10001;
    refused(t, QD_E_USAGE, "more than 100 %");
}

static void what_is_not_known_is_named(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->lines[0].delay_ns = 1;
    refused(t, QD_E_FAIL, "delay and burst");
    t = trial_new();
    t->lines[0].trim_bp = 1;
    refused(t, QD_E_FAIL, "trim");
    t = trial_new();
    t->lines[0].sync = SYNC_DSYNC;
    refused(t, QD_E_FAIL, "dsync");
    t = trial_new();
    t->lines[0].distribution = DIST_ZONES;
    refused(t, QD_E_FAIL, "zones");
    t = trial_new();
    t->cell.rate.kind = RATE_IOPS;
    refused(t, QD_E_FAIL, "rate");
    t = trial_new();
    t->cell.fill = (struct fill) { .kind = FILL_COMPRESSIBLE, .percent = 101 };
    refused(t, QD_E_USAGE, "101 % compressible");
}

static void a_size_the_device_cannot_do_is_refused(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->lines[0].size = 512;
    t->targets[0].block = 4096;
    refused(t, QD_E_FAIL, "multiples of its block of 4\302\240KiB");
    t = trial_new();
    t->lines[0].align = 512;
    t->targets[0].block = 4096;
    refused(t, QD_E_FAIL, "multiples of its block");
    t = trial_new();
    t->lines[0].size = 2 << 20;
    refused(t, QD_E_FAIL, "the span is 1\302\240MiB");
}

static void the_span_must_lie_on_the_target(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.span_bytes = (1 << 20) + 1;
    refused(t, QD_E_FAIL, "'disk' has 1\302\240MiB");
    t = trial_new();
    t->cell.span_offset = 1 << 20;
    refused(t, QD_E_FAIL, "cannot start at 1\302\240MiB");
    t = trial_new();
    t->cell.span_offset = 4096;
    t->cell.span_bp = 10000;
    refused(t, QD_E_FAIL, "from 4\302\240KiB on");
}

static void a_read_only_target_is_not_written(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->lines[0].read_bp = 9999;
    t->targets[0].writable = false;
    refused(t, QD_E_UNSAFE, "open for reading only");
}

static void a_job_too_large_for_the_machine_is_refused(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->targets[0].size = 1ull << 40;
    t->lines[0].size = 64 << 20;
    t->cell.queue_depth = 1024;
    t->cell.workers = 256;
    refused(t, QD_E_FAIL, "the machine has");
    t = trial_new();
    t->job.choice = ENGINE_SYNC;
    t->cell.queue_depth = 1024;
    t->cell.workers = 256;
    refused(t, QD_E_FAIL, "takes a thread each");
}

static void spans_are_found(void **state)
{
    (void)state;
    static const struct {
        uint64_t offset, bytes;
        uint32_t bp;
        uint64_t want_first, want_bytes;
    } cases[] = {
        { 0, 0, 0, 0, 1 << 20 },
        { 65536, 0, 0, 65536, (1 << 20) - 65536 },
        { 65536, 131072, 0, 65536, 131072 },
        { 0, 0, 2500, 0, 1 << 18 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial *t = trial_new();
        struct span span;
        t->cell.span_offset = cases[i].offset;
        t->cell.span_bytes = cases[i].bytes;
        t->cell.span_bp = cases[i].bp;
        assert_int_equal(job_check(&t->job, &span, &t->error), 0);
        assert_true(span.first == cases[i].want_first && span.bytes == cases[i].want_bytes);
        trial_free(t);
    }
}

static void auto_takes_sync_where_one_io_needs_a_kernel_worker(void **state)
{
    (void)state;
    struct error e = { 0 };
    if (!engine_has_io_uring(&e))
        skip();
    static const struct {
        enum engine_choice choice;
        uint32_t depth;
        bool nowait;
        enum engine_used want;
    } cases[] = {
        { ENGINE_AUTO, 1, true, USED_IO_URING },      { ENGINE_AUTO, 1, false, USED_SYNC },
        { ENGINE_AUTO, 2, false, USED_IO_URING },     { ENGINE_SYNC, 32, true, USED_SYNC },
        { ENGINE_IO_URING, 1, false, USED_IO_URING },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial *t = trial_new();
        enum engine_used used;
        char why[64];
        t->job.choice = cases[i].choice;
        t->cell.queue_depth = cases[i].depth;
        t->targets[0].nowait = cases[i].nowait;
        assert_int_equal(choose_engine(&t->job, &used, why, sizeof why, &e), 0);
        assert_int_equal(used, cases[i].want);
        assert_string_equal(why, "");
        trial_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_and_workers_have_limits),
        cmocka_unit_test(lines_are_checked),
        cmocka_unit_test(what_is_not_known_is_named),
        cmocka_unit_test(a_size_the_device_cannot_do_is_refused),
        cmocka_unit_test(the_span_must_lie_on_the_target),
        cmocka_unit_test(a_read_only_target_is_not_written),
        cmocka_unit_test(a_job_too_large_for_the_machine_is_refused),
        cmocka_unit_test(spans_are_found),
        cmocka_unit_test(auto_takes_sync_where_one_io_needs_a_kernel_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
