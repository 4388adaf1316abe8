#include "report/arrange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fmt.h"
#include "report/spot.h"
#include "report/words.h"

/* From here on an I/O is large: sequential ones are rated in MB/s. */
#define LARGE_BYTES (64.0 * 1024)

/* A cell with the index of its workload variant. */
struct entry {
    struct arrange_cell c;
    size_t variant;
};

struct arranging {
    const struct arrange_input *in;
    struct arena *a;
    const struct report_data *d;
    const struct workload **variants; /* distinct by id and lines */
    size_t n_variants;
    struct entry *entries;
    size_t n;
    struct report_workload *workloads;
    struct group_point *points;
    size_t n_points;
};

/* --- variants ------------------------------------------------------------------------------------------------------ */

static bool same_line(const struct access_line *x, const struct access_line *y)
{
    return x->share_bp == y->share_bp && x->size == y->size && x->read_bp == y->read_bp &&
           x->random_bp == y->random_bp && x->burst == y->burst && x->delay_ns == y->delay_ns &&
           x->align == y->align && x->stride == y->stride && x->trim_bp == y->trim_bp &&
           x->sync == y->sync && x->sync_every == y->sync_every &&
           x->distribution == y->distribution && x->distribution_param == y->distribution_param;
}

static bool same_workload(const struct workload *x, const struct workload *y)
{
    if (strcmp(x->id, y->id) || x->n_lines != y->n_lines)
        return false;
    for (uint32_t i = 0; i < x->n_lines; i++)
        if (!same_line(&x->lines[i], &y->lines[i]))
            return false;
    return true;
}

static size_t variant_of(struct arranging *g, const struct workload *w)
{
    for (size_t i = 0; i < g->n_variants; i++)
        if (same_workload(g->variants[i], w))
            return i;
    g->variants[g->n_variants] = w;
    return g->n_variants++;
}

static void find_variants(struct arranging *g)
{
    const struct arrange_run *runs = g->in->runs;
    const struct arrange_cell *cells = g->in->cells;
    size_t most = 0, n_runs = g->in->n_runs, n_cells = g->in->n_cells;
    for (size_t r = 0; r < n_runs; r++)
        most += runs[r].n_workloads;
    g->variants = arena_array(g->a, const struct workload *, most);
    size_t **index = arena_array(g->a, size_t *, n_runs);
    for (size_t r = 0; r < n_runs; r++) {
        index[r] = arena_array(g->a, size_t, runs[r].n_workloads);
        for (size_t w = 0; w < runs[r].n_workloads; w++)
            index[r][w] = variant_of(g, &runs[r].workloads[w].workload);
    }
    g->entries = arena_array(g->a, struct entry, n_cells);
    for (size_t i = 0; i < n_cells; i++) {
        const struct arrange_run *run = &runs[cells[i].run];
        for (size_t w = 0; w < run->n_workloads; w++)
            if (run->workloads[w].id == cells[i].cell->workload)
                g->entries[g->n++] = (struct entry) { cells[i], index[cells[i].run][w] };
    }
}

/* --- points -------------------------------------------------------------------------------------------------------- */

#define ORDER(x, y)                                                                                \
    do {                                                                                           \
        if ((x) != (y))                                                                            \
            return (x) < (y) ? -1 : 1;                                                             \
    } while (0)

static int order_fill(const struct fill *x, const struct fill *y)
{
    ORDER(x->kind, y->kind);
    ORDER(x->percent, y->percent);
    ORDER(x->pattern_bytes, y->pattern_bytes);
    return memcmp(x->pattern, y->pattern, sizeof x->pattern);
}

/* Order of points: equal means the same point. */
static int order_point(const struct entry *x, const struct entry *y)
{
    const struct cell *p = &x->c.cell->cell, *q = &y->c.cell->cell;
    ORDER(x->variant, y->variant);
    ORDER(p->queue_depth, q->queue_depth);
    ORDER(p->workers, q->workers);
    int fill = order_fill(&p->fill, &q->fill);
    if (fill)
        return fill;
    ORDER(p->rate.kind, q->rate.kind);
    ORDER(p->rate.value, q->rate.value);
    ORDER(p->span_bp, q->span_bp);
    ORDER(p->span_bytes, q->span_bytes);
    ORDER(p->span_offset, q->span_offset);
    return 0;
}

