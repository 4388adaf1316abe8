#pragma once
#include "chart/panel.h"
#include "chart/scale.h"

/* What all plots draw alike: header, axes, names. Sizes are those of mock/tokens.md §4, px. Used by plot_*.c only. */
struct metrics {
    double title, text; /* font sizes */
    double title_line, subtitle_line;
    double title_base;    /* top to the first baseline of the title */
    double subtitle_drop; /* last title baseline to the first of the subtitle */
    double header_tail;   /* last baseline to the end of the header */
    double y_title, plot; /* end of the header to the baseline of the y title, to the plot */
    double rows;          /* end of the header to the first row of bars */
    double lines_height, scatter_height, steady_height;
    double tick_base, x_title, end;    /* axis to baselines, to the end of the panel */
    double row_name, row_bar, row_gap; /* bars: a row is their sum */
    double name_base, name_x,
        name_marker;               /* in a name line: baseline, start of text, r of the marker */
    double bar_tick_base, bar_end; /* bars: grid end to tick labels, to the end */
    double marker, ring;           /* radii */
    double label_gap;              /* direct labels, baseline to baseline */
    double middle;                 /* centre of a line of text to its baseline */
};
const struct metrics *metrics_of(enum medium m);

struct paint paint(enum ink ink);
struct paint paint_slot(enum ink ink, int slot);
struct stroke line_of(struct paint p, double width);
struct stroke dashed(struct paint p, double width, const int *dash);
extern const int dash_reference[], dash_gap[], dash_dotted[];
/* Regular chart text. */
struct text_style plain(const struct metrics *m, enum ink ink, enum anchor anchor);
/* px in the middle of a device pixel, so that 1 px lines are sharp. */
double crisp(double v);

struct box {
    double x0, y0, x1, y1;
};

/* A panel that is being drawn. */
struct frame {
    const struct panel *panel;
    const struct metrics *m;
    struct scene *s;
    double header;   /* its end, px */
    struct box plot; /* set by the plot once its margins are known */
};
/* Makes the scene and draws the header. */
struct frame frame_open(const struct panel *p, struct arena *a, const struct look *look);
/* "no data" in place of marks; the scene is finished. */
struct scene *frame_no_data(const struct frame *f);

/* An axis: scale and ticks. */
struct axis {
    struct scale scale;
    struct ticks ticks;
    double label_width; /* the widest */
};
/* From data low..high; log: both above 0. A linear axis ends at the outer of data and labels; a log axis at 1, 2, 5 × 10^k.
 * At most 5 lines besides the base. */
void axis_vertical(struct axis *axis, const struct metrics *m, double low, double high, bool log);
void axis_horizontal(struct axis *axis, const struct metrics *m, double low, double high, bool log);
/* Grid lines, minor ticks and labels at the left of the plot, after scale.r0, r1 were set. */
void axis_draw_left(const struct frame *f, const struct axis *axis);
/* Labels under the plot, each only where it does not touch the one before; grid: with vertical lines. */
void axis_draw_bottom(const struct frame *f, const struct axis *axis, bool grid);
/* Labels at given places under the plot (queue depths). Where not all fit, only round ones at an even step are written
 * and all get a tick. */
struct named_tick {
    double x;
    const char *label;
    bool round;
};
void axis_draw_named(const struct frame *f, const struct named_tick *at, size_t n);
void axis_base(const struct frame *f);
void axis_titles(const struct frame *f);

/* Marker and name of a series in a line of text, cut to its width, on a plate that hides the grid. */
void frame_name(const struct frame *f, const struct series *series, const char *name,
                const struct box *line);

/* With more than MANY_SERIES targets in one chart of lines the peers are grey, without marker and dash of their own, and only
 * the highest LABELLED_OF_MANY of them have a direct label. */
enum { MANY_SERIES = 8, LABELLED_OF_MANY = 7 };
int series_slot(const struct series *s, bool many); /* 0: grey */
struct stroke series_stroke(const struct series *s, bool many);
struct text_style series_label(const struct metrics *m, const struct series *s, bool many);
const char *series_short_name(const struct series *s);

void begin_plain(struct scene *s, const char *role);
void begin_series(struct scene *s, const struct series *series, const char *role);
/* A hot spot with its tooltip; nothing without one. */
struct hot {
    const struct series *series;
    size_t point;
    const char *tooltip, *value;
    struct box box;
};
void frame_hot(struct scene *s, const struct hot *h);
