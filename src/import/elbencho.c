#include "import/elbencho.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/clock.h"
#include "import/csv.h"
#include "import/figure.h"
#include "import/json.h"
#include "import/scan.h"

enum { COLUMNS = 128, LIVE_COLUMNS = 32 };

/* A result row, from either format; values "" where there are none. */
struct row {
    struct collect *c;
    long line;
    char *const *names, *const *values; /* of a CSV */
    size_t n_names, n_values;
    const struct json *object; /* of JSON */
    const char *path;          /* of the target, or NULL */
};

/* elbencho nests some of the columns in JSON. */
static const struct json *json_anywhere(const struct json *object, const char *key)
{
    const struct json *v = json_get(object, key);
    for (const struct json *in = v || !object ? NULL : object->first; in && !v; in = in->next)
        v = in->kind == JSON_OBJECT ? json_get(in, key) : NULL;
    return v;
}

static const char *text_at(const struct row *r, const char *name)
{
    if (r->object) {
        const struct json *v = json_anywhere(r->object, name);
        return v && (v->kind == JSON_STRING || v->kind == JSON_NUMBER) ? v->text : "";
    }
    size_t i = csv_find(r->names, r->n_names, name);
    return i < r->n_names && i < r->n_values ? r->values[i] : "";
}

static double number_at(const struct row *r, const char *name)
{
    const char *p = text_at(r, name);
    double v;
    return *p && scan_decimal(&p, &v) && !*p ? v : (double)NAN;
}

static bool yes(const struct row *r, const char *name)
{
    const char *p = text_at(r, name);
    return !strcmp(p, "1") || !strcasecmp(p, "true");
}

/* --- results -------------------------------------------------------------------------------------------------------- */

/* The names of one direction's columns. */
struct names {
    const char *iops, *rate, *mib, *low, *mean, *high;
};
static const struct names own = { "IOPS [last]",     "MiB/s [last]",    "MiB [last]",
                                  "IO lat us [min]", "IO lat us [avg]", "IO lat us [max]" };
static const struct names mixed = { "rwmix read IOPS [last]",     "rwmix read MiB/s [last]",
                                    "rwmix read MiB [last]",      "rwmix read IO lat us [min]",
                                    "rwmix read IO lat us [avg]", "rwmix read IO lat us [max]" };

/* IOPS and MiB/s are printed without decimals: where the total is there it counts, by the block size. */
static void put(const struct row *r, struct import_cell *cell, enum direction d,
                const struct names *n)
{
    double size = number_at(r, "block size"), mib = number_at(r, n->mib);
    double seconds = (double)cell->result.measured_ns / 1e9;
    struct figures f = figures_none(size >= 1 && size <= PLAN_MAX_SIZE ? (uint32_t)size : 0);
    f.iops = number_at(r, n->iops);
    f.bytes_s = number_at(r, n->rate) * 0x1p20;
    f.mean_ns = number_at(r, n->mean) * 1e3;
    f.low_ns = number_at(r, n->low) * 1e3;
    f.high_ns = number_at(r, n->high) * 1e3;
    f.line = r->line;
    f.unit = 0x1p20;
    f.key = n->rate;
    if (mib > 0 && seconds > 0) {
        f.bytes_s = mib * 0x1p20 / seconds;
        if (f.size && fabs(f.bytes_s / f.size - f.iops) <= 0.01 * f.iops + 1)
            f.iops = f.bytes_s / f.size;
    }
    figures_put(r->c, cell, d, &f);
}

static uint32_t limited(const struct row *r, double v, uint32_t most)
{
    if (!(v >= 1))
        return 1;
    if (v <= most)
        return (uint32_t)v;
    collect_warn(r->c, r->line, "%.0f is more than %u, which was taken", v, most);
    return most;
}

/* "--hosts" "a b" … "/path": what the command ends with. */
static const char *path_of(struct arena *a, const char *line)
{
    const char *end = strrchr(line, '"'), *from = end;
    while (from && from > line && from[-1] != '"')
        from--;
    return end && from > line ? arena_strndup(a, from, (size_t)(end - from)) : NULL;
}

