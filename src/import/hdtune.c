#include "import/hdtune.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "import/figure.h"
#include "import/scan.h"

enum { BLOCK = 64 << 10 };

bool hdtune_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "HD Tune") && (strstr(head, "Transfer Rate") || strstr(head, "Benchmark"));
}

struct hdtune {
    struct collect *c;
    const char *drive;
    struct import_cell *cell;
    const char *others;
    bool write, any;
};

static long line_of(const struct hdtune *f)
{
    return reader_number(f->c->source->reader);
}

static void end_drive(struct hdtune *f)
{
    if (f->cell && f->others)
        collect_cell_note(f->cell,
                          &(struct import_note) {
                              .code = "hdtune",
                              .severity = EVENT_NOTE,
                              .what = arena_printf(f->c->a, "HD Tune also gives for %s: %s.",
                                                   f->drive ? f->drive : "the drive", f->others) });
    f->cell = NULL;
    f->others = NULL;
}

/* "HD Tune: Samsung SSD 840 EVO 120G Benchmark", "HD Tune Pro: WDC … Benchmark", "… Write Benchmark" */
static bool take_title(struct hdtune *f, const char *line)
{
    const char *p = scan_word(line, "HD Tune");
    const char *colon = p ? strchr(p, ':') : NULL;
    if (!colon)
        return false;
    end_drive(f);
    char *name = arena_strdup(f->c->a, scan_trimmed(f->c->a, colon + 1));
    char *end = strstr(name, "Benchmark");
    f->write = strstr(name, "Write Benchmark") != NULL;
    if (end && f->write)
        end -= strlen("Write ");
    if (end)
        *end = '\0';
    f->drive = scan_trimmed(f->c->a, name);
    f->c->source->summary->tool = strstr(line, "Pro") && strstr(line, "Pro") < colon ? "HD Tune Pro"
                                                                                     : "HD Tune";
    return true;
}

static void take_average(struct hdtune *f, const char *text)
{
    double v, unit;
    if (!scan_decimal(&text, &v) || !((unit = scan_rate_unit(&text)) > 0) || v <= 0) {
        collect_warn(f->c, line_of(f), "it has no average transfer rate");
        return;
    }
    if (!f->any)
        collect_warn(f->c, line_of(f),
                     "HD Tune does not say whether its MB is 10^6 or 2^20 bytes: 10^6 is taken");
    f->any = true;
    f->cell = collect_cell(f->c);
    struct figures x = figures_none(BLOCK);
    f->cell->target = f->drive;
    f->cell->pattern = pattern_simple(f->c->a, BLOCK, f->write ? 0 : 10000, 0);
    f->cell->direct = true;
    figures_rates_only(f->cell);
    x.bytes_s = v * unit;
    figures_put(f->c, f->cell, f->write ? DIR_WRITE : DIR_READ, &x);
}

static void take_line(struct hdtune *f, const char *line)
{
    static const char *const others[] = { "Transfer Rate Minimum", "Transfer Rate Maximum",
                                          "Access Time", "Burst Rate", "CPU Usage" };
    const char *p = scan_label(line, "Transfer Rate Average");
    if (take_title(f, line))
        return;
    if (p) {
        take_average(f, p);
        return;
    }
    for (size_t i = 0; i < countof(others); i++)
        if ((p = scan_label(line, others[i]))) {
            char *name = arena_strdup(f->c->a, others[i]);
            for (char *q = name + 1; *q; q++)
                *q = (char)(name[0] == 'C' ? *q : *q | ' ');
            name[0] = (char)(name[0] == 'C' ? 'C' : name[0] | ' ');
            f->others = arena_printf(f->c->a, "%s%s%s %s", f->others ? f->others : "",
                                     f->others ? ", " : "", name, scan_trimmed(f->c->a, p));
        }
}

int hdtune_read(struct collect *c, struct error *e)
{
    struct hdtune f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "HD Tune";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1)
        take_line(&f, line);
    end_drive(&f);
    return rc;
}
