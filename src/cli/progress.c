#include "cli/progress.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/utf8.h"

enum { DEFAULT_COLUMNS = 80 };

struct progress {
    struct arena *a;
    const struct plan *plan;
    enum progress_style style;
    const char **targets;
    const struct cell *cell;
    uint64_t left_ns;   /* of all cells not finished */
    uint64_t layout_at; /* when the layout line was last drawn */
    bool open;          /* a live line stands on the terminal */
};

static unsigned columns(void)
{
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col : DEFAULT_COLUMNS;
}

/* Draws over the live line; cut at the terminal's width so that it never wraps. */
static void draw(struct progress *p, const char *text)
{
    unsigned left = columns() - 1;
    const char *end = text;
    while (*end && left--)
        utf8_next(&end);
    fprintf(stderr, "\r\033[K%.*s", (int)(end - text), text);
    fflush(stderr);
    p->open = true;
}

void progress_end(struct progress *p)
{
    if (p->open)
        fputs("\r\033[K", stderr);
    p->open = false;
}

static const char *cell_words(struct progress *p)
{
    const struct cell *c = p->cell;
    const char *title = p->plan->workloads[c->workload].title;
    const char *rep = p->plan->repeat > 1 ? arena_printf(p->a, ", repetition %u", c->rep) : "";
    return arena_printf(p->a, "%s · %s · QD %u%s", p->targets[c->target], title, c->queue_depth,
                        rep);
}

struct rates {
    double iops, mb_s, mean_ns;
};

static struct rates rates_of(const struct interval *i)
{
    double seconds = (double)i->length_ns / 1e9;
    double ios = 0;
    double bytes = 0;
    double sum = 0;
    for (int d = 0; d < DIR_COUNT; d++) {
        ios += (double)i->dir[d].ios;
        bytes += (double)i->dir[d].bytes;
        sum += (double)i->dir[d].lat.sum;
    }
    return (struct rates) { ios / seconds, bytes / 1e6 / seconds,
                            ios > 0 ? sum / ios : (double)NAN };
}

static void print_json(json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT);
    fprintf(stderr, "%s\n", text);
    free(text);
    json_decref(j);
}

static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static void json_rates(json_t *j, struct rates r)
{
    json_object_set_new(j, "iops", number(r.iops));
    json_object_set_new(j, "mb_s", number(r.mb_s));
    json_object_set_new(j, "lat_mean_ns", number(r.mean_ns));
}

static json_t *json_cell(const struct progress *p, const char *what)
{
    const struct cell *c = p->cell;
    return json_pack("{s:s, s:i, s:i, s:s, s:s, s:i, s:i}", "event", what, "cell", (int)c->no + 1,
                     "of", (int)p->plan->n_cells, "target", p->targets[c->target], "workload",
                     p->plan->workloads[c->workload].id, "queue_depth", (int)c->queue_depth, "rep",
                     (int)c->rep);
}

static const char *rate_words(struct progress *p, struct rates r)
{
    return arena_printf(p->a, "%s IOPS, %s MB/s, %s", fmt_label(r.iops).s, fmt_label(r.mb_s).s,
                        fmt_duration_ns(r.mean_ns).s);
}

static int on_target(void *self, const struct target_record *t, struct error *e)
{
    (void)e;
    struct progress *p = self;
    p->targets[t->no] = arena_strdup(p->a, t->name);
    return 0;
}

static int on_cell_begin(void *self, const struct cell_begin *c, struct error *e)
{
    (void)e;
    struct progress *p = self;
    p->cell = &p->plan->cells[c->cell->no];
    if (p->style == PROGRESS_JSON)
        print_json(json_cell(p, "cell_begin"));
    return 0;
}

static int on_interval(void *self, const struct interval *i, struct error *e)
{
    (void)e;
    struct progress *p = self;
    struct rates r = rates_of(i);
    if (p->style == PROGRESS_LIVE) {
        uint64_t cell = cell_time_ns(p->cell);
        uint64_t spent = p->cell->idle_ns + i->length_ns;
        spent += (uint64_t)(i->t_ns + (int64_t)p->cell->ramp_ns);
        uint64_t left = p->left_ns - (spent < cell ? spent : cell);
        left -= left % NS_PER_S;
        draw(p, arena_printf(p->a, "[%u/%u] %s%s: %s · %s left", p->cell->no + 1, p->plan->n_cells,
                             cell_words(p), i->t_ns < 0 ? " (ramp)" : "", rate_words(p, r),
                             fmt_span_ns(left).s));
    } else if (p->style == PROGRESS_JSON) {
        json_t *j = json_cell(p, "interval");
        json_object_set_new(j, "t_s", json_real((double)i->t_ns / 1e9));
        json_rates(j, r);
        print_json(j);
    }
    return 0;
}

