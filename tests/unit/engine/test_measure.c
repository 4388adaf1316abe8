/* The measuring loop on a made-up device with a clock of its own: counts and sums are exact. */
#include "fake.h"

#include <sched.h>

/* Everything the device saw finish in the window is in the result, and nothing else is. */
static void assert_exact(const struct trial *t)
{
    uint64_t zero = t->engine->time.zero;
    assert_whole(t->keeper, &t->result);
    assert_as_logged(&t->world, &t->result, zero, zero + t->result.measured_ns);
}

static struct trial *run(struct trial *t)
{
    if (trial_run(t) != 0)
        fail_msg("%s", t->error.what);
    return t;
}

static void constant_service_gives_exact_numbers(void **state)
{
    (void)state;
    struct trial *t = run(trial_new());
    const struct direction_result *r = &t->result.dir[DIR_READ];
    assert_exact(t);
    assert_int_equal(t->result.status, CELL_DONE);
    assert_null(t->result.reason);
    assert_true(t->result.measured_ns == 3 * S);
    /* Depth 4, 1 ms each: four at 1 ms, 2 ms, ..., 2999 ms; those at 3000 ms come too late. */
    assert_int_equal(r->ios, 4 * 2999);
    assert_true(r->bytes == r->ios * 4096);
    assert_true(r->lat.sum == r->ios * MS && r->lat.min == MS && r->lat.max == MS);
    assert_false(t->result.dir[DIR_WRITE].asked);
    assert_int_equal(t->keeper->n_rows, 3);
    assert_int_equal(t->keeper->rows[0].dir[DIR_READ].ios, 4 * 999);
    assert_int_equal(t->keeper->rows[1].dir[DIR_READ].ios, 4 * 1000);
    assert_close(t->result.achieved_depth, 4, 1e-12);
    assert_close(t->result.worker_busy, 0, 1e-12);
    trial_free(t);
}

static void in_flight_at_the_end_is_counted_and_aged(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->world.constant = 700 * MS;
    run(t);
    assert_exact(t);
    /* Ends at 700, 1400, 2100, 2800; those issued at 2800 are 200 ms old when the window closes. */
    assert_int_equal(t->result.dir[DIR_READ].ios, 16);
    assert_int_equal(t->result.in_flight_at_end, 4);
    assert_true(t->result.oldest_in_flight_ns == 200 * MS);
    assert_true(t->result.dir[DIR_READ].lat_max_ns == 700 * MS);
    const struct kept_event *ev = keeper_event(t->keeper, "in-flight-at-end");
    assert_non_null(ev);
    assert_int_equal(ev->count, 4);
    assert_int_equal(ev->severity, EVENT_NOTE);
    assert_non_null(strstr(ev->what, "4 I/Os were in flight at the end"));
    trial_free(t);
}

/* Nothing ever finishes inside the window: no I/O, but the longest response time is at least the window. */
static void a_window_without_any_completion_has_zero_rows(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->world.constant = 10 * S;
    run(t);
    assert_exact(t);
    assert_int_equal(t->keeper->n_rows, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(t->keeper->rows[i].dir[DIR_READ].asked);
        assert_int_equal(t->keeper->rows[i].dir[DIR_READ].ios, 0);
        assert_true(t->keeper->rows[i].length_ns == S);
    }
    assert_int_equal(t->result.dir[DIR_READ].ios, 0);
    assert_true(t->result.dir[DIR_READ].lat_max_ns == 3 * S);
    assert_true(t->result.dir[DIR_READ].lat.max == 0);
    trial_free(t);
}

/* Longer than the histogram reaches: counted, and the moments stay exact. */
static void an_io_of_80_seconds_is_counted(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.duration_ns = 300 * S;
    t->world.constant = 80 * S;
    run(t);
    assert_exact(t);
    assert_int_equal(t->result.dir[DIR_READ].ios, 12);
    assert_int_equal(t->result.dir[DIR_READ].hist->overflow, 12);
    assert_true(t->result.dir[DIR_READ].lat.max == 80 * S);
    assert_int_equal(t->keeper->n_rows, 300);
    trial_free(t);
}

/* The I/Os of a stall are in the second in which they finish; the seconds in between are there, with zeros. */
static void no_second_is_lost_in_a_stall(void **state)
{
    (void)state;
    static const struct {
        uint64_t at, length;
    } stalls[] = {
        { 200 * MS, 200 * MS }, { 1500 * MS, 3 * S }, { 3 * S, 3 * S }, { 9 * S, 5 * S }
    };
    for (size_t i = 0; i < 4; i++) {
        struct trial *t = trial_new();
        t->cell.duration_ns = 10 * S;
        t->world.stall_at = FAKE_START + stalls[i].at;
        t->world.stall_ns = stalls[i].length;
        run(t);
        assert_exact(t);
        assert_int_equal(t->keeper->n_rows, 10);
        uint64_t gone = stalls[i].at + stalls[i].length > 10 * S ? 10 * S - stalls[i].at
                                                                 : stalls[i].length;
        assert_int_equal(t->result.dir[DIR_READ].ios / 4, (10 * S - gone) / MS - 1);
        assert_true(t->result.dir[DIR_READ].lat_max_ns >= gone);
        trial_free(t);
    }
}

