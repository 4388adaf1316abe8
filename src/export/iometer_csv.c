#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "export/export.h"

enum { SECTOR = 512, N_BINS = 21 };
#define TICKS 1000000000 /* a second: raw times are in ns */

static const char *const columns[] = {
    "Target Type",
    "Target Name",
    "Access Specification Name",
    "# Managers",
    "# Workers",
    "# Disks",
    "IOps",
    "Read IOps",
    "Write IOps",
    "MiBps (Binary)",
    "Read MiBps (Binary)",
    "Write MiBps (Binary)",
    "MBps (Decimal)",
    "Read MBps (Decimal)",
    "Write MBps (Decimal)",
    "Transactions per Second",
    "Connections per Second",
    "Average Response Time",
    "Average Read Response Time",
    "Average Write Response Time",
    "Average Transaction Time",
    "Average Connection Time",
    "Maximum Response Time",
    "Maximum Read Response Time",
    "Maximum Write Response Time",
    "Maximum Transaction Time",
    "Maximum Connection Time",
    "Errors",
    "Read Errors",
    "Write Errors",
    "Bytes Read",
    "Bytes Written",
    "Read I/Os",
    "Write I/Os",
    "Connections",
    "Transactions per Connection",
    "Total Raw Read Response Time",
    "Total Raw Write Response Time",
    "Total Raw Transaction Time",
    "Total Raw Connection Time",
    "Maximum Raw Read Response Time",
    "Maximum Raw Write Response Time",
    "Maximum Raw Transaction Time",
    "Maximum Raw Connection Time",
    "Total Raw Run Time",
    "Starting Sector",
    "Maximum Size",
    "Queue Depth",
    "% CPU Utilization",
    "% User Time",
    "% Privileged Time",
    "% DPC Time",
    "% Interrupt Time",
    "Processor Speed",
    "Interrupts per Second",
    "CPU Effectiveness",
    "Packets/Second",
    "Packet Errors",
    "Segments Retransmitted/Second",
};
static const struct {
    const char *name;
    uint64_t below_ns;
} bins[N_BINS] = {
    { "0 to 50 uS", 50000 },       { "50 to 100 uS", 100000 },     { "100 to 200 uS", 200000 },
    { "200 to 500 uS", 500000 },   { "0.5 to 1 mS", 1000000 },     { "1 to 2 mS", 2000000 },
    { "2 to 5 mS", 5000000 },      { "5 to 10 mS", 10000000 },     { "10 to 15 mS", 15000000 },
    { "15 to 20 mS", 20000000 },   { "20 to 30 mS", 30000000 },    { "30 to 50 mS", 50000000 },
    { "50 to 100 mS", 100000000 }, { "100 to 200 mS", 200000000 }, { "200 to 500 mS", 500000000 },
    { "0.5 to 1 S", 1000000000 },  { "1 to 2 s", 2000000000 },     { "2 to 4.7 s", 4700000000 },
    { "4.7 to 5 s", 5000000000 },  { "5 to 10 s", 10000000000 },   { " >= 10 s", UINT64_MAX },
};

/* One cell with what its rows say. Directions: 0 read, 1 write. */
struct test {
    struct store *s;
    struct export_text *x;
    const struct cell_row *cell;
    const char *target, *spec;
    double seconds;
    uint64_t ios[2], bytes[2], errors[2];
    double mean_ns[2], max_ns[2]; /* 0: not known */
    uint64_t bins[N_BINS];
};

/* Without what would end a field. */
static const char *plain(struct arena *a, const char *name)
{
    char *copy = arena_strdup(a, name);
    for (char *p = copy; *p; p++)
        if (*p == ',' || *p == '\n' || *p == '\r')
            *p = ' ';
    return copy;
}

static void put_time(struct str *s, int64_t ns)
{
    time_t seconds = (time_t)(ns / (int64_t)NS_PER_S);
    struct tm tm;
    char text[40];
    gmtime_r(&seconds, &tm);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
    str_printf(s, "'Time Stamp\n%s:%03d\n", text,
               (int)(ns % (int64_t)NS_PER_S / (int64_t)NS_PER_MS));
}

/* --- rows ----------------------------------------------------------------------------------------------------------- */

static void put_number(struct str *s, double v)
{
    str_printf(s, ",%.6f", v > 0 ? v : 0);
}

