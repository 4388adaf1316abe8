#include "base/array.h"
#include "base/fmt.h"
#include "stats/compare.h"
#include "stats/moment.h"
#include "stats/student.h"
#include "unit.h"

static const double fast_a[] = { 22340, 22510, 22180, 22460, 22290 };
static const double fast_b[] = { 26310, 26120, 26540, 26450, 26280 };

static struct side repeats(const double *x, size_t n)
{
    return side_make(x, n, NULL, COMPARE_ASSUMED_CV, ENDLESS, true);
}

static void vector_1_faster(void **state)
{
    (void)state;
    struct side a = repeats(fast_a, 5), b = repeats(fast_b, 5);
    assert_close(a.mean, 22356, 1e-15);
    assert_close(b.mean, 26340, 1e-15);
    assert_int_equal(a.n_terms, 1);
    assert_close(a.term[0].v, 7.014935947e-6, 1e-9);
    assert_close(b.term[0].v, 7.567070186e-6, 1e-9);
    assert_true(a.term[0].nu == 4);
    assert_false(a.assumed);
    struct comparison c = compare_means(&a, &b, false);
    assert_close(c.ratio, 1.178207193, 1e-9);
    assert_close(c.nu, 7.988546912, 1e-9);
    assert_close(c.low, 1.167875118, 1e-9);
    assert_close(c.high, 1.188630675, 1e-9);
    assert_close(c.p, 9.7825997e-11, 1e-7);
    assert_true(c.adjusted_p == c.p);
    assert_int_equal(c.verdict, VERDICT_BETTER);
    assert_false(c.assumed);
    assert_string_equal(fmt_advantage_interval(c.ratio, c.low, c.high).s, "+18\u00a0% [+16, +19]");
}

static void vector_1_fieller(void **state)
{
    (void)state;
    struct mean_interval a = mean_over_repeats(fast_a, 5), b = mean_over_repeats(fast_b, 5);
    double low, high, t = student_quantile(0.025, 7.988546912);
    assert_close(t, 2.306579732, 1e-9);
    assert_true(fieller(&a, &b, t, &low, &high));
    assert_close(low, 1.167873236, 1e-9);
    assert_close(high, 1.188629098, 1e-9);
    assert_close(t * a.se / a.mean * (t * a.se / a.mean), 3.7321634e-5, 1e-7);
    const struct mean_interval wide = { .mean = 10, .se = 10 }, none = { .mean = ABSENT, .se = 1 };
    assert_false(fieller(&wide, &b, t, &low, &high));
    assert_false(fieller(&none, &b, t, &low, &high));
}

/* Welch on the difference, as the reference's cross-check of the same data. */
static void vector_1_welch(void **state)
{
    (void)state;
    struct mean_interval a = mean_over_repeats(fast_a, 5), b = mean_over_repeats(fast_b, 5);
    double va = a.se * a.se, vb = b.se * b.se, v = va + vb,
           nu = v * v / (va * va / 4 + vb * vb / 4);
    assert_close(nu, 7.694736278, 1e-9);
    assert_close(student_quantile(0.025, nu) * sqrt(v), 217.280054, 1e-8);
    assert_close((b.mean - a.mean) / sqrt(v), 42.57615647, 1e-9);
    assert_close(student_two_sided(42.57615647, nu), 2.0508389e-10, 1e-7);
}

static void vector_2_unclear(void **state)
{
    (void)state;
    static const double x[] = { 22340, 22900, 21800 }, y[] = { 22700, 22100, 23300 };
    struct side a = repeats(x, 3), b = repeats(y, 3);
    struct comparison c = compare_means(&a, &b, false);
    assert_close(c.ratio, 1.015811456, 1e-9);
    assert_close(c.nu, 3.979853768, 1e-9);
    assert_close(c.low, 0.9585597211, 1e-9);
    assert_close(c.high, 1.076482655, 1e-9);
    assert_close(c.p, 0.49390412, 1e-7);
    assert_int_equal(c.verdict, VERDICT_UNCLEAR);
    struct mean_interval ma = mean_over_repeats(x, 3), mb = mean_over_repeats(y, 3);
    double low, high;
    assert_true(fieller(&ma, &mb, student_quantile(0.025, c.nu), &low, &high));
    assert_close(low, 0.9584056363, 1e-9);
    assert_close(high, 1.076397532, 1e-9);
}

