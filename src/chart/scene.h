#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "chart/font.h"
#include "chart/theme.h"

/* A scene is one laid-out chart: a list of marks in px, y downwards. It never draws (chart/canvas.h does) and knows
 * nothing of storage. Marks and strings live in the arena given to scene_new. Building is sticky: a non-finite or absurd
 * (> 1e6) coordinate makes the scene fail, asked once by scene_check.
 *
 * Groups say what a mark stands for: canvases make classes, tooltips and hot spots from them. Groups nest. */
struct scene;

struct scene *scene_new(struct arena *a, double width, double height);
double scene_width(const struct scene *s);
double scene_height(const struct scene *s);
struct arena *scene_arena(const struct scene *s);
/* Panels grow downwards while they are laid out. */
void scene_set_height(struct scene *s, double height);
/* Title for accessibility and files, and the sentence that states the result. */
void scene_set_words(struct scene *s, const char *title, const char *alt);
const char *scene_title(const struct scene *s);
const char *scene_alt(const struct scene *s);
int scene_check(const struct scene *s, struct error *e);

enum group_kind {
    GROUP_PLAIN,  /* layout only: class name in `role` */
    GROUP_SERIES, /* everything of one series: dimmed together */
    GROUP_POINT,  /* one value: has a tooltip and can be reached by keyboard */
};
struct group {
    enum group_kind kind;
    const char *role;    /* short class: "grid", "axis", "bar", "label" */
    int slot;            /* series slot, 0 = none */
    int point;           /* index inside the series */
    const char *tooltip; /* lines separated by \n; first line is the name; NULL = none */
    bool highlighted;
    const char *value; /* GROUP_POINT: the exact value as text, for scripts; NULL = none */
};
void scene_begin(struct scene *s, const struct group *g);
void scene_end(struct scene *s);

struct stroke {
    struct paint paint;
    double width;    /* px; 0 = no stroke */
    const int *dash; /* 0-terminated whole px, NULL = solid */
    bool round;      /* joins, and caps where there is no dash */
};

void scene_rect(struct scene *s, double x, double y, double w, double h, struct paint fill,
                struct stroke stroke);
void scene_circle(struct scene *s, double cx, double cy, double r, struct paint fill,
                  struct stroke stroke);
void scene_line(struct scene *s, double x0, double y0, double x1, double y1, struct stroke stroke);
/* n points; closed: a polygon. Long data series must be reduced first (chart/raster.h): at most 5,000 points. */
struct point {
    double x, y;
};
void scene_poly(struct scene *s, const struct point *at, size_t n, bool closed, struct paint fill,
                struct stroke stroke);
/* A marker of a series slot; hollow: outline and surface fill. halo: 1 px surface ring around it. Slot 0: a circle in the
 * axis colour (one peer among many). */
void scene_marker(struct scene *s, double x, double y, double r, int slot, bool hollow, bool halo);

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };
struct text_style {
    double size;
    enum font_weight weight;
    enum anchor anchor;
    struct paint paint;
    bool halo; /* surface-coloured outline 3 px, where text crosses lines */
};
/* Baseline at (x, y). Glyphs the font lacks are drawn as a placeholder; the original stays for HTML text. */
void scene_text(struct scene *s, double x, double y, const char *text, struct text_style style);

/* 8-bit coverage mask, drawn in a paint (density, heat map): nx × ny, row by row from the top; scaled without smoothing. */
void scene_mask(struct scene *s, double x, double y, double w, double h, const uint8_t *mask,
                int nx, int ny, struct paint paint);
/* Until scene_unclip, marks are cut at this box. Clips do not nest. */
void scene_clip(struct scene *s, double x, double y, double w, double h);
void scene_unclip(struct scene *s);
/* An invisible hot spot for the pointer inside a GROUP_POINT. */
void scene_hot(struct scene *s, double x, double y, double w, double h);

/* --- reading, for canvases --------------------------------------------------------------------------------------- */
enum mark_kind {
    MARK_BEGIN,
    MARK_END,
    MARK_RECT,
    MARK_CIRCLE,
    MARK_LINE,
    MARK_POLY,
    MARK_TEXT,
    MARK_MASK,
    MARK_CLIP,
    MARK_UNCLIP,
    MARK_HOT
};
struct mark {
    enum mark_kind kind;
    double x, y, w,
        h; /* rect, mask, clip, hot; circle: centre and r in w; line: x,y to w,h; text: baseline, width in w */
    struct paint fill;
    struct stroke stroke;
    union {
        struct group group;
        struct {
            const struct point *at;
            size_t n;
            bool closed;
        } poly;
        struct {
            const char *original, *drawn; /* equal unless glyphs are missing */
            struct text_style style;
        } text;
        struct {
            const uint8_t *mask;
            int nx, ny;
        } raster;
    } u;
};
size_t scene_count(const struct scene *s);
const struct mark *scene_at(const struct scene *s, size_t i);
