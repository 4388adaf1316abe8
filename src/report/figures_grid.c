#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "chart/plot_cells.h"
#include "chart/plot_line.h"
#include "report/figures.h"
#include "report/figures_sweep.h"
#include "report/table_build.h"
#include "report/words.h"

/* Wider or higher tables are left to the table of all results. */
enum { MOST_COLUMNS = 16, MOST_ROWS = 24, LEAST_SIZES = 3 };

/* A shaded table while it is filled: a point for each cell, NULL where the matrix has none. */
struct grid {
    struct arena *a;
    const struct report_data *d;
    const struct report_workload *w;
    double *x, *y; /* ascending columns; rows */
    size_t nx, ny;
    const struct group_point **at; /* [row · nx + column] */
    const char *const *columns, *const *rows;
    const char *x_title, *y_title, *slug, *title, *what;
};

static void insert(double *at, size_t *n, double v)
{
    size_t i = *n;
    while (i > 0 && at[i - 1] > v)
        i--;
    if (i > 0 && at[i - 1] == v)
        return;
    memmove(&at[i + 1], &at[i], (*n - i) * sizeof *at);
    at[i] = v;
    ++*n;
}

static size_t index_of(const double *at, size_t n, double v)
{
    size_t i = 0;
    while (i < n && at[i] != v)
        i++;
    return i;
}

static bool is_grid(const struct grid *g)
{
    return g->nx > 1 && g->ny > 1 && g->nx <= MOST_COLUMNS && g->ny <= MOST_ROWS;
}

static bool better(enum metric m, double v, double best)
{
    return isnan(best) || (metric_lower_is_better(m) ? v < best : v > best);
}

/* The darkest shade is the same in all panels: they are to be compared. */
static double largest(const struct grid *g)
{
    double most = 0;
    for (size_t i = 0; i < g->nx * g->ny; i++)
        for (size_t k = 0; g->at[i] && k < g->d->n_subjects; k++)
            most = fmax(most, metric_scale(g->d, g->w->headline,
                                           g->at[i]->spots[k].metric[g->w->headline].value));
    return most;
}

static const struct panel *grid_panel(const struct grid *g, size_t subject)
{
    const struct report_data *d = g->d;
    enum metric m = g->w->headline;
    size_t n = g->nx * g->ny, best = SIZE_MAX;
    struct cells_value *at = arena_array(g->a, struct cells_value, n);
    double most = NAN;
    for (size_t i = 0; i < n; i++) {
        const struct group_point *p = g->at[i];
        double v = p ? p->spots[subject].metric[m].value : (double)NAN;
        at[i] = (struct cells_value) {
            .value = metric_scale(d, m, v),
            .label = arena_strdup(g->a, value_label(d, m, v).s),
            .tooltip = p ? spot_tooltip(g->a, d, p, subject, m) : NULL,
        };
        if (!isnan(v) && better(m, v, most)) {
            most = v;
            best = i;
        }
    }
    if (best != SIZE_MAX)
        at[best].best = true;
    struct cells spec = { .series = d->subjects[subject].series,
                          .columns = g->columns,
                          .rows = g->rows,
                          .n_columns = g->nx,
                          .n_rows = g->ny,
                          .most = largest(g),
                          .at = at };
    const char *name = d->subjects[subject].series.name;
    spec.panel = (struct panel) {
        .title = name,
        .subtitle = arena_printf(g->a, "%s, %s · %s · %s", g->title, metric_unit(d, m),
                                 metric_direction(m), figure_n(g->a, d)),
        .direction = metric_direction(m),
        .x_title = g->x_title,
        .y_title = g->y_title,
        .alt = best == SIZE_MAX
                   ? arena_printf(g->a, "Table of %s, %s: not measured.", g->what, name)
                   : arena_printf(g->a, "Table of %s in %s, %s: best %s at %s and %s.",
                                  metric_name(m), g->what, name, value_unit(d, m, most).s,
                                  g->rows[best / g->nx], g->columns[best % g->nx]),
    };
    return plot_cells(g->a, &spec);
}

