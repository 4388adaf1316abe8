/* Replays on a made-up device: every I/O once, at its time or as fast as it goes, and what does not fit is told. */
#include "fake.h"

enum { MOST = 2000 };

static struct trace_io ios[MOST];

/* n reads of 4 KiB, one each `every` ns, one after the other. */
static struct trace made(size_t n, uint64_t every, double speed)
{
    for (size_t i = 0; i < n; i++)
        ios[i] = (struct trace_io) { i * every, i * 4096 % (1 << 20), 4096, DIR_READ };
    return (struct trace) { .file = "made", .ios = ios, .n = n, .speed = speed };
}

static struct trial *trial_of(const struct trace *t)
{
    struct trial *x = trial_new();
    x->cell.trace = t;
    x->cell.duration_ns = 60 * S;
    return x;
}

static struct trial *replay(const struct trace *t, uint64_t duration_ns)
{
    struct trial *x = trial_of(t);
    x->cell.duration_ns = duration_ns;
    x->cell.interval_ns = S / 10;
    if (trial_run(x))
        fail_msg("%s", x->error.what);
    assert_whole(x->keeper, &x->result);
    return x;
}

static void all_once_in_order(const struct trial *x, const struct trace *t)
{
    assert_int_equal(x->world.log[0].n, t->n);
    for (size_t i = 0; i < t->n; i++) {
        const struct fake_io *io = fake_nth(&x->world, i);
        assert_true(io->offset == t->ios[i].offset && io->size == t->ios[i].size);
        assert_int_equal(io->direction, t->ios[i].direction);
    }
}

static void at_the_recorded_times(void **state)
{
    (void)state;
    const struct trace t = made(500, 4 * MS, 1);
    struct trial *x = replay(&t, 60 * S);
    all_once_in_order(x, &t);
    for (size_t i = 0; i < t.n; i++)
        assert_true(fake_nth(&x->world, i)->start == FAKE_START + t.ios[i].at_ns);
    assert_int_equal(x->result.status, CELL_DONE);
    assert_int_equal(x->result.dir[DIR_READ].ios, 500);
    assert_int_equal(x->result.dir[DIR_READ].bytes, 500 * 4096);
    assert_true(x->result.dir[DIR_READ].lat.min == 1 * MS &&
                x->result.dir[DIR_READ].lat.max == 1 * MS);
    /* ends with the trace: 499 × 4 ms and the last one's 1 ms */
    assert_true(x->result.measured_ns >= 1997 * MS && x->result.measured_ns < 1998 * MS);
    assert_int_equal(x->keeper->n_rows, 20);
    assert_close(x->result.achieved_depth, 0.25, 0.01);
    assert_null(keeper_event(x->keeper, "late-starts"));
    assert_null(keeper_event(x->keeper, "trace-cut"));
    assert_null(keeper_event(x->keeper, "trace-fitted"));
    trial_free(x);
}

static void twice_as_fast(void **state)
{
    (void)state;
    const struct trace t = made(500, 4 * MS, 2);
    struct trial *x = replay(&t, 60 * S);
    all_once_in_order(x, &t);
    assert_true(fake_nth(&x->world, 499)->start == FAKE_START + 499 * 2 * MS);
    trial_free(x);
}

/* Depth 4 at 1 ms an I/O. */
static void as_fast_as_possible(void **state)
{
    (void)state;
    const struct trace t = made(500, 4 * MS, 0);
    struct trial *x = replay(&t, 60 * S);
    all_once_in_order(x, &t);
    assert_int_equal(x->result.dir[DIR_READ].ios, 500);
    assert_true(x->result.measured_ns >= 125 * MS && x->result.measured_ns < 126 * MS);
    assert_close(x->result.achieved_depth, 4, 0.01);
    trial_free(x);
}

/* A pause of 200 ms: nobody is spared, what was due in it waits from its time on. */
static void a_stall_is_not_hidden(void **state)
{
    (void)state;
    const struct trace t = made(1000, 2 * MS, 1);
    struct trial *x = trial_of(&t);
    x->world.stall_at = FAKE_START + 500 * MS;
    x->world.stall_ns = 200 * MS;
    assert_int_equal(trial_run(x), 0);
    assert_int_equal(x->result.dir[DIR_READ].ios, 1000);
    const struct hist *h = x->result.dir[DIR_READ].hist;
    /* due every 2 ms while it stood: about a hundred I/Os waited, uniformly from 0 to 200 ms; then the queue of 4 is worked off */
    assert_true(h->m.max >= 199 * MS);
    assert_true(hist_percentile(h, (struct fraction) { 95, 100 }) > 90 * MS);
    const struct kept_event *ev = keeper_event(x->keeper, "late-starts");
    assert_non_null(ev);
    assert_true(ev->count > 80 && ev->count < 200);
    assert_int_equal(ev->severity, EVENT_WARNING);
    trial_free(x);
}

