#include "import/fio_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/clock.h"
#include "import/fio.h"
#include "import/scan.h"

bool fio_text_sniff(const char *head, const char *name)
{
    (void)name;
    const char *p = strstr(head, "(groupid=");
    return p && strstr(p, "jobs=") && strstr(p, "err=");
}

/* What the lines of one direction say; NaN: not there. */
struct part {
    bool any;
    double bytes, bw, iops, ms;
    struct spread lat, clat; /* n is not known yet */
    struct percentiles of_lat, of_clat;
    long line;
};

enum { KINDS = 4 }; /* read, write, trim, flush */

struct job {
    const char *name, *host, *group;
    long line;
    uint32_t jobs;
    int error;
    int64_t ended_ns;
    struct part part[KINDS];
    double issued[KINDS]; /* -1: not said */
    double user, sys, ctx, levels[7];
    bool mixed;
};

struct normal {
    struct collect *c;
    struct fio_head *heads;
    struct fio_joined joined;
    const char *joined_group, *joined_host;
    struct job *job; /* NULL: not in one */
    struct part *at; /* direction whose lines follow */
    struct percentiles *percentiles;
    double percentile_unit;
};

static long line_of(const struct normal *f)
{
    return reader_number(f->c->source->reader);
}

/* 2862.7K, 12.3k, 10.4M: powers of 1000. */
static bool number(const char **p, double *ret)
{
    if (!scan_decimal(p, ret))
        return false;
    static const char suffixes[] = "kmg";
    const char *s = **p ? strchr(suffixes, tolower((unsigned char)**p)) : NULL;
    if (s && !isalpha((unsigned char)(*p)[1])) {
        *ret *= pow(1000, (double)(s - suffixes) + 1);
        ++*p;
    }
    return true;
}

/* The number after KEY, which must not be the end of another word ("iops=" in "IOPS="); NaN: none. */
static double after(const char *line, const char *key)
{
    double v;
    for (const char *p = line; (p = strstr(p, key)); p++) {
        const char *q = p + strlen(key);
        if (p > line && isalpha((unsigned char)p[-1]))
            continue;
        return number(&q, &v) ? v : (double)NAN;
    }
    return (double)NAN;
}

/* "8014.0MB", "4096MiB", "557417B/s", "136198KB/s": all of fio's are powers of 1024 here. */
static double amount(const char *line, const char *key)
{
    const char *p = strstr(line, key);
    double v;
    if (!p)
        return (double)NAN;
    p += strlen(key);
    return scan_size(&p, &v) ? v : (double)NAN;
}

/* --- jobs ----------------------------------------------------------------------------------------------------------- */

static struct spread no_spread(void)
{
    const double none = (double)NAN;
    return (struct spread) { 0, none, none, none, none };
}

/* "Fri Jun 19 01:21:02 2020", UTC for want of a zone. */
static int64_t time_of(const char *p)
{
    struct tm t = { 0 };
    if (!strptime(p, "%a %b %d %H:%M:%S %Y", &t) || t.tm_year < 71 || t.tm_year > 300)
        return 0;
    return (int64_t)timegm(&t) * (int64_t)NS_PER_S;
}

/* "<host> NAME: (groupid=0, jobs=1): err= 0: pid=120932: Fri Jun 19 01:21:02 2020" */
static bool begin_job(struct normal *f, const char *line)
{
    const char *mark = strstr(line, ": (groupid=");
    if (!mark)
        return false;
    struct job *j = f->job = arena_one(f->c->a, struct job);
    const char *name = scan_blanks(line);
    const char *end = *name == '<' ? strchr(name, '>') : NULL;
    if (end && end < mark) {
        j->host = arena_strndup(f->c->a, name + 1, (size_t)(end - name - 1));
        name = scan_blanks(end + 1);
    }
    j->name = arena_strndup(f->c->a, name, (size_t)(mark - name));
    const char *group = mark + strlen(": (groupid=");
    j->group = arena_strndup(f->c->a, group, strcspn(group, ","));
    double jobs = after(mark, "jobs="), error = after(mark, "err=");
    j->jobs = jobs >= 1 && jobs < 1e6 ? (uint32_t)jobs : 0;
    j->error = error > 0 && error < 4096 ? (int)error : 0;
    const char *pid = strstr(mark, " pid=");
    pid = pid ? strchr(pid, ':') : NULL;
    j->ended_ns = pid ? time_of(scan_blanks(pid + 1)) : 0;
    j->line = line_of(f);
    j->user = j->sys = j->ctx = (double)NAN;
    for (int i = 0; i < KINDS; i++) {
        j->issued[i] = -1;
        j->part[i].lat = j->part[i].clat = no_spread();
    }
    f->at = NULL;
    f->percentiles = NULL;
    return true;
}

