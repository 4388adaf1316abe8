#include "chart/plot_line.h"

#include <string.h>

#include "base/array.h"
#include "chart/frame.h"
#include "chart/place.h"
#include "chart/reference.h"
#include "chart/text.h"

enum { MAX_COLOURED = 8, LABELS_WHEN_MANY = 7 };
static const double inset = 6;       /* of the first and last depth */
static const double dodge_step = 8;  /* between the targets of one depth */
static const double label_room = 13; /* right margin over the widest label */
static const double leader_from = 7; /* a label moved by more gets a leader */
static const double hot_side = 22, hot_dodged = 8;
static const double stem_width = 1.25;

struct end_label {
    size_t line;
    double x, y;   /* of the last point */
    bool at_right; /* beside the plot; else in it, where the line ends */
};

/* One panel while it is laid out. */
struct layout {
    const struct lines *spec;
    const struct metrics *m;
    struct scene *s;
    struct axis y;
    struct scale x;
    double *depths; /* all x, ascending, each once */
    size_t n_depths;
    bool *labelled; /* by line */
    struct box plot;
    struct reference reference;
    struct field *field;
};

static bool many(const struct layout *l)
{
    return l->spec->n > MAX_COLOURED;
}

/* With many targets the peers are grey, without their own marker and dash. */
static int shown_slot(const struct layout *l, const struct line *line)
{
    return many(l) && !line->series.highlighted ? 0 : line->series.slot;
}

static bool usable(const struct layout *l, double v)
{
    return isfinite(v) && (!l->spec->log_y || v > 0);
}

static bool drawn(const struct layout *l, const struct line_point *p)
{
    return isfinite(p->x) && usable(l, p->y);
}

static const struct line_point *last_drawn(const struct layout *l, const struct line *line)
{
    for (size_t i = line->n; i > 0; i--) {
        if (drawn(l, &line->at[i - 1])) {
            return &line->at[i - 1];
        }
    }
    return NULL;
}

/* --- domains ------------------------------------------------------------------------------------------------------ */

static void collect_depths(struct layout *l, struct arena *a)
{
    size_t total = 0;
    for (size_t k = 0; k < l->spec->n; k++) {
        total += l->spec->at[k].n;
    }
    l->depths = arena_array(a, double, total + 1);
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            double x = l->spec->at[k].at[i].x;
            size_t at = l->n_depths;
            while (at > 0 && l->depths[at - 1] > x) {
                at--;
            }
            if (!isfinite(x) || (at > 0 && l->depths[at - 1] == x)) {
                continue;
            }
            memmove(&l->depths[at + 1], &l->depths[at], (l->n_depths - at) * sizeof(double));
            l->depths[at] = x;
            l->n_depths++;
        }
    }
}

struct range {
    double low, high;
};

static void widen(const struct layout *l, struct range *r, double v)
{
    if (usable(l, v)) {
        r->low = fmin(r->low, v);
        r->high = fmax(r->high, v);
    }
}

static struct range y_range(const struct layout *l)
{
    struct range r = { INFINITY, -INFINITY };
    for (size_t k = 0; k < l->spec->n; k++) {
        for (size_t i = 0; i < l->spec->at[k].n; i++) {
            const struct line_point *p = &l->spec->at[k].at[i];
            if (drawn(l, p)) {
                widen(l, &r, p->y);
                widen(l, &r, p->low);
                widen(l, &r, p->high);
                widen(l, &r, p->upper);
            }
        }
    }
    return r;
}

/* The device under test and the highest others by their last value. */
static void choose_labelled(struct layout *l, struct arena *a)
{
    l->labelled = arena_array(a, bool, l->spec->n);
    size_t room = many(l) ? LABELS_WHEN_MANY : l->spec->n;
    for (size_t k = 0; k < l->spec->n; k++) {
        l->labelled[k] = l->spec->at[k].series.highlighted && last_drawn(l, &l->spec->at[k]);
    }
    while (room-- > 0) {
        size_t best = l->spec->n;
        double most = -INFINITY;
        for (size_t k = 0; k < l->spec->n; k++) {
            const struct line_point *p = last_drawn(l, &l->spec->at[k]);
            if (p && !l->labelled[k] && p->y > most) {
                most = p->y;
                best = k;
            }
        }
        if (best == l->spec->n) {
            break;
        }
        l->labelled[best] = true;
    }
}

