#include "report/tables_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "report/limits.h"
#include "report/table_build.h"
#include "report/words.h"
#include "stats/interval.h"

/* A spot's records in one of two parts. */
enum part { PART_RUN, PART_WINDOW };

static const struct evenness *even_of(const struct spot *s, enum part part)
{
    return part == PART_RUN ? &s->detail->whole : &s->detail->even;
}

static bool has_records(const struct spot *s)
{
    return s->detail && s->in_time->n > 0;
}

static bool has_window(const struct report_data *d, const struct group_point *p)
{
    for (size_t i = 0; i < d->n_subjects; i++)
        if (has_records(&p->spots[i]) && p->spots[i].detail->part.n < p->spots[i].in_time->n)
            return true;
    return false;
}

static const char *copy(struct arena *a, struct text t)
{
    return arena_strdup(a, t.s);
}

/* "The last 60 minutes" */
static const char *part_head(struct arena *a, const struct report_data *d,
                             const struct group_point *p, enum part part)
{
    if (part == PART_RUN)
        return "The whole run";
    const char *words = part_words(a, d, timed_spot(d, p)->detail);
    return arena_printf(a, "%c%s", words[0] - 'a' + 'A', words + 1);
}

static void put_head(struct table_builder *b, const struct report_data *d,
                     const struct group_point *p, enum part part)
{
    if (!has_window(d, p))
        return;
    table_row(b, ROW_GROUP);
    table_cell(b, part_head(b->a, d, p, part));
}

static void put_name(struct table_builder *b, const struct report_data *d, size_t i)
{
    bool marked = d->n_subjects > 1 && i == d->highlighted;
    struct table_row *row = table_row(b, marked ? ROW_HIGHLIGHT : ROW_NORMAL);
    row->slot = marked ? d->subjects[i].series.slot : 0;
    table_cell(b, d->subjects[i].series.name)->slot = d->subjects[i].series.slot;
}

/* --- evenness ------------------------------------------------------------------------------------------------------ */

/* Both are rounded from the unrounded variance (§1). */
static const char *sigma_words(struct arena *a, const struct report_data *d, double ns)
{
    return copy(a, fmt_sig(ns / d->lat_unit, 3));
}

static const char *variance_words(struct arena *a, const struct report_data *d, double ns2)
{
    return copy(a, fmt_sig(ns2 / d->lat_unit / d->lat_unit, 3));
}

static void evenness_row(struct table_builder *b, const struct report_data *d,
                         const struct group_point *p, size_t i, enum part part)
{
    const struct spot *s = &p->spots[i];
    put_name(b, d, i);
    if (!has_records(s)) {
        table_gap(b, s->missing ? s->missing : "it has no records in time");
        return;
    }
    const struct evenness *e = even_of(s, part);
    table_cell(b, copy(b->a, fmt_count(e->n)));
    table_cell(b, copy(b->a, fmt_count(e->n_empty)));
    table_cell(b, copy(b->a, time_table(d, e->mean)));
    table_cell(b, sigma_words(b->a, d, e->deviation));
    table_cell(b, variance_words(b->a, d, e->variance));
    table_cell(b, copy(b->a, time_table(d, e->q02)));
    table_cell(b, copy(b->a, time_table(d, e->median)));
    table_cell(b, copy(b->a, time_table(d, e->q98)));
    table_cell(b, copy(b->a, time_table(d, e->most)));
    table_cell(b, copy(b->a, fmt_share(e->in_band, e->n)));
}

static void evenness_columns(struct table_builder *b, const struct report_data *d, double step)
{
    const char *unit = d->lat_unit_name;
    table_column(b, "Target", ALIGN_TEXT)->row_head = true;
    struct column *n = table_column(b, "n", ALIGN_NUMBER);
    n->subhead = step == 1 ? "seconds" : "records";
    table_column(b, "Stalled", ALIGN_NUMBER)->subhead = n->subhead;
    static const char *const names[] = { "Mean",   "σ",         "Variance", "2\u00a0%",
                                         "Median", "98\u00a0%", "Longest" };
    for (size_t i = 0; i < countof(names); i++)
        table_column(b, names[i], ALIGN_NUMBER)->subhead = !strcmp(names[i], "Variance")
                                                               ? arena_printf(b->a, "%s²", unit)
                                                               : unit;
    table_column(b, "Within ±5\u00a0%", ALIGN_NUMBER)->subhead = "of the mean";
}

