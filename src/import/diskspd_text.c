#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "import/csv.h"
#include "import/diskspd_inside.h"
#include "import/scan.h"

enum { COLUMNS = 16 };

bool diskspd_text_sniff(const char *head, const char *name)
{
    (void)name;
    return strstr(head, "Input parameters:") && strstr(head, "timespan:");
}

struct spd_text {
    struct diskspd d;
    struct diskspd_span *span;
    struct diskspd_target *target;  /* whose parameters are read */
    struct diskspd_target *latency; /* whose percentiles follow */
    enum { NO_TABLE, OTHER_TABLE, READ_TABLE, WRITE_TABLE } table;
    size_t bytes, ios, rate, mean, sd, file, n; /* columns */
    const char *title;                          /* last line that stood alone */
    bool results;
};

static long line_of(const struct spd_text *f)
{
    return reader_number(f->d.c->source->reader);
}

static uint32_t whole(const char *p)
{
    double v;
    return scan_decimal(&p, &v) && v >= 1 && v < 1e9 ? (uint32_t)v : 0;
}

/* --- parameters ----------------------------------------------------------------------------------------------------- */

static void take_path(struct spd_text *f, const char *p)
{
    const char *from = strchr(p, '\''), *end = strrchr(p, '\'');
    if (!from || end <= from)
        return;
    const char *path = arena_strndup(f->d.c->a, from + 1, (size_t)(end - from - 1));
    f->target = diskspd_target_new(&f->d, f->span, path);
    f->target->listed = true;
}

static void take_mix(struct spd_text *f, const char *p)
{
    const char *ratio = strstr(p, "ratio: ");
    double reads;
    if (strstr(p, "performing write test"))
        f->target->write_pct = 100;
    else if (ratio && (ratio += strlen("ratio: ")) && scan_decimal(&ratio, &reads))
        f->target->write_pct = 100 - reads;
}

static void take_size(struct spd_text *f, const char *p)
{
    double size;
    if (scan_size(&p, &size) && size >= 1 && size <= PLAN_MAX_SIZE)
        f->target->size = (uint32_t)size;
}

static void take_parameter(struct spd_text *f, const char *line)
{
    const char *p;
    if ((p = scan_label(line, "timespan"))) {
        f->span = diskspd_span_at(&f->d, (long)whole(p));
        f->target = NULL;
    } else if (!f->span) {
        return;
    } else if ((p = scan_label(line, "duration"))) {
        f->span->duration_s = whole(p);
    } else if ((p = scan_label(line, "warm up time"))) {
        f->span->warmup_s = whole(p);
    } else if (scan_label(line, "path")) {
        take_path(f, line);
    } else if (!f->target) {
        return;
    } else if (scan_word(line, "performing")) {
        take_mix(f, line);
    } else if ((p = scan_label(line, "block size"))) {
        take_size(f, p);
    } else if (scan_word(line, "using random I/O")) {
        f->target->random = true;
    } else if (scan_word(line, "software cache disabled")) {
        f->target->direct = true;
    } else if ((p = scan_label(line, "number of outstanding I/O operations")) ||
               (p = scan_label(line, "number of outstanding I/O operations per thread"))) {
        f->target->depth = whole(p);
    } else if ((p = scan_label(line, "threads per file"))) {
        f->target->threads = whole(p);
    }
}

/* --- tables of threads ---------------------------------------------------------------------------------------------- */

static void take_heading(struct spd_text *f, char *line)
{
    char *names[COLUMNS];
    size_t n = csv_split(line, '|', names, COLUMNS);
    n = n > COLUMNS ? COLUMNS : n;
    f->n = n;
    f->bytes = csv_find(names, n, "bytes");
    f->ios = csv_find(names, n, "I/Os");
    f->mean = csv_find(names, n, "AvgLat");
    f->sd = csv_find(names, n, "LatStdDev");
    f->file = csv_find(names, n, "file");
    f->rate = csv_find(names, n, "MiB/s");
    if (f->rate == n)
        f->rate = csv_find(names, n, "MB/s"); /* binary all the time */
}

static double number_at(char **fields, size_t n, size_t i)
{
    double v;
    const char *p = i < n ? fields[i] : "";
    return scan_decimal(&p, &v) ? v : (double)NAN;
}

static bool counts_at(struct spd_text *f, char **fields, size_t n, struct diskspd_sum *ret)
{
    double bytes = number_at(fields, n, f->bytes), ios = number_at(fields, n, f->ios);
    *ret = diskspd_nothing();
    if (!(bytes >= 0) || !(ios >= 0) || bytes >= 0x1p53 || ios >= 0x1p53)
        return false;
    ret->bytes = (uint64_t)bytes;
    ret->ios = (uint64_t)ios;
    ret->lat_ms = number_at(fields, n, f->mean) * ios;
    ret->sd_ms = number_at(fields, n, f->sd);
    ret->parts = 1;
    return true;
}

static void check_rate(struct spd_text *f, const struct diskspd_sum *x, double rate)
{
    struct import_claim claim = { .key = "MiB/s",
                                  .line = line_of(f),
                                  .counted = x->bytes,
                                  .seconds = f->span->seconds,
                                  .claimed = rate * 0x1p20,
                                  .unit = 0.01 * 0x1p20,
                                  .what = "B/s" };
    if (rate >= 0)
        collect_check_claim(f->d.c, &claim);
}

/* "diskspd.dat (1024MiB)" */
static const char *path_of(struct spd_text *f, const char *field)
{
    const char *end = strrchr(field, '(');
    return end && end > field
               ? scan_trimmed(f->d.c->a, arena_strndup(f->d.c->a, field, (size_t)(end - field)))
               : arena_strdup(f->d.c->a, field);
}

