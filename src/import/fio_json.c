#include "import/fio_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "import/fio_json_inside.h"

enum { OPTIONS_LIMIT = 64 << 10, VALUE_LIMIT = 4096 };

bool fio_json_sniff(const char *head, const char *name)
{
    (void)name;
    const char *brace = strchr(head, '{');
    return brace && (strstr(brace, "\"fio version\"") || strstr(brace, "\"jobname\""));
}

/* --- options -------------------------------------------------------------------------------------------------------- */

/* A key may stand several times: files are joined as fio would, of others the first counts. */
static const char *option_in(struct arena *a, const struct json *options, const char *key)
{
    const struct json *v = json_get(options, key);
    if (!v || (v->kind != JSON_STRING && v->kind != JSON_NUMBER))
        return NULL;
    const char *text = v->text;
    if (strcmp(key, "filename") != 0)
        return text;
    for (v = v->next; v; v = v->next)
        if (!strcmp(v->key, key) && v->kind == JSON_STRING && strcmp(v->text, text) != 0 &&
            strlen(text) < VALUE_LIMIT)
            text = arena_printf(a, "%s:%s", text, v->text);
    return text;
}

struct option_source {
    struct arena *a;
    const struct json *own, *global;
};

static const char *option(const struct option_source *s, const char *key)
{
    const char *v = option_in(s->a, s->own, key);
    return v ? v : option_in(s->a, s->global, key);
}

static const char *option_or(const struct option_source *s, const char *key, const char *other)
{
    const char *v = option(s, key);
    return v ? v : option(s, other);
}

static struct fio_options options_of(const struct fio_place *x, const struct json *job)
{
    const struct option_source s = { x->c->a, json_get(job, "job options"),
                                     json_get(x->root, "global options") };
    static const char *const logs[] = { "write_lat_log", "write_bw_log", "write_iops_log",
                                        "write_hist_log" };
    struct fio_options o = {
        .rw = option_or(&s, "rw", "readwrite"),
        .bs = option_or(&s, "bs", "blocksize"),
        .bsrange = option_or(&s, "bsrange", "blocksize_range"),
        .bssplit = option(&s, "bssplit"),
        .rwmixread = option(&s, "rwmixread"),
        .rwmixwrite = option(&s, "rwmixwrite"),
        .percentage_random = option(&s, "percentage_random"),
        .iodepth = option(&s, "iodepth"),
        .numjobs = option(&s, "numjobs"),
        .direct = option(&s, "direct"),
        .ioengine = option(&s, "ioengine"),
        .filename = option_or(&s, "filename", "rbdname"),
        .directory = option(&s, "directory"),
        .runtime = option(&s, "runtime"),
        .ramp_time = option(&s, "ramp_time"),
        .fsync = option(&s, "fsync"),
        .fdatasync = option(&s, "fdatasync"),
        .sync = option(&s, "sync"),
        .group_reporting = option(&s, "group_reporting"),
        .any = s.own || s.global,
    };
    for (size_t i = 0; i < countof(logs) && !o.log_prefix; i++)
        o.log_prefix = option(&s, logs[i]);
    return o;
}

/* How many jobs a result is the sum of: job_runtime adds their times up. */
static uint32_t jobs_summed(const struct json *job, const struct import_cell *cell)
{
    double together;
    double one = (double)cell->result.measured_ns / (double)NS_PER_MS;
    if (!json_double(json_get(job, "job_runtime"), &together) || one < 100 || together < one / 2)
        return 0;
    double jobs = together / one;
    return jobs < 1.5 ? 1 : jobs > UINT16_MAX ? UINT16_MAX : (uint32_t)(jobs + 0.5);
}

/* Without options: the level most I/Os were at, of 1, 2, 4 … 64. */
static uint32_t depth_from_levels(const struct json *job)
{
    static const char *const keys[7] = { "1", "2", "4", "8", "16", "32", ">=64" };
    const struct json *levels = json_get(job, "iodepth_level");
    double shares[countof(keys)] = { 0 };
    for (size_t i = 0; i < countof(keys); i++)
        json_double(json_get(levels, keys[i]), &shares[i]);
    return fio_depth_of_levels(shares);
}

