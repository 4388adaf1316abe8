/* Documents that no typesetter likes: nothing, too much, too long, broken. */
#include "report/pdf.h"

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "chart/font.h"
#include "chart/plot_bars.h"
#include "pdf_pages.h"

static const struct pdf_options a4 = { .paper = "a4" };

static struct block *put(struct document *d, struct arena *a, struct block *parent,
                         enum block_kind kind, const char *text)
{
    struct block *b = doc_block(d, a, parent, kind);
    if (text)
        rich_put(&b->text, a, RUN_PLAIN, text);
    return b;
}

static struct block *put_section(struct document *d, struct arena *a, const char *id,
                                 const char *title)
{
    struct block *b = put(d, a, NULL, BLOCK_SECTION, NULL);
    b->id = id;
    b->title = title;
    return b;
}

static struct pages write_pages(const char *name, struct document *d)
{
    struct error e = { 0 };
    assert_int_equal(doc_number(d, &e), 0);
    return pages_of(name, d, &a4);
}

static char *repeated(struct arena *a, const char *what, size_t n)
{
    size_t length = strlen(what);
    char *out = arena_alloc(a, n * length + 1);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * length, what, length);
    return out;
}

/* --- nothing ------------------------------------------------------------------------------------------------------- */

static void an_empty_document_is_one_page(void **state)
{
    (void)state;
    struct document d = { 0 };
    struct pages p = write_pages("empty", &d);
    need_tools();
    assert_int_equal(p.n, 1);
    assert_text(p.at[0], "1 of 1");
    pages_free(&p);
}

static void empty_parts_take_no_harm(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct document d = { .title = "", .kicker = "", .meta = "" };
    static const struct column columns[] = { { .head = "Head" }, { .head = NULL } };
    static const struct table bare = { 0 }, headed = { .columns = columns, .n_columns = 2 };
    struct block *s = put_section(&d, a, "s", NULL);
    for (enum block_kind kind = BLOCK_PARAGRAPH; kind <= BLOCK_LIST; kind++)
        if (kind != BLOCK_TABLE && kind != BLOCK_FIGURE)
            put(&d, a, s, kind, NULL);
    put(&d, a, s, BLOCK_TABLE, NULL)->table = &bare;
    put(&d, a, s, BLOCK_TABLE, NULL)->table = &headed;
    struct figure *f = arena_one(a, struct figure);
    f->heading_level = 3;
    put(&d, a, s, BLOCK_FIGURE, NULL)->figure = f;
    d.scorecard = &bare;
    struct pages p = write_pages("empty-parts", &d);
    need_tools();
    assert_text(p.all, "Head");
    assert_text(p.all, "Figure 1.");
    pages_free(&p);
    arena_free(a);
}

/* --- text ---------------------------------------------------------------------------------------------------------- */

static void any_bytes_can_be_text(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    static const char hostile[] =
        "a\U0001F600b \u202Eright\u202C \u05E9\u05DC \x01\x1b[2J \xff\xfe "
        "soft\u00ADhyphen zero\u200Bwidth line\nbreak tab\tend (\\)";
    struct document d = { .title = hostile,
                          .kicker = hostile,
                          .notice = hostile,
                          .meta = hostile,
                          .description = hostile,
                          .version = hostile,
                          .data_hash = hostile,
                          .run_names = hostile };
    const struct key_entry key = { { .name = hostile, .slot = 1 }, hostile };
    d.keys = &key;
    d.n_keys = 1;
    rich_put(&d.verdict, a, RUN_STRONG, hostile);
    struct block *s = put_section(&d, a, "s", hostile);
    put(&d, a, s, BLOCK_PARAGRAPH, hostile);
    put(&d, a, s, BLOCK_CODE, NULL)->code = hostile;
    struct pages p = write_pages("bytes", &d);
    need_tools();
    assert_in_order(p.all,
                    (const char *const[]) { "a?b right ?? [2J ?? softhyphen zerowidth line break "
                                            "tab end (\\)",
                                            "Contents" },
                    2);
    pages_free(&p);
    arena_free(a);
}

