#include <math.h>
#include <string.h>

#include "base/array.h"
#include "report/columns.h"
#include "report/data.h"

enum { VERSUS_LIMIT = 64 << 20 };

/* One metric of one point on one target, in both runs. */
struct versus_row {
    const struct report_workload *workload;
    const struct group_point *point;
    const char *target;
    enum metric metric;
    double base, run;
    struct comparison c;
};

struct versus {
    struct arena *a;
    const struct compare_request *o;
    const struct report_data *d;
    ARRAY(struct versus_row) rows;
    size_t n_slower;
};

static const struct {
    const char *id, *title;
} metrics[METRIC_COUNT] = {
    [METRIC_IOPS] = { "iops", "IOPS" },
    [METRIC_MB_S] = { "mb_s", "MB/s" },
    [METRIC_LAT_MEAN] = { "lat_mean_ns", "mean" },
    [METRIC_LAT_P99] = { "lat_p99_ns", "p99" },
};

static const char *verdict_word(enum verdict v)
{
    static const char *const words[] = {
        [VERDICT_NOT_COMPARABLE] = "cannot tell",
        [VERDICT_BETTER] = "better",
        [VERDICT_WORSE] = "worse",
        [VERDICT_SAME] = "no practical difference",
        [VERDICT_UNCLEAR] = "no clear difference",
    };
    return words[v];
}

/* --- rows ----------------------------------------------------------------------------------------------------------- */

static size_t subjects_of(const struct report_data *d, int64_t run, size_t *ret_first)
{
    size_t n = 0;
    for (size_t i = d->n_subjects; i-- > 0;)
        if (d->subjects[i].run->id == run) {
            *ret_first = i;
            n++;
        }
    return n;
}

/* The base's target of that name; if each run has one target they belong together whatever their names. */
static size_t base_of(const struct versus *v, size_t subject)
{
    const struct report_data *d = v->d;
    size_t first = 0, ignored = 0;
    for (size_t i = 0; i < d->n_subjects; i++)
        if (d->subjects[i].run == d->runs[0] &&
            !strcmp(d->subjects[i].row.record.name, d->subjects[subject].row.record.name))
            return i;
    bool alone = subjects_of(d, d->runs[0]->id, &first) == 1 &&
                 subjects_of(d, d->runs[1]->id, &ignored) == 1;
    return alone ? first : SIZE_MAX;
}

static void add_row(struct versus *v, const struct report_workload *w, const struct group_point *p,
                    const size_t subject[2], enum metric m)
{
    const struct value *base = &p->spots[subject[0]].metric[m];
    const struct value *run = &p->spots[subject[1]].metric[m];
    if (isnan(base->side.mean) || isnan(run->side.mean))
        return;
    *array_push(&v->rows) = (struct versus_row) {
        .workload = w,
        .point = p,
        .target = v->d->subjects[subject[1]].row.record.name,
        .metric = m,
        .base = base->side.mean,
        .run = run->side.mean,
        .c = compare_means(&base->side, &run->side, metric_lower_is_better(m)),
    };
}

static void add_rows(struct versus *v)
{
    const struct report_data *d = v->d;
    for (size_t w = 0; w < d->n_workloads; w++)
        for (size_t p = 0; p < d->workloads[w].n_points; p++)
            for (size_t i = 0; i < d->n_subjects; i++) {
                if (d->subjects[i].run != d->runs[1])
                    continue;
                size_t subject[2] = { base_of(v, i), i };
                if (subject[0] == SIZE_MAX)
                    continue;
                const struct report_workload *x = &d->workloads[w];
                add_row(v, x, &x->points[p], subject, x->headline);
                add_row(v, x, &x->points[p], subject, METRIC_LAT_MEAN);
            }
}

/* --fail-on makes a decision of the whole family: Holm; else the table's rows: Benjamini–Hochberg (reference/statistics.md §5.3). */
static void judge(struct versus *v)
{
    struct comparison *all = arena_array(v->a, struct comparison, v->rows.n + 1);
    for (size_t i = 0; i < v->rows.n; i++)
        all[i] = v->rows.at[i].c;
    if (v->o->fail_slower > 0)
        compare_adjust_holm(all, v->rows.n);
    else
        compare_adjust_bh(all, v->rows.n);
    for (size_t i = 0; i < v->rows.n; i++) {
        v->rows.at[i].c = all[i];
        v->n_slower += v->o->fail_slower > 0 && all[i].verdict == VERDICT_WORSE &&
                       all[i].ratio < 1 - v->o->fail_slower;
    }
}