static const char *short_name(const struct line *line)
{
    return line->series.short_name ? line->series.short_name : line->series.name;
}

static enum font_weight weight_of(const struct line *line)
{
    return line->series.highlighted ? FONT_MEDIUM : FONT_REGULAR;
}

static double name_width(const struct layout *l, const struct line *line)
{
    return font_width(weight_of(line), l->m->text, short_name(line));
}

static double right_margin(const struct layout *l)
{
    double widest = 0;
    for (size_t k = 0; k < l->spec->n; k++) {
        if (l->labelled[k]) {
            widest = fmax(widest, name_width(l, &l->spec->at[k]));
        }
    }
    return fmin(widest, scene_width(l->s) * 0.4) + label_room;
}

static double dodge_of(const struct layout *l, size_t line)
{
    double middle = (double)(l->spec->n - 1) / 2;
    double step = fmin(dodge_step, 4 * dodge_step / (double)l->spec->n);
    return l->spec->dodge ? ((double)line - middle) * step : 0;
}

static void place_scales(struct layout *l, double header)
{
    double in = inset + fabs(dodge_of(l, 0));
    l->plot.x0 = ceil(l->y.label_width + 8);
    l->plot.x1 = floor(scene_width(l->s) - right_margin(l));
    l->plot.y0 = round(header + l->m->plot);
    l->plot.y1 = l->plot.y0 + l->m->lines_height;
    l->y.scale.r0 = l->plot.y1;
    l->y.scale.r1 = l->plot.y0;
    bool positive = l->depths[0] > 0;
    l->x = (struct scale) { positive ? SCALE_LOG2 : SCALE_LINEAR, l->depths[0],
                            l->depths[l->n_depths - 1], l->plot.x0 + in, l->plot.x1 - in };
    if (l->n_depths == 1) {
        /* one depth stands in the middle */
        l->x.kind = SCALE_LINEAR;
        l->x.d0 -= 1;
        l->x.d1 += 1;
    }
}

