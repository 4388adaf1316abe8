#include "matrix_test.h"

#include <stdio.h>

#include "base/array.h"
#include "base/str.h"
#include "model/plan.h"

/* Every message of a bad matrix, with its exact line. */

struct bad {
    const char *text, *where, *what;
};

#define NBSP "\xC2\xA0"
#define SIZES                                                                                      \
    "expected a size such as 8KiB, a multiple of 512 bytes from 512" NBSP "B to 64" NBSP "MiB"
#define DEPTHS "expected a whole number from 1 to 1024"
#define PERCENTS "expected a percentage from 0 to 100 with at most two decimals"
#define FILLS                                                                                      \
    "expected random, zero, ones, pattern:HEX of 1 to 16 bytes, compressible:N or duplicate:N "    \
    "with a percentage N"
#define SWEPT "queue-depth, size, read, random, workers, fill, span, rate, direct, filesystem"
/* one workload with these lines; the first is in line 3 */
#define WORK(lines) HEAD "<workload id=\"w\">\n" lines "\n</workload>\n" FOOT
#define SWEEP(lists) HEAD WORK_4K "<sweep>\n" lists "\n</sweep>\n" FOOT

static void fails(struct arena *a, const struct bad *b)
{
    struct matrix *m = NULL;
    struct error e = { 0 };
    if (!matrix_parse(a, "t.xml", b->text, strlen(b->text), &m, &e))
        fail_msg("accepted: %s", b->text);
    assert_null(m);
    assert_int_equal(e.code, QD_E_FORMAT);
    if (strcmp(e.where, b->where) != 0 || strcmp(e.what, b->what) != 0)
        fail_msg("%s\n  is  %s: %s\n  not %s: %s", b->text, e.where, e.what, b->where, b->what);
}

#define ALL_FAIL(rows)                                                                             \
    for (size_t i_ = 0; i_ < countof(rows); i_++)                                                  \
    fails(*state, &(rows)[i_])

static void structure(void **state)
{
    static const struct bad rows[] = {
        { HEAD "<cose/>\n" WORK_4K FOOT, "t.xml:2",
          "<cose>: this element is not expected; expected is one of ( method, defaults, targets, "
          "precondition, until-steady, idle, cool-down, stop-when, workload )" },
        { HEAD FOOT, "t.xml:1",
          "<matrix>: missing child element(s); expected is one of ( method, defaults, targets, "
          "precondition, until-steady, idle, cool-down, stop-when, workload )" },
        { HEAD "<workload id=\"w\">\n</workload>" FOOT, "t.xml:2",
          "<workload>: missing child element(s); expected is one of ( precondition, until-steady, "
          "idle, cool-down, stop-when, access, trace )" },
        { HEAD "<workload\n>\n" LINE_4K "</workload>" FOOT, "t.xml:3",
          "<workload>: the attribute 'id' is required but missing" },
        { HEAD WORK_4K WORK_4K "<swap/>" FOOT, "t.xml:4",
          "<swap>: this element is not expected; expected is one of ( workload, sweep )" },
        { HEAD WORK_4K "<sweep/>" FOOT, "t.xml:3",
          "<sweep>: missing child element(s); expected is one of ( " SWEPT " )" },
        { SWEEP("<depth>1</depth>"), "t.xml:4",
          "<depth>: this element is not expected; expected is one of ( " SWEPT " )" },
        { SWEEP("<size>4k</size><size>8k</size>"), "t.xml:4", "<sweep> has <size> twice" },
        { HEAD "text" WORK_4K FOOT, "t.xml:1",
          "<matrix>: character content other than whitespace is not allowed because the content "
          "type is 'element-only'" },
        { "<matrix name=\"t\">" WORK_4K FOOT, "t.xml:1",
          "root element <matrix> of namespace '': expected <matrix "
          "xmlns=\"urn:qdepth:matrix:1\">" },
        { "<html xmlns=\"urn:x\"/>", "t.xml:1",
          "root element <html> of namespace 'urn:x': expected <matrix "
          "xmlns=\"urn:qdepth:matrix:1\">" },
    };
    ALL_FAIL(rows);
}

