#include "matrix/trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/fmt.h"
#include "base/parse.h"
#include "base/reader.h"

enum { SECTOR = 512, WORDS = 16 };

static const char *const names[] = { NULL, "fio-iolog", "blkparse", "msr-csv" };

enum trace_format trace_format_of(const char *name)
{
    for (int f = TRACE_FIO_IOLOG; name && f <= TRACE_MSR_CSV; f++)
        if (strcmp(name, names[f]) == 0)
            return (enum trace_format)f;
    return TRACE_GUESS;
}

const char *trace_format_name(enum trace_format f)
{
    return names[f];
}

struct loading {
    const struct trace_source *source;
    struct reader *reader;
    enum trace_format format;
    uint32_t version;                   /* of a fio iolog */
    ARRAY(struct trace_io) ios, issued; /* issued: blkparse's D, beside its Q */
    uint64_t waited_us, first, left_out;
    bool timed; /* `first` is known */
    struct error *e;
};

static int wrong(struct loading *l, const char *expected)
{
    return error_at(l->e, l->source->path, reader_number(l->reader), "expected %s", expected);
}

/* --- words --------------------------------------------------------------------------------------------------------- */

/* Cuts the line in place; returns how many words there are, at most WORDS. */
static size_t split(char *line, const char *separators, char *word[WORDS])
{
    size_t n = 0;
    char *rest = NULL;
    for (char *w = strtok_r(line, separators, &rest); w && n < WORDS;
         w = strtok_r(NULL, separators, &rest))
        word[n++] = w;
    return n;
}

static bool number(const char *text, uint64_t *ret)
{
    struct error ignored;
    return parse_u64(text, ret, &ignored) == 0;
}

static bool fits(uint64_t offset, uint64_t size)
{
    return size > 0 && size <= PLAN_MAX_SIZE && offset <= INT64_MAX - size;
}

/* --- fio ----------------------------------------------------------------------------------------------------------- */

static int take_fio_io(struct loading *l, char **word, size_t n, uint64_t at_us)
{
    bool reads = strcmp(word[1], "read") == 0, writes = strcmp(word[1], "write") == 0;
    uint64_t offset = 0, size = 0;
    if (!reads && !writes) {
        static const char *const others[] = { "add",      "open", "close",   "sync",
                                              "datasync", "trim", "waitsync" };
        for (size_t i = 0; i < countof(others); i++)
            if (strcmp(word[1], others[i]) == 0) {
                l->left_out += i >= 3;
                return 0;
            }
        return wrong(l, "add, open, close, read, write, trim, sync, datasync or wait");
    }
    if (n != 4 || !number(word[2], &offset) || !number(word[3], &size) || !fits(offset, size))
        return wrong(l, "an offset and a size up to 64 MiB");
    *array_push(&l->ios) = (struct trace_io) { at_us * 1000, offset, (uint32_t)size,
                                               reads ? DIR_READ : DIR_WRITE };
    return 0;
}

static int take_fio(struct loading *l, char *line)
{
    char *word[WORDS];
    size_t n = split(line, " \t", word);
    uint64_t at = l->waited_us, more = 0;
    if (n == 0)
        return 0;
    if (l->version == 3) {
        if (!number(word[0], &at) || n < 3)
            return wrong(l, "a time in µs, a file and an action");
        return take_fio_io(l, word + 1, n - 1, at);
    }
    if (n < 2)
        return wrong(l, "a file and an action");
    if (strcmp(word[1], "wait") != 0)
        return take_fio_io(l, word, n, at);
    if (n < 3 || !number(word[2], &more))
        return wrong(l, "a time in µs after wait");
    l->waited_us += more;
    return 0;
}

/* --- blkparse ------------------------------------------------------------------------------------------------------ */

/* "0.000000000" */
static bool seconds(const char *text, uint64_t *ret_ns)
{
    const char *point = strchr(text, '.');
    char whole[24], part[16] = "000000000";
    uint64_t s = 0, ns = 0;
    if (!point || point - text >= (long)sizeof whole)
        return false;
    snprintf(whole, sizeof whole, "%.*s", (int)(point - text), text);
    size_t n = strlen(point + 1);
    memcpy(part, point + 1, n < 9 ? n : 9);
    if (!number(whole, &s) || !number(part, &ns) || s > UINT64_MAX / 2000000000)
        return false;
    *ret_ns = s * 1000000000 + ns;
    return true;
}

