#include <string.h>

#include "base/array.h"
#include "report/doc.h"
#include "unit.h"

static void test_rich_text(void **state)
{
    struct arena *a = *state;
    struct rich r = { 0 };
    assert_string_equal(rich_plain(&r, a), "");
    for (int i = 0; i < 9; i++)
        rich_put(&r, a, RUN_PLAIN, "x");
    rich_printf(&r, a, RUN_STRONG, " %d%%", 42);
    rich_link(&r, a, " here", "#here");
    assert_int_equal(r.n, 11);
    assert_string_equal(rich_plain(&r, a), "xxxxxxxxx 42% here");
    assert_int_equal(r.at[9].style, RUN_STRONG);
    assert_int_equal(r.at[10].style, RUN_LINK);
    assert_string_equal(r.at[10].href, "#here");
}

static struct block *put(struct document *d, struct arena *a, struct block *parent,
                         enum block_kind kind, const char *id)
{
    struct block *b = doc_block(d, a, parent, kind);
    b->id = id;
    return b;
}

static struct figure *put_figure(struct document *d, struct arena *a, struct block *parent,
                                 const char *id)
{
    struct block *b = put(d, a, parent, BLOCK_FIGURE, NULL);
    b->figure = arena_one(a, struct figure);
    b->figure->id = id;
    return b->figure;
}

static void test_blocks_keep_their_order(void **state)
{
    struct arena *a = *state;
    struct document d = { 0 };
    struct block *first = doc_block(&d, a, NULL, BLOCK_SECTION);
    struct block *child = doc_block(&d, a, first, BLOCK_NOTE);
    struct block *second = doc_block(&d, a, NULL, BLOCK_SECTION);
    struct block *last = doc_block(&d, a, first, BLOCK_LEAD);
    assert_ptr_equal(d.first, first);
    assert_ptr_equal(first->next, second);
    assert_null(second->next);
    assert_ptr_equal(first->first, child);
    assert_ptr_equal(child->next, last);
    assert_int_equal(last->kind, BLOCK_LEAD);
}

static void test_numbers_follow_appearance(void **state)
{
    struct arena *a = *state;
    struct document d = { 0 };
    struct error e = { 0 };
    d.headline = arena_one(a, struct figure);
    struct block *tested = put(&d, a, NULL, BLOCK_TESTED, "tested");
    put(&d, a, NULL, BLOCK_NOTE, NULL);
    struct block *section = put(&d, a, NULL, BLOCK_SECTION, "one");
    struct figure *two = put_figure(&d, a, section, "two");
    struct block *inner = put(&d, a, section, BLOCK_SECTION, "inner");
    struct figure *three = put_figure(&d, a, put(&d, a, inner, BLOCK_DETAILS, NULL), "three");
    struct figure *four = put_figure(&d, a, section, "four");
    struct block *last = put(&d, a, NULL, BLOCK_SECTION, "last");
    assert_int_equal(doc_number(&d, &e), 0);
    assert_int_equal(d.headline->number, 1);
    assert_int_equal(two->number, 2);
    assert_int_equal(three->number, 3);
    assert_int_equal(four->number, 4);
    assert_int_equal(tested->number, 1);
    assert_int_equal(section->number, 2);
    assert_int_equal(inner->number, 0);
    assert_int_equal(last->number, 3);
}

static void test_figures_without_headline_begin_at_one(void **state)
{
    struct arena *a = *state;
    struct document d = { 0 };
    struct error e = { 0 };
    struct figure *f = put_figure(&d, a, NULL, "only");
    assert_int_equal(doc_number(&d, &e), 0);
    assert_int_equal(f->number, 1);
}

static void refuse(struct document *d, const char *what)
{
    struct error e = { 0 };
    assert_int_equal(doc_number(d, &e), -1);
    assert_int_equal(e.code, QD_E_FAIL);
    if (!strstr(e.what, what))
        fail_msg("'%s' says nothing of '%s'", e.what, what);
}

static void test_ids_are_unique_over_all_kinds(void **state)
{
    struct arena *a = *state;
    struct document d = { 0 };
    put(&d, a, NULL, BLOCK_SECTION, "same");
    struct table t = { .id = "same" };
    put_figure(&d, a, d.first, "figure")->data = &t;
    refuse(&d, "'same' is used twice");
    t.id = "figure";
    refuse(&d, "'figure' is used twice");
    t.id = "table";
    struct error e = { 0 };
    assert_int_equal(doc_number(&d, &e), 0);
    struct table card = { .id = "table" };
    d.scorecard = &card;
    refuse(&d, "'table' is used twice");
}

