/* What went in comes out, exactly: the sum of the intervals is the result, and the views say the same as the records. */
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/oom.h"
#include "help.h"

static const uint32_t depths[] = { 1, 8 };
static const struct made_options options = { .n_targets = 2,
                                             .n_workloads = 4,
                                             .queue_depths = depths,
                                             .n_queue_depths = 2,
                                             .repeat = 2,
                                             .errors = true,
                                             .steady = true };

/* What the sink was given for every cell. */
struct given {
    struct cell cell;
    struct cell_result result;
    struct hist *hist[DIR_COUNT];
    size_t n_intervals, n_samples, n_lines;
};
struct recorder {
    ARRAY(struct given) cells;
};

static int on_begin(void *self, const struct cell_begin *c, struct error *e)
{
    (void)e;
    struct given *g = array_push(&((struct recorder *)self)->cells);
    g->cell = *c->cell;
    return 0;
}

static struct given *last(void *self)
{
    struct recorder *r = self;
    return &r->cells.at[r->cells.n - 1];
}

static int on_interval(void *self, const struct interval *i, struct error *e)
{
    (void)e;
    last(self)->n_intervals += i->t_ns >= 0;
    return 0;
}

static int on_samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    (void)at;
    (void)e;
    last(self)->n_samples += n;
    return 0;
}

static int on_end(void *self, const struct cell_result *r, struct error *e)
{
    (void)e;
    struct given *g = last(self);
    g->result = *r;
    g->n_lines = r->n_lines;
    for (int d = 0; d < DIR_COUNT; d++)
        if (r->dir[d].hist) {
            g->hist[d] = xmalloc(sizeof *g->hist[d]);
            *g->hist[d] = *r->dir[d].hist;
        }
    return 0;
}

struct state {
    struct arena *arena;
    struct recorder recorder;
    struct store *store;
    int64_t run;
    struct cell_row *cells;
    size_t n_cells;
};

static int setup(void **state)
{
    static const struct sink_ops ops = {
        .cell_begin = on_begin, .interval = on_interval, .samples = on_samples, .cell_end = on_end
    };
    struct state *x = xcalloc(1, sizeof *x);
    struct error e;
    x->arena = arena_new();
    struct sink record = { .ops = &ops, .self = &x->recorder };
    must(made_run(&options, &record, &e), &e);
    x->store = open_store(make_store("exact", &options), STORE_READ);
    struct run_row run;
    must(store_find_run(x->store, x->arena, "latest", &run, &e), &e);
    x->run = run.id;
    must(store_cells(x->store, x->arena, x->run, &x->cells, &x->n_cells, &e), &e);
    *state = x;
    return 0;
}

static int teardown(void **state)
{
    struct state *x = *state;
    for (size_t i = 0; i < x->recorder.cells.n; i++)
        for (int d = 0; d < DIR_COUNT; d++)
            free(x->recorder.cells.at[i].hist[d]);
    array_free(&x->recorder.cells);
    store_close(x->store);
    arena_free(x->arena);
    free(x);
    return 0;
}

static void assert_moments(const struct moments *got, const struct moments *want)
{
    assert_int_equal(got->n, want->n);
    assert_int_equal(got->sum, want->sum);
    assert_true(got->sum_sq == want->sum_sq);
    if (want->n) {
        assert_int_equal(got->min, want->min);
        assert_int_equal(got->max, want->max);
    }
}

static void assert_hist(const struct hist *got, const struct hist *want)
{
    assert_moments(&got->m, &want->m);
    assert_int_equal(got->overflow, want->overflow);
    assert_memory_equal(got->count, want->count, sizeof got->count);
}

