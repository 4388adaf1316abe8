#include <math.h>
#include <string.h>

#include "base/array.h"
#include "report/findings.h"
#include "report/summary.h"
#include "report/words.h"

/* At most so many workloads or exceptions are named; beyond that they are counted. */
enum { FEW = 3 };

struct verdict_state {
    struct arena *a;
    const struct report_data *d;
    const struct point_standing *st;
    struct workload_course *courses;
    const char *name;
    bool general;
    struct rich text;
};

static void say(struct verdict_state *v, enum run_style style, const char *text)
{
    const char *space = v->text.n ? " " : "";
    if (*text)
        rich_put(&v->text, v->a, style, arena_printf(v->a, "%s%s", space, text));
}

static const char *in_this_run(const struct verdict_state *v)
{
    return v->general ? "" : v->d->n_runs > 1 ? "In these runs " : "In this run ";
}

/* --- the first sentence -------------------------------------------------------------------------------------------- */

static bool all_courses(const struct verdict_state *v, enum course x, enum course y)
{
    bool any = false;
    for (size_t w = 0; w < v->d->n_workloads; w++) {
        enum course c = v->courses[w].course;
        if (c != COURSE_NONE && c != x && c != y)
            return false;
        any = any || c != COURSE_NONE;
    }
    return any;
}

static bool depth_axes(const struct report_data *d)
{
    for (size_t w = 0; w < d->n_workloads; w++)
        if (!d->workloads[w].depth_axis)
            return false;
    return true;
}

static const char *ahead_sentence(const struct verdict_state *v)
{
    const struct report_data *d = v->d;
    uint32_t from = 0;
    bool below = false;
    for (size_t w = 0; w < d->n_workloads; w++) {
        const struct workload_course *c = &v->courses[w];
        if (c->course != COURSE_AHEAD_FROM)
            continue;
        uint32_t depth = d->workloads[w].points[c->from].queue_depth;
        from = depth > from ? depth : from;
        below = true;
    }
    const char *where = below ? arena_printf(v->a, "at every queue depth from %u up", from)
                        : depth_axes(d) ? "at every queue depth"
                                        : "at every point";
    return arena_printf(v->a, "%s%s is ahead of each measured peer %s%s.", in_this_run(v), v->name,
                        where, d->n_workloads > 1 && !below ? " of every workload" : "");
}

/* What is said of workloads whose courses differ, in this order. */
enum told {
    TOLD_AHEAD,
    TOLD_PARTLY,
    TOLD_BEHIND,
    TOLD_LEVEL,
    TOLD_NEVER,
    TOLD_UNKNOWN,
    TOLD_COUNT
};

static enum told told_of(const struct workload_course *c)
{
    switch (c->course) {
    case COURSE_AHEAD:
        return TOLD_AHEAD;
    case COURSE_BEHIND:
        return TOLD_BEHIND;
    case COURSE_SAME:
    case COURSE_UNCLEAR:
        return TOLD_LEVEL;
    case COURSE_AHEAD_FROM:
    case COURSE_MIXED:
        return c->n_ahead ? TOLD_PARTLY : c->n_behind ? TOLD_NEVER : TOLD_UNKNOWN;
    case COURSE_NONE:
        break;
    }
    return TOLD_COUNT;
}

static const char *mixed_sentence(const struct verdict_state *v)
{
    static const char *const phrases[TOLD_COUNT] = {
        [TOLD_AHEAD] = "is ahead of each measured peer in {list}",
        [TOLD_PARTLY] = "is ahead at some points only in {list}",
        [TOLD_BEHIND] = "is behind in {list}",
        [TOLD_LEVEL] = "shows no clear difference in {list}",
        [TOLD_NEVER] = "is level or behind in {list}",
        [TOLD_UNKNOWN] = "cannot be compared in {list}",
    };
    const char *parts[TOLD_COUNT], **names = arena_array(v->a, const char *, v->d->n_workloads);
    size_t n = 0;
    for (int told = 0; told < TOLD_COUNT; told++) {
        size_t k = 0;
        for (size_t w = 0; w < v->d->n_workloads; w++)
            if (told_of(&v->courses[w]) == (enum told)told)
                names[k++] = v->d->workloads[w].title;
        if (k == 0)
            continue;
        const struct blank list = { "list", k > FEW ? arena_printf(v->a, "%zu workloads", k)
                                                    : list_words(v->a, names, k, k) };
        parts[n++] = fill_in(v->a, phrases[told], &list, 1);
    }
    return arena_printf(v->a, "%s%s %s.", in_this_run(v), v->name, list_words(v->a, parts, n, n));
}

