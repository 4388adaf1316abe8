#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "import/scan.h"
#include "import/vdbench_inside.h"

enum { COLUMNS = 80 };

/* The heading of the rows: its first words. */
static bool is_heading(const char *line)
{
    const char *p = scan_word(line, "tod");
    return p && strstr(p, "Interval") && strstr(p, "reqrate");
}

bool vdbench_flat_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "flatfile.html</title>") || strstr(head, "'flatfile.html' contains");
}

/* Words between blanks, in place. */
static size_t words(char *line, char **at, size_t max)
{
    size_t n = 0;
    for (char *p = line + strspn(line, " \t"); *p; p += strspn(p, " \t")) {
        if (n < max)
            at[n] = p;
        n++;
        p += strcspn(p, " \t");
        if (*p)
            *p++ = '\0';
    }
    return n;
}

struct flat {
    struct collect *c;
    size_t n;
    char *names[COLUMNS];
    struct vdbench_run *run;
};

static const char *field(const struct flat *f, char *const *at, size_t n, const char *name)
{
    for (size_t i = 0; i < f->n && i < n; i++)
        if (!strcasecmp(f->names[i], name))
            return at[i];
    return "";
}

static bool take_row(struct flat *f, char *line)
{
    static const struct {
        const char *name;
        size_t offset;
    } columns[] = {
        { "rate", offsetof(struct vdbench_row, rate) },
        { "MB/sec", offsetof(struct vdbench_row, mb) },
        { "bytes/io", offsetof(struct vdbench_row, bytes) },
        { "read%", offsetof(struct vdbench_row, read_pct) },
        { "resp", offsetof(struct vdbench_row, resp) },
        { "read_resp", offsetof(struct vdbench_row, read_resp) },
        { "write_resp", offsetof(struct vdbench_row, write_resp) },
        { "resp_max", offsetof(struct vdbench_row, max) },
        { "read_max", offsetof(struct vdbench_row, read_max) },
        { "write_max", offsetof(struct vdbench_row, write_max) },
        { "resp_std", offsetof(struct vdbench_row, sd) },
        { "read_std", offsetof(struct vdbench_row, read_sd) },
        { "write_std", offsetof(struct vdbench_row, write_sd) },
        { "xfersize", offsetof(struct vdbench_row, size) },
        { "threads", offsetof(struct vdbench_row, threads) },
        { "rdpct", offsetof(struct vdbench_row, asked_read_pct) },
        { "seekpct", offsetof(struct vdbench_row, seek_pct) },
        { "queue_depth", offsetof(struct vdbench_row, depth) },
    };
    char *at[COLUMNS];
    size_t n = words(line, at, COLUMNS);
    struct vdbench_row r = vdbench_row_none();
    if (n != f->n || !vdbench_time(at[0], &r.day_s) ||
        !vdbench_interval(field(f, at, n, "Interval"), &r))
        return false;
    for (size_t i = 0; i < countof(columns); i++) {
        const char *p = field(f, at, n, columns[i].name);
        double v;
        if (scan_decimal(&p, &v) && !*p)
            memcpy((char *)&r + columns[i].offset, &v, sizeof v);
    }
    r.line = reader_number(f->c->source->reader);
    const char *name = field(f, at, n, "Run");
    bool again = f->run && !r.average && f->run->average.line;
    if (!f->run || again || strcmp(f->run->name, name) != 0) {
        f->run = vdbench_run_new(f->c, arena_strdup(f->c->a, name));
        f->run->flat = true;
    }
    vdbench_take(f->run, &r);
    return true;
}

int vdbench_flat_read(struct collect *c, struct error *e)
{
    struct flat f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "Vdbench";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        const char *at = scan_blanks(line);
        if (is_heading(line)) {
            f.n = words(arena_strdup(c->a, line), f.names, COLUMNS);
            f.n = f.n > COLUMNS ? 0 : f.n;
            continue;
        }
        if (!f.n || *at < '0' || *at > '9')
            continue;
        if (!take_row(&f, line))
            collect_warn(c, reader_number(c->source->reader), "no whole row: it is left out");
    }
    if (!f.run)
        collect_warn(c, 0, "there is no row of results in it (the run failed?)");
    return rc;
}