static void assert_cell(const struct cell *got, const struct cell *want)
{
    assert_int_equal(got->no, want->no);
    assert_int_equal(got->point, want->point);
    assert_int_equal(got->target, want->target);
    assert_int_equal(got->workload, want->workload);
    assert_int_equal(got->queue_depth, want->queue_depth);
    assert_int_equal(got->workers, want->workers);
    assert_int_equal(got->rep, want->rep);
    assert_int_equal(got->round, want->round);
    assert_int_equal(got->duration_ns, want->duration_ns);
    assert_int_equal(got->ramp_ns, want->ramp_ns);
    assert_int_equal(got->interval_ns, want->interval_ns);
    assert_int_equal(got->span_bytes, want->span_bytes);
    assert_int_equal(got->fill.kind, want->fill.kind);
    assert_int_equal(got->rate.kind, want->rate.kind);
    assert_int_equal(got->direct, want->direct);
    assert_true(got->seed == want->seed);
}

static void cells_come_back(void **state)
{
    struct state *x = *state;
    assert_int_equal(x->n_cells, 2 * 4 * 2 * 2);
    assert_int_equal(x->recorder.cells.n, x->n_cells);
    for (size_t i = 0; i < x->n_cells; i++) {
        const struct cell_row *c = &x->cells[i];
        const struct given *g = &x->recorder.cells.at[i];
        assert_cell(&c->cell, &g->cell);
        assert_string_equal(c->status, "done");
        assert_null(c->reason);
        assert_int_equal(c->attempt, 1);
        assert_int_equal(c->engine, USED_IO_URING);
        assert_true(c->direct);
        assert_int_equal(c->measured_ns, g->result.measured_ns);
        assert_int_equal(c->finished_ns, g->result.finished_ns);
        assert_int_equal(c->cpu_user_ns, g->result.cpu_user_ns);
        assert_int_equal(c->cpu_system_ns, g->result.cpu_system_ns);
        assert_int_equal(c->context_switches, g->result.context_switches);
        assert_close(c->achieved_depth, g->result.achieved_depth, 0);
        assert_close(c->worker_busy, g->result.worker_busy, 0);
        assert_int_equal(c->in_flight_at_end, g->result.in_flight_at_end);
        assert_int_equal(c->oldest_in_flight_ns, g->result.oldest_in_flight_ns);
        assert_int_equal(c->span_bytes, g->result.span_bytes);
        assert_int_equal(c->covered_bytes, g->result.covered_bytes);
        assert_int_equal(c->steady, 1);
        assert_true(c->seen.device && c->seen.threads);
        assert_int_equal(c->seen.device_read_bytes, g->result.seen.device_read_bytes);
        assert_int_equal(c->seen.device_written_bytes, g->result.seen.device_written_bytes);
        assert_int_equal(c->seen.kernel_workers, g->result.seen.kernel_workers);
    }
}

struct sum {
    struct interval_direction dir[DIR_COUNT], batch[DIR_COUNT];
    struct hist hist[DIR_COUNT];
    size_t n, n_ramp;
    int64_t last_t;
    uint64_t batch_ns;
};

static int add_interval(void *ctx, const struct interval *i, struct error *e)
{
    (void)e;
    struct sum *s = ctx;
    assert_true(s->n + s->n_ramp == 0 || i->t_ns > s->last_t);
    s->last_t = i->t_ns;
    if (i->t_ns < 0) {
        s->n_ramp++;
        return 0;
    }
    s->n++;
    for (int d = 0; d < DIR_COUNT; d++) {
        const struct interval_direction *x = &i->dir[d];
        s->dir[d].ios += x->ios;
        s->dir[d].bytes += x->bytes;
        s->dir[d].errors += x->errors;
        moments_merge(&s->dir[d].lat, &x->lat);
        assert_int_equal(x->hist != NULL, x->asked);
        if (x->hist)
            hist_merge(&s->hist[d], x->hist);
        for (size_t b = 0; b < i->n_batches; b++) {
            s->batch[d].ios += i->batches[b].dir[d].ios;
            s->batch[d].bytes += i->batches[b].dir[d].bytes;
            s->batch[d].lat.sum += i->batches[b].dir[d].lat_sum_ns;
        }
    }
    for (size_t b = 0; b < i->n_batches; b++)
        s->batch_ns += i->batches[b].length_ns;
    return 0;
}

