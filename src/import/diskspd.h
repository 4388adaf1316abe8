#pragma once
#include "import/collect.h"

/* diskspd's text (-Rtext, the default) and XML (-Rxml), 2.0 and 2.1 and 2.2; several timespans in one file. A cell per timespan and file
 * it used: bytes, I/Os and mean response times are added over threads, percentiles are those of the file's own table, or of the
 * total if there is one file. */
bool diskspd_text_sniff(const char *head, const char *name);
int diskspd_text_read(struct collect *c, struct error *e);
bool diskspd_xml_sniff(const char *head, const char *name);
int diskspd_xml_read(struct collect *c, struct error *e);
