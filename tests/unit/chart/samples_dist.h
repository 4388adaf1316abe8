#pragma once
/* Samples of the plots over many values: scatter, histogram, nines, ECDF, heat map. Included by samples.h. */
#include "base/array.h"
#include "base/rng.h"
#include "chart/plot_box.h"
#include "chart/plot_ecdf.h"
#include "chart/plot_heat.h"
#include "chart/plot_hist.h"
#include "chart/plot_nines.h"
#include "chart/plot_scatter.h"
#include "chart/plot_steady.h"

static const struct series dist_series[3] = { { "Pliant LS 300", "Pliant", 1, true },
                                              { "Patriot Torqx 128 GB", "Torqx", 2, false },
                                              { "RAID 10, 12 × 7200 rpm", "RAID 10", 3, false } };

/* A mean response time a second: a level with noise, slow seconds, stalls (NaN). */
static void seconds_of(struct arena *a, struct scatter *p, size_t n, uint64_t seed, double level,
                       double spread)
{
    struct rng rng = rng_seed(seed);
    double *x = arena_array(a, double, n);
    double *y = arena_array(a, double, n);
    for (size_t i = 0; i < n; i++) {
        double noise = rng_double(&rng) + rng_double(&rng) + rng_double(&rng) - 1.5;
        double rise = level * (0.3 + 0.7 * fmin(1, 8.0 * (double)i / (double)n));
        x[i] = (double)i / 3600;
        y[i] = rise * exp(spread * noise);
        if (rng_below(&rng, 400) == 0) {
            y[i] *= 3 + 10 * rng_double(&rng);
        }
        if (spread > 0.3 && rng_below(&rng, n / 90 + 8) == 0) {
            y[i] = NAN;
        }
    }
    p->x = x;
    p->y = y;
    p->n = n;
}

static struct scatter scatter_spec(const char *title, const struct series *series)
{
    return (struct scatter) { .panel = { .title = title,
                                         .subtitle = "Mean of each second · lower is better",
                                         .y_title = "ms (log)",
                                         .x_title = "Hours since the start" },
                              .series = *series,
                              .log_y = true,
                              .x_low = NAN,
                              .x_high = NAN,
                              .y_low = 0.5,
                              .y_high = 1000,
                              .strip = "stalled",
                              .zoom = { NAN, NAN, NULL } };
}

static struct panel *scatter_density(struct arena *a)
{
    static const double ticks[] = { 0, 5, 10, 15, 20, 25 };
    struct scatter p = scatter_spec("Torqx: slows for five hours", &dist_series[1]);
    struct x_window *hours = arena_array(a, struct x_window, 25);
    seconds_of(a, &p, 90000, 7, 40, 0.5);
    for (int i = 0; i < 25; i++) {
        hours[i] = (struct x_window) { i, i + 1, arena_printf(a, "hour %d", i + 1) };
    }
    p.x_low = 0;
    p.x_high = 25;
    p.x_ticks = ticks;
    p.n_x_ticks = countof(ticks);
    p.zoom = (struct x_window) { 24, 25, "zoom" };
    p.windows = hours;
    p.n_windows = 25;
    return plot_scatter(a, &p);
}

static struct panel *scatter_density_narrow(struct arena *a)
{
    struct scatter p = scatter_spec("Pliant: steady after the first hour", &dist_series[0]);
    seconds_of(a, &p, 90000, 8, 1.8, 0.03);
    return plot_scatter(a, &p);
}

static struct panel *scatter_splat(struct arena *a)
{
    struct scatter p = scatter_spec("Torqx, the last hour", &dist_series[1]);
    seconds_of(a, &p, 3600, 9, 40, 0.5);
    return plot_scatter(a, &p);
}

static struct panel *scatter_linear(struct arena *a)
{
    struct scatter p = scatter_spec("The same on a linear axis", &dist_series[2]);
    seconds_of(a, &p, 3600, 10, 68, 0.05);
    p.log_y = false;
    p.y_low = p.y_high = NAN;
    p.strip = NULL;
    p.panel.y_title = "ms";
    return plot_scatter(a, &p);
}