static void sum_of_the_intervals_is_the_result(void **state)
{
    struct state *x = *state;
    struct error e;
    struct sum *s = xmalloc(sizeof *s);
    for (size_t i = 0; i < x->n_cells; i++) {
        *s = (struct sum) { 0 };
        for (int d = 0; d < DIR_COUNT; d++) {
            s->dir[d].lat = moments_zero();
            hist_clear(&s->hist[d]);
        }
        must(store_intervals(x->store, x->cells[i].id, true, add_interval, s, &e), &e);
        const struct given *g = &x->recorder.cells.at[i];
        assert_int_equal(s->n, g->n_intervals);
        assert_int_equal(s->n_ramp, 1);
        assert_int_equal(s->batch_ns, g->result.measured_ns);
        for (int d = 0; d < DIR_COUNT; d++) {
            const struct direction_result *want = &g->result.dir[d];
            assert_int_equal(s->dir[d].ios, want->ios);
            assert_int_equal(s->dir[d].bytes, want->bytes);
            assert_int_equal(s->dir[d].errors, want->errors);
            assert_int_equal(s->batch[d].ios, want->ios);
            assert_int_equal(s->batch[d].bytes, want->bytes);
            assert_int_equal(s->batch[d].lat.sum, want->lat.sum);
            assert_moments(&s->dir[d].lat, &want->lat);
            if (g->hist[d])
                assert_memory_equal(s->hist[d].count, g->hist[d]->count, sizeof s->hist[d].count);
        }
    }
    free(s);
}

static void histograms_come_back(void **state)
{
    struct state *x = *state;
    struct error e;
    for (size_t i = 0; i < x->n_cells; i++) {
        const struct given *g = &x->recorder.cells.at[i];
        struct hist *got, *all = arena_one(x->arena, struct hist);
        hist_clear(all);
        for (int d = 0; d < DIR_COUNT; d++) {
            must(store_hist(x->store, x->arena, x->cells[i].id, (enum direction)d, &got, &e), &e);
            assert_int_equal(got != NULL, g->hist[d] != NULL);
            if (!got)
                continue;
            assert_hist(got, g->hist[d]);
            hist_merge(all, got);
        }
        must(store_hist(x->store, x->arena, x->cells[i].id, DIR_ALL, &got, &e), &e);
        assert_hist(got, all);
    }
}

static double p(const struct hist *h, uint64_t num, uint64_t den)
{
    return hist_percentile_or_nan(h, (struct fraction) { num, den });
}

static void assert_same(double got, double want)
{
    if (isnan(want))
        assert_nan(got);
    else
        assert_close(got, want, 1e-15);
}

static void check_row(const struct result_row *r, const struct hist *h, uint64_t bytes,
                      double seconds)
{
    assert_int_equal(r->ios, h->m.n);
    assert_int_equal(r->bytes, bytes);
    assert_close(r->seconds, seconds, 0);
    assert_close(r->iops, (double)r->ios / seconds, 1e-15);
    assert_close(r->mb_s, (double)bytes / 1e6 / seconds, 1e-15);
    assert_close(r->lat_mean_ns, moments_mean(&h->m), 1e-15);
    assert_close(r->lat_stddev_ns, moments_deviation(&h->m), 0);
    assert_close(r->lat_min_ns, (double)h->m.min, 0);
    assert_same(r->lat_p50_ns, p(h, 1, 2));
    assert_same(r->lat_p90_ns, p(h, 9, 10));
    assert_same(r->lat_p95_ns, p(h, 95, 100));
    assert_same(r->lat_p99_ns, p(h, 99, 100));
    assert_same(r->lat_p999_ns, p(h, 999, 1000));
    assert_same(r->lat_p9999_ns, p(h, 9999, 10000));
}

