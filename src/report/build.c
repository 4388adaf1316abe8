#include "report/build.h"

#include <string.h>

#include "report/build_state.h"
#include "report/figures_sweep.h"
#include "report/figures_time.h"
#include "report/findings_even.h"
#include "report/summary.h"
#include "report/tables.h"
#include "report/words.h"

static void build_children(struct building *b, const struct template_node *n, struct block *parent);

/* --- blocks -------------------------------------------------------------------------------------------------------- */

static void put_text_block(struct building *b, const struct template_node *n, struct block *parent,
                           enum block_kind kind)
{
    struct rich text = build_rich(b, n);
    if (text.n)
        doc_block(b->doc, b->a, parent, kind)->text = text;
}

static void put_p(struct building *b, const struct template_node *n, struct block *parent)
{
    put_text_block(b, n, parent, BLOCK_PARAGRAPH);
}

static void put_lead(struct building *b, const struct template_node *n, struct block *parent)
{
    put_text_block(b, n, parent, BLOCK_LEAD);
}

static void put_note(struct building *b, const struct template_node *n, struct block *parent)
{
    put_text_block(b, n, parent, BLOCK_NOTE);
}

static void put_heading(struct building *b, const struct template_node *n, struct block *parent)
{
    struct rich text = build_rich(b, n);
    doc_block(b->doc, b->a, parent, BLOCK_HEADING)->title = rich_plain(&text, b->a);
}

static void put_list(struct building *b, const struct template_node *n, struct block *parent)
{
    ARRAY(struct rich) items = { 0 };
    for (const struct template_node *c = n->first; c; c = c->next)
        if (c->element)
            *array_push(&items) = build_rich(b, c);
    struct block *list = doc_block(b->doc, b->a, parent, BLOCK_LIST);
    list->n_items = items.n;
    list->items = arena_memdup(b->a, items.at, items.n * sizeof *items.at);
    array_free(&items);
}

static void add_figure(struct building *b, struct block *parent, struct figure *f)
{
    if (f)
        doc_block(b->doc, b->a, parent, BLOCK_FIGURE)->figure = f;
}

static void put_figure(struct building *b, const struct template_node *n, struct block *parent)
{
    static const struct {
        const char *kind;
        struct figure *(*make)(struct arena *a, const struct report_data *d,
                               const struct group_point *p);
    } of_points[] = {
        { "spread", figure_spread },   { "seconds", figure_seconds }, { "heat", figure_heat },
        { "samples", figure_samples }, { "repeats", figure_repeats },
    };
    static const struct {
        const char *kind;
        struct figure *(*make)(struct arena *a, const struct report_data *d,
                               const struct report_workload *w);
    } of_workloads[] = {
        { "overview", figure_overview }, { "columns", figure_columns }, { "grid", figure_grid },
        { "mix", figure_mix },           { "sizes", figure_sizes },     { "change", figure_change },
    };
    const char *kind = template_attribute(n, "kind");
    if (!strcmp(kind, "bars"))
        add_figure(b, parent, figure_bars(b->a, b->d, b->st, b->point));
    if (!strcmp(kind, "rate"))
        add_figure(b, parent, figure_rate(b->a, b->d, b->point, template_attribute(n, "below")));
    for (size_t i = 0; i < countof(of_points); i++)
        if (!strcmp(of_points[i].kind, kind))
            add_figure(b, parent, of_points[i].make(b->a, b->d, b->point));
    for (size_t i = 0; i < countof(of_workloads); i++)
        if (!strcmp(of_workloads[i].kind, kind))
            add_figure(b, parent, of_workloads[i].make(b->a, b->d, b->workload));
    if (strcmp(kind, "time"))
        return;
    struct figure *figures[TIME_FIGURES];
    size_t n_figures = figures_time(b->a, b->d, b->point, figures);
    for (size_t i = 0; i < n_figures; i++)
        add_figure(b, parent, figures[i]);
}

static const struct table *table_of_point(struct building *b, const struct template_node *n,
                                          const char *kind)
{
    if (!strcmp(kind, "evenness"))
        return table_evenness(b->a, b->d, b->point, EVENNESS_BOTH);
    if (!strcmp(kind, "shares"))
        return table_shares(b->a, b->d, b->point, template_attribute(n, "thresholds"));
    if (!strcmp(kind, "drops"))
        return table_drops(b->a, b->d, b->point, template_attribute(n, "below"));
    return NULL;
}

