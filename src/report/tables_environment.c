#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "report/table_build.h"
#include "report/tables.h"
#include "report/words.h"

/* With more targets than this each is a row instead of a column. */
enum { TARGET_COLUMNS = 6 };

/* --- targets ------------------------------------------------------------------------------------------------------- */

/* Own properties first, then the facts of all targets by first appearance. */
struct properties {
    const struct report_data *d;
    ARRAY(const char *) keys;
};

static const char *const own_keys[] = { "Kind", "Path", "Tested span", "Data", "Sectors" };

static const char *own_value(struct arena *a, const struct subject *s, size_t key)
{
    const struct target_record *t = &s->row.record;
    switch (key) {
    case 0:
        return s->source ? arena_printf(a, "imported from %s", s->source)
                         : target_kind_name(t->kind);
    case 1:
        return t->path;
    case 2:
        return t->span_bytes ? arena_printf(a, "%s", fmt_bytes(t->span_bytes).s) : NULL;
    case 3:
        return t->layout;
    default:
        return t->logical_block
                   ? arena_printf(a, "%s logical, %s physical", fmt_bytes(t->logical_block).s,
                                  t->physical_block ? fmt_bytes(t->physical_block).s : "unknown")
                   : NULL;
    }
}

static void collect_keys(struct properties *p)
{
    for (size_t i = 0; i < p->d->n_subjects; i++) {
        const struct target_record *t = &p->d->subjects[i].row.record;
        for (size_t f = 0; f < t->n_facts; f++) {
            bool known = false;
            for (size_t k = 0; k < p->keys.n; k++)
                known = known || !strcmp(p->keys.at[k], t->facts[f].key);
            if (!known)
                *array_push(&p->keys) = t->facts[f].key;
        }
    }
}

static const char *property_of(struct arena *a, const struct properties *p, size_t row,
                               size_t subject)
{
    const struct subject *s = &p->d->subjects[subject];
    if (row < countof(own_keys))
        return own_value(a, s, row);
    const char *key = p->keys.at[row - countof(own_keys)];
    const struct target_record *t = &s->row.record;
    const char *all = NULL;
    for (size_t f = 0; f < t->n_facts; f++)
        if (!strcmp(t->facts[f].key, key) && t->facts[f].value)
            all = all ? arena_printf(a, "%s; %s", all, t->facts[f].value) : t->facts[f].value;
    return all;
}

static const char *property_name(const struct properties *p, size_t row)
{
    return row < countof(own_keys) ? own_keys[row] : p->keys.at[row - countof(own_keys)];
}

static bool property_known(struct arena *a, const struct properties *p, size_t row)
{
    for (size_t i = 0; i < p->d->n_subjects; i++)
        if (property_of(a, p, row, i))
            return true;
    return false;
}

static void property_cell(struct table_builder *b, const struct properties *p, size_t row,
                          size_t subject)
{
    const char *value = property_of(b->a, p, row, subject);
    table_cell(b, value && *value ? value : "–");
}

const struct table *table_targets(struct arena *a, const struct report_data *d)
{
    struct properties p = { .d = d };
    collect_keys(&p);
    size_t n = countof(own_keys) + p.keys.n;
    bool columns = d->n_subjects <= TARGET_COLUMNS;
    struct table_builder b = table_begin(a, TABLE_PLAIN, "targets");
    rich_put(&b.table->caption, a, RUN_STRONG, "Targets");
    table_column(&b, columns ? "Property" : "Target", ALIGN_TEXT)->row_head = true;
    for (size_t i = 0; columns && i < d->n_subjects; i++) {
        struct column *c = table_column(&b, d->subjects[i].series.name, ALIGN_TEXT);
        c->slot = d->subjects[i].series.slot;
    }
    for (size_t row = 0; row < n; row++) {
        if (!property_known(a, &p, row))
            continue;
        if (!columns) {
            table_column(&b, property_name(&p, row), ALIGN_TEXT);
            continue;
        }
        table_row(&b, ROW_NORMAL);
        table_cell(&b, property_name(&p, row));
        for (size_t i = 0; i < d->n_subjects; i++)
            property_cell(&b, &p, row, i);
    }
    for (size_t i = 0; !columns && i < d->n_subjects; i++) {
        table_row(&b, ROW_NORMAL);
        table_cell(&b, d->subjects[i].series.name)->slot = d->subjects[i].series.slot;
        for (size_t row = 0; row < n; row++)
            if (property_known(a, &p, row))
                property_cell(&b, &p, row, i);
    }
    array_free(&p.keys);
    return table_end(&b);
}

