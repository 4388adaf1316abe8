/* I/Os that fail, come up short, or meet a device that is gone. */
#include "fake.h"

static struct trial *run(struct trial *t)
{
    if (trial_run(t) != 0)
        fail_msg("%s", t->error.what);
    assert_whole(t->keeper, &t->result);
    assert_as_logged(&t->world, &t->result, t->engine->time.zero,
                     t->engine->time.zero + t->result.measured_ns);
    return t;
}

static void the_nth_io_fails(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 30; n++) {
        struct trial *t = trial_new();
        t->world.fault_from = n;
        t->world.fault_to = n + 1;
        t->world.fault = -EIO;
        run(t);
        assert_int_equal(t->result.status, CELL_DONE);
        assert_int_equal(t->result.dir[DIR_READ].errors, 1);
        assert_int_equal(t->result.dir[DIR_READ].ios, 4 * 2999 - 1);
        assert_int_equal(t->keeper->rows[0].dir[DIR_READ].errors, 1);
        const struct kept_event *ev = keeper_event(t->keeper, "io-error");
        assert_non_null(ev);
        assert_int_equal(ev->sys, EIO);
        assert_int_equal(ev->count, 1);
        assert_int_equal(ev->severity, EVENT_ERROR);
        assert_true(ev->offset == fake_nth(&t->world, n)->offset);
        assert_true(ev->t_ns == (int64_t)((n / 4 + 1) * MS));
        assert_non_null(strstr(ev->what, "1 read from disk failed: Input/output error."));
        trial_free(t);
    }
}

static void short_transfers_are_errors(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->lines[0].read_bp = 0;
    t->world.fault_from = 100;
    t->world.fault_to = 103;
    t->world.fault = 2048;
    run(t);
    assert_int_equal(t->result.dir[DIR_WRITE].errors, 3);
    const struct kept_event *ev = keeper_event(t->keeper, "short-io");
    assert_non_null(ev);
    assert_int_equal(ev->sys, 0);
    assert_int_equal(ev->count, 3);
    assert_non_null(strstr(ev->what, "3 writes to disk came up short."));
    assert_non_null(strstr(ev->what, "2,048 of 4,096 bytes"));
    trial_free(t);
}

static int32_t many_kinds(struct fake_world *w, uint64_t n, const struct slot *s, uint64_t now)
{
    (void)w;
    (void)now;
    return n % 7 == 0 ? -EIO : n % 11 == 0 ? -ENOSPC : n % 13 == 0 ? 0 : (int32_t)s->size;
}

static void the_first_of_each_kind_is_told_and_all_are_counted(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->lines[0].read_bp = 5000;
    t->cell.workers = 2;
    t->world.result = many_kinds;
    run(t);
    uint64_t told = 0, seen = 0, in_window = 0;
    for (size_t i = 0; i < t->keeper->n_events; i++)
        if (t->keeper->events[i].severity == EVENT_ERROR) {
            told += t->keeper->events[i].count;
            seen++;
        }
    for (int d = 0; d < DIR_COUNT; d++)
        in_window += t->result.dir[d].errors;
    assert_int_equal(seen, 6); /* three kinds of reads and of writes */
    assert_int_equal(told, in_window);
    assert_int_equal(t->result.status, CELL_DONE);
    trial_free(t);
}

/* Without any success there is no response time, but there are errors in every second. */
static void everything_fails(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->world.fault_to = UINT64_MAX;
    t->world.fault = -EIO;
    run(t);
    assert_int_equal(t->result.dir[DIR_READ].ios, 0);
    assert_int_equal(t->result.dir[DIR_READ].errors, 4 * 2999);
    for (size_t i = 0; i < 3; i++)
        assert_true(t->keeper->rows[i].dir[DIR_READ].errors >= 4 * 999);
    assert_int_equal(t->keeper->n_samples, 0);
    trial_free(t);
}

