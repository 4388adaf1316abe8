#include "made_figures.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/fmt.h"
#include "chart/plot_bars.h"
#include "chart/plot_line.h"
#include "chart/plot_work.h"
#include "made_data.h"
#include "made_tables.h"

static const char *const metric_titles[] = { "IOPS", "Throughput, MB/s",
                                             "Average response time, ms", "99th percentile, ms" };
static const char *const metric_units[] = { "IOPS", "MB/s", "ms", "ms" };

struct series made_series(size_t target)
{
    return (struct series) { .name = made_names[target],
                             .short_name = made_short_names[target],
                             .slot = (int)target + 1,
                             .highlighted = target == 0 };
}

/* One value of one cell, as panels show it. */
struct spot {
    size_t workload, depth, target;
    enum made_metric metric;
};

static double value(const struct spot *s)
{
    return made_value(s->workload, s->depth, s->target, s->metric);
}

static double half(const struct spot *s)
{
    return made_half(s->workload, s->depth, s->target, s->metric);
}

static const char *tooltip(struct arena *a, const struct spot *s)
{
    return arena_printf(a, "%s\n%s, queue depth %d\n%s %s [%s, %s]\nn = 5", made_names[s->target],
                        made_workloads[s->workload], made_depths[s->depth], fmt_table(value(s)).s,
                        metric_units[s->metric], fmt_table(value(s) - half(s)).s,
                        fmt_table(value(s) + half(s)).s);
}

static struct bar bar_of(struct arena *a, const struct spot *s)
{
    const char *mark = made_mark(s->workload, s->depth, s->target);
    return (struct bar) {
        .series = made_series(s->target),
        .value = value(s),
        .low = value(s) - half(s),
        .high = value(s) + half(s),
        .label = arena_printf(a, *mark ? "%s %s" : "%s", fmt_label(value(s)).s, mark),
        .missing = isnan(value(s)) ? "not measured: a member drive failed" : NULL,
        .tooltip = isnan(value(s)) ? arena_printf(a, "%s\nnot measured: a member drive failed",
                                                  made_names[s->target])
                                   : tooltip(a, s),
    };
}

static void sort_bars(struct bar *at, bool lower_first)
{
    for (size_t i = 1; i < MADE_TARGETS; i++)
        for (size_t j = i; j > 0; j--) {
            double before = at[j - 1].value, here = at[j].value;
            bool swap = isnan(before) || (lower_first ? here < before : here > before);
            if (isnan(here) || !swap)
                break;
            struct bar moved = at[j];
            at[j] = at[j - 1];
            at[j - 1] = moved;
        }
}

static const struct panel *bars(struct arena *a, size_t workload, size_t depth, enum made_metric m)
{
    bool lower = m >= MADE_MEAN_MS;
    const char *direction = lower ? "lower is better" : "higher is better";
    struct bar *at = arena_array(a, struct bar, MADE_TARGETS);
    for (size_t i = 0; i < MADE_TARGETS; i++)
        at[i] = bar_of(a, &(struct spot) { workload, depth, i, m });
    sort_bars(at, lower);
    struct bars spec = {
        .panel = { .title = metric_titles[m],
                   .subtitle = arena_printf(a, "%s, queue depth %d · %s · n = 5",
                                            made_workloads[workload] + 5, made_depths[depth],
                                            direction),
                   .direction = direction,
                   .alt = arena_printf(
                       a,
                       "Bar chart, %s, queue depth %d, %s, %s, best first: "
                       "%s %s; %s %s; %s %s.",
                       made_workloads[workload], made_depths[depth], metric_titles[m], direction,
                       at[0].series.name, fmt_label(at[0].value).s, at[1].series.name,
                       fmt_label(at[1].value).s, at[2].series.name, fmt_label(at[2].value).s),
                   .bars = true },
        .at = at,
        .n = MADE_TARGETS,
        .reference = (double)NAN,
    };
    return plot_bars(a, &spec);
}

static const struct line *lines(struct arena *a, size_t workload, enum made_metric m)
{
    struct line *at = arena_array(a, struct line, MADE_TARGETS);
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        struct line_point *points = arena_array(a, struct line_point, MADE_DEPTHS);
        for (size_t j = 0; j < MADE_DEPTHS; j++) {
            struct spot s = { workload, j, i, m };
            points[j] = (struct line_point) {
                .x = made_depths[j],
                .y = value(&s),
                .low = value(&s) - half(&s),
                .high = value(&s) + half(&s),
                .upper = m == MADE_MEAN_MS ? made_value(workload, j, i, MADE_P99_MS) : (double)NAN,
                .not_reached = i == 1 && made_depths[j] == 128,
                .tooltip = tooltip(a, &s),
                .missing = isnan(value(&s)) ? "not measured" : NULL,
            };
        }
        at[i] = (struct line) { made_series(i), points, MADE_DEPTHS };
    }
    return at;
}

static const struct panel *line_panel(struct arena *a, size_t workload, enum made_metric m,
                                      bool log_y)
{
    bool lower = m == MADE_MEAN_MS;
    struct lines spec = {
        .panel = { .title = lower ? "Pliant LS 300: below 6 ms on average at every depth"
                                  : "Pliant LS 300 gains 11.4-fold from depth",
                   .subtitle = arena_printf(a, "%s · %s · n = 5", made_workloads[workload] + 5,
                                            lower ? "mean filled, p99 hollow · lower is better"
                                                  : "higher is better"),
                   .x_title = "Queue depth, I/Os in flight",
                   .y_title = arena_printf(a, "%s (%s)", metric_units[m], log_y ? "log" : "linear"),
                   .alt = arena_printf(a, "Line chart of %s against queue depth, %s.",
                                       metric_titles[m], made_workloads[workload]) },
        .at = lines(a, workload, m),
        .n = MADE_TARGETS,
        .log_y = log_y,
        .dodge = lower,
        .reference = (double)NAN,
    };
    return plot_line(a, &spec);
}

