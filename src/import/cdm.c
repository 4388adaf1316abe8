#include "import/cdm.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/clock.h"
#include "import/figure.h"
#include "import/scan.h"

enum { READ_BP = 10000, RANDOM_BP = 10000 };

bool cdm_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "CrystalDiskMark ") || strstr(head, "KDiskMark (");
}

struct cdm {
    struct collect *c;
    size_t first_cell; /* of this report */
    const char *tool, *drive, *comment;
    int major; /* of the version */
    bool kdiskmark, assumed_sizes;
    uint32_t read_bp; /* of the section; UINT32_MAX: rows say it themselves */
    uint64_t duration_ns;
    int64_t started_ns;
};

static long line_of(const struct cdm *f)
{
    return reader_number(f->c->source->reader);
}

/* --- reports -------------------------------------------------------------------------------------------------------- */

static void end_report(struct cdm *f)
{
    for (size_t i = f->first_cell; i < f->c->cells.n; i++) {
        struct import_cell *cell = f->c->cells.at[i].cell;
        cell->target = f->comment ? f->comment : f->drive;
        cell->target_path = f->drive;
        cell->duration_ns = f->duration_ns;
        cell->started_ns = f->started_ns;
    }
    f->first_cell = f->c->cells.n;
    f->drive = f->comment = NULL;
    f->duration_ns = 0;
    f->started_ns = 0;
}

/* "CrystalDiskMark 8.0.4 x64 (C) …", "KDiskMark (3.0.0): …" */
static bool take_title(struct cdm *f, const char *line)
{
    const char *k = strstr(line, "KDiskMark ("), *p = strstr(line, "CrystalDiskMark ");
    if (!k && !p)
        return false;
    const char *version = k ? k + strlen("KDiskMark (") : p + strlen("CrystalDiskMark ");
    size_t n = strspn(version, "0123456789.");
    if (!n)
        return false;
    end_report(f);
    f->kdiskmark = k != NULL;
    f->major = version[0] - '0';
    if (version[1] >= '0' && version[1] <= '9')
        f->major = 10 * f->major + version[1] - '0';
    f->read_bp = UINT32_MAX;
    f->tool = arena_printf(f->c->a, "%s %.*s", k ? "KDiskMark" : "CrystalDiskMark", (int)n,
                           version);
    f->c->source->summary->tool = f->tool;
    return true;
}

/* "[Read]", "[Write]", "[Mix] Read 70%/Write 30%" */
static bool take_section(struct cdm *f, const char *line)
{
    double percent = 0;
    if (!strncasecmp(line, "[Read]", 6)) {
        f->read_bp = READ_BP;
    } else if (!strncasecmp(line, "[Write]", 7)) {
        f->read_bp = 0;
    } else if (!strncasecmp(line, "[Mix]", 5)) {
        const char *p = scan_word(line + 5, "Read");
        if (!p || !scan_decimal(&p, &percent) || percent < 0 || percent > 100)
            percent = 70;
        f->read_bp = (uint32_t)lround(percent * 100);
    } else {
        return false;
    }
    return true;
}

/* What stands below the rows; nothing of it is needed. */
static void take_fact(struct cdm *f, const char *line)
{
    const char *p;
    double seconds;
    if ((p = scan_label(line, "Test"))) {
        const char *bracket = strchr(p, '[');
        if (bracket && bracket[1] && bracket[2] == ':')
            f->drive = arena_strndup(f->c->a, bracket + 1, 2);
        p = strstr(p, "Measure:");
        p = p ? p + strlen("Measure:") : NULL;
    } else if ((p = scan_label(line, "Time"))) {
        p = scan_word(p, "Measure");
    } else if ((p = scan_label(line, "Comment"))) {
        p = scan_trimmed(f->c->a, p);
        f->comment = *p ? p : NULL;
        return;
    } else if ((p = scan_label(line, "Date"))) {
        if (scan_date(p, &f->started_ns) && !f->c->source->started_ns)
            f->c->source->started_ns = f->started_ns;
        return;
    }
    if (p && scan_decimal(&p, &seconds) && seconds > 0 && seconds < 1e6)
        f->duration_ns = (uint64_t)(seconds * 1e9);
}

/* --- rows ----------------------------------------------------------------------------------------------------------- */

struct row {
    bool random;
    uint32_t read_bp;
    double size, queues, threads; /* size 0: not in the row */
    double mb, iops, us;
    const char *rest; /* what follows the colon */
};

/* "(Q= 32, T= 1)", "(QD=32)", "(T= 1)" */
static void take_depth(const char *p, struct row *r)
{
    const char *end = strchr(p, ')');
    for (; *p && p < end; p++) {
        const char *q = p;
        double *to = !strncasecmp(p, "QD", 2) ? &r->queues
                     : *p == 'Q'              ? &r->queues
                     : *p == 'T'              ? &r->threads
                                              : NULL;
        if (!to)
            continue;
        q += strspn(q, "QDT= ");
        double v;
        if (scan_decimal(&q, &v) && v >= 1) {
            *to = v;
            p = q - 1;
        }
    }
}

