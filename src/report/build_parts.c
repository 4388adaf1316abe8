#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "report/build_state.h"
#include "report/summary.h"
#include "report/words.h"

/* Titles name at most so many peers. */
enum { TITLE_PEERS = 2, TARGETS_NAMED = 8 };

/* --- head ---------------------------------------------------------------------------------------------------------- */

static const char *made_title(struct building *b)
{
    const struct report_data *d = b->d;
    const struct run_row *run = d->runs[0];
    const char *matrix = run->matrix_title && *run->matrix_title ? run->matrix_title
                         : run->title && *run->title             ? run->title
                                                                 : run->name;
    const char **peers = arena_array(b->a, const char *, d->n_subjects);
    size_t n = 0;
    for (size_t i = 0; i < d->n_subjects; i++)
        if (i != d->highlighted)
            peers[n++] = d->subjects[i].series.name;
    const char *name = d->subjects[d->highlighted].series.name;
    if (n == 0)
        return arena_printf(b->a, "%s: %s", name, matrix);
    if (n > TITLE_PEERS)
        return arena_printf(b->a, "%s against %zu others: %s", name, n, matrix);
    return arena_printf(b->a, "%s against %s: %s", name, list_words(b->a, peers, n, n), matrix);
}

static const char *run_names(struct building *b)
{
    const char *names = b->d->runs[0]->name;
    for (size_t i = 1; i < b->d->n_runs; i++)
        names = arena_printf(b->a, "%s, %s", names, b->d->runs[i]->name);
    return names;
}

static const char *made_notice(struct building *b)
{
    const struct report_data *d = b->d;
    for (size_t i = 0; i < d->n_runs; i++)
        if (!strcmp(d->runs[i]->status, "interrupted") || !strcmp(d->runs[i]->status, "running"))
            return arena_printf(b->a, "%s: %zu of %s not measured",
                                !strcmp(d->runs[i]->status, "running") ? "Unfinished run"
                                                                       : "Interrupted run",
                                d->n_cells - d->n_cells_done, fmt_plural(d->n_cells, "cell").s);
    return NULL;
}

static const char *cells_words(struct building *b)
{
    const struct report_data *d = b->d;
    if (d->n_cells == d->n_cells_done)
        return arena_printf(b->a, "%s measured", fmt_plural(d->n_cells, "cell").s);
    return arena_printf(b->a, "%zu of %s measured", d->n_cells_done,
                        fmt_plural(d->n_cells, "cell").s);
}

static void put_keys(struct building *b)
{
    const struct report_data *d = b->d;
    struct key_entry *keys = arena_array(b->a, struct key_entry, d->n_subjects);
    for (size_t i = 0; i < d->n_subjects; i++) {
        const struct subject *s = &d->subjects[i];
        bool marked = s->series.highlighted && d->n_subjects > 1;
        const char *mark = marked ? "device under test" : NULL;
        keys[i].series = s->series;
        keys[i].note = s->source ? arena_printf(b->a, "%s%simported from %s", mark ? mark : "",
                                                mark ? ", " : "", s->source)
                                 : mark;
    }
    b->doc->keys = keys;
    b->doc->n_keys = d->n_subjects;
}

void build_head(struct building *b)
{
    struct document *doc = b->doc;
    const struct template_node *root = b->in->template->root;
    const char *title = template_attribute(root, "title"),
               *kicker = template_attribute(root, "kicker");
    doc->title = b->in->title ? b->in->title : title && *title ? title : made_title(b);
    doc->kicker = kicker && *kicker ? kicker : "Storage report";
    doc->run_names = run_names(b);
    doc->meta = arena_printf(b->a, "Run%s %s · %s · %s · %s", b->d->n_runs > 1 ? "s" : "",
                             doc->run_names, clock_minute(b->d->runs[0]->started_ns).s,
                             cells_words(b), repeats_words(b->a, b->d));
    doc->notice = made_notice(b);
    if (b->d->window)
        doc->meta = arena_printf(b->a, "%s · numbers are of %s of each cell", doc->meta,
                                 b->d->window);
    doc->version = QD_VERSION;
    doc->data_hash = b->d->data_hash;
    put_keys(b);
}

/* --- what was tested ----------------------------------------------------------------------------------------------- */

