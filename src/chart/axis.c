#include <string.h>

#include "chart/frame.h"

enum { MAX_LINES = 5, LOG_LABELS = 5, LOG_LABELS_ACROSS = 9 };
static const double px_per_label = 50;
static const double minor_length = 3, major_length = 4;
static const double labels_apart = 6; /* px between neighbours under an axis */

static double widest(const struct ticks *t, const struct metrics *m)
{
    double w = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].major) {
            w = fmax(w, font_width(FONT_REGULAR, m->text, t->at[i].label.s));
        }
    }
    return w;
}

static size_t labelled(const struct ticks *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        n += t->at[i].major;
    }
    return n;
}

/* Many decades: every second, third … keeps its label and line, the first always. */
static void thin_decades(struct ticks *t)
{
    size_t n = labelled(t);
    size_t every = (n + MAX_LINES) / (MAX_LINES + 1);
    size_t seen = 0;
    for (size_t i = 0; i < t->n && every > 1; i++) {
        if (t->at[i].major && seen++ % every != 0) {
            t->at[i].major = false;
            t->at[i].label = (struct text) { "" };
        }
    }
}

static void choose_log(struct axis *axis, double low, double high, int labels)
{
    struct error e;
    if (ticks_log(low, high, labels, &axis->ticks, &e) < 0) {
        memset(&axis->ticks, 0, sizeof axis->ticks);
        axis->ticks.low = 1;
        axis->ticks.high = 10;
    }
    axis->scale.kind = SCALE_LOG10;
    axis->scale.d0 = axis->ticks.low;
    axis->scale.d1 = axis->ticks.high;
}

static void choose_linear(struct axis *axis, double low, double high, int wanted, size_t most)
{
    struct error e;
    struct ticks *t = &axis->ticks;
    for (; wanted >= 2; wanted--) {
        if (ticks_linear(low, high, wanted, NULL, NULL, t, &e) < 0) {
            memset(t, 0, sizeof *t);
            t->high = 1;
        }
        if (t->n <= most) {
            break;
        }
    }
    axis->scale.kind = SCALE_LINEAR;
    axis->scale.d0 = fmin(low, t->low);
    axis->scale.d1 = fmax(high, t->high);
    if (axis->scale.d0 == axis->scale.d1) {
        axis->scale.d1 = axis->scale.d0 + 1;
    }
    if (t->n > 0 && t->at[0].value == 0) {
        t->at[0].label = (struct text) { "0" };
    }
}

void axis_vertical(struct axis *axis, const struct metrics *m, double low, double high, bool log)
{
    if (log) {
        choose_log(axis, low, high, LOG_LABELS);
        thin_decades(&axis->ticks);
    } else {
        choose_linear(axis, low, high, (int)lround(m->lines_height / px_per_label) + 1,
                      MAX_LINES + 1);
    }
    axis->label_width = widest(&axis->ticks, m);
}

void axis_horizontal(struct axis *axis, const struct metrics *m, double low, double high, bool log)
{
    if (log) {
        choose_log(axis, low, high, LOG_LABELS_ACROSS);
    } else {
        choose_linear(axis, low, high, MAX_LINES + 1, SCALE_MAX_TICKS);
    }
    axis->label_width = widest(&axis->ticks, m);
}

void axis_draw_left(const struct frame *f, const struct axis *axis)
{
    struct scene *s = f->s;
    const struct box *plot = &f->plot;
    const struct ticks *t = &axis->ticks;
    begin_plain(s, "grid");
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].major) {
            double y = crisp(scale_px(&axis->scale, t->at[i].value));
            scene_line(s, plot->x0, y, plot->x1, y, line_of(paint(INK_GRID), 1));
        }
    }
    scene_end(s);
    begin_plain(s, "ticks");
    for (size_t i = 0; i < t->n; i++) {
        if (!t->at[i].major) {
            double y = crisp(scale_px(&axis->scale, t->at[i].value));
            scene_line(s, plot->x0 - minor_length, y, plot->x0, y, line_of(paint(INK_AXIS), 1));
        }
    }
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].major) {
            double y = scale_px(&axis->scale, t->at[i].value) + f->m->middle;
            scene_text(s, plot->x0 - 6, y, t->at[i].label.s, plain(f->m, INK_INK3, ANCHOR_END));
        }
    }
    scene_end(s);
}

