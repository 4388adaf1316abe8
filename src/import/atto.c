#include "import/atto.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "import/figure.h"
#include "import/scan.h"

bool atto_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "ATTO") && strcasestr(head, "write") && strcasestr(head, "read");
}

struct atto {
    struct collect *c;
    bool headed, read_first, told;
    double unit;  /* of the heading, bytes/s; 0: none */
    double depth; /* 0: not said */
    bool buffered;
};

static long line_of(const struct atto *f)
{
    return reader_number(f->c->source->reader);
}

/* A unit anywhere in a heading. */
static double unit_in(const char *text)
{
    for (const char *p = text; *p; p++) {
        const char *q = p;
        double unit = p == text || strchr(" \t([", p[-1]) ? scan_rate_unit(&q) : 0;
        if (unit > 0)
            return unit;
    }
    return 0;
}

static bool take_heading(struct atto *f, const char *line)
{
    const char *write = strcasestr(line, "write"), *read = strcasestr(line, "read");
    if (!write || !read || strpbrk(line, "0123456789"))
        return false;
    f->headed = true;
    f->read_first = read < write;
    f->unit = unit_in(line);
    return true;
}

static bool take_fact(struct atto *f, const char *line)
{
    const char *p = scan_label(line, "Queue Depth");
    if (p)
        return scan_decimal(&p, &f->depth);
    p = scan_label(line, "Direct I/O");
    if (p)
        f->buffered = scan_word(p, "off") || scan_word(p, "no") || scan_word(p, "disabled");
    return p != NULL;
}

static void put(struct atto *f, uint32_t size, bool read, double bytes_s)
{
    if (bytes_s <= 0)
        return;
    struct import_cell *cell = collect_cell(f->c);
    struct figures x = figures_none(size);
    cell->pattern = pattern_simple(f->c->a, size, read ? 10000 : 0, 0);
    cell->queue_depth = f->depth >= 1 && f->depth <= PLAN_MAX_QUEUE_DEPTH ? (uint32_t)f->depth : 4;
    cell->direct = !f->buffered;
    figures_rates_only(cell);
    x.bytes_s = bytes_s;
    figures_put(f->c, cell, read ? DIR_READ : DIR_WRITE, &x);
}

/* "0.5 KB  12.3 MB/s  23.4 MB/s", "4 KB 254831 198211" under a heading with a unit. */
static bool take_row(struct atto *f, const char *line)
{
    const char *p = line;
    double size, v[2], unit[2];
    if (!scan_size(&p, &size))
        return false;
    for (int i = 0; i < 2; i++) {
        p += strspn(p, " \t,;|");
        if (!scan_decimal(&p, &v[i]))
            return false;
        unit[i] = scan_rate_unit(&p);
        unit[i] = unit[i] > 0 ? unit[i] : f->unit;
    }
    if (unit[0] <= 0 || unit[1] <= 0) {
        collect_warn(f->c, line_of(f),
                     "neither the heading nor the row says a unit of its rates: left out");
        return true;
    }
    if (size < 512 || size > PLAN_MAX_SIZE || size != floor(size)) {
        collect_warn(f->c, line_of(f), "%g is no size of an I/O: left out", size);
        return true;
    }
    if (!f->told && f->depth < 1)
        collect_warn(f->c, line_of(f),
                     "it does not say its queue depth: ATTO's default, 4, is taken");
    f->told = true;
    put(f, (uint32_t)size, f->read_first, v[0] * unit[0]);
    put(f, (uint32_t)size, !f->read_first, v[1] * unit[1]);
    return true;
}

int atto_read(struct collect *c, struct error *e)
{
    struct atto f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "ATTO Disk Benchmark";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        if (take_fact(&f, line) || take_heading(&f, line) || !f.headed)
            continue;
        const char *at = scan_blanks(line);
        if (*at >= '0' && *at <= '9' && !take_row(&f, at))
            collect_warn(c, line_of(&f), "no row of results: '%.60s' is left out", at);
    }
    return rc;
}