struct facts {
    struct building *b;
    ARRAY(struct doc_fact) at;
};

static void add(struct facts *f, const char *key, int slot, const char *value)
{
    if (!value || !*value)
        return;
    struct doc_fact *fact = array_push(&f->at);
    *fact = (struct doc_fact) { .key = key, .slot = slot };
    rich_put(&fact->value, f->b->a, RUN_PLAIN, value);
}

static void add_targets(struct facts *f)
{
    const struct report_data *d = f->b->d;
    size_t n = d->n_subjects > TARGETS_NAMED ? TARGETS_NAMED : d->n_subjects;
    for (size_t i = 0; i < n; i++)
        add(f, i ? NULL : "Targets", d->subjects[i].series.slot, d->subjects[i].series.name);
    if (n < d->n_subjects)
        add(f, NULL, 0,
            arena_printf(f->b->a, "and %zu more, see the environment", d->n_subjects - n));
}

static void add_workloads(struct facts *f)
{
    const struct report_data *d = f->b->d;
    for (size_t w = 0; w < d->n_workloads; w++) {
        const struct report_workload *at = &d->workloads[w];
        add(f, w ? NULL : "Workloads", 0,
            *at->description ? arena_printf(f->b->a, "%s: %s", at->title, at->description)
                             : at->title);
    }
}

/* The smallest depth above `depth`; 0: none. */
static uint32_t next_depth(const struct report_data *d, uint32_t depth)
{
    uint32_t next = 0;
    for (size_t p = 0; p < d->n_points; p++) {
        uint32_t q = d->points[p].queue_depth;
        if (q > depth && (next == 0 || q < next))
            next = q;
    }
    return next;
}

static const char *depths_words(struct building *b)
{
    const char *text = NULL;
    for (uint32_t q = next_depth(b->d, 0); q; q = next_depth(b->d, q))
        text = text ? arena_printf(b->a, "%s, %u", text, q) : arena_printf(b->a, "%u", q);
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t p = 0; p < b->d->n_points; p++) {
        uint32_t workers = b->d->points[p].workers;
        low = workers < low ? workers : low;
        high = workers > high ? workers : high;
    }
    const char *workers = low == high ? arena_printf(b->a, "%s", fmt_plural(high, "worker").s)
                                      : arena_printf(b->a, "%u to %u workers", low, high);
    return arena_printf(b->a, "%s in flight%s, %s", text ? text : "–",
                        high > 1 ? " for each worker" : "", workers);
}

static const char *cell_words(struct building *b)
{
    const struct cell *c = &b->d->cells[0].cell;
    for (size_t i = 1; i < b->d->n_cells; i++)
        if (b->d->cells[i].cell.duration_ns != c->duration_ns ||
            b->d->cells[i].cell.ramp_ns != c->ramp_ns)
            return arena_printf(b->a, "lengths differ, see the results; %s",
                                repeats_words(b->a, b->d));
    if (!c->duration_ns)
        return repeats_words(b->a, b->d);
    const char *ramp = c->ramp_ns ? arena_printf(b->a, "%s ramp, ", fmt_span_ns(c->ramp_ns).s)
                                  : "no ramp, ";
    return arena_printf(b->a, "%s%s measured; %s", ramp, fmt_span_ns(c->duration_ns).s,
                        repeats_words(b->a, b->d));
}

static const char *data_words(struct building *b)
{
    enum fill_kind kind = b->d->cells[0].cell.fill.kind;
    for (size_t i = 1; i < b->d->n_cells; i++)
        if (b->d->cells[i].cell.fill.kind != kind)
            return "several fills, see the results";
    return kind == FILL_RANDOM ? "random, unique per block"
                               : arena_printf(b->a, "%s", fill_kind_name(kind));
}

static const char *direct_words(struct building *b)
{
    const struct report_data *d = b->d;
    const char **buffered = arena_array(b->a, const char *, d->n_subjects);
    size_t n = 0;
    bool known = false;
    for (size_t i = 0; i < d->n_cells; i++)
        known = known || d->cells[i].engine != USED_NONE;
    for (size_t i = 0; i < d->n_subjects; i++)
        if (d->subjects[i].buffered)
            buffered[n++] = d->subjects[i].series.name;
    if (!known)
        return "not known";
    if (n == 0)
        return "used on all targets";
    if (n == d->n_subjects)
        return "not used: all targets went through the page cache";
    return arena_printf(b->a, "used, but not on %s", list_words(b->a, buffered, n, TARGETS_NAMED));
}

