#include "matrix/unsupported.h"

#include <string.h>

#include "base/parse.h"

const struct unsupported matrix_unsupported[] = {
    { "precondition", NULL, NULL, NULL },
    { "until-steady", NULL, NULL, NULL },
    { "cool-down", NULL, NULL, NULL },
    { "stop-when", NULL, NULL, NULL },
    { "matrix", "targets", NULL, "one-by-one" },
    { "filesystem", NULL, "ntfs", NULL },
    { "filesystem", NULL, "exfat", NULL },
    { "filesystem", NULL, "vfat", NULL },
    { "filesystem", "type", "ntfs", NULL },
    { "filesystem", "type", "exfat", NULL },
    { "filesystem", "type", "vfat", NULL },
    { "rate", NULL, NULL, NULL },
    { NULL, "rate", NULL, NULL },
    { NULL, "arrivals", NULL, NULL },
    { "access", "delay", NULL, NULL },
    { "access", "burst", NULL, "1" },
    { "access", "trim", NULL, "0" },
    { "access", "sync", NULL, "none" },
    { "access", "distribution", "zones", NULL },
    { NULL, NULL, NULL, NULL },
};

static bool names(const struct unsupported *row, const char *value)
{
    return (!row->only || !strncmp(value, row->only, strlen(row->only))) &&
           (!row->except || strcmp(value, row->except) != 0);
}

bool unsupported_value(const struct unsupported *table, const char *element, const char *attribute,
                       const char *value)
{
    for (const struct unsupported *row = table; row->element || row->attribute; row++)
        if (row->attribute && !strcmp(row->attribute, attribute) &&
            (!row->element || !strcmp(row->element, element)) && names(row, value))
            return true;
    return false;
}

struct check {
    struct arena *a;
    const struct unsupported *table;
    const char *file;
    struct error *e;
};

static int refuse_element(const struct check *c, const struct unsupported *row, const xmlNode *node)
{
    char word[256];
    if (!row->only)
        return error_at(c->e, c->file, xml_line(node), "<%s> is not supported by this version",
                        xml_name(node));
    const char *text = xml_text(c->a, node);
    while (text && parse_next(&text, word, sizeof word))
        if (names(row, word))
            return error_at(c->e, c->file, xml_line(node),
                            "<%s> '%s' is not supported by this version", xml_name(node),
                            xml_shown(c->a, word));
    return 0;
}

static int refuse_attribute(const struct check *c, const struct unsupported *row,
                            const xmlNode *node)
{
    const char *value = xml_attr(c->a, node, row->attribute);
    if (!value || !names(row, value))
        return 0;
    if (row->only || row->except)
        return error_at(c->e, c->file, xml_line(node),
                        "<%s> %s '%s' is not supported by this version", xml_name(node),
                        row->attribute, xml_shown(c->a, value));
    return error_at(c->e, c->file, xml_line(node), "<%s> %s is not supported by this version",
                    xml_name(node), row->attribute);
}

/* The schema bounds the depth of the document, so recursion is bounded too. */
static int check_node(const struct check *c, const xmlNode *node)
{
    for (const struct unsupported *row = c->table; row->element || row->attribute; row++) {
        if (row->element && !xml_is(node, row->element))
            continue;
        if (row->attribute ? refuse_attribute(c, row, node) : refuse_element(c, row, node))
            return -1;
    }
    for (const xmlNode *n = xml_first(node); n; n = xml_next(n))
        if (check_node(c, n))
            return -1;
    return 0;
}

int unsupported_check(const struct unsupported *table, const char *file, const xmlNode *root,
                      struct error *e)
{
    struct check c = { .a = arena_new(), .table = table, .file = file, .e = e };
    int rc = check_node(&c, root);
    arena_free(c.a);
    return rc;
}
