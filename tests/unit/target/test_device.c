/* Real block devices: loop devices over files of our own. Needs root; skips otherwise. Whatever happens to this process, nothing is
 * left: the loop devices detach themselves when it ends, and its mounts are in a namespace of its own. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <unistd.h>

#include "base/file.h"
#include "target/target.h"
#include "unit.h"

enum { MAX_LOOPS = 4 };
#define MIB (1L << 20)

static struct arena *a;
static char folder[64];
static struct {
    int fd;
    char node[32];
} loops[MAX_LOOPS];
static size_t n_loops;

static int start(void **state)
{
    (void)state;
    a = arena_new();
    n_loops = 0;
    snprintf(folder, sizeof folder, "/tmp/qdepth-device-XXXXXX");
    return mkdtemp(folder) && !mkdir(arena_printf(a, "%s/mnt", folder), 0700) ? 0 : -1;
}

static void set_read_only(int fd, int on)
{
    assert_int_equal(ioctl(fd, BLKROSET, &on), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static int stop(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_loops; i++)
        (void)swapoff(loops[i].node);
    while (umount2(arena_printf(a, "%s/mnt", folder), MNT_DETACH) == 0)
        ;
    for (size_t i = 0; i < n_loops; i++) {
        set_read_only(loops[i].fd, 0);
        close(loops[i].fd);
    }
    arena_free(a);
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char *in(const char *name)
{
    return arena_printf(a, "%s/%s", folder, name);
}

static char *image(const char *name, off_t bytes)
{
    int fd = open(in(name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, bytes), 0);
    close(fd);
    return in(name);
}

static int attach(int backing, int no, unsigned flags)
{
    struct loop_config c = { .fd = (unsigned)backing };
    c.info.lo_flags = flags | LO_FLAGS_AUTOCLEAR;
    int fd = open(arena_printf(a, "/dev/loop%d", no), O_RDWR | O_CLOEXEC);
    if (fd >= 0 && ioctl(fd, LOOP_CONFIGURE, &c)) {
        close(fd);
        return -1;
    }
    if (fd >= 0)
        set_read_only(fd, 0); /* left behind by somebody's blockdev --setro */
    return fd;
}

/* A loop device over a file or device, detached at the end of the test. */
static const char *loop_over(const char *path, unsigned flags)
{
    int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    int backing = open(path, O_RDWR | O_CLOEXEC), fd = -1, no = -1;
    assert_true(control >= 0 && backing >= 0 && n_loops < MAX_LOOPS);
    for (int i = 0; fd < 0 && i < 16; i++) {
        no = ioctl(control, LOOP_CTL_GET_FREE);
        fd = attach(backing, no, flags);
    }
    close(backing);
    close(control);
    assert_true(fd >= 0);
    loops[n_loops].fd = fd;
    snprintf(loops[n_loops].node, sizeof loops[n_loops].node, "/dev/loop%d", no);
    return loops[n_loops++].node;
}

static const char *blank_device(void)
{
    return loop_over(image("disk", 64 * MIB), 0);
}

/* Runs a maker of signatures; the test is skipped where it is not installed. */
static void make(const char *command)
{
    int rc = system(arena_printf(a, "PATH=$PATH:/sbin:/usr/sbin; %s >/dev/null 2>&1", command));
    if (WIFEXITED(rc) && WEXITSTATUS(rc) == 127) {
        print_message("skipped: '%s' is not installed\n", command);
        skip();
    }
    if (rc)
        fail_msg("'%s' failed", command);
}