static void put_rates(const struct test *t)
{
    struct str *s = &t->x->text;
    const double units[] = { 0x1p20, 1e6 };
    double ios[] = { (double)t->ios[0], (double)t->ios[1] };
    double bytes[] = { (double)t->bytes[0], (double)t->bytes[1] };
    double per = t->seconds > 0 ? 1 / t->seconds : 0;
    put_number(s, (ios[0] + ios[1]) * per);
    put_number(s, ios[0] * per);
    put_number(s, ios[1] * per);
    for (int u = 0; u < 2; u++) {
        put_number(s, (bytes[0] + bytes[1]) * per / units[u]);
        put_number(s, bytes[0] * per / units[u]);
        put_number(s, bytes[1] * per / units[u]);
    }
    put_number(s, (ios[0] + ios[1]) * per);
    put_number(s, 0);
}

static void put_times(const struct test *t)
{
    struct str *s = &t->x->text;
    double ios = (double)t->ios[0] + (double)t->ios[1];
    double sum = t->mean_ns[0] * (double)t->ios[0] + t->mean_ns[1] * (double)t->ios[1];
    double mean = ios > 0 ? sum / ios : 0, most = fmax(t->max_ns[0], t->max_ns[1]);
    put_number(s, mean / 1e6);
    put_number(s, t->mean_ns[0] / 1e6);
    put_number(s, t->mean_ns[1] / 1e6);
    put_number(s, mean / 1e6);
    put_number(s, 0);
    put_number(s, most / 1e6);
    put_number(s, t->max_ns[0] / 1e6);
    put_number(s, t->max_ns[1] / 1e6);
    put_number(s, most / 1e6);
    put_number(s, 0);
}

/* Nine columns that ALL rows leave empty. */
static void put_raw(const struct test *t, bool empty)
{
    struct str *s = &t->x->text;
    if (empty) {
        str_put(s, ",,,,,,,,,");
        return;
    }
    double sums[2], all = 0;
    for (int d = 0; d < 2; d++) {
        sums[d] = t->mean_ns[d] * (double)t->ios[d];
        all += sums[d];
    }
    str_printf(s, ",%.0f,%.0f,%.0f,0", sums[0], sums[1], all);
    str_printf(s, ",%.0f,%.0f,%.0f,0", t->max_ns[0], t->max_ns[1],
               fmax(t->max_ns[0], t->max_ns[1]));
    str_printf(s, ",%.0f", t->seconds * TICKS);
}

static void put_row(const struct test *t, const char *kind, const char *name)
{
    struct str *s = &t->x->text;
    const struct cell_row *c = t->cell;
    bool all = !strcmp(kind, "ALL"), disk = !strcmp(kind, "DISK");
    str_printf(s, "%s,%s,%s,%s,%u,%s", kind, name, t->spec, all ? "1" : "", c->cell.workers,
               disk ? "" : "1");
    put_rates(t);
    put_times(t);
    str_printf(s, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, t->errors[0] + t->errors[1], t->errors[0],
               t->errors[1]);
    str_printf(s, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0,-1", t->bytes[0], t->bytes[1],
               t->ios[0], t->ios[1]);
    put_raw(t, all);
    str_printf(s, ",%" PRIu64 ",%" PRIu64 ",%u", c->cell.span_offset / SECTOR,
               c->span_bytes / SECTOR, c->cell.queue_depth);
    str_put(s, all || !disk ? ",0.000000,0.000000,0.000000,0.000000,0.000000" : ",,,,,");
    str_printf(s, ",%s", all ? "" : "1000000000.000000");
    str_put(s, all ? ",0.000000,0.000000,0.000000,0.000000,0.000000" : ",,,,,");
    for (int i = 0; i < N_BINS; i++)
        str_printf(s, ",%" PRIu64, t->bins[i]);
    str_char(s, '\n');
}

static void put_percent(struct str *s, uint32_t bp)
{
    if (bp % 100)
        str_printf(s, "%u.%02u,", bp / 100, bp % 100);
    else
        str_printf(s, "%u,", bp / 100);
}

static void put_spec(const struct test *t, const struct workload *w)
{
    struct str *s = &t->x->text;
    str_printf(s,
               "'Access specifications\n'Access specification name,default assignment\n%s,0\n"
               "'size,%% of size,%% reads,%% random,delay,burst,align,reply\n",
               t->spec);
    for (uint32_t i = 0; i < w->n_lines; i++) {
        const struct access_line *l = &w->lines[i];
        str_printf(s, "%u,", l->size);
        put_percent(s, l->share_bp);
        put_percent(s, l->read_bp);
        put_percent(s, l->random_bp);
        str_printf(s, "%llu,%u,%" PRIu64 ",0,\n", l->delay_ns / NS_PER_MS, l->burst, l->align);
    }
    str_put(s, "'End access specifications\n'Results\n");
    for (size_t i = 0; i < countof(columns); i++)
        str_printf(s, "%s%s", i ? "," : "'", columns[i]);
    for (int i = 0; i < N_BINS; i++)
        str_printf(s, ",%s", bins[i].name);
    str_char(s, '\n');
}

