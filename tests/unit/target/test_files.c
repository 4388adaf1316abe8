/* Targets that are files, directories and memory: looked at, permitted, opened, closed. Runs as any user, in a folder of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "target/target.h"
#include "unit.h"

#define MIB (1L << 20)

static struct arena *a;
static char folder[64];

static int start(void **state)
{
    (void)state;
    a = arena_new();
    snprintf(folder, sizeof folder, "/tmp/qdepth-files-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static int stop(void **state)
{
    (void)state;
    arena_free(a);
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char *in(const char *name)
{
    return arena_printf(a, "%s/%s", folder, name);
}

static char *precious(const char *name, size_t n)
{
    struct error e;
    char *bytes = arena_alloc(a, n);
    memset(bytes, 'p', n);
    assert_int_equal(file_write(in(name), bytes, n, &e), 0);
    return in(name);
}

static void assert_untouched(const char *path, size_t n)
{
    struct error e;
    char *bytes = NULL;
    size_t got = 0;
    assert_int_equal(file_read(a, path, 64 * MIB, &bytes, &got, &e), 0);
    assert_int_equal(got, n);
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != 'p')
            fail_msg("byte %zu of '%s' was changed", i, path);
}

static struct target_info probed(const char *text)
{
    struct error e = { 0 };
    struct target_spec s;
    struct target_info t;
    if (target_spec_parse(a, text, &s, &e) || target_probe(a, &s, &t, &e))
        fail_msg("%s", e.what);
    return t;
}

static void probe_fails(const char *text, enum qd_code code, const char *words)
{
    struct error e = { 0 };
    struct target_spec s;
    struct target_info t;
    assert_int_equal(target_spec_parse(a, text, &s, &e), 0);
    assert_int_equal(target_probe(a, &s, &t, &e), -1);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
    assert_int_equal(e.code, code);
}

static struct write_permit *permit(const struct target_info *t, const char *destroy)
{
    struct error e = { 0 };
    struct write_permit *p = NULL;
    if (permit_ask(a, t, (const char *[]) { destroy, NULL }, &p, &e))
        fail_msg("%s", e.what);
    return p;
}

static void permit_fails(const struct target_info *t, const char *destroy, enum qd_code code,
                         const char *words)
{
    struct error e = { 0 };
    struct write_permit *p = NULL;
    assert_int_equal(permit_ask(a, t, (const char *[]) { destroy, NULL }, &p, &e), -1);
    assert_null(p);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
    assert_int_equal(e.code, code);
}

static struct target *opened(const struct target_info *t, struct write_permit *p, uint64_t span)
{
    struct error e = { 0 };
    struct target *x = NULL;
    if (target_open(a, t, p, span, &x, &e))
        fail_msg("%s", e.what);
    return x;
}

static void open_fails(const struct target_info *t, struct write_permit *p, uint64_t span,
                       enum qd_code code, const char *words)
{
    struct error e = { 0 };
    struct target *x = NULL;
    assert_int_equal(target_open(a, t, p, span, &x, &e), -1);
    assert_null(x);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
    assert_int_equal(e.code, code);
}

static size_t entries(void)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2; /* "." and ".." */
}

static int open_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* Writes and reads one block as the engine would. */
static void use(const struct opened_target *o, uint64_t offset)
{
    char *p = NULL;
    size_t n = o->block > 4096 ? o->block : 4096;
    assert_int_equal(posix_memalign((void **)&p, n, n), 0);
    memset(p, 'w', n);
    assert_int_equal(pwrite(o->fd, p, n, (off_t)offset), n);
    memset(p, 0, n);
    assert_int_equal(pread(o->fd, p, n, (off_t)offset), n);
    assert_int_equal(p[n - 1], 'w');
    free(p);
}

