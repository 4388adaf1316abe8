#pragma once
#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/* The XML side of a matrix: parsed without network, entities or DTD, then validated against templates/matrix.xsd. Prints
 * nothing; what libxml2 says becomes a struct error. Uses base, model and matrix/setting.h only. */

enum { MATRIX_MAX_BYTES = 8 << 20 };

/* A kind of file: its root element, namespace and schema, and what it is called in messages. */
struct xml_dialect {
    const char *root, *ns, *schema, *noun;
};

/* A text of n bytes; `file` is its name in messages. */
struct xml_source {
    const char *file, *text;
    size_t n;
    const struct xml_dialect *dialect; /* NULL: a matrix */
};

/* On success the caller frees *ret with xmlFreeDoc. The root is the dialect's, valid. */
int xml_read(const struct xml_source *source, xmlDoc **ret, struct error *e);

/* First child element, next element; NULL at the end. */
xmlNode *xml_first(const xmlNode *parent);
xmlNode *xml_next(const xmlNode *node);

bool xml_is(const xmlNode *node, const char *name);
const char *xml_name(const xmlNode *node);
/* The line on which the start tag of an element ends. */
long xml_line(const xmlNode *node);

/* A value as a message quotes it: at most 40 characters, the rest is "…". */
char *xml_shown(struct arena *a, const char *text);

/* An attribute's value (NULL: not there), an element's text: each run of blanks is one space, none at the ends. */
char *xml_attr(struct arena *a, const xmlNode *node, const char *name);
char *xml_text(struct arena *a, const xmlNode *node);
