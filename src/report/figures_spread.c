#include <math.h>

#include "base/array.h"
#include "base/str.h"
#include "chart/plot_ecdf.h"
#include "chart/plot_hist.h"
#include "chart/plot_nines.h"
#include "report/figures_time.h"
#include "report/spreading.h"
#include "report/table_build.h"
#include "report/words.h"

enum { PER_DECADE = 12, NINES = 6, PANELS = 3 };

static const struct hist *hist_of(const struct spreading *x, size_t i)
{
    const struct detail *detail = x->p->spots[i].detail;
    const struct hist *h = detail ? detail->hist : NULL;
    return h && h->m.n ? h : NULL;
}

const char *spreading_name(const struct spreading *x, size_t i)
{
    return x->d->subjects[i].series.name;
}

const char *spreading_missing(const struct spreading *x, size_t i)
{
    const char *why = x->p->spots[i].missing;
    return arena_printf(x->a, "not measured: %s", why ? why : "it has no records in time");
}

const char *spreading_part(const struct spreading *x)
{
    return arena_printf(x->a, "%c%s", x->part[0] - 'a' + 'A', x->part + 1);
}

/* "A 1.79 ms; B 39.2 ms" of one percentile; those that may not be printed are left out. */
static const char *percentile_words(const struct spreading *x, struct fraction p)
{
    struct str s = str_new(1 << 16);
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        const struct hist *h = hist_of(x, i);
        double v = h ? hist_percentile_or_nan(h, p) : (double)NAN;
        if (!isnan(v))
            str_printf(&s, "%s%s %s", s.n ? "; " : "", spreading_name(x, i),
                       value_unit(x->d, METRIC_LAT_MEAN, v).s);
    }
    const char *text = s.n ? arena_strdup(x->a, s.at) : "too few I/Os";
    str_done(&s);
    return text;
}

/* --- nines --------------------------------------------------------------------------------------------------------- */

static struct fraction nines(int k)
{
    uint64_t den = 1;
    for (int i = 0; i < k; i++)
        den *= 10;
    return (struct fraction) { den - 1, den };
}

/* "99.9 %" */
static const char *nines_name(struct arena *a, int k)
{
    return arena_printf(a, "%s\u00a0%%", fmt_exact(100 - 100 * pow(10, -k)).s);
}

static void add_marks(const struct spreading *x, size_t i, struct nines_line *line)
{
    struct nines_mark *marks = arena_array(x->a, struct nines_mark, NINES);
    const struct hist *h = hist_of(x, i);
    for (int k = 1; k <= NINES && percentile_printable(h->m.n, nines(k)); k++) {
        double ns = (double)hist_percentile(h, nines(k));
        marks[line->n_marks++] = (struct nines_mark) {
            .p = 1 - pow(10, -k),
            .value = ns / x->d->lat_unit,
            .tooltip = arena_printf(x->a, "%s\n%s of I/Os within %s\nn = %s", spreading_name(x, i),
                                    nines_name(x->a, k), value_unit(x->d, METRIC_LAT_MEAN, ns).s,
                                    fmt_count(h->m.n).s),
        };
    }
    line->mark = marks;
}

/* Bucket by bucket, to the last with 10 I/Os beyond it. */
static struct nines_line nines_line(const struct spreading *x, size_t i)
{
    enum { BEYOND = 10 };
    struct nines_line line = { .series = x->d->subjects[i].series };
    const struct hist *h = hist_of(x, i);
    if (!h)
        return line;
    struct nines_point *at = arena_array(x->a, struct nines_point, HIST_BUCKETS + 1);
    uint64_t seen = 0;
    at[line.n++] = (struct nines_point) { 0, (double)h->m.min / x->d->lat_unit };
    for (uint32_t k = 0; k < HIST_BUCKETS; k++) {
        seen += h->count[k];
        if (!h->count[k])
            continue;
        if (h->m.n - seen < BEYOND)
            break;
        double ns = fmin((double)hist_upper(k), (double)h->m.max);
        at[line.n++] = (struct nines_point) { (double)seen / (double)h->m.n, ns / x->d->lat_unit };
    }
    line.at = at;
    add_marks(x, i, &line);
    return line;
}

static const struct panel *nines_panel(const struct spreading *x)
{
    struct nines_line *lines = arena_array(x->a, struct nines_line, x->d->n_subjects);
    for (size_t i = 0; i < x->d->n_subjects; i++)
        lines[i] = nines_line(x, i);
    struct nines spec = { .at = lines, .n = x->d->n_subjects, .y_low = NAN, .y_high = NAN };
    spec.panel = (struct panel) {
        .title = "How long is the tail?",
        .subtitle = arena_printf(x->a, "%s · lower is better · n in the table", spreading_part(x)),
        .direction = "lower is better",
        .y_title = arena_printf(x->a, "%s (log)", x->d->lat_unit_name),
        .x_title = "Percentile (one more nine a step)",
        .alt = arena_printf(x->a,
                            "Percentile curves of response times in %s. 99\u00a0%%: %s. "
                            "99.9\u00a0%%: %s.",
                            x->part, percentile_words(x, nines(2)), percentile_words(x, nines(3))),
    };
    return plot_nines(x->a, &spec);
}