static void without_options(struct collect *c, const struct json *job, struct import_cell *cell)
{
    uint32_t depth = depth_from_levels(job);
    cell->queue_depth = depth ? depth : 1;
    collect_warn(c, (long)job->line,
                 "'%s' has no 'job options': queue depth %u is %s, the number of jobs and whether "
                 "I/O was direct are not known",
                 cell->job, cell->queue_depth, depth ? "read off 'iodepth_level'" : "assumed");
}

/* --- jobs ----------------------------------------------------------------------------------------------------------- */

static const char *only_disk(const struct json *root)
{
    const struct json *disks = json_get(root, "disk_util");
    const struct json *one = disks && disks->kind == JSON_ARRAY ? disks->first : NULL;
    return one && !one->next ? json_text(one, "name") : NULL;
}

static bool same_text(const struct json *x, const struct json *y, const char *key)
{
    const char *p = json_text(x, key), *q = json_text(y, key);
    return strcmp(p ? p : "", q ? q : "") == 0;
}

/* Several servers of one host are told apart by their ports. */
static const char *host_of(const struct fio_place *x, const struct json *job)
{
    const char *host = json_text(job, "hostname"), *port = json_text(job, "port");
    const struct json *all = json_get(x->root, "client_stats");
    for (const struct json *j = all && host && port ? all->first : NULL; j; j = j->next)
        if (same_text(j, job, "hostname") && json_text(j, "port") && !same_text(j, job, "port"))
            return arena_printf(x->c->a, "%s:%s", host, port);
    return host;
}

static void name_target(const struct fio_place *x, const struct json *job, struct import_cell *cell)
{
    const char *host = host_of(x, job);
    if (!cell->target)
        cell->target = only_disk(x->root);
    if (host)
        cell->target = cell->target ? arena_printf(x->c->a, "%s: %s", host, cell->target) : host;
}

static void judge_error(const struct fio_place *x, const struct json *job, struct import_cell *cell,
                        bool any)
{
    uint64_t code = 0;
    if (json_u64(json_get(job, "error"), &code) && code && code < 4096) {
        const char *what = strerrordesc_np((int)code);
        cell->result.status = any ? CELL_INTERRUPTED : CELL_FAILED;
        cell->result.reason = arena_printf(x->c->a, "fio ended '%s' with error %d (%s)", cell->job,
                                           (int)code, what ? what : "unknown");
        collect_warn(x->c, (long)job->line, "%s", cell->result.reason);
    } else if (!any) {
        cell->result.status = CELL_SKIPPED;
        cell->result.reason = arena_printf(x->c->a, "'%s' did no I/O", cell->job);
        collect_warn(x->c, (long)job->line, "%s", cell->result.reason);
    } else if (!cell->result.measured_ns) {
        collect_warn(x->c, (long)job->line, "'%s' has no runtime: it has no rates", cell->job);
    }
}

static int64_t ended_at(const struct json *root)
{
    double t;
    if (json_double(json_get(root, "timestamp_ms"), &t) && t > 0 && t < 1e13)
        return (int64_t)(t * (double)NS_PER_MS);
    if (json_double(json_get(root, "timestamp"), &t) && t > 0 && t < 1e10)
        return (int64_t)(t * (double)NS_PER_S);
    return 0;
}

/* io_bytes is KiB before 2.21, where io_kbytes came; only where no key tells the times' age does the version decide. */
static bool counts_kib(const struct fio_place *x, const struct json *read)
{
    if (json_get(read, "io_kbytes") || json_get(read, "clat_ns") || json_get(read, "lat_ns"))
        return false;
    if (json_get(read, "clat") || json_get(read, "lat"))
        return true;
    const char *version = json_text(x->root, "fio version");
    const char *digit = version ? strpbrk(version, "0123456789") : NULL;
    return digit && (*digit == '1' || *digit == '2') && digit[1] == '.';
}

