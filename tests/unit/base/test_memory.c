#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/oom.h"
#include "unit.h"

static jmp_buf escape;
static size_t wanted;

static void hook(size_t bytes)
{
    wanted = bytes;
    longjmp(escape, 1);
}

static bool all_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

static void arena_hands_out_zeroed_aligned_memory(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    static const size_t sizes[] = { 0, 1, 7, 16, 17, 1000, 20000, 65536, 70000, 3, 200000, 5 };
    size_t sum = 0;
    unsigned char *at[countof(sizes)];
    for (size_t i = 0; i < countof(sizes); i++) {
        at[i] = arena_alloc(a, sizes[i]);
        assert_int_equal((uintptr_t)at[i] % _Alignof(max_align_t), 0);
        assert_true(all_zero(at[i], sizes[i]));
        memset(at[i], (int)i + 1, sizes[i]);
        sum += sizes[i];
    }
    for (size_t i = 0; i < countof(sizes); i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(at[i][k], i + 1);
    assert_int_equal(arena_used(a), sum);
    arena_free(a);
    arena_free(NULL);
}

static void arena_many_small(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    uint32_t **rows = arena_array(a, uint32_t *, 50000);
    for (uint32_t i = 0; i < 50000; i++) {
        rows[i] = arena_one(a, uint32_t);
        assert_int_equal(*rows[i], 0);
        *rows[i] = i;
    }
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(*rows[i], i);
    arena_free(a);
}

static void arena_strings(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    assert_null(arena_strdup(a, NULL));
    assert_string_equal(arena_strdup(a, ""), "");
    assert_string_equal(arena_strdup(a, "abc"), "abc");
    assert_string_equal(arena_strndup(a, "abcdef", 3), "abc");
    assert_string_equal(arena_strndup(a, "ab", 30), "ab");
    assert_string_equal(arena_printf(a, "%s-%05d", "x", 42), "x-00042");
    assert_string_equal(arena_printf(a, "%s", ""), "");
    assert_memory_equal(arena_memdup(a, "a\0b", 4), "a\0b", 4);
    assert_non_null(arena_memdup(a, NULL, 0));
    arena_free(a);
}

static void overflow_calls_the_hook(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    base_on_oom(hook);
    if (setjmp(escape) == 0) {
        arena_array(a, uint64_t, SIZE_MAX / 4);
        fail_msg("an impossible array was made");
    }
    assert_int_equal(wanted, SIZE_MAX);
    if (setjmp(escape) == 0) {
        arena_alloc(a, SIZE_MAX - 8);
        fail_msg("an impossible block was made");
    }
    assert_int_equal(wanted, SIZE_MAX - 8);
    base_on_oom(NULL);
    arena_free(a);
}

static void array_grows_and_zeroes(void **state)
{
    (void)state;
    struct row {
        int a;
        double b;
    };
    ARRAY(struct row) rows = { 0 };
    for (int i = 0; i < 1000; i++) {
        struct row *r = array_push(&rows);
        assert_int_equal(r->a, 0);
        assert_true(r->b == 0);
        r->a = i;
        r->b = i / 2.0;
    }
    assert_int_equal(rows.n, 1000);
    assert_true(rows.cap >= rows.n);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(rows.at[i].a, i);
    rows.n = 10; /* a slot used before comes back zeroed */
    assert_int_equal(array_push(&rows)->a, 0);
    assert_int_equal(rows.n, 11);
    array_free(&rows);
    assert_null(rows.at);
    assert_int_equal(rows.n + rows.cap, 0);
    array_free(&rows);
}

static void x_family(void **state)
{
    (void)state;
    char *s = xstrdup("text");
    assert_string_equal(s, "text");
    s = xrealloc(s, 100);
    assert_string_equal(s, "text");
    free(s);
    unsigned char *z = xcalloc(10, 10);
    assert_true(all_zero(z, 100));
    free(z);
    void *p = xmalloc(0);
    assert_non_null(p);
    free(p);
    p = xcalloc(0, 8);
    assert_non_null(p);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_hands_out_zeroed_aligned_memory),
        cmocka_unit_test(arena_many_small),
        cmocka_unit_test(arena_strings),
        cmocka_unit_test(overflow_calls_the_hook),
        cmocka_unit_test(array_grows_and_zeroes),
        cmocka_unit_test(x_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
