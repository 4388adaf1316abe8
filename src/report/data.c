#include "report/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "report/arrange.h"
#include "report/privacy.h"
#include "report/spot.h"
#include "report/window.h"
#include "report/words.h"
#include "stats/moment.h"

struct loaded {
    struct run_row run;
    struct target_row *targets;
    struct workload_row *workloads;
    struct cell_row *cells;
    struct result_row *results;
    struct event_row *events;
    struct source_row *sources;
    size_t n_targets, n_workloads, n_cells, n_results, n_events, n_sources;
};

struct loading {
    struct store *s;
    struct arena *a;
    const struct report_options *o;
    struct loaded *runs;
    size_t n_runs;
    struct privacy privacy;
};

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static int load_run(struct loading *l, const char *name, struct error *e)
{
    struct loaded *r = &l->runs[l->n_runs];
    if (store_find_run(l->s, l->a, name, &r->run, e))
        return -1;
    for (size_t i = 0; i < l->n_runs; i++)
        if (l->runs[i].run.id == r->run.id)
            return 0;
    int64_t id = r->run.id;
    if (store_targets(l->s, l->a, id, &r->targets, &r->n_targets, e) ||
        store_workloads(l->s, l->a, id, &r->workloads, &r->n_workloads, e) ||
        store_cells(l->s, l->a, id, &r->cells, &r->n_cells, e) ||
        store_results(l->s, l->a, id, &r->results, &r->n_results, e) ||
        store_events(l->s, l->a, id, &r->events, &r->n_events, e) ||
        store_sources(l->s, l->a, id, &r->sources, &r->n_sources, e))
        return -1;
    l->n_runs++;
    return 0;
}

static int load_runs(struct loading *l, struct error *e)
{
    size_t n = l->o->n_runs;
    l->runs = arena_array(l->a, struct loaded, n ? n : 1);
    if (n == 0)
        return load_run(l, "latest", e);
    for (size_t i = 0; i < n; i++)
        if (load_run(l, l->o->runs[i], e))
            return -1;
    return 0;
}

/* --- privacy ------------------------------------------------------------------------------------------------------- */

static void hide_run(struct privacy *p, struct loaded *l)
{
    struct run_row *r = &l->run;
    r->command = privacy_text(p, r->command);
    r->note = privacy_text(p, r->note);
    r->matrix_xml = privacy_text(p, r->matrix_xml);
    r->host = privacy_facts(p, r->host, r->n_host, &r->n_host);
    for (size_t i = 0; i < l->n_targets; i++) {
        struct target_record *t = &l->targets[i].record;
        t->name = privacy_text(p, t->name);
        t->path = privacy_text(p, t->path);
        t->identity = privacy_text(p, t->identity);
        t->layout = privacy_text(p, t->layout);
        t->facts = privacy_facts(p, t->facts, t->n_facts, &t->n_facts);
    }
    for (size_t i = 0; i < l->n_events; i++) {
        l->events[i].event.what = privacy_text(p, l->events[i].event.what);
        l->events[i].event.text = privacy_text(p, l->events[i].event.text);
    }
    for (size_t i = 0; i < l->n_cells; i++)
        l->cells[i].reason = privacy_text(p, l->cells[i].reason);
    for (size_t i = 0; i < l->n_results; i++)
        l->results[i].target = privacy_text(p, l->results[i].target);
    for (size_t i = 0; i < l->n_sources; i++)
        l->sources[i].file.path = privacy_text(p, l->sources[i].file.path);
}

static void hide(struct loading *l)
{
    l->privacy = (struct privacy) { .a = l->a, .off = l->o->show_serials };
    for (size_t r = 0; r < l->n_runs; r++)
        for (size_t t = 0; t < l->runs[r].n_targets; t++) {
            const struct target_record *rec = &l->runs[r].targets[t].record;
            privacy_learn(&l->privacy, rec->facts, rec->n_facts);
        }
    for (size_t r = 0; r < l->n_runs; r++)
        hide_run(&l->privacy, &l->runs[r]);
}

/* --- subjects ------------------------------------------------------------------------------------------------------ */

static bool listed(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return n == 0;
}

static int order_subject(const void *px, const void *py)
{
    const struct subject *x = px, *y = py;
    return x->row.id < y->row.id ? -1 : x->row.id > y->row.id;
}

