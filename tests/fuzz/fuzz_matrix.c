#include <stdlib.h>
#include <string.h>

#include "matrix/matrix.h"

/* Any text: a matrix with sane cells, or a message. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_cell(const struct plan *p, const struct cell *c, uint32_t no)
{
    const struct workload *w = &p->workloads[c->workload];
    uint64_t share = 0;
    require(c->no == no && c->workload < p->n_workloads && c->point < p->n_points);
    require(c->target < p->n_targets && c->rep >= 1 && c->rep <= p->repeat);
    require(c->queue_depth >= 1 && c->queue_depth <= PLAN_MAX_QUEUE_DEPTH);
    require(c->workers >= 1 && c->workers <= PLAN_MAX_WORKERS);
    require(c->duration_ns > 0 && c->interval_ns > 0 && c->interval_ns <= c->duration_ns);
    require(w->n_lines >= 1 && w->n_lines <= PLAN_MAX_LINES);
    for (uint32_t i = 0; i < w->n_lines; i++) {
        const struct access_line *l = &w->lines[i];
        share += l->share_bp;
        require(l->size >= PLAN_MIN_SIZE && l->size <= PLAN_MAX_SIZE &&
                l->size % PLAN_MIN_SIZE == 0);
        require(l->read_bp <= 10000 && l->random_bp <= 10000);
    }
    require(share == 10000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct matrix *m = NULL;
    struct error e = { 0 };
    if (matrix_parse(a, "fuzz.xml", (const char *)data, size, &m, &e)) {
        require(e.code == QD_E_FORMAT && e.where[0] && e.what[0] && !m);
    } else {
        const struct plan_options o = { .n_targets = 2 };
        struct plan p;
        if (!matrix_expand(a, m, &o, &p, &e)) {
            require(p.n_cells <= PLAN_MAX_CELLS);
            require(strlen(p.matrix_xml) == size && !memcmp(p.matrix_xml, data, size));
            for (uint32_t i = 0; i < p.n_cells; i++)
                check_cell(&p, &p.cells[i], i);
        } else {
            require(e.code == QD_E_USAGE);
        }
    }
    arena_free(a);
    return 0;
}