static void long_words_break_and_nothing_is_lost(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    char *word = repeated(a, "0123456789abcdef", 400);
    struct document d = { .title = word, .notice = word, .meta = word, .run_names = word };
    struct block *s = put_section(&d, a, "s", "Long words");
    put(&d, a, s, BLOCK_PARAGRAPH, word);
    put(&d, a, s, BLOCK_CODE, NULL)->code = word;
    struct pages p = write_pages("long", &d);
    need_tools();
    char *joined = arena_strdup(a, p.all);
    size_t n = 0;
    for (const char *c = p.all; *c; c++)
        if (*c != '\n' && *c != '\f')
            joined[n++] = *c;
    joined[n] = '\0';
    assert_true(count_of(joined, "0123456789abcdef") > 5 * 400 - 60);
    pages_free(&p);
    arena_free(a);
}

static void program_lines_keep_their_indent(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct document d = { .title = "Code" };
    struct block *s = put_section(&d, a, "s", "Code");
    put(&d, a, s, BLOCK_CODE, NULL)->code = "first\n        deep\n\nlast";
    struct pages p = write_pages("code", &d);
    need_tools();
    char *boxes = tool_output("pdftotext -bbox", p.path, "-");
    double x[3], y[3];
    static const char *const words[] = { ">first<", ">deep<", ">last<" };
    for (size_t i = 0; i < countof(words); i++) {
        const char *at = strstr(boxes, words[i]);
        assert_non_null(at);
        while (strncmp(at, "xMin=\"", 6))
            at--;
        x[i] = strtod(at + 6, NULL);
        y[i] = strtod(strstr(at, "yMin=\"") + 6, NULL);
    }
    assert_true(fabs(x[1] - x[0] - 8 * font_advance(FONT_REGULAR, 8, ' ')) < 0.1);
    assert_true(fabs(x[2] - x[0]) < 0.1);
    assert_true(fabs(y[2] - y[1] - 22) < 0.1); /* an empty line between */
    free(boxes);
    pages_free(&p);
    arena_free(a);
}

/* --- tables -------------------------------------------------------------------------------------------------------- */

static const struct table *long_table(struct arena *a, const char *id, size_t n_rows)
{
    static const struct column columns[] = { { .head = "Name", .row_head = true },
                                             { .head = "Value", .align = ALIGN_NUMBER } };
    struct table *t = arena_one(a, struct table);
    struct table_row *rows = arena_array(a, struct table_row, n_rows);
    *t = (struct table) {
        .id = id, .columns = columns, .n_columns = 2, .rows = rows, .n_rows = n_rows
    };
    rich_put(&t->caption, a, RUN_STRONG, "Many rows.");
    rich_put(&t->caption, a, RUN_PLAIN, " And a caption.");
    for (size_t i = 0; i < n_rows; i++) {
        bool group = i % 100 == 0;
        struct table_cell *cells = arena_array(a, struct table_cell, 2);
        cells[0].text = arena_printf(a, group ? "group %zu" : "row %zu", i);
        cells[1].text = arena_printf(a, "%zu.%zu", i, i % 10);
        rows[i] = (struct table_row) { .kind = group ? ROW_GROUP : ROW_NORMAL,
                                       .cells = cells,
                                       .n_cells = group ? 1 : 2 };
    }
    return t;
}

static void a_long_table_repeats_its_head(void **state)
{
    (void)state;
    enum { ROWS = 500 };
    struct arena *a = arena_new();
    struct document d = { .title = "Table" };
    put(&d, a, put_section(&d, a, "s", "Results"), BLOCK_TABLE, NULL)->table = long_table(a, "t",
                                                                                          ROWS);
    struct pages p = write_pages("rows", &d);
    need_tools();
    assert_true(p.n > 10);
    for (size_t i = 0; i < ROWS; i++) {
        const char *line = arena_printf(a, i % 100 ? "\nrow %zu %zu.%zu\n" : "\ngroup %zu\n", i, i,
                                        i % 10);
        assert_text(p.all, line);
    }
    assert_int_equal(count_of(p.all, "Many rows. And a caption."), 1);
    size_t parts = count_of(p.all, "Many rows (continued). And a caption.\nName Value\n");
    assert_int_equal(parts, p.n - 2); /* all but the cover and the table's first page */
    for (size_t i = 2; i < p.n; i++) {
        const char *after = strstr(p.at[i], "Name Value\n") + strlen("Name Value\n");
        assert_true(starts_with(after, "group "));
        size_t rows = count_of(after, "\nrow ");
        assert_true(rows >= 2);
    }
    assert_true(count_of(p.all, "(continued)\n") >= parts - 4);
    pages_free(&p);
    arena_free(a);
}

