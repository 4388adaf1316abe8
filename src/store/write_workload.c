#include <string.h>

#include "base/str.h"
#include "store/writer.h"

enum { KEY_LIMIT = 1 << 20 };

static const char *key_of(struct arena *a, const struct workload *load)
{
    struct str s = str_new(KEY_LIMIT);
    str_printf(&s, "%s\n%s\n", load->id, load->title ? load->title : "");
    for (uint32_t i = 0; i < load->n_lines; i++) {
        const struct access_line *l = &load->lines[i];
        str_printf(&s, "%u %u %u %u %u %llu %llu %llu %u %d %u %d %a\n", l->share_bp, l->size,
                   l->read_bp, l->random_bp, l->burst, (unsigned long long)l->delay_ns,
                   (unsigned long long)l->align, (unsigned long long)l->stride, l->trim_bp,
                   (int)l->sync, l->sync_every, (int)l->distribution, l->distribution_param);
    }
    const char *key = arena_strdup(a, s.at);
    str_done(&s);
    return key;
}

/* "none", "dsync", "fsync:8"; "mixed" if the lines differ. */
static const char *sync_of(struct arena *a, const struct workload *load)
{
    const char *sync = "none";
    for (uint32_t i = 0; i < load->n_lines; i++) {
        const struct access_line *l = &load->lines[i];
        const char *name = sync_kind_name(l->sync);
        const char *this = l->sync >= SYNC_FDATASYNC ? arena_printf(a, "%s:%u", name, l->sync_every)
                                                     : name;
        if (i > 0 && strcmp(sync, this) != 0)
            return "mixed";
        sync = this;
    }
    return sync;
}

void know_workload(struct writer *w, const struct workload *load, int64_t id)
{
    *array_push(&w->workloads) = (struct known_workload) {
        .id = id,
        .key = key_of(w->arena, load),
        .size = workload_mean_size(load),
        .read_pct = workload_read_percent(load),
        .random_pct = workload_random_percent(load),
        .sync = sync_of(w->arena, load),
    };
}

int write_workload(struct writer *w, const struct workload *load, struct error *e)
{
    int64_t no = (int64_t)w->workloads.n;
    if (db_run(w->store, ST_WORKLOAD_INSERT, e, v_int(w->run), v_int(no), v_text(load->id),
               v_text(load->title)))
        return -1;
    int64_t id = sqlite3_last_insert_rowid(w->store->db);
    know_workload(w, load, id);
    for (uint32_t i = 0; i < load->n_lines; i++) {
        const struct access_line *l = &load->lines[i];
        if (db_run(w->store, ST_LINE_INSERT, e, v_int(id), v_int(i), v_int(l->share_bp),
                   v_int(l->size), v_int(l->read_bp), v_int(l->random_bp), v_int(l->burst),
                   v_u64(l->delay_ns), v_u64(l->align), v_u64(l->stride), v_int(l->trim_bp),
                   v_text(sync_kind_name(l->sync)), v_int(l->sync_every),
                   v_text(distribution_name(l->distribution)), v_real(l->distribution_param)))
            return -1;
    }
    return 0;
}

int find_workload(struct writer *w, const struct cell_begin *c, const struct known_workload **ret,
                  struct error *e)
{
    const char *key = key_of(w->arena, c->workload);
    size_t first = c->cell->workload;
    if (first < w->workloads.n && !strcmp(w->workloads.at[first].key, key)) {
        *ret = &w->workloads.at[first];
        return 0;
    }
    for (size_t i = 0; i < w->workloads.n; i++)
        if (!strcmp(w->workloads.at[i].key, key)) {
            *ret = &w->workloads.at[i];
            return 0;
        }
    if (write_workload(w, c->workload, e))
        return -1;
    *ret = &w->workloads.at[w->workloads.n - 1];
    return 0;
}
