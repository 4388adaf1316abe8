#include "report/figures.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/str.h"
#include "chart/plot_bars.h"
#include "report/checks.h"
#include "report/findings.h"
#include "report/table_build.h"
#include "report/tables.h"
#include "report/words.h"

enum { HEADLINE_PANELS = 6, HEADLINE_TIMES = 2, HEADLINE_BARS = 8 };

/* From this ratio on the smallest bar is under a fiftieth of the largest (reference/charts.md 3). */
#define DWARFS 50

/* --- words --------------------------------------------------------------------------------------------------------- */

const char *figure_n(struct arena *a, const struct report_data *d)
{
    const char *words = repeats_words(a, d);
    return strcmp(words, "one run each") ? words : "one run";
}

/* Length of a cell, if all have the same. */
static const char *length_words(struct arena *a, const struct report_data *d)
{
    uint64_t length = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        uint64_t ns = d->cells[i].cell.duration_ns;
        if (length && ns != length)
            return "";
        length = ns;
    }
    return length ? arena_printf(a, " of %s", fmt_span_ns(length).s) : "";
}

const char *figure_interval_words(struct arena *a, const struct report_data *d)
{
    const char *length = length_words(a, d);
    if (d->repeated)
        return arena_printf(a,
                            "Median, %s%s; whiskers: 95\u00a0%% interval of the mean, drawn from "
                            "4 px up.",
                            repeats_words(a, d), length);
    if (d->single)
        return arena_printf(
            a,
            "One run%s each; whiskers: 95\u00a0%% interval within this run, drawn "
            "from 4 px up. They do not cover how another run would differ: where "
            "targets are compared, 5\u00a0%% between runs is assumed, not measured.",
            length);
    return arena_printf(a,
                        "Median, %s%s; whiskers: 95\u00a0%% interval of the mean over 3 and more "
                        "runs, or within a single run; none over two.",
                        repeats_words(a, d), length);
}

static const char *place_words(struct arena *a, const struct report_data *d,
                               const struct group_point *p)
{
    const struct report_workload *w = &d->workloads[p->workload];
    return arena_printf(a, "%s, %s", w->title, p->label);
}

static const char *reservation_words(struct arena *a, const struct spot *s)
{
    const char *depth = s->not_reached ? arena_printf(a, "\n† only %s I/Os in flight",
                                                      fmt_fixed(s->achieved_depth, 1).s)
                                       : "";
    return arena_printf(a, "%s%s%s", depth, s->not_steady ? "\n‡ not steady" : "",
                        s->buffered ? "\nbuffered" : "");
}

const char *spot_tooltip(struct arena *a, const struct report_data *d, const struct group_point *p,
                         size_t subject, enum metric m)
{
    const struct spot *s = &p->spots[subject];
    const char *name = d->subjects[subject].series.name, *place = place_words(a, d, p);
    if (s->missing)
        return arena_printf(a, "%s\n%s\nnot measured: %s", name, place, s->missing);
    const struct value *v = &s->metric[m];
    const char *interval = value_interval(a, d, m, v);
    return arena_printf(a, "%s\n%s\n%s\u00a0%s%s%s\nn = %zu%s", name, place,
                        value_table(d, m, v->value).s, metric_unit(d, m), interval ? " " : "",
                        interval ? interval : "", s->n_reps, reservation_words(a, s));
}

const char *alt_values(struct arena *a, const struct report_data *d, const struct group_point *p,
                       enum metric m)
{
    struct str s = str_new(1 << 20);
    size_t n = 0;
    const size_t *order = best_first(a, d, p, m, &n);
    for (size_t i = 0; i < n; i++)
        str_printf(&s, "%s%s %s", s.n ? "; " : "", d->subjects[order[i]].series.name,
                   value_unit(d, m, p->spots[order[i]].metric[m].value).s);
    for (size_t i = 0; i < d->n_subjects; i++)
        if (isnan(p->spots[i].metric[m].value))
            str_printf(&s, "%s%s not measured", s.n ? "; " : "", d->subjects[i].series.name);
    const char *text = arena_strdup(a, s.at ? s.at : "");
    str_done(&s);
    return text;
}

/* --- bars ---------------------------------------------------------------------------------------------------------- */

