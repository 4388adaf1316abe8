#pragma once
/* Panels that the golden tests, the picture tests and the contact sheet draw: the invented numbers of an ordinary report,
 * and the edge cases that broke other tools (reference/charts.md). Each test file includes this once. */
#include <string.h>

#include "base/array.h"
#include "chart/plot_bars.h"
#include "chart/plot_line.h"
#include "chart/plot_work.h"
#include "samples_dist.h"
#include "samples_table.h"

static const struct series pliant = { "Pliant LS 300", "Pliant", 1, true };
static const struct series torqx = { "Patriot Torqx 128 GB", "Torqx", 2, false };
static const struct series raid = { "RAID 10, 12 × 7200 rpm", "RAID 10", 3, false };

static struct bar bar_of(struct series series, double value, double half, const char *label)
{
    return (struct bar) { .series = series,
                          .value = value,
                          .low = value - half,
                          .high = value + half,
                          .label = label,
                          .tooltip = series.name };
}

static struct panel *bars_of(struct arena *a, const char *title, const struct bar *at, size_t n)
{
    struct bars b = { .panel = { .title = title,
                                 .subtitle = "Heavy Read, queue depth 1 · higher is better · n = 5",
                                 .direction = "higher is better",
                                 .alt = "Bar chart, best first." },
                      .at = at,
                      .n = n,
                      .reference = NAN };
    return plot_bars(a, &b);
}

static struct panel *bars_iops(struct arena *a)
{
    struct bar at[] = { bar_of(torqx, 2335, 52, "2,340"), bar_of(pliant, 2290, 15, "2,290"),
                        bar_of(raid, 148.2, 1.6, "148") };
    return bars_of(a, "IOPS", at, countof(at));
}

static struct panel *bars_time(struct arena *a)
{
    struct bar at[] = { bar_of(torqx, 0.428, 0.0095, "0.428"),
                        bar_of(pliant, 0.436, 0.003, "0.436"), bar_of(raid, 6.727, 0.072, "6.73") };
    return bars_of(a, "Average response time, ms", at, countof(at));
}

static struct panel *bars_missing(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 21900, 400, "21,900"), bar_of(torqx, 779, 20, "779 †‡"),
                        bar_of(raid, NAN, NAN, NULL) };
    at[2].missing = "not measured: a member drive failed";
    return bars_of(a, "IOPS", at, countof(at));
}

static struct panel *bars_reference(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 26180, 166, "26,200"), bar_of(torqx, 3050, 43, "3,050") };
    struct bars b = { .panel = { .title = "Most IOPS", .subtitle = "with the rated figure" },
                      .at = at,
                      .n = countof(at),
                      .reference = 30000,
                      .reference_label = "rated 30,000" };
    return plot_bars(a, &b);
}

static struct panel *bars_reference_far(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 26180, 166, "26,200"), bar_of(torqx, 3050, 43, "3,050") };
    struct bars b = { .panel = { .title = "Most IOPS", .subtitle = "rated figure far beyond" },
                      .at = at,
                      .n = countof(at),
                      .reference = 90000,
                      .reference_label = "rated 90,000" };
    return plot_bars(a, &b);
}

static struct panel *bars_one(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 512, 3, "512") };
    return bars_of(a, "One target", at, 1);
}

static struct panel *bars_forty(struct arena *a)
{
    struct bar *at = arena_array(a, struct bar, 40);
    for (int i = 0; i < 40; i++) {
        struct series s = { arena_printf(a, "Drive number %d", i + 1), NULL, i + 1, i == 4 };
        double v = 40000 / (1 + i * 0.35);
        at[i] = bar_of(s, v, v * 0.02, arena_strdup(a, fmt_label(v).s));
    }
    return bars_of(a, "Forty targets", at, 40);
}

static struct panel *bars_equal(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 100, 0, "100"), bar_of(torqx, 100, 0, "100"),
                        bar_of(raid, 100, 0, "100") };
    return bars_of(a, "Equal values", at, countof(at));
}

