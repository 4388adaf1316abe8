#include "model/record.h"
#include "unit.h"

static void directions(void **state)
{
    (void)state;
    for (int d = 0; d <= DIR_ALL; d++)
        assert_int_equal(direction_from_name(direction_name((enum direction)d)), d);
    assert_string_equal(direction_name(DIR_READ), "read");
    assert_string_equal(direction_name(DIR_ALL), "all");
    assert_int_equal(direction_from_name("reads"), -1);
    assert_int_equal(direction_from_name(""), -1);
}

static void fills(void **state)
{
    (void)state;
    for (int k = 0; k <= FILL_DUPLICATE; k++)
        assert_int_equal(fill_kind_from_name(fill_kind_name((enum fill_kind)k)), k);
    assert_string_equal(fill_kind_name(FILL_RANDOM), "random");
    assert_int_equal(fill_kind_from_name("noise"), -1);
}

static void the_rest(void **state)
{
    (void)state;
    assert_string_equal(sync_kind_name(SYNC_FSYNC), "fsync");
    assert_string_equal(distribution_name(DIST_ZONES), "zones");
    assert_string_equal(order_name(ORDER_AS_WRITTEN), "as-written");
    assert_string_equal(order_name(ORDER_RANDOM), "random");
    assert_string_equal(engine_choice_name(ENGINE_AUTO), "auto");
    assert_string_equal(engine_choice_name(ENGINE_SYNC), "sync");
    assert_string_equal(cell_status_name(CELL_PLANNED), "planned");
    assert_string_equal(cell_status_name(CELL_SKIPPED), "skipped");
    assert_string_equal(engine_used_name(USED_NONE), "");
    assert_string_equal(engine_used_name(USED_IO_URING), "io_uring");
    assert_string_equal(severity_name(EVENT_WARNING), "warning");
    assert_string_equal(target_kind_name(TARGET_BLOCK), "block device");
    assert_string_equal(target_kind_name(TARGET_IMPORTED), "imported");
}

static void workloads_are_weighted_by_share(void **state)
{
    (void)state;
    static const struct access_line lines[] = {
        { .share_bp = 7500, .size = 8192, .read_bp = 10000, .random_bp = 10000 },
        { .share_bp = 2500, .size = 65536, .read_bp = 6000, .random_bp = 0 },
        { .share_bp = 0, .size = 131072, .read_bp = 0 },
    };
    struct workload w = { .lines = lines, .n_lines = 3 };
    assert_close(workload_mean_size(&w), 22528, 1e-15);
    assert_close(workload_read_percent(&w), 90, 1e-15);
    assert_close(workload_random_percent(&w), 75, 1e-15);
    assert_int_equal(workload_max_size(&w), 131072);
    assert_true(workload_writes(&w));
    w.n_lines = 1;
    assert_false(workload_writes(&w));
    struct workload unused_write = { .lines = lines + 2, .n_lines = 1 };
    assert_false(workload_writes(&unused_write));
    struct workload none = { 0 };
    assert_nan(workload_mean_size(&none));
    assert_int_equal(workload_max_size(&none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions),
        cmocka_unit_test(fills),
        cmocka_unit_test(the_rest),
        cmocka_unit_test(workloads_are_weighted_by_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