const char *evenness_id(struct arena *a, const struct group_point *p)
{
    return arena_printf(a, "%s-evenness", p->slug);
}

static void evenness_rows(struct table_builder *b, const struct report_data *d,
                          const struct group_point *p, enum part part)
{
    for (size_t i = 0; i < d->n_subjects; i++)
        evenness_row(b, d, p, i, part);
}

const struct table *table_evenness(struct arena *a, const struct report_data *d,
                                   const struct group_point *p, enum evenness_rows rows)
{
    const struct spot *any = timed_spot(d, p);
    if (!any)
        return NULL;
    bool both = rows == EVENNESS_BOTH;
    struct table_builder b = table_begin(a, both ? TABLE_PLAIN : TABLE_DATA,
                                         both ? evenness_id(a, p) : NULL);
    rich_printf(
        &b.table->caption, a, RUN_PLAIN,
        "%s%sMean response times of single %s; σ and variance of these averages, both rounded "
        "from one value, n − 1 in the denominator; the mean is over all I/Os",
        both ? "" : part_head(a, d, p, rows == EVENNESS_RUN ? PART_RUN : PART_WINDOW),
        both ? "" : ". ", record_plural(a, any->in_time->step));
    evenness_columns(&b, d, any->in_time->step);
    if (!both) {
        evenness_rows(&b, d, p, rows == EVENNESS_RUN ? PART_RUN : PART_WINDOW);
        return table_end(&b);
    }
    for (int part = PART_RUN; part <= (has_window(d, p) ? PART_WINDOW : PART_RUN); part++) {
        put_head(&b, d, p, (enum part)part);
        evenness_rows(&b, d, p, (enum part)part);
    }
    return table_end(&b);
}

/* --- shares -------------------------------------------------------------------------------------------------------- */

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* §3: from the pooled points of all targets. */
static size_t choose_thresholds(const struct report_data *d, const struct group_point *p,
                                double ret[3])
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < d->n_subjects; i++)
        n += has_records(&p->spots[i]) ? p->spots[i].detail->whole.n : 0;
    if (n == 0)
        return 0;
    double *pooled = xmalloc(n * sizeof *pooled);
    for (size_t i = 0; i < d->n_subjects; i++)
        if (has_records(&p->spots[i])) {
            const struct evenness *e = &p->spots[i].detail->whole;
            memcpy(pooled + at, e->sorted, e->n * sizeof *pooled);
            at += e->n;
        }
    qsort(pooled, n, sizeof *pooled, ascending);
    const struct evenness all = { .n = n, .sorted = pooled };
    size_t chosen = thresholds_choose(
        floor(evenness_rank(&all, 1, 2)), floor(evenness_rank(&all, 95, 100)),
        floor(evenness_rank(&all, 99, 100)), floor(evenness_rank(&all, 999, 1000)), ret);
    free(pooled);
    return chosen;
}

static void share_row(struct table_builder *b, const struct spot *s, const struct evenness *e,
                      const double *limits, size_t n)
{
    if (!e) {
        table_gap(b, s->missing ? s->missing : "it has no records in time");
        return;
    }
    table_cell(b, copy(b->a, fmt_count(e->n)));
    table_cell(b, copy(b->a, fmt_count(e->n_empty)));
    for (size_t k = 0; k < n; k++)
        table_cell(b, copy(b->a, fmt_share(evenness_below(e, limits[k]), e->n)));
}