static void a_device_too_slow_is_cut_and_told(void **state)
{
    (void)state;
    const struct trace t = made(2000, MS / 10, 1);
    struct trial *x = replay(&t, 300 * MS);
    assert_int_equal(x->result.status, CELL_DONE);
    assert_int_equal(x->result.measured_ns, 300 * MS);
    const struct kept_event *ev = keeper_event(x->keeper, "trace-cut");
    assert_non_null(ev);
    assert_true(ev->count == 2000 - x->world.log[0].n);
    trial_free(x);
}

/* Whoever has no free slot leaves the next I/O to the other threads: nothing is taken that is not issued. */
static void is_taken_only_for_a_free_slot(void **state)
{
    (void)state;
    const struct trace t = made(100, MS, 1);
    struct trial *x = trial_of(&t);
    x->cell.queue_depth = 1;
    x->cell.duration_ns = 120 * MS;
    x->world.constant = 50 * MS;
    assert_int_equal(trial_run(x), 0);
    assert_int_equal(x->world.log[0].n, 3);
    assert_int_equal(atomic_load(&x->engine->replay.next), 3);
    trial_free(x);
}

/* 512-byte I/Os on blocks of 4 KiB, offsets of a disk of 1 TiB on a span of 1 MiB. */
static void is_fitted_to_the_target(void **state)
{
    (void)state;
    static const struct trace_io odd[] = { { 0, 512, 512, DIR_READ },
                                           { 0, 4096, 4096, DIR_READ },
                                           { 0, (1ull << 40) + 4096, 8192, DIR_WRITE },
                                           { 0, (1 << 20) - 4096, 4096, DIR_READ },
                                           { 0, (1 << 20) - 2048, 4096, DIR_WRITE } };
    const struct trace t = { .file = "odd", .ios = odd, .n = 5, .speed = 0, .left_out = 7 };
    struct trial *x = trial_of(&t);
    x->targets[0].block = 4096;
    assert_int_equal(trial_run(x), 0);
    assert_int_equal(x->world.log[0].n, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct fake_io *io = fake_nth(&x->world, i);
        assert_int_equal(io->offset % 4096, 0);
        assert_int_equal(io->size % 4096, 0);
        assert_true(io->offset + io->size <= 1 << 20);
        assert_int_equal(io->direction, odd[i].direction);
    }
    assert_int_equal(fake_nth(&x->world, 0)->offset, 0);
    assert_int_equal(fake_nth(&x->world, 1)->offset, 4096);
    assert_int_equal(fake_nth(&x->world, 3)->offset, (1 << 20) - 4096);
    assert_int_equal(x->result.dir[DIR_READ].bytes, 3 * 4096);
    assert_int_equal(x->result.dir[DIR_WRITE].bytes, 8192 + 8192);
    const struct kept_event *ev = keeper_event(x->keeper, "trace-fitted");
    assert_non_null(ev);
    assert_int_equal(ev->count, 2 + 2);
    trial_free(x);
}

static void what_cannot_be_replayed_is_refused(void **state)
{
    (void)state;
    static const struct trace_io large[] = { { 0, 0, 2 << 20, DIR_READ } };
    const struct trace t = { .file = "large", .ios = large, .n = 1, .speed = 1 };
    struct trial *x = trial_of(&t);
    assert_int_equal(trial_run(x), -1);
    assert_non_null(strstr(x->error.what, "cannot replay an I/O of"));
    trial_free(x);
    x = trial_of(&t);
    x->cell.workers = 2;
    assert_int_equal(trial_run(x), -1);
    assert_non_null(strstr(x->error.what, "2 workers"));
    trial_free(x);
}

static void stopped_keeps_what_was_measured(void **state)
{
    (void)state;
    const struct trace t = made(1000, 2 * MS, 1);
    struct trial *x = trial_of(&t);
    x->world.stop = &x->stop;
    x->world.stop_at = FAKE_START + 700 * MS;
    assert_int_equal(trial_run(x), 0);
    assert_int_equal(x->result.status, CELL_INTERRUPTED);
    assert_true(x->result.dir[DIR_READ].ios > 340 && x->result.dir[DIR_READ].ios < 380);
    assert_whole(x->keeper, &x->result);
    trial_free(x);
}

static void errors_are_counted_and_the_replay_ends(void **state)
{
    (void)state;
    const struct trace t = made(500, MS, 1);
    struct trial *x = trial_of(&t);
    x->world.fault_from = 100;
    x->world.fault_to = 110;
    x->world.fault = -EIO;
    assert_int_equal(trial_run(x), 0);
    assert_int_equal(x->result.status, CELL_DONE);
    assert_int_equal(x->result.dir[DIR_READ].ios, 490);
    assert_int_equal(x->result.dir[DIR_READ].errors, 10);
    trial_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_the_recorded_times),
        cmocka_unit_test(twice_as_fast),
        cmocka_unit_test(as_fast_as_possible),
        cmocka_unit_test(a_stall_is_not_hidden),
        cmocka_unit_test(a_device_too_slow_is_cut_and_told),
        cmocka_unit_test(is_taken_only_for_a_free_slot),
        cmocka_unit_test(is_fitted_to_the_target),
        cmocka_unit_test(what_cannot_be_replayed_is_refused),
        cmocka_unit_test(stopped_keeps_what_was_measured),
        cmocka_unit_test(errors_are_counted_and_the_replay_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