static void name_subjects(struct arena *a, struct subject *at, size_t n)
{
    const char **names = arena_array(a, const char *, n),
               **shorts = arena_array(a, const char *, n);
    for (size_t i = 0; i < n; i++) {
        names[i] = at[i].row.record.name;
        for (size_t k = 0; k < n; k++)
            if (k != i && !strcmp(at[k].row.record.name, at[i].row.record.name))
                names[i] = arena_printf(a, "%s (%s)", at[i].row.record.name, at[i].run->name);
    }
    names_short(a, names, n, shorts);
    for (size_t i = 0; i < n; i++)
        at[i].series = (struct series) { .name = names[i],
                                         .short_name = shorts[i],
                                         .slot = (int)i + 1 };
}

static const char *source_words(const struct loaded *r)
{
    if (!r->run.import)
        return NULL;
    return r->n_sources && r->sources[0].file.tool ? r->sources[0].file.tool : "another tool";
}

/* All targets of the runs, by row id, so that a filter does not change slots. */
static struct subject *all_subjects(struct loading *l, size_t *ret_n)
{
    size_t most = 0, n = 0;
    for (size_t r = 0; r < l->n_runs; r++)
        most += l->runs[r].n_targets;
    struct subject *at = arena_array(l->a, struct subject, most);
    for (size_t r = 0; r < l->n_runs; r++)
        for (size_t t = 0; t < l->runs[r].n_targets; t++)
            at[n++] = (struct subject) { .row = l->runs[r].targets[t],
                                         .run = &l->runs[r].run,
                                         .source = source_words(&l->runs[r]) };
    if (n)
        qsort(at, n, sizeof *at, order_subject);
    name_subjects(l->a, at, n);
    *ret_n = n;
    return at;
}

static bool subject_named(const struct subject *s, const char *name)
{
    return !strcmp(s->series.name, name) || !strcmp(s->row.record.name, name);
}

static int unknown_target(struct arena *a, const struct subject *at, size_t n, const char *name,
                          struct error *e)
{
    const char **names = arena_array(a, const char *, n);
    for (size_t i = 0; i < n; i++)
        names[i] = at[i].series.name;
    return error_set(e, QD_E_NOTFOUND, "no target '%s' in the report (there are: %s)", name,
                     list_words(a, names, n, 20));
}

static int check_target_names(const struct loading *l, const struct subject *at, size_t n,
                              struct error *e)
{
    const struct report_options *o = l->o;
    for (size_t w = 0; w < o->n_targets + (o->highlight != NULL); w++) {
        const char *name = w < o->n_targets ? o->targets[w] : o->highlight;
        bool found = false;
        for (size_t i = 0; i < n; i++)
            found = found || subject_named(&at[i], name);
        if (!found)
            return unknown_target(l->a, at, n, name, e);
    }
    return 0;
}

static size_t find_highlighted(const struct loading *l, const struct subject *at, size_t n)
{
    for (size_t i = 0; l->o->highlight && i < n; i++)
        if (subject_named(&at[i], l->o->highlight))
            return i;
    for (size_t i = 0; i < n; i++)
        if (at[i].row.record.highlighted)
            return i;
    return 0;
}

static int load_subjects(struct loading *l, struct report_data *d, struct error *e)
{
    size_t n = 0, kept = 0;
    struct subject *at = all_subjects(l, &n);
    if (check_target_names(l, at, n, e))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (listed(l->o->targets, l->o->n_targets, at[i].series.name) ||
            listed(l->o->targets, l->o->n_targets, at[i].row.record.name))
            at[kept++] = at[i];
    if (kept == 0)
        return error_set(e, QD_E_FAIL, "run '%s' has no targets", l->runs[0].run.name);
    d->subjects = at;
    d->n_subjects = kept;
    d->highlighted = find_highlighted(l, at, kept);
    at[d->highlighted].series.highlighted = true;
    return 0;
}

/* --- cells, results, events ---------------------------------------------------------------------------------------- */

static size_t subject_of(const struct report_data *d, int64_t target)
{
    for (size_t i = 0; i < d->n_subjects; i++)
        if (d->subjects[i].row.id == target)
            return i;
    return SIZE_MAX;
}

static bool depth_listed(const struct report_options *o, uint32_t depth)
{
    for (size_t i = 0; i < o->n_queue_depths; i++)
        if (o->queue_depths[i] == depth)
            return true;
    return o->n_queue_depths == 0;
}

static const char *workload_id(const struct loaded *r, int64_t workload)
{
    for (size_t i = 0; i < r->n_workloads; i++)
        if (r->workloads[i].id == workload)
            return r->workloads[i].workload.id;
    return "";
}

