#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "import/scan.h"
#include "import/vdbench_inside.h"

enum { COLUMNS = 40, MAX_BINS = 64 };

/* --- totals.html, summary.html -------------------------------------------------------------------------------------- */

bool vdbench_summary_sniff(const char *head, const char *name)
{
    (void)name;
    bool named = strstr(head, "totals.html</title>") || strstr(head, "summary.html</title>") ||
                 strstr(head, "Run totals");
    return (named && (strstr(head, "Vdbench") || strstr(head, "Starting RD="))) ||
           (strstr(head, "Starting RD=") && strstr(head, "1024**2"));
}

struct summary {
    struct collect *c;
    size_t n; /* columns behind time and interval */
    const char *first[COLUMNS], *second[COLUMNS];
    bool whole;     /* both lines of the heading were read */
    int64_t day_ns; /* midnight of the heading's date; 0: none */
    struct vdbench_run *run;
};

static size_t words(struct arena *a, const char *p, const char **at, size_t max)
{
    size_t n = 0;
    for (p = scan_blanks(p); *p; p = scan_blanks(p)) {
        size_t length = strcspn(p, " \t");
        if (n < max)
            at[n] = arena_strndup(a, p, length);
        n++;
        p += length;
    }
    return n;
}

/* "Oct 09, 2019    interval   i/o   MB/sec …" */
static bool take_heading(struct summary *f, const char *line)
{
    const char *p = strstr(line, "interval");
    struct tm t = { 0 };
    if (!p || !strstr(p, "i/o") || !strstr(p, "MB/sec"))
        return false;
    f->whole = false;
    f->n = words(f->c->a, p + strlen("interval"), f->first, COLUMNS);
    f->n = f->n > COLUMNS ? 0 : f->n;
    if (strptime(scan_blanks(line), "%b %d, %Y", &t) && t.tm_year > 70 && t.tm_year < 300)
        f->day_ns = (int64_t)timegm(&t) * (int64_t)NS_PER_S;
    return true;
}

static bool take_second_heading(struct summary *f, const char *line)
{
    if (!f->n || !strstr(line, "1024**2"))
        return false;
    f->whole = words(f->c->a, line, f->second, COLUMNS) == f->n;
    return true;
}

static bool take_row(struct summary *f, const char *line)
{
    static const struct {
        const char *first, *second;
        size_t offset;
    } columns[] = {
        { "i/o", "rate", offsetof(struct vdbench_row, rate) },
        { "MB/sec", "1024**2", offsetof(struct vdbench_row, mb) },
        { "bytes", "i/o", offsetof(struct vdbench_row, bytes) },
        { "read", "pct", offsetof(struct vdbench_row, read_pct) },
        { "resp", "time", offsetof(struct vdbench_row, resp) },
        { "read", "resp", offsetof(struct vdbench_row, read_resp) },
        { "write", "resp", offsetof(struct vdbench_row, write_resp) },
        { "resp", "max", offsetof(struct vdbench_row, max) },
        { "read", "max", offsetof(struct vdbench_row, read_max) },
        { "write", "max", offsetof(struct vdbench_row, write_max) },
        { "resp", "stddev", offsetof(struct vdbench_row, sd) },
        { "queue", "depth", offsetof(struct vdbench_row, depth) },
    };
    const char *at[COLUMNS + 2];
    size_t n = words(f->c->a, line, at, COLUMNS + 2);
    struct vdbench_row r = vdbench_row_none();
    if (!f->whole || n != f->n + 2 || !vdbench_time(at[0], &r.day_s) ||
        !vdbench_interval(at[1], &r))
        return false;
    for (size_t k = 0; k < countof(columns); k++)
        for (size_t i = 0; i < f->n; i++) {
            const char *p = at[i + 2];
            double v;
            if (!strcmp(f->first[i], columns[k].first) &&
                !strcmp(f->second[i], columns[k].second) && scan_decimal(&p, &v) && !*p)
                memcpy((char *)&r + columns[k].offset, &v, sizeof v);
        }
    r.line = reader_number(f->c->source->reader);
    vdbench_take(f->run, &r);
    if (f->day_ns && !f->run->started_ns)
        f->run->started_ns = f->day_ns + (int64_t)(r.day_s * 1e9);
    return true;
}

int vdbench_summary_read(struct collect *c, struct error *e)
{
    struct summary f = { .c = c };
    char *line;
    size_t n;
    int rc;
    double elapsed;
    c->source->summary->tool = "Vdbench";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        const char *name = vdbench_starting(c->a, line, &elapsed);
        if (name) {
            f.run = vdbench_run_new(c, name);
            f.run->summary = true;
            f.run->elapsed_s = elapsed;
        } else if (f.run && !take_heading(&f, line) && !take_second_heading(&f, line)) {
            const char *p = scan_blanks(line);
            double time;
            if (vdbench_time(p, &time) && p[strcspn(p, " \t")] && f.n)
                take_row(&f, p);
        }
    }
    if (!f.run)
        collect_warn(c, 0, "there is no run definition in it (the run failed?)");
    return rc;
}

/* --- histogram.html ------------------------------------------------------------------------------------------------- */

bool vdbench_histogram_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "response time histogram") && strstr(head, "min(ms)");
}

struct bins {
    struct collect *c;
    struct vdbench_run *run;
    struct wide_bin *at; /* of the table being read */
    struct wide_bins *to;
};

static void begin_table(struct bins *f, int which)
{
    if (!f->run)
        return;
    f->at = arena_array(f->c->a, struct wide_bin, MAX_BINS);
    f->to = &f->run->bins[which];
    *f->to = (struct wide_bins) { .at = f->at, .origin = "Vdbench's histogram" };
}

/* "0.400 <  0.600   1,339  45.3744 …"; the last has "max" for its end. */
static void take_bin(struct bins *f, const char *p)
{
    struct wide_bin b = { 0 };
    if (!f->to || f->to->n == MAX_BINS || !scan_decimal(&p, &b.low_ns))
        return;
    p = scan_blanks(p);
    if (*p++ != '<')
        return;
    const char *behind = scan_word(p, "max");
    if (behind) {
        p = behind;
        b.high_ns = (double)INFINITY;
    } else if (!scan_decimal(&p, &b.high_ns)) {
        return;
    }
    p = scan_blanks(p);
    uint64_t count = 0;
    for (; (*p >= '0' && *p <= '9') || *p == ','; p++)
        if (*p != ',' && count < 1ull << 50)
            count = count * 10 + (uint64_t)(*p - '0');
    if (*p && *p != ' ' && *p != '\t')
        return;
    b.low_ns *= 1e6;
    b.high_ns *= 1e6;
    b.count = count;
    f->at[f->to->n++] = b;
}

int vdbench_histogram_read(struct collect *c, struct error *e)
{
    struct bins f = { .c = c };
    char *line;
    size_t n;
    int rc;
    double elapsed;
    c->source->summary->tool = "Vdbench";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        const char *name = vdbench_starting(c->a, line, &elapsed);
        const char *p = scan_blanks(line);
        if (name) {
            f.run = vdbench_run_new(c, name);
            f.to = NULL;
        } else if (scan_label(p, "Reads and writes")) {
            begin_table(&f, 0);
        } else if (scan_label(p, "Reads")) {
            begin_table(&f, 1);
        } else if (scan_label(p, "Writes")) {
            begin_table(&f, 2);
        } else if (*p >= '0' && *p <= '9') {
            take_bin(&f, p);
        }
    }
    if (!f.run)
        collect_warn(c, 0, "there is no run definition in it (the run failed?)");
    return rc;
}