/* Rows come by cell, then direction; 'all' is the sum of the others. */
static void results_say_what_the_records_say(void **state)
{
    struct state *x = *state;
    struct error e;
    struct result_row *rows;
    size_t n, at = 0;
    must(store_results(x->store, x->arena, x->run, &rows, &n, &e), &e);
    struct hist *all = arena_one(x->arena, struct hist);
    for (size_t i = 0; i < x->n_cells; i++) {
        const struct given *g = &x->recorder.cells.at[i];
        double seconds = (double)g->result.measured_ns / 1e9;
        uint64_t bytes = 0, errors = 0;
        double max = 0;
        hist_clear(all);
        for (int d = 0; d < DIR_COUNT; d++) {
            const struct direction_result *want = &g->result.dir[d];
            if (!want->ios)
                continue;
            const struct result_row *r = &rows[at++];
            assert_int_equal(r->cell, x->cells[i].id);
            assert_int_equal(r->direction, d);
            check_row(r, g->hist[d], want->bytes, seconds);
            assert_close(r->lat_max_ns, (double)want->lat_max_ns, 0);
            assert_int_equal(r->errors, want->errors);
            hist_merge(all, g->hist[d]);
            bytes += want->bytes;
            errors += want->errors;
            max = fmax(max, r->lat_max_ns);
        }
        const struct result_row *r = &rows[at++];
        assert_int_equal(r->cell, x->cells[i].id);
        assert_int_equal(r->direction, DIR_ALL);
        check_row(r, all, bytes, seconds);
        assert_close(r->lat_max_ns, max, 0);
        assert_int_equal(r->errors, errors);
    }
    assert_int_equal(at, n);
}

static void results_say_what_was_asked(void **state)
{
    struct state *x = *state;
    struct error e;
    struct result_row *rows;
    size_t n;
    must(store_results(x->store, x->arena, x->run, &rows, &n, &e), &e);
    const struct result_row *r = &rows[0];
    assert_int_equal(r->run, x->run);
    assert_string_equal(r->run_name, "made");
    assert_string_equal(r->target, "Alpha SSD");
    assert_string_equal(r->workload, "heavy-read");
    assert_string_equal(r->fill, "random");
    assert_string_equal(r->engine, "io_uring");
    assert_string_equal(r->status, "done");
    assert_string_equal(r->source, "qdepth 0.0-made");
    assert_int_equal(r->queue_depth, 1);
    assert_int_equal(r->workers, 1);
    assert_int_equal(r->rep, 1);
    assert_int_equal(r->round, 0);
    assert_close(r->size, 36864, 0);
    assert_close(r->read_pct, 90, 0);
    assert_close(r->random_pct, 100, 0);
    assert_nan(r->rate_iops);
    assert_int_equal(r->span_bytes, 256 << 20);
    assert_true(r->direct);
    assert_int_equal(r->steady, 1);
    assert_close(r->achieved_depth, 1, 0);
    assert_close(r->cpu_user_s, (double)x->cells[0].cpu_user_ns / 1e9, 1e-15);
    assert_close(r->cpu_system_s, (double)x->cells[0].cpu_system_ns / 1e9, 1e-15);
}

static void series_is_of_batches_in_short_cells(void **state)
{
    struct state *x = *state;
    struct error e;
    for (size_t i = 0; i < x->n_cells; i++) {
        const struct given *g = &x->recorder.cells.at[i];
        struct series_row *one, *all;
        size_t n_one, n_all;
        double ios = 0, bytes = 0, lat = 0, seconds = 0, want_ios = 0;
        must(store_series(x->store, x->arena, x->cells[i].id, DIR_ALL, &all, &n_all, &e), &e);
        assert_int_equal(n_all, 64);
        for (size_t k = 0; k < n_all; k++) {
            ios += all[k].ios;
            bytes += all[k].bytes;
            lat += all[k].lat_sum_ns;
            seconds += all[k].seconds;
        }
        assert_close(seconds, (double)g->result.measured_ns / 1e9, 1e-12);
        for (int d = 0; d < DIR_COUNT; d++) {
            const struct direction_result *r = &g->result.dir[d];
            must(store_series(x->store, x->arena, x->cells[i].id, (enum direction)d, &one, &n_one,
                              &e),
                 &e);
            assert_int_equal(n_one, r->asked ? 64 : 0);
            double sum = 0;
            for (size_t k = 0; k < n_one; k++)
                sum += one[k].ios;
            assert_close(sum, (double)r->ios, 0);
            want_ios += sum;
            bytes -= (double)r->bytes;
            lat -= (double)r->lat.sum;
        }
        assert_close(ios, want_ios, 0);
        assert_close(bytes, 0, 0);
        assert_close(lat, 0, 0);
    }
}