/* 40 targets with 3 columns each: more than any page is wide. */
static const struct table *wide_table(struct arena *a)
{
    enum { TARGETS = 40, PER = 3, ROWS = 4 };
    struct table *t = arena_one(a, struct table);
    struct column *columns = arena_array(a, struct column, 1 + TARGETS * PER);
    struct table_row *rows = arena_array(a, struct table_row, ROWS);
    columns[0] = (struct column) { .head = "Depth", .align = ALIGN_NUMBER, .row_head = true };
    for (size_t i = 0; i < TARGETS * PER; i++)
        columns[1 + i] = (struct column) { .head = arena_printf(a, "m%zu", i % PER),
                                           .group = arena_printf(a, "Target %zu", i / PER),
                                           .align = ALIGN_NUMBER,
                                           .slot = (int)(i / PER) + 1 };
    for (size_t r = 0; r < ROWS; r++) {
        struct table_cell *cells = arena_array(a, struct table_cell, 1 + TARGETS * PER);
        cells[0].text = arena_printf(a, "%d", 1 << r);
        for (size_t i = 0; i < TARGETS * PER; i++)
            cells[1 + i].text = arena_printf(a, "%zu.%zu", 1000 + i, r);
        rows[r] = (struct table_row) { .cells = cells, .n_cells = 1 + TARGETS * PER };
    }
    /* the last row: one gap over all columns of the middle */
    struct table_cell *gap = arena_array(a, struct table_cell, 3);
    gap[0].text = "999";
    gap[1] = (struct table_cell) { .kind = CELL_GAP, .text = "not measured" };
    gap[2].text = "7.7";
    rows[ROWS - 1] = (struct table_row) { .cells = gap, .n_cells = 3 };
    *t = (struct table) {
        .columns = columns, .n_columns = 1 + TARGETS * PER, .rows = rows, .n_rows = ROWS
    };
    rich_put(&t->caption, a, RUN_STRONG, "Wide.");
    return t;
}

static void a_wide_table_is_drawn_in_parts(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct document d = { .title = "Wide" };
    put(&d, a, put_section(&d, a, "s", "Wide"), BLOCK_TABLE, NULL)->table = wide_table(a);
    struct pages p = write_pages("wide", &d);
    need_tools();
    const char *first = strstr(p.all, "Wide (part 1 of ");
    assert_non_null(first);
    long parts = strtol(first + strlen("Wide (part 1 of "), NULL, 10);
    assert_in_range(parts, 5, 20);
    assert_int_equal(count_of(p.all, arena_printf(a, " of %ld).", parts)), parts);
    assert_text(p.all, arena_printf(a, "Wide (part %ld of %ld).", parts, parts));
    for (size_t i = 0; i < 120; i++)
        assert_text(p.all, arena_printf(a, "%zu.0", 1000 + i));
    for (size_t i = 0; i < 40; i++)
        assert_text(p.all, arena_printf(a, "Target %zu", i));
    /* groups stay whole */
    assert_int_equal(count_of(p.all, " m0"), count_of(p.all, " m0 m1 m2"));
    assert_int_equal(count_of(p.all, "not measured"), parts);
    assert_int_equal(count_of(p.all, "7.7"), 1);
    pages_free(&p);
    arena_free(a);
}

static void long_names_wrap_in_their_rows(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct document d = { .title = "Names" };
    static const struct column columns[] = { { .head = "Name", .row_head = true },
                                             { .head = "IOPS", .align = ALIGN_NUMBER },
                                             { .head = "Note" } };
    const struct table_cell cells[] = {
        { .text = repeated(a, "name ", 40), .slot = 3, .href = "https://example.org/" },
        { .text = "1,234.5", .mark = "†‡" },
        { .text = repeated(a, "unbreakable", 400) }
    };
    const struct table_row row = { .kind = ROW_HIGHLIGHT, .cells = cells, .n_cells = 3, .slot = 1 };
    const struct table t = { .columns = columns, .n_columns = 3, .rows = &row, .n_rows = 1 };
    put(&d, a, put_section(&d, a, "s", "Names"), BLOCK_TABLE, NULL)->table = &t;
    struct pages p = write_pages("names", &d);
    need_tools();
    assert_int_equal(count_of(p.all, "name"), 40);
    assert_text(p.all, "1,234.5†‡");
    assert_in_range(p.n, 2, 3);
    pages_free(&p);
    arena_free(a);
}

