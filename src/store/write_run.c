#include <string.h>

#include "store/process.h"
#include "store/recover.h"
#include "store/store.h"
#include "store/writer.h"

/* 64 bits without sign do not fit an INTEGER. */
static struct value seed_value(struct arena *a, uint64_t seed)
{
    return v_text(arena_printf(a, "%llu", (unsigned long long)seed));
}

static int unique_name(struct writer *w, const char *wanted, struct error *e)
{
    const char *name = arena_strdup(w->arena, wanted);
    for (int i = 2;; i++) {
        int64_t id;
        int rc = db_int(w->store, ST_RUN_BY_NAME, &id, e, v_text(name));
        if (rc < 0)
            return -1;
        if (rc == 0)
            break;
        name = arena_printf(w->arena, "%s-%d", wanted, i);
    }
    w->run_name = name;
    return 0;
}

/* Whose facts they are: target 0 is the host. */
struct owner {
    int64_t run, target;
    bool after;
};

static int write_facts(struct store *s, const struct owner *o, const struct fact *at, size_t n,
                       struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (db_run(s, ST_FACT_INSERT, e, v_int(o->run), v_id(o->target), v_int(o->after),
                   v_text(at[i].key), v_text(at[i].value)))
            return -1;
    return 0;
}

static int write_run_row(struct writer *w, const struct run_record *r, struct error *e)
{
    static const struct plan none;
    const struct plan *p = r->plan ? r->plan : &none;
    bool planned = r->plan != NULL;
    if (db_run(w->store, ST_RUN_INSERT, e, v_text(w->run_name), v_text(r->title),
               v_text(r->import ? "import" : "run"), v_int(r->started_ns), v_text(r->version),
               v_text(r->engine_version), v_text(r->config_hash), v_text(r->command),
               v_text(r->note), v_text(p->name), v_text(p->title), v_text(p->method),
               v_text(p->matrix_xml), v_text(p->report),
               planned ? v_text(order_name(p->order)) : v_null(),
               planned ? v_text(engine_choice_name(p->engine)) : v_null(),
               planned ? seed_value(w->arena, p->seed) : v_null(), v_nonzero(p->span_bytes),
               planned ? v_int(p->repeat) : v_null(), planned ? v_int(p->n_points) : v_null(),
               planned ? v_int(p->writes) : v_null(), v_text(process_self(w->arena))))
        return -1;
    w->run = sqlite3_last_insert_rowid(w->store->db);
    return 0;
}

static void remember(struct writer *w, const struct run_record *r)
{
    w->n_targets = r->n_targets;
    w->version = arena_strdup(w->arena, r->version);
    w->engine_version = arena_strdup(w->arena, r->engine_version);
}

int write_run(struct writer *w, const struct run_record *r, struct error *e)
{
    remember(w, r);
    if (store_check_name(r->name, e) || unique_name(w, r->name, e) || write_run_row(w, r, e))
        return -1;
    if (write_facts(w->store, &(struct owner) { .run = w->run }, r->host, r->n_host, e))
        return -1;
    for (size_t i = 0; i < r->n_sources; i++) {
        const struct source_file *f = &r->sources[i];
        if (db_run(w->store, ST_SOURCE_INSERT, e, v_int(w->run), v_int((int64_t)i), v_text(f->path),
                   v_text(f->format), v_text(f->tool), v_text(f->sha256)))
            return -1;
    }
    for (size_t i = 0; i < r->n_left_out; i++)
        if (db_run(w->store, ST_LEFT_OUT_INSERT, e, v_int(w->run), v_int((int64_t)i),
                   v_text(r->left_out[i].name), v_text(r->left_out[i].reason)))
            return -1;
    for (uint32_t i = 0; r->plan && i < r->plan->n_workloads; i++)
        if (write_workload(w, &r->plan->workloads[i], e))
            return -1;
    if (r->plan) {
        w->n_planned = r->plan->n_cells;
        w->planned = arena_memdup(w->arena, r->plan->cells,
                                  r->plan->n_cells * sizeof *r->plan->cells);
    }
    return w->n_targets == 0 ? write_planned_cells(w, e) : 0;
}

static int write_sheet(struct store *s, int64_t target, const struct device_sheet *d,
                       struct error *e)
{
    return db_run(s, ST_TARGET_SHEET_PUT, e, v_int(target), v_positive(d->price),
                  v_text(d->currency), v_nonzero(d->capacity_bytes), v_nonzero(d->endurance_bytes),
                  v_positive(d->rated_read_iops), v_positive(d->rated_write_iops),
                  v_positive(d->rated_read_mb_s), v_positive(d->rated_write_mb_s),
                  v_nonzero(d->rated_read_lat_ns), v_nonzero(d->rated_write_lat_ns),
                  v_text(d->members), v_text(d->sample_of), v_text(d->factor),
                  d->picture ? v_blob(d->picture, d->picture_bytes) : v_null());
}

int write_target_facts(struct writer *w, uint32_t target, const struct fact *at, size_t n,
                       struct error *e)
{
    if (target >= w->targets.n)
        return error_set(e, QD_E_FAIL, "cannot store facts of target %u: there is none", target);
    const struct owner owner = { .run = w->run, .target = w->targets.at[target] };
    return write_facts(w->store, &owner, at, n, e);
}

