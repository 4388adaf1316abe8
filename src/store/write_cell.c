#include <string.h>

#include "base/array.h"
#include "store/batch.h"
#include "store/writer.h"

enum { BLOBS_LIMIT = 1 << 20 };

static const char *rate_name(enum rate_kind k)
{
    static const char *const names[] = { "none", "iops", "percent", "recorded" };
    _Static_assert(countof(names) == RATE_RECORDED + 1, "one name a kind");
    return names[k];
}

/* How one cell row is to be written. */
struct cell_row_in {
    const struct cell *cell;
    const struct known_workload *workload;
    uint32_t attempt;
    enum cell_status status;
    int64_t started_ns;
};

static struct value percent_of(const struct fill *f)
{
    bool has = f->kind == FILL_COMPRESSIBLE || f->kind == FILL_DUPLICATE;
    return has ? v_int(f->percent) : v_null();
}

static struct value pattern_of(const struct fill *f)
{
    return f->kind == FILL_PATTERN ? v_blob(f->pattern, f->pattern_bytes) : v_null();
}

static int put_cell(struct writer *w, const struct cell_row_in *in, struct error *e)
{
    const struct cell *c = in->cell;
    const struct known_workload *load = in->workload;
    if (c->target >= w->targets.n)
        return error_set(e, QD_E_FAIL, "cannot store cell %u: there is no target %u", c->no,
                         c->target);
    bool begun = in->status != CELL_PLANNED;
    return db_run(w->store, ST_CELL_PUT, e, v_int(w->run), v_int(c->no), v_int(in->attempt),
                  v_int(c->point), v_int(w->targets.at[c->target]), v_int(load->id),
                  v_int(c->queue_depth), v_int(c->workers), v_int(c->rep), v_int(c->round),
                  v_u64(c->duration_ns), v_u64(c->ramp_ns), v_u64(c->interval_ns),
                  v_u64(c->span_bytes), v_int(c->span_bp), v_u64(c->span_offset),
                  v_text(fill_kind_name(c->fill.kind)), percent_of(&c->fill), pattern_of(&c->fill),
                  v_text(rate_name(c->rate.kind)), c->rate.kind ? v_real(c->rate.value) : v_null(),
                  v_int(c->rate.poisson), v_int(c->direct),
                  v_text(arena_printf(w->arena, "%llu", (unsigned long long)c->seed)),
                  v_real(load->size), v_real(load->read_pct), v_real(load->random_pct),
                  v_text(load->sync), v_text(cell_status_name(in->status)),
                  v_text(begun ? w->version : NULL), v_text(begun ? w->engine_version : NULL),
                  begun ? v_int(in->started_ns) : v_null(), v_text(begun ? HIST_SCHEME : NULL));
}

int write_planned_cells(struct writer *w, struct error *e)
{
    for (uint32_t i = 0; i < w->n_planned; i++) {
        const struct cell *c = &w->planned[i];
        if (c->workload >= w->workloads.n)
            return error_set(e, QD_E_FAIL, "cannot store cell %u: there is no workload %u", c->no,
                             c->workload);
        struct cell_row_in in = { .cell = c,
                                  .workload = &w->workloads.at[c->workload],
                                  .attempt = 1,
                                  .status = CELL_PLANNED };
        if (put_cell(w, &in, e))
            return -1;
    }
    w->n_planned = 0;
    return 0;
}

/* Takes the planned row, or opens the next attempt and sets the broken one aside. */
static int choose_attempt(struct writer *w, const struct cell_begin *c, uint32_t *ret,
                          struct error *e)
{
    QUERY q;
    if (db_query(w->store, ST_CELL_LATEST, &q, e, v_int(w->run), v_int(c->cell->no)))
        return -1;
    int rc = db_step(&q, e);
    if (rc < 0)
        return -1;
    *ret = c->attempt ? c->attempt : 1;
    if (rc == 0)
        return 0;
    uint32_t latest = (uint32_t)col_u64(&q, 1);
    const char *status = col_word(w->arena, &q, 2);
    if (!strcmp(status, cell_status_name(CELL_DONE)))
        return error_set(e, QD_E_FAIL, "cannot measure cell %u again: the store has its result",
                         c->cell->no);
    if (!strcmp(status, cell_status_name(CELL_PLANNED)))
        *ret = latest;
    else if (*ret <= latest)
        *ret = latest + 1;
    query_close(&q);
    return db_run(w->store, ST_CELL_SUPERSEDE, e, v_int(w->run), v_int(c->cell->no), v_int(*ret));
}