static int check_workload_names(const struct loading *l, struct error *e)
{
    for (size_t w = 0; w < l->o->n_workloads; w++) {
        bool found = false;
        ARRAY(const char *) ids = { 0 };
        for (size_t r = 0; r < l->n_runs; r++)
            for (size_t i = 0; i < l->runs[r].n_workloads; i++) {
                const char *id = l->runs[r].workloads[i].workload.id;
                found = found || !strcmp(id, l->o->workloads[w]);
                *array_push(&ids) = id;
            }
        int rc = 0;
        if (!found)
            rc = error_set(e, QD_E_NOTFOUND, "no workload '%s' in the report (there are: %s)",
                           l->o->workloads[w], list_words(l->a, ids.at, ids.n, 20));
        array_free(&ids);
        if (rc)
            return -1;
    }
    return 0;
}

struct picked {
    struct arrange_cell *at;
    struct cell_row *cells;
    struct result_row *results;
    size_t n, n_results, n_done;
};

/* Cells and their results are both sorted by cell.no: one walk over the two. */
static void pick_run(struct loading *l, const struct report_data *d, size_t run, struct picked *p)
{
    const struct loaded *r = &l->runs[run];
    size_t k = 0;
    for (size_t i = 0; i < r->n_cells; i++) {
        const struct cell_row *c = &r->cells[i];
        size_t subject = subject_of(d, c->target);
        bool wanted = subject != SIZE_MAX && depth_listed(l->o, c->cell.queue_depth) &&
                      listed(l->o->workloads, l->o->n_workloads, workload_id(r, c->workload));
        const struct result_row *all = NULL;
        for (; k < r->n_results && r->results[k].cell == c->id; k++) {
            if (!wanted)
                continue;
            p->results[p->n_results] = r->results[k];
            if (r->results[k].direction == DIR_ALL)
                all = &p->results[p->n_results];
            p->n_results++;
        }
        if (!wanted)
            continue;
        p->cells[p->n] = *c;
        p->at[p->n] = (struct arrange_cell) {
            .cell = &p->cells[p->n], .row = all, .subject = subject, .run = run
        };
        p->n++;
    }
}

/* Makes all cells those of the window that was asked for. */
static int pick_windows(struct loading *l, struct picked *p, struct error *e)
{
    size_t k = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct cell_row *c = &p->cells[i];
        struct time_range *range = arena_one(l->a, struct time_range);
        size_t first = k;
        while (k < p->n_results && p->results[k].cell == c->id)
            k++;
        *range = window_of(l->o, c->measured_ns);
        p->at[i].window = range;
        bool done = !strcmp(c->status, cell_status_name(CELL_DONE));
        if (done && window_measure(l->s, range, c, &p->results[first], k - first, e))
            return -1;
    }
    return 0;
}

static int load_cells(struct loading *l, struct report_data *d, struct error *e)
{
    if (check_workload_names(l, e))
        return -1;
    size_t n = 0, n_results = 0;
    for (size_t r = 0; r < l->n_runs; r++) {
        n += l->runs[r].n_cells;
        n_results += l->runs[r].n_results;
    }
    struct picked p = { .at = arena_array(l->a, struct arrange_cell, n),
                        .cells = arena_array(l->a, struct cell_row, n),
                        .results = arena_array(l->a, struct result_row, n_results) };
    struct arrange_run *runs = arena_array(l->a, struct arrange_run, l->n_runs);
    for (size_t r = 0; r < l->n_runs; r++) {
        pick_run(l, d, r, &p);
        runs[r] = (struct arrange_run) { &l->runs[r].run, l->runs[r].workloads,
                                         l->runs[r].n_workloads };
    }
    if (window_asked(l->o) && pick_windows(l, &p, e))
        return -1;
    for (size_t i = 0; i < p.n; i++)
        p.n_done += !strcmp(p.cells[i].status, cell_status_name(CELL_DONE));
    if (p.n == 0)
        return error_set(e, QD_E_NOTFOUND, "nothing in run '%s' matches what was asked for",
                         l->runs[0].run.name);
    d->cells = p.cells;
    d->n_cells = p.n;
    d->n_cells_done = p.n_done;
    d->results = p.results;
    d->n_results = p.n_results;
    const struct arrange_input in = {
        .store = l->s, .a = l->a, .runs = runs, .n_runs = l->n_runs, .cells = p.at, .n_cells = p.n
    };
    return arrange(&in, d, e);
}

static void load_events(struct loading *l, struct report_data *d)
{
    size_t n = 0, n_sources = 0;
    for (size_t r = 0; r < l->n_runs; r++) {
        n += l->runs[r].n_events;
        n_sources += l->runs[r].n_sources;
    }
    struct event_row *at = arena_array(l->a, struct event_row, n);
    struct source_row *sources = arena_array(l->a, struct source_row, n_sources);
    for (size_t r = 0; r < l->n_runs; r++) {
        for (size_t i = 0; i < l->runs[r].n_events; i++) {
            const struct event_row *ev = &l->runs[r].events[i];
            if (ev->target == 0 || subject_of(d, ev->target) != SIZE_MAX)
                at[d->n_events++] = *ev;
        }
        for (size_t i = 0; i < l->runs[r].n_sources; i++)
            sources[d->n_sources++] = l->runs[r].sources[i];
    }
    d->events = at;
    d->sources = sources;
}

