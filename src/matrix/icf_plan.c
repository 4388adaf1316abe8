#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "matrix/icf.h"

enum { SECTOR = 512 };

static struct spec *find_spec(struct icf *x, const char *name)
{
    for (size_t i = 0; i < x->specs.n; i++)
        if (!strcmp(x->specs.at[i].name, name))
            return &x->specs.at[i];
    return NULL;
}

/* What the workers are assigned; nothing assigned: what new workers get; none of these: all of them. */
static int choose_specs(struct icf *x)
{
    bool any = false;
    for (size_t i = 0; i < x->assigned.n; i++) {
        struct spec *s = find_spec(x, x->assigned.at[i].name);
        if (!s)
            return error_at(x->e, x->c.file, x->assigned.at[i].line,
                            "a worker is assigned '%s', which is no access specification of this "
                            "file",
                            x->assigned.at[i].name);
        s->used = any = true;
    }
    for (size_t i = 0; i < x->specs.n && !x->assigned.n; i++)
        any |= x->specs.at[i].used = x->specs.at[i].by_default && x->all.n;
    for (size_t i = 0; i < x->specs.n; i++) {
        struct spec *s = &x->specs.at[i];
        if (!any)
            s->used = true;
        else if (!s->used)
            conversion_leave(&x->c, s->line, "access specification '%s' is assigned to no worker",
                             s->name);
    }
    return 0;
}

/* start, start+step or start·step, … up to end. */
static uint64_t next_of(const struct cycle *c, uint64_t v)
{
    return c->exponential ? v * c->step : v + c->step;
}

static void put_depths(struct icf *x)
{
    const struct cycle *c = &x->depths;
    uint64_t v = c->start ? c->start : 1, before = 0;
    for (; v > before && v <= c->end && v <= PLAN_MAX_QUEUE_DEPTH; v = next_of(c, v)) {
        *array_push(&x->c.depths) = (uint32_t)v;
        before = v;
    }
    if (v > before && v <= c->end)
        conversion_leave(&x->c, 0, "queue depths from %" PRIu64 " on: at most %d is possible", v,
                         PLAN_MAX_QUEUE_DEPTH);
}

static void put_workers(struct icf *x, uint32_t most)
{
    const struct cycle *c = &x->workers;
    uint64_t v = c->start ? c->start : 1, before = 0;
    for (; v > before && v <= most; v = next_of(c, v)) {
        *array_push(&x->c.workers) = (uint32_t)v;
        before = v;
    }
}

static uint32_t workers_of(const struct icf *x)
{
    uint64_t most = 0;
    for (size_t i = 0; i < x->uses.n; i++)
        most = x->uses.at[i].workers > most ? x->uses.at[i].workers : most;
    if (!most)
        most = x->default_workers;
    return most == 0 ? 1 : most > PLAN_MAX_WORKERS ? PLAN_MAX_WORKERS : (uint32_t)most;
}

static void plan_workers(struct icf *x)
{
    struct conversion *c = &x->c;
    uint64_t depth = 0;
    const struct icf_worker *first = NULL;
    for (size_t i = 0; i < x->all.n; i++) {
        const struct icf_worker *w = &x->all.at[i];
        if (w->network) {
            conversion_leave(c, 0, "network worker '%s'", w->name);
            continue;
        }
        if (first && w->depth != first->depth)
            conversion_leave(c, 0,
                             "workers have different numbers of outstanding I/Os: the largest was "
                             "taken");
        first = first ? first : w;
        depth = w->depth > depth ? w->depth : depth;
        if (w->n_targets > 1)
            conversion_leave(c, 0,
                             "'%s' drives %zu targets at once: they are measured one by one here",
                             w->name, w->n_targets);
    }
    for (size_t i = 0; i < x->uses.n; i++)
        conversion_leave(c, 0, "target '%s': name one with --target", x->uses.at[i].name);
    bool cycle_depth = strstr(x->test_type, "OUTSTANDING");
    bool cycle_workers = strstr(x->test_type, "CYCLE_WORKERS");
    if (strstr(x->test_type, "TARGETS"))
        conversion_leave(c, 0,
                         "%s (from %" PRIu64 " by %" PRIu64
                         ") changes how many targets are measured at "
                         "once: each target of the command line is measured alone here",
                         x->test_type, x->targets.start, x->targets.step);
    if (cycle_depth)
        put_depths(x);
    else
        *array_push(&c->depths) = depth < 1                      ? 1
                                  : depth > PLAN_MAX_QUEUE_DEPTH ? PLAN_MAX_QUEUE_DEPTH
                                                                 : (uint32_t)depth;
    if (cycle_workers)
        put_workers(x, workers_of(x));
    else if (workers_of(x) > 1)
        *array_push(&c->workers) = workers_of(x);
}

/* Size, start and data of the first disk worker; others that differ are named. */
static void plan_disk(struct icf *x, struct conversion_work *w)
{
    const struct icf_worker *first = NULL;
    for (size_t i = 0; i < x->all.n; i++) {
        const struct icf_worker *k = &x->all.at[i];
        if (k->network)
            continue;
        first = first ? first : k;
        if (k->sectors != first->sectors || k->start != first->start ||
            k->pattern != first->pattern)
            conversion_leave(&x->c, 0, "'%s' uses another part or data than '%s'", k->name,
                             first->name);
    }
    if (!first)
        return;
    if (first->sectors && first->sectors < UINT64_MAX / SECTOR)
        w->span_bytes = first->sectors * SECTOR;
    if (first->start && first->start < UINT64_MAX / SECTOR)
        w->span_offset = first->start * SECTOR;
    if (first->has_pattern && first->pattern == 0) {
        w->fill = "pattern:A5";
        conversion_leave(&x->c, 0,
                         "data pattern 'repeating bytes' changes its byte; here it is A5");
    } else {
        w->fill = "random";
    }
}

static void plan_times(struct icf *x)
{
    x->c.ramp_ns = x->ramp_s * NS_PER_S;
    x->c.duration_ns = x->run_s * NS_PER_S;
    if (x->run_s)
        return;
    x->c.duration_ns = 60 * NS_PER_S;
    conversion_leave(&x->c, 0, "no run time (until stopped): 60 s is taken");
}

static void plan_specs(struct icf *x)
{
    for (size_t i = 0; i < x->specs.n; i++) {
        const struct spec *s = &x->specs.at[i];
        if (!s->used)
            continue;
        struct conversion_work *w = array_push(&x->c.works);
        w->title = s->name;
        w->direct = 1;
        w->n_lines = s->n_lines;
        memcpy(w->lines, s->lines, s->n_lines * sizeof *s->lines);
        plan_disk(x, w);
        w->kept = arena_printf(x->c.a, "access specification '%s' (line %ld)", s->name, s->line);
    }
}

int icf_plan(struct icf *x)
{
    if (choose_specs(x))
        return -1;
    if (!x->specs.n)
        return error_at(x->e, x->c.file, 0, "there is no access specification in it");
    bool disk = x->all.n == 0;
    for (size_t i = 0; i < x->all.n; i++)
        disk |= !x->all.at[i].network;
    if (!disk)
        return error_at(x->e, x->c.file, 0,
                        "it has only network workers, which measure no storage");
    plan_times(x);
    plan_workers(x);
    plan_specs(x);
    return 0;
}