/* A band, two lines that are close to each other, and one outside the axis. */
static struct panel *scatter_lines(struct arena *a)
{
    static const struct y_line lines[] = {
        { 68, "mean 68.0 ms" }, { 68.2, "too close" }, { 90, "slow" }, { 1000, "far away" }
    };
    struct scatter p = scatter_spec("Compared with a band and lines", &dist_series[2]);
    seconds_of(a, &p, 600, 10, 68, 0.05);
    p.log_y = false;
    p.y_low = 0;
    p.y_high = NAN;
    p.strip = NULL;
    p.band_low = 61;
    p.band_high = 75;
    p.lines = lines;
    p.n_lines = sizeof lines / sizeof *lines;
    return plot_scatter(a, &p);
}

static struct panel *scatter_few(struct arena *a)
{
    struct scatter p = scatter_spec("Sixty seconds", &dist_series[0]);
    seconds_of(a, &p, 60, 11, 5, 0.4);
    return plot_scatter(a, &p);
}

static struct panel *scatter_one(struct arena *a)
{
    static const double x[] = { 3 };
    static const double y[] = { 5 };
    struct scatter p = scatter_spec("One point", &dist_series[0]);
    p.x = x;
    p.y = y;
    p.n = 1;
    p.y_low = p.y_high = NAN;
    return plot_scatter(a, &p);
}

static struct panel *scatter_stalled(struct arena *a)
{
    static const double x[] = { 0, 1, 2, 3 };
    static const double y[] = { 0, NAN, -1, INFINITY };
    struct scatter p = scatter_spec("Nothing but stalls", &dist_series[0]);
    p.x = x;
    p.y = y;
    p.n = 4;
    return plot_scatter(a, &p);
}

static struct panel *scatter_empty(struct arena *a)
{
    struct scatter p = scatter_spec("No points", &dist_series[0]);
    return plot_scatter(a, &p);
}

/* --- distributions ------------------------------------------------------------------------------------------------ */

enum { HIST_BINS = 40 };

static struct panel *hist_of(struct arena *a, const char *title, const double centre[3],
                             const double width[3], size_t n)
{
    double *edges = arena_array(a, double, HIST_BINS + 1);
    for (int i = 0; i <= HIST_BINS; i++) {
        edges[i] = 0.5 * pow(10, i / 12.0);
    }
    struct hist_row rows[3] = { 0 };
    for (size_t k = 0; k < n; k++) {
        double *share = arena_array(a, double, HIST_BINS);
        double sum = 0;
        for (int i = 0; i < HIST_BINS; i++) {
            double d = (log10(edges[i]) + 1.0 / 24 - log10(centre[k])) / width[k];
            share[i] = exp(-0.5 * d * d);
            sum += share[i];
        }
        double most = 0;
        for (int i = 0; i < HIST_BINS; i++) {
            share[i] /= sum;
            most = fmax(most, share[i]);
        }
        rows[k] = (struct hist_row) { .series = dist_series[k],
                                      .share = share,
                                      .peak = arena_printf(a, "%.1f %%", 100 * most),
                                      .tooltip = dist_series[k].name };
    }
    struct hist_rows h = { .panel = { .title = title,
                                      .subtitle = "share of I/Os per bin, 12 bins a decade",
                                      .x_title = "Response time, ms (log)" },
                           .edges = edges,
                           .n_bins = HIST_BINS,
                           .at = rows,
                           .n = n };
    return plot_hist(a, &h);
}

static struct panel *hist_three(struct arena *a)
{
    static const double centre[] = { 1.4, 17, 55 };
    static const double width[] = { 0.13, 0.33, 0.2 };
    return hist_of(a, "Where do the I/Os fall?", centre, width, 3);
}

static struct panel *hist_narrow(struct arena *a)
{
    static const double centre[] = { 100, 3, 1.1 };
    static const double width[] = { 0.02, 0.02, 0.5 };
    return hist_of(a, "Narrow and wide", centre, width, 3);
}

static struct panel *hist_missing(struct arena *a)
{
    static const double edges[] = { 1, 2, 5, 10 };
    static const double share[] = { 0, 1, NAN };
    struct hist_row rows[] = {
        { .series = dist_series[0], .share = share, .peak = "100 %" },
        { .series = dist_series[1], .missing = "no histogram was imported" },
    };
    struct hist_rows h = { .panel = { .title = "One bin, one row without data" },
                           .edges = edges,
                           .n_bins = 3,
                           .at = rows,
                           .n = 2 };
    return plot_hist(a, &h);
}

static struct panel *hist_empty(struct arena *a)
{
    struct hist_rows h = { .panel = { .title = "No rows" } };
    return plot_hist(a, &h);
}

