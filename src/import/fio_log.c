#include "import/fio_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "import/fio_log_inside.h"

/* Times beyond this (2001, as Unix ms) are of log_unix_epoch. */
#define EPOCH_MS INT64_C(1000000000000)
/* No rate and no time in ns is larger. */
#define MAX_VALUE INT64_C(1000000000000000)
enum { MAX_SECONDS = 1000000000, COLUMNS = 8 };

/* --- names ---------------------------------------------------------------------------------------------------------- */

bool fio_log_name(struct arena *a, const char *name, struct log_name *ret)
{
    static const char *const kinds[LOG_KINDS] = { "_lat",  "_clat", "_slat",
                                                  "_iops", "_bw",   "_clat_hist" };
    const char *best = NULL;
    for (enum log_kind k = 0; k < LOG_KINDS; k++)
        for (const char *p = name; (p = strstr(p, kinds[k])); p++) {
            char after = p[strlen(kinds[k])];
            if ((after != '.' && after) || (best && p < best))
                continue;
            best = p;
            ret->kind = k;
        }
    if (!best)
        return false;
    ret->base = arena_strndup(a, name, (size_t)(best - name));
    const char *log = strstr(best, ".log");
    ret->host = log && log[4] == '.' ? log + 5 : "";
    return true;
}

/* --- rows ----------------------------------------------------------------------------------------------------------- */

static inline const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* Numbers between commas; false if one is none. Hexadecimal ones are priorities, of no use here. Called for each of some 10^7 rows:
 * nothing but the loops over the digits. */
static inline bool numbers(const char *p, int64_t at[COLUMNS], int *ret_n)
{
    int n = 0;
    p = skip_blanks(p);
    for (;;) {
        bool minus = *p == '-';
        p += minus;
        const char *from = p;
        uint64_t v = 0;
        for (unsigned digit; (digit = (unsigned)*p - '0') < 10; p++)
            v = v * 10 + digit;
        if (p == from || p - from > 18)
            return false;
        if (v == 0 && (*p == 'x' || *p == 'X'))
            while (*p && *p != ',')
                p++;
        p = skip_blanks(p);
        if (n < COLUMNS)
            at[n++] = minus ? -(int64_t)v : (int64_t)v;
        if (!*p)
            break;
        if (*p++ != ',')
            return false;
        p = skip_blanks(p);
        if (!*p)
            break;
    }
    *ret_n = n;
    return true;
}

bool fio_log_sniff(const char *head, const char *name)
{
    struct arena *a = arena_new();
    struct log_name ignored;
    bool named = fio_log_name(a, name, &ignored);
    arena_free(a);
    for (int i = 0; *head && i < 20; i++) {
        char line[200];
        int64_t at[COLUMNS];
        int n = 0;
        size_t length = strcspn(head, "\n");
        if (length >= sizeof line && fio_log_hist_line(head))
            return named;
        if (length < sizeof line) {
            memcpy(line, head, length);
            line[length] = '\0';
            if (numbers(line, at, &n) && n >= (named ? 3 : 4) && n < COLUMNS && at[2] <= 2)
                return true;
            if (named && n >= 4 && n < COLUMNS && at[3] <= 2)
                return true;
        }
        head += length + (head[length] != '\0');
    }
    return false;
}

/* --- one file ------------------------------------------------------------------------------------------------------- */

/* A second that is being filled. fio writes rows as I/Os end, a few out of order: where one second meets the next both are open. */
struct open_second {
    struct hist *hist; /* NULL: never opened; empty: not in use */
    int64_t at;
    size_t index; /* in the part's seconds */
};
enum { OPEN_SECONDS = 2 };

struct log_file {
    struct collect *c;
    struct log_set *set;
    struct log_part *part;
    enum log_kind kind;
    int direction_column; /* 2, or 3 where log_window_value=both put the maximum before it */
    int64_t last[LOG_DIRS], first;                   /* times */
    struct open_second open[LOG_DIRS][OPEN_SECONDS]; /* the newest first */
    size_t rows, bad;
};

