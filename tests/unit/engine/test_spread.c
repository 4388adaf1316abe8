/* Positions that are not uniform, against the vectors and shares of reference/statistics.md §10. */
#include "engine/spread.h"

#include <math.h>

#include "engine/pattern.h"
#include "unit.h"

enum { DRAWS = 200000, N = 1000 };

static void zipf_meets_its_vectors(void **state)
{
    (void)state;
    static const double u[] = { 0, 0.1, 0.25, 0.5, 0.75, 0.9 };
    static const struct {
        double theta;
        uint64_t rank[6];
    } want[] = { { 0.99, { 1000, 484, 161, 25, 4, 1 } },
                 { 1, { 1000, 472, 153, 23, 4, 1 } },
                 { 1.2, { 1000, 226, 44, 7, 2, 1 } } };
    struct spread s;
    for (size_t i = 0; i < 3; i++) {
        spread_init(&s, DIST_ZIPF, want[i].theta, N);
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(spread_zipf_rank(&s, u[k]), want[i].rank[k]);
    }
    spread_init(&s, DIST_ZIPF, 0.99, N);
    assert_true(fabs(s.h_first + 0.593711770008) < 1e-9);
    assert_true(fabs(s.h_last - 7.15246615086) < 1e-9);
    assert_true(fabs(s.threshold - 0.483876698321) < 1e-9);
}

/* The hottest rank and the hottest percent get their share, wherever they are scattered to. */
static void zipf_shares_are_right(void **state)
{
    (void)state;
    struct spread s;
    struct rng r = rng_seed(3);
    uint64_t count[N] = { 0 };
    double first = 0, percent = 0, p = 0.129383626979, q = 0.3824719122;
    spread_init(&s, DIST_ZIPF, 0.99, N);
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint64_t at = spread_draw(&s, &r);
        assert_true(at < N);
        count[at]++;
    }
    first = (double)count[spread_scatter(&s, 0)];
    for (uint64_t k = 0; k < N / 100; k++)
        percent += (double)count[spread_scatter(&s, k)];
    assert_true(fabs(first - DRAWS * p) < 5 * sqrt(DRAWS * p * (1 - p)));
    assert_true(fabs(percent - DRAWS * q) < 5 * sqrt(DRAWS * q * (1 - q)));
}

static void every_rank_has_a_place_of_its_own(void **state)
{
    (void)state;
    static const uint64_t ten[] = { 8, 6, 2, 7, 1, 3, 4, 5, 9, 0 };
    static const uint64_t many[] = { 729, 573, 356, 473, 631, 868, 921, 983, 272, 646 };
    struct spread s;
    spread_init(&s, DIST_ZIPF, 1, 10);
    for (uint64_t k = 0; k < 10; k++)
        assert_int_equal(spread_scatter(&s, k), ten[k]);
    spread_init(&s, DIST_ZIPF, 1, 1000);
    for (uint64_t k = 0; k < 10; k++)
        assert_int_equal(spread_scatter(&s, k), many[k]);
    for (uint64_t n = 1; n <= 300; n++) {
        bool seen[300] = { false };
        spread_init(&s, DIST_ZIPF, 1, n);
        for (uint64_t k = 0; k < n; k++) {
            uint64_t at = spread_scatter(&s, k);
            assert_true(at < n && !seen[at]);
            seen[at] = true;
        }
    }
}

static double share_in(enum distribution_kind kind, double param, double from, double to)
{
    struct spread s;
    struct rng r = rng_seed(11);
    uint32_t in = 0;
    spread_init(&s, kind, param, 1 << 20);
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint64_t at = spread_draw(&s, &r);
        double x = (double)at / (1 << 20);
        assert_true(at < 1 << 20);
        in += x >= from && x < to;
    }
    return (double)in / DRAWS;
}

static void pareto_and_normal_have_their_shares(void **state)
{
    (void)state;
    assert_true(fabs(share_in(DIST_PARETO, 0.2, 0, 0.01) - 0.52808792) < 0.006);
    assert_true(fabs(share_in(DIST_PARETO, 0.2, 0, 0.2) - 0.8) < 0.005);
    assert_true(fabs(share_in(DIST_PARETO, 0.3, 0, 0.5) - 0.81436737) < 0.005);
    assert_true(fabs(share_in(DIST_NORMAL, 0.2, 0.4, 0.6) - 0.3877403988) < 0.006);
    assert_true(fabs(share_in(DIST_NORMAL, 0.1, 0.4, 0.6) - 0.6826898835) < 0.006);
}

/* In a plan: starts are aligned, within the span, skewed, and the same again for the same seed. */
static void a_line_draws_from_its_distribution(void **state)
{
    (void)state;
    struct access_line line = { .share_bp = 10000,
                                .size = 4096,
                                .read_bp = 10000,
                                .random_bp = 10000,
                                .burst = 1,
                                .distribution = DIST_PARETO,
                                .distribution_param = 0.2 };
    struct workload w = { "w", "W", &line, 1 };
    struct span span = { 8192, 1 << 20 };
    struct opened_target t = { .block = 512 };
    struct stream stream[2] = { { 0 }, { 0 } };
    struct pattern_plan plan;
    struct pattern p[2];
    pattern_plan_open(&plan, &w, &span, &t, 1);
    for (int i = 0; i < 2; i++)
        pattern_init(&p[i], 9, &plan, &stream[i], 1);
    uint32_t head = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t a, b;
        pattern_next(&p[0], 0, &a);
        pattern_next(&p[1], 0, &b);
        assert_true(a == b && a % 4096 == 0 && a >= 8192 && a + 4096 <= 8192 + (1 << 20));
        head += a < 8192 + (1 << 20) / 2;
    }
    assert_true(head > 17900 && head < 18450);
    pattern_plan_close(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zipf_meets_its_vectors),
        cmocka_unit_test(zipf_shares_are_right),
        cmocka_unit_test(every_rank_has_a_place_of_its_own),
        cmocka_unit_test(pareto_and_normal_have_their_shares),
        cmocka_unit_test(a_line_draws_from_its_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
