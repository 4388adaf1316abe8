#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "engine/choose.h"
#include "engine/inside.h"

enum { LINE = 640, CLAUSE = 200 };

static int32_t first_target(const struct engine *g)
{
    return (int32_t)g->job.targets[0].no;
}

static int tell(const struct engine *g, struct sink *s, struct event *ev, struct error *e)
{
    ev->cell = (int32_t)g->job.cell->no;
    return sink_event(s, ev, e);
}

static int tell_kernel_workers(const struct engine *g, struct sink *s, struct error *e)
{
    const struct opened_target *t = g->job.targets;
    while (t->nowait)
        t++;
    char what[LINE];
    snprintf(what, sizeof what, "Requests to %s go through kernel worker threads.", t->name);
    return tell(g, s,
                &(struct event) {
                    .code = "kernel-workers",
                    .severity = EVENT_NOTE,
                    .target = (int32_t)t->no,
                    .what = what,
                    .text = "It cannot take a request without waiting, so io_uring hands each one "
                            "to a thread of its own. Response times contain that detour.",
                },
                e);
}

static int tell_no_io_uring(const struct engine *g, struct sink *s, struct error *e)
{
    char what[LINE];
    snprintf(what, sizeof what, "Measured with %s of pread and pwrite instead of io_uring.",
             fmt_plural(g->n_threads, "thread").s);
    return tell(g, s,
                &(struct event) { .code = "no-io-uring",
                                  .severity = EVENT_WARNING,
                                  .target = first_target(g),
                                  .what = what,
                                  .text = g->no_io_uring },
                e);
}

static int tell_plain_buffers(const struct engine *g, struct sink *s, struct error *e)
{
    char what[LINE];
    snprintf(what, sizeof what, "I/O buffers could not be registered with io_uring: %s.",
             strerrordesc_np(g->plain_buffers));
    return tell(g, s,
                &(struct event) {
                    .code = "plain-buffers",
                    .severity = EVENT_NOTE,
                    .target = first_target(g),
                    .what = what,
                    .text = "Plain ones are used, which costs the generator about 1 %. A larger "
                            "limit of locked memory (ulimit -l) avoids it.",
                    .sys = g->plain_buffers,
                },
                e);
}

int tell_before(const struct engine *g, struct sink *s, struct error *e)
{
    if (g->used == USED_IO_URING && choose_needs_workers(&g->job) &&
        tell_kernel_workers(g, s, e) != 0)
        return -1;
    if (g->no_io_uring[0] && tell_no_io_uring(g, s, e) != 0)
        return -1;
    return g->plain_buffers ? tell_plain_buffers(g, s, e) : 0;
}

static int tell_fault(const struct engine *g, const struct fault *f, struct sink *s,
                      struct error *e)
{
    const struct opened_target *t = &g->job.targets[f->target];
    const char *verb = f->direction == DIR_READ ? "read" : "write";
    const char *preposition = f->direction == DIR_READ ? "from" : "to";
    char what[LINE], how[CLAUSE];
    if (f->sys)
        snprintf(how, sizeof how, "failed: %s. The first was", strerrordesc_np(f->sys));
    else
        snprintf(how, sizeof how, "came up short. The first moved %s of %s bytes",
                 fmt_count(f->moved).s, fmt_count(f->size).s);
    snprintf(what, sizeof what, "%s %s %s %s at offset %s.", fmt_plural(f->count, verb).s,
             preposition, t->name, how, fmt_count(f->offset).s);
    return tell(g, s,
                &(struct event) {
                    .code = f->sys ? "io-error" : "short-io",
                    .severity = EVENT_ERROR,
                    .target = (int32_t)t->no,
                    .t_ns = (int64_t)(f->at - g->time.zero),
                    .what = what,
                    .text = "They are counted as errors and are in no other figure.",
                    .sys = f->sys,
                    .offset = f->offset,
                    .count = f->count,
                },
                e);
}

static int tell_in_flight(const struct engine *g, struct sink *s, struct error *e)
{
    uint64_t n = 0, oldest = 0;
    for (uint32_t i = 0; i < g->n_workers; i++)
        for (int d = 0; d < DIR_COUNT; d++) {
            const struct meter *m = &g->workers[i]->meter;
            n += m->in_flight_at_end[d];
            oldest = m->oldest_ns[d] > oldest ? m->oldest_ns[d] : oldest;
        }
    if (n == 0)
        return 0;
    char what[LINE];
    snprintf(what, sizeof what, "%s %s in flight at the end, the oldest for %s.",
             fmt_plural(n, "I/O").s, n == 1 ? "was" : "were", fmt_duration_ns((double)oldest).s);
    return tell(g, s,
                &(struct event) {
                    .code = "in-flight-at-end",
                    .severity = EVENT_NOTE,
                    .target = first_target(g),
                    .t_ns = (int64_t)timeline_measured_ns(&g->time),
                    .what = what,
                    .text = "They were waited for and do not count; the longest response time "
                            "takes their age into account.",
                    .count = n,
                },
                e);
}