/* --- shares -------------------------------------------------------------------------------------------------------- */

static struct ecdf_line ecdf_of_hist(const struct spreading *x, size_t i)
{
    struct ecdf_line line = { .series = x->d->subjects[i].series };
    const struct hist *h = hist_of(x, i);
    if (!h)
        return line;
    struct ecdf_point *at = arena_array(x->a, struct ecdf_point, HIST_BUCKETS + 1);
    uint64_t seen = 0;
    at[line.n++] = (struct ecdf_point) { (double)h->m.min / x->d->lat_unit, 0 };
    for (uint32_t k = 0; k < HIST_BUCKETS; k++) {
        seen += h->count[k];
        if (h->count[k])
            at[line.n++] = (struct ecdf_point) { fmin((double)hist_upper(k), (double)h->m.max) /
                                                     x->d->lat_unit,
                                                 (double)seen / (double)h->m.n };
    }
    line.at = at;
    line.tooltip = arena_printf(
        x->a, "%s\nhalf of the I/Os within %s\nn = %s", spreading_name(x, i),
        value_unit(x->d, METRIC_LAT_MEAN, (double)hist_percentile(h, (struct fraction) { 1, 2 })).s,
        fmt_count(h->m.n).s);
    return line;
}

static const struct panel *ecdf_panel(const struct spreading *x)
{
    struct ecdf_line *lines = arena_array(x->a, struct ecdf_line, x->d->n_subjects);
    for (size_t i = 0; i < x->d->n_subjects; i++)
        lines[i] = ecdf_of_hist(x, i);
    struct ecdf spec = { .at = lines, .n = x->d->n_subjects, .x_low = NAN, .x_high = NAN };
    spec.panel = (struct panel) {
        .title = "What share is done by when?",
        .subtitle = arena_printf(x->a, "%s · left is better", spreading_part(x)),
        .direction = "left is better",
        .y_title = "% of I/Os",
        .x_title = arena_printf(x->a, "Response time, %s (log)", x->d->lat_unit_name),
        .alt = arena_printf(x->a, "Share of I/Os completed within a response time, %s. Half: %s.",
                            x->part, percentile_words(x, (struct fraction) { 1, 2 })),
    };
    return plot_ecdf(x->a, &spec);
}

/* --- histogram ----------------------------------------------------------------------------------------------------- */

struct bins {
    double *edges; /* in the report's unit */
    size_t n;
    int first; /* edge k is 10^((first + k) / PER_DECADE) ns */
};

static struct bins bins_of(const struct spreading *x)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        const struct hist *h = hist_of(x, i);
        low = h && h->m.min < low ? h->m.min : low;
        high = h && h->m.max > high ? h->m.max : high;
    }
    struct bins b = { 0 };
    if (low > high)
        return b;
    b.first = (int)floor(log10(fmax((double)low, 1)) * PER_DECADE);
    int last = (int)floor(log10(fmax((double)high, 1)) * PER_DECADE) + 1;
    b.n = (size_t)(last - b.first);
    b.edges = arena_array(x->a, double, b.n + 1);
    for (size_t k = 0; k <= b.n; k++)
        b.edges[k] = pow(10, (double)(b.first + (int)k) / PER_DECADE) / x->d->lat_unit;
    return b;
}

/* A bucket that lies in two bins is cut in the proportion of its width. */
static double *shares_of(const struct spreading *x, const struct hist *h, const struct bins *b)
{
    double *share = arena_array(x->a, double, b->n);
    for (uint32_t k = 0; k < HIST_BUCKETS; k++) {
        if (!h->count[k])
            continue;
        double from = (double)hist_lower(k), to = (double)hist_upper(k) + 1;
        double count = (double)h->count[k] / (double)h->m.n;
        int at = (int)floor(log10(fmax(from, 1)) * PER_DECADE) - b->first;
        size_t bin = at < 0 ? 0 : (size_t)at < b->n ? (size_t)at : b->n - 1;
        double edge = b->edges[bin + 1] * x->d->lat_unit;
        double inside = edge < to ? fmax(0, (edge - from) / (to - from)) : 1;
        share[bin] += count * inside;
        share[bin + 1 < b->n ? bin + 1 : bin] += count * (1 - inside);
    }
    return share;
}

static struct hist_row hist_row(const struct spreading *x, size_t i, const struct bins *b)
{
    struct hist_row row = { .series = x->d->subjects[i].series };
    const struct hist *h = hist_of(x, i);
    if (!h) {
        row.missing = spreading_missing(x, i);
        return row;
    }
    const double *share = shares_of(x, h, b);
    size_t peak = 0;
    for (size_t k = 1; k < b->n; k++)
        peak = share[k] > share[peak] ? k : peak;
    row.share = share;
    row.peak = arena_printf(x->a, "%s\u00a0%%", fmt_label(share[peak] * 100).s);
    row.tooltip = arena_printf(x->a, "%s\nmost in %s to %s\u00a0%s: %s of I/Os",
                               spreading_name(x, i), fmt_label(b->edges[peak]).s,
                               fmt_label(b->edges[peak + 1]).s, x->d->lat_unit_name, row.peak);
    return row;
}

