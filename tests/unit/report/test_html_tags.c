#include "report/html_tags.h"

#include "base/array.h"
#include "unit.h"

static void expect(struct str *out, const char *want)
{
    assert_string_equal(out->at, want);
    str_done(out);
}

static void test_text_is_escaped(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        { "a < b & c > \"d\" 'e'", "a &lt; b &amp; c &gt; \"d\" 'e'" },
        { "</script><script>", "&lt;/script&gt;&lt;script&gt;" },
        { "µ 10⁶ – ‡ 𝄞\n\t", "µ 10⁶ – ‡ 𝄞\n\t" },
        { "a\x01z\x7F\x1B[0m", "a\uFFFDz\uFFFD\uFFFD[0m" },
        { "\xC2\x85\xC2\x9F", "\uFFFD\uFFFD" },
        { "broken \xC3( \xFF\xE2\x82", "broken \uFFFD( \uFFFD\uFFFD\uFFFD" },
        { "\uFDD0\uFFFE", "\uFFFD\uFFFD" },
        { "\uFFFD", "\uFFFD" },
        { "", "" },
    };
    for (size_t i = 0; i < countof(pairs); i++) {
        struct str out = str_new(1 << 10);
        struct tags t = { .out = &out };
        tag_text(&t, pairs[i][0]);
        assert_false(tags_failed(&t));
        expect(&out, pairs[i][1]);
    }
}

static void test_attributes(void **state)
{
    (void)state;
    struct str out = str_new(1 << 10);
    struct tags t = { .out = &out };
    tag(&t, "a", "href", "x\"&<\ny>", "title", NULL, "download", "", NULL);
    tag_end(&t, "a");
    assert_false(tags_failed(&t));
    expect(&out, "<a href=\"x&quot;&amp;&lt;&#10;y&gt;\" download></a>");
}

static void test_void_elements(void **state)
{
    (void)state;
    struct str out = str_new(1 << 10);
    struct tags t = { .out = &out };
    tag(&t, "input", "checked", "", NULL);
    tag(&t, "svg", NULL);
    tag(&t, "use", "href", "#m", NULL);
    tag_end(&t, "svg");
    tag_line(&t, "b", "x", "1 < 2");
    tag_line(&t, "b", NULL, NULL);
    assert_false(tags_failed(&t));
    assert_int_equal(t.depth, 0);
    expect(&out, "<input checked><svg><use href=\"#m\"/></svg><b class=\"x\">1 &lt; 2</b>");
}

static void test_elements_must_nest(void **state)
{
    (void)state;
    struct str out = str_new(1 << 10);
    struct tags t = { .out = &out };
    tag(&t, "p", NULL);
    tag(&t, "b", NULL);
    tag_end(&t, "p");
    assert_true(tags_failed(&t));
    t = (struct tags) { .out = &out };
    tag_end(&t, "p");
    assert_true(tags_failed(&t));
    t = (struct tags) { .out = &out };
    for (int i = 0; i < TAGS_DEPTH; i++)
        tag(&t, "b", NULL);
    assert_false(tags_failed(&t));
    tag(&t, "b", NULL);
    assert_true(tags_failed(&t));
    str_done(&out);
}

static void test_data_cannot_end_its_element(void **state)
{
    (void)state;
    static const char *const bad[] = { "x</script>", "a</STYLE", "<!-- x" };
    for (size_t i = 0; i < countof(bad); i++) {
        struct str out = str_new(1 << 10), data = str_new(1 << 10);
        struct tags t = { .out = &out };
        str_put(&data, bad[i]);
        tag_data(&t, "script", &data);
        assert_true(tags_failed(&t));
        str_done(&out);
        str_done(&data);
    }
    struct str out = str_new(1 << 10), data = str_new(1 << 10);
    struct tags t = { .out = &out };
    str_put(&data, "if (a < b && c > d) e();");
    tag_data(&t, "script", &data);
    assert_false(tags_failed(&t));
    str_done(&data);
    expect(&out, "<script>if (a < b && c > d) e();</script>");
}

static void test_limit_is_told(void **state)
{
    (void)state;
    struct str out = str_new(8);
    struct tags t = { .out = &out };
    tag_text(&t, "12345678");
    assert_false(tags_failed(&t));
    tag_text(&t, "9");
    assert_true(tags_failed(&t));
    str_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_escaped),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_void_elements),
        cmocka_unit_test(test_elements_must_nest),
        cmocka_unit_test(test_data_cannot_end_its_element),
        cmocka_unit_test(test_limit_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