/* Reads take 1 ms and writes 3 ms, four lines; depth 32: shares, lines and both directions are kept apart exactly. */
static uint64_t slow_writes(struct fake_world *w, uint64_t n, const struct slot *s, uint64_t now)
{
    (void)w;
    (void)now;
    return (s->direction == DIR_WRITE ? 3 * MS : MS) + n % 1000 * 1000 + s->size;
}

static struct trial *mixed(void)
{
    struct trial *t = trial_new();
    static const struct {
        uint32_t share, size, read, random;
    } lines[] = { { 5000, 8192, 9000, 10000 },
                  { 2500, 65536, 6500, 10000 },
                  { 2000, 4096, 0, 5000 },
                  { 500, 512, 10000, 0 } };
    for (size_t i = 0; i < 4; i++)
        t->lines[i] = (struct access_line) { .share_bp = lines[i].share,
                                             .size = lines[i].size,
                                             .read_bp = lines[i].read,
                                             .random_bp = lines[i].random,
                                             .burst = 1 };
    t->workload.n_lines = 4;
    t->cell.queue_depth = 32;
    t->world.service = slow_writes;
    return t;
}

static void mixed_lines_add_up(void **state)
{
    (void)state;
    struct trial *t = mixed();
    t->cell.ramp_ns = 1500 * MS;
    t->cell.duration_ns = 20 * S;
    run(t);
    assert_exact(t);
    assert_true(t->result.dir[DIR_READ].asked && t->result.dir[DIR_WRITE].asked);
    assert_int_equal(t->result.n_lines, 6);
    assert_int_equal(t->keeper->n_rows, 22);
    assert_true(t->keeper->rows[0].t_ns == -(int64_t)(1500 * MS));
    assert_true(t->keeper->rows[0].length_ns == 500 * MS);
    assert_true(t->keeper->rows[1].t_ns == -(int64_t)S);
    assert_true(t->keeper->rows[0].dir[DIR_READ].ios > 0);
    assert_int_equal(t->keeper->rows[1].n_batches, 0);
    assert_int_equal(t->keeper->rows[2].n_batches, 3);
    trial_free(t);
}

/* n = X * R at every depth: the response time covers all of the I/O (statistics.md §7). */
static void littles_law_holds_at_every_depth(void **state)
{
    (void)state;
    static const uint32_t depths[] = { 1, 2, 4, 8, 32, 128, 1024 };
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        struct trial *t = trial_new();
        t->cell.queue_depth = depths[i];
        t->cell.duration_ns = 60 * MS;
        t->world.constant = 400 * 1000;
        t->world.jitter = 300 * 1000;
        run(t);
        assert_exact(t);
        double seconds = (double)t->result.measured_ns / 1e9;
        double l = (double)t->result.dir[DIR_READ].lat.sum / 1e9 / seconds;
        assert_close(l / depths[i], 1, 0.03);
        assert_close(t->result.achieved_depth, depths[i], 1e-12);
        trial_free(t);
    }
}

/* A worker that needs 250 us between reap and call keeps its I/O in flight four fifths of the time only. */
static void a_slow_worker_shows_in_busy_share_and_depth(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.queue_depth = 1;
    t->world.overhead = 250 * 1000;
    run(t);
    assert_exact(t);
    assert_close(t->result.worker_busy, 0.2, 1e-3);
    assert_close(t->result.achieved_depth, 0.8, 1e-3);
    double l = (double)t->result.dir[DIR_READ].lat.sum / (double)t->result.measured_ns;
    assert_close(l, t->result.achieved_depth, 0.03);
    trial_free(t);
}

static void workers_are_summed_and_rows_wait_for_the_last(void **state)
{
    (void)state;
    struct trial *t = mixed();
    t->cell.workers = 4;
    t->cell.queue_depth = 8;
    t->cell.ramp_ns = S;
    t->cell.duration_ns = 5 * S;
    run(t);
    assert_exact(t);
    assert_int_equal(t->keeper->n_rows, 6);
    assert_close(t->result.achieved_depth, 32, 1e-12);
    assert_int_equal(t->result.in_flight_at_end, 32);
    trial_free(t);
}

