#include <math.h>

#include "base/array.h"
#include "report/figures_time.h"
#include "report/limits.h"
#include "report/table_build.h"
#include "report/words.h"

/* One point while its rates are drawn. */
struct rating {
    struct arena *a;
    const struct report_data *d;
    const struct group_point *p;
    enum rate_of of;
    const char *unit; /* "IOPS" */
    struct limit *limits;
    size_t n_limits;
    struct rates *rates; /* by subject */
    struct time_axis axis;
    struct time_windows *hot; /* by subject */
    double low, high, end;
};

static bool has_records(const struct spot *s)
{
    return s->detail && s->in_time->n > 0;
}

static void find_range(struct rating *r)
{
    r->low = INFINITY;
    r->rates = arena_array(r->a, struct rates, r->d->n_subjects);
    for (size_t i = 0; i < r->d->n_subjects; i++) {
        const struct spot *s = &r->p->spots[i];
        if (!has_records(s))
            continue;
        struct rates x = r->rates[i] = rates_of(s->in_time, r->of);
        r->low = x.least > 0 ? fmin(r->low, x.least) : r->low;
        r->high = fmax(r->high, x.most);
        r->end = fmax(r->end, seconds_end(s->in_time));
    }
}

static void add_lines(const struct rating *r, const struct rates *x, struct scatter *spec)
{
    struct y_line *lines = arena_array(r->a, struct y_line, r->n_limits);
    for (size_t k = 0; k < r->n_limits; k++)
        lines[k] = (struct y_line) { limit_value(&r->limits[k], r->of, x->median),
                                     r->limits[k].text };
    spec->lines = lines;
    spec->n_lines = r->n_limits;
}

static void add_records(const struct rating *r, const struct spot *s, struct scatter *spec)
{
    const struct time_axis axis = r->axis;
    double *x = arena_array(r->a, double, 2 * s->in_time->n), *y = x + s->in_time->n;
    for (size_t i = 0; i < s->in_time->n; i++) {
        x[i] = time_axis_x(&axis, s->in_time->at[i].start);
        y[i] = second_rate(&s->in_time->at[i], r->of);
    }
    spec->x = x;
    spec->y = y;
    spec->n = s->in_time->n;
    spec->x_low = 0;
    spec->x_high = axis.high;
    spec->x_ticks = axis.ticks;
    spec->n_x_ticks = axis.n_ticks;
    spec->panel.x_title = axis.title;
}

static const char *stretch_tooltip(const struct rating *r, size_t subject,
                                   const struct x_window *at)
{
    const struct time_axis *t = &r->axis;
    const struct time_range range = { (int64_t)llround(at->from * t->unit * 1e9),
                                      (int64_t)llround(at->to * t->unit * 1e9) };
    const struct seconds part = seconds_in(r->p->spots[subject].in_time, &range);
    struct rates x = rates_of(&part, r->of);
    return arena_printf(r->a, "%s\n%s to %s %ss\nmean %s\u00a0%s\n%s to %s",
                        r->d->subjects[subject].series.name, fmt_exact(at->from).s,
                        fmt_label(at->to).s, t->name, fmt_label(x.mean).s, r->unit,
                        fmt_label(x.least).s, fmt_label(x.most).s);
}

/* Hot spots tell response times elsewhere; here the rates. */
static void find_hot(struct rating *r)
{
    r->hot = arena_array(r->a, struct time_windows, r->d->n_subjects);
    for (size_t i = 0; i < r->d->n_subjects; i++) {
        if (!has_records(&r->p->spots[i]))
            continue;
        struct x_window *at = arena_array(r->a, struct x_window, TIME_STRETCHES);
        size_t n = time_stretches(&r->axis, at);
        for (size_t k = 0; k < n; k++)
            at[k].tooltip = stretch_tooltip(r, i, &at[k]);
        r->hot[i] = (struct time_windows) { at, n };
    }
}

