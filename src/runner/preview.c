#include "runner/runner.h"

#include <inttypes.h>

#include "base/fmt.h"

/* Is there something the run has to make and fill first? */
static bool is_scratch(const struct target_info *t)
{
    switch (t->kind) {
    case TARGET_DIRECTORY:
    case TARGET_MEMORY:
        return true;
    case TARGET_FILE:
    case TARGET_LOOP:
        return !t->exists;
    case TARGET_BLOCK:
    case TARGET_IMPORTED:
        return false;
    }
    return false;
}

static const struct made_spec *made_of(const struct runner_request *r, uint32_t no)
{
    return r->made ? r->made[no] : NULL;
}

/* A directory or memory target makes a file of its own each time it is named. */
static int check_distinct(const struct runner_request *r, struct error *e)
{
    const struct target_info *t = r->targets;
    for (uint32_t i = 0; i < r->n_targets; i++)
        for (uint32_t k = i + 1; k < r->n_targets; k++)
            if (t[i].kind != TARGET_DIRECTORY && t[i].kind != TARGET_MEMORY && !made_of(r, i) &&
                !made_of(r, k) && target_same(&t[i], &t[k]))
                return error_set(e, QD_E_USAGE, "'%s' and '%s' are the same %s", t[i].name,
                                 t[k].name, t[i].kind == TARGET_BLOCK ? "device" : "file");
    return 0;
}

static int check_span(const struct target_info *t, uint64_t span, struct error *e)
{
    if (t->kind == TARGET_MEMORY && t->spec.memory_bytes && t->spec.memory_bytes < span)
        return error_set(e, QD_E_USAGE, "'%s' of %s is smaller than the span of %s", t->spec.path,
                         fmt_bytes(t->spec.memory_bytes).s, fmt_bytes(span).s);
    if (!is_scratch(t) && t->capacity_bytes < span)
        return error_set(e, QD_E_FAIL, "'%s' has %s, less than the span of %s", t->name,
                         fmt_bytes(t->capacity_bytes).s, fmt_bytes(span).s);
    if (is_scratch(t) && t->available_bytes < span)
        return error_set(e, QD_E_FAIL, "'%s' has %s free, less than the span of %s (try --size)",
                         t->name, fmt_bytes(t->available_bytes).s, fmt_bytes(span).s);
    if (span == 0)
        return error_set(e, QD_E_FAIL, "'%s' is empty: there is nothing to test", t->spec.path);
    return 0;
}

static int preview_one(struct arena *a, const struct runner_request *request,
                       struct runner_target *t, struct error *e)
{
    const struct plan *plan = request->plan;
    bool scratch = is_scratch(&t->info);
    if (t->made
            ? made_permit(a, t->made, request->destroy, &t->member_permits, e)
            : (plan->writes || scratch) && permit_ask(a, &t->info, request->destroy, &t->permit, e))
        return -1;
    t->span_bytes = plan->span_bytes;
    if (!t->span_bytes && t->info.kind == TARGET_MEMORY && t->info.spec.memory_bytes)
        t->span_bytes = t->info.spec.memory_bytes;
    if (!t->span_bytes)
        t->span_bytes = target_default_span(a, &t->info, &t->span_why);
    t->layout_bytes = scratch ? t->span_bytes : 0;
    return check_span(&t->info, t->span_bytes, e);
}

/* Scratch of several targets may share one filesystem, or memory: together it must fit too. */
static int check_shared_space(const struct runner_target *t, uint32_t n, struct error *e)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < n; k++) {
            bool memory = t[i].info.kind == TARGET_MEMORY && t[k].info.kind == TARGET_MEMORY;
            bool disk = t[i].info.kind != TARGET_MEMORY && t[k].info.kind != TARGET_MEMORY &&
                        t[i].info.dev == t[k].info.dev;
            if (!t[i].made && !t[k].made && (memory || disk))
                sum += t[k].layout_bytes;
        }
        if (t[i].layout_bytes && !t[i].made && sum > t[i].info.available_bytes)
            return error_set(e, QD_E_FAIL,
                             "the targets that share space with '%s' need %s together, %s is free "
                             "(try --size)",
                             t[i].info.name, fmt_bytes(sum).s,
                             fmt_bytes(t[i].info.available_bytes).s);
    }
    return 0;
}

/* The devices a target occupies: its members, or itself. */
static const struct target_info *devices_of(const struct runner_target *t, size_t *ret_n)
{
    *ret_n = t->made ? t->made->n_members : t->info.kind == TARGET_BLOCK;
    return t->made ? t->made->members : &t->info;
}

static bool share_device(const struct runner_target *x, const struct runner_target *y)
{
    size_t nx = 0, ny = 0;
    const struct target_info *dx = devices_of(x, &nx), *dy = devices_of(y, &ny);
    for (size_t i = 0; i < nx; i++)
        for (size_t k = 0; k < ny; k++)
            if (target_same(&dx[i], &dy[k]))
                return true;
    return false;
}

/* Is a cell of `other` measured between cells of `no`? */
static bool in_between(const struct plan *p, uint32_t no, uint32_t other)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t i = 0; i < p->n_cells; i++)
        if (p->cells[i].target == no) {
            first = i < first ? i : first;
            last = i;
        }
    for (uint32_t i = first; i < last; i++)
        if (p->cells[i].target == other)
            return true;
    return false;
}

static int check_turns(const struct plan *p, struct runner_target *t, uint32_t n, struct error *e)
{
    for (uint32_t i = 0; i < n; i++) {
        t[i].late |= t[i].made != NULL;
        for (uint32_t k = 0; k < i; k++) {
            if (!share_device(&t[i], &t[k]))
                continue;
            t[i].late = t[k].late = true;
            if (in_between(p, i, k) || in_between(p, k, i))
                return error_set(e, QD_E_USAGE,
                                 "'%s' and '%s' take turns on the same device: order '%s' would "
                                 "need both at a time (use as-written)",
                                 t[k].info.name, t[i].info.name, order_name(p->order));
        }
    }
    return 0;
}

int runner_preview(struct arena *a, const struct runner_request *request,
                   struct runner_preview *ret, struct error *e)
{
    uint32_t n = request->n_targets;
    if (check_distinct(request, e))
        return -1;
    struct runner_target *t = arena_array(a, struct runner_target, n);
    for (uint32_t i = 0; i < n; i++) {
        t[i].info = request->targets[i];
        t[i].made = made_of(request, i);
        t[i].sheet = request->sheets ? request->sheets[i] : NULL;
        if (preview_one(a, request, &t[i], e))
            return -1;
    }
    if (check_shared_space(t, n, e) || check_turns(request->plan, t, n, e))
        return -1;
    *ret = (struct runner_preview) { t, n };
    return 0;
}
