/* Draws charts as whole processes do, for bench/chart:
 *   bench_chart bars FOLDER          30 bar charts as 800 × 450 PNG
 *   bench_chart scatter FORMAT N FILE   N points with a log axis as png, svg or pdf; none: makes the points, draws nothing
 *   bench_chart points N FILE        the same points as pairs of doubles, for gnuplot */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/fmt.h"
#include "chart/canvas.h"
#include "chart/canvas_haru.h"
#include "chart/plot_grouped.h"
#include "chart/plot_scatter.h"

enum { CHARTS = 30, GROUPS = 5, SERIES = 3, WIDTH = 800, HEIGHT = 450 };

static void die(const struct error *e)
{
    fprintf(stderr, "bench_chart: %s\n", e->what);
    exit(1);
}

static void write_file(const char *path, const void *at, size_t n)
{
    struct error e;
    if (file_write(path, at, n, &e))
        die(&e);
}

static void write_png(const struct scene *s, const char *path)
{
    struct error e;
    void *at = NULL;
    size_t n = 0;
    struct png_options o = { .theme = theme_find("light"), .scale = 1 };
    if (canvas_png(&s, 1, 1, &o, &at, &n, &e))
        die(&e);
    write_file(path, at, n);
    free(at);
}

static struct panel *bars(struct arena *a, int chart)
{
    static const char *const groups[GROUPS] = { "1", "4", "8", "32", "128" };
    static const char *const names[SERIES] = { "Alpha", "Beta", "Gamma" };
    struct grouped_series *at = arena_array(a, struct grouped_series, SERIES);
    for (int k = 0; k < SERIES; k++) {
        struct grouped_value *v = arena_array(a, struct grouped_value, GROUPS);
        for (int g = 0; g < GROUPS; g++) {
            double y = 100 + (chart * 7 + k * 31 + g * 53) % 97;
            v[g] = (struct grouped_value) { y, y * 0.95, y * 1.05, arena_strdup(a, fmt_label(y).s),
                                            NULL };
        }
        at[k] = (struct grouped_series) { { names[k], names[k], k + 1, k == 0 }, v };
    }
    struct grouped spec = { .groups = groups, .n_groups = GROUPS, .at = at, .n = SERIES };
    spec.panel = (struct panel) { .title = arena_printf(a, "Chart %d", chart),
                                  .y_title = "IOPS",
                                  .x_title = "Queue depth" };
    return plot_grouped(a, &spec);
}

static void draw_bars(const char *folder)
{
    for (int i = 0; i < CHARTS; i++) {
        struct arena *a = arena_new();
        struct look look = { .medium = MEDIUM_SCREEN, .width = WIDTH };
        struct scene *s = panel_draw(bars(a, i), a, &look);
        scene_set_height(s, HEIGHT);
        write_png(s, arena_printf(a, "%s/chart-%d.png", folder, i));
        arena_free(a);
    }
}

static void make_points(double *x, double *y, size_t n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)i / (double)n * 25;
        y[i] = exp((double)(state >> 40) / 16777216 * 2 + (state % 397 == 0 ? 2 : 0));
    }
}

static void write_points(size_t n, const char *path)
{
    struct arena *a = arena_new();
    double *x = arena_array(a, double, n);
    double *y = arena_array(a, double, n);
    double *pairs = arena_array(a, double, 2 * n);
    make_points(x, y, n);
    for (size_t i = 0; i < n; i++) {
        pairs[2 * i] = x[i];
        pairs[2 * i + 1] = y[i];
    }
    write_file(path, pairs, 2 * n * sizeof *pairs);
    arena_free(a);
}

static struct panel *scatter(struct arena *a, size_t n)
{
    double *x = arena_array(a, double, n);
    double *y = arena_array(a, double, n);
    make_points(x, y, n);
    struct scatter spec = { .series = { "Alpha", "Alpha", 1, true },
                            .x = x,
                            .y = y,
                            .n = n,
                            .log_y = true,
                            .x_low = NAN,
                            .x_high = NAN,
                            .y_low = NAN,
                            .y_high = NAN,
                            .zoom = { .from = NAN } };
    spec.panel = (struct panel) { .title = "Scatter", .y_title = "ms (log)", .x_title = "Hours" };
    return plot_scatter(a, &spec);
}

static void write_svg(const struct scene *s, const char *path)
{
    struct error e;
    struct str out = str_new(64 << 20);
    struct svg_options o = { .standalone = true, .theme = theme_find("light") };
    if (canvas_svg(s, &o, &out, &e))
        die(&e);
    write_file(path, out.at, out.n);
    str_done(&out);
}

static void write_pdf(const struct scene *s, const char *path)
{
    struct error e;
    struct haru h;
    void *at = NULL;
    size_t n = 0;
    struct haru_spot spot = { 20, 400, 0.75 };
    if (haru_open(&h, &e))
        die(&e);
    haru_add_page(&h, 640, 420);
    if (canvas_haru(&h, s, &spot, theme_find("print"), &e) || haru_save(&h, &at, &n, &e))
        die(&e);
    write_file(path, at, n);
    free(at);
    haru_close(&h);
}

static void draw_scatter(const char *format, size_t n, const char *path)
{
    struct arena *a = arena_new();
    struct look look = { .medium = MEDIUM_SCREEN, .width = WIDTH };
    if (strcmp(format, "none") == 0) {
        make_points(arena_array(a, double, n), arena_array(a, double, n), n);
        arena_free(a);
        return;
    }
    struct scene *s = panel_draw(scatter(a, n), a, &look);
    if (strcmp(format, "png") == 0)
        write_png(s, path);
    else if (strcmp(format, "svg") == 0)
        write_svg(s, path);
    else
        write_pdf(s, path);
    arena_free(a);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "bars") == 0) {
        draw_bars(argv[2]);
        return 0;
    }
    if (argc == 5 && strcmp(argv[1], "scatter") == 0) {
        draw_scatter(argv[2], (size_t)strtoull(argv[3], NULL, 10), argv[4]);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "points") == 0) {
        write_points((size_t)strtoull(argv[2], NULL, 10), argv[3]);
        return 0;
    }
    fprintf(stderr, "bench_chart bars FOLDER | bench_chart points N FILE | bench_chart scatter "
                    "png|svg|pdf|none N FILE\n");
    return 2;
}
