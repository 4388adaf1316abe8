#include "import/collect.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "import/iometer_inside.h"
#include "import/vdbench_inside.h"

#define JSON_LIMIT (256ull << 20)
enum { WARNINGS_KEPT = 50 };

void collect_done(struct collect *c)
{
    for (size_t i = 0; i < c->cells.n; i++) {
        array_free(&c->cells.at[i].cell->intervals);
        array_free(&c->cells.at[i].cell->notes);
    }
    for (struct iometer_pending *p = c->iometer; p; p = p->next)
        array_free(&p->cell.intervals);
    for (struct vdbench_run *r = c->vdbench; r; r = r->next)
        array_free(&r->rows);
    for (size_t i = 0; i < c->n_sources; i++) {
        array_free(&c->sources[i].warnings);
        reader_close(c->sources[i].reader);
        c->sources[i].reader = NULL;
    }
    array_free(&c->cells);
    array_free(&c->notes);
}

/* Past what a run may have nothing will be kept: cells are written over each other. */
static struct import_cell *new_cell(struct collect *c)
{
    if (c->cells.n <= PLAN_MAX_CELLS)
        return arena_one(c->a, struct import_cell);
    struct import_cell *last = c->cells.at[c->cells.n - 1].cell;
    array_free(&last->intervals);
    array_free(&last->notes);
    *last = (struct import_cell) { 0 };
    collect_drop(c);
    c->too_many = true;
    return last;
}

struct import_cell *collect_cell(struct collect *c)
{
    struct import_cell *cell = new_cell(c);
    cell->queue_depth = cell->workers = 1;
    cell->source = (size_t)(c->source - c->sources);
    cell->result.status = CELL_DONE;
    cell->result.achieved_depth = cell->result.worker_busy = (double)NAN;
    cell->result.steady = -1;
    for (int d = 0; d < DIR_COUNT; d++)
        cell->result.dir[d].lat = moments_zero();
    array_push(&c->cells)->cell = cell;
    c->source->summary->n_cells++;
    return cell;
}

void collect_drop(struct collect *c)
{
    c->cells.n--;
    c->source->summary->n_cells--;
}

__attribute__((format(printf, 3, 0))) static void warn(struct collect *c, const char *where,
                                                       const char *fmt, va_list ap)
{
    struct import_source *s = c->source;
    if (s->n_warnings++ >= WARNINGS_KEPT)
        return;
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *what = arena_alloc(c->a, (size_t)(n < 0 ? 0 : n) + 1);
    vsnprintf(what, (size_t)(n < 0 ? 0 : n) + 1, fmt, ap);
    *array_push(&s->warnings) = (struct import_warning) { where, what };
}

void collect_warn(struct collect *c, long line, const char *fmt, ...)
{
    const char *name = c->source->name;
    va_list ap;
    va_start(ap, fmt);
    warn(c, line ? arena_printf(c->a, "%s:%ld", name, line) : name, fmt, ap);
    va_end(ap);
}

void collect_warn_once(struct collect *c, const char *code, const char *what)
{
    const char **said = c->source->said;
    size_t i = 0;
    for (; i < countof(c->source->said) && said[i]; i++)
        if (!strcmp(said[i], code))
            return;
    if (i < countof(c->source->said))
        said[i] = code;
    collect_warn(c, 0, "%s", what);
}

void collect_warn_key(struct collect *c, const char *key, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    warn(c, arena_printf(c->a, "%s: %s", c->source->name, key), fmt, ap);
    va_end(ap);
}

void collect_note(struct collect *c, const struct import_note *n)
{
    for (size_t i = 0; i < c->notes.n; i++)
        if (!strcmp(c->notes.at[i].code, n->code))
            return;
    *array_push(&c->notes) = *n;
}

void collect_cell_note(struct import_cell *cell, const struct import_note *n)
{
    *array_push(&cell->notes) = *n;
}

void collect_check_claim(struct collect *c, const struct import_claim *x)
{
    if (x->seconds <= 0 || x->claimed < 0 || !isfinite(x->claimed))
        return;
    double counted = (double)x->counted / x->seconds;
    if (fabs(counted - x->claimed) <= 0.01 * counted + x->unit)
        return;
    const char *where = x->line ? arena_printf(c->a, "line %ld: ", x->line) : "";
    collect_warn_key(c, x->key,
                     "%sit says %.6g %s, but %llu in %.6g s are %.6g: the count was taken", where,
                     x->claimed, x->what, (unsigned long long)x->counted, x->seconds, counted);
}

uint32_t collect_limited(struct collect *c, long line, uint32_t v, uint32_t most)
{
    if (v <= most)
        return v ? v : 1;
    collect_warn(c, line, "%u is more than %u, which was taken", v, most);
    return most;
}

int collect_json_text(struct collect *c, char **ret, struct error *e)
{
    uint64_t limit = c->options->big ? UINT64_MAX : JSON_LIMIT;
    if (reader_size(c->source->reader) > limit)
        return error_set(e, QD_E_FAIL,
                         "JSON of over 256 MB needs up to 24 times its size in memory (--big reads "
                         "it all the same)");
    return reader_text(c->source->reader, c->a, limit, ret, e);
}
