#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/fmt.h"
#include "base/parse.h"
#include "cli/leftovers.h"
#include "cli/make_report.h"
#include "cli/progress.h"
#include "cli/run_targets.h"
#include "cli/verb.h"
#include "matrix/matrix.h"
#include "report/report.h"
#include "runner/runner.h"
#include "store/query.h"
#include "target/target.h"

enum { EXIT_INCOMPLETE = 1, EXIT_INTERRUPTED = 130 };

/* The only state a signal handler may touch. */
static atomic_int stop_requested;

static void on_signal(int sig)
{
    (void)sig;
    if (atomic_exchange(&stop_requested, 1))
        _exit(EXIT_INTERRUPTED);
}

static void catch_signals(void)
{
    struct sigaction act = { .sa_handler = on_signal };
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    act.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &act, NULL);
    sigaction(SIGPIPE, &act, NULL);
}

struct setup {
    struct command *c;
    struct matrix *matrix;
    struct plan plan;
    struct run_targets targets;
    struct runner_preview preview;
    const char *run_name;
};

static int parse_depths(struct command *c, struct plan_options *o, struct error *e)
{
    size_t n = 0;
    const char *const *list = opt_list(c, OPT_QUEUE_DEPTH, &n);
    uint32_t *depths = arena_array(c->arena, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t depth = 0;
        if (parse_u64(list[i], &depth, e))
            return error_wrap(e, "--queue-depth");
        if (depth < 1 || depth > PLAN_MAX_QUEUE_DEPTH)
            return error_set(e, QD_E_USAGE, "--queue-depth takes 1 to %d, not '%s'",
                             PLAN_MAX_QUEUE_DEPTH, list[i]);
        depths[i] = (uint32_t)depth;
    }
    o->queue_depths = depths;
    o->n_queue_depths = (uint32_t)n;
    return 0;
}

static int parse_engine(struct command *c, enum engine_choice *ret, struct error *e)
{
    const char *text = opt_text(c, OPT_ENGINE);
    if (!text)
        return 0;
    for (enum engine_choice k = ENGINE_AUTO; k <= ENGINE_SYNC; k++)
        if (strcmp(text, engine_choice_name(k)) == 0) {
            *ret = k;
            return 0;
        }
    return error_set(e, QD_E_USAGE, "--engine takes auto, io_uring or sync, not '%s'", text);
}

static int parse_plan_options(struct setup *s, struct plan_options *o, struct error *e)
{
    struct command *c = s->c;
    uint64_t workers = 0;
    uint64_t repeat = 0;
    *o = (struct plan_options) { .n_targets = s->targets.n, .has_ramp = opt_has(c, OPT_RAMP) };
    if (parse_depths(c, o, e) || opt_duration(c, OPT_DURATION, &o->duration_ns, e) ||
        opt_duration(c, OPT_RAMP, &o->ramp_ns, e) ||
        opt_duration(c, OPT_INTERVAL, &o->interval_ns, e) ||
        opt_size(c, OPT_SIZE, &o->span_bytes, e) ||
        opt_number(c, OPT_WORKERS, 1, PLAN_MAX_WORKERS, &workers, e) ||
        opt_number(c, OPT_REPEAT, 1, PLAN_MAX_REPEAT, &repeat, e) ||
        opt_number(c, OPT_SEED, 1, UINT64_MAX, &o->seed, e) || parse_engine(c, &o->engine, e))
        return -1;
    if (opt_has(c, OPT_SIZE) && (o->span_bytes == 0 || o->span_bytes % 4096))
        return error_set(e, QD_E_USAGE, "--size must be a multiple of 4 KiB, not '%s'",
                         opt_text(c, OPT_SIZE));
    if (opt_has(c, OPT_DURATION) && o->duration_ns < 10 * NS_PER_MS)
        return error_set(e, QD_E_USAGE, "--duration must be at least 10ms, not '%s'",
                         opt_text(c, OPT_DURATION));
    o->workers = (uint32_t)workers;
    o->repeat = (uint32_t)repeat;
    return 0;
}

static int preview(struct setup *s, struct error *e)
{
    size_t n = 0;
    const struct runner_request request = {
        .plan = &s->plan,
        .targets = s->targets.infos,
        .n_targets = s->targets.n,
        .made = s->targets.made,
        .sheets = s->targets.sheets,
        .destroy = opt_all(s->c, OPT_DESTROY, &n),
    };
    return runner_preview(s->c->arena, &request, &s->preview, e);
}