static void several_targets_get_the_depth_each(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->job.n_targets = 3;
    run(t);
    assert_exact(t);
    assert_close(t->result.achieved_depth, 12, 1e-12);
    uint64_t seen[3] = { 0 };
    for (size_t i = 0; i < t->world.log[0].n; i++)
        seen[t->world.log[0].at[i].target]++;
    assert_int_equal(seen[0], seen[1]);
    assert_int_equal(seen[0], seen[2]);
    assert_true(t->result.span_bytes == 3 << 20);
    trial_free(t);
}

/* Two hours, 10 ms an I/O, a stall of a minute in the middle: 7,200 rows, each a second, none missing. */
static void two_hours_are_7200_rows(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.queue_depth = 1;
    t->cell.duration_ns = 7200 * S;
    t->cell.ramp_ns = 10 * S;
    t->world.constant = 10 * MS;
    t->world.jitter = 1000;
    t->world.stall_at = FAKE_START + 3000 * S;
    t->world.stall_ns = 61 * S;
    run(t);
    assert_exact(t);
    assert_int_equal(t->keeper->n_rows, 7210);
    uint64_t empty = 0;
    for (size_t i = 10; i < t->keeper->n_rows; i++) {
        assert_true(t->keeper->rows[i].t_ns == (int64_t)((i - 10) * S));
        assert_true(t->keeper->rows[i].length_ns == S);
        empty += t->keeper->rows[i].dir[DIR_READ].ios == 0;
    }
    assert_int_equal(empty, 61);
    assert_null(keeper_event(t->keeper, "io-error"));
    trial_free(t);
}

static void a_broken_last_second_is_as_long_as_it_is(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.duration_ns = 2300 * MS;
    run(t);
    assert_exact(t);
    assert_int_equal(t->keeper->n_rows, 3);
    assert_true(t->keeper->rows[2].length_ns == 300 * MS);
    assert_true(t->result.measured_ns == 2300 * MS);
    trial_free(t);
}

static void assert_stopped_at(const struct trial *t, uint64_t at)
{
    uint64_t measured = t->result.measured_ns;
    assert_exact(t);
    assert_int_equal(t->result.status, CELL_INTERRUPTED);
    assert_string_equal(t->result.reason, "stopped by the user");
    if (at + TIMELINE_LOOK_NS + 5 * MS < S)
        assert_true(measured == 0 && isnan(t->result.achieved_depth));
    else
        assert_true(measured < 3 * S && measured + S >= at &&
                    measured + S < at + TIMELINE_LOOK_NS + 5 * MS);
}

/* Several made-up devices have a clock each and see the stop at a time of their own, so only one can be exact. */
static void stopped_at_any_point_nothing_measured_is_lost(void **state)
{
    (void)state;
    static const uint64_t at[] = { 1,         400 * MS,  1000 * MS, 1000 * MS + 1,
                                   1700 * MS, 2000 * MS, 3900 * MS };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (uint32_t workers = 1; workers <= 3; workers += 2) {
            struct trial *t = mixed();
            t->cell.workers = workers;
            t->cell.ramp_ns = S;
            t->world.stop = &t->stop;
            t->world.stop_at = FAKE_START + at[i];
            run(t);
            assert_whole(t->keeper, &t->result);
            if (workers == 1)
                assert_stopped_at(t, at[i]);
            trial_free(t);
        }
}

static void stopped_too_late_the_cell_is_done(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->world.stop = &t->stop;
    t->world.stop_at = FAKE_START + 3 * S;
    run(t);
    assert_exact(t);
    assert_int_equal(t->result.status, CELL_DONE);
    assert_true(t->result.measured_ns == 3 * S);
    trial_free(t);
}

static void stopped_before_the_start_nothing_is_issued(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->stop = 1;
    run(t);
    assert_int_equal(t->result.status, CELL_INTERRUPTED);
    assert_true(t->result.measured_ns == 0);
    assert_int_equal(t->world.log[0].n, 0);
    assert_int_equal(t->keeper->n_rows, 0);
    trial_free(t);
}

static void until_a_worker_waits(void *context)
{
    const struct trial *t = context;
    while (atomic_load(&t->engine->workers[0]->meter.full) == 0)
        sched_yield();
}

/* The sink stands still until every record is full and the worker waits: rows are late, but none is lost. */
static void a_sink_that_stands_still_loses_nothing(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.duration_ns = 300 * S;
    t->world.constant = 50 * MS;
    t->keeper->on_first_row = until_a_worker_waits;
    t->keeper->context = t;
    run(t);
    assert_exact(t);
    assert_int_equal(t->keeper->n_rows, 300);
    const struct kept_event *ev = keeper_event(t->keeper, "results-held-up");
    assert_non_null(ev);
    assert_true(ev->count >= 1 && ev->severity == EVENT_WARNING);
    trial_free(t);
}

static void a_failing_sink_ends_the_cell(void **state)
{
    (void)state;
    for (size_t at = 1; at <= 3; at++) {
        struct trial *t = mixed();
        t->cell.workers = 2;
        t->keeper->fail_at = at;
        assert_int_equal(trial_run(t), -1);
        assert_string_equal(t->error.what, "cannot keep the row");
        assert_int_equal(t->keeper->n_rows, at - 1);
        trial_free(t);
    }
}

