#include "help.h"
#include "report/files.h"

/* What lands in OUT, and what is removed. */

static int write_to(struct store *s, const char *dir, unsigned formats, const char *title,
                    struct error *e)
{
    struct arena *a = arena_new();
    const struct report_options o = {
        .out_dir = dir, .formats = formats, .title = title, .scale = 1
    };
    struct report_files files;
    int rc = report_write(s, a, &o, &files, e);
    arena_free(a);
    return rc;
}

static bool exists(const char *dir, const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return file_exists(path);
}

static void same_files(const char *x, const char *y)
{
    char command[1300];
    snprintf(command, sizeof command, "diff -r '%s' '%s'", x, y);
    assert_int_equal(system(command), 0);
}

static struct store *seed_store(const char *name)
{
    struct given_run g = given_seed();
    return given_store(name, &g);
}

static void all_formats(void **state)
{
    (void)state;
    struct store *s = seed_store("files-all");
    const char *dir = new_folder("files-all");
    struct arena *a = arena_new();
    const struct report_options o = { .out_dir = dir, .formats = ALL_FORMATS, .scale = 1 };
    struct report_files files;
    struct error e;
    must(report_write(s, a, &o, &files, &e), &e);
    /* 3 data files, 13 figures twice, the page */
    assert_int_equal(files.n_files, 3 + 2 * 13 + 1);
    assert_string_equal(files.index, arena_printf(a, "%s/index.html", dir));
    static const char *const names[] = { "data/results.csv",
                                         "data/results.json",
                                         "data/intervals.csv",
                                         "charts/headline.svg",
                                         "charts/heavy-read-overview.png",
                                         "charts/moderate-read-qd128.svg" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(exists(dir, names[i]));
    assert_false(exists(dir, ".qdepth-new"));
    const char *list = read_all(a, dir, ".qdepth-files");
    has_text(list, "index.html\n");
    has_text(list, "charts/headline.svg\n");
    const char *png = read_all(a, dir, "charts/headline.png");
    assert_memory_equal(png, "\x89PNG", 4);
    has_text(read_all(a, dir, "charts/headline.svg"), "<svg");
    arena_free(a);
    store_close(s);
}

static void the_same_bytes_again(void **state)
{
    (void)state;
    struct store *s = seed_store("files-same");
    const char *first = new_folder("files-same-1"), *second = new_folder("files-same-2");
    struct error e;
    must(write_to(s, first, ALL_FORMATS | FORMAT_PDF, NULL, &e), &e);
    setenv("TZ", "Pacific/Auckland", 1);
    must(write_to(s, second, ALL_FORMATS | FORMAT_PDF, NULL, &e), &e);
    same_files(first, second);
    must(write_to(s, first, ALL_FORMATS | FORMAT_PDF, NULL, &e), &e); /* over itself */
    same_files(first, second);
    unsetenv("TZ");
    store_close(s);
}

static void the_mask_decides(void **state)
{
    (void)state;
    static const struct {
        unsigned formats;
        const char *index;
        size_t n;
    } rows[] = {
        { FORMAT_HTML, "index.html", 1 },
        { FORMAT_CSV, "data/results.csv", 2 },
        { FORMAT_JSON, "data/results.json", 1 },
        { FORMAT_SVG, "charts/headline.svg", 13 },
    };
    struct store *s = seed_store("files-mask");
    struct error e;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *a = arena_new();
        const char *dir = new_folder("files-mask");
        const struct report_options o = { .out_dir = dir, .formats = rows[i].formats };
        struct report_files files;
        must(report_write(s, a, &o, &files, &e), &e);
        assert_int_equal(files.n_files, rows[i].n);
        assert_string_equal(files.index, arena_printf(a, "%s/%s", dir, rows[i].index));
        if (rows[i].formats == FORMAT_HTML) /* no links to files that are not there */
            has_no_text(read_all(a, dir, "index.html"), "href=\"charts/");
        arena_free(a);
    }
    fails_with(write_to(s, "x", FORMAT_MD, NULL, &e), &e, QD_E_USAGE, "png, svg, csv");
    fails_with(write_to(s, "x", 0, NULL, &e), &e, QD_E_USAGE, "no format");
    store_close(s);
}

