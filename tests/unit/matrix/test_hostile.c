#include "matrix_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

/* Files that are meant to break the reader: refused with a message, nothing printed, nothing fetched. */

static void refused(struct arena *a, const char *text, size_t n, const char *where,
                    const char *what)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    if (!matrix_parse(a, "t.xml", text, n, &m, &e))
        fail_msg("accepted: %.200s", text);
    assert_int_equal(e.code, QD_E_FORMAT);
    if (strcmp(e.where, where) != 0 || !strstr(e.what, what))
        fail_msg("%s: %s", e.where, e.what);
}

static void refused_text(struct arena *a, const char *text, const char *where, const char *what)
{
    refused(a, text, strlen(text), where, what);
}

#define NO_DTD "a document type declaration (<!DOCTYPE>) is not allowed in a matrix"

static void document_types(void **state)
{
    refused_text(*state, "<!DOCTYPE matrix>\n" HEAD WORK_4K FOOT, "t.xml:1", NO_DTD);
    refused_text(
        *state,
        "<?xml version=\"1.0\"?>\n\n<!DOCTYPE matrix SYSTEM \"file:///etc/passwd\">\n" HEAD WORK_4K
            FOOT,
        "t.xml:3", NO_DTD);
    refused_text(*state,
                 "<!DOCTYPE matrix [<!ATTLIST matrix name CDATA \"quick\">]>\n" HEAD WORK_4K FOOT,
                 "t.xml:1", NO_DTD);
}

static void external_entity(void **state)
{
    refused_text(*state,
                 "<!DOCTYPE matrix [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>\n" HEAD
                 "<method>&x;</method>" WORK_4K FOOT,
                 "t.xml:1", NO_DTD);
    refused_text(
        *state,
        "<!DOCTYPE matrix [<!ENTITY % x SYSTEM \"http://127.0.0.1:9/x\"> %x;]>\n" HEAD WORK_4K FOOT,
        "t.xml:1", NO_DTD);
}

