#include <string.h>

#include "base/array.h"
#include "render.h"
#include "unit.h"

struct doc {
    struct arena *a;
    struct document *d;
};

static struct block *put(struct doc *w, struct block *parent, enum block_kind kind,
                         const char *text)
{
    struct block *b = doc_block(w->d, w->a, parent, kind);
    if (text)
        rich_put(&b->text, w->a, RUN_PLAIN, text);
    return b;
}

static void has(const char *markup, const char *part)
{
    if (!strstr(markup, part))
        fail_msg("'%s' is not in:\n%s", part, markup);
}

static void test_paragraphs_and_runs(void **state)
{
    struct doc *w = *state;
    struct block *b = put(w, NULL, BLOCK_PARAGRAPH, "1 < 2 ");
    rich_put(&b->text, w->a, RUN_STRONG, "bold");
    rich_put(&b->text, w->a, RUN_SOFT, "soft");
    rich_put(&b->text, w->a, RUN_CODE, "--destroy");
    rich_link(&b->text, w->a, "link", "#a&b");
    put(w, NULL, BLOCK_LEAD, "lead");
    put(w, NULL, BLOCK_NOTE, "note");
    assert_string_equal(render_blocks(w->a, w->d->first),
                        "<p class=\"prose\">1 &lt; 2 <strong>bold</strong><span class=\"soft\">soft"
                        "</span><code>--destroy</code><a href=\"#a&amp;b\">link</a></p>"
                        "<p class=\"lead\">lead</p><p class=\"note\">note</p>");
}

static void test_sections_number_and_nest(void **state)
{
    struct doc *w = *state;
    struct error e = { 0 };
    struct block *s = put(w, NULL, BLOCK_SECTION, NULL);
    s->id = "method";
    s->title = "Method";
    struct block *inner = put(w, s, BLOCK_SECTION, NULL);
    inner->title = "Checks";
    struct block *fold = put(w, inner, BLOCK_DETAILS, NULL);
    fold->title = "All";
    put(w, fold, BLOCK_NOTE, "none");
    assert_int_equal(doc_number(w->d, &e), 0);
    assert_string_equal(
        render_blocks(w->a, w->d->first),
        "\n<section id=\"method\"><h2>1\u2002Method</h2>\n<section class=\"sub\"><h3>"
        "Checks</h3><details class=\"fold\"><summary>All</summary><p class=\"note\">"
        "none</p></details></section></section>");
}

static void test_tested_box_has_two_sides(void **state)
{
    struct doc *w = *state;
    struct error e = { 0 };
    struct block *box = put(w, NULL, BLOCK_TESTED, NULL);
    box->id = "tested";
    box->title = "What was tested";
    struct doc_fact facts[3] = { { .key = "Targets", .slot = 1 },
                                 { .slot = 2 },
                                 { .key = "Host" } };
    for (size_t i = 0; i < countof(facts); i++)
        rich_put(&facts[i].value, w->a, RUN_PLAIN, "v");
    struct block *f = put(w, box, BLOCK_FACTS, NULL);
    f->facts = facts;
    f->n_facts = countof(facts);
    put(w, box, BLOCK_SPLIT, NULL);
    struct warning warning = { .what = "A <was> hot." };
    rich_put(&warning.text, w->a, RUN_PLAIN, "It slowed down.");
    struct block *b = put(w, box, BLOCK_WARNINGS, NULL);
    b->id = "warnings";
    b->title = "Warnings";
    b->warnings = &warning;
    b->n_warnings = 1;
    assert_int_equal(doc_number(w->d, &e), 0);
    const char *m = render_blocks(w->a, w->d->first);
    has(m, "<section id=\"tested\" class=\"tested\"><div><h2>1\u2002What was tested</h2><dl "
           "class=\"facts\"><dt>Targets</dt><dd><svg class=\"m\"");
    has(m, "href=\"#qd-marker-1\"/></svg>v</dd><dd><svg");
    has(m, "href=\"#qd-marker-2\"/></svg>v</dd><dt>Host</dt><dd>v</dd></dl></div><div><h3 "
           "id=\"warnings\">Warnings</h3>");
    has(m, "<li><strong>A &lt;was&gt; hot.</strong> It slowed down.</li></ul></div></section>");
}

static void test_code_and_lists(void **state)
{
    struct doc *w = *state;
    struct block *c = put(w, NULL, BLOCK_CODE, NULL);
    c->title = "Again";
    c->code = "qdepth run \\\n  \"<x>\"";
    struct rich items[2] = { 0 };
    rich_put(&items[0], w->a, RUN_PLAIN, "one");
    rich_put(&items[1], w->a, RUN_PLAIN, "two");
    struct block *l = put(w, NULL, BLOCK_LIST, NULL);
    l->items = items;
    l->n_items = 2;
    put(w, NULL, BLOCK_HEADING, NULL)->title = "Head";
    const char *m = render_blocks(w->a, w->d->first);
    has(m, "<h3>Again</h3><pre tabindex=\"0\"><code>qdepth run \\\n  \"&lt;x&gt;\"</code></pre>");
    has(m, "<ul class=\"prose\"><li>one</li><li>two</li></ul><h3>Head</h3>");
}

static void put_section(struct doc *w, const char *id, size_t figures)
{
    struct block *s = put(w, NULL, BLOCK_SECTION, NULL);
    s->id = s->title = id;
    for (size_t i = 0; i < figures; i++)
        put(w, s, BLOCK_FIGURE, NULL)->figure = arena_one(w->a, struct figure);
}

static void test_like_neighbours_stand_together(void **state)
{
    struct doc *w = *state;
    put_section(w, "a", 2);
    put_section(w, "b", 2);
    put_section(w, "c", 2);
    put_section(w, "d", 3);
    put_section(w, "e", 1);
    put_section(w, "f", 1);
    const char *m = render_blocks(w->a, w->d->first);
    const char *open = strstr(m, "<div class=\"twins\">");
    assert_non_null(open);
    assert_null(strstr(open + 1, "<div class=\"twins\">"));
    const char *close = strstr(m, "</section></div>");
    assert_non_null(close);
    assert_true(open < strstr(m, "id=\"a\"") && strstr(m, "id=\"c\"") < close);
    assert_true(close < strstr(m, "id=\"d\""));
}

static void test_like_tables_stand_together(void **state)
{
    struct doc *w = *state;
    static const struct table facts = { .role = TABLE_FACTS }, plain = { .role = TABLE_PLAIN };
    static const struct table *const tables[] = { &plain, &facts, &facts, &plain, &plain };
    for (size_t i = 0; i < countof(tables); i++)
        put(w, NULL, BLOCK_TABLE, NULL)->table = tables[i];
    const char *m = render_blocks(w->a, w->d->first);
    const char *columns = strstr(m, "<div class=\"columns\">"),
               *pair = strstr(m, "<div class=\"pair\">");
    assert_true(columns && pair && columns < pair);
    assert_true(strstr(m, "scroll\"") < columns);
    assert_null(strstr(pair + 1, "<div class=\"pair\">"));
    assert_non_null(strstr(columns, "</table></div></div><div class=\"pair\">"));
}

static int set_up(void **state)
{
    struct arena *a = arena_new();
    struct doc *w = arena_one(a, struct doc);
    w->a = a;
    w->d = arena_one(a, struct document);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((struct doc *)*state)->a);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_paragraphs_and_runs),
        TEST(test_sections_number_and_nest),
        TEST(test_tested_box_has_two_sides),
        TEST(test_code_and_lists),
        TEST(test_like_neighbours_stand_together),
        TEST(test_like_tables_stand_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