static const struct table *grid_table(const struct grid *g)
{
    enum metric m = g->w->headline;
    struct table_builder b = table_begin(g->a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, g->a, RUN_PLAIN, "%s, %s", metric_unit(g->d, m), g->what);
    table_column(&b, g->y_title, ALIGN_TEXT)->row_head = true;
    for (size_t x = 0; x < g->nx; x++)
        table_column(&b, g->columns[x], ALIGN_NUMBER);
    for (size_t i = 0; i < g->d->n_subjects; i++) {
        table_row(&b, ROW_GROUP);
        table_cell(&b, g->d->subjects[i].series.name);
        for (size_t y = 0; y < g->ny; y++) {
            table_row(&b, ROW_NORMAL);
            table_cell(&b, g->rows[y]);
            for (size_t x = 0; x < g->nx; x++) {
                const struct group_point *p = g->at[y * g->nx + x];
                double v = p ? p->spots[i].metric[m].value : (double)NAN;
                table_cell(&b, arena_strdup(g->a, value_table(g->d, m, v).s));
            }
        }
    }
    return table_end(&b);
}

static struct figure *grid_figure(const struct grid *g)
{
    const struct panel **panels = arena_array(g->a, const struct panel *, g->d->n_subjects);
    for (size_t i = 0; i < g->d->n_subjects; i++)
        panels[i] = grid_panel(g, i);
    struct figure *f = figure_new(g->a, arena_printf(g->a, "%s-%s", g->w->slug, g->slug),
                                  arena_printf(g->a, "%s, %s", g->title, g->what), panels,
                                  g->d->n_subjects);
    rich_printf(&f->caption, g->a, RUN_PLAIN,
                "%s, a table a target. Darker is more, from zero to the largest value of all "
                "tables; the best cell of each is framed; a dashed cell was not measured.",
                metric_unit(g->d, g->w->headline));
    f->data = grid_table(g);
    return f;
}

/* --- queue depth × workers ----------------------------------------------------------------------------------------- */

struct figure *figure_grid(struct arena *a, const struct report_data *d,
                           const struct report_workload *w)
{
    struct grid g = { .a = a, .d = d, .w = w };
    g.x = arena_array(a, double, w->n_points + 1);
    g.y = arena_array(a, double, w->n_points + 1);
    for (size_t p = 0; p < w->n_points; p++) {
        insert(g.x, &g.nx, w->points[p].queue_depth);
        insert(g.y, &g.ny, w->points[p].workers);
    }
    if (!is_grid(&g) || g.nx * g.ny < w->n_points)
        return NULL;
    const char **columns = arena_array(a, const char *, g.nx);
    const char **rows = arena_array(a, const char *, g.ny);
    for (size_t i = 0; i < g.nx; i++)
        columns[i] = arena_strdup(a, fmt_exact(g.x[i]).s);
    for (size_t i = 0; i < g.ny; i++)
        rows[i] = arena_strdup(a, fmt_plural((uint64_t)g.y[i], "worker").s);
    g.at = arena_array(a, const struct group_point *, g.nx *g.ny);
    for (size_t p = 0; p < w->n_points; p++)
        g.at[index_of(g.y, g.ny, w->points[p].workers) * g.nx +
             index_of(g.x, g.nx, w->points[p].queue_depth)] = &w->points[p];
    g.columns = columns;
    g.rows = rows;
    g.x_title = "Queue depth of each worker";
    g.y_title = "Workers";
    g.slug = "grid";
    g.title = w->title;
    g.what = "queue depth by workers";
    return grid_figure(&g);
}

/* --- variants of a workload ---------------------------------------------------------------------------------------- */

static bool same_family(const struct report_workload *a, const struct report_workload *b)
{
    return a->workload && b->workload && a->workload->n_lines && b->workload->n_lines &&
           !strcmp(a->workload->id, b->workload->id);
}

/* The deepest point: the same place of the matrix in every variant. */
static const struct group_point *deepest(const struct report_workload *w)
{
    return w->n_points ? &w->points[w->n_points - 1] : NULL;
}

static bool same_point(const struct group_point *a, const struct group_point *b)
{
    return a && b && a->queue_depth == b->queue_depth && a->workers == b->workers;
}

/* Has w a sibling before it that the test accepts? */
typedef bool sibling_fn(const struct report_workload *a, const struct report_workload *b);

static bool is_first(const struct report_data *d, const struct report_workload *w, sibling_fn *fn)
{
    for (const struct report_workload *b = d->workloads; b < w; b++)
        if (fn(b, w))
            return false;
    return true;
}

