#include "report/findings_even.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "report/findings.h"
#include "report/words.h"

/* At most so many targets are told one by one; the tables have them all. */
enum { FEW = 3 };

static const char *const phrases[EVEN_COUNT] = {
    [EVEN_NOTHING] = "No target was measured here.",
    [EVEN_ALONE] =
        "{in}{fast} completes its I/Os in {fast.mean} on average, and {fast.band} of its "
        "{records} stay within 5\u00a0% of that.",
    [EVEN_BOTH] =
        "{in}{fast} has the lower average, {fast.mean} against {second.mean} of {second}, "
        "and is the tightest: its {averages} have a standard deviation of {tight.sigma}, "
        "those of {loose} {loose.sigma}.",
    [EVEN_SPLIT] =
        "{in}{fast} has the lower average, {fast.mean} against {second.mean} of {second}; "
        "{tight} is tighter: its {averages} have a standard deviation of {tight.sigma}, "
        "those of {loose} {loose.sigma}.",
    [EVEN_AVERAGES] = "{in}the averages of {fast} and {second} show {difference} ({fast.mean} and "
                      "{second.mean}); {tight} is the tightest: its {averages} have a standard "
                      "deviation of {tight.sigma}, those of {loose} {loose.sigma}.",
};

const struct evenness *even_numbers(const struct report_data *d, const struct spot *s)
{
    if (!s->detail)
        return NULL;
    const struct evenness *e = d->window ? &s->detail->even : &s->detail->whole;
    return e->n ? e : NULL;
}

/* --- data ---------------------------------------------------------------------------------------------------------- */