static const char *host_words(struct building *b)
{
    static const char *const keys[] = { "Processor", "Memory", "Kernel" };
    const struct run_row *r = b->d->runs[0];
    const char *words[countof(keys)];
    size_t n = 0;
    for (size_t k = 0; k < countof(keys); k++)
        for (size_t i = 0; i < r->n_host; i++)
            if (!strcmp(r->host[i].key, keys[k]) && r->host[i].value) {
                words[n++] = r->host[i].value;
                break;
            }
    const char *text = n ? words[0] : "";
    for (size_t i = 1; i < n; i++)
        text = arena_printf(b->a, "%s, %s", text, words[i]);
    return text;
}

void build_summary(struct building *b, struct block *parent)
{
    struct facts f = { .b = b };
    add_targets(&f);
    add_workloads(&f);
    add(&f, "Queue depths", 0, depths_words(b));
    add(&f, "Cell", 0, cell_words(b));
    if (b->d->window)
        add(&f, "Window", 0,
            arena_printf(b->a,
                         "%s of each cell: all numbers are sums and merges of the records that "
                         "start in it; figures over time shade it",
                         b->d->window));
    add(&f, "Data", 0, data_words(b));
    add(&f, "Direct I/O", 0, direct_words(b));
    add(&f, "Host", 0, host_words(b));
    struct block *facts = doc_block(b->doc, b->a, parent, BLOCK_FACTS);
    facts->facts = arena_memdup(b->a, f.at.at, f.at.n * sizeof *f.at.at);
    facts->n_facts = f.at.n;
    array_free(&f.at);
}

/* --- method and reproduction --------------------------------------------------------------------------------------- */

static bool told_before(const struct report_data *d, size_t r)
{
    for (size_t i = 0; i < r; i++)
        if (d->runs[i]->matrix_method &&
            !strcmp(d->runs[i]->matrix_method, d->runs[r]->matrix_method))
            return true;
    return false;
}

void build_method(struct building *b, struct block *parent)
{
    for (size_t r = 0; r < b->d->n_runs; r++) {
        const struct run_row *run = b->d->runs[r];
        if (!run->matrix_method || !*run->matrix_method || told_before(b->d, r))
            continue;
        struct block *p = doc_block(b->doc, b->a, parent, BLOCK_PARAGRAPH);
        if (b->d->n_runs > 1)
            rich_printf(&p->text, b->a, RUN_STRONG, "%s. ", run->name);
        rich_put(&p->text, b->a, RUN_PLAIN, run->matrix_method);
    }
    for (size_t r = 0; r < b->d->n_runs; r++) {
        if (!b->d->runs[r]->note || !*b->d->runs[r]->note)
            continue;
        struct block *p = doc_block(b->doc, b->a, parent, BLOCK_PARAGRAPH);
        rich_printf(&p->text, b->a, RUN_PLAIN, "Note: %s", b->d->runs[r]->note);
    }
}

void build_commands(struct building *b, struct block *parent, const char *title)
{
    const char *all = NULL, *names = "";
    for (size_t r = 0; r < b->d->n_runs; r++) {
        const struct run_row *run = b->d->runs[r];
        names = arena_printf(b->a, "%s %s", names, run->name);
        if (run->command && *run->command)
            all = all ? arena_printf(b->a, "%s\n%s", all, run->command) : run->command;
    }
    struct block *code = doc_block(b->doc, b->a, parent, BLOCK_CODE);
    code->title = title;
    code->code = arena_printf(b->a, "%s%sqdepth report%s%s", all ? all : "", all ? "\n" : "", names,
                              b->d->window_options);
}

void build_matrix(struct building *b, struct block *parent, const char *title)
{
    for (size_t r = 0; r < b->d->n_runs; r++) {
        const struct run_row *run = b->d->runs[r];
        if (!run->matrix_xml || !*run->matrix_xml)
            continue;
        struct block *code = doc_block(b->doc, b->a, parent, BLOCK_CODE);
        code->title = b->d->n_runs > 1 ? run->name : title;
        code->code = run->matrix_xml;
    }
}
