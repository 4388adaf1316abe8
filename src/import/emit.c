#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/fmt.h"
#include "base/oom.h"
#include "base/utf8.h"
#include "import/collect.h"
#include "model/workload_name.h"

/* Cells with their place in the run. */
struct placed {
    struct import_cell *cell;
    struct workload workload;
    uint32_t target, point, rep;
    struct placed *first; /* of its point */
    uint32_t *seen;       /* of the first: repetitions so far of each target */
};

struct emit {
    struct collect *c;
    struct sink *sink;
    struct placed *cells;
    size_t n_cells;
    struct target_record *targets;
    uint32_t n_targets;
};

/* --- places --------------------------------------------------------------------------------------------------------- */

static const char *stem(struct arena *a, const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? arena_strndup(a, name, (size_t)(dot - name)) : name;
}

/* Where a file does not say what it measured, its own name must do. */
static const char *target_name(struct emit *x, const struct import_cell *cell)
{
    if (x->c->options->target)
        return x->c->options->target;
    return cell->target && *cell->target ? cell->target
                                         : stem(x->c->a, x->c->sources[cell->source].name);
}

static int find_target(struct emit *x, const struct import_cell *cell, uint32_t *ret,
                       struct error *e)
{
    const char *name = target_name(x, cell);
    for (uint32_t i = 0; i < x->n_targets; i++)
        if (!strcmp(x->targets[i].name, name)) {
            *ret = i;
            return 0;
        }
    if (x->n_targets == PLAN_MAX_TARGETS)
        return error_set(e, QD_E_FAIL, "the files hold more than %d targets (import them in parts)",
                         PLAN_MAX_TARGETS);
    x->targets[x->n_targets] = (struct target_record) {
        .no = x->n_targets,
        .name = name,
        .path = cell->target_path ? cell->target_path : cell->target,
        .kind = TARGET_IMPORTED,
        .highlighted = x->n_targets == 0,
    };
    *ret = x->n_targets++;
    return 0;
}

static int by_number(uint64_t x, uint64_t y)
{
    return (x > y) - (x < y);
}

static int by_text(const char *x, const char *y)
{
    return strcmp(x ? x : "", y ? y : "");
}

static int by_lines(const struct workload *x, const struct workload *y)
{
    int order = by_number(x->n_lines, y->n_lines);
    for (uint32_t i = 0; i < x->n_lines && !order; i++) {
        const struct access_line *p = &x->lines[i], *q = &y->lines[i];
        order = by_number(p->share_bp, q->share_bp);
        order = order ? order : by_number(p->size, q->size);
        order = order ? order : by_number(p->read_bp, q->read_bp);
        order = order ? order : by_number(p->random_bp, q->random_bp);
        order = order ? order : by_number(p->trim_bp, q->trim_bp);
    }
    return order ? order : by_text(x->id, y->id);
}

/* 0: the same point of a matrix, as far as the numbers go. */
static int by_point(const struct placed *x, const struct placed *y)
{
    int order = by_number(x->cell->queue_depth, y->cell->queue_depth);
    order = order ? order : by_number(x->cell->workers, y->cell->workers);
    return order ? order : by_lines(&x->workload, &y->workload);
}

/* Neighbours are of one point, file and target. */
static int by_twin(const void *a, const void *b)
{
    const struct placed *x = *(struct placed *const *)a, *y = *(struct placed *const *)b;
    int order = by_point(x, y);
    order = order ? order : by_number(x->cell->source, y->cell->source);
    order = order ? order : by_number(x->target, y->target);
    return order ? order : by_text(x->cell->job, y->cell->job);
}

/* Neighbours are of one point and title, in the order they came. */
static int by_title(const void *a, const void *b)
{
    const struct placed *x = *(struct placed *const *)a, *y = *(struct placed *const *)b;
    int order = by_point(x, y);
    order = order ? order : by_text(x->workload.title, y->workload.title);
    return order ? order : by_number((uintptr_t)x, (uintptr_t)y);
}

static void name_job(struct emit *x, struct placed *p)
{
    struct arena *a = x->c->a;
    if (!p->cell->job)
        return;
    p->workload.title = arena_printf(a, "%s (%s)", p->workload.title, p->cell->job);
    p->workload.id = arena_printf(a, "%s-%s", p->workload.id, workload_slug(a, p->cell->job));
}

