/* What the machine did against what was asked: the limits, each from both sides, on made-up counters of a made-up disk. */
#include "../target/fake_tree.h"
#include "runner/observe.h"

enum { MIB = 1 << 20 };

struct seen_events {
    struct sink sink;
    char codes[16][32];
    enum severity severity[16];
    size_t n;
};

static int keep(void *self, const struct event *ev, struct error *e)
{
    (void)e;
    struct seen_events *k = self;
    assert_true(k->n < 16 && ev->what && ev->text);
    snprintf(k->codes[k->n], sizeof k->codes[0], "%s", ev->code);
    k->severity[k->n++] = ev->severity;
    return 0;
}

/* One cell of 100 MiB asked in each direction, for which the disk moved this much. */
struct trial {
    uint64_t asked_read, asked_written, moved_read, moved_written, errors;
    enum target_kind kind;
    const char *disk, *filesystem;
    uint64_t dirtied; /* by the machine meanwhile */
    uint32_t workers;
    struct cell_result result;
    struct seen_events events;
};

static void set_counters(uint64_t read, uint64_t written)
{
    char text[256];
    snprintf(text, sizeof text, " 1 0 %llu 5 1 0 %llu 5 0 1 1 0 0 0 0 0 0\n",
             (unsigned long long)read / 512, (unsigned long long)written / 512);
    tree_attribute("sdz", "stat", text);
}

static void give(struct trial *t)
{
    static const struct sink_ops ops = { .event = keep };
    struct error e = { 0 };
    t->events.sink = (struct sink) { &ops, &t->events, 0 };
    assert_int_equal(sink_run_begin(&t->events.sink, &(struct run_record) { 0 }, &e), 0);
    assert_int_equal(sink_cell_begin(&t->events.sink, &(struct cell_begin) { 0 }, &e), 0);
    const struct fact fact = { .key = "Filesystem", .value = t->filesystem };
    const struct runner_target target = { .info = { .name = "X",
                                                    .kind = t->kind,
                                                    .sysfs = t->disk ? t->disk : "sdz",
                                                    .facts = &fact,
                                                    .n_facts = t->filesystem != NULL } };
    const struct opened_target opened = { .name = "X" };
    const struct access_line line = { .share_bp = 10000, .size = 4096 };
    const struct workload workload = { "w", "W", &line, 1 };
    const struct cell cell = { .queue_depth = 4, .workers = t->workers ? t->workers : 1 };
    struct observer o;
    set_counters(7 * MIB, 9 * MIB);
    observe_begin(&o, &(struct observed) { &target, &opened, &cell, &workload }, &t->events.sink);
    o.dirtied -= o.dirtied == UINT64_MAX ? 0 : t->dirtied;
    struct interval i = { .t_ns = 0, .length_ns = 1 };
    i.dir[DIR_READ] = (struct interval_direction) { .asked = true,
                                                    .bytes = t->asked_read,
                                                    .errors = t->errors };
    i.dir[DIR_WRITE] = (struct interval_direction) { .asked = true, .bytes = t->asked_written };
    assert_int_equal(sink_interval(&o.sink, &i, &e), 0);
    set_counters(7 * MIB + t->moved_read, 9 * MIB + t->moved_written);
    assert_int_equal(observe_end(&o, &t->result, &e), 0);
}

static bool told(const struct trial *t, const char *code, enum severity s)
{
    for (size_t i = 0; i < t->events.n; i++)
        if (strcmp(t->events.codes[i], code) == 0 && t->events.severity[i] == s)
            return true;
    return false;
}

static void all_is_well(void **state)
{
    (void)state;
    struct trial t = { .asked_read = 100 * MIB,
                       .moved_read = 100 * MIB,
                       .moved_written = MIB,
                       .result = { .direct = true } };
    give(&t);
    assert_int_equal(t.events.n, 0);
    assert_true(t.result.seen.device && t.result.seen.threads);
    assert_int_equal(t.result.seen.device_read_bytes, 100 * MIB);
    assert_int_equal(t.result.seen.device_written_bytes, MIB);
    assert_true(t.result.direct);
}

static void reads_answered_above_the_device(void **state)
{
    (void)state;
    struct trial t = { .asked_read = 100 * MIB,
                       .moved_read = 97 * MIB,
                       .result = { .direct = true } };
    give(&t);
    assert_int_equal(t.events.n, 1);
    assert_true(told(&t, "not-from-device", EVENT_WARNING));
    struct trial just = { .asked_read = 100 * MIB,
                          .moved_read = 98 * MIB,
                          .result = { .direct = true } };
    give(&just);
    assert_int_equal(just.events.n, 0);
}