static struct panel *bars_zero(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 0, 0, "0"), bar_of(torqx, 0, 0, "0") };
    return bars_of(a, "All zeros", at, countof(at));
}

static struct panel *bars_tiny(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 1e-9, 1e-11, "0.000000001"),
                        bar_of(torqx, 3e-10, NAN, "3e-10") };
    return bars_of(a, "Tiny values", at, countof(at));
}

static struct panel *bars_huge(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 1e12, 1e10, "1,000,000,000,000"),
                        bar_of(torqx, 1e-9, NAN, "0.000000001") };
    return bars_of(a, "Huge and tiny", at, countof(at));
}

static struct panel *bars_wide_interval(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 500, 480, "500"), bar_of(torqx, 120, 890, "120"),
                        bar_of(raid, 90, 4, "90.0") };
    return bars_of(a, "Whiskers wider than bars", at, countof(at));
}

static struct panel *bars_names(struct arena *a)
{
    char *longest = arena_alloc(a, 201);
    memset(longest, 'W', 200);
    const char *names[] = { longest,
                            "<b>&\"quoted\"</b> 100 % of %s: C:\\x",
                            "fast 🚀 drive",
                            "كونان",
                            "Привет, Ωμέγα, čš",
                            "two\nlines\tand \x01 a bell",
                            "broken \xff\xfe bytes" };
    struct bar at[countof(names)];
    for (size_t i = 0; i < countof(names); i++) {
        at[i] = bar_of((struct series) { names[i], NULL, (int)i + 1, i == 0 },
                       100 - 10.0 * (double)i, 1,
                       arena_strdup(a, fmt_label(100 - 10.0 * (double)i).s));
    }
    struct panel *p = bars_of(a, "Names that are hard to draw <&>", at, countof(at));
    p->alt = "Bar chart of \"names\" <&> that are hard to draw.";
    return p;
}

static struct panel *bars_all_missing(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, NAN, NAN, NULL), bar_of(torqx, INFINITY, NAN, NULL) };
    at[0].missing =
        "not measured: the matrix skips it, because this reason is far too long for the row";
    return bars_of(a, "Nothing measured", at, countof(at));
}

static struct panel *bars_empty(struct arena *a)
{
    return bars_of(a, "No rows", NULL, 0);
}

