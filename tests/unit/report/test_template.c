#include "help.h"
#include "report/build.h"
#include "report/template.h"

/* Templates: what is refused and with which line, and what elements become. */

#define HEAD "<report xmlns=\"urn:qdepth:report:1\" name=\"t\">\n"

static int parse(struct arena *a, const char *text, struct template *t, struct error *e)
{
    return template_parse(a, "t.xml", text, strlen(text), t, e);
}

static void shipped_templates_are_valid(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *const *names = template_shipped(a);
    size_t n = 0;
    for (; names[n]; n++) {
        struct template t;
        struct error e;
        must(template_load(a, names[n], &t, &e), &e);
        assert_string_equal(t.name, names[n]);
        assert_true(template_is_shipped(names[n]));
    }
    assert_true(n >= 1);
    assert_string_equal(names[0], "comparison");
    arena_free(a);
}

static void bad_templates_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *what;
    } rows[] = {
        { "", "t.xml:1", "empty" },
        { "<report", "t.xml:1", "" },
        { HEAD "<section id='a' title='A'><p>x</section></report>", "t.xml:2", "tag mismatch" },
        { "<matrix/>", "t.xml:1", "root element <matrix>" },
        { "<report xmlns='urn:other' name='x'/>", "t.xml:1", "expected <report xmlns=" },
        { "<!DOCTYPE report [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>\n" HEAD "</report>",
          "t.xml:1", "not allowed" },
        { HEAD "\n<sektion/>\n</report>", "t.xml:3", "'sektion'" },
        { "<report xmlns='urn:qdepth:report:1'/>", "t.xml:1", "'name' is required" },
        { HEAD "<section id='a' title='A'>\n<figure kind='pie'/></section></report>", "t.xml:3",
          "pie" },
        { HEAD "<section id='a' title='A'>\n<p><value metric='iopz'/></p></section></report>",
          "t.xml:3", "iopz" },
        { HEAD "<section id='a' title='A'>text</section></report>", "t.xml:2", "" },
        { HEAD "<section id='a b' title='A'/></report>", "t.xml:2", "a b" },
        { HEAD "<section title='A'/></report>", "t.xml:2", "'id' is required" },
        { HEAD "<section id='a' title='A'>\n\n<figure kind='overview'/></section></report>",
          "t.xml:4", "<figure kind=overview> must stand in <for-each select=\"workload\">" },
        { HEAD "<section id='a' title='A'>\n<for-each select='workload'>\n<figure kind='bars'/>"
               "</for-each></section></report>",
          "t.xml:4", "must stand in <for-each select=\"queue-depth\">" },
        { HEAD "<for-each select='queue-depth'/></report>", "t.xml:2",
          "must stand in <for-each select=\"workload\">" },
        { HEAD "<section id='a' title='A'><p><finding/></p></section></report>", "t.xml:2",
          "<finding> must stand" },
        { HEAD "<section id='a' title='A'><p>\n<value metric='iops' workload='w'/></p>"
               "</section></report>",
          "t.xml:3", "or name it in an attribute" },
        { HEAD "<section id='a' title='{workload}'/></report>", "t.xml:2",
          "{workload} outside <for-each select=\"workload\">" },
        { HEAD "<section id='a' title='{colour}'/></report>", "t.xml:2", "{colour}: expected" },
        { HEAD "<section id='a' title='A'><p><name of='target'/></p></section></report>", "t.xml:2",
          "must stand in <for-each select=\"target\">" },
        { HEAD
          "<section id='a' title='A'><p><value metric='iops' workload='w' queue-depth='0'/></p>"
          "</section></report>",
          "t.xml:2", "'0'" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *a = arena_new();
        struct template t;
        struct error e;
        fails_with(parse(a, rows[i].text, &t, &e), &e, QD_E_FORMAT, rows[i].what);
        if (strcmp(e.where, rows[i].where))
            print_error("row %zu: %s\n", i, e.what);
        assert_string_equal(e.where, rows[i].where);
        has_no_text(e.what, "urn:qdepth:report:1}");
        arena_free(a);
    }
}

static void unknown_names_list_what_is_shipped(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct template t;
    struct error e;
    fails_with(template_load(a, "nosuch", &t, &e), &e, QD_E_USAGE, "shipped: comparison");
    fails_with(template_load(a, "no/such.xml", &t, &e), &e, QD_E_IO, "no/such.xml");
    arena_free(a);
}

