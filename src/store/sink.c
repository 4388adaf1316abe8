#include <stdlib.h>

#include "base/clock.h"
#include "base/oom.h"
#include "store/recover.h"
#include "store/result.h"
#include "store/writer.h"

#define COMMIT_PAUSE_NS (50 * NS_PER_MS)
#define CHECKPOINT_EVERY_NS (600 * NS_PER_S)
enum { COMMIT_BURST = 16 };

/* --- transactions --------------------------------------------------------------------------------------------------- */

static int set_sync(struct writer *w, bool full, struct error *e)
{
    int64_t ignored;
    if (w->full_sync == full)
        return 0;
    if (db_int_(w->store, full ? ST_SYNC_FULL : ST_SYNC_NORMAL, NULL, 0, &ignored, e) < 0)
        return -1;
    w->full_sync = full;
    return 0;
}

static int commit(struct writer *w, struct error *e)
{
    if (!w->in_transaction)
        return 0;
    w->in_transaction = false;
    w->refilled = clock_mono_ns();
    return db_end(w->store, 0, e);
}

static int begin(struct writer *w, bool synced, struct error *e)
{
    if (set_sync(w, synced, e) || db_begin(w->store, e))
        return -1;
    w->in_transaction = true;
    return 0;
}

static int enter(struct writer *w, struct error *e)
{
    return w->in_transaction ? 0 : begin(w, w->options.durable, e);
}

/* A transaction that must survive a power cut; those before it then do too. */
static int enter_synced(struct writer *w, struct error *e)
{
    return commit(w, e) || begin(w, true, e) ? -1 : 0;
}

static int leave(struct writer *w, int rc, struct error *e)
{
    if (!rc)
        return commit(w, e);
    w->in_transaction = false;
    db_rollback(w->store);
    return -1;
}

/* A token bucket: refilled once every pause, full at COMMIT_BURST. */
static int leave_soon(struct writer *w, int rc, struct error *e)
{
    if (rc)
        return leave(w, rc, e);
    uint64_t now = clock_mono_ns();
    w->allowance += (double)(now - w->refilled) / (double)COMMIT_PAUSE_NS;
    if (w->allowance > COMMIT_BURST)
        w->allowance = COMMIT_BURST;
    if (w->allowance < 1) {
        w->refilled = now;
        return 0;
    }
    w->allowance -= 1;
    return commit(w, e);
}

/* Never waits for readers or for another writer; what it cannot do now the next one will. A full disk is not a failure
 * here: everything committed is in the WAL. */