/* "read : io=8014.0MB, bw=136198KB/s, iops=133, runt= 60253msec", "write: IOPS=9331, BW=36.5MiB/s (38.2MB/s)(4096MiB/112368msec)" */
static bool take_direction(struct normal *f, const char *line)
{
    static const char *const names[] = { "read", "write", "trim", "mixed" };
    const char *p = NULL;
    int d = 0;
    for (; d < KINDS && !p; d++)
        p = scan_label(line, names[d]);
    if (!p || !isalpha((unsigned char)*p))
        return false;
    d--;
    f->job->mixed |= d == 3;
    struct part *x = f->at = &f->job->part[d == 3 ? 0 : d];
    f->percentiles = NULL;
    x->any = true;
    x->line = line_of(f);
    x->iops = after(line, "iops=");
    if (!isnan(x->iops)) {
        x->bytes = amount(line, "io=");
        x->bw = amount(line, "bw=");
        x->ms = after(line, "runt=");
        return true;
    }
    x->iops = after(line, "IOPS=");
    x->bw = amount(line, "BW=");
    const char *total = strrchr(line, '(');
    x->bytes = total ? amount(total, "(") : (double)NAN;
    const char *time = total ? strchr(total, '/') : NULL;
    x->ms = (double)NAN;
    if (time && time++)
        number(&time, &x->ms);
    return true;
}

/* ns of the unit in brackets. */
static double unit_of(const char *line)
{
    const char *p = strchr(line, '(');
    if (!p)
        return 0;
    p++;
    return scan_time_unit(&p);
}

/* "clat (usec): min=1941, max=22757, avg=3408.49, stdev=740.12" */
static bool take_times(struct normal *f, const char *line)
{
    struct spread *to = scan_word(line, "lat")    ? &f->at->lat
                        : scan_word(line, "clat") ? &f->at->clat
                        : scan_word(line, "sync") ? &f->at->lat
                                                  : NULL;
    double unit = unit_of(line);
    if (!to || unit <= 0 || !strstr(line, "avg="))
        return false;
    to->low_ns = after(line, "min=") * unit;
    to->high_ns = after(line, "max=") * unit;
    to->mean_ns = after(line, "avg=") * unit;
    to->sd_ns = after(line, "stdev=") * unit;
    return true;
}

/* "| 99.00th=[ 1369], 99.50th=[ 1434], …" */
static void take_percentiles(struct normal *f, const char *line)
{
    for (const char *p = line; (p = strstr(p, "th=[")); p++) {
        const char *from = p, *value = p + strlen("th=[");
        double v;
        while (from > line && (isdigit((unsigned char)from[-1]) || from[-1] == '.'))
            from--;
        char *percent = arena_strndup(f->c->a, from, (size_t)(p - from));
        size_t n = strlen(percent);
        while (strchr(percent, '.') && n && (percent[n - 1] == '0' || percent[n - 1] == '.')) {
            bool point = percent[n - 1] == '.';
            percent[--n] = '\0';
            if (point)
                break;
        }
        if (number(&value, &v))
            percentiles_add(f->percentiles, percent, v * f->percentile_unit,
                            f->percentiles == &f->at->of_lat ? "fio lat" : "fio clat");
    }
}

