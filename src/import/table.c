#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/parse.h"
#include "base/str.h"
#include "import/scan.h"
#include "import/table_inside.h"

/* --- columns -------------------------------------------------------------------------------------------------------- */

static const struct rate_column {
    const char *name;
    double unit;
} rates[] = {
    { "mb_s", 1e6 }, { "mib_s", 0x1p20 }, { "kb_s", 1e3 },  { "kib_s", 0x1p10 },
    { "gb_s", 1e9 }, { "gib_s", 0x1p30 }, { "bytes_s", 1 },
};

static const struct time_unit {
    const char *end;
    double ns;
} time_units[] = { { "_ns", 1 }, { "_us", 1e3 }, { "_ms", 1e6 }, { "_s", 1e9 } };

static const struct percentile_column {
    const char *base, *percent;
} percentile_columns[] = {
    { "lat_p50", "50" },        { "lat_p90", "90" },    { "lat_p95", "95" },
    { "lat_p99", "99" },        { "lat_p999", "99.9" }, { "lat_p9999", "99.99" },
    { "lat_p99999", "99.999" },
};
static const char *const times[] = { "lat_mean", "lat_stddev", "lat_min", "lat_max" };

/* What else may stand there; cell, run and the like are of one store and mean nothing in another. */
static const char *const others[] = {
    "target",     "workload",     "queue_depth", "workers", "size",       "read_pct",
    "random_pct", "direction",    "direct",      "status",  "ios",        "bytes",
    "seconds",    "iops",         "errors",      "source",  "span_bytes", "achieved_depth",
    "cpu_user_s", "cpu_system_s", "steady",      "job",     "rep",        "round",
    "cell",       "run",          "run_name",    "fill",    "rate_iops",  "engine",
    "no",         "point",        "attempt",     "note",
};

static bool same(const char *x, const char *y)
{
    return !strcasecmp(x, y);
}

/* ns of "lat_mean_ms" if its base is `base`; 0: it is another column. */
static double time_column(const char *name, const char *base)
{
    size_t n = strlen(base);
    if (strncasecmp(name, base, n) != 0)
        return 0;
    for (size_t i = 0; i < countof(time_units); i++)
        if (same(name + n, time_units[i].end))
            return time_units[i].ns;
    return 0;
}

bool table_knows(const char *name)
{
    for (size_t i = 0; i < countof(others); i++)
        if (same(name, others[i]))
            return true;
    for (size_t i = 0; i < countof(rates); i++)
        if (same(name, rates[i].name))
            return true;
    for (size_t i = 0; i < countof(times); i++)
        if (time_column(name, times[i]) > 0)
            return true;
    for (size_t i = 0; i < countof(percentile_columns); i++)
        if (time_column(name, percentile_columns[i].base) > 0)
            return true;
    return false;
}

bool table_is(const char *const *names, size_t n)
{
    bool rate = false, what = false;
    for (size_t i = 0; i < n; i++) {
        rate |= same(names[i], "iops") || same(names[i], "ios");
        for (size_t k = 0; k < countof(rates); k++)
            rate |= same(names[i], rates[k].name);
        what |= same(names[i], "workload") || same(names[i], "size");
    }
    return rate && what;
}

void table_warn_unknown(struct collect *c, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (*names[i] && !table_knows(names[i]))
            collect_warn_key(c, names[i], "a column of that name is not known: it is left out");
}

enum { KEY_LIMIT = 1 << 20 };

/* --- values --------------------------------------------------------------------------------------------------------- */

static const char *text(const struct table_row *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (same(r->names[i], name))
            return r->values[i];
    return "";
}

static double number_of(struct table *t, const struct table_row *r, size_t i)
{
    const char *p = r->values[i];
    double v;
    if (!*p || same(p, "null"))
        return (double)NAN;
    if (scan_decimal(&p, &v) && !*scan_blanks(p))
        return v;
    collect_warn(t->c, r->line, "%s: '%.40s' is no number: it is missing", r->names[i],
                 r->values[i]);
    return (double)NAN;
}

static double number(struct table *t, const struct table_row *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (same(r->names[i], name))
            return number_of(t, r, i);
    return (double)NAN;
}

static double time_at(struct table *t, const struct table_row *r, const char *base)
{
    for (size_t i = 0; i < r->n; i++) {
        double unit = time_column(r->names[i], base);
        if (unit > 0 && *r->values[i])
            return number_of(t, r, i) * unit;
    }
    return (double)NAN;
}

static double bytes_rate(struct table *t, const struct table_row *r, struct figures *f)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < countof(rates); k++)
            if (same(r->names[i], rates[k].name) && *r->values[i]) {
                const char *point = strpbrk(r->values[i], ".,");
                size_t decimals = point ? strspn(point + 1, "0123456789") : 0;
                f->unit = rates[k].unit * pow(10, -(double)decimals);
                return number_of(t, r, i) * rates[k].unit;
            }
    return (double)NAN;
}

