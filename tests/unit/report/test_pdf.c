/* The made document as PDF: what is on which page, in which order, and what the file says of itself. */
#include "report/pdf.h"

#include <string.h>

#include "base/array.h"
#include "chart/font.h"
#include "made_document.h"
#include "pdf_pages.h"

static const struct pdf_options a4 = { .paper = "a4", .created_ns = 1773480413000000000 };

static struct arena *arena;
static struct pages made;

static int write_once(void **state)
{
    (void)state;
    arena = arena_new();
    made = pages_of("made", made_document(arena), &a4);
    return 0;
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

static void the_same_document_gives_the_same_bytes(void **state)
{
    (void)state;
    void *bytes[2];
    size_t n[2];
    for (size_t i = 0; i < 2; i++) {
        struct arena *a = arena_new();
        struct error e = { 0 };
        assert_int_equal(pdf_write(made_document(a), &a4, &bytes[i], &n[i], &e), 0);
        arena_free(a);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    assert_true(n[0] < 150000);
    free(bytes[0]);
    free(bytes[1]);
}

static void the_file_says_what_it_is(void **state)
{
    (void)state;
    need_tools();
    char *info = tool_output("TZ=UTC pdfinfo -isodates", made.path, "");
    static const char *const lines[] = {
        "Title:           Pliant LS 300 against a consumer SSD and twelve disks, under OLTP load",
        "Subject:         Illustrative storage comparison of three targets",
        "Keywords:        data 9f2c41d7",
        "Creator:         qdepth 1.0.0",
        "CreationDate:    2026-03-14T09:26:53Z",
        "595.28 x 841.89 pts (A4)",
    };
    for (size_t i = 0; i < countof(lines); i++)
        assert_text(info, lines[i]);
    free(info);
    char *fonts = tool_output("pdffonts", made.path, "");
    assert_int_equal(count_of(fonts, "+Roboto"), 2);
    assert_int_equal(count_of(fonts, "yes yes yes"), 2);
    free(fonts);
    char *text = unpacked(made.path);
    assert_text(text, "/Lang (en)");
    assert_text(text, "/DisplayDocTitle true");
    assert_text(text, "/Type /Outlines");
    free(text);
}

static void letter_is_another_page(void **state)
{
    (void)state;
    need_tools();
    struct arena *a = arena_new();
    const struct pdf_options letter = { .paper = "letter" };
    struct pages p = pages_of("letter", made_document(a), &letter);
    char *info = tool_output("pdfinfo", p.path, "");
    assert_text(info, "612 x 792 pts (letter)");
    free(info);
    assert_in_order(p.all, (const char *const[]) { "Figure 1.", "Contents", "8 All results" }, 3);
    pages_free(&p);
    arena_free(a);
}

/* Every number behind an operator in the unpacked pages: the smallest of them. */
static double least_of(const char *text, const char *operator)
{
    double least = ENDLESS;
    for (const char *p = text; (p = strstr(p, operator)); p += strlen(operator)) {
        const char *s = p;
        while (s > text && strchr("0123456789.-", s[-1]))
            s--;
        if (s < p)
            least = fmin(least, strtod(s, NULL));
    }
    return least;
}

static void type_and_lines_are_not_too_small(void **state)
{
    (void)state;
    need_tools();
    char *text = unpacked(made.path);
    assert_true(least_of(text, " Tf\n") >= 7.5);
    assert_true(least_of(text, " w\n") >= 0.5);
    assert_int_equal(count_of(text, "nan"), 0);
    free(text);
}

/* --- pages --------------------------------------------------------------------------------------------------------- */

static void everything_is_there_in_reading_order(void **state)
{
    (void)state;
    need_tools();
    static const char *const order[] = {
        "Storage comparison",
        "Illustrative data: invented numbers, no product was measured",
        "Pliant LS 300 against a consumer SSD and twelve",
        "Run oltp-2026-03-14",
        "Pliant LS 300 is ahead of each measured peer",
        "device under test",
        "Scorecard. Advantage of Pliant LS 300",
        "Most IOPS, any depth",
        "26,200",
        "[8.83, 9.29]",
        "ahead",
        "Figure 1. The headline measures",
        "Contents",
        "1 What was tested",
        "Targets",
        "Patriot Torqx 128 GB was not steady",
        "2 OLTP Heavy Read",
        "Pliant LS 300 turns depth into work",
        "Figure 2.",
        "OLTP Heavy Read by queue depth",
        "1 2,290 0.436 0.985 2,335 0.428 0.847 148.2 6.727 24.22",
        "Figures 3 to 7. Best first",
        "Queue depth 1",
        "Figure 3.",
        "Queue depth 4",
        "Figure 4.",
        "Figure 5.",
        "Figure 6.",
        "Figure 7.",
        "3 OLTP Moderate Read",
        "Figure 8.",
        "Figures 9 to 13.",
        "Figure 9.",
        "Figure 13.",
        "4 Percentiles",
        "A percentile is printed where",
        "OLTP Heavy Read: response time in ms",
        "5 Environment",
        "Model LS 300 Torqx PFZ128GS25 12 × 500 GB SATA disk",
        "Processor 2 × 4 cores",
        "6 Method",
        "• MB/s are 10⁶ bytes a second",
        "7 Reproduce",
        "qdepth report oltp-2026-03-14 --out",
        "8 All results",
        "Pliant LS 300 1 2,290 [2,276, 2,304] 45.02 0.436 0.985 yes 0",
        "not measured: a member drive failed after 11 s",
    };
    assert_in_order(made.all, order, countof(order));
}

static void the_cover_is_one_page(void **state)
{
    (void)state;
    need_tools();
    assert_text(made.at[0], "Scorecard.");
    assert_text(made.at[0], "[44.2, 46.6]"); /* the last row */
    assert_text(made.at[0], "a whisker narrower than 4 px is not drawn.");
    assert_text(made.at[1], "Contents");
}

static void every_page_has_its_head_and_foot(void **state)
{
    (void)state;
    need_tools();
    assert_int_equal(made.n, 9);
    for (size_t i = 0; i < made.n; i++) {
        char foot[64];
        snprintf(foot, sizeof foot, "%zu of %zu\n", i + 1, made.n);
        assert_text(made.at[i], foot);
        assert_text(made.at[i], "qdepth 1.0.0 · data 9f2c41d7 · Illustrative data");
        bool head = starts_with(made.at[i],
                                "Pliant LS 300 against a consumer SSD and twelve disks, "
                                "under OLTP load oltp-2026-03-14\n");
        assert_true(head == (i > 0));
    }
}

static void contents_name_the_right_pages(void **state)
{
    (void)state;
    need_tools();
    static const char *const entries[][2] = {
        { "1 What was tested", "1 What was tested" },
        { "2 OLTP Heavy Read", "2 OLTP Heavy Read" },
        { "Queue depth 1 to 128", "Figures 3 to 7." },
        { "3 OLTP Moderate Read", "3 OLTP Moderate" },
        { "4 Percentiles", "4 Percentiles" },
        { "5 Environment", "5 Environment" },
        { "6 Method", "6 Method" },
        { "7 Reproduce", "7 Reproduce" },
        { "8 All results", "8 All results" },
    };
    const char *contents = strstr(made.at[1], "Contents");
    for (size_t i = 0; i < countof(entries); i++) {
        const char *entry = strstr(contents, entries[i][0]);
        assert_non_null(entry);
        long page = strtol(entry + strlen(entries[i][0]), NULL, 10);
        assert_in_range(page, 2, made.n);
        assert_text(made.at[page - 1], entries[i][1]);
    }
}

static void five_depths_share_a_page(void **state)
{
    (void)state;
    need_tools();
    for (size_t i = 0; i < made.n; i++)
        if (strstr(made.at[i], "Figures 3 to 7."))
            assert_text(made.at[i], "Figure 7.");
}

static void no_heading_stands_last_on_its_page(void **state)
{
    (void)state;
    need_tools();
    static const char *const headings[] = {
        "What was tested", "Warnings",
        "OLTP Heavy Read", "OLTP Moderate Read",
        "Percentiles",     "Environment",
        "Method",          "Reproduce",
        "All results",     "Contents",
        "Queue depth 1",   "Queue depth 4",
        "Queue depth 8",   "Queue depth 32",
        "Queue depth 128", "The 15 checks: 11 passed, 4 warnings",
    };
    assert_no_heading_last(&made, headings, countof(headings));
}

/* --- tables -------------------------------------------------------------------------------------------------------- */

static void decimals_stand_below_each_other(void **state)
{
    (void)state;
    need_tools();
    static const char *const column[] = { "0.985", "1.586", "4.289",
                                          "15.02" }; /* p99 of the overview */
    char *boxes = tool_output("pdftotext -bbox -f 3 -l 3", made.path, "-");
    double point = 0;
    const char *from = strstr(boxes, ">p99,<");
    for (size_t i = 0; i < countof(column); i++) {
        char word[32];
        snprintf(word, sizeof word, ">%s<", column[i]);
        const char *p = strstr(from, word);
        assert_non_null(p);
        while (strncmp(p, "xMin=\"", 6))
            p--;
        char whole[8] = { 0 };
        memcpy(whole, column[i], strcspn(column[i], "."));
        double x = strtod(p + 6, NULL) + font_width(FONT_REGULAR, 8, whole);
        if (i == 0)
            point = x;
        assert_true(fabs(x - point) < 0.02);
    }
    free(boxes);
}

/* --- links --------------------------------------------------------------------------------------------------------- */

static void links_lead_to_pages_without_a_frame(void **state)
{
    (void)state;
    need_tools();
    char *text = unpacked(made.path);
    size_t links = count_of(text, "/Subtype /Link");
    assert_true(links >= 10 + 4); /* contents and warnings */
    assert_int_equal(count_of(text, "/Border [\n    0\n    0\n    0\n  ]"), links);
    assert_int_equal(count_of(text, "/Subtype /Link\n"), count_of(text, "/Dest ") - 10);
    assert_int_equal(count_of(text, "  /XYZ\n"), count_of(text, "/Dest "));
    free(text);
    char *json = tool_output("qpdf --json --json-key=outlines", made.path, "");
    static const char *const titles[] = { "1  What was tested", "2  OLTP Heavy Read",
                                          "Queue depth 1 to 128", "8  All results" };
    assert_in_order(json, titles, countof(titles));
    free(json);
}

static int drop(void **state)
{
    (void)state;
    pages_free(&made);
    arena_free(arena);
    font_reset();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_document_gives_the_same_bytes),
        cmocka_unit_test(the_file_says_what_it_is),
        cmocka_unit_test(letter_is_another_page),
        cmocka_unit_test(type_and_lines_are_not_too_small),
        cmocka_unit_test(everything_is_there_in_reading_order),
        cmocka_unit_test(the_cover_is_one_page),
        cmocka_unit_test(every_page_has_its_head_and_foot),
        cmocka_unit_test(contents_name_the_right_pages),
        cmocka_unit_test(five_depths_share_a_page),
        cmocka_unit_test(no_heading_stands_last_on_its_page),
        cmocka_unit_test(decimals_stand_below_each_other),
        cmocka_unit_test(links_lead_to_pages_without_a_frame),
    };
    return cmocka_run_group_tests(tests, write_once, drop);
}