static void billion_laughs(void **state)
{
    struct str s = str_new(1 << 16);
    str_put(&s, "<!DOCTYPE matrix [<!ENTITY a0 \"ha\">\n");
    for (int i = 1; i < 30; i++)
        str_printf(&s, "<!ENTITY a%d \"&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;\">\n", i,
                   i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    str_put(&s, "]>" HEAD "<method>&a29;</method>" WORK_4K FOOT);
    refused_text(*state, s.at, "t.xml:1", NO_DTD);
    str_done(&s);
}

/* A schema named by the file is never fetched: the file stays valid or not by our schema alone. */
static void schema_location(void **state)
{
    must_parse(*state, "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\""
                       " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
                       " xsi:schemaLocation=\"urn:other file:///etc/hostname\">" WORK_4K FOOT);
    refused_text(
        *state,
        "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\""
        " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
        " xsi:schemaLocation=\"urn:other file:///etc/hostname\">\n<x xmlns=\"urn:other\"/>" WORK_4K
            FOOT,
        "t.xml:2", "<x>: this element is not expected");
}

static void xinclude(void **state)
{
    refused_text(*state,
                 HEAD "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\""
                      " href=\"/etc/hostname\" parse=\"text\"/>" WORK_4K FOOT,
                 "t.xml:2", "<include>: this element is not expected");
}

static void deep_nesting(void **state)
{
    struct str s = str_new(1 << 20);
    str_put(&s, HEAD);
    for (int i = 0; i < 50000; i++)
        str_put(&s, "<a>");
    refused_text(*state, s.at, "t.xml:2", "not well-formed XML: excessive depth in document: 256");
    str_done(&s);
}

static void broken_xml(void **state)
{
    refused_text(*state, "", "t.xml:1", "not well-formed XML: document is empty");
    refused_text(*state, "quick", "t.xml:1",
                 "not well-formed XML: start tag expected, '<' not found");
    refused_text(
        *state, HEAD "<workload id=\"w\">\n" LINE_4K "\n" FOOT, "t.xml:4",
        "not well-formed XML: opening and ending tag mismatch: workload line 2 and matrix");
    refused_text(*state, HEAD WORK_4K, "t.xml:3",
                 "not well-formed XML: premature end of data in tag matrix line 1");
    refused_text(*state, HEAD WORK_4K FOOT "<matrix/>", "t.xml:4",
                 "not well-formed XML: extra content at the end of the document");
    refused_text(*state, HEAD "<method>\n&nosuch;</method>" WORK_4K FOOT, "t.xml:3",
                 "not well-formed XML: entity 'nosuch' not defined");
    refused_text(*state, HEAD "<x:y/>" WORK_4K FOOT, "t.xml:2",
                 "not well-formed XML: namespace prefix x on y is not defined");
    refused_text(*state, HEAD "<workload id=\"a\" id=\"b\">" LINE_4K "</workload>" FOOT, "t.xml:2",
                 "not well-formed XML: attribute id redefined");
}

static void not_utf8(void **state)
{
    refused_text(*state, HEAD "<method>\n\xFF\xFE</method>" WORK_4K FOOT, "t.xml:3",
                 "not well-formed XML: input is not proper UTF-8");
    static const char utf16[] = "\xFF\xFE<\0m\0a\0/\0>\0";
    refused(*state, utf16, sizeof utf16 - 1, "t.xml:1", "it has zero bytes");
    static const char zero[] = HEAD "<method>a\0b</method>" WORK_4K FOOT;
    refused(*state, zero, sizeof zero - 1, "t.xml:1", "it has zero bytes");
}

static void too_large(void **state)
{
    size_t n = (8 << 20) + 1;
    char *text = malloc(n + 1);
    memset(text, ' ', n);
    text[n] = 0;
    refused(*state, text, n, "t.xml", "the matrix has 8388609 bytes, the limit is 8388608");
    free(text);
}

/* A long value is named, but not at length, and the message stays one line. */
static void long_value(void **state)
{
    struct str s = str_new(1 << 20);
    str_put(&s, HEAD "<workload id=\"w\"><access read=\"1\" random=\"1\" size=\"");
    for (int i = 0; i < 100000; i++)
        str_put(&s, "9");
    str_put(&s, "\"/></workload>" FOOT);
    struct matrix *m = NULL;
    struct error e = { 0 };
    assert_int_equal(matrix_parse(*state, "t.xml", s.at, s.n, &m, &e), -1);
    assert_string_equal(e.where, "t.xml:2");
    assert_true(strlen(e.what) < 300);
    assert_non_null(strstr(e.what, "999…': expected a size such as 8KiB"));
    str_done(&s);
}

/* A text that is not followed by a zero byte is read to its length and no further. */
static void length_counts(void **state)
{
    static const char text[] = HEAD WORK_4K FOOT "<trailing>";
    struct matrix *m = NULL;
    struct error e = { 0 };
    assert_int_equal(
        matrix_parse(*state, "t.xml", text, sizeof text - 1 - strlen("<trailing>"), &m, &e), 0);
}

/* Nothing below cli prints: stderr of a child reading broken files stays empty. */
static void prints_nothing(void **state)
{
    char path[] = TEST_OUT "/matrix-stderr-XXXXXX";
    struct error e = { 0 };
    assert_int_equal(file_mkdirs(TEST_OUT, &e), 0);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    int kept = dup(STDERR_FILENO);
    dup2(fd, STDERR_FILENO);
    external_entity(state);
    schema_location(state);
    broken_xml(state);
    refused_text(*state, HEAD "<cose/>" FOOT, "t.xml:2", "<cose>: this element is not expected");
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    off_t printed = lseek(fd, 0, SEEK_END);
    close(fd);
    unlink(path);
    assert_int_equal(printed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(document_types, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(external_entity, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(billion_laughs, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(schema_location, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(xinclude, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(deep_nesting, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(broken_xml, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(not_utf8, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(too_large, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(long_value, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(length_counts, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(prints_nothing, setup_arena, teardown_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