/* "  8,0    3        1     0.000000000   697  Q   W 223490 + 8 [kjournald]"; anything else is a summary or another event. */
static int take_blkparse(struct loading *l, char *line)
{
    char *w[WORDS];
    uint64_t at = 0, sector = 0, sectors = 0;
    size_t n = split(line, " \t", w);
    if (n < 10 || !strchr(w[0], ',') || !seconds(w[3], &at) || strcmp(w[8], "+") != 0)
        return 0;
    bool queued = strcmp(w[5], "Q") == 0, issued = strcmp(w[5], "D") == 0;
    if (!queued && !issued)
        return 0;
    if (strchr(w[6], 'D') || !strpbrk(w[6], "RW")) {
        l->left_out += queued;
        return 0;
    }
    if (!number(w[7], &sector) || !number(w[9], &sectors) || sector > INT64_MAX / SECTOR)
        return wrong(l, "a sector, + and a number of sectors");
    if (sectors == 0) { /* a flush */
        l->left_out += queued;
        return 0;
    }
    if (sectors > PLAN_MAX_SIZE / SECTOR)
        return wrong(l, "I/O of at most 64 MiB");
    struct trace_io *io = queued ? array_push(&l->ios) : array_push(&l->issued);
    *io = (struct trace_io) { at, sector * SECTOR, (uint32_t)sectors * SECTOR,
                              strchr(w[6], 'R') ? DIR_READ : DIR_WRITE };
    return 0;
}

/* --- MSR Cambridge ------------------------------------------------------------------------------------------------- */

