#pragma once
/* Samples of the plots that are read like tables: grouped bars, shaded cells, pairs, dots. Included by samples.h. */
#include <string.h>

#include "base/array.h"
#include "chart/plot_box.h"
#include "chart/plot_cells.h"
#include "chart/plot_grouped.h"
#include "chart/plot_line.h"
#include "chart/plot_pairs.h"
#include "samples_dist.h"

static struct panel *grouped_of(struct arena *a, const char *title, const double *v, size_t n,
                                size_t n_groups)
{
    static const char *const names[] = { "1", "4", "16", "64", "128" };
    struct grouped_series *at = arena_array(a, struct grouped_series, n);
    for (size_t k = 0; k < n; k++) {
        struct grouped_value *values = arena_array(a, struct grouped_value, n_groups);
        for (size_t g = 0; g < n_groups; g++) {
            double y = v[k * n_groups + g];
            values[g] = (struct grouped_value) { .value = y,
                                                 .low = y * 0.94,
                                                 .high = y * 1.06,
                                                 .label = arena_strdup(a, fmt_label(y).s),
                                                 .tooltip = "a bar" };
        }
        at[k].at = values;
        at[k].series = k < 3 ? dist_series[k]
                             : (struct series) { arena_printf(a, "Drive %zu", k + 1), NULL,
                                                 (int)k + 1, false };
    }
    struct grouped spec = { .groups = names, .n_groups = n_groups, .at = at, .n = n };
    spec.panel = (struct panel) { .title = title,
                                  .subtitle = "Heavy Read · higher is better · n = 5",
                                  .y_title = "IOPS",
                                  .x_title = "Queue depth",
                                  .alt = "Grouped bars." };
    return plot_grouped(a, &spec);
}

static struct panel *grouped_three(struct arena *a)
{
    static const double v[] = { 2290, 8020, 16100, 24400, 26200, 2335, 2820, 3010,
                                3040, 3050, 148,   402,   749,   1070, 1160 };
    return grouped_of(a, "Does depth bring more IOPS?", v, 3, 5);
}

static struct panel *grouped_numbers(struct arena *a)
{
    static const double v[] = { 412, 398, 351, 290, 144, 120 };
    return grouped_of(a, "Two targets, three groups", v, 2, 3);
}

static struct panel *grouped_missing(struct arena *a)
{
    static const double v[] = { 2290, NAN, 16100, NAN, 2820, 3010 };
    return grouped_of(a, "Missing cells", v, 2, 3);
}

static struct panel *grouped_forty(struct arena *a)
{
    double *v = arena_array(a, double, 200);
    for (size_t i = 0; i < 200; i++)
        v[i] = 100 + (double)(i * 37 % 101) * 9;
    return grouped_of(a, "Forty targets", v, 40, 5);
}

static struct panel *grouped_long_names(struct arena *a)
{
    char *name = arena_alloc(a, 201);
    memset(name, 'W', 200);
    const char **groups = arena_array(a, const char *, 2);
    groups[0] = "after <precondition> & 100 % fill: the whole span, twice";
    groups[1] = "fresh \U0001F680";
    struct grouped_series *at = arena_array(a, struct grouped_series, 2);
    for (size_t k = 0; k < 2; k++) {
        struct grouped_value *values = arena_array(a, struct grouped_value, 2);
        for (size_t g = 0; g < 2; g++)
            values[g] = (struct grouped_value) { (double)(40 + 20 * k + g), NAN, NAN, "40.0",
                                                 "bar" };
        at[k] = (struct grouped_series) { { k ? "<&%s:" : name, NULL, (int)k + 1, k == 0 },
                                          values };
    }
    struct grouped spec = { .groups = groups, .n_groups = 2, .at = at, .n = 2 };
    spec.panel = (struct panel) { .title = "Long names", .y_title = "MB/s", .x_title = "Fill" };
    return plot_grouped(a, &spec);
}

