#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "base/utf8.h"
#include "report/checks.h"
#include "report/data.h"
#include "report/standing.h"
#include "report/words.h"

/* At most so wide, also with long names; 26 columns are always left for a name. */
enum { WIDTH = 100, NUMBERS = 4, LEAST_NAME = 26, GAP = 2, TEXT_LIMIT = 64 << 20 };

struct terminal {
    struct arena *a;
    const struct report_data *d;
    const struct point_standing *st;
    struct str out;
    size_t name, number[NUMBERS]; /* columns */
    size_t decimals[NUMBERS];     /* columns behind the digits before the point */
};

/* --- widths -------------------------------------------------------------------------------------------------------- */

/* Emoji and East Asian wide characters take two columns of a terminal, marks that combine none. */
static size_t columns_of(uint32_t c)
{
    static const struct {
        uint32_t low, high;
        size_t columns;
    } ranges[] = {
        { 0x0300, 0x036f, 0 },   { 0x200b, 0x200f, 0 },   { 0xfe00, 0xfe0f, 0 },
        { 0x1100, 0x115f, 2 },   { 0x2e80, 0xa4cf, 2 },   { 0xac00, 0xd7a3, 2 },
        { 0xf900, 0xfaff, 2 },   { 0xfe30, 0xfe6f, 2 },   { 0xff00, 0xff60, 2 },
        { 0x1f300, 0x1faff, 2 }, { 0x20000, 0x3fffd, 2 },
    };
    for (size_t i = 0; i < countof(ranges); i++)
        if (c >= ranges[i].low && c <= ranges[i].high)
            return ranges[i].columns;
    return 1;
}

static size_t width_of(const char *text)
{
    size_t n = 0;
    for (uint32_t c = utf8_next(&text); c; c = utf8_next(&text))
        n += columns_of(c);
    return n;
}

/* Control characters in a name must not reach the terminal. */
static const char *printable(struct arena *a, const char *text)
{
    struct str s = str_new(TEXT_LIMIT);
    for (uint32_t c = utf8_next(&text); c; c = utf8_next(&text)) {
        char bytes[4];
        bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
        str_putn(&s, bytes, utf8_put(control ? 0xfffd : c, bytes));
    }
    const char *clean = arena_strdup(a, s.at ? s.at : "");
    str_done(&s);
    return clean;
}

/* Cut to `columns` with an ellipsis. */
static const char *fitted(struct arena *a, const char *text, size_t columns)
{
    if (width_of(text) <= columns)
        return text;
    const char *end = text;
    for (size_t n = 0;;) {
        const char *next = end;
        n += columns_of(utf8_next(&next));
        if (n + 1 > columns)
            break;
        end = next;
    }
    return arena_printf(a, "%.*s…", (int)(end - text), text);
}

static void pad(struct terminal *t, size_t columns)
{
    for (size_t i = 0; i < columns; i++)
        str_char(&t->out, ' ');
}

static void put_left(struct terminal *t, const char *text, size_t columns)
{
    str_put(&t->out, text);
    size_t n = width_of(text);
    pad(t, columns > n ? columns - n : 0);
}