/* Jobs of one file that differ only in their names are no repetitions of each other: their names go into the workloads. */
static void tell_apart(struct emit *x, struct placed **order)
{
    qsort(order, x->n_cells, sizeof(struct placed *), by_twin);
    for (size_t from = 0, to; from < x->n_cells; from = to) {
        const struct placed *first = order[from];
        for (to = from + 1; to < x->n_cells; to++)
            if (by_point(first, order[to]) || first->cell->source != order[to]->cell->source ||
                first->target != order[to]->target)
                break;
        if (!by_text(first->cell->job, order[to - 1]->cell->job))
            continue;
        for (size_t i = from + 1; i < to; i++)
            name_job(x, order[i]);
        name_job(x, order[from]); /* last: the others were compared with it */
    }
}

/* Points are numbered as they come first; equal cells of a target are its repetitions. */
static void count_repetitions(struct emit *x, struct placed **order)
{
    qsort(order, x->n_cells, sizeof(struct placed *), by_title);
    for (size_t i = 0; i < x->n_cells; i++) {
        bool same = i && !by_point(order[i - 1], order[i]) &&
                    !by_text(order[i - 1]->workload.title, order[i]->workload.title);
        order[i]->first = same ? order[i - 1]->first : order[i];
    }
    uint32_t points = 0;
    for (size_t i = 0; i < x->n_cells; i++) {
        struct placed *p = &x->cells[i], *first = p->first;
        if (first == p) {
            p->point = points++;
            p->seen = arena_array(x->c->a, uint32_t, x->n_targets);
        }
        p->point = first->point;
        p->rep = ++first->seen[p->target];
    }
}

static int place(struct emit *x, struct error *e)
{
    struct collect *c = x->c;
    if (c->too_many || c->cells.n > PLAN_MAX_CELLS)
        return error_set(e, QD_E_FAIL, "the files hold more than %d cells (import them in parts)",
                         PLAN_MAX_CELLS);
    x->cells = arena_array(c->a, struct placed, c->cells.n);
    x->targets = arena_array(c->a, struct target_record, PLAN_MAX_TARGETS);
    struct placed **order = arena_array(c->a, struct placed *, c->cells.n);
    for (size_t i = 0; i < c->cells.n; i++) {
        struct placed *p = &x->cells[x->n_cells++];
        order[i] = p;
        p->cell = c->cells.at[i].cell;
        p->workload = pattern_workload(c->a, &p->cell->pattern);
        if (find_target(x, p->cell, &p->target, e))
            return -1;
    }
    tell_apart(x, order);
    count_repetitions(x, order);
    return 0;
}

/* --- the run -------------------------------------------------------------------------------------------------------- */

/* Of the first file, as far as a run may be called that. */
static const char *run_name(struct collect *c)
{
    if (c->options->run_name)
        return c->options->run_name;
    const char *name = stem(c->a, c->sources[0].name);
    if (!utf8_valid(name) || strlen(name) > 100 || *name == '-' || *name == ' ' ||
        strspn(name, "0123456789") == strlen(name) || !strcmp(name, "latest") || *name == '.')
        return "import";
    char *plain = arena_strdup(c->a, name);
    for (char *p = plain; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F)
            *p = '_';
    return plain[strlen(plain) - 1] == ' ' ? "import" : plain;
}

static int64_t started(const struct collect *c)
{
    int64_t first = 0;
    for (size_t i = 0; i < c->n_sources; i++) {
        int64_t t = c->sources[i].started_ns;
        if (t > 0 && (!first || t < first))
            first = t;
    }
    return first ? first : clock_real_ns();
}

static int emit_begin(struct emit *x, struct error *e)
{
    struct collect *c = x->c;
    struct source_file *files = arena_array(c->a, struct source_file, c->n_sources);
    size_t n_files = 0;
    for (size_t i = 0; i < c->n_sources; i++) {
        struct import_source *s = &c->sources[i];
        s->no = (uint32_t)n_files;
        if (s->format)
            files[n_files++] = (struct source_file) {
                .path = s->path, .format = s->format, .tool = s->summary->tool, .sha256 = s->sha256
            };
    }
    const struct run_record r = {
        .name = run_name(c),
        .import = true,
        .started_ns = started(c),
        .version = QD_VERSION,
        .command = c->options->command,
        .n_targets = x->n_targets,
        .sources = files,
        .n_sources = n_files,
    };
    if (sink_run_begin(x->sink, &r, e))
        return -1;
    for (uint32_t i = 0; i < x->n_targets; i++)
        if (sink_target(x->sink, &x->targets[i], e))
            return -1;
    return 0;
}

