/* The engine finds the answers of made-up devices, and a wrong one would be seen. */
#include "engine/selftest.h"
#include "unit.h"

static void all_answers_hold(void **state)
{
    (void)state;
    struct selftest_case cases[SELFTEST_CASES];
    struct error e = { 0 };
    assert_int_equal(engine_selftest(cases, &e), 0);
    for (size_t i = 0; i < SELFTEST_CASES; i++) {
        assert_true(cases[i].n > 0);
        for (size_t k = 0; k < cases[i].n; k++) {
            const struct selftest_answer *a = &cases[i].answer[k];
            if (!selftest_holds(a))
                fail_msg("%s: %s is %.17g, not %.17g", cases[i].name, a->what, a->measured,
                         a->expected);
        }
    }
}

static void a_wrong_answer_is_seen(void **state)
{
    (void)state;
    assert_true(selftest_holds(&(struct selftest_answer) { "x", 10000, 10000, 0 }));
    assert_false(selftest_holds(&(struct selftest_answer) { "x", 10000, 9999.9, 0 }));
    assert_true(selftest_holds(&(struct selftest_answer) { "x", 10000, 10099, 0.01 }));
    assert_false(selftest_holds(&(struct selftest_answer) { "x", 10000, 10101, 0.01 }));
    assert_false(selftest_holds(&(struct selftest_answer) { "x", 10000, ABSENT, 0.01 }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_answers_hold),
        cmocka_unit_test(a_wrong_answer_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
