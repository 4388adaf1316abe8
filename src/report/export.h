#pragma once
#include "report/data.h"
#include "report/files.h"

/* The numbers behind a report as files: results.csv (the columns of the view `results`), intervals.csv (those of `intervals`,
 * ramp left out) and results.json (docs/json.md). Missing values are empty fields or null. */
void export_results_csv(const struct report_data *d, struct str *out);
int export_intervals_csv(struct store *s, const struct report_data *d, struct report_output *o,
                         struct report_piece *out, struct error *e);
void export_json(const struct report_data *d, struct str *out);
