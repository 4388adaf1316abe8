#include "matrix_test.h"

#include <stdlib.h>

#include "base/rng.h"
#include "matrix/order.h"

/* In which order cells run, and the seeds they run with. */

#define MATRIX(attributes)                                                                         \
    "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\" " attributes                                 \
    "><defaults repeat=\"2\"/>" WORK_4K "<sweep><queue-depth>1 8</queue-depth></sweep>" FOOT

struct place {
    uint32_t target, point, rep;
};

static void holds(const struct plan *p, const struct place *want, uint32_t n)
{
    assert_int_equal(p->n_cells, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(p->cells[i].no, i);
        assert_int_equal(p->cells[i].target, want[i].target);
        assert_int_equal(p->cells[i].point, want[i].point);
        assert_int_equal(p->cells[i].rep, want[i].rep);
    }
}

static const struct plan_options two_targets = { .n_targets = 2 };

static void as_written(void **state)
{
    static const struct place want[] = { { 0, 0, 1 }, { 0, 0, 2 }, { 0, 1, 1 }, { 0, 1, 2 },
                                         { 1, 0, 1 }, { 1, 0, 2 }, { 1, 1, 1 }, { 1, 1, 2 } };
    struct plan p = must_expand(*state, MATRIX(""), &two_targets);
    assert_int_equal(p.order, ORDER_AS_WRITTEN);
    holds(&p, want, 8);
    p = must_expand(*state, MATRIX("order=\"as-written\""), &two_targets);
    holds(&p, want, 8);
}

static void interleaved(void **state)
{
    static const struct place want[] = { { 0, 0, 1 }, { 1, 0, 1 }, { 0, 0, 2 }, { 1, 0, 2 },
                                         { 0, 1, 1 }, { 1, 1, 1 }, { 0, 1, 2 }, { 1, 1, 2 } };
    struct plan p = must_expand(*state, MATRIX("order=\"interleaved\""), &two_targets);
    assert_int_equal(p.order, ORDER_INTERLEAVED);
    holds(&p, want, 8);
}

static int by_place(const void *a, const void *b)
{
    const struct cell *x = a;
    const struct cell *y = b;
    uint32_t i = (x->target * 2 + x->point) * 3 + x->rep;
    uint32_t j = (y->target * 2 + y->point) * 3 + y->rep;
    return i < j ? -1 : i > j;
}

/* Every cell once, the same order for the same seed, another for another. */
static void random_order(void **state)
{
    struct plan p = must_expand(*state, MATRIX("order=\"random\" seed=\"7\""), &two_targets);
    struct plan again = must_expand(*state, MATRIX("order=\"random\" seed=\"7\""), &two_targets);
    struct plan other = must_expand(*state, MATRIX("order=\"random\" seed=\"8\""), &two_targets);
    struct plan written = must_expand(*state, MATRIX(""), &two_targets);
    assert_int_equal(p.order, ORDER_RANDOM);
    assert_int_equal(p.seed, 7);

    bool as_other = true;
    bool as_written = true;
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(p.cells[i].no, i);
        assert_int_equal(by_place(&p.cells[i], &again.cells[i]), 0);
        as_other &= !by_place(&p.cells[i], &other.cells[i]);
        as_written &= !by_place(&p.cells[i], &written.cells[i]);
    }
    assert_false(as_other);
    assert_false(as_written);

    struct cell sorted[8];
    memcpy(sorted, p.cells, sizeof sorted);
    qsort(sorted, 8, sizeof sorted[0], by_place);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(by_place(&sorted[i], &written.cells[i]), 0);
}

static void option_beats_seed_of_the_file(void **state)
{
    const struct plan_options o = { .n_targets = 2, .seed = 8 };
    struct plan p = must_expand(*state, MATRIX("order=\"random\" seed=\"7\""), &o);
    struct plan other = must_expand(*state, MATRIX("order=\"random\" seed=\"8\""), &two_targets);
    assert_int_equal(p.seed, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(by_place(&p.cells[i], &other.cells[i]), 0);
        assert_true(p.cells[i].seed == other.cells[i].seed);
    }
}

/* All targets see the same offsets; points and repetitions see others. */
static void seeds_of_cells(void **state)
{
    struct plan p = must_expand(*state, MATRIX(""), &two_targets);
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(p.cells[i].seed == order_cell_seed(1, p.cells[i].point, p.cells[i].rep));
        for (uint32_t j = 0; j < i; j++) {
            bool same = p.cells[i].point == p.cells[j].point && p.cells[i].rep == p.cells[j].rep;
            assert_int_equal(p.cells[i].seed == p.cells[j].seed, same);
        }
    }
    /* neither the order nor the number of targets changes a cell's seed */
    const struct plan_options one = { .n_targets = 1 };
    struct plan random = must_expand(*state, MATRIX("order=\"random\""), &one);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++)
            if (random.cells[i].point == p.cells[j].point && random.cells[i].rep == p.cells[j].rep)
                assert_true(random.cells[i].seed == p.cells[j].seed);
}

static void seed_is_a_chain_of_splitmix(void **state)
{
    (void)state;
    /* splitmix64 of state 1 begins 910a2dec89025cc1 (statistics.md §10) */
    uint64_t s = UINT64_C(0x910a2dec89025cc1) ^ 5;
    s = rng_splitmix(&s) ^ 2;
    s = rng_splitmix(&s);
    assert_true(order_cell_seed(1, 5, 2) == s);
    assert_true(order_cell_seed(1, 5, 2) != order_cell_seed(1, 2, 5));
    assert_true(order_cell_seed(1, 0, 1) != order_cell_seed(2, 0, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(as_written, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(interleaved, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(random_order, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(option_beats_seed_of_the_file, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(seeds_of_cells, setup_arena, teardown_arena),
        cmocka_unit_test(seed_is_a_chain_of_splitmix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
