#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fmt.h"
#include "base/parse.h"
#include "matrix/spec.h"
#include "matrix/trace.h"
#include "matrix/xml.h"

struct loader {
    struct arena *a;
    const char *file;
    struct matrix *m;
    struct error *e;
};

/* A line of a workload before the sweep fills its gaps. */
struct draft {
    struct access_line line;
    uint32_t open; /* bits of VARIANT_AXES it leaves to the sweep */
};

enum { AXIS_MAX_VALUES = 1024 };
#define IDLE_MAX_NS (86400 * NS_PER_S) /* times PLAN_MAX_CELLS within 64 bits */

static uint32_t count_children(const xmlNode *parent, const char *name)
{
    uint32_t n = 0;
    for (const xmlNode *c = xml_first(parent); c; c = xml_next(c))
        n += xml_is(c, name);
    return n;
}

static const xmlNode *child(const xmlNode *parent, const char *name)
{
    const xmlNode *c = xml_first(parent);
    while (c && !xml_is(c, name))
        c = xml_next(c);
    return c;
}

static const char *expected(struct loader *l, enum setting_id id)
{
    struct str s = str_new(512);
    setting_expected(id, &s);
    const char *text = arena_strdup(l->a, s.at);
    str_done(&s);
    return text;
}

static int read_settings(struct loader *l, const xmlNode *node, enum setting_place place,
                         struct settings *ret)
{
    for (int id = 0; id < SET_COUNT; id++) {
        const char *text = setting_in(id, place) ? xml_attr(l->a, node, setting_name(id)) : NULL;
        if (!text)
            continue;
        if (!setting_read(id, text, &ret->v[id]))
            return error_at(l->e, l->file, xml_line(node), "<%s> %s '%s': expected %s",
                            xml_name(node), setting_name(id), xml_shown(l->a, text),
                            expected(l, id));
        ret->has |= setting_bit(id);
    }
    return 0;
}

/* sweep */

static int axis_add(struct loader *l, const xmlNode *node, const char *text, struct axis *axis,
                    struct value *at)
{
    struct value v;
    if (axis->n == AXIS_MAX_VALUES)
        return error_at(l->e, l->file, axis->line, "<%s> has more than %d values", xml_name(node),
                        AXIS_MAX_VALUES);
    if (!setting_read(axis->id, text, &v))
        return error_at(l->e, l->file, axis->line, "<%s> '%s': expected %s", xml_name(node),
                        xml_shown(l->a, text), expected(l, axis->id));
    for (uint32_t i = 0; i < axis->n; i++)
        if (value_equal(&at[i], &v))
            return error_at(l->e, l->file, axis->line, "<%s> has the value '%s' twice",
                            xml_name(node), text);
    at[axis->n++] = v;
    return 0;
}

static int read_axis(struct loader *l, const xmlNode *node, struct axis *axis)
{
    char word[256];
    struct value *at = arena_array(l->a, struct value, AXIS_MAX_VALUES);
    const char *list = xml_text(l->a, node);
    int id = setting_find(xml_name(node));
    if (xml_is(node, "filesystem"))
        return error_at(l->e, l->file, xml_line(node), "<sweep> has <filesystem> twice");
    if (id < 0 || !setting_in(id, IN_SWEEP))
        return error_at(l->e, l->file, xml_line(node), "<%s> cannot be swept", xml_name(node));
    axis->id = id;
    axis->line = xml_line(node);
    axis->at = at;
    while (parse_next(&list, word, sizeof word))
        if (axis_add(l, node, word, axis, at))
            return -1;
    return 0;
}

static int read_sweep(struct loader *l, const xmlNode *sweep)
{
    struct axis *axes = arena_array(l->a, struct axis, SET_N_SWEEPABLE);
    uint32_t seen = 0;
    l->m->axes = axes;
    for (const xmlNode *c = sweep ? xml_first(sweep) : NULL; c; c = xml_next(c)) {
        struct axis axis = { 0 };
        if (xml_is(c, "filesystem") && c == child(sweep, "filesystem"))
            continue;
        if (read_axis(l, c, &axis))
            return -1;
        if (seen & setting_bit(axis.id))
            return error_at(l->e, l->file, axis.line, "<sweep> has <%s> twice", xml_name(c));
        seen |= setting_bit(axis.id);
        axes[l->m->n_axes++] = axis;
    }
    return 0;
}

