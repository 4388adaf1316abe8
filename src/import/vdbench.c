#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/clock.h"
#include "import/scan.h"
#include "import/vdbench_inside.h"

/* From here on runs become cells. */

#define DAY_S 86400.0
enum { DIRECTIONS = 2 };

struct vdbench_row vdbench_row_none(void)
{
    const double none = (double)NAN;
    return (struct vdbench_row) { .day_s = none,
                                  .rate = none,
                                  .mb = none,
                                  .bytes = none,
                                  .read_pct = none,
                                  .resp = none,
                                  .read_resp = none,
                                  .write_resp = none,
                                  .max = none,
                                  .read_max = none,
                                  .write_max = none,
                                  .sd = none,
                                  .read_sd = none,
                                  .write_sd = none,
                                  .size = none,
                                  .threads = none,
                                  .seek_pct = none,
                                  .asked_read_pct = none,
                                  .depth = none };
}

bool vdbench_time(const char *text, double *ret)
{
    double part[3];
    const char *p = text;
    for (int i = 0; i < 3; i++) {
        if (*p < '0' || *p > '9' || !scan_decimal(&p, &part[i]) || (i < 2 && *p++ != ':'))
            return false;
    }
    *ret = part[0] * 3600 + part[1] * 60 + part[2];
    return *ret < DAY_S + 1;
}

bool vdbench_interval(const char *text, struct vdbench_row *row)
{
    double first, last;
    const char *p = text;
    row->average = !strncmp(p, "avg_", 4);
    p += row->average ? 4 : 0;
    if (*p < '0' || *p > '9' || !scan_decimal(&p, &first) || first > 1e9)
        return false;
    last = first;
    if (row->average && (*p++ != '-' || !scan_decimal(&p, &last) || last < first || last > 1e9))
        return false;
    row->first = (uint64_t)first;
    row->last = (uint64_t)last;
    return !*p;
}

struct vdbench_run *vdbench_run_new(struct collect *c, const char *name)
{
    struct vdbench_run **at = &c->vdbench;
    while (*at)
        at = &(*at)->next;
    *at = arena_one(c->a, struct vdbench_run);
    (*at)->name = name;
    (*at)->source = (size_t)(c->source - c->sources);
    return *at;
}

void vdbench_take(struct vdbench_run *run, const struct vdbench_row *row)
{
    if (row->average)
        run->average = *row;
    else
        *array_push(&run->rows) = *row;
}