static void scratch_in_a_directory(void **state)
{
    (void)state;
    struct target_info t = probed(folder);
    int before = open_descriptors();
    assert_int_equal(t.kind, TARGET_DIRECTORY);
    assert_false(t.exists);
    assert_string_equal(t.name, strrchr(folder, '/') + 1);
    assert_true(t.available_bytes < t.capacity_bytes);
    struct target *x = opened(&t, permit(&t, NULL), 8 * MIB);
    const struct opened_target *o = target_opened(x);
    struct stat st;
    assert_int_equal(fstat(o->fd, &st), 0);
    assert_int_equal(st.st_size, 8 * MIB);
    assert_int_equal(st.st_nlink, 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(o->size, 8 * MIB);
    assert_true(o->writable);
    assert_false(o->block_device);
    assert_true(target_is_scratch(x));
    assert_null(target_own_file(x));
    assert_int_equal(entries(), 0);
    use(o, 4 * MIB);
    assert_null(target_close(x));
    assert_int_equal(entries(), 0);
    assert_int_equal(open_descriptors(), before);
}

static void direct_and_buffered(void **state)
{
    (void)state;
    struct target_info t = probed(arena_printf(a, "%s,direct=no", folder));
    struct target *x = opened(&t, permit(&t, NULL), MIB);
    assert_false(target_opened(x)->direct);
    assert_int_equal(target_opened(x)->block, 1);
    assert_int_equal(target_opened(x)->memory_align, 1);
    assert_false(fcntl(target_opened(x)->fd, F_GETFL) & O_DIRECT);
    target_close(x);
    t = probed(folder);
    x = opened(&t, permit(&t, NULL), MIB);
    const struct opened_target *o = target_opened(x);
    assert_int_equal((fcntl(o->fd, F_GETFL) & O_DIRECT) != 0, o->direct);
    if (o->direct) {
        assert_true(o->block >= 512 && (o->block & (o->block - 1)) == 0);
        assert_true(o->memory_align > 0);
    }
    target_close(x);
}

static void a_span_that_is_no_multiple_of_the_block(void **state)
{
    (void)state;
    struct target_info t = probed(folder);
    struct target *x = opened(&t, permit(&t, NULL), MIB + 77);
    const struct opened_target *o = target_opened(x);
    assert_int_equal(o->size, (MIB + 77) / o->block * o->block);
    target_close(x);
}

static void reading_a_directory_makes_nothing(void **state)
{
    (void)state;
    struct target_info t = probed(folder);
    open_fails(&t, NULL, MIB, QD_E_UNSAFE, "no permission was asked");
    assert_int_equal(entries(), 0);
}

static void a_directory_that_was_swapped(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in("d"), 0700), 0);
    struct target_info t = probed(in("d"));
    struct write_permit *p = permit(&t, NULL);
    assert_int_equal(rename(in("d"), in("old")), 0);
    assert_int_equal(mkdir(in("d"), 0700), 0);
    open_fails(&t, p, MIB, QD_E_UNSAFE, "another directory now");
}

static void a_named_file_is_made_and_removed(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in("sub"), 0700), 0);
    struct target_info t = probed(arena_printf(a, "N=%s/sub/../new.bin", folder));
    assert_int_equal(t.kind, TARGET_FILE);
    assert_false(file_exists(in("new.bin")));
    struct target *x = opened(&t, permit(&t, NULL), 2 * MIB);
    assert_string_equal(target_own_file(x), in("new.bin"));
    assert_true(target_is_scratch(x));
    struct stat st;
    assert_int_equal(stat(in("new.bin"), &st), 0);
    assert_int_equal(st.st_size, 2 * MIB);
    assert_int_equal(st.st_mode & 0777, 0600);
    use(target_opened(x), 0);
    target_close(x);
    assert_false(file_exists(in("new.bin")));
}

static void only_the_file_that_was_made_is_removed(void **state)
{
    (void)state;
    struct target_info t = probed(in("new.bin"));
    struct target *x = opened(&t, permit(&t, NULL), MIB);
    assert_int_equal(rename(in("new.bin"), in("moved.bin")), 0);
    precious("new.bin", 100);
    target_close(x);
    assert_untouched(in("new.bin"), 100);
    assert_true(file_exists(in("moved.bin")));
}

static void a_file_that_appears_after_the_look(void **state)
{
    (void)state;
    struct target_info t = probed(in("new.bin"));
    struct write_permit *p = permit(&t, NULL);
    precious("new.bin", 4096);
    open_fails(&t, p, MIB, QD_E_UNSAFE, "did not exist a moment ago");
    assert_untouched(in("new.bin"), 4096);
}

static void a_link_that_appears_after_the_look(void **state)
{
    (void)state;
    struct target_info t = probed(in("new.bin"));
    struct write_permit *p = permit(&t, NULL);
    precious("victim", 4096);
    assert_int_equal(symlink(in("victim"), in("new.bin")), 0);
    open_fails(&t, p, MIB, QD_E_UNSAFE, "did not exist a moment ago");
    assert_untouched(in("victim"), 4096);
}