static uint32_t whole(struct table *t, const struct table_row *r, const char *name, uint32_t most)
{
    double v = number(t, r, name);
    if (isnan(v))
        return 1;
    if (v >= 1 && v <= most && v == floor(v))
        return (uint32_t)v;
    collect_warn(t->c, r->line, "%s: %g is not from 1 to %u: 1 is taken", name, v, most);
    return 1;
}

static double percent(struct table *t, const struct table_row *r, const char *name)
{
    double v = number(t, r, name);
    if (isnan(v) || (v >= 0 && v <= 100))
        return v;
    collect_warn(t->c, r->line, "%s: %g is no percentage: it is missing", name, v);
    return (double)NAN;
}

static double size_of(struct table *t, const struct table_row *r)
{
    const char *p = text(r, "size");
    double v;
    if (!*p)
        return 0;
    if (scan_size(&p, &v) && !*scan_blanks(p) && v >= 1 && v <= PLAN_MAX_SIZE)
        return v;
    collect_warn(t->c, r->line, "size: '%.40s' is no size up to 64 MiB: it is missing",
                 text(r, "size"));
    return 0;
}

/* --- cells ---------------------------------------------------------------------------------------------------------- */

/* "70 % read" of what the columns say, else of the direction, else (-1) unknown. */
static double reads_of(struct table *t, const struct table_row *r)
{
    double v = percent(t, r, "read_pct");
    if (!isnan(v))
        return v;
    const char *d = text(r, "direction");
    return same(d, "read") ? 100 : same(d, "write") ? 0 : -1;
}

static void set_pattern(struct table *t, const struct table_row *r, struct import_cell *cell)
{
    double size = size_of(t, r), reads = reads_of(t, r), random = percent(t, r, "random_pct");
    const char *name = text(r, "workload");
    cell->pattern = pattern_simple(t->c->a, (uint32_t)lround(size),
                                   reads < 0 ? 10000 : (uint32_t)lround(reads * 100),
                                   isnan(random) ? 0 : (uint32_t)lround(random * 100));
    cell->pattern.order_unknown = isnan(random);
    if (*name)
        cell->pattern.name = arena_strdup(t->c->a, name);
    if (reads < 0)
        collect_warn_once(
            t->c, "direction",
            "neither read_pct nor direction says what was done: it is stored as reads");
}

static void set_facts(struct table *t, const struct table_row *r, struct import_cell *cell)
{
    struct cell_result *x = &cell->result;
    const char *direct = text(r, "direct"), *source = text(r, "source");
    for (enum engine_used u = USED_NONE; u <= USED_SYNC; u++)
        if (same(text(r, "engine"), engine_used_name(u)))
            x->engine = u;
    double seconds = number(t, r, "seconds"), span = number(t, r, "span_bytes");
    double user = number(t, r, "cpu_user_s"), sys = number(t, r, "cpu_system_s");
    double steady = number(t, r, "steady");
    cell->direct = same(direct, "1") || same(direct, "yes") || same(direct, "true");
    if (seconds > 0 && seconds < 1e9)
        x->measured_ns = (uint64_t)llround(seconds * 1e9);
    else
        figures_rates_only(cell);
    if (span > 0 && span < 0x1p62)
        x->span_bytes = (uint64_t)span;
    if (user >= 0 && sys >= 0 && user + sys < 1e9) {
        x->cpu_user_ns = (uint64_t)llround(user * 1e9);
        x->cpu_system_ns = (uint64_t)llround(sys * 1e9);
    }
    x->achieved_depth = number(t, r, "achieved_depth");
    if (*text(r, "note"))
        collect_cell_note(cell, &(struct import_note) {
                                    .code = "import-note",
                                    .severity = EVENT_NOTE,
                                    .what = arena_strdup(t->c->a, text(r, "note")),
                                });
    if (!isnan(steady))
        x->steady = steady > 0;
    if (*source && t->c->source->summary->tool && !strcmp(t->c->source->summary->tool, "table"))
        t->c->source->summary->tool = arena_strdup(t->c->a, source);
}

void table_end_cell(struct table *t)
{
    bool any = !t->cell;
    for (int d = 0; d < DIR_COUNT && !any; d++)
        any = t->cell->result.dir[d].asked;
    if (!any)
        collect_drop(t->c); /* none of its rows held anything */
    t->cell = NULL;
}

static void begin_cell(struct table *t, const struct table_row *r)
{
    table_end_cell(t);
    struct import_cell *cell = t->cell = collect_cell(t->c);
    const char *target = text(r, "target"), *job = text(r, "job");
    t->has_directions = false;
    cell->target = *target ? arena_strdup(t->c->a, target) : NULL;
    cell->job = *job ? arena_strdup(t->c->a, job) : NULL;
    cell->queue_depth = whole(t, r, "queue_depth", PLAN_MAX_QUEUE_DEPTH);
    cell->workers = whole(t, r, "workers", PLAN_MAX_WORKERS);
    set_pattern(t, r, cell);
    set_facts(t, r, cell);
}

