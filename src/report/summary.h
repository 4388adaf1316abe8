#pragma once
#include "report/doc.h"
#include "report/standing.h"

/* Sentences about more than one point: the lead of a workload and the verdict of the report. Data first, as in findings.h. */

/* How the device under test stands over the points of a workload. */
enum course {
    COURSE_NONE,       /* nothing to compare */
    COURSE_AHEAD,      /* ahead at every compared point */
    COURSE_AHEAD_FROM, /* ahead from point `from` up, not below */
    COURSE_BEHIND,     /* behind at every compared point */
    COURSE_SAME,       /* no practical difference at any */
    COURSE_UNCLEAR,    /* no clear difference at any, or no practical one */
    COURSE_MIXED,
};
struct workload_course {
    enum course course;
    size_t from; /* index of a point of the workload */
    size_t n, n_ahead, n_behind, n_level, n_unknown;
    size_t only_peer; /* the best peer of all compared points, SIZE_MAX if it changes */
    bool general;
};
/* `st` is the report's array by point. */
struct workload_course workload_course(const struct report_data *d, const struct point_standing *st,
                                       const struct report_workload *w);

/* How a subject's work grows over the depths of a workload with a depth axis. */
struct scaling {
    bool known;
    double factor;        /* last measured depth against first */
    uint32_t first, last; /* these depths */
    uint32_t knee, peak;  /* depths */
    bool saturated, falls;
    double fall; /* share lost from the peak to the last depth */
};
struct scaling scaling_of(struct arena *a, const struct report_workload *w, size_t subject);

/* One to three sentences; "" for a workload of one point. */
const char *workload_lead(struct arena *a, const struct report_data *d,
                          const struct point_standing *st, const struct report_workload *w);

/* First run strong, last soft. */
struct rich verdict_rich(struct arena *a, const struct report_data *d,
                         const struct point_standing *st);