static int load_matrix(struct setup *s, struct error *e)
{
    const char *trace = opt_text(s->c, OPT_TRACE);
    if (trace && s->c->n_args)
        return error_set(e, QD_E_USAGE,
                         "--trace stands in place of a matrix: '%s' is too much (a matrix may hold "
                         "<trace> itself)",
                         s->c->args[0]);
    return trace ? matrix_of_trace(s->c->arena, trace, &s->matrix, e)
                 : matrix_load(s->c->arena, s->c->n_args ? s->c->args[0] : "quick", &s->matrix, e);
}

static int prepare(struct setup *s, struct error *e)
{
    struct plan_options o;
    const char *name = opt_text(s->c, OPT_NAME);
    struct clean_outcome cleaned;
    if (name && store_check_name(name, e))
        return -1;
    if (!opt_has(s->c, OPT_DRY_RUN) && leftovers_clean(s->c, false, &cleaned, e))
        return -1;
    if (load_matrix(s, e) || run_targets_find(s->c, s->matrix, &s->targets, e) ||
        parse_plan_options(s, &o, e) || matrix_expand(s->c->arena, s->matrix, &o, &s->plan, e) ||
        preview(s, e))
        return -1;
    s->run_name = name ? name
                       : arena_printf(s->c->arena, "%s-%s", matrix_name(s->matrix),
                                      clock_day(clock_real_ns()).s);
    return 0;
}

static void announce_made(const struct runner_target *t, FILE *to)
{
    fprintf(to, "  %s: %s, made for the run and removed again: THE DATA THERE WILL BE DESTROYED",
            t->info.name, t->info.spec.path);
    fprintf(to, " (span %s)\n", fmt_bytes(t->span_bytes).s);
}

/* With a device sheet: what the run may cost of the rated endurance, were all cells that write to write at the rated rate. */
static void announce_wear(const struct setup *s, uint32_t no, FILE *to)
{
    const struct runner_target *t = &s->preview.targets[no];
    const struct device_sheet *d = t->sheet;
    double seconds = 0;
    if (!d || !d->endurance_bytes || !(d->rated_write_mb_s > 0))
        return;
    for (uint32_t i = 0; i < s->plan.n_cells; i++) {
        const struct cell *c = &s->plan.cells[i];
        if (c->target == no && workload_writes(&s->plan.workloads[c->workload]))
            seconds += (double)(c->ramp_ns + c->duration_ns) / 1e9;
    }
    double bytes = seconds * d->rated_write_mb_s * 1e6 + (double)t->layout_bytes;
    fprintf(to, "    at its rated %s MB/s at most %s are written: %s %% of the rated %s\n",
            fmt_sig(d->rated_write_mb_s, 4).s, fmt_si(bytes, "B").s,
            fmt_sig(100 * bytes / (double)d->endurance_bytes, 2).s,
            fmt_si((double)d->endurance_bytes, "B").s);
}

/* What will be written where, and how long it takes: said before anything happens. */
static void announce(const struct setup *s, FILE *to)
{
    struct plan_cost cost = plan_cost(&s->plan);
    bool lays_out = false;
    for (uint32_t i = 0; i < s->preview.n_targets; i++)
        lays_out |= s->preview.targets[i].layout_bytes > 0;
    fprintf(to, "%s: %s, %s measuring", matrix_title(s->matrix), fmt_plural(cost.cells, "cell").s,
            fmt_span_ns(cost.seconds_ns - cost.idle_ns).s);
    if (cost.idle_ns)
        fprintf(to, ", %s idle", fmt_span_ns(cost.idle_ns).s);
    fputs(lays_out ? ", plus writing the test data\n" : "\n", to);
    for (const char *const *at = matrix_left_out(s->matrix); *at; at++)
        fprintf(to, "  not carried over from the %s: %s\n", matrix_source(s->matrix), *at);
    for (uint32_t i = 0; i < s->preview.n_targets; i++) {
        const struct runner_target *t = &s->preview.targets[i];
        if (t->made) {
            announce_made(t, to);
            announce_wear(s, i, to);
            continue;
        }
        fprintf(to, "  %s: %s", t->info.name, target_kind_name(t->info.kind));
        if (t->info.kind != TARGET_MEMORY)
            fprintf(to, " %s", t->info.spec.path);
        if (!t->info.spec.direct)
            fprintf(to, ", buffered");
        if (t->layout_bytes)
            fprintf(to, ", a scratch file of %s is written and removed again",
                    fmt_bytes(t->layout_bytes).s);
        else if (t->permit && cost.writes)
            fprintf(to, ", ITS DATA WILL BE DESTROYED (span %s)", fmt_bytes(t->span_bytes).s);
        else
            fprintf(to, ", only read (span %s)", fmt_bytes(t->span_bytes).s);
        if (t->span_why)
            fprintf(to, " (%s)", t->span_why);
        fputc('\n', to);
        announce_wear(s, i, to);
    }
}