static void an_existing_file_needs_permission(void **state)
{
    (void)state;
    const char *path = precious("data", 2 * MIB);
    struct target_info t = probed(path);
    assert_true(t.exists);
    assert_int_equal(t.capacity_bytes, 2 * MIB);
    permit_fails(&t, NULL, QD_E_UNSAFE, "allow it with --destroy");
    permit_fails(&t, in("other"), QD_E_UNSAFE, "its content would be lost");
    permit_fails(&t, "data", QD_E_UNSAFE, "its content would be lost");
    assert_untouched(path, 2 * MIB);
    struct target *x = opened(&t, permit(&t, path), 0);
    assert_int_equal(target_opened(x)->size, 2 * MIB);
    assert_true(target_opened(x)->writable);
    assert_false(target_is_scratch(x));
    assert_null(target_own_file(x));
    use(target_opened(x), MIB);
    target_close(x);
    assert_true(file_exists(path));
}

static void reading_an_existing_file(void **state)
{
    (void)state;
    const char *path = precious("data", 2 * MIB + 100);
    struct target_info t = probed(path);
    struct target *x = opened(&t, NULL, 0);
    const struct opened_target *o = target_opened(x);
    assert_false(o->writable);
    assert_int_equal(fcntl(o->fd, F_GETFL) & O_ACCMODE, O_RDONLY);
    assert_int_equal(o->size, (2 * MIB + 100) / o->block * o->block);
    assert_int_equal(pwrite(o->fd, "x", 1, 0), -1);
    target_close(x);
    x = opened(&t, NULL, MIB);
    assert_int_equal(target_opened(x)->size, MIB);
    target_close(x);
    open_fails(&t, NULL, 3 * MIB, QD_E_FAIL, "less than the span of 3");
    assert_untouched(path, 2 * MIB + 100);
}

static void an_empty_file_and_a_tiny_one(void **state)
{
    (void)state;
    precious("empty", 0);
    struct target_info t = probed(in("empty"));
    open_fails(&t, NULL, 0, QD_E_FAIL, "is empty");
    precious("tiny", 100);
    t = probed(in("tiny"));
    struct error e = { 0 };
    struct target *x = NULL;
    if (target_open(a, &t, NULL, 0, &x, &e))
        assert_non_null(strstr(e.what, "no room for one I/O"));
    else
        assert_int_equal(target_opened(x)->block, 1);
    target_close(x);
}

static void a_file_that_was_replaced(void **state)
{
    (void)state;
    const char *path = precious("data", MIB);
    struct target_info t = probed(path);
    struct write_permit *p = permit(&t, path);
    precious("other", MIB);
    assert_int_equal(rename(in("other"), path), 0);
    open_fails(&t, p, 0, QD_E_UNSAFE, "another file now");
    open_fails(&t, NULL, 0, QD_E_UNSAFE, "another file now");
    permit_fails(&t, path, QD_E_UNSAFE, "another file now");
    assert_untouched(path, MIB);
}

static void a_file_replaced_by_a_link_or_pipe(void **state)
{
    (void)state;
    const char *path = precious("data", MIB);
    struct target_info t = probed(path);
    struct write_permit *p = permit(&t, path);
    assert_int_equal(unlink(path), 0);
    precious("victim", MIB);
    assert_int_equal(symlink(in("victim"), path), 0);
    open_fails(&t, p, 0, QD_E_UNSAFE, "another file now");
    assert_untouched(in("victim"), MIB);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    open_fails(&t, p, 0, QD_E_UNSAFE, "another file now");
}

static void a_permit_is_for_one_target(void **state)
{
    (void)state;
    const char *one = precious("one", MIB), *two = precious("two", MIB);
    struct target_info t1 = probed(one), t2 = probed(two);
    struct target_info d = probed(folder), n1 = probed(in("new1")), n2 = probed(in("new2"));
    struct write_permit *p = permit(&t1, one);
    open_fails(&t2, p, 0, QD_E_UNSAFE, "for another");
    open_fails(&d, p, MIB, QD_E_UNSAFE, "for another");
    open_fails(&n2, permit(&n1, NULL), MIB, QD_E_UNSAFE, "for another");
    open_fails(&t1, permit(&d, NULL), 0, QD_E_UNSAFE, "for another");
    assert_untouched(one, MIB);
    assert_untouched(two, MIB);
}