static void take_result(const struct row *r)
{
    const char *phase = text_at(r, "operation");
    bool read = !strcasecmp(phase, "READ"), write = !strcasecmp(phase, "WRITE");
    bool reads_too = write && number_at(r, mixed.iops) > 0;
    double ms = number_at(r, "time ms [last]"), size = number_at(r, "block size");
    if ((!read && !write) || !(number_at(r, own.iops) > 0 || reads_too))
        return;
    if (!(ms > 0) || ms > 1e12 || !(size <= PLAN_MAX_SIZE)) {
        collect_warn(r->c, r->line, "it has no time or its blocks are over 64 MiB: it is left out");
        return;
    }
    struct import_cell *cell = collect_cell(r->c);
    cell->result.measured_ns = (uint64_t)(ms * (double)NS_PER_MS);
    put(r, cell, read ? DIR_READ : DIR_WRITE, &own);
    if (reads_too)
        put(r, cell, DIR_READ, &mixed);
    double reads = (double)cell->result.dir[DIR_READ].ios;
    double all = reads + (double)cell->result.dir[DIR_WRITE].ios;
    uint32_t read_bp = all > 0 ? (uint32_t)(reads / all * 100 + 0.5) * 100 : 0;
    cell->pattern = pattern_simple(r->c->a, (uint32_t)size, read_bp, yes(r, "random") ? 10000 : 0);
    double hosts = number_at(r, "hosts");
    cell->workers = limited(r, number_at(r, "threads") * (hosts > 1 ? hosts : 1), PLAN_MAX_WORKERS);
    cell->queue_depth = limited(r, number_at(r, "IO depth"), PLAN_MAX_QUEUE_DEPTH);
    cell->direct = yes(r, "direct IO");
    cell->job = arena_strdup(r->c->a, *text_at(r, "label") ? text_at(r, "label") : phase);
    cell->target = cell->target_path = r->path;
    int64_t ended;
    if (scan_date(text_at(r, "ISO date"), &ended))
        cell->started_ns = ended; /* elbencho stamps a phase as it begins */
    const char *version = text_at(r, "version");
    if (*version)
        r->c->source->summary->tool = arena_printf(r->c->a, "elbencho %s", version);
    figures_note_computed(r->c, "elbencho");
}

bool elbencho_csv_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "ISO date,") && strstr(head, "time ms [last]");
}

int elbencho_csv_read(struct collect *c, struct error *e)
{
    char *names[COLUMNS], *values[COLUMNS], *line;
    size_t n_names = 0, n;
    int rc;
    c->source->summary->tool = "elbencho";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        if (!n)
            continue;
        if (!strncmp(line, "ISO date,", 9)) {
            n_names = csv_split(arena_strdup(c->a, line), ',', names, COLUMNS);
            n_names = n_names > COLUMNS ? COLUMNS : n_names;
            continue;
        }
        struct row r = { .c = c,
                         .line = reader_number(c->source->reader),
                         .names = names,
                         .values = values,
                         .n_names = n_names,
                         .path = path_of(c->a, line) };
        r.n_values = csv_split(line, ',', values, COLUMNS);
        r.n_values = r.n_values > COLUMNS ? COLUMNS : r.n_values;
        if (!n_names || r.n_values + 1 < n_names)
            collect_warn(c, r.line, "no whole row: it is left out");
        else
            take_result(&r);
    }
    return rc;
}

bool elbencho_json_sniff(const char *head, const char *name)
{
    (void)name;
    const char *brace = strchr(head, '{');
    return brace && strstr(brace, "\"ISO date\"") && strstr(brace, "\"operation\"");
}

int elbencho_json_read(struct collect *c, struct error *e)
{
    char *text;
    if (collect_json_text(c, &text, e))
        return -1;
    c->source->summary->tool = "elbencho";
    struct json_document d = { .cursor = text, .line = 1 };
    while (*(d.cursor += strcspn(d.cursor, "{[\n"))) {
        if (*d.cursor == '\n') {
            d.line++;
            d.cursor++;
            continue;
        }
        const struct json *root = json_read(c->a, &d);
        const struct json *at = root->kind == JSON_ARRAY ? root->first : root;
        if (d.broken)
            collect_warn(c, d.broken, "the JSON is broken here: %s", d.why);
        for (; at; at = root->kind == JSON_ARRAY ? at->next : NULL) {
            const char *command = json_text(at, "command");
            struct row r = { .c = c,
                             .line = (long)at->line,
                             .object = at,
                             .path = command ? path_of(c->a, command) : NULL };
            if (at->kind == JSON_OBJECT && !at->open)
                take_result(&r);
        }
    }
    return 0;
}

/* --- live ----------------------------------------------------------------------------------------------------------- */

bool elbencho_live_sniff(const char *head, const char *name)
{
    (void)name;
    return !strncmp(head, "Label,Phase,RuntimeMS,", 22);
}

struct live {
    struct collect *c;
    struct import_cell *cell;
    double before_ms, before_bytes;
};

static void end_phase(struct live *f)
{
    struct import_cell *cell = f->cell;
    f->cell = NULL;
    f->before_ms = f->before_bytes = 0;
    if (!cell)
        return;
    enum direction d = !strcasecmp(cell->job, "READ") ? DIR_READ : DIR_WRITE;
    struct direction_result *r = &cell->result.dir[d];
    for (size_t i = 0; i < cell->intervals.n; i++) {
        const struct interval_direction *x = &cell->intervals.at[i].at.dir[d];
        r->ios += x->ios;
        r->bytes += x->bytes;
    }
    r->asked = r->ios > 0;
    uint64_t size = r->ios ? (r->bytes + r->ios / 2) / r->ios : 0;
    uint64_t sectors = (size + 256) / 512 * 512; /* rates are rounded */
    if (r->ios && fabs((double)sectors - (double)size) < 0.01 * (double)size)
        size = sectors;
    cell->pattern = pattern_simple(f->c->a, size <= PLAN_MAX_SIZE ? (uint32_t)size : 0,
                                   d == DIR_READ ? 10000 : 0, 0);
    cell->pattern.order_unknown = true;
    collect_warn_once(f->c, "live-only",
                      "live statistics do not say block size, queue depth (1 is shown), random or "
                      "sequential, direct or not");
}