static void find_order(struct arena *a, const struct report_data *d, const struct group_point *p,
                       struct even_finding *f)
{
    size_t *order = arena_array(a, size_t, d->n_subjects);
    for (size_t i = 0; i < d->n_subjects; i++) {
        const struct evenness *e = even_numbers(d, &p->spots[i]);
        if (!e)
            continue;
        size_t k = f->n++;
        for (; k > 0 && even_numbers(d, &p->spots[order[k - 1]])->mean > e->mean; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    f->order = order;
}

static void find_tight(const struct report_data *d, const struct group_point *p,
                       struct even_finding *f)
{
    for (size_t k = 0; k < f->n; k++) {
        size_t i = f->order[k];
        double sigma = even_numbers(d, &p->spots[i])->deviation;
        if (isnan(sigma))
            continue;
        if (f->tight == SIZE_MAX || sigma < even_numbers(d, &p->spots[f->tight])->deviation) {
            f->loose = f->tight;
            f->tight = i;
        } else if (f->loose == SIZE_MAX ||
                   sigma < even_numbers(d, &p->spots[f->loose])->deviation) {
            f->loose = i;
        }
    }
}

static void find_stalled(const struct report_data *d, const struct group_point *p,
                         struct even_finding *f)
{
    size_t most = 0;
    for (size_t i = 0; i < d->n_subjects; i++) {
        const struct detail *x = p->spots[i].detail;
        size_t n = !x ? 0 : d->window ? x->even.n_empty : x->whole.n_empty;
        f->n_stalled += n;
        f->most_stalled = n > most ? i : f->most_stalled;
        most = n > most ? n : most;
    }
}

struct even_finding even_at(struct arena *a, const struct report_data *d,
                            const struct group_point *p)
{
    struct even_finding f = { .fast = SIZE_MAX,
                              .second = SIZE_MAX,
                              .tight = SIZE_MAX,
                              .loose = SIZE_MAX,
                              .most_stalled = SIZE_MAX };
    find_order(a, d, p, &f);
    find_tight(d, p, &f);
    find_stalled(d, p, &f);
    f.kind = f.n == 0 ? EVEN_NOTHING : EVEN_ALONE;
    f.fast = f.n > 0 ? f.order[0] : SIZE_MAX;
    if (f.n < 2 || f.loose == SIZE_MAX)
        return f;
    f.second = f.order[1];
    f.average = compare_values(&p->spots[f.second].metric[METRIC_LAT_MEAN],
                               &p->spots[f.fast].metric[METRIC_LAT_MEAN], METRIC_LAT_MEAN);
    f.kind = f.average.verdict != VERDICT_BETTER ? EVEN_AVERAGES
             : f.tight == f.fast                 ? EVEN_BOTH
                                                 : EVEN_SPLIT;
    return f;
}

/* --- words --------------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct report_data *d, size_t i)
{
    return i == SIZE_MAX ? "" : d->subjects[i].series.name;
}

static const char *time_unit(struct arena *a, const struct report_data *d, double ns)
{
    return arena_printf(a, "%s", value_unit(d, METRIC_LAT_MEAN, ns).s);
}

static const struct evenness *numbers(const struct report_data *d, const struct group_point *p,
                                      size_t i)
{
    return i == SIZE_MAX ? NULL : even_numbers(d, &p->spots[i]);
}

static const char *mean_of(struct arena *a, const struct report_data *d,
                           const struct group_point *p, size_t i)
{
    const struct evenness *e = numbers(d, p, i);
    return e ? time_unit(a, d, e->mean) : "";
}

static const char *sigma_of(struct arena *a, const struct report_data *d,
                            const struct group_point *p, size_t i)
{
    const struct evenness *e = numbers(d, p, i);
    return e ? time_unit(a, d, e->deviation) : "";
}

static const char *first_sentence(struct arena *a, const struct report_data *d,
                                  const struct group_point *p, const struct even_finding *f)
{
    const struct spot *any = timed_spot(d, p);
    double step = any ? any->in_time->step : 1;
    const struct evenness *fast = numbers(d, p, f->fast);
    const char *in = d->window     ? arena_printf(a, "In %s ", d->window)
                     : d->repeated ? ""
                                   : "In this run ";
    const struct blank blanks[] = {
        { "in", in },
        { "fast", name_of(d, f->fast) },
        { "fast.mean", mean_of(a, d, p, f->fast) },
        { "fast.band", fast ? arena_printf(a, "%s", fmt_share(fast->in_band, fast->n).s) : "" },
        { "records", step == 1 ? "seconds" : "records" },
        { "averages", averages_words(a, step) },
        { "second", name_of(d, f->second) },
        { "second.mean", mean_of(a, d, p, f->second) },
        { "tight", name_of(d, f->tight) },
        { "tight.sigma", sigma_of(a, d, p, f->tight) },
        { "loose", name_of(d, f->loose) },
        { "loose.sigma", sigma_of(a, d, p, f->loose) },
        { "difference", f->average.verdict == VERDICT_SAME
                            ? "no practical difference (within ±3\u00a0%)"
                            : "no clear difference" },
    };
    return fill_in(a, phrases[f->kind], blanks, countof(blanks));
}

/* "98 % of the seconds of A take at most 0.499 ms, of B 0.512 ms; the longest 0.549 ms and 0.551 ms." */
static const char *spread_sentence(struct arena *a, const struct report_data *d,
                                   const struct group_point *p, const struct even_finding *f)
{
    const char *most[FEW], *longest[FEW];
    size_t n = f->n < FEW ? f->n : FEW;
    double step = timed_spot(d, p)->in_time->step;
    for (size_t k = 0; k < n; k++) {
        const struct evenness *e = numbers(d, p, f->order[k]);
        const char *name = name_of(d, f->order[k]);
        most[k] = n == 1 ? time_unit(a, d, e->q98)
                         : arena_printf(a, "%s on %s", time_unit(a, d, e->q98), name);
        longest[k] = time_unit(a, d, e->most);
    }
    return arena_printf(a, "98\u00a0%% of the %ss average at most %s; the longest %s.",
                        step == 1 ? "second" : "record", list_words(a, most, n, n),
                        n == 1 ? arena_printf(a, "averages %s", longest[0])
                               : arena_printf(a, "are %s", list_words(a, longest, n, n)));
}

static const char *stalls_sentence(struct arena *a, const struct report_data *d,
                                   const struct group_point *p, const struct even_finding *f)
{
    double step = timed_spot(d, p)->in_time->step;
    if (f->most_stalled == SIZE_MAX)
        return arena_printf(a, "No %s was without a completed I/O.", record_word(a, step));
    const struct detail *x = p->spots[f->most_stalled].detail;
    size_t most = d->window ? x->even.n_empty : x->whole.n_empty;
    const char *first = arena_printf(a, "%s has %s", name_of(d, f->most_stalled),
                                     stalled_words(a, most, step));
    if (most == f->n_stalled)
        return arena_printf(a, "%s.", first);
    return arena_printf(a, "%s, the others together %s.", first, fmt_count(f->n_stalled - most).s);
}

struct rich even_words(struct arena *a, const struct report_data *d, const struct group_point *p)
{
    struct rich r = { 0 };
    struct even_finding f = even_at(a, d, p);
    rich_put(&r, a, RUN_STRONG, first_sentence(a, d, p, &f));
    if (f.kind == EVEN_NOTHING)
        return r;
    rich_printf(&r, a, RUN_PLAIN, " %s", spread_sentence(a, d, p, &f));
    rich_printf(&r, a, RUN_SOFT, " %s", stalls_sentence(a, d, p, &f));
    return r;
}