static void long_files_keep_their_lines(void **state)
{
    (void)state;
    enum { LINES = 70000 };
    struct str s = str_new(16 << 20);
    str_put(&s, HEAD);
    for (int i = 0; i < LINES; i++)
        str_put(&s, "<section id='a' title='A'/>\n");
    str_put(&s, "<section id='a' title='{no}'/></report>");
    struct arena *a = arena_new();
    struct template t;
    struct error e;
    fails_with(parse(a, s.at, &t, &e), &e, QD_E_FORMAT, "{no}");
    assert_string_equal(e.where, "t.xml:70002");
    str_done(&s);
    arena_free(a);
}

/* --- what elements become ------------------------------------------------------------------------------------------ */

struct made {
    struct store *s;
    struct arena *a;
    struct report_data d;
    struct document doc;
};

static int make(struct made *m, const char *name, const char *text, struct error *e)
{
    struct given_run g = given_seed();
    *m = (struct made) { .s = given_store(name, &g), .a = arena_new() };
    m->d = load(m->s, m->a, &(struct report_options) { 0 });
    struct template t;
    must(parse(m->a, text, &t, e), e);
    const struct build_input in = { .data = &m->d, .template = &t };
    return build_document(m->a, &in, &m->doc, e);
}

static void unmake(struct made *m)
{
    arena_free(m->a);
    store_close(m->s);
}

static void texts_values_and_loops(void **state)
{
    (void)state;
    struct made m;
    struct error e;
    must(make(&m, "template-text",
              HEAD "<verdict>My <strong>own</strong> words.</verdict>"
                   "<for-each select='workload'><section id='{workload-id}' title='{workload}!'>"
                   "<p>\n  At 32: <value metric='iops' queue-depth='32'/>,\n  the array <value "
                   "metric='mean'"
                   " target='RAID 10, 12 × 7200 rpm' queue-depth='32'/>. </p>"
                   "<for-each select='queue-depth'><p>q<name of='queue-depth'/></p></for-each>"
                   "</section></for-each>"
                   "<section id='targets' title='Targets'><for-each select='target'><p>"
                   "<name of='target'/> in <name of='run'/></p></for-each></section></report>",
              &e),
         &e);
    assert_string_equal(rich_plain(&m.doc.verdict, m.a), "My own words.");
    const struct block *b = m.doc.first;
    assert_string_equal(b->id, "heavy-read");
    assert_string_equal(b->title, "OLTP Heavy Read!");
    assert_string_equal(rich_plain(&b->first->text, m.a),
                        "At 32: 22,100\u00a0IOPS, the array 31.7\u00a0ms.");
    const struct block *p = b->first->next;
    for (const char *const *q = (const char *const[]) { "q1", "q4", "q8", "q32", "q128", NULL }; *q;
         q++, p = p->next)
        assert_string_equal(rich_plain(&p->text, m.a), *q);
    assert_null(p);
    assert_string_equal(b->next->id, "moderate-read");
    const struct block *last = b->next->next->first;
    assert_string_equal(rich_plain(&last->text, m.a), "Pliant LS 300 in oltp-2026-03-14");
    assert_string_equal(rich_plain(&last->next->next->text, m.a),
                        "RAID 10, 12 × 7200 rpm in oltp-2026-03-14");
    assert_null(last->next->next->next);
    assert_null(m.doc.scorecard);
    assert_null(m.doc.headline);
    unmake(&m);
}

static void missing_values_are_gaps_with_a_warning(void **state)
{
    (void)state;
    static const char *const reasons[] = {
        "was not measured: a member drive failed after 11 s",
        "the report has no workload 'nosuch'",
        "OLTP Heavy Read has no queue depth 77",
        "the report has no target 'nobody'",
        "too few I/Os lie beyond the percentile",
    };
    struct made m;
    struct error e;
    must(make(&m, "template-gaps",
              HEAD
              "<tested id='tested' title='T'><left/><right><warnings title='W'/></right></tested>"
              "<section id='a' title='A'><p>"
              "<value metric='iops' workload='moderate-read' queue-depth='128'"
              " target='RAID 10, 12 × 7200 rpm'/>"
              "<value metric='iops' workload='nosuch' queue-depth='1'/>"
              "<value metric='iops' workload='heavy-read' queue-depth='77'/>"
              "<value metric='iops' workload='heavy-read' queue-depth='1' target='nobody'/>"
              "<value metric='p99.99' workload='heavy-read' queue-depth='1'"
              " target='RAID 10, 12 × 7200 rpm'/>"
              "</p></section></report>",
              &e),
         &e);
    const struct block *p = m.doc.first->next->first;
    assert_string_equal(rich_plain(&p->text, m.a),
                        "– (not measured)– (not measured)– (not measured)– (not measured)– (not "
                        "measured)");
    const struct block *w = m.doc.first->first->next;
    assert_int_equal(w->kind, BLOCK_WARNINGS);
    assert_true(w->n_warnings > 5);
    for (size_t i = 0; i < 5; i++) {
        const struct warning *gap = &w->warnings[w->n_warnings - 5 + i];
        has_text(gap->what, "does not exist");
        has_text(rich_plain(&gap->text, m.a), reasons[i]);
        has_text(rich_plain(&gap->text, m.a), "in line 2");
    }
    unmake(&m);
}

