#include "report/figures_sweep.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "chart/plot_box.h"
#include "chart/plot_grouped.h"
#include "chart/plot_pairs.h"
#include "report/checks.h"
#include "report/figures.h"
#include "report/table_build.h"
#include "report/words.h"

enum { MOST_TARGETS = 8, PANELS = 2 };

static const char *points_title(const struct report_workload *w)
{
    return w->depth_axis ? "Queue depth, I/Os in flight" : "Queue depth, and what else varies";
}

/* "queue depth 1: A 148 IOPS; B …. queue depth 4: …" */
static const char *points_words(struct arena *a, const struct report_data *d,
                                const struct report_workload *w, enum metric m)
{
    struct str s = str_new(1 << 20);
    for (size_t p = 0; p < w->n_points; p++)
        str_printf(&s, "%s%s: %s", p ? ". " : "", w->points[p].label,
                   alt_values(a, d, &w->points[p], m));
    const char *text = arena_strdup(a, s.at ? s.at : "");
    str_done(&s);
    return text;
}

static const struct table *points_table(struct arena *a, const struct report_data *d,
                                        const struct report_workload *w)
{
    const enum metric metrics[] = { w->headline, METRIC_LAT_MEAN };
    struct table_builder b = table_begin(a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, a, RUN_PLAIN, "%s, %s, 95\u00a0%% interval in brackets",
                w->title, repeats_words(a, d));
    table_column(&b, "Point", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; i < d->n_subjects; i++)
        for (size_t m = 0; m < countof(metrics); m++) {
            struct column *c = table_column(&b, metric_unit(d, metrics[m]), ALIGN_NUMBER);
            c->group = d->subjects[i].series.name;
            c->slot = d->subjects[i].series.slot;
        }
    for (size_t p = 0; p < w->n_points; p++) {
        table_row(&b, ROW_NORMAL);
        table_cell(&b, w->points[p].label);
        for (size_t i = 0; i < d->n_subjects; i++)
            for (size_t m = 0; m < countof(metrics); m++) {
                const struct spot *s = &w->points[p].spots[i];
                const struct value *v = &s->metric[metrics[m]];
                struct table_cell *c = table_cell(
                    &b, arena_strdup(a, value_table(d, metrics[m], v->value).s));
                c->detail = value_interval(a, d, metrics[m], v);
                c->mark = spot_marks(s);
            }
    }
    return table_end(&b);
}

typedef const struct panel *panel_fn(struct arena *a, const struct report_data *d,
                                     const struct report_workload *w, enum metric m);

/* A workload's work and its response time, a panel each. */
static struct figure *two_panels(struct arena *a, const struct report_data *d,
                                 const struct report_workload *w, panel_fn *draw)
{
    const struct panel **panels = arena_array(a, const struct panel *, PANELS);
    panels[0] = draw(a, d, w, w->headline);
    panels[1] = draw(a, d, w, METRIC_LAT_MEAN);
    struct figure *f = figure_new(a, NULL, NULL, panels, PANELS);
    f->data = points_table(a, d, w);
    return f;
}

/* --- upright bars -------------------------------------------------------------------------------------------------- */

static const char *value_with_marks(struct arena *a, const struct report_data *d,
                                    const struct spot *s, enum metric m)
{
    const char *marks = spot_marks(s);
    return arena_printf(a, "%s%s%s", value_label(d, m, s->metric[m].value).s, marks ? " " : "",
                        marks ? marks : "");
}

static const struct panel *columns_panel(struct arena *a, const struct report_data *d,
                                         const struct report_workload *w, enum metric m)
{
    struct grouped_series *series = arena_array(a, struct grouped_series, d->n_subjects);
    const char **names = arena_array(a, const char *, w->n_points);
    for (size_t i = 0; i < d->n_subjects; i++) {
        struct grouped_value *at = arena_array(a, struct grouped_value, w->n_points);
        for (size_t p = 0; p < w->n_points; p++) {
            const struct spot *s = &w->points[p].spots[i];
            const struct value *v = &s->metric[m];
            at[p] = (struct grouped_value) { .value = metric_scale(d, m, v->value),
                                             .low = metric_scale(d, m, v->low),
                                             .high = metric_scale(d, m, v->high),
                                             .label = value_with_marks(a, d, s, m),
                                             .tooltip = spot_tooltip(a, d, &w->points[p], i, m) };
        }
        series[i] = (struct grouped_series) { d->subjects[i].series, at };
    }
    for (size_t p = 0; p < w->n_points; p++)
        names[p] = w->points[p].tick;
    struct grouped spec = {
        .groups = names, .n_groups = w->n_points, .at = series, .n = d->n_subjects
    };
    spec.panel = (struct panel) {
        .title = m == METRIC_LAT_MEAN ? "Average response time" : metric_unit(d, m),
        .subtitle = arena_printf(a, "%s · %s · %s", w->title, metric_direction(m), figure_n(a, d)),
        .direction = metric_direction(m),
        .y_title = metric_unit(d, m),
        .x_title = points_title(w),
        .alt = arena_printf(a, "Grouped bar chart, %s, %s, %s. %s.", w->title, metric_name(m),
                            metric_direction(m), points_words(a, d, w, m)),
    };
    return plot_grouped(a, &spec);
}

