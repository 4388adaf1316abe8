#include <math.h>
#include <string.h>

#include "report/checks.h"
#include "report/table_build.h"
#include "report/tables.h"
#include "report/words.h"

/* With more targets than this the peers share a column. */
enum { OWN_COLUMNS = 4, MEASURES = 5, REASONS = 4 };

struct card {
    struct arena *a;
    const struct report_data *d;
    struct table_builder b;
    struct measure *measures;
    struct comparison *against; /* of each measure */
    size_t *peer;               /* of each measure: the best peer, SIZE_MAX none */
    size_t n;
    bool own_columns, alone;
};

static const char *verdict_text(const struct comparison *c, enum verdict_symbol *ret_symbol)
{
    *ret_symbol = SYMBOL_SAME;
    switch (c->verdict) {
    case VERDICT_BETTER:
        *ret_symbol = SYMBOL_AHEAD;
        return "ahead";
    case VERDICT_WORSE:
        *ret_symbol = SYMBOL_BEHIND;
        return "behind";
    case VERDICT_SAME:
        return "no practical difference";
    case VERDICT_UNCLEAR:
        return "no clear difference";
    case VERDICT_NOT_COMPARABLE:
        break;
    }
    *ret_symbol = SYMBOL_UNKNOWN;
    return "cannot tell";
}

static void compare_all(struct card *k)
{
    for (size_t i = 0; i < k->n; i++) {
        const struct measure *m = &k->measures[i];
        size_t n = 0;
        const size_t *order = measure_order(k->a, k->d, m, &n);
        const struct spot *own = measure_spot(m, k->d->highlighted);
        k->peer[i] = SIZE_MAX;
        for (size_t j = n; j-- > 0;)
            if (order[j] != k->d->highlighted)
                k->peer[i] = order[j];
        k->against[i] = (struct comparison) {
            .ratio = NAN, .low = NAN, .high = NAN, .p = NAN, .reason = "a value is missing"
        };
        if (own && k->peer[i] != SIZE_MAX)
            k->against[i] = compare_values(&measure_spot(m, k->peer[i])->metric[m->metric],
                                           &own->metric[m->metric], m->metric);
    }
    compare_adjust_bh(k->against, k->n);
}

static void subject_column(struct card *k, size_t i)
{
    const struct series *s = &k->d->subjects[i].series;
    struct column *c = table_column(&k->b, s->name, ALIGN_NUMBER);
    c->slot = s->slot;
    c->highlighted = s->highlighted;
}

static void put_columns(struct card *k)
{
    table_column(&k->b, "Measure", ALIGN_TEXT)->row_head = true;
    subject_column(k, k->d->highlighted);
    if (k->alone)
        return;
    for (size_t i = 0; k->own_columns && i < k->d->n_subjects; i++)
        if (i != k->d->highlighted)
            subject_column(k, i);
    if (!k->own_columns)
        table_column(&k->b, "Best peer", ALIGN_TEXT);
    table_column(&k->b, "Advantage", ALIGN_NUMBER)->subhead = "95\u00a0% interval";
    table_column(&k->b, "Verdict", ALIGN_TEXT);
}

static void put_value(struct card *k, const struct measure *m, size_t subject, bool best)
{
    const struct spot *s = measure_spot(m, subject);
    if (!s) {
        table_cell(&k->b, "–");
        return;
    }
    double v = s->metric[m->metric].value;
    struct table_cell *c = table_cell(&k->b,
                                      arena_printf(k->a, "%s", value_label(k->d, m->metric, v).s));
    c->mark = spot_marks(s);
    c->best = best;
}

static void put_best_peer(struct card *k, const struct measure *m, size_t peer)
{
    if (peer == SIZE_MAX) {
        table_cell(&k->b, "–");
        return;
    }
    double v = measure_spot(m, peer)->metric[m->metric].value;
    struct table_cell *c = table_cell(&k->b,
                                      arena_printf(k->a, "%s", value_label(k->d, m->metric, v).s));
    c->detail = k->d->subjects[peer].series.name;
    c->slot = k->d->subjects[peer].series.slot;
}

static void put_comparison(struct card *k, size_t i)
{
    const struct comparison *c = &k->against[i];
    struct table_cell *cell;
    if (isnan(c->ratio)) {
        table_cell(&k->b, "–");
    } else {
        cell = table_cell(&k->b, arena_printf(k->a, "%s", fmt_advantage(c->ratio).s));
        cell->detail = arena_printf(k->a, "%s", fmt_advantage_bracket(c->ratio, c->low, c->high).s);
        cell->strip = c->ratio;
        cell->strip_low = c->low;
        cell->strip_high = c->high;
    }
    enum verdict_symbol symbol;
    const char *text = verdict_text(c, &symbol);
    cell = table_cell(&k->b, text);
    cell->kind = CELL_VERDICT;
    cell->symbol = symbol;
}