static int order_entry(const void *px, const void *py)
{
    const struct entry *x = px, *y = py;
    int point = order_point(x, y);
    if (point)
        return point;
    ORDER(x->c.subject, y->c.subject);
    ORDER(x->c.cell->cell.rep, y->c.cell->cell.rep);
    ORDER(x->c.cell->cell.round, y->c.cell->cell.round);
    ORDER(x->c.cell->id, y->c.cell->id);
    return 0;
}

/* What the points of a workload differ in besides their depth. */
struct varying {
    bool depth, workers, fill, rate, span;
};

static struct varying find_varying(const struct entry *at, size_t n)
{
    struct varying v = { 0 };
    const struct cell *first = &at[0].c.cell->cell;
    for (size_t i = 1; i < n; i++) {
        const struct cell *c = &at[i].c.cell->cell;
        v.depth |= c->queue_depth != first->queue_depth;
        v.workers |= c->workers != first->workers;
        v.fill |= order_fill(&c->fill, &first->fill) != 0;
        v.rate |= c->rate.kind != first->rate.kind || c->rate.value != first->rate.value;
        v.span |= c->span_bp != first->span_bp || c->span_bytes != first->span_bytes ||
                  c->span_offset != first->span_offset;
    }
    return v;
}

static const char *span_words(struct arena *a, const struct cell *c)
{
    if (c->span_bp)
        return arena_printf(a, "%s of the target", fmt_bp(c->span_bp).s);
    return c->span_bytes ? arena_printf(a, "span %s", fmt_bytes(c->span_bytes).s) : "whole span";
}

static const char *fill_words(struct arena *a, const struct fill *f)
{
    if (f->kind == FILL_COMPRESSIBLE || f->kind == FILL_DUPLICATE)
        return arena_printf(a, "%s %u\u00a0%%", fill_kind_name(f->kind), f->percent);
    return arena_printf(a, "%s data", fill_kind_name(f->kind));
}

static const char *point_tick(struct arena *a, const struct cell *c, const struct varying *v)
{
    const char *label = arena_printf(a, "%u", c->queue_depth);
    if (v->workers)
        label = arena_printf(a, "%s, %s", label, fmt_plural(c->workers, "worker").s);
    if (v->fill)
        label = arena_printf(a, "%s, %s", label, fill_words(a, &c->fill));
    if (v->rate && c->rate.kind == RATE_RECORDED)
        label = arena_printf(a, "%s, recorded times, %s", label, fmt_ratio(c->rate.value).s);
    else if (v->rate && c->rate.kind != RATE_NONE)
        label = arena_printf(a, "%s, %s%s", label, fmt_label(c->rate.value).s,
                             c->rate.kind == RATE_IOPS ? " IOPS asked" : "\u00a0% of the maximum");
    if (v->span)
        label = arena_printf(a, "%s, %s", label, span_words(a, c));
    return label;
}

static const char *point_slug(struct arena *a, const struct report_workload *w,
                              const struct group_point *p, const struct group_point *before,
                              size_t same)
{
    bool shared = before && before->workload == p->workload && same > 0;
    const char *slug = arena_printf(a, "%s-qd%u", w->slug, p->queue_depth);
    return shared ? arena_printf(a, "%s-%zu", slug, same + 1) : slug;
}

/* --- spots --------------------------------------------------------------------------------------------------------- */

static const char *missing_words(struct arena *a, const struct cell_row *c)
{
    const char *interrupted = cell_status_name(CELL_INTERRUPTED);
    if (!strcmp(c->status, cell_status_name(CELL_PLANNED)))
        return "the run ended before it";
    if (!strcmp(c->status, cell_status_name(CELL_RUNNING)))
        return "the run was cut off while it was measured";
    if (!strcmp(c->status, cell_status_name(CELL_DONE)))
        return "its result is missing from the store";
    if (!strcmp(c->status, interrupted) && c->measured_ns)
        return arena_printf(a, "interrupted after %s%s%s", fmt_span_ns(c->measured_ns).s,
                            c->reason ? ": " : "", c->reason ? c->reason : "");
    return c->reason && *c->reason ? c->reason : c->status;
}

