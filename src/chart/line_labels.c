#include <string.h>

#include "base/array.h"
#include "chart/line_layout.h"
#include "chart/text.h"

static const double beside = 6.5;      /* plot to a name */
static const double after_names = 6.5; /* names to the edge of the panel */
static const double leader_from = 7;   /* a name moved by more gets a leader */
static const double leader_room = 9;
static const double widest_share = 0.4; /* of the panel, for names */

static const struct series *series_of(const struct line_layout *l, size_t line)
{
    return &l->spec->at[line].series;
}

static double name_width(const struct line_layout *l, size_t line)
{
    struct text_style style = series_label(l->f.m, series_of(l, line), line_many(l));
    return font_width(style.weight, l->f.m->text, series_short_name(series_of(l, line)));
}

/* The device under test and, of many, the highest others by their last value. */
static bool *choose_named(const struct line_layout *l)
{
    size_t n = l->spec->n;
    bool *named = arena_array(scene_arena(l->f.s), bool, n);
    for (size_t k = 0; k < n; k++) {
        named[k] = line_last(l, &l->spec->at[k]) && (!line_many(l) || series_of(l, k)->highlighted);
    }
    for (size_t room = line_many(l) ? LABELLED_OF_MANY : 0; room > 0; room--) {
        size_t best = n;
        double most = -HUGE_VAL;
        for (size_t k = 0; k < n; k++) {
            const struct line_point *p = line_last(l, &l->spec->at[k]);
            if (p && !named[k] && p->y > most) {
                most = p->y;
                best = k;
            }
        }
        if (best < n) {
            named[best] = true;
        }
    }
    return named;
}

static void spread(struct line_layout *l)
{
    double *y = arena_array(scene_arena(l->f.s), double, l->n_right + 1);
    for (size_t i = 0; i < l->n_right; i++) {
        y[i] = l->right[i].y;
    }
    place_spread(y, l->n_right, l->f.m->label_gap, l->f.plot.y0, l->f.plot.y1);
    for (size_t i = 0; i < l->n_right; i++) {
        l->right[i].moved = y[i];
    }
}

void line_labels_choose(struct line_layout *l)
{
    const bool *named = choose_named(l);
    l->right = arena_array(scene_arena(l->f.s), struct end_label, l->spec->n);
    l->inner = arena_array(scene_arena(l->f.s), struct end_label, l->spec->n);
    for (size_t k = 0; k < l->spec->n; k++) {
        if (!named[k]) {
            continue;
        }
        const struct line_point *p = line_last(l, &l->spec->at[k]);
        struct end_label label = { .line = k, .y = scale_px(&l->y.scale, p->y) };
        bool at_right = l->n_depths > 1 && p->x == l->depths[l->n_depths - 1];
        if (at_right) {
            l->right[l->n_right++] = label;
        } else {
            l->inner[l->n_inner++] = label;
        }
    }
    spread(l);
}

static bool needs_leader(const struct end_label *e)
{
    return fabs(e->moved - e->y) > leader_from;
}

static double leaders_room(const struct line_layout *l)
{
    for (size_t i = 0; i < l->n_right; i++) {
        if (needs_leader(&l->right[i])) {
            return leader_room;
        }
    }
    return 0;
}

double line_labels_margin(const struct line_layout *l)
{
    double widest = 0;
    for (size_t i = 0; i < l->n_right; i++) {
        widest = fmax(widest, name_width(l, l->right[i].line));
    }
    widest = fmin(widest, scene_width(l->f.s) * widest_share);
    return beside + leaders_room(l) + widest + after_names;
}

static void draw_right(const struct line_layout *l, const struct end_label *e)
{
    const struct series *series = series_of(l, e->line);
    struct text_style style = series_label(l->f.m, series, line_many(l));
    double x = l->f.plot.x1 + beside + leaders_room(l);
    const char *name = text_elide(scene_arena(l->f.s), style.weight, l->f.m->text,
                                  series_short_name(series), scene_width(l->f.s) - x);
    struct point from = line_place(l, e->line, line_last(l, &l->spec->at[e->line]));
    begin_series(l->f.s, series, "label");
    if (needs_leader(e)) {
        scene_line(l->f.s, from.x + l->f.m->marker + 2, e->y, x - 2, e->moved,
                   line_of(series_stroke(series, line_many(l)).paint, 1));
    }
    scene_text(l->f.s, x, e->moved + l->f.m->middle, name, style);
    scene_end(l->f.s);
}

