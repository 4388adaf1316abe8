#include <errno.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parse.h"
#include "import/diskspd_inside.h"
#include "import/scan.h"

/* Pushed through a SAX parser: memory does not grow with the file, and what stands before a break is kept to the last element
 * (libxml2's reader gives up the whole chunk). The file has no XML declaration; RandomAccess is a flag of its opening, the pattern is
 * told by Random. */

enum { DEPTH = 16, NAME_LIMIT = 40, TEXT_LIMIT = 4096, CHUNK = 64 << 10 };

bool diskspd_xml_sniff(const char *head, const char *name)
{
    (void)name;
    const char *p = strstr(head, "<Results>");
    return p && (strstr(p, "<TimeSpan") || strstr(p, "<System>") || strstr(p, "<Profile>"));
}

struct xml {
    struct diskspd d;
    char path[DEPTH][NAME_LIMIT]; /* names of the open elements */
    int depth;
    char text[TEXT_LIMIT];
    size_t n_text;
    struct diskspd_span *span;
    struct diskspd_target *target;
    struct diskspd_sum part[2]; /* of the thread and target being read */
    const char *part_path, *percent;
    long asked, got; /* timespans so far: of the profile, of the results */
    xmlParserCtxt *parser;
    const xmlChar **attributes; /* of the element that begins */
};

static bool inside(const struct xml *f, const char *name)
{
    for (int i = 0; i < f->depth && i < DEPTH; i++)
        if (!strcmp(f->path[i], name))
            return true;
    return false;
}

static const char *parent_of(const struct xml *f, int up)
{
    int i = f->depth - 1 - up;
    return i >= 0 && i < DEPTH ? f->path[i] : "";
}

static double number_of_text(const struct xml *f)
{
    struct error ignored;
    double v;
    return parse_double(f->text, &v, &ignored) ? (double)NAN : v;
}

static uint64_t count_of_text(const struct xml *f)
{
    struct error ignored;
    uint64_t v = 0;
    return parse_u64(f->text, &v, &ignored) || v >= 1ull << 53 ? 0 : v;
}

