#include <string.h>

#include "base/array.h"
#include "render.h"
#include "unit.h"

#define CELLS(...)                                                                                 \
    (const struct table_cell[])                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define ROW(...)                                                                                   \
    {                                                                                              \
        .cells = CELLS(__VA_ARGS__), .n_cells = countof((CELLS(__VA_ARGS__)))                      \
    }

static void has(const char *markup, const char *part)
{
    if (!strstr(markup, part))
        fail_msg("'%s' is not in:\n%s", part, markup);
}

static void lacks(const char *markup, const char *part)
{
    if (strstr(markup, part))
        fail_msg("'%s' is in:\n%s", part, markup);
}

static size_t count(const char *markup, const char *part)
{
    size_t n = 0;
    for (const char *s = markup; (s = strstr(s, part)); s += strlen(part))
        n++;
    return n;
}

static const struct column two[] = { { .head = "Target", .row_head = true },
                                     { .head = "ms", .align = ALIGN_NUMBER } };

static const char *render(struct arena *a, struct table t, const struct table_row *rows, size_t n)
{
    t.rows = rows;
    t.n_rows = n;
    return render_table(a, &t);
}
#define RENDER(a, table, rows) render(a, table, rows, countof(rows))

static void test_decimals_are_padded(void **state)
{
    const struct table_row rows[] = {
        ROW({ .text = "A" }, { .text = "4.874" }),     ROW({ .text = "B" }, { .text = "118.0" }),
        ROW({ .text = "C" }, { .text = "2,722" }),     ROW({ .text = "D" }, { .text = "–" }),
        ROW({ .text = "E" }, { .text = "\u22121.5" }), ROW({ .text = "F" }, { .text = "8.58×" }),
    };
    const char *m = RENDER(*state, ((struct table) { .columns = two, .n_columns = 2 }), rows);
    has(m, "<th scope=\"row\">A</th><td class=\"n\">4.874</td>");
    has(m, "<td class=\"n\">118.0<span class=\"pad\" aria-hidden=\"true\">00</span></td>");
    has(m, "<td class=\"n\">2,722<span class=\"pad\" aria-hidden=\"true\">.000</span></td>");
    has(m, "<td class=\"n\">–</td>");
    has(m, "<td class=\"n\">\u22121.5<span class=\"pad\" aria-hidden=\"true\">00</span></td>");
    has(m, "<td class=\"n\">8.58×</td>");
}

static void test_marks_have_a_slot_in_their_column_only(void **state)
{
    const struct column columns[] = { two[0], two[1], two[1] };
    const struct table_row rows[] = {
        ROW({ .text = "A" }, { .text = "1", .mark = "†‡" }, { .text = "1" }),
        ROW({ .text = "B" }, { .text = "2" }, { .text = "2" }),
    };
    const char *m = RENDER(*state, ((struct table) { .columns = columns, .n_columns = 3 }), rows);
    has(m, "1<span class=\"mk\">†‡</span></td><td class=\"n\">1</td>");
    has(m, "2<span class=\"mk\"></span></td><td class=\"n\">2</td>");
}

