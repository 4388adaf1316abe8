#include "matrix/xml.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlschemas.h>
#include <string.h>

#include "base/array.h"
#include "base/embed.h"
#include "base/parse.h"
#include "base/str.h"
#include "base/utf8.h"
#include "matrix/setting.h"
#include "matrix/xml_message.h"

static const struct xml_dialect matrix_dialect = { "matrix", "urn:qdepth:matrix:1",
                                                   "templates/matrix.xsd", "matrix" };

struct capture {
    const char *file;
    const struct xml_dialect *dialect;
    struct error *e;
    bool failed;
};

xmlNode *xml_next(const xmlNode *node)
{
    xmlNode *n = node->next;
    while (n && n->type != XML_ELEMENT_NODE)
        n = n->next;
    return n;
}

xmlNode *xml_first(const xmlNode *parent)
{
    xmlNode *n = parent->children;
    return n && n->type != XML_ELEMENT_NODE ? xml_next(n) : n;
}

const char *xml_name(const xmlNode *node)
{
    return (const char *)node->name;
}

bool xml_is(const xmlNode *node, const char *name)
{
    return !strcmp(xml_name(node), name);
}

long xml_line(const xmlNode *node)
{
    return (long)(intptr_t)node->_private;
}

char *xml_shown(struct arena *a, const char *text)
{
    const char *end = text;
    for (int n = 0; *end; n++) {
        if (n == 40)
            return arena_printf(a, "%.*s…", (int)(end - text), text);
        utf8_next(&end);
    }
    return arena_strdup(a, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Takes libxml2's string. */
static char *collapsed(struct arena *a, xmlChar *raw)
{
    if (!raw)
        return NULL;
    char *text = arena_strdup(a, (const char *)raw);
    xmlFree(raw);
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (!is_blank(*from))
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = 0;
    return text;
}

char *xml_attr(struct arena *a, const xmlNode *node, const char *name)
{
    return collapsed(a, xmlGetNoNsProp(node, (const xmlChar *)name));
}

char *xml_text(struct arena *a, const xmlNode *node)
{
    return collapsed(a, xmlNodeGetContent(node));
}

static void on_parse_error(void *user, xmlErrorPtr err)
{
    const xmlParserCtxt *ctxt = user;
    struct capture *c = ctxt->_private;
    if (c->failed || err->level < XML_ERR_ERROR)
        return;
    c->failed = true;
    if (err->code == XML_ERR_NO_MEMORY) {
        error_set(c->e, QD_E_NOMEM, "out of memory while reading '%s'", c->file);
        return;
    }
    struct str s = str_new(4096);
    xml_message(&s, err->message ? err->message : "unknown error");
    char *advice = strstr(s.at, " use XML_PARSE_HUGE");
    if (advice)
        *advice = 0;
    error_at(c->e, c->file, err->line > 0 ? err->line : 1, "not well-formed XML: %s", s.at);
    str_done(&s);
}

static void refuse_dtd(void *user, const xmlChar *name, const xmlChar *public_id,
                       const xmlChar *system_id)
{
    xmlParserCtxt *ctxt = user;
    struct capture *c = ctxt->_private;
    (void)name;
    (void)public_id;
    (void)system_id;
    if (!c->failed)
        error_at(c->e, c->file, ctxt->input ? ctxt->input->line : 1,
                 "a document type declaration (<!DOCTYPE>) is not allowed in a %s",
                 c->dialect->noun);
    c->failed = true;
    xmlStopParser(ctxt);
}

/* libxml2 keeps 16 bits of a line; the user's pointer of a node has room for all of it. */
static void start_element(void *user, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
                          int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    const xmlParserCtxt *ctxt = user;
    xmlSAX2StartElementNs(user, name, prefix, uri, n_namespaces, namespaces, n_attributes,
                          n_defaulted, attributes);
    if (ctxt->node && ctxt->input)
        ctxt->node->_private = (void *)(intptr_t)ctxt->input->line;
}

static int parse(struct capture *c, const struct xml_source *source, xmlDoc **ret)
{
    xmlParserCtxt *ctxt = xmlNewParserCtxt();
    if (!ctxt)
        return error_set(c->e, QD_E_NOMEM, "out of memory while reading '%s'", c->file);
    ctxt->_private = c;
    ctxt->sax->serror = on_parse_error;
    ctxt->sax->internalSubset = refuse_dtd;
    ctxt->sax->startElementNs = start_element;
    xmlDoc *doc = xmlCtxtReadMemory(ctxt, source->text, (int)source->n, NULL, "UTF-8",
                                    XML_PARSE_NONET | XML_PARSE_COMPACT);
    xmlFreeParserCtxt(ctxt);
    if (!doc && !c->failed) {
        c->failed = true;
        error_at(c->e, c->file, 1, "not well-formed XML: document is empty");
    }
    if (c->failed) {
        xmlFreeDoc(doc);
        return -1;
    }
    *ret = doc;
    return 0;
}

/* What a value of an attribute that is no setting looks like, where a pattern says it badly. */
static const char *expected_name(const char *attribute)
{
    static const char *const names[] = { "id", "name", "report", "on" };
    for (size_t i = 0; i < countof(names); i++)
        if (!strcmp(attribute, names[i]))
            return "a name of at most 64 characters: a letter, then letters, digits, '.', '_' or "
                   "'-'";
    return !strcmp(attribute, "seed") ? "a whole number" : NULL;
}

static enum setting_place place_of(const xmlNode *node)
{
    if (xml_is(node, "access"))
        return IN_ACCESS;
    if (xml_is(node, "defaults") || xml_is(node, "workload"))
        return IN_SETTINGS;
    return IN_SWEEP;
}

/* The first value of a list of a <sweep> that is wrong. */
static const char *bad_item(enum setting_id id, const char *list, char *buf, size_t n)
{
    struct value v;
    while (parse_next(&list, buf, n))
        if (!setting_read(id, buf, &v))
            return buf;
    return "";
}

/* A value of the wrong type: what was expected in the same words as setting.h, not as a regular expression. */
static bool value_error(const struct capture *c, const xmlNode *node, const char *attribute)
{
    char item[256];
    const char *name = *attribute ? attribute : xml_name(node);
    int id = setting_find(name);
    if (id >= 0 &&
        !(setting_in(id, place_of(node)) && (*attribute || xml_is(node->parent, "sweep"))))
        id = -1;
    const char *expected = id < 0 && *attribute ? expected_name(name) : NULL;
    if (id < 0 && !expected)
        return false;

    struct arena *a = arena_new();
    struct str s = str_new(512);
    const char *value = *attribute ? xml_attr(a, node, attribute) : xml_text(a, node);
    if (id >= 0)
        setting_expected(id, &s);
    else
        str_put(&s, expected);
    if (*attribute)
        error_at(c->e, c->file, xml_line(node), "<%s> %s '%s': expected %s", xml_name(node), name,
                 xml_shown(a, value ? value : ""), s.at);
    else
        error_at(c->e, c->file, xml_line(node), "<%s> '%s': expected %s", name,
                 xml_shown(a, bad_item(id, value ? value : "", item, sizeof item)), s.at);
    str_done(&s);
    arena_free(a);
    return true;
}

static void unknown_attribute(const struct capture *c, const xmlNode *node, const char *attribute)
{
    struct str s = str_new(1024);
    if (xml_is(node, "workload"))
        str_put(&s, "id, title, ");
    if (xml_is(node, "access") || xml_is(node, "defaults") || xml_is(node, "workload"))
        setting_list(place_of(node), &s);
    else if (xml_is(node, "matrix"))
        str_put(&s, "name, title, report, order, seed, targets");
    error_at(c->e, c->file, xml_line(node), "<%s> has no attribute '%s'%s%s", xml_name(node),
             attribute, s.n ? ": expected " : "", s.n ? s.at : "");
    str_done(&s);
}

static void on_invalid(void *user, xmlErrorPtr err)
{
    struct capture *c = user;
    const xmlNode *node = err->node;
    char attribute[256];
    if (c->failed || err->level < XML_ERR_ERROR)
        return;
    c->failed = true;
    const char *message = err->message ? err->message : "unknown error";
    if (!node || node->type != XML_ELEMENT_NODE) {
        error_at(c->e, c->file, err->line, "%s", message);
        return;
    }
    xml_message_attribute(message, attribute, sizeof attribute);
    if ((err->code == XML_SCHEMAV_CVC_COMPLEX_TYPE_3_2_1 ||
         err->code == XML_SCHEMAV_CVC_TYPE_3_1_1) &&
        *attribute) {
        unknown_attribute(c, node, attribute);
        return;
    }
    if (err->code >= XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1 &&
        err->code <= XML_SCHEMAV_CVC_ENUMERATION_VALID && value_error(c, node, attribute))
        return;
    struct str s = str_new(4096);
    xml_message(&s, message);
    error_at(c->e, c->file, xml_line(node), "%s", s.at);
    str_done(&s);
}

static int validate(struct capture *c, xmlDoc *doc)
{
    const struct embed_row *xsd = embed_find(c->dialect->schema);
    if (!xsd)
        return error_set(c->e, QD_E_FAIL, "find the schema '%s' in the program",
                         c->dialect->schema);
    xmlSchemaParserCtxt *reader = xmlSchemaNewMemParserCtxt((const char *)xsd->at,
                                                            (int)(xsd->end - xsd->at));
    xmlSchema *schema = reader ? xmlSchemaParse(reader) : NULL;
    xmlSchemaFreeParserCtxt(reader);
    xmlSchemaValidCtxt *v = schema ? xmlSchemaNewValidCtxt(schema) : NULL;
    int rc = -1;
    if (!v) {
        error_set(c->e, QD_E_FAIL, "cannot use the schema '%s'", c->dialect->schema);
    } else {
        xmlSchemaSetValidStructuredErrors(v, on_invalid, c);
        rc = xmlSchemaValidateDoc(v, doc);
        if (rc != 0 && !c->failed)
            error_at(c->e, c->file, 1, "not a valid %s", c->dialect->noun);
    }
    xmlSchemaFreeValidCtxt(v);
    xmlSchemaFree(schema);
    return rc ? -1 : 0;
}

static int check_root(const struct capture *c, const xmlDoc *doc)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    const char *ns = root->ns && root->ns->href ? (const char *)root->ns->href : "";
    const struct xml_dialect *d = c->dialect;
    if (xml_is(root, d->root) && !strcmp(ns, d->ns))
        return 0;
    return error_at(c->e, c->file, xml_line(root),
                    "root element <%s> of namespace '%s': expected <%s xmlns=\"%s\">",
                    xml_name(root), ns, d->root, d->ns);
}

static int check_text(const struct xml_source *source, const struct xml_dialect *dialect,
                      struct error *e)
{
    if (source->n > MATRIX_MAX_BYTES)
        return error_at(e, source->file, 0, "the %s has %zu bytes, the limit is %d", dialect->noun,
                        source->n, MATRIX_MAX_BYTES);
    if (memchr(source->text, 0, source->n))
        return error_at(e, source->file, 1, "not XML text in UTF-8: it has zero bytes");
    return 0;
}

static xmlParserInputPtr refuse_external(const char *url, const char *id, xmlParserCtxtPtr ctxt)
{
    (void)url;
    (void)id;
    (void)ctxt;
    return NULL;
}

static void say_nothing(void *user, const char *format, ...)
{
    (void)user;
    (void)format;
}

int xml_read(const struct xml_source *source, xmlDoc **ret, struct error *e)
{
    struct capture c = { .file = source->file, .e = e };
    c.dialect = source->dialect ? source->dialect : &matrix_dialect;
    xmlDoc *doc = NULL;
    if (check_text(source, c.dialect, e))
        return -1;

    xmlExternalEntityLoader loader = xmlGetExternalEntityLoader();
    xmlGenericErrorFunc printer = xmlGenericError;
    void *printer_user = xmlGenericErrorContext;
    xmlSetExternalEntityLoader(refuse_external);
    xmlSetGenericErrorFunc(NULL, say_nothing);
    int rc = parse(&c, source, &doc);
    if (!rc)
        rc = check_root(&c, doc) || validate(&c, doc) ? -1 : 0;
    xmlSetGenericErrorFunc(printer_user, printer);
    xmlSetExternalEntityLoader(loader);

    if (rc) {
        xmlFreeDoc(doc);
        return -1;
    }
    *ret = doc;
    return 0;
}