/* --- what needs all spots ------------------------------------------------------------------------------------------ */

/* §5.2: pooled over the target's points with at least 3 repeats. */
static void measure_between(struct arena *a, const struct report_data *d, size_t subject,
                            struct subject *ret)
{
    double *cv = arena_array(a, double, d->n_points);
    size_t *n = arena_array(a, size_t, d->n_points), groups = 0;
    for (size_t p = 0; p < d->n_points; p++) {
        const struct spot *spot = &d->points[p].spots[subject];
        struct moment m = { 0 };
        for (size_t i = 0; i < spot->n_reps; i++)
            moment_add(&m, spot->metric[METRIC_IOPS].repeats[i]);
        if (spot->n_reps < 3 || isnan(moment_cv(&m)))
            continue;
        cv[groups] = moment_cv(&m);
        n[groups++] = spot->n_reps;
    }
    double nu = 0, pooled = pooled_cv(cv, n, groups, &nu);
    ret->assumed = isnan(pooled);
    ret->between_cv = ret->assumed ? COMPARE_ASSUMED_CV : pooled;
    ret->between_nu = ret->assumed ? (double)INFINITY : nu;
}

static void finish_subjects(struct arena *a, struct report_data *d, struct subject *at)
{
    for (size_t i = 0; i < d->n_subjects; i++) {
        measure_between(a, d, i, &at[i]);
        for (size_t p = 0; p < d->n_points; p++) {
            struct spot *spot = &d->points[p].spots[i];
            at[i].buffered |= spot->buffered;
            spot_sides(spot, &at[i], a);
        }
    }
}

static void count_repeats(struct report_data *d)
{
    bool any = false;
    d->repeated = d->single = true;
    for (size_t p = 0; p < d->n_points; p++)
        for (size_t i = 0; i < d->n_subjects; i++) {
            const struct spot *spot = &d->points[p].spots[i];
            any = any || spot->n_reps > 0;
            d->repeated = d->repeated && (spot->n_reps == 0 || spot->n_reps >= 3);
            d->single = d->single && spot->n_reps <= 1;
        }
    d->repeated = d->repeated && any;
}

/* §13: the prefix of a column comes from its largest value; here one for the whole report. */
static void choose_unit(struct report_data *d)
{
    double largest = 0;
    for (size_t p = 0; p < d->n_points; p++)
        for (size_t i = 0; i < d->n_subjects; i++) {
            double v = d->points[p].spots[i].metric[METRIC_LAT_MEAN].value;
            largest = v > largest ? v : largest;
        }
    bool small = largest > 0 && largest < (double)NS_PER_MS;
    d->lat_unit = small ? 1000 : (double)NS_PER_MS;
    d->lat_unit_name = small ? "µs" : "ms";
}

static int load_hash(struct loading *l, struct report_data *d, struct error *e)
{
    const struct run_row **runs = arena_array(l->a, const struct run_row *, l->n_runs);
    const char *all = NULL;
    for (size_t r = 0; r < l->n_runs; r++) {
        const char *hash = NULL;
        if (store_data_hash(l->s, l->a, l->runs[r].run.id, &hash, e))
            return -1;
        all = all ? arena_printf(l->a, "%s + %s", all, hash) : hash;
        runs[r] = &l->runs[r].run;
    }
    d->data_hash = all;
    d->runs = runs;
    d->n_runs = l->n_runs;
    return 0;
}

int report_data_load(struct store *s, struct arena *a, const struct report_options *o,
                     struct report_data *ret, struct error *e)
{
    struct loading l = { .s = s, .a = a, .o = o };
    struct report_data d = { .window = window_asked(o) ? window_words(a, o) : NULL,
                             .window_options = window_options(a, o) };
    if (window_check(o, e) || load_runs(&l, e))
        return -1;
    hide(&l);
    if (load_subjects(&l, &d, e) || load_cells(&l, &d, e) || load_hash(&l, &d, e))
        return -1;
    load_events(&l, &d);
    struct subject *subjects = arena_memdup(a, d.subjects, d.n_subjects * sizeof *d.subjects);
    finish_subjects(a, &d, subjects);
    d.subjects = subjects;
    count_repeats(&d);
    choose_unit(&d);
    *ret = d;
    return 0;
}
