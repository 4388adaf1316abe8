#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* What libxml2 says, in the words of base/error.h. Uses base only. */

/* "Element '{ns}x', attribute 'y': [facet 'enumeration'] The value 'z' is wrong. Expected is ( w ).\n" becomes
 * "<x> attribute 'y': the value 'z' is wrong; expected is ( w )". */
void xml_message(struct str *s, const char *message);

/* The attribute that a validation message is about, into buf; "" if it is about the element. */
void xml_message_attribute(const char *message, char *buf, size_t n);