static void take_row(struct spd_text *f, char *line)
{
    char *fields[COLUMNS];
    struct diskspd_sum x;
    bool total = scan_word(line, "total") != NULL;
    char *from = total ? strchr(line, ':') : NULL;
    size_t n = 0;
    if (total) {
        fields[n++] = line;
        line = from ? from + 1 : line;
    }
    n += csv_split(line, '|', fields + n, COLUMNS - 1);
    n = n > COLUMNS ? COLUMNS : n;
    int d = f->table == READ_TABLE ? 0 : 1;
    if (!counts_at(f, fields, n, &x)) {
        collect_warn(f->d.c, line_of(f), "no row of a thread: left out");
        return;
    }
    f->span->any = true;
    if (total) {
        check_rate(f, &x, number_at(fields, n, f->rate));
        struct diskspd_sum *to = &f->span->total.dir[d];
        struct percentiles kept = to->percentiles;
        *to = x;
        to->percentiles = kept;
        f->table = NO_TABLE;
    } else if (f->file < n) {
        struct diskspd_target *t = diskspd_target_at(&f->d, f->span, path_of(f, fields[f->file]));
        diskspd_add(&t->dir[d], &x);
    }
}

/* --- tables of percentiles ------------------------------------------------------------------------------------------ */

/* "25th", "3-nines" as "25", "99.9". */
static const char *percent_of(struct spd_text *f, const char *name)
{
    uint32_t n = whole(name);
    if (strstr(name, "-nines") && n >= 3 && n <= 9) {
        static const char nines[] = "9999999";
        return arena_printf(f->d.c->a, "99.%.*s", (int)n - 2, nines);
    }
    return strstr(name, "th") && n ? arena_printf(f->d.c->a, "%u", n) : NULL;
}

static void take_percentile(struct spd_text *f, char *line)
{
    char *fields[4];
    if (csv_split(line, '|', fields, 4) < 3)
        return;
    for (int d = 0; d < 2; d++) {
        struct diskspd_sum *s = &f->latency->dir[d];
        double ms = number_at(fields, 4, (size_t)d + 1);
        const char *percent = percent_of(f, fields[0]);
        if (isnan(ms))
            continue;
        if (percent)
            percentiles_add(&s->percentiles, percent, ms * 1e6, "diskspd");
        else if (!strcmp(fields[0], "min"))
            s->low_ms = ms;
        else if (!strcmp(fields[0], "max"))
            s->high_ms = ms;
    }
}

static void begin_percentiles(struct spd_text *f)
{
    f->table = NO_TABLE;
    f->latency = &f->span->total;
    for (struct diskspd_target *t = f->span->targets; f->title && t; t = t->next)
        if (!strcmp(t->path, f->title))
            f->latency = t;
}

/* --- the file ------------------------------------------------------------------------------------------------------- */

static void take_result(struct spd_text *f, char *line)
{
    const char *p, *at = scan_blanks(line);
    if ((p = scan_label(at, "actual test time"))) {
        double seconds;
        if (scan_decimal(&p, &seconds))
            f->span->seconds = seconds;
        f->span->line = line_of(f);
    } else if ((p = scan_label(at, "thread count"))) {
        f->span->threads = whole(p);
    } else if (!strcmp(at, "Total IO") || !strcmp(at, "Read IO") || !strcmp(at, "Write IO")) {
        f->table = *at == 'T' ? OTHER_TABLE : *at == 'R' ? READ_TABLE : WRITE_TABLE;
        f->latency = NULL;
    } else if (!strncmp(at, "%-ile", 5)) {
        begin_percentiles(f);
    } else if (!strncmp(at, "thread |", 8)) {
        take_heading(f, line);
    } else if (f->latency && strchr(at, '|')) {
        take_percentile(f, line);
    } else if ((f->table == READ_TABLE || f->table == WRITE_TABLE) &&
               (isdigit((unsigned char)*at) || scan_word(at, "total"))) {
        take_row(f, line);
    } else if (!strchr(at, '|') && *at && *at != '-') {
        f->title = scan_trimmed(f->d.c->a, at);
        f->latency = NULL;
    }
}

static void take_line(struct spd_text *f, char *line)
{
    const char *p;
    if ((p = scan_label(line, "start time"))) {
        scan_date(p, &f->d.started_ns);
    } else if ((p = scan_word(line, "Results for timespan"))) {
        f->span = diskspd_span_at(&f->d, (long)whole(p));
        f->span->line = line_of(f);
        f->results = true;
        f->table = NO_TABLE;
        f->latency = NULL;
    } else if (scan_label(line, "Input parameters")) {
        if (f->results)
            diskspd_finish(&f->d); /* another report */
        *f = (struct spd_text) { .d = { .c = f->d.c, .tool = f->d.tool } };
    } else if ((p = scan_label(line, "Command Line")) && (p = strstr(p, "diskspd."))) {
        const char *v = p + strlen("diskspd.");
        size_t n = strspn(v, "0123456789.");
        if (n > 1 && v[0] != '.')
            f->d.tool = arena_strndup(f->d.c->a, v, n - (v[n - 1] == '.'));
    } else if (f->results) {
        take_result(f, line);
    } else {
        take_parameter(f, line);
    }
}

int diskspd_text_read(struct collect *c, struct error *e)
{
    struct spd_text f = { .d = { .c = c } };
    char *line;
    size_t n;
    int rc;
    while ((rc = reader_line(c->source->reader, &line, &n, e)) == 1)
        take_line(&f, line);
    diskspd_finish(&f.d);
    return rc;
}