/* --- figures ------------------------------------------------------------------------------------------------------- */

static const struct panel *bars_of(struct arena *a, size_t n, double value)
{
    struct bar *at = arena_array(a, struct bar, n);
    for (size_t i = 0; i < n; i++)
        at[i] = (struct bar) { .series = { .name = arena_printf(a, "Target %zu", i),
                                           .short_name = "T",
                                           .slot = (int)i + 1,
                                           .highlighted = i == 0 },
                               .value = value + (double)i,
                               .low = NAN,
                               .high = NAN,
                               .label = arena_printf(a, "%zu.5", i) };
    const struct bars spec = {
        .panel = { .title = "Bars", .direction = "higher is better", .bars = true },
        .at = at,
        .n = n,
        .reference = NAN
    };
    return plot_bars(a, &spec);
}

static struct figure *figure_of(struct arena *a, const struct panel *panel, const char *title)
{
    struct figure *f = arena_one(a, struct figure);
    const struct panel **panels = arena_array(a, const struct panel *, 1);
    panels[0] = panel;
    *f = (struct figure) {
        .title = title, .panels = panels, .n_panels = 1, .bars = true, .heading_level = 3
    };
    return f;
}

static void forty_targets_fit(void **state)
{
    (void)state;
    enum { N = 40 };
    struct arena *a = arena_new();
    struct document d = { .title = "Forty targets" };
    struct key_entry *keys = arena_array(a, struct key_entry, N);
    for (size_t i = 0; i < N; i++)
        keys[i].series = (struct series) { .name = arena_printf(a, "Target %zu", i),
                                           .slot = (int)i + 1 };
    d.keys = keys;
    d.n_keys = N;
    d.headline = figure_of(a, bars_of(a, N, 1), "Headline");
    struct pages p = write_pages("forty", &d);
    need_tools();
    for (size_t i = 0; i < N; i++)
        assert_true(count_of(p.all, arena_printf(a, "Target %zu\n", i)) +
                        count_of(p.all, arena_printf(a, "Target %zu ", i)) >=
                    2); /* in the key and beside its bar */
    pages_free(&p);
    arena_free(a);
}

static void captions_stay_with_their_figures(void **state)
{
    (void)state;
    enum { N = 24 };
    struct arena *a = arena_new();
    struct document d = { .title = "Figures" };
    struct block *s = put_section(&d, a, "s", "Figures");
    for (size_t i = 0; i < N; i++) {
        struct figure *f = figure_of(a, bars_of(a, 1 + i % 7, (double)(100 * i)), NULL);
        f->heading_level = 0;
        rich_printf(&f->lead, a, RUN_PLAIN, "Lead %zu.", i);
        rich_printf(&f->caption, a, RUN_PLAIN, "Caption %zu.", i);
        put(&d, a, s, BLOCK_FIGURE, NULL)->figure = f;
    }
    struct pages p = write_pages("captions", &d);
    need_tools();
    assert_true(p.n > 4);
    size_t found = 0;
    for (size_t k = 0; k < p.n; k++)
        for (size_t i = 0; i < N; i++) {
            const char *caption = arena_printf(a, "Figure %zu. Caption %zu.", i + 1, i);
            const char *lead = arena_printf(a, "Lead %zu.", i);
            if (!strstr(p.at[k], caption))
                continue;
            found++;
            assert_in_order(p.at[k], (const char *const[]) { lead, "Bars", "Target 0", caption },
                            4);
        }
    assert_int_equal(found, N);
    pages_free(&p);
    arena_free(a);
}