int write_cell_begin(struct writer *w, const struct cell_begin *c, struct error *e)
{
    struct cell_row_in in = { .cell = c->cell,
                              .status = CELL_RUNNING,
                              .started_ns = c->started_ns };
    if (find_workload(w, c, &in.workload, e) || choose_attempt(w, c, &in.attempt, e) ||
        put_cell(w, &in, e))
        return -1;
    w->cell_no = c->cell->no;
    w->n_samples = 0;
    return db_int(w->store, ST_CELL_LATEST, &w->cell, e, v_int(w->run), v_int(c->cell->no)) < 0 ? -1
                                                                                                : 0;
}

static int write_interval_direction(struct writer *w, const struct interval *i, int d,
                                    struct arena *a, struct error *e)
{
    const struct interval_direction *x = &i->dir[d];
    struct value m[MOMENT_VALUES];
    v_moments(&x->lat, m);
    size_t n_batches = 0;
    const void *batches = batch_encode(i->batches, i->n_batches, (enum direction)d, a, &n_batches);
    if (db_run(w->store, ST_INTERVAL_INSERT, e, v_int(w->cell), v_int(i->t_ns), v_int(d),
               v_u64(i->length_ns), v_u64(x->ios), v_u64(x->bytes), v_u64(x->errors), m[0], m[1],
               m[2], m[3], m[4], m[5], v_blob(batches, n_batches)))
        return -1;
    if (!x->hist)
        return 0;
    void *bins;
    size_t n_bins;
    hist_encode(x->hist, a, &bins, &n_bins);
    return db_run(w->store, ST_INTERVAL_HISTOGRAM_INSERT, e, v_int(w->cell), v_int(i->t_ns),
                  v_int(d), v_blob(bins, n_bins));
}

int write_interval(struct writer *w, const struct interval *i, struct error *e)
{
    if (w->blobs && arena_used(w->blobs) > BLOBS_LIMIT) {
        arena_free(w->blobs);
        w->blobs = NULL;
    }
    if (!w->blobs)
        w->blobs = arena_new();
    for (int d = 0; d < DIR_COUNT; d++)
        if ((i->dir[d].asked || i->dir[d].ios || i->dir[d].errors) &&
            write_interval_direction(w, i, d, w->blobs, e))
            return -1;
    return 0;
}

int write_samples(struct writer *w, const struct sample *at, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        if (db_run(w->store, ST_SAMPLE_INSERT, e, v_int(w->cell), v_int(w->n_samples),
                   v_int(at[i].t_ns), v_u64(at[i].offset), v_u64(at[i].lat_ns), v_int(at[i].size),
                   v_int(at[i].direction), v_int(at[i].slow)))
            return -1;
        w->n_samples++;
    }
    return 0;
}

static int cell_of_event(struct writer *w, const struct event *ev, int64_t *ret, struct error *e)
{
    *ret = 0;
    if (ev->cell < 0)
        return 0;
    if (w->cell && (uint32_t)ev->cell == w->cell_no) {
        *ret = w->cell;
        return 0;
    }
    int rc = db_int(w->store, ST_CELL_LATEST, ret, e, v_int(w->run), v_int(ev->cell));
    if (rc == 0)
        return error_set(e, QD_E_FAIL, "cannot store event '%s': there is no cell %d", ev->code,
                         ev->cell);
    return rc < 0 ? -1 : 0;
}

int write_event(struct writer *w, const struct event *ev, struct error *e)
{
    int64_t cell = 0;
    if (ev->target >= 0 && (size_t)ev->target >= w->targets.n)
        return error_set(e, QD_E_FAIL, "cannot store event '%s': there is no target %d", ev->code,
                         ev->target);
    if (cell_of_event(w, ev, &cell, e))
        return -1;
    return db_run(w->store, ST_EVENT_INSERT, e, v_int(w->run),
                  ev->target < 0 ? v_null() : v_int(w->targets.at[ev->target]), v_id(cell),
                  v_text(ev->code), v_text(severity_name(ev->severity)), v_int(ev->t_ns),
                  v_text(ev->what), v_text(ev->text), v_int(ev->sys), v_u64(ev->offset),
                  v_u64(ev->count));
}
