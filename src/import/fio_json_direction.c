#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/oom.h"
#include "base/parse.h"
#include "import/fio_json_inside.h"

/* No result has as many I/Os or bytes, so that sums of results fit 63 bits. */
#define MOST (1ull << 53)

/* Response times of one direction: fio's name, and the object. */
struct times {
    const char *name; /* "clat_ns" */
    const struct json *at;
    double unit; /* ns */
};

bool fio_json_number(const struct fio_place *x, const struct json *object, const char *key,
                     double *ret)
{
    const struct json *v = json_get(object, key);
    if (!v || v->kind == JSON_NULL)
        return false;
    if (json_double(v, ret))
        return true;
    bool has_text = v->kind != JSON_ARRAY && v->kind != JSON_OBJECT;
    collect_warn(x->c, (long)v->line, "key '%s' holds '%s', which is no number: it is missing", key,
                 has_text ? v->text : "a list");
    return false;
}

static struct times times_of(const struct json *direction, const char *base, const char *ns_name)
{
    const struct json *ns = json_get(direction, ns_name);
    if (ns)
        return (struct times) { ns_name, ns, 1 };
    return (struct times) { base, json_get(direction, base), 1000 };
}

/* How many I/Os the times cover: N, or all of them where old versions do not say. */
static uint64_t covered(const struct times *t, uint64_t ios)
{
    uint64_t n = 0;
    if (json_get(t->at, "N"))
        return json_u64(json_get(t->at, "N"), &n) ? n : 0;
    return ios;
}

static struct moments moments_of(const struct fio_place *x, const struct times *t, uint64_t ios)
{
    struct spread s = {
        .n = covered(t, ios), .sd_ns = (double)NAN, .low_ns = (double)NAN, .high_ns = (double)NAN
    };
    double mean;
    double v;
    if (!s.n || !fio_json_number(x, t->at, "mean", &mean))
        return moments_zero();
    s.mean_ns = mean * t->unit;
    if (fio_json_number(x, t->at, "stddev", &v))
        s.sd_ns = v * t->unit;
    if (fio_json_number(x, t->at, "min", &v))
        s.low_ns = v * t->unit;
    if (fio_json_number(x, t->at, "max", &v))
        s.high_ns = v * t->unit;
    if (s.mean_ns == 0 && s.high_ns == 0 && ios && !json_get(t->at, "N"))
        return moments_zero(); /* switched off, in a version without N */
    return spread_moments(&s);
}

static int by_low(const void *x, const void *y)
{
    uint64_t p = ((const struct fio_bin *)x)->low, q = ((const struct fio_bin *)y)->low;
    return (p > q) - (p < q);
}

/* json+ of 3.x names a bin by the ns in its middle; 2.x by its number, in µs, beside three constants of the program. */
static struct hist *bins_of(const struct fio_place *x, const struct times *t,
                            const struct moments *m)
{
    const struct json *bins = json_get(t->at, "bins");
    ARRAY(struct fio_bin) at = { 0 };
    bool numbered = json_get(bins, "FIO_IO_U_PLAT_BITS") || t->unit > 1;
    uint64_t unit = (uint64_t)t->unit;
    if (!bins || bins->kind != JSON_OBJECT)
        return NULL;
    for (const struct json *b = bins->first; b; b = b->next) {
        struct error ignored;
        uint64_t name, count;
        if (!strncmp(b->key, "FIO_", 4))
            continue;
        if (parse_u64(b->key, &name, &ignored) || !json_u64(b, &count) || name >= 1ull << 48 ||
            count >= 1ull << 48 || (numbered && name >= FIO_BINS)) {
            collect_warn(x->c, (long)b->line, "bin '%s' of %s is no bin: it is left out", b->key,
                         t->name);
            continue;
        }
        struct fio_bin bin = numbered ? fio_bin_at((uint32_t)name) : fio_bin_of(name);
        bin.low *= unit;
        bin.high = bin.high * unit + (unit - 1);
        bin.count = count;
        if (count)
            *array_push(&at) = bin;
    }
    struct hist *h = NULL;
    if (at.n) {
        qsort(at.at, at.n, sizeof *at.at, by_low);
        h = fio_hist(x->c->a, at.at, at.n, m);
    }
    if (h && m->n && h->m.n != m->n)
        collect_warn(x->c, (long)bins->line,
                     "the bins of %s hold %llu I/Os, its N is %llu: both are kept", t->name,
                     (unsigned long long)h->m.n, (unsigned long long)m->n);
    array_free(&at);
    return h;
}

