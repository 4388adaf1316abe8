#include "chart/scene.h"

#include <math.h>
#include <string.h>

#include "base/fmt.h"
#include "chart/text.h"

enum { FIRST_MARKS = 64, MAX_POINTS = 5000 };
static const double farthest = 1e6;

struct scene {
    struct arena *arena;
    double width, height;
    const char *title, *alt;
    struct mark *at;
    size_t n, cap;
    int depth;
    const char *trouble; /* the first one; NULL = none */
};

struct scene *scene_new(struct arena *a, double width, double height)
{
    struct scene *s = arena_one(a, struct scene);
    s->arena = a;
    s->width = width;
    s->height = height;
    s->title = "";
    s->alt = "";
    return s;
}

double scene_width(const struct scene *s)
{
    return s->width;
}

double scene_height(const struct scene *s)
{
    return s->height;
}

struct arena *scene_arena(const struct scene *s)
{
    return s->arena;
}

void scene_set_height(struct scene *s, double height)
{
    s->height = height;
}

void scene_set_words(struct scene *s, const char *title, const char *alt)
{
    s->title = title ? arena_strdup(s->arena, title) : "";
    s->alt = alt ? arena_strdup(s->arena, alt) : "";
}

const char *scene_title(const struct scene *s)
{
    return s->title;
}

const char *scene_alt(const struct scene *s)
{
    return s->alt;
}

static void fail(struct scene *s, const char *trouble)
{
    if (!s->trouble) {
        s->trouble = trouble;
    }
}

static void check(struct scene *s, double v)
{
    if (!(fabs(v) <= farthest)) {
        fail(s, isfinite(v) ? "a coordinate beyond 1e6 px" : "a coordinate that is not finite");
    }
}

int scene_check(const struct scene *s, struct error *e)
{
    const char *trouble = s->trouble;
    if (!trouble && s->depth != 0) {
        trouble = "groups that do not close";
    }
    if (!trouble &&
        !(s->width > 0 && s->width <= farthest && s->height > 0 && s->height <= farthest)) {
        trouble = "no usable size";
    }
    if (trouble) {
        return error_set(e, QD_E_FAIL, "cannot draw chart '%s': it has %s", s->title, trouble);
    }
    return 0;
}

static struct mark *push(struct scene *s, enum mark_kind kind)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : FIRST_MARKS;
        struct mark *at = arena_array(s->arena, struct mark, cap);
        if (s->n > 0) {
            memcpy(at, s->at, s->n * sizeof *at);
        }
        s->at = at;
        s->cap = cap;
    }
    struct mark *m = &s->at[s->n++];
    m->kind = kind;
    return m;
}

static struct mark *push_box(struct scene *s, enum mark_kind kind, const double box[4])
{
    struct mark *m = push(s, kind);
    m->x = box[0];
    m->y = box[1];
    m->w = box[2];
    m->h = box[3];
    for (int i = 0; i < 4; i++) {
        check(s, box[i]);
    }
    return m;
}

void scene_begin(struct scene *s, const struct group *g)
{
    struct mark *m = push(s, MARK_BEGIN);
    m->u.group = *g;
    m->u.group.role = arena_strdup(s->arena, g->role);
    m->u.group.tooltip = arena_strdup(s->arena, g->tooltip);
    m->u.group.value = arena_strdup(s->arena, g->value);
    s->depth++;
}

void scene_end(struct scene *s)
{
    push(s, MARK_END);
    if (--s->depth < 0) {
        fail(s, "groups that do not open");
    }
}

void scene_rect(struct scene *s, double x, double y, double w, double h, struct paint fill,
                struct stroke stroke)
{
    struct mark *m = push_box(s, MARK_RECT, (double[]) { x, y, w, h });
    m->fill = fill;
    m->stroke = stroke;
}

void scene_circle(struct scene *s, double cx, double cy, double r, struct paint fill,
                  struct stroke stroke)
{
    struct mark *m = push_box(s, MARK_CIRCLE, (double[]) { cx, cy, r, 0 });
    m->fill = fill;
    m->stroke = stroke;
}

void scene_line(struct scene *s, double x0, double y0, double x1, double y1, struct stroke stroke)
{
    struct mark *m = push_box(s, MARK_LINE, (double[]) { x0, y0, x1, y1 });
    m->stroke = stroke;
}

void scene_poly(struct scene *s, const struct point *at, size_t n, bool closed, struct paint fill,
                struct stroke stroke)
{
    if (n < 2) {
        return;
    }
    if (n > MAX_POINTS) {
        fail(s, "a line of more than 5,000 points");
        return;
    }
    struct mark *m = push(s, MARK_POLY);
    m->fill = fill;
    m->stroke = stroke;
    m->u.poly.at = arena_memdup(s->arena, at, n * sizeof *at);
    m->u.poly.n = n;
    m->u.poly.closed = closed;
    for (size_t i = 0; i < n; i++) {
        check(s, at[i].x);
        check(s, at[i].y);
    }
}