static int by_time(const void *x, const void *y)
{
    int64_t p = ((const struct import_interval *)x)->at.t_ns;
    int64_t q = ((const struct import_interval *)y)->at.t_ns;
    return (p > q) - (p < q);
}

static int emit_intervals(struct emit *x, struct import_cell *cell, struct error *e)
{
    struct hist *h = xcalloc(DIR_COUNT, sizeof *h);
    int rc = 0;
    if (cell->intervals.n)
        qsort(cell->intervals.at, cell->intervals.n, sizeof *cell->intervals.at, by_time);
    for (size_t i = 0; i < cell->intervals.n && !rc; i++) {
        struct import_interval *in = &cell->intervals.at[i];
        for (int d = 0; d < DIR_COUNT && !rc; d++) {
            in->at.dir[d].hist = in->bins[d] ? &h[d] : NULL;
            if (in->bins[d])
                rc = hist_decode(in->bins[d], in->n_bins[d], &h[d], e);
        }
        if (!rc)
            rc = sink_interval(x->sink, &in->at, e);
    }
    free(h);
    return rc;
}

static int emit_notes(struct emit *x, const struct import_note *at, size_t n, const int32_t of[2],
                      struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        const struct event ev = { .code = at[i].code,
                                  .severity = at[i].severity,
                                  .target = of[0],
                                  .cell = of[1],
                                  .what = at[i].what,
                                  .text = at[i].text };
        if (sink_event(x->sink, &ev, e))
            return -1;
    }
    return 0;
}

static int emit_cell(struct emit *x, uint32_t no, struct error *e)
{
    const struct placed *p = &x->cells[no];
    struct import_cell *in = p->cell;
    int64_t began = in->started_ns ? in->started_ns : started(x->c);
    const struct cell cell = {
        .no = no,
        .point = p->point,
        .target = p->target,
        .queue_depth = in->queue_depth,
        .workers = in->workers,
        .rep = p->rep,
        .duration_ns = in->duration_ns,
        .ramp_ns = in->ramp_ns,
        .direct = in->direct,
    };
    const struct cell_begin begin = {
        .cell = &cell, .workload = &p->workload, .attempt = 1, .started_ns = began
    };
    const int32_t of[2] = { (int32_t)p->target, (int32_t)no };
    for (int d = 0; d < DIR_COUNT; d++)
        in->result.dir[d].hist = in->hist[d];
    in->result.direct = in->direct;
    in->result.source = x->c->sources[in->source].no;
    in->result.finished_ns = began + (int64_t)in->result.measured_ns;
    if (sink_cell_begin(x->sink, &begin, e) || emit_intervals(x, in, e) ||
        emit_notes(x, in->notes.at, in->notes.n, of, e))
        return -1;
    return sink_cell_end(x->sink, &in->result, e);
}

static int emit_warnings(struct emit *x, struct error *e)
{
    static const int32_t run[2] = { -1, -1 };
    struct collect *c = x->c;
    for (size_t i = 0; i < c->n_sources; i++) {
        const struct import_source *s = &c->sources[i];
        for (size_t k = 0; k < s->warnings.n; k++) {
            const struct import_warning *w = &s->warnings.at[k];
            const struct import_note n = {
                .code = "import",
                .severity = EVENT_WARNING,
                .what = arena_printf(c->a, "%s: %s.", w->where, w->what),
            };
            if (emit_notes(x, &n, 1, run, e))
                return -1;
        }
        if (s->n_warnings <= s->warnings.n)
            continue;
        const struct import_note n = {
            .code = "import",
            .severity = EVENT_WARNING,
            .what = arena_printf(c->a, "%s: %s more.", s->name,
                                 fmt_plural(s->n_warnings - s->warnings.n, "warning").s),
        };
        if (emit_notes(x, &n, 1, run, e))
            return -1;
    }
    return emit_notes(x, c->notes.at, c->notes.n, run, e);
}

int collect_emit(struct collect *c, struct sink *s, struct error *e)
{
    struct emit x = { .c = c, .sink = s };
    if (place(&x, e) || emit_begin(&x, e))
        return -1;
    int rc = 0;
    for (uint32_t i = 0; i < x.n_cells && !rc; i++)
        rc = emit_cell(&x, i, e);
    if (!rc)
        rc = emit_warnings(&x, e);
    struct error ignored;
    const struct run_end end = { .status = rc ? CELL_FAILED : CELL_DONE,
                                 .finished_ns = clock_real_ns() };
    return sink_run_end(s, &end, rc ? &ignored : e) || rc ? -1 : 0;
}
