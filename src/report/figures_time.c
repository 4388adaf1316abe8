#include "report/figures_time.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "base/utf8.h"
#include "report/limits.h"
#include "report/tables_time.h"
#include "report/words.h"

/* A title that is longer than this gives way to the name (mock/tokens.md §6). */
enum { TITLE_CHARACTERS = 48, ROWS_OF_TARGETS = 2, MANY_POINTS = 10000 };

/* A target whose values span less of a linear axis shows nothing of how they vary. */
#define FLAT 0.04
/* The ends of a run differ from here on. */
#define DRIFT 0.10

/* One point while its figures are made. */
struct timing {
    struct arena *a;
    const struct report_data *d;
    const struct group_point *p;
    const struct spot *any; /* a spot with records */
    const char *part;       /* "the last 60 minutes" */
    bool zoomed;            /* the window is not the whole run */
    double low, high;       /* of all points, ns */
    double part_low, part_high;
    bool own_axes; /* of the linear view: on a common one a target would be a flat line */
};

struct figure *figure_of_point(struct arena *a, const struct report_data *d,
                               const struct group_point *p, const char *name, const char *title)
{
    if (d->workloads[p->workload].n_points > 1)
        title = arena_printf(a, "%s, %s", title, p->label);
    return figure_new(a, arena_printf(a, "%s-%s", p->slug, name), title, NULL, 0);
}

const char *cut_words(struct arena *a, const struct spot *spot)
{
    return spot->missing && spot->in_time && spot->in_time->n
               ? arena_printf(a, " · %s", spot->missing)
               : "";
}

/* --- one panel ----------------------------------------------------------------------------------------------------- */

enum view { VIEW_RUN, VIEW_PART, VIEW_LINEAR };

static const struct evenness *even_of(const struct spot *s, enum view view)
{
    return view == VIEW_RUN ? &s->detail->whole : &s->detail->even;
}

/* Median of the last tenth against that of the first; NaN: too few. */
static double drift_of(const struct seconds *s)
{
    struct arena *scratch = arena_new();
    size_t tenth = s->n / 10;
    const struct seconds first = { s->at, tenth, s->step };
    const struct seconds last = { s->at + s->n - tenth, tenth, s->step };
    double from = evenness_of(scratch, &first).median, to = evenness_of(scratch, &last).median;
    arena_free(scratch);
    return tenth < 3 ? (double)NAN : to / from;
}

/* What is most worth knowing of a whole run, in few words. */
static const char *run_finding(const struct timing *t, const struct spot *s)
{
    const struct evenness *e = &s->detail->whole;
    double drift = drift_of(s->in_time);
    if (e->n_empty)
        return stalled_words(t->a, e->n_empty, s->in_time->step);
    if (drift >= 2)
        return arena_printf(t->a, "%s times slower at the end", fmt_label(drift).s);
    if (drift > 1 + DRIFT)
        return arena_printf(t->a, "%s\u00a0%% slower at the end",
                            fmt_fixed((drift - 1) * 100, 0).s);
    if (drift < 1 / (1 + DRIFT))
        return arena_printf(t->a, "%s\u00a0%% faster at the end",
                            fmt_fixed((1 - drift) * 100, 0).s);
    return arena_printf(t->a, "%s\u00a0%% within ±5\u00a0%% of its mean",
                        fmt_label(100 * (double)e->in_band / (double)e->n).s);
}

static const char *panel_title(const struct timing *t, size_t i, enum view view)
{
    const struct series *series = &t->d->subjects[i].series;
    const struct spot *s = &t->p->spots[i];
    if (!s->detail || !s->detail->whole.n)
        return series->name;
    bool rows = t->d->n_subjects <= ROWS_OF_TARGETS;
    const char *tail = view == VIEW_RUN ? arena_printf(t->a, ": %s", run_finding(t, s))
                       : rows           ? arena_printf(t->a, ", %s%s", t->part,
                                             view == VIEW_LINEAR ? ", linear" : "")
                                        : "";
    const char *whole = arena_printf(t->a, "%s%s", series->name, tail);
    if (utf8_length(whole) <= TITLE_CHARACTERS)
        return whole;
    whole = arena_printf(t->a, "%s%s", series->short_name, tail);
    return utf8_length(whole) <= TITLE_CHARACTERS ? whole : series->name;
}