static const struct panel *hist_panel(const struct spreading *x)
{
    struct bins b = bins_of(x);
    struct hist_row *rows = arena_array(x->a, struct hist_row, x->d->n_subjects);
    struct str alt = str_new(1 << 16);
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        rows[i] = hist_row(x, i, &b);
        str_printf(&alt, "%s%s: %s", alt.n ? "; " : "", spreading_name(x, i),
                   rows[i].peak ? arena_printf(x->a, "highest bin %s", rows[i].peak) : "none");
    }
    struct hist_rows spec = { .edges = b.edges, .n_bins = b.n, .at = rows };
    spec.n = b.n ? x->d->n_subjects : 0;
    spec.panel = (struct panel) {
        .title = "Where do the I/Os fall?",
        .subtitle = arena_printf(x->a, "%s · share of I/Os per bin, %d bins a decade",
                                 spreading_part(x), PER_DECADE),
        .x_title = arena_printf(x->a, "Response time, %s (log)", x->d->lat_unit_name),
        .alt = arena_printf(x->a, "Histograms of response times in %s. %s.", x->part,
                            alt.at ? alt.at : ""),
    };
    str_done(&alt);
    return plot_hist(x->a, &spec);
}

/* --- single I/Os --------------------------------------------------------------------------------------------------- */

static const struct table *spread_table(const struct spreading *x)
{
    static const struct fraction half = { 1, 2 };
    struct table_builder b = table_begin(x->a, TABLE_DATA, NULL);
    rich_printf(
        &b.table->caption, x->a, RUN_PLAIN,
        "Response time within which the share of I/Os completed in %s, %s; “–”: fewer than 10 "
        "I/Os beyond",
        x->part, x->d->lat_unit_name);
    table_column(&b, "Share", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        struct column *c = table_column(&b, spreading_name(x, i), ALIGN_NUMBER);
        const struct hist *h = hist_of(x, i);
        c->slot = x->d->subjects[i].series.slot;
        c->subhead = h ? arena_printf(x->a, "n = %s", fmt_count(h->m.n).s) : "not measured";
    }
    for (int k = 0; k <= NINES; k++) {
        table_row(&b, ROW_NORMAL);
        table_cell(&b, k ? nines_name(x->a, k) : "50\u00a0%");
        for (size_t i = 0; i < x->d->n_subjects; i++) {
            const struct hist *h = hist_of(x, i);
            double v = h ? hist_percentile_or_nan(h, k ? nines(k) : half) : (double)NAN;
            table_cell(&b, arena_strdup(x->a, time_table(x->d, v).s));
        }
    }
    table_row(&b, ROW_NORMAL);
    table_cell(&b, "Longest");
    for (size_t i = 0; i < x->d->n_subjects; i++) {
        const struct hist *h = hist_of(x, i);
        table_cell(&b, arena_strdup(x->a, time_table(x->d, h ? (double)h->m.max : (double)NAN).s));
    }
    return table_end(&b);
}

static bool any_hist(const struct spreading *x)
{
    for (size_t i = 0; i < x->d->n_subjects; i++)
        if (hist_of(x, i))
            return true;
    return false;
}

struct figure *figure_spread(struct arena *a, const struct report_data *d,
                             const struct group_point *p)
{
    const struct spot *any = timed_spot(d, p);
    struct spreading x = { .a = a, .d = d, .p = p };
    if (!any || !any_hist(&x))
        return NULL;
    x.part = part_words(a, d, any->detail);
    struct figure *f = figure_of_point(a, d, p, "spread", "Spread and tail of single I/Os");
    const struct panel **panels = arena_array(a, const struct panel *, PANELS);
    panels[0] = nines_panel(&x);
    panels[1] = ecdf_panel(&x);
    panels[2] = hist_panel(&x);
    f->panels = panels;
    f->n_panels = PANELS;
    rich_printf(&f->lead, a, RUN_PLAIN, "All but one I/O in a thousand complete within: %s.",
                percentile_words(&x, nines(3)));
    rich_printf(
        &f->caption, a, RUN_PLAIN,
        "%s, from the merged histograms of its %s. First: percentiles, one more nine a step; "
        "each curve ends at a bar where fewer than 10 I/Os remain beyond. Second: share of I/Os "
        "completed within a time. Third: histograms on a shared axis, equal areas are equal "
        "shares.",
        spreading_part(&x), record_plural(a, any->in_time->step));
    f->how_to_read =
        "Read the first panel at the nine that matters: a transaction of 100 I/Os meets "
        "the 99th percentile in about two of three cases.";
    f->data = spread_table(&x);
    return f;
}
