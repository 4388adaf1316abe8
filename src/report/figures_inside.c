#include <math.h>
#include <string.h>

#include "base/array.h"
#include "chart/plot_heat.h"
#include "report/figures_time.h"
#include "report/table_build.h"
#include "report/words.h"

/* --- heat map ------------------------------------------------------------------------------------------------------ */

/* One point while its heat maps are drawn: rows first..last hold all I/Os of all targets. */
struct heating {
    struct arena *a;
    const struct report_data *d;
    const struct group_point *p;
    const char *part;
    size_t first, last;
};

static const struct heat_counts *heat_of(const struct heating *x, size_t i)
{
    const struct detail *detail = x->p->spots[i].detail;
    return detail ? detail->heat : NULL;
}

static void find_rows(struct heating *x)
{
    x->first = HEAT_ROWS;
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        const struct heat_counts *h = heat_of(x, i);
        for (size_t c = 0; h && c < h->nx; c++)
            for (size_t row = 0; row < HEAT_ROWS; row++)
                if (h->at[c * HEAT_ROWS + row] > 0) {
                    x->first = row < x->first ? row : x->first;
                    x->last = row > x->last ? row : x->last;
                }
    }
}

/* The rows that are drawn, and the fullest cell. */
static double *cut_rows(const struct heating *x, const struct heat_counts *h, double *ret_most)
{
    size_t ny = x->last - x->first + 1;
    double *counts = arena_array(x->a, double, h->nx *ny);
    *ret_most = 0;
    for (size_t c = 0; c < h->nx; c++)
        for (size_t row = 0; row < ny; row++) {
            double v = h->at[c * HEAT_ROWS + x->first + row];
            counts[c * ny + row] = v;
            *ret_most = fmax(*ret_most, v);
        }
    return counts;
}

static void add_cells(const struct heating *x, size_t i, struct heat *spec)
{
    const struct detail *detail = x->p->spots[i].detail;
    const struct heat_counts *h = heat_of(x, i);
    struct time_axis axis = time_axis_part(x->a, &detail->window, x->part);
    double most = 0;
    spec->counts = cut_rows(x, h, &most);
    spec->nx = h->nx;
    spec->ny = x->last - x->first + 1;
    spec->x_low = 0;
    spec->x_high = (double)h->nx * h->column_s / axis.unit;
    spec->x_ticks = axis.ticks;
    spec->n_x_ticks = axis.n_ticks;
    spec->most = arena_printf(x->a, "%s", fmt_plural((uint64_t)most, "I/O").s);
    struct time_windows hot = time_windows(x->a, x->d, i, &detail->part, &axis);
    spec->windows = hot.at;
    spec->n_windows = hot.n;
    spec->panel.x_title = axis.title;
}

static const struct panel *heat_panel(const struct heating *x, size_t i)
{
    const struct spot *s = &x->p->spots[i];
    const char *name = x->d->subjects[i].series.name;
    const struct heat_counts *h = heat_of(x, i);
    struct heat spec = { .series = x->d->subjects[i].series,
                         .y_low = heat_row_ns(x->first) / x->d->lat_unit,
                         .y_high = heat_row_ns(x->last + 1) / x->d->lat_unit };
    spec.panel = (struct panel) {
        .title = name,
        .subtitle = h ? arena_printf(x->a, "All I/Os · lower is better%s", cut_words(x->a, s))
                      : arena_printf(x->a, "not measured%s%s", s->missing ? ": " : "",
                                     s->missing ? s->missing : ""),
        .direction = "lower is better",
        .y_title = arena_printf(x->a, "%s (log)", x->d->lat_unit_name),
        .alt = arena_printf(x->a, "Heat map of response times in %s, %s%s.", x->part, name,
                            h ? "" : ": no data"),
    };
    if (h)
        add_cells(x, i, &spec);
    return plot_heat(x->a, &spec);
}