static void put_right(struct terminal *t, const char *text, size_t columns)
{
    size_t n = width_of(text);
    pad(t, columns > n ? columns - n : 0);
    str_put(&t->out, text);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const char *cell_text(const struct terminal *t, const struct spot *s, int column)
{
    static const enum metric metrics[NUMBERS] = { METRIC_IOPS, METRIC_MB_S, METRIC_LAT_MEAN,
                                                  METRIC_LAT_P99 };
    enum metric m = metrics[column];
    double v = m == METRIC_LAT_P99 ? s->percentile[P99] : s->metric[m].value;
    return arena_printf(t->a, "%s", value_table(t->d, m, v).s);
}

/* Columns from the decimal point on: digits align on it. */
static size_t decimals_of(const char *number)
{
    const char *point = strchr(number, '.');
    return point ? strlen(point) : 0;
}

static const char *head_text(const struct terminal *t, int column)
{
    const char *const heads[NUMBERS] = { "IOPS", "MB/s",
                                         arena_printf(t->a, "mean, %s", t->d->lat_unit_name),
                                         arena_printf(t->a, "p99, %s", t->d->lat_unit_name) };
    return heads[column];
}

static const char *row_name(const struct terminal *t, size_t subject)
{
    return printable(t->a, t->d->subjects[subject].series.name);
}

static void measure_column(struct terminal *t, int c)
{
    size_t whole = 0;
    for (size_t p = 0; p < t->d->n_points; p++)
        for (size_t i = 0; i < t->d->n_subjects; i++) {
            const struct spot *s = &t->d->points[p].spots[i];
            if (s->missing)
                continue;
            const char *text = cell_text(t, s, c);
            size_t n = decimals_of(text), before = width_of(text) - n;
            t->decimals[c] = n > t->decimals[c] ? n : t->decimals[c];
            whole = before > whole ? before : whole;
        }
    size_t head = width_of(head_text(t, c)), number = whole + t->decimals[c];
    t->number[c] = head > number ? head : number;
}

static void measure_columns(struct terminal *t)
{
    size_t rest = WIDTH - GAP - 2;
    for (int c = 0; c < NUMBERS; c++) {
        measure_column(t, c);
        rest -= t->number[c] + GAP;
    }
    for (size_t i = 0; i < t->d->n_subjects; i++) {
        size_t n = width_of(row_name(t, i));
        t->name = n > t->name ? n : t->name;
    }
    t->name = t->name < LEAST_NAME ? LEAST_NAME : t->name > rest ? rest : t->name;
}

static void put_missing_row(struct terminal *t, const struct spot *s)
{
    const char *reason = arena_printf(t->a, "not measured: %s", printable(t->a, s->missing));
    pad(t, GAP);
    str_put(&t->out, fitted(t->a, reason, WIDTH - 2 * GAP - t->name));
    str_char(&t->out, '\n');
}

static void put_row(struct terminal *t, const struct group_point *p, size_t subject)
{
    const struct spot *s = &p->spots[subject];
    const char *marks = spot_marks(s);
    pad(t, GAP);
    put_left(t, fitted(t->a, row_name(t, subject), t->name), t->name);
    if (s->missing) {
        put_missing_row(t, s);
        return;
    }
    for (int c = 0; c < NUMBERS; c++) {
        const char *text = cell_text(t, s, c);
        size_t after = t->decimals[c] - decimals_of(text);
        pad(t, GAP);
        put_right(t, text, t->number[c] - after);
        if (c + 1 < NUMBERS || marks)
            pad(t, after);
    }
    str_printf(&t->out, "%s%s\n", marks ? " " : "", marks ? marks : "");
}

static void put_point(struct terminal *t, const struct group_point *p)
{
    const struct point_standing *st = &t->st[p - t->d->points];
    put_left(t, fitted(t->a, p->label, t->name + GAP), t->name + GAP);
    for (int c = 0; c < NUMBERS; c++) {
        pad(t, GAP);
        put_right(t, head_text(t, c), t->number[c]);
    }
    str_char(&t->out, '\n');
    for (size_t i = 0; i < st->n; i++)
        put_row(t, p, st->order[i]);
    for (size_t i = 0; i < t->d->n_subjects; i++)
        if (isnan(p->spots[i].metric[st->metric].value))
            put_row(t, p, i);
}

/* --- sentences ----------------------------------------------------------------------------------------------------- */

/* Words wrapped to WIDTH, each line after the first indented. */
static void put_wrapped(struct terminal *t, const char *bullet, const char *text)
{
    size_t indent = width_of(bullet), at = indent;
    str_put(&t->out, bullet);
    while (*text) {
        size_t n = strcspn(text, " ");
        const char *word = fitted(t->a, arena_strndup(t->a, text, n), WIDTH - indent);
        size_t columns = width_of(word);
        if (at > indent && at + 1 + columns > WIDTH) {
            str_char(&t->out, '\n');
            pad(t, indent);
            at = indent;
        } else if (at > indent) {
            str_char(&t->out, ' ');
            at++;
        }
        str_put(&t->out, word);
        at += columns;
        text += n + strspn(text + n, " ");
    }
    str_char(&t->out, '\n');
}

static void put_warnings(struct terminal *t)
{
    struct checks c = checks_make(t->a, t->d);
    const char *marks = marks_words(t->a, t->d, t->d->points, t->d->n_points);
    if (*marks)
        put_wrapped(t, "", printable(t->a, marks + 1));
    if (c.n_warnings)
        str_printf(&t->out, "%s to know (the report explains %s):\n",
                   fmt_plural(c.n_warnings, "thing").s, c.n_warnings == 1 ? "it" : "them");
    for (size_t i = 0; i < c.n_warnings; i++)
        put_wrapped(t, "  - ", printable(t->a, c.warnings[i].what));
}

int report_terminal(struct store *s, struct arena *a, const char *run, char **ret, struct error *e)
{
    struct report_data d;
    const struct report_options o = { .runs = &run, .n_runs = 1 };
    if (report_data_load(s, a, &o, &d, e))
        return -1;
    struct terminal t = { .a = a, .d = &d, .out = str_new(TEXT_LIMIT) };
    t.st = standing_make(a, &d);
    measure_columns(&t);
    for (size_t w = 0; w < d.n_workloads; w++) {
        const struct report_workload *at = &d.workloads[w];
        const char *title = *at->description
                                ? arena_printf(a, "%s · %s", at->title, at->description)
                                : at->title;
        str_printf(&t.out, "%s\n", fitted(a, printable(a, title), WIDTH));
        for (size_t p = 0; p < at->n_points; p++)
            put_point(&t, &at->points[p]);
        str_char(&t.out, '\n');
    }
    put_warnings(&t);
    int rc = str_failed(&t.out) ? error_set(e, QD_E_FAIL, "the comparison is too large") : 0;
    *ret = rc ? NULL : arena_strdup(a, t.out.at);
    str_done(&t.out);
    return rc;
}
