#include "chart/frame.h"

#include <string.h>

#include "base/array.h"
#include "chart/text.h"

static const struct metrics screen = {
    .title = 14,
    .text = 12,
    .title_line = 17.5,
    .subtitle_line = 15.6,
    .title_base = 14,
    .subtitle_drop = 18.7,
    .header_tail = 9.2,
    .y_title = 11.2,
    .plot = 25,
    .rows = 2.2,
    .lines_height = 196,
    .scatter_height = 180,
    .steady_height = 150,
    .tick_base = 16.2,
    .x_title = 33,
    .end = 38.4,
    .row_name = 15,
    .row_bar = 18,
    .row_gap = 9,
    .name_base = 12,
    .name_x = 14,
    .name_marker = 4.3,
    .bar_tick_base = 14,
    .bar_end = 18,
    .marker = 4.2,
    .ring = 8.8,
    .label_gap = 15,
    .middle = 4.2,
};
static const struct metrics print = {
    .title = 11.5,
    .text = 10,
    .title_line = 14.4,
    .subtitle_line = 13,
    .title_base = 11.5,
    .subtitle_drop = 15.4,
    .header_tail = 7.6,
    .y_title = 9.4,
    .plot = 20.9,
    .rows = 1.9,
    .lines_height = 158,
    .scatter_height = 145,
    .steady_height = 121,
    .tick_base = 13.5,
    .x_title = 27.5,
    .end = 32,
    .row_name = 12,
    .row_bar = 12,
    .row_gap = 6,
    .name_base = 10,
    .name_x = 11.5,
    .name_marker = 3.6,
    .bar_tick_base = 11.5,
    .bar_end = 15,
    .marker = 3.5,
    .ring = 7.4,
    .label_gap = 12.5,
    .middle = 3.5,
};

const int dash_reference[] = { 5, 4, 0 };
const int dash_gap[] = { 4, 3, 0 };
const int dash_dotted[] = { 1, 3, 0 };

const struct metrics *metrics_of(enum medium m)
{
    return m == MEDIUM_PRINT ? &print : &screen;
}

struct paint paint(enum ink ink)
{
    return (struct paint) { ink, 0 };
}

struct paint paint_slot(enum ink ink, int slot)
{
    return (struct paint) { ink, slot };
}

struct stroke line_of(struct paint p, double width)
{
    return (struct stroke) { .paint = p, .width = width };
}

struct stroke dashed(struct paint p, double width, const int *dash)
{
    return (struct stroke) { .paint = p, .width = width, .dash = *dash ? dash : NULL };
}

struct text_style plain(const struct metrics *m, enum ink ink, enum anchor anchor)
{
    return (struct text_style) {
        .size = m->text, .weight = FONT_REGULAR, .anchor = anchor, .paint = paint(ink)
    };
}

double crisp(double v)
{
    return floor(v) + 0.5;
}

/* --- header ------------------------------------------------------------------------------------------------------- */

/* Print draws the direction of bars at the right of the title and leaves the rest of the subtitle to the heading. */
static bool beside_title(const struct panel *p, const struct look *look)
{
    return look->medium == MEDIUM_PRINT && p->bars && p->direction;
}

/* Small enough that "Average response time, ms" stays on one line of a print panel. */
static const double direction_gap = 5;

struct header {
    struct text_lines title, subtitle;
    double height;
};

static struct header header_of(const struct panel *p, struct arena *a, const struct look *look)
{
    const struct metrics *m = metrics_of(look->medium);
    struct header h = { 0 };
    bool beside = beside_title(p, look);
    double room = look->width;
    if (beside) {
        room -= font_width(FONT_REGULAR, m->text, p->direction) + direction_gap;
    }
    h.title = text_wrap(a, FONT_MEDIUM, m->title, p->title, room);
    if (!beside) {
        h.subtitle = text_wrap(a, FONT_REGULAR, m->text, p->subtitle, look->width);
    }
    size_t nt = h.title.n;
    size_t ns = h.subtitle.n;
    double last = nt ? m->title_base + (double)(nt - 1) * m->title_line : 0;
    if (ns) {
        last += (nt ? m->subtitle_drop : m->text) + (double)(ns - 1) * m->subtitle_line;
    }
    h.height = nt || ns ? last + m->header_tail : 0;
    return h;
}

static void draw_header(struct scene *s, const struct panel *p, const struct header *h,
                        const struct look *look)
{
    const struct metrics *m = metrics_of(look->medium);
    struct text_style title = { .size = m->title, .weight = FONT_MEDIUM, .paint = paint(INK_INK) };
    double y = h->title.n ? m->title_base : 0;
    begin_plain(s, "head");
    for (size_t i = 0; i < h->title.n; i++) {
        y += i ? m->title_line : 0;
        scene_text(s, 0, y, h->title.at[i], title);
    }
    if (beside_title(p, look)) {
        scene_text(s, look->width, m->title_base, p->direction, plain(m, INK_INK3, ANCHOR_END));
    }
    for (size_t i = 0; i < h->subtitle.n; i++) {
        double first = h->title.n ? m->subtitle_drop : m->text;
        y += i ? m->subtitle_line : first;
        scene_text(s, 0, y, h->subtitle.at[i], plain(m, INK_INK3, ANCHOR_START));
    }
    scene_end(s);
}