/* Writes a label under the axis if it is clear of the one before; keeps it inside the panel. */
static void put_label(const struct frame *f, double x, const char *label, double *free_from)
{
    double half = font_width(FONT_REGULAR, f->m->text, label) / 2;
    x = fmax(half, fmin(x, scene_width(f->s) - half));
    if (x - half >= *free_from) {
        *free_from = x + half + labels_apart;
        scene_text(f->s, x, f->plot.y1 + f->m->tick_base, label,
                   plain(f->m, INK_INK3, ANCHOR_MIDDLE));
    }
}

static void draw_columns(const struct frame *f, const struct axis *axis)
{
    const struct ticks *t = &axis->ticks;
    begin_plain(f->s, "grid");
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].major) {
            double x = crisp(scale_px(&axis->scale, t->at[i].value));
            scene_line(f->s, x, f->plot.y0, x, f->plot.y1, line_of(paint(INK_GRID), 1));
        }
    }
    scene_end(f->s);
}

static void draw_tick(const struct frame *f, double x, double length)
{
    scene_line(f->s, crisp(x), f->plot.y1, crisp(x), f->plot.y1 + length,
               line_of(paint(INK_AXIS), 1));
}

void axis_draw_bottom(const struct frame *f, const struct axis *axis, bool grid)
{
    const struct ticks *t = &axis->ticks;
    bool log = axis->scale.kind != SCALE_LINEAR;
    if (grid) {
        draw_columns(f, axis);
    }
    begin_plain(f->s, "ticks");
    for (size_t i = 0; i < t->n; i++) {
        if (log != t->at[i].major) {
            draw_tick(f, scale_px(&axis->scale, t->at[i].value), log ? minor_length : major_length);
        }
    }
    double free_from = -HUGE_VAL;
    for (size_t i = 0; i < t->n; i++) {
        if (t->at[i].major) {
            put_label(f, scale_px(&axis->scale, t->at[i].value), t->at[i].label.s, &free_from);
        }
    }
    scene_end(f->s);
}

/* Do every stride-th of these labels stand clear of each other? */
static bool all_fit(const struct metrics *m, const struct named_tick *at, size_t n, size_t stride)
{
    for (size_t i = stride; i < n; i += stride) {
        double before = font_width(FONT_REGULAR, m->text, at[i - stride].label) / 2;
        double half = font_width(FONT_REGULAR, m->text, at[i].label) / 2;
        if (at[i].x - half < at[i - stride].x + before + labels_apart) {
            return false;
        }
    }
    return true;
}

/* The round ones at an even step, so that what is left out can be guessed; the last only where it has room. */
static void label_some(const struct frame *f, const struct named_tick *at, size_t n)
{
    struct named_tick *round = arena_array(scene_arena(f->s), struct named_tick, n);
    size_t n_round = 0;
    for (size_t i = 0; i < n; i++) {
        if (at[i].round) {
            round[n_round++] = at[i];
        }
    }
    size_t stride = 1;
    while (stride < n_round && !all_fit(f->m, round, n_round - 1, stride)) {
        stride++;
    }
    double free_from = -HUGE_VAL;
    for (size_t i = 0; i < n_round; i += stride) {
        put_label(f, round[i].x, round[i].label, &free_from);
    }
    for (size_t i = 0; i < n; i++) {
        draw_tick(f, at[i].x, minor_length);
    }
}

void axis_draw_named(const struct frame *f, const struct named_tick *at, size_t n)
{
    double free_from = -HUGE_VAL;
    begin_plain(f->s, "ticks");
    if (all_fit(f->m, at, n, 1)) {
        for (size_t i = 0; i < n; i++) {
            put_label(f, at[i].x, at[i].label, &free_from);
        }
    } else {
        label_some(f, at, n);
    }
    scene_end(f->s);
}

void axis_base(const struct frame *f)
{
    double y = crisp(f->plot.y1);
    begin_plain(f->s, "axis");
    scene_line(f->s, f->plot.x0, y, f->plot.x1, y, line_of(paint(INK_AXIS), 1));
    scene_end(f->s);
}

void axis_titles(const struct frame *f)
{
    const struct box *plot = &f->plot;
    begin_plain(f->s, "titles");
    scene_text(f->s, 0, f->header + f->m->y_title, f->panel->y_title,
               plain(f->m, INK_INK3, ANCHOR_START));
    scene_text(f->s, (plot->x0 + plot->x1) / 2, plot->y1 + f->m->x_title, f->panel->x_title,
               plain(f->m, INK_INK3, ANCHOR_MIDDLE));
    scene_end(f->s);
}
