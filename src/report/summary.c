#include "report/summary.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "report/findings.h"
#include "report/words.h"
#include "stats/scaling.h"

enum { FEW = 3 };

/* Growth below this factor is told as a range, not as a gain. */
#define GAIN 1.5

static size_t index_of(const struct report_data *d, const struct group_point *p)
{
    return (size_t)(p - d->points);
}

/* --- course -------------------------------------------------------------------------------------------------------- */

static void count_point(const struct report_data *d, const struct group_point *p,
                        const struct point_standing *st, struct workload_course *c)
{
    if (st->dut == STANDING_NONE)
        return;
    c->only_peer = c->n == 0 || c->only_peer == st->best_peer ? st->best_peer : SIZE_MAX;
    c->n++;
    c->n_ahead += st->dut == STANDING_AHEAD;
    c->n_behind += st->dut == STANDING_BEHIND;
    c->n_level += st->dut == STANDING_SAME || st->dut == STANDING_UNCLEAR;
    c->n_unknown += st->dut == STANDING_UNKNOWN;
    c->general = c->general && p->spots[d->highlighted].n_reps >= 3 &&
                 p->spots[st->best_peer].n_reps >= 3;
}

/* The first point from which the device under test is ahead at every compared one; n_points: none. */
static size_t ahead_from(const struct report_data *d, const struct point_standing *st,
                         const struct report_workload *w)
{
    size_t from = w->n_points;
    for (size_t i = w->n_points; i-- > 0;) {
        enum standing s = st[index_of(d, &w->points[i])].dut;
        if (s != STANDING_AHEAD && s != STANDING_NONE)
            break;
        if (s == STANDING_AHEAD)
            from = i;
    }
    return from;
}

static enum course course_of(const struct workload_course *c, size_t n_same, size_t n_points)
{
    if (c->n == 0)
        return COURSE_NONE;
    if (c->n_ahead == c->n)
        return COURSE_AHEAD;
    if (c->n_behind == c->n)
        return COURSE_BEHIND;
    if (n_same == c->n)
        return COURSE_SAME;
    if (c->n_level == c->n)
        return COURSE_UNCLEAR;
    return c->from < n_points ? COURSE_AHEAD_FROM : COURSE_MIXED;
}

struct workload_course workload_course(const struct report_data *d, const struct point_standing *st,
                                       const struct report_workload *w)
{
    struct workload_course c = { .only_peer = SIZE_MAX, .general = true };
    size_t n_same = 0;
    for (size_t i = 0; i < w->n_points; i++) {
        const struct point_standing *s = &st[index_of(d, &w->points[i])];
        count_point(d, &w->points[i], s, &c);
        n_same += s->dut == STANDING_SAME;
    }
    c.general = c.general && c.n > 0;
    c.from = ahead_from(d, st, w);
    size_t n_ahead_from = 0;
    for (size_t i = c.from; i < w->n_points; i++)
        n_ahead_from += st[index_of(d, &w->points[i])].dut == STANDING_AHEAD;
    c.course = course_of(&c, n_same, n_ahead_from == c.n_ahead && w->depth_axis ? w->n_points : 0);
    return c;
}

/* --- scaling ------------------------------------------------------------------------------------------------------- */

struct scaling scaling_of(struct arena *a, const struct report_workload *w, size_t subject)
{
    struct scaling s = { 0 };
    double *x = arena_array(a, double, w->n_points);
    bool *reached = arena_array(a, bool, w->n_points);
    size_t first = SIZE_MAX, last = 0;
    for (size_t i = 0; i < w->n_points; i++) {
        const struct spot *spot = &w->points[i].spots[subject];
        x[i] = spot->metric[w->headline].value;
        reached[i] = !spot->not_reached;
        if (isnan(x[i]))
            continue;
        first = first == SIZE_MAX ? i : first;
        last = i;
    }
    struct knee k;
    if (!w->depth_axis || first == SIZE_MAX || first == last || !(x[first] > 0) ||
        !knee_find(x, reached, w->n_points, &k))
        return s;
    s.known = true;
    s.factor = x[last] / x[first];
    s.first = w->points[first].queue_depth;
    s.last = w->points[last].queue_depth;
    s.knee = w->points[k.at].queue_depth;
    s.peak = w->points[k.peak].queue_depth;
    s.saturated = k.saturated;
    s.falls = k.falls;
    s.fall = 1 - x[last] / x[k.peak];
    return s;
}

static const char *percent_words(struct arena *a, double share)
{
    double percent = share * 100;
    return arena_printf(a, "%s\u00a0%%", fmt_fixed(percent, percent < 9.95 ? 1 : 0).s);
}

static const char *scaling_words(struct arena *a, const struct report_workload *w,
                                 const struct scaling *s, const char *name)
{
    const char *unit = w->headline == METRIC_MB_S ? "throughput" : "IOPS";
    const char *gain = s->factor >= GAIN
                           ? arena_printf(a, "%s gains %s-fold in %s from queue depth %u to %u",
                                          name, fmt_label(s->factor).s, unit, s->first, s->last)
                           : arena_printf(a, "%s stays within %s of its %s at queue depth %u", name,
                                          percent_words(a, fabs(s->factor - 1)), unit, s->first);
    if (s->falls)
        return arena_printf(a, "%s; its peak is at %u, then it loses %s.", gain, s->peak,
                            percent_words(a, s->fall));
    if (s->factor < GAIN)
        return arena_printf(a, "%s.", gain);
    if (!s->saturated)
        return arena_printf(a, "%s and is not saturated there.", gain);
    return arena_printf(a, "%s and reaches 95\u00a0%% of its peak at %u.", gain, s->knee);
}

