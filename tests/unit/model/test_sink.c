#include <string.h>

#include "model/sink.h"
#include "unit.h"

/* Writes one letter a call; fails where told. */
struct recorder {
    char log[64];
    size_t n;
    char fail_at;
};

static int note(void *self, char letter, struct error *e)
{
    struct recorder *r = self;
    r->log[r->n++] = letter;
    return letter == r->fail_at ? error_set(e, QD_E_FAIL, "told to") : 0;
}

static int run_begin(void *self, const struct run_record *r, struct error *e)
{
    (void)r;
    return note(self, 'R', e);
}

static int target(void *self, const struct target_record *t, struct error *e)
{
    (void)t;
    return note(self, 'T', e);
}

static int cell_begin(void *self, const struct cell_begin *c, struct error *e)
{
    (void)c;
    return note(self, 'C', e);
}

static int interval(void *self, const struct interval *i, struct error *e)
{
    (void)i;
    return note(self, 'i', e);
}

static int samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    (void)at, (void)n;
    return note(self, 's', e);
}

static int event(void *self, const struct event *ev, struct error *e)
{
    (void)ev;
    return note(self, 'e', e);
}

static int cell_end(void *self, const struct cell_result *r, struct error *e)
{
    (void)r;
    return note(self, 'c', e);
}

static int run_end(void *self, const struct run_end *r, struct error *e)
{
    (void)r;
    return note(self, 'r', e);
}

static const struct sink_ops recording = {
    .run_begin = run_begin,
    .target = target,
    .cell_begin = cell_begin,
    .interval = interval,
    .samples = samples,
    .event = event,
    .cell_end = cell_end,
    .run_end = run_end,
};

static const struct run_record a_run;
static const struct target_record a_target;
static const struct cell_begin a_cell;
static const struct interval an_interval;
static const struct event an_event;
static const struct cell_result a_result;
static const struct run_end an_end;

static void drive(struct sink *s, struct error *e)
{
    assert_int_equal(sink_run_begin(s, &a_run, e), 0);
    assert_int_equal(sink_event(s, &an_event, e), 0);
    assert_int_equal(sink_target(s, &a_target, e), 0);
    assert_int_equal(sink_target(s, &a_target, e), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sink_cell_begin(s, &a_cell, e), 0);
        assert_int_equal(sink_interval(s, &an_interval, e), 0);
        assert_int_equal(sink_samples(s, NULL, 0, e), 0);
        assert_int_equal(sink_interval(s, &an_interval, e), 0);
        assert_int_equal(sink_event(s, &an_event, e), 0);
        assert_int_equal(sink_cell_end(s, &a_result, e), 0);
    }
    assert_int_equal(sink_run_end(s, &an_end, e), 0);
}

static void calls_pass_in_order(void **state)
{
    (void)state;
    struct error e;
    struct recorder r = { 0 };
    struct sink s = { .ops = &recording, .self = &r };
    drive(&s, &e);
    assert_string_equal(r.log, "ReTTCisiecCisiecr");
    drive(&s, &e); /* a sink may take another run */
}

static void missing_operations_are_ignored(void **state)
{
    (void)state;
    struct error e;
    static const struct sink_ops nothing;
    struct sink s = { .ops = &nothing };
    drive(&s, &e);
}

static void tee_hands_to_both(void **state)
{
    (void)state;
    struct error e;
    struct recorder r1 = { 0 }, r2 = { 0 };
    struct sink s1 = { .ops = &recording, .self = &r1 }, s2 = { .ops = &recording, .self = &r2 };
    struct sink_tee tee = { &s1, &s2 };
    struct sink s = sink_tee(&tee);
    drive(&s, &e);
    assert_string_equal(r1.log, "ReTTCisiecCisiecr");
    assert_string_equal(r2.log, r1.log);
}

/* Whichever call of either sink fails, the failure arrives and the run can still be ended. */
static void a_failure_stops_there_and_the_run_can_end(void **state)
{
    (void)state;
    for (const char *at = "TCisec"; *at; at++)
        for (int second = 0; second < 2; second++) {
            struct error e;
            struct recorder r1 = { .fail_at = second ? 0 : *at };
            struct recorder r2 = { .fail_at = second ? *at : 0 };
            struct sink s1 = { .ops = &recording, .self = &r1 };
            struct sink s2 = { .ops = &recording, .self = &r2 };
            struct sink_tee tee = { &s1, &s2 };
            struct sink s = sink_tee(&tee);
            assert_int_equal(sink_run_begin(&s, &a_run, &e), 0);
            int rc = sink_target(&s, &a_target, &e);
            int begun = 0;
            if (!rc) {
                rc = sink_cell_begin(&s, &a_cell, &e);
                begun = !rc;
            }
            rc = rc ? rc : sink_interval(&s, &an_interval, &e);
            rc = rc ? rc : sink_samples(&s, NULL, 0, &e);
            rc = rc ? rc : sink_event(&s, &an_event, &e);
            if (begun && *at == 'c')
                rc = sink_cell_end(&s, &a_result, &e);
            else if (begun)
                assert_int_equal(sink_cell_end(&s, &a_result, &e), 0);
            assert_int_equal(rc, -1);
            assert_string_equal(e.what, "told to");
            assert_int_equal(sink_run_end(&s, &an_end, &e), 0);
            assert_int_equal(r1.log[r1.n - 1], 'r');
            assert_int_equal(r2.log[r2.n - 1], 'r');
            if (!second)
                assert_null(memchr(r2.log, *at, r2.n));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_pass_in_order),
        cmocka_unit_test(missing_operations_are_ignored),
        cmocka_unit_test(tee_hands_to_both),
        cmocka_unit_test(a_failure_stops_there_and_the_run_can_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