static void put_table(struct building *b, const struct template_node *n, struct block *parent)
{
    static const struct {
        const char *kind;
        const struct table *(*make)(struct arena *a, const struct report_data *d);
    } kinds[] = {
        { "results", table_results }, { "targets", table_targets },   { "host", table_host },
        { "engine", table_engine },   { "achieved", table_achieved }, { "sources", table_sources },
    };
    const char *kind = template_attribute(n, "kind");
    const struct table *t = table_of_point(b, n, kind);
    for (size_t i = 0; i < countof(kinds); i++)
        if (!strcmp(kinds[i].kind, kind))
            t = kinds[i].make(b->a, b->d);
    if (!strcmp(kind, "percentiles"))
        t = table_percentiles(b->a, b->d, b->workload);
    if (t)
        doc_block(b->doc, b->a, parent, BLOCK_TABLE)->table = t;
}

static const char *title_of(struct building *b, const struct template_node *n)
{
    const char *title = template_attribute(n, "title");
    return title && *title ? build_pattern(b, title) : NULL;
}

static void put_commands(struct building *b, const struct template_node *n, struct block *parent)
{
    build_commands(b, parent, title_of(b, n));
}

static void put_matrix(struct building *b, const struct template_node *n, struct block *parent)
{
    build_matrix(b, parent, title_of(b, n));
}

/* Nothing to fold, no fold. */
static void put_details(struct building *b, const struct template_node *n, struct block *parent)
{
    struct block inside = { 0 };
    build_children(b, n, &inside);
    if (!inside.first)
        return;
    struct block *details = doc_block(b->doc, b->a, parent, BLOCK_DETAILS);
    details->title = title_of(b, n);
    details->first = inside.first;
}

static void put_summary(struct building *b, const struct template_node *n, struct block *parent)
{
    (void)n;
    build_summary(b, parent);
}

static void put_method(struct building *b, const struct template_node *n, struct block *parent)
{
    (void)n;
    build_method(b, parent);
}

static void put_warnings(struct building *b, const struct template_node *n, struct block *parent)
{
    b->warnings = doc_block(b->doc, b->a, parent, BLOCK_WARNINGS);
    b->warnings->title = title_of(b, n);
}

static void put_passed(struct building *b, const struct template_node *n, struct block *parent)
{
    (void)n;
    if (!b->checks.n_passed)
        return;
    struct block *p = doc_block(b->doc, b->a, parent, BLOCK_NOTE);
    rich_printf(&p->text, b->a, RUN_PLAIN, "%s passed: %s.",
                fmt_plural(b->checks.n_passed, "check").s,
                list_words(b->a, b->checks.passed, b->checks.n_passed, b->checks.n_passed));
}

static void put_notes(struct building *b, const struct template_node *n, struct block *parent)
{
    if (!b->checks.n_notes)
        return;
    const char *title = title_of(b, n);
    if (title)
        doc_block(b->doc, b->a, parent, BLOCK_HEADING)->title = title;
    struct block *list = doc_block(b->doc, b->a, parent, BLOCK_LIST);
    list->items = b->checks.notes;
    list->n_items = b->checks.n_notes;
}

/* --- loops and sections -------------------------------------------------------------------------------------------- */

static void put_loop(struct building *b, const struct template_node *n, struct block *parent)
{
    const struct building before = *b;
    const char *select = template_attribute(n, "select");
    if (!strcmp(select, "workload"))
        for (size_t i = 0; i < b->d->n_workloads; i++) {
            b->workload = &b->d->workloads[i];
            build_children(b, n, parent);
        }
    else if (!strcmp(select, "target"))
        for (size_t i = 0; i < b->d->n_subjects; i++) {
            b->subject = i;
            build_children(b, n, parent);
        }
    else
        for (size_t i = 0; i < b->workload->n_points; i++) {
            b->point = &b->workload->points[i];
            build_children(b, n, parent);
        }
    b->workload = before.workload;
    b->subject = before.subject;
    b->point = before.point;
}

static void put_section(struct building *b, const struct template_node *n, struct block *parent)
{
    struct block *section = doc_block(b->doc, b->a, parent, BLOCK_SECTION);
    section->id = build_pattern(b, template_attribute(n, "id"));
    section->title = title_of(b, n);
    build_children(b, n, section);
}