static uint32_t small_of_text(const struct xml *f)
{
    uint64_t v = count_of_text(f);
    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* --- what was to be done -------------------------------------------------------------------------------------------- */

static void end_asked(struct xml *f, const char *name)
{
    struct diskspd_target *t = f->target;
    if (!strcmp(name, "Duration")) {
        f->span->duration_s = number_of_text(f);
    } else if (!strcmp(name, "Warmup")) {
        f->span->warmup_s = number_of_text(f);
    } else if (!t || strcmp(parent_of(f, 0), "Target") != 0) {
        return;
    } else if (!strcmp(name, "Path")) {
        t->path = arena_strdup(f->d.c->a, f->text);
    } else if (!strcmp(name, "BlockSize")) {
        t->size = small_of_text(f);
    } else if (!strcmp(name, "Random")) {
        t->random = count_of_text(f) > 0;
    } else if (!strcmp(name, "DisableOSCache") || !strcmp(name, "DisableAllCache")) {
        t->direct |= !strcmp(f->text, "true");
    } else if (!strcmp(name, "WriteRatio")) {
        t->write_pct = number_of_text(f);
    } else if (!strcmp(name, "ThreadsPerFile")) {
        t->threads = small_of_text(f);
    } else if (!strcmp(name, "RequestCount")) {
        t->depth = small_of_text(f);
    }
}

/* --- what came of it ------------------------------------------------------------------------------------------------ */

static void end_part(struct xml *f)
{
    struct diskspd_target *t = diskspd_target_at(&f->d, f->span, f->part_path ? f->part_path : "?");
    f->span->any = true;
    for (int d = 0; d < 2; d++) {
        f->part[d].lat_ms *= (double)f->part[d].ios; /* it was the mean */
        diskspd_add(&t->dir[d], &f->part[d]);
        diskspd_add(&f->span->total.dir[d], &f->part[d]);
    }
}

static void end_in_part(struct xml *f, const char *name)
{
    static const char *const names[2][4] = {
        { "ReadBytes", "ReadCount", "AverageReadLatencyMilliseconds", "ReadLatencyStdev" },
        { "WriteBytes", "WriteCount", "AverageWriteLatencyMilliseconds", "WriteLatencyStdev" },
    };
    if (!strcmp(name, "Path"))
        f->part_path = arena_strdup(f->d.c->a, f->text);
    for (int d = 0; d < 2; d++) {
        struct diskspd_sum *x = &f->part[d];
        if (!strcmp(name, names[d][0]))
            x->bytes = count_of_text(f);
        else if (!strcmp(name, names[d][1]))
            x->ios = count_of_text(f);
        else if (!strcmp(name, names[d][2]))
            x->lat_ms = number_of_text(f);
        else if (!strcmp(name, names[d][3]))
            x->sd_ms = number_of_text(f);
    }
}

/* The buckets of the whole timespan: percentile 0 is the minimum, 100 the maximum. */
static void end_in_latency(struct xml *f, const char *name)
{
    if (!strcmp(name, "Percentile")) {
        f->percent = arena_strdup(f->d.c->a, f->text);
        return;
    }
    int d = !strcmp(name, "ReadMilliseconds") ? 0 : !strcmp(name, "WriteMilliseconds") ? 1 : -1;
    double ms = number_of_text(f);
    if (d < 0 || !f->percent || isnan(ms) || strcmp(parent_of(f, 0), "Bucket") != 0)
        return;
    static const char *const kept[] = { "1",  "5",  "10",   "25",    "50",     "75",     "90",
                                        "95", "99", "99.9", "99.99", "99.999", "99.9999" };
    struct diskspd_sum *s = &f->span->total.dir[d];
    if (!strcmp(f->percent, "0"))
        s->low_ms = ms;
    if (!strcmp(f->percent, "100"))
        s->high_ms = ms;
    for (size_t i = 0; i < countof(kept); i++)
        if (!strcmp(f->percent, kept[i]))
            percentiles_add(&s->percentiles, f->percent, ms * 1e6, "diskspd");
}

static double attribute(const struct xml *f, const char *name)
{
    struct error ignored;
    double v = (double)NAN;
    for (const xmlChar **a = f->attributes; a && a[0] && a[1]; a += 2)
        if (!strcmp((const char *)a[0], name) && parse_double((const char *)a[1], &v, &ignored))
            v = (double)NAN;
    return v;
}

static uint64_t counted(double v)
{
    return v >= 0 && v < 0x1p40 ? (uint64_t)v : 0;
}

/* <Bucket SampleMillisecond="1000" Read="332" Write="119" …/> of the whole timespan. */
static void take_second(struct xml *f)
{
    double end = attribute(f, "SampleMillisecond");
    if (!(end > 0) || end > 1e12)
        return;
    *array_push(&f->span->iops) = (struct diskspd_second) {
        .end_ms = (int64_t)end,
        .ios = { counted(attribute(f, "Read")), counted(attribute(f, "Write")) },
        .mean_ms = { attribute(f, "ReadAvgLatencyMilliseconds"),
                     attribute(f, "WriteAvgLatencyMilliseconds") },
        .low_ms = { attribute(f, "ReadMinLatencyMilliseconds"),
                    attribute(f, "WriteMinLatencyMilliseconds") },
        .high_ms = { attribute(f, "ReadMaxLatencyMilliseconds"),
                     attribute(f, "WriteMaxLatencyMilliseconds") },
    };
}

/* --- the file ------------------------------------------------------------------------------------------------------- */

static void begin_element(struct xml *f, const char *name)
{
    bool profile = inside(f, "Profile");
    f->n_text = 0;
    f->text[0] = '\0';
    if (!strcmp(name, "TimeSpan")) {
        f->span = diskspd_span_at(&f->d, profile ? ++f->asked : ++f->got);
        f->target = NULL;
        if (!profile)
            f->span->line = xmlSAX2GetLineNumber(f->parser);
    } else if (!f->span) {
        return;
    } else if (!strcmp(name, "Target") && profile) {
        f->target = diskspd_target_new(&f->d, f->span, "?");
        f->target->listed = true;
    } else if (!strcmp(name, "Target")) {
        f->part[0] = f->part[1] = diskspd_nothing();
        f->part_path = NULL;
    } else if (!strcmp(name, "Bucket") && !strcmp(parent_of(f, 0), "Iops") &&
               !inside(f, "Thread")) {
        take_second(f);
    }
}

static void end_element(struct xml *f, const char *name)
{
    if (!strcmp(name, "Version") && inside(f, "Tool"))
        f->d.tool = arena_strdup(f->d.c->a, f->text);
    else if (!strcmp(name, "RunTime") && inside(f, "System"))
        scan_date(f->text, &f->d.started_ns);
    else if (!f->span)
        return;
    else if (inside(f, "Profile"))
        end_asked(f, name);
    else if (!strcmp(name, "Target") && !strcmp(parent_of(f, 0), "Thread"))
        end_part(f);
    else if (!strcmp(parent_of(f, 0), "Target"))
        end_in_part(f, name);
    else if (inside(f, "Latency"))
        end_in_latency(f, name);
    else if (!strcmp(name, "TestTimeSeconds"))
        f->span->seconds = number_of_text(f);
    else if (!strcmp(name, "ThreadCount"))
        f->span->threads = small_of_text(f);
}

static void on_text(void *self, const xmlChar *text, int length)
{
    struct xml *f = self;
    size_t n = (size_t)length, room = TEXT_LIMIT - 1 - f->n_text;
    n = n < room ? n : room;
    memcpy(f->text + f->n_text, text, n);
    f->n_text += n;
    f->text[f->n_text] = '\0';
}

static void on_begin(void *self, const xmlChar *name, const xmlChar **attributes)
{
    struct xml *f = self;
    f->attributes = attributes;
    begin_element(f, (const char *)name);
    f->attributes = NULL;
    if (f->depth < DEPTH)
        snprintf(f->path[f->depth], NAME_LIMIT, "%s", (const char *)name);
    f->depth++;
}

static void on_end(void *self, const xmlChar *name)
{
    struct xml *f = self;
    f->depth -= f->depth > 0;
    end_element(f, (const char *)name);
    f->n_text = 0;
    f->text[0] = '\0';
}

static void warn_broken(struct xml *f)
{
    const xmlError *why = xmlCtxtGetLastError(f->parser);
    const char *message = why && why->message ? why->message : "it ends too early";
    long line = why && why->line > 0 ? why->line : 0;
    collect_warn(f->d.c, line, "the XML is broken here: %.*s", (int)strcspn(message, "\n"),
                 message);
}

static int parse(struct xml *f, int fd, struct error *e)
{
    char *chunk = arena_alloc(f->d.c->a, CHUNK);
    ssize_t n;
    int broken = 0;
    while (!broken && (n = read(fd, chunk, CHUNK)) > 0)
        broken = xmlParseChunk(f->parser, chunk, (int)n, 0);
    if (!broken && n < 0)
        return error_sys(e, errno, "cannot read '%s'", f->d.c->source->path);
    if (broken || xmlParseChunk(f->parser, NULL, 0, 1))
        warn_broken(f);
    return 0;
}

int diskspd_xml_read(struct collect *c, struct error *e)
{
    xmlSAXHandler handler = {
        .startElement = on_begin, .endElement = on_end, .characters = on_text, .cdataBlock = on_text
    };
    struct xml *f = arena_one(c->a, struct xml);
    int fd;
    uint64_t size;
    if (file_open(c->source->path, &fd, &size, e))
        return -1;
    f->d.c = c;
    f->parser = xmlCreatePushParserCtxt(&handler, f, NULL, 0, c->source->name);
    int rc = f->parser ? parse(f, fd, e)
                       : error_set(e, QD_E_FAIL, "cannot read '%s' as XML", c->source->path);
    if (!rc)
        diskspd_finish(&f->d);
    xmlFreeParserCtxt(f->parser);
    close(fd);
    return rc;
}