static void headings_stay_with_what_follows(void **state)
{
    (void)state;
    enum { N = 60 };
    struct arena *a = arena_new();
    struct document d = { .title = "Headings" };
    for (size_t i = 0; i < N; i++) {
        struct block *s = put_section(&d, a, arena_printf(a, "s%zu", i), "Section");
        for (size_t k = 0; k < i % 7; k++)
            put(&d, a, s, BLOCK_PARAGRAPH,
                "Some words that fill a line or two of the page, so that the next heading "
                "comes at another height each time.");
        put(&d, a, s, BLOCK_HEADING, NULL)->title = "Subheading";
        if (i % 3 == 0)
            put(&d, a, s, BLOCK_TABLE, NULL)->table = long_table(a, NULL, 3 + i % 5);
        else
            put(&d, a, s, BLOCK_NOTE, "A note.");
    }
    struct pages p = write_pages("headings", &d);
    need_tools();
    static const char *const headings[] = { "Section", "Subheading", "Many rows. And a caption.",
                                            "Name Value", "group 0" };
    assert_no_heading_last(&p, headings, countof(headings));
    pages_free(&p);
    arena_free(a);
}

static void columns_go_on_to_the_next_page(void **state)
{
    (void)state;
    enum { N = 60 };
    struct arena *a = arena_new();
    struct document d = { .title = "Warnings" };
    struct block *box = put(&d, a, NULL, BLOCK_TESTED, NULL);
    box->id = "tested";
    box->title = "What was tested";
    put(&d, a, box, BLOCK_NOTE, "Left column.");
    put(&d, a, box, BLOCK_SPLIT, NULL);
    struct warning *warnings = arena_array(a, struct warning, N);
    for (size_t i = 0; i < N; i++) {
        warnings[i].what = arena_printf(a, "Warning %zu.", i);
        rich_put(&warnings[i].text, a, RUN_PLAIN, repeated(a, "words of warning ", 1 + i % 40));
    }
    struct block *w = put(&d, a, box, BLOCK_WARNINGS, NULL);
    w->warnings = warnings;
    w->n_warnings = N;
    put(&d, a, put_section(&d, a, "after", "After it"), BLOCK_PARAGRAPH, "The end.");
    struct pages p = write_pages("warnings", &d);
    need_tools();
    assert_true(p.n > 4);
    const char **order = arena_array(a, const char *, N + 3);
    order[0] = "Left column.";
    for (size_t i = 0; i < N; i++)
        order[1 + i] = arena_printf(a, "Warning %zu.", i);
    order[1 + N] = "After it";
    order[2 + N] = "The end.";
    assert_in_order(strstr(p.all, "Left column."), order, N + 3);
    pages_free(&p);
    arena_free(a);
}

/* --- refused ------------------------------------------------------------------------------------------------------- */

static struct scene *draw_nowhere(const struct panel *p, struct arena *a, const struct look *look)
{
    struct scene *s = scene_new(a, look->width, 50);
    (void)p;
    scene_circle(s, ABSENT, 10, 3, (struct paint) { INK_INK, 0 }, (struct stroke) { 0 });
    return s;
}

static void a_mark_without_a_place_is_an_error(void **state)
{
    (void)state;
    static const struct panel_ops ops = { draw_nowhere };
    static const struct panel broken = { .ops = &ops, .title = "Broken" };
    struct arena *a = arena_new();
    struct document d = { .title = "Broken" };
    d.headline = figure_of(a, &broken, "Headline");
    d.headline->number = 1;
    struct error e = { 0 };
    void *bytes = NULL;
    size_t n = 0;
    assert_int_equal(pdf_write(&d, &a4, &bytes, &n, &e), -1);
    assert_null(bytes);
    assert_non_null(strstr(e.what, "cannot write the PDF: cannot draw figure 1"));
    arena_free(a);
}

static int reset_fonts(void **state)
{
    (void)state;
    font_reset();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_document_is_one_page),
        cmocka_unit_test(empty_parts_take_no_harm),
        cmocka_unit_test(any_bytes_can_be_text),
        cmocka_unit_test(long_words_break_and_nothing_is_lost),
        cmocka_unit_test(program_lines_keep_their_indent),
        cmocka_unit_test(a_long_table_repeats_its_head),
        cmocka_unit_test(a_wide_table_is_drawn_in_parts),
        cmocka_unit_test(long_names_wrap_in_their_rows),
        cmocka_unit_test(forty_targets_fit),
        cmocka_unit_test(captions_stay_with_their_figures),
        cmocka_unit_test(headings_stay_with_what_follows),
        cmocka_unit_test(columns_go_on_to_the_next_page),
        cmocka_unit_test(a_mark_without_a_place_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, reset_fonts);
}