static const struct table *heat_table(const struct heating *x)
{
    static const char *const heads[] = { "Shortest", "Median", "99\u00a0%", "Longest" };
    static const struct fraction half = { 1, 2 }, most = { 99, 100 };
    struct table_builder b = table_begin(x->a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, x->a, RUN_PLAIN, "I/Os of %s and their response times", x->part);
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    table_column(&b, "I/Os", ALIGN_NUMBER);
    for (size_t k = 0; k < countof(heads); k++)
        table_column(&b, heads[k], ALIGN_NUMBER)->subhead = x->d->lat_unit_name;
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        const struct detail *detail = x->p->spots[i].detail;
        const struct hist *h = detail && detail->hist && detail->hist->m.n ? detail->hist : NULL;
        table_row(&b, ROW_NORMAL);
        table_cell(&b, x->d->subjects[i].series.name)->slot = x->d->subjects[i].series.slot;
        if (!h) {
            const char *why = x->p->spots[i].missing;
            table_gap(&b, why ? why : "it has no histograms in time");
            continue;
        }
        const double times[] = { (double)h->m.min, hist_percentile_or_nan(h, half),
                                 hist_percentile_or_nan(h, most), (double)h->m.max };
        table_cell(&b, arena_strdup(x->a, fmt_count(h->m.n).s));
        for (size_t k = 0; k < countof(times); k++)
            table_cell(&b, arena_strdup(x->a, time_table(x->d, times[k]).s));
    }
    return table_end(&b);
}

struct figure *figure_heat(struct arena *a, const struct report_data *d,
                           const struct group_point *p)
{
    const struct spot *any = timed_spot(d, p);
    struct heating x = { .a = a, .d = d, .p = p };
    if (!any)
        return NULL;
    find_rows(&x);
    if (x.first > x.last)
        return NULL;
    x.part = part_words(a, d, any->detail);
    struct figure *f = figure_of_point(a, d, p, "heat", "Every I/O of the window");
    const struct panel **panels = arena_array(a, const struct panel *, d->n_subjects);
    double column = 0;
    for (size_t i = 0; i < d->n_subjects; i++) {
        panels[i] = heat_panel(&x, i);
        column = heat_of(&x, i) ? heat_of(&x, i)->column_s : column;
    }
    f->panels = panels;
    f->n_panels = d->n_subjects;
    rich_printf(
        &f->caption, a, RUN_PLAIN,
        "All I/Os of %s, none left out: a column is %s, a row a twelfth of an octave (6\u00a0%%); "
        "the darker, the more I/Os (logarithm of their number). Same axes in all panels.",
        x.part, fmt_span_ns((uint64_t)llround(column * 1e9)).s);
    f->how_to_read =
        "One band: all I/Os are alike. A second band above it is what the slow ones have in "
        "common; a column that is dark to the top is a moment in which all of them waited.";
    f->data = heat_table(&x);
    return f;
}

/* --- samples ------------------------------------------------------------------------------------------------------- */

struct sampling {
    struct arena *a;
    const struct report_data *d;
    const struct group_point *p;
    double low, high, end;
};

static void find_range(struct sampling *x)
{
    x->low = INFINITY;
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        const struct detail *detail = x->p->spots[i].detail;
        for (size_t k = 0; detail && k < detail->n_samples; k++) {
            double ns = (double)detail->samples[k].lat_ns;
            x->low = ns > 0 ? fmin(x->low, ns) : x->low;
            x->high = fmax(x->high, ns);
        }
        if (detail)
            x->end = fmax(x->end, seconds_end(x->p->spots[i].in_time));
    }
}

