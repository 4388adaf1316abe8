#include "fake_tree.h"
#include "target/guard.h"
#include "target/mounts.h"

/* The machine of every test: sda is the system's (sda1 is /), sdb a blank disk, sdc one with partitions. */
static int start(void **state)
{
    if (tree_start(state))
        return -1;
    tree_disk("sda", "8:0");
    tree_partition("sda", "sda1", "8:1", "2048");
    tree_partition("sda", "sda2", "8:2", "4096");
    tree_disk("sdb", "8:16");
    tree_disk("sdc", "8:32");
    tree_partition("sdc", "sdc1", "8:33", "2048");
    tree_partition("sdc", "sdc2", "8:34", "4096");
    return 0;
}

/* All that is found about a device, as one sentence; "" is nothing. */
static void expect(const char *name, const char *sentence)
{
    struct error e = { 0 };
    struct arena *a = arena_new();
    struct blockdev b;
    struct clauses found;
    assert_true(sysfs_by_name(a, name, &b));
    if (guard_device(a, &b, -1, &found, &e))
        fail_msg("%s", e.what);
    assert_string_equal(guard_sentence(a, &found), sentence);
    arena_free(a);
}

static void mounts(const char *more)
{
    char text[4096];
    snprintf(text, sizeof text, "1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n%s", more);
    tree_text("/proc/self/mountinfo", text);
}

static void a_blank_disk_is_free(void **state)
{
    (void)state;
    expect("sdb", "");
}

static void a_mounted_disk(void **state)
{
    (void)state;
    mounts("2 1 8:16 / /srv/my\\040data rw - xfs /dev/sdb rw\n"
           "3 1 8:16 /sub /opt rw - xfs /dev/sdb rw\n");
    expect("sdb", "mounted at /srv/my data; mounted at /opt");
}

static void a_disk_with_a_mounted_partition(void **state)
{
    (void)state;
    mounts("2 1 8:33 / /home rw - ext4 /dev/sdc1 rw\n");
    expect("sdc", "its partition sdc1 is mounted at /home; has 2 partitions (sdc1, sdc2)");
    expect("sdc1", "mounted at /home");
    expect("sdc2", "");
}

static void a_partition_of_a_mounted_disk(void **state)
{
    (void)state;
    mounts("2 1 8:32 / /home rw - ext4 /dev/sdc rw\n");
    expect("sdc1", "the whole disk sdc is mounted at /home");
}

static void overlapping_partitions_share_their_use(void **state)
{
    (void)state;
    tree_partition("sdc", "sdc5", "8:37", "3000");
    mounts("2 1 8:37 / /home rw - ext4 /dev/sdc5 rw\n");
    expect("sdc1", "the overlapping partition sdc5 is mounted at /home");
    expect("sdc2", "the overlapping partition sdc5 is mounted at /home");
}

static void the_mount_source_is_not_believed(void **state)
{
    (void)state;
    mounts("2 1 8:16 / /data rw - ext4 /dev/somethingelse rw\n"
           "3 1 8:32 / /other rw - ext4 /dev/sdb rw\n");
    expect("sdb", "mounted at /data");
}

static void swap_on_a_partition(void **state)
{
    (void)state;
    tree_text("/proc/swaps", "Filename Type Size Used Priority\n"
                             "/dev/sdc2 partition 1 0 -2\n/swapfile file 1 0 -3\n");
    expect("sdc2", "in use as swap");
    expect("sdc", "its partition sdc2 is in use as swap; has 2 partitions (sdc1, sdc2)");
    expect("sdb", "");
}

static void swap_on_a_mapped_volume(void **state)
{
    (void)state;
    tree_disk("dm-3", "253:3");
    tree_attribute("dm-3", "dm/name", "vg-swap");
    tree_attribute("dm-3", "dm/uuid", "LVM-abc");
    tree_hold("dm-3", "sdb");
    tree_text("/proc/swaps", "Filename\n/dev/mapper/vg-swap partition 1 0 -2\n");
    expect("dm-3", "in use as swap");
    expect("sdb", "in use by dm-3 (LVM volume vg-swap); dm-3, made of it, is in use as swap");
}

static void holders_of_holders(void **state)
{
    (void)state;
    tree_disk("md0", "9:0");
    tree_attribute("md0", "md/level", "raid1");
    tree_disk("dm-0", "253:0");
    tree_attribute("dm-0", "dm/name", "luks-home");
    tree_attribute("dm-0", "dm/uuid", "CRYPT-LUKS2-x");
    tree_hold("md0", "sdc1");
    tree_hold("md0", "sdb");
    tree_hold("dm-0", "md0");
    mounts("2 1 253:0 / /home rw - ext4 /dev/mapper/luks-home rw\n");
    expect("sdb", "dm-0, made of it, is mounted at /home; a member of the array md0; "
                  "md0, made of it, is in use by dm-0 (encrypted volume luks-home)");
    expect("sdc2", "");
    expect("md0", "dm-0, made of it, is mounted at /home; "
                  "in use by dm-0 (encrypted volume luks-home)");
}