static void vector_3_latency_turns_the_ratio(void **state)
{
    (void)state;
    static const double x[] = { 110, 104, 98 }, y[] = { 85, 92, 99 };
    struct side a = repeats(x, 3), b = repeats(y, 3);
    struct comparison raw = compare_means(&a, &b, false);
    assert_close(raw.ratio, 0.8846153846, 1e-10);
    assert_close(raw.nu, 3.728406022, 1e-9);
    assert_close(raw.low, 0.7556596787, 1e-9);
    assert_close(raw.high, 1.035577788, 1e-9);
    assert_close(raw.p, 0.09513085, 1e-6);
    assert_int_equal(raw.verdict, VERDICT_UNCLEAR);
    struct comparison c = compare_means(&a, &b, true);
    assert_close(c.ratio, 1 / raw.ratio, 1e-15);
    assert_close(c.low, 1 / raw.high, 1e-14);
    assert_close(c.high, 1 / raw.low, 1e-14);
    assert_close(c.p, raw.p, 1e-14);
    struct comparison swapped = compare_means(&b, &a, false);
    assert_close(swapped.ratio, c.ratio, 1e-15);
    assert_close(swapped.low, c.low, 1e-14);
}

static struct mean_interval within_run(double mean, double se)
{
    return (struct mean_interval) { .mean = mean, .se = se, .half = 2 * se, .n_eff = 60, .n = 60 };
}

static void vector_4_one_run_each(void **state)
{
    (void)state;
    struct mean_interval wa = within_run(22340, 85), wb = within_run(26361, 120);
    struct side a = side_make(NULL, 0, &wa, COMPARE_ASSUMED_CV, ENDLESS, true);
    struct side b = side_make(NULL, 0, &wb, COMPARE_ASSUMED_CV, ENDLESS, true);
    assert_int_equal(a.n, 1);
    assert_int_equal(a.n_terms, 2);
    struct comparison c = compare_means(&a, &b, false);
    assert_close(c.ratio, 1.179991047, 1e-9);
    assert_true(c.nu > 1e6);
    assert_close(c.low, 1.026781856, 1e-6); /* the vector takes z for t, here 1e-6 larger */
    assert_close(c.high, 1.356061041, 1e-6);
    assert_close(c.p, 0.019678354, 1e-5);
    assert_int_equal(c.verdict, VERDICT_BETTER);
    assert_true(c.assumed);

    struct side wa_only = { .mean = 22340,
                            .term = { { wa.se * wa.se / 22340 / 22340, ENDLESS } },
                            .n_terms = 1 };
    struct side wb_only = { .mean = 26361,
                            .term = { { wb.se * wb.se / 26361 / 26361, ENDLESS } },
                            .n_terms = 1 };
    c = compare_means(&wa_only, &wb_only, false);
    assert_close(c.low, 1.166349300, 1e-9);
    assert_close(c.high, 1.193792350, 1e-9);
    wa.mean = 0; /* only the repeats' means count when there are some */
    struct side one = side_make(fast_a, 1, NULL, COMPARE_ASSUMED_CV, ENDLESS, true);
    assert_true(one.mean == 22340);
    assert_int_equal(one.n_terms, 1);
    assert_close(one.term[0].v, 0.0025, 1e-15);
    assert_true(isinf(one.term[0].nu));
}

/* What one run each can resolve at all (§5.2). */
static void one_run_each_resolves_only_so_much(void **state)
{
    (void)state;
    static const double cv[] = { 0.05, 0.01, 0.03, 0.10 }, limit[] = { 1.149, 1.028, 1.087, 1.319 };
    const double base = 1000;
    for (size_t i = 0; i < countof(cv); i++) {
        struct side a = side_make(&base, 1, NULL, cv[i], ENDLESS, true);
        struct comparison c = compare_means(&a, &a, false);
        assert_close(c.high, limit[i], 5e-4);
        assert_int_equal(c.verdict, c.high <= 1.03 ? VERDICT_SAME : VERDICT_UNCLEAR);
    }
}

static struct comparison given(double r, double se, double nu)
{
    double reach = exp(student_quantile(0.025, nu) * se), p = student_two_sided(log(r) / se, nu);
    return (struct comparison) {
        .ratio = r, .low = r / reach, .high = r * reach, .p = p, .adjusted_p = p, .nu = nu
    };
}

