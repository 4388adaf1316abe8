#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fmt.h"
#include "base/str.h"
#include "base/utf8.h"

#define NBSP "\u00a0"

enum { SHORT_NAME = 16, SLUG = 48 };

/* --- workloads ----------------------------------------------------------------------------------------------------- */

static const char *percent_words(struct arena *a, double percent)
{
    return arena_printf(a, "%s" NBSP "%%", fmt_fixed(percent, percent == floor(percent) ? 0 : 1).s);
}

static const char *read_words(struct arena *a, const struct workload *w)
{
    double read = workload_read_percent(w);
    if (read >= 100)
        return "reads";
    if (read <= 0)
        return "writes";
    return arena_printf(a, "%s reads", percent_words(a, read));
}

static const char *place_words(struct arena *a, const struct workload *w)
{
    double random = workload_random_percent(w);
    if (random >= 100)
        return "random";
    if (random <= 0)
        return "sequential";
    return arena_printf(a, "%s random", percent_words(a, random));
}

/* Sizes with their shares while there are few of them, else their range. */
static const char *size_words(struct arena *a, const struct workload *w)
{
    struct {
        uint32_t size, share;
    } sizes[3] = { 0 };
    size_t n = 0;
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < w->n_lines; i++) {
        uint32_t size = w->lines[i].size;
        size_t k = 0;
        low = size < low ? size : low;
        high = size > high ? size : high;
        while (k < n && k < countof(sizes) && sizes[k].size != size)
            k++;
        if (k < countof(sizes)) {
            sizes[k].size = size;
            sizes[k].share += w->lines[i].share_bp;
        }
        n = k < n ? n : k + 1;
    }
    if (n == 1)
        return arena_printf(a, "%s", fmt_bytes(low).s);
    if (n > countof(sizes))
        return arena_printf(a, "%s to %s", fmt_bytes(low).s, fmt_bytes(high).s);
    const char *words[countof(sizes)];
    for (size_t i = 0; i < n; i++)
        words[i] = arena_printf(a, "%s" NBSP "%s", fmt_bp(sizes[i].share).s,
                                fmt_bytes(sizes[i].size).s);
    return list_words(a, words, n, n);
}

static const char *sync_words(const struct workload *w)
{
    static const char *const words[] = {
        [SYNC_NONE] = "",
        [SYNC_DSYNC] = ", written with O_DSYNC",
        [SYNC_FUA] = ", written with FUA",
        [SYNC_FDATASYNC] = ", flushed with fdatasync",
        [SYNC_FSYNC] = ", flushed with fsync",
    };
    for (uint32_t i = 0; i < w->n_lines; i++)
        if (w->lines[i].sync != SYNC_NONE)
            return words[w->lines[i].sync];
    return "";
}

const char *workload_words(struct arena *a, const struct workload *w)
{
    if (!w->n_lines)
        return "";
    return arena_printf(a, "%s, %s, %s%s", read_words(a, w), size_words(a, w), place_words(a, w),
                        sync_words(w));
}

/* --- names --------------------------------------------------------------------------------------------------------- */

static bool is_slug_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

char *slug_of(struct arena *a, const char *text)
{
    char slug[SLUG + 1];
    size_t n = 0;
    for (; *text && n < SLUG; text++) {
        char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (is_slug_char(c))
            slug[n++] = c;
        else if (n && slug[n - 1] != '-')
            slug[n++] = '-';
    }
    while (n && slug[n - 1] == '-')
        n--;
    slug[n] = '\0';
    return arena_strdup(a, n ? slug : "x");
}

static bool begins(const char *name, const char *words, size_t n)
{
    return !strncmp(name, words, n) && (name[n] == '\0' || name[n] == ' ' || name[n] == ',');
}

/* Bytes of the shortest leading words of names[i] that no other name begins with. */
static size_t leading_words(const char *const *names, size_t count, size_t i)
{
    const char *name = names[i];
    size_t n = strcspn(name, " ");
    for (; name[n]; n += 1 + strcspn(name + n + 1, " ")) {
        size_t bare = n;
        while (bare > 1 && strchr(",;:", name[bare - 1]))
            bare--;
        bool unique = true;
        for (size_t k = 0; unique && k < count; k++)
            unique = k == i || !begins(names[k], name, bare);
        if (unique)
            return bare;
    }
    return strlen(name);
}

static const char *cut_middle(struct arena *a, const char *name)
{
    size_t n = utf8_length(name);
    if (n <= SHORT_NAME)
        return name;
    const char *head = name, *tail = name;
    for (size_t i = 0; i < SHORT_NAME / 2; i++)
        utf8_next(&head);
    for (size_t i = 0; i < n - (SHORT_NAME / 2 - 1); i++)
        utf8_next(&tail);
    return arena_printf(a, "%.*s…%s", (int)(head - name), name, tail);
}

void names_short(struct arena *a, const char *const *names, size_t n, const char **ret)
{
    for (size_t i = 0; i < n; i++) {
        ret[i] = cut_middle(a, arena_strndup(a, names[i], leading_words(names, n, i)));
        bool taken = !*ret[i];
        for (size_t k = 0; k < i; k++)
            taken = taken || !strcmp(ret[k], ret[i]);
        if (taken)
            ret[i] = arena_printf(a, "%s #%zu", ret[i], i + 1);
    }
}