static void attributes(void **state)
{
    static const struct bad rows[] = {
        { WORK("<access size=\"4k\" reed=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> has no attribute 'reed': expected size, read, random, share, align, delay, "
          "burst, "
          "stride, trim, sync, distribution" },
        { HEAD "<defaults time=\"4\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> has no attribute 'time': expected queue-depth, workers, fill, span, rate, "
          "direct, "
          "duration, ramp, interval, repeat, span-offset, arrivals" },
        { HEAD "<workload id=\"w\" size=\"4k\">" LINE_4K "</workload>" FOOT, "t.xml:2",
          "<workload> has no attribute 'size': expected id, title, queue-depth, workers, fill, "
          "span, "
          "rate, direct, duration, ramp, interval, repeat, span-offset, arrivals" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\" depth=\"1\">" WORK_4K FOOT, "t.xml:1",
          "<matrix> has no attribute 'depth': expected name, title, report, order, seed, targets" },
        { HEAD WORK_4K "<sweep>\n<read x=\"1\">1</read></sweep>" FOOT, "t.xml:4",
          "<read> has no attribute 'x'" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\">" WORK_4K FOOT, "t.xml:1",
          "<matrix>: the attribute 'name' is required but missing" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"8\">" WORK_4K FOOT, "t.xml:1",
          "<matrix> name '8': expected a name of at most 64 characters: a letter, then letters, "
          "digits, '.', '_' or '-'" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"latest\">" WORK_4K FOOT, "t.xml:1",
          "<matrix> name 'latest': expected another name, 'latest' means the last run" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\" order=\"x\">" WORK_4K FOOT, "t.xml:1",
          "<matrix> attribute 'order': the value 'x' is not an element of the set {'as-written', "
          "'interleaved', 'random'}" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\" seed=\"0\">" WORK_4K FOOT, "t.xml:1",
          "<matrix> seed '0': expected a whole number from 1 to 18446744073709551615" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\" seed=\"18446744073709551616\">" WORK_4K
              FOOT,
          "t.xml:1",
          "<matrix> seed '18446744073709551616': expected a whole number from 1 to "
          "18446744073709551615" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\" seed=\"-1\">" WORK_4K FOOT, "t.xml:1",
          "<matrix> seed '-1': expected a whole number" },
    };
    ALL_FAIL(rows);
}

static void access_lines(void **state)
{
    static const struct bad rows[] = {
        { WORK("<access size=\"8KB\" read=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> size '8KB': " SIZES },
        { WORK("\n<access\nsize=\"1000\" read=\"1\"\nrandom=\"1\"/>"), "t.xml:6",
          "<access> size '1000': " SIZES },
        { WORK("<access size=\"0\" read=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> size '0': " SIZES },
        { WORK("<access size=\"65MiB\" read=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> size '65MiB': " SIZES },
        { WORK("<access size=\"99999999999999999999\" read=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> size '99999999999999999999': " SIZES },
        { WORK("<access size=\"-4k\" read=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> size '-4k': " SIZES },
        { WORK("<access size=\"4k\" read=\"101\" random=\"1\"/>"), "t.xml:3",
          "<access> read '101': " PERCENTS },
        { WORK("<access size=\"4k\" read=\"1\" random=\"33.333\"/>"), "t.xml:3",
          "<access> random '33.333': " PERCENTS },
        { WORK("<access size=\"4k\" read=\"1\" random=\"1\" align=\"100\"/>"), "t.xml:3",
          "<access> align '100': expected a size such as 8KiB, a multiple of 512 bytes" },
        { WORK("<access read=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> has no size: " SIZES ", here or in <sweep>" },
        { WORK("<access size=\"4k\" random=\"1\"/>"), "t.xml:3",
          "<access> has no read: " PERCENTS ", here or in <sweep>" },
        { WORK("<access size=\"4k\" read=\"1\"/>"), "t.xml:3",
          "<access> has no random: " PERCENTS ", here or in <sweep>" },
        { WORK(LINE_4K "\n" LINE_4K), "t.xml:3",
          "<access> has no share: expected a percentage above 0 up to 100 with at most two "
          "decimals" },
        { WORK("<access share=\"0\" size=\"4k\" read=\"1\" random=\"1\"/>"), "t.xml:3",
          "<access> share '0': expected a percentage above 0 up to 100 with at most two decimals" },
        { WORK("<access share=\"99.99\" size=\"4k\" read=\"1\" random=\"1\"/>"), "t.xml:2",
          "<workload> shares of its <access> lines sum to 99.99" NBSP "%: expected exactly 100 %" },
        { WORK("<access share=\"50\" size=\"4k\" read=\"1\" random=\"1\"/>\n"
               "<access share=\"60\" size=\"4k\" read=\"1\" random=\"1\"/>"),
          "t.xml:2",
          "<workload> shares of its <access> lines sum to 110" NBSP "%: expected exactly 100 %" },
    };
    ALL_FAIL(rows);
}

static void workloads_and_defaults(void **state)
{
    static const struct bad rows[] = {
        { HEAD WORK_4K WORK_4K FOOT, "t.xml:3", "<workload> id 'w' is already used in line 2" },
        { HEAD "<defaults\nduration=\"0\"/>" WORK_4K FOOT, "t.xml:3",
          "<defaults> duration '0': expected a time such as 500ms or 60s, from 1" NBSP
          "ms to 8,784" NBSP "h" },
        { HEAD "<defaults duration=\"1 min\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> duration '1 min': expected a time such as 500ms or 60s, from 1" NBSP
          "ms to 8,784" NBSP "h" },
        { HEAD "<defaults ramp=\"25h\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> ramp '25h': expected a time such as 500ms or 60s, from 0" NBSP "s to 24" NBSP
          "h" },
        { HEAD "<defaults interval=\"1ms\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> interval '1ms': expected a time such as 500ms or 60s, from 10" NBSP
          "ms to 1" NBSP "h" },
        { HEAD "<defaults workers=\"257\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> workers '257': expected a whole number from 1 to 256" },
        { HEAD "<defaults repeat=\"0\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> repeat '0': expected a whole number from 1 to 1000" },
        { HEAD "<defaults queue-depth=\"1025\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> queue-depth '1025': " DEPTHS },
        { HEAD "<defaults direct=\"maybe\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> direct 'maybe': expected yes or no" },
        { HEAD "<defaults fill=\"pattern:ABC\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> fill 'pattern:ABC': " FILLS },
        { HEAD "<defaults fill=\"compressible:101\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> fill 'compressible:101': " FILLS },
        { HEAD "<workload id=\"w\" duration=\"x\">" LINE_4K "</workload>" FOOT, "t.xml:2",
          "<workload> duration 'x': expected a time such as 500ms or 60s, from 1" NBSP
          "ms to 8,784" NBSP "h" },
        { HEAD "<workload id=\"latest run\">" LINE_4K "</workload>" FOOT, "t.xml:2",
          "<workload> id 'latest run': expected a name of at most 64 characters: a letter, then "
          "letters, digits, '.', '_' or '-'" },
    };
    ALL_FAIL(rows);
}

static void sweeps(void **state)
{
    static const struct bad rows[] = {
        { SWEEP("<queue-depth/>"), "t.xml:4", "<queue-depth> '': " DEPTHS },
        { SWEEP("<queue-depth> </queue-depth>"), "t.xml:4", "<queue-depth> '': " DEPTHS },
        { SWEEP("<queue-depth>1 4 x</queue-depth>"), "t.xml:4", "<queue-depth> 'x': " DEPTHS },
        { SWEEP("\n<queue-depth>1 4\n 4</queue-depth>"), "t.xml:5",
          "<queue-depth> has the value '4' twice" },
        { SWEEP("<queue-depth>0 1</queue-depth>"), "t.xml:4", "<queue-depth> '0': " DEPTHS },
        { SWEEP("<queue-depth>1 1025</queue-depth>"), "t.xml:4", "<queue-depth> '1025': " DEPTHS },
        { SWEEP("<queue-depth>99999999999999999999999</queue-depth>"), "t.xml:4",
          "<queue-depth> '99999999999999999999999': " DEPTHS },
        { SWEEP("<size>4k 4096</size>"), "t.xml:4", "<size> has the value '4096' twice" },
        { SWEEP("<size>4k 1000</size>"), "t.xml:4", "<size> '1000': " SIZES },
        { SWEEP("<workers>1 300</workers>"), "t.xml:4",
          "<workers> '300': expected a whole number from 1 to 256" },
        { SWEEP("<fill>random pattern:abc</fill>"), "t.xml:4", "<fill> 'pattern:abc': " FILLS },
        { SWEEP("<fill>pattern:ab pattern:AB</fill>"), "t.xml:4",
          "<fill> has the value 'pattern:AB' twice" },
        { SWEEP("<direct>yes no yes</direct>"), "t.xml:4", "<direct> has the value 'yes' twice" },
        { SWEEP("<read>0 50</read>"), "t.xml:4",
          "<read> sweeps nothing: every workload sets its own read (leave it out there)" },
        { HEAD "<workload id=\"w\" workers=\"2\">" LINE_4K "</workload><sweep>\n"
               "<workers>1 2</workers></sweep>" FOOT,
          "t.xml:3",
          "<workers> sweeps nothing: every workload sets its own workers (leave it out there)" },
    };
    ALL_FAIL(rows);
}

static void unsupported(void **state)
{
#define LINE_WITH(attribute) WORK("<access size=\"4k\" read=\"1\" random=\"1\" " attribute "/>")
#define NOT_YET " is not supported by this version"
    static const struct bad rows[] = {
        { HEAD "<precondition>\n<fill size=\"1MiB\"/></precondition>" WORK_4K FOOT, "t.xml:2",
          "<precondition>" NOT_YET },
        { HEAD "<until-steady rounds=\"5\"/>" WORK_4K FOOT, "t.xml:2", "<until-steady>" NOT_YET },
        { HEAD "<cool-down to=\"40\"/>" WORK_4K FOOT, "t.xml:2", "<cool-down>" NOT_YET },
        { HEAD "<stop-when bytes=\"1GiB\"/>" WORK_4K FOOT, "t.xml:2", "<stop-when>" NOT_YET },
        { HEAD "<targets><device name=\"a\" path=\"/x\"/>\n<filesystem name=\"f\" on=\"a\""
               " type=\"ntfs\"/></targets>" WORK_4K FOOT,
          "t.xml:3", "<filesystem> type 'ntfs'" NOT_YET },
        { HEAD "<precondition><idle duration=\"5s\"/></precondition>" WORK_4K FOOT, "t.xml:2",
          "<precondition>" NOT_YET },
        { HEAD "<workload id=\"w\">\n\n<idle duration=\"25h\"/>" LINE_4K "</workload>" FOOT,
          "t.xml:4", "<idle> duration '25h': expected a time up to 1d" },
        { "<matrix xmlns=\"urn:qdepth:matrix:1\" name=\"t\" targets=\"together\">" WORK_4K FOOT,
          "t.xml:1", "<matrix> targets 'together'" NOT_YET },
        { SWEEP("<filesystem>ext4 vfat</filesystem>"), "t.xml:4", "<filesystem> 'vfat'" NOT_YET },
        { SWEEP("<rate>1000 50%</rate>"), "t.xml:4", "<rate>" NOT_YET },
        { HEAD "<defaults rate=\"100\"/>" WORK_4K FOOT, "t.xml:2", "<defaults> rate" NOT_YET },
        { HEAD "<defaults arrivals=\"fixed\"/>" WORK_4K FOOT, "t.xml:2",
          "<defaults> arrivals" NOT_YET },
        { LINE_WITH("delay=\"1ms\""), "t.xml:3", "<access> delay" NOT_YET },
        { LINE_WITH("burst=\"8\""), "t.xml:3", "<access> burst '8'" NOT_YET },
        { LINE_WITH("trim=\"10\""), "t.xml:3", "<access> trim '10'" NOT_YET },
        { LINE_WITH("sync=\"fsync:1\""), "t.xml:3", "<access> sync 'fsync:1'" NOT_YET },
        { LINE_WITH("distribution=\"zones:60/10,40/90\""), "t.xml:3",
          "<access> distribution 'zones:60/10,40/90'" NOT_YET },
    };
    ALL_FAIL(rows);
    /* what says only what is so anyway is fine */
    must_parse(*state, LINE_WITH("sync=\"none\" distribution=\"uniform\" trim=\"0\" burst=\"1\""));
}

static void many_lines(void **state)
{
    struct str s = str_new(1 << 20);
    struct bad b = { .where = "t.xml:103",
                     .what = "<access> line 101 of a workload: the limit is 100" };
    str_put(&s, HEAD "<workload id=\"w\">\n");
    for (int i = 0; i < 150; i++)
        str_put(&s, "<access share=\"1\" size=\"4k\" read=\"1\" random=\"1\"/>\n");
    str_put(&s, "</workload>" FOOT);
    b.text = s.at;
    fails(*state, &b);
    str_done(&s);
}

static void many_workloads(void **state)
{
    struct str s = str_new(1 << 20);
    struct bad b = {
        .where = "t.xml:1002",
        .what = "<workload> 'w1000': more than 1000 workloads, each combination of swept "
                "size, read and random counted; the limit is 1000"
    };
    str_put(&s, HEAD);
    for (int i = 0; i < 1001; i++)
        str_printf(&s, "<workload id=\"w%d\">" LINE_4K "</workload>\n", i);
    str_put(&s, FOOT);
    b.text = s.at;
    fails(*state, &b);
    str_done(&s);
}

static void many_values(void **state)
{
    struct str s = str_new(1 << 20);
    struct bad b = { .where = "t.xml:4", .what = "<size> has more than 1024 values" };
    str_put(&s, HEAD
            "<workload id=\"w\"><access read=\"1\" random=\"1\"/></workload>\n<sweep>\n<size>");
    for (int i = 1; i <= 1025; i++)
        str_printf(&s, "%d ", i * 512);
    str_put(&s, "</size></sweep>" FOOT);
    b.text = s.at;
    fails(*state, &b);

    /* 1000 values are 1000 workloads, one more is too many */
    str_clear(&s);
    str_put(&s, HEAD
            "<workload id=\"w\"><access read=\"1\" random=\"1\"/></workload>\n<sweep>\n<size>");
    for (int i = 1; i <= 1000; i++)
        str_printf(&s, "%d ", i * 512);
    size_t open = s.n;
    str_put(&s, "</size></sweep>" FOOT);
    must_parse(*state, s.at);
    s.n = open;
    str_put(&s, "64MiB</size></sweep>" FOOT);
    b.text = s.at;
    b.where = "t.xml:2";
    b.what =
        "<workload> 'w': more than 1000 workloads, each combination of swept size, read and random "
        "counted; the limit is 1000";
    fails(*state, &b);
    str_done(&s);
}

/* 250 depths × 200 workers × 2 = 100,000 cells fit; with three repetitions they do not. */
static void put_hundred_thousand(struct str *s, const char *repeat)
{
    str_printf(s, HEAD "<defaults repeat=\"%s\"/>" WORK_4K "<sweep>\n<queue-depth>", repeat);
    for (int i = 1; i <= 250; i++)
        str_printf(s, "%d ", i);
    str_put(s, "</queue-depth>\n<workers>");
    for (int i = 1; i <= 200; i++)
        str_printf(s, "%d ", i);
    str_put(s, "</workers></sweep>" FOOT);
}

static void many_cells(void **state)
{
    struct str s = str_new(1 << 20);
    put_hundred_thousand(&s, "2");
    must_parse(*state, s.at);
    str_clear(&s);
    put_hundred_thousand(&s, "3");
    struct bad b = {
        .text = s.at,
        .where = "t.xml:3",
        .what = "<sweep> makes more than 100000 cells on one target: the limit is 100000"
    };
    fails(*state, &b);
    str_done(&s);
}

/* libxml2 keeps 16 bits of a line unless told otherwise. */
static void line_beyond_65535(void **state)
{
    struct str s = str_new(1 << 20);
    str_put(&s, HEAD);
    for (int i = 0; i < 70000; i++)
        str_char(&s, '\n');
    str_put(
        &s,
        "<workload id=\"w\">\n<access size=\"7\" read=\"1\" random=\"1\"/>\n</workload>\n" FOOT);
    struct bad b = { .text = s.at, .where = "t.xml:70003", .what = "<access> size '7': " SIZES };
    fails(*state, &b);
    str_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(structure, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(attributes, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(access_lines, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(workloads_and_defaults, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(sweeps, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(unsupported, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(many_lines, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(many_workloads, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(many_values, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(many_cells, setup_arena, teardown_arena),
        cmocka_unit_test_setup_teardown(line_beyond_65535, setup_arena, teardown_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