static bool begin_percentiles(struct normal *f, const char *line)
{
    const char *clat = scan_word(line, "clat percentiles"),
               *lat = scan_word(line, "lat percentiles");
    const char *sync = scan_word(line, "sync percentiles");
    if (strstr(line, " percentiles (")) {
        f->percentile_unit = unit_of(line);
        f->percentiles = clat ? &f->at->of_clat : lat || sync ? &f->at->of_lat : NULL;
        return true;
    }
    return false;
}

/* "issued    : total=r=8014/w=0/d=0, …", "issued rwt: total=0,1048576,0, …", "issued rwts: total=1,2,3,4 short=…" */
static bool take_issued(struct job *j, const char *line)
{
    const char *p = scan_word(line, "issued");
    p = p ? strstr(p, "total=") : NULL;
    if (!p)
        return false;
    p += strlen("total=");
    for (int i = 0; i < KINDS; i++) {
        p += strspn(p, "rwd=");
        double v = 0;
        if (!isdigit((unsigned char)*p))
            break;
        for (; isdigit((unsigned char)*p); p++)
            v = v * 10 + (*p - '0');
        j->issued[i] = v;
        if (*p != ',' && *p != '/')
            break;
        p++;
        if (*p == ' ')
            break;
    }
    return true;
}

static bool take_levels(struct job *j, const char *line)
{
    static const char *const keys[] = { " 1=", " 2=", " 4=", " 8=", " 16=", " 32=", ">=64=" };
    if (!scan_label(line, "IO depths"))
        return false;
    for (size_t i = 0; i < countof(keys); i++) {
        const char *p = strstr(line, keys[i]);
        p = p ? p + strlen(keys[i]) : "";
        if (!scan_decimal(&p, &j->levels[i]))
            j->levels[i] = 0;
    }
    return true;
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

static void put_part(struct normal *f, struct import_cell *cell, enum direction d)
{
    struct part *x = &f->job->part[d];
    struct direction_result *r = &cell->result.dir[d];
    double ios = f->job->issued[d];
    if (f->job->mixed && d == DIR_READ)
        ios = f->job->issued[0] + f->job->issued[1] + fmax(f->job->issued[2], 0);
    double seconds = x->ms > 0 && x->ms < 1e12 ? x->ms / 1e3 : 0;
    bool issued = ios >= 0;
    if (!issued)
        ios = x->iops * seconds;
    if (!x->any || !(ios >= 0.5) || !(ios < 0x1p53))
        return;
    if (!issued)
        collect_warn(f->c, x->line,
                     "the job's line 'issued' is missing: I/Os are its IOPS by its time");
    r->asked = true;
    r->ios = (uint64_t)llround(ios);
    if (x->bytes > 0 && x->bytes < 0x1p53)
        r->bytes = (uint64_t)llround(x->bytes);
    struct spread s = isnan(x->lat.mean_ns) ? x->clat : x->lat;
    s.n = r->ios;
    r->lat = spread_moments(&s);
    r->lat_max_ns = r->lat.n ? r->lat.max : 0;
    percentiles_keep(f->c->a, x->of_lat.n ? &x->of_lat : &x->of_clat, r);
    if (seconds * 1e9 > (double)cell->result.measured_ns)
        cell->result.measured_ns = (uint64_t)(seconds * 1e9);
}

/* The printed amount has few digits: with one size for all I/Os their number gives the bytes. */
static void exact_bytes(const struct fio_options *o, struct import_cell *cell)
{
    const char *p = o->bs;
    for (int d = DIR_READ; p && d <= DIR_TRIM; d++) {
        struct direction_result *r = &cell->result.dir[d];
        uint64_t size = 0;
        char one[32] = "";
        size_t n = strcspn(p, ",");
        if (n < sizeof one)
            memcpy(one, p, n);
        if (fio_size(one, &size) && r->ios) {
            double bytes = (double)r->ios * (double)size;
            if (fabs(bytes - (double)r->bytes) <= 0.02 * bytes && bytes < 0x1p53)
                r->bytes = (uint64_t)bytes;
        }
        p = p[n] ? p + n + 1 : p;
    }
}

static void check(struct normal *f, const struct import_cell *cell)
{
    for (int d = DIR_READ; d <= DIR_TRIM; d++) {
        const struct part *x = &f->job->part[d];
        const struct direction_result *r = &cell->result.dir[d];
        struct import_claim claim = { .key = "IOPS",
                                      .line = x->line,
                                      .counted = r->ios,
                                      .seconds = x->ms / 1e3,
                                      .claimed = x->iops,
                                      .unit = 1,
                                      .what = "I/Os per second" };
        if (!r->asked || !(x->ms > 0))
            continue;
        if (!isnan(x->iops))
            collect_check_claim(f->c, &claim);
        claim.key = "BW";
        claim.counted = r->bytes;
        claim.claimed = x->bw;
        claim.unit = 1024;
        claim.what = "bytes per second";
        if (!isnan(x->bw))
            collect_check_claim(f->c, &claim);
    }
}

static void put_flush(struct normal *f, struct import_cell *cell)
{
    struct part *x = &f->job->part[DIR_FLUSH];
    struct direction_result *r = &cell->result.dir[DIR_FLUSH];
    double n = f->job->issued[DIR_FLUSH];
    if (!x->any || !(n > 0) || !(n < 0x1p53))
        return;
    r->asked = true;
    r->ios = x->lat.n = (uint64_t)n;
    r->lat = spread_moments(&x->lat);
    r->lat_max_ns = r->lat.n ? r->lat.max : 0;
    percentiles_keep(f->c->a, &x->of_lat, r);
}

static void judge(struct normal *f, struct import_cell *cell)
{
    bool any = false;
    for (int d = 0; d < DIR_COUNT; d++)
        any |= cell->result.dir[d].ios > 0;
    if (f->job->error) {
        const char *what = strerrordesc_np(f->job->error);
        cell->result.status = any ? CELL_INTERRUPTED : CELL_FAILED;
        cell->result.reason = arena_printf(f->c->a, "fio ended '%s' with error %d (%s)", cell->job,
                                           f->job->error, what ? what : "unknown");
    } else if (!any) {
        cell->result.status = CELL_SKIPPED;
        cell->result.reason = arena_printf(f->c->a, "'%s' did no I/O", cell->job);
    }
    if (cell->result.reason)
        collect_warn(f->c, f->job->line, "%s", cell->result.reason);
    if (f->job->mixed)
        collect_warn(f->c, f->job->line,
                     "'mixed': reads and writes are not told apart (unified_rw_reporting=1); they "
                     "are stored as reads, so only 'all' means something");
}

static void put_usage(const struct job *j, struct import_cell *cell)
{
    double ns = (double)cell->result.measured_ns * (j->jobs ? j->jobs : 1);
    if (j->user >= 0 && j->sys >= 0 && j->user + j->sys < 1e6) {
        cell->result.cpu_user_ns = (uint64_t)(j->user / 100 * ns);
        cell->result.cpu_system_ns = (uint64_t)(j->sys / 100 * ns);
    }
    if (j->ctx >= 0 && j->ctx < 0x1p53)
        cell->result.context_switches = (uint64_t)j->ctx;
}

static void describe(struct normal *f, struct import_cell *cell)
{
    struct job *j = f->job;
    const struct fio_options *head = fio_head_find(f->heads, j->name);
    struct fio_options o = head ? *head : (struct fio_options) { 0 };
    o.jobs = j->jobs;
    exact_bytes(&o, cell);
    check(f, cell);
    if (!head) {
        uint32_t depth = fio_depth_of_levels(j->levels);
        cell->queue_depth = depth ? depth : 1;
        collect_warn_once(
            f->c, "no-options",
            "the line that says a job's options (NAME: (g=0): rw=…) is missing: queue "
            "depth is read off the levels, random or sequential is not known");
    }
    collect_note(f->c, &(struct import_note) {
                           .code = "direct-unknown",
                           .severity = EVENT_NOTE,
                           .what = "fio's normal output does not say whether I/O was direct." });
    if (!fio_describe(f->c, cell, &o, j->line)) {
        collect_drop(f->c);
        return;
    }
    cell->target = j->host;
}

static bool same(const char *x, const char *y)
{
    return strcmp(x ? x : "", y ? y : "") == 0;
}

/* Jobs of one name, group and host are those of numjobs. */
static void join(struct normal *f, struct import_cell *cell)
{
    struct fio_joined *j = &f->joined;
    if (j->cell && same(f->joined_group, f->job->group) && same(f->joined_host, f->job->host) &&
        same(j->cell->job, cell->job) && j->cell->workers + cell->workers <= PLAN_MAX_WORKERS) {
        fio_join(f->c, j, cell);
        return;
    }
    fio_join_end(f->c, j);
    *j = (struct fio_joined) { cell, f->job->line, cell->result.measured_ns, 1, false };
    f->joined_group = f->job->group;
    f->joined_host = f->job->host;
}

static void end_job(struct normal *f)
{
    struct job *j = f->job;
    size_t before = f->c->cells.n;
    if (!j)
        return;
    if (!strcmp(j->name, "All clients")) {
        f->job = NULL;
        return;
    }
    struct import_cell *cell = collect_cell(f->c);
    cell->job = j->name;
    for (int d = DIR_READ; d <= DIR_TRIM; d++)
        put_part(f, cell, (enum direction)d);
    put_flush(f, cell);
    put_usage(j, cell);
    judge(f, cell);
    describe(f, cell);
    if (j->ended_ns > (int64_t)cell->result.measured_ns) {
        cell->started_ns = j->ended_ns - (int64_t)cell->result.measured_ns;
        if (!f->c->source->started_ns)
            f->c->source->started_ns = cell->started_ns;
    }
    if (f->c->cells.n > before)
        join(f, cell);
    f->job = NULL;
}

/* --- the file ------------------------------------------------------------------------------------------------------- */

static void take_job_line(struct normal *f, const char *line)
{
    struct job *j = f->job;
    const char *at = scan_blanks(line);
    if (take_direction(f, line))
        return;
    if (!strncmp(at, "fsync/", 6)) {
        f->at = &j->part[DIR_FLUSH];
        f->at->any = true;
    } else if (scan_label(line, "cpu")) {
        j->user = after(line, "usr=");
        j->sys = after(line, "sys=");
        j->ctx = after(line, "ctx=");
        f->at = NULL;
    } else if (take_levels(j, line) || take_issued(j, line)) {
        f->at = NULL;
    } else if (f->at && f->percentiles && *at == '|') {
        take_percentiles(f, at);
    } else if (f->at && !begin_percentiles(f, line)) {
        f->percentiles = NULL;
        take_times(f, line);
    }
}

static void take_line(struct normal *f, const char *line)
{
    const char *version = fio_version_line(f->c->a, line);
    if (version) {
        f->c->source->summary->tool = fio_tool(f->c->a, version);
    } else if (strstr(line, ": (groupid=")) {
        end_job(f);
        begin_job(f, line);
    } else if (strstr(line, "Run status group")) {
        end_job(f);
    } else if (fio_head_line(f->c->a, line, &f->heads)) {
        end_job(f);
        fio_join_end(f->c, &f->joined); /* another run */
    } else if (f->job) {
        take_job_line(f, line);
    } else if (!strncmp(line, "fio: ", 5) && !strstr(line, "terminating on signal")) {
        collect_warn(f->c, line_of(f), "fio said: %.200s", line);
    }
}

int fio_text_read(struct collect *c, struct error *e)
{
    struct normal f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "fio";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1)
        take_line(&f, line);
    end_job(&f);
    fio_join_end(c, &f.joined);
    static const struct import_note note = {
        .code = "clat-percentiles",
        .severity = EVENT_NOTE,
        .what = "Means are of fio's whole response time (lat), percentiles of its completion time "
                "(clat) unless lat_percentiles was set.",
    };
    collect_note(c, &note);
    return rc;
}