static struct panel *bars_long_title(struct arena *a)
{
    struct bar at[] = { bar_of(pliant, 5, NAN, "5.00") };
    struct panel *p = bars_of(
        a,
        "A title that is longer than the panel is wide, so that it wraps into "
        "several lines at spaces",
        at, 1);
    p->subtitle =
        "and a subtitle that is longer as well · Heavy Read, queue depth 1 · lower is better";
    return p;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static const double depths[] = { 1, 4, 8, 32, 128 };
enum { DEPTHS = 5 };

static struct line line_of_values(struct arena *a, struct series series, const double *y,
                                  const double *upper)
{
    struct line_point *at = arena_array(a, struct line_point, DEPTHS);
    for (int i = 0; i < DEPTHS; i++) {
        at[i] = (struct line_point) { .x = depths[i],
                                      .y = y[i],
                                      .low = NAN,
                                      .high = NAN,
                                      .upper = upper ? upper[i] : (double)NAN,
                                      .tooltip = series.name };
    }
    return (struct line) { series, at, DEPTHS };
}

static struct line_point *points(const struct line *l)
{
    struct line_point *p;
    memcpy(&p, &l->at, sizeof p);
    return p;
}

static struct panel *lines_of(struct arena *a, const char *title, const struct line *at, size_t n,
                              bool log_y)
{
    struct lines l = { .panel = { .title = title,
                                  .subtitle = "Heavy Read · higher is better · n = 5",
                                  .y_title = log_y ? "IOPS (log)" : "IOPS",
                                  .x_title = "Queue depth, I/Os in flight",
                                  .alt = "Line chart." },
                       .at = at,
                       .n = n,
                       .log_y = log_y,
                       .reference = NAN };
    return plot_line(a, &l);
}

static const double heavy_iops[3][DEPTHS] = { { 2290, 7890, 13120, 22060, 26180 },
                                              { 2335, 2520, 2980, 3050, 2890 },
                                              { 148.2, 462.3, 684.1, 1012, 1163 } };
static const double heavy_mean[3][DEPTHS] = { { 0.436, 0.506, 0.608, 1.448, 4.874 },
                                              { 0.428, 1.583, 2.678, 10.46, 44.20 },
                                              { 6.727, 8.640, 11.68, 31.58, 109.9 } };
static const double heavy_p99[3][DEPTHS] = { { 0.985, 1.586, 1.809, 4.289, 14.95 },
                                             { 0.847, 10.98, 19.21, 73.36, 310.3 },
                                             { 24.22, 30.85, 41.96, 115.2, 397.9 } };
static const double moderate_mean[3][DEPTHS] = { { 0.457, 0.561, 0.703, 1.766, 5.81 },
                                                 { 1.449, 5.38, 10.4, 39.8, 164 },
                                                 { 4.70, 11.8, 20.4, 68.1, NAN } };
static const double moderate_p99[3][DEPTHS] = { { 1.03, 1.9, 2.2, 5.4, 17.3 },
                                                { 10.3, 38, 73, 275, 1190 },
                                                { 16.9, 44, 77, 245, NAN } };
static const double moderate_iops[3][DEPTHS] = { { 2180, 7120, 11300, 18100, 21900 },
                                                 { 690, 742, 768, 801, 779 },
                                                 { 212, 338, 392, 468, NAN } };

static void three_lines(struct arena *a, struct line at[3], const double y[3][DEPTHS],
                        const double upper[3][DEPTHS])
{
    const struct series *s[] = { &pliant, &torqx, &raid };
    for (int k = 0; k < 3; k++) {
        at[k] = line_of_values(a, *s[k], y[k], upper ? upper[k] : NULL);
    }
    points(&at[1])[4].not_reached = true;
    if (isnan(y[2][4])) {
        points(&at[2])[4].missing = "not measured";
    }
}

static struct panel *lines_iops(struct arena *a)
{
    struct line at[3];
    three_lines(a, at, heavy_iops, NULL);
    return lines_of(a, "Pliant LS 300 gains 11.4-fold from depth", at, 3, true);
}

static struct panel *lines_linear(struct arena *a)
{
    struct line at[3];
    three_lines(a, at, heavy_iops, NULL);
    return lines_of(a, "The same on a linear axis", at, 3, false);
}

static struct panel *lines_stems(struct arena *a, const double mean[3][DEPTHS],
                                 const double p99[3][DEPTHS])
{
    struct line at[3];
    three_lines(a, at, mean, p99);
    struct lines l = { .panel = { .title = "Pliant LS 300: below 5 ms on average at every depth",
                                  .subtitle = "Heavy Read · mean filled, p99 hollow · lower is "
                                              "better · n = 5",
                                  .y_title = "ms (log)",
                                  .x_title = "Queue depth, I/Os in flight" },
                       .at = at,
                       .n = 3,
                       .log_y = true,
                       .dodge = true,
                       .reference = NAN };
    return plot_line(a, &l);
}

static struct panel *lines_time(struct arena *a)
{
    return lines_stems(a, heavy_mean, heavy_p99);
}

static struct panel *lines_time_missing(struct arena *a)
{
    return lines_stems(a, moderate_mean, moderate_p99);
}

static struct panel *lines_missing(struct arena *a)
{
    struct line at[3];
    three_lines(a, at, moderate_iops, NULL);
    return lines_of(a, "A depth was not measured", at, 3, true);
}

static struct panel *lines_gap(struct arena *a)
{
    struct line at[2] = { line_of_values(a, pliant, heavy_iops[0], NULL),
                          line_of_values(a, torqx, heavy_iops[1], NULL) };
    points(&at[0])[2].y = NAN;
    points(&at[0])[2].missing = "not measured";
    points(&at[1])[0].y = NAN;
    points(&at[1])[1].y = NAN;
    points(&at[1])[0].missing = "failed";
    points(&at[1])[1].missing = "failed";
    return lines_of(a, "Gaps stay gaps", at, 2, false);
}

static struct panel *lines_intervals(struct arena *a)
{
    struct line at[1] = { line_of_values(a, pliant, heavy_iops[0], NULL) };
    for (int i = 0; i < DEPTHS; i++) {
        points(&at[0])[i].low = heavy_iops[0][i] - 900.0 * i;
        points(&at[0])[i].high = heavy_iops[0][i] + 1100.0 * i;
    }
    struct lines l = { .panel = { .title = "Wide intervals and a limit", .y_title = "IOPS" },
                       .at = at,
                       .n = 1,
                       .reference = 30000,
                       .reference_label = "rated 30,000" };
    return plot_line(a, &l);
}

static struct panel *lines_crowded(struct arena *a)
{
    struct line at[8];
    for (int k = 0; k < 8; k++) {
        double y[DEPTHS];
        for (int i = 0; i < DEPTHS; i++) {
            y[i] = 1000 + 400.0 * i + 12.0 * k * i;
        }
        struct series s = { arena_printf(a, "Drive %c of eight", 'A' + k),
                            arena_printf(a, "Drive %c", 'A' + k), k + 1, k == 3 };
        at[k] = line_of_values(a, s, y, NULL);
    }
    return lines_of(a, "Eight lines that end close together", at, 8, false);
}

static struct panel *lines_forty(struct arena *a)
{
    struct line *at = arena_array(a, struct line, 40);
    for (int k = 0; k < 40; k++) {
        double y[DEPTHS];
        for (int i = 0; i < DEPTHS; i++) {
            y[i] = (200 + 37.0 * k) * (1 + i * (1 + (k * 7 % 10) / 10.0));
        }
        struct series s = { arena_printf(a, "Drive %d", k + 1), NULL, k + 1, k == 11 };
        at[k] = line_of_values(a, s, y, NULL);
    }
    return lines_of(a, "Forty targets: peers in grey", at, 40, true);
}

static struct panel *lines_64_depths(struct arena *a)
{
    struct line_point *p = arena_array(a, struct line_point, 64);
    for (int i = 0; i < 64; i++) {
        p[i] = (struct line_point) { .x = i + 1,
                                     .y = 1000.0 * (i + 1) / (1 + i * 0.04),
                                     .low = NAN,
                                     .high = NAN,
                                     .upper = NAN };
    }
    struct line at[] = { { pliant, p, 64 } };
    return lines_of(a, "64 depths", at, 1, false);
}

static struct panel *lines_one_point(struct arena *a)
{
    struct line_point p[] = {
        { .x = 8, .y = 500, .low = NAN, .high = NAN, .upper = NAN, .tooltip = "one" }
    };
    struct line at[] = { { torqx, p, 1 } };
    return lines_of(a, "One point", at, 1, true);
}

static struct panel *lines_zeros(struct arena *a)
{
    static const double y[DEPTHS] = { 0 };
    struct line at[] = { line_of_values(a, pliant, y, NULL) };
    return lines_of(a, "All zeros", at, 1, false);
}

static struct panel *lines_zero_on_log(struct arena *a)
{
    static const double y[DEPTHS] = { 100, 0, -5, 4000, INFINITY };
    struct line at[] = { line_of_values(a, pliant, y, NULL) };
    points(&at[0])[1].missing = "no I/O completed";
    return lines_of(a, "Zeros have no place on a log axis", at, 1, true);
}

static struct panel *lines_extremes(struct arena *a)
{
    static const double y[DEPTHS] = { 1e-9, 1e-3, 1, 1e6, 1e12 };
    struct line at[] = { line_of_values(a, pliant, y, NULL) };
    return lines_of(a, "1e-9 to 1e12", at, 1, true);
}

static struct panel *lines_equal(struct arena *a)
{
    static const double y[DEPTHS] = { 250, 250, 250, 250, 250 };
    struct line at[] = { line_of_values(a, pliant, y, NULL), line_of_values(a, torqx, y, NULL),
                         line_of_values(a, raid, y, NULL) };
    return lines_of(a, "Equal lines", at, 3, true);
}

static struct panel *lines_empty(struct arena *a)
{
    return lines_of(a, "No lines", NULL, 0, true);
}

/* --- work --------------------------------------------------------------------------------------------------------- */

static struct panel *work_of(struct arena *a, const double x[3][DEPTHS], const double y[3][DEPTHS],
                             const int ring[3])
{
    static const char *const names[DEPTHS] = { "1", "4", "8", "32", "128" };
    const struct series *s[] = { &pliant, &torqx, &raid };
    struct work_line at[3];
    for (int k = 0; k < 3; k++) {
        struct work_point *p = arena_array(a, struct work_point, DEPTHS);
        for (int i = 0; i < DEPTHS; i++) {
            p[i] = (struct work_point) { .x = x[k][i],
                                         .y = y[k][i],
                                         .label = names[i],
                                         .ring = ring[k] == i,
                                         .not_reached = k == 1 && i == 4,
                                         .tooltip = s[k]->name };
        }
        at[k] = (struct work_line) { *s[k], p, DEPTHS };
    }
    struct work w = { .panel = { .title = "How much work fits under a 20 ms limit?",
                                 .subtitle = "Heavy Read · p99 against IOPS · right and low is "
                                             "better · n = 5",
                                 .y_title = "ms (log)",
                                 .x_title = "IOPS (log)" },
                      .at = at,
                      .n = 3,
                      .reference = 20,
                      .reference_label = "limit 20 ms" };
    return plot_work(a, &w);
}

static struct panel *work_heavy(struct arena *a)
{
    static const int ring[] = { 4, 2, 4 };
    return work_of(a, heavy_iops, heavy_p99, ring);
}

static struct panel *work_moderate(struct arena *a)
{
    static const int ring[] = { 4, 2, 3 };
    return work_of(a, moderate_iops, moderate_p99, ring);
}

static struct panel *work_one_point(struct arena *a)
{
    struct work_point p[] = { { .x = 100, .y = 2, .label = "1", .ring = true } };
    struct work_line at[] = { { pliant, p, 1 } };
    struct work w = { .panel = { .title = "One point", .y_title = "ms (log)" },
                      .at = at,
                      .n = 1,
                      .reference = 50,
                      .reference_label = "limit 50 ms" };
    return plot_work(a, &w);
}

static struct panel *work_twelve(struct arena *a)
{
    struct work_line at[12];
    for (int k = 0; k < 12; k++) {
        struct work_point *p = arena_array(a, struct work_point, DEPTHS);
        for (int i = 0; i < DEPTHS; i++) {
            p[i] = (struct work_point) { .x = (100 + 60.0 * k) * (i + 1),
                                         .y = 0.2 * (12 - k) * (1 + i * i),
                                         .label = "d" };
        }
        struct series s = { arena_printf(a, "Drive %d", k + 1), NULL, k + 1, k == 2 };
        at[k] = (struct work_line) { s, p, DEPTHS };
    }
    struct work w = { .panel = { .title = "Twelve targets" }, .at = at, .n = 12, .reference = NAN };
    return plot_work(a, &w);
}

static struct panel *work_empty(struct arena *a)
{
    struct work w = { .panel = { .title = "No points" }, .reference = NAN };
    return plot_work(a, &w);
}

struct sample {
    const char *name;
    struct panel *(*make)(struct arena *a);
};
static const struct sample samples[] = {
    { "bars_iops", bars_iops },
    { "bars_time", bars_time },
    { "bars_missing", bars_missing },
    { "bars_reference", bars_reference },
    { "bars_reference_far", bars_reference_far },
    { "bars_one", bars_one },
    { "bars_equal", bars_equal },
    { "bars_zero", bars_zero },
    { "bars_tiny", bars_tiny },
    { "bars_huge", bars_huge },
    { "bars_wide_interval", bars_wide_interval },
    { "bars_names", bars_names },
    { "bars_all_missing", bars_all_missing },
    { "bars_empty", bars_empty },
    { "bars_long_title", bars_long_title },
    { "bars_forty", bars_forty },
    { "lines_iops", lines_iops },
    { "lines_time", lines_time },
    { "lines_linear", lines_linear },
    { "lines_missing", lines_missing },
    { "lines_time_missing", lines_time_missing },
    { "lines_gap", lines_gap },
    { "lines_intervals", lines_intervals },
    { "lines_crowded", lines_crowded },
    { "lines_forty", lines_forty },
    { "lines_64_depths", lines_64_depths },
    { "lines_one_point", lines_one_point },
    { "lines_zeros", lines_zeros },
    { "lines_zero_on_log", lines_zero_on_log },
    { "lines_extremes", lines_extremes },
    { "lines_equal", lines_equal },
    { "lines_empty", lines_empty },
    { "work_heavy", work_heavy },
    { "work_moderate", work_moderate },
    { "work_one_point", work_one_point },
    { "work_twelve", work_twelve },
    { "work_empty", work_empty },
    { "scatter_density", scatter_density },
    { "scatter_density_narrow", scatter_density_narrow },
    { "scatter_splat", scatter_splat },
    { "scatter_linear", scatter_linear },
    { "scatter_lines", scatter_lines },
    { "scatter_few", scatter_few },
    { "scatter_one", scatter_one },
    { "scatter_stalled", scatter_stalled },
    { "scatter_empty", scatter_empty },
    { "hist_three", hist_three },
    { "hist_narrow", hist_narrow },
    { "hist_missing", hist_missing },
    { "hist_empty", hist_empty },
    { "nines_three", nines_three },
    { "nines_few_samples", nines_few_samples },
    { "nines_empty", nines_empty },
    { "ecdf_three", ecdf_three },
    { "ecdf_one_value", ecdf_one_value },
    { "heat_drift", heat_drift },
    { "heat_empty", heat_empty },
    { "box_three", box_three },
    { "box_linear", box_linear },
    { "box_missing", box_missing },
    { "steady_reached", steady_reached },
    { "steady_falling", steady_falling },
    { "steady_one", steady_one },
    { "steady_empty", steady_empty },
    { "grouped_three", grouped_three },
    { "grouped_numbers", grouped_numbers },
    { "grouped_missing", grouped_missing },
    { "grouped_forty", grouped_forty },
    { "grouped_long_names", grouped_long_names },
    { "grouped_zeros", grouped_zeros },
    { "grouped_extremes", grouped_extremes },
    { "grouped_empty", grouped_empty },
    { "cells_mix", cells_mix },
    { "cells_missing", cells_missing },
    { "cells_64", cells_64 },
    { "cells_one", cells_one },
    { "cells_zeros", cells_zeros },
    { "cells_empty", cells_empty },
    { "pairs_depths", pairs_depths },
    { "pairs_log", pairs_log },
    { "pairs_missing", pairs_missing },
    { "pairs_equal", pairs_equal },
    { "pairs_empty", pairs_empty },
    { "dots_runs", dots_runs },
    { "dots_one", dots_one },
    { "lines_sizes", lines_sizes },
};

static inline struct scene *sample_scene(struct arena *a, const struct sample *s, enum medium m)
{
    struct panel *p = s->make(a);
    struct look look = { .medium = m, .width = look_panel_width(m, p->bars) };
    return panel_draw(p, a, &look);
}
