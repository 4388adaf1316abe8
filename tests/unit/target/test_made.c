/* Filesystems made on loop devices and undone: every step written down first, and whatever is left can be undone from there. */
#include "device.h"
#include "target/made.h"
#include "target/undo.h"

/* A journal in memory: what the store does with a table. */
static struct {
    struct undo_step at[64];
    bool gone[64];
    size_t n;
    size_t fail_at; /* the step that cannot be written down; 0 = none */
} journal;

static int add(void *ctx, const struct undo_step *s, int64_t *ret_id, struct error *e)
{
    (void)ctx;
    if (journal.n + 1 == journal.fail_at)
        return error_set(e, QD_E_FAIL, "the journal is full");
    journal.at[journal.n] = (struct undo_step) { arena_strdup(a, s->kind),
                                                 arena_strdup(a, s->subject),
                                                 arena_strdup(a, s->value) };
    *ret_id = (int64_t)journal.n++;
    return 0;
}

static int gone(void *ctx, int64_t id, struct error *e)
{
    (void)ctx, (void)e;
    assert_false(journal.gone[id]);
    journal.gone[id] = true;
    return 0;
}

static const struct made_journal paper = { add, gone, NULL };

static size_t open_steps(void)
{
    size_t n = 0;
    for (size_t i = 0; i < journal.n; i++)
        n += !journal.gone[i];
    return n;
}

static const char *big_device(const char *name)
{
    return loop_over(image(name, 320 * MIB), 0);
}

struct setting {
    struct made_spec spec;
    struct made_job job;
    struct target_info members[2];
    const char *nodes[3];
};

static void set(struct setting *s, const char *type, const char *level, size_t n)
{
    static const char *const names[] = { "one", "two" };
    struct error e = { 0 };
    memset(&journal, 0, sizeof journal);
    *s = (struct setting) { .spec = { .recipe = { .type = type, .level = level } } };
    for (size_t i = 0; i < n; i++) {
        s->nodes[i] = big_device(names[i]);
        s->members[i] = probed(s->nodes[i]);
    }
    s->spec.members = s->members;
    s->spec.n_members = n;
    s->job = (struct made_job) {
        .spec = &s->spec, .journal = &paper, .name = "it", .direct = true
    };
    struct target_info t;
    if (made_probe(a, "it", true, &s->spec, &t, &e)) {
        print_message("skipped: %s\n", e.what);
        skip();
    }
    assert_int_equal(t.kind, TARGET_DIRECTORY);
    if (made_permit(a, &s->spec, s->nodes, &s->job.permits, &e))
        fail_msg("%s", e.what);
}

static bool blank(const char *node)
{
    return !found(node, "");
}

static const char *fact(const struct target_info *t, const char *key)
{
    for (size_t i = 0; i < t->n_facts; i++)
        if (!strcmp(t->facts[i].key, key))
            return t->facts[i].value;
    return "";
}

static struct made *made(struct setting *s)
{
    struct error e = { 0 };
    struct made *m = NULL;
    if (made_open(a, &s->job, &m, &e))
        fail_msg("%s", e.what);
    return m;
}

static void undone(struct setting *s, struct made *m)
{
    struct error e = { 0 };
    const char *point = made_info(m)->spec.path;
    if (made_undo(a, m, &e))
        fail_msg("%s", e.what);
    assert_int_equal(open_steps(), 0);
    assert_false(file_exists(point));
    for (size_t i = 0; i < s->spec.n_members; i++)
        assert_true(blank(s->nodes[i]));
    assert_int_equal(made_undo(a, m, &e), 0);
}

/* Made, measured as a directory, undone. */
static void round_trip(const char *type, const char *options, const char *shown)
{
    struct setting s;
    set(&s, type, NULL, 1);
    s.spec.recipe.mount_options = options;
    struct made *m = made(&s);
    const struct target_info *t = made_info(m);
    assert_int_equal(t->kind, TARGET_DIRECTORY);
    assert_string_equal(t->name, "it");
    assert_string_equal(fact(t, "Filesystem"), type);
    if (!strstr(fact(t, "Mount options"), shown))
        fail_msg("'%s' is not in '%s'", shown, fact(t, "Mount options"));
    assert_non_null(strstr(fact(t, "Filesystem made by"), s.nodes[0]));
    assert_true(found(s.nodes[0], "mounted at"));
    struct target *x = opened(t, made_info_permit(m), 16 * MIB);
    assert_true(target_is_scratch(x));
    use(target_opened(x), 0);
    target_close(x);
    undone(&s, m);
    struct made *again = made(&s); /* the device is as good as before */
    undone(&s, again);
}

static void ext4(void **state)
{
    (void)state;
    round_trip("ext4", "noatime", "noatime");
}

static void xfs(void **state)
{
    (void)state;
    round_trip("xfs", NULL, "nodev");
}

static void btrfs(void **state)
{
    (void)state;
    round_trip("btrfs", "nodatacow", "nodatacow");
}