const struct table *table_shares(struct arena *a, const struct report_data *d,
                                 const struct group_point *p, const char *thresholds)
{
    const struct spot *any = timed_spot(d, p);
    if (!any)
        return NULL;
    double chosen[3], *stated = NULL;
    size_t n = limits_of_time(a, thresholds, &stated);
    const double *limits = stated;
    if (!thresholds) {
        n = choose_thresholds(d, p, chosen);
        limits = chosen;
    }
    double step = any->in_time->step;
    struct table_builder b = table_begin(a, TABLE_PLAIN, arena_printf(a, "%s-shares", p->slug));
    rich_printf(
        &b.table->caption, a, RUN_PLAIN,
        "Share of the %s strictly below each threshold; thresholds %s. %s without a completed "
        "I/O are not below anything and are counted apart. A share of %ss is not a share of I/Os",
        averages_words(a, step),
        thresholds ? "stated in the template" : "chosen from the data, the same for all targets",
        step == 1 ? "Seconds" : "Records", step == 1 ? "second" : "record");
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    const char *records = step == 1 ? "seconds" : "records";
    table_column(&b, "n", ALIGN_NUMBER)->subhead = records;
    table_column(&b, "Stalled", ALIGN_NUMBER)->subhead = records;
    for (size_t k = 0; k < n; k++)
        table_column(
            &b, arena_printf(a, "<\u00a0%s\u00a0%s", exact_time(a, d, limits[k]), d->lat_unit_name),
            ALIGN_NUMBER);
    for (int part = PART_RUN; part <= (has_window(d, p) ? PART_WINDOW : PART_RUN); part++) {
        put_head(&b, d, p, (enum part)part);
        for (size_t i = 0; i < d->n_subjects; i++) {
            const struct spot *s = &p->spots[i];
            put_name(&b, d, i);
            share_row(&b, s, has_records(s) ? even_of(s, (enum part)part) : NULL, limits, n);
        }
    }
    return table_end(&b);
}

/* --- drops --------------------------------------------------------------------------------------------------------- */

static const char *seconds_words(struct arena *a, double s)
{
    return s == 0 ? "0" : copy(a, fmt_table(s));
}

static void drops_row(struct table_builder *b, const struct report_data *d,
                      const struct group_point *p, size_t i, const struct limit *limit)
{
    const struct spot *s = &p->spots[i];
    bool mb = d->workloads[p->workload].headline == METRIC_MB_S;
    put_name(b, d, i);
    if (!has_records(s)) {
        table_gap(b, s->missing ? s->missing : "it has no records in time");
        return;
    }
    enum rate_of of = !limit->percent ? limit->of : mb ? RATE_OF_MB : RATE_OF_IOS;
    struct rates r = rates_of(s->in_time, of);
    double below = limit_value(limit, of, r.median);
    struct drops x = drops_of(s->in_time, of, below);
    const char *unit = of == RATE_OF_MB ? "MB/s" : "IOPS";
    table_cell(b, arena_printf(b->a, "%s\u00a0%s", fmt_label(below).s, unit));
    table_cell(b, arena_printf(b->a, "%s", fmt_label(r.least).s));
    table_cell(b, copy(b->a, fmt_count(x.n)));
    table_cell(b, seconds_words(b->a, x.seconds));
    table_cell(b, copy(b->a, fmt_share(x.n_records, s->in_time->n)));
    table_cell(b, seconds_words(b->a, x.longest));
    table_cell(b, isnan(x.first) ? "–" : seconds_words(b->a, x.first));
}

const struct table *table_drops(struct arena *a, const struct report_data *d,
                                const struct group_point *p, const char *below)
{
    struct limit *limits = NULL;
    size_t n = limits_of_rate(a, below, &limits);
    const struct spot *any = timed_spot(d, p);
    if (!any || n == 0)
        return NULL;
    struct table_builder b = table_begin(a, TABLE_PLAIN, arena_printf(a, "%s-drops", p->slug));
    rich_printf(
        &b.table->caption, a, RUN_PLAIN,
        "Stretches of %s in a row below a rate the template states, over the whole run; a drop "
        "shorter than a %s is not seen",
        record_plural(a, any->in_time->step), record_word(a, any->in_time->step));
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    static const struct {
        const char *head, *subhead;
    } columns[] = { { "Below", NULL },          { "Least", "same unit" }, { "Drops", "number" },
                    { "Together", "s" },        { "Of the run", NULL },   { "Longest", "s" },
                    { "First", "s from start" } };
    for (size_t i = 0; i < countof(columns); i++)
        table_column(&b, columns[i].head, ALIGN_NUMBER)->subhead = columns[i].subhead;
    for (size_t k = 0; k < n; k++) {
        table_row(&b, ROW_GROUP);
        table_cell(&b, arena_printf(a, "Below %s", limits[k].text));
        for (size_t i = 0; i < d->n_subjects; i++)
            drops_row(&b, d, p, i, &limits[k]);
    }
    return table_end(&b);
}