static void a_link_to_a_file_is_that_file(void **state)
{
    (void)state;
    const char *path = precious("data", MIB);
    assert_int_equal(symlink(path, in("link")), 0);
    struct target_info t = probed(in("link")), direct = probed(path);
    assert_true(target_same(&t, &direct));
    assert_string_equal(t.identity, direct.identity);
    permit_fails(&t, NULL, QD_E_UNSAFE, "refused to write");
    permit(&t, path);
    permit(&t, in("link"));
}

static void a_file_another_program_has_open(void **state)
{
    (void)state;
    const char *path = precious("data", MIB);
    struct target_info t = probed(path);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    permit_fails(&t, path, QD_E_UNSAFE, "another program has it open");
    close(fd);
    permit(&t, path);
    assert_untouched(path, MIB);
}

static void places_where_nothing_is_made(void **state)
{
    (void)state;
    probe_fails("/dev/nvme9n1", QD_E_USAGE, "no such device '/dev/nvme9n1'");
    probe_fails("/dev/no/such/disk", QD_E_USAGE, "no such device '/dev/no/such/disk'");
    probe_fails("/proc/qdepth", QD_E_USAGE, "no such file '/proc/qdepth'");
    probe_fails("/sys/qdepth", QD_E_USAGE, "no such file '/sys/qdepth'");
    probe_fails("/dev", QD_E_USAGE, "cannot make a scratch file in '/dev'");
    probe_fails("/dev/shm", QD_E_USAGE, "try mem:");
    probe_fails("/proc/self", QD_E_USAGE, "cannot make a scratch file");
    probe_fails("loop:/dev/nvme9n1", QD_E_USAGE, "no such device");
    probe_fails("/tmp/../dev/nvme9n1", QD_E_USAGE, "no such device");
    probe_fails("/proc/self/status", QD_E_USAGE, "is no storage");
    probe_fails("/sys/kernel/uevent_seqnum", QD_E_USAGE, "is no storage");
    assert_int_equal(symlink("/dev", in("dev")), 0);
    assert_int_equal(symlink("/proc/self", in("proc")), 0);
    probe_fails(in("dev/nvme9n1"), QD_E_USAGE, "no such device");
    probe_fails(in("dev"), QD_E_USAGE, "cannot make a scratch file");
    probe_fails(in("proc/qdepth"), QD_E_USAGE, "no such file");
    probe_fails(in("proc/oom_score_adj"), QD_E_USAGE, "is no storage");
}

static void things_that_are_no_target(void **state)
{
    (void)state;
    probe_fails("/dev/null", QD_E_USAGE, "neither a block device");
    assert_int_equal(mkfifo(in("pipe"), 0600), 0);
    probe_fails(in("pipe"), QD_E_USAGE, "neither a block device");
    probe_fails(in("none/file"), QD_E_NOTFOUND, "no such directory");
    probe_fails(in("none/"), QD_E_NOTFOUND, "no such directory");
    precious("data", 10);
    probe_fails(in("data/file"), QD_E_IO, "cannot use");
    assert_int_equal(symlink("nowhere", in("dangling")), 0);
    probe_fails(in("dangling"), QD_E_NOTFOUND, "link to nothing");
    assert_int_equal(symlink("circle", in("circle")), 0);
    probe_fails(in("circle"), QD_E_IO, "cannot use");
    probe_fails(arena_printf(a, "loop:%s", folder), QD_E_USAGE, "it is a directory");
    char *longest = arena_alloc(a, 5000);
    memset(longest, 'x', 4999);
    probe_fails(longest, QD_E_IO, "cannot use");
    assert_int_equal(entries(), 4);
}

static void too_little_space(void **state)
{
    (void)state;
    struct target_info t = probed(folder), n = probed(in("new.bin")), m = probed("mem:");
    uint64_t huge = 1ull << 50;
    open_fails(&t, permit(&t, NULL), huge, QD_E_FAIL, "free, less than the span of 1");
    open_fails(&n, permit(&n, NULL), huge, QD_E_FAIL, "free, less than the span of");
    open_fails(&m, permit(&m, NULL), huge, QD_E_FAIL, "free, less than the span of");
    assert_int_equal(entries(), 0);
}

