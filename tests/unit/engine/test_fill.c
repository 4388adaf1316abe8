/* The shares of fills, as a compressor and a counter of equal blocks see them. */
#include "engine/fill.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/oom.h"
#include "engine/buffer.h"
#include "unit.h"

enum { BYTES = 4 << 20, UNITS = BYTES / FILL_UNIT, SLOTS = 4 };

static double deflated_share(const unsigned char *data, size_t n)
{
    uLongf size = compressBound(n);
    unsigned char *to = xmalloc(size);
    assert_int_equal(compress2(to, &size, data, n, 6), Z_OK);
    free(to);
    return (double)size / (double)n;
}

static int compare_units(const void *a, const void *b)
{
    return memcmp(a, b, FILL_UNIT);
}

/* Units that have an equal one; sorts them. */
static uint32_t count_copies(unsigned char *data, uint32_t n)
{
    uint32_t copies = 0;
    qsort(data, n, FILL_UNIT, compare_units);
    for (uint32_t i = 0; i < n; i++) {
        const unsigned char *at = data + (size_t)i * FILL_UNIT;
        copies += (i > 0 && !compare_units(at, at - FILL_UNIT)) ||
                  (i + 1 < n && !compare_units(at, at + FILL_UNIT));
    }
    return copies;
}

static unsigned char *made(enum fill_kind kind, uint32_t percent, size_t n)
{
    struct fill f = { .kind = kind, .percent = percent };
    struct rng r = rng_seed(5);
    unsigned char *data = xmalloc(n);
    fill_make(&f, &r, 0, data, n);
    return data;
}

/* What a worker would write, in pieces of `size`, of which `used` bytes reach the device. */
static unsigned char *written(struct fill f, uint32_t size, uint32_t used)
{
    struct buffers b;
    struct slot slots[SLOTS] = { 0 };
    struct error e = { 0 };
    struct buffers_wanted w = { .n_slots = SLOTS,
                                .largest_write = size,
                                .align = 4096,
                                .n_threads = 1,
                                .salt = 77,
                                .fill = &f };
    assert_int_equal(buffers_open(&b, &w, slots, &e), 0);
    unsigned char *data = xmalloc(BYTES);
    for (size_t i = 0; i < BYTES / used; i++) {
        struct slot *s = &slots[i % SLOTS];
        memcpy(data + i * used, s->write_data, used);
        buffers_next_write(&b, s);
    }
    buffers_close(&b);
    return data;
}

static void zlib_finds_the_compressible_share(void **state)
{
    (void)state;
    static const uint32_t percents[] = { 0, 10, 25, 50, 75, 90, 100 };
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        unsigned char *laid = made(FILL_COMPRESSIBLE, percents[i], BYTES);
        struct fill f = { .kind = FILL_COMPRESSIBLE, .percent = percents[i] };
        unsigned char *data = written(f, 16384, 16384);
        double want = 1 - percents[i] / 100.0;
        assert_true(fabs(deflated_share(laid, BYTES) - want) < 0.03);
        assert_true(fabs(deflated_share(data, BYTES) - want) < 0.03);
        assert_int_equal(count_copies(data, UNITS), percents[i] == 100 ? UNITS : 0);
        free(laid);
        free(data);
    }
}

/* Where only the first block of each piece is used, the pool has 64 of them: the share is coarser. */
static void counting_finds_the_duplicate_share(void **state)
{
    (void)state;
    static const uint32_t percents[] = { 0, 5, 30, 50, 75, 100 };
    static const struct {
        uint32_t size, used;
    } sizes[] = { { 4096, 4096 }, { 65536, 65536 }, { 65536, 4096 }, { 1 << 20, 1 << 20 } };
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        unsigned char *laid = made(FILL_DUPLICATE, percents[i], BYTES);
        double want = UNITS * percents[i] / 100.0;
        assert_true(fabs(count_copies(laid, UNITS) - want) <= UNITS / 100.0);
        free(laid);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct fill f = { .kind = FILL_DUPLICATE, .percent = percents[i] };
            unsigned char *data = written(f, sizes[k].size, sizes[k].used);
            double within = sizes[k].used == sizes[k].size ? 0.01 : 0.04;
            assert_true(fabs(count_copies(data, UNITS) - want) <= UNITS * within);
            free(data);
        }
    }
}

/* A copy must not be found by a compressor within a block: that would be another property. */
static void duplicates_do_not_compress(void **state)
{
    (void)state;
    unsigned char *data = made(FILL_DUPLICATE, 100, FILL_UNIT);
    assert_true(deflated_share(data, FILL_UNIT) > 0.99);
    uint64_t mark;
    memcpy(&mark, data, sizeof mark);
    assert_true(mark == fill_copy_mark());
    free(data);
}

static void odd_lengths_end_where_they_should(void **state)
{
    (void)state;
    for (int k = FILL_COMPRESSIBLE; k <= FILL_DUPLICATE; k++)
        for (size_t n = 1; n < 9000; n += 511) {
            struct fill f = { .kind = (enum fill_kind)k, .percent = 60 };
            struct rng r = rng_seed(1);
            unsigned char *data = xmalloc(n + 8);
            memset(data, 0xaa, n + 8);
            fill_make(&f, &r, 0, data, n);
            for (size_t i = 0; i < 8; i++)
                assert_int_equal(data[n + i], 0xaa);
            free(data);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zlib_finds_the_compressible_share),
        cmocka_unit_test(counting_finds_the_duplicate_share),
        cmocka_unit_test(duplicates_do_not_compress),
        cmocka_unit_test(odd_lengths_end_where_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
