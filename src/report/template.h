#pragma once
#include "base/arena.h"
#include "base/error.h"

/* A report template (docs/templates.md): XML, validated against templates/report.xsd, then checked for what a schema cannot say
 * (a figure that needs a workload stands in a loop over workloads, placeholders are known). Files with a DTD are refused.
 * Messages name FILE:LINE, the element and what was expected (QD_E_FORMAT). Everything lives in the arena. */

struct template_attribute {
    const char *name, *value;
};
struct template_node {
    const char *element; /* NULL: text */
    const char *text;    /* of a text: each run of blanks is one space */
    long line;
    const struct template_attribute *attributes;
    size_t n_attributes;
    const struct template_node *first, *next;
};
struct template
{
    const char *name;                 /* of the root */
    const struct template_node *root; /* <report> */
};

/* A shipped template by name, or a file (a name with '/' or ending in .xml, or an existing file). An unknown name is
 * QD_E_USAGE and lists the shipped ones. */
int template_load(struct arena *a, const char *name_or_path, struct template *ret, struct error *e);
int template_parse(struct arena *a, const char *file, const char *text, size_t n,
                   struct template *ret, struct error *e);

/* Names of the shipped templates, sorted, NULL at the end. */
const char *const *template_shipped(struct arena *a);
bool template_is_shipped(const char *name);

/* An attribute's value, or NULL. */
const char *template_attribute(const struct template_node *n, const char *name);
