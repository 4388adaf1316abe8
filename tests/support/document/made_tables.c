#include "made_tables.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/fmt.h"
#include "made_data.h"

/* A table while it grows. */
struct sheet {
    struct arena *a;
    struct table *table;
    struct column *columns;
    struct table_row *rows;
    size_t room_columns, room_rows;
};

static struct sheet sheet_new(struct arena *a, enum table_role role, const char *caption)
{
    struct sheet s = {
        .a = a, .table = arena_one(a, struct table), .room_columns = 32, .room_rows = 64
    };
    s.columns = arena_array(a, struct column, s.room_columns);
    s.rows = arena_array(a, struct table_row, s.room_rows);
    s.table->role = role;
    s.table->columns = s.columns;
    s.table->rows = s.rows;
    if (caption)
        rich_put(&s.table->caption, a, RUN_PLAIN, caption);
    return s;
}

static struct column *add_column(struct sheet *s, const char *head, enum align align)
{
    struct column *c = &s->columns[s->table->n_columns++];
    c->head = head;
    c->align = align;
    return c;
}

static struct table_row *add_row(struct sheet *s, enum row_kind kind, const struct table_cell *at,
                                 size_t n)
{
    struct table_row *r = &s->rows[s->table->n_rows++];
    r->kind = kind;
    r->cells = arena_memdup(s->a, at, n * sizeof *at);
    r->n_cells = n;
    return r;
}

static void add_group(struct sheet *s, const char *name, const char *detail)
{
    add_row(s, ROW_GROUP, &(struct table_cell) { .text = name }, 1)->detail = detail;
}

static const char *copy(struct sheet *s, struct text t)
{
    return arena_strdup(s->a, t.s);
}

static struct table_cell number(struct sheet *s, double v, bool iops)
{
    return (struct table_cell) { .text = copy(s, iops ? fmt_table_iops(v) : fmt_table(v)) };
}

static const char *interval(struct sheet *s, double v, double half)
{
    struct text (*print)(double) = v >= 1000 ? fmt_table_iops : fmt_table;
    return arena_printf(s->a, "[%s, %s]", print(v - half).s, print(v + half).s);
}

static struct table_cell target_cell(size_t target)
{
    return (struct table_cell) { .text = made_names[target], .slot = (int)target + 1 };
}

/* --- scorecard ---------------------------------------------------------------------------------------------------- */

struct measure {
    size_t workload, depth;
    enum made_metric metric;
    const char *name, *detail;
};

static void add_measure(struct sheet *s, const struct measure *m)
{
    bool lower = m->metric >= MADE_MEAN_MS;
    double v[MADE_TARGETS], best_peer = (double)NAN;
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        v[i] = made_value(m->workload, m->depth, i, m->metric);
        if (i && !isnan(v[i]) && !(lower ? v[i] > best_peer : v[i] < best_peer))
            best_peer = v[i];
    }
    double r = lower ? best_peer / v[0] : v[0] / best_peer;
    bool same = r > 0.97 && r < 1.03;
    struct table_cell cells[MADE_TARGETS + 3] = { { .text = m->name, .detail = m->detail } };
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        const char *mark = made_mark(m->workload, m->depth, i);
        bool best = !same && (i ? r < 1 && v[i] == best_peer : r > 1);
        cells[i + 1] = (struct table_cell) { .text = copy(s, fmt_label(v[i])),
                                             .mark = *mark ? mark : NULL,
                                             .best = best };
        if (isnan(v[i]))
            cells[i + 1] = (struct table_cell) { .kind = CELL_GAP,
                                                 .text = "not measured",
                                                 .span = 1 };
    }
    cells[MADE_TARGETS + 1] = (struct table_cell) {
        .text = copy(s, fmt_advantage(r)),
        .detail = copy(s, fmt_advantage_bracket(r, r * 0.975, r * 1.025)),
        .strip = r,
        .strip_low = r * 0.975,
        .strip_high = r * 1.025,
    };
    cells[MADE_TARGETS + 2] = (struct table_cell) {
        .kind = CELL_VERDICT,
        .text = same    ? "no clear difference"
                : r > 1 ? "ahead"
                        : "behind",
        .symbol = same    ? SYMBOL_SAME
                  : r > 1 ? SYMBOL_AHEAD
                          : SYMBOL_BEHIND,
    };
    add_row(s, ROW_NORMAL, cells, countof(cells));
}

