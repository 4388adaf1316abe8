#pragma once
#include "report/report.h"
#include "store/query.h"

/* --last, --since, --until: the part of each cell's measured time that the numbers of a report are about. A record belongs to
 * it if it starts in it, so numbers are exact sums and merges of whole records. */
bool window_asked(const struct report_options *o);
/* QD_E_USAGE: combinations that cannot be meant. */
int window_check(const struct report_options *o, struct error *e);
/* Of a cell that was measured for end_ns. Empty: it ended before. */
struct time_range window_of(const struct report_options *o, uint64_t end_ns);

/* "the last 60 seconds", "minute 10 to 20", "the time from minute 10 on"; as the options say, not cut to any cell. */
const char *window_words(struct arena *a, const struct report_options *o);
/* " --last 1m": for the command that draws the report again; "" without a window. */
const char *window_options(struct arena *a, const struct report_options *o);

/* Makes a cell and its rows (of all directions, DIR_ALL too) those of the window. CPU times are not known of a part. A cell
 * without records there becomes skipped, with the reason. */
int window_measure(struct store *s, const struct time_range *range, struct cell_row *cell,
                   struct result_row *rows, size_t n, struct error *e);