static struct point at_point(const struct layout *l, size_t line, const struct line_point *p)
{
    return (struct point) { scale_px(&l->x, p->x) + dodge_of(l, line),
                            scale_px(&l->y.scale, p->y) };
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

static struct stroke line_stroke(const struct layout *l, const struct line *line)
{
    int slot = shown_slot(l, line);
    struct stroke k = { .paint = slot ? paint_slot(INK_MARK, slot) : paint(INK_AXIS),
                        .width = line->series.highlighted ? 2.5
                                 : slot                   ? 1.75
                                                          : 1,
                        .round = true };
    const int *dash = series_dash(slot);
    k.dash = slot && *dash ? dash : NULL;
    return k;
}

static void draw_stems(const struct layout *l, size_t k)
{
    const struct line *line = &l->spec->at[k];
    for (size_t i = 0; i < line->n; i++) {
        const struct line_point *p = &line->at[i];
        if (drawn(l, p) && usable(l, p->upper)) {
            struct point at = at_point(l, k, p);
            double top = scale_px(&l->y.scale, p->upper);
            scene_line(l->s, at.x, at.y, at.x, top,
                       line_of(line_stroke(l, line).paint, stem_width));
        }
    }
}

/* One piece a run of measured points; a segment that touches a depth the device did not reach is dotted. */
static void draw_line(const struct layout *l, size_t k)
{
    const struct line *line = &l->spec->at[k];
    struct stroke solid = line_stroke(l, line);
    struct point *run = arena_array(scene_arena(l->s), struct point, line->n + 1);
    size_t n = 0;
    for (size_t i = 0; i <= line->n; i++) {
        const struct line_point *p = i < line->n ? &line->at[i] : NULL;
        const struct line_point *before = i > 0 ? &line->at[i - 1] : NULL;
        bool here = p && drawn(l, p);
        bool joined = here && before && drawn(l, before);
        bool doubtful = joined && (p->not_reached || before->not_reached);
        if (doubtful) {
            struct point a = at_point(l, k, before);
            struct point b = at_point(l, k, p);
            scene_line(l->s, a.x, a.y, b.x, b.y, dashed(solid.paint, 1, dash_dotted));
        }
        if (!joined || doubtful) {
            scene_poly(l->s, run, n, false, paint(INK_NONE), solid);
            n = 0;
        }
        if (here) {
            run[n++] = at_point(l, k, p);
        }
    }
}

/* Where the interval is taller than the marker; stems leave no room for it. */
static void draw_interval(const struct layout *l, const struct line_point *p, struct point at)
{
    if (!usable(l, p->low) || !usable(l, p->high) || usable(l, p->upper)) {
        return;
    }
    double low = scale_px(&l->y.scale, p->low);
    double high = scale_px(&l->y.scale, p->high);
    if (low - high <= 2 * l->m->marker + 2) {
        return;
    }
    struct stroke ink = line_of(paint(INK_INK), stem_width);
    scene_line(l->s, at.x, low, at.x, high, ink);
    scene_line(l->s, at.x - 3, low, at.x + 3, low, ink);
    scene_line(l->s, at.x - 3, high, at.x + 3, high, ink);
}

static void draw_markers(const struct layout *l, size_t k)
{
    const struct line *line = &l->spec->at[k];
    int slot = shown_slot(l, line);
    bool repeated = slot > SERIES_SLOTS;
    double r = slot ? l->m->marker : l->m->marker * 0.6;
    for (size_t i = 0; i < line->n; i++) {
        const struct line_point *p = &line->at[i];
        if (!drawn(l, p)) {
            continue;
        }
        struct point at = at_point(l, k, p);
        draw_interval(l, p, at);
        if (usable(l, p->upper)) {
            scene_marker(l->s, at.x, scale_px(&l->y.scale, p->upper), r * 0.8, slot, true, false);
        }
        scene_marker(l->s, at.x, at.y, r, slot, p->not_reached || repeated, true);
    }
}

static void draw_series(const struct layout *l, bool highlighted)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct line *line = &l->spec->at[k];
        if (line->series.highlighted == highlighted && last_drawn(l, line)) {
            begin_series(l->s, &line->series, "line");
            draw_stems(l, k);
            draw_line(l, k);
            draw_markers(l, k);
            scene_end(l->s);
        }
    }
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

static void fill_field(struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n; i++) {
            if (!drawn(l, &line->at[i])) {
                continue;
            }
            struct point at = at_point(l, k, &line->at[i]);
            double r = l->m->marker + 1;
            field_add_box(l->field, (struct box) { at.x - r, at.y - r, at.x + r, at.y + r });
            if (usable(l, line->at[i].upper)) {
                double up = scale_px(&l->y.scale, line->at[i].upper);
                field_add_line(l->field, at.x, at.y, at.x, up);
                field_add_box(l->field, (struct box) { at.x - r, up - r, at.x + r, up + r });
            }
            if (i > 0 && drawn(l, &line->at[i - 1])) {
                struct point from = at_point(l, k, &line->at[i - 1]);
                field_add_line(l->field, from.x, from.y, at.x, at.y);
            }
        }
    }
}

static struct text_style label_style(const struct layout *l, const struct line *line)
{
    int slot = shown_slot(l, line);
    return (struct text_style) { .size = l->m->text,
                                 .weight = weight_of(line),
                                 .paint = slot ? paint_slot(INK_TEXT, slot) : paint(INK_INK2) };
}

static void draw_right_labels(const struct layout *l, const struct end_label *at, size_t n)
{
    double *y = arena_array(scene_arena(l->s), double, n + 1);
    for (size_t i = 0; i < n; i++) {
        y[i] = at[i].y;
    }
    place_spread(y, n, l->m->label_gap, l->plot.y0, l->plot.y1);
    double x = l->plot.x1 + label_room / 2;
    double room = scene_width(l->s) - x;
    for (size_t i = 0; i < n; i++) {
        const struct line *line = &l->spec->at[at[i].line];
        begin_series(l->s, &line->series, "label");
        if (fabs(y[i] - at[i].y) > leader_from) {
            double from = at[i].x + l->m->marker + 2;
            scene_line(l->s, from, at[i].y, x - 2, y[i], line_of(line_stroke(l, line).paint, 1));
        }
        const char *name = text_elide(scene_arena(l->s), weight_of(line), l->m->text,
                                      short_name(line), room);
        scene_text(l->s, x, y[i] + l->m->middle, name, label_style(l, line));
        scene_end(l->s);
    }
}