/* The cells of one spot, sorted by repetition and round; of each repetition the last round counts. */
static int fill_spot(const struct arranging *g, const struct entry *at, size_t n, struct spot *spot,
                     struct error *e)
{
    struct arena *a = g->a;
    const struct cell_row **cells = arena_array(a, const struct cell_row *, n);
    const struct result_row **rows = arena_array(a, const struct result_row *, n);
    const struct time_range **windows = arena_array(a, const struct time_range *, n);
    size_t done = 0;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n || at[i + 1].c.cell->cell.rep != at[i].c.cell->cell.rep;
        if (!last)
            continue;
        spot->n_wanted++;
        if (strcmp(at[i].c.cell->status, cell_status_name(CELL_DONE)) || !at[i].c.row) {
            spot->missing = spot->missing ? spot->missing : missing_words(a, at[i].c.cell);
            continue;
        }
        cells[done] = at[i].c.cell;
        windows[done] = at[i].c.window;
        rows[done++] = at[i].c.row;
    }
    spot->cell = done ? cells[0] : at[0].c.cell;
    spot->window = done ? windows[0] : at[0].c.window;
    if (!done)
        return 0;
    spot->missing = NULL;
    return spot_measure(g->in->store, a, &(struct spot_reps) { cells, rows, windows, done }, spot,
                        e);
}

static void empty_spot(struct spot *spot)
{
    for (int m = 0; m < METRIC_COUNT; m++)
        spot->metric[m] = (struct value) { .value = NAN, .low = NAN, .high = NAN };
    for (int p = 0; p < PERCENTILE_COUNT; p++)
        spot->percentile[p] = NAN;
    spot->sigma = spot->max = spot->achieved_depth = NAN;
    spot->missing = "it is not part of the run";
}

static int fill_point(const struct arranging *g, const struct entry *at, size_t n,
                      struct group_point *p, struct error *e)
{
    size_t n_subjects = g->d->n_subjects;
    p->queue_depth = at[0].c.cell->cell.queue_depth;
    p->workers = at[0].c.cell->cell.workers;
    p->workload = at[0].variant;
    p->spots = arena_array(g->a, struct spot, n_subjects);
    for (size_t i = 0; i < n_subjects; i++)
        empty_spot(&p->spots[i]);
    for (size_t i = 0; i < n;) {
        size_t k = i + 1;
        while (k < n && at[k].c.subject == at[i].c.subject)
            k++;
        struct spot *spot = &p->spots[at[i].c.subject];
        spot->missing = NULL;
        if (fill_spot(g, at + i, k - i, spot, e))
            return -1;
        i = k;
    }
    return 0;
}

/* --- workloads ----------------------------------------------------------------------------------------------------- */

/* In what a workload differs from others of its family. */
struct variation {
    bool size, reads, random;
};

static struct variation variation_of(const struct arranging *g, size_t i)
{
    const struct workload *w = g->variants[i];
    struct variation v = { 0 };
    for (size_t k = 0; k < g->n_variants; k++) {
        const struct workload *other = g->variants[k];
        if (strcmp(other->id, w->id))
            continue;
        v.size |= workload_mean_size(w) != workload_mean_size(other);
        v.reads |= workload_read_percent(w) != workload_read_percent(other);
        v.random |= workload_random_percent(w) != workload_random_percent(other);
    }
    return v;
}

/* ", 16 KiB, 70 % reads", or "" for a workload without others. */
static const char *variant_suffix(struct arena *a, const struct workload *w,
                                  const struct variation *v)
{
    const char *suffix = "";
    if (v->size)
        suffix = arena_printf(a, ", %s", fmt_bytes((uint64_t)workload_mean_size(w)).s);
    if (v->reads)
        suffix = arena_printf(a, "%s, %s\u00a0%% reads", suffix,
                              fmt_exact(workload_read_percent(w)).s);
    if (v->random)
        suffix = arena_printf(a, "%s, %s\u00a0%% random", suffix,
                              fmt_exact(workload_random_percent(w)).s);
    return suffix;
}

