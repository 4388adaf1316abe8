#pragma once
#include "import/collect.h"

/* Tables made by hand or by `qdepth export`: CSV (comma, semicolon or tab) and JSON (a list of objects, or one under "results") whose
 * columns are named as in the view `results`: target, workload, queue_depth, workers, size, read_pct, random_pct, direct, direction, ios,
 * bytes, seconds, iops, mb_s, errors, lat_mean_ns, lat_p99_ns … . Rates may also be kb_s, kib_s, mib_s, gb_s, gib_s; response times end in
 * _ns, _us, _ms or _s; sizes may have units ("4k"). Unknown columns are named once. A line that starts with # is a comment. */
bool table_csv_sniff(const char *head, const char *name);
int table_csv_read(struct collect *c, struct error *e);
bool table_json_sniff(const char *head, const char *name);
int table_json_read(struct collect *c, struct error *e);