static void take_live(struct live *f, const struct row *r)
{
    const char *phase = text_at(r, "Phase");
    double ms = number_at(r, "RuntimeMS"), iops = number_at(r, "IOPS");
    double bytes = number_at(r, "DoneBytes");
    bool io = !strcasecmp(phase, "WRITE") || !strcasecmp(phase, "READ");
    if (!io || (strcasecmp(text_at(r, "Rank"), "Total") && *text_at(r, "Rank")))
        return;
    if (*text_at(r, "MixType")) {
        collect_warn_once(f->c, "mixed", "rows of phases that mix reads and writes are left out");
        return;
    }
    if (f->cell && (ms <= f->before_ms || strcmp(f->cell->job, phase) != 0))
        end_phase(f);
    if (!(ms > 0) || ms > 1e12 || !(iops >= 0) || iops > 1e12 || !(bytes >= 0) || bytes >= 0x1p53) {
        collect_warn(f->c, r->line, "no whole row: it is left out");
        return;
    }
    if (!f->cell) {
        f->cell = collect_cell(f->c);
        f->cell->job = arena_strdup(f->c->a, phase);
    }
    struct import_interval *to = array_push(&f->cell->intervals);
    double length = ms - f->before_ms;
    to->at.t_ns = (int64_t)(f->before_ms * (double)NS_PER_MS);
    to->at.length_ns = (uint64_t)(length * (double)NS_PER_MS);
    for (int d = 0; d < DIR_COUNT; d++)
        to->at.dir[d].lat = moments_zero();
    struct interval_direction *x = &to->at.dir[!strcasecmp(phase, "READ") ? DIR_READ : DIR_WRITE];
    x->asked = true;
    x->ios = (uint64_t)llround(fmin(iops * length / 1e3, 0x1p52));
    x->bytes = bytes > f->before_bytes ? (uint64_t)(bytes - f->before_bytes) : 0;
    f->before_ms = ms;
    f->before_bytes = bytes;
    f->cell->result.measured_ns = (uint64_t)(ms * (double)NS_PER_MS);
}

int elbencho_live_read(struct collect *c, struct error *e)
{
    char *names[LIVE_COLUMNS], *values[LIVE_COLUMNS], *line;
    size_t n_names = 0, n;
    int rc;
    struct live f = { .c = c };
    c->source->summary->tool = "elbencho";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        if (!n)
            continue;
        if (!strncmp(line, "Label,", 6)) {
            n_names = csv_split(arena_strdup(c->a, line), ',', names, LIVE_COLUMNS);
            n_names = n_names > LIVE_COLUMNS ? LIVE_COLUMNS : n_names;
            continue;
        }
        struct row r = { .c = c,
                         .line = reader_number(c->source->reader),
                         .names = names,
                         .values = values,
                         .n_names = n_names };
        r.n_values = csv_split(line, ',', values, LIVE_COLUMNS);
        r.n_values = r.n_values > LIVE_COLUMNS ? LIVE_COLUMNS : r.n_values;
        take_live(&f, &r);
    }
    end_phase(&f);
    return rc;
}

/* "a.live.csv" belongs to "a.csv". */
static bool belongs(const char *live, const char *results)
{
    static const char ends[] = ".live.csv";
    size_t n = strlen(live), end = sizeof ends - 1;
    return n > end && !strcmp(live + n - end, ends) && !strncmp(live, results, n - end) &&
           !strcmp(results + n - end, ".csv");
}

static bool is_of(const struct collect *c, const struct import_cell *cell, const char *format)
{
    const char *read_as = c->sources[cell->source].format;
    return read_as && !strcmp(read_as, format);
}

static struct import_cell *result_of(struct collect *c, const struct import_cell *live)
{
    enum direction d = live->result.dir[DIR_READ].asked ? DIR_READ : DIR_WRITE;
    enum direction other = d == DIR_READ ? DIR_WRITE : DIR_READ;
    for (size_t i = 0; i < c->cells.n; i++) {
        struct import_cell *cell = c->cells.at[i].cell;
        if (is_of(c, cell, "elbencho-csv") && !cell->intervals.n && cell->result.dir[d].asked &&
            !cell->result.dir[other].asked &&
            belongs(c->sources[live->source].name, c->sources[cell->source].name))
            return cell;
    }
    return NULL;
}

int elbencho_live_finish(struct collect *c, struct error *e)
{
    (void)e;
    size_t kept = 0;
    for (size_t i = 0; i < c->cells.n; i++) {
        struct import_cell *cell = c->cells.at[i].cell;
        struct import_cell *result = is_of(c, cell, "elbencho-live") ? result_of(c, cell) : NULL;
        if (!result) {
            c->cells.at[kept++] = c->cells.at[i];
            continue;
        }
        result->intervals.at = cell->intervals.at;
        result->intervals.n = cell->intervals.n;
        result->intervals.cap = cell->intervals.cap;
        c->sources[cell->source].summary->n_cells--;
    }
    c->cells.n = kept;
    return 0;
}
