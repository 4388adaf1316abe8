#include "import/figure.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"

#define SUM_LIMIT 0x1p58
#define COUNT_LIMIT 0x1p53
enum { NOMINAL_S = 1000 };

struct moments spread_moments(const struct spread *s)
{
    struct moments m = moments_zero();
    double sum = s->mean_ns * (double)s->n;
    if (s->n == 0 || !(s->mean_ns >= 0) || !(sum < SUM_LIMIT))
        return m;
    m.n = s->n;
    m.sum = (uint64_t)llround(sum);
    bool ends = s->high_ns >= s->low_ns && s->low_ns >= 0 && s->high_ns < SUM_LIMIT;
    m.min = ends ? (uint64_t)llround(s->low_ns) : UINT64_MAX;
    m.max = ends ? (uint64_t)llround(s->high_ns) : 0;
    if (!(s->sd_ns >= 0) || !(s->sd_ns < 0x1p40))
        return m;
    /* the inverse of moments_variance: squares around q = ⌊Σx/n⌋ */
    uint64_t q = m.sum / m.n, r = m.sum % m.n;
    double squares = (double)(m.n - 1) * s->sd_ns * s->sd_ns + (double)r * (double)r / (double)m.n;
    if (squares < 0x1p100) {
        unsigned __int128 wide = q;
        m.sum_sq = (unsigned __int128)(squares + 0.5) + 2 * wide * m.sum - wide * q * m.n;
    }
    return m;
}

void percentiles_add(struct percentiles *into, const char *percent, double ns, const char *origin)
{
    struct error ignored;
    struct fraction p;
    if (into->n == countof(into->at) || parse_percentile(percent, &p, &ignored) || !p.num ||
        !(ns >= 0))
        return;
    for (size_t i = 0; i < into->n; i++)
        if (into->at[i].p.num == p.num && into->at[i].p.den == p.den)
            return;
    into->at[into->n++] = (struct known_percentile) {
        .p = p, .low_ns = ns, .high_ns = ns, .origin = origin
    };
}

void percentiles_keep(struct arena *a, const struct percentiles *p, struct direction_result *to)
{
    if (!p->n)
        return;
    to->percentiles = arena_memdup(a, p->at, p->n * sizeof *p->at);
    to->n_percentiles = p->n;
}

/* Which bin holds rank `rank`, from 1. */
static const struct wide_bin *bin_at(const struct wide_bins *b, uint64_t rank)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < b->n; i++) {
        sum += b->at[i].count;
        if (sum >= rank)
            return &b->at[i];
    }
    return &b->at[b->n - 1];
}

void percentiles_of_bins(struct arena *a, const struct wide_bins *b, struct direction_result *to)
{
    static const struct fraction wanted[] = { { 1, 2 },         { 9, 10 },     { 95, 100 },
                                              { 99, 100 },      { 999, 1000 }, { 9999, 10000 },
                                              { 99999, 100000 } };
    uint64_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        n += b->at[i].count;
    if (!n)
        return;
    struct known_percentile *at = arena_array(a, struct known_percentile, countof(wanted));
    to->n_percentiles = 0;
    for (size_t i = 0; i < countof(wanted); i++) {
        if (!percentile_printable(n, wanted[i]))
            continue;
        unsigned __int128 part = (unsigned __int128)n * wanted[i].num;
        const struct wide_bin *bin = bin_at(b,
                                            (uint64_t)((part + wanted[i].den - 1) / wanted[i].den));
        double high = isfinite(bin->high_ns) || !to->lat_max_ns ? bin->high_ns
                                                                : (double)to->lat_max_ns;
        if (!isfinite(high))
            continue;
        at[to->n_percentiles++] = (struct known_percentile) {
            .p = wanted[i], .low_ns = fmin(bin->low_ns, high), .high_ns = high, .origin = b->origin
        };
    }
    to->percentiles = at;
}

struct figures figures_none(uint32_t size)
{
    const double none = (double)NAN;
    return (struct figures) { none, none, none, none, none, none, size, 0, NULL, 1, 1 };
}

static uint64_t count_of(double rate, double seconds)
{
    double v = rate * seconds;
    return v > 0 && v < COUNT_LIMIT ? (uint64_t)llround(v) : 0;
}

static void check_rates(struct collect *c, const struct figures *f)
{
    double bytes = f->iops * f->size;
    double leeway = 0.01 * bytes + f->unit + f->iops_unit * f->size;
    if (!f->size || !(fabs(bytes - f->bytes_s) > leeway))
        return;
    const char *what = arena_printf(
        c->a, "%.6g IOPS of %u bytes are %.6g MB/s, but it says %.6g MB/s: both are kept", f->iops,
        f->size, bytes / 1e6, f->bytes_s / 1e6);
    if (f->key && !f->line)
        collect_warn_key(c, f->key, "%s", what);
    else
        collect_warn(c, f->line, "%s", what);
}

void figures_put(struct collect *c, struct import_cell *cell, enum direction d,
                 const struct figures *f)
{
    struct direction_result *r = &cell->result.dir[d];
    double seconds = (double)cell->result.measured_ns / (double)NS_PER_S;
    double iops = f->iops, bytes_s = f->bytes_s;
    check_rates(c, f);
    if (isnan(iops) && f->size)
        iops = bytes_s / f->size;
    if (isnan(bytes_s) && f->size)
        bytes_s = iops * f->size;
    uint64_t ios = count_of(iops, seconds), bytes = count_of(bytes_s, seconds);
    if (!ios && !bytes)
        return;
    r->asked = true;
    r->ios = ios;
    r->bytes = bytes;
    struct spread s = { ios, f->mean_ns, f->sd_ns, f->low_ns, f->high_ns };
    r->lat = spread_moments(&s);
    if (f->high_ns >= 0 && f->high_ns < SUM_LIMIT)
        r->lat_max_ns = (uint64_t)llround(f->high_ns);
    if (r->lat.n && !r->lat.max)
        r->lat.max = r->lat_max_ns;
}

void figures_rates_only(struct import_cell *cell)
{
    cell->result.measured_ns = NOMINAL_S * NS_PER_S;
    cell->result.rates_only = true;
}

void figures_note_computed(struct collect *c, const char *tool)
{
    collect_note(c,
                 &(struct import_note) {
                     .code = "ios-computed",
                     .severity = EVENT_NOTE,
                     .what = arena_printf(c->a,
                                          "The numbers of I/Os and bytes are computed from rates "
                                          "and time: %s does not give them.",
                                          tool) });
}