/* --- texts ---------------------------------------------------------------------------------------------------------- */

static struct text value_text(enum metric m, double v)
{
    return metric_lower_is_better(m) ? fmt_duration_ns(v)
           : m == METRIC_IOPS        ? fmt_table_iops(v)
                                     : fmt_table(v);
}

static void put_text(const struct versus *v, struct str *s)
{
    const struct report_workload *before = NULL;
    str_printf(s, "%s against %s: better is more IOPS, MB/s, or a shorter response time\n",
               v->d->runs[1]->name, v->d->runs[0]->name);
    for (size_t i = 0; i < v->rows.n; i++) {
        const struct versus_row *r = &v->rows.at[i];
        if (r->workload != before)
            str_printf(s, "\n%s\n", r->workload->title);
        before = r->workload;
        str_printf(s, "  %s, %s: %s %s → %s, %s, %s\n", r->target, r->point->label,
                   metrics[r->metric].title, value_text(r->metric, r->base).s,
                   value_text(r->metric, r->run).s,
                   isnan(r->c.low) ? fmt_advantage(r->c.ratio).s
                                   : fmt_advantage_interval(r->c.ratio, r->c.low, r->c.high).s,
                   r->c.reason ? r->c.reason : verdict_word(r->c.verdict));
    }
    for (size_t i = 0; i < v->rows.n; i++)
        if (v->rows.at[i].c.assumed) {
            str_put(s, "\nUnder three runs of a point, 5 % variation between runs is assumed, not "
                       "measured (--repeat 3 measures it).\n");
            break;
        }
}

static void put_number(struct str *s, const char *key, double v)
{
    str_printf(s, ",\"%s\":%s", key, isfinite(v) ? fmt_exact(v).s : "null");
}

static void put_json(const struct versus *v, struct str *s)
{
    str_put(s, "{\"schema\":1,\"base\":");
    json_put(s, v->d->runs[0]->name);
    str_put(s, ",\"run\":");
    json_put(s, v->d->runs[1]->name);
    str_printf(s, ",\"slower\":%zu,\"comparisons\":[", v->n_slower);
    for (size_t i = 0; i < v->rows.n; i++) {
        const struct versus_row *r = &v->rows.at[i];
        str_put(s, i ? ",\n{\"target\":" : "\n{\"target\":");
        json_put(s, r->target);
        str_put(s, ",\"workload\":");
        json_put(s, r->workload->workload->id);
        str_printf(s, ",\"queue_depth\":%u,\"workers\":%u,\"metric\":\"%s\"", r->point->queue_depth,
                   r->point->workers, metrics[r->metric].id);
        put_number(s, "base", r->base);
        put_number(s, "run", r->run);
        put_number(s, "advantage", r->c.ratio);
        put_number(s, "low", r->c.low);
        put_number(s, "high", r->c.high);
        put_number(s, "p", r->c.adjusted_p);
        str_put(s, ",\"verdict\":");
        json_put(s, verdict_word(r->c.verdict));
        str_char(s, '}');
    }
    str_put(s, "\n]}\n");
}

static int compare_loaded(struct versus *v, struct compare_result *ret, struct error *e)
{
    add_rows(v);
    if (!v->rows.n)
        return error_set(e, QD_E_FAIL, "runs %s and %s have no point in common", v->o->base,
                         v->o->run);
    judge(v);
    struct str s = str_new(VERSUS_LIMIT);
    (v->o->json ? put_json : put_text)(v, &s);
    int rc = str_failed(&s) ? error_set(e, QD_E_FAIL, "the comparison is too large") : 0;
    ret->text = rc ? NULL : arena_strdup(v->a, s.at);
    ret->n_slower = v->n_slower;
    str_done(&s);
    return rc;
}

int report_compare(struct store *s, struct arena *a, const struct compare_request *o,
                   struct compare_result *ret, struct error *e)
{
    const char *const runs[] = { o->base, o->run };
    const struct report_options both = { .runs = runs, .n_runs = 2 };
    struct report_data d;
    if (report_data_load(s, a, &both, &d, e))
        return -1;
    if (d.n_runs < 2 || d.runs[0]->id == d.runs[1]->id)
        return error_set(e, QD_E_USAGE, "'%s' and '%s' are the same run", o->base, o->run);
    struct versus v = { .a = a, .o = o, .d = &d };
    int rc = compare_loaded(&v, ret, e);
    array_free(&v.rows);
    return rc;
}
