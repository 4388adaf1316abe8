#include "report/checks.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "report/words.h"
#include "stats/scaling.h"

/* Events of one kind beyond this many are told together. */
enum { SAME_KIND = 3, NAMES = 4 };

struct checking {
    struct arena *a;
    const struct report_data *d;
    ARRAY(struct warning) warnings;
    ARRAY(const char *) passed;
    ARRAY(struct rich) notes;
};

/* --- words --------------------------------------------------------------------------------------------------------- */

static struct rich *warn(struct checking *k, const char *what)
{
    struct warning *w = array_push(&k->warnings);
    w->what = what;
    return &w->text;
}

static const struct group_point *point_of_cell(const struct report_data *d, int64_t cell)
{
    for (size_t p = 0; cell && p < d->n_points; p++)
        for (size_t i = 0; i < d->n_subjects; i++)
            if (d->points[p].spots[i].cell && d->points[p].spots[i].cell->id == cell)
                return &d->points[p];
    return NULL;
}

static const char *place_words(struct arena *a, const struct report_data *d,
                               const struct group_point *p)
{
    const struct report_workload *w = &d->workloads[p->workload];
    return w->n_points > 1 ? arena_printf(a, "%s, %s", w->title, p->label) : w->title;
}

static void link_point(struct checking *k, struct rich *text, const struct group_point *p)
{
    if (!p)
        return;
    rich_put(text, k->a, RUN_PLAIN, " ");
    rich_link(text, k->a, place_words(k->a, k->d, p), arena_printf(k->a, "#%s", p->slug));
}

/* Subjects for which a check found something, with the first point of it. */
struct found {
    const char **names;
    size_t n, cells;
    const struct group_point *first;
    double low, high;
};

typedef bool found_fn(const struct report_data *d, const struct group_point *p, size_t subject,
                      double *ret_number);

static struct found find_all(struct checking *k, found_fn *fn)
{
    struct found f = { .names = arena_array(k->a, const char *, k->d->n_subjects),
                       .low = INFINITY,
                       .high = -INFINITY };
    for (size_t i = 0; i < k->d->n_subjects; i++) {
        bool any = false;
        for (size_t p = 0; p < k->d->n_points; p++) {
            double number = NAN;
            if (!fn(k->d, &k->d->points[p], i, &number))
                continue;
            any = true;
            f.cells++;
            f.first = f.first ? f.first : &k->d->points[p];
            f.low = fmin(f.low, number);
            f.high = fmax(f.high, number);
        }
        if (any)
            f.names[f.n++] = k->d->subjects[i].series.name;
    }
    return f;
}

static const char *found_names(struct checking *k, const struct found *f)
{
    return list_words(k->a, f->names, f->n, NAMES);
}

static bool has_event(const struct report_data *d, const char *code)
{
    for (size_t i = 0; i < d->n_events; i++)
        if (!strcmp(d->events[i].event.code, code))
            return true;
    return false;
}

/* --- events -------------------------------------------------------------------------------------------------------- */

/* Events that are notes in the store but belong before the numbers. */
static bool is_warning(const struct event *ev)
{
    return ev->severity >= EVENT_WARNING || !strcmp(ev->code, "store-on-target");
}

static bool told_before(const struct report_data *d, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(d->events[k].event.code, d->events[i].event.code) &&
            d->events[k].target == d->events[i].target)
            return true;
    return false;
}

/* More events of that code and target. */
static size_t count_more(const struct report_data *d, size_t i)
{
    size_t n = 0;
    for (size_t k = i + 1; k < d->n_events; k++)
        n += !strcmp(d->events[k].event.code, d->events[i].event.code) &&
             d->events[k].target == d->events[i].target;
    return n;
}

/* How many targets had an event of that code before this one. */
static size_t count_kind(const struct report_data *d, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < i; k++)
        n += !strcmp(d->events[k].event.code, d->events[i].event.code) && !told_before(d, k);
    return n;
}

