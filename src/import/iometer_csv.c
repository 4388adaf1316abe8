#include "import/iometer_csv.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/parse.h"
#include "import/csv.h"
#include "import/iometer_inside.h"

/* What the next line is, by the last one that began with an apostrophe. */
enum section { IN_NOTHING, IN_VERSION, IN_TIME, IN_SPEC_NAME, IN_SPEC_LINES, IN_ROWS };

struct iometer_file {
    struct collect *c;
    enum section section;
    struct iometer_heading heading;
    struct iometer_spec *specs, *spec; /* newest first; the one being read */
    int64_t time_ns;                   /* the last time stamp */
    /* the test being read */
    struct iometer_part *targets, *workers, *all;
    const char *manager, *worker_spec;
    struct iometer_sum worker;
    bool many_managers, peer; /* peer: the worker is the other end of a network test */
    bool any_rows;
};

bool iometer_csv_sniff(const char *head, const char *name)
{
    (void)name;
    const char *type = strcasestr(head, "Target Type");
    return (type && strcasestr(type, "Access Specification Name")) ||
           strstr(head, "'Test Type,Test Description");
}

/* --- access specifications ------------------------------------------------------------------------------------------ */

static struct iometer_spec *find_spec(struct iometer_file *f, const char *name)
{
    for (struct iometer_spec *s = f->specs; s; s = s->next)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}

/* "NAME,0": the name may hold commas itself. */
static void take_spec_name(struct iometer_file *f, char *line)
{
    char *comma = strrchr(line, ',');
    while (comma && !comma[1 + strspn(comma + 1, " \t")]) {
        *comma = '\0';
        comma = strrchr(line, ',');
    }
    if (comma)
        *comma = '\0';
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n && (line[n - 1] == ' ' || line[n - 1] == '\t');)
        line[--n] = '\0';
    f->spec = find_spec(f, line);
    if (f->spec) {
        f->spec->pattern = (struct import_pattern) { 0 };
        return;
    }
    f->spec = arena_one(f->c->a, struct iometer_spec);
    f->spec->name = arena_strdup(f->c->a, line);
    f->spec->next = f->specs;
    f->specs = f->spec;
}

static void take_spec_line(struct iometer_file *f, char *line)
{
    char *fields[8];
    uint64_t v[8] = { 0 };
    uint32_t bp[8] = { 0 };
    struct error ignored;
    size_t n = csv_split(line, f->heading.separator ? f->heading.separator : ',', fields, 8);
    bool good = n >= 4;
    for (size_t i = 0; i < n && i < 8; i++)
        good &= !(i >= 1 && i <= 3 ? parse_percent(fields[i], &bp[i], &ignored)
                                   : parse_u64(fields[i], &v[i], &ignored));
    struct import_pattern *p = &f->spec->pattern;
    long at = reader_number(f->c->source->reader);
    if (!good || v[0] == 0 || v[0] > PLAN_MAX_SIZE || v[4] > 1000000 || v[5] > 1000000) {
        collect_warn(f->c, at, "no line of an access specification: it is left out");
        return;
    }
    if (p->n_lines == PATTERN_MAX_LINES) {
        collect_warn(f->c, at, "'%s' has more than %d lines: this one is left out", f->spec->name,
                     PATTERN_MAX_LINES);
        return;
    }
    if (v[7])
        collect_warn(f->c, at, "'%s' sends replies, which are no part of a workload here",
                     f->spec->name);
    *pattern_add(f->c->a, p) = (struct access_line) {
        .share_bp = bp[1],
        .size = (uint32_t)v[0],
        .read_bp = bp[2],
        .random_bp = bp[3],
        .delay_ns = v[4] * 1000000,
        .burst = v[5] ? (uint32_t)v[5] : 1,
    };
}

/* --- rows ----------------------------------------------------------------------------------------------------------- */

static struct iometer_part *part_of(struct iometer_file *f, struct iometer_part **list,
                                    const char *target, const char *spec)
{
    for (; *list; list = &(*list)->next)
        if (!strcmp((*list)->spec, spec) && (!target || !strcmp((*list)->target, target)))
            return *list;
    *list = arena_one(f->c->a, struct iometer_part);
    (*list)->target = target ? arena_strdup(f->c->a, target) : NULL;
    (*list)->spec = arena_strdup(f->c->a, spec);
    return *list;
}