/* A smaller report in the same folder removes what the larger one wrote, and nothing else. */
static void old_files_are_removed_strangers_are_not(void **state)
{
    (void)state;
    struct store *s = seed_store("files-old");
    const char *dir = new_folder("files-old");
    struct error e;
    must(write_to(s, dir, ALL_FORMATS, NULL, &e), &e);
    char stranger[600];
    snprintf(stranger, sizeof stranger, "%s/charts/mine.svg", dir);
    must(file_write(stranger, "mine", 4, &e), &e);
    must(write_to(s, dir, FORMAT_HTML | FORMAT_CSV, NULL, &e), &e);
    assert_true(exists(dir, "index.html"));
    assert_true(exists(dir, "data/results.csv"));
    assert_false(exists(dir, "data/results.json"));
    assert_false(exists(dir, "charts/headline.svg"));
    assert_true(exists(dir, "charts/mine.svg"));
    store_close(s);
}

static void files_of_others_are_not_overwritten(void **state)
{
    (void)state;
    struct store *s = seed_store("files-others");
    const char *dir = new_folder("files-others");
    struct arena *a = arena_new();
    struct error e;
    must(file_mkdirs(dir, &e), &e);
    must(file_write(arena_printf(a, "%s/index.html", dir), "mine", 4, &e), &e);
    fails_with(write_to(s, dir, FORMAT_HTML, NULL, &e), &e, QD_E_USAGE,
               "no report of qdepth wrote it");
    assert_string_equal(read_all(a, dir, "index.html"), "mine");
    assert_false(exists(dir, ".qdepth-new"));
    assert_false(exists(dir, ".qdepth-files"));
    arena_free(a);
    store_close(s);
}

/* A damaged list must not make us remove anything outside. */
static void a_damaged_list_removes_nothing_else(void **state)
{
    (void)state;
    struct store *s = seed_store("files-list");
    const char *dir = new_folder("files-list");
    struct arena *a = arena_new();
    struct error e;
    must(write_to(s, dir, FORMAT_HTML, NULL, &e), &e);
    const char *victim = arena_printf(a, "%s.victim", dir);
    must(file_write(victim, "keep", 4, &e), &e);
    static const char *const lines[] = { "../files-list.victim",
                                         "charts/../../files-list.victim",
                                         "/etc/hostname",
                                         ".hidden",
                                         "a/b/c",
                                         "",
                                         "charts/" };
    struct str list = str_new(4096);
    str_put(&list, "index.html\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        str_printf(&list, "%s\n", lines[i]);
    must(file_write(arena_printf(a, "%s/.qdepth-files", dir), list.at, list.n, &e), &e);
    must(file_write(arena_printf(a, "%s/.hidden", dir), "keep", 4, &e), &e);
    must(write_to(s, dir, FORMAT_HTML, NULL, &e), &e);
    assert_true(file_exists(victim));
    assert_true(exists(dir, ".hidden"));
    str_done(&list);
    arena_free(a);
    store_close(s);
}

static void names_of_files_are_checked(void **state)
{
    (void)state;
    static const char *const bad[] = { "../x", "/x", "a/b/c", "", ".x", "charts/", "a b", "x\n" };
    struct arena *a = arena_new();
    struct report_output o;
    struct error e;
    must(output_begin(a, new_folder("files-names"), &o, &e), &e);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        fails_with(output_add(&o, bad[i], "x", 1, &e), &e, QD_E_FAIL, "not the name");
    output_abandon(&o);
    arena_free(a);
}

static void a_folder_that_cannot_be_made(void **state)
{
    (void)state;
    struct store *s = seed_store("files-nodir");
    const char *dir = new_folder("files-nodir");
    struct arena *a = arena_new();
    struct error e;
    must(file_write(dir, "a file", 6, &e), &e);
    fails_with(write_to(s, arena_printf(a, "%s/inside", dir), FORMAT_HTML, NULL, &e), &e, QD_E_IO,
               "files-nodir");
    unlink(dir);
    arena_free(a);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats),
        cmocka_unit_test(the_same_bytes_again),
        cmocka_unit_test(the_mask_decides),
        cmocka_unit_test(old_files_are_removed_strangers_are_not),
        cmocka_unit_test(files_of_others_are_not_overwritten),
        cmocka_unit_test(a_damaged_list_removes_nothing_else),
        cmocka_unit_test(names_of_files_are_checked),
        cmocka_unit_test(a_folder_that_cannot_be_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
