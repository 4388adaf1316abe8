#include "matrix/convert.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "base/utf8.h"
#include "matrix/spec.h"
#include "matrix/xml.h"
#include "model/workload_name.h"

enum { NAME_MAX_LENGTH = 64 };

void conversion_done(struct conversion *c)
{
    array_free(&c->works);
    array_free(&c->depths);
    array_free(&c->workers);
    array_free(&c->left_out);
}

void conversion_leave(struct conversion *c, long line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct str s = str_new(4096);
    str_vprintf(&s, fmt, ap);
    va_end(ap);
    const char *text = arena_strdup(c->a, s.at);
    str_done(&s);
    if (line)
        text = arena_printf(c->a, "line %ld: %s", line, text);
    for (size_t i = 0; i < c->left_out.n; i++)
        if (!strcmp(c->left_out.at[i], text))
            return;
    *array_push(&c->left_out) = text;
}

/* --- XML ------------------------------------------------------------------------------------------------------------ */

/* Text of an attribute or element; what XML cannot hold becomes a question mark. */
static void put_text(struct str *s, const char *text)
{
    while (*text) {
        char bytes[4];
        uint32_t c = utf8_next(&text);
        bool holds = c == '\t' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF && c != 0x7F);
        if (c == '&')
            str_put(s, "&amp;");
        else if (c == '<')
            str_put(s, "&lt;");
        else if (c == '"')
            str_put(s, "&quot;");
        else if (c == '>')
            str_put(s, "&gt;");
        else
            str_putn(s, bytes, utf8_put(holds ? c : '?', bytes));
    }
}

static void put_attribute(struct str *s, const char *name, const char *value)
{
    str_printf(s, " %s=\"", name);
    put_text(s, value);
    str_char(s, '"');
}

static void put_percent(struct str *s, const char *name, uint32_t bp)
{
    str_printf(s, " %s=\"%" PRIu32, name, bp / 100);
    if (bp % 100)
        str_printf(s, ".%02" PRIu32, bp % 100);
    str_char(s, '"');
}

static void put_time(struct str *s, const char *name, uint64_t ns)
{
    if (ns % NS_PER_S == 0)
        str_printf(s, " %s=\"%llus\"", name, ns / NS_PER_S);
    else
        str_printf(s, " %s=\"%llums\"", name, ns / NS_PER_MS);
}

/* Sets an attribute unless this version refuses it, which is said once. */
static void put_if_able(struct conversion *c, struct str *s, const char *element, const char *name,
                        const char *value)
{
    if (!unsupported_value(matrix_unsupported, element, name, value))
        put_attribute(s, name, value);
    else
        conversion_leave(c, 0, "%s %s is not supported by this version", name, value);
}

static void put_line(struct conversion *c, struct str *s, const struct conversion_work *w,
                     const struct access_line *l)
{
    str_put(s, "    <access");
    put_percent(s, "share", l->share_bp);
    str_printf(s, " size=\"%" PRIu32 "\"", l->size);
    put_percent(s, "read", l->read_bp);
    put_percent(s, "random", l->random_bp);
    if (l->align && l->align != l->size)
        put_if_able(c, s, "access", "align", arena_printf(c->a, "%" PRIu64, l->align));
    if (l->delay_ns)
        put_if_able(c, s, "access", "delay",
                    arena_printf(c->a, "%" PRIu64 "us", l->delay_ns / 1000));
    if (l->delay_ns && l->burst > 1)
        put_if_able(c, s, "access", "burst", arena_printf(c->a, "%" PRIu32, l->burst));
    if (l->trim_bp)
        put_if_able(c, s, "access", "trim", arena_printf(c->a, "%" PRIu32, l->trim_bp / 100));
    if (w->distribution)
        put_if_able(c, s, "access", "distribution", w->distribution);
    if (w->sync && l->read_bp < 10000)
        put_if_able(c, s, "access", "sync", w->sync);
    str_put(s, "/>\n");
}