/* --- numbers -------------------------------------------------------------------------------------------------------- */

static void add_bins(struct test *t, const struct hist *h)
{
    int bin = 0;
    for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
        while (hist_lower(i) >= bins[bin].below_ns)
            bin++;
        t->bins[bin] += h->count[i];
    }
}

/* Both directions or none: the bins count all I/Os of a test. */
static int take_bins(struct test *t, struct error *e)
{
    for (int d = 0; d < 2; d++) {
        struct hist *h = NULL;
        if (!t->ios[d])
            continue;
        if (store_hist(t->s, t->x->a, t->cell->id, d ? DIR_WRITE : DIR_READ, &h, e))
            return -1;
        if (!h) {
            memset(t->bins, 0, sizeof t->bins);
            return 0;
        }
        add_bins(t, h);
    }
    return 0;
}

static void take_results(struct test *t, const struct result_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct result_row *r = &rows[i];
        if (r->cell != t->cell->id)
            continue;
        if (r->direction == DIR_TRIM || r->direction == DIR_FLUSH)
            export_leave(t->x, "%s: Iometer's results have no column for %ss", r->target,
                         direction_name(r->direction));
        if (r->direction > DIR_WRITE)
            continue;
        int d = r->direction == DIR_WRITE;
        t->seconds = r->seconds;
        t->ios[d] = r->ios;
        t->bytes[d] = r->bytes;
        t->errors[d] = r->errors;
        t->mean_ns[d] = isnan(r->lat_mean_ns) ? 0 : r->lat_mean_ns;
        t->max_ns[d] = isnan(r->lat_max_ns) ? 0 : r->lat_max_ns;
    }
}

static int put_test(struct test *t, const struct workload *w, const struct run_row *run,
                    struct error *e)
{
    if (take_bins(t, e))
        return -1;
    put_spec(t, w);
    put_row(t, "ALL", "All");
    put_row(t, "MANAGER", "qdepth");
    put_row(t, "WORKER", "Worker 1");
    put_row(t, "DISK", t->target);
    put_time(&t->x->text, t->cell->finished_ns ? t->cell->finished_ns : run->started_ns);
    return 0;
}

struct tables {
    struct store *s;
    const struct run_row *run;
    struct cell_row *cells;
    struct result_row *results;
    struct target_row *targets;
    struct workload_row *workloads;
    size_t n_cells, n_results, n_targets, n_workloads;
};

static int load(struct arena *a, struct tables *t, struct error *e)
{
    struct store *s = t->s;
    int64_t run = t->run->id;
    return store_cells(s, a, run, &t->cells, &t->n_cells, e) ||
                   store_results(s, a, run, &t->results, &t->n_results, e) ||
                   store_targets(s, a, run, &t->targets, &t->n_targets, e) ||
                   store_workloads(s, a, run, &t->workloads, &t->n_workloads, e)
               ? -1
               : 0;
}

static int put_cell(const struct tables *in, const struct cell_row *c, struct export_text *x,
                    struct error *e)
{
    struct test t = { .s = in->s, .x = x, .cell = c, .target = "", .spec = "" };
    const struct workload *w = NULL;
    for (size_t i = 0; i < in->n_targets; i++)
        if (in->targets[i].id == c->target)
            t.target = plain(x->a, in->targets[i].record.name);
    for (size_t i = 0; i < in->n_workloads; i++)
        if (in->workloads[i].id == c->workload)
            w = &in->workloads[i].workload;
    take_results(&t, in->results, in->n_results);
    if (!w || !(t.ios[0] || t.ios[1] || t.errors[0] || t.errors[1])) {
        export_leave(x, "%s, %s at queue depth %u: it has no reads and writes", t.target,
                     w ? w->title : "?", c->cell.queue_depth);
        return 0;
    }
    t.spec = plain(x->a, w->id);
    return put_test(&t, w, in->run, e);
}

int export_iometer_csv(struct store *s, const struct run_row *run, struct export_text *x,
                       struct error *e)
{
    struct tables in = { .s = s, .run = run };
    if (load(x->a, &in, e))
        return -1;
    str_printf(&x->text, "'Test Type,Test Description\n0,%s\n'Version\n1.1.0\n",
               plain(x->a, run->name));
    put_time(&x->text, run->started_ns);
    for (size_t i = 0; i < in.n_cells; i++)
        if (put_cell(&in, &in.cells[i], x, e))
            return -1;
    if (str_failed(&x->text))
        return error_set(e, QD_E_FAIL, "cannot export '%s': it is too large", run->name);
    return 0;
}