static int checkpoint(struct writer *w, struct error *e)
{
    w->last_checkpoint = clock_mono_ns();
    int rc = sqlite3_wal_checkpoint_v2(w->store->db, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return rc == SQLITE_IOERR ? db_fail(w->store, e) : 0;
}

/* --- the calls ------------------------------------------------------------------------------------------------------ */

static int on_run_begin(void *self, const struct run_record *r, struct error *e)
{
    struct writer *w = self;
    if (enter(w, e))
        return -1;
    int rc = w->options.resume_run > 0 ? check_resumed_run(w, r, e) : write_run(w, r, e);
    if (leave(w, rc, e)) {
        w->run = 0;
        return -1;
    }
    w->open = true;
    w->import = r->import;
    return 0;
}

static int on_target(void *self, const struct target_record *t, struct error *e)
{
    struct writer *w = self;
    bool last = t->no + 1 == w->n_targets;
    if (last ? enter_synced(w, e) : enter(w, e))
        return -1;
    int rc = w->options.resume_run > 0 ? check_resumed_target(w, t, e) : write_target(w, t, e);
    if (!rc && last)
        rc = write_planned_cells(w, e);
    return leave(w, rc, e);
}

static int on_target_facts(void *self, uint32_t target, const struct fact *at, size_t n,
                           struct error *e)
{
    struct writer *w = self;
    return enter(w, e) || leave(w, write_target_facts(w, target, at, n, e), e) ? -1 : 0;
}

static int on_cell_begin(void *self, const struct cell_begin *c, struct error *e)
{
    struct writer *w = self;
    if (enter(w, e))
        return -1;
    int rc = write_cell_begin(w, c, e);
    if (w->import ? leave_soon(w, rc, e) : leave(w, rc, e)) {
        w->cell = 0;
        return -1;
    }
    w->last_checkpoint = clock_mono_ns();
    return 0;
}

static int on_interval(void *self, const struct interval *i, struct error *e)
{
    struct writer *w = self;
    if (enter(w, e) || leave_soon(w, write_interval(w, i, e), e))
        return -1;
    if (w->in_transaction || clock_mono_ns() - w->last_checkpoint < w->checkpoint_every_ns)
        return 0;
    return checkpoint(w, e);
}

static int on_samples(void *self, const struct sample *at, size_t n, struct error *e)
{
    struct writer *w = self;
    if (enter(w, e))
        return -1;
    return leave_soon(w, write_samples(w, at, n, e), e);
}

static int on_event(void *self, const struct event *ev, struct error *e)
{
    struct writer *w = self;
    if (enter(w, e))
        return -1;
    int rc = write_event(w, ev, e);
    return w->import ? leave_soon(w, rc, e) : leave(w, rc, e);
}

static int on_cell_end(void *self, const struct cell_result *r, struct error *e)
{
    struct writer *w = self;
    int64_t cell = w->cell;
    w->cell = 0;
    if (w->import) /* can be done again: one sync at its end is enough */
        return enter(w, e) || leave_soon(w, result_write(w->store, cell, r, e), e) ? -1 : 0;
    if (enter_synced(w, e) || leave(w, result_write(w->store, cell, r, e), e))
        return -1;
    return checkpoint(w, e);
}

static int on_run_end(void *self, const struct run_end *r, struct error *e)
{
    struct writer *w = self;
    w->cell = 0;
    if (enter_synced(w, e) || leave(w, write_run_end(w, r, e), e))
        return -1;
    w->open = false;
    return checkpoint(w, e);
}

/* --- life ----------------------------------------------------------------------------------------------------------- */

int store_sink(struct store *s, const struct store_sink_options *o, struct sink **ret,
               struct error *e)
{
    static const struct sink_ops ops = {
        .run_begin = on_run_begin,
        .target = on_target,
        .target_facts = on_target_facts,
        .cell_begin = on_cell_begin,
        .interval = on_interval,
        .samples = on_samples,
        .event = on_event,
        .cell_end = on_cell_end,
        .run_end = on_run_end,
    };
    if (!s->writable)
        return error_set(e, QD_E_FAIL, "cannot write to store '%s': opened for reading", s->path);
    if (s->writer && s->writer->open)
        return error_set(e, QD_E_FAIL, "cannot write to store '%s': a run is being written",
                         s->path);
    struct writer *w = xcalloc(1, sizeof *w);
    *w = (struct writer) {
        .sink = { .ops = &ops, .self = w },
        .store = s,
        .options = o ? *o : (struct store_sink_options) { 0 },
        .before = s->writer,
        .arena = arena_new(),
        .allowance = COMMIT_BURST,
        .full_sync = true,
        .refilled = clock_mono_ns(),
        .checkpoint_every_ns = CHECKPOINT_EVERY_NS,
    };
    s->writer = w;
    *ret = &w->sink;
    int64_t ignored;
    return db_int_(s, ST_SYNC_FULL, NULL, 0, &ignored, e) < 0 ? -1 : 0;
}

int64_t store_sink_run(const struct store *s)
{
    return s->writer ? s->writer->run : 0;
}

const char *store_sink_run_name(const struct store *s)
{
    return s->writer ? s->writer->run_name : NULL;
}

int writer_settle(struct store *s, struct error *e)
{
    return s->writer ? commit(s->writer, e) : 0;
}

int writer_settle_synced(struct store *s, struct error *e)
{
    return writer_settle(s, e) || (s->writer && set_sync(s->writer, true, e)) ? -1 : 0;
}

void writer_close(struct store *s)
{
    struct error ignored;
    if (s->writer && s->writer->open) {
        commit(s->writer, &ignored);
        recover_run(s, s->writer->run, &ignored);
    }
    while (s->writer) {
        struct writer *w = s->writer;
        s->writer = w->before;
        array_free(&w->targets);
        array_free(&w->workloads);
        arena_free(w->arena);
        arena_free(w->blobs);
        free(w);
    }
}
