#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "chart/plot_line.h"
#include "chart/plot_work.h"
#include "report/checks.h"
#include "report/figures.h"
#include "report/summary.h"
#include "report/tables.h"
#include "report/words.h"
#include "stats/scaling.h"

/* A title that is longer than this gives way to a question (mock/tokens.md §6). */
enum { TITLE_CHARACTERS = 48, PANELS = 3 };

struct over_depth {
    struct arena *a;
    const struct report_data *d;
    const struct report_workload *w;
    bool log_work;    /* axis of IOPS or MB/s */
    enum metric tail; /* of the work panel: 99th percentile, or the mean where some lack it */
};

/* --- titles -------------------------------------------------------------------------------------------------------- */

static const char *finding_or(const char *finding, const char *question)
{
    return utf8_length(finding) <= TITLE_CHARACTERS ? finding : question;
}

static const char *work_title(const struct over_depth *o)
{
    struct scaling s = scaling_of(o->a, o->w, o->d->highlighted);
    const char *name = o->d->subjects[o->d->highlighted].series.name;
    bool mb = o->w->headline == METRIC_MB_S;
    const char *question = mb ? "Does depth bring more MB/s?" : "Does depth bring more IOPS?";
    if (!s.known || s.factor < 1.05)
        return question;
    return finding_or(
        arena_printf(o->a, "%s gains %s-fold from depth", name, fmt_label(s.factor).s), question);
}

/* The next 1, 2 or 5 times a power of ten that is not below v. */
static double round_up(double v)
{
    double power = pow(10, floor(log10(v)));
    for (int i = 0; i < 3; i++) {
        double step = (const double[]) { 1, 2, 5 }[i] * power;
        if (v <= step)
            return step;
    }
    return 10 * power;
}

static const char *time_title(const struct over_depth *o)
{
    static const char question[] = "How long does an I/O take?";
    double most = 0;
    for (size_t p = 0; p < o->w->n_points; p++) {
        double v = o->w->points[p].spots[o->d->highlighted].metric[METRIC_LAT_MEAN].value;
        if (isnan(v))
            return question;
        most = fmax(most, v);
    }
    if (!(most > 0))
        return question;
    double limit = round_up(metric_scale(o->d, METRIC_LAT_MEAN, most));
    return finding_or(arena_printf(o->a, "%s: at most %s\u00a0%s on average",
                                   o->d->subjects[o->d->highlighted].series.name,
                                   fmt_sig(limit, 1).s, o->d->lat_unit_name),
                      question);
}

static const char *depth_axis_title(const struct over_depth *o)
{
    uint32_t workers = o->w->points[0].workers;
    return workers > 1 ? arena_printf(o->a, "Queue depth of each of %u workers", workers)
                       : "Queue depth, I/Os in flight";
}

static const char *subtitle(const struct over_depth *o, const char *what, const char *direction)
{
    return arena_printf(o->a, "%s%s%s · %s · %s", o->w->title, *what ? " · " : "", what, direction,
                        figure_n(o->a, o->d));
}

/* --- work over depth ----------------------------------------------------------------------------------------------- */

static struct line_point line_point(const struct over_depth *o, size_t point, size_t subject,
                                    enum metric m)
{
    const struct group_point *p = &o->w->points[point];
    const struct spot *s = &p->spots[subject];
    const struct value *v = &s->metric[m];
    return (struct line_point) {
        .x = p->queue_depth,
        .y = metric_scale(o->d, m, v->value),
        .low = metric_scale(o->d, m, v->low),
        .high = metric_scale(o->d, m, v->high),
        .upper = NAN,
        .not_reached = s->not_reached,
        .tooltip = spot_tooltip(o->a, o->d, p, subject, m),
        .missing = s->missing ? "not measured" : NULL,
    };
}

static struct line *lines_of(const struct over_depth *o, enum metric m)
{
    struct line *lines = arena_array(o->a, struct line, o->d->n_subjects);
    for (size_t i = 0; i < o->d->n_subjects; i++) {
        struct line_point *at = arena_array(o->a, struct line_point, o->w->n_points);
        for (size_t p = 0; p < o->w->n_points; p++)
            at[p] = line_point(o, p, i, m);
        lines[i] = (struct line) { .series = o->d->subjects[i].series, .at = at };
        lines[i].n = o->w->n_points;
    }
    return lines;
}