/* --- host, engine, sources ----------------------------------------------------------------------------------------- */

static void fact_row(struct table_builder *b, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    table_row(b, ROW_NORMAL);
    table_cell(b, key);
    table_cell(b, value);
}

static struct table_builder facts_table(struct arena *a, const char *id, const char *caption)
{
    struct table_builder b = table_begin(a, TABLE_FACTS, id);
    rich_put(&b.table->caption, a, RUN_STRONG, caption);
    table_column(&b, NULL, ALIGN_TEXT)->row_head = true;
    table_column(&b, NULL, ALIGN_TEXT);
    return b;
}

static const struct table *facts_end(struct table_builder *b)
{
    const struct table *t = table_end(b);
    return t->n_rows ? t : NULL;
}

static const char *of_run(struct arena *a, const struct report_data *d, const struct run_row *r,
                          const char *key)
{
    return d->n_runs > 1 ? arena_printf(a, "%s (%s)", key, r->name) : key;
}

const struct table *table_host(struct arena *a, const struct report_data *d)
{
    struct table_builder b = facts_table(a, "host", "Host");
    for (size_t r = 0; r < d->n_runs; r++)
        for (size_t i = 0; i < d->runs[r]->n_host; i++)
            fact_row(&b, of_run(a, d, d->runs[r], d->runs[r]->host[i].key),
                     d->runs[r]->host[i].value);
    return facts_end(&b);
}

static const char *engines_of(struct arena *a, const struct report_data *d, int64_t run)
{
    const char *names[2];
    size_t n = 0;
    for (enum engine_used u = USED_IO_URING; u <= USED_SYNC; u++) {
        bool used = false;
        for (size_t i = 0; i < d->n_cells; i++)
            used = used || (d->cells[i].run == run && d->cells[i].engine == u);
        if (used)
            names[n++] = engine_used_name(u);
    }
    return list_words(a, names, n, n);
}

static const char *busy_of(struct arena *a, const struct report_data *d, int64_t run)
{
    double most = NAN;
    for (size_t i = 0; i < d->n_cells; i++)
        if (d->cells[i].run == run)
            most = fmax(most, d->cells[i].worker_busy);
    return isnan(most)
               ? NULL
               : arena_printf(a, "at most %s\u00a0%% of the time", fmt_fixed(most * 100, 0).s);
}

static const char *known(const char *version)
{
    return version && *version ? version : "of unknown version";
}

const struct table *table_engine(struct arena *a, const struct report_data *d)
{
    struct table_builder b = facts_table(a, "engine", "Engine");
    for (size_t i = 0; i < d->n_runs; i++) {
        const struct run_row *r = d->runs[i];
        if (r->import)
            continue;
        const char *version = arena_printf(a, "qdepth %s, engine %s", known(r->version),
                                           known(r->engine_version));
        fact_row(&b, of_run(a, d, r, "Version"), version);
        fact_row(&b, of_run(a, d, r, "Interface"), engines_of(a, d, r->id));
        fact_row(&b, of_run(a, d, r, "Between batches"), busy_of(a, d, r->id));
        fact_row(&b, of_run(a, d, r, "Seed"), arena_printf(a, "%llu", (unsigned long long)r->seed));
        fact_row(&b, of_run(a, d, r, "Configuration hash"), r->config_hash);
    }
    return facts_end(&b);
}

const struct table *table_sources(struct arena *a, const struct report_data *d)
{
    if (d->n_sources == 0)
        return NULL;
    struct table_builder b = table_begin(a, TABLE_PLAIN, "sources");
    static const char *const heads[] = { "File", "Format", "Tool", "SHA-256" };
    rich_put(&b.table->caption, a, RUN_STRONG, "Imported files");
    for (size_t i = 0; i < countof(heads); i++)
        table_column(&b, heads[i], ALIGN_TEXT)->row_head = i == 0;
    for (size_t i = 0; i < d->n_sources; i++) {
        const struct source_file *f = &d->sources[i].file;
        const char *const values[] = { f->path, f->format, f->tool, f->sha256 };
        table_row(&b, ROW_NORMAL);
        for (size_t k = 0; k < countof(values); k++)
            table_cell(&b, values[k] ? values[k] : "–");
    }
    return table_end(&b);
}

