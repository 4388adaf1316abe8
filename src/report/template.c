#include "report/template.h"

#include <string.h>

#include "base/array.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/str.h"
#include "report/template_xml.h"

static const char folder[] = "templates/report/";
static const char ending[] = ".xml";

/* --- the tree ------------------------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char *collapsed(struct arena *a, const char *raw)
{
    char *text = arena_strdup(a, raw), *to = text;
    for (const char *from = text; *from; from++) {
        if (!is_blank(*from))
            *to++ = *from;
        else if (to == text || to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
    return text;
}

static void take_attributes(struct arena *a, const xmlNode *x, struct template_node *n)
{
    size_t count = 0;
    for (const xmlAttr *at = x->properties; at; at = at->next)
        count++;
    struct template_attribute *list = arena_array(a, struct template_attribute, count);
    for (const xmlAttr *at = x->properties; at; at = at->next) {
        xmlChar *value = xmlNodeListGetString(x->doc, at->children, 1);
        list[n->n_attributes++] = (struct template_attribute) {
            arena_strdup(a, (const char *)at->name),
            collapsed(a, value ? (const char *)value : ""),
        };
        xmlFree(value);
    }
    n->attributes = list;
}

static struct template_node *take_node(struct arena *a, const xmlNode *x)
{
    bool text = x->type == XML_TEXT_NODE || x->type == XML_CDATA_SECTION_NODE;
    if (!text && x->type != XML_ELEMENT_NODE)
        return NULL;
    struct template_node *n = arena_one(a, struct template_node);
    n->line = xmlGetLineNo(x);
    if (text) {
        n->text = collapsed(a, (const char *)x->content);
        return n;
    }
    n->element = arena_strdup(a, (const char *)x->name);
    take_attributes(a, x, n);
    return n;
}

/* Depth is bounded by the parser (256). */
static struct template_node *take_tree(struct arena *a, const xmlNode *x)
{
    struct template_node *n = take_node(a, x);
    if (!n || !n->element)
        return n;
    const struct template_node **end = &n->first;
    for (const xmlNode *c = x->children; c; c = c->next) {
        struct template_node *child = take_tree(a, c);
        if (!child)
            continue;
        *end = child;
        end = &child->next;
    }
    return n;
}

const char *template_attribute(const struct template_node *n, const char *name)
{
    for (size_t i = 0; i < n->n_attributes; i++)
        if (!strcmp(n->attributes[i].name, name))
            return n->attributes[i].value;
    return NULL;
}

/* --- what the schema cannot say ------------------------------------------------------------------------------------ */

/* Loops a node stands in. */
enum { IN_WORKLOAD = 1, IN_DEPTH = 2, IN_TARGET = 4 };

static const char *loop_name(unsigned missing)
{
    return missing & IN_WORKLOAD ? "workload" : missing & IN_DEPTH ? "queue-depth" : "target";
}

/* What an element needs around it; an attribute of that name can stand in for a loop. */
static const struct {
    const char *element, *attribute, *value;
    unsigned needs;
} needs[] = {
    { "figure", "kind", "overview", IN_WORKLOAD },
    { "figure", "kind", "bars", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "time", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "rate", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "spread", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "seconds", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "heat", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "samples", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "repeats", IN_WORKLOAD | IN_DEPTH },
    { "figure", "kind", "columns", IN_WORKLOAD },
    { "figure", "kind", "grid", IN_WORKLOAD },
    { "figure", "kind", "mix", IN_WORKLOAD },
    { "figure", "kind", "sizes", IN_WORKLOAD },
    { "figure", "kind", "change", IN_WORKLOAD },
    { "table", "kind", "percentiles", IN_WORKLOAD },
    { "table", "kind", "evenness", IN_WORKLOAD | IN_DEPTH },
    { "table", "kind", "shares", IN_WORKLOAD | IN_DEPTH },
    { "table", "kind", "drops", IN_WORKLOAD | IN_DEPTH },
    { "finding", NULL, NULL, IN_WORKLOAD },
    { "value", NULL, NULL, IN_WORKLOAD | IN_DEPTH },
    { "name", "of", "workload", IN_WORKLOAD },
    { "name", "of", "workload-description", IN_WORKLOAD },
    { "name", "of", "queue-depth", IN_WORKLOAD | IN_DEPTH },
    { "name", "of", "target", IN_TARGET },
    { "for-each", "select", "queue-depth", IN_WORKLOAD },
};

static const struct {
    const char *name;
    unsigned needs;
} placeholders[] = {
    { "workload", IN_WORKLOAD },
    { "workload-id", IN_WORKLOAD },
    { "queue-depth", IN_WORKLOAD | IN_DEPTH },
    { "target", IN_TARGET },
    { "target-id", IN_TARGET },
};

struct checking {
    const char *file;
    struct error *e;
};

static int check_placeholder(const struct checking *k, const struct template_node *n,
                             const char *at, size_t length, unsigned in)
{
    for (size_t i = 0; i < countof(placeholders); i++) {
        if (strlen(placeholders[i].name) != length || strncmp(placeholders[i].name, at, length))
            continue;
        unsigned missing = placeholders[i].needs & ~in;
        if (!missing)
            return 0;
        return error_at(k->e, k->file, n->line, "<%s> uses {%.*s} outside <for-each select=\"%s\">",
                        n->element, (int)length, at, loop_name(missing));
    }
    return error_at(k->e, k->file, n->line,
                    "<%s> uses {%.*s}: expected {workload}, {workload-id}, {queue-depth}, {target} "
                    "or {target-id}",
                    n->element, (int)length, at);
}