static void put_event_text(struct checking *k, struct rich *text, size_t i)
{
    const struct event_row *row = &k->d->events[i];
    size_t more = count_more(k->d, i);
    if (row->event.text)
        rich_put(text, k->a, RUN_PLAIN, row->event.text);
    if (more)
        rich_printf(text, k->a, RUN_PLAIN, "%sThe same happened %s more.",
                    row->event.text ? " " : "", fmt_plural(more, "time").s);
    link_point(k, text, point_of_cell(k->d, row->cell));
}

static void tell_events(struct checking *k, enum severity lowest, enum severity highest)
{
    const struct report_data *d = k->d;
    for (size_t i = 0; i < d->n_events; i++) {
        const struct event *ev = &d->events[i].event;
        enum severity s = is_warning(ev) && ev->severity < EVENT_WARNING ? EVENT_WARNING
                                                                         : ev->severity;
        if (s < lowest || s > highest || told_before(d, i))
            continue;
        size_t before = count_kind(d, i);
        if (before < SAME_KIND)
            put_event_text(k, warn(k, ev->what), i);
        else if (before == SAME_KIND)
            rich_put(warn(k, "The same is true of further targets."), k->a, RUN_PLAIN,
                     "All events are in the store: see the list of notes in the method.");
    }
}

static void tell_notes(struct checking *k)
{
    for (size_t i = 0; i < k->d->n_events; i++) {
        const struct event *ev = &k->d->events[i].event;
        bool repeated = told_before(k->d, i);
        if ((is_warning(ev) && count_kind(k->d, i) < SAME_KIND) || repeated)
            continue;
        struct rich *note = array_push(&k->notes);
        rich_put(note, k->a, RUN_STRONG, ev->what);
        rich_put(note, k->a, RUN_PLAIN, " ");
        put_event_text(k, note, i);
    }
}

/* --- derived ------------------------------------------------------------------------------------------------------- */

static void check_missing(struct checking *k)
{
    const struct report_data *d = k->d;
    size_t missing = d->n_cells - d->n_cells_done;
    if (missing == 0)
        return;
    bool interrupted = false;
    for (size_t r = 0; r < d->n_runs; r++)
        interrupted = interrupted || !strcmp(d->runs[r]->status, "interrupted");
    struct rich *text = warn(k, arena_printf(k->a, "%s%zu of %s %s not measured.",
                                             interrupted ? "The run was interrupted: " : "",
                                             missing, fmt_plural(d->n_cells, "cell").s,
                                             missing == 1 ? "was" : "were"));
    rich_put(text, k->a, RUN_PLAIN,
             "They are shown as gaps with their reason; nothing stands in for them. ");
    rich_printf(text, k->a, RUN_CODE, "qdepth run --resume %s", d->runs[0]->name);
    rich_put(text, k->a, RUN_PLAIN, " measures what is missing.");
}

static bool is_buffered(const struct report_data *d, const struct group_point *p, size_t i,
                        double *number)
{
    (void)d;
    *number = 0;
    return p->spots[i].buffered && !p->spots[i].missing;
}

static void check_direct(struct checking *k)
{
    struct found f = find_all(k, is_buffered);
    if (f.n == 0 || has_event(k->d, "buffered") || has_event(k->d, "direct-refused"))
        return;
    struct rich *text = warn(k, arena_printf(k->a, "%s %s measured through the page cache.",
                                             found_names(k, &f), f.n == 1 ? "was" : "were"));
    rich_put(text, k->a, RUN_PLAIN,
             "The figures describe the host's memory as much as the storage. Compare them only "
             "with other buffered figures.");
}

static bool is_not_reached(const struct report_data *d, const struct group_point *p, size_t i,
                           double *number)
{
    (void)d;
    const struct spot *s = &p->spots[i];
    *number = s->achieved_depth;
    return s->not_reached && !s->missing;
}

