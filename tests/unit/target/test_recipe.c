/* From recipes to commands, and what is refused. */
#include "target/recipe.h"

#include <string.h>

#include "target/tool.h"
#include "unit.h"

#define UUID "01234567-89ab-4cde-8f01-23456789abcd"

static struct arena *a;

static int start(void **state)
{
    (void)state;
    a = arena_new();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

static const char *const nodes[] = { "/dev/x1", "/dev/x2", "/dev/x3", "/dev/x4" };

static const char *mkfs(const struct recipe *r, size_t n)
{
    return tool_line(a, recipe_mkfs(a, r, UUID, &(struct recipe_devices) { nodes, n }));
}

static void commands_of_filesystems(void **state)
{
    (void)state;
    const struct recipe ext4 = { .type = "ext4", .mkfs_options = "-O ^has_journal  -b 4096" };
    const struct recipe xfs = { .type = "xfs", .mount_options = "noatime,inode64" };
    const struct recipe btrfs = { .type = "btrfs" };
    const struct recipe mirror = { .type = "btrfs", .level = "raid1" };
    const struct recipe ten = { .type = "btrfs", .level = "raid10" };
    assert_string_equal(mkfs(&ext4, 1),
                        "mkfs.ext4 -q -U " UUID " -E lazy_itable_init=0,lazy_journal_init=0"
                        " -O ^has_journal -b 4096 /dev/x1");
    assert_string_equal(mkfs(&xfs, 1), "mkfs.xfs -q -m uuid=" UUID " /dev/x1");
    assert_string_equal(mkfs(&btrfs, 1), "mkfs.btrfs -q -U " UUID " /dev/x1");
    assert_string_equal(mkfs(&mirror, 2),
                        "mkfs.btrfs -q -U " UUID " -d raid1 -m raid1 /dev/x1 /dev/x2");
    assert_string_equal(mkfs(&ten, 4), "mkfs.btrfs -q -U " UUID
                                       " -d raid10 -m raid10 /dev/x1 /dev/x2 /dev/x3 /dev/x4");
    const struct recipe_devices one = { nodes, 1 }, two = { nodes, 2 };
    assert_string_equal(tool_line(a, recipe_mount(a, &xfs, &one, "/run/q")),
                        "mount -t xfs -o noatime,inode64,nosuid,nodev,noexec /dev/x1 /run/q");
    assert_string_equal(tool_line(a, recipe_mount(a, &mirror, &two, "/run/q")),
                        "mount -t btrfs -o nosuid,nodev,noexec,device=/dev/x1,device=/dev/x2"
                        " /dev/x1 /run/q");
}

static void commands_of_arrays(void **state)
{
    (void)state;
    const struct recipe stripe = { .level = "raid0", .mdadm = true, .chunk_bytes = 256 << 10 };
    const struct recipe mirror = { .level = "raid1", .mdadm = true, .chunk_bytes = 256 << 10 };
    const struct recipe parity = { .level = "raid5", .mdadm = true, .type = "xfs" };
    const struct recipe_devices two = { nodes, 2 }, three = { nodes, 3 };
    assert_string_equal(tool_line(a, recipe_array(a, &stripe, UUID, "/dev/md/q", &two)),
                        "mdadm --create /dev/md/q --run --level=0 --raid-devices=2 --metadata=1.2"
                        " --uuid=" UUID " --chunk=256K /dev/x1 /dev/x2");
    assert_string_equal(tool_line(a, recipe_array(a, &mirror, UUID, "/dev/md/q", &two)),
                        "mdadm --create /dev/md/q --run --level=1 --raid-devices=2 --metadata=1.2"
                        " --uuid=" UUID " --bitmap=none --assume-clean /dev/x1 /dev/x2");
    assert_string_equal(tool_line(a, recipe_array(a, &parity, UUID, "/dev/md/q", &three)),
                        "mdadm --create /dev/md/q --run --level=5 --raid-devices=3 --metadata=1.2"
                        " --uuid=" UUID " --bitmap=none /dev/x1 /dev/x2 /dev/x3");
    assert_string_equal(tool_line(a, recipe_tools(a, &parity)), "mdadm mkfs.xfs mount");
    assert_string_equal(recipe_words(a, &parity), "xfs on md raid5");
    assert_string_equal(recipe_words(a, &stripe), "md raid0");
}

static void capacities(void **state)
{
    (void)state;
    static const struct {
        const char *level;
        size_t n;
        uint64_t want;
    } rows[] = { { NULL, 1, 100 },     { "raid0", 3, 300 }, { "raid1", 3, 100 },
                 { "raid10", 4, 200 }, { "raid5", 4, 300 }, { "raid0", 0, 0 } };
    const uint64_t sizes[] = { 120, 100, 200, 100 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct recipe r = { .type = "btrfs", .level = rows[i].level };
        assert_int_equal(recipe_capacity(&r, rows[i].level ? sizes : sizes + 1, rows[i].n),
                         rows[i].want);
    }
}

static void what_reaches_out_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "-f",
        "-F",
        "-qF",
        "-b 4096 --force",
        "-J device=UUID=x",
        "-l logdev=x",
        "-d name=disk",
        "-d file=1,size=1g",
        "/dev/vda",
        "-L LABEL=x",
    };
    static const char *const good[] = { "-O ^has_journal", "-b 4096", "-T largefile", "-m 0",
                                        "-s size=4096",    "",        "-n 16k" };
    static const char *const bad_mounts[] = { "remount,rw", "bind",
                                              "loop",       "journal_path=/dev/sdb",
                                              "logdev=sdb", "device=x" };
    struct error e;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct recipe r = { .type = "ext4", .mkfs_options = bad[i] };
        if (!recipe_check(&r, 1, &e))
            fail_msg("accepted: %s", bad[i]);
        assert_int_equal(e.code, QD_E_USAGE);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const struct recipe r = { .type = "ext4",
                                  .mkfs_options = good[i],
                                  .mount_options = "noatime,data=writeback" };
        if (recipe_check(&r, 1, &e))
            fail_msg("%s", e.what);
    }
    for (size_t i = 0; i < sizeof bad_mounts / sizeof *bad_mounts; i++) {
        const struct recipe r = { .type = "ext4", .mount_options = bad_mounts[i] };
        if (!recipe_check(&r, 1, &e))
            fail_msg("accepted: %s", bad_mounts[i]);
    }
    assert_int_equal(recipe_check(&(struct recipe) { .level = "raid1" }, 1, &e), -1);
    assert_non_null(strstr(e.what, "raid1 needs 2 members"));
    assert_int_equal(recipe_check(&(struct recipe) { .level = "raid6" }, 4, &e), -1);
    assert_int_equal(recipe_check(&(struct recipe) { .type = "xfs" }, 2, &e), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(commands_of_filesystems, start, stop),
        cmocka_unit_test_setup_teardown(commands_of_arrays, start, stop),
        cmocka_unit_test_setup_teardown(capacities, start, stop),
        cmocka_unit_test_setup_teardown(what_reaches_out_is_refused, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