static void put_row(struct iometer_file *f, struct iometer_part *p, const struct iometer_sum *row,
                    const char *stamp)
{
    int64_t at = 0;
    bool first = !p->sum.line;
    if (*stamp && !iometer_time(stamp, &at)) {
        collect_warn(f->c, row->line, "'%.40s' is no time: the row is left out", stamp);
        return;
    }
    if (*stamp) {
        iometer_interval(f->c, p, row, at);
        uint32_t workers = first || row->workers > p->sum.workers ? row->workers : p->sum.workers;
        if (!first)
            iometer_add(&p->sum, row);
        else
            p->sum = *row;
        p->sum.workers = workers;
    } else if (first) {
        p->sum = *row;
    } else {
        iometer_add(&p->sum, row);
    }
}

/* A specification whose name has commas, which are not quoted, makes a row of more fields than the heading has. */
static bool join_spec(struct iometer_file *f, char **fields, size_t *n)
{
    const struct iometer_heading *h = &f->heading;
    size_t more = *n - h->n, at = h->at[COL_SPEC];
    for (struct iometer_spec *s = f->specs; s && at < h->n; s = s->next) {
        size_t commas = 0;
        for (const char *p = s->name; *p; p++)
            commas += *p == ',';
        if (commas != more || strncmp(s->name, fields[at], strlen(fields[at])))
            continue;
        fields[at] = arena_strdup(f->c->a, s->name);
        memmove(fields + at + 1, fields + at + 1 + more, (*n - at - 1 - more) * sizeof *fields);
        *n = h->n;
        return true;
    }
    return false;
}

/* The names of a target row and the worker above it. */
static void take_target(struct iometer_file *f, const char *name, struct iometer_sum *row,
                        const char *stamp)
{
    if (f->peer)
        return;
    if (!row->depth)
        row->depth = f->worker.depth;
    if (!row->run_s)
        row->run_s = f->worker.run_s;
    const char *target = f->many_managers && f->manager
                             ? arena_printf(f->c->a, "%s: %s", f->manager, name)
                             : name;
    put_row(f, part_of(f, &f->targets, target, f->worker_spec ? f->worker_spec : ""), row, stamp);
}

static void take_kind(struct iometer_file *f, const char *kind, char **fields, size_t n)
{
    const struct iometer_heading *h = &f->heading;
    struct iometer_sum row;
    const char *name = iometer_field(h, fields, n, COL_NAME);
    const char *spec = iometer_field(h, fields, n, COL_SPEC);
    const char *stamp = iometer_field(h, fields, n, COL_STAMP);
    long line = reader_number(f->c->source->reader);
    if (!iometer_row(h, fields, n, &row)) {
        collect_warn(f->c, line, "the row is cut off: it is left out");
        return;
    }
    row.line = line;
    if (!row.counted) {
        collect_warn(f->c, line, "the row has no counts of I/Os and bytes: it is left out");
        return;
    }
    f->any_rows = true;
    if (!strcasecmp(kind, "ALL")) {
        uint64_t managers = strtoul(iometer_field(h, fields, n, COL_MANAGERS), NULL, 10);
        f->many_managers = managers > 1;
        put_row(f, part_of(f, &f->all, NULL, spec), &row, stamp);
    } else if (!strcasecmp(kind, "WORKER")) {
        f->worker_spec = arena_strdup(f->c->a, spec);
        f->worker = row;
        f->peer = *name == '[';
        if (!f->peer)
            put_row(f, part_of(f, &f->workers, NULL, spec), &row, stamp);
    } else {
        take_target(f, name, &row, stamp);
    }
}

static void take_row(struct iometer_file *f, char *line)
{
    char *fields[IOMETER_FIELDS];
    const struct iometer_heading *h = &f->heading;
    size_t n = csv_split(line, h->separator, fields, IOMETER_FIELDS);
    long at = reader_number(f->c->source->reader);
    if (n > IOMETER_FIELDS)
        n = IOMETER_FIELDS;
    while (n > h->n && !join_spec(f, fields, &n) && !*fields[n - 1])
        n--;
    if (n > h->n) {
        collect_warn(f->c, at,
                     "the row has %zu fields under %zu headings (decimal commas?): it is left out",
                     n, h->n);
        return;
    }
    const char *kind = iometer_field(h, fields, n, COL_TYPE);
    if (!strcasecmp(kind, "MANAGER")) {
        f->manager = arena_strdup(f->c->a, iometer_field(h, fields, n, COL_NAME));
        f->worker_spec = NULL;
    } else if (!strcasecmp(kind, "ALL") || !strcasecmp(kind, "WORKER") ||
               !strcasecmp(kind, "DISK") || !strncasecmp(kind, "NETWORK", 7)) {
        take_kind(f, kind, fields, n);
    } else if (strcasecmp(kind, "PROCESSOR") != 0) {
        collect_warn(f->c, at, "no row of Iometer's results: '%.40s' is left out", kind);
    }
}

