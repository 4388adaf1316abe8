#include "base/array.h"
#include "stats/beta.h"
#include "stats/student.h"
#include "unit.h"

/* statistics.md §4.1, 12 digits. */
static void table_of_quantiles(void **state)
{
    (void)state;
    static const struct {
        double nu, t975, t995;
    } rows[] = {
        { 1, 12.7062047362, 63.6567411629 },
        { 1.5, 6.01666310443, 17.8203105145 },
        { 2, 4.30265272975, 9.92484320092 },
        { 3, 3.18244630528, 5.84090930973 },
        { 4, 2.7764451052, 4.60409487135 },
        { 5, 2.57058183564, 4.03214298356 },
        { 7.5, 2.33303962686, 3.42142268812 },
        { 9, 2.2621571628, 3.24983554159 },
        { 10, 2.22813885199, 3.16927267262 },
        { 12.34, 2.17217329681, 3.03928534228 },
        { 19, 2.09302405441, 2.86093460646 },
        { 29, 2.04522964213, 2.75638590367 },
        { 59, 2.00099537809, 2.66175875216 },
        { 1000, 1.96233908083, 2.58075469807 },
        { ENDLESS, 1.9599639845400542, 2.5758293035489008 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        assert_close(student_quantile(0.025, rows[i].nu), rows[i].t975, 3e-12);
        assert_close(student_quantile(0.005, rows[i].nu), rows[i].t995, 3e-12);
    }
}

/* Computed with 40-digit arithmetic for this test; required is 1e-8. */
static void quantiles_over_the_range(void **state)
{
    (void)state;
    static const double alphas[] = { 1e-6, 1e-4, 0.005, 0.025, 0.25 };
    static const struct {
        double nu, t[5];
    } rows[] = {
        { 1.01,
          { 281327.05638288711, 2944.5129274966764, 61.210493195653021, 12.412738499102547,
            0.99589217292454987 } },
        { 1.5,
          { 5219.4693247069458, 242.2640988465063, 17.820310514462807, 6.0166631044279319,
            0.87259466254157064 } },
        { 2.7,
          { 156.89075300921564, 28.46469881781524, 6.5331284334084551, 3.3921483831737523,
            0.77598628374526949 } },
        { 345.6,
          { 4.835779442008067, 3.759301735256443, 2.5901296887237154, 1.9668518885319326,
            0.67520029674483514 } },
        { 1e5,
          { 4.7537047163912883, 3.7191543826413444, 2.5758784699083753, 1.9599877075346096,
            0.67449220355329221 } },
        { 1e6,
          { 4.7534523482796808, 3.7190302747625434, 2.5758342201053342, 1.959966356814107,
            0.67448999553108738 } },
        { 1e9,
          { 4.7534243368622114, 3.7190164992449417, 2.5758293084654484, 1.9599639869123255,
            0.67448975044141668 } },
    };
    for (size_t i = 0; i < countof(rows); i++)
        for (size_t k = 0; k < countof(alphas); k++) {
            double t = student_quantile(alphas[k], rows[i].nu);
            assert_close(t, rows[i].t[k], 1e-12);
            assert_close(student_upper(t, rows[i].nu), alphas[k], 1e-10);
        }
}

static void two_sided(void **state)
{
    (void)state;
    static const struct {
        double t, nu, p;
    } rows[] = {
        { 2.5, 8, 0.0369420377136 },           { 3, 3.7, 0.0441258856115 },
        { 12, 2, 0.00687293367718 },           { 1, 1, 0.5 },
        { 2, 999999, 0.045500533851589164 },   { 2, 2e6, 0.045500398873806754 },
        { 6, 2e6, 1.9735125263932261e-9 },     { 3, 1e12, 0.0026997960633266668 },
        { 3, ENDLESS, 0.0026997960632601866 }, { 0, 5, 1 },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        assert_close(student_two_sided(rows[i].t, rows[i].nu), rows[i].p, 1e-11);
        assert_close(student_two_sided(-rows[i].t, rows[i].nu), rows[i].p, 1e-11);
    }
}

/* One expansion hands over to another at a million degrees of freedom. */
static void no_step_where_the_method_changes(void **state)
{
    (void)state;
    static const double ts[] = { 0.01, 0.5, 2, 5, 12 };
    for (size_t i = 0; i < countof(ts); i++)
        assert_close(student_upper(ts[i], 1e6), student_upper(ts[i], 1e6 * (1 - 1e-13)), 1e-9);
}

static void normal(void **state)
{
    (void)state;
    assert_close(normal_quantile(0.025), STATS_Z975, 1e-15);
    assert_close(normal_quantile(0.005), 2.5758293035489008, 1e-15);
    assert_close(normal_quantile(0.0005), 3.2905267314918948, 1e-15);
    assert_close(normal_quantile(1e-6), 4.7534243088228989, 1e-15);
    assert_close(normal_quantile(0.975), -STATS_Z975, 1e-14);
    assert_close(normal_quantile(1e-300), 37.0470962993612, 1e-12);
    assert_true(normal_quantile(0.5) == 0);
}

static void symmetry_and_ends(void **state)
{
    (void)state;
    assert_close(student_upper(-2, 7) + student_upper(2, 7), 1, 1e-15);
    assert_close(student_upper(0, 3.3), 0.5, 1e-15);
    assert_true(student_upper(ENDLESS, 3) == 0);
    assert_true(student_upper(-ENDLESS, 3) == 1);
    assert_true(student_quantile(0.5, 3) == 0);
    assert_close(student_upper(student_quantile(1e-6, 0.1), 0.1), 1e-6, 1e-9);
    double before = ENDLESS;
    for (double nu = 1; nu < 1e7; nu *= 1.3) {
        double t = student_quantile(0.025, nu);
        assert_true(t < before && t > STATS_Z975);
        before = t;
    }
}

static void nonsense_is_nan(void **state)
{
    (void)state;
    double nan = ABSENT;
    assert_nan(student_upper(nan, 3));
    assert_nan(student_upper(1, nan));
    assert_nan(student_upper(1, 0));
    assert_nan(student_upper(1, -1));
    assert_nan(student_two_sided(nan, 3));
    assert_nan(student_quantile(0, 3));
    assert_nan(student_quantile(0.6, 3));
    assert_nan(student_quantile(nan, 3));
    assert_nan(student_quantile(0.025, nan));
    assert_nan(student_quantile(0.025, 0));
    assert_nan(normal_quantile(0));
    assert_nan(normal_quantile(1));
    assert_nan(normal_quantile(nan));
}

/* 40-digit arithmetic. */
static void beta_function(void **state)
{
    (void)state;
    static const struct {
        double a, b, x, want;
    } rows[] = {
        { 2, 3, 0.25, 0.26171875 },
        { 0.5, 0.5, 0.1, 0.20483276469913345 },
        { 30, 70, 0.3, 0.51162510455860922 },
        { 1500, 500, 0.74, 0.15095436355495384 },
        { 5, 0.5, 0.999, 0.9222819921009668 },
        { 0.01, 7, 0.001, 0.9562737464193069 },
    };
    for (size_t i = 0; i < countof(rows); i++)
        assert_close(beta_regularised(rows[i].a, rows[i].b, rows[i].x, 1 - rows[i].x), rows[i].want,
                     1e-12);
    assert_true(beta_regularised(2, 3, 0, 1) == 0);
    assert_true(beta_regularised(2, 3, 1, 0) == 1);
    static const struct {
        double a, b, want;
    } logs[] = {
        { 0.5, 0.5, 1.1447298858494001741 },     { 2, 3, -2.4849066497880003102 },
        { 0.5, 500000, -5.9888164957774643103 }, { 1e9, 0.5, -9.789267975423505491 },
        { 1500, 500, -1126.7146331618643757 },   { 9.9, 10.1, -13.73517754434637719 },
        { 12, 1e7, -175.91484656562342162 },
    };
    for (size_t i = 0; i < countof(logs); i++)
        assert_close(beta_ln(logs[i].a, logs[i].b), logs[i].want, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_quantiles),
        cmocka_unit_test(quantiles_over_the_range),
        cmocka_unit_test(two_sided),
        cmocka_unit_test(no_step_where_the_method_changes),
        cmocka_unit_test(normal),
        cmocka_unit_test(symmetry_and_ends),
        cmocka_unit_test(nonsense_is_nan),
        cmocka_unit_test(beta_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