static struct import_cell *read_job(const struct fio_place *shared, const struct json *job)
{
    struct collect *c = shared->c;
    struct fio_place x = *shared;
    const struct json *read = json_get(job, "read");
    if (!read || !json_get(read, "runtime"))
        read = json_get(job, "mixed");
    x.kib = counts_kib(&x, read);
    struct import_cell *cell = collect_cell(c);
    const char *name = json_text(job, "jobname");
    cell->job = name ? name : "(no name)";
    bool any = fio_json_results(&x, job, cell);
    struct fio_options o = options_of(&x, job);
    o.jobs = jobs_summed(job, cell);
    if (!o.any)
        without_options(c, job, cell);
    judge_error(&x, job, cell, any);
    if (!fio_describe(c, cell, &o, (long)job->line)) {
        collect_drop(c);
        return NULL;
    }
    name_target(&x, job, cell);
    int64_t end = ended_at(shared->root);
    if (end > (int64_t)cell->result.measured_ns)
        cell->started_ns = end - (int64_t)cell->result.measured_ns;
    return cell;
}

/* --- jobs of one name that ran side by side --------------------------------------------------------------------------- */

static bool same_options(const struct json *x, const struct json *y)
{
    const struct json *p = json_get(x, "job options"), *q = json_get(y, "job options");
    p = p && p->kind == JSON_OBJECT ? p->first : NULL;
    q = q && q->kind == JSON_OBJECT ? q->first : NULL;
    for (; p && q; p = p->next, q = q->next) {
        bool scalar = (p->kind == JSON_STRING || p->kind == JSON_NUMBER) && p->kind == q->kind;
        if (strcmp(p->key, q->key) != 0 || !scalar || strcmp(p->text, q->text) != 0)
            return false;
    }
    return !p && !q;
}

static bool side_by_side(const struct json *x, const struct json *y)
{
    return same_text(x, y, "jobname") && same_text(x, y, "groupid") &&
           same_text(x, y, "hostname") && same_text(x, y, "port") && same_options(x, y);
}

static void read_jobs(const struct fio_place *x, const struct json *jobs)
{
    struct collect *c = x->c;
    struct fio_joined j = { 0 };
    const struct json *first = NULL; /* of those joined */
    for (const struct json *job = jobs->first; job; job = job->next) {
        const char *name = json_text(job, "jobname");
        if (job->open || job->kind != JSON_OBJECT) {
            collect_warn(c, (long)job->line, "a job is not whole and is left out");
            continue;
        }
        if (name && !strcmp(name, "All clients") && jobs->first->next) {
            collect_note(c,
                         &(struct import_note) { .code = "all-clients",
                                                 .severity = EVENT_NOTE,
                                                 .what = "fio's entry 'All clients' is left out: "
                                                         "each client is counted by itself." });
            continue;
        }
        size_t before = c->cells.n;
        struct import_cell *cell = read_job(x, job);
        if (!cell)
            continue;
        bool room = j.cell && j.cell->workers + cell->workers <= PLAN_MAX_WORKERS &&
                    before == c->cells.n - 1;
        if (room && side_by_side(first, job)) {
            fio_join(c, &j, cell);
            continue;
        }
        fio_join_end(c, &j);
        j = (struct fio_joined) { cell, (long)job->line, cell->result.measured_ns, 1, false };
        first = job;
    }
    fio_join_end(c, &j);
}

/* --- the file ------------------------------------------------------------------------------------------------------- */

static const struct json *jobs_of(const struct json *root)
{
    const struct json *jobs = json_get(root, "jobs");
    if (!jobs)
        jobs = json_get(root, "client_stats");
    return jobs && jobs->kind == JSON_ARRAY && jobs->first ? jobs : NULL;
}