static struct rates rates_of_cell(const struct cell_result *r)
{
    struct interval whole = { .length_ns = r->measured_ns };
    for (int d = 0; d < DIR_COUNT; d++) {
        whole.dir[d].ios = r->dir[d].ios;
        whole.dir[d].bytes = r->dir[d].bytes;
        whole.dir[d].lat = r->dir[d].lat;
    }
    return rates_of(&whole);
}

static int on_cell_end(void *self, const struct cell_result *r, struct error *e)
{
    (void)e;
    struct progress *p = self;
    uint64_t cell = cell_time_ns(p->cell);
    p->left_ns -= cell < p->left_ns ? cell : p->left_ns;
    bool measured = r->measured_ns > 0;
    struct rates rates = measured ? rates_of_cell(r) : (struct rates) { NAN, NAN, NAN };
    if (p->style == PROGRESS_JSON) {
        json_t *j = json_cell(p, "cell_end");
        json_object_set_new(j, "status", json_string(cell_status_name(r->status)));
        json_object_set_new(j, "reason", r->reason ? json_string(r->reason) : json_null());
        json_rates(j, rates);
        print_json(j);
        return 0;
    }
    progress_end(p);
    fprintf(stderr, "[%u/%u] %s: ", p->cell->no + 1, p->plan->n_cells, cell_words(p));
    if (measured)
        fprintf(stderr, "%s", rate_words(p, rates));
    if (r->status != CELL_DONE)
        fprintf(stderr, "%s%s%s%s", measured ? " · " : "", cell_status_name(r->status),
                r->reason ? ": " : "", r->reason ? r->reason : "");
    fputc('\n', stderr);
    return 0;
}

static int on_event(void *self, const struct event *ev, struct error *e)
{
    (void)e;
    struct progress *p = self;
    if (p->style == PROGRESS_JSON) {
        print_json(json_pack("{s:s, s:s, s:s, s:s}", "event", "message", "severity",
                             severity_name(ev->severity), "code", ev->code, "what", ev->what));
        return 0;
    }
    if (ev->severity == EVENT_NOTE)
        return 0;
    progress_end(p);
    fprintf(stderr, "%s: %s\n", severity_name(ev->severity), ev->what);
    return 0;
}

static const struct sink_ops ops = {
    .target = on_target,
    .cell_begin = on_cell_begin,
    .interval = on_interval,
    .event = on_event,
    .cell_end = on_cell_end,
};

struct progress *progress_new(struct arena *a, const struct plan *plan, enum progress_style style)
{
    struct progress *p = arena_one(a, struct progress);
    p->a = a;
    p->plan = plan;
    p->style = style;
    p->targets = arena_array(a, const char *, plan->n_targets);
    for (uint32_t i = 0; i < plan->n_cells; i++)
        p->left_ns += cell_time_ns(&plan->cells[i]);
    return p;
}

struct sink progress_sink(struct progress *p)
{
    return (struct sink) { .ops = &ops, .self = p };
}

static void on_layout(void *ctx, const char *target, uint64_t done, uint64_t total)
{
    enum { REDRAW_NS = 100 * NS_PER_MS };
    struct progress *p = ctx;
    bool last = done == total;
    uint64_t now = clock_mono_ns();
    if (p->style != PROGRESS_LIVE || (!last && now - p->layout_at < REDRAW_NS))
        return;
    p->layout_at = now;
    draw(p, arena_printf(p->a, "writing test data of %s: %s of %s", target, fmt_bytes(done).s,
                         fmt_bytes(total).s));
}

static void on_idle(void *ctx, const struct cell *next, uint64_t done_ns)
{
    struct progress *p = ctx;
    if (p->style != PROGRESS_LIVE)
        return;
    uint64_t pause = next->idle_ns - done_ns;
    uint64_t left = p->left_ns - (done_ns < p->left_ns ? done_ns : p->left_ns);
    draw(p, arena_printf(p->a, "[%u/%u] %s: idle for %s · %s left", next->no + 1, p->plan->n_cells,
                         p->targets[next->target], fmt_span_ns(pause - pause % NS_PER_S).s,
                         fmt_span_ns(left - left % NS_PER_S).s));
}

struct runner_watch progress_watch(struct progress *p)
{
    return (struct runner_watch) { .layout = on_layout, .idle = on_idle, .ctx = p };
}

enum progress_style progress_choose(bool json)
{
    const char *term = getenv("TERM");
    if (json)
        return PROGRESS_JSON;
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0 ? PROGRESS_LIVE
                                                                      : PROGRESS_LINES;
}