static struct bar bar_of(struct arena *a, const struct report_data *d, const struct group_point *p,
                         size_t subject, enum metric m)
{
    const struct spot *s = &p->spots[subject];
    const struct value *v = &s->metric[m];
    struct bar b = { .series = d->subjects[subject].series,
                     .value = metric_scale(d, m, v->value),
                     .low = metric_scale(d, m, v->low),
                     .high = metric_scale(d, m, v->high),
                     .tooltip = spot_tooltip(a, d, p, subject, m) };
    const char *marks = spot_marks(s);
    b.label = arena_printf(a, "%s%s%s", value_label(d, m, v->value).s, marks ? " " : "",
                           marks ? marks : "");
    b.missing = arena_printf(a, "not measured: %s", s->missing ? s->missing : "no value");
    return b;
}

/* Best first, then what is missing. */
static struct bar *bars_of(struct arena *a, const struct report_data *d,
                           const struct group_point *p, enum metric m)
{
    struct bar *bars = arena_array(a, struct bar, d->n_subjects);
    size_t n = 0;
    const size_t *order = best_first(a, d, p, m, &n);
    for (size_t i = 0; i < n; i++)
        bars[i] = bar_of(a, d, p, order[i], m);
    for (size_t i = 0; i < d->n_subjects; i++)
        if (isnan(p->spots[i].metric[m].value))
            bars[n++] = bar_of(a, d, p, i, m);
    return bars;
}

static const char *metric_title(struct arena *a, const struct report_data *d, enum metric m)
{
    static const char *const names[METRIC_COUNT] = { "IOPS", "Throughput", "Average response time",
                                                     "99th percentile" };
    return m == METRIC_IOPS ? names[m] : arena_printf(a, "%s, %s", names[m], metric_unit(d, m));
}

static const struct panel *bars_panel(struct arena *a, const struct report_data *d,
                                      const struct group_point *p, enum metric m)
{
    const char *place = place_words(a, d, p);
    struct bars spec = { .at = bars_of(a, d, p, m), .n = d->n_subjects, .reference = NAN };
    spec.panel = (struct panel) {
        .title = metric_title(a, d, m),
        .subtitle = arena_printf(a, "%s · %s · %s", place, metric_direction(m), figure_n(a, d)),
        .direction = metric_direction(m),
        .alt = arena_printf(a, "Bar chart, %s, %s, %s, best first: %s.", place, metric_name(m),
                            metric_direction(m), alt_values(a, d, p, m)),
        .bars = true,
    };
    return plot_bars(a, &spec);
}

static bool dwarfs(const struct report_data *d, const struct group_point *p)
{
    for (int m = 0; m <= METRIC_LAT_MEAN; m++) {
        double low = INFINITY, high = 0;
        for (size_t i = 0; i < d->n_subjects; i++) {
            double v = p->spots[i].metric[m].value;
            low = v > 0 ? fmin(low, v) : low;
            high = fmax(high, v);
        }
        if (high > DWARFS * low)
            return true;
    }
    return false;
}

static void put_missing(struct rich *caption, struct arena *a, const struct report_data *d,
                        const struct group_point *p)
{
    for (size_t i = 0; i < d->n_subjects; i++)
        if (p->spots[i].missing)
            rich_printf(caption, a, RUN_PLAIN, " %s: not measured, %s.", d->subjects[i].series.name,
                        p->spots[i].missing);
}

struct figure *figure_new(struct arena *a, const char *slug, const char *title,
                          const struct panel *const *panels, size_t n_panels)
{
    struct figure *f = arena_one(a, struct figure);
    f->id = f->slug = slug;
    f->title = title;
    f->heading_level = 3;
    f->panels = panels;
    f->n_panels = n_panels;
    return f;
}

#define LOG_RATIO 50

bool wants_log(double low, double high)
{
    return low > 0 && high > LOG_RATIO * low;
}

static const char *capital(struct arena *a, const char *label)
{
    char *copy = arena_strdup(a, label);
    if (*copy >= 'a' && *copy <= 'z')
        *copy = (char)(*copy - 'a' + 'A');
    return copy;
}