/* "A from 148 to 1,160; B …" over all targets. */
static const char *ends_words(const struct over_depth *o, enum metric m)
{
    struct str s = str_new(1 << 20);
    for (size_t i = 0; i < o->d->n_subjects; i++) {
        double first = NAN, last = NAN;
        for (size_t p = 0; p < o->w->n_points; p++) {
            double v = o->w->points[p].spots[i].metric[m].value;
            first = isnan(first) ? v : first;
            last = isnan(v) ? last : v;
        }
        const char *name = o->d->subjects[i].series.name;
        if (isnan(first))
            str_printf(&s, "%s%s not measured", s.n ? "; " : "", name);
        else
            str_printf(&s, "%s%s from %s to %s", s.n ? "; " : "", name,
                       value_label(o->d, m, first).s, value_unit(o->d, m, last).s);
    }
    const char *text = arena_strdup(o->a, s.at ? s.at : "");
    str_done(&s);
    return text;
}

static const struct panel *work_over_depth(const struct over_depth *o, bool log_y)
{
    enum metric m = o->w->headline;
    struct lines spec = {
        .at = lines_of(o, m), .n = o->d->n_subjects, .log_y = log_y, .reference = NAN
    };
    spec.panel = (struct panel) {
        .title = work_title(o),
        .subtitle = subtitle(o, "", metric_direction(m)),
        .direction = metric_direction(m),
        .y_title = arena_printf(o->a, "%s%s", metric_unit(o->d, m), log_y ? " (log)" : ""),
        .x_title = depth_axis_title(o),
        .alt = arena_printf(o->a, "Line chart of %s against queue depth, %s: %s.", metric_name(m),
                            o->w->title, ends_words(o, m)),
    };
    return plot_line(o->a, &spec);
}

/* --- response time over depth -------------------------------------------------------------------------------------- */

static const char *time_tooltip(const struct over_depth *o, const struct group_point *p,
                                size_t subject)
{
    const char *mean = spot_tooltip(o->a, o->d, p, subject, METRIC_LAT_MEAN);
    double p99 = p->spots[subject].percentile[P99];
    if (isnan(p99))
        return mean;
    return arena_printf(o->a, "%s\n99th percentile %s\u00a0%s", mean, time_table(o->d, p99).s,
                        o->d->lat_unit_name);
}

static const struct panel *time_over_depth(const struct over_depth *o)
{
    struct line *lines = arena_array(o->a, struct line, o->d->n_subjects);
    bool stems = false;
    for (size_t i = 0; i < o->d->n_subjects; i++) {
        struct line_point *at = arena_array(o->a, struct line_point, o->w->n_points);
        for (size_t p = 0; p < o->w->n_points; p++) {
            at[p] = line_point(o, p, i, METRIC_LAT_MEAN);
            at[p].upper = metric_scale(o->d, METRIC_LAT_P99,
                                       o->w->points[p].spots[i].percentile[P99]);
            at[p].tooltip = time_tooltip(o, &o->w->points[p], i);
            stems = stems || !isnan(at[p].upper);
        }
        lines[i] = (struct line) { .series = o->d->subjects[i].series, .at = at };
        lines[i].n = o->w->n_points;
    }
    struct lines spec = {
        .at = lines, .n = o->d->n_subjects, .log_y = true, .dodge = stems, .reference = NAN
    };
    spec.panel = (struct panel) {
        .title = time_title(o),
        .subtitle = subtitle(o, stems ? "mean filled, p99 hollow" : "mean", "lower is better"),
        .direction = "lower is better",
        .y_title = arena_printf(o->a, "%s (log)", o->d->lat_unit_name),
        .x_title = depth_axis_title(o),
        .alt = arena_printf(o->a,
                            "Line chart of average response time against queue depth, %s, "
                            "logarithmic: %s.",
                            o->w->title, ends_words(o, METRIC_LAT_MEAN)),
    };
    return plot_line(o->a, &spec);
}

/* --- response time against work ------------------------------------------------------------------------------------ */

static size_t ring_of(const struct over_depth *o, size_t subject)
{
    double *x = arena_array(o->a, double, o->w->n_points);
    bool *reached = arena_array(o->a, bool, o->w->n_points);
    for (size_t p = 0; p < o->w->n_points; p++) {
        const struct spot *s = &o->w->points[p].spots[subject];
        x[p] = s->metric[o->w->headline].value;
        reached[p] = !s->not_reached;
    }
    struct knee k;
    return knee_find(x, reached, o->w->n_points, &k) ? k.at : SIZE_MAX;
}

static double tail_of(const struct over_depth *o, const struct spot *s)
{
    return o->tail == METRIC_LAT_P99 ? s->percentile[P99] : s->metric[METRIC_LAT_MEAN].value;
}

