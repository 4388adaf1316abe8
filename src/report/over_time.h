#pragma once
#include "chart/plot_scatter.h"
#include "report/detail.h"

/* What figures over time share: the axis, the words for records, the hot spots. */

/* Times of a run on an axis: x = (s - origin) / unit. */
struct time_axis {
    double origin, unit; /* s */
    const char *name;    /* "hour" */
    const char *title;   /* "Hours since the start" */
    double high;         /* x of the end; the axis begins at 0 */
    const double *ticks; /* NULL: the plot chooses */
    size_t n_ticks;
};
struct time_axis time_axis_run(struct arena *a, double end_s);
/* `of`: "the last 60 minutes". */
struct time_axis time_axis_part(struct arena *a, const struct time_range *part, const char *of);
double time_axis_x(const struct time_axis *t, double s);

/* Records as people call them: seconds, or "records of 100 ms". */
const char *records_words(struct arena *a, size_t n, double step_s); /* "3,600 seconds" */
const char *record_word(struct arena *a, double step_s);             /* "second" */
const char *record_plural(struct arena *a, double step_s);           /* "seconds" */
const char *averages_words(struct arena *a, double step_s);          /* "one-second averages" */

/* "the last 60 minutes", "minutes 10 to 20"; of a report's window its own words. */
const char *part_words(struct arena *a, const struct report_data *d, const struct detail *x);
/* The first spot of the point that has records; NULL: none. */
const struct spot *timed_spot(const struct report_data *d, const struct group_point *p);

/* Cuts the axis into stretches of a round length; returns how many. Their tooltips are left to the caller. */
enum { TIME_STRETCHES = 26 };
size_t time_stretches(const struct time_axis *t, struct x_window ret[TIME_STRETCHES]);

/* Hot spots with what a reader wants to know of each stretch. */
struct time_windows {
    const struct x_window *at;
    size_t n;
};
struct time_windows time_windows(struct arena *a, const struct report_data *d, size_t subject,
                                 const struct seconds *s, const struct time_axis *t);

/* "1.66 to 1.87 ms" */
const char *range_words(struct arena *a, const struct report_data *d, double low_ns,
                        double high_ns);
/* "0.52": a time in the report's unit with the digits it has. */
const char *exact_time(struct arena *a, const struct report_data *d, double ns);
/* " 3 stalled seconds" without the number of them being zero: "no stalled second" */
const char *stalled_words(struct arena *a, size_t n, double step_s);