/* --- asked and achieved -------------------------------------------------------------------------------------------- */

struct extent {
    double low, high;
};

static void extend(struct extent *x, double v)
{
    x->low = fmin(x->low, v);
    x->high = fmax(x->high, v);
}

static const char *extent_words(struct arena *a, struct extent x, int decimals)
{
    if (isnan(x.low))
        return "–";
    const char *low = arena_printf(a, "%s", fmt_fixed(x.low, decimals).s);
    const char *high = arena_printf(a, "%s", fmt_fixed(x.high, decimals).s);
    return strcmp(low, high) ? arena_printf(a, "%s to %s", low, high) : low;
}

struct achieved {
    struct extent share, asked_s, got_s, covered;
    size_t n, n_done, n_direct_asked, n_direct, n_known;
};

static struct achieved achieved_of(const struct report_data *d, const struct subject *s)
{
    const struct extent none = { NAN, NAN };
    struct achieved x = { .share = none, .asked_s = none, .got_s = none, .covered = none };
    for (size_t i = 0; i < d->n_cells; i++) {
        const struct cell_row *c = &d->cells[i];
        if (c->target != s->row.id)
            continue;
        x.n++;
        if (strcmp(c->status, cell_status_name(CELL_DONE)))
            continue;
        x.n_done++;
        double depth = (double)c->cell.queue_depth * (c->cell.workers ? c->cell.workers : 1);
        extend(&x.share, c->achieved_depth / depth * 100);
        extend(&x.asked_s,
               c->cell.duration_ns ? (double)c->cell.duration_ns / (double)NS_PER_S : (double)NAN);
        extend(&x.got_s, c->rates_only ? (double)NAN : (double)c->measured_ns / (double)NS_PER_S);
        if (c->span_bytes)
            extend(&x.covered, (double)c->covered_bytes / (double)c->span_bytes * 100);
        x.n_direct_asked += c->cell.direct;
        x.n_known += c->engine != USED_NONE;
        x.n_direct += c->engine != USED_NONE && c->direct;
    }
    return x;
}

static const char *direct_words(struct arena *a, const struct achieved *x)
{
    if (x->n_known == 0)
        return "not known";
    const char *asked = x->n_direct_asked == x->n_done ? "asked for"
                        : x->n_direct_asked            ? "asked for in part"
                                                       : "not asked for";
    const char *used = x->n_direct == x->n_known ? "used"
                       : x->n_direct             ? "used in part"
                                                 : "not used";
    return arena_printf(a, "%s, %s", asked, used);
}

const struct table *table_achieved(struct arena *a, const struct report_data *d)
{
    struct table_builder b = table_begin(a, TABLE_PLAIN, "achieved");
    rich_put(&b.table->caption, a, RUN_STRONG, "What was asked and what was achieved.");
    rich_put(&b.table->caption, a, RUN_PLAIN,
             " Depth: I/Os in flight on average, as a share of the asked queue depth × workers.");
    table_column(&b, "Target", ALIGN_TEXT)->row_head = true;
    static const char *const heads[] = { "Cells done",       "Depth achieved, %", "Seconds asked",
                                         "Seconds measured", "Span covered, %",   "Direct I/O" };
    for (size_t i = 0; i < countof(heads); i++)
        table_column(&b, heads[i], ALIGN_TEXT);
    for (size_t i = 0; i < d->n_subjects; i++) {
        struct achieved x = achieved_of(d, &d->subjects[i]);
        table_row(&b, ROW_NORMAL);
        table_cell(&b, d->subjects[i].series.name)->slot = d->subjects[i].series.slot;
        table_cell(&b, arena_printf(a, "%zu of %zu", x.n_done, x.n));
        table_cell(&b, extent_words(a, x.share, 1));
        table_cell(&b, extent_words(a, x.asked_s, 1));
        table_cell(&b, extent_words(a, x.got_s, 1));
        table_cell(&b, extent_words(a, x.covered, 1));
        table_cell(&b, direct_words(a, &x));
    }
    return table_end(&b);
}