static void lines_and_samples_come_back(void **state)
{
    struct state *x = *state;
    struct error e;
    for (size_t i = 0; i < x->n_cells; i++) {
        const struct given *g = &x->recorder.cells.at[i];
        struct line_result *lines;
        struct sample *samples;
        size_t n_lines, n_samples;
        must(store_line_results(x->store, x->arena, x->cells[i].id, &lines, &n_lines, &e), &e);
        assert_int_equal(n_lines, g->n_lines);
        uint64_t ios[DIR_COUNT] = { 0 };
        for (size_t k = 0; k < n_lines; k++) {
            assert_int_equal(lines[k].hist->m.n, lines[k].ios);
            ios[lines[k].direction] += lines[k].ios;
        }
        for (int d = 0; d < DIR_COUNT; d++)
            assert_int_equal(ios[d], g->result.dir[d].ios);
        must(store_samples(x->store, x->arena, x->cells[i].id, &samples, &n_samples, &e), &e);
        assert_int_equal(n_samples, g->n_samples);
        size_t n_slow = 0;
        for (size_t k = 0; k < n_samples; k++) {
            assert_true(k == 0 || samples[k].t_ns >= samples[k - 1].t_ns);
            assert_true(samples[k].lat_ns > 0);
            n_slow += samples[k].slow;
        }
        assert_int_equal(n_slow, 10);
    }
}

static void events_know_their_cell_and_target(void **state)
{
    struct state *x = *state;
    struct error e;
    struct event_row *ev;
    struct target_row *targets;
    size_t n, n_targets;
    must(store_targets(x->store, x->arena, x->run, &targets, &n_targets, &e), &e);
    must(store_events(x->store, x->arena, x->run, &ev, &n, &e), &e);
    assert_int_equal(
        n, 2 + 4); /* note, warning, and heavy-read of target 0: 2 depths, 2 repetitions */
    assert_int_equal(ev[0].cell, 0);
    assert_int_equal(ev[0].event.cell, -1);
    assert_int_equal(ev[0].event.target, -1);
    assert_int_equal(ev[1].target, targets[1].id);
    assert_int_equal(ev[1].event.target, 1);
    assert_int_equal(ev[1].event.severity, EVENT_WARNING);
    assert_int_equal(ev[2].cell, x->cells[0].id);
    assert_int_equal(ev[2].event.cell, 0);
    assert_string_equal(ev[2].event.code, "io-error");
    assert_int_equal(ev[2].event.sys, 5);
    assert_int_equal(ev[2].event.count, 3);
    assert_int_equal(ev[2].event.offset, 1048576);
}

static int stop_at_second(void *ctx, const struct interval *i, struct error *e)
{
    (void)i;
    size_t *n = ctx;
    if (++*n < 2)
        return 0;
    if (*n == 2)
        return 1;
    return error_set(e, QD_E_FAIL, "called again");
}

static int refuse(void *ctx, const struct interval *i, struct error *e)
{
    (void)ctx;
    (void)i;
    return error_set(e, QD_E_CANCELLED, "enough");
}

static void a_callback_may_stop_or_fail(void **state)
{
    struct state *x = *state;
    struct error e;
    size_t n = 0;
    must(store_intervals(x->store, x->cells[0].id, false, stop_at_second, &n, &e), &e);
    assert_int_equal(n, 2);
    fails_with(store_intervals(x->store, x->cells[0].id, false, refuse, NULL, &e), &e,
               QD_E_CANCELLED, "enough");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_come_back),
        cmocka_unit_test(sum_of_the_intervals_is_the_result),
        cmocka_unit_test(histograms_come_back),
        cmocka_unit_test(results_say_what_the_records_say),
        cmocka_unit_test(results_say_what_was_asked),
        cmocka_unit_test(series_is_of_batches_in_short_cells),
        cmocka_unit_test(lines_and_samples_come_back),
        cmocka_unit_test(events_know_their_cell_and_target),
        cmocka_unit_test(a_callback_may_stop_or_fail),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
