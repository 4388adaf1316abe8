#include "report/template_xml.h"

#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <string.h>

#include "base/embed.h"
#include "base/str.h"

static const char schema_name[] = "templates/report.xsd";
static const char report_namespace[] = "urn:qdepth:report:1";

struct capture {
    const char *file;
    struct error *e;
    bool failed;
};

/* --- messages ------------------------------------------------------------------------------------------------------ */

/* "Element '{ns}x': This …\n" without namespaces and full stop. */
static void put_message(struct str *s, const char *message)
{
    while (*message) {
        const char *end = *message == '{' && message[1] != '\'' ? strchr(message, '}') : NULL;
        char c = *message == '\n' ? ' ' : *message;
        if (!end)
            str_char(s, c);
        message = end ? end + 1 : message + 1;
    }
    while (s->n && strchr(" .", s->at[s->n - 1]))
        s->at[--s->n] = '\0';
    if (s->n && s->at[0] >= 'A' && s->at[0] <= 'Z')
        s->at[0] = (char)(s->at[0] - 'A' + 'a');
}

static void take_error(void *user, xmlErrorPtr err)
{
    struct capture *c = user;
    if (c->failed || err->level < XML_ERR_ERROR)
        return;
    c->failed = true;
    struct str s = str_new(8192);
    put_message(&s, err->message ? err->message : "unknown error");
    long line = err->node ? xmlGetLineNo(err->node) : err->line;
    error_at(c->e, c->file, line > 0 ? line : 1, "%s", s.at);
    str_done(&s);
}

static void take_parse_error(void *user, xmlErrorPtr err)
{
    take_error(((const xmlParserCtxt *)user)->_private, err);
}

static void say_nothing(void *user, const char *format, ...)
{
    (void)user;
    (void)format;
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

static void refuse_dtd(void *user, const xmlChar *name, const xmlChar *public_id,
                       const xmlChar *system_id)
{
    (void)name;
    (void)public_id;
    (void)system_id;
    xmlParserCtxt *ctxt = user;
    struct capture *c = ctxt->_private;
    if (!c->failed)
        error_at(c->e, c->file, ctxt->input ? ctxt->input->line : 1,
                 "a document type declaration (<!DOCTYPE>) is not allowed in a template");
    c->failed = true;
    xmlStopParser(ctxt);
}

static int parse(struct capture *c, const char *text, size_t n, xmlDoc **ret)
{
    xmlParserCtxt *ctxt = xmlNewParserCtxt();
    if (!ctxt)
        return error_set(c->e, QD_E_NOMEM, "out of memory while reading '%s'", c->file);
    ctxt->_private = c;
    ctxt->sax->serror = take_parse_error;
    ctxt->sax->internalSubset = refuse_dtd;
    xmlDoc *doc = xmlCtxtReadMemory(ctxt, text, (int)n, NULL, "UTF-8",
                                    XML_PARSE_NONET | XML_PARSE_COMPACT | XML_PARSE_BIG_LINES);
    xmlFreeParserCtxt(ctxt);
    if (!doc && !c->failed) {
        c->failed = true;
        error_at(c->e, c->file, 1, "not well-formed XML: the document is empty");
    }
    if (!c->failed) {
        *ret = doc;
        return 0;
    }
    xmlFreeDoc(doc);
    return -1;
}

static int check_root(const struct capture *c, const xmlDoc *doc)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    const char *ns = root->ns && root->ns->href ? (const char *)root->ns->href : "";
    if (!strcmp((const char *)root->name, "report") && !strcmp(ns, report_namespace))
        return 0;
    return error_at(c->e, c->file, xmlGetLineNo(root),
                    "root element <%s> of namespace '%s': expected <report xmlns=\"%s\">",
                    (const char *)root->name, ns, report_namespace);
}

static int validate(struct capture *c, xmlDoc *doc)
{
    const struct embed_row *xsd = embed_find(schema_name);
    xmlSchemaParserCtxt *reader = xsd ? xmlSchemaNewMemParserCtxt((const char *)xsd->at,
                                                                  (int)(xsd->end - xsd->at))
                                      : NULL;
    xmlSchema *schema = reader ? xmlSchemaParse(reader) : NULL;
    xmlSchemaFreeParserCtxt(reader);
    xmlSchemaValidCtxt *v = schema ? xmlSchemaNewValidCtxt(schema) : NULL;
    int rc = -1;
    if (!v) {
        error_set(c->e, QD_E_FAIL, "cannot use the schema '%s'", schema_name);
    } else {
        xmlSchemaSetValidStructuredErrors(v, take_error, c);
        rc = xmlSchemaValidateDoc(v, doc);
        if (rc != 0 && !c->failed)
            error_at(c->e, c->file, 1, "not a valid template");
    }
    xmlSchemaFreeValidCtxt(v);
    xmlSchemaFree(schema);
    return rc ? -1 : 0;
}

static xmlParserInputPtr refuse_external(const char *url, const char *id, xmlParserCtxtPtr ctxt)
{
    (void)url;
    (void)id;
    (void)ctxt;
    return NULL;
}

int template_xml_read(const char *file, const char *text, size_t n, xmlDoc **ret, struct error *e)
{
    struct capture c = { .file = file, .e = e };
    xmlDoc *doc = NULL;
    if (n > TEMPLATE_MAX_BYTES)
        return error_at(e, file, 0, "the template has %zu bytes, the limit is %d", n,
                        TEMPLATE_MAX_BYTES);
    xmlExternalEntityLoader loader = xmlGetExternalEntityLoader();
    xmlGenericErrorFunc printer = xmlGenericError;
    void *printer_user = xmlGenericErrorContext;
    xmlSetExternalEntityLoader(refuse_external);
    xmlSetGenericErrorFunc(NULL, say_nothing);
    int rc = parse(&c, text, n, &doc);
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
