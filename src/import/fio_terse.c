#include "import/fio_terse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/parse.h"
#include "import/fio.h"
#include "import/scan.h"

/* Fields of a direction, by their place behind its first one. */
enum { IO_KIB, BW_KIB, IOPS, RUNTIME_MS, SLAT = 4, CLAT = 8, PERCENTILES = 12, LAT = 32, BW = 36 };
enum { N_PERCENTILES = 20, DIRECTION_3 = 41, DIRECTION_5 = 47, MAX_FIELDS = 400, USAGE = 5 };

/* "3;fio-3.33;…", "2;NAME;…" with percentiles in it. */
static bool is_terse(const char *line, size_t n)
{
    int percents = 0;
    if (n < 50 || *line < '2' || *line > '5' || line[1] != ';')
        return false;
    for (size_t i = 0; i + 1 < n && percents < N_PERCENTILES; i++)
        percents += line[i] == '%' && line[i + 1] == '=';
    return percents == N_PERCENTILES;
}

bool fio_terse_sniff(const char *head, const char *name)
{
    (void)name;
    for (const char *p = head; *p; p += p[strcspn(p, "\n")] ? strcspn(p, "\n") + 1 : strlen(p))
        if (is_terse(p, strcspn(p, "\n")))
            return true;
    return false;
}

struct terse {
    struct collect *c;
    struct fio_head *heads;
    struct fio_joined joined;
    const char *group; /* of the jobs that are joined */
    char *at[MAX_FIELDS];
    size_t n;
};

static long line_of(const struct terse *f)
{
    return reader_number(f->c->source->reader);
}

static double number(const struct terse *f, size_t i)
{
    double v;
    const char *p = i < f->n ? f->at[i] : "";
    if (!scan_decimal(&p, &v) || (*p && *p != '%'))
        return (double)NAN;
    return v;
}

static struct spread spread_at(const struct terse *f, size_t i, uint64_t n)
{
    return (struct spread) { n, number(f, i + 2) * 1e3, number(f, i + 3) * 1e3, number(f, i) * 1e3,
                             number(f, i + 1) * 1e3 };
}

static void take_percentiles(struct terse *f, size_t from, struct direction_result *r)
{
    struct percentiles *p = calloc(1, sizeof *p);
    for (size_t i = from; p && i < from + N_PERCENTILES && i < f->n; i++) {
        char *mark = strstr(f->at[i], "%=");
        double us;
        const char *value = mark ? mark + 2 : "";
        if (!mark || !scan_decimal(&value, &us))
            continue;
        *mark = '\0';
        char *tail = mark;
        while (strchr(f->at[i], '.') && tail > f->at[i] && tail[-1] == '0')
            *--tail = '\0'; /* 99.900000 */
        if (tail > f->at[i] && tail[-1] == '.')
            *--tail = '\0';
        percentiles_add(p, f->at[i], us * 1e3, "fio clat");
    }
    if (p)
        percentiles_keep(f->c->a, p, r);
    free(p);
}

/* The size that amount and IOPS (whose decimals are cut off) fit: a power of two within 5 %, else a multiple of 512, else what
 * divides. */
static double size_of(double bytes, double iops, double seconds)
{
    double high = bytes / (iops * seconds), low = bytes / ((iops + 1) * seconds);
    if (!(iops > 0) || !(seconds > 0) || !(high < 0x1p30))
        return 0;
    for (uint32_t size = 512; size * 0.95 <= high; size *= 2)
        if (size > low * 0.95)
            return size;
    double sectors = floor(high * 1.0001 / 512) * 512;
    return sectors > low * 0.9999 && sectors > 0 ? sectors : (high + low) / 2;
}

static bool take_direction(struct terse *f, size_t from, enum direction d, struct import_cell *cell)
{
    struct direction_result *r = &cell->result.dir[d];
    double bytes = number(f, from + IO_KIB) * 1024, iops = number(f, from + IOPS);
    double ms = number(f, from + RUNTIME_MS), size = size_of(bytes, iops, ms / 1e3);
    if (!(bytes > 0) || !(bytes < 0x1p53) || !(ms >= 0) || ms > 1e12)
        return false;
    r->asked = true;
    r->bytes = (uint64_t)bytes;
    r->ios = size >= 1 ? (uint64_t)llround(bytes / size) : 0;
    struct spread lat = spread_at(f, from + LAT, r->ios), clat = spread_at(f, from + CLAT, r->ios);
    bool whole = lat.mean_ns > 0;
    r->lat = spread_moments(whole ? &lat : &clat);
    r->lat_max_ns = r->lat.n ? r->lat.max : 0;
    take_percentiles(f, from + PERCENTILES, r);
    uint64_t ns = (uint64_t)(ms * (double)NS_PER_MS);
    if (ns > cell->result.measured_ns)
        cell->result.measured_ns = ns;
    struct import_claim claim = { .key = "bandwidth",
                                  .line = line_of(f),
                                  .counted = r->bytes,
                                  .seconds = ms / 1e3,
                                  .claimed = number(f, from + BW_KIB) * 1024,
                                  .unit = 1024,
                                  .what = "bytes per second" };
    collect_check_claim(f->c, &claim);
    claim.key = "IOPS";
    claim.counted = r->ios;
    claim.claimed = iops;
    claim.unit = 1;
    claim.what = "I/Os per second";
    collect_check_claim(f->c, &claim);
    return true;
}

