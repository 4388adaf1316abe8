/* <targets> and the sweep of filesystems: what is made of what. */
#include "matrix_test.h"

#define TARGETS(inside) HEAD "<targets>\n" inside "</targets>\n" WORK_4K FOOT
#define A "<device name=\"a\" path=\"/dev/a\" measure=\"no\"/>\n"
#define B "<device name=\"b\" title=\"Drive B\" direct=\"no\"/>\n"

static void what_is_made_of_what(void **state)
{
    static const char text[] = TARGETS(
        A B "<filesystem name=\"f\" on=\"a\" type=\"ext4\" mkfs-options=\"-b 4096\""
            " mount-options=\"noatime\" title=\"Ext\"/>\n"
            "<array name=\"m\" level=\"raid1\" members=\"b a\" chunk=\"64KiB\" measure=\"no\"/>\n"
            "<filesystem name=\"g\" on=\"m\" type=\"xfs\"/>\n"
            "<array name=\"r\" level=\"raid0\" made-by=\"btrfs\" members=\"a b\"/>\n");
    struct matrix *m = must_parse(*state, text);
    uint32_t n = 0, n_types = 1;
    const struct matrix_target *t = matrix_targets(m, &n);
    assert_int_equal(n, 6);
    assert_string_equal(t[0].name, "a");
    assert_string_equal(t[0].title, "a");
    assert_string_equal(t[0].path, "/dev/a");
    assert_false(t[0].measured);
    assert_true(t[0].direct);
    assert_null(t[0].recipe);
    assert_string_equal(t[1].title, "Drive B");
    assert_null(t[1].path);
    assert_true(t[1].measured);
    assert_false(t[1].direct);
    assert_string_equal(t[2].recipe->type, "ext4");
    assert_string_equal(t[2].recipe->mkfs_options, "-b 4096");
    assert_string_equal(t[2].recipe->mount_options, "noatime");
    assert_null(t[2].recipe->level);
    assert_int_equal(t[2].n_members, 1);
    assert_int_equal(t[2].members[0], 0);
    assert_null(t[3].recipe->type);
    assert_true(t[3].recipe->mdadm);
    assert_int_equal(t[3].recipe->chunk_bytes, 65536);
    assert_int_equal(t[3].members[0], 1);
    assert_int_equal(t[3].members[1], 0);
    assert_string_equal(t[4].recipe->type, "xfs");
    assert_string_equal(t[4].recipe->level, "raid1");
    assert_true(t[4].recipe->mdadm);
    assert_int_equal(t[4].recipe->chunk_bytes, 65536);
    assert_int_equal(t[4].n_members, 2);
    assert_string_equal(t[5].recipe->type, "btrfs");
    assert_string_equal(t[5].recipe->level, "raid0");
    assert_false(t[5].recipe->mdadm);
    matrix_filesystems(m, &n_types);
    assert_int_equal(n_types, 0);
}

static void a_sweep_of_filesystems(void **state)
{
    struct matrix *m = must_parse(*state, HEAD WORK_4K "<sweep><queue-depth>1 2</queue-depth>"
                                                       "<filesystem>ext4 btrfs</filesystem>"
                                                       "</sweep>" FOOT);
    uint32_t n = 0;
    const char *const *types = matrix_filesystems(m, &n);
    struct plan p;
    struct error e;
    assert_int_equal(n, 2);
    assert_string_equal(types[0], "ext4");
    assert_string_equal(types[1], "btrfs");
    matrix_targets(m, &n);
    assert_int_equal(n, 0);
    /* Filesystems are targets, not points. */
    assert_int_equal(matrix_expand(*state, m, &(struct plan_options) { .n_targets = 2 }, &p, &e),
                     0);
    assert_int_equal(p.n_points, 2);
    assert_int_equal(p.n_cells, 4);
}

static void what_cannot_be_made(void **state)
{
    static const struct {
        const char *text, *where, *what;
    } bad[] = {
        { TARGETS(A "<device name=\"a\"/>\n"), "t.xml:4", "once" },
        { TARGETS(A "<filesystem name=\"f\" on=\"x\" type=\"ext4\"/>\n"), "t.xml:4", "'x'" },
        { TARGETS("<filesystem name=\"f\" on=\"f\" type=\"ext4\"/>\n"), "t.xml:3", "'f'" },
        { TARGETS(A "<filesystem name=\"f\" on=\"a\" type=\"ext4\"/>\n"
                    "<filesystem name=\"g\" on=\"f\" type=\"xfs\"/>\n"),
          "t.xml:5", "cannot be made on a filesystem" },
        { TARGETS(A "<array name=\"r\" level=\"raid0\" members=\"a a\"/>\n"), "t.xml:4", "twice" },
        { TARGETS(A "<array name=\"r\" level=\"raid0\" members=\"a z\"/>\n"), "t.xml:4", "'z'" },
        { TARGETS(A B "<array name=\"r\" level=\"raid6\" members=\"a b\"/>\n"), "t.xml:5",
          "raid6" },
        { TARGETS(A B "<array name=\"r\" level=\"raid0\" members=\"a b\" chunk=\"5000\"/>\n"),
          "t.xml:5", "chunk" },
        { TARGETS(A B "<array name=\"r\" level=\"raid0\" made-by=\"btrfs\" members=\"a b\""
                      " chunk=\"64KiB\"/>\n"),
          "t.xml:5", "no chunk" },
        { TARGETS(A B "<array name=\"r\" level=\"raid0\" members=\"a b\""
                      " mount-options=\"noatime\"/>\n"),
          "t.xml:5", "no filesystem" },
        { TARGETS(A), "t.xml:2", "nothing that is measured" },
        { HEAD WORK_4K "<sweep><filesystem>ext4 ext4</filesystem></sweep>" FOOT, "t.xml:3",
          "twice" },
        { HEAD WORK_4K
          "<sweep><filesystem>ext4</filesystem><filesystem>xfs</filesystem></sweep>" FOOT,
          "t.xml:3", "<filesystem> twice" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct matrix *m = NULL;
        struct error e = { 0 };
        if (!matrix_parse(*state, "t.xml", bad[i].text, strlen(bad[i].text), &m, &e))
            fail_msg("accepted: %s", bad[i].text);
        assert_int_equal(e.code, QD_E_FORMAT);
        if (strcmp(e.where, bad[i].where) || !strstr(e.what, bad[i].what))
            fail_msg("%s: %s: %s", bad[i].text, e.where, e.what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_made_of_what, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(a_sweep_of_filesystems, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(what_cannot_be_made, setup_arena, teardown_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
