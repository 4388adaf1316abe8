#include "report/over_time.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "report/words.h"

enum { TICK_GAPS = 5, HOT_SPOTS = 25, MOST_TICKS = TICK_GAPS + 2 };

/* --- axis ---------------------------------------------------------------------------------------------------------- */

static const struct unit {
    double s, most; /* used for stretches up to `most` s */
    const char *name, *plural;
    double steps[12]; /* 0 at the end */
} units[] = {
    { 1, 120, "second", "Seconds", { 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60 } },
    { 60, 7200, "minute", "Minutes", { 0.5, 1, 2, 5, 10, 15, 30, 60 } },
    { 3600, 259200, "hour", "Hours", { 0.5, 1, 2, 5, 6, 12, 24 } },
    { 86400, INFINITY, "day", "Days", { 0.5, 1, 2, 5, 7, 14, 30, 60, 100 } },
};

static const struct unit *unit_for(double length_s)
{
    size_t i = 0;
    while (length_s > units[i].most)
        i++;
    return &units[i];
}

/* The smallest round step that needs at most `gaps`; 0: none does. */
static double step_for(const struct unit *u, double high, int gaps)
{
    for (size_t i = 0; u->steps[i] > 0; i++)
        if (high / u->steps[i] <= gaps)
            return u->steps[i];
    return 0;
}

static struct time_axis axis_for(struct arena *a, double origin, double length_s)
{
    const struct unit *u = unit_for(length_s);
    struct time_axis t = {
        .origin = origin, .unit = u->s, .name = u->name, .high = length_s / u->s
    };
    double step = step_for(u, t.high, TICK_GAPS), *ticks = arena_array(a, double, MOST_TICKS);
    for (size_t i = 0; step > 0 && i < MOST_TICKS && (double)i * step <= t.high * (1 + 1e-9); i++)
        ticks[t.n_ticks++] = (double)i * step;
    t.ticks = t.n_ticks > 1 ? ticks : NULL;
    t.n_ticks = t.ticks ? t.n_ticks : 0;
    return t;
}

struct time_axis time_axis_run(struct arena *a, double end_s)
{
    struct time_axis t = axis_for(a, 0, end_s);
    t.title = arena_printf(a, "%s since the start", unit_for(end_s)->plural);
    return t;
}

struct time_axis time_axis_part(struct arena *a, const struct time_range *part, const char *of)
{
    double from = (double)part->from_ns / 1e9, length = (double)part->to_ns / 1e9 - from;
    struct time_axis t = axis_for(a, from, length);
    t.title = arena_printf(a, "%s into %s", unit_for(length)->plural, of);
    return t;
}

double time_axis_x(const struct time_axis *t, double s)
{
    return (s - t->origin) / t->unit;
}

/* --- words --------------------------------------------------------------------------------------------------------- */

const char *record_word(struct arena *a, double step_s)
{
    if (step_s == 1)
        return "second";
    return arena_printf(a, "record of %s", fmt_span_ns((uint64_t)llround(step_s * 1e9)).s);
}

const char *record_plural(struct arena *a, double step_s)
{
    if (step_s == 1)
        return "seconds";
    return arena_printf(a, "records of %s", fmt_span_ns((uint64_t)llround(step_s * 1e9)).s);
}

const char *records_words(struct arena *a, size_t n, double step_s)
{
    if (step_s == 1)
        return arena_printf(a, "%s", fmt_plural(n, "second").s);
    return arena_printf(a, "%s of %s", fmt_plural(n, "record").s,
                        fmt_span_ns((uint64_t)llround(step_s * 1e9)).s);
}

const char *averages_words(struct arena *a, double step_s)
{
    if (step_s == 1)
        return "one-second averages";
    return arena_printf(a, "averages over %s", fmt_span_ns((uint64_t)llround(step_s * 1e9)).s);
}

const char *stalled_words(struct arena *a, size_t n, double step_s)
{
    const char *word = record_word(a, step_s);
    if (n == 0)
        return arena_printf(a, "no stalled %s", word);
    return step_s == 1 ? arena_printf(a, "%s", fmt_plural(n, "stalled second").s)
                       : arena_printf(a, "%s stalled", records_words(a, n, step_s));
}

