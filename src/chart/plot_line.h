#pragma once
#include "chart/panel.h"

/* Lines over queue depth or transfer size: log2 x with the measured depths as labels, y linear or log, direct labels at the right
 * (mock/tokens.md "Lines over queue depth"). */
struct line_point {
    double x, y;      /* y NaN: missing, the line has a gap */
    double low, high; /* 95 % interval, NaN: none */
    double upper;     /* a second value on a stem (99th percentile), hollow; NaN: none */
    bool not_reached; /* the device did not reach that depth: hollow, dotted segment */
    const char *tooltip;
    const char *missing; /* "not measured", shown beside the last point; may be NULL */
};
struct line {
    struct series series;
    const struct line_point *at;
    size_t n;
};
struct lines {
    struct panel panel;
    const struct line *at;
    size_t n;
    struct text (*x_text)(double x); /* a depth as label; NULL: the number */
    bool log_y;
    bool dodge;       /* 8 px apart around each depth, for stems */
    double reference; /* NaN: none */
    const char *reference_label;
};
struct panel *plot_line(struct arena *a, const struct lines *spec);