static void check_depth(struct checking *k)
{
    struct found f = find_all(k, is_not_reached);
    if (f.n == 0)
        return;
    struct rich *text = warn(
        k,
        arena_printf(k->a, "%s did not have as many I/Os in flight as asked.", found_names(k, &f)));
    rich_printf(text, k->a, RUN_PLAIN,
                "At %s fewer than 90\u00a0%% of the asked queue depth were in flight on average "
                "(at most %s). These values carry a †, their markers are hollow: read them as "
                "values of the depth that was reached, in the results table.",
                fmt_plural(f.cells, "point").s, fmt_fixed(f.high, 1).s);
    link_point(k, text, f.first);
}

static bool is_not_steady(const struct report_data *d, const struct group_point *p, size_t i,
                          double *number)
{
    (void)d;
    *number = 0;
    return p->spots[i].not_steady && !p->spots[i].missing;
}

static void check_steady(struct checking *k)
{
    struct found f = find_all(k, is_not_steady);
    if (f.n == 0)
        return;
    struct rich *text = warn(
        k, arena_printf(k->a, "%s %s not steady.", found_names(k, &f), f.n == 1 ? "was" : "were"));
    rich_put(text, k->a, RUN_PLAIN,
             "The last rounds ranged over more than 20\u00a0% of their mean or kept drifting by "
             "more than 10\u00a0%. These values carry a ‡ and are not compared.");
    link_point(k, text, f.first);
}

/* Where I/Os start by a clock, response times count from when they were due: what waits is not in flight yet. */
static bool is_paced(const struct report_data *d, int64_t cell)
{
    for (size_t i = 0; i < d->n_cells; i++)
        if (d->cells[i].id == cell)
            return d->cells[i].cell.rate.kind != RATE_NONE;
    return false;
}

static void check_little(struct checking *k)
{
    const struct report_data *d = k->d;
    size_t n = 0;
    double worst = 0;
    const struct result_row *at = NULL;
    for (size_t i = 0; i < d->n_results; i++) {
        const struct result_row *r = &d->results[i];
        if (r->direction != DIR_ALL || r->ios == 0 || isnan(r->achieved_depth) ||
            isnan(r->lat_mean_ns) || is_paced(d, r->cell) ||
            little_holds(r->iops, r->lat_mean_ns, r->achieved_depth, r->lat_max_ns, r->seconds))
            continue;
        n++;
        double deviation = little_deviation(r->iops, r->lat_mean_ns, r->achieved_depth);
        if (fabs(deviation) > fabs(worst) || !at) {
            worst = deviation;
            at = r;
        }
    }
    if (n == 0)
        return;
    struct rich *text = warn(
        k, arena_printf(k->a, "IOPS and response time disagree in %s.", fmt_plural(n, "cell").s));
    rich_printf(text, k->a, RUN_PLAIN,
                "IOPS times mean response time must equal the I/Os in flight within 3\u00a0%%; for "
                "%s in %s at queue depth %u it is off by %s\u00a0%%. Either number may be wrong "
                "there.",
                at->target, at->workload, at->queue_depth, fmt_fixed(worst * 100, 0).s);
    link_point(k, text, point_of_cell(d, at->cell));
}

static bool has_errors(const struct report_data *d, const struct group_point *p, size_t i,
                       double *number)
{
    (void)d;
    *number = (double)p->spots[i].errors;
    return p->spots[i].errors > 0;
}

static void check_errors(struct checking *k)
{
    struct found f = find_all(k, has_errors);
    if (f.n == 0 || has_event(k->d, "io-error"))
        return;
    struct rich *text = warn(k, arena_printf(k->a, "I/Os failed on %s.", found_names(k, &f)));
    rich_printf(
        text, k->a, RUN_PLAIN,
        "At %s at least one I/O ended with an error. Failed I/Os are counted in the results "
        "table and are in none of the rates and response times.",
        fmt_plural(f.cells, "point").s);
    link_point(k, text, f.first);
}

static bool is_too_short(const struct report_data *d, const struct group_point *p, size_t i,
                         double *number)
{
    (void)d;
    const struct spot *s = &p->spots[i];
    *number = s->seconds;
    return s->n_reps == 1 && isnan(s->metric[METRIC_IOPS].low) &&
           s->metric[METRIC_IOPS].mean.note == MEAN_TOO_SHORT;
}

