#include "report/tables.h"

#include <math.h>

#include "base/array.h"
#include "report/checks.h"
#include "report/table_build.h"
#include "report/words.h"

static const char *number(struct arena *a, struct text t)
{
    return arena_strdup(a, t.s);
}

static struct table_row *subject_row(struct table_builder *b, const struct subject *s)
{
    struct table_row *row = table_row(b, s->series.highlighted ? ROW_HIGHLIGHT : ROW_NORMAL);
    row->slot = s->series.slot;
    return row;
}

static void subject_cell(struct table_builder *b, const struct subject *s)
{
    table_cell(b, s->series.name)->slot = s->series.slot;
}

static void value_cell(struct table_builder *b, const struct report_data *d,
                       const struct spot *spot, enum metric m)
{
    const struct value *v = &spot->metric[m];
    struct table_cell *c = table_cell(b, number(b->a, value_table(d, m, v->value)));
    c->detail = value_interval(b->a, d, m, v);
    if (!c->detail && spot->n_reps == 2 && !isnan(v->value))
        c->detail = arena_printf(b->a, "%s and %s", value_table(d, m, v->repeats[0]).s,
                                 value_table(d, m, v->repeats[1]).s);
}

/* --- behind figures ------------------------------------------------------------------------------------------------ */

const struct table *table_point(struct arena *a, const struct report_data *d,
                                const struct group_point *p)
{
    struct table_builder b = table_begin(a, TABLE_DATA, NULL);
    const struct report_workload *w = &d->workloads[p->workload];
    rich_printf(&b.table->caption, a, RUN_PLAIN, "%s, %s; %s, 95\u00a0%% interval in brackets",
                w->title, p->label, repeats_words(a, d));
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    table_column(&b, "IOPS", ALIGN_NUMBER);
    table_column(&b, "MB/s", ALIGN_NUMBER);
    table_column(&b, "Average response time", ALIGN_NUMBER)->subhead = d->lat_unit_name;
    table_column(&b, "99th percentile", ALIGN_NUMBER)->subhead = d->lat_unit_name;
    table_column(&b, "Runs", ALIGN_NUMBER);
    table_column(&b, "Achieved depth", ALIGN_NUMBER);
    size_t n = 0;
    const size_t *order = best_first(a, d, p, w->headline, &n);
    bool *told = arena_array(a, bool, d->n_subjects);
    for (size_t i = 0; i < n + d->n_subjects; i++) {
        size_t subject = i < n ? order[i] : i - n;
        if (told[subject])
            continue;
        told[subject] = true;
        const struct spot *s = &p->spots[subject];
        table_row(&b, ROW_NORMAL);
        subject_cell(&b, &d->subjects[subject]);
        if (s->missing) {
            table_gap(&b, s->missing);
            continue;
        }
        value_cell(&b, d, s, METRIC_IOPS);
        value_cell(&b, d, s, METRIC_MB_S);
        value_cell(&b, d, s, METRIC_LAT_MEAN);
        table_cell(&b, number(a, value_table(d, METRIC_LAT_P99, s->percentile[P99])));
        table_cell(&b, number(a, fmt_count(s->n_reps)));
        table_cell(&b, number(a, fmt_fixed(s->achieved_depth, 1)))->mark = spot_marks(s);
    }
    return table_end(&b);
}