/* --dry-run: every cell of the plan, in the order it would be measured. */
static void print_cells(const struct setup *s)
{
    for (uint32_t i = 0; i < s->plan.n_cells; i++) {
        const struct cell *c = &s->plan.cells[i];
        printf("  %4u  %s · %s · QD %u", i + 1, s->targets.infos[c->target].name,
               s->plan.workloads[c->workload].title, c->queue_depth);
        if (c->workers > 1)
            printf(" · %u workers", c->workers);
        if (s->plan.repeat > 1)
            printf(" · repetition %u", c->rep);
        if (c->idle_ns)
            printf(" · %s idle", fmt_span_ns(c->idle_ns).s);
        printf(" · %s + %s ramp\n", fmt_span_ns(c->duration_ns).s, fmt_span_ns(c->ramp_ns).s);
    }
}

static int measure(struct setup *s, struct runner_outcome *ret, struct error *e)
{
    struct command *c = s->c;
    const char *path = command_store(c);
    struct store *store = NULL;
    struct sink *to_store = NULL;
    const struct store_sink_options sink_options = { .durable = opt_has(c, OPT_DURABLE) };
    bool fresh = !file_exists(path);
    if (store_open(path, STORE_WRITE, &store, e))
        return -1;
    if (fresh)
        fprintf(stderr, "store: %s (made)\n", path);
    struct progress *p = progress_new(c->arena, &s->plan,
                                      progress_choose(opt_has(c, OPT_JSON_PROGRESS)));
    struct sink to_progress = progress_sink(p);
    int rc = store_sink(store, &sink_options, &to_store, e);
    if (rc == 0) {
        struct sink_tee tee = { to_store, &to_progress };
        struct sink both = sink_tee(&tee);
        const struct runner_job job = {
            .plan = &s->plan,
            .preview = &s->preview,
            .run_name = s->run_name,
            .command = c->line,
            .store_path = path,
            .host = s->targets.sheet.host,
            .n_host = s->targets.sheet.n_host,
            .left_out = s->targets.sheet.left_out,
            .n_left_out = s->targets.sheet.n_left_out,
            .store = store,
            .sink = &both,
            .stop = &stop_requested,
            .watch = progress_watch(p),
        };
        rc = runner_run(c->arena, &job, ret, e);
        progress_end(p);
        if (rc == 0) {
            const char *given = arena_strdup(c->arena, store_sink_run_name(store));
            if (strcmp(given, s->run_name) != 0)
                fprintf(stderr, "the name %s is taken: this run is called %s\n", s->run_name,
                        given);
            s->run_name = given;
        }
    }
    store_close(store);
    return rc;
}

/* From the closed store, through the same code as `report`. */
static int present(struct setup *s, struct error *e)
{
    struct store *store = NULL;
    char *text = NULL;
    const char *const runs[] = { s->run_name };
    if (store_open(command_store(s->c), STORE_READ, &store, e))
        return -1;
    int rc = report_terminal(store, s->c->arena, s->run_name, &text, e);
    if (rc == 0) {
        printf("%s\n", text);
        if (!opt_has(s->c, OPT_NO_REPORT))
            rc = write_report(s->c, store, runs, 1,
                              arena_printf(s->c->arena, "out/%s", s->run_name), e);
    }
    store_close(store);
    return rc;
}

int verb_run(struct command *c, struct error *e)
{
    struct setup s = { .c = c };
    struct runner_outcome out;
    if (prepare(&s, e))
        return -1;
    if (opt_has(c, OPT_DRY_RUN)) {
        announce(&s, stdout);
        print_cells(&s);
        return 0;
    }
    announce(&s, stderr);
    catch_signals();
    if (measure(&s, &out, e) || present(&s, e))
        return -1;
    if (out.status == CELL_INTERRUPTED)
        return EXIT_INTERRUPTED;
    return out.n_missing ? EXIT_INCOMPLETE : 0;
}