static double runtime_of(const struct json *root)
{
    static const char *const names[] = { "read", "write", "trim", "mixed" };
    double longest = 0;
    const struct json *jobs = jobs_of(root);
    for (const struct json *job = jobs ? jobs->first : NULL; job; job = job->next)
        for (size_t i = 0; i < countof(names); i++) {
            double ms;
            if (json_double(json_get(json_get(job, names[i]), "runtime"), &ms) && ms > longest)
                longest = ms;
        }
    return longest;
}

/* --status-interval writes the same jobs again and again, counting from the start: as much time has passed on the clock as in the
 * jobs. */
static bool continues(const struct json *before, const struct json *after)
{
    const struct json *p = jobs_of(before), *q = jobs_of(after);
    if (!p || !q)
        return false;
    p = p->first;
    q = q->first;
    for (; p && q; p = p->next, q = q->next)
        if (!side_by_side(p, q) || !same_text(p, q, "job_start"))
            return false;
    double between = (double)(ended_at(after) - ended_at(before)) / (double)NS_PER_MS;
    double more = runtime_of(after) - runtime_of(before);
    return !p && !q && more >= 0 && fabs(between - more) <= 1500;
}

static void read_root(struct collect *c, const struct json *root)
{
    const struct fio_place x = { .c = c, .root = root };
    const struct json *jobs = jobs_of(root);
    const char *version = json_text(root, "fio version");
    if (version)
        c->source->summary->tool = fio_tool(c->a, version);
    if (!jobs) {
        collect_warn(c, (long)root->line, "it has no 'jobs'");
        return;
    }
    size_t before = c->cells.n;
    read_jobs(&x, jobs);
    for (size_t i = before; i < c->cells.n; i++) {
        int64_t t = c->cells.at[i].cell->started_ns;
        if (t && (!c->source->started_ns || t < c->source->started_ns))
            c->source->started_ns = t;
    }
}

/* What fio says of trouble, outside the JSON. */
static void read_line(struct collect *c, const char *line, size_t n, long number)
{
    static const char *const trouble[] = { "fio:", "error", "verify" };
    char text[200];
    if (n >= sizeof text)
        n = sizeof text - 1;
    memcpy(text, line, n);
    text[n] = '\0';
    for (size_t i = 0; i < countof(trouble); i++)
        if (strstr(text, trouble[i])) {
            collect_warn(c, number, "fio said: %s", text);
            return;
        }
}

struct roots {
    const struct json *last;
    size_t skipped;
    bool any;
};

static void take_root(struct collect *c, struct roots *r, const struct json *root)
{
    if (!json_get(root, "fio version") && !jobs_of(root))
        return;
    r->any = true;
    if (r->last && continues(r->last, root))
        r->skipped++;
    else if (r->last)
        read_root(c, r->last);
    r->last = root;
}

int fio_json_read(struct collect *c, struct error *e)
{
    char *text;
    if (collect_json_text(c, &text, e))
        return -1;
    c->source->summary->tool = "fio";
    struct json_document d = { .cursor = text, .line = 1 };
    struct roots r = { 0 };
    while (*d.cursor) {
        size_t blanks = strspn(d.cursor, " \t");
        if (d.cursor[blanks] == '{') {
            d.cursor += blanks;
            const struct json *root = json_read(c->a, &d);
            if (d.broken)
                collect_warn(c, d.broken, "the JSON is broken here: %s", d.why);
            take_root(c, &r, root);
        }
        size_t n = strcspn(d.cursor, "\r\n");
        read_line(c, d.cursor, n, d.line);
        d.cursor += n;
        d.line += *d.cursor == '\n';
        d.cursor += *d.cursor != '\0';
    }
    if (r.last)
        read_root(c, r.last);
    if (r.skipped)
        collect_note(
            c,
            &(struct import_note) {
                .code = "status-interval",
                .severity = EVENT_NOTE,
                .what =
                    "Earlier reports of the same jobs (--status-interval) are left out: the last "
                    "one counts." });
    return 0;
}