/* Rows of the same cell have all of these in common. */
static void put_key(struct str *to, const struct table_row *r)
{
    static const char *const parts[] = { "cell",    "target", "workload", "queue_depth",
                                         "workers", "size",   "read_pct", "random_pct",
                                         "rep",     "round",  "job",      "run" };
    str_clear(to);
    for (size_t i = 0; i < countof(parts); i++) {
        str_put(to, text(r, parts[i]));
        str_char(to, '\n');
    }
}

static void put_exact(struct table *t, const struct table_row *r, struct direction_result *x,
                      const struct figures *f)
{
    double ios = number(t, r, "ios"), bytes = number(t, r, "bytes");
    if (ios >= 0 && ios < 0x1p53) {
        x->ios = (uint64_t)ios;
        x->asked |= ios > 0;
    }
    if (bytes >= 0 && bytes < 0x1p53)
        x->bytes = (uint64_t)bytes;
    struct spread s = { x->ios, f->mean_ns, f->sd_ns, f->low_ns, f->high_ns };
    x->lat = spread_moments(&s);
    if (f->high_ns >= 0 && f->high_ns < 0x1p58)
        x->lat_max_ns = (uint64_t)llround(f->high_ns);
    if (x->lat.n && !x->lat.max)
        x->lat.max = x->lat_max_ns;
}

static void put_percentiles(struct table *t, const struct table_row *r, struct direction_result *x)
{
    struct percentiles *p = calloc(1, sizeof *p);
    for (size_t i = 0; p && i < countof(percentile_columns); i++)
        percentiles_add(p, percentile_columns[i].percent, time_at(t, r, percentile_columns[i].base),
                        "table");
    if (p)
        percentiles_keep(t->c->a, p, x);
    free(p);
}

static void put(struct table *t, const struct table_row *r, enum direction d)
{
    struct direction_result *x = &t->cell->result.dir[d];
    double size = d == DIR_FLUSH ? 0 : t->cell->pattern.lines[0].size;
    bool counted = number(t, r, "ios") >= 0;
    struct figures f = figures_none((uint32_t)size);
    f.iops = number(t, r, "iops");
    f.bytes_s = bytes_rate(t, r, &f);
    f.mean_ns = time_at(t, r, "lat_mean");
    f.sd_ns = time_at(t, r, "lat_stddev");
    f.low_ns = time_at(t, r, "lat_min");
    f.high_ns = time_at(t, r, "lat_max");
    f.line = r->line;
    if (counted)
        f.size = 0; /* a mean, of counts that are there */
    if (isnan(f.iops) && isnan(f.bytes_s) && !counted) {
        collect_warn(t->c, r->line, "the row has no rate: it is left out");
        return;
    }
    figures_put(t->c, t->cell, d, &f);
    if (counted)
        put_exact(t, r, x, &f);
    put_percentiles(t, r, x);
    double errors = number(t, r, "errors");
    if (errors > 0 && errors < 0x1p53) {
        x->errors = (uint64_t)errors;
        x->asked = true;
    }
}

/* "all": only where there is nothing else, or it counts twice. */
static void put_all(struct table *t, const struct table_row *r)
{
    uint32_t reads = t->cell->pattern.lines[0].read_bp;
    if (t->has_directions) {
        struct direction_result all = { 0 };
        put_percentiles(t, r, &all);
        t->cell->result.percentiles = all.percentiles;
        t->cell->result.n_percentiles = all.n_percentiles;
        return;
    }
    if (reads % 10000)
        collect_warn_once(t->c, "mixed",
                          "where reads and writes are not told apart they are stored as reads, so "
                          "only 'all' means something");
    put(t, r, reads ? DIR_READ : DIR_WRITE);
}

void table_take(struct table *t, const struct table_row *r)
{
    const char *direction = text(r, "direction"), *status = text(r, "status");
    if (*status && !same(status, "done") && !same(status, "interrupted") && !same(status, "failed"))
        return; /* planned, skipped: there is nothing */
    struct str key = str_new(KEY_LIMIT);
    put_key(&key, r);
    if (!t->cell || strcmp(key.at, t->key) != 0) {
        begin_cell(t, r);
        t->key = arena_strdup(t->c->a, key.at);
    }
    str_done(&key);
    if (same(status, "interrupted") || same(status, "failed"))
        t->cell->result.status = same(status, "failed") ? CELL_FAILED : CELL_INTERRUPTED;
    int d = *direction ? direction_from_name(direction) : DIR_ALL;
    if (same(direction, "all") || d == DIR_ALL) {
        put_all(t, r);
    } else if (d < 0) {
        collect_warn(t->c, r->line, "direction: '%.40s' is none: the row is left out", direction);
    } else {
        t->has_directions = true;
        put(t, r, (enum direction)d);
    }
}