static void btrfs_over_two(void **state)
{
    (void)state;
    static const char *const levels[] = { "raid0", "raid1" };
    for (int i = 0; i < 2; i++) {
        struct setting s;
        set(&s, "btrfs", levels[i], 2);
        struct made *m = made(&s);
        const char *profiles = fact(made_info(m), "Profiles");
        if (!strstr(profiles, arena_printf(a, "%s (data)", levels[i])))
            fail_msg("%s", profiles);
        assert_non_null(strstr(fact(made_info(m), "Made of"), "btrfs over loop"));
        undone(&s, m);
        for (size_t k = 0; k < n_loops; k++)
            close(loops[k].fd);
        n_loops = 0;
    }
}

/* The journal cannot be written at step n: nothing of that step is done, and what was done before can be undone. */
static void no_step_without_its_note(void **state)
{
    (void)state;
    struct setting s;
    set(&s, "ext4", NULL, 1);
    size_t n = 1;
    for (;; n++) {
        struct error e = { 0 };
        struct made *m = NULL;
        memset(&journal, 0, sizeof journal);
        journal.fail_at = n;
        int rc = made_open(a, &s.job, &m, &e);
        assert_non_null(m);
        if (rc)
            assert_non_null(strstr(e.what, "the journal is full"));
        assert_int_equal(made_undo(a, m, &e), 0);
        assert_int_equal(open_steps(), 0);
        assert_true(blank(s.nodes[0]));
        if (rc == 0)
            break;
    }
    assert_int_equal(n, 4); /* wipe, remove-folder, unmount */
}

/* As `clean` does it: nothing but the journal. Twice, in the second pass nothing is left to do. */
static void undone_from_the_journal_alone(void **state)
{
    (void)state;
    struct setting s;
    set(&s, "btrfs", "raid1", 2);
    struct made *m = made(&s);
    const char *point = made_info(m)->spec.path;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = journal.n; i-- > 0;) {
            struct error e = { 0 };
            const char *words = NULL;
            if (undo_do(a, &journal.at[i], &words, &e))
                fail_msg("%s", e.what);
            assert_int_equal(words != NULL, pass == 0);
        }
    assert_false(file_exists(point));
    assert_true(blank(s.nodes[0]));
    assert_true(blank(s.nodes[1]));
}

