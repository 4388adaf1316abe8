/* Recordings of other tools: each format by itself and by its looks, and what is wrong with one named by its line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "matrix/trace.h"
#include "unit.h"

static struct arena *a;
static char path[64];

static int begin(void **state)
{
    (void)state;
    a = arena_new();
    snprintf(path, sizeof path, "/tmp/qdepth-trace-XXXXXX");
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int end(void **state)
{
    (void)state;
    arena_free(a);
    return unlink(path);
}

static struct trace *load_as(const char *text, enum trace_format format, double speed)
{
    struct trace *t = NULL;
    struct error e = { 0 };
    assert_int_equal(file_write(path, text, strlen(text), &e), 0);
    const struct trace_source s = { path, format, speed };
    if (trace_load(a, &s, &t, &e))
        fail_msg("%s %s", e.where, e.what);
    return t;
}

static void assert_refused(const char *text, const char *where, const char *what)
{
    struct trace *t = NULL;
    struct error e = { 0 };
    assert_int_equal(file_write(path, text, strlen(text), &e), 0);
    const struct trace_source s = { path, TRACE_GUESS, 1 };
    assert_int_equal(trace_load(a, &s, &t, &e), -1);
    assert_int_equal(e.code, QD_E_FORMAT);
    if (!strstr(e.where, where) || !strstr(e.what, what))
        fail_msg("'%s' '%s' lacks '%s' or '%s'", e.where, e.what, where, what);
}

static void assert_io(const struct trace *t, size_t i, struct trace_io want)
{
    assert_true(i < t->n);
    assert_int_equal(t->ios[i].at_ns, want.at_ns);
    assert_int_equal(t->ios[i].offset, want.offset);
    assert_int_equal(t->ios[i].size, want.size);
    assert_int_equal(t->ios[i].direction, want.direction);
}

static void fio_version_3(void **state)
{
    (void)state;
    const struct trace *t = load_as("fio version 3 iolog\n"
                                    "350 f add\n917 f open\n"
                                    "946 f read 61440 4096\n1046 f write 774144 8192\n"
                                    "2000 f sync 0 0\n2100 f trim 0 4096\n"
                                    "120749 f write 24576 512\n120865 f close\n",
                                    TRACE_GUESS, 1);
    assert_string_equal(t->format, "fio-iolog");
    assert_int_equal(t->n, 3);
    assert_io(t, 0, (struct trace_io) { 0, 61440, 4096, DIR_READ });
    assert_io(t, 1, (struct trace_io) { 100000, 774144, 8192, DIR_WRITE });
    assert_io(t, 2, (struct trace_io) { 119803000, 24576, 512, DIR_WRITE });
    assert_int_equal(t->left_out, 2);
    assert_int_equal(t->largest[DIR_READ], 4096);
    assert_int_equal(t->largest[DIR_WRITE], 8192);
    assert_int_equal(t->end, 774144 + 8192);
    assert_int_equal(trace_length_ns(t), 119803000);
}

/* Waits are relative to the one before. */
static void fio_version_2(void **state)
{
    (void)state;
    const struct trace *t = load_as("fio version 2 iolog\r\n/dev/sdx add\r\n/dev/sdx open\r\n"
                                    "/dev/sdx wait 1000\r\n/dev/sdx read 0 4096\r\n"
                                    "/dev/sdx wait 500 0\r\n/dev/sdx write 4096 4096\r\n"
                                    "/dev/sdx write 8192 4096\r\n/dev/sdx close\r\n",
                                    TRACE_GUESS, 2);
    assert_int_equal(t->n, 3);
    assert_io(t, 0, (struct trace_io) { 0, 0, 4096, DIR_READ });
    assert_io(t, 1, (struct trace_io) { 500000, 4096, 4096, DIR_WRITE });
    assert_io(t, 2, (struct trace_io) { 500000, 8192, 4096, DIR_WRITE });
    assert_int_equal(trace_length_ns(t), 250000);
}

static const char blk[] =
    "  8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]\n"
    "  8,0    3        2     0.000001829   697  Q   W 223490 + 8 [kjournald]\n"
    "  8,0    3        3     0.000050000   697  D   W 223490 + 8 [kjournald]\n"
    "  8,0    1        1     0.001500000    12  Q  RA 1000 + 16 [cat]\n"
    "  8,0    1        2     0.002000000    12  Q FWS 0 + 0 [sync]\n"
    "  8,0    1        3     0.003000000    12  Q   D 4096 + 2048 [fstrim]\n"
    "  8,0    0        9     0.000900000    13  Q   R 8 + 8 [x]\n"
    "  8,0    3       11     1.000000000     0  C   W 223490 + 8 [0]\n"
    "CPU0 (8,0):\n Reads Queued:           2,       12KiB\n";

