/* The reservoir is unbiased and bounded, and the slowest are the slowest. */
#include "engine/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "unit.h"

static struct sampler *sampler_new(uint64_t seed, uint32_t cap)
{
    struct sampler *s = xcalloc(1, sizeof *s);
    sampler_init(s, seed, cap, xmalloc(sampler_bytes(cap)));
    return s;
}

static void sampler_free(struct sampler *s)
{
    free(s->kept);
    free(s);
}

static void offer(struct sampler *s, int64_t t, uint64_t lat)
{
    if (sampler_wants(s, lat))
        sampler_take(s, &(struct sample) { .t_ns = t, .lat_ns = lat, .size = 4096 });
}

static size_t merge(struct sampler *const *s, size_t n, struct sample *ret, size_t *ret_slow)
{
    size_t all = sampler_merge(s, n, ret), slow = 0;
    while (slow < all && ret[all - 1 - slow].slow)
        slow++;
    *ret_slow = slow;
    return all - slow;
}

static struct sample *room(void)
{
    return xcalloc(SAMPLE_KEEP + SAMPLE_SLOWEST, sizeof(struct sample));
}

static void few_are_kept_all(void **state)
{
    (void)state;
    struct sampler *s = sampler_new(1, SAMPLE_KEEP);
    struct sample *got = room();
    sampler_start(s);
    for (int i = 0; i < 5000; i++)
        offer(s, i, 1000 + (uint64_t)(i * 7919 % 5000));
    size_t slow, n = merge(&s, 1, got, &slow);
    assert_int_equal(n, 5000);
    assert_int_equal(slow, SAMPLE_SLOWEST);
    for (size_t i = 0; i < n; i++)
        assert_true(got[i].t_ns == (int64_t)i && !got[i].slow);
    for (size_t i = 0; i < slow; i++)
        assert_true(got[n + i].lat_ns == 5999 - i);
    free(got);
    sampler_free(s);
}

static void nothing_is_taken_before_the_start(void **state)
{
    (void)state;
    struct sampler *s = sampler_new(1, SAMPLE_KEEP);
    struct sample *got = room();
    for (int i = 0; i < 100000; i++)
        offer(s, i, UINT64_MAX - 1);
    size_t slow;
    assert_int_equal(merge(&s, 1, got, &slow), 0);
    assert_int_equal(slow, 0);
    free(got);
    sampler_free(s);
}

/* A million I/Os: each tenth of them has its tenth of the reservoir (chi-square, two-sided 0.001), whatever the level. */
static void every_io_is_equally_likely(void **state)
{
    (void)state;
    struct sample *got = room();
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct sampler *s = sampler_new(seed, SAMPLE_KEEP);
        sampler_start(s);
        for (int i = 0; i < 1000000; i++)
            offer(s, i, 100);
        size_t slow, n = merge(&s, 1, got, &slow);
        assert_true(n > SAMPLE_KEEP / 2 - 1000 && n <= SAMPLE_KEEP);
        double chi = 0, want = (double)n / 10;
        size_t count[10] = { 0 };
        for (size_t i = 0; i < n; i++) {
            count[got[i].t_ns / 100000]++;
            assert_true(i == 0 || got[i].t_ns > got[i - 1].t_ns);
        }
        for (int i = 0; i < 10; i++)
            chi += ((double)count[i] - want) * ((double)count[i] - want) / want;
        assert_true(chi > 1.151950 && chi < 27.877165);
        sampler_free(s);
    }
    free(got);
}

/* A worker with ten times the I/Os has ten times the samples; together they stay within the bound. */
static void workers_are_merged_by_their_share(void **state)
{
    (void)state;
    enum { WORKERS = 4 };
    struct sampler *s[WORKERS];
    struct sample *got = room();
    for (size_t w = 0; w < WORKERS; w++) {
        s[w] = sampler_new(w + 1, sampler_cap(WORKERS));
        sampler_start(s[w]);
        uint64_t ios = w == 0 ? 1000000 : 100000;
        for (uint64_t i = 0; i < ios; i++)
            offer(s[w], (int64_t)i, w + 1);
    }
    size_t slow, n = merge(s, WORKERS, got, &slow), first = 0;
    for (size_t i = 0; i < n; i++)
        first += got[i].lat_ns == 1;
    double p = 10. / 13, sd = sqrt((double)n * p * (1 - p));
    assert_true(n > 5000 && n <= SAMPLE_KEEP);
    assert_true(fabs((double)first - (double)n * p) < 5 * sd);
    assert_int_equal(slow, SAMPLE_SLOWEST);
    for (size_t i = 0; i < slow; i++)
        assert_true(got[n + i].lat_ns == WORKERS);
    for (size_t w = 0; w < WORKERS; w++)
        sampler_free(s[w]);
    free(got);
}

static void many_workers_fill_the_reservoir_and_no_more(void **state)
{
    (void)state;
    enum { WORKERS = 64 };
    struct sampler *s[WORKERS];
    struct sample *got = room();
    for (size_t w = 0; w < WORKERS; w++) {
        s[w] = sampler_new(w + 1, sampler_cap(WORKERS));
        sampler_start(s[w]);
        for (int i = 0; i < 620; i++)
            offer(s[w], i, 50);
    }
    size_t slow, n = merge(s, WORKERS, got, &slow);
    assert_int_equal(n, SAMPLE_KEEP);
    double half = 0;
    for (size_t i = 0; i < n; i++)
        half += got[i].t_ns < 310;
    assert_true(fabs(half - SAMPLE_KEEP / 2.) < 5 * sqrt(SAMPLE_KEEP / 4.));
    for (size_t w = 0; w < WORKERS; w++)
        sampler_free(s[w]);
    free(got);
}

static int descending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

static void the_slowest_of_all_workers(void **state)
{
    (void)state;
    enum { WORKERS = 3, EACH = 40000 };
    struct sampler *s[WORKERS];
    struct sample *got = room();
    uint64_t *all = xcalloc(WORKERS * EACH, sizeof *all);
    struct rng rng = rng_seed(99);
    for (size_t w = 0, k = 0; w < WORKERS; w++) {
        s[w] = sampler_new(w, sampler_cap(WORKERS));
        sampler_start(s[w]);
        for (int i = 0; i < EACH; i++) {
            all[k] = rng_below(&rng, 1000000000);
            offer(s[w], i, all[k++]);
        }
    }
    qsort(all, WORKERS * EACH, sizeof *all, descending);
    size_t slow, n = merge(s, WORKERS, got, &slow);
    assert_int_equal(slow, SAMPLE_SLOWEST);
    for (size_t i = 0; i < slow; i++)
        assert_true(got[n + i].lat_ns == all[i]);
    for (size_t w = 0; w < WORKERS; w++)
        sampler_free(s[w]);
    free(all);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_kept_all),
        cmocka_unit_test(nothing_is_taken_before_the_start),
        cmocka_unit_test(every_io_is_equally_likely),
        cmocka_unit_test(workers_are_merged_by_their_share),
        cmocka_unit_test(many_workers_fill_the_reservoir_and_no_more),
        cmocka_unit_test(the_slowest_of_all_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
