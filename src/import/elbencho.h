#pragma once
#include "import/collect.h"

/* elbencho's result CSV (--csvfile; a heading only once a file, commands quoted inside the last column), its live CSV (--livecsv), which
 * becomes the intervals of the results of its name in the same command (a.live.csv, a.csv), else of a cell of its own, and its JSON results (--jsonfile; the same columns as keys). What is counted when
 * the last thread was done is the result. Phases without I/O (MKDIRS, SYNC, …) are left out. */
bool elbencho_csv_sniff(const char *head, const char *name);
int elbencho_csv_read(struct collect *c, struct error *e);
bool elbencho_live_sniff(const char *head, const char *name);
int elbencho_live_read(struct collect *c, struct error *e);
int elbencho_live_finish(struct collect *c, struct error *e);
bool elbencho_json_sniff(const char *head, const char *name);
int elbencho_json_read(struct collect *c, struct error *e);
