/* What a device sheet says of a target, devices left out, and facts that come when a target was made. */
#include "help.h"

static const uint32_t depth[] = { 1 };
static const struct made_options tiny = { .n_workloads = 1,
                                          .queue_depths = depth,
                                          .n_queue_depths = 1 };

static const struct device_sheet full = {
    .price = 199.5,
    .currency = "EUR",
    .capacity_bytes = 128000000000,
    .endurance_bytes = 72000000000000,
    .rated_read_iops = 85000,
    .rated_write_iops = 90000,
    .rated_read_mb_s = 550,
    .rated_write_mb_s = 520,
    .rated_read_lat_ns = 80000,
    .rated_write_lat_ns = 25000,
    .members = "2 × SX 900",
    .sample_of = "Alpha SSD",
    .factor = "AMD A85X",
    .picture = "\x89PNG\r\n\x1a\n\0x",
    .picture_bytes = 10,
};

/* Three targets: everything, nothing said of it, no sheet. */
static int64_t put_sheets(struct store *s)
{
    static const struct device_sheet empty;
    static const struct left_out left_out[] = { { "Warp", "broke" }, { "Old", "no driver" } };
    const struct device_sheet *const sheets[] = { &full, &empty, NULL };
    struct arena *a = arena_new();
    struct sink *sink;
    struct error e;
    must(store_sink(s, NULL, &sink, &e), &e);
    const struct plan *p = made_plan(a, &tiny);
    struct run_record r = { .name = "a",
                            .started_ns = 1,
                            .plan = p,
                            .n_targets = 3,
                            .left_out = left_out,
                            .n_left_out = 2 };
    must(sink_run_begin(sink, &r, &e), &e);
    for (uint32_t i = 0; i < 3; i++) {
        struct target_record t = made_target(a, i);
        t.sheet = sheets[i];
        must(sink_target(sink, &t, &e), &e);
    }
    const struct fact late[] = { { "Mount options", "rw,noatime" } };
    must(sink_target_facts(sink, 1, late, 1, &e), &e);
    assert_int_equal(sink_target_facts(sink, 3, late, 1, &e), -1);
    arena_free(a);
    return store_sink_run(s);
}

static void what_the_sheet_says_comes_back(void **state)
{
    (void)state;
    const char *path = fresh("sheet");
    struct store *s = open_store(path, STORE_WRITE);
    int64_t run = put_sheets(s);
    store_close(s);
    s = open_store(path, STORE_READ);
    struct arena *a = arena_new();
    struct error e;
    struct target_row *t;
    size_t n;
    must(store_targets(s, a, run, &t, &n, &e), &e);
    assert_int_equal(n, 3);
    const struct device_sheet *d = t[0].record.sheet;
    assert_non_null(d);
    assert_close(d->price, 199.5, 0);
    assert_string_equal(d->currency, "EUR");
    assert_int_equal(d->capacity_bytes, full.capacity_bytes);
    assert_int_equal(d->endurance_bytes, full.endurance_bytes);
    assert_close(d->rated_read_iops, 85000, 0);
    assert_close(d->rated_write_iops, 90000, 0);
    assert_close(d->rated_read_mb_s, 550, 0);
    assert_close(d->rated_write_mb_s, 520, 0);
    assert_int_equal(d->rated_read_lat_ns, 80000);
    assert_int_equal(d->rated_write_lat_ns, 25000);
    assert_string_equal(d->members, full.members);
    assert_string_equal(d->sample_of, full.sample_of);
    assert_string_equal(d->factor, full.factor);
    assert_int_equal(d->picture_bytes, 10);
    assert_memory_equal(d->picture, full.picture, 10);
    d = t[1].record.sheet;
    assert_non_null(d);
    assert_close(d->price, 0, 0);
    assert_close(d->rated_read_iops, 0, 0);
    assert_null(d->currency);
    assert_null(d->picture);
    assert_null(t[2].record.sheet);
    arena_free(a);
    store_close(s);
}

static void left_out_and_late_facts_come_back(void **state)
{
    (void)state;
    const char *path = fresh("left-out");
    struct store *s = open_store(path, STORE_WRITE);
    int64_t run = put_sheets(s);
    struct arena *a = arena_new();
    struct error e;
    struct left_out *l;
    struct target_row *t;
    size_t n;
    must(store_left_out(s, a, run, &l, &n, &e), &e);
    assert_int_equal(n, 2);
    assert_string_equal(l[0].name, "Warp");
    assert_string_equal(l[0].reason, "broke");
    assert_string_equal(l[1].name, "Old");
    must(store_targets(s, a, run, &t, &n, &e), &e);
    assert_int_equal(t[1].record.n_facts, 4);
    assert_string_equal(t[1].record.facts[3].key, "Mount options");
    assert_string_equal(t[1].record.facts[3].value, "rw,noatime");
    assert_int_equal(t[0].record.n_facts, 3);
    arena_free(a);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_sheet_says_comes_back),
        cmocka_unit_test(left_out_and_late_facts_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