/* A row of any version, up to its colon. */
static bool parse_name(const char *line, struct row *r)
{
    const char *p;
    r->queues = r->threads = 1;
    r->size = 0;
    r->read_bp = UINT32_MAX;
    r->random = (p = scan_word(line, "Random")) || (p = scan_word(line, "RND"));
    if (!p && !(p = scan_word(line, "Sequential")) && !(p = scan_word(line, "SEQ")))
        return false;
    const char *q = scan_word(p, "Read");
    if (q)
        r->read_bp = READ_BP;
    else if ((q = scan_word(p, "Write")))
        r->read_bp = 0;
    p = scan_blanks(q ? q : p);
    if (*p >= '0' && *p <= '9' && !scan_size(&p, &r->size))
        return false;
    p = scan_blanks(p);
    if (*p == '(') {
        take_depth(p, r);
        p = strchr(p, ')');
        if (!p)
            return false;
        p++;
    }
    p = scan_blanks(p);
    r->rest = p + 1;
    return *p == ':';
}

/* "505.825 MB/s [ 6153.8 IOPS] < 987.81 us>" */
static bool parse_values(struct row *r)
{
    const char *p = r->rest;
    double v, unit;
    r->iops = r->us = (double)NAN;
    if (!scan_decimal(&p, &v))
        return false;
    unit = scan_rate_unit(&p);
    if (unit <= 0)
        return false;
    r->mb = v * unit;
    const char *q = strchr(p, '[');
    if (q && q++ && scan_decimal(&q, &v) && scan_word(q, "IOPS"))
        r->iops = v;
    q = strchr(p, '<');
    if (q && q++ && scan_decimal(&q, &v)) {
        double time = scan_time_unit(&q);
        r->us = time > 0 ? v * time : (double)NAN;
    }
    return true;
}

/* Versions before 7 do not print the size of sequential I/Os. */
static void default_size(struct cdm *f, struct row *r)
{
    if (r->size > 0)
        return;
    r->size = r->random ? 4096 : f->major >= 5 && r->queues > 1 ? 128 << 10 : 1 << 20;
    if (f->assumed_sizes)
        return;
    f->assumed_sizes = true;
    collect_warn(f->c, line_of(f),
                 "the text does not say the size of its sequential I/Os: that of the program's "
                 "defaults is taken (1 MiB; from version 5 on 128 KiB at more than one queue)");
}

static void notes(struct cdm *f, const struct row *r)
{
    static const struct import_note best = {
        .code = "best-of",
        .severity = EVENT_NOTE,
        .what = "CrystalDiskMark and KDiskMark print the best of their runs, not the mean.",
    };
    collect_note(f->c, &best);
    if (r->read_bp % READ_BP)
        collect_warn_once(f->c, "mixed",
                          "reads and writes of [Mix] are not told apart: they are stored as reads, "
                          "so only 'all' means something");
}

/* Rates of 0: the row was not run. */
static void take_row(struct cdm *f, const struct row *r)
{
    if (r->mb <= 0)
        return;
    if (r->size < 512 || r->size > PLAN_MAX_SIZE || r->queues > PLAN_MAX_QUEUE_DEPTH ||
        r->threads > PLAN_MAX_WORKERS) {
        collect_warn(f->c, line_of(f),
                     "its size, queues or threads are beyond the limits: left out");
        return;
    }
    struct import_cell *cell = collect_cell(f->c);
    struct figures x = figures_none((uint32_t)r->size);
    cell->pattern = pattern_simple(f->c->a, x.size, r->read_bp, r->random ? RANDOM_BP : 0);
    cell->queue_depth = (uint32_t)r->queues;
    cell->workers = (uint32_t)r->threads;
    cell->direct = true; /* it opens the file without buffering */
    figures_rates_only(cell);
    x.bytes_s = r->mb;
    x.iops = r->iops;
    x.mean_ns = r->us;
    x.line = line_of(f);
    x.unit = 1e3;
    x.iops_unit = 0.1;
    notes(f, r);
    figures_put(f->c, cell, r->read_bp ? DIR_READ : DIR_WRITE, &x);
}

static void take_line(struct cdm *f, char *line)
{
    struct row r = { 0 };
    const char *at = scan_blanks(line);
    if (!*at || take_title(f, at) || !f->tool || take_section(f, at))
        return;
    if (!parse_name(at, &r)) {
        take_fact(f, at);
        return;
    }
    if (r.read_bp == UINT32_MAX)
        r.read_bp = f->read_bp;
    if (!parse_values(&r) || r.read_bp == UINT32_MAX) {
        collect_warn(f->c, line_of(f), "no row of results: '%.60s' is left out", at);
        return;
    }
    default_size(f, &r);
    take_row(f, &r);
}

int cdm_read(struct collect *c, struct error *e)
{
    struct cdm f = { .c = c, .first_cell = c->cells.n, .read_bp = UINT32_MAX };
    char *line;
    size_t n;
    int rc;
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1)
        take_line(&f, line);
    end_report(&f);
    return rc;
}
