#include "matrix/sheet.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/parse.h"
#include "matrix/matrix.h"
#include "matrix/xml.h"

enum { PICTURE_MAX = 4 << 20 };

static const struct xml_dialect dialect = { "devices", "urn:qdepth:devices:1",
                                            "templates/devices.xsd", "device sheet" };

struct reader {
    struct arena *a;
    const char *path;
    struct sheet *s;
    struct error *e;
};

static size_t count(const xmlNode *parent, const char *name)
{
    size_t n = 0;
    for (const xmlNode *c = xml_first(parent); c; c = xml_next(c))
        n += xml_is(c, name);
    return n;
}

static int wrong(const struct reader *r, const xmlNode *node, const char *attribute,
                 const char *expected)
{
    return error_at(r->e, r->path, xml_line(node), "<%s> %s '%s': expected %s", xml_name(node),
                    attribute, xml_shown(r->a, xml_attr(r->a, node, attribute)), expected);
}

/* Absent: 0. A factor makes bytes of GB. */
static int read_number(const struct reader *r, const xmlNode *node, const char *attribute,
                       double *ret)
{
    struct error ignored;
    const char *text = xml_attr(r->a, node, attribute);
    if (text && (parse_double(text, ret, &ignored) || !(*ret > 0)))
        return wrong(r, node, attribute, "a number above 0");
    return 0;
}

static int read_bytes(const struct reader *r, const xmlNode *node, const char *attribute,
                      double factor, uint64_t *ret)
{
    double n = 0;
    if (read_number(r, node, attribute, &n))
        return -1;
    if (n * factor > 9e18)
        return wrong(r, node, attribute, "less than 9 EB");
    *ret = (uint64_t)llround(n * factor);
    return 0;
}

static int read_time(const struct reader *r, const xmlNode *node, const char *attribute,
                     uint64_t *ret)
{
    struct error ignored;
    const char *text = xml_attr(r->a, node, attribute);
    if (text && (parse_duration(text, ret, &ignored) || !*ret))
        return wrong(r, node, attribute, "a time above 0");
    return 0;
}

static const struct fact *read_facts(const struct reader *r, const xmlNode *parent, size_t *ret_n)
{
    struct fact *at = arena_array(r->a, struct fact, count(parent, "fact") + 1);
    size_t n = 0;
    for (const xmlNode *c = xml_first(parent); c; c = xml_next(c))
        if (xml_is(c, "fact"))
            at[n++] = (struct fact) { xml_attr(r->a, c, "key"), xml_text(r->a, c) };
    *ret_n = n;
    return at;
}

static bool is_picture(const char *at, size_t n)
{
    return (n > 8 && !memcmp(at, "\x89PNG\r\n\x1a\n", 8)) ||
           (n > 3 && !memcmp(at, "\xff\xd8\xff", 3));
}

static int read_picture(const struct reader *r, const xmlNode *node, struct device_sheet *d)
{
    const char *given = xml_attr(r->a, node, "picture");
    const char *slash = strrchr(r->path, '/');
    char *at = NULL;
    if (!given)
        return 0;
    const char *path = given;
    if (*given != '/' && slash)
        path = arena_printf(r->a, "%.*s/%s", (int)(slash - r->path), r->path, given);
    if (file_read(r->a, path, PICTURE_MAX, &at, &d->picture_bytes, r->e)) {
        const char *why = arena_strdup(r->a, r->e->what);
        return error_at(r->e, r->path, xml_line(node), "<device> picture: %s", why);
    }
    if (!is_picture(at, d->picture_bytes))
        return wrong(r, node, "picture", "a PNG or JPEG file");
    d->picture = at;
    return 0;
}

static int read_rated(const struct reader *r, const xmlNode *node, struct device_sheet *d)
{
    if (read_number(r, node, "read-iops", &d->rated_read_iops) ||
        read_number(r, node, "write-iops", &d->rated_write_iops) ||
        read_number(r, node, "read-mb-s", &d->rated_read_mb_s) ||
        read_number(r, node, "write-mb-s", &d->rated_write_mb_s))
        return -1;
    return read_time(r, node, "read-latency", &d->rated_read_lat_ns) ||
                   read_time(r, node, "write-latency", &d->rated_write_lat_ns)
               ? -1
               : 0;
}

