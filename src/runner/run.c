#include "runner/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "engine/engine.h"
#include "runner/checks.h"
#include "runner/config_hash.h"
#include "runner/environment.h"
#include "runner/idle.h"
#include "runner/layout.h"
#include "runner/live.h"
#include "runner/observe.h"

struct run {
    struct arena *a;
    const struct runner_job *job;
    struct live *live;
    uint32_t n_live;
    struct runner_outcome out;
};

static bool stopped(const struct run *r)
{
    return r->job->stop && atomic_load(r->job->stop);
}

/* Only while the run is being written can an event tell what was left behind. */
static void close_targets(struct run *r)
{
    for (uint32_t i = 0; i < r->n_live; i++)
        live_close(r->a, r->job, &r->live[i]);
}

static int open_targets(struct run *r, struct error *e)
{
    for (uint32_t i = 0; i < r->n_live; i++) {
        struct live *l = &r->live[i];
        l->no = i;
        l->plan = &r->job->preview->targets[i];
        if (!l->plan->late && live_open(r->a, r->job, l, e))
            return -1;
    }
    return 0;
}

/* Own files are journalled before anything is written to them, so that `clean` finds them after a crash. */
static int journal_own_file(struct run *r, const struct live *l, struct error *e)
{
    const char *own = l->handle ? target_own_file(l->handle) : NULL;
    struct stat st;
    if (!own || fstat(l->view.fd, &st))
        return 0;
    return store_own_file_add(r->job->store, store_sink_run(r->job->store), own, st.st_dev,
                              st.st_ino, e);
}

/* The fill that the first cell of a target wants. */
static struct fill first_fill(const struct plan *p, uint32_t target)
{
    for (uint32_t i = 0; i < p->n_cells; i++)
        if (p->cells[i].target == target)
            return p->cells[i].fill;
    return (struct fill) { .kind = FILL_RANDOM };
}

static int describe_target(struct run *r, uint32_t no, struct error *e)
{
    const struct live *l = &r->live[no];
    const struct target_info *t = &l->plan->info;
    struct fill fill = first_fill(r->job->plan, no);
    const struct target_record rec = {
        .no = no,
        .name = t->name,
        .path = t->spec.path,
        .kind = t->kind,
        .identity = t->identity,
        .layout = l->plan->layout_bytes ? layout_words(r->a, l->plan->layout_bytes, &fill)
                                        : "as found",
        .capacity_bytes = t->capacity_bytes,
        .span_bytes = l->plan->span_bytes,
        .logical_block = t->logical_block,
        .physical_block = t->physical_block,
        .highlighted = no == 0,
        .facts = t->facts,
        .n_facts = t->n_facts,
        .sheet = l->plan->sheet,
    };
    return sink_target(r->job->sink, &rec, e);
}

/* What is found out, then what the device sheet adds. */
static void host_facts(const struct run *r, struct run_record *rec)
{
    const struct fact *found = NULL;
    size_t n = 0, added = r->job->n_host;
    environment_host(r->a, &found, &n);
    struct fact *all = arena_array(r->a, struct fact, n + added + 1);
    for (size_t i = 0; i < n; i++)
        all[i] = found[i];
    for (size_t i = 0; i < added; i++)
        all[n + i] = r->job->host[i];
    rec->host = all;
    rec->n_host = n + added;
}

static int begin_run(struct run *r, struct error *e)
{
    const struct runner_job *job = r->job;
    struct run_record rec = {
        .name = job->run_name,
        .title = job->plan->title,
        .started_ns = clock_real_ns(),
        .version = QD_VERSION,
        .engine_version = ENGINE_VERSION,
        .config_hash = config_hash(r->a, job->plan),
        .command = job->command,
        .note = job->note,
        .plan = job->plan,
        .n_targets = r->n_live,
        .left_out = job->left_out,
        .n_left_out = job->n_left_out,
    };
    host_facts(r, &rec);
    if (sink_run_begin(job->sink, &rec, e))
        return -1;
    for (uint32_t i = 0; i < r->n_live; i++)
        if (describe_target(r, i, e) || journal_own_file(r, &r->live[i], e))
            return -1;
    for (uint32_t i = 0; i < r->n_live; i++)
        if (r->live[i].handle && checks_target(job->sink, r->live[i].plan, &r->live[i].view, e))
            return -1;
    return checks_store(job->sink, job->preview, job->store_path, e);
}