const char *vdbench_starting(struct arena *a, const char *line, double *elapsed_s)
{
    const char *p = strstr(line, "Starting RD=");
    if (!p)
        return NULL;
    p += strlen("Starting RD=");
    const char *elapsed = strstr(p, "elapsed=");
    elapsed = elapsed ? elapsed + strlen("elapsed=") : NULL;
    if (!elapsed || !scan_decimal(&elapsed, elapsed_s))
        *elapsed_s = 0;
    return arena_strndup(a, p, strcspn(p, ";<"));
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

static int by_value(const void *x, const void *y)
{
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

/* Length of an interval: what most rows are after the one before. */
static double interval_of(struct arena *a, const struct vdbench_run *run)
{
    double *dt = arena_array(a, double, run->rows.n + 1);
    size_t n = 0;
    for (size_t i = 1; i < run->rows.n; i++) {
        double d = run->rows.at[i].day_s - run->rows.at[i - 1].day_s;
        d += d < 0 ? DAY_S : 0; /* past midnight */
        if (d > 0)
            dt[n++] = d;
    }
    if (n) {
        qsort(dt, n, sizeof *dt, by_value);
        return dt[n / 2] > 0.6 ? round(dt[n / 2]) : dt[n / 2];
    }
    double counted = run->average.line ? (double)run->average.last : 0;
    return run->elapsed_s > 0 && counted > 0 ? run->elapsed_s / counted : 1;
}

static double share_of(const struct vdbench_row *r, int d)
{
    double reads = isnan(r->read_pct) ? 1 : fmin(fmax(r->read_pct / 100, 0), 1);
    return d == 0 ? reads : 1 - reads;
}

static uint64_t count_of(double v)
{
    return v > 0 && v < 0x1p52 ? (uint64_t)llround(v) : 0;
}

/* Where a row tells reads and writes apart its own numbers, where there is but one direction those of both. */
static struct spread times_of(const struct vdbench_row *r, int d, uint64_t n)
{
    bool only = share_of(r, d) >= 1;
    double mean = d == 0 ? r->read_resp : r->write_resp;
    double high = d == 0 ? r->read_max : r->write_max, sd = d == 0 ? r->read_sd : r->write_sd;
    if (only) {
        mean = isnan(mean) ? r->resp : mean;
        high = isnan(high) ? r->max : high;
        sd = isnan(sd) ? r->sd : sd;
    }
    return (struct spread) { n, mean * 1e6, sd * 1e6, (double)NAN, high * 1e6 };
}

static struct moments moments_with_end(const struct spread *s)
{
    struct moments m = spread_moments(s);
    if (m.n && s->high_ns > 0 && s->high_ns < 0x1p58)
        m.max = (uint64_t)llround(s->high_ns);
    return m;
}

static void put_result(struct import_cell *cell, const struct vdbench_row *r, double seconds)
{
    double bytes_s = isnan(r->bytes) || isnan(r->rate) ? r->mb * 0x1p20 : r->rate * r->bytes;
    cell->result.measured_ns = seconds > 0 && seconds < 1e9 ? (uint64_t)(seconds * 1e9) : 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        struct direction_result *x = &cell->result.dir[d];
        double share = share_of(r, d);
        x->ios = count_of(r->rate * share * seconds);
        x->bytes = isnan(r->bytes) ? count_of(bytes_s * share * seconds)
                                   : count_of((double)x->ios * r->bytes);
        x->asked = x->ios > 0;
        struct spread s = times_of(r, d, x->ios);
        x->lat = moments_with_end(&s);
        x->lat_max_ns = x->lat.max;
        if (!x->asked)
            *x = (struct direction_result) { .lat = moments_zero() };
    }
    if (r->depth > 0)
        cell->result.achieved_depth = r->depth;
}

static void put_intervals(const struct vdbench_run *run, double length, struct import_cell *cell)
{
    for (size_t i = 0; i < run->rows.n; i++) {
        const struct vdbench_row *r = &run->rows.at[i];
        double skipped = run->average.line ? (double)run->average.first - 1 : 0;
        double at = ((double)r->first - 1 - skipped) * length;
        double bytes = isnan(r->bytes) ? r->mb * 0x1p20 / r->rate : r->bytes;
        if (!(r->rate >= 0) || !(fabs(at) < 1e9) || (i && r->first <= run->rows.at[i - 1].first))
            continue;
        struct import_interval *to = array_push(&cell->intervals);
        to->at.t_ns = (int64_t)llround(at * 1e9);
        to->at.length_ns = (uint64_t)(length * 1e9);
        for (int d = 0; d < DIR_COUNT; d++)
            to->at.dir[d].lat = moments_zero();
        for (int d = 0; d < DIRECTIONS; d++) {
            struct interval_direction *x = &to->at.dir[d];
            x->asked = cell->result.dir[d].asked;
            x->ios = count_of(r->rate * share_of(r, d) * length);
            x->bytes = count_of((double)x->ios * bytes);
            struct spread s = times_of(r, d, x->ios);
            x->lat = moments_with_end(&s);
            if (!x->asked)
                x->ios = x->bytes = 0;
        }
    }
}

/* Without its row of averages (the run was broken off) the result is the sum of the intervals that are there. */
static struct vdbench_row averaged(const struct vdbench_run *run)
{
    struct vdbench_row sum = vdbench_row_none();
    double n = 0, rate = 0, bytes = 0, reads = 0;
    for (size_t i = 0; i < run->rows.n; i++) {
        const struct vdbench_row *r = &run->rows.at[i];
        if (!(r->rate >= 0))
            continue;
        n++;
        rate += r->rate;
        bytes += r->rate * (isnan(r->bytes) ? 0 : r->bytes);
        reads += r->rate * share_of(r, 0);
    }
    sum.rate = n > 0 ? rate / n : (double)NAN;
    sum.bytes = rate > 0 ? bytes / rate : (double)NAN;
    sum.read_pct = rate > 0 ? reads / rate * 100 : (double)NAN;
    if (run->rows.n) {
        const struct vdbench_row *last = &run->rows.at[run->rows.n - 1];
        sum.size = last->size;
        sum.threads = last->threads;
        sum.seek_pct = last->seek_pct;
        sum.asked_read_pct = last->asked_read_pct;
        sum.line = last->line;
    }
    sum.first = 1;
    sum.last = run->rows.n;
    return sum;
}

static void describe(struct collect *c, const struct vdbench_row *r, struct import_cell *cell)
{
    double size = r->size > 0 ? r->size : r->bytes;
    double random = r->seek_pct >= 0 && r->seek_pct <= 100 ? r->seek_pct : 0;
    bool known = size >= 1 && size <= PLAN_MAX_SIZE;
    double reads = isnan(r->asked_read_pct) ? share_of(r, 0) : r->asked_read_pct / 100;
    reads = fmin(fmax(reads, 0), 1);
    cell->pattern = pattern_simple(c->a, known ? (uint32_t)lround(size) : 0,
                                   (uint32_t)lround(reads * 100) * 100,
                                   (uint32_t)lround(random * 100));
    cell->pattern.order_unknown = isnan(r->seek_pct);
    if (r->threads >= 1 && r->threads <= PLAN_MAX_QUEUE_DEPTH)
        cell->queue_depth = (uint32_t)lround(r->threads);
    if (isnan(r->seek_pct) || isnan(r->threads))
        collect_warn_once(
            c, "unknown-depth",
            "it does not say threads (1 is shown), random or sequential: the flatfile "
            "of the same run would");
}

static void put_bins(struct collect *c, const struct vdbench_run *run, struct import_cell *cell)
{
    bool apart = run->bins[1].n || run->bins[2].n;
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct wide_bins *b = apart ? &run->bins[d + 1] : &run->bins[0];
        struct direction_result *x = &cell->result.dir[d];
        bool only = !cell->result.dir[1 - d].asked;
        if (x->asked && b->n && (apart || only))
            percentiles_of_bins(c->a, b, x);
    }
}

