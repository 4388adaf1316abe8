#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fmt.h"
#include "base/str.h"
#include "matrix/order.h"
#include "matrix/spec.h"

/* What a replay at recorded times may be late. */
#define TRACE_GRACE_NS (10 * NS_PER_S)

struct expansion {
    struct arena *a;
    const struct matrix *m;
    const struct plan_options *o;
    struct axis depths; /* of the options; n = 0: none */
    struct error *e;
};

/* The axes of one workload, the slowest first. */
struct product {
    const struct axis *axes[SET_N_SWEEPABLE];
    uint32_t n;
    uint64_t points;
};

static int check_limits(const struct plan_options *o, struct error *e)
{
    const struct {
        const char *option;
        enum setting_id id;
        uint64_t u;
        bool given;
    } rows[] = {
        { "--duration", SET_DURATION, o->duration_ns, o->duration_ns },
        { "--ramp", SET_RAMP, o->ramp_ns, o->has_ramp },
        { "--interval", SET_INTERVAL, o->interval_ns, o->interval_ns },
        { "--workers", SET_WORKERS, o->workers, o->workers },
        { "--repeat", SET_REPEAT, o->repeat, o->repeat },
    };
    for (size_t i = 0; i < countof(rows); i++) {
        if (!rows[i].given || setting_within(rows[i].id, rows[i].u))
            continue;
        struct str s = str_new(256);
        str_printf(&s, "%s ", rows[i].option);
        setting_put(rows[i].id, rows[i].u, &s);
        str_put(&s, ": expected ");
        setting_put_range(rows[i].id, &s);
        error_set(e, QD_E_USAGE, "%s", s.at);
        str_done(&s);
        return -1;
    }
    return 0;
}

static int check_depths(const struct plan_options *o, struct error *e)
{
    for (uint32_t i = 0; i < o->n_queue_depths; i++) {
        uint32_t depth = o->queue_depths[i];
        if (depth < 1 || depth > PLAN_MAX_QUEUE_DEPTH)
            return error_set(e, QD_E_USAGE, "--queue-depth %" PRIu32 ": expected 1 to %d", depth,
                             PLAN_MAX_QUEUE_DEPTH);
        for (uint32_t j = 0; j < i; j++)
            if (o->queue_depths[j] == depth)
                return error_set(e, QD_E_USAGE, "--queue-depth %" PRIu32 " is given twice", depth);
    }
    return 0;
}

static int check_span(const struct matrix *m, uint64_t span, struct error *e)
{
    for (uint32_t i = 0; span && i < m->n_variants; i++) {
        uint32_t size = workload_max_size(&m->variants[i]);
        if (size > span)
            return error_set(e, QD_E_USAGE,
                             "--size %s is smaller than one I/O of workload '%s' (%s)",
                             fmt_bytes(span).s, m->variants[i].id, fmt_bytes(size).s);
    }
    return 0;
}

static int check_options(const struct matrix *m, const struct plan_options *o, struct error *e)
{
    if (o->n_targets < 1 || o->n_targets > PLAN_MAX_TARGETS)
        return error_set(e, QD_E_USAGE, "%" PRIu32 " targets: expected 1 to %d", o->n_targets,
                         PLAN_MAX_TARGETS);
    if (check_limits(o, e) || check_depths(o, e))
        return -1;
    return check_span(m, o->span_bytes, e);
}

static void override(struct value *v, uint64_t u)
{
    if (u)
        v->u = u;
}

/* What holds for a workload before the sweep: defaults, what it says itself, options. */
static void settings_of(const struct expansion *x, const struct work *w, struct value *at)
{
    memcpy(at, x->m->defaults.v, sizeof x->m->defaults.v);
    for (int id = 0; id < SET_COUNT; id++)
        if (w->own.has & setting_bit(id))
            at[id] = w->own.v[id];
    override(&at[SET_DURATION], x->o->duration_ns);
    override(&at[SET_INTERVAL], x->o->interval_ns);
    override(&at[SET_WORKERS], x->o->workers);
    override(&at[SET_REPEAT], x->o->repeat);
    if (x->o->has_ramp)
        at[SET_RAMP].u = x->o->ramp_ns;
}

static void product_add(struct product *p, const struct axis *axis)
{
    p->axes[p->n++] = axis;
    p->points = saturating_mul(p->points, axis->n);
}

