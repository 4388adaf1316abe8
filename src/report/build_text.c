#include <math.h>
#include <string.h>

#include "base/parse.h"
#include "base/str.h"
#include "report/build_state.h"
#include "report/findings.h"
#include "report/findings_even.h"
#include "report/summary.h"
#include "report/words.h"

const char *build_pattern(struct building *b, const char *text)
{
    bool in_loop = b->subject != SIZE_MAX;
    const char *target = in_loop ? b->d->subjects[b->subject].series.name : "";
    const struct blank blanks[] = {
        { "workload", b->workload ? b->workload->title : "" },
        { "workload-id", b->workload ? b->workload->slug : "" },
        { "queue-depth", b->point ? arena_printf(b->a, "%u", b->point->queue_depth) : "" },
        { "target", target },
        { "target-id", in_loop ? arena_printf(b->a, "target-%zu", b->subject + 1) : "" },
    };
    return fill_in(b->a, text, blanks, sizeof blanks / sizeof *blanks);
}

/* --- values -------------------------------------------------------------------------------------------------------- */

enum source { FROM_METRIC, FROM_PERCENTILE, FROM_SIGMA, FROM_MAX, FROM_DEPTH };

static const struct {
    const char *name;
    enum source source;
    int index;
} metrics[] = {
    { "iops", FROM_METRIC, METRIC_IOPS },
    { "mb-s", FROM_METRIC, METRIC_MB_S },
    { "mean", FROM_METRIC, METRIC_LAT_MEAN },
    { "p50", FROM_PERCENTILE, P50 },
    { "p90", FROM_PERCENTILE, P90 },
    { "p99", FROM_PERCENTILE, P99 },
    { "p99.9", FROM_PERCENTILE, P999 },
    { "p99.99", FROM_PERCENTILE, P9999 },
    { "sigma", FROM_SIGMA, 0 },
    { "max", FROM_MAX, 0 },
    { "achieved-depth", FROM_DEPTH, 0 },
};

static const char *value_text(struct building *b, const struct spot *s, const char *metric)
{
    for (size_t i = 0; i < countof(metrics); i++) {
        if (strcmp(metrics[i].name, metric))
            continue;
        enum metric m = metrics[i].source == FROM_METRIC ? (enum metric)metrics[i].index
                                                         : METRIC_LAT_MEAN;
        double v = metrics[i].source == FROM_METRIC       ? s->metric[m].value
                   : metrics[i].source == FROM_PERCENTILE ? s->percentile[metrics[i].index]
                   : metrics[i].source == FROM_SIGMA      ? s->sigma
                   : metrics[i].source == FROM_MAX        ? s->max
                                                          : s->achieved_depth;
        if (isnan(v))
            return NULL;
        struct text t = metrics[i].source == FROM_DEPTH ? fmt_label(v) : value_unit(b->d, m, v);
        return arena_strdup(b->a, t.s);
    }
    return NULL;
}

static const struct report_workload *workload_of(const struct building *b, const char *name)
{
    if (!name)
        return b->workload;
    for (size_t w = 0; w < b->d->n_workloads; w++) {
        const struct report_workload *at = &b->d->workloads[w];
        if (!strcmp(at->workload->id, name) || !strcmp(at->title, name))
            return at;
    }
    return NULL;
}

static const struct group_point *point_of(const struct building *b, const struct report_workload *w,
                                          const char *depth)
{
    uint64_t wanted = 0;
    struct error ignored;
    if (!depth && b->point && w == b->workload)
        return b->point;
    if (depth ? parse_u64(depth, &wanted, &ignored) : !b->point)
        return NULL;
    wanted = depth ? wanted : b->point->queue_depth;
    for (size_t p = 0; w && p < w->n_points; p++)
        if (w->points[p].queue_depth == wanted)
            return &w->points[p];
    return NULL;
}

static size_t subject_of(const struct building *b, const char *name)
{
    if (!name)
        return b->subject != SIZE_MAX ? b->subject : b->d->highlighted;
    for (size_t i = 0; i < b->d->n_subjects; i++)
        if (!strcmp(b->d->subjects[i].series.name, name) ||
            !strcmp(b->d->subjects[i].row.record.name, name))
            return i;
    return SIZE_MAX;
}

/* Why a value is missing, one clause. */
static const char *gap_reason(struct building *b, const struct template_node *n,
                              const struct report_workload *w, const struct group_point *p,
                              size_t subject)
{
    if (!w)
        return arena_printf(b->a, "the report has no workload '%s'",
                            template_attribute(n, "workload"));
    if (!p)
        return arena_printf(b->a, "%s has no queue depth %s", w->title,
                            template_attribute(n, "queue-depth"));
    if (subject == SIZE_MAX)
        return arena_printf(b->a, "the report has no target '%s'", template_attribute(n, "target"));
    if (p->spots[subject].missing)
        return arena_printf(b->a, "%s at %s was not measured: %s",
                            b->d->subjects[subject].series.name, p->label,
                            p->spots[subject].missing);
    return "too few I/Os lie beyond the percentile, or the value was not recorded";
}

