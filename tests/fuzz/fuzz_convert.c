#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matrix/matrix.h"

/* An Iometer configuration or a fio job file: a matrix whose XML can be read again, or a message. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_plan(struct arena *a, const struct matrix *m)
{
    const struct plan_options o = { .n_targets = 1 };
    struct error e = { 0 };
    struct plan p, again;
    struct matrix *copy = NULL;
    for (const char *const *at = matrix_left_out(m); *at; at++)
        require(**at);
    if (matrix_expand(a, m, &o, &p, &e)) {
        require(e.code == QD_E_USAGE);
        return;
    }
    require(!matrix_parse(a, "again.xml", p.matrix_xml, strlen(p.matrix_xml), &copy, &e));
    require(!matrix_expand(a, copy, &o, &again, &e));
    require(p.n_cells == again.n_cells && p.n_workloads == again.n_workloads);
    for (uint32_t i = 0; i < p.n_workloads; i++)
        require(*p.workloads[i].id && p.workloads[i].n_lines >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    struct error e = { 0 };
    struct matrix *m = NULL;
    snprintf(path, sizeof path, "/dev/shm/qd-fuzz-%d.icf", (int)getpid());
    FILE *to = fopen(path, "wb");
    require(to && fwrite(data, 1, size, to) == size);
    require(!fclose(to));
    struct arena *a = arena_new();
    if (!matrix_load(a, path, &m, &e))
        check_plan(a, m);
    else
        require(e.what[0] && !m);
    arena_free(a);
    unlink(path);
    return 0;
}
