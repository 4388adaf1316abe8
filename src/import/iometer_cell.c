#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fmt.h"
#include "import/iometer_inside.h"
#include "model/workload_name.h"

static double seconds_of(const struct iometer_sum *s)
{
    double ios = (double)s->ios[0] + (double)s->ios[1];
    double v = s->iops > 0 && ios > 0 ? ios / s->iops : s->run_s;
    if (s->run_s > 0 && fabs(v - s->run_s) <= 2e-6 / (s->iops > 0 ? s->iops : 1) * v)
        v = s->run_s; /* the same with more digits */
    return v > 0 && v < 1e9 ? v : 0;
}

static uint64_t ns_of(double seconds)
{
    return (uint64_t)llround(seconds * 1e9);
}

static struct moments moments_of(const struct iometer_sum *s, int d)
{
    struct moments m = moments_zero();
    if (!s->timed[d])
        return m;
    m.n = s->ios[d];
    m.sum = (uint64_t)llround(s->lat_ms[d] * 1e6);
    m.max = (uint64_t)llround(s->max_ms[d] * 1e6);
    return m;
}

/* --- intervals ------------------------------------------------------------------------------------------------------ */

static void add_interval(struct import_interval *in, const struct iometer_sum *row)
{
    for (int d = 0; d < 2; d++) {
        struct interval_direction *x = &in->at.dir[d];
        struct moments m = moments_of(row, d);
        x->ios += row->ios[d];
        x->bytes += row->bytes[d];
        x->errors += row->errors[d];
        x->lat.n += m.n;
        x->lat.sum += m.sum;
        x->lat.max = m.max > x->lat.max ? m.max : x->lat.max;
    }
}

void iometer_interval(struct collect *c, struct iometer_part *p, const struct iometer_sum *row,
                      int64_t stamp_ns)
{
    if (p->intervals.n && stamp_ns == p->last_stamp_ns) {
        add_interval(&p->intervals.at[p->intervals.n - 1], row);
        return;
    }
    if (p->intervals.n && stamp_ns < p->last_stamp_ns) {
        collect_warn(c, row->line, "its time lies before that of the row before: it is left out");
        return;
    }
    double seconds = seconds_of(row);
    uint64_t length = ns_of(seconds);
    if (!p->intervals.n)
        p->first_stamp_ns = stamp_ns;
    else if (!length)
        length = (uint64_t)(stamp_ns - p->last_stamp_ns);
    p->last_stamp_ns = stamp_ns;
    struct import_interval *in = array_push(&p->intervals);
    in->at = (struct interval) { .t_ns = stamp_ns - p->first_stamp_ns, .length_ns = length };
    for (int d = 0; d < DIR_COUNT; d++)
        in->at.dir[d].lat = moments_zero();
    add_interval(in, row);
}

/* --- percentiles ---------------------------------------------------------------------------------------------------- */

/* Which bin holds rank `rank`, from 1. Iometer never counts what took 10 s and more (its loop ends one bin early): the last bin has
 * what is missing. */
static const struct iometer_bin *bin_at(const struct iometer_heading *h, const uint64_t *bins,
                                        uint64_t rank)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < h->n_bins; i++) {
        sum += bins[i];
        if (sum >= rank)
            return &h->bins[i];
    }
    return &h->bins[h->n_bins - 1];
}