/* "fio clat_ns" of one direction's block, as they stand. */
static void percentiles_of(const struct fio_place *x, const struct times *t,
                           struct direction_result *r)
{
    const struct json *list = json_get(t->at, "percentile");
    struct percentiles *p = xcalloc(1, sizeof *p);
    const char *origin = arena_printf(x->c->a, "fio %s", t->name);
    for (const struct json *v = list && list->kind == JSON_OBJECT ? list->first : NULL; v;
         v = v->next) {
        double value;
        if (json_double(v, &value))
            percentiles_add(p, v->key, value * t->unit, origin);
        else
            collect_warn(x->c, (long)v->line, "percentile %s of %s is no number: it is missing",
                         v->key, t->name);
    }
    percentiles_keep(x->c->a, p, r);
    free(p);
}

/* The response time is fio's lat (slat + clat). Its percentiles are kept by default of clat only, which leaves the submission out:
 * that is said. */
static void read_times(const struct fio_place *x, const struct json *direction,
                       struct direction_result *r, struct hist **ret_hist)
{
    struct times lat = times_of(direction, "lat", "lat_ns");
    struct times clat = times_of(direction, "clat", "clat_ns");
    struct times slat = times_of(direction, "slat", "slat_ns");
    struct moments whole = moments_of(x, &lat, r->ios);
    struct moments completion = moments_of(x, &clat, r->ios);
    struct moments submission = moments_of(x, &slat, r->ios);
    r->lat = whole.n ? whole : completion;
    r->lat_max_ns = r->lat.n ? r->lat.max : 0;
    bool own = json_get(lat.at, "percentile") || json_get(lat.at, "bins");
    const struct times *of = own ? &lat : &clat;
    *ret_hist = bins_of(x, of, own ? &whole : &completion);
    percentiles_of(x, of, r);
    if (!whole.n && completion.n && submission.n)
        collect_note(
            x->c, &(struct import_note) {
                      .code = "clat-only",
                      .severity = EVENT_NOTE,
                      .what = "fio's lat is missing: the response times are of completion (clat).",
                      .text = "They leave out the time a request took to be submitted." });
    else if (whole.n && !own && (*ret_hist || r->n_percentiles))
        collect_note(
            x->c,
            &(struct import_note) {
                .code = "clat-percentiles",
                .severity = EVENT_NOTE,
                .what =
                    "Means are of fio's whole response time (lat), percentiles of its completion "
                    "time (clat).",
                .text =
                    "fio keeps percentiles of clat unless lat_percentiles=1; clat leaves out the "
                    "time a request took to be submitted (slat)." });
}

static uint64_t bytes_of(const struct fio_place *x, const struct json *direction)
{
    uint64_t bytes = 0;
    const struct json *v = json_get(direction, "io_bytes");
    if (json_u64(v, &bytes) && bytes >= MOST) {
        collect_warn(x->c, (long)v->line, "key 'io_bytes' holds %llu, which cannot be: missing",
                     (unsigned long long)bytes);
        return 0;
    }
    return x->kib ? bytes * 1024 : bytes;
}

/* Old versions give no count: it follows from rate and time, which is said. */
static uint64_t ios_of(const struct fio_place *x, const struct json *direction, double iops,
                       double seconds)
{
    uint64_t ios = 0;
    if (json_get(direction, "total_ios"))
        return json_u64(json_get(direction, "total_ios"), &ios) && ios < MOST ? ios : 0;
    if (!(iops * seconds >= 0.5) || !(iops * seconds < 0x1p53))
        return 0;
    collect_note(
        x->c,
        &(struct import_note) {
            .code = "ios-computed",
            .severity = EVENT_NOTE,
            .what = "The numbers of I/Os are computed from IOPS and time: this version of fio does "
                    "not give them." });
    return (uint64_t)llround(iops * seconds);
}