static void memory(void **state)
{
    (void)state;
    int before = open_descriptors();
    struct target_info t = probed("mem:16MiB");
    assert_string_equal(t.name, "mem");
    assert_string_equal(t.identity, "memory");
    assert_int_equal(t.kind, TARGET_MEMORY);
    struct target *x = opened(&t, permit(&t, NULL), 8 * MIB);
    const struct opened_target *o = target_opened(x);
    assert_int_equal(o->size, 8 * MIB);
    assert_true(target_is_scratch(x));
    assert_null(target_own_file(x));
    assert_int_equal((fcntl(o->fd, F_GETFL) & O_DIRECT) != 0, o->direct);
    use(o, 4 * MIB);
    target_close(x);
    open_fails(&t, permit(&t, NULL), 17 * MIB, QD_E_USAGE, "smaller than the span of 17");
    x = opened(&t, permit(&t, NULL), 0);
    assert_int_equal(target_opened(x)->size, 16 * MIB);
    target_close(x);
    assert_int_equal(open_descriptors(), before);
}

static void same_or_not(void **state)
{
    (void)state;
    const char *path = precious("data", MIB);
    precious("other", MIB);
    assert_int_equal(link(path, in("hard")), 0);
    struct target_info data = probed(path), hard = probed(in("hard")), other = probed(in("other"));
    struct target_info new1 = probed(in("n")), new2 = probed(in("./n")), new3 = probed(in("m"));
    struct target_info dir = probed(folder), mem = probed("mem:"),
                       loop = probed(arena_printf(a, "loop:%s", path));
    assert_true(target_same(&data, &hard));
    assert_true(target_same(&data, &loop));
    assert_true(target_same(&new1, &new2));
    assert_false(target_same(&data, &other));
    assert_false(target_same(&new1, &new3));
    assert_false(target_same(&new1, &data));
    assert_false(target_same(&dir, &dir));
    assert_false(target_same(&mem, &mem));
    assert_false(target_same(&dir, &new1));
}

static void default_spans(void **state)
{
    (void)state;
    const char *why = "not set";
    struct target_info t = { .kind = TARGET_DIRECTORY, .capacity_bytes = 100ull << 30 };
    assert_int_equal(target_default_span(a, &t, &why), 1ull << 30);
    assert_null(why);
    t.capacity_bytes = (100ull << 20) + 12345;
    assert_int_equal(target_default_span(a, &t, &why), 10ull << 20);
    assert_non_null(strstr(why, "10\u00a0% of the 100\u00a0MiB free"));
    t.capacity_bytes = 5ull << 20;
    assert_int_equal(target_default_span(a, &t, &why), 0);
    t.kind = TARGET_MEMORY;
    t.capacity_bytes = 2ull << 30;
    assert_int_equal(target_default_span(a, &t, &why), 512ull << 20);
    assert_non_null(strstr(why, "25\u00a0% of the 2\u00a0GiB of memory available"));
    t.spec.memory_bytes = 64 << 20;
    assert_int_equal(target_default_span(a, &t, &why), 64 << 20);
    assert_non_null(strstr(why, "mem:64"));
    t = (struct target_info) { .kind = TARGET_FILE, .exists = true, .capacity_bytes = 12345 };
    assert_int_equal(target_default_span(a, &t, NULL), 12345);
}

static void closing_nothing(void **state)
{
    (void)state;
    assert_null(target_close(NULL));
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(scratch_in_a_directory),
        T(direct_and_buffered),
        T(a_span_that_is_no_multiple_of_the_block),
        T(reading_a_directory_makes_nothing),
        T(a_directory_that_was_swapped),
        T(a_named_file_is_made_and_removed),
        T(only_the_file_that_was_made_is_removed),
        T(a_file_that_appears_after_the_look),
        T(a_link_that_appears_after_the_look),
        T(an_existing_file_needs_permission),
        T(reading_an_existing_file),
        T(an_empty_file_and_a_tiny_one),
        T(a_file_that_was_replaced),
        T(a_file_replaced_by_a_link_or_pipe),
        T(a_permit_is_for_one_target),
        T(a_link_to_a_file_is_that_file),
        T(a_file_another_program_has_open),
        T(places_where_nothing_is_made),
        T(things_that_are_no_target),
        T(too_little_space),
        T(memory),
        T(same_or_not),
        T(default_spans),
        T(closing_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