static const char *panel_subtitle(const struct timing *t, size_t i, enum view view)
{
    const struct spot *s = &t->p->spots[i];
    if (!s->detail || !even_of(s, view)->n)
        return arena_printf(t->a, "not measured%s%s", s->missing ? ": " : "",
                            s->missing ? s->missing : "");
    const struct evenness *e = even_of(s, view);
    const char *what = view == VIEW_RUN ? arena_printf(t->a, "Mean of each %s",
                                                       record_word(t->a, s->in_time->step))
                       : view == VIEW_LINEAR
                           ? arena_printf(t->a, "Mean %s, σ %s",
                                          value_unit(t->d, METRIC_LAT_MEAN, e->mean).s,
                                          value_unit(t->d, METRIC_LAT_MEAN, e->deviation).s)
                           : arena_printf(t->a, "Median %s",
                                          value_unit(t->d, METRIC_LAT_MEAN, e->median).s);
    return arena_printf(t->a, "%s · lower is better · n = %s%s", what, fmt_count(e->n).s,
                        cut_words(t->a, s));
}

static const char *panel_alt(const struct timing *t, size_t i, enum view view)
{
    const struct spot *s = &t->p->spots[i];
    const char *name = t->d->subjects[i].series.name;
    if (!s->detail || !even_of(s, view)->n)
        return arena_printf(t->a, "Scatter plot, %s: no data.", name);
    const struct evenness *e = even_of(s, view);
    double step = s->in_time->step;
    return arena_printf(
        t->a,
        "Scatter plot of the mean response time in each of %s%s%s, %s, %s: median %s, "
        "2\u00a0%% to 98\u00a0%% %s, longest %s, %s.",
        records_words(t->a, e->n + e->n_empty, step), view == VIEW_RUN ? "" : " of ",
        view == VIEW_RUN ? "" : t->part, name, view == VIEW_LINEAR ? "linear" : "logarithmic",
        value_unit(t->d, METRIC_LAT_MEAN, e->median).s, range_words(t->a, t->d, e->q02, e->q98),
        value_unit(t->d, METRIC_LAT_MEAN, e->most).s, stalled_words(t->a, e->n_empty, step));
}

static void take_points(const struct timing *t, const struct seconds *s, const struct time_axis *x,
                        struct scatter *spec)
{
    double *at = arena_array(t->a, double, 2 * s->n + 1), *y = at + s->n;
    for (size_t i = 0; i < s->n; i++) {
        at[i] = time_axis_x(x, s->at[i].start);
        y[i] = second_mean(&s->at[i]) / t->d->lat_unit;
    }
    spec->x = at;
    spec->y = y;
    spec->n = s->n;
}

/* The axis of the longest target's view: equal in all panels. */
static struct time_axis view_axis(const struct timing *t, enum view view, const struct spot *s)
{
    double end = 0, length = 0;
    for (size_t i = 0; i < t->d->n_subjects; i++) {
        const struct detail *x = t->p->spots[i].detail;
        if (!x)
            continue;
        end = fmax(end, seconds_end(t->p->spots[i].in_time));
        length = fmax(length, (double)(x->window.to_ns - x->window.from_ns));
    }
    if (view == VIEW_RUN)
        return time_axis_run(t->a, end);
    struct time_range part = { s->detail->window.from_ns,
                               s->detail->window.from_ns + (int64_t)length };
    return time_axis_part(t->a, &part, t->part);
}

static void add_view(const struct timing *t, enum view view, size_t i, struct scatter *spec)
{
    const struct spot *s = &t->p->spots[i];
    const struct detail *x = s->detail;
    const struct seconds *of = view == VIEW_RUN ? s->in_time : &x->part;
    struct time_axis axis = view_axis(t, view, s);
    take_points(t, of, &axis, spec);
    spec->x_low = 0;
    spec->x_high = axis.high;
    spec->x_ticks = axis.ticks;
    spec->n_x_ticks = axis.n_ticks;
    spec->panel.x_title = axis.title;
    struct time_windows hot = time_windows(t->a, t->d, i, of, &axis);
    spec->windows = hot.at;
    spec->n_windows = hot.n;
    if (view == VIEW_RUN && t->zoomed)
        spec->zoom = (struct x_window) { time_axis_x(&axis, (double)x->window.from_ns / 1e9),
                                         time_axis_x(&axis, (double)x->window.to_ns / 1e9),
                                         "zoom" };
    if (view == VIEW_LINEAR && x->even.n > 1) {
        struct y_line *mean = arena_one(t->a, struct y_line);
        *mean = (struct y_line) { x->even.mean / t->d->lat_unit, "mean" };
        spec->lines = mean;
        spec->n_lines = 1;
        spec->band_low = (x->even.mean - x->even.deviation) / t->d->lat_unit;
        spec->band_high = (x->even.mean + x->even.deviation) / t->d->lat_unit;
    }
}