static bool same_random(const struct report_workload *a, const struct report_workload *b)
{
    return same_family(a, b) &&
           workload_random_percent(a->workload) == workload_random_percent(b->workload);
}

static bool random_varies(const struct report_data *d, const struct report_workload *w)
{
    for (size_t k = 0; k < d->n_workloads; k++)
        if (same_family(&d->workloads[k], w) && !same_random(&d->workloads[k], w))
            return true;
    return false;
}

struct figure *figure_mix(struct arena *a, const struct report_data *d,
                          const struct report_workload *w)
{
    if (!same_family(w, w) || !is_first(d, w, same_random))
        return NULL;
    struct grid g = { .a = a, .d = d, .w = w };
    g.x = arena_array(a, double, d->n_workloads + 1);
    g.y = arena_array(a, double, d->n_workloads + 1);
    for (size_t k = 0; k < d->n_workloads; k++)
        if (same_random(&d->workloads[k], w)) {
            insert(g.x, &g.nx, workload_mean_size(d->workloads[k].workload));
            insert(g.y, &g.ny, workload_read_percent(d->workloads[k].workload));
        }
    if (!is_grid(&g))
        return NULL;
    const char **columns = arena_array(a, const char *, g.nx);
    const char **rows = arena_array(a, const char *, g.ny);
    for (size_t i = 0; i < g.nx; i++)
        columns[i] = arena_strdup(a, fmt_bytes((uint64_t)g.x[i]).s);
    for (size_t i = 0; i < g.ny; i++)
        rows[i] = arena_printf(a, "%s\u00a0%%", fmt_exact(g.y[i]).s);
    g.at = arena_array(a, const struct group_point *, g.nx *g.ny);
    for (size_t k = 0; k < d->n_workloads; k++) {
        const struct report_workload *v = &d->workloads[k];
        if (same_random(v, w) && same_point(deepest(v), deepest(w)))
            g.at[index_of(g.y, g.ny, workload_read_percent(v->workload)) * g.nx +
                 index_of(g.x, g.nx, workload_mean_size(v->workload))] = deepest(v);
    }
    g.columns = columns;
    g.rows = rows;
    g.x_title = "Transfer size";
    g.y_title = "Reads";
    g.slug = "mix";
    g.title = random_varies(d, w) ? arena_printf(a, "%s, %s\u00a0%% random", w->family,
                                                 fmt_exact(workload_random_percent(w->workload)).s)
                                  : w->family;
    g.what = arena_printf(a, "reads by transfer size, %s", deepest(w) ? deepest(w)->label : "");
    return grid_figure(&g);
}

/* --- transfer size ------------------------------------------------------------------------------------------------- */

static bool same_reads(const struct report_workload *a, const struct report_workload *b)
{
    return same_random(a, b) &&
           workload_read_percent(a->workload) == workload_read_percent(b->workload);
}

static struct text size_text(double bytes)
{
    return fmt_bytes((uint64_t)bytes);
}

/* Variants by size; one a size. */
struct sizes {
    struct arena *a;
    const struct report_data *d;
    const struct report_workload *w;
    const struct report_workload **at;
    size_t n;
};

static void find_sizes(struct sizes *s)
{
    s->at = arena_array(s->a, const struct report_workload *, s->d->n_workloads);
    for (size_t k = 0; k < s->d->n_workloads; k++) {
        const struct report_workload *v = &s->d->workloads[k];
        if (!same_reads(v, s->w) || !same_point(deepest(v), deepest(s->w)))
            continue;
        double size = workload_mean_size(v->workload);
        size_t i = s->n;
        while (i > 0 && workload_mean_size(s->at[i - 1]->workload) > size)
            i--;
        if (i > 0 && workload_mean_size(s->at[i - 1]->workload) == size)
            continue;
        memmove(&s->at[i + 1], &s->at[i], (s->n - i) * sizeof(const struct report_workload *));
        s->at[i] = v;
        s->n++;
    }
}

