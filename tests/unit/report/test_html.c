#include "report/html.h"

#include <string.h>

#include "base/array.h"
#include "made_document.h"
#include "render.h"
#include "unit.h"

static const struct html_options plain = { .theme = "auto" };

static const char *find(const char *page, const char *part)
{
    const char *at = strstr(page, part);
    if (!at)
        fail_msg("'%s' is not in the page", part);
    return at;
}

static void lacks(const char *page, const char *part)
{
    if (strstr(page, part))
        fail_msg("'%s' is in the page", part);
}

static void test_parts_come_in_order(void **state)
{
    struct arena *a = *state;
    const char *m = render_page(a, made_document(a), &plain);
    static const char *const parts[] = {
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">",
        "default-src 'none'; img-src data:; font-src data:; style-src 'sha256-",
        "<meta name=\"generator\" content=\"qdepth 1.0.0\">",
        "<title>Pliant LS 300 against",
        "@font-face",
        "<a class=\"skip\" href=\"#qd-main\">",
        "<span class=\"notice\">Illustrative data",
        "<h1>",
        "<p class=\"meta\">Run oltp-2026-03-14",
        "<p class=\"verdict\"><strong>",
        "<div class=\"key\"",
        "id=\"qd-show-3\"",
        "id=\"qd-theme-auto\" checked>",
        "<main id=\"qd-main\">",
        "<div class=\"scroll score\"",
        "id=\"headline\"",
        "<b>Figure 1.</b>",
        "<nav class=\"toc\"",
        "<a href=\"#tested\"><span class=\"no\">1</span>What was tested</a>",
        "<section id=\"tested\" class=\"tested\">",
        "<h3 id=\"warnings\">",
        "<section id=\"heavy-read\">",
        "<section id=\"moderate-read\">",
        "<section id=\"results\">",
        "<footer><span>qdepth 1.0.0</span><span>run oltp-2026-03-14</span><span>data 9f2c41d7",
        "<script>",
    };
    const char *at = m;
    for (size_t i = 0; i < countof(parts); i++)
        at = find(at, parts[i]);
}

static void test_bytes_depend_on_the_document_alone(void **state)
{
    struct arena *a = *state, *b = arena_new();
    const char *first = render_page(a, made_document(a), &plain);
    (void)arena_alloc(b, 12345);
    const char *again = render_page(b, made_document(b), &plain);
    assert_string_equal(first, again);
    arena_free(b);
}

static void test_a_bare_document_is_a_page(void **state)
{
    struct arena *a = *state;
    const char *m = render_page(a, bare_document(a), &(struct html_options) { 0 });
    find(m, "<h1>Bare</h1></header>");
    find(m, "id=\"qd-theme-auto\" checked>");
    const char *body = find(m, "<body>");
    lacks(body, "class=\"notice\"");
    lacks(body, "class=\"cover\"");
    lacks(body, "<figure>");
    lacks(body, "(null)");
    lacks(m, "name=\"description\"");
}

static void test_options(void **state)
{
    struct arena *a = *state;
    struct document *d = made_document(a);
    const char *without = render_page(a, d, &plain);
    lacks(without, "/headline.svg");
    lacks(without, "results.csv");
    const struct html_options all = { .theme = "dark", .charts_dir = "charts", .data_dir = "data" };
    const char *with = render_page(a, d, &all);
    find(with, "<a href=\"charts/headline.svg\" download aria-label=\"Figure 1 as SVG\">SVG</a>"
               "<a href=\"charts/headline.png\" download");
    find(with, "<a href=\"data/results.csv\" download>results.csv</a>");
    find(with, "id=\"qd-theme-dark\" checked>");
    lacks(with, "id=\"qd-theme-auto\" checked>");
}

static void test_names_are_never_markup(void **state)
{
    struct arena *a = *state;
    struct document *d = bare_document(a);
    static const char evil[] = "</style></script><img src=x onerror=alert(1)>\" evil=\"";
    d->title = d->kicker = d->notice = d->meta = d->description = d->run_names = d->data_hash =
        evil;
    struct key_entry key = { .series = { .name = evil, .short_name = evil, .slot = 1 },
                             .note = evil };
    d->keys = &key;
    d->n_keys = 1;
    struct figure f = {
        .id = "f", .slug = "f", .title = evil, .heading_level = 3, .how_to_read = evil
    };
    const struct panel *panels[] = { fake_panel(a, evil, NULL) };
    f.panels = panels;
    f.n_panels = 1;
    d->headline = &f;
    const char *m = render_page(a, d, &plain);
    lacks(m, "<img");
    const char *attributes = find(m, "name=\"description\"");
    find(attributes, "content=\"&lt;/style&gt;&lt;/script&gt;&lt;img src=x "
                     "onerror=alert(1)&gt;&quot; evil=&quot;\"");
    find(m, "<h1>&lt;/style&gt;");
}