static void check_short(struct checking *k)
{
    struct found f = find_all(k, is_too_short);
    if (f.n == 0)
        return;
    struct rich *text = warn(k, arena_printf(k->a, "%s %s too short for an interval.",
                                             fmt_plural(f.cells, "point").s,
                                             f.cells == 1 ? "was" : "were"));
    rich_put(text, k->a, RUN_PLAIN,
             "An interval within a run needs at least 10 batches. No whisker is drawn; "
             "comparisons rest on the assumed variation between runs alone. ");
    rich_put(text, k->a, RUN_CODE, "--duration");
    rich_put(text, k->a, RUN_PLAIN, " makes cells longer.");
}

static void check_repeats(struct checking *k)
{
    const struct report_data *d = k->d;
    if (d->repeated || d->n_cells_done == 0)
        return;
    bool assumed = false;
    for (size_t i = 0; i < d->n_subjects; i++)
        assumed = assumed || d->subjects[i].assumed;
    struct rich *text = warn(k, d->single ? "Each point was measured once."
                                          : "Some points have fewer than 3 runs.");
    if (!assumed) {
        rich_put(text, k->a, RUN_PLAIN,
                 "Variation between runs is taken from the points that were repeated.");
        return;
    }
    rich_put(
        text, k->a, RUN_PLAIN,
        "A run does not tell how much the next one would differ: 5\u00a0% variation between "
        "runs is assumed, not measured, so that only differences beyond about 15\u00a0% can be "
        "told apart. ");
    rich_put(text, k->a, RUN_CODE, "--repeat 3");
    rich_put(text, k->a, RUN_PLAIN, " or more measures it.");
}

static bool is_far_repeat(const struct report_data *d, const struct group_point *p, size_t i,
                          double *number)
{
    const struct value *v = &p->spots[i].metric[d->workloads[p->workload].headline];
    *number = 0;
    return p->spots[i].n_reps >= 3 && v->mean.se > 0 && fabs(v->value - v->mean.mean) > v->mean.se;
}

static void check_far_repeats(struct checking *k)
{
    struct found f = find_all(k, is_far_repeat);
    if (f.n == 0)
        return;
    struct rich *text = warn(k, arena_printf(k->a, "One repeat is far from the others at %s.",
                                             fmt_plural(f.cells, "point").s));
    rich_printf(text, k->a, RUN_PLAIN,
                "There the mean over the repeats of %s differs from their median by more than its "
                "standard error. Figures show the median; intervals are of the mean.",
                found_names(k, &f));
    link_point(k, text, f.first);
}

static void check_coverage(struct checking *k)
{
    const struct report_data *d = k->d;
    size_t n = 0;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < d->n_cells; i++) {
        const struct cell_row *c = &d->cells[i];
        if (strcmp(c->status, cell_status_name(CELL_DONE)) || c->span_bytes == 0 ||
            c->covered_bytes >= c->span_bytes)
            continue;
        double share = (double)c->covered_bytes / (double)c->span_bytes;
        low = fmin(low, share);
        high = fmax(high, share);
        n++;
    }
    if (n == 0)
        return;
    struct rich *text = warn(k, arena_printf(k->a, "%zu of %s touched only a part of the span.", n,
                                             fmt_plural(d->n_cells_done, "cell").s));
    const char *range = low == high ? arena_printf(k->a, "%s", fmt_label(low * 100).s)
                                    : arena_printf(k->a, "between %s and %s",
                                                   fmt_label(low * 100).s, fmt_label(high * 100).s);
    rich_printf(
        text, k->a, RUN_PLAIN,
        "They moved %s\u00a0%% of its bytes. Caches look better on a small part than on the "
        "whole; a longer ",
        range);
    rich_put(text, k->a, RUN_CODE, "--duration");
    rich_put(text, k->a, RUN_PLAIN, " or a smaller ");
    rich_put(text, k->a, RUN_CODE, "--size");
    rich_put(text, k->a, RUN_PLAIN, " covers more.");
}