static uint32_t axes_of_sweep(const struct matrix *m)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < m->n_axes; i++)
        bits |= setting_bit(m->axes[i].id);
    return bits;
}

/* access */

static void line_set(struct access_line *line, enum setting_id id, const struct value *v)
{
    switch (id) {
    case SET_SHARE:
        line->share_bp = (uint32_t)v->u;
        break;
    case SET_SIZE:
        line->size = (uint32_t)v->u;
        break;
    case SET_READ:
        line->read_bp = (uint32_t)v->u;
        break;
    case SET_RANDOM:
        line->random_bp = (uint32_t)v->u;
        break;
    case SET_ALIGN:
        line->align = v->u;
        break;
    case SET_DELAY:
        line->delay_ns = v->u;
        break;
    case SET_BURST:
        line->burst = (uint32_t)v->u;
        break;
    case SET_STRIDE:
        line->stride = v->u;
        break;
    case SET_TRIM:
        line->trim_bp = (uint32_t)v->u;
        break;
    case SET_SYNC:
        line->sync = v->kind;
        line->sync_every = (uint32_t)v->u;
        break;
    case SET_DISTRIBUTION:
        line->distribution = v->kind;
        line->distribution_param = v->d;
        break;
    default:
        break;
    }
}

static int read_access(struct loader *l, const xmlNode *node, bool alone, struct draft *ret)
{
    static const enum setting_id needed[] = { SET_SHARE, SET_SIZE, SET_READ, SET_RANDOM };
    uint32_t sweep = axes_of_sweep(l->m);
    struct settings s = { 0 };
    if (read_settings(l, node, IN_ACCESS, &s))
        return -1;
    for (size_t i = 0; i < countof(needed); i++) {
        uint32_t bit = setting_bit(needed[i]);
        bool can_be_swept = bit & VARIANT_AXES;
        if (s.has & bit || (alone && needed[i] == SET_SHARE) || (can_be_swept && sweep & bit))
            continue;
        return error_at(l->e, l->file, xml_line(node), "<access> has no %s: expected %s%s",
                        setting_name(needed[i]), expected(l, needed[i]),
                        can_be_swept ? ", here or in <sweep>" : "");
    }
    ret->line = (struct access_line) { .share_bp = 10000, .burst = 1 };
    ret->open = VARIANT_AXES & ~s.has;
    for (int id = 0; id < SET_COUNT; id++)
        if (s.has & setting_bit(id))
            line_set(&ret->line, id, &s.v[id]);
    return 0;
}

/* procedure */

/* *ret is left as it is where the parent has no <idle>. */
static int read_idle(struct loader *l, const xmlNode *parent, uint64_t *ret)
{
    const xmlNode *node = child(parent, "idle");
    const char *text = node ? xml_attr(l->a, node, "duration") : NULL;
    struct error ignored = { 0 };
    if (!text || (parse_duration(text, ret, &ignored) == 0 && *ret <= IDLE_MAX_NS))
        return 0;
    return error_at(l->e, l->file, xml_line(node), "<idle> duration '%s': expected a time up to 1d",
                    xml_shown(l->a, text));
}

/* workload */

static int read_lines(struct loader *l, const xmlNode *node, uint32_t n, struct draft *drafts)
{
    uint32_t i = 0;
    uint32_t sum = 0;
    for (const xmlNode *c = xml_first(node); c; c = xml_next(c)) {
        if (!xml_is(c, "access"))
            continue;
        if (i == PLAN_MAX_LINES)
            return error_at(l->e, l->file, xml_line(c),
                            "<access> line %" PRIu32 " of a workload: the limit is %d", i + 1,
                            PLAN_MAX_LINES);
        if (read_access(l, c, n == 1, &drafts[i]))
            return -1;
        sum += drafts[i++].line.share_bp;
    }
    if (sum != 10000)
        return error_at(
            l->e, l->file, xml_line(node),
            "<workload> shares of its <access> lines sum to %s: expected exactly 100 %%",
            fmt_bp(sum).s);
    return 0;
}