static struct panel *grouped_zeros(struct arena *a)
{
    static const double v[] = { 0, 0, 0, 0 };
    return grouped_of(a, "All zeros", v, 2, 2);
}

static struct panel *grouped_extremes(struct arena *a)
{
    static const double v[] = { 1e-9, 1e12, 3, NAN };
    return grouped_of(a, "From 1e-9 to 1e12", v, 2, 2);
}

static struct panel *grouped_empty(struct arena *a)
{
    return grouped_of(a, "Nothing", NULL, 0, 0);
}

static struct panel *cells_of(struct arena *a, const char *title, const double *v, size_t rows,
                              size_t columns)
{
    const char **row = arena_array(a, const char *, rows + 1);
    const char **column = arena_array(a, const char *, columns + 1);
    struct cells_value *at = arena_array(a, struct cells_value, rows * columns + 1);
    size_t best = 0;
    for (size_t i = 0; i < rows; i++)
        row[i] = arena_printf(a, "%zu\u00a0%%", 100 - 100 * i / (rows > 1 ? rows - 1 : 1));
    for (size_t i = 0; i < columns; i++)
        column[i] = arena_strdup(a, fmt_bytes(512ULL << (i % 40)).s);
    for (size_t i = 0; i < rows * columns; i++) {
        at[i] = (struct cells_value) { v[i], arena_strdup(a, fmt_label(v[i]).s), "cell", false };
        best = v[i] > v[best] ? i : best;
    }
    struct cells spec = { .series = dist_series[0], .columns = column, .rows = row, .at = at };
    if (rows * columns > 0) {
        at[best].best = true;
        spec.most = v[best];
    }
    spec.n_rows = rows;
    spec.n_columns = columns;
    spec.panel = (struct panel) { .title = title,
                                  .subtitle = "IOPS · higher is better · n = 3",
                                  .y_title = "Reads",
                                  .x_title = "Transfer size",
                                  .alt = "Table." };
    return plot_cells(a, &spec);
}

static struct panel *cells_mix(struct arena *a)
{
    double *v = arena_array(a, double, 35);
    for (size_t i = 0; i < 35; i++)
        v[i] = 26000.0 / (1 + (double)(i % 7) * 0.9) / (1 + (double)(i / 7) * 0.35);
    return cells_of(a, "Where is it fast?", v, 5, 7);
}

static struct panel *cells_missing(struct arena *a)
{
    static const double v[] = { 120, NAN, 80, 40, 30, NAN };
    return cells_of(a, "Missing cells", v, 2, 3);
}

static struct panel *cells_64(struct arena *a)
{
    double *v = arena_array(a, double, 64 * 4);
    for (size_t i = 0; i < 256; i++)
        v[i] = (double)i;
    return cells_of(a, "Sixty-four columns", v, 4, 64);
}

static struct panel *cells_one(struct arena *a)
{
    static const double v[] = { 1e12 };
    return cells_of(a, "One cell", v, 1, 1);
}

static struct panel *cells_zeros(struct arena *a)
{
    static const double v[] = { 0, 0, 0, 0 };
    return cells_of(a, "All zeros", v, 2, 2);
}

static struct panel *cells_empty(struct arena *a)
{
    return cells_of(a, "Nothing", NULL, 0, 0);
}

static struct panel *pairs_of(struct arena *a, const char *title, const double (*v)[2], size_t n,
                              bool log)
{
    struct pair *at = arena_array(a, struct pair, n + 1);
    for (size_t i = 0; i < n; i++) {
        at[i] = (struct pair) { .name = arena_printf(a, "queue depth %d", 1 << (2 * i)),
                                .before = v[i][0],
                                .after = v[i][1],
                                .label = arena_strdup(a, fmt_advantage(v[i][1] / v[i][0]).s),
                                .tooltip = "a pair",
                                .missing = "not measured: a member drive failed" };
    }
    struct pairs spec = { .before = { "baseline 2026-03-01", NULL, 1, false },
                          .after = { "new firmware <&%s:>", NULL, 2, true },
                          .at = at,
                          .n = n,
                          .log_x = log };
    spec.panel = (struct panel) { .title = title,
                                  .subtitle = "Heavy Read · higher is better · n = 5",
                                  .x_title = log ? "IOPS (log)" : "IOPS",
                                  .alt = "Pairs." };
    return plot_pairs(a, &spec);
}