const struct table *made_scorecard(struct arena *a)
{
    struct sheet s = sheet_new(a, TABLE_SCORECARD, NULL);
    rich_put(&s.table->caption, a, RUN_STRONG, "Scorecard.");
    rich_put(&s.table->caption, a, RUN_PLAIN,
             " Advantage of Pliant LS 300 over the better of the two peers, with its 95 % interval "
             "(n = 5 runs). More than 1× or + is better whichever way the measure points. ‡ not "
             "steady, still slowing.");
    add_column(&s, "Measure", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        struct column *c = add_column(&s, made_names[i], ALIGN_NUMBER);
        c->slot = (int)i + 1;
        c->highlighted = i == 0;
    }
    add_column(&s, "Advantage", ALIGN_NUMBER)->subhead = "95 % interval";
    add_column(&s, "Verdict", ALIGN_TEXT);
    for (size_t w = 0; w < MADE_WORKLOADS; w++) {
        add_group(&s, made_workloads[w],
                  w ? "65 % reads, 8 and 64 KiB, random" : "90 % reads, 8 and 64 KiB, random");
        const struct measure rows[] = {
            { w, 4, MADE_IOPS, "Most IOPS, any depth", "higher is better" },
            { w, 3, MADE_MB_S, "Throughput at depth 32", "MB/s, higher is better" },
            { w, 0, MADE_MEAN_MS, "Average response time at depth 1", "ms, lower is better" },
            { w, 0, MADE_P99_MS, "99th percentile at depth 1", "ms, lower is better" },
            { w, 3, MADE_P99_MS, "99th percentile at depth 32", "ms, lower is better" },
        };
        for (size_t i = 0; i < countof(rows); i++)
            add_measure(&s, &rows[i]);
    }
    return s.table;
}

/* --- tables behind figures ---------------------------------------------------------------------------------------- */

static struct table_cell with_interval(struct sheet *s, size_t workload, size_t depth,
                                       size_t target, enum made_metric m)
{
    double v = made_value(workload, depth, target, m);
    struct table_cell c = number(s, v, m == MADE_IOPS);
    c.detail = interval(s, v, made_half(workload, depth, target, m));
    return c;
}

const struct table *made_headline_table(struct arena *a)
{
    struct sheet s = sheet_new(a, TABLE_DATA, "Headline values, mean of 5 runs with 95 % interval");
    add_column(&s, "Target", ALIGN_TEXT)->row_head = true;
    add_column(&s, "Most IOPS, Heavy Read", ALIGN_NUMBER);
    add_column(&s, "Response time, Heavy Read, depth 1", ALIGN_NUMBER)->subhead = "ms";
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        const struct table_cell cells[] = { target_cell(i), with_interval(&s, 0, 4, i, MADE_IOPS),
                                            with_interval(&s, 0, 0, i, MADE_MEAN_MS) };
        add_row(&s, ROW_NORMAL, cells, countof(cells));
    }
    return s.table;
}

const struct table *made_triplet_table(struct arena *a, size_t workload, size_t depth)
{
    struct sheet s = sheet_new(
        a, TABLE_DATA,
        arena_printf(a, "%s, queue depth %d; mean of 5 runs, 95 %% interval in brackets",
                     made_workloads[workload], made_depths[depth]));
    add_column(&s, "Target", ALIGN_TEXT)->row_head = true;
    add_column(&s, "IOPS", ALIGN_NUMBER);
    add_column(&s, "MB/s", ALIGN_NUMBER);
    add_column(&s, "Response time, ms", ALIGN_NUMBER);
    add_column(&s, "n", ALIGN_NUMBER);
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        if (isnan(made_value(workload, depth, i, MADE_IOPS))) {
            const struct table_cell gap[] = {
                target_cell(i),
                { .kind = CELL_GAP, .text = "not measured: a member drive failed after 11 s" }
            };
            add_row(&s, ROW_NORMAL, gap, countof(gap));
            continue;
        }
        const struct table_cell cells[] = { target_cell(i),
                                            with_interval(&s, workload, depth, i, MADE_IOPS),
                                            with_interval(&s, workload, depth, i, MADE_MB_S),
                                            with_interval(&s, workload, depth, i, MADE_MEAN_MS),
                                            { .text = "5" } };
        add_row(&s, ROW_NORMAL, cells, countof(cells));
    }
    return s.table;
}