/* A file's name that does not begin at the root is looked for beside the matrix. */
static const char *beside(struct loader *l, const char *name)
{
    const char *slash = strrchr(l->file, '/');
    if (*name == '/' || !slash)
        return name;
    return arena_printf(l->a, "%.*s%s", (int)(slash + 1 - l->file), l->file, name);
}

static int read_trace(struct loader *l, const xmlNode *node, struct draft *ret,
                      const struct trace **ret_trace)
{
    const char *speed = xml_attr(l->a, node, "speed");
    struct trace *trace = NULL;
    struct trace_source source = {
        .path = beside(l, xml_attr(l->a, node, "file")),
        .format = trace_format_of(xml_attr(l->a, node, "format")),
        .speed = 1,
    };
    if (speed && !strcmp(speed, "fastest"))
        source.speed = 0;
    else if (speed && strcmp(speed, "recorded") != 0 &&
             (parse_double(speed, &source.speed, l->e) || source.speed < 0.001 ||
              source.speed > 1e6))
        return error_at(l->e, l->file, xml_line(node),
                        "<trace> speed '%s': expected recorded, fastest or a factor from 0.001 to "
                        "1000000",
                        xml_shown(l->a, speed));
    if (trace_load(l->a, &source, &trace, l->e))
        return error_wrap(l->e, "<trace> in line %ld of %s", xml_line(node), l->file);
    ret->line = trace_line(trace);
    *ret_trace = trace;
    return 0;
}

/* The sweep's size, read and random in place of what the lines leave open; pick[] is by axis. */
static const struct access_line *variant_lines(struct loader *l, const struct draft *drafts,
                                               uint32_t n, const uint32_t *pick)
{
    struct access_line *lines = arena_array(l->a, struct access_line, n);
    for (uint32_t i = 0; i < n; i++) {
        lines[i] = drafts[i].line;
        for (uint32_t x = 0; x < l->m->n_axes; x++) {
            const struct axis *axis = &l->m->axes[x];
            if (drafts[i].open & setting_bit(axis->id))
                line_set(&lines[i], axis->id, &axis->at[pick[x]]);
        }
    }
    return lines;
}

static void make_variants(struct loader *l, const struct work *w, const struct draft *drafts,
                          struct workload *at)
{
    const struct workload first = at[0];
    for (uint32_t v = 0; v < w->n_variants; v++) {
        uint32_t pick[SET_N_SWEEPABLE] = { 0 };
        uint32_t rest = v;
        for (uint32_t x = l->m->n_axes; x-- > 0;) {
            const struct axis *axis = &l->m->axes[x];
            if (w->swept & VARIANT_AXES & setting_bit(axis->id)) {
                pick[x] = rest % axis->n;
                rest /= axis->n;
            }
        }
        at[v] = first;
        at[v].lines = variant_lines(l, drafts, first.n_lines, pick);
    }
}

static int read_identity(struct loader *l, const xmlNode *node, const struct work *works,
                         uint32_t n, struct workload *ret)
{
    ret->id = xml_attr(l->a, node, "id");
    ret->title = xml_attr(l->a, node, "title");
    if (!ret->title)
        ret->title = ret->id;
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(l->m->variants[works[i].first_variant].id, ret->id))
            return error_at(l->e, l->file, xml_line(node),
                            "<workload> id '%s' is already used in line %ld", ret->id,
                            works[i].line);
    return 0;
}

/* Reads one workload; its variants follow those already in variants[]. */
static int read_work(struct loader *l, const xmlNode *node, struct work *w,
                     struct workload *variants)
{
    struct matrix *m = l->m;
    struct workload *first = &variants[m->n_variants];
    const xmlNode *trace = child(node, "trace");
    uint32_t n = trace ? 1 : count_children(node, "access");
    struct draft *drafts = arena_array(l->a, struct draft, n < PLAN_MAX_LINES ? n : PLAN_MAX_LINES);
    uint64_t n_variants = 1;
    uint32_t open = 0;