static struct product product_of(const struct expansion *x, const struct work *w)
{
    struct product p = { .points = 1 };
    bool depths = x->depths.n > 0;
    for (uint32_t i = 0; i < x->m->n_axes; i++) {
        const struct axis *axis = &x->m->axes[i];
        if (axis->id == SET_QUEUE_DEPTH && depths) {
            product_add(&p, &x->depths);
            depths = false;
        } else if (w->swept & setting_bit(axis->id) &&
                   !(axis->id == SET_WORKERS && x->o->workers)) {
            product_add(&p, axis);
        }
    }
    if (depths)
        product_add(&p, &x->depths);
    return p;
}

static struct cell point_cell(const struct value *at)
{
    return (struct cell) {
        .queue_depth = (uint32_t)at[SET_QUEUE_DEPTH].u,
        .workers = (uint32_t)at[SET_WORKERS].u,
        .duration_ns = at[SET_DURATION].u,
        .ramp_ns = at[SET_RAMP].u,
        .interval_ns = at[SET_INTERVAL].u < at[SET_DURATION].u ? at[SET_INTERVAL].u
                                                               : at[SET_DURATION].u,
        .span_bytes = at[SET_SPAN].kind ? 0 : at[SET_SPAN].u,
        .span_bp = at[SET_SPAN].kind ? (uint32_t)at[SET_SPAN].u : 0,
        .span_offset = at[SET_SPAN_OFFSET].u,
        .fill = at[SET_FILL].fill,
        .rate = { .kind = at[SET_RATE].kind,
                  .value = at[SET_RATE].d,
                  .poisson = at[SET_RATE].kind != RATE_NONE && at[SET_ARRIVALS].u },
        .direct = at[SET_DIRECT].u,
    };
}

/* A replay begins with its first I/O and ends with its last. At recorded times it may take a little longer than the recording; as
 * fast as possible it has the time of any other cell. */
static void follow_trace(const struct expansion *x, const struct work *w, struct cell *c)
{
    bool given = x->o->duration_ns || w->own.has & setting_bit(SET_DURATION);
    c->trace = w->trace;
    c->ramp_ns = 0;
    c->workers = 1;
    c->rate = (struct rate) { .kind = w->trace->speed > 0 ? RATE_RECORDED : RATE_NONE,
                              .value = w->trace->speed };
    if (w->trace->speed > 0 && !given)
        c->duration_ns = trace_length_ns(w->trace) + TRACE_GRACE_NS;
    c->duration_ns = c->duration_ns ? c->duration_ns : NS_PER_S;
    if (c->interval_ns > c->duration_ns)
        c->interval_ns = c->duration_ns;
}

/* The point'th of a workload: digits of a number whose last digit is the fastest axis. */
static struct point make_point(const struct expansion *x, const struct work *w,
                               const struct product *p, uint64_t point)
{
    struct value at[SET_COUNT];
    uint64_t variant = 0;
    uint64_t weight = 1;
    settings_of(x, w, at);
    for (uint32_t i = p->n; i-- > 0;) {
        const struct axis *axis = p->axes[i];
        uint64_t digit = point % axis->n;
        point /= axis->n;
        at[axis->id] = axis->at[digit];
        if (VARIANT_AXES & setting_bit(axis->id)) {
            variant += digit * weight;
            weight *= axis->n;
        }
    }
    struct point made = { .cell = point_cell(at), .repeat = (uint32_t)at[SET_REPEAT].u };
    made.cell.idle_ns = w->idle_ns;
    made.cell.workload = w->first_variant + (uint32_t)variant;
    if (w->trace)
        follow_trace(x, w, &made.cell);
    return made;
}

static uint64_t repeat_of(const struct expansion *x, const struct work *w)
{
    struct value at[SET_COUNT];
    settings_of(x, w, at);
    return at[SET_REPEAT].u;
}

static int count_points(const struct expansion *x, uint64_t *ret_points)
{
    uint64_t cells = 0;
    uint64_t points = 0;
    for (uint32_t i = 0; i < x->m->n_works; i++) {
        const struct work *w = &x->m->works[i];
        uint64_t n = product_of(x, w).points;
        uint64_t c = saturating_mul(saturating_mul(n, repeat_of(x, w)), x->o->n_targets);
        if (c > PLAN_MAX_CELLS || (cells += c) > PLAN_MAX_CELLS)
            return error_set(
                x->e, QD_E_USAGE,
                "matrix '%s' on %" PRIu32 " %s has more than %d cells: the limit is %d", x->m->name,
                x->o->n_targets, x->o->n_targets == 1 ? "target" : "targets", PLAN_MAX_CELLS,
                PLAN_MAX_CELLS);
        points += n;
    }
    *ret_points = points;
    return 0;
}