struct figure *figure_columns(struct arena *a, const struct report_data *d,
                              const struct report_workload *w)
{
    if (w->n_points < 2 || d->n_subjects > MOST_TARGETS)
        return NULL;
    struct figure *f = two_panels(a, d, w, columns_panel);
    f->id = f->slug = arena_printf(a, "%s-columns", w->slug);
    f->title = arena_printf(a, "%s, side by side", w->title);
    rich_printf(&f->caption, a, RUN_PLAIN,
                "Bars from zero in the order of the matrix; a dashed box is a missing value. "
                "%s%s",
                figure_interval_words(a, d), marks_words(a, d, w->points, w->n_points));
    return f;
}

/* --- before and after ---------------------------------------------------------------------------------------------- */

static const char *change_tooltip(struct arena *a, const struct report_data *d,
                                  const struct group_point *p, enum metric m, size_t before)
{
    size_t after = d->highlighted;
    return arena_printf(a, "%s\nbefore: %s\nafter: %s", p->label,
                        value_unit(d, m, p->spots[before].metric[m].value).s,
                        value_unit(d, m, p->spots[after].metric[m].value).s);
}

static const struct panel *change_panel(struct arena *a, const struct report_data *d,
                                        const struct report_workload *w, enum metric m)
{
    size_t after = d->highlighted, before = 1 - after;
    struct pair *at = arena_array(a, struct pair, w->n_points);
    double low = INFINITY, high = 0;
    for (size_t p = 0; p < w->n_points; p++) {
        const struct spot *was = &w->points[p].spots[before], *is = &w->points[p].spots[after];
        double x = was->metric[m].value, y = is->metric[m].value;
        const char *why = was->missing ? was->missing : is->missing;
        at[p] = (struct pair) {
            .name = w->points[p].label,
            .before = metric_scale(d, m, x),
            .after = metric_scale(d, m, y),
            .label = x > 0 && y > 0 ? arena_strdup(a, fmt_advantage(y / x).s) : "",
            .tooltip = change_tooltip(a, d, &w->points[p], m, before),
            .missing = arena_printf(a, "not measured: %s", why ? why : "no value")
        };
        low = fmin(low, fmin(x > 0 ? x : low, y > 0 ? y : low));
        high = fmax(high, fmax(x, y));
    }
    struct pairs spec = { .before = d->subjects[before].series,
                          .after = d->subjects[after].series,
                          .at = at,
                          .n = w->n_points,
                          .log_x = wants_log(low, high) };
    spec.panel = (struct panel) {
        .title = arena_printf(a, "What changed in %s?", metric_name(m)),
        .subtitle = arena_printf(a, "%s · %s · %s", w->title, metric_direction(m), figure_n(a, d)),
        .direction = metric_direction(m),
        .x_title = arena_printf(a, "%s%s", metric_unit(d, m), spec.log_x ? " (log)" : ""),
        .alt = arena_printf(a, "Before and after, %s, %s, %s. %s.", w->title, metric_name(m),
                            metric_direction(m), points_words(a, d, w, m)),
    };
    return plot_pairs(a, &spec);
}

struct figure *figure_change(struct arena *a, const struct report_data *d,
                             const struct report_workload *w)
{
    if (d->n_subjects != 2)
        return NULL;
    struct figure *f = two_panels(a, d, w, change_panel);
    f->id = f->slug = arena_printf(a, "%s-change", w->slug);
    f->title = arena_printf(a, "%s, before and after", w->title);
    rich_printf(&f->caption, a, RUN_PLAIN,
                "Hollow: before (%s); filled: after (%s). Dots, so the axes need not start at "
                "zero. The change is of the value itself, whichever direction is better; the "
                "comparison says whether it is real.%s",
                d->subjects[1 - d->highlighted].series.name,
                d->subjects[d->highlighted].series.name, marks_words(a, d, w->points, w->n_points));
    return f;
}

/* --- run to run ---------------------------------------------------------------------------------------------------- */