static const struct panel *rate_panel(const struct rating *r, size_t i, bool log)
{
    const struct spot *s = &r->p->spots[i];
    const char *name = r->d->subjects[i].series.name;
    struct scatter spec = { .series = r->d->subjects[i].series,
                            .log_y = log,
                            .y_low = log ? r->low : 0,
                            .y_high = r->high,
                            .strip = log ? "stalled" : NULL };
    spec.panel = (struct panel) {
        .title = name,
        .subtitle = arena_printf(r->a, "not measured%s%s", s->missing ? ": " : "",
                                 s->missing ? s->missing : ""),
        .direction = "higher is better",
        .y_title = arena_printf(r->a, "%s%s", r->unit, log ? " (log)" : ""),
        .alt = arena_printf(r->a, "Scatter plot, %s: no data.", name),
    };
    if (!has_records(s))
        return plot_scatter(r->a, &spec);
    const struct rates x = r->rates[i];
    spec.panel.subtitle = arena_printf(r->a, "Mean %s, σ %s · higher is better · n = %s%s",
                                       fmt_label(x.mean).s, fmt_label(x.deviation).s,
                                       fmt_count(x.n).s, cut_words(r->a, s));
    spec.panel.alt = arena_printf(
        r->a, "Scatter plot of the %s of each of %s, %s: mean %s, from %s to %s.", r->unit,
        records_words(r->a, x.n, s->in_time->step), name, fmt_label(x.mean).s, fmt_label(x.least).s,
        fmt_label(x.most).s);
    add_records(r, s, &spec);
    add_lines(r, &x, &spec);
    spec.windows = r->hot[i].at;
    spec.n_windows = r->hot[i].n;
    return plot_scatter(r->a, &spec);
}

static const struct table *rate_table(const struct rating *r)
{
    struct table_builder b = table_begin(r->a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, r->a, RUN_PLAIN,
                "%s of the records of the whole run; σ over the records", r->unit);
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    static const char *const heads[] = { "n",        "Mean",   "σ",         "Least",
                                         "2\u00a0%", "Median", "98\u00a0%", "Most" };
    for (size_t i = 0; i < countof(heads); i++)
        table_column(&b, heads[i], ALIGN_NUMBER)->subhead = i ? r->unit : NULL;
    for (size_t i = 0; i < r->d->n_subjects; i++) {
        const struct spot *s = &r->p->spots[i];
        table_row(&b, ROW_NORMAL);
        table_cell(&b, r->d->subjects[i].series.name)->slot = r->d->subjects[i].series.slot;
        if (!has_records(s)) {
            table_gap(&b, s->missing ? s->missing : "it has no records in time");
            continue;
        }
        const struct rates x = r->rates[i];
        table_cell(&b, arena_strdup(r->a, fmt_count(x.n).s));
        const double values[] = { x.mean, x.deviation, x.least, x.q02, x.median, x.q98, x.most };
        for (size_t k = 0; k < countof(values); k++)
            table_cell(&b, arena_strdup(r->a, r->of == RATE_OF_MB ? fmt_table(values[k]).s
                                                                  : fmt_table_iops(values[k]).s));
    }
    return table_end(&b);
}

struct figure *figure_rate(struct arena *a, const struct report_data *d,
                           const struct group_point *p, const char *below)
{
    bool mb = d->workloads[p->workload].headline == METRIC_MB_S;
    struct rating r = { .a = a, .d = d, .p = p, .of = mb ? RATE_OF_MB : RATE_OF_IOS };
    const struct spot *any = timed_spot(d, p);
    if (!any)
        return NULL;
    r.unit = mb ? "MB/s" : "IOPS";
    r.n_limits = limits_of_rate(a, below, &r.limits);
    find_range(&r);
    r.axis = time_axis_run(a, r.end);
    find_hot(&r);
    bool log = wants_log(r.low, r.high);
    struct figure *f = figure_of_point(
        a, d, p, "rate",
        arena_printf(a, "%s of each %s", r.unit, record_word(a, any->in_time->step)));
    const struct panel **panels = arena_array(a, const struct panel *, d->n_subjects);
    const struct panel **linear = arena_array(a, const struct panel *, d->n_subjects);
    for (size_t i = 0; i < d->n_subjects; i++) {
        panels[i] = rate_panel(&r, i, log);
        linear[i] = log ? rate_panel(&r, i, false) : NULL;
    }
    f->panels = panels;
    f->n_panels = d->n_subjects;
    f->linear = log ? linear : NULL;
    rich_printf(
        &f->caption, a, RUN_PLAIN, "%s of each %s over the whole run, same axes in all panels%s.%s",
        r.unit, record_word(a, any->in_time->step), log ? "" : ", from zero",
        r.n_limits ? " Dashed: the rates a stream must not fall below, as the template states "
                     "them; one outside the axis is not drawn."
                   : "");
    f->data = rate_table(&r);
    return f;
}
