#include <math.h>

#include "base/array.h"
#include "base/str.h"
#include "chart/plot_box.h"
#include "chart/plot_ecdf.h"
#include "report/figures_time.h"
#include "report/spreading.h"
#include "report/table_build.h"
#include "report/words.h"

enum { PANELS = 3 };

/* --- records ------------------------------------------------------------------------------------------------------- */

static const struct evenness *even_of(const struct spreading *x, size_t i)
{
    const struct detail *detail = x->p->spots[i].detail;
    return detail && detail->even.n ? &detail->even : NULL;
}

static struct ecdf_line ecdf_of_points(const struct spreading *x, size_t i)
{
    enum { MOST = 2000 };
    struct ecdf_line line = { .series = x->d->subjects[i].series };
    const struct evenness *e = even_of(x, i);
    if (!e)
        return line;
    size_t step = (e->n + MOST - 1) / MOST;
    struct ecdf_point *at = arena_array(x->a, struct ecdf_point, e->n / step + 3);
    at[line.n++] = (struct ecdf_point) { e->sorted[0] / x->d->lat_unit, 0 };
    for (size_t k = step - 1; k < e->n; k += step)
        at[line.n++] = (struct ecdf_point) { e->sorted[k] / x->d->lat_unit,
                                             (double)(k + 1) / (double)e->n };
    at[line.n++] = (struct ecdf_point) { e->most / x->d->lat_unit, 1 };
    line.at = at;
    line.tooltip = arena_printf(
        x->a, "%s\nmedian %s\n2\u00a0%% to 98\u00a0%%: %s", spreading_name(x, i),
        value_unit(x->d, METRIC_LAT_MEAN, e->median).s, range_words(x->a, x->d, e->q02, e->q98));
    return line;
}

static const struct panel *points_panel(const struct spreading *x, double step)
{
    struct ecdf_line *lines = arena_array(x->a, struct ecdf_line, x->d->n_subjects);
    struct str alt = str_new(1 << 16);
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        lines[i] = ecdf_of_points(x, i);
        if (even_of(x, i))
            str_printf(&alt, " %s: median %s, 98\u00a0%% within %s.", spreading_name(x, i),
                       value_unit(x->d, METRIC_LAT_MEAN, even_of(x, i)->median).s,
                       value_unit(x->d, METRIC_LAT_MEAN, even_of(x, i)->q98).s);
    }
    struct ecdf spec = { .at = lines, .n = x->d->n_subjects, .x_low = NAN, .x_high = NAN };
    spec.panel = (struct panel) {
        .title = arena_printf(x->a, "Which share of %ss is below?",
                              step == 1 ? "second" : "record"),
        .subtitle = arena_printf(x->a, "%s · left and steep is better", spreading_part(x)),
        .direction = "left and steep is better",
        .y_title = arena_printf(x->a, "%% of %ss", step == 1 ? "second" : "record"),
        .x_title = arena_printf(x->a, "Mean response time, %s (log)", x->d->lat_unit_name),
        .alt = arena_printf(x->a, "Share of %s below a response time, %s.%s",
                            averages_words(x->a, step), x->part, alt.at ? alt.at : ""),
    };
    str_done(&alt);
    return plot_ecdf(x->a, &spec);
}

static const char *box_tooltip(const struct spreading *x, size_t i, const struct box_row *r,
                               const char *unit)
{
    return arena_printf(
        x->a,
        "%s\nmedian %s\u00a0%s\nhalf of them %s to %s\n2\u00a0%% to 98\u00a0%%: %s to "
        "%s",
        spreading_name(x, i), r->label, unit, fmt_label(r->q25).s, fmt_label(r->q75).s,
        fmt_label(r->q02).s, fmt_label(r->q98).s);
}

static struct box_row time_box(const struct spreading *x, size_t i)
{
    const struct evenness *e = even_of(x, i);
    double unit = x->d->lat_unit;
    struct box_row r = { .series = x->d->subjects[i].series, .q02 = NAN };
    if (!e) {
        r.missing = spreading_missing(x, i);
        return r;
    }
    r = (struct box_row) { .series = r.series,
                           .q02 = e->q02 / unit,
                           .q25 = e->q25 / unit,
                           .q50 = e->median / unit,
                           .q75 = e->q75 / unit,
                           .q98 = e->q98 / unit,
                           .label = arena_strdup(x->a, fmt_label(e->median / unit).s) };
    r.tooltip = box_tooltip(x, i, &r, x->d->lat_unit_name);
    return r;
}

static struct box_row rate_box(const struct spreading *x, size_t i, enum rate_of of)
{
    struct box_row r = { .series = x->d->subjects[i].series, .q02 = NAN };
    if (!x->p->spots[i].detail || !x->p->spots[i].detail->part.n) {
        r.missing = spreading_missing(x, i);
        return r;
    }
    struct rates v = rates_of(&x->p->spots[i].detail->part, of);
    r = (struct box_row) { .series = r.series,
                           .q02 = v.q02,
                           .q25 = v.q25,
                           .q50 = v.median,
                           .q75 = v.q75,
                           .q98 = v.q98,
                           .label = arena_strdup(x->a, fmt_label(v.median).s) };
    r.tooltip = box_tooltip(x, i, &r, of == RATE_OF_MB ? "MB/s" : "IOPS");
    return r;
}