static struct figure *figure_of(struct arena *a, const struct panel *const *panels, size_t n)
{
    struct figure *f = arena_one(a, struct figure);
    f->id = f->slug = "f";
    f->panels = panels;
    f->n_panels = n;
    f->number = 7;
    return f;
}

static void test_panels_share_the_tallest_header(void **state)
{
    struct arena *a = *state;
    struct look seen[3] = { 0 };
    const struct panel *panels[] = { fake_panel(a, "short", &seen[0]),
                                     fake_panel(a, "x", &seen[1]) };
    const struct panel *linear[] = {
        fake_panel(a,
                   "a title so long that it must be wrapped at the width of a panel, twice or so",
                   &seen[2]),
        NULL
    };
    struct document *d = bare_document(a);
    d->headline = figure_of(a, panels, 2);
    d->headline->linear = linear;
    const char *m = render_page(a, d, &plain);
    assert_true(seen[0].header_height > 0);
    for (size_t i = 0; i < countof(seen); i++) {
        assert_int_equal(seen[i].medium, MEDIUM_SCREEN);
        assert_close(seen[i].width, look_panel_width(MEDIUM_SCREEN, false), 0);
        assert_close(seen[i].header_height, seen[0].header_height, 0);
    }
    assert_close(seen[0].header_height,
                 panel_header_height(linear[0], &(struct look) { .width = seen[0].width }), 1e-9);
    const char *body = find(m, "<figure>");
    body = find(body, "<div class=\"panel log\"><svg class=\"chart\"");
    body = find(body, "<div class=\"panel lin\"><svg class=\"chart\"");
    body = find(body, "<div class=\"panel\"><svg class=\"chart\"");
    find(body, "<input type=\"radio\" name=\"qd-axis-7\" class=\"to-log\" checked>logarithmic");
}

static void test_a_broken_panel_is_an_error(void **state)
{
    struct arena *a = *state;
    const struct panel *panels[] = { fake_panel(a, "good", NULL), broken_panel(a) };
    struct document *d = bare_document(a);
    d->headline = figure_of(a, panels, 2);
    struct str out = str_new(16 << 20);
    struct error e = { 0 };
    assert_int_equal(html_write(d, &plain, &out, &e), -1);
    assert_non_null(strstr(e.what, "cannot draw figure 7: cannot draw chart 'broken'"));
    str_done(&out);
}

static void test_a_page_beyond_the_limit_is_an_error(void **state)
{
    struct arena *a = *state;
    struct str out = str_new(1000);
    struct error e = { 0 };
    assert_int_equal(html_write(bare_document(a), &plain, &out, &e), -1);
    assert_string_equal(e.what, "cannot write the page: it is too large");
    str_done(&out);
}

static void test_more_than_eight_targets(void **state)
{
    struct arena *a = *state;
    struct document *d = bare_document(a);
    struct key_entry keys[9];
    for (size_t i = 0; i < countof(keys); i++)
        keys[i] = (struct key_entry) { .series = { .name = arena_printf(a, "T%zu", i + 1),
                                                   .slot = (int)i + 1 } };
    d->keys = keys;
    d->n_keys = countof(keys);
    const char *m = render_page(a, d, &plain);
    find(m, "body:has(#qd-show-9:not(:checked)) .chart .s9");
    find(m, "<g id=\"qd-marker-9\">");
    find(m, "<use href=\"#qd-swatch-9\"/>");
    find(m, "<span>T9</span>");
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
        TEST(test_parts_come_in_order),        TEST(test_bytes_depend_on_the_document_alone),
        TEST(test_a_bare_document_is_a_page),  TEST(test_options),
        TEST(test_names_are_never_markup),     TEST(test_panels_share_the_tallest_header),
        TEST(test_a_broken_panel_is_an_error), TEST(test_a_page_beyond_the_limit_is_an_error),
        TEST(test_more_than_eight_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