/* One of read, write, trim, mixed as direction d; ret_ns: its time. */
static bool read_direction(const struct fio_place *x, const struct json *direction,
                           struct import_cell *cell, enum direction d, uint64_t *ret_ns)
{
    struct direction_result *r = &cell->result.dir[d];
    double ms = 0, iops = -1, rate = -1;
    if (!direction || direction->kind != JSON_OBJECT)
        return false;
    fio_json_number(x, direction, "runtime", &ms);
    if (!(ms >= 0) || ms > 1e12)
        ms = 0;
    fio_json_number(x, direction, "iops", &iops);
    double seconds = ms / 1e3;
    r->bytes = bytes_of(x, direction);
    r->ios = ios_of(x, direction, iops, seconds);
    if (!r->ios && !r->bytes)
        return false;
    r->asked = true;
    *ret_ns = (uint64_t)(ms * (double)NS_PER_MS);
    read_times(x, direction, r, &cell->hist[d]);
    struct import_claim claim = { .key = "iops",
                                  .line = (long)direction->line,
                                  .counted = r->ios,
                                  .seconds = seconds,
                                  .claimed = iops,
                                  .unit = 1,
                                  .what = "I/Os per second" };
    collect_check_claim(x->c, &claim);
    if (fio_json_number(x, direction, "bw_bytes", &rate)) {
        claim.key = "bw_bytes";
        claim.unit = 1;
    } else if (fio_json_number(x, direction, "bw", &rate)) {
        claim.key = "bw";
        claim.unit = 1024;
        rate *= 1024;
    }
    claim.counted = r->bytes;
    claim.claimed = rate;
    claim.what = "bytes per second";
    collect_check_claim(x->c, &claim);
    return true;
}

/* fsync and the like: only how many and how long. */
static void read_sync(const struct fio_place *x, const struct json *sync, struct import_cell *cell)
{
    struct direction_result *r = &cell->result.dir[DIR_FLUSH];
    uint64_t n = 0;
    struct times t = times_of(sync, "lat", "lat_ns");
    if (!json_u64(json_get(sync, "total_ios"), &n) || !n || n >= MOST)
        return;
    r->asked = true;
    r->ios = n;
    r->lat = moments_of(x, &t, n);
    r->lat_max_ns = r->lat.n ? r->lat.max : 0;
    cell->hist[DIR_FLUSH] = bins_of(x, &t, &r->lat);
    percentiles_of(x, &t, r);
}

static void read_usage(const struct json *job, struct cell_result *r)
{
    double user, sys, ms;
    if (json_double(json_get(job, "job_runtime"), &ms) &&
        json_double(json_get(job, "usr_cpu"), &user) &&
        json_double(json_get(job, "sys_cpu"), &sys) && user >= 0 && sys >= 0 && ms >= 0 &&
        (user + sys) * ms < 1e12) {
        r->cpu_user_ns = (uint64_t)(user / 100 * ms * (double)NS_PER_MS);
        r->cpu_system_ns = (uint64_t)(sys / 100 * ms * (double)NS_PER_MS);
    }
    uint64_t switches = 0;
    if (json_u64(json_get(job, "ctx"), &switches) && switches < 1ull << 62)
        r->context_switches = switches;
}

/* unified_rw_reporting=1: reads and writes in one. */
static bool read_mixed(const struct fio_place *x, const struct json *job, struct import_cell *cell,
                       uint64_t *ret_ns)
{
    const struct json *mixed = json_get(job, "mixed");
    if (!read_direction(x, mixed, cell, DIR_READ, ret_ns))
        return false;
    collect_warn(x->c, (long)mixed->line,
                 "key 'mixed': reads and writes are not told apart (unified_rw_reporting=1); they "
                 "are stored as reads, so only 'all' means something");
    return true;
}

bool fio_json_results(const struct fio_place *x, const struct json *job, struct import_cell *cell)
{
    static const char *const names[] = { "read", "write", "trim" };
    static const enum direction dirs[] = { DIR_READ, DIR_WRITE, DIR_TRIM };
    struct cell_result *r = &cell->result;
    bool any = false;
    uint64_t ns = 0;
    for (size_t i = 0; i < countof(names); i++) {
        if (!read_direction(x, json_get(job, names[i]), cell, dirs[i], &ns))
            continue;
        any = true;
        r->measured_ns = ns > r->measured_ns ? ns : r->measured_ns;
    }
    if (!any && read_mixed(x, job, cell, &ns)) {
        any = true;
        r->measured_ns = ns;
    }
    read_sync(x, json_get(job, "sync"), cell);
    read_usage(job, r);
    return any;
}