static int check_attributes(const struct checking *k, const struct template_node *n, unsigned in)
{
    for (size_t i = 0; i < n->n_attributes; i++)
        for (const char *at = strchr(n->attributes[i].value, '{'); at; at = strchr(at + 1, '{'))
            if (check_placeholder(k, n, at + 1, strcspn(at + 1, "}"), in))
                return -1;
    return 0;
}

static int check_needs(const struct checking *k, const struct template_node *n, unsigned in)
{
    for (size_t i = 0; i < countof(needs); i++) {
        if (strcmp(needs[i].element, n->element))
            continue;
        const char *value = needs[i].attribute ? template_attribute(n, needs[i].attribute) : NULL;
        if (needs[i].attribute && (!value || strcmp(value, needs[i].value)))
            continue;
        /* a finding that says what it is of is about the first point where it stands in no loop */
        if (!needs[i].attribute && template_attribute(n, "of"))
            continue;
        unsigned missing = needs[i].needs & ~in;
        if (template_attribute(n, "workload"))
            missing &= ~(unsigned)IN_WORKLOAD;
        if (template_attribute(n, "queue-depth"))
            missing &= ~(unsigned)IN_DEPTH;
        if (missing)
            return error_at(k->e, k->file, n->line,
                            "<%s%s%s%s%s> must stand in <for-each select=\"%s\">%s", n->element,
                            value ? " " : "", value ? needs[i].attribute : "", value ? "=" : "",
                            value ? value : "", loop_name(missing),
                            strcmp(n->element, "value") ? "" : " or name it in an attribute");
    }
    return 0;
}

static int check_tree(const struct checking *k, const struct template_node *n, unsigned in)
{
    for (; n; n = n->next) {
        if (!n->element)
            continue;
        if (check_needs(k, n, in) || check_attributes(k, n, in))
            return -1;
        unsigned inside = in;
        if (!strcmp(n->element, "for-each")) {
            const char *select = template_attribute(n, "select");
            inside |= !strcmp(select, "workload") ? IN_WORKLOAD
                      : !strcmp(select, "target") ? IN_TARGET
                                                  : IN_DEPTH;
        }
        if (check_tree(k, n->first, inside))
            return -1;
    }
    return 0;
}

int template_parse(struct arena *a, const char *file, const char *text, size_t n,
                   struct template *ret, struct error *e)
{
    xmlDoc *doc = NULL;
    if (template_xml_read(file, text, n, &doc, e))
        return -1;
    struct template t = { .root = take_tree(a, xmlDocGetRootElement(doc)) };
    xmlFreeDoc(doc);
    if (!t.root)
        return error_at(e, file, 1, "the template has no root element");
    t.name = template_attribute(t.root, "name");
    if (check_tree(&(struct checking) { file, e }, t.root, 0))
        return -1;
    *ret = t;
    return 0;
}

/* --- finding one --------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *s, const char *tail)
{
    size_t n = strlen(s), t = strlen(tail);
    return n >= t && !strcmp(s + n - t, tail);
}

const char *const *template_shipped(struct arena *a)
{
    const char **names = arena_array(a, const char *, embed_n_rows + 1);
    size_t n = 0;
    for (size_t i = 0; i < embed_n_rows; i++) {
        const char *name = embed_rows[i].name;
        if (strncmp(name, folder, sizeof folder - 1) || !ends_with(name, ending))
            continue;
        name += sizeof folder - 1;
        name = arena_strndup(a, name, strlen(name) - (sizeof ending - 1));
        size_t at = n++;
        for (; at > 0 && strcmp(names[at - 1], name) > 0; at--)
            names[at] = names[at - 1];
        names[at] = name;
    }
    return names;
}

static const struct embed_row *find_shipped(const char *name)
{
    struct str path = str_new(256);
    str_printf(&path, "%s%s%s", folder, name, ending);
    const struct embed_row *row = str_failed(&path) || strchr(name, '/') ? NULL
                                                                         : embed_find(path.at);
    str_done(&path);
    return row;
}

bool template_is_shipped(const char *name)
{
    return find_shipped(name) != NULL;
}

static int load_file(struct arena *a, const char *path, struct template *ret, struct error *e)
{
    char *text = NULL;
    size_t n = 0;
    if (file_read(a, path, TEMPLATE_MAX_BYTES, &text, &n, e))
        return -1;
    return template_parse(a, path, text, n, ret, e);
}

static int unknown_name(struct arena *a, const char *name, struct error *e)
{
    struct str list = str_new(4096);
    for (const char *const *at = template_shipped(a); *at; at++)
        str_printf(&list, "%s%s", list.n ? ", " : "", *at);
    error_set(e, QD_E_USAGE, "no report template '%s'", name);
    error_hint(e, "shipped: %s; a file ends in .xml or has a '/' in its name", list.at);
    str_done(&list);
    return -1;
}

int template_load(struct arena *a, const char *name_or_path, struct template *ret, struct error *e)
{
    if (strchr(name_or_path, '/') || ends_with(name_or_path, ending))
        return load_file(a, name_or_path, ret, e);
    const struct embed_row *row = find_shipped(name_or_path);
    if (row)
        return template_parse(a, row->name, (const char *)row->at, (size_t)(row->end - row->at),
                              ret, e);
    if (file_exists(name_or_path))
        return load_file(a, name_or_path, ret, e);
    return unknown_name(a, name_or_path, e);
}