static void vector_5_same(void **state)
{
    (void)state;
    struct comparison c = given(1.004, 0.008, 8);
    assert_close(c.low, 0.985647975, 1e-9);
    assert_close(c.high, 1.022693726, 1e-9);
    assert_int_equal(compare_verdict(&c), VERDICT_SAME);
    c = given(1.012, 0.003, 8);
    assert_close(c.low, 1.005023, 1e-6);
    assert_close(c.high, 1.019025, 1e-6);
    assert_true(c.p < 0.05);
    assert_int_equal(compare_verdict(&c), VERDICT_SAME);
}

static void verdict_limits(void **state)
{
    (void)state;
    struct comparison c = given(1.03, 0.001, 8);
    assert_int_equal(compare_verdict(&c), VERDICT_BETTER);
    c = given(1 / 1.03, 0.001, 8);
    assert_int_equal(compare_verdict(&c), VERDICT_WORSE);
    c = given(1.2, 0.01, 8);
    c.adjusted_p = 0.051; /* after correction */
    assert_int_equal(compare_verdict(&c), VERDICT_UNCLEAR);
    c.adjusted_p = 0.05;
    assert_int_equal(compare_verdict(&c), VERDICT_BETTER);
    c.reason = "not steady";
    assert_int_equal(compare_verdict(&c), VERDICT_NOT_COMPARABLE);
}

static void vector_6_pooled_cv(void **state)
{
    (void)state;
    static const double cv[] = { 132.4009063 / 22356, 162.0185175 / 26340,
                                 550.0303022 / 22346.6667 };
    static const size_t n[] = { 5, 5, 3 };
    double nu;
    assert_close(pooled_cv(cv, n, 3, &nu), 0.01226087937, 2e-9);
    assert_true(nu == 10);
    assert_nan(pooled_cv(cv, n, 1, &nu)); /* 4 degrees of freedom are too few */
    assert_true(nu == 4);
    assert_nan(pooled_cv(cv, n, 0, &nu));
    const double with_absent[] = { cv[0], ABSENT, cv[1], 0.5 };
    static const size_t more[] = { 5, 9, 5, 2 };
    assert_close(pooled_cv(with_absent, more, 4, &nu), sqrt((cv[0] * cv[0] + cv[1] * cv[1]) / 2),
                 1e-12);
    assert_true(nu == 8);
}

static void vector_7_many(void **state)
{
    (void)state;
    static const double p[] = { 0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205 };
    static const double holm[] = { 0.008, 0.056, 0.234, 0.234, 0.234, 0.234, 0.234, 0.234 };
    static const double bh[] = { 0.008, 0.032, 0.0672, 0.0672, 0.0672, 0.08, 0.084571429, 0.205 };
    static const double q[] = { 0.02, 0.0004, 0.3, 0.011 };
    static const double q_holm[] = { 0.04, 0.0016, 0.3, 0.033 };
    static const double q_bh[] = { 0.0266666667, 0.0016, 0.3, 0.022 };
    double got[8];
    adjust_holm(p, got, 8);
    for (int i = 0; i < 8; i++)
        assert_close(got[i], holm[i], 1e-9);
    adjust_bh(p, got, 8);
    for (int i = 0; i < 8; i++)
        assert_close(got[i], bh[i], 6e-9);
    adjust_holm(q, got, 4);
    for (int i = 0; i < 4; i++)
        assert_close(got[i], q_holm[i], 1e-9);
    adjust_bh(q, got, 4);
    for (int i = 0; i < 4; i++)
        assert_close(got[i], q_bh[i], 2e-9);
}

static void correction_leaves_out_rows_without_p(void **state)
{
    (void)state;
    const double p[] = { 0.02, ABSENT, 0.9, ABSENT, 0.02 };
    double got[5];
    adjust_bh(p, got, 5);
    assert_close(got[0], 0.03, 1e-12);
    assert_close(got[4], 0.03, 1e-12);
    assert_close(got[2], 0.9, 1e-12);
    assert_nan(got[1]);
    adjust_holm(p, got, 5);
    assert_close(got[0], 0.06, 1e-12);
    assert_close(got[4], 0.06, 1e-12);
    assert_nan(got[3]);
    adjust_bh(p, got, 0);
    adjust_holm(p + 1, got, 1);
    assert_nan(got[0]);
}