static struct work_line work_line(const struct over_depth *o, size_t subject)
{
    enum metric m = o->w->headline;
    struct work_point *at = arena_array(o->a, struct work_point, o->w->n_points);
    size_t ring = ring_of(o, subject);
    for (size_t p = 0; p < o->w->n_points; p++) {
        const struct group_point *point = &o->w->points[p];
        const struct spot *s = &point->spots[subject];
        double y = tail_of(o, s), x = s->metric[m].value;
        bool drawn = x > 0 && y > 0;
        at[p] = (struct work_point) {
            .x = drawn ? x : (double)NAN,
            .y = drawn ? metric_scale(o->d, o->tail, y) : (double)NAN,
            .label = arena_printf(o->a, "%u", point->queue_depth),
            .ring = p == ring,
            .not_reached = s->not_reached,
            .tooltip = arena_printf(o->a, "%s\n%s, %s\n%s, %s %s\u00a0%s",
                                    o->d->subjects[subject].series.name, o->w->title, point->label,
                                    value_unit(o->d, m, x).s, metric_name(o->tail),
                                    time_table(o->d, y).s, o->d->lat_unit_name),
        };
    }
    struct work_line line = { .series = o->d->subjects[subject].series, .at = at };
    line.n = o->w->n_points;
    return line;
}

static const struct panel *time_against_work(const struct over_depth *o)
{
    enum metric m = o->w->headline;
    struct work_line *lines = arena_array(o->a, struct work_line, o->d->n_subjects);
    for (size_t i = 0; i < o->d->n_subjects; i++)
        lines[i] = work_line(o, i);
    const char *unit = metric_unit(o->d, m);
    const char *tail = o->tail == METRIC_LAT_P99 ? "p99" : "mean response time";
    struct work spec = { .at = lines, .n = o->d->n_subjects, .reference = NAN };
    spec.panel = (struct panel) {
        .title = "How much work for how much waiting?",
        .subtitle = subtitle(o, arena_printf(o->a, "%s against %s", tail, unit),
                             "right and low is better"),
        .direction = "right and low is better",
        .y_title = arena_printf(o->a, "%s (log)", o->d->lat_unit_name),
        .x_title = arena_printf(o->a, "%s (log)", unit),
        .alt = arena_printf(o->a,
                            "Curve of %s against %s, %s, points are queue depths. %s: %s. %s: "
                            "%s.",
                            metric_name(o->tail), unit, o->w->title, unit, ends_words(o, m),
                            "Average response time", ends_words(o, METRIC_LAT_MEAN)),
    };
    return plot_work(o->a, &spec);
}

/* --- the figure ---------------------------------------------------------------------------------------------------- */

static void choose_axes(struct over_depth *o)
{
    double low = INFINITY, high = 0;
    o->tail = METRIC_LAT_P99;
    for (size_t p = 0; p < o->w->n_points; p++)
        for (size_t i = 0; i < o->d->n_subjects; i++) {
            const struct spot *s = &o->w->points[p].spots[i];
            double v = s->metric[o->w->headline].value;
            if (s->missing)
                continue;
            low = v > 0 ? fmin(low, v) : low;
            high = fmax(high, v);
            if (isnan(s->percentile[P99]))
                o->tail = METRIC_LAT_MEAN;
        }
    o->log_work = wants_log(low, high);
}

static void put_caption(const struct over_depth *o, struct rich *c)
{
    const char *unit = metric_unit(o->d, o->w->headline);
    rich_printf(c, o->a, RUN_PLAIN, "First: %s against queue depth%s. Second: response time%s. ",
                unit, o->log_work ? " (log axis because the values span more than 1 : 50)" : "",
                o->tail == METRIC_LAT_P99 ? ", stems from the mean to the 99th percentile" : "");
    rich_printf(c, o->a, RUN_PLAIN,
                "Third: %s against %s, points named by queue depth; a ring marks the lowest depth "
                "that reaches 95\u00a0%% of a target’s peak. %s%s",
                metric_name(o->tail), unit, figure_interval_words(o->a, o->d),
                marks_words(o->a, o->d, o->w->points, o->w->n_points));
}

struct figure *figure_overview(struct arena *a, const struct report_data *d,
                               const struct report_workload *w)
{
    if (!w->depth_axis)
        return NULL;
    struct over_depth o = { .a = a, .d = d, .w = w };
    choose_axes(&o);
    const struct panel **panels = arena_array(a, const struct panel *, PANELS);
    panels[0] = work_over_depth(&o, o.log_work);
    panels[1] = time_over_depth(&o);
    panels[2] = time_against_work(&o);
    struct figure *f = figure_new(a, arena_printf(a, "%s-overview", w->slug),
                                  arena_printf(a, "%s over queue depth", w->title), panels, PANELS);
    f->heading_level = 0;
    if (o.log_work) {
        const struct panel **linear = arena_array(a, const struct panel *, PANELS);
        linear[0] = work_over_depth(&o, false);
        f->linear = linear;
    }
    put_caption(&o, &f->caption);
    f->how_to_read = "In the third panel a target moves right as it does more work and up as its "
                     "slow I/Os get slower. A curve that turns straight up has found its limit: "
                     "more depth buys waiting, not work. Run it left of the bend.";
    f->data = table_depths(a, d, w);
    return f;
}