static void what_is_not_ours_stays(void **state)
{
    (void)state;
    static const char uuid[] = "01234567-89ab-4cde-8f01-23456789abcd";
    const char *node = big_device("other"), *words = "none";
    struct error e = { 0 };
    make(arena_printf(a, "mkfs.ext4 -q %s", node));
    assert_int_equal(undo_do(a, &(struct undo_step) { UNDO_WIPE, node, uuid }, &words, &e), 0);
    assert_null(words);
    assert_true(found(node, "ext4"));
    mount_here(node, "ext4", NULL);
    const struct undo_step other = { UNDO_UNMOUNT, in("mnt"), uuid };
    assert_int_equal(undo_do(a, &other, &words, &e), -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    assert_non_null(strstr(e.what, "not ours"));
    assert_true(found(node, "mounted at"));
    const struct undo_step full = { UNDO_REMOVE_FOLDER, folder, NULL };
    assert_int_equal(undo_do(a, &full, &words, &e), -1);
    assert_true(file_exists(folder));
    const struct undo_step strange = { "explode", "x", NULL };
    assert_int_equal(undo_do(a, &strange, &words, &e), -1);
    assert_non_null(strstr(e.what, "does not know how"));
    const struct undo_step away = { UNDO_WIPE, "/dev/qdepth-none",
                                    arena_printf(a, "%s SERIAL1", uuid) };
    assert_int_equal(undo_do(a, &away, &words, &e), -1);
    assert_non_null(strstr(e.what, "attach it again"));
}

/* A device that got a filesystem after the permission was given is not made over. */
static void taken_since(void **state)
{
    (void)state;
    struct setting s;
    struct error e = { 0 };
    struct made *m = NULL;
    set(&s, "ext4", NULL, 1);
    make(arena_printf(a, "mkfs.xfs -q %s", s.nodes[0]));
    assert_int_equal(made_open(a, &s.job, &m, &e), -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    assert_non_null(strstr(e.what, "holds an xfs filesystem"));
    assert_int_equal(made_undo(a, m, &e), 0);
    assert_true(found(s.nodes[0], "xfs"));
}

static void refusals(void **state)
{
    (void)state;
    struct setting s;
    struct error e = { 0 };
    struct target_info t;
    set(&s, "ext4", NULL, 1);
    const struct target_info same[] = { s.members[0], s.members[0] };
    const struct made_spec twice = { { .type = "btrfs", .level = "raid1" }, same, 2 };
    assert_int_equal(made_probe(a, "it", true, &twice, &t, &e), -1);
    assert_non_null(strstr(e.what, "are the same device"));
    const struct target_info file = probed(image("file", MIB));
    const struct made_spec on_file = { { .type = "ext4" }, &file, 1 };
    assert_int_equal(made_probe(a, "it", true, &on_file, &t, &e), -1);
    assert_non_null(strstr(e.what, "not a block device"));
    const struct made_spec unknown = { { .type = "qdfs" }, s.members, 1 };
    assert_int_equal(made_probe(a, "it", true, &unknown, &t, &e), -1);
    assert_non_null(strstr(e.what, "'mkfs.qdfs' is not installed"));
    struct write_permit *const *permits = NULL;
    assert_int_equal(made_permit(a, &s.spec, NULL, &permits, &e), -1);
    assert_int_equal(e.code, QD_E_UNSAFE);
    assert_non_null(strstr(e.what, "--destroy"));
}

/* mkfs that fails half-way: its last words are the reason, and all is undone. */
static void a_tool_that_fails(void **state)
{
    (void)state;
    struct setting s;
    struct error e = { 0 };
    struct made *m = NULL;
    set(&s, "ext4", NULL, 1);
    s.spec.recipe.mkfs_options = "-b 123";
    assert_int_equal(made_open(a, &s.job, &m, &e), -1);
    assert_non_null(strstr(e.what, "'mkfs.ext4' failed: "));
    assert_non_null(strstr(e.what, "invalid block size"));
    assert_int_equal(made_undo(a, m, &e), 0);
    assert_int_equal(open_steps(), 0);
    assert_true(blank(s.nodes[0]));
}

/* Where there is no md: a program of that name that makes a loop device over the first member. What is tested is ours: the order of
 * steps, the guard on the array, and undoing. */
static void put_program(const char *name, const char *text)
{
    int fd = open(in(arena_printf(a, "bin/%s", name)), O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void pretend_mdadm(void)
{
    assert_int_equal(mkdir(in("bin"), 0700), 0);
    put_program("modprobe", "#!/bin/sh\n");
    put_program("mdadm", "#!/bin/sh\nset -e\n"
                         "case $1 in\n"
                         "--create) node=$2; while case $1 in /dev/loop*) false;; esac; do shift; "
                         "done; mkdir -p /dev/md; ln -s $(losetup -f --show $1) $node;;\n"
                         "--stop) losetup -d $(readlink -f $2); rm $2; rmdir /dev/md || true;;\n"
                         "esac\n");
    setenv("PATH", arena_printf(a, "%s:%s", in("bin"), getenv("PATH")), 1);
}

static void on_an_array(const char *type)
{
    struct setting s;
    struct error e = { 0 };
    struct target_info t;
    set(&s, "ext4", NULL, 1);
    s.nodes[1] = big_device("two");
    s.members[1] = probed(s.nodes[1]);
    s.spec = (struct made_spec) { { .type = type, .level = "raid1", .mdadm = true }, s.members, 2 };
    if (made_probe(a, "it", true, &s.spec, &t, &e) ||
        made_permit(a, &s.spec, s.nodes, &s.job.permits, &e))
        fail_msg("%s", e.what);
    assert_int_equal(t.kind, type ? TARGET_DIRECTORY : TARGET_BLOCK);
    struct made *m = made(&s);
    const struct target_info *now = made_info(m);
    assert_non_null(strstr(fact(now, "Array made by"), "mdadm --create /dev/md/qdepth-"));
    assert_int_equal(now->kind, t.kind);
    struct target *x = opened(now, made_info_permit(m), 16 * MIB);
    use(target_opened(x), MIB);
    target_close(x);
    assert_string_equal(journal.at[0].kind, UNDO_WIPE);
    assert_string_equal(journal.at[1].kind, UNDO_WIPE);
    assert_string_equal(journal.at[2].kind, UNDO_STOP_ARRAY);
    assert_int_equal(journal.n, type ? 6 : 3);
    const char *array = journal.at[2].subject;
    assert_true(file_exists(array));
    if (made_undo(a, m, &e))
        fail_msg("%s", e.what);
    assert_int_equal(open_steps(), 0);
    assert_false(file_exists(array));
    assert_true(blank(s.nodes[0]) && blank(s.nodes[1]));
}

static void arrays(void **state)
{
    (void)state;
    const char *path = strdup(getenv("PATH"));
    pretend_mdadm();
    on_an_array(NULL);
    for (size_t k = 0; k < n_loops; k++)
        close(loops[k].fd);
    n_loops = 0;
    on_an_array("ext4");
    setenv("PATH", path, 1);
    free((void *)(uintptr_t)path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(ext4),
        T(xfs),
        T(btrfs),
        T(btrfs_over_two),
        T(no_step_without_its_note),
        T(undone_from_the_journal_alone),
        T(what_is_not_ours_stays),
        T(taken_since),
        T(refusals),
        T(a_tool_that_fails),
        T(arrays),
    };
    return run_device_tests(tests, sizeof tests / sizeof *tests);
}