static const struct panel *sizes_panel(const struct sizes *s, enum metric m)
{
    const struct report_data *d = s->d;
    struct line *lines = arena_array(s->a, struct line, d->n_subjects);
    struct str alt = str_new(1 << 20);
    for (size_t i = 0; i < d->n_subjects; i++) {
        struct line_point *at = arena_array(s->a, struct line_point, s->n);
        for (size_t k = 0; k < s->n; k++) {
            const struct group_point *p = deepest(s->at[k]);
            const struct value *v = &p->spots[i].metric[m];
            at[k] = (struct line_point) { .x = workload_mean_size(s->at[k]->workload),
                                          .y = metric_scale(d, m, v->value),
                                          .low = metric_scale(d, m, v->low),
                                          .high = metric_scale(d, m, v->high),
                                          .upper = NAN,
                                          .not_reached = p->spots[i].not_reached,
                                          .tooltip = spot_tooltip(s->a, d, p, i, m),
                                          .missing = p->spots[i].missing ? "not measured" : NULL };
        }
        lines[i] = (struct line) { d->subjects[i].series, at, s->n };
        str_printf(&alt, "%s%s from %s to %s", i ? "; " : "", d->subjects[i].series.name,
                   value_unit(d, m, deepest(s->at[0])->spots[i].metric[m].value).s,
                   value_unit(d, m, deepest(s->at[s->n - 1])->spots[i].metric[m].value).s);
    }
    struct lines spec = { .at = lines, .n = d->n_subjects, .x_text = size_text, .reference = NAN };
    spec.panel = (struct panel) {
        .title = m == METRIC_MB_S ? "Does size bring more MB/s?" : "What does size cost in IOPS?",
        .subtitle = arena_printf(s->a, "%s, %s · %s · %s", s->w->any_size, deepest(s->w)->label,
                                 metric_direction(m), figure_n(s->a, d)),
        .direction = metric_direction(m),
        .y_title = metric_unit(d, m),
        .x_title = "Transfer size",
        .alt = arena_printf(s->a, "Line chart of %s against transfer size, %s: %s.", metric_name(m),
                            s->w->any_size, alt.at ? alt.at : ""),
    };
    str_done(&alt);
    return plot_line(s->a, &spec);
}

static const struct table *sizes_table(const struct sizes *s)
{
    static const enum metric metrics[] = { METRIC_MB_S, METRIC_IOPS };
    struct table_builder b = table_begin(s->a, TABLE_DATA, NULL);
    rich_printf(&b.table->caption, s->a, RUN_PLAIN, "By transfer size, %s, %s",
                deepest(s->w)->label, repeats_words(s->a, s->d));
    table_column(&b, "Transfer size", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; i < s->d->n_subjects; i++)
        for (size_t m = 0; m < countof(metrics); m++) {
            struct column *c = table_column(&b, metric_unit(s->d, metrics[m]), ALIGN_NUMBER);
            c->group = s->d->subjects[i].series.name;
            c->slot = s->d->subjects[i].series.slot;
        }
    for (size_t k = 0; k < s->n; k++) {
        table_row(&b, ROW_NORMAL);
        table_cell(&b, arena_strdup(s->a, size_text(workload_mean_size(s->at[k]->workload)).s));
        for (size_t i = 0; i < s->d->n_subjects; i++)
            for (size_t m = 0; m < countof(metrics); m++) {
                double v = deepest(s->at[k])->spots[i].metric[metrics[m]].value;
                table_cell(&b, arena_strdup(s->a, value_table(s->d, metrics[m], v).s));
            }
    }
    return table_end(&b);
}

struct figure *figure_sizes(struct arena *a, const struct report_data *d,
                            const struct report_workload *w)
{
    struct sizes s = { .a = a, .d = d, .w = w };
    if (!same_family(w, w) || !is_first(d, w, same_reads))
        return NULL;
    find_sizes(&s);
    if (s.n < LEAST_SIZES)
        return NULL;
    const struct panel **panels = arena_array(a, const struct panel *, 2);
    panels[0] = sizes_panel(&s, METRIC_MB_S);
    panels[1] = sizes_panel(&s, METRIC_IOPS);
    struct figure *f = figure_new(a, arena_printf(a, "%s-sizes", w->slug),
                                  arena_printf(a, "%s, over transfer size", w->any_size), panels,
                                  2);
    rich_printf(&f->caption, a, RUN_PLAIN, "Sizes at equal steps for each doubling, all at %s. %s",
                deepest(w)->label, figure_interval_words(a, d));
    f->data = sizes_table(&s);
    return f;
}