static void draw_inner(struct line_layout *l, const struct end_label *e)
{
    /* right of the last point first: that is where the other names are */
    static const size_t preferred[PLACES_AROUND] = { 4, 6, 2, 1, 3, 0, 7, 5 };
    const struct series *series = series_of(l, e->line);
    struct text_style style = series_label(l->f.m, series, line_many(l));
    const char *name = text_elide(scene_arena(l->f.s), style.weight, l->f.m->text,
                                  series_short_name(series), (l->f.plot.x1 - l->f.plot.x0) / 2);
    struct point at = line_place(l, e->line, line_last(l, &l->spec->at[e->line]));
    struct box places[PLACES_AROUND];
    struct box order[PLACES_AROUND];
    double w = font_width(style.weight, l->f.m->text, name);
    places_around(l->f.m, &(struct spot) { at.x, at.y, w, l->f.m->marker + 5 }, places);
    for (size_t i = 0; i < PLACES_AROUND; i++) {
        order[i] = places[preferred[i]];
    }
    struct box box = order[field_place(l->field, order, PLACES_AROUND)];
    style.halo = true;
    begin_series(l->f.s, series, "label");
    scene_text(l->f.s, box.x0, (box.y0 + box.y1) / 2 + l->f.m->middle, name, style);
    scene_end(l->f.s);
}

void line_labels_draw(struct line_layout *l)
{
    for (size_t i = 0; i < l->n_inner; i++) {
        draw_inner(l, &l->inner[i]);
    }
    for (size_t i = 0; i < l->n_right; i++) {
        draw_right(l, &l->right[i]);
    }
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static bool is_missing(const struct line_layout *l, const struct line_point *p, const char *why)
{
    return isfinite(p->x) && !line_drawn(l, p) && p->missing &&
           (!why || strcmp(p->missing, why) == 0);
}

/* "NAME at 64, 128: not measured", one note a line and reason. */
static const char *note_text(const struct line_layout *l, const struct line *line, size_t first)
{
    struct arena *a = scene_arena(l->f.s);
    const char *why = line->at[first].missing;
    const char *depths = "";
    for (size_t i = first; i < line->n; i++) {
        if (is_missing(l, &line->at[i], why)) {
            depths = arena_printf(a, "%s%s%s", depths, *depths ? ", " : "",
                                  fmt_exact(line->at[i].x).s);
        }
    }
    return arena_printf(a, "%s at %s: %s", series_short_name(&line->series), depths, why);
}

static bool first_of_its_kind(const struct line_layout *l, const struct line *line, size_t i)
{
    if (!is_missing(l, &line->at[i], NULL)) {
        return false;
    }
    for (size_t k = 0; k < i; k++) {
        if (is_missing(l, &line->at[k], line->at[i].missing)) {
            return false;
        }
    }
    return true;
}

/* Lower right first, then to the left and up. */
static void draw_note(struct line_layout *l, const struct line *line, const char *text)
{
    enum { ROWS = 10, COLUMNS = 3, PLACES = ROWS * COLUMNS };
    struct box places[PLACES];
    const char *shown = text_elide(scene_arena(l->f.s), FONT_REGULAR, l->f.m->text, text,
                                   l->f.plot.x1 - l->f.plot.x0 - 8);
    double w = font_width(FONT_REGULAR, l->f.m->text, shown);
    double pitch = (l->f.plot.y1 - l->f.plot.y0 - l->f.m->text - 4) / (ROWS - 1);
    double right = l->f.plot.x1 - 4 - w / 2;
    double left = l->f.plot.x0 + 4 + w / 2;
    for (int i = 0; i < PLACES; i++) {
        double x = right + (left - right) * (i % COLUMNS) / (COLUMNS - 1);
        double y = l->f.plot.y1 - 4 - l->f.m->text / 2 - pitch * (i / COLUMNS);
        places[i] = text_box(l->f.m, x, y, w);
    }
    struct box box = places[field_place(l->field, places, PLACES)];
    struct text_style style = plain(l->f.m, INK_INK3, ANCHOR_START);
    style.halo = true;
    begin_series(l->f.s, &line->series, "note");
    scene_text(l->f.s, box.x0, (box.y0 + box.y1) / 2 + l->f.m->middle, shown, style);
    scene_end(l->f.s);
}

void line_notes_draw(struct line_layout *l)
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
