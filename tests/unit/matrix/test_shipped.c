#include "matrix_test.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/fmt.h"

/* The shipped matrices, and how a name is found. */

static struct matrix *must_load(struct arena *a, const char *name)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    if (matrix_load(a, name, &m, &e))
        fail_msg("%s: %s: %s", name, e.where, e.what);
    return m;
}

static struct plan must_expand_shipped(struct arena *a, const char *name, uint32_t n_targets)
{
    const struct plan_options o = { .n_targets = n_targets };
    struct plan p;
    struct error e = { 0 };
    if (matrix_expand(a, must_load(a, name), &o, &p, &e))
        fail_msg("%s: %s", name, e.what);
    return p;
}

static void every_one_validates_and_expands(void **state)
{
    const char *const *names = matrix_shipped(*state);
    uint32_t n = 0;
    for (; names[n]; n++) {
        if (n > 0)
            assert_true(strcmp(names[n - 1], names[n]) < 0);
        struct plan p = must_expand_shipped(*state, names[n], 3);
        assert_string_equal(p.name, names[n]);
        assert_string_equal(p.matrix_xml, matrix_shipped_xml(names[n]));
        assert_true(p.n_cells > 0 && strlen(p.title) > 0 && strlen(p.method) > 20);
    }
    assert_true(n >= 2);
    assert_null(matrix_shipped_xml("nosuch"));
    assert_null(matrix_shipped_xml("../matrix"));
}

static void oltp_is_seed_000(void **state)
{
    struct plan p = must_expand_shipped(*state, "oltp", 3);
    static const uint32_t depth[] = { 1, 4, 8, 32, 128 };
    static const uint32_t read_bp[] = { 9000, 6500 };
    static const char *const title[] = { "OLTP Heavy Read", "OLTP Moderate Read" };
    assert_int_equal(p.n_points, 10);
    assert_int_equal(p.n_cells, 30);
    assert_int_equal(p.n_workloads, 2);
    assert_true(p.writes);
    for (uint32_t i = 0; i < 10; i++) {
        const struct cell *c = &p.cells[i];
        const struct workload *w = &p.workloads[c->workload];
        assert_string_equal(w->title, title[i / 5]);
        assert_int_equal(c->queue_depth, depth[i % 5]);
        assert_int_equal(c->workers, 1);
        assert_int_equal(c->duration_ns, 60 * NS_PER_S);
        assert_int_equal(c->ramp_ns, 10 * NS_PER_S);
        assert_true(c->direct);
        assert_int_equal(w->n_lines, 2);
        for (uint32_t k = 0; k < 2; k++) {
            assert_int_equal(w->lines[k].share_bp, 5000);
            assert_int_equal(w->lines[k].size, k ? 65536 : 8192);
            assert_int_equal(w->lines[k].read_bp, read_bp[i / 5]);
            assert_int_equal(w->lines[k].random_bp, 10000);
        }
    }
    assert_false(matrix_has_default_targets(must_load(*state, "oltp")));
}

static void quick_is_a_first_look(void **state)
{
    struct matrix *m = must_load(*state, "quick");
    struct plan p = must_expand_shipped(*state, "quick", 3);
    static const uint32_t depth[] = { 1, 8, 32 };
    assert_true(matrix_has_default_targets(m));
    assert_true(matrix_writes(m));
    assert_int_equal(p.n_points, 12);
    assert_int_equal(p.n_cells, 36);
    for (uint32_t i = 0; i < 12; i++) {
        const struct access_line *l = p.workloads[p.cells[i].workload].lines;
        assert_int_equal(p.cells[i].queue_depth, depth[i % 3]);
        assert_int_equal(l->size, i < 6 ? 4096 : 1 << 20);
        assert_int_equal(l->random_bp, i < 6 ? 10000 : 0);
        assert_int_equal(l->read_bp, i / 3 % 2 ? 0 : 10000);
        assert_int_equal(p.cells[i].duration_ns, 2 * NS_PER_S);
    }
    /* the method states the times that the file holds */
    uint64_t measured = 0;
    for (uint32_t i = 0; i < p.n_cells; i++)
        measured += p.cells[i].duration_ns;
    char said[64];
    snprintf(said, sizeof said, "%llu s on three", (unsigned long long)(measured / NS_PER_S));
    assert_non_null(strstr(p.method, said));
    snprintf(said, sizeof said, "%llu ms before counting",
             (unsigned long long)(p.cells[0].ramp_ns / NS_PER_MS));
    assert_non_null(strstr(p.method, said));
    assert_true(plan_cost(&p).seconds_ns <= 80 * NS_PER_S);
}