static const char *peers_scaling(struct arena *a, const struct report_data *d,
                                 const struct report_workload *w)
{
    const char **words = arena_array(a, const char *, d->n_subjects);
    size_t n = 0;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < d->n_subjects; i++) {
        struct scaling s = scaling_of(a, w, i);
        if (i == d->highlighted || !s.known)
            continue;
        words[n++] = arena_printf(a, "%s %s×", d->subjects[i].series.name, fmt_label(s.factor).s);
        low = fmin(low, s.factor);
        high = fmax(high, s.factor);
    }
    if (n == 0)
        return "";
    if (n > FEW)
        return arena_printf(a, " The %zu peers reach %s to %s times their first value.", n,
                            fmt_label(low).s, fmt_label(high).s);
    return arena_printf(a, " Over the same depths: %s.", list_words(a, words, n, n));
}

/* --- the lead of a workload ---------------------------------------------------------------------------------------- */

/* Where the device under test stands as one of `standings` (a bit each). */
static const char *depths_words(struct arena *a, const struct report_data *d,
                                const struct point_standing *st, const struct report_workload *w,
                                unsigned standings)
{
    const char **words = arena_array(a, const char *, w->n_points);
    size_t n = 0;
    for (size_t i = 0; i < w->n_points; i++)
        if (standings >> st[index_of(d, &w->points[i])].dut & 1)
            words[n++] = arena_printf(a, "%u", w->points[i].queue_depth);
    if (!w->depth_axis || n == 0)
        return n == 1 ? "at 1 point" : arena_printf(a, "at %zu points", n);
    return arena_printf(a, "at queue depth%s %s", n == 1 ? "" : "s", list_words(a, words, n, n));
}

static const char *mixed_words(struct arena *a, const struct report_data *d,
                               const struct point_standing *st, const struct report_workload *w,
                               const struct workload_course *c)
{
    const char *parts[3];
    size_t n = 0;
    if (c->n_ahead)
        parts[n++] = arena_printf(a, "is ahead of each measured peer %s",
                                  depths_words(a, d, st, w, 1u << STANDING_AHEAD));
    if (c->n_behind)
        parts[n++] = arena_printf(a, "is behind %s",
                                  depths_words(a, d, st, w, 1u << STANDING_BEHIND));
    if (c->n_level)
        parts[n++] = arena_printf(
            a, "shows no clear difference to the best peer %s",
            depths_words(a, d, st, w, 1u << STANDING_SAME | 1u << STANDING_UNCLEAR));
    return list_words(a, parts, n, n);
}

static const char *course_words(struct arena *a, const struct report_data *d,
                                const struct point_standing *st, const struct report_workload *w,
                                const struct workload_course *c)
{
    const char *name = d->subjects[d->highlighted].series.name;
    const char *peer = c->only_peer == SIZE_MAX ? "the best peer"
                                                : d->subjects[c->only_peer].series.name;
    const char *in = c->general ? "" : "In this run ";
    const char *every = w->depth_axis ? "at every queue depth" : "at every point";
    switch (c->course) {
    case COURSE_AHEAD:
        return arena_printf(a, "%s%s is ahead of each measured peer %s.", in, name, every);
    case COURSE_AHEAD_FROM:
        return arena_printf(a,
                            "%s%s is ahead of each measured peer at every queue depth from %u "
                            "up.",
                            in, name, w->points[c->from].queue_depth);
    case COURSE_BEHIND:
        return arena_printf(a, "%s%s is behind %s %s.", in, name, peer, every);
    case COURSE_SAME:
        return arena_printf(a, "%s %s practically equal %s (within ±3\u00a0%%).",
                            c->general ? "" : "In this run",
                            arena_printf(a, "%s and %s are", name, peer), every);
    case COURSE_UNCLEAR:
        return arena_printf(a, "%s no clear difference between %s and %s %s.",
                            c->general ? "There is" : "In this run there is", name, peer,
                            w->depth_axis ? "at any queue depth" : "at any point");
    case COURSE_MIXED:
        if (c->n_ahead + c->n_behind + c->n_level == 0)
            return "";
        return arena_printf(a, "%s%s %s.", in, name, mixed_words(a, d, st, w, c));
    case COURSE_NONE:
        break;
    }
    return "";
}

const char *workload_lead(struct arena *a, const struct report_data *d,
                          const struct point_standing *st, const struct report_workload *w)
{
    if (w->n_points < 2)
        return "";
    struct workload_course c = workload_course(d, st, w);
    const char *course = course_words(a, d, st, w, &c);
    struct scaling s = scaling_of(a, w, d->highlighted);
    const char *name = *course ? "It" : d->subjects[d->highlighted].series.name;
    const char *own = s.known ? scaling_words(a, w, &s, name) : "";
    return arena_printf(a, "%s%s%s%s", course, *course && *own ? " " : "", own,
                        s.known ? peers_scaling(a, d, w) : "");
}