/* Corners of the markers that are polygons, in units of the radius. Areas look alike at the same radius. */
static const struct point square[] = { { -0.9, -0.9 }, { 0.9, -0.9 }, { 0.9, 0.9 }, { -0.9, 0.9 } };
static const struct point triangle[] = { { 0, -1.18 }, { 1.18, 0.88 }, { -1.18, 0.88 } };
static const struct point diamond[] = { { 0, -1.25 }, { 1.25, 0 }, { 0, 1.25 }, { -1.25, 0 } };
static const struct point plus[] = {
    { -0.4, -1.2 }, { 0.4, -1.2 }, { 0.4, -0.4 }, { 1.2, -0.4 }, { 1.2, 0.4 },   { 0.4, 0.4 },
    { 0.4, 1.2 },   { -0.4, 1.2 }, { -0.4, 0.4 }, { -1.2, 0.4 }, { -1.2, -0.4 }, { -0.4, -0.4 },
};
#define CORNERS(shape) shape, sizeof(shape) / sizeof((shape)[0])

struct shape {
    const struct point *at;
    size_t n;
    double xx, xy, yx, yy; /* how its corners are turned */
};
static const double diagonal = 0.70710678118654752;

static struct shape shape_of(enum marker marker)
{
    switch (marker) {
    case MARKER_SQUARE:
        return (struct shape) { CORNERS(square), 1, 0, 0, 1 };
    case MARKER_UP:
        return (struct shape) { CORNERS(triangle), 1, 0, 0, 1 };
    case MARKER_DOWN:
        return (struct shape) { CORNERS(triangle), 1, 0, 0, -1 };
    case MARKER_DIAMOND:
        return (struct shape) { CORNERS(diamond), 1, 0, 0, 1 };
    case MARKER_PLUS:
        return (struct shape) { CORNERS(plus), 1, 0, 0, 1 };
    case MARKER_CROSS:
        return (struct shape) { CORNERS(plus), diagonal, -diagonal, diagonal, diagonal };
    default:
        return (struct shape) { 0 };
    }
}

void scene_marker(struct scene *s, double x, double y, double r, int slot, bool hollow, bool halo)
{
    struct paint mark = { slot ? INK_MARK : INK_AXIS, slot };
    struct paint surface = { INK_BG, 0 };
    enum marker marker = slot ? series_marker(slot) : MARKER_CIRCLE;
    bool outlined = hollow || marker == MARKER_RING;
    struct paint fill = outlined ? surface : mark;
    struct stroke stroke = { 0 };
    if (outlined) {
        stroke = (struct stroke) { .paint = mark, .width = 1.5 };
    } else if (halo) {
        stroke = (struct stroke) { .paint = surface, .width = 1 };
    }
    struct shape shape = shape_of(marker);
    if (!shape.at) {
        scene_circle(s, x, y, r, fill, stroke);
        if (marker == MARKER_RING && !hollow) {
            scene_circle(s, x, y, r * 0.42, mark, (struct stroke) { 0 });
        }
        return;
    }
    struct point at[sizeof plus / sizeof plus[0]];
    for (size_t i = 0; i < shape.n; i++) {
        struct point p = shape.at[i];
        at[i].x = x + r * (shape.xx * p.x + shape.xy * p.y);
        at[i].y = y + r * (shape.yx * p.x + shape.yy * p.y);
    }
    scene_poly(s, at, shape.n, true, fill, stroke);
}

void scene_text(struct scene *s, double x, double y, const char *text, struct text_style style)
{
    if (!text || !*text) {
        return;
    }
    struct mark *m = push_box(s, MARK_TEXT, (double[]) { x, y, 0, 0 });
    m->fill = style.paint;
    m->u.text.original = arena_strdup(s->arena, text);
    m->u.text.drawn = text_drawable(s->arena, style.weight, m->u.text.original);
    m->u.text.style = style;
    m->w = font_width(style.weight, style.size, text);
}

void scene_mask(struct scene *s, double x, double y, double w, double h, const uint8_t *mask,
                int nx, int ny, struct paint paint)
{
    if (nx < 1 || ny < 1) {
        fail(s, "a raster without pixels");
        return;
    }
    struct mark *m = push_box(s, MARK_MASK, (double[]) { x, y, w, h });
    m->fill = paint;
    m->u.raster.mask = arena_memdup(s->arena, mask, (size_t)nx * (size_t)ny);
    m->u.raster.nx = nx;
    m->u.raster.ny = ny;
}

void scene_clip(struct scene *s, double x, double y, double w, double h)
{
    push_box(s, MARK_CLIP, (double[]) { x, y, w, h });
}

void scene_unclip(struct scene *s)
{
    push(s, MARK_UNCLIP);
}

void scene_hot(struct scene *s, double x, double y, double w, double h)
{
    push_box(s, MARK_HOT, (double[]) { x, y, w, h });
}

size_t scene_count(const struct scene *s)
{
    return s->n;
}

const struct mark *scene_at(const struct scene *s, size_t i)
{
    return &s->at[i];
}