static const char *measure_detail(struct card *k, const struct measure *m)
{
    const char *direction = metric_direction(m->metric);
    const char *unit = m->metric == METRIC_IOPS ? NULL : metric_unit(k->d, m->metric);
    bool stated = m->metric == METRIC_MB_S && !m->condition;
    if (!unit || stated)
        return direction;
    return arena_printf(k->a, "%s, %s", unit, direction);
}

static void put_measure(struct card *k, size_t i)
{
    const struct measure *m = &k->measures[i];
    const char *at = m->condition && m->workload->n_points > 1 ? m->condition : NULL;
    table_row(&k->b, ROW_NORMAL);
    struct table_cell *c = table_cell(&k->b,
                                      at ? arena_printf(k->a, "%s at %s", m->name, at) : m->name);
    c->detail = measure_detail(k, m);
    size_t n = 0;
    const size_t *order = measure_order(k->a, k->d, m, &n);
    size_t best = n > 1 ? order[0] : SIZE_MAX;
    put_value(k, m, k->d->highlighted, best == k->d->highlighted);
    if (k->alone)
        return;
    for (size_t s = 0; k->own_columns && s < k->d->n_subjects; s++)
        if (s != k->d->highlighted)
            put_value(k, m, s, best == s);
    if (!k->own_columns)
        put_best_peer(k, m, k->peer[i]);
    put_comparison(k, i);
}

/* Why some rows have no verdict, each reason once. */
static void put_reasons(struct card *k, struct rich *caption)
{
    const char **reasons = arena_array(k->a, const char *, k->n);
    size_t n = 0;
    for (size_t i = 0; i < k->n; i++) {
        const char *reason = k->against[i].reason;
        bool known = !reason || k->against[i].verdict != VERDICT_NOT_COMPARABLE;
        for (size_t r = 0; !known && r < n; r++)
            known = !strcmp(reasons[r], reason);
        if (!known)
            reasons[n++] = reason;
    }
    if (n)
        rich_printf(caption, k->a, RUN_PLAIN, " Cannot tell: %s.",
                    list_words(k->a, reasons, n, REASONS));
}

static void put_caption(struct card *k)
{
    const struct report_data *d = k->d;
    struct rich *c = &k->b.table->caption;
    const char *name = d->subjects[d->highlighted].series.name;
    rich_put(c, k->a, RUN_STRONG, "Scorecard.");
    if (k->alone) {
        rich_printf(c, k->a, RUN_PLAIN, " %s alone, %s.", name, repeats_words(k->a, d));
    } else {
        rich_printf(
            c, k->a, RUN_PLAIN,
            " Advantage of %s over the best peer with its 95\u00a0%% interval (%s%s). More "
            "than 1× or + is better whichever way the measure points. Ahead and behind: at "
            "least 3\u00a0%% and beyond chance; %zu comparisons, verdicts corrected for that "
            "(Benjamini–Hochberg).",
            name, repeats_words(k->a, d),
            d->repeated ? "" : "; 5\u00a0% between runs assumed, not measured", k->n);
    }
    rich_put(c, k->a, RUN_PLAIN, marks_words(k->a, d, d->points, d->n_points));
    if (!k->alone)
        put_reasons(k, c);
}

const struct table *table_scorecard(struct arena *a, const struct report_data *d)
{
    struct card k = { .a = a, .d = d };
    k.alone = d->n_subjects == 1;
    k.own_columns = d->n_subjects <= OWN_COLUMNS;
    k.measures = arena_array(a, struct measure, MEASURES * d->n_workloads);
    for (size_t w = 0; w < d->n_workloads; w++)
        k.n += measures_of(a, d, &d->workloads[w], &k.measures[k.n]);
    k.against = arena_array(a, struct comparison, k.n);
    k.peer = arena_array(a, size_t, k.n);
    compare_all(&k);
    k.b = table_begin(a, TABLE_SCORECARD, "scorecard");
    put_caption(&k);
    put_columns(&k);
    for (size_t i = 0; i < k.n; i++) {
        const struct report_workload *w = k.measures[i].workload;
        if (i == 0 || k.measures[i - 1].workload != w) {
            table_row(&k.b, ROW_GROUP)->detail = w->description;
            table_cell(&k.b, w->title);
        }
        put_measure(&k, i);
    }
    return table_end(&k.b);
}
