#include "import/sysbench.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "import/figure.h"
#include "import/scan.h"

bool sysbench_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "sysbench ") && (strstr(head, "Block size") || strstr(head, "reads/s:")) &&
           (strstr(head, "total time:") || strstr(head, "reads/s:") || strstr(head, " test"));
}

struct run {
    long line;
    bool any, random, direct, order_known;
    const char *mode;
    double threads, size, seconds, total_bytes, ratio;
    double rate[3];  /* reads, writes, fsyncs a second */
    double count[3]; /* the same as 0.4 prints them: how many; NaN */
    double bytes_s[2];
    double low_ns, mean_ns, high_ns, p95_ns;
};

struct sysbench {
    struct collect *c;
    struct run run;
};

static void begin(struct sysbench *f)
{
    const double none = (double)NAN;
    f->run = (struct run) { .threads = 1,
                            .size = none,
                            .seconds = none,
                            .total_bytes = none,
                            .ratio = 1.5, /* sysbench's default of reads to writes */
                            .rate = { none, none, none },
                            .count = { none, none, none },
                            .bytes_s = { none, none },
                            .low_ns = none,
                            .mean_ns = none,
                            .high_ns = none,
                            .p95_ns = none };
}

static double number(const char *p)
{
    double v;
    return p && scan_decimal(&p, &v) ? v : (double)NAN;
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

static void put_direction(struct sysbench *f, struct import_cell *cell, int d, bool alone)
{
    const struct run *r = &f->run;
    struct figures x = figures_none((uint32_t)r->size);
    x.iops = isnan(r->rate[d]) ? r->count[d] / r->seconds : r->rate[d];
    x.bytes_s = r->bytes_s[d] >= 0 ? r->bytes_s[d] : (double)NAN;
    x.line = r->line;
    x.unit = 0.01 * 0x1p20;
    x.iops_unit = 0.01;
    if (!(x.iops > 0))
        return;
    if (alone) {
        x.mean_ns = r->mean_ns;
        x.low_ns = r->low_ns;
        x.high_ns = r->high_ns;
    }
    if (x.size)
        x.bytes_s = isnan(x.bytes_s) ||
                            fabs(x.iops * x.size - x.bytes_s) <= 0.01 * x.bytes_s + x.unit
                        ? x.iops * x.size
                        : x.bytes_s;
    figures_put(f->c, cell, d == 0 ? DIR_READ : DIR_WRITE, &x);
    struct percentiles p = { .n = 0 };
    if (alone)
        percentiles_add(&p, "95", r->p95_ns, "sysbench");
    percentiles_keep(f->c->a, &p, &cell->result.dir[d == 0 ? DIR_READ : DIR_WRITE]);
}

static void put_flushes(struct sysbench *f, struct import_cell *cell)
{
    const struct run *r = &f->run;
    double n = isnan(r->count[2]) ? r->rate[2] * r->seconds : r->count[2];
    if (!(n >= 0.5) || !(n < 0x1p52))
        return;
    cell->result.dir[DIR_FLUSH].asked = true;
    cell->result.dir[DIR_FLUSH].ios = (uint64_t)llround(n);
}

static bool positive(const struct run *r, int i)
{
    return r->rate[i] > 0 || r->count[i] > 0;
}

static void end(struct sysbench *f)
{
    struct run *r = &f->run;
    bool reads = positive(r, 0), writes = positive(r, 1), flushes = positive(r, 2);
    if (!r->any)
        return;
    if (!(r->seconds > 0) || r->seconds > 1e9 || (!reads && !writes) ||
        !(r->size <= PLAN_MAX_SIZE)) {
        collect_warn(f->c, r->line, "this run has no results: it is left out");
        begin(f);
        return;
    }
    struct import_cell *cell = collect_cell(f->c);
    cell->result.measured_ns = (uint64_t)(r->seconds * 1e9);
    cell->duration_ns = cell->result.measured_ns;
    put_direction(f, cell, 0, !writes && !flushes);
    put_direction(f, cell, 1, !reads && !flushes);
    put_flushes(f, cell);
    double share = reads && writes ? r->ratio / (1 + r->ratio) : reads ? 1 : 0;
    cell->pattern = pattern_simple(f->c->a, r->size >= 1 ? (uint32_t)r->size : 0,
                                   (uint32_t)lround(share * 100) * 100, r->random ? 10000 : 0);
    cell->pattern.order_unknown = !r->order_known;
    cell->job = r->mode;
    cell->workers = r->threads >= 1 && r->threads <= PLAN_MAX_WORKERS ? (uint32_t)r->threads
                                                                      : PLAN_MAX_WORKERS;
    cell->direct = r->direct;
    if (r->total_bytes > 0 && r->total_bytes < 0x1p62)
        cell->result.span_bytes = (uint64_t)r->total_bytes;
    if (flushes || (reads && writes))
        collect_warn(f->c, r->line,
                     "its response times are of reads, writes and fsyncs together: they are left "
                     "out");
    figures_note_computed(f->c, "sysbench");
    begin(f);
}

/* --- lines ---------------------------------------------------------------------------------------------------------- */

/* "Doing sequential rewrite test", "Doing random r/w test" */
static void take_mode(struct sysbench *f, const char *p)
{
    struct run *r = &f->run;
    const char *test = strstr(p, " test");
    if (!test)
        return;
    r->mode = arena_strndup(f->c->a, p, (size_t)(test - p));
    r->random = !strncasecmp(p, "random", 6) || strstr(p, "combined") != NULL;
    r->order_known = r->random || !strncasecmp(p, "sequential", 10);
    r->line = reader_number(f->c->source->reader);
}

/* "0.23", "0.23ms", "60.0163s": of its own unit, else of that of the heading. */
static double time_ns(const char *p, double unit)
{
    double v;
    if (!scan_decimal(&p, &v))
        return (double)NAN;
    double own = scan_time_unit(&p);
    return v * (own > 0 ? own : unit);
}

/* 0.4: "Read 1.2Gb  Written 800Mb  Total transferred 2Gb  (30.2Mb/sec)", where Mb is MiB. */
static void take_transferred(struct run *r, const char *line)
{
    static const char *const keys[] = { "Read ", "Written " };
    for (int d = 0; d < 2; d++) {
        const char *p = strstr(line, keys[d]);
        double bytes;
        p = p ? p + strlen(keys[d]) : "";
        if (scan_size(&p, &bytes))
            r->bytes_s[d] = bytes; /* divided by the time below */
    }
}

/* "Operations Performed:  6000 Read, 4000 Write, 12800 Other = 22800 Total" */
static void take_operations(struct run *r, const char *p)
{
    static const char *const keys[] = { " Read", " Write", " Other" };
    for (int i = 0; i < 3; i++) {
        double v;
        p += strspn(p, " ,");
        if (!scan_decimal(&p, &v) || strncasecmp(p, keys[i], strlen(keys[i])) != 0)
            return;
        p += strlen(keys[i]);
        r->count[i] = v;
    }
    r->any = true;
}

static bool take_option(struct sysbench *f, const char *line)
{
    struct run *r = &f->run;
    const char *p;
    if ((p = scan_label(line, "Number of threads"))) {
        end(f);
        begin(f);
        r->threads = number(p);
    } else if ((p = scan_label(line, "Extra file open flags"))) {
        r->direct = strstr(p, "directio") || strstr(p, "direct") || strstr(p, "16384");
    } else if ((p = scan_word(line, "Block size"))) {
        if (!scan_size(&p, &r->size))
            r->size = (double)NAN;
    } else if ((p = scan_word(line, "Doing"))) {
        take_mode(f, scan_blanks(p));
    } else if ((p = scan_label(line, "Read/Write ratio for combined random IO test"))) {
        r->ratio = number(p) > 0 ? number(p) : r->ratio;
    } else if (strstr(line, "total file size") && (p = scan_blanks(line))) {
        if (!scan_size(&p, &r->total_bytes))
            r->total_bytes = (double)NAN;
    } else {
        return false;
    }
    return true;
}

static void take_result(struct sysbench *f, const char *line)
{
    static const char *const rates[] = { "reads/s", "writes/s", "fsyncs/s" };
    struct run *r = &f->run;
    const char *p;
    for (int i = 0; i < 3; i++)
        if ((p = scan_label(line, rates[i]))) {
            r->rate[i] = number(p);
            r->any = true;
        }
    if ((p = scan_label(line, "read, MiB/s")))
        r->bytes_s[0] = number(p) * 0x1p20;
    else if ((p = scan_label(line, "written, MiB/s")))
        r->bytes_s[1] = number(p) * 0x1p20;
    else if ((p = scan_label(line, "total time")))
        r->seconds = time_ns(p, 1e9) / 1e9;
    else if ((p = scan_label(line, "min")))
        r->low_ns = time_ns(p, 1e6);
    else if ((p = scan_label(line, "avg")))
        r->mean_ns = time_ns(p, 1e6);
    else if ((p = scan_label(line, "max")))
        r->high_ns = time_ns(p, 1e6);
    else if ((p = scan_label(line, "95th percentile")) ||
             (p = scan_label(line, "approx.  95 percentile")))
        r->p95_ns = time_ns(p, 1e6);
    else if ((p = scan_label(line, "Operations performed")))
        take_operations(r, p);
    else if (strstr(line, "Total transferred"))
        take_transferred(r, line);
}

/* 0.4 gives amounts, not rates. */
static void settle(struct run *r)
{
    if (!isnan(r->count[0]) && r->seconds > 0 && isnan(r->rate[0]))
        for (int d = 0; d < 2; d++)
            r->bytes_s[d] /= r->seconds;
}

static void take_line(struct sysbench *f, const char *line)
{
    const char *p = strstr(line, "sysbench ");
    if (p && p[9] >= '0' && p[9] <= '9') {
        p += 9;
        f->c->source->summary->tool = arena_printf(f->c->a, "sysbench %.*s",
                                                   (int)strspn(p, "0123456789."), p);
    } else if (scan_label(line, "Threads fairness")) {
        settle(&f->run);
        end(f);
    } else if (!take_option(f, line)) {
        take_result(f, line);
    }
}

int sysbench_read(struct collect *c, struct error *e)
{
    struct sysbench f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "sysbench";
    begin(&f);
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1)
        take_line(&f, line);
    settle(&f.run);
    end(&f);
    return rc;
}