static const struct panel *work_panel(struct arena *a, size_t workload)
{
    struct work_line *at = arena_array(a, struct work_line, MADE_TARGETS);
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        struct work_point *points = arena_array(a, struct work_point, MADE_DEPTHS);
        for (size_t j = 0; j < MADE_DEPTHS; j++)
            points[j] = (struct work_point) {
                .x = made_value(workload, j, i, MADE_IOPS),
                .y = made_value(workload, j, i, MADE_P99_MS),
                .label = arena_printf(a, "%d", made_depths[j]),
                .ring = j == (i == 1 ? 2u : 4u),
                .not_reached = i == 1 && made_depths[j] == 128,
                .tooltip = tooltip(a, &(struct spot) { workload, j, i, MADE_P99_MS }),
            };
        at[i] = (struct work_line) { made_series(i), points, MADE_DEPTHS };
    }
    struct work spec = {
        .panel = { .title = "How much work fits under a 20 ms limit?",
                   .subtitle = arena_printf(a, "%s · p99 against IOPS · n = 5",
                                            made_workloads[workload] + 5),
                   .x_title = "IOPS (log)",
                   .y_title = "ms (log)",
                   .alt = arena_printf(a, "99th percentile against IOPS, %s.",
                                       made_workloads[workload]) },
        .at = at,
        .n = MADE_TARGETS,
        .reference = 20,
        .reference_label = "limit 20 ms",
    };
    return plot_work(a, &spec);
}

static struct figure *figure_of(struct arena *a, const char *id)
{
    struct figure *f = arena_one(a, struct figure);
    f->id = f->slug = id;
    return f;
}

static const struct panel *const *list(struct arena *a, const struct panel *const *at, size_t n)
{
    const struct panel **copy = arena_array(a, const struct panel *, n);
    for (size_t i = 0; i < n; i++)
        copy[i] = at[i];
    return copy;
}

struct figure *made_headline(struct arena *a)
{
    struct figure *f = figure_of(a, "headline");
    const struct panel *const panels[] = { bars(a, 0, 4, MADE_IOPS), bars(a, 1, 4, MADE_IOPS),
                                           bars(a, 0, 0, MADE_MEAN_MS) };
    f->panels = list(a, panels, countof(panels));
    f->n_panels = countof(panels);
    f->bars = true;
    f->data = made_headline_table(a);
    rich_put(&f->caption, a, RUN_PLAIN,
             "The headline measures, best first. ‡ not steady. Solid bar: device under test; "
             "tinted, outlined bars: peers. n = 5 runs of 60 s; whiskers and brackets: 95 % "
             "confidence interval of the mean; a whisker narrower than 4 px is not drawn.");
    return f;
}

struct figure *made_overview(struct arena *a, size_t workload)
{
    struct figure *f = figure_of(a, arena_printf(a, "%s-overview", made_ids[workload]));
    const struct panel *const panels[] = { line_panel(a, workload, MADE_IOPS, true),
                                           line_panel(a, workload, MADE_MEAN_MS, true),
                                           work_panel(a, workload) };
    const struct panel *const linear[] = { line_panel(a, workload, MADE_IOPS, false), NULL, NULL };
    f->panels = list(a, panels, countof(panels));
    f->n_panels = countof(panels);
    f->linear = list(a, linear, countof(linear));
    f->data = made_overview_table(a, workload);
    f->how_to_read = "Left: more is better, and a line that rises uses the depth it is given. "
                     "Middle: lower is better. Right: a line that leans to the lower right does "
                     "more work in less time.";
    rich_put(&f->caption, a, RUN_PLAIN,
             "Left: IOPS against queue depth. Middle: response time, stems from the mean to the "
             "99th percentile. Right: 99th percentile against IOPS, points named by queue depth; "
             "a ring marks the lowest depth that reaches 95 % of a target’s peak. Mean of n = 5 "
             "runs. Hollow Torqx marker: only 31.9 of 128 I/Os reached the drive.");
    return f;
}

struct figure *made_triplet(struct arena *a, size_t workload, size_t depth)
{
    struct figure *f = figure_of(
        a, arena_printf(a, "%s-qd%d", made_ids[workload], made_depths[depth]));
    const struct panel *const panels[] = { bars(a, workload, depth, MADE_IOPS),
                                           bars(a, workload, depth, MADE_MB_S),
                                           bars(a, workload, depth, MADE_MEAN_MS) };
    f->title = arena_printf(a, "Queue depth %d", made_depths[depth]);
    f->heading_level = 3;
    f->panels = list(a, panels, countof(panels));
    f->n_panels = countof(panels);
    f->bars = true;
    f->data = made_triplet_table(a, workload, depth);
    rich_printf(&f->lead, a, RUN_PLAIN,
                "%s reaches %s IOPS, %s %s; %s ms on average against %s ms.", made_names[0],
                fmt_label(made_value(workload, depth, 0, MADE_IOPS)).s, made_names[1],
                fmt_label(made_value(workload, depth, 1, MADE_IOPS)).s,
                fmt_label(made_value(workload, depth, 0, MADE_MEAN_MS)).s,
                fmt_label(made_value(workload, depth, 1, MADE_MEAN_MS)).s);
    rich_put(&f->caption, a, RUN_PLAIN,
             "Best first, each panel on its own scale. Mean of 5 runs of 60 s; whiskers: 95 % "
             "interval of the mean, drawn from 4 px up.");
    return f;
}