static void a_partition_of_an_array_that_uses_it(void **state)
{
    (void)state;
    tree_disk("md0", "9:0");
    tree_partition("md0", "md0p1", "259:0", "2048");
    tree_hold("md0", "sdb");
    mounts("2 1 259:0 / /data rw - ext4 /dev/md0p1 rw\n");
    expect("sdb", "md0p1, a partition of md0, is mounted at /data; a member of the array md0");
}

static void bcache(void **state)
{
    (void)state;
    tree_attribute("sdb", "bcache/state", "clean");
    expect("sdb", "part of a bcache");
}

static void btrfs_of_several_devices(void **state)
{
    (void)state;
    tree_text("/sys/fs/btrfs/1234-5678/label", "pool\n");
    tree_link("/sys/class/block/sdb", "/sys/fs/btrfs/1234-5678/devices/sdb");
    tree_link("/sys/class/block/sdc1", "/sys/fs/btrfs/1234-5678/devices/sdc1");
    mounts("2 1 0:44 /@ /data rw - btrfs /dev/sdc1 rw,subvol=/@\n");
    expect("sdb", "mounted at /data; part of the btrfs filesystem 'pool' in use");
    expect("sdc1", "mounted at /data; part of the btrfs filesystem 'pool' in use");
}

static void bcachefs_names_its_devices_in_the_source(void **state)
{
    (void)state;
    mounts("2 1 0:50 / /data rw - bcachefs /dev/sdc2:/dev/sdb rw\n");
    expect("sdb", "mounted at /data");
    expect("sdc2", "mounted at /data");
}

static void the_system_disk(void **state)
{
    (void)state;
    expect("sda", "its partition sda1 is mounted at /; the system disk (it holds /); "
                  "has 2 partitions (sda1, sda2)");
    expect("sda2", "on the system disk sda (it holds /)");
}

static void the_system_disk_under_lvm_on_raid(void **state)
{
    (void)state;
    tree_disk("md0", "9:0");
    tree_disk("dm-0", "253:0");
    tree_disk("dm-1", "253:1");
    tree_hold("md0", "sdb");
    tree_hold("md0", "sdc1");
    tree_hold("dm-0", "md0");
    tree_hold("dm-1", "md0");
    tree_text("/proc/self/mountinfo", "1 0 253:0 / / rw - xfs /dev/mapper/vg-root rw\n"
                                      "2 1 8:2 / /boot rw - ext4 /dev/sda2 rw\n");
    expect("sdc2", "on the system disk sdc (it holds /)");
    expect("dm-1", "on the system disk sdb (it holds /); on the system disk sdc (it holds /)");
    expect("sda1", "on the system disk sda (it holds /boot)");
}

static void the_system_in_an_overlay(void **state)
{
    (void)state;
    tree_text(
        "/proc/self/mountinfo",
        "1 0 0:30 / / rw - overlay overlay rw,lowerdir=/ro,upperdir=/live/up,workdir=/live/w\n"
        "2 1 8:16 / /live rw - ext4 /dev/sdb rw\n");
    expect("sdb", "mounted at /; mounted at /live; the system disk (it holds /)");
}

static void an_overlay_over_itself_ends(void **state)
{
    (void)state;
    tree_text("/proc/self/mountinfo",
              "1 0 0:30 / / rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/up,workdir=/w\n");
    expect("sdb", "");
}

static void the_system_in_a_loop_device(void **state)
{
    (void)state;
    tree_disk("loop0", "7:0");
    tree_attribute("loop0", "loop/backing_file", "/live/root.img");
    tree_text("/proc/self/mountinfo", "1 0 7:0 / / rw - ext4 /dev/loop0 rw\n"
                                      "2 1 8:33 / /live rw - vfat /dev/sdc1 rw\n");
    expect("sdc2", "on the system disk sdc (it holds /)");
    expect("sda1", "");
}

static void a_loop_over_a_device(void **state)
{
    (void)state;
    tree_disk("loop0", "7:0");
    tree_attribute("loop0", "loop/backing_file", "/dev/sdc1");
    mounts("2 1 7:0 / /mnt rw - ext4 /dev/loop0 rw\n");
    expect("sdc1", "loop0, a loop device over it, is mounted at /mnt; "
                   "behind the loop device loop0");
    mounts("2 1 8:33 / /mnt rw - ext4 /dev/sdc1 rw\n");
    expect("loop0", "sdc1, the device behind it, is mounted at /mnt");
}

static void a_loop_over_the_system_disk(void **state)
{
    (void)state;
    tree_disk("loop0", "7:0");
    tree_attribute("loop0", "loop/backing_file", "/dev/sda");
    expect("loop0", "sda1, a partition of sda, is mounted at /; "
                    "on the system disk sda (it holds /)");
}

