/* Device sheets: read whole, or refused at the line. */
#include "matrix_test.h"

#include "base/file.h"
#include "base/str.h"
#include "matrix/sheet.h"

#define DEVICES "<devices xmlns=\"urn:qdepth:devices:1\">\n"

static int load(struct arena *a, const char *text, struct sheet *ret, struct error *e)
{
    static const char path[] = TEST_OUT "/sheet/s.xml";
    struct error ignored;
    *e = (struct error) { 0 };
    assert_int_equal(file_mkdirs(TEST_OUT "/sheet", &ignored), 0);
    assert_int_equal(file_write(path, text, strlen(text), &ignored), 0);
    return sheet_load(a, path, ret, e);
}

static void everything_is_read(void **state)
{
    static const char png[] = "\x89PNG\r\n\x1a\nxyz";
    static const char text[] = DEVICES
        "<device target=\"A\" title=\"Pliant LS 300\" price=\"1999.50\" currency=\"USD\""
        " capacity-gb=\"300\" endurance-tb=\"72.5\" members=\"2 drives\" sample-of=\"B\""
        " factor=\"LSI 9260\" picture=\"p.png\">\n"
        "<rated read-iops=\"120000\" write-iops=\"55000.5\" read-mb-s=\"420\""
        " write-mb-s=\"220\" read-latency=\"100us\" write-latency=\"0.5ms\"/>\n"
        "<fact key=\"Warranty\"> 5\n years </fact></device>\n"
        "<device target=\"B\"/>\n"
        "<left-out title=\"Warp\" reason=\"disqualified\"/>\n"
        "<fact key=\"Case\">PC-V2120</fact>\n</devices>\n";
    struct arena *a = *state;
    struct sheet s;
    struct error e;
    assert_int_equal(file_mkdirs(TEST_OUT "/sheet", &e), 0);
    assert_int_equal(file_write(TEST_OUT "/sheet/p.png", png, sizeof png, &e), 0);
    if (load(a, text, &s, &e))
        fail_msg("%s: %s", e.where, e.what);
    assert_int_equal(s.n_rows, 2);
    const struct sheet_row *r = &s.rows[0];
    assert_string_equal(r->title, "Pliant LS 300");
    assert_true(r->sheet.price == 1999.5);
    assert_string_equal(r->sheet.currency, "USD");
    assert_int_equal(r->sheet.capacity_bytes, 300000000000);
    assert_int_equal(r->sheet.endurance_bytes, 72500000000000);
    assert_true(r->sheet.rated_read_iops == 120000);
    assert_true(r->sheet.rated_write_iops == 55000.5);
    assert_true(r->sheet.rated_read_mb_s == 420);
    assert_true(r->sheet.rated_write_mb_s == 220);
    assert_int_equal(r->sheet.rated_read_lat_ns, 100000);
    assert_int_equal(r->sheet.rated_write_lat_ns, 500000);
    assert_string_equal(r->sheet.members, "2 drives");
    assert_string_equal(r->sheet.sample_of, "B");
    assert_string_equal(r->sheet.factor, "LSI 9260");
    assert_int_equal(r->sheet.picture_bytes, sizeof png);
    assert_memory_equal(r->sheet.picture, png, sizeof png);
    assert_int_equal(r->n_facts, 1);
    assert_string_equal(r->facts[0].key, "Warranty");
    assert_string_equal(r->facts[0].value, "5 years");
    assert_null(s.rows[1].title);
    assert_int_equal(s.n_left_out, 1);
    assert_string_equal(s.left_out[0].name, "Warp");
    assert_string_equal(s.left_out[0].reason, "disqualified");
    assert_int_equal(s.n_host, 1);
    assert_string_equal(s.host[0].key, "Case");
    const char *const texts[] = { NULL, "x", "B" };
    assert_ptr_equal(sheet_find(&s, texts, 3), &s.rows[1]);
    assert_null(sheet_find(&s, texts, 2));
    assert_true(sheet_is(a, TEST_OUT "/sheet/s.xml"));
    assert_false(sheet_is(a, TEST_OUT "/sheet/none.xml"));
}

static void bad_sheets_are_refused_at_their_line(void **state)
{
    static const struct {
        const char *body, *where, *what;
    } bad[] = {
        { "<device/>", ":2", "target" },
        { "<device target=\"A\" colour=\"red\"/>", ":2", "colour" },
        { "<device target=\"A\"/>\n<device target=\"A\"/>", ":3", "twice" },
        { "<device target=\"A\" price=\"1\"/>", ":2", "currency" },
        { "<device target=\"A\" currency=\"EUR\"/>", ":2", "price" },
        { "<device target=\"A\" price=\"0\" currency=\"EUR\"/>", ":2", "above 0" },
        { "<device target=\"A\" price=\"-1\" currency=\"EUR\"/>", ":2", "price" },
        { "<device target=\"A\" capacity-gb=\"999999999999999\"/>", ":2", "9 EB" },
        { "<device target=\"A\"><rated read-latency=\"0us\"/></device>", ":2", "above 0" },
        { "<device target=\"A\" picture=\"none.png\"/>", ":2", "none.png" },
        { "<device target=\"A\" picture=\"s.xml\"/>", ":2", "PNG or JPEG" },
        { "<left-out title=\"x\"/>", ":2", "reason" },
        { "<workload/>", ":2", "workload" },
    };
    struct arena *a = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sheet s;
        struct error e;
        const char *text = arena_printf(a, DEVICES "%s\n</devices>\n", bad[i].body);
        if (!load(a, text, &s, &e))
            fail_msg("accepted: %s", bad[i].body);
        assert_int_equal(e.code, QD_E_FORMAT);
        if (!strstr(e.where, bad[i].where) || !strstr(e.what, bad[i].what))
            fail_msg("%s: %s: %s", bad[i].body, e.where, e.what);
    }
}

static void other_files_are_no_sheet(void **state)
{
    struct arena *a = *state;
    struct sheet s;
    struct error e;
    assert_int_equal(load(a, HEAD WORK_4K FOOT, &s, &e), -1);
    assert_non_null(strstr(e.what, "expected <devices xmlns=\"urn:qdepth:devices:1\">"));
    assert_int_equal(load(a, "<!DOCTYPE x><devices/>", &s, &e), -1);
    assert_non_null(strstr(e.what, "device sheet"));
    assert_int_equal(sheet_load(a, TEST_OUT "/sheet/none.xml", &s, &e), -1);
    assert_int_equal(e.code, QD_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_read, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(bad_sheets_are_refused_at_their_line, setup_arena,
                                        teardown_arena),
        cmocka_unit_test_setup_teardown(other_files_are_no_sheet, setup_arena, teardown_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