static const struct panel *sample_panel(const struct sampling *x, size_t i)
{
    const struct spot *s = &x->p->spots[i];
    const struct detail *detail = s->detail;
    size_t n = detail ? detail->n_samples : 0, slow = 0;
    struct time_axis axis = time_axis_run(x->a, x->end);
    double *at = arena_array(x->a, double, 2 * n + 1), *y = at + n;
    for (size_t k = 0; k < n; k++) {
        at[k] = time_axis_x(&axis, (double)detail->samples[k].t_ns / 1e9);
        y[k] = (double)detail->samples[k].lat_ns / x->d->lat_unit;
        slow += detail->samples[k].slow;
    }
    struct scatter spec = { .series = x->d->subjects[i].series,
                            .x = at,
                            .y = y,
                            .n = n,
                            .log_y = true,
                            .x_low = 0,
                            .x_high = axis.high,
                            .y_low = x->low / x->d->lat_unit,
                            .y_high = x->high / x->d->lat_unit,
                            .x_ticks = axis.ticks,
                            .n_x_ticks = axis.n_ticks };
    const char *name = x->d->subjects[i].series.name;
    spec.panel = (struct panel) {
        .title = name,
        .subtitle = n ? arena_printf(x->a, "%s drawn by lot, %zu slowest · lower is better",
                                     fmt_count(n - slow).s, slow)
                      : "no single I/Os were kept",
        .direction = "lower is better",
        .y_title = arena_printf(x->a, "%s (log)", x->d->lat_unit_name),
        .x_title = axis.title,
        .alt = arena_printf(x->a, "Scatter plot of the response times of %s single I/Os, %s.",
                            fmt_count(n).s, name),
    };
    return plot_scatter(x->a, &spec);
}

static const struct table *sample_table(const struct sampling *x)
{
    struct table_builder b = table_begin(x->a, TABLE_DATA, NULL);
    rich_put(&b.table->caption, x->a, RUN_PLAIN,
             "Single I/Os that were kept, and the slowest of all");
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    table_column(&b, "Drawn by lot", ALIGN_NUMBER);
    table_column(&b, "Slowest", ALIGN_NUMBER)->subhead = "kept";
    table_column(&b, "The slowest", ALIGN_NUMBER)->subhead = x->d->lat_unit_name;
    table_column(&b, "Completed after", ALIGN_NUMBER)->subhead = "s";
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        const struct detail *detail = x->p->spots[i].detail;
        const struct sample *worst = NULL;
        size_t slow = 0, n = detail ? detail->n_samples : 0;
        for (size_t k = 0; k < n; k++) {
            const struct sample *s = &detail->samples[k];
            worst = !worst || s->lat_ns > worst->lat_ns ? s : worst;
            slow += s->slow;
        }
        table_row(&b, ROW_NORMAL);
        table_cell(&b, x->d->subjects[i].series.name)->slot = x->d->subjects[i].series.slot;
        table_cell(&b, arena_strdup(x->a, fmt_count(n - slow).s));
        table_cell(&b, arena_strdup(x->a, fmt_count(slow).s));
        double ns = worst ? (double)worst->lat_ns : (double)NAN;
        double at = worst ? (double)worst->t_ns / 1e9 : (double)NAN;
        table_cell(&b, arena_strdup(x->a, time_table(x->d, ns).s));
        table_cell(&b, arena_strdup(x->a, fmt_table(at).s));
    }
    return table_end(&b);
}

struct figure *figure_samples(struct arena *a, const struct report_data *d,
                              const struct group_point *p)
{
    struct sampling x = { .a = a, .d = d, .p = p };
    find_range(&x);
    if (!(x.low <= x.high))
        return NULL;
    struct figure *f = figure_of_point(a, d, p, "samples", "Single I/Os");
    const struct panel **panels = arena_array(a, const struct panel *, d->n_subjects);
    for (size_t i = 0; i < d->n_subjects; i++)
        panels[i] = sample_panel(&x, i);
    f->panels = panels;
    f->n_panels = d->n_subjects;
    rich_put(
        &f->caption, a, RUN_PLAIN,
        "Each dot is one I/O of the whole run: at most 20,000 a target drawn by lot, each I/O with "
        "the same chance, and the 100 slowest, which the lot would miss. Same axes in all panels.");
    f->data = sample_table(&x);
    return f;
}