static const char *first_sentence(const struct verdict_state *v)
{
    const char *run = v->general         ? "There is"
                      : v->d->n_runs > 1 ? "In these runs there is"
                                         : "In this run there is";
    if (all_courses(v, COURSE_AHEAD, COURSE_AHEAD_FROM))
        return ahead_sentence(v);
    if (all_courses(v, COURSE_BEHIND, COURSE_BEHIND))
        return arena_printf(v->a, "%s%s is behind the best peer at every point.", in_this_run(v),
                            v->name);
    if (all_courses(v, COURSE_SAME, COURSE_SAME))
        return arena_printf(v->a,
                            "%s no practical difference (within ±3\u00a0%%) between %s and "
                            "the best peer at any point.",
                            run, v->name);
    if (all_courses(v, COURSE_SAME, COURSE_UNCLEAR))
        return arena_printf(v->a,
                            "%s no clear difference between %s and the best peer at any "
                            "point.",
                            run, v->name);
    return mixed_sentence(v);
}

/* --- the numbers --------------------------------------------------------------------------------------------------- */

static const char *peak_words(const struct verdict_state *v, const struct report_workload *w)
{
    size_t peak = peak_point(w, v->d->highlighted, w->headline);
    if (peak == SIZE_MAX)
        return NULL;
    const struct value *own = &w->points[peak].spots[v->d->highlighted].metric[w->headline];
    const char *text = arena_printf(v->a, "%s in %s", value_unit(v->d, w->headline, own->value).s,
                                    w->title);
    const struct value *best = NULL;
    size_t best_subject = 0;
    for (size_t i = 0; i < v->d->n_subjects; i++) {
        size_t p = peak_point(w, i, w->headline);
        if (i == v->d->highlighted || p == SIZE_MAX)
            continue;
        const struct value *other = &w->points[p].spots[i].metric[w->headline];
        if (!best || other->value > best->value) {
            best = other;
            best_subject = i;
        }
    }
    if (!best)
        return text;
    struct comparison c = compare_values(best, own, w->headline);
    if (isnan(c.ratio))
        return text;
    return arena_printf(v->a, "%s (%s against %s)", text,
                        fmt_advantage_interval(c.ratio, c.low, c.high).s,
                        v->d->subjects[best_subject].series.name);
}

static void say_peaks(struct verdict_state *v)
{
    const char *words[FEW];
    size_t n = 0;
    for (size_t w = 0; w < v->d->n_workloads && v->d->n_workloads <= FEW; w++) {
        const char *peak = peak_words(v, &v->d->workloads[w]);
        if (peak)
            words[n++] = peak;
    }
    if (n)
        say(v, RUN_PLAIN, arena_printf(v->a, "It reaches %s.", list_words(v->a, words, n, n)));
}

/* With many workloads: the point of the largest advantage and the one of the largest disadvantage. */
static size_t extreme(const struct verdict_state *v, enum standing wanted)
{
    size_t at = SIZE_MAX;
    for (size_t p = 0; p < v->d->n_points; p++) {
        if (v->st[p].dut != wanted || isnan(v->st[p].against.ratio))
            continue;
        double r = v->st[p].against.ratio;
        double best = at == SIZE_MAX ? (double)NAN : v->st[at].against.ratio;
        if (at == SIZE_MAX || (wanted == STANDING_AHEAD ? r > best : r < best))
            at = p;
    }
    return at;
}

static const char *place_words(const struct verdict_state *v, size_t point)
{
    const struct group_point *p = &v->d->points[point];
    const struct report_workload *w = &v->d->workloads[p->workload];
    return w->n_points > 1 ? arena_printf(v->a, "%s, %s", w->title, p->label) : w->title;
}

static void say_extremes(struct verdict_state *v)
{
    static const struct {
        enum standing wanted;
        const char *pattern;
    } rows[] = {
        { STANDING_AHEAD, "Its largest advantage is {adv} against {peer} ({place})." },
        { STANDING_BEHIND, "It is furthest behind {peer} in {place} ({adv})." },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        size_t p = extreme(v, rows[i].wanted);
        if (p == SIZE_MAX)
            continue;
        const struct comparison *c = &v->st[p].against;
        const struct blank blanks[] = {
            { "adv",
              arena_printf(v->a, "%s", fmt_advantage_interval(c->ratio, c->low, c->high).s) },
            { "peer", v->d->subjects[v->st[p].best_peer].series.name },
            { "place", place_words(v, p) },
        };
        say(v, RUN_PLAIN, fill_in(v->a, rows[i].pattern, blanks, countof(blanks)));
    }
}