static int read_device(const struct reader *r, const xmlNode *node, struct sheet_row *row)
{
    struct device_sheet *d = &row->sheet;
    const xmlNode *first = xml_first(node);
    row->target = xml_attr(r->a, node, "target");
    row->title = xml_attr(r->a, node, "title");
    d->currency = xml_attr(r->a, node, "currency");
    d->members = xml_attr(r->a, node, "members");
    d->sample_of = xml_attr(r->a, node, "sample-of");
    d->factor = xml_attr(r->a, node, "factor");
    row->facts = read_facts(r, node, &row->n_facts);
    if (read_number(r, node, "price", &d->price) ||
        read_bytes(r, node, "capacity-gb", 1e9, &d->capacity_bytes) ||
        read_bytes(r, node, "endurance-tb", 1e12, &d->endurance_bytes) || read_picture(r, node, d))
        return -1;
    if ((d->price > 0) != (d->currency != NULL))
        return error_at(r->e, r->path, xml_line(node),
                        "<device> price and currency go together: expected both or none");
    return first && xml_is(first, "rated") ? read_rated(r, first, d) : 0;
}

static int read_devices(const struct reader *r, const xmlNode *root)
{
    struct sheet_row *rows = arena_array(r->a, struct sheet_row, count(root, "device") + 1);
    struct sheet *s = r->s;
    s->rows = rows;
    for (const xmlNode *c = xml_first(root); c; c = xml_next(c)) {
        if (!xml_is(c, "device"))
            continue;
        const char *target = xml_attr(r->a, c, "target");
        if (sheet_find(s, &target, 1))
            return error_at(r->e, r->path, xml_line(c), "<device> target '%s' is there twice",
                            xml_shown(r->a, target));
        if (read_device(r, c, &rows[s->n_rows]))
            return -1;
        s->n_rows++;
    }
    return 0;
}

static void read_left_out(const struct reader *r, const xmlNode *root)
{
    struct left_out *at = arena_array(r->a, struct left_out, count(root, "left-out") + 1);
    r->s->left_out = at;
    for (const xmlNode *c = xml_first(root); c; c = xml_next(c))
        if (xml_is(c, "left-out"))
            at[r->s->n_left_out++] = (struct left_out) { xml_attr(r->a, c, "title"),
                                                         xml_attr(r->a, c, "reason") };
}

int sheet_load(struct arena *a, const char *path, struct sheet *ret, struct error *e)
{
    struct sheet s = { 0 };
    const struct reader r = { .a = a, .path = path, .s = &s, .e = e };
    char *text = NULL;
    size_t n = 0;
    xmlDoc *doc = NULL;
    if (file_read(a, path, MATRIX_MAX_BYTES, &text, &n, e))
        return -1;
    const struct xml_source source = { path, text, n, &dialect };
    if (xml_read(&source, &doc, e))
        return -1;
    const xmlNode *root = xmlDocGetRootElement(doc);
    int rc = read_devices(&r, root);
    if (rc == 0) {
        read_left_out(&r, root);
        s.host = read_facts(&r, root, &s.n_host);
        *ret = s;
    }
    xmlFreeDoc(doc);
    return rc;
}

const struct sheet_row *sheet_find(const struct sheet *s, const char *const texts[], size_t n)
{
    for (size_t i = 0; i < s->n_rows; i++)
        for (size_t k = 0; k < n; k++)
            if (texts[k] && !strcmp(s->rows[i].target, texts[k]))
                return &s->rows[i];
    return NULL;
}

bool sheet_is(struct arena *a, const char *path)
{
    struct error ignored;
    char *text = NULL;
    size_t n = 0;
    return !file_read(a, path, MATRIX_MAX_BYTES, &text, &n, &ignored) && strstr(text, dialect.ns);
}