static void test_details_of_numbers_get_a_column(void **state)
{
    const struct column columns[] = { two[0], two[1], { .head = "n", .align = ALIGN_NUMBER } };
    const struct table_row rows[] = {
        ROW({ .text = "A", .detail = "own" }, { .text = "1.5", .detail = "[1.4, 1.6]" },
            { .text = "5" }),
        ROW({ .text = "B" }, { .text = "2.5" }, { .text = "5" }),
        ROW({ .text = "C" }, { .kind = CELL_GAP, .text = "not measured" }),
        ROW({ .text = "D" }, { .kind = CELL_GAP, .text = "failed" }, { .text = "0" }),
        ROW({ .text = "E" }, { .kind = CELL_GAP, .text = "short", .span = 1 }, { .text = "0" }),
        ROW({ .text = "F" }, { .kind = CELL_EMPTY }, { .text = "1" }),
    };
    const char *m = RENDER(*state, ((struct table) { .columns = columns, .n_columns = 3 }), rows);
    has(m, "<th scope=\"row\">A <span class=\"dir\">own</span></th>");
    has(m, "<span class=\"vh\">ms interval</span>");
    has(m, "<td class=\"n\">1.5</td><td class=\"n ci\">[1.4, 1.6]</td><td class=\"n\">5</td>");
    has(m, "<td class=\"n\">2.5</td><td class=\"n ci\"></td>");
    has(m, "<td class=\"gap\" colspan=\"3\">not measured</td></tr>");
    has(m, "<td class=\"gap\" colspan=\"2\">failed</td><td class=\"n\">0</td>");
    has(m, "<td class=\"gap\" colspan=\"2\">short</td><td class=\"n\">0</td>");
    has(m, "<td class=\"none\" colspan=\"2\"></td><td class=\"n\">1</td>");
}

static void test_grouped_heads(void **state)
{
    const struct column columns[] = {
        { .head = "Depth", .align = ALIGN_NUMBER, .row_head = true },
        { .head = "IOPS", .group = "A", .slot = 1, .align = ALIGN_NUMBER },
        { .head = "ms", .group = "A", .slot = 1, .align = ALIGN_NUMBER },
        { .head = "IOPS", .group = "B", .slot = 2, .align = ALIGN_NUMBER },
    };
    const struct table_row rows[] = {
        ROW({ .text = "1" }, { .text = "5", .detail = "[4, 6]" }, { .text = "6" }, { .text = "7" }),
    };
    const char *m = RENDER(*state, ((struct table) { .columns = columns, .n_columns = 4 }), rows);
    has(m, "<th scope=\"col\" class=\"n\" rowspan=\"2\"><span>Depth</span></th>"
           "<th scope=\"colgroup\" class=\"gh\" colspan=\"3\"><svg class=\"m\"");
    has(m, "href=\"#qd-marker-1\"/></svg>A</th><th scope=\"colgroup\" class=\"gh\"><svg");
    has(m, "<span class=\"vh\">A </span><span>IOPS</span>");
    has(m, "<span class=\"vh\">A IOPS interval</span>");
    assert_int_equal(count(m, "qd-marker-1"), 1);
}

static void test_rows_of_groups_and_highlights(void **state)
{
    const struct table_row rows[] = {
        { .kind = ROW_GROUP,
          .detail = "90 % reads",
          .cells = CELLS({ .text = "Heavy" }),
          .n_cells = 1 },
        { .kind = ROW_HIGHLIGHT,
          .slot = 9,
          .cells = CELLS({ .text = "A", .slot = 9 }, { .text = "1" }),
          .n_cells = 2 },
        { .kind = ROW_GROUP, .cells = CELLS({ .text = "Light" }), .n_cells = 1 },
        ROW({ .text = "B" }, { .text = "2", .best = true, .href = "#b" }),
    };
    const char *m = RENDER(
        *state, ((struct table) { .role = TABLE_FULL, .columns = two, .n_columns = 2 }), rows);
    assert_int_equal(count(m, "<tbody>"), 2);
    has(m, "<tr class=\"grp\"><th scope=\"rowgroup\" colspan=\"2\">Heavy <span class=\"dir\">90 % "
           "reads</span></th></tr><tr class=\"dut c1\"><th scope=\"row\"><svg class=\"m\"");
    has(m, "href=\"#qd-marker-9\"");
    has(m, "<td class=\"n best\"><a href=\"#b\">2</a></td>");
}

static void test_regions_have_names(void **state)
{
    struct arena *a = *state;
    struct table t = { .id = "all", .role = TABLE_FULL, .columns = two, .n_columns = 2 };
    has(render_table(a, &t), "<div class=\"scroll full\" id=\"all\" tabindex=\"0\" role=\"region\" "
                             "aria-label=\"Table\"><table><thead>");
    rich_put(&t.caption, a, RUN_STRONG, "Targets");
    rich_put(&t.caption, a, RUN_PLAIN, " and more");
    const char *m = render_table(a, &t);
    has(m, "aria-label=\"Targets\"");
    has(m, "<caption><span><strong>Targets</strong> and more</span></caption>");
    lacks(m, "<tbody>");
}