    w->line = xml_line(node);
    w->first_variant = m->n_variants;
    w->idle_ns = m->idle_ns;
    if (read_identity(l, node, m->works, m->n_works, first) || read_idle(l, node, &w->idle_ns) ||
        read_settings(l, node, IN_SETTINGS, &w->own) ||
        (trace ? read_trace(l, trace, drafts, &w->trace) : read_lines(l, node, n, drafts)))
        return -1;
    first->n_lines = n;
    for (uint32_t i = 0; i < n; i++)
        open |= drafts[i].open;
    for (uint32_t i = 0; i < m->n_axes; i++) {
        uint32_t bit = setting_bit(m->axes[i].id);
        if (bit & VARIANT_AXES ? !(open & bit) : w->own.has & bit)
            continue;
        w->swept |= bit;
        if (bit & VARIANT_AXES)
            n_variants = saturating_mul(n_variants, m->axes[i].n);
    }
    if (n_variants > PLAN_MAX_WORKLOADS - m->n_variants)
        return error_at(
            l->e, l->file, w->line,
            "<workload> '%s': more than %d workloads, each combination of swept size, read "
            "and random counted; the limit is %d",
            first->id, PLAN_MAX_WORKLOADS, PLAN_MAX_WORKLOADS);
    w->n_variants = (uint32_t)n_variants;
    make_variants(l, w, drafts, first);
    m->n_variants += w->n_variants;
    return 0;
}

static int read_works(struct loader *l, const xmlNode *root)
{
    struct workload *variants = arena_array(l->a, struct workload, PLAN_MAX_WORKLOADS + 1);
    /* each workload makes a variant at least, so one too many is seen before the end of both */
    struct work *works = arena_array(l->a, struct work, PLAN_MAX_WORKLOADS + 1);
    l->m->variants = variants;
    l->m->works = works;
    for (const xmlNode *c = xml_first(root); c; c = xml_next(c)) {
        if (!xml_is(c, "workload"))
            continue;
        if (read_work(l, c, &works[l->m->n_works], variants))
            return -1;
        l->m->n_works++;
    }
    for (uint32_t i = 0; i < l->m->n_variants; i++)
        l->m->writes |= workload_writes(&variants[i]);
    return 0;
}

/* matrix */

static int read_root(struct loader *l, const xmlNode *root)
{
    struct matrix *m = l->m;
    const xmlNode *method = child(root, "method");
    const char *order = xml_attr(l->a, root, "order");
    const char *seed = xml_attr(l->a, root, "seed");
    struct error ignored = { 0 };

    m->name = xml_attr(l->a, root, "name");
    m->title = xml_attr(l->a, root, "title");
    m->report = xml_attr(l->a, root, "report");
    m->method = method ? xml_text(l->a, method) : "";
    if (!m->title)
        m->title = m->name;
    if (!m->report)
        m->report = "comparison";
    if (!strcmp(m->name, "latest"))
        return error_at(
            l->e, l->file, xml_line(root),
            "<matrix> name 'latest': expected another name, 'latest' means the last run");
    for (enum order_kind k = ORDER_AS_WRITTEN; order && k <= ORDER_RANDOM; k++)
        if (!strcmp(order, order_name(k)))
            m->order = k;
    m->seed = 1;
    if (seed && (parse_u64(seed, &m->seed, &ignored) || m->seed == 0))
        return error_at(l->e, l->file, xml_line(root),
                        "<matrix> seed '%s': expected a whole number from 1 to %" PRIu64, seed,
                        UINT64_MAX);
    return 0;
}

static int read_defaults(struct loader *l, const xmlNode *node)
{
    struct settings *defaults = &l->m->defaults;
    *defaults = *setting_builtin();
    return node ? read_settings(l, node, IN_SETTINGS, defaults) : 0;
}

