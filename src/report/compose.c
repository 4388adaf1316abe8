#include "report/compose.h"

#include <math.h>

#include "base/str.h"

static const double column_gap = 24, row_gap = 28;

static void copy_poly(struct scene *to, const struct mark *m, double dx, double dy)
{
    struct point *at = arena_memdup(scene_arena(to), m->u.poly.at, m->u.poly.n * sizeof *at);
    for (size_t i = 0; i < m->u.poly.n; i++) {
        at[i].x += dx;
        at[i].y += dy;
    }
    scene_poly(to, at, m->u.poly.n, m->u.poly.closed, m->fill, m->stroke);
}

static void copy_mark(struct scene *to, const struct mark *m, double dx, double dy)
{
    double x = m->x + dx, y = m->y + dy;
    switch (m->kind) {
    case MARK_BEGIN:
        scene_begin(to, &m->u.group);
        break;
    case MARK_END:
        scene_end(to);
        break;
    case MARK_RECT:
        scene_rect(to, x, y, m->w, m->h, m->fill, m->stroke);
        break;
    case MARK_CIRCLE:
        scene_circle(to, x, y, m->w, m->fill, m->stroke);
        break;
    case MARK_LINE:
        scene_line(to, x, y, m->w + dx, m->h + dy, m->stroke);
        break;
    case MARK_POLY:
        copy_poly(to, m, dx, dy);
        break;
    case MARK_TEXT:
        scene_text(to, x, y, m->u.text.original, m->u.text.style);
        break;
    case MARK_MASK:
        scene_mask(to, x, y, m->w, m->h, m->u.raster.mask, m->u.raster.nx, m->u.raster.ny, m->fill);
        break;
    case MARK_CLIP:
        scene_clip(to, x, y, m->w, m->h);
        break;
    case MARK_UNCLIP:
        scene_unclip(to);
        break;
    case MARK_HOT:
        scene_hot(to, x, y, m->w, m->h);
        break;
    }
}

static void copy_scene(struct scene *to, const struct scene *from, double dx, double dy)
{
    for (size_t i = 0; i < scene_count(from); i++)
        copy_mark(to, scene_at(from, i), dx, dy);
}

static void set_words(struct scene *to, const struct scene *const *scenes, size_t n)
{
    struct str title = str_new(1 << 16), alt = str_new(1 << 20);
    for (size_t i = 0; i < n; i++) {
        str_printf(&title, "%s%s", i ? " · " : "", scene_title(scenes[i]));
        str_printf(&alt, "%s%s", i ? " " : "", scene_alt(scenes[i]));
    }
    scene_set_words(to, title.at ? title.at : "", alt.at ? alt.at : "");
    str_done(&title);
    str_done(&alt);
}

struct scene *compose_scenes(struct arena *a, const struct scene *const *scenes, size_t n,
                             size_t columns)
{
    double column = 0;
    columns = columns > n && n > 0 ? n : columns;
    for (size_t i = 0; i < n; i++)
        column = fmax(column, scene_width(scenes[i]));
    double gaps = (double)(columns - 1) * column_gap;
    struct scene *all = scene_new(a, (double)columns * column + gaps, 0);
    double y = 0;
    for (size_t row = 0; row * columns < n; row++) {
        double height = 0, x = 0;
        y += row ? row_gap : 0;
        for (size_t i = row * columns; i < n && i < (row + 1) * columns; i++) {
            copy_scene(all, scenes[i], x, y);
            height = fmax(height, scene_height(scenes[i]));
            x += column + column_gap;
        }
        y += height;
    }
    scene_set_height(all, y);
    set_words(all, scenes, n);
    return all;
}