const char *part_words(struct arena *a, const struct report_data *d, const struct detail *x)
{
    if (d->window)
        return d->window;
    return arena_printf(a, "the last %s",
                        time_words(a, (uint64_t)(x->window.to_ns - x->window.from_ns)));
}

const struct spot *timed_spot(const struct report_data *d, const struct group_point *p)
{
    for (size_t i = 0; i < d->n_subjects; i++)
        if (p->spots[i].detail && p->spots[i].in_time->n)
            return &p->spots[i];
    return NULL;
}

const char *range_words(struct arena *a, const struct report_data *d, double low_ns, double high_ns)
{
    return arena_printf(a, "%s to %s", value_label(d, METRIC_LAT_MEAN, low_ns).s,
                        value_unit(d, METRIC_LAT_MEAN, high_ns).s);
}

const char *exact_time(struct arena *a, const struct report_data *d, double ns)
{
    return arena_printf(a, "%s", fmt_exact(ns / d->lat_unit).s);
}

/* --- hot spots ----------------------------------------------------------------------------------------------------- */

static const char *stretch_words(struct arena *a, const struct time_axis *t, double x, double step)
{
    if (step == 1 && t->unit > 1)
        return arena_printf(a, "%s %s", t->name, fmt_exact(x + 1).s);
    return arena_printf(a, "%ss %s to %s", t->name, fmt_exact(x).s, fmt_exact(x + step).s);
}

static const char *window_tooltip(struct arena *a, const struct report_data *d, size_t subject,
                                  const char *stretch, const struct seconds *part)
{
    const char *name = d->subjects[subject].series.name;
    struct arena *scratch = arena_new();
    struct evenness e = evenness_of(scratch, part);
    const char *text;
    if (e.n + e.n_empty == 0)
        text = arena_printf(a, "%s\n%s: no records", name, stretch);
    else if (e.n == 0)
        text = arena_printf(a, "%s\n%s: %s", name, stretch,
                            stalled_words(a, e.n_empty, part->step));
    else
        text = arena_printf(a, "%s\n%s: median %s\n2\u00a0%% to 98\u00a0%% of %ss: %s\n%s", name,
                            stretch, value_unit(d, METRIC_LAT_MEAN, e.median).s,
                            part->step == 1 ? "second" : "record", range_words(a, d, e.q02, e.q98),
                            stalled_words(a, e.n_empty, part->step));
    arena_free(scratch);
    return text;
}

size_t time_stretches(const struct time_axis *t, struct x_window ret[TIME_STRETCHES])
{
    double step = step_for(unit_for(t->high * t->unit), t->high, HOT_SPOTS);
    size_t n = step > 0 ? (size_t)ceil(t->high / step - 1e-9) : 0;
    n = n < TIME_STRETCHES ? n : TIME_STRETCHES;
    for (size_t i = 0; i < n; i++) {
        double from = (double)i * step;
        ret[i] = (struct x_window) { .from = from, .to = fmin(from + step, t->high) };
    }
    return n;
}

struct time_windows time_windows(struct arena *a, const struct report_data *d, size_t subject,
                                 const struct seconds *s, const struct time_axis *t)
{
    if (!s->n)
        return (struct time_windows) { 0 };
    struct x_window *at = arena_array(a, struct x_window, TIME_STRETCHES);
    size_t n = time_stretches(t, at);
    double step = n ? at[0].to - at[0].from : 0;
    for (size_t i = 0; i < n; i++) {
        const struct time_range range = {
            (int64_t)llround((t->origin + at[i].from * t->unit) * 1e9),
            (int64_t)llround((t->origin + at[i].to * t->unit) * 1e9)
        };
        const struct seconds part = seconds_in(s, &range);
        at[i].tooltip = window_tooltip(a, d, subject, stretch_words(a, t, at[i].from, step), &part);
    }
    return (struct time_windows) { at, n };
}
