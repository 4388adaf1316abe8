#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "unit.h"

static const int64_t moment = 1773480413500000000; /* 2026-03-14 09:26:53.5 UTC */

static void prints_utc_whatever_the_zone(void **state)
{
    (void)state;
    setenv("TZ", "Pacific/Auckland", 1);
    tzset();
    assert_string_equal(clock_iso(moment).s, "2026-03-14T09:26:53Z");
    assert_string_equal(clock_date(moment).s, "14 March 2026");
    assert_string_equal(clock_day(moment).s, "2026-03-14");
    assert_string_equal(clock_minute(moment).s, "14 March 2026, 09:26 UTC");
    unsetenv("TZ");
}

static void before_1970_rounds_down(void **state)
{
    (void)state;
    assert_string_equal(clock_iso(0).s, "1970-01-01T00:00:00Z");
    assert_string_equal(clock_iso(-1).s, "1969-12-31T23:59:59Z");
    assert_string_equal(clock_iso(-1000000000).s, "1969-12-31T23:59:59Z");
    assert_string_equal(clock_iso(951782400000000000).s, "2000-02-29T00:00:00Z");
}

static void clocks_move_forward(void **state)
{
    (void)state;
    uint64_t a = clock_mono_ns();
    clock_sleep_until(a + 2000000);
    assert_true(clock_mono_ns() >= a + 2000000);
    clock_sleep_until(a); /* already over */
    assert_true(clock_real_ns() > moment - 10 * 365 * 86400 * (int64_t)NS_PER_S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_utc_whatever_the_zone),
        cmocka_unit_test(before_1970_rounds_down),
        cmocka_unit_test(clocks_move_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