static const struct panel *time_panel(const struct timing *t, size_t i, enum view view)
{
    const struct spot *s = &t->p->spots[i];
    bool log = view != VIEW_LINEAR, own = !log && t->own_axes;
    struct scatter spec = {
        .series = t->d->subjects[i].series,
        .log_y = log,
        .y_low = own ? (double)NAN : (log ? t->low : t->part_low) / t->d->lat_unit,
        .y_high = own ? (double)NAN : (log ? t->high : t->part_high) / t->d->lat_unit,
        .strip = "stalled",
    };
    spec.panel = (struct panel) {
        .title = panel_title(t, i, view),
        .subtitle = panel_subtitle(t, i, view),
        .direction = "lower is better",
        .y_title = arena_printf(t->a, "%s%s", t->d->lat_unit_name, log ? " (log)" : ""),
        .alt = panel_alt(t, i, view),
    };
    if (s->detail && s->in_time->n)
        add_view(t, view, i, &spec);
    return plot_scatter(t->a, &spec);
}

/* --- figures ------------------------------------------------------------------------------------------------------- */

static void find_range(struct timing *t)
{
    t->low = t->part_low = INFINITY;
    t->high = t->part_high = 0;
    for (size_t i = 0; i < t->d->n_subjects; i++) {
        const struct detail *x = t->p->spots[i].detail;
        if (!x || !x->whole.n)
            continue;
        t->low = fmin(t->low, x->whole.least);
        t->high = fmax(t->high, x->whole.most);
        t->part_low = x->even.n ? fmin(t->part_low, x->even.least) : t->part_low;
        t->part_high = x->even.n ? fmax(t->part_high, x->even.most) : t->part_high;
        t->zoomed = t->zoomed || x->part.n < t->p->spots[i].in_time->n;
    }
    for (size_t i = 0; i < t->d->n_subjects; i++) {
        const struct detail *x = t->p->spots[i].detail;
        double span = x && x->even.n ? x->even.most - x->even.least : (double)INFINITY;
        t->own_axes = t->own_axes || span < FLAT * (t->part_high - t->part_low);
    }
}

/* "94 on Beta, 3 on Gamma", or that there were none. */
static const char *stalls_words(const struct timing *t)
{
    struct str s = str_new(1 << 16);
    for (size_t i = 0; i < t->d->n_subjects; i++) {
        const struct detail *x = t->p->spots[i].detail;
        if (x && x->whole.n_empty)
            str_printf(&s, "%s%s on %s", s.n ? ", " : "", fmt_count(x->whole.n_empty).s,
                       t->d->subjects[i].series.name);
    }
    const char *text = s.n ? arena_strdup(t->a, s.at) : "none here";
    str_done(&s);
    return text;
}

static void put_run_caption(const struct timing *t, struct rich *c)
{
    double step = t->any->in_time->step;
    bool dense = t->any->in_time->n > MANY_POINTS;
    rich_printf(c, t->a, RUN_PLAIN,
                "Mean response time of each %s over the whole run, same axes in all "
                "panels.%s Strip below the plot: %s in which no I/O completed (%s); "
                "they have no response time.",
                record_word(t->a, step),
                dense ? " Colour density: logarithm of the number of dots per pixel, single ones "
                        "enlarged so that outliers stay visible."
                      : "",
                record_plural(t->a, step), stalls_words(t));
    if (t->zoomed)
        rich_printf(c, t->a, RUN_PLAIN, " Shaded: %s.", t->part);
}

static void put_linear_caption(const struct timing *t, struct rich *c)
{
    rich_printf(c, t->a, RUN_PLAIN, " Band: mean ± one standard deviation of the %s.",
                averages_words(t->a, t->any->in_time->step));
}

static void put_numbers(const struct timing *t, struct rich *c)
{
    rich_put(c, t->a, RUN_PLAIN, " Numbers: ");
    rich_link(c, t->a, "mean, σ, variance and quantiles",
              arena_printf(t->a, "#%s", evenness_id(t->a, t->p)));
    rich_put(c, t->a, RUN_PLAIN, ".");
}