const struct table *made_overview_table(struct arena *a, size_t workload)
{
    struct sheet s = sheet_new(
        a, TABLE_DATA,
        arena_printf(a, "%s by queue depth, mean of 5 runs", made_workloads[workload]));
    struct column *depth = add_column(&s, "Queue depth", ALIGN_NUMBER);
    depth->row_head = true;
    static const char *const heads[] = { "IOPS", "mean, ms", "p99, ms" };
    static const enum made_metric metrics[] = { MADE_IOPS, MADE_MEAN_MS, MADE_P99_MS };
    for (size_t i = 0; i < MADE_TARGETS; i++)
        for (size_t m = 0; m < countof(heads); m++) {
            struct column *c = add_column(&s, heads[m], ALIGN_NUMBER);
            c->group = made_names[i];
            c->slot = (int)i + 1;
        }
    for (size_t j = 0; j < MADE_DEPTHS; j++) {
        struct table_cell cells[1 + MADE_TARGETS * 3] = { { .text = arena_printf(
                                                                a, "%d", made_depths[j]) } };
        size_t n = 1;
        for (size_t i = 0; i < MADE_TARGETS; i++) {
            if (isnan(made_value(workload, j, i, MADE_IOPS))) {
                cells[n++] = (struct table_cell) { .kind = CELL_GAP, .text = "not measured" };
                continue;
            }
            for (size_t m = 0; m < countof(metrics); m++)
                cells[n++] = number(&s, made_value(workload, j, i, metrics[m]), m == 0);
        }
        add_row(&s, ROW_NORMAL, cells, n);
    }
    return s.table;
}

/* --- sections ----------------------------------------------------------------------------------------------------- */

const struct table *made_percentiles(struct arena *a, size_t workload)
{
    struct sheet s = sheet_new(a, TABLE_PLAIN, NULL);
    rich_put(&s.table->caption, a, RUN_STRONG, made_workloads[workload]);
    rich_put(&s.table->caption, a, RUN_PLAIN, ": response time in ms, histograms of 5 runs merged");
    add_column(&s, "Queue depth", ALIGN_NUMBER)->row_head = true;
    add_column(&s, "Mean", ALIGN_NUMBER);
    add_column(&s, "p50", ALIGN_NUMBER);
    add_column(&s, "p99", ALIGN_NUMBER);
    add_column(&s, "p99.9", ALIGN_NUMBER);
    for (size_t i = 0; i < MADE_TARGETS; i++) {
        struct table_cell name = target_cell(i);
        add_row(&s, ROW_GROUP, &name, 1);
        for (size_t j = 0; j < MADE_DEPTHS; j++) {
            double mean = made_value(workload, j, i, MADE_MEAN_MS);
            double p99 = made_value(workload, j, i, MADE_P99_MS);
            const char *mark = made_mark(workload, j, i);
            struct table_cell cells[] = { { .text = arena_printf(a, "%d", made_depths[j]),
                                            .mark = *mark ? mark : NULL },
                                          number(&s, mean, false),
                                          number(&s, mean * 0.9, false),
                                          number(&s, p99, false),
                                          number(&s, p99 * 2.1, false) };
            size_t n = countof(cells);
            if (isnan(mean)) {
                cells[1] = (struct table_cell) {
                    .kind = CELL_GAP, .text = "not measured: a member drive failed after 11 s"
                };
                n = 2;
            }
            struct table_row *r = add_row(&s, i ? ROW_NORMAL : ROW_HIGHLIGHT, cells, n);
            r->slot = i ? 0 : 1;
        }
    }
    return s.table;
}