static void put_tested(struct building *b, const struct template_node *n, struct block *parent)
{
    struct block *box = doc_block(b->doc, b->a, parent, BLOCK_TESTED);
    box->id = build_pattern(b, template_attribute(n, "id"));
    box->title = title_of(b, n);
    bool left = true;
    for (const struct template_node *side = n->first; side; side = side->next) {
        if (!side->element)
            continue;
        if (!left)
            doc_block(b->doc, b->a, box, BLOCK_SPLIT);
        build_children(b, side, box);
        left = false;
    }
}

static const struct {
    const char *element;
    void (*put)(struct building *b, const struct template_node *n, struct block *parent);
} elements[] = {
    { "p", put_p },
    { "lead", put_lead },
    { "note", put_note },
    { "heading", put_heading },
    { "list", put_list },
    { "figure", put_figure },
    { "table", put_table },
    { "commands", put_commands },
    { "matrix", put_matrix },
    { "details", put_details },
    { "summary", put_summary },
    { "method", put_method },
    { "warnings", put_warnings },
    { "passed-checks", put_passed },
    { "notes", put_notes },
    { "for-each", put_loop },
    { "section", put_section },
    { "tested", put_tested },
};

static void build_children(struct building *b, const struct template_node *n, struct block *parent)
{
    for (const struct template_node *c = n->first; c; c = c->next)
        for (size_t i = 0; c->element && i < countof(elements); i++)
            if (!strcmp(elements[i].element, c->element))
                elements[i].put(b, c, parent);
}

/* --- the whole ----------------------------------------------------------------------------------------------------- */

static void put_front(struct building *b, const struct template_node *root)
{
    for (const struct template_node *c = root->first; c; c = c->next) {
        if (!c->element)
            continue;
        if (!strcmp(c->element, "verdict")) {
            b->doc->verdict = build_rich(b, c);
            if (!b->doc->verdict.n)
                b->doc->verdict = verdict_rich(b->a, b->d, b->st);
        } else if (!strcmp(c->element, "scorecard")) {
            b->doc->scorecard = table_scorecard(b->a, b->d);
        } else if (!strcmp(c->element, "headline")) {
            b->doc->headline = figure_headline(b->a, b->d);
        }
    }
    struct rich verdict = b->doc->verdict.n ? b->doc->verdict : verdict_rich(b->a, b->d, b->st);
    b->doc->description = verdict.at[0].text;
}

/* The report's own warnings first, then those of the data, then what the text could not say. */
static void finish_warnings(struct building *b)
{
    size_t n = b->checks.n_warnings + b->gaps.n + (b->in->warning != NULL), k = 0;
    if (!b->warnings) {
        if (b->gaps.n && !b->doc->notice)
            b->doc->notice = arena_printf(b->a, "%s that the text names %s missing",
                                          fmt_plural(b->gaps.n, "value").s,
                                          b->gaps.n == 1 ? "is" : "are");
        return;
    }
    struct warning *all = arena_array(b->a, struct warning, n);
    if (b->in->warning)
        all[k++] = (struct warning) { .what = b->in->warning };
    for (size_t i = 0; i < b->checks.n_warnings; i++)
        all[k++] = b->checks.warnings[i];
    for (size_t i = 0; i < b->gaps.n; i++)
        all[k++] = b->gaps.at[i];
    b->warnings->warnings = all;
    b->warnings->n_warnings = n;
    if (n)
        return;
    const char *title = b->warnings->title ? b->warnings->title : "Warnings";
    *b->warnings = (struct block) { .kind = BLOCK_PARAGRAPH, .next = b->warnings->next };
    rich_printf(&b->warnings->text, b->a, RUN_STRONG, "%s.", title);
    rich_put(&b->warnings->text, b->a, RUN_PLAIN, " None: all checks passed.");
}

int build_document(struct arena *a, const struct build_input *in, struct document *ret,
                   struct error *e)
{
    struct document doc = { 0 };
    struct building b = { .a = a, .in = in, .d = in->data, .doc = &doc, .subject = SIZE_MAX };
    b.st = standing_make(a, in->data);
    b.checks = checks_make(a, in->data);
    build_head(&b);
    put_front(&b, in->template->root);
    build_children(&b, in->template->root, NULL);
    finish_warnings(&b);
    array_free(&b.gaps);
    build_drop_dead_links(&b);
    if (doc_number(&doc, e))
        return -1;
    *ret = doc;
    return 0;
}