struct figure *figure_bars(struct arena *a, const struct report_data *d,
                           const struct point_standing *st, const struct group_point *p)
{
    static const enum metric metrics[] = { METRIC_IOPS, METRIC_MB_S, METRIC_LAT_MEAN };
    const struct panel **panels = arena_array(a, const struct panel *, countof(metrics));
    for (size_t i = 0; i < countof(metrics); i++)
        panels[i] = bars_panel(a, d, p, metrics[i]);
    const struct report_workload *w = &d->workloads[p->workload];
    struct figure *f = figure_new(a, p->slug, capital(a, p->label), panels, countof(metrics));
    struct finding finding = finding_at(a, d, &st[p - d->points], p);
    rich_put(&f->lead, a, RUN_PLAIN, finding_words(a, d, &finding));
    f->bars = true;
    rich_printf(&f->caption, a, RUN_PLAIN, "Best first, each panel on its own scale. %s%s",
                figure_interval_words(a, d), marks_words(a, d, p, 1));
    put_missing(&f->caption, a, d, p);
    if (dwarfs(d, p) && w->depth_axis) {
        rich_put(&f->caption, a, RUN_PLAIN, " The largest value dwarfs the smallest here; the ");
        rich_link(&f->caption, a, "overview", arena_printf(a, "#%s-overview", w->slug));
        rich_put(&f->caption, a, RUN_PLAIN, " has logarithmic axes.");
    }
    f->data = table_point(a, d, p);
    return f;
}

/* --- headline ------------------------------------------------------------------------------------------------------ */

static struct bar measure_bar(struct arena *a, const struct report_data *d, const struct measure *m,
                              size_t subject)
{
    const struct report_workload *w = m->workload;
    size_t at = m->points[subject];
    const struct group_point *p = at == SIZE_MAX ? NULL : &w->points[at];
    struct bar b = { .series = d->subjects[subject].series,
                     .value = NAN,
                     .low = NAN,
                     .high = NAN,
                     .missing = "not measured" };
    if (!p)
        return b;
    b = bar_of(a, d, p, subject, m->metric);
    if (!m->condition && w->n_points > 1)
        b.name = arena_printf(a, "%s, at %s", b.series.name, p->label);
    return b;
}

static const char *measure_title(struct arena *a, const struct report_data *d,
                                 const struct measure *m)
{
    if (m->metric == METRIC_LAT_MEAN)
        return arena_printf(a, "Average response time, %s", d->lat_unit_name);
    return arena_printf(a, "%s%s, %s", m->condition ? "" : "Most ", metric_unit(d, m->metric),
                        m->workload->title);
}

static const char *measure_subtitle(struct arena *a, const struct report_data *d,
                                    const struct measure *m)
{
    const struct report_workload *w = m->workload;
    const char *where = m->metric == METRIC_LAT_MEAN
                            ? arena_printf(a, "%s, %s", w->title, m->condition)
                        : m->condition ? m->condition
                                       : arena_printf(a, "best of %zu %s", w->n_points,
                                                      w->depth_axis ? "queue depths" : "points");
    return arena_printf(a, "%s · %s · %s", where, metric_direction(m->metric), figure_n(a, d));
}

/* Best first, then what is missing; of many targets the best, and always the device under test. */
static size_t headline_subjects(struct arena *a, const struct report_data *d,
                                const struct measure *m, size_t *ret)
{
    size_t measured = 0, n = 0;
    const size_t *order = measure_order(a, d, m, &measured);
    for (size_t i = 0; i < measured; i++)
        ret[n++] = order[i];
    for (size_t i = 0; i < d->n_subjects; i++)
        if (!measure_spot(m, i))
            ret[n++] = i;
    if (n <= HEADLINE_BARS)
        return n;
    bool shown = false;
    for (size_t i = 0; i < HEADLINE_BARS; i++)
        shown = shown || ret[i] == d->highlighted;
    if (!shown)
        ret[HEADLINE_BARS - 1] = d->highlighted;
    return HEADLINE_BARS;
}

