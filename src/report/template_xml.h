#pragma once
#include <libxml/tree.h>

#include "base/arena.h"
#include "base/error.h"

enum { TEMPLATE_MAX_BYTES = 4 << 20 };

/* Parses without network, entities or DTD and validates against the embedded schema. Prints nothing; what libxml2 says becomes
 * QD_E_FORMAT with FILE:LINE. On success the caller frees *ret with xmlFreeDoc. */
int template_xml_read(const char *file, const char *text, size_t n, xmlDoc **ret, struct error *e);