static struct log_set *find_set(struct collect *c, const struct log_name *name)
{
    struct log_set **at = &c->logs;
    for (; *at; at = &(*at)->next)
        if (!strcmp((*at)->base, name->base) && !strcmp((*at)->host, name->host))
            return *at;
    *at = arena_one(c->a, struct log_set);
    (*at)->base = name->base;
    (*at)->host = name->host;
    return *at;
}

/* Where a second is or belongs: nearly always behind the last one or, for a job's next thread, where it was. */
static size_t place_of(const struct log_part *p, int d, int64_t at)
{
    size_t n = p->seconds[d].n, low = 0, high = n;
    if (n && p->seconds[d].at[n - 1].at < at)
        low = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->seconds[d].at[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The histogram of an open second goes to its record, encoded, and into that of the whole log. */
static int close_second(struct log_file *f, int d, struct open_second *o, struct error *e)
{
    struct log_part *p = f->part;
    if (!o->hist || !o->hist->m.n)
        return 0;
    struct log_second *s = &p->seconds[d].at[o->index];
    size_t had = s->n_bins;
    void *place = s->bins;
    if (!p->hist[d]) {
        p->hist[d] = arena_one(f->c->a, struct hist);
        hist_clear(p->hist[d]);
    }
    hist_merge(p->hist[d], o->hist);
    moments_merge(&s->lat, &o->hist->m);
    if (had && hist_merge_blob(o->hist, place, had, e))
        return -1;
    hist_encode(o->hist, f->c->a, &s->bins, &s->n_bins);
    hist_clear(o->hist);
    return 0;
}

static int open_second(struct log_file *f, int d, int64_t at, struct error *e)
{
    struct open_second *open = f->open[d];
    struct log_part *p = f->part;
    struct open_second last = open[OPEN_SECONDS - 1];
    if (close_second(f, d, &last, e))
        return -1;
    memmove(open + 1, open, (OPEN_SECONDS - 1) * sizeof *open);
    size_t low = place_of(p, d, at);
    if (low == p->seconds[d].n || p->seconds[d].at[low].at != at) {
        array_push(&p->seconds[d]);
        struct log_second *s = &p->seconds[d].at[low];
        memmove(s + 1, s, (p->seconds[d].n - 1 - low) * sizeof *s);
        *s = (struct log_second) { .at = at, .lat = moments_zero() };
        for (int i = 1; i < OPEN_SECONDS; i++)
            open[i].index += open[i].hist && open[i].index >= low;
    }
    if (!last.hist) {
        last.hist = arena_one(f->c->a, struct hist);
        hist_clear(last.hist);
    }
    open[0] = (struct open_second) { .hist = last.hist, .at = at, .index = low };
    return 0;
}

static int close_all(struct log_file *f, struct error *e)
{
    for (int d = 0; d < LOG_DIRS; d++)
        for (int i = 0; i < OPEN_SECONDS; i++)
            if (close_second(f, d, &f->open[d][i], e))
                return -1;
    return 0;
}

static int take_single(struct log_file *f, const int64_t *at, int d, struct error *e)
{
    struct log_part *p = f->part;
    struct open_second *o = f->open[d];
    int64_t second = (at[0] - f->set->epoch_ms) / 1000;
    if (second < 0 || second >= MAX_SECONDS) {
        f->bad++;
        collect_warn(f->c, reader_number(f->c->source->reader), "time %lld ms is out of range",
                     (long long)at[0]);
        return 0;
    }
    if (!o->hist || o->at != second) {
        if (o[1].hist && o[1].at == second)
            o++;
        else if (open_second(f, d, second, e))
            return -1;
    }
    uint32_t size = (uint32_t)at[f->direction_column + 1];
    struct log_second *s = &p->seconds[d].at[o->index];
    s->ios++;
    s->bytes += size;
    if (p->sizes[d] != size)
        p->sizes[d] = p->sizes[d] ? UINT32_MAX : size;
    if (f->kind <= LOG_SLAT)
        hist_record(o->hist, (uint64_t)at[1]);
    return 0;
}

static void take_window(struct log_file *f, const int64_t *at, int d)
{
    int64_t t = at[0] - f->set->epoch_ms;
    int64_t before = f->last[d];
    f->last[d] = t;
    if (t <= before && before) {
        collect_warn(f->c, reader_number(f->c->source->reader),
                     "time %lld ms does not come after the row before: it is left out",
                     (long long)at[0]);
        f->last[d] = before;
        return;
    }
    *array_push(&f->part->rows) = (struct log_row) {
        .t_ms = t,
        .dt_ms = t - before > UINT32_MAX ? UINT32_MAX : (uint32_t)(t - before),
        .value = (double)at[1],
        .direction = (uint8_t)d,
    };
}

/* The first row settles what the others mean: columns, windows, the clock. */
static void settle(struct log_file *f, const int64_t *at, int n)
{
    f->direction_column = at[2] > 2 && n > 3 && at[3] >= 0 && at[3] <= 2 ? 3 : 2;
    int size = f->direction_column + 1;
    f->part->single = n > size && at[size] > 0;
    f->part->nanoseconds |= n > f->direction_column + 2;
    if (at[0] >= EPOCH_MS && !f->set->epoch_ms)
        f->set->epoch_ms = at[0] / 1000 * 1000;
    f->first = at[0];
}

static int take_row(struct log_file *f, const int64_t *at, int n, struct error *e)
{
    if (!f->rows++)
        settle(f, at, n);
    int64_t d = n > f->direction_column ? at[f->direction_column] : -1;
    int size = f->direction_column + 1;
    bool sized = n > size && at[size] >= 0 && at[size] <= PLAN_MAX_SIZE;
    if (d < 0 || d >= LOG_DIRS || at[0] < 0 || at[1] < 0 || at[1] > MAX_VALUE ||
        (f->part->single && !sized)) {
        f->bad++;
        collect_warn(f->c, reader_number(f->c->source->reader), "no row of a fio log: left out");
        return 0;
    }
    if (at[0] - f->set->epoch_ms > f->part->last_ms)
        f->part->last_ms = at[0] - f->set->epoch_ms;
    if (f->part->single)
        return take_single(f, at, (int)d, e);
    take_window(f, at, (int)d);
    return 0;
}

static int read_rows(struct log_file *f, struct error *e)
{
    char *line;
    size_t n_line;
    int rc;
    while ((rc = reader_line(f->c->source->reader, &line, &n_line, e)) == 1) {
        int64_t at[COLUMNS];
        int n = 0;
        if (!n_line)
            continue;
        if (!numbers(line, at, &n) || n < 3)
            collect_warn(f->c, reader_number(f->c->source->reader),
                         "no row of a fio log: '%.40s' is left out", line);
        else if (take_row(f, at, n, e))
            return -1;
    }
    return rc < 0 ? -1 : close_all(f, e);
}

int fio_log_read(struct collect *c, struct error *e)
{
    struct log_name name;
    c->source->summary->tool = "fio";
    if (!fio_log_name(c->a, c->source->name, &name)) {
        collect_warn(c, 0, "the name does not say what it logs (_bw, _iops, _lat, _clat or _slat)");
        return 0;
    }
    struct log_set *set = find_set(c, &name);
    if (name.kind == LOG_HIST)
        return fio_log_read_hist(c, set, e);
    struct log_file f = { .c = c, .set = set, .part = &set->parts[name.kind], .kind = name.kind };
    bool first = !f.part->any, single = f.part->single;
    f.part->any = true;
    f.part->n_threads++;
    f.part->source = (size_t)(c->source - c->sources);
    int rc = read_rows(&f, e);
    if (!first && single != f.part->single && f.rows)
        collect_warn(c, 0, "some threads' logs are of single I/Os, others of windows");
    if (!f.rows)
        collect_warn(c, 0, "there is no sample in it");
    return rc;
}
