#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "import/formats.h"
#include "import/import.h"

/* A file, its format told by its content; a first byte below 32 that ends no line chooses the format of the rest instead. Cells that a store would
 * take, or a message. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static int on_cell_begin(void *self, const struct cell_begin *c, struct error *e)
{
    (void)self;
    (void)e;
    uint64_t share = 0;
    require(c->cell->queue_depth >= 1 && c->cell->queue_depth <= PLAN_MAX_QUEUE_DEPTH);
    require(c->cell->workers >= 1 && c->cell->workers <= PLAN_MAX_WORKERS);
    require(c->workload->id && *c->workload->id && c->workload->n_lines >= 1);
    for (uint32_t i = 0; i < c->workload->n_lines; i++) {
        const struct access_line *l = &c->workload->lines[i];
        share += l->share_bp;
        require(l->size <= PLAN_MAX_SIZE && l->read_bp <= 10000 && l->random_bp <= 10000);
    }
    require(share == 10000);
    return 0;
}

static int on_interval(void *self, const struct interval *in, struct error *e)
{
    (void)self;
    (void)e;
    for (int d = 0; d < DIR_COUNT; d++)
        require(!in->dir[d].hist || hist_is_sane(in->dir[d].hist));
    return 0;
}

static int on_cell_end(void *self, const struct cell_result *r, struct error *e)
{
    (void)self;
    (void)e;
    for (int d = 0; d < DIR_COUNT; d++) {
        const struct direction_result *x = &r->dir[d];
        require(!x->hist || hist_is_sane(x->hist));
        require(x->ios <= INT64_MAX && x->bytes <= INT64_MAX && x->lat.sum <= INT64_MAX);
        require(x->asked || !x->ios);
    }
    return 0;
}

/* The name tells what a fio log holds. */
#ifndef FUZZ_NAME
#define FUZZ_NAME "f_lat.1.log"
#endif
static const char *name_of(const struct import_format *f)
{
    return !strcmp(f->name, "fio-log") ? FUZZ_NAME : "f.txt";
}

#ifdef FUZZ_FORMAT
static const struct import_format *format_of(const uint8_t *data, bool *ret_chosen)
{
    (void)data;
    *ret_chosen = false;
    for (size_t i = 0; format_at(i); i++)
        if (!strcmp(format_at(i)->name, FUZZ_FORMAT))
            return format_at(i);
    abort();
}
#else
/* A first byte that no text begins with chooses one; NULL: by content. */
static const struct import_format *format_of(const uint8_t *data, bool *ret_chosen)
{
    size_t n_formats = 0;
    while (format_at(n_formats))
        n_formats++;
    *ret_chosen = data[0] < 32 && !strchr("\t\r\n", data[0]);
    return *ret_chosen ? format_at((data[0] - 1u) % n_formats) : NULL;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct sink_ops ops = {
        .cell_begin = on_cell_begin,
        .interval = on_interval,
        .cell_end = on_cell_end,
    };
    static char path[64];
    struct error e = { 0 };
    bool chosen = false;
    if (size == 0)
        return 0;
    const struct import_format *f = format_of(data, &chosen);
    snprintf(path, sizeof path, "/dev/shm/qd-fuzz-%d-%s", (int)getpid(),
             f ? name_of(f) : FUZZ_NAME);
    FILE *to = fopen(path, "wb");
    require(to && fwrite(data + chosen, 1, size - chosen, to) == size - chosen);
    require(!fclose(to));
    struct arena *a = arena_new();
    struct sink sink = { .ops = &ops };
    const char *paths[] = { path };
    struct import_summary summary;
    const struct import_options o = { .paths = paths, .n_paths = 1, .format = f ? f->name : NULL };
    if (import_files(a, &o, &sink, &summary, &e))
        require(e.what[0]);
    arena_free(a);
    unlink(path);
    return 0;
}
