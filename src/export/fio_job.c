#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "export/export.h"

enum { WHOLE_BP = 10000 };

/* A point being written. fio counts in whole percent. */
struct job {
    struct export_text *x;
    const struct cell *cell;
    const struct workload *w;
    uint32_t read_bp; /* of all I/Os */
};

static uint32_t rounded(const struct job *j, uint32_t bp, const char *what)
{
    if (bp % 100)
        export_leave(j->x, "%s: %s of %u.%02u %% is rounded: fio takes whole percent", j->w->title,
                     what, bp / 100, bp % 100);
    return (bp + 50) / 100;
}

static void put(const struct job *j, const char *name, uint64_t value)
{
    str_printf(&j->x->text, "%s=%" PRIu64 "\n", name, value);
}

/* fio has one size list for reads, one for writes, and one order for the job. */
static bool is_possible(const struct job *j)
{
    const struct access_line *first = &j->w->lines[0];
    for (uint32_t i = 0; i < j->w->n_lines; i++) {
        const struct access_line *l = &j->w->lines[i];
        if (l->random_bp != first->random_bp || l->align != first->align ||
            l->sync != first->sync || l->trim_bp != first->trim_bp ||
            l->delay_ns != first->delay_ns || l->distribution != first->distribution) {
            export_leave(j->x, "%s: its lines differ in more than size, share and reads",
                         j->w->title);
            return false;
        }
        if (l->trim_bp && (l->trim_bp < WHOLE_BP || l->read_bp)) {
            export_leave(j->x, "%s: trims between other I/Os", j->w->title);
            return false;
        }
    }
    return true;
}

/* Share of each size among the reads or the writes, in whole percent that sum to 100. */
static void put_split(const struct job *j, bool reads)
{
    uint64_t whole = 0, share[PLAN_MAX_LINES] = { 0 };
    uint32_t percent[PLAN_MAX_LINES] = { 0 }, sum = 0, most = 0;
    const struct access_line *lines = j->w->lines;
    for (uint32_t i = 0; i < j->w->n_lines; i++) {
        share[i] = (uint64_t)lines[i].share_bp *
                   (reads ? lines[i].read_bp : WHOLE_BP - lines[i].read_bp);
        whole += share[i];
    }
    for (uint32_t i = 0; i < j->w->n_lines && whole; i++) {
        percent[i] = (uint32_t)((share[i] * 100 + whole / 2) / whole);
        if (percent[i] * whole != share[i] * 100)
            export_leave(j->x, "%s: its shares are rounded: fio takes whole percent", j->w->title);
        sum += percent[i];
        most = share[i] > share[most] ? i : most;
    }
    percent[most] += 100 - sum;
    bool first = true;
    for (uint32_t i = 0; i < j->w->n_lines && whole; i++) {
        if (!percent[i])
            continue;
        str_printf(&j->x->text, "%s%u/%u", first ? "" : ":", lines[i].size, percent[i]);
        first = false;
    }
}

static void put_sizes(const struct job *j)
{
    struct str *s = &j->x->text;
    if (j->w->n_lines == 1) {
        put(j, "bs", j->w->lines[0].size);
        return;
    }
    str_put(s, "bssplit=");
    if (j->read_bp > 0)
        put_split(j, true);
    if (j->read_bp > 0 && j->read_bp < WHOLE_BP)
        str_char(s, ',');
    if (j->read_bp < WHOLE_BP)
        put_split(j, false);
    str_char(s, '\n');
}

static void put_rw(const struct job *j)
{
    struct str *s = &j->x->text;
    uint32_t random_bp = j->w->lines[0].random_bp;
    bool trim = j->w->lines[0].trim_bp > 0;
    const char *direction = trim                     ? "trim"
                            : j->read_bp == WHOLE_BP ? "read"
                            : j->read_bp == 0        ? "write"
                                                     : "rw";
    str_printf(s, "rw=%s%s\n", random_bp ? "rand" : "", direction);
    if (j->read_bp > 0 && j->read_bp < WHOLE_BP)
        put(j, "rwmixread", rounded(j, j->read_bp, "the share of reads"));
    if (random_bp > 0 && random_bp < WHOLE_BP)
        put(j, "percentage_random", rounded(j, random_bp, "the random share"));
}

static void put_distribution(const struct job *j)
{
    const struct access_line *l = &j->w->lines[0];
    static const char *const names[] = {
        [DIST_ZIPF] = "zipf", [DIST_PARETO] = "pareto", [DIST_NORMAL] = "normal"
    };
    if (l->distribution == DIST_UNIFORM || !l->random_bp)
        return;
    if (l->distribution < countof(names) && names[l->distribution])
        str_printf(&j->x->text, "random_distribution=%s:%s\n", names[l->distribution],
                   fmt_exact(l->distribution_param).s);
    else
        export_leave(j->x, "%s: distribution %s", j->w->title, distribution_name(l->distribution));
}