static struct nines_line nines_line_of(struct arena *a, size_t k, double scale, double tail,
                                       double most)
{
    enum { STEPS = 400 };
    struct nines_point *at = arena_array(a, struct nines_point, STEPS + 1);
    struct nines_mark *mark = arena_array(a, struct nines_mark, 8);
    size_t marks = 0;
    for (int i = 0; i <= STEPS; i++) {
        double nines = most * i / STEPS;
        at[i].p = -expm1(-nines * M_LN10);
        at[i].value = scale * (0.2 + pow(nines, tail));
    }
    for (int n = 1; n <= (int)most; n++) {
        double p = 1 - pow(10, -n);
        mark[marks++] = (struct nines_mark) { p, scale * (0.2 + pow(n, tail)),
                                              arena_printf(a, "%s at %d nines", dist_series[k].name,
                                                           n) };
    }
    return (struct nines_line) { dist_series[k], at, STEPS + 1, mark, marks };
}

static struct panel *nines_three(struct arena *a)
{
    struct nines_line at[] = { nines_line_of(a, 0, 2, 1.7, 6.9), nines_line_of(a, 1, 90, 1.8, 5.4),
                               nines_line_of(a, 2, 110, 1, 5.2) };
    struct nines n = { .panel = { .title = "How long is the tail?",
                                  .subtitle = "Last 60 minutes · lower is better",
                                  .y_title = "ms (log)",
                                  .x_title = "Percentile, % (one more nine per step)" },
                       .at = at,
                       .n = 3,
                       .y_low = NAN,
                       .y_high = NAN };
    return plot_nines(a, &n);
}

static struct panel *nines_few_samples(struct arena *a)
{
    static const struct nines_point at[] = { { 0, 1 }, { 0.5, 2 }, { 1, 900 }, { NAN, 2 } };
    struct nines_line line[] = { { dist_series[1], at, countof(at), NULL, 0 } };
    struct nines n = { .panel = { .title = "Twenty samples", .y_title = "ms (log)" },
                       .at = line,
                       .n = 1,
                       .y_low = NAN,
                       .y_high = NAN };
    return plot_nines(a, &n);
}

static struct panel *nines_empty(struct arena *a)
{
    struct nines n = { .panel = { .title = "No curves" }, .y_low = NAN, .y_high = NAN };
    return plot_nines(a, &n);
}

static struct panel *ecdf_three(struct arena *a)
{
    static const double centre[] = { 1.4, 17, 55 };
    static const double width[] = { 0.13, 0.33, 0.2 };
    struct ecdf_line lines[3];
    for (size_t k = 0; k < 3; k++) {
        struct ecdf_point *at = arena_array(a, struct ecdf_point, 300);
        for (int i = 0; i < 300; i++) {
            double z = -4 + 8.0 * i / 299;
            at[i].x = centre[k] * pow(10, z * width[k]);
            at[i].share = 0.5 * (1 + erf(z / M_SQRT2));
        }
        lines[k] = (struct ecdf_line) { dist_series[k], at, 300, dist_series[k].name };
    }
    struct ecdf e = { .panel = { .title = "How much of the work is done by when?",
                                 .subtitle = "Last 60 minutes · left and high is better",
                                 .y_title = "% of I/Os",
                                 .x_title = "Response time, ms (log)" },
                      .at = lines,
                      .n = 3,
                      .x_low = NAN,
                      .x_high = NAN };
    return plot_ecdf(a, &e);
}

static struct panel *ecdf_one_value(struct arena *a)
{
    static const struct ecdf_point at[] = { { 5, 1 } };
    struct ecdf_line lines[] = { { dist_series[0], at, 1, NULL } };
    struct ecdf e = {
        .panel = { .title = "One value" }, .at = lines, .n = 1, .x_low = NAN, .x_high = NAN
    };
    return plot_ecdf(a, &e);
}

static struct panel *heat_drift(struct arena *a)
{
    enum { NX = 60, NY = 40 };
    double *counts = arena_array(a, double, NX *NY);
    for (int x = 0; x < NX; x++) {
        for (int y = 0; y < NY; y++) {
            double d = (y - 14 - 6 * sin(x / 9.0)) / 2.5;
            double slow = (y - 31) / 1.5;
            counts[x * NY + y] = floor(5000 * exp(-0.5 * d * d) + 30 * exp(-0.5 * slow * slow));
        }
    }
    counts[7] = NAN;
    struct heat h = { .panel = { .title = "How does the tail come about?",
                                 .subtitle = "I/Os per minute and bin",
                                 .y_title = "ms (log)",
                                 .x_title = "Minutes into the last hour" },
                      .series = dist_series[0],
                      .counts = counts,
                      .nx = NX,
                      .ny = NY,
                      .x_high = 60,
                      .y_low = 0.1,
                      .y_high = 100,
                      .most = "5,000 I/Os" };
    return plot_heat(a, &h);
}

