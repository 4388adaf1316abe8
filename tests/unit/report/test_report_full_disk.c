#include <errno.h>
#include <sys/mount.h>

#include "help.h"

/* A full disk while a report is written: the old one is still there, whole. */

static int write_to(struct store *s, const char *dir, const char *title, struct error *e)
{
    struct arena *a = arena_new();
    const struct report_options o = {
        .out_dir = dir, .formats = ALL_FORMATS, .title = title, .scale = 1
    };
    struct report_files files;
    int rc = report_write(s, a, &o, &files, e);
    arena_free(a);
    return rc;
}

static void same_files(const char *x, const char *y)
{
    char command[1300];
    snprintf(command, sizeof command, "diff -r '%s' '%s'", x, y);
    assert_int_equal(system(command), 0);
}

/* Fills the file system but for some KiB. */
static void leave(struct arena *a, const char *dir, int kib)
{
    const char *command = arena_printf(
        a,
        "cd '%s' && rm -f filler && free=$(df --output=avail -k . | tail -1) && "
        "dd if=/dev/zero of=filler bs=1k count=$((free > %d ? free - %d : 0)) 2>/dev/null",
        dir, kib, kib);
    assert_int_equal(system(command), 0);
}

static void a_full_disk_leaves_the_old_report(void **state)
{
    const char *dir = *state, *copy = new_folder("full-copy");
    struct given_run g = given_seed();
    struct store *s = given_store("full", &g);
    struct arena *a = arena_new();
    struct error e;
    const char *out = arena_printf(a, "%s/out", dir);
    must(write_to(s, out, NULL, &e), &e);
    assert_int_equal(system(arena_printf(a, "cp -a '%s' '%s'", out, copy)), 0);
    int refused = 0;
    /* less and less room, so that the disk is full at different files of the new report */
    for (int kib = 1400; kib >= 0; kib -= 200) {
        leave(a, dir, kib);
        if (write_to(s, out, "Another title", &e) == 0) {
            leave(a, dir, 4000); /* there was room: back to the old one */
            must(write_to(s, out, NULL, &e), &e);
            continue;
        }
        refused++;
        assert_int_equal(e.code, QD_E_IO);
        assert_int_equal(e.sys, ENOSPC);
        same_files(out, copy);
    }
    assert_true(refused >= 2);
    arena_free(a);
    store_close(s);
}

int main(void)
{
    const char *dir = new_folder("full");
    struct error e;
    if (geteuid() != 0 || file_mkdirs(dir, &e) || mount("tmpfs", dir, "tmpfs", 0, "size=6m")) {
        printf("skipped: mounting a small tmpfs needs root\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_full_disk_leaves_the_old_report, (void *)(uintptr_t)dir),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    umount2(dir, MNT_DETACH);
    return failed;
}
