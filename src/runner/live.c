#include "runner/live.h"

#include "base/fmt.h"

static int journal_add(void *ctx, const struct undo_step *s, int64_t *ret_id, struct error *e)
{
    const struct runner_job *job = ctx;
    const struct undo_row row = {
        .run = store_sink_run(job->store), .kind = s->kind, .subject = s->subject, .value = s->value
    };
    return store_undo_add(job->store, &row, ret_id, e);
}

static int journal_gone(void *ctx, int64_t id, struct error *e)
{
    const struct runner_job *job = ctx;
    return store_undo_gone(job->store, id, e);
}

static int make(struct arena *a, const struct runner_job *job, struct live *l, struct error *e)
{
    struct made_journal *journal = arena_one(a, struct made_journal);
    *journal = (struct made_journal) { journal_add, journal_gone,
                                       arena_memdup(a, job, sizeof *job) };
    const struct made_job making = {
        .spec = l->plan->made,
        .permits = l->plan->member_permits,
        .journal = journal,
        .name = l->plan->info.name,
        .direct = l->plan->info.spec.direct,
        .stop = job->stop,
    };
    if (made_open(a, &making, &l->made, e))
        return -1;
    struct runner_target *now = arena_memdup(a, l->plan, sizeof *l->plan);
    now->info = *made_info(l->made);
    now->permit = made_info_permit(l->made);
    l->plan = now;
    if (now->info.available_bytes < now->span_bytes)
        return error_set(e, QD_E_FAIL, "'%s' has %s free, less than the span of %s (try --size)",
                         now->info.name, fmt_bytes(now->info.available_bytes).s,
                         fmt_bytes(now->span_bytes).s);
    return sink_target_facts(job->sink, l->no, now->info.facts, now->info.n_facts, e);
}

int live_open(struct arena *a, const struct runner_job *job, struct live *l, struct error *e)
{
    if (l->plan->made && make(a, job, l, e))
        return -1;
    const struct runner_target *t = l->plan;
    if (target_open(a, &t->info, t->permit, t->span_bytes, &l->handle, e))
        return -1;
    l->view = *target_opened(l->handle);
    l->view.no = l->no;
    return 0;
}

static void tell_left(struct arena *a, const struct runner_job *job, const struct live *l,
                      const struct error *why)
{
    struct error ignored;
    const struct event ev = {
        .code = "not-undone",
        .severity = EVENT_ERROR,
        .target = (int32_t)l->no,
        .cell = -1,
        .what = arena_printf(a, "%s could not be undone after its last cell: %s.",
                             l->plan->info.name, why->what),
        .text = "What is left is written down in the store: qdepth clean undoes it.",
        .sys = why->sys,
    };
    (void)sink_event(job->sink, &ev, &ignored);
}

void live_close(struct arena *a, const struct runner_job *job, struct live *l)
{
    struct error e;
    const char *own = l->handle ? target_own_file(l->handle) : NULL;
    l->handle = target_close(l->handle);
    l->laid_out = false;
    if (own)
        (void)store_own_file_gone(job->store, own, &e);
    if (made_undo(a, l->made, &e))
        tell_left(a, job, l, &e);
    l->made = NULL;
}
