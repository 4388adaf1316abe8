#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/hist.h"
#include "unit.h"

static struct hist h, back;
static struct arena *a;

static int setup(void **state)
{
    (void)state;
    a = arena_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

static void assert_round_trip(size_t *ret_n)
{
    struct error e;
    void *blob;
    size_t n;
    hist_encode(&h, a, &blob, &n);
    memset(&back, 0xA5, sizeof back);
    assert_int_equal(hist_decode(blob, n, &back, &e), 0);
    assert_memory_equal(back.count, h.count, sizeof h.count);
    assert_int_equal(back.overflow, h.overflow);
    assert_int_equal(back.m.n, h.m.n);
    assert_int_equal(back.m.sum, h.m.sum);
    assert_true(back.m.sum_sq == h.m.sum_sq);
    assert_int_equal(back.m.min, h.m.min);
    assert_int_equal(back.m.max, h.m.max);
    *ret_n = n;
}

static void round_trips(void **state)
{
    (void)state;
    size_t n;
    hist_clear(&h);
    assert_round_trip(&n);
    assert_true(n < 20);

    hist_record(&h, 0);
    assert_round_trip(&n);

    struct rng r = rng_seed(5);
    for (int i = 0; i < 100000; i++)
        hist_record(&h, (uint64_t)(80000 * exp(rng_double(&r))));
    assert_round_trip(&n);
    assert_true(n < 1000); /* sparse: 186 buckets */

    hist_record(&h, UINT64_MAX >> 8);
    hist_record(&h, (1ull << 36) - 1);
    assert_round_trip(&n);
}

static void every_bucket_and_large_counts(void **state)
{
    (void)state;
    size_t n;
    hist_clear(&h);
    for (uint32_t i = 0; i < HIST_BUCKETS; i++)
        hist_record(&h, hist_lower(i));
    assert_round_trip(&n);
    hist_clear(&h);
    h.count[100] = UINT64_MAX - 5;
    h.count[101] = 5;
    h.m = (struct moments) {
        .n = UINT64_MAX, .sum = UINT64_MAX, .sum_sq = ~(unsigned __int128)0, .min = 100, .max = 101
    };
    assert_round_trip(&n);
}

static unsigned char *heap_copy(const void *blob, size_t n)
{
    unsigned char *copy = malloc(n ? n
                                   : 1); /* its own block, so that ASan sees a read past the end */
    assert_non_null(copy);
    memcpy(copy, blob, n);
    return copy;
}

static void truncated_is_refused(void **state)
{
    (void)state;
    struct error e;
    void *blob;
    size_t n;
    hist_clear(&h);
    for (uint64_t i = 0; i < 300; i++)
        hist_record(&h, i * 777);
    hist_encode(&h, a, &blob, &n);
    for (size_t cut = 0; cut < n; cut++) {
        unsigned char *copy = heap_copy(blob, cut);
        assert_int_equal(hist_decode(copy, cut, &back, &e), -1);
        assert_int_equal(e.code, QD_E_FAIL);
        assert_int_equal(back.m.n, 0);
        assert_true(hist_is_sane(&back));
        free(copy);
    }
    unsigned char *longer = malloc(n + 1);
    assert_non_null(longer);
    memcpy(longer, blob, n);
    longer[n] = 0;
    assert_int_equal(hist_decode(longer, n + 1, &back, &e), -1);
    free(longer);
}

/* Whatever a flipped bit does, the result is refused or sane; counts of I/Os cannot change unseen. */
static void flipped_bits_never_pass_as_insane(void **state)
{
    (void)state;
    struct error e;
    void *blob;
    size_t n, refused = 0;
    hist_clear(&h);
    for (uint64_t i = 0; i < 50; i++)
        hist_record(&h, 80000 + i * 777);
    hist_encode(&h, a, &blob, &n);
    for (size_t bit = 0; bit < n * 8; bit++) {
        unsigned char *copy = heap_copy(blob, n);
        copy[bit / 8] ^= (unsigned char)(1u << bit % 8);
        int rc = hist_decode(copy, n, &back, &e);
        assert_true(hist_is_sane(&back));
        if (rc)
            refused++;
        else
            assert_int_equal(back.m.n, h.m.n);
        free(copy);
    }
    assert_true(refused > n * 4);
}

static void random_bytes_are_refused_or_sane(void **state)
{
    (void)state;
    struct error e;
    struct rng r = rng_seed(9);
    for (int i = 0; i < 2000; i++) {
        unsigned char bytes[64];
        size_t n = rng_below(&r, sizeof bytes + 1);
        rng_fill(&r, bytes, n);
        hist_decode(bytes, n, &back, &e);
        assert_true(hist_is_sane(&back));
    }
}

static void overlong_numbers_are_refused(void **state)
{
    (void)state;
    struct error e;
    unsigned char endless[40];
    memset(endless, 0x80, sizeof endless);
    assert_int_equal(hist_decode(endless, sizeof endless, &back, &e), -1);
    memset(endless, 0xFF, sizeof endless);
    assert_int_equal(hist_decode(endless, sizeof endless, &back, &e), -1);
    assert_int_equal(hist_decode(NULL, 0, &back, &e), -1);
}

static void bucket_numbers_are_checked(void **state)
{
    (void)state;
    struct error e;
    /* n 1, sum 5, sum_sq 25 0, min 5, max 5, overflow 0, 1 bucket: distance, count 1 */
    unsigned char good[] = { 1, 5, 25, 0, 5, 5, 0, 1, 5, 1 };
    assert_int_equal(hist_decode(good, sizeof good, &back, &e), 0);
    assert_int_equal(back.count[5], 1);
    unsigned char far[] = { 1, 5, 25, 0, 5, 5, 0, 1, 0x80, 0x1E, 1 }; /* bucket 3840 */
    assert_int_equal(hist_decode(far, sizeof far, &back, &e), -1);
    unsigned char empty[] = { 0, 0, 0, 0, 5, 5, 0, 1, 5, 0 };
    assert_int_equal(hist_decode(empty, sizeof empty, &back, &e), -1);
    unsigned char more[] = { 1, 5, 25, 0, 5, 5, 0, 0xFF, 0x7F, 5, 1 };
    assert_int_equal(hist_decode(more, sizeof more, &back, &e), -1);
}

static void merging_blobs_is_merging(void **state)
{
    (void)state;
    struct error e;
    struct rng r = rng_seed(4);
    static struct hist whole, merged, one;
    hist_clear(&whole);
    hist_clear(&merged);
    for (int k = 0; k < 20; k++) {
        void *blob;
        size_t n;
        hist_clear(&one);
        for (uint64_t i = rng_below(&r, 200) * (uint64_t)(k != 7); i > 0; i--)
            hist_record(&one, rng_below(&r, 1ull << (10 + rng_below(&r, 28))));
        hist_encode(&one, a, &blob, &n);
        hist_merge(&whole, &one);
        assert_int_equal(hist_merge_blob(&merged, blob, n, &e), 0);
        assert_int_equal(memcmp(&whole, &merged, sizeof whole), 0);
        unsigned char *copy = heap_copy(blob, n - 1);
        assert_int_equal(hist_merge_blob(&one, copy, n - 1, &e), -1);
        assert_int_equal(e.code, QD_E_FAIL);
        free(copy);
    }
    assert_true(hist_is_sane(&merged));
    assert_true(merged.overflow > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(every_bucket_and_large_counts),
        cmocka_unit_test(truncated_is_refused),
        cmocka_unit_test(flipped_bits_never_pass_as_insane),
        cmocka_unit_test(random_bytes_are_refused_or_sane),
        cmocka_unit_test(overlong_numbers_are_refused),
        cmocka_unit_test(bucket_numbers_are_checked),
        cmocka_unit_test(merging_blobs_is_merging),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