static const char *medians_words(const struct spreading *x, const struct box_row *rows,
                                 const char *unit)
{
    struct str s = str_new(1 << 16);
    for (size_t i = 0; i < x->d->n_subjects; i++)
        if (rows[i].label)
            str_printf(&s, "%s%s %s\u00a0%s", s.n ? "; " : "", spreading_name(x, i), rows[i].label,
                       unit);
    const char *text = arena_strdup(x->a, s.at ? s.at : "");
    str_done(&s);
    return text;
}

static const struct panel *box_panel(const struct spreading *x, bool times, double step)
{
    bool mb = x->d->workloads[x->p->workload].headline == METRIC_MB_S;
    const char *unit = times ? x->d->lat_unit_name : mb ? "MB/s" : "IOPS";
    struct box_row *rows = arena_array(x->a, struct box_row, x->d->n_subjects);
    for (size_t i = 0; i < x->d->n_subjects; i++)
        rows[i] = times ? time_box(x, i) : rate_box(x, i, mb ? RATE_OF_MB : RATE_OF_IOS);
    const char *direction = times ? "lower is better" : "higher is better";
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        low = rows[i].missing ? low : fmin(low, rows[i].q02);
        high = rows[i].missing ? high : fmax(high, rows[i].q98);
    }
    bool log = wants_log(low, high);
    struct box_rows spec = { .at = rows, .n = x->d->n_subjects, .log_x = log };
    spec.panel = (struct panel) {
        .title = arena_printf(x->a,
                              times ? "How much do %ss differ?" : "How much work does a %s do?",
                              step == 1 ? "second" : "record"),
        .subtitle = arena_printf(x->a, "%s · %s of %ss · %s", spreading_part(x),
                                 times ? "means" : "work", step == 1 ? "second" : "record",
                                 direction),
        .direction = direction,
        .x_title = arena_printf(x->a, "%s%s%s", times ? "Mean response time, " : "", unit,
                                log ? " (log)" : ""),
        .alt = arena_printf(x->a, "Box plot of %s in %s. Medians: %s.",
                            times ? averages_words(x->a, step) : unit, x->part,
                            medians_words(x, rows, unit)),
    };
    return plot_box(x->a, &spec);
}

/* --- the figure ---------------------------------------------------------------------------------------------------- */

static void quartile_columns(struct table_builder *b, const char *group, const char *unit)
{
    static const char *const heads[] = { "2\u00a0%", "25\u00a0%", "Median", "75\u00a0%",
                                         "98\u00a0%" };
    for (size_t i = 0; i < countof(heads); i++) {
        struct column *c = table_column(b, heads[i], ALIGN_NUMBER);
        c->group = group;
        c->subhead = unit;
    }
}

static void quartile_row(struct table_builder *b, const struct spreading *x, size_t i,
                         enum rate_of of)
{
    const struct evenness *e = even_of(x, i);
    table_row(b, ROW_NORMAL);
    table_cell(b, spreading_name(x, i))->slot = x->d->subjects[i].series.slot;
    if (!e) {
        const char *why = x->p->spots[i].missing;
        table_gap(b, why ? why : "it has no records in time");
        return;
    }
    const double times[] = { e->q02, e->q25, e->median, e->q75, e->q98 };
    struct rates r = rates_of(&x->p->spots[i].detail->part, of);
    const double rates[] = { r.q02, r.q25, r.median, r.q75, r.q98 };
    for (size_t k = 0; k < countof(times); k++)
        table_cell(b, arena_strdup(x->a, time_table(x->d, times[k]).s));
    for (size_t k = 0; k < countof(rates); k++)
        table_cell(b, arena_strdup(x->a, of == RATE_OF_MB ? fmt_table(rates[k]).s
                                                          : fmt_table_iops(rates[k]).s));
}

static const struct table *quartile_table(const struct spreading *x, double step)
{
    bool mb = x->d->workloads[x->p->workload].headline == METRIC_MB_S;
    const char *unit = mb ? "MB/s" : "IOPS";
    struct table_builder b = table_begin(x->a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, x->a, RUN_PLAIN, "%s: quantiles of its %s", spreading_part(x),
                step == 1 ? "seconds" : "records");
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    quartile_columns(&b, "Mean response time", x->d->lat_unit_name);
    quartile_columns(&b, mb ? "Throughput" : "Work", unit);
    for (size_t i = 0; i < x->d->n_subjects; i++)
        quartile_row(&b, x, i, mb ? RATE_OF_MB : RATE_OF_IOS);
    return table_end(&b);
}

struct figure *figure_seconds(struct arena *a, const struct report_data *d,
                              const struct group_point *p)
{
    const struct spot *any = timed_spot(d, p);
    if (!any)
        return NULL;
    struct spreading x = { .a = a, .d = d, .p = p, .part = part_words(a, d, any->detail) };
    double step = any->in_time->step;
    const char *record = record_word(a, step);
    struct figure *f = figure_of_point(
        a, d, p, "seconds", step == 1 ? "Spread of the seconds" : "Spread of the records");
    const struct panel **panels = arena_array(a, const struct panel *, PANELS);
    panels[0] = points_panel(&x, step);
    panels[1] = box_panel(&x, true, step);
    panels[2] = box_panel(&x, false, step);
    f->panels = panels;
    f->n_panels = PANELS;
    rich_printf(
        &f->caption, a, RUN_PLAIN,
        "%s. First: share of the %s below a response time; the steeper, the more alike. Second "
        "and third: boxes from the first to the third quartile with the median, whiskers from "
        "2\u00a0%% to 98\u00a0%%; a %s without a completed I/O counts in the third only.",
        spreading_part(&x), averages_words(a, step), record);
    f->data = quartile_table(&x, step);
    return f;
}
