/* What is written: no two blocks equal, the fill asked for, reads and writes apart. */
#include "engine/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "unit.h"

enum { SLOTS = 4 };

static struct buffers_wanted wanted(const struct fill *f, uint32_t read, uint32_t write)
{
    return (struct buffers_wanted) { .n_slots = SLOTS,
                                     .largest_read = read,
                                     .largest_write = write,
                                     .align = 4096,
                                     .n_threads = 1,
                                     .salt = 12345,
                                     .fill = f };
}

static void open_or_fail(struct buffers *b, const struct buffers_wanted *w, struct slot *slots)
{
    struct error e = { 0 };
    if (buffers_open(b, w, slots, &e) != 0)
        fail_msg("%s", e.what);
}

static unsigned char *next_write(struct buffers *b, struct slot *s)
{
    buffers_next_write(b, s);
    return s->write_data;
}

static int compare_blocks(const void *a, const void *b)
{
    return memcmp(a, b, STAMP_BYTES);
}

static void assert_no_two_equal(unsigned char *blocks, size_t n)
{
    qsort(blocks, n, STAMP_BYTES, compare_blocks);
    for (size_t i = 1; i < n; i++)
        assert_memory_not_equal(blocks + (i - 1) * STAMP_BYTES, blocks + i * STAMP_BYTES,
                                STAMP_BYTES);
}

/* Far more data than the pool holds. */
static void no_two_random_blocks_are_equal(void **state)
{
    (void)state;
    static const struct fill random = { .kind = FILL_RANDOM };
    struct buffers b;
    struct slot slots[SLOTS] = { 0 };
    struct buffers_wanted w = wanted(&random, 0, 65536);
    open_or_fail(&b, &w, slots);
    enum { WRITES = 512, BLOCKS = 65536 / STAMP_BYTES };
    assert_true((size_t)WRITES * 65536 > 4 * b.bytes);
    unsigned char *all = xmalloc((size_t)WRITES * 65536);
    for (size_t i = 0; i < WRITES; i++)
        memcpy(all + i * 65536, next_write(&b, &slots[i % SLOTS]), 65536);
    assert_no_two_equal(all, (size_t)WRITES * BLOCKS);
    free(all);
    buffers_close(&b);
}

static void two_workers_never_write_the_same(void **state)
{
    (void)state;
    static const struct fill random = { .kind = FILL_RANDOM };
    enum { EACH = 4096 };
    unsigned char *all = xmalloc((size_t)2 * EACH * STAMP_BYTES);
    for (uint32_t t = 0; t < 2; t++) {
        struct buffers b;
        struct slot slots[SLOTS] = { 0 };
        struct buffers_wanted w = wanted(&random, 0, 512);
        w.n_threads = 2;
        w.thread = t;
        open_or_fail(&b, &w, slots);
        for (size_t i = 0; i < EACH; i++)
            memcpy(all + (t * EACH + i) * STAMP_BYTES, next_write(&b, &slots[0]), 512);
        buffers_close(&b);
    }
    assert_no_two_equal(all, 2 * EACH);
    free(all);
}

/* Neighbouring writes differ in all their bytes, not in the stamp alone: a filesystem that compresses 128 KiB at once
 * must not find repetitions. */
static void neighbours_share_no_data(void **state)
{
    (void)state;
    static const struct fill random = { .kind = FILL_RANDOM };
    struct buffers b;
    struct slot slots[SLOTS] = { 0 };
    struct buffers_wanted w = wanted(&random, 0, 4096);
    w.n_slots = 1;
    open_or_fail(&b, &w, slots);
    unsigned char *data[256];
    for (size_t i = 0; i < 256; i++) {
        data[i] = next_write(&b, &slots[0]);
        for (size_t k = 0; k < i; k++)
            assert_memory_not_equal(data[i] + 8, data[k] + 8, STAMP_BYTES - 8);
    }
    buffers_close(&b);
}

static void fills_are_what_was_asked_for(void **state)
{
    (void)state;
    static const struct fill fills[] = {
        { .kind = FILL_ZERO },
        { .kind = FILL_ONES },
        { .kind = FILL_PATTERN, .pattern_bytes = 3, .pattern = { 0xde, 0xad, 0x01 } }
    };
    for (size_t f = 0; f < 3; f++) {
        struct buffers b;
        struct slot slots[SLOTS] = { 0 };
        struct buffers_wanted w = wanted(&fills[f], 4096, 8192);
        open_or_fail(&b, &w, slots);
        for (int round = 0; round < 3; round++) {
            const unsigned char *data = next_write(&b, &slots[1]);
            for (size_t i = 0; i < 8192; i++)
                assert_int_equal(data[i], f == 0 ? 0 : f == 1 ? 0xff : fills[2].pattern[i % 3]);
        }
        buffers_close(&b);
    }
}

static void buffers_are_apart_and_aligned(void **state)
{
    (void)state;
    static const struct fill random = { .kind = FILL_RANDOM };
    struct buffers b;
    struct slot slots[SLOTS] = { 0 };
    struct buffers_wanted w = wanted(&random, 12000, 5000);
    open_or_fail(&b, &w, slots);
    for (size_t i = 0; i < SLOTS; i++) {
        assert_true((uintptr_t)slots[i].read_buffer % 4096 == 0);
        memset(slots[i].read_buffer, 0xee, b.read_bytes);
    }
    for (size_t i = 0; i < 10000; i++) {
        const struct slot *s = &slots[i % SLOTS];
        unsigned char *data = next_write(&b, &slots[i % SLOTS]);
        assert_true((uintptr_t)data % 4096 == 0);
        assert_true(data >= s->write_buffer && data + 5000 <= s->write_buffer + b.write_bytes);
    }
    for (size_t i = 0; i < SLOTS; i++)
        for (size_t k = 0; k < b.read_bytes; k++)
            assert_int_equal(slots[i].read_buffer[k], 0xee);
    buffers_close(&b);
}

static void many_workers_do_not_take_much_memory(void **state)
{
    (void)state;
    static const struct fill random = { .kind = FILL_RANDOM };
    struct buffers_wanted w = wanted(&random, 4096, 4096);
    w.n_threads = 256;
    w.n_slots = 32;
    assert_true(buffers_size(&w) <= 32 * (4096 + 8192));
    w.n_threads = 1;
    assert_true(buffers_size(&w) == (4 << 20) + 32 * 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_random_blocks_are_equal),
        cmocka_unit_test(two_workers_never_write_the_same),
        cmocka_unit_test(neighbours_share_no_data),
        cmocka_unit_test(fills_are_what_was_asked_for),
        cmocka_unit_test(buffers_are_apart_and_aligned),
        cmocka_unit_test(many_workers_do_not_take_much_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
