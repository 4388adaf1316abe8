#pragma once
#include "report/data.h"
#include "report/evenness.h"
#include "report/template.h"

/* What figures and tables over time need beyond report/data.h. Loaded after the template is known, and only what it draws. */
enum detail_part {
    DETAIL_TIME = 1,   /* seconds and how even they are */
    DETAIL_HIST = 2,   /* histogram of the window */
    DETAIL_HEAT = 4,   /* response times of the window over time */
    DETAIL_SAMPLES = 8 /* single I/Os */
};
unsigned detail_wanted(const struct template *t);

/* I/Os by time and response time: nx columns of HEAT_ROWS, [column · HEAT_ROWS + row]; row r holds 2^(r/12) ns up to the next. */
enum { HEAT_COLUMNS = 180, HEAT_PER_OCTAVE = 12, HEAT_ROWS = HIST_RANGE_BITS * HEAT_PER_OCTAVE };
struct heat_counts {
    const double *at;
    size_t nx;
    double column_s; /* seconds a column */
};
double heat_row_ns(size_t row); /* lower edge */

/* Of spot->cell. The window is the one the report is about, else the end of the run: 60 minutes, but at most a third of it, so
 * that there is something to compare it with. */
struct detail {
    struct time_range window;
    bool to_the_end;         /* the window ends with the run */
    struct seconds part;     /* records of the window: a view of spot->in_time */
    struct evenness whole;   /* of all records; n = 0 and n_empty = 0: none */
    struct evenness even;    /* of the window's */
    const struct hist *hist; /* of the window; NULL: not known */
    const struct heat_counts *heat;
    const struct sample *samples; /* by time */
    size_t n_samples;
};
/* Fills spot->in_time and spot->detail of every spot that was begun. */
int detail_load(struct store *s, struct arena *a, unsigned parts, struct report_data *d,
                struct error *e);