static void check_alike(struct checking *k)
{
    const struct report_data *d = k->d;
    const char *differ[4];
    size_t n = 0;
    bool engine = false, config = false, version = false, import = false;
    for (size_t r = 1; r < d->n_runs; r++) {
        const struct run_row *x = d->runs[0], *y = d->runs[r];
        import |= x->import != y->import;
        engine |= strcmp(x->engine_version ? x->engine_version : "",
                         y->engine_version ? y->engine_version : "") != 0;
        config |= strcmp(x->config_hash ? x->config_hash : "",
                         y->config_hash ? y->config_hash : "") != 0;
        version |= strcmp(x->version ? x->version : "", y->version ? y->version : "") != 0;
    }
    if (import)
        differ[n++] = "tool";
    if (engine)
        differ[n++] = "engine version";
    if (config)
        differ[n++] = "configuration";
    if (version && !engine)
        differ[n++] = "version of qdepth";
    if (n == 0)
        return;
    struct rich *text = warn(k, "The runs are not like for like.");
    rich_printf(text, k->a, RUN_PLAIN,
                "They differ in %s. Points are matched by workload, size, mix, depth and workers; "
                "a difference between targets may be one between the runs.",
                list_words(k->a, differ, n, n));
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*check)(struct checking *k);
} derived[] = {
    { "every cell measured", check_missing },
    { "direct I/O used", check_direct },
    { "queue depth reached", check_depth },
    { "steady state where it was tested", check_steady },
    { "no I/O errors", check_errors },
    { "IOPS × response time equals the I/Os in flight", check_little },
    { "long enough for an interval", check_short },
    { "repeated at least 3 times", check_repeats },
    { "repeats close to each other", check_far_repeats },
    { "whole span covered", check_coverage },
    { "runs like for like", check_alike },
};

struct checks checks_make(struct arena *a, const struct report_data *d)
{
    struct checking k = { .a = a, .d = d };
    tell_events(&k, EVENT_ERROR, EVENT_ERROR);
    tell_events(&k, EVENT_WARNING, EVENT_WARNING);
    for (size_t i = 0; i < countof(derived); i++) {
        size_t before = k.warnings.n;
        derived[i].check(&k);
        if (k.warnings.n == before)
            *array_push(&k.passed) = derived[i].name;
    }
    tell_notes(&k);
    struct checks c = { .n_warnings = k.warnings.n, .n_passed = k.passed.n, .n_notes = k.notes.n };
    if (c.n_warnings)
        c.warnings = arena_memdup(a, k.warnings.at, c.n_warnings * sizeof *c.warnings);
    if (c.n_passed)
        c.passed = arena_memdup(a, k.passed.at, c.n_passed * sizeof *c.passed);
    if (c.n_notes)
        c.notes = arena_memdup(a, k.notes.at, c.n_notes * sizeof *c.notes);
    array_free(&k.warnings);
    array_free(&k.passed);
    array_free(&k.notes);
    return c;
}

/* --- marks --------------------------------------------------------------------------------------------------------- */

const char *spot_marks(const struct spot *spot)
{
    if (spot->missing)
        return NULL;
    if (spot->not_reached)
        return spot->not_steady ? "†‡" : "†";
    return spot->not_steady ? "‡" : NULL;
}

const char *marks_words(struct arena *a, const struct report_data *d, const struct group_point *at,
                        size_t n)
{
    bool steady = true;
    double most = NAN;
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < d->n_subjects; i++) {
            const struct spot *s = &at[p].spots[i];
            if (s->missing)
                continue;
            steady = steady && !s->not_steady;
            if (s->not_reached)
                most = fmax(most, s->achieved_depth);
        }
    const char *depth = isnan(most)
                            ? ""
                            : arena_printf(
                                  a, " † queue depth not reached: at most %s I/Os were in flight.",
                                  fmt_fixed(most, 1).s);
    return arena_printf(a, "%s%s", depth, steady ? "" : " ‡ not steady.");
}
