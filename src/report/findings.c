#include "report/findings.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "report/words.h"

/* At most so many names or numbers in a row; the table below the figure has them all. */
enum { FEW = 3 };

static const char *const phrases[FINDING_COUNT] = {
    [FINDING_NOTHING] = "No target was measured here.",
    [FINDING_ALONE] = "{a} reaches {a.value}{a.time}.",
    [FINDING_AHEAD] = "{in}{a} is ahead: {a.value}, {advantage}{times}.",
    [FINDING_SAME] = "{there} no practical difference (within ±3\u00a0%) between {a} and {b}: "
                     "{a.number} against {b.value}, {change}.",
    [FINDING_UNCLEAR] = "{there} no clear difference between {a} and {b}: {a.number} against "
                        "{b.value}, {change}.",
    [FINDING_SAME_MANY] = "{there} no practical difference (within ±3\u00a0%) between {level}.",
    [FINDING_UNCLEAR_MANY] = "{there} no clear difference between {level}.",
    [FINDING_NOT_COMPARABLE] = "{a} reaches {a.value}, {b} {b.value}; that is no comparison: "
                               "{reason}.",
};

char *fill_in(struct arena *a, const char *pattern, const struct blank *blanks, size_t n)
{
    struct str s = str_new(1 << 20);
    while (*pattern) {
        size_t plain = strcspn(pattern, "{");
        str_putn(&s, pattern, plain);
        pattern += plain;
        size_t length = strcspn(pattern, "}");
        const struct blank *hit = NULL;
        for (size_t i = 0; *pattern && i < n; i++)
            if (strlen(blanks[i].key) + 1 == length &&
                !strncmp(blanks[i].key, pattern + 1, length - 1))
                hit = &blanks[i];
        if (hit)
            str_put(&s, hit->text);
        else
            str_putn(&s, pattern, length + (pattern[length] == '}'));
        pattern += length + (pattern[length] == '}');
    }
    char *text = arena_strdup(a, s.at ? s.at : "");
    str_done(&s);
    return text;
}

/* --- data ---------------------------------------------------------------------------------------------------------- */

static enum finding_kind kind_of(const struct point_standing *st, size_t n_level)
{
    if (st->n == 0)
        return FINDING_NOTHING;
    if (st->n == 1)
        return FINDING_ALONE;
    if (st->lead[1].verdict == VERDICT_NOT_COMPARABLE)
        return FINDING_NOT_COMPARABLE;
    if (n_level == 0)
        return FINDING_AHEAD;
    bool same = true;
    for (size_t i = 1; i <= n_level; i++)
        same = same && st->lead[i].verdict == VERDICT_SAME;
    if (n_level == 1)
        return same ? FINDING_SAME : FINDING_UNCLEAR;
    return same ? FINDING_SAME_MANY : FINDING_UNCLEAR_MANY;
}

struct finding finding_at(struct arena *a, const struct report_data *d,
                          const struct point_standing *st, const struct group_point *p)
{
    struct finding f = { .metric = st->metric, .point = p, .a = SIZE_MAX, .b = SIZE_MAX };
    while (st->n > 1 && f.n_level + 1 < st->n &&
           (st->lead[f.n_level + 1].verdict == VERDICT_SAME ||
            st->lead[f.n_level + 1].verdict == VERDICT_UNCLEAR))
        f.n_level++;
    f.kind = kind_of(st, f.n_level);
    if (st->n > 0)
        f.a = st->order[0];
    if (st->n > 1) {
        f.b = st->order[1];
        f.c = st->lead[1];
        f.general = p->spots[f.a].n_reps >= 3 && p->spots[f.b].n_reps >= 3;
        f.level = st->order + 1;
        size_t told = f.n_level ? f.n_level + 1 : 2;
        f.rest = st->order + told;
        f.n_rest = st->n - told;
    }
    size_t *missing = arena_array(a, size_t, d->n_subjects);
    for (size_t i = 0; i < d->n_subjects; i++)
        if (p->spots[i].missing)
            missing[f.n_missing++] = i;
    f.missing = missing;
    return f;
}

/* --- words --------------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct report_data *d, size_t subject)
{
    return subject == SIZE_MAX ? "" : d->subjects[subject].series.name;
}

/* "[+16, +19]" of a better side has no need of its signs. */
static const char *bracket_words(struct arena *a, const struct comparison *c)
{
    char *text = arena_strdup(a, fmt_advantage_bracket(c->ratio, c->low, c->high).s), *out = text;
    for (const char *p = text; *p; p++)
        if (*p != '+')
            *out++ = *p;
    *out = '\0';
    return text;
}

const char *advantage_words(struct arena *a, enum metric m, const struct comparison *c,
                            const char *b)
{
    const char *interval = isnan(c->low) ? "" : arena_printf(a, " %s", bracket_words(a, c));
    char *ratio = arena_strdup(a, fmt_advantage(c->ratio).s);
    char *times = strstr(ratio, "×");
    if (times) {
        *times = '\0';
        static const char *const of[METRIC_COUNT] = { "those", "the throughput",
                                                      "better than the response time",
                                                      "better than the 99th percentile" };
        return arena_printf(a, "%s times%s %s of %s", ratio, interval, of[m], b);
    }
    static const char *const more[METRIC_COUNT] = { "more than", "more than", "better than",
                                                    "better than" };
    return arena_printf(a, "%s%s %s %s", *ratio == '+' ? ratio + 1 : ratio, interval, more[m], b);
}

static const char *change_words(struct arena *a, const struct comparison *c)
{
    return arena_printf(a, "%s", fmt_advantage_interval(c->ratio, c->low, c->high).s);
}

