/* Devices and files in use on a real kernel: what may be written, what is refused, what is left behind. */
#include "device.h"

static void a_blank_device_needs_its_name(void **state)
{
    (void)state;
    struct error e = { 0 };
    const char *node = blank_device();
    struct target_info t = probed(node);
    struct write_permit *p = NULL;
    assert_int_equal(t.kind, TARGET_BLOCK);
    assert_null(t.serial);
    assert_string_equal(t.sysfs, node + 5);
    assert_string_equal(t.identity, node + 5);
    assert_int_equal(t.capacity_bytes, 64 * MIB);
    assert_int_equal(t.logical_block, 512);
    assert_int_equal(permit_ask(a, &t, NULL, &p, &e), -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    assert_non_null(strstr(e.what, arena_printf(a, "(allow it with --destroy %s)", node)));
    const char *others[] = { "/dev/loop", "S123", "", NULL };
    assert_int_equal(permit_ask(a, &t, others, &p, &e), -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    permit(&t, node);
}

static void writing_a_device(void **state)
{
    (void)state;
    const char *node = blank_device();
    struct target_info t = probed(node);
    struct target *x = opened(&t, permit(&t, node), 0);
    const struct opened_target *o = target_opened(x);
    assert_true(o->writable);
    assert_true(o->block_device);
    assert_int_equal(o->size, 64 * MIB);
    assert_false(target_is_scratch(x));
    assert_null(target_own_file(x));
    use(o, 32 * MIB);
    /* While it is held, nobody else may claim it, and the guard tells of no user. */
    assert_int_equal(open(node, O_RDONLY | O_EXCL), -1);
    assert_int_equal(errno, EBUSY);
    refused(node, QD_E_UNSAFE, "another program holds it");
    assert_false(found(node, ""));
    target_close(x);
    int fd = open(node, O_RDONLY | O_EXCL);
    assert_true(fd >= 0);
    close(fd);
}

static void reading_a_device(void **state)
{
    (void)state;
    const char *node = blank_device();
    struct target_info t = probed(node);
    struct target *x = opened(&t, NULL, 16 * MIB);
    assert_false(target_opened(x)->writable);
    assert_int_equal(target_opened(x)->size, 16 * MIB);
    assert_int_equal(fcntl(target_opened(x)->fd, F_GETFL) & O_ACCMODE, O_RDONLY);
    target_close(x);
    open_fails(&t, NULL, 65 * MIB, "less than the span of 65");
}

static void a_link_to_a_device_is_that_device(void **state)
{
    (void)state;
    const char *node = blank_device();
    assert_int_equal(symlink(node, in("by-id")), 0);
    struct target_info t = probed(in("by-id")), same = probed(node);
    assert_int_equal(t.kind, TARGET_BLOCK);
    assert_true(target_same(&t, &same));
    permit(&t, node);
    permit(&t, in("by-id"));
}

static void a_mounted_device(void **state)
{
    (void)state;
    const char *node = blank_device();
    make(arena_printf(a, "mkfs.ext4 -q %s", node));
    mount_here(node, "ext4", NULL);
    refused(node, QD_E_UNSAFE, arena_printf(a, "mounted at %s/mnt", folder));
    /* Reading it is allowed. */
    struct target_info t = probed(node);
    target_close(opened(&t, NULL, 0));
    /* And a file or directory on it knows its device. */
    struct target_info d = probed(in("mnt"));
    assert_string_equal(d.sysfs, node + 5);
    bool filesystem = false;
    for (size_t i = 0; i < d.n_facts; i++)
        filesystem |= strcmp(d.facts[i].key, "Filesystem") == 0 &&
                      strcmp(d.facts[i].value, "ext4") == 0;
    assert_true(filesystem);
}

static void a_device_mounted_after_the_permit(void **state)
{
    (void)state;
    const char *node = blank_device();
    struct target_info t = probed(node);
    struct write_permit *p = permit(&t, node);
    make(arena_printf(a, "mkfs.ext4 -q %s", node));
    open_fails(&t, p, 0, "holds an ext4 filesystem");
    mount_here(node, "ext4", NULL);
    open_fails(&t, p, 0, "something has taken hold of it");
}

static void a_device_number_that_became_another_device(void **state)
{
    (void)state;
    const char *node = blank_device();
    struct target_info t = probed(node);
    struct write_permit *p = permit(&t, node);
    assert_int_equal(truncate(in("disk"), 32 * MIB), 0);
    assert_int_equal(ioctl(loops[0].fd, LOOP_SET_CAPACITY, 0), 0);
    open_fails(&t, p, 0, "another device now");
    assert_int_equal(symlink(node, in("disk-link")), 0);
    t = probed(in("disk-link"));
    p = permit(&t, node);
    assert_int_equal(unlink(in("disk-link")), 0);
    assert_int_equal(symlink(loop_over(image("two", 32 * MIB), 0), in("disk-link")), 0);
    open_fails(&t, p, 0, "another device now");
    open_fails(&t, NULL, 0, "another device now");
}

static void an_external_log_is_held_by_the_kernel(void **state)
{
    (void)state;
    const char *node = loop_over(image("disk", 320 * MIB), 0);
    const char *log = loop_over(image("log", 80 * MIB), 0);
    make(arena_printf(a, "mkfs.xfs -q -l logdev=%s %s", log, node));
    mount_here(node, "xfs", arena_printf(a, "logdev=%s", log));
    refused(log, QD_E_UNSAFE, "refused to write");
}

static void a_second_device_of_a_mounted_btrfs(void **state)
{
    (void)state;
    const char *one = loop_over(image("disk", 256 * MIB), 0);
    const char *two = loop_over(image("two", 256 * MIB), 0);
    make(arena_printf(a, "mkfs.btrfs -q -L pool -d raid0 -m raid1 %s %s", one, two));
    mount_here(one, "btrfs", arena_printf(a, "device=%s,device=%s", one, two));
    refused(two, QD_E_UNSAFE, "part of the btrfs filesystem 'pool' in use");
    refused(one, QD_E_UNSAFE, "mounted at");
    struct target_info d = probed(in("mnt"));
    assert_null(d.sysfs);
    assert_null(d.serial);
}

static void a_device_in_use_as_swap(void **state)
{
    (void)state;
    const char *node = blank_device();
    make(arena_printf(a, "mkswap %s", node));
    if (swapon(node, 0)) {
        print_message("skipped: swapon: %s\n", strerror(errno));
        skip();
    }
    bool seen = found(node, "in use as swap");
    swapoff(node);
    assert_true(seen);
}

static void a_swap_file(void **state)
{
    (void)state;
    const char *path = image("swapfile", 4 * MIB);
    make(arena_printf(a, "dd if=/dev/zero of=%s bs=1M count=4 && mkswap %s", path, path));
    struct target_info t = probed(path);
    struct write_permit *p = NULL;
    struct error e = { 0 };
    if (swapon(path, 0)) {
        print_message("skipped: swapon: %s\n", strerror(errno));
        skip();
    }
    int rc = permit_ask(a, &t, (const char *[]) { path, NULL }, &p, &e);
    swapoff(path);
    assert_int_equal(rc, -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    assert_non_null(strstr(e.what, "in use as swap"));
}

static void a_file_behind_a_loop_device(void **state)
{
    (void)state;
    const char *path = image("disk", 64 * MIB);
    struct target_info before = probed(path);
    struct write_permit *p = permit(&before, path);
    const char *node = loop_over(path, 0);
    refused(path, QD_E_UNSAFE, arena_printf(a, "behind the loop device %s", node + 5));
    open_fails(&before, p, 0, "behind the loop device");
    struct target_info file = probed(path), device = probed(node);
    assert_true(target_same(&file, &device));
    assert_true(target_same(&device, &file));
    /* The kernel knows the file also when its path leads nowhere any more. */
    assert_int_equal(rename(path, in("moved")), 0);
    refused(in("moved"), QD_E_UNSAFE, "behind the loop device");
}

static void two_loops_over_one_file(void **state)
{
    (void)state;
    const char *one = blank_device(), *two = loop_over(in("disk"), 0);
    refused(one, QD_E_UNSAFE, arena_printf(a, "is behind the loop device %s too", two + 5));
}

static void a_loop_over_a_loop(void **state)
{
    (void)state;
    const char *inner = blank_device(), *outer = loop_over(inner, 0);
    refused(inner, QD_E_UNSAFE, arena_printf(a, "behind the loop device %s", outer + 5));
    make(arena_printf(a, "mkfs.ext4 -q %s", outer));
    mount_here(outer, "ext4", NULL);
    refused(inner, QD_E_UNSAFE,
            arena_printf(a, "%s, a loop device over it, is mounted", outer + 5));
}

/* As partx does: also where the kernel reads no partition tables itself. */
static void add_partition(int fd, int no, long long from, long long bytes)
{
    struct blkpg_partition p = { .start = from, .length = bytes, .pno = no };
    struct blkpg_ioctl_arg add = { .op = BLKPG_ADD_PARTITION, .datalen = sizeof p, .data = &p };
    assert_int_equal(ioctl(fd, BLKPG, &add), 0);
}

static void partitions(void **state)
{
    (void)state;
    const char *node = loop_over(image("disk", 64 * MIB), LO_FLAGS_PARTSCAN);
    const char *one = arena_printf(a, "%sp1", node), *two = arena_printf(a, "%sp2", node);
    add_partition(loops[0].fd, 1, MIB, 32 * MIB);
    add_partition(loops[0].fd, 2, 33 * MIB, 30 * MIB);
    if (!file_exists(one) || !file_exists(two)) {
        print_message("skipped: no partition nodes for loop devices here\n");
        skip();
    }
    refused(node, QD_E_UNSAFE, "has 2 partitions");
    struct target_info whole = probed(node), p1 = probed(one), p2 = probed(two);
    assert_true(target_same(&whole, &p1));
    assert_true(target_same(&p2, &whole));
    assert_false(target_same(&p1, &p2));
    /* A blank partition may be written while another is mounted; the disk may not. */
    make(arena_printf(a, "mkfs.ext4 -q %s", one));
    mount_here(one, "ext4", NULL);
    refused(one, QD_E_UNSAFE, "mounted at");
    refused(node, QD_E_UNSAFE, arena_printf(a, "its partition %s is mounted", one + 5));
    struct target *x = opened(&p2, permit(&p2, two), 0);
    use(target_opened(x), 0);
    target_close(x);
}

static void a_read_only_device(void **state)
{
    (void)state;
    const char *node = blank_device();
    set_read_only(loops[0].fd, 1);
    refused(node, QD_E_FAIL, "the device is read-only");
    struct target_info t = probed(node);
    target_close(opened(&t, NULL, 0));
}

static void loop_target_over_an_image(void **state)
{
    (void)state;
    struct error e = { 0 };
    const char *path = image("image", 32 * MIB);
    struct target_info t = probed(arena_printf(a, "L=loop:%s", path));
    struct write_permit *p = NULL;
    assert_int_equal(t.kind, TARGET_LOOP);
    assert_int_equal(permit_ask(a, &t, NULL, &p, &e), -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    struct target *x = opened(&t, permit(&t, path), 16 * MIB);
    const struct opened_target *o = target_opened(x);
    assert_true(o->block_device);
    assert_int_equal(o->size, 16 * MIB);
    assert_false(target_is_scratch(x));
    use(o, MIB);
    /* In use now, by ourselves. */
    refused(path, QD_E_UNSAFE, "behind the loop device");
    target_close(x);
    permit(&t, path);
    x = opened(&t, NULL, 0);
    assert_int_equal(target_opened(x)->size, 32 * MIB);
    assert_false(target_opened(x)->writable);
    char byte = 0;
    assert_int_equal(pwrite(target_opened(x)->fd, &byte, 1, 0), -1);
    target_close(x);
    assert_true(file_exists(path));
}

static void a_loop_device_left_read_only(void **state)
{
    (void)state;
    struct target_info t = probed(arena_printf(a, "loop:%s", image("image", 8 * MIB)));
    struct write_permit *p = permit(&t, in("image"));
    const char *node = blank_device();
    set_read_only(loops[0].fd, 1);
    close(loops[0].fd);
    loops[0].fd = open(node, O_RDONLY | O_CLOEXEC);
    struct target *x = opened(&t, p, 0);
    use(target_opened(x), 0);
    target_close(x);
}

static void loop_target_over_a_new_file(void **state)
{
    (void)state;
    struct target_info t = probed(arena_printf(a, "loop:%s/new.img", folder));
    assert_false(t.exists);
    struct target *x = opened(&t, permit(&t, NULL), 8 * MIB);
    assert_true(target_is_scratch(x));
    assert_null(target_own_file(x));
    assert_false(file_exists(in("new.img")));
    use(target_opened(x), 4 * MIB);
    target_close(x);
    open_fails(&t, NULL, MIB, "no permission was asked");
}

/* The root filesystem's disk, if it is on one we can see; also where it cannot be opened. */
static void the_system_disk_of_this_machine(void **state)
{
    (void)state;
    struct target_info root = probed("/");
    const char *node = root.sysfs ? arena_printf(a, "/dev/%s", root.sysfs) : NULL;
    if (!node || !file_exists(node)) {
        print_message("skipped: the device of / is not in /dev\n");
        skip();
    }
    refused(node, QD_E_UNSAFE, "mounted at /");
    refused(node, QD_E_UNSAFE, "system disk");
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

static void kernel_filesystems_mounted_elsewhere(void **state)
{
    (void)state;
    const char *const types[] = { "proc", "sysfs", "devtmpfs" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        mount_here("none", types[i], NULL);
        probe_fails(in("mnt"), QD_E_USAGE, types[i]);
        probe_fails(in("mnt/nvme9n1"), QD_E_USAGE, "no such file");
        assert_int_equal(umount2(in("mnt"), 0), 0);
    }
    mount_here("none", "proc", NULL);
    probe_fails(in("mnt/self/oom_score_adj"), QD_E_USAGE, "proc is no storage");
}

static void a_small_filesystem(void **state)
{
    (void)state;
    mount_here("none", "tmpfs", "size=16m");
    struct target_info t = probed(in("mnt")), n = probed(in("mnt/new.bin"));
    assert_int_equal(t.capacity_bytes, 16 * MIB);
    assert_true(t.available_bytes < 16 * MIB);
    assert_null(t.sysfs);
    open_fails(&t, permit(&t, NULL), 16 * MIB, "has 16\u00a0MiB free, less than the span of 16");
    open_fails(&n, permit(&n, NULL), 17 * MIB, "has 16\u00a0MiB free, less than the span of 17");
    struct target *x = opened(&t, permit(&t, NULL), 12 * MIB);
    /* Its space is reserved: a second one finds what is left. */
    open_fails(&n, permit(&n, NULL), 12 * MIB, "has 4\u00a0MiB free");
    assert_false(file_exists(in("mnt/new.bin")));
    target_close(x);
    x = opened(&n, permit(&n, NULL), 12 * MIB);
    target_close(x);
}

static void a_read_only_filesystem(void **state)
{
    (void)state;
    struct error e = { 0 };
    struct write_permit *p = NULL;
    mount_here("none", "tmpfs", "size=16m");
    image("mnt/old.bin", MIB);
    assert_int_equal(mount(NULL, in("mnt"), NULL, MS_REMOUNT | MS_RDONLY, "size=16m"), 0);
    const char *const paths[] = { in("mnt"), in("mnt/new.bin"), in("mnt/old.bin") };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct target_info t = probed(paths[i]);
        assert_int_equal(permit_ask(a, &t, (const char *[]) { paths[i], NULL }, &p, &e), -1);
        assert_int_equal(e.code, QD_E_IO);
        assert_int_equal(e.sys, EROFS);
    }
    struct target_info t = probed(paths[2]);
    target_close(opened(&t, NULL, 0));
}

static void listed(void **state)
{
    (void)state;
    struct error e = { 0 };
    const struct target_list_row *rows = NULL;
    size_t n = 0, seen = 0;
    const char *free_one = blank_device();
    const char *used = loop_over(image("used", 64 * MIB), 0);
    make(arena_printf(a, "mkfs.ext4 -q %s", used));
    assert_int_equal(target_list(a, &rows, &n, &e), 0);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rows[i].path, free_one) == 0) {
            assert_null(rows[i].in_use);
            assert_int_equal(rows[i].size_bytes, 64 * MIB);
            seen++;
        }
        if (strcmp(rows[i].path, used) == 0) {
            assert_string_equal(rows[i].in_use, "holds an ext4 filesystem");
            seen++;
        }
    }
    assert_int_equal(seen, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_blank_device_needs_its_name),
        T(writing_a_device),
        T(reading_a_device),
        T(a_link_to_a_device_is_that_device),
        T(a_mounted_device),
        T(a_device_mounted_after_the_permit),
        T(a_device_number_that_became_another_device),
        T(an_external_log_is_held_by_the_kernel),
        T(a_second_device_of_a_mounted_btrfs),
        T(a_device_in_use_as_swap),
        T(a_swap_file),
        T(a_file_behind_a_loop_device),
        T(two_loops_over_one_file),
        T(a_loop_over_a_loop),
        T(partitions),
        T(a_read_only_device),
        T(loop_target_over_an_image),
        T(a_loop_device_left_read_only),
        T(loop_target_over_a_new_file),
        T(the_system_disk_of_this_machine),
        T(kernel_filesystems_mounted_elsewhere),
        T(a_small_filesystem),
        T(a_read_only_filesystem),
        T(listed),
    };
    return run_device_tests(tests, sizeof tests / sizeof *tests);
}
