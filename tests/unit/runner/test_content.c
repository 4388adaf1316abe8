/* How files are stored and what is in them. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "runner/content.h"
#include "runner/extents.h"
#include "unit.h"

enum { KIB = 1024, MIB = 1024 * KIB };

static char path[64];
static int fd = -1;

static int begin(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/qdepth-content-XXXXXX");
    fd = mkstemp(path);
    return fd < 0;
}

static int end(void **state)
{
    (void)state;
    close(fd);
    return unlink(path);
}

/* kind 0: zeros, 1: random, 2: text */
static void put(uint64_t at, size_t n, int kind)
{
    unsigned char *bytes = calloc(1, n);
    struct rng r = rng_seed(at + 1);
    if (kind == 1)
        rng_fill(&r, bytes, n);
    for (size_t i = 0; kind == 2 && i < n; i++)
        bytes[i] = (unsigned char)("etaoin shrdlu"[rng_below(&r, 13)]);
    assert_int_equal(pwrite(fd, bytes, n, (off_t)at), n);
    free(bytes);
}

static struct content look(uint64_t size)
{
    const struct opened_target o = { .fd = fd, .size = size, .block = 512, .memory_align = 512 };
    return content_look(&o);
}

static void whole_file(void **state)
{
    (void)state;
    put(0, MIB, 1);
    struct extents x = extents_find(fd, MIB);
    assert_true(x.known);
    assert_int_equal(x.hole_bytes, 0);
    assert_int_equal(x.unwritten_bytes, 0);
}

static void holes_are_measured(void **state)
{
    (void)state;
    put(0, 64 * KIB, 1);
    put(512 * KIB, 64 * KIB, 1);
    assert_int_equal(ftruncate(fd, MIB), 0);
    struct extents x = extents_find(fd, MIB);
    if (!x.known)
        skip();
    assert_int_equal(x.hole_bytes, MIB - 128 * KIB);
    assert_int_equal(x.first_hole, 64 * KIB);
    /* only the span counts */
    assert_int_equal(extents_find(fd, 64 * KIB).hole_bytes, 0);
    assert_int_equal(extents_find(fd, 128 * KIB).hole_bytes, 64 * KIB);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(ftruncate(fd, MIB), 0);
    assert_int_equal(extents_find(fd, MIB).hole_bytes, MIB);
}

static void reserved_is_not_written(void **state)
{
    (void)state;
    put(0, 64 * KIB, 1);
    if (fallocate(fd, 0, 64 * KIB, MIB - 64 * KIB))
        skip();
    struct extents x = extents_find(fd, MIB);
    assert_int_equal(x.hole_bytes, 0);
    if (x.unwritten_bytes == 0)
        skip(); /* tmpfs knows no unwritten extents */
    assert_int_equal(x.unwritten_bytes, MIB - 64 * KIB);
    assert_int_equal(x.first_unwritten, 64 * KIB);
}

static void many_extents(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 1500; i++)
        put(i * 128 * KIB, 64 * KIB, 1);
    struct extents x = extents_find(fd, 1500 * 128 * KIB);
    if (!x.known)
        skip();
    assert_int_equal(x.hole_bytes, 1500 * 64 * KIB);
    assert_int_equal(x.first_hole, 64 * KIB);
}

static void entropy(void **state)
{
    (void)state;
    unsigned char bytes[4096];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    assert_close(content_entropy(bytes, sizeof bytes), 8, 1e-12);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = i % 2;
    assert_close(content_entropy(bytes, sizeof bytes), 1, 1e-12);
    memset(bytes, 7, sizeof bytes);
    assert_close(content_entropy(bytes, sizeof bytes), 0, 1e-12);
}

static void data_is_told_apart(void **state)
{
    (void)state;
    put(0, MIB, 1);
    struct content c = look(MIB);
    assert_int_equal(c.looked_at, 64);
    assert_int_equal(c.constant + c.compressible, 0);
    put(0, MIB / 2, 0);
    c = look(MIB);
    assert_int_equal(c.constant, 32);
    assert_int_equal(c.compressible, 0);
    put(MIB / 2, MIB / 4, 2);
    c = look(MIB);
    assert_int_equal(c.constant, 32);
    assert_int_equal(c.compressible, 16);
    assert_int_equal(look(8 * KIB).looked_at, 2);
    assert_int_equal(look(100).looked_at, 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(whole_file), T(holes_are_measured), T(reserved_is_not_written), T(many_extents),
        T(entropy),    T(data_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