static struct panel *heat_empty(struct arena *a)
{
    static const double counts[4] = { 0 };
    struct heat h = { .panel = { .title = "All cells empty" },
                      .series = dist_series[0],
                      .counts = counts,
                      .nx = 2,
                      .ny = 2,
                      .x_high = 60,
                      .y_low = 1,
                      .y_high = 10 };
    return plot_heat(a, &h);
}

/* --- boxes and rounds --------------------------------------------------------------------------------------------- */

static struct panel *box_three(struct arena *a)
{
    struct box_row at[] = {
        { dist_series[0], 1.69, 1.76, 1.79, 1.82, 1.90, "1.79", NULL, "Pliant", NULL, 0 },
        { dist_series[1], 22.4, 32.7, 39.2, 47.5, 73.0, "39.2 ‡", NULL, "Torqx", NULL, 0 },
        { dist_series[2], 60.8, 65.6, 68.1, 70.8, 76.3, "68.1", NULL, "RAID", NULL, 0 },
    };
    struct box_rows b = { .panel = { .title = "How much do seconds differ?",
                                     .subtitle = "means of 3,600 seconds · lower is better",
                                     .x_title = "Response time, ms (log)" },
                          .at = at,
                          .n = countof(at),
                          .log_x = true };
    return plot_box(a, &b);
}

static struct panel *box_linear(struct arena *a)
{
    struct box_row at[] = {
        { dist_series[0], 98, 100, 102, 104, 130, "102", NULL, NULL, NULL, 0 },
        { dist_series[1], NAN, NAN, NAN, NAN, NAN, NULL, "not measured: it failed", NULL, NULL, 0 },
        { dist_series[2], 100, 100, 100, 100, 100, "100", NULL, NULL, NULL, 0 },
    };
    struct box_rows b = { .panel = { .title = "Linear, one missing, one constant" },
                          .at = at,
                          .n = countof(at) };
    return plot_box(a, &b);
}

static struct panel *box_missing(struct arena *a)
{
    struct box_row at[] = { { .series = dist_series[0], .q50 = NAN, .missing = "failed" } };
    struct box_rows b = { .panel = { .title = "Nothing measured" }, .at = at, .n = 1 };
    return plot_box(a, &b);
}

static struct panel *steady_of(struct arena *a, const char *title, const double *percent, size_t n,
                               size_t window, size_t series)
{
    struct steady_point *at = arena_array(a, struct steady_point, n);
    for (size_t i = 0; i < n; i++) {
        at[i] = (struct steady_point) { percent[i], arena_printf(a, "round %zu", i + 1) };
    }
    struct steady p = { .panel = { .title = title,
                                   .subtitle = "range 2.5 % (limit 20)",
                                   .y_title = "% of the window mean",
                                   .x_title = "Round" },
                        .series = dist_series[series],
                        .at = at,
                        .n = n,
                        .window = window,
                        .fit_first = window ? percent[n - window] : (double)NAN,
                        .fit_last = window ? percent[n - 1] : (double)NAN,
                        .band = 10 };
    return plot_steady(a, &p);
}

static struct panel *steady_reached(struct arena *a)
{
    static const double at[] = { 158, 141, 126, 113, 106, 103.2, 101.4, 99.1, 100.6, 98.9, 100 };
    return steady_of(a, "Pliant LS 300: steady", at, countof(at), 5, 0);
}

static struct panel *steady_falling(struct arena *a)
{
    static const double at[] = { 230, 190, 160, 150, 139, NAN, 128, 120, 124, 109, 118, 104, 113,
                                 97,  110, 99,  112, 95,  105, 90,  112, 104, 106, 96,  85 };
    return steady_of(a, "Patriot Torqx 128 GB: not steady", at, countof(at), 5, 1);
}

static struct panel *steady_one(struct arena *a)
{
    static const double at[] = { 100 };
    return steady_of(a, "One round", at, 1, 0, 2);
}

static struct panel *steady_empty(struct arena *a)
{
    return steady_of(a, "No rounds", NULL, 0, 0, 2);
}