const struct table *made_environment(struct arena *a)
{
    static const char *const rows[][4] = {
        { "Model", "LS 300", "Torqx PFZ128GS25", "12 × 500 GB SATA disk" },
        { "Serial", "…0-EX", "…0-EX", "12 serials in the data file" },
        { "Firmware", "2.1.7", "1916", "SN06, all twelve" },
        { "Capacity", "300 GB", "128 GB", "3.0 TB usable" },
        { "Link", "SAS 3 Gb/s, two ports, both active", "SATA 3 Gb/s", "SATA 3 Gb/s each" },
        { "Write cache", "none", "on, volatile", "off" },
        { "I/O scheduler", "none", "none", "mq-deadline" },
    };
    struct sheet s = sheet_new(a, TABLE_PLAIN, NULL);
    rich_put(&s.table->caption, a, RUN_STRONG, "Targets");
    add_column(&s, "Property", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; i < MADE_TARGETS; i++)
        add_column(&s, made_names[i], ALIGN_TEXT)->slot = (int)i + 1;
    for (size_t i = 0; i < countof(rows); i++) {
        const struct table_cell cells[] = { { .text = rows[i][0] },
                                            { .text = rows[i][1] },
                                            { .text = rows[i][2] },
                                            { .text = rows[i][3] } };
        add_row(&s, ROW_NORMAL, cells, countof(cells));
    }
    return s.table;
}

const struct table *made_host(struct arena *a, bool second)
{
    static const char *const rows[2][3][2] = {
        { { "Processor", "2 × 4 cores at 2.26 GHz, governor performance" },
          { "Memory", "24 GiB ECC, 1 NUMA node used" },
          { "Kernel", "Linux 6.12.41, x86_64" } },
        { { "Program", "qdepth 1.0.0" },
          { "Matrix", "oltp, hash 5b1e90aa" },
          { "Seed", "20260314" } },
    };
    struct sheet s = sheet_new(a, TABLE_FACTS, NULL);
    rich_put(&s.table->caption, a, RUN_STRONG, second ? "Program" : "Host");
    add_column(&s, NULL, ALIGN_TEXT)->row_head = true;
    add_column(&s, NULL, ALIGN_TEXT);
    for (size_t i = 0; i < 3; i++) {
        const struct table_cell cells[] = { { .text = rows[second][i][0] },
                                            { .text = rows[second][i][1] } };
        add_row(&s, ROW_NORMAL, cells, countof(cells));
    }
    return s.table;
}

static void add_result(struct sheet *s, size_t w, size_t j, size_t i)
{
    const char *mark = made_mark(w, j, i);
    double v = made_value(w, j, i, MADE_IOPS);
    struct table_cell depth = { .text = arena_printf(s->a, "%d", made_depths[j]),
                                .mark = *mark ? mark : NULL };
    struct table_row *r;
    if (isnan(v)) {
        const struct table_cell cells[] = {
            target_cell(i),
            depth,
            { .kind = CELL_GAP, .text = "not measured: a member drive failed after 11 s" },
            { .text = "3" }
        };
        r = add_row(s, ROW_NORMAL, cells, countof(cells));
    } else {
        const struct table_cell cells[] = { target_cell(i),
                                            depth,
                                            with_interval(s, w, j, i, MADE_IOPS),
                                            number(s, made_value(w, j, i, MADE_MB_S), false),
                                            number(s, made_value(w, j, i, MADE_MEAN_MS), false),
                                            number(s, made_value(w, j, i, MADE_P99_MS), false),
                                            { .text = strstr(mark, "‡") ? "no" : "yes" },
                                            { .text = "0" } };
        r = add_row(s, ROW_NORMAL, cells, countof(cells));
    }
    r->kind = i ? ROW_NORMAL : ROW_HIGHLIGHT;
    r->slot = i ? 0 : 1;
}

const struct table *made_results(struct arena *a)
{
    struct sheet s = sheet_new(
        a, TABLE_FULL,
        "Mean of 5 runs of 60 s; response times in ms. The device under test is tinted. † the link "
        "lets 32 commands through; ‡ not steady, still slowing.");
    add_column(&s, "Target", ALIGN_TEXT)->row_head = true;
    add_column(&s, "Depth", ALIGN_NUMBER);
    add_column(&s, "IOPS", ALIGN_NUMBER);
    add_column(&s, "MB/s", ALIGN_NUMBER);
    add_column(&s, "Mean", ALIGN_NUMBER);
    add_column(&s, "p99", ALIGN_NUMBER);
    add_column(&s, "Steady", ALIGN_TEXT);
    add_column(&s, "Errors", ALIGN_NUMBER);
    for (size_t w = 0; w < MADE_WORKLOADS; w++) {
        add_group(&s, made_workloads[w], NULL);
        for (size_t j = 0; j < MADE_DEPTHS; j++)
            for (size_t i = 0; i < MADE_TARGETS; i++)
                add_result(&s, w, j, i);
    }
    return s.table;
}