static void correction_renews_verdicts(void **state)
{
    (void)state;
    struct comparison c[4] = {
        given(1.2, 0.03, 6),
        given(1.1, 0.03, 6),
        given(1.1, 0.045, 6),
        { .ratio = ABSENT, .p = ABSENT, .adjusted_p = ABSENT, .reason = "absent" }
    };
    for (int i = 0; i < 4; i++)
        c[i].verdict = compare_verdict(&c[i]);
    assert_int_equal(c[0].verdict, VERDICT_BETTER);
    assert_int_equal(c[1].verdict, VERDICT_BETTER);
    struct comparison by_holm[4];
    for (int i = 0; i < 4; i++)
        by_holm[i] = c[i];
    compare_adjust_bh(c, 4);
    assert_true(c[1].p <= 0.05 && c[1].adjusted_p > c[1].p);
    assert_int_equal(c[0].verdict, VERDICT_BETTER);
    assert_int_equal(c[1].verdict, c[1].adjusted_p <= 0.05 ? VERDICT_BETTER : VERDICT_UNCLEAR);
    assert_int_equal(c[3].verdict, VERDICT_NOT_COMPARABLE);
    assert_nan(c[3].adjusted_p);
    compare_adjust_holm(by_holm, 4);
    assert_true(by_holm[1].adjusted_p >= c[1].adjusted_p);
    compare_adjust_bh(c, 0);
}

static void identical_repeats_are_judged_by_delta(void **state)
{
    (void)state;
    static const double x[] = { 100, 100, 100 }, y[] = { 104, 104, 104 }, z[] = { 102, 102, 102 };
    struct side a = repeats(x, 3), b = repeats(y, 3), near = repeats(z, 3);
    struct comparison c = compare_means(&a, &b, false);
    assert_close(c.ratio, 1.04, 1e-15);
    assert_true(c.low == c.ratio && c.high == c.ratio);
    assert_nan(c.p);
    assert_int_equal(c.verdict, VERDICT_BETTER);
    assert_int_equal(compare_means(&b, &a, false).verdict, VERDICT_WORSE);
    assert_int_equal(compare_means(&a, &near, false).verdict, VERDICT_SAME);
}

static void not_comparable(void **state)
{
    (void)state;
    static const double zeros[] = { 0, 0, 0 };
    const double absent[] = { 1, ABSENT, 3 };
    struct side a = repeats(fast_a, 5), zero = repeats(zeros, 3), gone = repeats(absent, 3);
    struct side none = side_make(NULL, 0, NULL, COMPARE_ASSUMED_CV, ENDLESS, true);
    const struct side *bad[] = { &zero, &gone, &none };
    for (size_t i = 0; i < countof(bad); i++) {
        assert_non_null(bad[i]->not_comparable);
        struct comparison c = compare_means(&a, bad[i], false);
        assert_nan(c.ratio);
        assert_nan(c.low);
        assert_nan(c.p);
        assert_ptr_equal(c.reason, bad[i]->not_comparable);
        assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
        assert_int_equal(compare_means(bad[i], &a, true).verdict, VERDICT_NOT_COMPARABLE);
    }
}

/* Nothing is known of the spread: a ratio, but no interval and no claim. */
static void without_any_variance(void **state)
{
    (void)state;
    const double x = 100, y = 200;
    struct side a = side_make(&x, 1, NULL, ABSENT, ABSENT, false),
                b = side_make(&y, 1, NULL, ABSENT, ABSENT, false);
    struct comparison c = compare_means(&a, &b, false);
    assert_true(c.ratio == 2);
    assert_nan(c.low);
    assert_nan(c.p);
    assert_int_equal(c.verdict, VERDICT_UNCLEAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_1_faster),
        cmocka_unit_test(vector_1_fieller),
        cmocka_unit_test(vector_1_welch),
        cmocka_unit_test(vector_2_unclear),
        cmocka_unit_test(vector_3_latency_turns_the_ratio),
        cmocka_unit_test(vector_4_one_run_each),
        cmocka_unit_test(one_run_each_resolves_only_so_much),
        cmocka_unit_test(vector_5_same),
        cmocka_unit_test(verdict_limits),
        cmocka_unit_test(vector_6_pooled_cv),
        cmocka_unit_test(vector_7_many),
        cmocka_unit_test(correction_leaves_out_rows_without_p),
        cmocka_unit_test(correction_renews_verdicts),
        cmocka_unit_test(identical_repeats_are_judged_by_delta),
        cmocka_unit_test(not_comparable),
        cmocka_unit_test(without_any_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