static void put_value(struct building *b, const struct template_node *n, struct rich *r)
{
    const char *metric = template_attribute(n, "metric");
    const struct report_workload *w = workload_of(b, template_attribute(n, "workload"));
    const struct group_point *p = point_of(b, w, template_attribute(n, "queue-depth"));
    size_t subject = subject_of(b, template_attribute(n, "target"));
    const char *text = w && p && subject != SIZE_MAX ? value_text(b, &p->spots[subject], metric)
                                                     : NULL;
    if (text) {
        rich_put(r, b->a, RUN_PLAIN, text);
        return;
    }
    rich_put(r, b->a, RUN_SOFT, "– (not measured)");
    struct warning *gap = array_push(&b->gaps);
    *gap = (struct warning) { .what = "A value that the text names does not exist." };
    rich_printf(&gap->text, b->a, RUN_PLAIN, "The template asks in line %ld for %s: %s.", n->line,
                metric, gap_reason(b, n, w, p, subject));
}

/* --- other inline elements ----------------------------------------------------------------------------------------- */

static const char *run_names(struct building *b)
{
    const char **names = arena_array(b->a, const char *, b->d->n_runs);
    for (size_t i = 0; i < b->d->n_runs; i++)
        names[i] = b->d->runs[i]->name;
    return list_words(b->a, names, b->d->n_runs, b->d->n_runs);
}

static void put_name(struct building *b, const struct template_node *n, struct rich *r)
{
    const struct run_row *run = b->d->runs[0];
    const struct {
        const char *of, *text;
    } names[] = {
        { "device-under-test", b->d->subjects[b->d->highlighted].series.name },
        { "target", build_pattern(b, "{target}") },
        { "workload", build_pattern(b, "{workload}") },
        { "workload-description", b->workload ? b->workload->description : "" },
        { "queue-depth", build_pattern(b, "{queue-depth}") },
        { "run", run_names(b) },
        { "matrix", run->matrix_title ? run->matrix_title : run->name },
    };
    const char *of = template_attribute(n, "of");
    for (size_t i = 0; i < countof(names); i++)
        if (!strcmp(names[i].of, of) && *names[i].text)
            rich_put(r, b->a, RUN_PLAIN, names[i].text);
}

static void put_even_finding(struct building *b, struct rich *r)
{
    const struct group_point *p = b->point      ? b->point
                                  : b->workload ? &b->workload->points[0]
                                                : &b->d->points[0];
    const struct rich words = even_words(b->a, b->d, p);
    for (size_t i = 0; i < words.n; i++)
        rich_put(r, b->a, words.at[i].style, words.at[i].text);
}

static void put_finding(struct building *b, const struct template_node *n, struct rich *r)
{
    const char *words, *of = template_attribute(n, "of");
    if (of && !strcmp(of, "evenness")) {
        put_even_finding(b, r);
        return;
    }
    if (b->point) {
        struct finding f = finding_at(b->a, b->d, &b->st[b->point - b->d->points], b->point);
        words = finding_words(b->a, b->d, &f);
    } else {
        words = workload_lead(b->a, b->d, b->st, b->workload);
    }
    if (*words)
        rich_put(r, b->a, RUN_PLAIN, words);
}

static const char *plain_content(struct building *b, const struct template_node *n)
{
    const char *text = "";
    for (const struct template_node *c = n->first; c; c = c->next)
        if (c->text)
            text = *text ? arena_printf(b->a, "%s%s", text, c->text) : c->text;
    return text;
}

static void put_strong(struct building *b, const struct template_node *n, struct rich *r)
{
    rich_put(r, b->a, RUN_STRONG, plain_content(b, n));
}

static void put_soft(struct building *b, const struct template_node *n, struct rich *r)
{
    rich_put(r, b->a, RUN_SOFT, plain_content(b, n));
}

static void put_code(struct building *b, const struct template_node *n, struct rich *r)
{
    rich_put(r, b->a, RUN_CODE, plain_content(b, n));
}

static void put_link(struct building *b, const struct template_node *n, struct rich *r)
{
    rich_link(r, b->a, plain_content(b, n), build_pattern(b, template_attribute(n, "href")));
}

static const struct {
    const char *element;
    void (*put)(struct building *b, const struct template_node *n, struct rich *r);
} inlines[] = {
    { "strong", put_strong }, { "soft", put_soft }, { "code", put_code },       { "a", put_link },
    { "value", put_value },   { "name", put_name }, { "finding", put_finding },
};

/* Blanks at the ends of a block are the layout of the template file. */
static void trim(struct building *b, struct rich *r)
{
    while (r->n && (!*r->at[0].text || !strcmp(r->at[0].text, " "))) {
        r->at++;
        r->n--;
        r->cap--;
    }
    while (r->n && (!*r->at[r->n - 1].text || !strcmp(r->at[r->n - 1].text, " ")))
        r->n--;
    if (r->n == 0)
        return;
    if (*r->at[0].text == ' ')
        r->at[0].text++;
    const char *last = r->at[r->n - 1].text;
    size_t n = strlen(last);
    if (n && last[n - 1] == ' ')
        r->at[r->n - 1].text = arena_strndup(b->a, last, n - 1);
}

struct rich build_rich(struct building *b, const struct template_node *n)
{
    struct rich r = { 0 };
    for (const struct template_node *c = n->first; c; c = c->next) {
        if (c->text && *c->text)
            rich_put(&r, b->a, RUN_PLAIN, c->text);
        for (size_t i = 0; c->element && i < countof(inlines); i++)
            if (!strcmp(inlines[i].element, c->element))
                inlines[i].put(b, c, &r);
    }
    trim(b, &r);
    return r;
}
