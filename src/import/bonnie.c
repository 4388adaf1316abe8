#include "import/bonnie.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "import/csv.h"
#include "import/figure.h"
#include "import/scan.h"

enum { FIELDS = 64, FIELDS_OLD = 27, FIELDS_NEW = 48, CHUNK = 8192 };

/* Where a test stands in both formats; -1: it has none. */
static const struct test {
    const char *name; /* NULL: named by what it does */
    int rate_old, rate_new, latency;
    bool read, random, seeks;
} tests[] = {
    { "Bonnie++ per-character write", 2, 7, 36, false, false, false },
    { NULL, 4, 9, 37, false, false, false },
    { "Bonnie++ rewrite", 6, 11, 38, false, false, false },
    { "Bonnie++ per-character read", 8, 13, 39, true, false, false },
    { NULL, 10, 15, 40, true, false, false },
    { "Bonnie++ random seeks", 12, 17, 41, true, true, true },
};

static bool is_new(char *const *at, size_t n)
{
    return n >= 44 && n <= FIELDS && at[0][0] == '1' && at[0][1] == '.' && at[1][0] == '1' &&
           at[1][1] == '.';
}

/* "16G", "8096M", also with its chunk ("16G:8k") */
static bool is_size(const char *p)
{
    double v;
    return *p >= '0' && *p <= '9' && scan_size(&p, &v) && (!*p || *p == ':');
}

static bool is_old(char *const *at, size_t n)
{
    double v;
    const char *p = n > 4 ? at[4] : "";
    return n >= FIELDS_OLD - 2 && n <= FIELDS_OLD + 1 && is_size(at[1]) &&
           (scan_decimal(&p, &v) || *p == '+' || !*p) && strpbrk(at[1], "MG");
}

static bool is_row(struct arena *a, const char *line, size_t length)
{
    char *at[FIELDS];
    char *copy = arena_strndup(a, line, length);
    size_t n = csv_split(copy, ',', at, FIELDS);
    return n <= FIELDS && (is_new(at, n) || is_old(at, n));
}

bool bonnie_sniff(const char *head, const char *name)
{
    (void)name;
    struct arena *a = arena_new();
    bool found = false;
    for (int i = 0; *head && i < 100 && !found; i++) {
        size_t length = strcspn(head, "\n");
        found = length < 2000 && is_row(a, head, length);
        head += length + (head[length] != '\0');
    }
    arena_free(a);
    return found;
}

struct bonnie {
    struct collect *c;
    char *at[FIELDS];
    size_t n;
    bool newer;
};

static const char *field(const struct bonnie *f, int i)
{
    return i >= 0 && (size_t)i < f->n ? f->at[i] : "";
}

/* "9829us", "226ms" */
static double latency(const char *p)
{
    double v;
    if (!scan_decimal(&p, &v))
        return (double)NAN;
    double unit = scan_time_unit(&p);
    return unit > 0 ? v * unit : (double)NAN;
}

static void put(struct bonnie *f, const struct test *t, double value, uint32_t chunk)
{
    struct import_cell *cell = collect_cell(f->c);
    bool character = t->name && strstr(t->name, "per-character");
    uint32_t size = character ? 1 : chunk;
    struct figures x = figures_none(size);
    cell->pattern = pattern_simple(f->c->a, size, t->read ? 10000 : 0, t->random ? 10000 : 0);
    cell->pattern.name = t->name;
    cell->target = arena_strdup(f->c->a, field(f, f->newer ? 2 : 0));
    double workers = 1;
    const char *concurrency = field(f, f->newer ? 3 : -1);
    if (scan_decimal(&concurrency, &workers) && workers >= 1 && workers <= PLAN_MAX_WORKERS)
        cell->workers = (uint32_t)workers;
    figures_rates_only(cell);
    if (t->seeks)
        x.iops = value;
    else
        x.bytes_s = value * 1024;
    enum direction d = t->read ? DIR_READ : DIR_WRITE;
    figures_put(f->c, cell, d, &x);
    double most = latency(field(f, f->newer ? t->latency : -1));
    if (most > 0 && most < 0x1p58 && cell->result.dir[d].asked)
        cell->result.dir[d].lat_max_ns = (uint64_t)most;
    const char *file = field(f, f->newer ? 5 : 1);
    double bytes;
    if (scan_size(&file, &bytes) && bytes < 0x1p62)
        cell->result.span_bytes = (uint64_t)bytes;
}

static void take_row(struct bonnie *f)
{
    long line = reader_number(f->c->source->reader);
    double chunk = CHUNK;
    const char *size = field(f, f->newer ? 6 : -1),
               *colon = strchr(field(f, f->newer ? 5 : 1), ':');
    if (!*size && colon)
        size = colon + 1;
    if (!*size || !scan_size(&size, &chunk) || chunk < 1 || chunk > PLAN_MAX_SIZE)
        chunk = CHUNK; /* bonnie++'s default */
    for (size_t i = 0; i < countof(tests); i++) {
        const struct test *t = &tests[i];
        const char *p = field(f, f->newer ? t->rate_new : t->rate_old);
        double v;
        if (*p == '+')
            collect_warn(f->c, line, "'%s' was too fast to be measured: it is missing",
                         t->name   ? t->name
                         : t->read ? "block read"
                                   : "block write");
        else if (*p && scan_decimal(&p, &v) && v > 0)
            put(f, t, v, (uint32_t)chunk);
    }
}

int bonnie_read(struct collect *c, struct error *e)
{
    struct bonnie f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "bonnie++";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        f.n = csv_split(line, ',', f.at, FIELDS);
        f.newer = f.n <= FIELDS && is_new(f.at, f.n);
        if (f.newer)
            c->source->summary->tool = arena_printf(c->a, "bonnie++ %s", f.at[1]);
        if (f.newer || (f.n <= FIELDS && is_old(f.at, f.n)))
            take_row(&f);
        else if (f.n > 10)
            collect_warn(c, reader_number(c->source->reader), "no row of bonnie++: it is left out");
    }
    return rc;
}