static const struct panel *measure_panel(struct arena *a, const struct report_data *d,
                                         const struct measure *m)
{
    size_t *subjects = arena_array(a, size_t, d->n_subjects);
    size_t n = headline_subjects(a, d, m, subjects);
    struct bar *bars = arena_array(a, struct bar, n);
    struct str alt = str_new(1 << 20);
    for (size_t i = 0; i < n; i++) {
        const struct spot *s = measure_spot(m, subjects[i]);
        bars[i] = measure_bar(a, d, m, subjects[i]);
        str_printf(&alt, "%s%s %s", i ? "; " : "", bars[i].series.name,
                   s ? value_unit(d, m->metric, s->metric[m->metric].value).s : "not measured");
    }
    struct bars spec = { .at = bars, .n = n, .reference = NAN };
    spec.panel = (struct panel) {
        .title = measure_title(a, d, m),
        .subtitle = measure_subtitle(a, d, m),
        .direction = metric_direction(m->metric),
        .alt = arena_printf(a, "Bar chart, %s%s in %s, %s, best first: %s.",
                            m->condition ? "" : "most ", metric_name(m->metric), m->workload->title,
                            metric_direction(m->metric), alt.at ? alt.at : ""),
        .bars = true,
    };
    str_done(&alt);
    return plot_bars(a, &spec);
}

static const struct table *headline_table(struct arena *a, const struct report_data *d,
                                          const struct measure *measures, size_t n)
{
    struct table_builder b = table_begin(a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, a, RUN_PLAIN,
                "Headline values, %s, 95\u00a0%% interval in brackets", repeats_words(a, d));
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; i < n; i++) {
        struct column *c = table_column(&b, measure_title(a, d, &measures[i]), ALIGN_NUMBER);
        c->subhead = measures[i].metric == METRIC_LAT_MEAN ? measures[i].workload->title : NULL;
    }
    for (size_t s = 0; s < d->n_subjects; s++) {
        table_row(&b, ROW_NORMAL);
        table_cell(&b, d->subjects[s].series.name)->slot = d->subjects[s].series.slot;
        for (size_t i = 0; i < n; i++) {
            const struct spot *spot = measure_spot(&measures[i], s);
            enum metric m = measures[i].metric;
            struct table_cell *c = table_cell(
                &b, spot ? arena_strdup(a, value_table(d, m, spot->metric[m].value).s) : "–");
            c->detail = spot ? value_interval(a, d, m, &spot->metric[m]) : NULL;
            c->mark = spot ? spot_marks(spot) : NULL;
        }
    }
    return table_end(&b);
}

/* The first measure of each workload; with few workloads the response time of the first as well. */
static size_t headline_measures(struct arena *a, const struct report_data *d,
                                struct measure ret[HEADLINE_PANELS])
{
    size_t n = 0;
    struct measure all[5];
    for (size_t w = 0; w < d->n_workloads && n < HEADLINE_PANELS; w++)
        if (measures_of(a, d, &d->workloads[w], all))
            ret[n++] = all[0];
    if (n > HEADLINE_TIMES || n == 0)
        return n;
    size_t more = measures_of(a, d, &d->workloads[0], all);
    for (size_t i = 0; i < more; i++)
        if (all[i].metric == METRIC_LAT_MEAN)
            ret[n++] = all[i];
    return n;
}

struct figure *figure_headline(struct arena *a, const struct report_data *d)
{
    struct measure *measures = arena_array(a, struct measure, HEADLINE_PANELS);
    size_t n = headline_measures(a, d, measures);
    if (n == 0)
        return NULL;
    const struct panel **panels = arena_array(a, const struct panel *, n);
    for (size_t i = 0; i < n; i++)
        panels[i] = measure_panel(a, d, &measures[i]);
    struct figure *f = figure_new(a, "headline", "Headline measures", panels, n);
    f->heading_level = 0;
    f->bars = true;
    rich_printf(
        &f->caption, a, RUN_PLAIN, "The headline measures, best first%s. ",
        d->n_workloads > HEADLINE_PANELS
            ? arena_printf(a, ": the first %d of %zu workloads", HEADLINE_PANELS, d->n_workloads)
            : "");
    if (d->n_subjects > HEADLINE_BARS)
        rich_printf(&f->caption, a, RUN_PLAIN,
                    "%d of %zu targets are drawn, the device under test among them; the data have "
                    "all. ",
                    HEADLINE_BARS, d->n_subjects);
    if (d->n_subjects > 1)
        rich_put(&f->caption, a, RUN_PLAIN,
                 "Solid bar: device under test; tinted, outlined bars: peers. ");
    rich_printf(&f->caption, a, RUN_PLAIN, "%s%s", figure_interval_words(a, d),
                marks_words(a, d, d->points, d->n_points));
    f->data = headline_table(a, d, measures, n);
    return f;
}