static bool same_fill(const struct fill *x, const struct fill *y)
{
    return x->kind == y->kind && x->percent == y->percent && x->pattern_bytes == y->pattern_bytes &&
           memcmp(x->pattern, y->pattern, sizeof x->pattern) == 0;
}

/* 0 done or not needed, -1 cancelled or the sink failed; a failure is kept in l->failed. */
static int lay_out(struct run *r, struct live *l, const struct cell *c, struct error *e)
{
    if (!l->plan->layout_bytes || (l->laid_out && same_fill(&l->fill, &c->fill)))
        return 0;
    const struct layout_job job = {
        .target = &l->view,
        .fill = c->fill,
        .seed = r->job->plan->seed ^ (0x6c61796f7574ull + l->view.no),
        .stop = r->job->stop,
        .watch = &r->job->watch,
    };
    if (layout_write(&job, e)) {
        if (e->code == QD_E_CANCELLED)
            return -1;
        l->failed = arena_strdup(r->a, e->what);
        return 0;
    }
    l->laid_out = true;
    l->fill = c->fill;
    return checks_layout(r->job->sink, &l->view, e);
}

/* Direct I/O can be switched on an open file, so one descriptor serves direct and buffered cells. */
static const char *set_direct(struct run *r, struct live *l, bool wanted)
{
    const struct opened_target *opened = target_opened(l->handle);
    bool direct = wanted && opened->direct;
    if (direct == l->view.direct)
        return NULL;
    int flags = fcntl(l->view.fd, F_GETFL);
    int set = direct ? flags | O_DIRECT : flags & ~O_DIRECT;
    if (flags < 0 || fcntl(l->view.fd, F_SETFL, set))
        return arena_printf(r->a, "direct I/O could not be switched %s: %s", direct ? "on" : "off",
                            strerror(errno));
    l->view.direct = direct;
    l->view.block = direct ? opened->block : 1;
    return NULL;
}

/* Why this cell cannot be measured on this target, or NULL. */
static const char *unfit(struct run *r, const struct live *l, const struct cell *c,
                         const struct workload *w)
{
    for (uint32_t i = 0; i < w->n_lines && !c->trace; i++) {
        const struct access_line *line = &w->lines[i];
        if (line->size % l->view.block)
            return arena_printf(r->a, "%s is not a multiple of the target's smallest I/O of %s",
                                fmt_bytes(line->size).s, fmt_bytes(l->view.block).s);
        if (line->align && line->align % l->view.block)
            return arena_printf(r->a, "alignment of %s is finer than the target's %s",
                                fmt_bytes(line->align).s, fmt_bytes(l->view.block).s);
        if (line->size > l->view.size)
            return arena_printf(r->a, "an I/O of %s is larger than the span of %s",
                                fmt_bytes(line->size).s, fmt_bytes(l->view.size).s);
    }
    return NULL;
}

static int end_cell(struct run *r, struct cell_result *result, struct error *e)
{
    result->finished_ns = clock_real_ns();
    bool done = result->status == CELL_DONE;
    r->out.n_done += done;
    r->out.n_skipped += result->status == CELL_SKIPPED;
    for (int d = 0; d < DIR_COUNT; d++)
        if (result->dir[d].errors) {
            r->out.n_errors++;
            break;
        }
    return sink_cell_end(r->job->sink, result, e);
}

static int give_up_cell(struct run *r, enum cell_status status, const char *reason, struct error *e)
{
    struct cell_result result = {
        .status = status,
        .reason = reason,
        .achieved_depth = NAN,
        .worker_busy = NAN,
        .steady = -1,
    };
    return end_cell(r, &result, e);
}