const struct table *table_depths(struct arena *a, const struct report_data *d,
                                 const struct report_workload *w)
{
    struct table_builder b = table_begin(a, TABLE_DATA, NULL);
    static const enum metric metrics[] = { METRIC_IOPS, METRIC_LAT_MEAN, METRIC_LAT_P99 };
    rich_printf(&b.table->caption, a, RUN_PLAIN, "%s by queue depth, %s", w->title,
                repeats_words(a, d));
    table_column(&b, "Queue depth", ALIGN_NUMBER)->row_head = true;
    for (size_t i = 0; i < d->n_subjects; i++) {
        const char *const heads[] = { metric_unit(d, w->headline),
                                      arena_printf(a, "mean, %s", d->lat_unit_name),
                                      arena_printf(a, "p99, %s", d->lat_unit_name) };
        for (size_t m = 0; m < countof(heads); m++) {
            struct column *c = table_column(&b, heads[m], ALIGN_NUMBER);
            c->group = d->subjects[i].series.name;
            c->slot = d->subjects[i].series.slot;
        }
    }
    for (size_t p = 0; p < w->n_points; p++) {
        table_row(&b, ROW_NORMAL);
        table_cell(&b, arena_printf(a, "%u", w->points[p].queue_depth));
        for (size_t i = 0; i < d->n_subjects; i++) {
            const struct spot *s = &w->points[p].spots[i];
            for (size_t m = 0; m < countof(metrics); m++) {
                enum metric metric = m == 0 ? w->headline : metrics[m];
                double v = m == 2 ? s->percentile[P99] : s->metric[metric].value;
                struct table_cell *c = table_cell(&b, number(a, value_table(d, metric, v)));
                c->mark = m == 0 ? spot_marks(s) : NULL;
            }
        }
    }
    return table_end(&b);
}

/* --- percentiles --------------------------------------------------------------------------------------------------- */

static const char *const percentile_heads[PERCENTILE_COUNT] = { "p50", "p90", "p99", "p99.9",
                                                                "p99.99" };

static void percentile_row(struct table_builder *b, const struct report_data *d,
                           const struct group_point *p, size_t subject, const char *head)
{
    const struct spot *s = &p->spots[subject];
    subject_row(b, &d->subjects[subject]);
    struct table_cell *c = table_cell(b, head);
    if (s->missing) {
        table_gap(b, s->missing);
        return;
    }
    c->mark = spot_marks(s);
    table_cell(b, number(b->a, time_table(d, s->metric[METRIC_LAT_MEAN].value)));
    table_cell(b, number(b->a, time_table(d, s->sigma)));
    for (size_t k = 0; k < PERCENTILE_COUNT; k++)
        table_cell(b, number(b->a, time_table(d, s->percentile[k])));
    table_cell(b, number(b->a, time_table(d, s->max)));
    table_cell(b, number(b->a, s->ios ? fmt_count(s->ios) : fmt_fixed((double)NAN, 0)));
}

const struct table *table_percentiles(struct arena *a, const struct report_data *d,
                                      const struct report_workload *w)
{
    struct table_builder b = table_begin(a, TABLE_PLAIN,
                                         arena_printf(a, "percentiles-%s", w->slug));
    rich_printf(&b.table->caption, a, RUN_STRONG, "%s.", w->title);
    rich_printf(&b.table->caption, a, RUN_PLAIN, " Response time, %s", d->lat_unit_name);
    struct column *first = table_column(&b, w->depth_axis ? "Queue depth" : "Point",
                                        w->depth_axis ? ALIGN_NUMBER : ALIGN_TEXT);
    first->row_head = true;
    table_column(&b, "Mean", ALIGN_NUMBER);
    table_column(&b, "σ", ALIGN_NUMBER);
    for (size_t k = 0; k < PERCENTILE_COUNT; k++)
        table_column(&b, percentile_heads[k], ALIGN_NUMBER);
    table_column(&b, "Max", ALIGN_NUMBER);
    table_column(&b, "I/Os", ALIGN_NUMBER);
    for (size_t i = 0; i < d->n_subjects; i++) {
        table_row(&b, ROW_GROUP);
        subject_cell(&b, &d->subjects[i]);
        for (size_t p = 0; p < w->n_points; p++)
            percentile_row(&b, d, &w->points[p], i,
                           w->depth_axis ? arena_printf(a, "%u", w->points[p].queue_depth)
                                         : w->points[p].label);
    }
    return table_end(&b);
}