static void a_driver_that_cannot_begin_is_an_error(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->cell.workers = 3;
    t->world.refuse_begin = true;
    assert_int_equal(trial_run(t), -1);
    assert_string_equal(t->error.what, "cannot begin: refused");
    trial_free(t);
}

static void a_driver_that_breaks_is_an_error(void **state)
{
    (void)state;
    struct trial *t = trial_new();
    t->world.fatal_at = 100;
    assert_int_equal(trial_run(t), -1);
    assert_string_equal(t->error.what, "cannot submit I/O: Input/output error");
    trial_free(t);
}

static void samples_come_from_the_window_and_the_slowest_are_right(void **state)
{
    (void)state;
    struct trial *t = mixed();
    t->cell.ramp_ns = S;
    run(t);
    size_t slow = 0, kept = 0;
    uint64_t slowest = 0;
    for (size_t i = 0; i < t->keeper->n_samples; i++) {
        const struct sample *x = &t->keeper->samples[i];
        assert_true(x->t_ns >= 0 && x->t_ns < (int64_t)(3 * S));
        assert_true(x->offset + x->size <= 1 << 20);
        if (!x->slow) {
            kept++;
            continue;
        }
        if (slow++)
            assert_true(x->lat_ns <= slowest);
        slowest = x->lat_ns;
    }
    uint64_t all = t->result.dir[DIR_READ].ios + t->result.dir[DIR_WRITE].ios;
    assert_int_equal(slow, SAMPLE_SLOWEST);
    assert_true(kept >= SAMPLE_KEEP / 4 && kept <= SAMPLE_KEEP && kept < all);
    uint64_t most = t->result.dir[DIR_READ].lat.max > t->result.dir[DIR_WRITE].lat.max
                        ? t->result.dir[DIR_READ].lat.max
                        : t->result.dir[DIR_WRITE].lat.max;
    assert_true(t->keeper->samples[kept].lat_ns == most);
    trial_free(t);
}

/* The same seed, the same I/Os, whatever the clock does. */
static void a_seed_repeats_exactly(void **state)
{
    (void)state;
    struct trial *a = mixed(), *b = mixed(), *c = mixed();
    b->world.service = NULL;
    b->world.constant = 5 * MS;
    c->cell.seed = 43;
    run(a);
    run(b);
    run(c);
    size_t n = b->world.log[0].n, differ = 0;
    assert_true(n > 1000 && n < a->world.log[0].n);
    for (size_t i = 0; i < 32; i++)
        differ += fake_nth(&a->world, i)->offset != fake_nth(&c->world, i)->offset;
    assert_true(differ > 16);
    struct pattern p;
    struct stream stream = { .next = pattern_stream_start(&b->engine->plan, 0, 0, 1) };
    pattern_init(&p, rng_worker_seed(42, 0), &b->engine->plan, &stream, 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t start;
        const struct way *w = pattern_next(&p, 0, &start);
        assert_true(fake_nth(&b->world, i)->offset == start);
        assert_true(fake_nth(&b->world, i)->size == w->size);
    }
    trial_free(a);
    trial_free(b);
    trial_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_service_gives_exact_numbers),
        cmocka_unit_test(in_flight_at_the_end_is_counted_and_aged),
        cmocka_unit_test(a_window_without_any_completion_has_zero_rows),
        cmocka_unit_test(an_io_of_80_seconds_is_counted),
        cmocka_unit_test(no_second_is_lost_in_a_stall),
        cmocka_unit_test(mixed_lines_add_up),
        cmocka_unit_test(littles_law_holds_at_every_depth),
        cmocka_unit_test(a_slow_worker_shows_in_busy_share_and_depth),
        cmocka_unit_test(workers_are_summed_and_rows_wait_for_the_last),
        cmocka_unit_test(several_targets_get_the_depth_each),
        cmocka_unit_test(two_hours_are_7200_rows),
        cmocka_unit_test(a_broken_last_second_is_as_long_as_it_is),
        cmocka_unit_test(stopped_at_any_point_nothing_measured_is_lost),
        cmocka_unit_test(stopped_too_late_the_cell_is_done),
        cmocka_unit_test(stopped_before_the_start_nothing_is_issued),
        cmocka_unit_test(a_sink_that_stands_still_loses_nothing),
        cmocka_unit_test(a_failing_sink_ends_the_cell),
        cmocka_unit_test(a_driver_that_cannot_begin_is_an_error),
        cmocka_unit_test(a_driver_that_breaks_is_an_error),
        cmocka_unit_test(samples_come_from_the_window_and_the_slowest_are_right),
        cmocka_unit_test(a_seed_repeats_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