static void writes_kept_above_the_device(void **state)
{
    (void)state;
    struct trial t = { .asked_written = 100 * MIB,
                       .moved_written = 50 * MIB,
                       .result = { .direct = true } };
    give(&t);
    assert_true(told(&t, "not-to-device", EVENT_WARNING));
}

static void somebody_else(void **state)
{
    (void)state;
    struct trial t = { .asked_read = 100 * MIB,
                       .moved_read = 105 * MIB,
                       .result = { .direct = true } };
    give(&t);
    assert_int_equal(t.events.n, 1);
    assert_true(told(&t, "background-io", EVENT_NOTE));
    /* a journal: no write was asked, and yet it is little beside the reads */
    struct trial journal = { .asked_read = 200 * MIB,
                             .moved_read = 200 * MIB,
                             .moved_written = 5 * MIB,
                             .result = { .direct = true } };
    give(&journal);
    assert_int_equal(journal.events.n, 0);
    journal.moved_written = 6 * MIB;
    give(&journal);
    assert_true(told(&journal, "background-io", EVENT_NOTE));
    struct trial loud = { .asked_read = 100 * MIB,
                          .moved_read = 100 * MIB,
                          .moved_written = 20 * MIB,
                          .result = { .direct = true } };
    give(&loud);
    assert_true(told(&loud, "background-io", EVENT_WARNING));
}

/* A compiler that runs beside a cell dirties as much as a slow disk writes: only where a filesystem is known to do it. */
static void page_cache_made_dirty(void **state)
{
    (void)state;
    static const struct {
        const char *filesystem;
        bool told;
    } of[] = { { "ext4", false }, { "xfs", false }, { "btrfs", true } };
    for (size_t i = 0; i < 3; i++) {
        struct trial t = { .asked_written = 100 * MIB,
                           .moved_written = 100 * MIB,
                           .dirtied = 200 * MIB,
                           .filesystem = of[i].filesystem,
                           .result = { .direct = true } };
        give(&t);
        assert_int_equal(told(&t, "direct-not-honoured", EVENT_WARNING), of[i].told);
        assert_int_equal(t.result.direct, !of[i].told);
    }
}

/* I/Os that were in flight at the end were moved but are in no interval. */
static void the_drained_are_allowed(void **state)
{
    (void)state;
    struct trial t = { .asked_read = 4 * MIB,
                       .moved_read = 6 * MIB,
                       .result = { .direct = true, .in_flight_at_end = 256 } };
    give(&t);
    assert_int_equal(t.events.n, 0);
    t = (struct trial) { .asked_read = 4 * MIB,
                         .moved_read = 6 * MIB,
                         .result = { .direct = true } };
    give(&t);
    assert_int_equal(t.events.n, 1);
}

static void nothing_to_judge(void **state)
{
    (void)state;
    struct trial buffered = { .asked_read = 100 * MIB, .result = { .direct = false } };
    give(&buffered);
    assert_int_equal(buffered.events.n, 0);
    assert_true(buffered.result.seen.device);
    struct trial broken = { .asked_read = 100 * MIB, .errors = 1, .result = { .direct = true } };
    give(&broken);
    assert_int_equal(broken.events.n, 0);
    struct trial unknown = { .asked_read = 100 * MIB,
                             .disk = "gone",
                             .result = { .direct = true } };
    give(&unknown);
    assert_int_equal(unknown.events.n, 0);
    assert_false(unknown.result.seen.device);
    struct trial tiny = { .asked_read = MIB - 1, .result = { .direct = true } };
    give(&tiny);
    assert_int_equal(tiny.events.n, 0);
}

static void the_worker_was_the_limit(void **state)
{
    (void)state;
    const struct cell_result busy = { .measured_ns = 1000000000,
                                      .cpu_user_ns = 300000000,
                                      .cpu_system_ns = 660000000 };
    struct trial t = { .result = busy };
    give(&t);
    assert_true(told(&t, "worker-limit", EVENT_WARNING));
    struct trial two = { .result = busy, .workers = 2 };
    give(&two);
    assert_int_equal(two.events.n, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 0 : 1);
    struct trial memory = { .result = busy, .kind = TARGET_MEMORY };
    give(&memory);
    assert_true(told(&memory, "worker-limit", EVENT_NOTE));
    struct trial idle = { .result = busy };
    idle.result.cpu_system_ns = 640000000;
    give(&idle);
    assert_int_equal(idle.events.n, 0);
}

static int begin(void **state)
{
    if (tree_start(state))
        return -1;
    tree_disk("sdz", "65:144");
    return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, tree_stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(all_is_well),      T(reads_answered_above_the_device), T(writes_kept_above_the_device),
        T(somebody_else),    T(page_cache_made_dirty),           T(the_drained_are_allowed),
        T(nothing_to_judge), T(the_worker_was_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