static void take_usage(struct terse *f, size_t from, struct import_cell *cell)
{
    double user = number(f, from), sys = number(f, from + 1), ctx = number(f, from + 2);
    double ns = (double)cell->result.measured_ns;
    if (user >= 0 && sys >= 0 && user + sys < 1e6) {
        cell->result.cpu_user_ns = (uint64_t)(user / 100 * ns);
        cell->result.cpu_system_ns = (uint64_t)(sys / 100 * ns);
    }
    if (ctx >= 0 && ctx < 0x1p53)
        cell->result.context_switches = (uint64_t)ctx;
}

static void describe(struct terse *f, size_t usage, struct import_cell *cell)
{
    const struct fio_options *head = fio_head_find(f->heads, cell->job);
    struct fio_options o = head ? *head : (struct fio_options) { 0 };
    double shares[7];
    for (size_t i = 0; i < countof(shares); i++)
        shares[i] = number(f, usage + USAGE + i);
    if (!head) {
        uint32_t depth = fio_depth_of_levels(shares);
        cell->queue_depth = depth ? depth : 1;
        collect_warn_once(
            f->c, "no-options",
            "terse output does not say the jobs' options: queue depth is read off the "
            "levels, the number of jobs, random or sequential, and direct or not are "
            "not known");
    }
    if (!fio_describe(f->c, cell, &o, line_of(f)))
        collect_drop(f->c);
}

static void judge_error(struct terse *f, size_t at, struct import_cell *cell, bool any)
{
    double code = number(f, at);
    if (code > 0 && code < 4096) {
        const char *what = strerrordesc_np((int)code);
        cell->result.status = any ? CELL_INTERRUPTED : CELL_FAILED;
        cell->result.reason = arena_printf(f->c->a, "fio ended '%s' with error %d (%s)", cell->job,
                                           (int)code, what ? what : "unknown");
    } else if (!any) {
        cell->result.status = CELL_SKIPPED;
        cell->result.reason = arena_printf(f->c->a, "'%s' did no I/O", cell->job);
    }
    if (cell->result.reason)
        collect_warn(f->c, line_of(f), "%s", cell->result.reason);
}

/* fio does not say that jobs are of one numjobs; equal names in one group are. */
static void join(struct terse *f, struct import_cell *cell, const char *group, size_t before)
{
    struct fio_joined *j = &f->joined;
    bool there = f->c->cells.n == before + 1;
    if (there && j->cell && f->group && !strcmp(f->group, group) &&
        !strcmp(j->cell->job, cell->job) && j->cell->workers < PLAN_MAX_WORKERS) {
        fio_join(f->c, j, cell);
        return;
    }
    fio_join_end(f->c, j);
    if (there)
        *j = (struct fio_joined) { cell, line_of(f), cell->result.measured_ns, 1, false };
    f->group = arena_strdup(f->c->a, group);
}

/* Its name may hold semicolons: the first percentile tells by how many fields everything is moved. */
static bool take_job(struct terse *f, int version)
{
    static const enum direction dirs[] = { DIR_READ, DIR_WRITE, DIR_TRIM };
    size_t name = version == 2 ? 1 : 2, usual = name + 3, first = 0;
    size_t length = version == 5 ? DIRECTION_5 : DIRECTION_3, n_dirs = version >= 4 ? 3 : 2;
    while (first < f->n && !strstr(f->at[first], "%="))
        first++;
    if (first < usual + PERCENTILES || first == f->n)
        return false;
    size_t shift = first - usual - PERCENTILES, from = usual + shift;
    if (f->n < from + n_dirs * length + USAGE)
        return false;
    size_t before = f->c->cells.n;
    const char *job = f->at[name];
    for (size_t i = 1; i <= shift; i++)
        job = arena_printf(f->c->a, "%s;%s", job, f->at[name + i]);
    if (!strcmp(job, "All clients"))
        return true;
    struct import_cell *cell = collect_cell(f->c);
    cell->job = arena_strdup(f->c->a, job);
    bool any = false;
    for (size_t i = 0; i < n_dirs; i++)
        any |= take_direction(f, from + i * length, dirs[i], cell);
    size_t usage = from + n_dirs * length;
    take_usage(f, usage, cell);
    judge_error(f, usual + shift - 1, cell, any);
    describe(f, usage, cell);
    join(f, cell, f->at[usual + shift - 2], before);
    return true;
}

static void take_line(struct terse *f, char *line, size_t n)
{
    if (!is_terse(line, n)) {
        const char *version = fio_version_line(f->c->a, line);
        if (version)
            f->c->source->summary->tool = fio_tool(f->c->a, version);
        fio_head_line(f->c->a, line, &f->heads);
        return;
    }
    int version = line[0] - '0';
    f->n = 0;
    for (char *p = line; p && f->n < MAX_FIELDS;) {
        f->at[f->n++] = p;
        p = strchr(p, ';');
        if (p)
            *p++ = '\0';
    }
    if (version > 2)
        f->c->source->summary->tool = fio_tool(f->c->a, arena_strdup(f->c->a, f->at[1]));
    if (!take_job(f, version))
        collect_warn(f->c, line_of(f), "the line is cut off or no result of fio: it is left out");
}

int fio_terse_read(struct collect *c, struct error *e)
{
    struct terse *f = arena_one(c->a, struct terse);
    char *line;
    size_t n;
    int rc;
    f->c = c;
    c->source->summary->tool = "fio";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1)
        take_line(f, line, n);
    fio_join_end(c, &f->joined);
    static const struct import_note note = {
        .code = "clat-percentiles",
        .severity = EVENT_NOTE,
        .what = "Means are of fio's whole response time (lat), percentiles of its completion time "
                "(clat).",
    };
    collect_note(c, &note);
    figures_note_computed(c, "fio's terse output");
    return rc;
}