static int check_axes_used(struct loader *l)
{
    const struct matrix *m = l->m;
    uint32_t used = 0;
    for (uint32_t i = 0; i < m->n_works; i++)
        used |= m->works[i].swept;
    for (uint32_t i = 0; i < m->n_axes; i++) {
        const char *name = setting_name(m->axes[i].id);
        if (!(used & setting_bit(m->axes[i].id)))
            return error_at(
                l->e, l->file, m->axes[i].line,
                "<%s> sweeps nothing: every workload sets its own %s (leave it out there)", name,
                name);
    }
    return 0;
}

static int check_size_of_matrix(struct loader *l, const xmlNode *root)
{
    const struct matrix *m = l->m;
    const xmlNode *sweep = child(root, "sweep");
    uint64_t cells = 0;
    for (uint32_t i = 0; i < m->n_works; i++) {
        const struct work *w = &m->works[i];
        const struct settings *s = w->own.has & setting_bit(SET_REPEAT) ? &w->own : &m->defaults;
        uint64_t n = s->v[SET_REPEAT].u;
        for (uint32_t x = 0; x < m->n_axes; x++)
            if (w->swept & setting_bit(m->axes[x].id))
                n = saturating_mul(n, m->axes[x].n);
        if (n > PLAN_MAX_CELLS || (cells += n) > PLAN_MAX_CELLS)
            return error_at(l->e, l->file, xml_line(sweep ? sweep : root),
                            "<%s> makes more than %d cells on one target: the limit is %d",
                            sweep ? "sweep" : "matrix", PLAN_MAX_CELLS, PLAN_MAX_CELLS);
    }
    return 0;
}

static int read_document(struct loader *l, const xmlNode *root)
{
    if (read_root(l, root) || read_defaults(l, child(root, "defaults")) ||
        read_sweep(l, child(root, "sweep")) || read_idle(l, root, &l->m->idle_ns) ||
        read_works(l, root))
        return -1;
    const xmlNode *sweep = child(root, "sweep");
    const struct target_source source = { .file = l->file,
                                          .targets = child(root, "targets"),
                                          .filesystem = sweep ? child(sweep, "filesystem") : NULL };
    if (read_targets(l->a, &source, l->m, l->e))
        return -1;
    return check_axes_used(l) || check_size_of_matrix(l, root) ? -1 : 0;
}

int matrix_read(struct arena *a, const struct xml_source *source, const struct unsupported *refused,
                struct matrix **ret, struct error *e)
{
    struct loader l = { .a = a, .file = source->file, .e = e };
    xmlDoc *doc = NULL;
    if (xml_read(source, &doc, e))
        return -1;
    const xmlNode *root = xmlDocGetRootElement(doc);
    l.m = arena_one(a, struct matrix);
    int rc = unsupported_check(refused, source->file, root, e) || read_document(&l, root) ? -1 : 0;
    xmlFreeDoc(doc);
    if (rc)
        return -1;
    l.m->xml = arena_strndup(a, source->text, source->n);
    *ret = l.m;
    return 0;
}

int matrix_parse(struct arena *a, const char *file, const char *text, size_t n, struct matrix **ret,
                 struct error *e)
{
    const struct xml_source source = { .file = file, .text = text, .n = n };
    return matrix_read(a, &source, matrix_unsupported, ret, e);
}

const char *matrix_name(const struct matrix *m)
{
    return m->name;
}

const char *matrix_title(const struct matrix *m)
{
    return m->title;
}

bool matrix_has_default_targets(const struct matrix *m)
{
    return !strcmp(m->name, "quick");
}

const char *matrix_source(const struct matrix *m)
{
    return m->source;
}

static const char *const nothing[] = { NULL };

const char *const *matrix_kept(const struct matrix *m)
{
    return m->kept ? m->kept : nothing;
}

const char *const *matrix_left_out(const struct matrix *m)
{
    return m->left_out ? m->left_out : nothing;
}

bool matrix_writes(const struct matrix *m)
{
    return m->writes;
}