static void put_data(const struct job *j)
{
    struct str *s = &j->x->text;
    const struct fill *f = &j->cell->fill;
    if (j->read_bp == WHOLE_BP)
        return;
    switch (f->kind) {
    case FILL_RANDOM:
        str_put(s, "refill_buffers\n");
        break;
    case FILL_ZERO:
        str_put(s, "zero_buffers\n");
        break;
    case FILL_ONES:
        str_put(s, "buffer_pattern=0xff\n");
        break;
    case FILL_PATTERN:
        str_put(s, "buffer_pattern=0x");
        for (uint32_t i = 0; i < f->pattern_bytes; i++)
            str_printf(s, "%02x", f->pattern[i]);
        str_char(s, '\n');
        break;
    case FILL_COMPRESSIBLE:
        put(j, "buffer_compress_percentage", f->percent);
        break;
    case FILL_DUPLICATE:
        put(j, "dedupe_percentage", f->percent);
        break;
    }
}

static void put_sync(const struct job *j)
{
    const struct access_line *l = &j->w->lines[0];
    if (l->sync == SYNC_DSYNC || l->sync == SYNC_FUA)
        put(j, "sync", 1);
    else if (l->sync == SYNC_FDATASYNC)
        put(j, "fdatasync", l->sync_every);
    else if (l->sync == SYNC_FSYNC)
        put(j, "fsync", l->sync_every);
}

static void put_pace(const struct job *j)
{
    const struct access_line *l = &j->w->lines[0];
    const struct rate *r = &j->cell->rate;
    if (r->kind == RATE_IOPS)
        put(j, "rate_iops", (uint64_t)(r->value / j->cell->workers + 0.5));
    if (r->kind == RATE_IOPS && r->poisson)
        str_put(&j->x->text, "rate_process=poisson\n");
    if (r->kind == RATE_RECORDED)
        export_leave(j->x, "%s: the recording that is replayed", j->w->title);
    if (r->kind == RATE_PERCENT_OF_MAX)
        export_leave(j->x, "%s: a rate in percent of the maximum", j->w->title);
    if (!l->delay_ns)
        return;
    put(j, "thinktime", l->delay_ns / 1000);
    put(j, "thinktime_blocks", l->burst);
}

static void put_time(const struct job *j, const char *name, uint64_t ns)
{
    if (ns % NS_PER_S == 0)
        str_printf(&j->x->text, "%s=%llus\n", name, ns / NS_PER_S);
    else
        str_printf(&j->x->text, "%s=%llums\n", name, ns / NS_PER_MS);
}

/* Brackets and line ends would end the name. */
static void put_name(const struct job *j)
{
    struct str *s = &j->x->text;
    const struct cell *c = j->cell;
    str_printf(s, "\n[%s-qd%u", j->w->id, c->queue_depth);
    if (c->workers > 1)
        str_printf(s, "-w%u", c->workers);
    str_put(s, "]\n");
    str_put(s, "description=");
    for (const char *p = j->w->title; *p; p++)
        str_char(s, strchr("\n\r;#", *p) ? ' ' : *p);
    str_char(s, '\n');
}

static void put_job(const struct job *j)
{
    const struct cell *c = j->cell;
    put_name(j);
    put_rw(j);
    put_sizes(j);
    if (j->w->lines[0].align && j->w->lines[0].align != j->w->lines[0].size)
        put(j, "blockalign", j->w->lines[0].align);
    put(j, "iodepth", c->queue_depth);
    put(j, "numjobs", c->workers);
    put(j, "direct", c->direct);
    put_time(j, "runtime", c->duration_ns);
    if (c->ramp_ns)
        put_time(j, "ramp_time", c->ramp_ns);
    if (c->span_bytes)
        put(j, "size", c->span_bytes);
    else if (c->span_bp)
        str_printf(&j->x->text, "size=%u%%\n", rounded(j, c->span_bp, "the span"));
    if (c->span_offset)
        put(j, "offset", c->span_offset);
    put_distribution(j);
    put_data(j);
    put_sync(j);
    put_pace(j);
    put(j, "randseed", c->seed % INT64_MAX + 1);
}

static void put_head(const struct plan *plan, struct export_text *x)
{
    str_printf(&x->text,
               "; %s: matrix '%s' of qdepth as a fio job file, one point after another.\n"
               "; Name what is tested:  TARGET=/dev/sdX fio --output-format=json+ FILE\n"
               "%s; A file that does not exist needs a size: add size=1g to [global].\n"
               "[global]\nfilename=${TARGET}\nioengine=%s\nthread\ngroup_reporting\ntime_based\n"
               "norandommap\nstonewall\n",
               plan->title, plan->name,
               plan->writes ? "; IT WRITES: what is on the target will be destroyed.\n" : "",
               plan->engine == ENGINE_SYNC ? "psync" : "io_uring");
}

int export_fio_job(const struct plan *plan, struct export_text *x, struct error *e)
{
    size_t jobs = 0;
    put_head(plan, x);
    for (uint32_t i = 0; i < plan->n_cells; i++) {
        const struct cell *c = &plan->cells[i];
        const struct workload *w = &plan->workloads[c->workload];
        const struct job j = { x, c, w, (uint32_t)(workload_read_percent(w) * 100 + 0.5) };
        if (c->target != 0 || c->rep != 1 || !is_possible(&j))
            continue;
        put_job(&j);
        jobs++;
    }
    if (!jobs)
        return error_set(e, QD_E_FAIL, "nothing of matrix '%s' can be said to fio%s%s", plan->name,
                         x->left_out.n ? ": " : "", x->left_out.n ? x->left_out.at[0] : "");
    return str_failed(&x->text) ? error_set(e, QD_E_FAIL, "the job file is too large") : 0;
}
