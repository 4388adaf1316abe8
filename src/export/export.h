#pragma once
#include "base/arena.h"
#include "base/array.h"
#include "base/str.h"
#include "store/query.h"

/* Stored results and matrices in other tools' formats: text in memory. Opens no target, reads no clock. What a format cannot hold is
 * left out and listed, a line each. Results as JSON and CSV are the report's own data files (report/report.h). */
struct export_text {
    struct str text;
    struct arena *a;
    ARRAY(const char *) left_out;
};
struct export_text export_new(struct arena *a);
void export_done(struct export_text *x);
void export_leave(struct export_text *x, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Iometer's results.csv of version 1.1 with latency bins: a test per cell. Raw times are in ns ("Processor Speed" 10^9), so that
 * nothing is lost to rounding; the DISK row says how many workers it sums up. Trims and flushes have no column. */
int export_iometer_csv(struct store *s, const struct run_row *run, struct export_text *x,
                       struct error *e);

/* A fio job file: a job per point of the plan's first target and repetition, one after another, on ${TARGET}. */
int export_fio_job(const struct plan *plan, struct export_text *x, struct error *e);

/* A Markdown table of the `all` rows of the results. */
int export_markdown(struct store *s, const struct run_row *run, struct export_text *x,
                    struct error *e);