static void test_facts_have_no_heads(void **state)
{
    const struct column columns[] = { { .row_head = true }, { 0 } };
    const struct table_row rows[] = { ROW({ .text = "Kernel" }, { .text = "6.12" }) };
    const char *m = RENDER(
        *state, ((struct table) { .role = TABLE_FACTS, .columns = columns, .n_columns = 2 }), rows);
    lacks(m, "thead");
    has(m, "<th scope=\"row\">Kernel</th><td>6.12</td>");
}

static void test_hostile_names_stay_text(void **state)
{
    const struct column columns[] = { { .head = "<b>", .row_head = true } };
    const struct table_row rows[] = { ROW({ .text = "<script>alert('x')</script>" }) };
    const char *m = RENDER(*state, ((struct table) { .columns = columns, .n_columns = 1 }), rows);
    lacks(m, "<script");
    lacks(m, "<b>");
    has(m, "&lt;script&gt;alert('x')&lt;/script&gt;");
}

static void test_cells_beyond_the_columns_are_left_out(void **state)
{
    const struct table_row rows[] = {
        ROW({ .text = "A" }, { .text = "1" }, { .text = "2" }),
        ROW({ .text = "B", .span = 7 }),
        ROW({ .text = "C" }),
    };
    const char *m = RENDER(*state, ((struct table) { .columns = two, .n_columns = 2 }), rows);
    has(m, "A</th><td class=\"n\">1</td></tr>");
    has(m, "C</th></tr>");
}

/* --- scorecard ---------------------------------------------------------------------------------------------------- */

static const struct column card[] = {
    { .head = "Measure", .row_head = true },
    { .head = "A", .align = ALIGN_NUMBER, .slot = 2, .highlighted = true },
    { .head = "B", .align = ALIGN_NUMBER, .slot = 1 },
    { .head = "Advantage", .subhead = "95 % interval", .align = ALIGN_NUMBER },
    { .head = "Verdict" },
};

static void test_scorecard(void **state)
{
    const struct table_row rows[] = {
        ROW({ .text = "IOPS", .detail = "higher is better" }, { .text = "200", .best = true },
            { .text = "50", .mark = "‡" },
            { .text = "4.00×",
              .detail = "[3.9, 4.1]",
              .strip = 4,
              .strip_low = 3.9,
              .strip_high = 4.1 },
            { .kind = CELL_VERDICT, .text = "ahead", .symbol = SYMBOL_AHEAD }),
        ROW({ .text = "ms" }, { .text = "2.0" }, { .text = "1.0", .best = true },
            { .text = "0.50×", .strip = 0.5, .strip_low = ABSENT, .strip_high = ABSENT },
            { .kind = CELL_VERDICT, .text = "behind", .symbol = SYMBOL_BEHIND }),
        ROW({ .text = "p99" }, { .text = "2.0" }, { .kind = CELL_GAP, .text = "none", .span = 1 },
            { .text = "–" },
            { .kind = CELL_VERDICT, .text = "cannot tell", .symbol = SYMBOL_UNKNOWN }),
    };
    struct table t = { .role = TABLE_SCORECARD, .columns = card, .n_columns = countof(card) };
    const char *m = RENDER(*state, t, rows);
    has(m,
        "<th scope=\"col\" class=\"n d c2\"><span class=\"hd\">A</span> <span class=\"tag\">device "
        "under test</span></th>");
    has(m, "<th scope=\"col\" class=\"strip\"><span class=\"vh\">Advantage drawn</span><svg");
    has(m, "<th scope=\"col\" class=\"adv\"><span class=\"r\">Advantage</span> <span "
           "class=\"ci\">95 % "
           "interval</span></th>");
    has(m, "<td class=\"n d c2 best\" data-l=\"A\">200");
    has(m, "<td class=\"n\" data-l=\"B\">50<span class=\"mk\">‡</span>");
    has(m,
        "<td class=\"adv\" data-l=\"Advantage\"><span class=\"r\">4.00×</span> <span "
        "class=\"ci\">[3.9, "
        "4.1]</span></td><td class=\"vd clear\" data-l=\"Verdict\"><span><svg class=\"vi full\"");
    has(m, "<circle class=\"dot\" ");
    has(m, "<circle class=\"dot open\" ");
    assert_int_equal(count(m, "class=\"range\""), 1);
    assert_int_equal(count(m, "<circle"), 2);
    has(m, "<td class=\"gap n\" data-l=\"B\">none</td><td class=\"strip\"></td><td class=\"adv\"");
    has(m, "<td class=\"vd\" data-l=\"Verdict\">");
    lacks(m, "nan");
}