struct frame frame_open(const struct panel *p, struct arena *a, const struct look *look)
{
    struct frame f = { .panel = p, .m = metrics_of(look->medium) };
    f.s = scene_new(a, look->width, 1);
    scene_set_words(f.s, p->title, p->alt);
    struct header h = header_of(p, a, look);
    draw_header(f.s, p, &h, look);
    f.header = fmax(h.height, look->header_height);
    return f;
}

double panel_header_height(const struct panel *p, const struct look *look)
{
    struct arena *a = arena_new();
    double height = header_of(p, a, look).height;
    arena_free(a);
    return height;
}

double panels_header_height(const struct panel *const *panels, size_t n, const struct look *look)
{
    double height = 0;
    for (size_t i = 0; i < n; i++) {
        height = fmax(height, panel_header_height(panels[i], look));
    }
    return height;
}

double look_panel_width(enum medium m, bool bars)
{
    if (m == MEDIUM_SCREEN) {
        return 384;
    }
    return bars ? 209 : 320;
}

struct scene *panel_draw(const struct panel *p, struct arena *a, const struct look *look)
{
    return p->ops->draw(p, a, look);
}

struct scene *frame_no_data(const struct frame *f)
{
    double y = f->header + f->m->plot - f->m->y_title;
    scene_text(f->s, 0, y, "no data", plain(f->m, INK_INK3, ANCHOR_START));
    scene_set_height(f->s, y + f->m->text);
    return f->s;
}

/* --- series -------------------------------------------------------------------------------------------------------- */

int series_slot(const struct series *s, bool many)
{
    return many && !s->highlighted ? 0 : s->slot;
}

struct stroke series_stroke(const struct series *s, bool many)
{
    int slot = series_slot(s, many);
    if (slot == 0) {
        return (struct stroke) { .paint = paint(INK_AXIS), .width = 1, .round = true };
    }
    const int *dash = series_dash(slot);
    return (struct stroke) { .paint = paint_slot(INK_MARK, slot),
                             .width = s->highlighted ? 2.5 : 1.75,
                             .dash = *dash ? dash : NULL,
                             .round = true };
}

struct text_style series_label(const struct metrics *m, const struct series *s, bool many)
{
    int slot = series_slot(s, many);
    return (struct text_style) { .size = m->text,
                                 .weight = s->highlighted ? FONT_MEDIUM : FONT_REGULAR,
                                 .paint = slot ? paint_slot(INK_TEXT, slot) : paint(INK_INK2) };
}

const char *series_short_name(const struct series *s)
{
    return s->short_name ? s->short_name : s->name;
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

void begin_plain(struct scene *s, const char *role)
{
    scene_begin(s, &(struct group) { .kind = GROUP_PLAIN, .role = role });
}

void begin_series(struct scene *s, const struct series *series, const char *role)
{
    scene_begin(s, &(struct group) { .kind = GROUP_SERIES,
                                     .role = role,
                                     .slot = series->slot,
                                     .highlighted = series->highlighted });
}

void frame_hot(struct scene *s, const struct hot *h)
{
    if (!h->tooltip) {
        return;
    }
    scene_begin(s, &(struct group) { .kind = GROUP_POINT,
                                     .slot = h->series->slot,
                                     .point = (int)h->point,
                                     .tooltip = h->tooltip,
                                     .value = h->value });
    scene_hot(s, h->box.x0, h->box.y0, h->box.x1 - h->box.x0, h->box.y1 - h->box.y0);
    scene_end(s);
}

void frame_name(const struct frame *f, const struct series *series, const char *name,
                const struct box *line)
{
    struct scene *s = f->s;
    const struct metrics *m = f->m;
    enum font_weight weight = series->highlighted ? FONT_MEDIUM : FONT_REGULAR;
    struct text_style style = { .size = m->text, .weight = weight, .paint = paint(INK_INK) };
    const char *shown = text_elide(scene_arena(s), weight, m->text, name,
                                   line->x1 - line->x0 - m->name_x);
    double end = m->name_x + font_width(weight, m->text, shown) + 4;
    scene_rect(s, line->x0, line->y0, fmin(end, line->x1 - line->x0), line->y1 - line->y0,
               paint(INK_BG), (struct stroke) { 0 });
    scene_marker(s, line->x0 + 5.0 * m->text / 12, line->y0 + m->name_base - m->middle,
                 m->name_marker, series->slot, series->slot > SERIES_SLOTS, false);
    scene_text(s, line->x0 + m->name_x, line->y0 + m->name_base, shown, style);
}