static void blkparse_queued(void **state)
{
    (void)state;
    const struct trace *t = load_as(blk, TRACE_GUESS, 1);
    assert_string_equal(t->format, "blkparse");
    assert_int_equal(t->n, 3);
    assert_io(t, 0, (struct trace_io) { 0, 223490ull * 512, 4096, DIR_WRITE });
    assert_io(
        t, 1,
        (struct trace_io) { 898171, 8 * 512, 4096, DIR_READ }); /* another CPU's, put in order */
    assert_io(t, 2, (struct trace_io) { 1498171, 1000 * 512, 8192, DIR_READ });
    assert_int_equal(t->left_out, 2);
}

static void blkparse_issued_only(void **state)
{
    (void)state;
    const struct trace *t = load_as("  8,0    3        3     5.000050000   697  D   W 16 + 8 [k]\n"
                                    "  8,0    3        4     5.000060000   697  D   R 32 + 1 [k]\n",
                                    TRACE_BLKPARSE, 0);
    assert_int_equal(t->n, 2);
    assert_io(t, 1, (struct trace_io) { 10000, 32 * 512, 512, DIR_READ });
    assert_int_equal(trace_length_ns(t), 0);
}

static void msr_cambridge(void **state)
{
    (void)state;
    const struct trace *t = load_as("128166372003061629,hm,1,Read,383496192,32768,413\n"
                                    "128166372016382155,hm,1,Write,2822144000,4096,121\n",
                                    TRACE_GUESS, 1);
    assert_string_equal(t->format, "msr-csv");
    assert_int_equal(t->n, 2);
    assert_io(t, 0, (struct trace_io) { 0, 383496192, 32768, DIR_READ });
    assert_io(t, 1, (struct trace_io) { 1332052600, 2822144000, 4096, DIR_WRITE });
    struct access_line l = trace_line(t);
    assert_int_equal(l.size, 18432);
    assert_int_equal(l.read_bp, 5000);
    assert_int_equal(l.random_bp, 10000);
}

static void a_heading_is_passed_over(void **state)
{
    (void)state;
    assert_int_equal(load_as("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n"
                             "100,h,0,write,0,512,1\n",
                             TRACE_GUESS, 1)
                         ->n,
                     1);
}

static void the_digest_tells_replays_apart(void **state)
{
    (void)state;
    const char one[] = "fio version 3 iolog\n1 f read 0 4096\n9 f read 8192 4096\n";
    const char other[] = "fio version 3 iolog\n1 f read 0 4096\n9 f write 8192 4096\n";
    uint64_t d = load_as(one, TRACE_GUESS, 1)->digest;
    assert_true(load_as(one, TRACE_GUESS, 1)->digest == d);
    assert_true(load_as(one, TRACE_GUESS, 2)->digest != d);
    assert_true(load_as(other, TRACE_GUESS, 1)->digest != d);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    assert_refused("", "", "with reads or writes");
    assert_refused("hello\n", ":1", "fio iolog");
    assert_refused("fio version 9 iolog\n", ":1", "version 2");
    assert_refused("fio version 3 iolog\n1 f open\n", "", "with reads or writes");
    assert_refused("fio version 3 iolog\n\n1 f read 0\n", ":3", "a size");
    assert_refused("fio version 3 iolog\n1 f read 0 0\n", ":2", "a size");
    assert_refused("fio version 3 iolog\n1 f read 0 4294967296\n", ":2", "up to 64 MiB");
    assert_refused("fio version 3 iolog\n1 f read 18446744073709551615 4096\n", ":2", "offset");
    assert_refused("fio version 3 iolog\n1 f dance 0 4096\n", ":2", "read, write");
    assert_refused("fio version 3 iolog\nx f read 0 4096\n", ":2", "a time");
    assert_refused("fio version 2 iolog\nf wait soon\n", ":2", "after wait");
    assert_refused("1,h,0,Read,0,512,1\n2,h,0,Erase,0,512,1\n", ":2", "Read or Write");
    assert_refused("1,h,0,Read,0\n", ":1", "Timestamp");
    assert_refused("  8,0 3 3 5.0 6 Q W x + 8 [k]\n", ":1", "a sector");
    assert_refused("  8,0 3 3 5.0 6 Q W 1 + 999999999 [k]\n", ":1", "64 MiB");
    struct trace *t = NULL;
    struct error e = { 0 };
    assert_int_equal(trace_load(a, &(struct trace_source) { "/dev/zero", TRACE_GUESS, 1 }, &t, &e),
                     -1);
    assert_int_equal(trace_load(a, &(struct trace_source) { "/nosuch", TRACE_GUESS, 1 }, &t, &e),
                     -1);
    assert_int_equal(e.code, QD_E_IO);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(fio_version_3),
        T(fio_version_2),
        T(blkparse_queued),
        T(blkparse_issued_only),
        T(msr_cambridge),
        T(a_heading_is_passed_over),
        T(the_digest_tells_replays_apart),
        T(what_is_wrong_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