static struct strip fit(const double *ratios, size_t n, double low, double high)
{
    struct table_cell cells[8] = { 0 };
    for (size_t i = 0; i < n; i++)
        cells[i] = (struct table_cell) { .strip = ratios[i], .strip_low = low, .strip_high = high };
    struct table_row row = { .cells = cells, .n_cells = n };
    struct table t = { .rows = &row, .n_rows = 1 };
    struct strip s;
    assert_true(strip_fit(&t, &s));
    return s;
}

static void test_strip_domain(void **state)
{
    (void)state;
    struct strip s;
    struct table_row empty = ROW({ .text = "x" }, { .strip = ABSENT });
    assert_false(strip_fit(&(struct table) { .rows = &empty, .n_rows = 1 }, &s));

    s = fit((double[]) { 1.02 }, 1, 1.01, 1.03);
    assert_close(s.low, -1, 1e-12);
    assert_close(s.high, 1, 1e-12);
    assert_close(s.base, 2, 0);

    s = fit((double[]) { 0.9, 45.4 }, 2, ABSENT, ABSENT);
    assert_close(s.low, log2(0.9), 1e-12);
    assert_close(s.high, log2(45.4), 1e-12);
    assert_close(s.base, 4, 0);

    /* 0.0625, 0.25 and 1 would touch */
    s = fit((double[]) { 0.0156, 1.1 }, 2, ABSENT, ABSENT);
    assert_close(s.base, 10, 0);

    s = fit((double[]) { 1e-4, 1e4 }, 2, ABSENT, ABSENT);
    assert_close(s.base, 1000, 0);

    s = fit((double[]) { 3 }, 1, 2, ENDLESS);
    assert_close(s.high, log2(3), 1e-12);
}

static void test_endless_intervals_reach_the_edge(void **state)
{
    const struct table_row rows[] = {
        ROW({ .text = "IOPS" }, { .text = "2" }, { .text = "1" },
            { .text = "2.0×", .strip = 2, .strip_low = 0, .strip_high = ENDLESS }),
    };
    struct table t = { .role = TABLE_SCORECARD, .columns = card, .n_columns = countof(card) };
    const char *m = RENDER(*state, t, rows);
    has(m, "class=\"range\" d=\"M16 11H142\"");
    lacks(m, "inf");
}

static int set_up(void **state)
{
    *state = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    arena_free(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_decimals_are_padded),
        TEST(test_marks_have_a_slot_in_their_column_only),
        TEST(test_details_of_numbers_get_a_column),
        TEST(test_grouped_heads),
        TEST(test_rows_of_groups_and_highlights),
        TEST(test_regions_have_names),
        TEST(test_facts_have_no_heads),
        TEST(test_hostile_names_stay_text),
        TEST(test_cells_beyond_the_columns_are_left_out),
        TEST(test_scorecard),
        TEST(test_strip_domain),
        TEST(test_endless_intervals_reach_the_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