/* From the bins, which count reads and writes together: ranges, of the only direction or of all. */
static size_t percentiles(struct collect *c, const struct iometer_heading *h,
                          const struct iometer_sum *s, const struct known_percentile **ret)
{
    static const struct fraction wanted[] = { { 1, 2 },         { 9, 10 },     { 95, 100 },
                                              { 99, 100 },      { 999, 1000 }, { 9999, 10000 },
                                              { 99999, 100000 } };
    uint64_t n = s->ios[0] + s->ios[1], sum = 0;
    double max_ms = fmax(s->max_ms[0], s->max_ms[1]);
    size_t found = 0;
    for (size_t i = 0; i < h->n_bins; i++)
        sum += s->bins[i];
    if (!sum)
        return 0;
    if (sum > n || (sum < n && max_ms < 10000)) {
        collect_warn(c, s->line, "its latency bins hold %llu I/Os, not %llu: they are left out",
                     (unsigned long long)sum, (unsigned long long)n);
        return 0;
    }
    struct known_percentile *at = arena_array(c->a, struct known_percentile, countof(wanted));
    double most = max_ms > 0 ? max_ms * 1e6 : (double)INFINITY;
    for (size_t i = 0; i < countof(wanted); i++) {
        if (!percentile_printable(n, wanted[i]))
            continue;
        unsigned __int128 part = (unsigned __int128)n * wanted[i].num;
        uint64_t rank = (uint64_t)((part + wanted[i].den - 1) / wanted[i].den);
        const struct iometer_bin *bin = bin_at(h, s->bins, rank);
        double high = fmin(bin->high, most);
        at[found++] = (struct known_percentile) {
            .p = wanted[i],
            .low_ns = fmin(bin->low, high),
            .high_ns = high,
            .origin = "Iometer's latency bins",
        };
    }
    *ret = at;
    return found;
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

static struct import_pattern pattern_of(struct collect *c, const struct iometer_part *p,
                                        const struct iometer_spec *spec)
{
    if (spec && spec->pattern.n_lines) {
        struct import_pattern copy = spec->pattern;
        copy.lines = arena_memdup(c->a, copy.lines, copy.n_lines * sizeof *copy.lines);
        /* one line is named by what it does, unless its name is an id already, as in our own exports */
        bool id = !strcmp(workload_slug(c->a, spec->name), spec->name);
        copy.name = copy.n_lines > 1 || id ? spec->name : NULL;
        return copy;
    }
    collect_warn(c, p->sum.line,
                 "the file has no lines of access specification '%s': its pattern is made of what "
                 "was moved",
                 p->spec ? p->spec : "");
    uint64_t ios = p->sum.ios[0] + p->sum.ios[1], bytes = p->sum.bytes[0] + p->sum.bytes[1];
    uint64_t size = ios ? bytes / ios : 0;
    struct import_pattern made = pattern_simple(
        c->a, size <= PLAN_MAX_SIZE ? (uint32_t)size : 0,
        ios ? (uint32_t)((double)p->sum.ios[0] * 1e4 / (double)ios) : 0, 0);
    made.order_unknown = true;
    return made;
}

static void check_claims(struct collect *c, const struct iometer_sum *s, double seconds)
{
    const struct import_claim rates[] = {
        { .key = "IOps",
          .counted = s->ios[0] + s->ios[1],
          .seconds = s->run_s,
          .claimed = s->iops,
          .unit = 1e-6,
          .what = "IOPS" },
        { .key = "MiBps",
          .counted = s->bytes[0] + s->bytes[1],
          .seconds = seconds,
          .claimed = s->mib < 0 ? -1 : s->mib * 0x1p20,
          .unit = 1.05,
          .what = "B/s" },
        { .key = "MBps (Decimal)",
          .counted = s->bytes[0] + s->bytes[1],
          .seconds = seconds,
          .claimed = s->mb < 0 ? -1 : s->mb * 1e6,
          .unit = 1,
          .what = "B/s" },
    };
    for (size_t i = 0; i < countof(rates); i++) {
        struct import_claim x = rates[i];
        x.line = s->line;
        collect_check_claim(c, &x);
    }
}

static void fill_result(struct collect *c, const struct iometer_heading *h,
                        const struct iometer_part *p, struct import_cell *cell)
{
    const struct iometer_sum *s = &p->sum;
    double seconds = seconds_of(s);
    cell->result.measured_ns = ns_of(seconds);
    cell->result.span_bytes = s->span_bytes;
    for (int d = 0; d < 2; d++) {
        struct direction_result *x = &cell->result.dir[d];
        x->asked = s->ios[d] || s->errors[d];
        x->ios = s->ios[d];
        x->bytes = s->bytes[d];
        x->errors = s->errors[d];
        x->lat = moments_of(s, d);
        x->lat_max_ns = x->lat.max;
    }
    const struct known_percentile *known = NULL;
    size_t n = h->n_bins ? percentiles(c, h, s, &known) : 0;
    struct direction_result *only = &cell->result.dir[s->ios[0] ? 0 : 1];
    bool both = s->ios[0] && s->ios[1];
    *(both ? &cell->result.percentiles : &only->percentiles) = known;
    *(both ? &cell->result.n_percentiles : &only->n_percentiles) = n;
}

/* The length of the first interval of a stamped file is known from its rates alone; where these are 0 it takes the second's. */
static void settle_intervals(struct import_cell *cell, struct iometer_sum *sum)
{
    uint64_t all = 0;
    size_t n = cell->intervals.n;
    struct import_interval *at = cell->intervals.at;
    if (n > 1 && !at[0].at.length_ns)
        at[0].at.length_ns = at[1].at.length_ns;
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 2; d++)
            at[i].at.dir[d].asked = sum->ios[d] > 0;
        all += at[i].at.length_ns;
    }
    sum->iops = all ? ((double)sum->ios[0] + (double)sum->ios[1]) * 1e9 / (double)all : 0;
}

void iometer_cell(struct collect *c, const struct iometer_heading *h, struct iometer_part *p,
                  const struct iometer_spec *spec, int64_t started_ns)
{
    struct iometer_part part = *p;
    struct import_cell cell = { .queue_depth = 1 };
    if (!(p->sum.ios[0] || p->sum.ios[1] || p->sum.errors[0] || p->sum.errors[1])) {
        collect_warn(c, p->sum.line, "this test recorded no I/O (it was aborted?): it is left out");
        array_free(&p->intervals);
        return;
    }
    struct import_cell *made = collect_cell(c);
    cell = *made;
    cell.target = p->target;
    cell.job = p->spec;
    cell.pattern = pattern_of(c, p, spec);
    cell.queue_depth = collect_limited(c, p->sum.line, p->sum.depth, PLAN_MAX_QUEUE_DEPTH);
    cell.workers = collect_limited(c, p->sum.line, p->sum.workers, PLAN_MAX_WORKERS);
    cell.direct = true;
    cell.started_ns = started_ns;
    cell.intervals.at = p->intervals.at;
    cell.intervals.n = p->intervals.n;
    cell.intervals.cap = p->intervals.cap;
    if (p->intervals.n)
        settle_intervals(&cell, &part.sum);
    else
        check_claims(c, &p->sum, seconds_of(&p->sum));
    fill_result(c, h, &part, &cell);
    cell.duration_ns = cell.result.measured_ns;
    *made = cell;
    if (!p->intervals.n)
        return;
    struct iometer_pending *wait = arena_one(c->a, struct iometer_pending);
    wait->cell = cell;
    collect_drop(c);
    struct iometer_pending **end = &c->iometer;
    while (*end)
        end = &(*end)->next;
    *end = wait;
}
