#include "runner/config_hash.h"

#include <inttypes.h>
#include <sha256.h>

#include "base/oom.h"
#include "base/str.h"
#include "engine/engine.h"

enum { HASH_TEXT_LIMIT = 256 << 20, HASH_DIGITS = 12 };

static void put_workload(struct str *s, const struct workload *w)
{
    str_printf(s, "workload %s\n", w->id);
    for (uint32_t i = 0; i < w->n_lines; i++) {
        const struct access_line *l = &w->lines[i];
        str_printf(s, "%u %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %d %u %d %.17g\n",
                   l->share_bp, l->size, l->read_bp, l->random_bp, l->burst, l->delay_ns, l->align,
                   l->stride, l->trim_bp, (int)l->sync, l->sync_every, (int)l->distribution,
                   l->distribution_param);
    }
}

static void put_cell(struct str *s, const struct cell *c)
{
    str_printf(s,
               "%u %u %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %" PRIu64
               " %d %u %u %d %.17g %d %d %" PRIu64 "\n",
               c->point, c->workload, c->queue_depth, c->workers, c->rep, c->round, c->duration_ns,
               c->ramp_ns, c->interval_ns, c->span_bytes, c->span_bp, c->span_offset,
               (int)c->fill.kind, c->fill.percent, c->fill.pattern_bytes, (int)c->rate.kind,
               c->rate.value, c->rate.poisson, c->direct, c->seed);
    if (c->idle_ns)
        str_printf(s, "idle %" PRIu64 "\n", c->idle_ns);
    if (c->trace)
        str_printf(s, "trace %zu %016" PRIx64 "\n", c->trace->n, c->trace->digest);
    for (uint32_t i = 0; i < c->fill.pattern_bytes; i++)
        str_printf(s, "%02x", c->fill.pattern[i]);
}

const char *config_hash(struct arena *a, const struct plan *p)
{
    struct str s = str_new(HASH_TEXT_LIMIT);
    str_printf(&s, "engine %s choice %d order %d span %" PRIu64 "\n", ENGINE_VERSION,
               (int)p->engine, (int)p->order, p->span_bytes);
    for (uint32_t i = 0; i < p->n_workloads; i++)
        put_workload(&s, &p->workloads[i]);
    for (uint32_t i = 0; i < p->n_cells; i++)
        if (p->cells[i].target == 0)
            put_cell(&s, &p->cells[i]);
    char hex[SHA256_DIGEST_STRING_LENGTH];
    SHA256Data((const uint8_t *)s.at, s.n, hex);
    str_done(&s);
    return arena_strndup(a, hex, HASH_DIGITS);
}