static void draw_inner_label(struct layout *l, const struct end_label *at)
{
    const struct line *line = &l->spec->at[at->line];
    struct box places[PLACES_AROUND];
    double w = name_width(l, line);
    places_around(l->m, at->x, at->y, w, l->m->marker + 5, places);
    /* right of the last point first: that is where the other labels are */
    struct box order[PLACES_AROUND];
    static const size_t preferred[PLACES_AROUND] = { 4, 6, 2, 1, 3, 0, 7, 5 };
    for (size_t i = 0; i < PLACES_AROUND; i++) {
        order[i] = places[preferred[i]];
    }
    struct box box = order[field_place(l->field, order, PLACES_AROUND)];
    struct text_style style = label_style(l, line);
    style.halo = true;
    begin_series(l->s, &line->series, "label");
    scene_text(l->s, box.x0, (box.y0 + box.y1) / 2 + l->m->middle, short_name(line), style);
    scene_end(l->s);
}

static void draw_labels(struct layout *l)
{
    struct arena *a = scene_arena(l->s);
    struct end_label *right = arena_array(a, struct end_label, l->spec->n);
    size_t n = 0;
    for (size_t k = 0; k < l->spec->n; k++) {
        if (!l->labelled[k]) {
            continue;
        }
        const struct line_point *p = last_drawn(l, &l->spec->at[k]);
        struct point at = at_point(l, k, p);
        struct end_label label = { k, at.x, at.y, p->x == l->depths[l->n_depths - 1] };
        if (label.at_right) {
            right[n++] = label;
        } else {
            draw_inner_label(l, &label);
        }
    }
    draw_right_labels(l, right, n);
}

/* "NAME at 64, 128: not measured", one note a line and reason. */
static const char *note_text(const struct layout *l, const struct line *line, size_t first)
{
    struct arena *a = scene_arena(l->s);
    const char *why = line->at[first].missing;
    const char *depths = "";
    for (size_t i = first; i < line->n; i++) {
        const struct line_point *p = &line->at[i];
        if (!drawn(l, p) && p->missing && strcmp(p->missing, why) == 0) {
            depths = arena_printf(a, "%s%s%s", depths, *depths ? ", " : "", fmt_exact(p->x).s);
        }
    }
    return arena_printf(a, "%s at %s: %s", short_name(line), depths, why);
}

static bool first_of_its_kind(const struct layout *l, const struct line *line, size_t i)
{
    const struct line_point *p = &line->at[i];
    if (drawn(l, p) || !p->missing || !isfinite(p->x)) {
        return false;
    }
    for (size_t k = 0; k < i; k++) {
        const char *other = line->at[k].missing;
        if (!drawn(l, &line->at[k]) && other && strcmp(other, p->missing) == 0) {
            return false;
        }
    }
    return true;
}

/* Lower right first, then up and to the left. */
static void draw_note(struct layout *l, const struct line *line, const char *text)
{
    enum { ROWS = 10, COLUMNS = 3 };
    struct box places[ROWS * COLUMNS];
    const char *shown = text_elide(scene_arena(l->s), FONT_REGULAR, l->m->text, text,
                                   l->plot.x1 - l->plot.x0 - 8);
    double w = font_width(FONT_REGULAR, l->m->text, shown);
    double height = (l->plot.y1 - l->plot.y0 - l->m->text - 4) / (ROWS - 1);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        double right = l->plot.x1 - 4 - w / 2;
        double left = l->plot.x0 + 4 + w / 2;
        double x = right + (left - right) * (i % COLUMNS) / (COLUMNS - 1);
        double y = l->plot.y1 - 2 - l->m->text / 2 - height * (i / COLUMNS);
        places[i] = text_box(l->m, x, y, w);
    }
    struct box box = places[field_place(l->field, places, ROWS * COLUMNS)];
    struct text_style style = plain(l->m, INK_INK3, ANCHOR_START);
    style.halo = true;
    begin_series(l->s, &line->series, "note");
    scene_text(l->s, box.x0, (box.y0 + box.y1) / 2 + l->m->middle, shown, style);
    scene_end(l->s);
}