static const char how_to_read[] =
    "A flat thin band is what a database wants. A rising band is a cache or spare area being used "
    "up; a second band above the first is housekeeping that interrupts the host.";

static struct figure *one_view(const struct timing *t, enum view view)
{
    static const char *const names[] = { "run", "window", "window-linear" };
    const char *part = arena_printf(t->a, "%c%s", t->part[0] - 'a' + 'A', t->part + 1);
    const char *title = view == VIEW_RUN    ? "The whole run"
                        : view == VIEW_PART ? part
                                            : arena_printf(t->a, "%s, linear", part);
    struct figure *f = figure_of_point(t->a, t->d, t->p, names[view], title);
    const struct panel **panels = arena_array(t->a, const struct panel *, t->d->n_subjects);
    for (size_t i = 0; i < t->d->n_subjects; i++)
        panels[i] = time_panel(t, i, view);
    f->panels = panels;
    f->n_panels = t->d->n_subjects;
    const char *dots = arena_printf(t->a, "Each dot is one %s",
                                    record_word(t->a, t->any->in_time->step));
    if (view == VIEW_RUN) {
        rich_printf(&f->lead, t->a, RUN_PLAIN, "%s%s.", dots,
                    t->any->in_time->n > MANY_POINTS ? "; darker where many fall together" : "");
        put_run_caption(t, &f->caption);
        f->how_to_read = how_to_read;
    } else {
        rich_printf(&f->caption, t->a, RUN_PLAIN, "Mean response time of each %s in %s, %s.",
                    record_word(t->a, t->any->in_time->step), t->part,
                    view == VIEW_PART ? "same axes as before"
                    : t->own_axes     ? "each panel on its own axis because on a common one a "
                                        "target would be a flat line"
                                      : "the same axes in all panels");
        if (view == VIEW_LINEAR)
            put_linear_caption(t, &f->caption);
    }
    put_numbers(t, &f->caption);
    if (view != VIEW_LINEAR)
        f->data = table_evenness(t->a, t->d, t->p,
                                 view == VIEW_RUN ? EVENNESS_RUN : EVENNESS_WINDOW);
    return f;
}

/* Rows are targets, columns the run, its window, and the window on a linear axis. */
static struct figure *all_views(const struct timing *t)
{
    struct figure *f = figure_of_point(t->a, t->d, t->p, "run", "Response time over the run");
    size_t views = t->zoomed ? 3 : 1;
    const struct panel **panels = arena_array(t->a, const struct panel *, 3 * t->d->n_subjects);
    for (size_t i = 0; i < t->d->n_subjects; i++)
        for (size_t v = 0; v < views; v++)
            panels[f->n_panels++] = time_panel(t, i, (enum view)v);
    f->panels = panels;
    rich_printf(&f->lead, t->a, RUN_PLAIN, "Each dot is one %s%s.",
                record_word(t->a, t->any->in_time->step),
                t->any->in_time->n > MANY_POINTS ? "; darker where many fall together" : "");
    put_run_caption(t, &f->caption);
    if (t->zoomed) {
        rich_printf(&f->caption, t->a, RUN_PLAIN,
                    " Beside it that window on the same logarithmic axis, then on a linear one%s.",
                    t->own_axes ? ", each panel on its own" : "");
        put_linear_caption(t, &f->caption);
    }
    f->how_to_read = how_to_read;
    put_numbers(t, &f->caption);
    f->data = table_evenness(t->a, t->d, t->p, EVENNESS_RUN);
    return f;
}

size_t figures_time(struct arena *a, const struct report_data *d, const struct group_point *p,
                    struct figure *ret[TIME_FIGURES])
{
    struct timing t = { .a = a, .d = d, .p = p, .any = timed_spot(d, p) };
    if (!t.any)
        return 0;
    t.part = part_words(a, d, t.any->detail);
    find_range(&t);
    if (d->n_subjects <= ROWS_OF_TARGETS) {
        ret[0] = all_views(&t);
        return 1;
    }
    size_t n = 0;
    for (int v = VIEW_RUN; v <= (t.zoomed ? VIEW_LINEAR : VIEW_RUN); v++)
        ret[n++] = one_view(&t, (enum view)v);
    return n;
}