/* --- what is not better -------------------------------------------------------------------------------------------- */

static const char *exception_words(const struct verdict_state *v, size_t p)
{
    const struct point_standing *st = &v->st[p];
    const char *peer = v->d->subjects[st->best_peer].series.name;
    const char *adv = arena_printf(
        v->a, "%s", fmt_advantage_interval(st->against.ratio, st->against.low, st->against.high).s);
    switch (st->dut) {
    case STANDING_BEHIND:
        return arena_printf(v->a, "In %s it is behind %s (%s).", place_words(v, p), peer, adv);
    case STANDING_SAME:
        return arena_printf(v->a, "In %s there is no practical difference to %s (%s).",
                            place_words(v, p), peer, adv);
    case STANDING_UNKNOWN:
        return arena_printf(v->a, "In %s no comparison is possible: %s.", place_words(v, p),
                            st->against.reason ? st->against.reason : "a value is missing");
    case STANDING_UNCLEAR:
        return arena_printf(v->a, "In %s there is no clear difference to %s (%s).",
                            place_words(v, p), peer, adv);
    case STANDING_NONE:
    case STANDING_AHEAD:
        break;
    }
    return "";
}

static const char *counts_words(const struct verdict_state *v, size_t ahead, size_t behind,
                                size_t unclear)
{
    const struct {
        size_t n;
        const char *words;
    } rows[] = { { ahead, "ahead" },
                 { behind, "behind" },
                 { unclear, "without a clear difference" } };
    const char *parts[countof(rows)];
    size_t n = 0;
    for (size_t i = 0; i < countof(rows); i++)
        if (rows[i].n)
            parts[n++] = arena_printf(v->a, "%s at %zu", rows[i].words, rows[i].n);
    return arena_printf(v->a, "Of %zu points it is %s.", v->d->n_points,
                        list_words(v->a, parts, n, n));
}

static void say_exceptions(struct verdict_state *v)
{
    size_t n = 0, n_ahead = 0, behind = 0, unclear = 0;
    const char *words = "";
    for (size_t p = 0; p < v->d->n_points; p++) {
        enum standing s = v->st[p].dut;
        n_ahead += s == STANDING_AHEAD;
        behind += s == STANDING_BEHIND;
        unclear += s == STANDING_SAME || s == STANDING_UNCLEAR;
        if (s == STANDING_NONE || s == STANDING_AHEAD)
            continue;
        words = n++ ? arena_printf(v->a, "%s %s", words, exception_words(v, p))
                    : exception_words(v, p);
    }
    bool told = all_courses(v, COURSE_BEHIND, COURSE_BEHIND) ||
                all_courses(v, COURSE_SAME, COURSE_UNCLEAR);
    if (n <= 2 && n_ahead)
        say(v, RUN_SOFT, words);
    else if (behind + unclear && !told)
        say(v, RUN_SOFT, counts_words(v, n_ahead, behind, unclear));
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static void say_alone(struct verdict_state *v)
{
    const char *words[FEW];
    size_t n = 0;
    for (size_t w = 0; w < v->d->n_workloads && n < FEW; w++) {
        const char *peak = peak_words(v, &v->d->workloads[w]);
        if (peak)
            words[n++] = peak;
    }
    if (n == 0) {
        say(v, RUN_STRONG, arena_printf(v->a, "%s was not measured.", v->name));
        return;
    }
    say(v, RUN_STRONG, arena_printf(v->a, "%s%s reaches %s.", in_this_run(v), v->name, words[0]));
    if (n > 1)
        say(v, RUN_PLAIN,
            arena_printf(v->a, "It reaches %s.", list_words(v->a, words + 1, n - 1, n)));
}

struct rich verdict_rich(struct arena *a, const struct report_data *d,
                         const struct point_standing *st)
{
    struct verdict_state v = { .a = a, .d = d, .st = st, .general = true };
    v.courses = arena_array(a, struct workload_course, d->n_workloads);
    v.name = d->subjects[d->highlighted].series.name;
    bool compared = false;
    for (size_t w = 0; w < d->n_workloads; w++) {
        v.courses[w] = workload_course(d, st, &d->workloads[w]);
        bool some = v.courses[w].course != COURSE_NONE;
        v.general = v.general && (v.courses[w].general || !some);
        compared = compared || some;
    }
    if (!compared) {
        v.general = d->repeated;
        say_alone(&v);
        return v.text;
    }
    say(&v, RUN_STRONG, first_sentence(&v));
    if (d->n_workloads <= FEW)
        say_peaks(&v);
    else
        say_extremes(&v);
    say_exceptions(&v);
    return v.text;
}