static int tell_late(const struct engine *g, struct sink *s, struct error *e)
{
    uint64_t full = 0;
    for (uint32_t i = 0; i < g->n_workers; i++)
        full += atomic_load(&g->workers[i]->meter.full);
    if (full == 0)
        return 0;
    return tell(g, s,
                &(struct event) {
                    .code = "results-held-up",
                    .severity = EVENT_WARNING,
                    .target = first_target(g),
                    .what = "The workers had to wait until their results were taken.",
                    .text = "Writing the results was slower than measuring them; the intervals "
                            "where that happened show a pause. Use --store on another device.",
                    .count = full,
                },
                e);
}

static int tell_replay_cut(const struct engine *g, uint64_t issued, struct sink *s, struct error *e)
{
    char what[LINE];
    if (issued >= g->replay.n)
        return 0;
    snprintf(what, sizeof what, "Only %s of %s of the trace were replayed.", fmt_count(issued).s,
             fmt_plural(g->replay.n, "I/O").s);
    return tell(g, s,
                &(struct event) {
                    .code = "trace-cut",
                    .severity = EVENT_WARNING,
                    .target = first_target(g),
                    .what = what,
                    .text = "The time of the cell was over before: the device fell behind the "
                            "recording, or --duration is shorter than it.",
                    .count = g->replay.n - issued,
                },
                e);
}

static int tell_replay_late(const struct engine *g, const struct replay_lateness *x, struct sink *s,
                            struct error *e)
{
    char what[LINE];
    if (x->late == 0)
        return 0;
    snprintf(what, sizeof what,
             "%s of %s of the trace started more than 1\u00a0ms late, the latest by %s.",
             fmt_count(x->late).s, fmt_plural(x->issued, "I/O").s,
             fmt_duration_ns((double)x->worst_ns).s);
    return tell(g, s,
                &(struct event) {
                    .code = "late-starts",
                    .severity = 100 * x->late >= x->issued ? EVENT_WARNING : EVENT_NOTE,
                    .target = first_target(g),
                    .what = what,
                    .text = "All I/Os that the queue depth allows were in flight, or the processor "
                            "was busy. Response times count from when an I/O was due, so the "
                            "wait is in them. A larger queue depth starts them in time.",
                    .count = x->late,
                },
                e);
}

static int tell_replay_fitted(const struct engine *g, struct sink *s, struct error *e)
{
    const struct replay *r = &g->replay;
    char what[LINE], text[LINE];
    if (!r->folded && !r->widened && !r->trace->left_out)
        return 0;
    snprintf(what, sizeof what, "The trace was fitted to %s.", g->job.targets[0].name);
    snprintf(text, sizeof text,
             "Of its %s, %s beyond the span were moved into it and %s widened to whole blocks; %s "
             "(trims and flushes) left out.",
             fmt_plural(r->n, "I/O").s, fmt_count(r->folded).s, fmt_count(r->widened).s,
             fmt_plural(r->trace->left_out, "other record").s);
    return tell(g, s,
                &(struct event) { .code = "trace-fitted",
                                  .severity = EVENT_NOTE,
                                  .target = first_target(g),
                                  .what = what,
                                  .text = text,
                                  .count = r->folded + r->widened },
                e);
}

static int tell_replay(const struct engine *g, struct sink *s, struct error *e)
{
    struct replay_lateness sum = { 0 };
    for (uint32_t i = 0; i < g->n_workers; i++) {
        const struct replay_lateness *x = &g->workers[i]->lateness;
        sum.late += x->late;
        sum.issued += x->issued;
        sum.worst_ns = x->worst_ns > sum.worst_ns ? x->worst_ns : sum.worst_ns;
    }
    return tell_replay_cut(g, sum.issued, s, e) || tell_replay_late(g, &sum, s, e) ||
                   tell_replay_fitted(g, s, e)
               ? -1
               : 0;
}

int tell_after(const struct engine *g, struct sink *s, struct error *e)
{
    if (g->replaying && tell_replay(g, s, e) != 0)
        return -1;
    for (uint32_t i = 0; i < g->faults.n; i++)
        if (tell_fault(g, &g->faults.kind[i], s, e) != 0)
            return -1;
    return tell_in_flight(g, s, e) != 0 || tell_late(g, s, e) != 0 ? -1 : 0;
}