static void draw_notes(struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct line *line = &l->spec->at[k];
        for (size_t i = 0; i < line->n; i++) {
            if (first_of_its_kind(l, line, i)) {
                draw_note(l, line, note_text(l, line, i));
            }
        }
    }
}

static void draw_hots(const struct layout *l)
{
    for (size_t k = 0; k < l->spec->n; k++) {
        const struct line *line = &l->spec->at[k];
        double half = (l->spec->dodge ? hot_dodged : hot_side) / 2;
        for (size_t i = 0; i < line->n; i++) {
            const struct line_point *p = &line->at[i];
            if (!drawn(l, p)) {
                continue;
            }
            struct point at = at_point(l, k, p);
            double top = usable(l, p->upper) ? scale_px(&l->y.scale, p->upper) : at.y;
            struct box box = { at.x - half, fmin(top, at.y) - hot_side / 2, at.x + half,
                               fmax(top, at.y) + hot_side / 2 };
            frame_hot(l->s,
                      &(struct hot) {
                          .series = &line->series, .point = i, .tooltip = p->tooltip, .box = box });
        }
    }
}

static void draw_axes(const struct layout *l, double header)
{
    struct named_tick *at = arena_array(scene_arena(l->s), struct named_tick, l->n_depths);
    for (size_t i = 0; i < l->n_depths; i++) {
        at[i].x = scale_px(&l->x, l->depths[i]);
        at[i].label = arena_strdup(scene_arena(l->s), fmt_exact(l->depths[i]).s);
    }
    axis_draw_left(l->s, &l->y, l->m, &l->plot);
    axis_draw_named(l->s, at, l->n_depths, l->m, &l->plot);
    axis_base(l->s, &l->plot);
    axis_titles(l->s, &l->spec->panel, l->m, &l->plot, header);
}

static struct scene *draw(const struct panel *p, struct arena *a, const struct look *look)
{
    struct layout l = { .spec = (const struct lines *)p, .m = metrics_of(look->medium) };
    double header = 0;
    l.s = frame_open(p, a, look, &header);
    collect_depths(&l, a);
    struct range y = y_range(&l);
    if (y.low > y.high) {
        frame_no_data(l.s, l.m, 0, header + l.m->plot);
        scene_set_height(l.s, header + l.m->plot + l.m->text);
        return l.s;
    }
    choose_labelled(&l, a);
    if (!l.spec->log_y) {
        y.low = fmin(y.low, 0);
    }
    l.reference = reference_choose(l.spec->reference, l.spec->reference_label, y.low, y.high);
    if (l.reference.where == REFERENCE_INSIDE) {
        widen(&l, &y, l.reference.value);
    }
    axis_vertical(&l.y, l.m, y.low, y.high, l.spec->log_y);
    place_scales(&l, header);
    l.field = field_new(a, l.plot);
    fill_field(&l);
    draw_axes(&l, header);
    reference_draw_across(l.s, l.m, &l.reference, &l.y.scale, &l.plot, l.field);
    draw_series(&l, false);
    draw_series(&l, true);
    draw_labels(&l);
    draw_notes(&l);
    draw_hots(&l);
    scene_set_height(l.s, l.plot.y1 + l.m->end);
    return l.s;
}

static const struct panel_ops ops = { draw };

struct panel *plot_line(struct arena *a, const struct lines *spec)
{
    struct lines *copy = arena_memdup(a, spec, sizeof *spec);
    copy->panel.ops = &ops;
    struct line *lines = arena_array(a, struct line, spec->n);
    for (size_t k = 0; k < spec->n; k++) {
        lines[k] = spec->at[k];
        if (lines[k].n > 0) {
            lines[k].at = arena_memdup(a, spec->at[k].at, spec->at[k].n * sizeof *spec->at[k].at);
        }
    }
    copy->at = lines;
    return &copy->panel;
}