/* --- tests ---------------------------------------------------------------------------------------------------------- */

/* The finest rows that name what the test did: targets, else workers, else the row of all of them. */
static void end_test(struct iometer_file *f)
{
    struct iometer_part *lists[] = { f->targets, f->workers, f->all };
    struct iometer_part *use = f->targets ? f->targets : f->workers ? f->workers : f->all;
    for (size_t i = 0; i < countof(lists); i++)
        for (struct iometer_part *p = lists[i]; p; p = p->next)
            if (lists[i] != use)
                array_free(&p->intervals);
    for (; use; use = use->next) {
        const struct iometer_spec *spec = find_spec(f, use->spec);
        if (!spec && !*use->spec && f->specs && !f->specs->next)
            spec = f->specs;
        iometer_cell(f->c, &f->heading, use, spec, f->time_ns);
    }
    f->targets = f->workers = f->all = NULL;
    f->manager = f->worker_spec = NULL;
    f->peer = f->many_managers = false;
}

static void take_key(struct iometer_file *f, char *line)
{
    end_test(f);
    f->section = IN_NOTHING;
    if (!strncasecmp(line, "'Version", 8))
        f->section = IN_VERSION;
    else if (!strncasecmp(line, "'Time Stamp", 11) && !strchr(line, ','))
        f->section = IN_TIME;
    else if (!strncasecmp(line, "'Access specification name", 26))
        f->section = IN_SPEC_NAME;
    else if (!strncasecmp(line, "'size", 5) && f->spec)
        f->section = IN_SPEC_LINES;
    else if (strcasestr(line, "Target Type") && iometer_heading(line, &f->heading))
        f->section = IN_ROWS;
}

static void take_value(struct iometer_file *f, char *line)
{
    struct import_source *s = f->c->source;
    int64_t t;
    switch (f->section) {
    case IN_VERSION:
        line += strspn(line, " \t");
        line[strcspn(line, ", \t")] = '\0';
        if (*line)
            s->summary->tool = arena_printf(f->c->a, "Iometer %s", line);
        f->section = IN_NOTHING;
        break;
    case IN_TIME:
        line[strcspn(line, ",;")] = '\0';
        if (iometer_time(line, &t)) {
            f->time_ns = t;
            s->started_ns = s->started_ns ? s->started_ns : t;
        }
        f->section = IN_NOTHING;
        break;
    case IN_SPEC_NAME:
        take_spec_name(f, line);
        f->section = IN_NOTHING;
        break;
    case IN_SPEC_LINES:
        take_spec_line(f, line);
        break;
    case IN_ROWS:
        take_row(f, line);
        break;
    case IN_NOTHING:
        if (strcasestr(line, "Target Type") && iometer_heading(line, &f->heading))
            f->section = IN_ROWS;
        break;
    }
}

int iometer_csv_read(struct collect *c, struct error *e)
{
    struct iometer_file f = { .c = c };
    char *line;
    size_t n;
    int rc;
    c->source->summary->tool = "Iometer";
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1) {
        line += strspn(line, " \t");
        if (!*line)
            continue;
        if (*line == '\'' || (*line == '"' && line[1] == '\''))
            take_key(&f, line + (*line == '"'));
        else
            take_value(&f, line);
    }
    end_test(&f);
    if (!f.any_rows)
        collect_warn(c, 0, "there is no row of results in it");
    return rc < 0 ? -1 : 0;
}

/* --- instantaneous files -------------------------------------------------------------------------------------------- */

static struct import_cell *result_of(struct collect *c, const struct import_cell *x)
{
    for (size_t i = 0; i < c->cells.n; i++) {
        struct import_cell *cell = c->cells.at[i].cell;
        if (cell->source != x->source && !cell->intervals.n && cell->job && x->job &&
            !strcmp(cell->job, x->job) && cell->queue_depth == x->queue_depth &&
            !strcmp(c->sources[cell->source].format, "iometer-csv"))
            return cell;
    }
    return NULL;
}

int iometer_csv_finish(struct collect *c, struct error *e)
{
    (void)e;
    for (struct iometer_pending *p = c->iometer; p; p = p->next) {
        struct import_cell *result = result_of(c, &p->cell);
        if (!result) {
            c->source = &c->sources[p->cell.source];
            *collect_cell(c) = p->cell;
            continue;
        }
        result->intervals.at = p->cell.intervals.at;
        result->intervals.n = p->cell.intervals.n;
        result->intervals.cap = p->cell.intervals.cap;
    }
    c->iometer = NULL;
    return 0;
}