static double time_of(const struct finding *f, size_t subject)
{
    return f->point->spots[subject].metric[METRIC_LAT_MEAN].value;
}

/* "; 0.506 ms on average against 1.58 and 8.64 ms" */
static const char *times_words(struct arena *a, const struct report_data *d,
                               const struct finding *f)
{
    if (isnan(time_of(f, f->a)) || isnan(time_of(f, f->b)))
        return "";
    const char *words[FEW + 1] = { NULL };
    double low = time_of(f, f->b), high = low;
    size_t n = 0;
    for (size_t i = 0; i <= f->n_rest; i++) {
        double t = time_of(f, i == 0 ? f->b : f->rest[i - 1]);
        if (isnan(t))
            continue;
        low = t < low ? t : low;
        high = t > high ? t : high;
        if (n < FEW)
            words[n] = arena_printf(a, "%s", value_label(d, METRIC_LAT_MEAN, t).s);
        n++;
    }
    const char *others = n <= FEW
                             ? list_words(a, words, n, FEW)
                             : arena_printf(a, "%s to %s", value_label(d, METRIC_LAT_MEAN, low).s,
                                            value_label(d, METRIC_LAT_MEAN, high).s);
    return arena_printf(a, "; %s on average against %s\u00a0%s",
                        value_unit(d, METRIC_LAT_MEAN, time_of(f, f->a)).s, others,
                        d->lat_unit_name);
}

/* "A, B and C: 102, 101 and 100 IOPS" */
static const char *level_words(struct arena *a, const struct report_data *d,
                               const struct finding *f)
{
    const char **names = arena_array(a, const char *, f->n_level + 1);
    const char **values = arena_array(a, const char *, f->n_level + 1);
    for (size_t i = 0; i <= f->n_level; i++) {
        size_t subject = i == 0 ? f->a : f->level[i - 1];
        double v = f->point->spots[subject].metric[f->metric].value;
        names[i] = name_of(d, subject);
        values[i] = arena_printf(a, "%s", value_label(d, f->metric, v).s);
    }
    size_t n = f->n_level + 1;
    if (n <= FEW + 1)
        return arena_printf(a, "%s: %s\u00a0%s", list_words(a, names, n, n),
                            list_words(a, values, n, n), metric_unit(d, f->metric));
    return arena_printf(a, "the first %zu, %s to %s: %s to %s\u00a0%s", n, names[0], names[n - 1],
                        values[0], values[n - 1], metric_unit(d, f->metric));
}

static const char *rest_words(struct arena *a, const struct report_data *d, const struct finding *f)
{
    if (f->n_rest == 0 || f->kind == FINDING_AHEAD)
        return "";
    const char **names = arena_array(a, const char *, f->n_rest);
    const char **values = arena_array(a, const char *, f->n_rest);
    for (size_t i = 0; i < f->n_rest; i++) {
        names[i] = name_of(d, f->rest[i]);
        double v = f->point->spots[f->rest[i]].metric[f->metric].value;
        values[i] = arena_printf(a, "%s", value_label(d, f->metric, v).s);
    }
    if (f->n_rest > FEW)
        return arena_printf(a, " The other %zu reach %s to %s.", f->n_rest, values[f->n_rest - 1],
                            values[0]);
    return arena_printf(a, " %s reach%s %s.", list_words(a, names, f->n_rest, FEW),
                        f->n_rest == 1 ? "es" : "", list_words(a, values, f->n_rest, FEW));
}

static const char *missing_words(struct arena *a, const struct report_data *d,
                                 const struct finding *f)
{
    if (f->n_missing == 0 || f->kind == FINDING_NOTHING)
        return "";
    const char **names = arena_array(a, const char *, f->n_missing);
    for (size_t i = 0; i < f->n_missing; i++)
        names[i] = name_of(d, f->missing[i]);
    if (f->n_missing > FEW)
        return arena_printf(a, " %zu targets were not measured here.", f->n_missing);
    return arena_printf(a, " %s %s not measured here.", list_words(a, names, f->n_missing, FEW),
                        f->n_missing == 1 ? "was" : "were");
}

const char *finding_words(struct arena *a, const struct report_data *d, const struct finding *f)
{
    bool two = f->b != SIZE_MAX, one = f->a != SIZE_MAX;
    double a_value = one ? f->point->spots[f->a].metric[f->metric].value : (double)NAN;
    double b_value = two ? f->point->spots[f->b].metric[f->metric].value : (double)NAN;
    bool timed = one && !isnan(time_of(f, f->a));
    const struct blank blanks[] = {
        { "in", f->general ? "" : "In this run " },
        { "there", f->general ? "There is" : "In this run there is" },
        { "a", name_of(d, f->a) },
        { "b", name_of(d, f->b) },
        { "a.number", arena_printf(a, "%s", value_label(d, f->metric, a_value).s) },
        { "a.value", arena_printf(a, "%s", value_unit(d, f->metric, a_value).s) },
        { "b.value", arena_printf(a, "%s", value_unit(d, f->metric, b_value).s) },
        { "a.time", timed ? arena_printf(a, " at %s on average",
                                         value_unit(d, METRIC_LAT_MEAN, time_of(f, f->a)).s)
                          : "" },
        { "advantage", two ? advantage_words(a, f->metric, &f->c, name_of(d, f->b)) : "" },
        { "times", two ? times_words(a, d, f) : "" },
        { "change", two ? change_words(a, &f->c) : "" },
        { "level", f->n_level ? level_words(a, d, f) : "" },
        { "reason", f->c.reason ? f->c.reason : "" },
    };
    return arena_printf(a, "%s%s%s", fill_in(a, phrases[f->kind], blanks, countof(blanks)),
                        rest_words(a, d, f), missing_words(a, d, f));
}
