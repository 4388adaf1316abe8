#pragma once
#include "cli/command.h"
#include "report/report.h"

/* What `run` and `report` share: options of the command line to a report, and its files. Prints what was written; the last line on
 * stdout is the path of index.html. default_out: the folder when --out is not given. */
int write_report(struct command *c, struct store *s, const char *const *runs, size_t n_runs,
                 const char *default_out, struct error *e);
