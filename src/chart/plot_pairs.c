#include "chart/plot_pairs.h"

#include "base/array.h"
#include "chart/frame.h"
#include "chart/text.h"

static const double inset = 8; /* of the outermost dots */
static const double label_pad = 10;
static const double change = 1.75;

/* One panel while it is laid out. */
struct layout {
    const struct pairs *spec;
    struct frame f;
    struct axis x;
    double top;
};

static double pitch(const struct metrics *m)
{
    return m->row_name + m->row_bar + 2;
}

static bool usable(const struct layout *l, double v)
{
    return isfinite(v) && (!l->spec->log_x || v > 0);
}

static bool find_axis(struct layout *l)
{
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    double label = 0;
    for (size_t i = 0; i < l->spec->n; i++) {
        const struct pair *p = &l->spec->at[i];
        const double values[] = { p->before, p->after };
        for (size_t k = 0; k < countof(values); k++) {
            if (usable(l, values[k])) {
                low = fmin(low, values[k]);
                high = fmax(high, values[k]);
            }
        }
        label = fmax(label, font_width(FONT_MEDIUM, l->f.m->text, p->label ? p->label : ""));
    }
    if (low > high) {
        return false;
    }
    axis_horizontal(&l->x, l->f.m, low, high, l->spec->log_x);
    l->x.scale.r0 = inset;
    l->x.scale.r1 = scene_width(l->f.s) - inset - label - label_pad;
    return true;
}

static void draw_key(const struct layout *l)
{
    const struct series *both[] = { &l->spec->before, &l->spec->after };
    static const char *const roles[] = { "before: ", "after: " };
    double half = scene_width(l->f.s) / 2;
    double y = round(l->f.header + l->f.m->rows - 4);
    for (size_t i = 0; i < countof(both); i++) {
        const struct metrics *m = l->f.m;
        double x = (double)i * half;
        begin_series(l->f.s, both[i], "key");
        scene_marker(l->f.s, x + 5, y + m->name_base - m->middle, m->name_marker, both[i]->slot,
                     i == 0, false);
        const char *name = arena_printf(scene_arena(l->f.s), "%s%s", roles[i], both[i]->name);
        scene_text(
            l->f.s, x + m->name_x, y + m->name_base,
            text_elide(scene_arena(l->f.s), FONT_REGULAR, m->text, name, half - m->name_x - 6),
            plain(m, INK_INK, ANCHOR_START));
        scene_end(l->f.s);
    }
}

static double place(const struct layout *l, double v)
{
    return scale_px(&l->x.scale, v);
}

static void draw_change(const struct layout *l, const struct pair *p, double y)
{
    double a = place(l, p->before);
    double b = place(l, p->after);
    scene_line(l->f.s, a, y, b, y, line_of(paint_slot(INK_MARK, l->spec->after.slot), change));
    struct text_style style = plain(l->f.m, INK_INK, ANCHOR_START);
    style.weight = FONT_MEDIUM;
    style.halo = true;
    scene_text(l->f.s, fmax(a, b) + label_pad, y + l->f.m->middle, p->label, style);
}

static void draw_reason(const struct layout *l, const struct pair *p, double y)
{
    const struct metrics *m = l->f.m;
    double width = scene_width(l->f.s);
    double known = usable(l, p->before)  ? place(l, p->before)
                   : usable(l, p->after) ? place(l, p->after)
                                         : -label_pad;
    bool right = known < width / 2;
    double room = right ? width - known - label_pad : known - label_pad;
    const char *why = text_elide(scene_arena(l->f.s), FONT_REGULAR, m->text,
                                 p->missing ? p->missing : "not measured", room);
    scene_text(l->f.s, right ? known + label_pad : known - label_pad, y + m->middle, why,
               plain(m, INK_INK3, right ? ANCHOR_START : ANCHOR_END));
}

static void draw_row(const struct layout *l, size_t i)
{
    const struct pair *p = &l->spec->at[i];
    const struct metrics *m = l->f.m;
    double y = l->top + (double)i * pitch(m);
    double width = scene_width(l->f.s);
    const char *name = text_elide(scene_arena(l->f.s), FONT_REGULAR, m->text, p->name, width);
    double end = font_width(FONT_REGULAR, m->text, name) + 4;
    scene_rect(l->f.s, 0, y, fmin(end, width), m->row_name, paint(INK_BG), (struct stroke) { 0 });
    scene_text(l->f.s, 0, y + m->name_base, name, plain(m, INK_INK, ANCHOR_START));
    double middle = y + m->row_name + m->row_bar / 2;
    bool before = usable(l, p->before);
    bool after = usable(l, p->after);
    if (before && after) {
        draw_change(l, p, middle);
    } else {
        draw_reason(l, p, middle);
    }
    if (before) {
        scene_marker(l->f.s, place(l, p->before), middle, m->marker, l->spec->before.slot, true,
                     true);
    }
    if (after) {
        scene_marker(l->f.s, place(l, p->after), middle, m->marker, l->spec->after.slot, false,
                     true);
    }
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct pairs *)p };
    l.f = frame_open(p, a, look);
    if (!find_axis(&l)) {
        return frame_no_data(&l.f);
    }
    draw_key(&l);
    const struct metrics *m = l.f.m;
    l.top = round(l.f.header + m->rows + m->row_name + 6);
    double bottom = l.top + (double)l.spec->n * pitch(m);
    l.f.plot = (struct box) { 0, l.top, look->width, bottom };
    axis_draw_bottom(&l.f, &l.x, true);
    begin_plain(l.f.s, "row");
    for (size_t i = 0; i < l.spec->n; i++) {
        draw_row(&l, i);
    }
    scene_end(l.f.s);
    axis_base(&l.f);
    axis_titles(&l.f);
    for (size_t i = 0; i < l.spec->n; i++) {
        double y = l.top + (double)i * pitch(m);
        frame_hot(l.f.s, &(struct hot) { .series = &l.spec->after,
                                         .point = i,
                                         .tooltip = l.spec->at[i].tooltip,
                                         .value = l.spec->at[i].label,
                                         .box = { 0, y, look->width, y + pitch(m) } });
    }
    scene_set_height(l.f.s, bottom + m->end);
    return l.f.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_pairs(struct arena *a, const struct pairs *spec)
{
    struct pairs *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    return &copy->panel;
}