static int make_points(const struct expansion *x, struct points *ret, uint32_t *ret_repeat)
{
    uint64_t n = 0;
    if (count_points(x, &n))
        return -1;
    struct point *at = arena_array(x->a, struct point, n);
    *ret = (struct points) { .at = at };
    *ret_repeat = 0;
    for (uint32_t i = 0; i < x->m->n_works; i++) {
        const struct work *w = &x->m->works[i];
        struct product p = product_of(x, w);
        for (uint64_t k = 0; k < p.points; k++) {
            struct point *made = &at[ret->n];
            *made = make_point(x, w, &p, k);
            made->cell.point = ret->n++;
            ret->cells += made->repeat;
            if (made->repeat > *ret_repeat)
                *ret_repeat = made->repeat;
        }
    }
    return 0;
}

/* The pauses, in words for the method. */
static void put_idle(const struct matrix *m, struct str *s)
{
    bool same = true;
    for (uint32_t i = 1; i < m->n_works; i++)
        same &= m->works[i].idle_ns == m->works[0].idle_ns;
    for (uint32_t i = 0; i < (same ? 1 : m->n_works); i++) {
        const struct work *w = &m->works[i];
        if (!w->idle_ns)
            continue;
        str_printf(s, "%sIdle for %s before each cell", s->n ? " " : "", fmt_span_ns(w->idle_ns).s);
        if (!same)
            str_printf(s, " of %s", m->variants[w->first_variant].title);
        str_put(s, ".");
    }
}

static const char *method_with_idle(const struct expansion *x)
{
    struct str s = str_new(1 << 20);
    str_put(&s, x->m->method);
    put_idle(x->m, &s);
    const char *text = arena_strndup(x->a, s.at, s.n);
    str_done(&s);
    return text;
}

/* The method's text speaks of the file; what the command line changed is said behind it. */
static const char *method_of(const struct expansion *x)
{
    const struct plan_options *o = x->o;
    struct str s = str_new(65536);
    const char *comma = "";
    if (o->duration_ns) {
        str_printf(&s, "measured for %s", fmt_span_ns(o->duration_ns).s);
        comma = ", ";
    }
    if (o->has_ramp) {
        str_printf(&s, "%sramp %s", comma, fmt_span_ns(o->ramp_ns).s);
        comma = ", ";
    }
    if (o->workers) {
        str_printf(&s, "%s%s", comma, fmt_plural(o->workers, "worker").s);
        comma = ", ";
    }
    if (o->repeat) {
        str_printf(&s, "%s%s", comma, fmt_plural(o->repeat, "repetition").s);
        comma = ", ";
    }
    for (uint32_t i = 0; i < o->n_queue_depths; i++)
        str_printf(&s, "%s%" PRIu32,
                   i        ? " "
                   : *comma ? ", queue depths "
                            : "queue depths ",
                   o->queue_depths[i]);
    const char *method = method_with_idle(x);
    if (s.n)
        method = arena_printf(x->a, "%s%sFor this run: %s.", method, *method ? " " : "", s.at);
    str_done(&s);
    return method;
}

int matrix_expand(struct arena *a, const struct matrix *m, const struct plan_options *o,
                  struct plan *ret, struct error *e)
{
    struct expansion x = { .a = a, .m = m, .o = o, .e = e };
    struct points points;
    uint32_t repeat = 0;
    if (check_options(m, o, e))
        return -1;
    if (o->n_queue_depths) {
        struct value *at = arena_array(a, struct value, o->n_queue_depths);
        for (uint32_t i = 0; i < o->n_queue_depths; i++)
            at[i].u = o->queue_depths[i];
        x.depths = (struct axis) { .id = SET_QUEUE_DEPTH, .at = at, .n = o->n_queue_depths };
    }
    if (make_points(&x, &points, &repeat))
        return -1;

    uint64_t seed = o->seed ? o->seed : m->seed;
    *ret = (struct plan) {
        .name = m->name,
        .title = m->title,
        .method = method_of(&x),
        .report = m->report,
        .matrix_xml = m->xml,
        .workloads = m->variants,
        .n_workloads = m->n_variants,
        .cells = order_cells(a, &points, o->n_targets, m->order, seed),
        .n_cells = (uint32_t)(points.cells * o->n_targets),
        .n_targets = o->n_targets,
        .n_points = points.n,
        .repeat = repeat,
        .order = m->order,
        .engine = o->engine,
        .seed = seed,
        .span_bytes = o->span_bytes,
        .writes = m->writes,
    };
    return 0;
}