static void a_loop_whose_file_is_used_twice(void **state)
{
    (void)state;
    char file[256], words[1200];
    snprintf(file, sizeof file, "%s/image", tree);
    tree_text("/image", "x");
    tree_disk("loop0", "7:0");
    tree_disk("loop1", "7:1");
    tree_attribute("loop0", "loop/backing_file", file);
    expect("loop0", "");
    tree_attribute("loop1", "loop/backing_file", file);
    snprintf(words, sizeof words, "its backing file %s is behind the loop device loop1 too", file);
    expect("loop0", words);
    char swaps[600];
    snprintf(swaps, sizeof swaps, "Filename\n%s file 1 0 -2\n", file);
    tree_text("/proc/swaps", swaps);
    snprintf(words, sizeof words,
             "its backing file %s is in use as swap; "
             "its backing file %s is behind the loop device loop1 too",
             file, file);
    expect("loop0", words);
}

static void a_file_in_use(void **state)
{
    (void)state;
    struct error e = { 0 };
    struct arena *a = arena_new();
    struct stat st;
    struct clauses found;
    char file[256], swaps[600];
    snprintf(file, sizeof file, "%s/a b", tree);
    tree_text("/a b", "x");
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(guard_file(a, st.st_dev, st.st_ino, &found, &e), 0);
    assert_int_equal(found.n, 0);
    snprintf(swaps, sizeof swaps, "Filename\n%s/a\\040b file 1 0 -2\n", tree);
    tree_text("/proc/swaps", swaps);
    tree_disk("loop4", "7:4");
    tree_attribute("loop4", "loop/backing_file", file);
    assert_int_equal(guard_file(a, st.st_dev, st.st_ino, &found, &e), 0);
    assert_string_equal(guard_sentence(a, &found), "in use as swap; behind the loop device loop4");
    arena_free(a);
}

static void names_with_slashes(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct blockdev b;
    tree_disk("cciss!c0d0", "104:0");
    assert_true(sysfs_by_node(a, "/dev/cciss/c0d0", &b));
    assert_string_equal(sysfs_node(a, &b), "/dev/cciss/c0d0");
    tree_text("/proc/swaps", "Filename\n/dev/cciss/c0d0 partition 1 0 -2\n");
    expect("cciss!c0d0", "in use as swap");
    arena_free(a);
}

/* What cannot be asked is never "nothing found". */
static void no_mountinfo_is_a_failure(void **state)
{
    (void)state;
    struct error e = { 0 };
    struct arena *a = arena_new();
    struct blockdev b;
    struct clauses found;
    char path[256];
    snprintf(path, sizeof path, "%s/proc/self/mountinfo", tree);
    assert_int_equal(unlink(path), 0);
    assert_true(sysfs_by_name(a, "sdb", &b));
    assert_int_equal(guard_device(a, &b, -1, &found, &e), -1);
    assert_int_equal(e.code, QD_E_IO);
    assert_non_null(strstr(e.what, "cannot tell what is mounted"));
    arena_free(a);
}

static void no_swap_support_is_no_swap(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/proc/swaps", tree);
    assert_int_equal(unlink(path), 0);
    expect("sdb", "");
}

static void more_users_than_can_be_listed(void **state)
{
    (void)state;
    struct error e = { 0 };
    struct arena *a = arena_new();
    struct blockdev b;
    struct clauses found;
    char *text = arena_alloc(a, 300L * 64);
    for (int i = 0; i < 300; i++)
        snprintf(text + strlen(text), 64, "%d 1 8:16 / /m%d rw - ext4 /dev/sdb rw\n", i + 2, i);
    tree_text("/proc/self/mountinfo", text);
    assert_true(sysfs_by_name(a, "sdb", &b));
    assert_int_equal(guard_device(a, &b, -1, &found, &e), -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    arena_free(a);
}

#define T(f) cmocka_unit_test_setup_teardown(f, start, tree_stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_blank_disk_is_free),
        T(a_mounted_disk),
        T(a_disk_with_a_mounted_partition),
        T(a_partition_of_a_mounted_disk),
        T(overlapping_partitions_share_their_use),
        T(the_mount_source_is_not_believed),
        T(swap_on_a_partition),
        T(swap_on_a_mapped_volume),
        T(holders_of_holders),
        T(a_partition_of_an_array_that_uses_it),
        T(bcache),
        T(btrfs_of_several_devices),
        T(bcachefs_names_its_devices_in_the_source),
        T(the_system_disk),
        T(the_system_disk_under_lvm_on_raid),
        T(the_system_in_an_overlay),
        T(an_overlay_over_itself_ends),
        T(the_system_in_a_loop_device),
        T(a_loop_over_a_device),
        T(a_loop_over_the_system_disk),
        T(a_loop_whose_file_is_used_twice),
        T(a_file_in_use),
        T(names_with_slashes),
        T(no_mountinfo_is_a_failure),
        T(no_swap_support_is_no_swap),
        T(more_users_than_can_be_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