/* Without a warnings box the notice says it: a gap is never silent. */
static void gaps_without_a_box_are_a_notice(void **state)
{
    (void)state;
    struct made m;
    struct error e;
    must(make(&m, "template-notice",
              HEAD
              "<section id='a' title='A'><p><value metric='iops' workload='x' queue-depth='1'/>"
              "</p></section></report>",
              &e),
         &e);
    assert_string_equal(m.doc.notice, "1 value that the text names is missing");
    unmake(&m);
}

/* Warnings link figures; a template without figures must not make dead links of them. */
static void links_to_parts_left_out_become_text(void **state)
{
    (void)state;
    struct made m;
    struct error e;
    must(make(&m, "template-links",
              HEAD
              "<tested id='tested' title='T'><left/><right><warnings/></right></tested></report>",
              &e),
         &e);
    const struct block *w = m.doc.first->first->next;
    for (size_t i = 0; i < w->n_warnings; i++)
        for (size_t r = 0; r < w->warnings[i].text.n; r++)
            assert_int_not_equal(w->warnings[i].text.at[r].style, RUN_LINK);
    unmake(&m);
    /* but an author's dead link is an error */
    assert_int_equal(make(&m, "template-dead",
                          HEAD "<section id='a' title='A'><p><a href='#gone'>x</a></p></section>"
                               "</report>",
                          &e),
                     -1);
    has_text(e.what, "#gone");
    unmake(&m);
}

static void ids_used_twice_are_refused(void **state)
{
    (void)state;
    struct made m;
    struct error e;
    assert_int_equal(make(&m, "template-twice",
                          HEAD "<section id='a' title='A'/><section id='a' title='B'/></report>",
                          &e),
                     -1);
    has_text(e.what, "'a' is used twice");
    unmake(&m);
}

static size_t count(const struct block *b, enum block_kind kind)
{
    size_t n = 0;
    for (; b; b = b->next)
        n += (b->kind == kind) + count(b->first, kind);
    return n;
}

static void comparison_has_its_parts_in_order(void **state)
{
    (void)state;
    static const char *const ids[] = { "tested",      "heavy-read", "moderate-read", "percentiles",
                                       "environment", "method",     "reproduce",     "results" };
    struct given_run g = given_seed();
    struct made m = { .s = given_store("template-comparison", &g), .a = arena_new() };
    m.d = load(m.s, m.a, &(struct report_options) { 0 });
    struct template t;
    struct error e;
    must(template_load(m.a, "comparison", &t, &e), &e);
    const struct build_input in = { .data = &m.d, .template = &t };
    must(build_document(m.a, &in, &m.doc, &e), &e);
    const struct block *b = m.doc.first;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++, b = b->next) {
        assert_string_equal(b->id, ids[i]);
        assert_int_equal(b->number, i + 1);
    }
    assert_null(b);
    assert_non_null(m.doc.scorecard);
    assert_non_null(m.doc.headline);
    assert_int_equal(m.doc.headline->number, 1);
    assert_int_equal(m.doc.headline->n_panels, 3);
    assert_int_equal(count(m.doc.first, BLOCK_FIGURE), 2 * (1 + 5));
    assert_int_equal(count(m.doc.first->next->first, BLOCK_FIGURE), 6);
    assert_string_equal(m.doc.meta,
                        "Run oltp-2026-03-14 · 14 March 2026, 09:26 UTC · 29 of 30 cells "
                        "measured · one run each");
    assert_int_equal(m.doc.n_keys, 3);
    assert_string_equal(m.doc.keys[0].note, "device under test");
    unmake(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_templates_are_valid),
        cmocka_unit_test(bad_templates_are_refused_with_their_line),
        cmocka_unit_test(unknown_names_list_what_is_shipped),
        cmocka_unit_test(long_files_keep_their_lines),
        cmocka_unit_test(texts_values_and_loops),
        cmocka_unit_test(missing_values_are_gaps_with_a_warning),
        cmocka_unit_test(gaps_without_a_box_are_a_notice),
        cmocka_unit_test(links_to_parts_left_out_become_text),
        cmocka_unit_test(ids_used_twice_are_refused),
        cmocka_unit_test(comparison_has_its_parts_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