static void put_run(struct collect *c, const struct vdbench_run *run)
{
    struct vdbench_row r = run->average.line ? run->average : averaged(run);
    double length = interval_of(c->a, run);
    c->source = &c->sources[run->source];
    if (!(r.rate > 0)) {
        collect_warn(c, r.line, "run definition '%s' did no I/O", run->name);
        return;
    }
    if (!run->average.line)
        collect_warn(c, r.line, "run definition '%s' has no row of averages: it was broken off",
                     run->name);
    struct import_cell *cell = collect_cell(c);
    cell->job = run->name;
    cell->started_ns = run->started_ns;
    describe(c, &r, cell);
    put_result(cell, &r, (double)(r.last - r.first + 1) * length);
    cell->duration_ns = cell->result.measured_ns;
    put_intervals(run, length, cell);
    put_bins(c, run, cell);
    if (!run->average.line)
        cell->result.status = CELL_INTERRUPTED;
    if (!isnan(r.mb) && r.bytes > 0 &&
        fabs(r.rate * r.bytes / 0x1p20 - r.mb) > 0.01 * r.mb + 0.01 + r.bytes * 0.06 / 0x1p20)
        collect_warn(c, r.line, "a rate of %.6g of %.6g bytes is not the %.6g MB/s it says: %s",
                     r.rate, r.bytes, r.mb, "the rate was taken");
    figures_note_computed(c, "Vdbench");
}

static bool in_flatfile(const struct collect *c, const struct vdbench_run *run)
{
    for (const struct vdbench_run *r = c->vdbench; r; r = r->next)
        if (r->flat && !strcmp(r->name, run->name))
            return true;
    return false;
}

/* A histogram has no rows: they are in another file of the same command. */
static bool join_bins(struct collect *c, const struct vdbench_run *run)
{
    for (struct vdbench_run *r = c->vdbench; r; r = r->next)
        if (r != run && (r->flat || (r->summary && !in_flatfile(c, r))) && !r->bins[0].n &&
            !strcmp(r->name, run->name)) {
            memcpy(r->bins, run->bins, sizeof r->bins);
            return true;
        }
    return false;
}

static void join(struct collect *c)
{
    size_t lost = 0;
    for (struct vdbench_run *r = c->vdbench; r; r = r->next) {
        c->source = &c->sources[r->source];
        if (!r->flat && !r->summary && r->bins[0].n && !join_bins(c, r) && !lost++)
            collect_warn(c, 0,
                         "a histogram has no rates: import it together with the flatfile.html of "
                         "its run");
    }
}

int vdbench_finish(struct collect *c, struct error *e)
{
    (void)e;
    join(c);
    for (struct vdbench_run *r = c->vdbench; r; r = r->next) {
        if (r->flat || (r->summary && !in_flatfile(c, r)))
            put_run(c, r);
        array_free(&r->rows);
    }
    c->vdbench = NULL;
    return 0;
}
