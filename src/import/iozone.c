#include "import/iozone.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "import/figure.h"
#include "import/scan.h"

/* In the order of the columns, which is the same in all versions. */
static const struct test {
    const char *first, *second; /* of the heading's two lines */
    const char *title;          /* NULL: named by what it does */
    bool read, random;
} tests[] = {
    { "", "write", NULL, false, false },
    { "", "rewrite", "iozone rewrite", false, false },
    { "", "read", NULL, true, false },
    { "", "reread", "iozone reread", true, false },
    { "random", "read", NULL, true, true },
    { "random", "write", NULL, false, true },
    { "bkwd", "read", "iozone backward read", true, false },
    { "record", "rewrite", "iozone record rewrite", false, false },
    { "stride", "read", "iozone stride read", true, false },
    { "", "fwrite", "iozone fwrite", false, false },
    { "", "frewrite", "iozone frewrite", false, false },
    { "", "fread", "iozone fread", true, false },
    { "", "freread", "iozone freread", true, false },
};
enum { TESTS = countof(tests), MOST = TESTS + 8 };

bool iozone_sniff(const char *head, const char *name)
{
    (void)name;
    return (strstr(head, "Iozone:") || strstr(head, "iozone")) && strstr(head, "reclen");
}

struct word {
    const char *at;
    size_t n, end; /* end: column behind it */
};

static size_t words(const char *line, struct word *ret, size_t max)
{
    size_t n = 0, column = 0;
    for (const char *p = line; *p;) {
        if (*p == ' ' || *p == '\t') {
            column = *p == '\t' ? (column / 8 + 1) * 8 : column + 1;
            p++;
            continue;
        }
        size_t length = strcspn(p, " \t");
        column += length;
        if (n < max)
            ret[n] = (struct word) { p, length, column };
        n++;
        p += length;
    }
    return n;
}

struct iozone {
    struct collect *c;
    bool headed, direct;
    enum { KIB_S, OPS_S, US_OP } unit;
    size_t end[MOST]; /* where each column ends: size, reclen, tests */
    const struct test *test[MOST];
    size_t n; /* columns */
};

/* "KB reclen write rewrite read …": the tests by their names in order. */
static bool take_heading(struct iozone *f, const char *line)
{
    struct word w[MOST];
    size_t n = words(line, w, MOST), next = 0;
    if (n < 3 || n > MOST || strncasecmp(w[1].at, "reclen", 6) != 0)
        return false;
    f->headed = true;
    f->n = n;
    for (size_t i = 0; i < n; i++) {
        f->end[i] = w[i].end;
        f->test[i] = NULL;
        for (size_t t = next; i >= 2 && t < TESTS; t++)
            if (strlen(tests[t].second) == w[i].n && !strncmp(tests[t].second, w[i].at, w[i].n)) {
                f->test[i] = &tests[t];
                next = t + 1;
                break;
            }
    }
    return true;
}

static void put(struct iozone *f, const struct test *t, double file, double record, double value)
{
    struct import_cell *cell = collect_cell(f->c);
    struct figures x = figures_none((uint32_t)record);
    cell->pattern = pattern_simple(f->c->a, (uint32_t)record, t->read ? 10000 : 0,
                                   t->random ? 10000 : 0);
    if (t->title)
        cell->pattern.name = arena_printf(f->c->a, "%s, %.0f KiB", t->title, record / 1024);
    cell->job = arena_printf(f->c->a, "file of %.0f KiB", file / 1024);
    cell->direct = f->direct;
    cell->result.span_bytes = (uint64_t)file;
    figures_rates_only(cell);
    if (f->unit == KIB_S)
        x.bytes_s = value * 1024;
    else
        x.iops = f->unit == OPS_S ? value : 1e6 / value;
    figures_put(f->c, cell, t->read ? DIR_READ : DIR_WRITE, &x);
}

/* The column a value stands in: by count if all are there, else by where it ends. */
static size_t column_of(const struct iozone *f, const struct word *w, size_t n, size_t i)
{
    if (n == f->n)
        return i;
    size_t best = i;
    double least = INFINITY;
    for (size_t k = 0; k < f->n; k++) {
        double away = fabs((double)f->end[k] - (double)w[i].end);
        if (away < least) {
            least = away;
            best = k;
        }
    }
    return best;
}

static bool number(const struct word *w, double *ret)
{
    const char *p = w->at;
    return scan_decimal(&p, ret) && p == w->at + w->n && *ret >= 0;
}

static void take_row(struct iozone *f, const char *line)
{
    struct word w[MOST];
    size_t n = words(line, w, MOST);
    long where = reader_number(f->c->source->reader);
    double file, record;
    if (n < 3 || n > f->n || !number(&w[0], &file) || !number(&w[1], &record)) {
        collect_warn(f->c, where, "no whole row: it is left out");
        return;
    }
    file *= 1024;
    record *= 1024;
    if (record < 512 || record > PLAN_MAX_SIZE || file > 0x1p62) {
        collect_warn(f->c, where, "records of %.0f bytes are beyond the limits: left out", record);
        return;
    }
    for (size_t i = 2; i < n; i++) {
        double v;
        const struct test *t = f->test[column_of(f, w, n, i)];
        if (!number(&w[i], &v))
            collect_warn(f->c, where, "'%.*s' is no rate: it is missing", (int)w[i].n, w[i].at);
        else if (t && v > 0)
            put(f, t, file, record, v);
    }
}

/* "Output is in kBytes/sec", "OPS Mode. Output is in operations per second.", "Microseconds/op Mode. Output is in …" */
static void take_unit(struct iozone *f, const char *name)
{
    name = scan_blanks(name);
    f->unit = KIB_S;
    if (!strncasecmp(name, "op", 2))
        f->unit = OPS_S;
    else if (!strncasecmp(name, "microseconds", 12))
        f->unit = US_OP;
    else if (strncasecmp(name, "kbytes", 6) != 0 && strncasecmp(name, "kB", 2) != 0)
        collect_warn(f->c, reader_number(f->c->source->reader),
                     "its unit ('%s') is not known: KiB/s is taken", name);
}

static void take_line(struct iozone *f, const char *line)
{
    const char *at = scan_blanks(line), *p;
    if ((p = strstr(line, "Output is in"))) {
        take_unit(f, p + strlen("Output is in"));
    } else if ((p = strstr(line, "Command line used:"))) {
        f->direct = strstr(p, " -I") != NULL;
    } else if (strstr(line, "$Revision:")) {
        p = strstr(line, "$Revision:") + strlen("$Revision:");
        p = scan_blanks(p);
        f->c->source->summary->tool = arena_printf(f->c->a, "iozone %.*s",
                                                   (int)strspn(p, "0123456789."), p);
    } else if (!take_heading(f, line) && f->headed && *at >= '0' && *at <= '9') {
        take_row(f, line);
    } else if (f->headed && scan_word(at, "iozone test complete")) {
        f->headed = false; /* Excel blocks of -R repeat the numbers */
    }
}

int iozone_read(struct collect *c, struct error *e)
{
    struct iozone f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "iozone";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1)
        take_line(&f, line);
    return rc;
}