static void a_device_that_is_gone_ends_the_cell(void **state)
{
    (void)state;
    static const int gone[] = { ENODEV, ENXIO, ENOTCONN, ESHUTDOWN };
    for (size_t i = 0; i < 4; i++) {
        struct trial *t = trial_new();
        t->cell.ramp_ns = S;
        t->world.fault_from = 4 * 2500;
        t->world.fault_to = UINT64_MAX;
        t->world.fault = -gone[i];
        run(t);
        assert_int_equal(t->result.status, CELL_FAILED);
        assert_string_equal(t->result.reason, "'disk' is gone");
        assert_int_equal(t->result.dir[DIR_READ].ios, 4 * 1501); /* 1000 ms .. 2500 ms */
        assert_true(t->result.dir[DIR_READ].errors >= FAULT_GONE_AFTER);
        assert_true(t->result.measured_ns > 1500 * MS && t->result.measured_ns < 1600 * MS);
        assert_int_equal(t->keeper->n_rows, 3);
        assert_int_equal(keeper_event(t->keeper, "io-error")->sys, gone[i]);
        trial_free(t);
    }
}

static int32_t now_and_then(struct fake_world *w, uint64_t n, const struct slot *s, uint64_t now)
{
    (void)w;
    (void)now;
    return n % 32 == 31 ? (int32_t)s->size : -ENODEV;
}

static void a_device_that_comes_back_is_not_gone(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->world.result = now_and_then;
    run(t);
    assert_int_equal(t->result.status, CELL_DONE);
    trial_free(t);
}

static int32_t second_is_gone(struct fake_world *w, uint64_t n, const struct slot *s, uint64_t now)
{
    (void)w;
    (void)n;
    return s->target == 1 && now > FAKE_START + S ? -ENXIO : (int32_t)s->size;
}

/* Another target that goes on does not hide it. */
static void one_of_several_targets_is_gone(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->job.n_targets = 2;
    t->targets[1].name = "second";
    t->world.result = second_is_gone;
    run(t);
    assert_int_equal(t->result.status, CELL_FAILED);
    assert_string_equal(t->result.reason, "'second' is gone");
    assert_true(t->result.measured_ns < 1100 * MS);
    trial_free(t);
}

static void more_kinds_than_fit_are_still_counted(void **state)
{
    (void)state;
    struct faults f;
    faults_init(&f);
    struct slot s = { .size = 512, .direction = DIR_READ };
    for (int32_t i = 1; i <= 100; i++)
        assert_false(faults_add(&f, &s, -(i + 200), (uint64_t)i));
    uint64_t count = 0;
    for (uint32_t i = 0; i < f.n; i++)
        count += f.kind[i].count;
    assert_int_equal(f.n, FAULT_KINDS);
    assert_int_equal(count, 100);
    struct faults sum;
    faults_init(&sum);
    faults_merge(&sum, &f);
    faults_merge(&sum, &f);
    count = 0;
    for (uint32_t i = 0; i < sum.n; i++)
        count += sum.kind[i].count;
    assert_int_equal(count, 200);
    assert_int_equal(sum.kind[0].sys, 201);
}

static void the_earliest_of_all_workers_is_the_first(void **state)
{
    (void)state;
    struct faults a, b, sum;
    struct slot s = { .size = 512, .direction = DIR_WRITE, .offset = 1024 };
    faults_init(&a);
    faults_init(&b);
    faults_init(&sum);
    faults_add(&a, &s, -EIO, 50);
    s.offset = 2048;
    faults_add(&b, &s, -EIO, 40);
    faults_merge(&sum, &a);
    faults_merge(&sum, &b);
    assert_int_equal(sum.n, 1);
    assert_int_equal(sum.kind[0].count, 2);
    assert_int_equal(sum.kind[0].offset, 2048);
    assert_int_equal(sum.gone_target, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_io_fails),
        cmocka_unit_test(short_transfers_are_errors),
        cmocka_unit_test(the_first_of_each_kind_is_told_and_all_are_counted),
        cmocka_unit_test(everything_fails),
        cmocka_unit_test(a_device_that_is_gone_ends_the_cell),
        cmocka_unit_test(a_device_that_comes_back_is_not_gone),
        cmocka_unit_test(one_of_several_targets_is_gone),
        cmocka_unit_test(more_kinds_than_fit_are_still_counted),
        cmocka_unit_test(the_earliest_of_all_workers_is_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