static void put_work(struct conversion *c, struct str *s, const struct conversion_work *w)
{
    str_put(s, "  <workload");
    put_attribute(s, "id", w->id);
    put_attribute(s, "title", w->title);
    if (w->queue_depth)
        str_printf(s, " queue-depth=\"%" PRIu32 "\"", w->queue_depth);
    if (w->workers)
        str_printf(s, " workers=\"%" PRIu32 "\"", w->workers);
    if (w->duration_ns)
        put_time(s, "duration", w->duration_ns);
    if (w->has_ramp)
        put_time(s, "ramp", w->ramp_ns);
    if (w->direct >= 0)
        put_attribute(s, "direct", w->direct ? "yes" : "no");
    if (w->fill)
        put_if_able(c, s, "workload", "fill", w->fill);
    if (w->rate)
        put_if_able(c, s, "workload", "rate", w->rate);
    const char *span = arena_printf(c->a, "%" PRIu64, w->span_bytes);
    if (w->span_bytes && unsupported_value(matrix_unsupported, "workload", "span", span))
        conversion_leave(c, 0, "a span of %s bytes: give --size %s", span, span);
    else if (w->span_bytes)
        put_attribute(s, "span", span);
    if (w->span_offset)
        put_if_able(c, s, "workload", "span-offset",
                    arena_printf(c->a, "%" PRIu64, w->span_offset));
    str_put(s, ">\n");
    for (uint32_t i = 0; i < w->n_lines; i++)
        put_line(c, s, w, &w->lines[i]);
    str_put(s, "  </workload>\n");
}

static void put_list(struct str *s, const char *name, const uint32_t *at, size_t n)
{
    if (n == 0)
        return;
    str_printf(s, "    <%s>", name);
    for (size_t i = 0; i < n; i++)
        str_printf(s, "%s%" PRIu32, i ? " " : "", at[i]);
    str_printf(s, "</%s>\n", name);
}

static void put_method(struct conversion *c, struct str *s)
{
    str_put(s, "  <method>Converted from the ");
    put_text(s, c->source);
    str_put(s, " ");
    put_text(s, file_basename(c->a, c->file));
    str_put(s, ".");
    if (c->left_out.n)
        str_put(s, " Not carried over: ");
    for (size_t i = 0; i < c->left_out.n; i++) {
        str_put(s, i ? "; " : "");
        put_text(s, c->left_out.at[i]);
    }
    str_put(s, c->left_out.n ? ".</method>\n" : "</method>\n");
}

/* --- names ---------------------------------------------------------------------------------------------------------- */

/* Of the file's name what a matrix may be called. */
static const char *matrix_id(struct conversion *c)
{
    char *stem = file_basename(c->a, c->file);
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem)
        *dot = '\0';
    const char *slug = workload_slug(c->a, stem);
    if (!isalpha((unsigned char)*slug) || !strcmp(slug, "latest"))
        slug = arena_printf(c->a, "matrix-%s", slug);
    return strlen(slug) > NAME_MAX_LENGTH ? arena_strndup(c->a, slug, NAME_MAX_LENGTH) : slug;
}

static bool taken(const struct conversion *c, size_t before, const char *id)
{
    for (size_t i = 0; i < before; i++)
        if (!strcmp(c->works.at[i].id, id))
            return true;
    return false;
}

/* One line is named by what it does, as everywhere; a mix by its own name. */
static void name_work(struct conversion *c, size_t i)
{
    struct conversion_work *w = &c->works.at[i];
    struct workload named = { .lines = w->lines, .n_lines = w->n_lines };
    workload_name(c->a, &named, true);
    const char *id = w->n_lines > 1 && w->title ? workload_slug(c->a, w->title) : named.id;
    if (!isalpha((unsigned char)*id))
        id = arena_printf(c->a, "w-%s", id);
    id = arena_strndup(c->a, id, NAME_MAX_LENGTH - 6);
    w->id = id;
    for (unsigned n = 2; taken(c, i, w->id); n++)
        w->id = arena_printf(c->a, "%s-%u", id, n);
    if (!w->title || !*w->title)
        w->title = named.title;
}