static int take_msr(struct loading *l, char *line)
{
    char *w[WORDS];
    uint64_t at = 0, offset = 0, size = 0;
    size_t n = split(line, ",", w);
    if (n == 0 || strcmp(w[0], "Timestamp") == 0)
        return 0;
    if (n < 6 || !number(w[0], &at) || !number(w[4], &offset) || !number(w[5], &size))
        return wrong(l, "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime");
    bool reads = strcasecmp(w[3], "Read") == 0;
    if (!reads && strcasecmp(w[3], "Write") != 0)
        return wrong(l, "Type Read or Write");
    if (!fits(offset, size))
        return wrong(l, "a size from 1 byte to 64 MiB");
    if (!l->timed)
        l->first = at;
    l->timed = true;
    at = at > l->first ? at - l->first : 0;
    *array_push(&l->ios) = (struct trace_io) { at * 100, offset, (uint32_t)size,
                                               reads ? DIR_READ : DIR_WRITE };
    return 0;
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

/* By the first line that is not empty. */
static int begin(struct loading *l, const char *line)
{
    enum trace_format found = TRACE_GUESS;
    const char *comma = strchr(line, ',');
    if (strncmp(line, "fio version ", 12) == 0)
        found = TRACE_FIO_IOLOG;
    else if (comma)
        found = strchr(comma + 1, ',') ? TRACE_MSR_CSV : TRACE_BLKPARSE;
    l->format = l->source->format ? l->source->format : found;
    if (l->format == TRACE_GUESS)
        return wrong(l, "a fio iolog, blkparse's text or a CSV of MSR Cambridge");
    if (l->format != TRACE_FIO_IOLOG)
        return 0;
    l->version = strncmp(line, "fio version 2 ", 14) == 0   ? 2
                 : strncmp(line, "fio version 3 ", 14) == 0 ? 3
                                                            : 0;
    return l->version ? 0 : wrong(l, "fio version 2 iolog or fio version 3 iolog");
}

static int take(struct loading *l, char *line)
{
    if (l->ios.n >= TRACE_MAX_IOS || l->issued.n >= TRACE_MAX_IOS)
        return wrong(l, "at most 50 million I/Os");
    switch (l->format) {
    case TRACE_FIO_IOLOG:
        return take_fio(l, line);
    case TRACE_BLKPARSE:
        return take_blkparse(l, line);
    default:
        return take_msr(l, line);
    }
}

static int read_all(struct loading *l)
{
    char *line = NULL;
    size_t n = 0;
    int rc;
    bool begun = false;
    while ((rc = reader_line(l->reader, &line, &n, l->e)) == 1) {
        if (line[strspn(line, " \t")] == '\0')
            continue;
        bool first = !begun;
        if (first && begin(l, line))
            return -1;
        begun = true;
        if (first && l->format == TRACE_FIO_IOLOG)
            continue;
        if (take(l, line))
            return -1;
    }
    if (rc == 0 && l->format == TRACE_BLKPARSE && l->ios.n == 0) {
        array_free(&l->ios);
        l->ios = l->issued;
        l->issued.at = NULL;
    }
    return rc;
}

/* By time, those of one time as recorded: events of several processors may stand out of order. */
static int by_time(const void *x, const void *y)
{
    const struct trace_io *a = x, *b = y;
    return a->at_ns != b->at_ns ? (a->at_ns < b->at_ns ? -1 : 1) : 0;
}

static uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static struct trace *finish(struct arena *a, const struct loading *l)
{
    struct trace *t = arena_one(a, struct trace);
    struct trace_io *ios = arena_memdup(a, l->ios.at, l->ios.n * sizeof *ios);
    uint64_t digest = mixed(0, (uint64_t)(l->source->speed * 1e6));
    bool sorted = true;
    for (size_t i = 1; i < l->ios.n; i++)
        sorted = sorted && ios[i].at_ns >= ios[i - 1].at_ns;
    if (!sorted)
        qsort(ios, l->ios.n, sizeof *ios, by_time);
    uint64_t first = ios[0].at_ns;
    *t = (struct trace) { .file = arena_strdup(a, l->source->path),
                          .format = trace_format_name(l->format),
                          .ios = ios,
                          .n = l->ios.n,
                          .speed = l->source->speed,
                          .left_out = l->left_out };
    for (size_t i = 0; i < t->n; i++) {
        struct trace_io *io = &ios[i];
        io->at_ns -= first;
        uint64_t end = io->offset + io->size;
        t->end = end > t->end ? end : t->end;
        if (io->size > t->largest[io->direction])
            t->largest[io->direction] = io->size;
        digest = mixed(mixed(digest, io->at_ns),
                       io->offset ^ (uint64_t)io->size << 40 ^ io->direction);
    }
    t->digest = digest;
    return t;
}

int trace_load(struct arena *a, const struct trace_source *s, struct trace **ret, struct error *e)
{
    struct loading l = { .source = s, .e = e };
    struct stat st;
    if (stat(s->path, &st) == 0 && !S_ISREG(st.st_mode))
        return error_at(e, s->path, 0, "expected a file");
    if (reader_open(s->path, &l.reader, e))
        return -1;
    int rc = read_all(&l);
    if (rc == 0 && l.ios.n == 0)
        rc = error_at(e, s->path, 0, "expected a recording with reads or writes");
    if (rc == 0)
        *ret = finish(a, &l);
    reader_close(l.reader);
    array_free(&l.ios);
    array_free(&l.issued);
    return rc;
}

struct access_line trace_line(const struct trace *t)
{
    uint64_t bytes = 0, reads = 0, follows = 0;
    assert(t->n > 0); /* trace_load refuses an empty recording */
    for (size_t i = 0; i < t->n; i++) {
        bytes += t->ios[i].size;
        reads += t->ios[i].direction == DIR_READ;
        follows += i && t->ios[i].offset == t->ios[i - 1].offset + t->ios[i - 1].size;
    }
    uint64_t mean = (bytes / t->n + SECTOR / 2) / SECTOR * SECTOR;
    return (struct access_line) { .share_bp = 10000,
                                  .size = (uint32_t)(mean ? mean : SECTOR),
                                  .read_bp = (uint32_t)(reads * 10000 / t->n),
                                  .random_bp = (uint32_t)((t->n - follows) * 10000 / t->n),
                                  .burst = 1 };
}