static int measure(struct run *r, struct live *l, const struct cell *c, const struct workload *w,
                   struct error *e)
{
    const struct engine_job job = {
        .cell = c,
        .workload = w,
        .targets = &l->view,
        .n_targets = 1,
        .choice = r->job->plan->engine,
        .stop = r->job->stop,
    };
    struct engine *engine = NULL;
    struct cell_result result;
    if (engine_open(&job, &engine, e))
        return give_up_cell(r, CELL_FAILED, arena_strdup(r->a, e->what), e);
    struct observer seen;
    observe_begin(&seen, &(struct observed) { l->plan, &l->view, c, w }, r->job->sink);
    int rc = engine_measure(engine, &seen.sink, &result, e);
    if (rc == 0)
        rc = observe_end(&seen, &result, e);
    if (rc == 0)
        rc = end_cell(r, &result, e);
    engine_close(engine);
    return rc;
}

/* -1: the sink failed; a target that cannot be opened or made is kept in l->failed. */
static int open_late(struct run *r, struct live *l, struct error *e)
{
    if (l->handle || l->failed)
        return 0;
    if (live_open(r->a, r->job, l, e)) {
        if (e->code == QD_E_CANCELLED)
            return -1;
        l->failed = arena_strdup(r->a, e->what);
        live_close(r->a, r->job, l);
        return 0;
    }
    return checks_target(r->job->sink, l->plan, &l->view, e);
}

static bool has_cell_after(const struct plan *p, uint32_t at)
{
    for (uint32_t i = at + 1; i < p->n_cells; i++)
        if (p->cells[i].target == p->cells[at].target)
            return true;
    return false;
}

static int run_cell(struct run *r, const struct cell *c, struct error *e)
{
    struct live *l = &r->live[c->target];
    const struct workload *w = &r->job->plan->workloads[c->workload];
    if (open_late(r, l, e) || (!l->failed && lay_out(r, l, c, e)))
        return -1;
    enum cell_status status = CELL_FAILED;
    const char *why = l->failed ? l->failed : set_direct(r, l, c->direct);
    if (!why && (why = unfit(r, l, c, w)))
        status = CELL_SKIPPED;
    if (!why && idle_before(r->job, c, e))
        return -1;
    const struct cell_begin begin = {
        .cell = c, .workload = w, .attempt = 1, .started_ns = clock_real_ns()
    };
    if (sink_cell_begin(r->job->sink, &begin, e))
        return -1;
    if (why)
        return give_up_cell(r, status, why, e);
    return measure(r, l, c, w, e);
}

static int run_cells(struct run *r, struct error *e)
{
    const struct plan *p = r->job->plan;
    for (uint32_t i = 0; i < p->n_cells && !stopped(r); i++) {
        struct live *l = &r->live[p->cells[i].target];
        if (run_cell(r, &p->cells[i], e))
            return e->code == QD_E_CANCELLED ? 0 : -1;
        if (l->plan->late && !has_cell_after(p, i))
            live_close(r->a, r->job, l);
    }
    return 0;
}

static int end_run(struct run *r, struct error *e)
{
    r->out.n_missing = r->job->plan->n_cells - r->out.n_done - r->out.n_skipped;
    r->out.status = stopped(r) ? CELL_INTERRUPTED : CELL_DONE;
    const struct run_end end = { .status = r->out.status, .finished_ns = clock_real_ns() };
    return sink_run_end(r->job->sink, &end, e);
}

int runner_run(struct arena *a, const struct runner_job *job, struct runner_outcome *ret,
               struct error *e)
{
    struct run r = { .a = a, .job = job, .n_live = job->preview->n_targets };
    r.live = arena_array(a, struct live, r.n_live);
    int rc = open_targets(&r, e);
    if (rc == 0)
        rc = begin_run(&r, e);
    if (rc == 0)
        rc = run_cells(&r, e);
    close_targets(&r);
    if (rc == 0)
        rc = end_run(&r, e);
    if (rc == 0)
        *ret = r.out;
    return rc;
}