static uint32_t bad_size(const struct conversion_work *w)
{
    for (uint32_t k = 0; k < w->n_lines; k++)
        if (w->lines[k].size < PLAN_MIN_SIZE || w->lines[k].size > PLAN_MAX_SIZE ||
            w->lines[k].size % PLAN_MIN_SIZE)
            return w->lines[k].size ? w->lines[k].size : 1;
    return 0;
}

/* Without these it would be another workload. */
static const char *essential(const struct conversion *c, const struct conversion_work *w)
{
    if (w->sync && unsupported_value(matrix_unsupported, "access", "sync", w->sync))
        return arena_printf(c->a, "sync %s", w->sync);
    for (uint32_t k = 0; k < w->n_lines; k++)
        if (w->lines[k].trim_bp && unsupported_value(matrix_unsupported, "access", "trim", "100"))
            return "trim";
    return NULL;
}

/* Workloads that a matrix cannot hold, or this version cannot do. */
static void drop_impossible(struct conversion *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->works.n; i++) {
        const struct conversion_work *w = &c->works.at[i];
        const char *title = w->title ? w->title : "?", *missing = essential(c, w);
        uint32_t size = bad_size(w);
        if (size)
            conversion_leave(c, 0,
                             "workload '%s': its size of %" PRIu32
                             " bytes is no multiple of 512 from 512 B to 64 MiB",
                             title, size);
        else if (missing)
            conversion_leave(c, 0, "workload '%s': %s is not supported by this version", title,
                             missing);
        else
            c->works.at[kept++] = *w;
    }
    c->works.n = kept;
}

/* Written first: what it leaves out stands in the method before it. */
static void put_body(struct conversion *c, struct str *s)
{
    str_put(s, "  <defaults");
    put_time(s, "duration", c->duration_ns);
    put_time(s, "ramp", c->ramp_ns);
    str_put(s, "/>\n");
    for (size_t i = 0; i < c->works.n; i++)
        put_work(c, s, &c->works.at[i]);
    if (c->depths.n || c->workers.n) {
        str_put(s, "  <sweep>\n");
        put_list(s, "workers", c->workers.at, c->workers.n);
        put_list(s, "queue-depth", c->depths.at, c->depths.n);
        str_put(s, "  </sweep>\n");
    }
}

int conversion_finish(struct conversion *c, struct matrix **ret, struct error *e)
{
    drop_impossible(c);
    if (c->works.n == 0)
        return error_at(e, c->file, 0, "nothing in this %s can be carried over%s%s", c->source,
                        c->left_out.n ? ": " : "", c->left_out.n ? c->left_out.at[0] : "");
    for (size_t i = 0; i < c->works.n; i++)
        name_work(c, i);
    struct str body = str_new(MATRIX_MAX_BYTES), xml = str_new(MATRIX_MAX_BYTES);
    put_body(c, &body);
    str_put(&xml, "<matrix xmlns=\"urn:qdepth:matrix:1\"");
    put_attribute(&xml, "name", matrix_id(c));
    if (c->title && *c->title)
        put_attribute(&xml, "title", c->title);
    if (c->seed)
        str_printf(&xml, " seed=\"%" PRIu64 "\"", c->seed);
    str_put(&xml, ">\n");
    put_method(c, &xml);
    str_put(&xml, body.at);
    str_put(&xml, "</matrix>\n");
    int rc;
    if (str_failed(&body) || str_failed(&xml))
        rc = error_at(e, c->file, 0, "its matrix would be larger than %d MiB",
                      MATRIX_MAX_BYTES >> 20);
    else
        rc = matrix_parse(c->a, c->file, xml.at, xml.n, ret, e);
    str_done(&body);
    str_done(&xml);
    if (rc)
        return -1;
    (*ret)->source = c->source;
    const char **kept = arena_array(c->a, const char *, c->works.n + 1);
    const char **left_out = arena_array(c->a, const char *, c->left_out.n + 1);
    for (size_t i = 0; i < c->works.n; i++)
        kept[i] = c->works.at[i].kept;
    if (c->left_out.n)
        memcpy(left_out, c->left_out.at, c->left_out.n * sizeof *left_out);
    (*ret)->kept = kept;
    (*ret)->left_out = left_out;
    return 0;
}