int write_target(struct writer *w, const struct target_record *t, struct error *e)
{
    if (t->no != w->targets.n)
        return error_set(e, QD_E_FAIL, "cannot store target '%s': number %u out of order", t->name,
                         t->no);
    if (db_run(w->store, ST_TARGET_INSERT, e, v_int(w->run), v_int(t->no), v_text(t->name),
               v_text(t->path), v_text(target_kind_name(t->kind)), v_text(t->identity),
               v_text(t->layout), v_nonzero(t->capacity_bytes), v_nonzero(t->span_bytes),
               v_nonzero(t->logical_block), v_nonzero(t->physical_block), v_int(t->highlighted)))
        return -1;
    int64_t id = sqlite3_last_insert_rowid(w->store->db);
    *array_push(&w->targets) = id;
    if (t->sheet && write_sheet(w->store, id, t->sheet, e))
        return -1;
    return write_target_facts(w, t->no, t->facts, t->n_facts, e);
}

int write_run_end(struct writer *w, const struct run_end *r, struct error *e)
{
    const struct owner owner = { .run = w->run, .after = true };
    if (recover_cells(w->store, w->run, e) || write_facts(w->store, &owner, r->host, r->n_host, e))
        return -1;
    return db_run(w->store, ST_RUN_END, e, v_int(w->run), v_text(cell_status_name(r->status)),
                  v_int(r->finished_ns));
}

/* --- going on with a run -------------------------------------------------------------------------------------------- */

static int differs(struct error *e, const char *what, const char *was, const char *is)
{
    return error_set(e, QD_E_USAGE, "cannot resume the run: its %s was '%s', now it is '%s'", what,
                     was ? was : "", is ? is : "");
}

static bool same(const char *x, const char *y)
{
    return strcmp(x ? x : "", y ? y : "") == 0;
}

static int resume_workloads(struct writer *w, const struct run_record *r, struct error *e)
{
    QUERY q;
    if (db_query(w->store, ST_WORKLOAD_IDS, &q, e, v_int(w->run)))
        return -1;
    int rc;
    uint32_t i = 0;
    while ((rc = db_step(&q, e)) == 1 && r->plan && i < r->plan->n_workloads)
        know_workload(w, &r->plan->workloads[i++], col_int(&q, 0));
    return rc < 0 ? -1 : 0;
}

int check_resumed_run(struct writer *w, const struct run_record *r, struct error *e)
{
    remember(w, r);
    QUERY q;
    int64_t run = w->options.resume_run;
    if (db_query(w->store, ST_RUN_TO_RESUME, &q, e, v_int(run)))
        return -1;
    int rc = db_step(&q, e);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return error_set(e, QD_E_NOTFOUND, "cannot resume run %lld: there is no such run",
                         (long long)run);
    w->run_name = col_word(w->arena, &q, 0);
    const char *kind = col_word(w->arena, &q, 1), *status = col_word(w->arena, &q, 2);
    const char *hash = col_text(w->arena, &q, 3), *engine = col_text(w->arena, &q, 4);
    query_close(&q);
    if (!same(kind, "run") || r->import)
        return error_set(e, QD_E_USAGE, "cannot resume '%s': it is an import", w->run_name);
    if (same(status, "running"))
        return error_set(e, QD_E_FAIL, "cannot resume '%s': another process is running it",
                         w->run_name);
    if (!same(hash, r->config_hash))
        return differs(e, "configuration", hash, r->config_hash);
    if (!same(engine, r->engine_version))
        return differs(e, "engine version", engine, r->engine_version);
    w->run = run;
    if (resume_workloads(w, r, e))
        return -1;
    return db_run(w->store, ST_RUN_RESUME, e, v_int(run), v_text(process_self(w->arena)));
}

/* Scratch has a new inode each time; a block device must be the same one. */
int check_resumed_target(struct writer *w, const struct target_record *t, struct error *e)
{
    QUERY q;
    if (db_query(w->store, ST_TARGET_TO_RESUME, &q, e, v_int(w->run), v_int(t->no)))
        return -1;
    int rc = db_step(&q, e);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return error_set(e, QD_E_USAGE, "cannot resume the run: it has no target %u", t->no + 1);
    *array_push(&w->targets) = col_int(&q, 0);
    const char *name = col_word(w->arena, &q, 1), *path = col_text(w->arena, &q, 2);
    const char *kind = col_word(w->arena, &q, 3), *identity = col_text(w->arena, &q, 4);
    if (!same(name, t->name))
        return differs(e, "target", name, t->name);
    if (!same(path, t->path) || !same(kind, target_kind_name(t->kind)))
        return differs(e, "path of a target", path, t->path);
    if (t->kind == TARGET_BLOCK && !same(identity, t->identity))
        return differs(e, "device", identity, t->identity);
    if (col_u64(&q, 5) != t->span_bytes)
        return error_set(e, QD_E_USAGE, "cannot resume the run: the span of '%s' has changed",
                         name);
    return 0;
}
