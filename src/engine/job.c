#include "engine/job.h"

#include "base/fmt.h"

static int check_cell(const struct engine_job *job, struct error *e)
{
    const struct cell *c = job->cell;
    if (c->queue_depth < 1 || c->queue_depth > PLAN_MAX_QUEUE_DEPTH)
        return error_set(e, QD_E_USAGE, "cannot measure queue depth %u: it must be 1 to %d",
                         c->queue_depth, PLAN_MAX_QUEUE_DEPTH);
    if (c->workers < 1 || c->workers > PLAN_MAX_WORKERS)
        return error_set(e, QD_E_USAGE, "cannot measure with %u workers: they must be 1 to %d",
                         c->workers, PLAN_MAX_WORKERS);
    if (job->n_targets < 1 || job->n_targets > PLAN_MAX_TARGETS)
        return error_set(e, QD_E_USAGE, "cannot measure %u targets together: they must be 1 to %d",
                         job->n_targets, PLAN_MAX_TARGETS);
    if (c->duration_ns == 0 || c->interval_ns == 0)
        return error_set(e, QD_E_USAGE, "cannot measure for no time");
    if (c->trace && (c->workers != 1 || job->n_targets != 1))
        return error_set(e, QD_E_FAIL,
                         "cannot replay a trace with %u workers on %u targets: it "
                         "takes one of each",
                         c->workers, job->n_targets);
    if (c->rate.kind != RATE_NONE && c->rate.kind != RATE_RECORDED)
        return error_set(e, QD_E_FAIL,
                         "cannot keep a rate: this engine measures closed loops only");
    if (c->fill.percent > 100)
        return error_set(e, QD_E_USAGE, "cannot write data that is %u %% %s", c->fill.percent,
                         fill_kind_name(c->fill.kind));
    if (c->fill.kind == FILL_PATTERN &&
        (c->fill.pattern_bytes < 1 || c->fill.pattern_bytes > sizeof c->fill.pattern))
        return error_set(e, QD_E_USAGE, "cannot write a pattern of %u bytes",
                         c->fill.pattern_bytes);
    return 0;
}

static int check_line(const struct access_line *l, uint32_t no, struct error *e)
{
    if (l->size < PLAN_MIN_SIZE || l->size > PLAN_MAX_SIZE)
        return error_set(e, QD_E_USAGE, "cannot do access line %u: size %u is not %d to %d", no,
                         l->size, PLAN_MIN_SIZE, PLAN_MAX_SIZE);
    if (l->read_bp > 10000 || l->random_bp > 10000)
        return error_set(e, QD_E_USAGE, "cannot do access line %u: more than 100 %%", no);
    const char *unknown = l->delay_ns || l->burst > 1     ? "delay and burst"
                          : l->trim_bp                    ? "trim"
                          : l->sync != SYNC_NONE          ? sync_kind_name(l->sync)
                          : l->distribution == DIST_ZONES ? distribution_name(l->distribution)
                                                          : NULL;
    if (unknown)
        return error_set(e, QD_E_FAIL, "cannot do access line %u: this engine does not know %s", no,
                         unknown);
    return 0;
}

static int check_workload(const struct engine_job *job, struct error *e)
{
    const struct workload *w = job->workload;
    uint32_t share = 0;
    if (w->n_lines < 1 || w->n_lines > PLAN_MAX_LINES)
        return error_set(e, QD_E_USAGE, "cannot measure a workload of %u access lines", w->n_lines);
    for (uint32_t i = 0; i < w->n_lines; i++) {
        if (check_line(&w->lines[i], i + 1, e) != 0)
            return error_wrap(e, "workload '%s'", w->id);
        share += w->lines[i].share_bp;
    }
    if (share != 10000)
        return error_set(e, QD_E_USAGE, "workload '%s': the shares do not sum to 100 %%", w->id);
    return 0;
}

static int find_span(const struct cell *c, const struct opened_target *t, struct span *ret,
                     struct error *e)
{
    uint64_t first = c->span_offset;
    if (first >= t->size)
        return error_set(e, QD_E_FAIL, "cannot start at %s: '%s' has %s", fmt_bytes(first).s,
                         t->name, fmt_bytes(t->size).s);
    uint64_t rest = t->size - first, bytes = rest;
    if (c->span_bp)
        bytes = (uint64_t)((unsigned __int128)t->size * c->span_bp / 10000);
    else if (c->span_bytes)
        bytes = c->span_bytes;
    if (bytes > rest)
        return error_set(e, QD_E_FAIL, "cannot cover %s from %s on: '%s' has %s",
                         fmt_bytes(bytes).s, fmt_bytes(first).s, t->name, fmt_bytes(t->size).s);
    *ret = (struct span) { first, bytes };
    return 0;
}

static int check_fit(const struct access_line *l, const struct opened_target *t,
                     const struct span *s, struct error *e)
{
    if (l->size % t->block || l->align % t->block || l->stride % t->block)
        return error_set(e, QD_E_FAIL,
                         "cannot do %s I/O on '%s': size, alignment and stride must be multiples "
                         "of its block of %s",
                         fmt_bytes(l->size).s, t->name, fmt_bytes(t->block).s);
    uint64_t align = l->align ? l->align : l->size;
    uint64_t start = (s->first + align - 1) / align * align;
    if (start + l->size > s->first + s->bytes)
        return error_set(e, QD_E_FAIL, "cannot do %s I/O on '%s': the span is %s",
                         fmt_bytes(l->size).s, t->name, fmt_bytes(s->bytes).s);
    return 0;
}

int job_check(const struct engine_job *job, struct span *spans, struct error *e)
{
    if (check_cell(job, e) != 0 || check_workload(job, e) != 0)
        return -1;
    bool writes = job_largest(job->workload, DIR_WRITE) > 0;
    for (uint32_t i = 0; i < job->n_targets; i++) {
        const struct opened_target *t = &job->targets[i];
        if (writes && !t->writable)
            return error_set(e, QD_E_UNSAFE, "cannot write '%s': it is open for reading only",
                             t->name);
        if (find_span(job->cell, t, &spans[i], e) != 0)
            return -1;
        for (uint32_t l = 0; l < job->workload->n_lines && !job->cell->trace; l++)
            if (check_fit(&job->workload->lines[l], t, &spans[i], e) != 0)
                return -1;
    }
    return 0;
}

uint32_t job_largest(const struct workload *w, enum direction d)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < w->n_lines; i++) {
        uint32_t bp = d == DIR_READ ? w->lines[i].read_bp : 10000 - w->lines[i].read_bp;
        if (bp && w->lines[i].share_bp && w->lines[i].size > most)
            most = w->lines[i].size;
    }
    return most;
}