static void mount_here(const char *node, const char *type, const char *options)
{
    if (mount(node, in("mnt"), type, 0, options)) {
        print_message("skipped: cannot mount %s: %s\n", type, strerror(errno));
        skip();
    }
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

static struct write_permit *permit(const struct target_info *t, const char *destroy)
{
    struct error e = { 0 };
    struct write_permit *p = NULL;
    if (permit_ask(a, t, (const char *[]) { destroy, NULL }, &p, &e))
        fail_msg("%s", e.what);
    return p;
}

/* Refused although it is named; and the first and last MiB stay as they are. */
static void refused(const char *node, enum qd_code code, const char *words)
{
    struct error e = { 0 };
    struct target_info t = probed(node);
    struct write_permit *p = NULL;
    assert_int_equal(permit_ask(a, &t, (const char *[]) { node, NULL }, &p, &e), -1);
    assert_null(p);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
    assert_int_equal(e.code, code);
}

static bool found(const char *node, const char *words)
{
    struct error e = { 0 };
    struct target_info t = probed(node);
    const char *const *at = NULL;
    size_t n = 0;
    if (guard_findings(a, &t, &at, &n, &e))
        fail_msg("%s", e.what);
    for (size_t i = 0; i < n; i++)
        if (strstr(at[i], words))
            return true;
    return false;
}

static void open_fails(const struct target_info *t, struct write_permit *p, uint64_t span,
                       const char *words)
{
    struct error e = { 0 };
    struct target *x = NULL;
    assert_int_equal(target_open(a, t, p, span, &x, &e), -1);
    assert_null(x);
    if (!strstr(e.what, words))
        fail_msg("'%s' is not in: %s", words, e.what);
}

static struct target *opened(const struct target_info *t, struct write_permit *p, uint64_t span)
{
    struct error e = { 0 };
    struct target *x = NULL;
    if (target_open(a, t, p, span, &x, &e))
        fail_msg("%s", e.what);
    return x;
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

/* `command` gets the device as $D. */
static void signature(const char *command, const char *words)
{
    const char *node = blank_device();
    make(arena_printf(a, "D=%s; %s", node, command));
    refused(node, QD_E_UNSAFE, words);
    assert_true(found(node, words));
}

static void an_ext4_filesystem(void **state)
{
    (void)state;
    signature("mkfs.ext4 -q -L my-data $D", "holds an ext4 filesystem called 'my-data'");
}

static void a_btrfs_filesystem(void **state)
{
    (void)state;
    const char *node = loop_over(image("disk", 256 * MIB), 0);
    make(arena_printf(a, "mkfs.btrfs -q %s", node));
    refused(node, QD_E_UNSAFE, "holds a btrfs filesystem");
}

static void an_xfs_filesystem(void **state)
{
    (void)state;
    const char *node = loop_over(image("disk", 320 * MIB), 0);
    make(arena_printf(a, "mkfs.xfs -q %s", node));
    refused(node, QD_E_UNSAFE, "holds an xfs filesystem");
}

static void swap_space(void **state)
{
    (void)state;
    signature("mkswap $D", "holds swap space (swap)");
}

static void bytes_at(const char *node, off_t at, const void *bytes, size_t n)
{
    int fd = open(node, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, n, at), n);
    close(fd);
}

static void put32(unsigned char *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(v >> 8 * i);
}

/* One entry of a DOS partition table: Linux, from and for so many sectors. */
static void mbr_entry(unsigned char *mbr, int no, uint32_t from, uint32_t sectors)
{
    unsigned char *entry = &mbr[446 + 16L * no];
    entry[4] = 0x83;
    put32(entry + 8, from);
    put32(entry + 12, sectors);
    mbr[510] = 0x55;
    mbr[511] = 0xaa;
}

static uint32_t crc32_of(const unsigned char *p, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* UEFI 2.10 §5.3: header in sector 1, 128 entries of 128 bytes from sector 2. */
static void a_gpt(void **state)
{
    (void)state;
    enum { SECTORS = 64 * MIB / 512, ENTRIES = 128 * 128 };
    const char *node = blank_device();
    unsigned char gpt[1024 + ENTRIES] = { 0 }, *header = gpt + 512, *entries = gpt + 1024;
    mbr_entry(gpt, 0, 1, SECTORS - 1);
    gpt[446 + 4] = 0xee;
    memset(entries, 7, 32); /* type and unique GUID */
    put32(entries + 32, 2048);
    put32(entries + 40, 4095);
    memcpy(header, "EFI PART\0\0\1", 12);
    put32(header + 12, 92);
    put32(header + 24, 1);
    put32(header + 32, SECTORS - 1);
    put32(header + 40, 34);
    put32(header + 48, SECTORS - 34);
    put32(header + 72, 2);
    put32(header + 80, 128);
    put32(header + 84, 128);
    put32(header + 88, crc32_of(entries, ENTRIES));
    put32(header + 16, crc32_of(header, 92));
    bytes_at(node, 0, gpt, sizeof gpt);
    refused(node, QD_E_UNSAFE, "has a GPT partition table");
    /* Without its protective MBR it is still one. */
    bytes_at(node, 0, (const char[512]) { 0 }, 512);
    refused(node, QD_E_UNSAFE, "has a GPT partition table");
}

static void an_mbr(void **state)
{
    (void)state;
    const char *node = blank_device();
    unsigned char mbr[512] = { 0 };
    mbr_entry(mbr, 0, 2048, 4096);
    bytes_at(node, 0, mbr, sizeof mbr);
    refused(node, QD_E_UNSAFE, "has a DOS (MBR) partition table");
}

/* md superblock version 1.2 (Linux md_p.h): magic a92b4efc at 4 KiB, major version 1, super_offset 8 sectors. A wrong checksum
 * does not make it harmless. */
static void an_array_member(void **state)
{
    (void)state;
    const char *node = blank_device();
    unsigned char sb[256] = { 0xfc, 0x4e, 0x2b, 0xa9, 1 };
    sb[144] = 8;
    bytes_at(node, 4096, sb, sizeof sb);
    refused(node, QD_E_UNSAFE, "is a member of a Linux md array");
}

/* LVM2 label: LABELONE in sector 1, its own sector number, and the type LVM2 001. */
static void an_lvm_member(void **state)
{
    (void)state;
    const char *node = blank_device();
    const char label[512] = "LABELONE\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0LVM2 001";
    bytes_at(node, 512, label, sizeof label);
    refused(node, QD_E_UNSAFE, "is a member of an LVM volume group");
}

static void encrypted_data(void **state)
{
    (void)state;
    const char *node = blank_device();
    unsigned char head[512] = { 'L', 'U', 'K', 'S', 0xba, 0xbe, 0, 1 };
    bytes_at(node, 0, head, sizeof head);
    refused(node, QD_E_UNSAFE, "holds encrypted data (crypto_LUKS)");
}

static void a_label_with_control_characters(void **state)
{
    (void)state;
    const char *node = blank_device();
    make(arena_printf(a, "mkfs.ext4 -q -L abc %s", node));
    bytes_at(node, 1024 + 120, "a\033[31m\n", 8);
    refused(node, QD_E_UNSAFE, "called 'a?[31m");
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

/* Root, loop devices and a mount namespace of our own, or the reason why not. */
static const char *missing(void)
{
    if (geteuid() != 0)
        return "root is needed for loop devices";
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return "no mount namespace of our own";
    int fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return "no loop devices";
    int no = ioctl(fd, LOOP_CTL_GET_FREE);
    close(fd);
    return no < 0 ? "no free loop device" : NULL;
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_blank_device_needs_its_name),
        T(writing_a_device),
        T(reading_a_device),
        T(a_link_to_a_device_is_that_device),
        T(an_ext4_filesystem),
        T(a_btrfs_filesystem),
        T(an_xfs_filesystem),
        T(swap_space),
        T(a_gpt),
        T(an_mbr),
        T(an_array_member),
        T(an_lvm_member),
        T(encrypted_data),
        T(a_label_with_control_characters),
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
    const char *why = missing();
    if (why) {
        printf("skipped: %s\n", why);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