static bool slug_taken(const struct arranging *g, size_t n, const char *slug)
{
    static const char *const reserved[] = { "tested", "warnings",  "percentiles", "environment",
                                            "method", "reproduce", "results",     "headline",
                                            "main",   "scorecard", "contents",    "imports" };
    for (size_t i = 0; i < countof(reserved); i++)
        if (!strcmp(slug, reserved[i]))
            return true;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(slug, g->workloads[i].slug))
            return true;
    return strstr(slug, "-qd") || strstr(slug, "-overview");
}

static const char *workload_slug(const struct arranging *g, size_t n, const char *wanted)
{
    const char *slug = slug_of(g->a, wanted);
    for (size_t k = n + 1; slug_taken(g, n, slug); k++)
        slug = arena_printf(g->a, "workload-%zu", k);
    return slug;
}

static void name_workload(struct arranging *g, size_t i)
{
    struct report_workload *w = &g->workloads[i];
    w->workload = g->variants[i];
    w->family = w->workload->title && *w->workload->title ? w->workload->title : w->workload->id;
    struct variation v = variation_of(g, i);
    const char *suffix = variant_suffix(g->a, w->workload, &v);
    w->title = arena_printf(g->a, "%s%s", w->family, suffix);
    v.size = false;
    w->any_size = arena_printf(g->a, "%s%s", w->family, variant_suffix(g->a, w->workload, &v));
    w->description = workload_words(g->a, w->workload);
    w->slug = workload_slug(g, i, arena_printf(g->a, "%s%s", w->workload->id, suffix));
    bool large = w->workload->n_lines && workload_mean_size(w->workload) >= LARGE_BYTES &&
                 workload_random_percent(w->workload) < 50;
    w->headline = large ? METRIC_MB_S : METRIC_IOPS;
}

static size_t count_points(const struct entry *at, size_t n)
{
    size_t points = 0;
    for (size_t i = 0; i < n; i++)
        points += i == 0 || order_point(&at[i - 1], &at[i]) != 0;
    return points;
}

static int fill_workload(struct arranging *g, const struct entry *at, size_t n, struct error *e)
{
    struct report_workload *w = &g->workloads[at[0].variant];
    struct varying v = find_varying(at, n);
    w->points = &g->points[g->n_points];
    size_t same = 0;
    for (size_t i = 0; i < n;) {
        size_t k = i + 1;
        while (k < n && order_point(&at[i], &at[k]) == 0)
            k++;
        struct group_point *p = &g->points[g->n_points++];
        if (fill_point(g, at + i, k - i, p, e))
            return -1;
        const struct group_point *before = w->n_points ? p - 1 : NULL;
        same = before && before->queue_depth == p->queue_depth ? same + 1 : 0;
        p->tick = point_tick(g->a, &at[i].c.cell->cell, &v);
        p->label = arena_printf(g->a, "queue depth %s", p->tick);
        p->slug = point_slug(g->a, w, p, before, same);
        w->n_points++;
        i = k;
    }
    w->depth_axis = v.depth && !v.workers && !v.fill && !v.rate && !v.span;
    return 0;
}

/* Workloads without a cell (filtered) vanish; the points are told their new index. */
static void drop_empty(struct arranging *g, struct report_data *d)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n_variants; i++) {
        if (!g->workloads[i].n_points)
            continue;
        struct report_workload *w = &g->workloads[n];
        *w = g->workloads[i];
        for (size_t p = 0; p < w->n_points; p++)
            g->points[(size_t)(w->points - g->points) + p].workload = n;
        n++;
    }
    d->workloads = g->workloads;
    d->n_workloads = n;
}

int arrange(const struct arrange_input *in, struct report_data *d, struct error *e)
{
    struct arranging g = { .in = in, .a = in->a, .d = d };
    find_variants(&g);
    qsort(g.entries, g.n, sizeof *g.entries, order_entry);
    g.workloads = arena_array(g.a, struct report_workload, g.n_variants);
    for (size_t i = 0; i < g.n_variants; i++)
        name_workload(&g, i);
    g.points = arena_array(g.a, struct group_point, count_points(g.entries, g.n));
    for (size_t i = 0; i < g.n;) {
        size_t k = i + 1;
        while (k < g.n && g.entries[k].variant == g.entries[i].variant)
            k++;
        if (fill_workload(&g, g.entries + i, k - i, e))
            return -1;
        i = k;
    }
    d->points = g.points;
    d->n_points = g.n_points;
    drop_empty(&g, d);
    return 0;
}