char *list_words(struct arena *a, const char *const *words, size_t n, size_t most)
{
    size_t shown = n > most && most > 0 ? most - 1 : n;
    struct str s = str_new(1 << 20);
    for (size_t i = 0; i < shown; i++)
        str_printf(&s, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", words[i]);
    if (shown < n)
        str_printf(&s, "%s%zu others", shown ? " and " : "", n - shown);
    char *list = arena_strdup(a, s.at ? s.at : "");
    str_done(&s);
    return list;
}

/* The smaller unit up to twice the larger one: 90 seconds, 90 minutes, 25 hours. */
const char *time_words(struct arena *a, uint64_t ns)
{
    static const struct {
        const char *name;
        uint64_t ns, most;
    } units[] = { { "second", NS_PER_S, 120 },
                  { "minute", 60 * NS_PER_S, 120 },
                  { "hour", 3600 * NS_PER_S, 72 },
                  { "day", 24 * 3600 * NS_PER_S, UINT64_MAX } };
    for (size_t i = 0; i < countof(units); i++)
        if (ns && ns % units[i].ns == 0 && ns / units[i].ns <= units[i].most)
            return arena_strdup(a, fmt_plural(ns / units[i].ns, units[i].name).s);
    return arena_strdup(a, fmt_span_ns(ns).s);
}

/* --- numbers ------------------------------------------------------------------------------------------------------- */

bool metric_lower_is_better(enum metric m)
{
    return m == METRIC_LAT_MEAN || m == METRIC_LAT_P99;
}

const char *metric_name(enum metric m)
{
    static const char *const names[METRIC_COUNT] = { "IOPS", "throughput", "average response time",
                                                     "99th percentile" };
    return names[m];
}

const char *metric_unit(const struct report_data *d, enum metric m)
{
    return m == METRIC_IOPS ? "IOPS" : m == METRIC_MB_S ? "MB/s" : d->lat_unit_name;
}

const char *metric_direction(enum metric m)
{
    return metric_lower_is_better(m) ? "lower is better" : "higher is better";
}

double metric_scale(const struct report_data *d, enum metric m, double v)
{
    return metric_lower_is_better(m) ? v / d->lat_unit : v;
}

struct text value_label(const struct report_data *d, enum metric m, double v)
{
    return fmt_label(metric_scale(d, m, v));
}

struct text value_unit(const struct report_data *d, enum metric m, double v)
{
    struct text number = value_label(d, m, v), t;
    snprintf(t.s, sizeof t.s, "%.40s" NBSP "%.16s", number.s, metric_unit(d, m));
    return t;
}

/* §13: at most 4 decimals where the column has small values, else the 3 of tokens.md. */
struct text time_table(const struct report_data *d, double ns)
{
    double v = ns / d->lat_unit;
    if (!(v > 0 && v < 0.1))
        return fmt_table(v);
    struct text t = fmt_fixed(v, 4);
    if (!strcmp(t.s, "0.0000"))
        snprintf(t.s, sizeof t.s, "<" NBSP "0.0001");
    return t;
}

struct text value_table(const struct report_data *d, enum metric m, double v)
{
    if (metric_lower_is_better(m))
        return time_table(d, v);
    return m == METRIC_IOPS ? fmt_table_iops(v) : fmt_table(v);
}

/* Outwards, but not by a whole step for a value that is a decimal but for its last bits. */
static double outward(double v, double step, bool up)
{
    double scaled = v * step, nearest = round(scaled);
    if (fabs(scaled - nearest) < 1e-6)
        return nearest / step;
    return (up ? ceil(scaled) : floor(scaled)) / step;
}

static int decimals_of(const char *number)
{
    const char *point = strchr(number, '.');
    return point ? (int)strspn(point + 1, "0123456789") : 0;
}

const char *value_interval(struct arena *a, const struct report_data *d, enum metric m,
                           const struct value *v)
{
    if (isnan(v->value) || isnan(v->low) || isnan(v->high))
        return NULL;
    int decimals = decimals_of(value_table(d, m, v->value).s);
    double step = pow(10, decimals);
    double low = outward(metric_scale(d, m, v->low), step, false);
    double high = outward(metric_scale(d, m, v->high), step, true);
    return arena_printf(a, "[%s, %s]", fmt_fixed(low, decimals).s, fmt_fixed(high, decimals).s);
}

const char *repeats_words(struct arena *a, const struct report_data *d)
{
    size_t low = SIZE_MAX, high = 0;
    for (size_t p = 0; p < d->n_points; p++)
        for (size_t i = 0; i < d->n_subjects; i++) {
            size_t n = d->points[p].spots[i].n_reps;
            low = n && n < low ? n : low;
            high = n > high ? n : high;
        }
    if (high == 0)
        return "nothing measured";
    if (high == 1)
        return "one run each";
    if (low == high)
        return arena_printf(a, "n = %zu runs", high);
    return arena_printf(a, "n = %zu to %zu runs", low, high);
}