static void test_ids_are_plain_words(void **state)
{
    struct arena *a = *state;
    static const char *const bad[] = { "", "a b", "a\"b", "é", "qd-main", "a#b" };
    static const char *const good[] = { "a", "heavy-read.qd_4", "4k", "qd4" };
    for (size_t i = 0; i < countof(bad); i++) {
        struct document d = { 0 };
        put(&d, a, NULL, BLOCK_SECTION, bad[i]);
        refuse(&d, bad[i]);
    }
    for (size_t i = 0; i < countof(good); i++) {
        struct document d = { 0 };
        struct error e = { 0 };
        put(&d, a, NULL, BLOCK_SECTION, good[i]);
        assert_int_equal(doc_number(&d, &e), 0);
    }
}

/* One document a place a link can stand in. */
static void link_in(struct document *d, struct arena *a, int place, const char *href)
{
    struct rich r = { 0 };
    rich_link(&r, a, "link", href);
    struct table *t = arena_one(a, struct table);
    struct block *b = put(d, a, put(d, a, NULL, BLOCK_SECTION, "here"), BLOCK_NOTE, NULL);
    struct warning *w = arena_one(a, struct warning);
    struct doc_fact *f = arena_one(a, struct doc_fact);
    struct table_row *row = arena_one(a, struct table_row);
    struct table_cell *cell = arena_one(a, struct table_cell);
    switch (place) {
    case 0:
        d->verdict = r;
        break;
    case 1:
        b->text = r;
        break;
    case 2:
        w->text = r;
        b->warnings = w;
        b->n_warnings = 1;
        break;
    case 3:
        f->value = r;
        b->facts = f;
        b->n_facts = 1;
        break;
    case 4:
        b->items = arena_memdup(a, &r, sizeof r);
        b->n_items = 1;
        break;
    case 5:
        b->figure = arena_one(a, struct figure);
        b->figure->caption = r;
        break;
    case 6:
        d->headline = arena_one(a, struct figure);
        d->headline->lead = r;
        break;
    case 7:
        t->caption = r;
        d->scorecard = t;
        break;
    default:
        cell->href = href;
        row->cells = cell;
        row->n_cells = 1;
        t->rows = row;
        t->n_rows = 1;
        b->table = t;
        break;
    }
}

static void test_links_resolve_wherever_they_stand(void **state)
{
    struct arena *a = *state;
    for (int place = 0; place <= 8; place++) {
        struct document good = { 0 }, bad = { 0 };
        struct error e = { 0 };
        link_in(&good, a, place, "#here");
        assert_int_equal(doc_number(&good, &e), 0);
        link_in(&bad, a, place, "#there");
        refuse(&bad, "'#there'");
    }
}

static void test_only_web_and_relative_addresses(void **state)
{
    struct arena *a = *state;
    static const char *const good[] = { "https://example.org/x", "http://example.org",
                                        "data/results.csv", "../other/index.html", "a/b:c" };
    static const char *const bad[] = {
        "javascript:alert(1)", "data:text/html,x", "//example.org", "/etc/passwd", "?q", "#", ""
    };
    for (size_t i = 0; i < countof(good); i++) {
        struct document d = { 0 };
        struct error e = { 0 };
        rich_link(&d.verdict, a, "x", good[i]);
        assert_int_equal(doc_number(&d, &e), 0);
    }
    for (size_t i = 0; i < countof(bad); i++) {
        struct document d = { 0 };
        rich_link(&d.verdict, a, "x", bad[i]);
        refuse(&d, bad[i]);
    }
    struct document d = { 0 };
    rich_link(&d.verdict, a, "x", NULL);
    refuse(&d, "no address");
}

struct visit {
    unsigned seen[8];
    size_t n, stop_after;
};

static int see(void *ctx, const struct figure *f, struct error *e)
{
    struct visit *v = ctx;
    v->seen[v->n++] = f->number;
    return v->n == v->stop_after ? error_set(e, QD_E_FAIL, "enough") : 0;
}

static void test_figures_are_visited_in_order(void **state)
{
    struct arena *a = *state;
    struct document d = { 0 };
    struct error e = { 0 };
    d.headline = arena_one(a, struct figure);
    put_figure(&d, a, put(&d, a, NULL, BLOCK_SECTION, "s"), "x");
    put_figure(&d, a, NULL, "y");
    assert_int_equal(doc_number(&d, &e), 0);
    struct visit all = { 0 };
    assert_int_equal(doc_figures(&d, see, &all, &e), 0);
    assert_int_equal(all.n, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(all.seen[i], i + 1);
    struct visit some = { .stop_after = 2 };
    assert_int_equal(doc_figures(&d, see, &some, &e), -1);
    assert_int_equal(some.n, 2);
    assert_string_equal(e.what, "enough");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rich_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blocks_keep_their_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_follow_appearance, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_figures_without_headline_begin_at_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_ids_are_unique_over_all_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ids_are_plain_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_links_resolve_wherever_they_stand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_web_and_relative_addresses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_figures_are_visited_in_order, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