static struct box_row repeats_row(struct arena *a, const struct report_data *d,
                                  const struct group_point *p, size_t i, enum metric m)
{
    const struct spot *s = &p->spots[i];
    const struct value *v = &s->metric[m];
    double median = metric_scale(d, m, v->value);
    struct box_row r = { .series = d->subjects[i].series,
                         .q02 = INFINITY,
                         .q25 = median,
                         .q50 = median,
                         .q75 = median,
                         .q98 = -INFINITY,
                         .label = value_with_marks(a, d, s, m),
                         .missing = arena_printf(a, "not measured: %s",
                                                 s->missing ? s->missing : "no value"),
                         .tooltip = spot_tooltip(a, d, p, i, m) };
    double *dots = arena_array(a, double, s->n_reps + 1);
    for (size_t k = 0; k < s->n_reps; k++) {
        dots[k] = metric_scale(d, m, v->repeats[k]);
        r.q02 = fmin(r.q02, dots[k]);
        r.q98 = fmax(r.q98, dots[k]);
    }
    r.dots = dots;
    r.n_dots = s->n_reps;
    return r;
}

static const struct panel *repeats_panel(struct arena *a, const struct report_data *d,
                                         const struct group_point *p, enum metric m)
{
    struct box_row *rows = arena_array(a, struct box_row, d->n_subjects);
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < d->n_subjects; i++) {
        rows[i] = repeats_row(a, d, p, i, m);
        low = rows[i].q02 > 0 ? fmin(low, rows[i].q02) : low;
        high = fmax(high, rows[i].q98);
    }
    struct box_rows spec = { .at = rows, .n = d->n_subjects, .log_x = wants_log(low, high) };
    const char *place = arena_printf(a, "%s, %s", d->workloads[p->workload].title, p->label);
    spec.panel = (struct panel) {
        .title = arena_printf(a, "Do the runs agree in %s?", metric_name(m)),
        .subtitle = arena_printf(a, "%s · %s", place, metric_direction(m)),
        .direction = metric_direction(m),
        .x_title = arena_printf(a, "%s%s", metric_unit(d, m), spec.log_x ? " (log)" : ""),
        .alt = arena_printf(a, "A dot for each run, %s, %s; medians: %s.", place, metric_name(m),
                            alt_values(a, d, p, m)),
    };
    return plot_box(a, &spec);
}

static const struct table *repeats_table(struct arena *a, const struct report_data *d,
                                         const struct group_point *p, size_t most)
{
    enum metric m = d->workloads[p->workload].headline;
    struct table_builder b = table_begin(a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, a, RUN_PLAIN, "%s of each run, %s, %s", metric_unit(d, m),
                d->workloads[p->workload].title, p->label);
    table_column(&b, "Run", ALIGN_NUMBER)->row_head = true;
    for (size_t i = 0; i < d->n_subjects; i++)
        table_column(&b, d->subjects[i].series.name, ALIGN_NUMBER)->slot = d->subjects[i]
                                                                               .series.slot;
    for (size_t k = 0; k < most; k++) {
        table_row(&b, ROW_NORMAL);
        table_cell(&b, arena_printf(a, "%zu", k + 1));
        for (size_t i = 0; i < d->n_subjects; i++) {
            const struct spot *s = &p->spots[i];
            double v = k < s->n_reps ? s->metric[m].repeats[k] : (double)NAN;
            table_cell(&b, arena_strdup(a, value_table(d, m, v).s));
        }
    }
    return table_end(&b);
}

struct figure *figure_repeats(struct arena *a, const struct report_data *d,
                              const struct group_point *p)
{
    size_t most = 0;
    for (size_t i = 0; i < d->n_subjects; i++)
        most = p->spots[i].n_reps > most ? p->spots[i].n_reps : most;
    if (most < 2)
        return NULL;
    const struct panel **panels = arena_array(a, const struct panel *, PANELS);
    panels[0] = repeats_panel(a, d, p, d->workloads[p->workload].headline);
    panels[1] = repeats_panel(a, d, p, METRIC_LAT_MEAN);
    struct figure *f = figure_new(a, arena_printf(a, "%s-repeats", p->slug),
                                  arena_printf(a, "The single runs at %s", p->label), panels,
                                  PANELS);
    rich_printf(&f->caption, a, RUN_PLAIN,
                "A marker for each run, %s; the upright line and the number are their median. "
                "Height has no meaning. The axes need not start at zero.%s",
                repeats_words(a, d), marks_words(a, d, p, 1));
    f->data = repeats_table(a, d, p, most);
    return f;
}