static struct panel *pairs_depths(struct arena *a)
{
    static const double v[][2] = { { 2290, 2310 }, { 8020, 9100 }, { 16100, 15200 } };
    return pairs_of(a, "What did the new firmware change?", v, 3, false);
}

static struct panel *pairs_log(struct arena *a)
{
    static const double v[][2] = { { 12, 148 }, { 402, 8020 }, { 1070, 26200 } };
    return pairs_of(a, "Far apart", v, 3, true);
}

static struct panel *pairs_missing(struct arena *a)
{
    static const double v[][2] = { { 2290, NAN }, { NAN, 9100 }, { NAN, NAN }, { 5000, 5100 } };
    return pairs_of(a, "Missing cells", v, 4, false);
}

static struct panel *pairs_equal(struct arena *a)
{
    static const double v[][2] = { { 100, 100 }, { 100, 100 } };
    return pairs_of(a, "Equal values", v, 2, false);
}

static struct panel *pairs_empty(struct arena *a)
{
    return pairs_of(a, "Nothing", NULL, 0, false);
}

static struct panel *dots_of(struct arena *a, const char *title, const double *v, size_t n)
{
    struct box_row *rows = arena_array(a, struct box_row, 3);
    for (size_t k = 0; k < 3; k++) {
        double *dots = arena_array(a, double, n);
        rows[k] = (struct box_row) { .series = dist_series[k], .q02 = HUGE_VAL, .q98 = -HUGE_VAL };
        for (size_t i = 0; i < n; i++) {
            dots[i] = v[i] * (double)(4 - k);
            rows[k].q02 = fmin(rows[k].q02, dots[i]);
            rows[k].q98 = fmax(rows[k].q98, dots[i]);
        }
        rows[k].dots = dots;
        rows[k].n_dots = n;
        rows[k].q25 = rows[k].q50 = rows[k].q75 = dots[n / 2];
        rows[k].label = arena_strdup(a, fmt_label(dots[n / 2]).s);
        rows[k].tooltip = "runs";
    }
    struct box_rows spec = { .at = rows, .n = 3 };
    spec.panel = (struct panel) { .title = title, .x_title = "IOPS", .alt = "Dots." };
    return plot_box(a, &spec);
}

static struct panel *dots_runs(struct arena *a)
{
    static const double v[] = { 990, 1000, 1003, 1004, 1080 };
    return dots_of(a, "Do the runs agree?", v, 5);
}

static struct panel *dots_one(struct arena *a)
{
    static const double v[] = { 1000 };
    return dots_of(a, "One run each", v, 1);
}

static struct text size_text(double bytes)
{
    return fmt_bytes((uint64_t)bytes);
}

static struct panel *lines_sizes(struct arena *a)
{
    struct line at[2];
    for (int k = 0; k < 2; k++) {
        struct line_point *p = arena_array(a, struct line_point, 14);
        for (int i = 0; i < 14; i++) {
            double bytes = ldexp(512, i);
            double v = (k ? 260 : 520) * bytes / (bytes + (k ? 32768 : 65536));
            p[i] = (struct line_point) { bytes, v, NAN, NAN, NAN, false, "size", NULL };
        }
        at[k] = (struct line) { dist_series[k], p, 14 };
    }
    struct lines l = { .panel = { .title = "Does size bring more MB/s?",
                                  .subtitle = "Sequential read · higher is better · n = 5",
                                  .y_title = "MB/s",
                                  .x_title = "Transfer size" },
                       .at = at,
                       .n = 2,
                       .x_text = size_text,
                       .reference = NAN };
    return plot_line(a, &l);
}