static void consistency_is_seed_001(void **state)
{
    struct plan p = must_expand_shipped(*state, "consistency", 2);
    assert_int_equal(p.n_points, 1);
    assert_int_equal(p.n_cells, 2);
    assert_string_equal(p.report, "consistency");
    assert_true(p.writes);
    const struct cell *c = &p.cells[0];
    const struct access_line *l = p.workloads[c->workload].lines;
    assert_int_equal(c->duration_ns / c->interval_ns, 90000);
    assert_int_equal(c->interval_ns, NS_PER_S);
    assert_int_equal(c->queue_depth, 32);
    assert_int_equal(c->span_bytes, 0);
    assert_int_equal(c->span_bp, 0);
    assert_int_equal(l->size, 4096);
    assert_int_equal(l->read_bp, 0);
    assert_int_equal(l->random_bp, 10000);
    assert_non_null(strstr(p.method, "25 hours, which is 90,000 records"));
    assert_false(matrix_has_default_targets(must_load(*state, "consistency")));
}

static void streaming_is_large_blocks_in_sequence(void **state)
{
    struct plan p = must_expand_shipped(*state, "streaming", 1);
    assert_int_equal(p.n_points, 4);
    assert_string_equal(p.report, "streaming");
    for (uint32_t i = 0; i < p.n_cells; i++) {
        const struct access_line *l = p.workloads[p.cells[i].workload].lines;
        assert_int_equal(l->size, i < 2 ? 128 << 10 : 1 << 20);
        assert_int_equal(l->read_bp, i % 2 ? 10000 : 0);
        assert_int_equal(l->random_bp, 0);
        assert_int_equal(p.cells[i].interval_ns, 100 * NS_PER_MS);
        assert_int_equal(p.cells[i].duration_ns, 600 * NS_PER_S);
    }
}

static void unknown_name(void **state)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    assert_int_equal(matrix_load(*state, "oltpp", &m, &e), -1);
    assert_int_equal(e.code, QD_E_USAGE);
    assert_non_null(strstr(e.what, "no matrix 'oltpp' (shipped are "));
    assert_non_null(strstr(e.what, "oltp, "));
    assert_non_null(strstr(e.what, "quick"));
    assert_non_null(
        strstr(e.what, "; a file ends in .xml, .icf, .fio or .job, or has a '/' in its name)"));
}

static void missing_file(void **state)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    assert_int_equal(matrix_load(*state, "nosuch.xml", &m, &e), -1);
    assert_int_equal(e.code, QD_E_IO);
    assert_string_equal(e.what, "cannot open 'nosuch.xml': No such file or directory");
    assert_int_equal(matrix_load(*state, "./quick", &m, &e), -1);
    assert_string_equal(e.what, "cannot open './quick': No such file or directory");
}

static void write_file(const char *path, const char *text)
{
    struct error e = { 0 };
    if (file_write(path, text, strlen(text), &e))
        fail_msg("%s", e.what);
}

/* A path, a name that ends in .xml, and an existing file of any name; a shipped name beats a file of that name. */
static void files(void **state)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    assert_int_equal(file_mkdirs(TEST_OUT "/matrix", &e), 0);
    assert_int_equal(chdir(TEST_OUT "/matrix"), 0);
    write_file("mine.xml", HEAD WORK_4K FOOT);
    write_file("mine", HEAD WORK_4K FOOT);
    write_file("oltp", HEAD WORK_4K FOOT);
    write_file("broken.xml", HEAD "\n<oops/>" FOOT);
    assert_string_equal(matrix_name(must_load(*state, "mine.xml")), "t");
    assert_string_equal(matrix_name(must_load(*state, "mine")), "t");
    assert_string_equal(matrix_name(must_load(*state, "./mine")), "t");
    assert_string_equal(matrix_name(must_load(*state, "oltp")), "oltp");
    assert_string_equal(matrix_name(must_load(*state, "./oltp")), "t");
    assert_int_equal(matrix_load(*state, "./broken.xml", &m, &e), -1);
    assert_int_equal(e.code, QD_E_FORMAT);
    assert_string_equal(e.where, "./broken.xml:3");
    unlink("oltp");
}

/* The manual's examples are matrices: a whole one, and workloads with a sweep. */
static void examples_of_the_manual(void **state)
{
    char *text = NULL;
    size_t n = 0;
    struct error e = { 0 };
    if (file_read(*state, TEST_DATA "/../../docs/matrix.md", 1 << 20, &text, &n, &e))
        fail_msg("%s", e.what);
    uint32_t found = 0;
    for (char *at = text; (at = strstr(at, "```xml\n")); found++) {
        at += strlen("```xml\n");
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = 0;
        must_parse(*state, strstr(at, "<matrix") ? at : arena_printf(*state, HEAD "%s" FOOT, at));
        at = end + 1;
    }
    assert_true(found >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_one_validates_and_expands, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(oltp_is_seed_000, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(quick_is_a_first_look, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(consistency_is_seed_001, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(streaming_is_large_blocks_in_sequence, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(unknown_name, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(missing_file, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(files, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(examples_of_the_manual, setup_arena, teardown_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