/* --- all results --------------------------------------------------------------------------------------------------- */

static bool steady_tested(const struct report_data *d)
{
    for (size_t i = 0; i < d->n_cells; i++)
        if (d->cells[i].steady >= 0)
            return true;
    return false;
}

static void result_columns(struct table_builder *b, bool steady)
{
    static const char *const heads[] = { "Depth", "Achieved", "IOPS", "MB/s",   "Mean", "σ", "p50",
                                         "p99",   "p99.9",    "Max",  "Errors", "Runs", "s" };
    table_column(b, "Target", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; i < countof(heads); i++)
        table_column(b, heads[i], ALIGN_NUMBER);
    table_column(b, "I/O", ALIGN_TEXT);
    if (steady)
        table_column(b, "Steady", ALIGN_TEXT);
}

static const char *steady_words(const struct spot *s)
{
    if (!s->cell || s->cell->steady < 0)
        return "not tested";
    return s->not_steady ? "no" : "yes";
}

static void result_row(struct table_builder *b, const struct report_data *d,
                       const struct group_point *p, size_t subject, bool steady)
{
    const struct spot *s = &p->spots[subject];
    struct arena *a = b->a;
    subject_row(b, &d->subjects[subject]);
    subject_cell(b, &d->subjects[subject]);
    table_cell(b, arena_printf(a, "%u", p->queue_depth))->mark = spot_marks(s);
    if (s->missing) {
        table_gap(b, s->missing);
        return;
    }
    table_cell(b, number(a, fmt_fixed(s->achieved_depth, 1)));
    value_cell(b, d, s, METRIC_IOPS);
    table_cell(b, number(a, value_table(d, METRIC_MB_S, s->metric[METRIC_MB_S].value)));
    table_cell(b, number(a, time_table(d, s->metric[METRIC_LAT_MEAN].value)));
    table_cell(b, number(a, time_table(d, s->sigma)));
    table_cell(b, number(a, time_table(d, s->percentile[P50])));
    table_cell(b, number(a, time_table(d, s->percentile[P99])));
    table_cell(b, number(a, time_table(d, s->percentile[P999])));
    table_cell(b, number(a, time_table(d, s->max)));
    table_cell(b, number(a, fmt_count(s->errors)));
    table_cell(b, number(a, fmt_count(s->n_reps)));
    table_cell(b, number(a, fmt_table(s->seconds)));
    table_cell(b, s->cell->engine == USED_NONE ? "–" : s->buffered ? "buffered" : "direct");
    if (steady)
        table_cell(b, steady_words(s));
}

const struct table *table_results(struct arena *a, const struct report_data *d)
{
    struct table_builder b = table_begin(a, TABLE_FULL, "all-results");
    rich_printf(&b.table->caption, a, RUN_PLAIN,
                "%s; 95\u00a0%% interval of IOPS in brackets; response times in %s; s: seconds "
                "measured. The device under test is tinted.%s",
                d->repeated ? "Median of the runs" : "One row a point", d->lat_unit_name,
                marks_words(a, d, d->points, d->n_points));
    bool steady = steady_tested(d);
    result_columns(&b, steady);
    for (size_t w = 0; w < d->n_workloads; w++) {
        const struct report_workload *workload = &d->workloads[w];
        for (size_t p = 0; p < workload->n_points; p++) {
            const struct group_point *point = &workload->points[p];
            bool own_head = p == 0 || !workload->depth_axis;
            if (own_head) {
                struct table_row *row = table_row(&b, ROW_GROUP);
                row->detail = workload->description;
                table_cell(&b, workload->depth_axis || workload->n_points == 1
                                   ? workload->title
                                   : arena_printf(a, "%s, %s", workload->title, point->label));
            }
            for (size_t i = 0; i < d->n_subjects; i++)
                result_row(&b, d, point, i, steady);
        }
    }
    return table_end(&b);
}
