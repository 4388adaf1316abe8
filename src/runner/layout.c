#include "runner/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/oom.h"
#include "base/rng.h"
#include "engine/fill.h"

enum { LAYOUT_BLOCK = 1 << 20 };

static int write_all(const struct opened_target *t, const uint8_t *at, size_t n, uint64_t offset,
                     struct error *e)
{
    while (n > 0) {
        ssize_t put = pwrite(t->fd, at, n, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return error_sys(e, errno, "cannot write the test data of '%s' at byte %llu", t->name,
                             (unsigned long long)offset);
        if (put == 0)
            return error_set(e, QD_E_FAIL,
                             "cannot write the test data of '%s': no space at byte %llu", t->name,
                             (unsigned long long)offset);
        at += put;
        n -= (size_t)put;
        offset += (uint64_t)put;
    }
    return 0;
}

static int write_span(const struct layout_job *job, uint8_t *buffer, struct error *e)
{
    const struct opened_target *t = job->target;
    struct rng r = rng_seed(job->seed);
    for (uint64_t at = 0; at < t->size; at += LAYOUT_BLOCK) {
        if (job->stop && atomic_load(job->stop))
            return error_set(e, QD_E_CANCELLED, "interrupted while writing the test data of '%s'",
                             t->name);
        uint64_t n = t->size - at < LAYOUT_BLOCK ? t->size - at : LAYOUT_BLOCK;
        fill_make(&job->fill, &r, at / FILL_UNIT, buffer, n);
        if (write_all(t, buffer, n, at, e))
            return -1;
        if (job->watch && job->watch->layout)
            job->watch->layout(job->watch->ctx, t->name, at + n, t->size);
    }
    if (fdatasync(t->fd))
        return error_sys(e, errno, "cannot flush the test data of '%s'", t->name);
    return 0;
}

int layout_write(const struct layout_job *job, struct error *e)
{
    void *buffer = NULL;
    if (posix_memalign(&buffer, 4096, LAYOUT_BLOCK))
        base_oom(LAYOUT_BLOCK);
    int rc = write_span(job, buffer, e);
    free(buffer);
    return rc;
}

const char *layout_words(struct arena *a, uint64_t bytes, const struct fill *fill)
{
    switch (fill->kind) {
    case FILL_RANDOM:
        return arena_printf(a, "%s of random data written", fmt_bytes(bytes).s);
    case FILL_ZERO:
        return arena_printf(a, "%s of zeros written", fmt_bytes(bytes).s);
    case FILL_ONES:
        return arena_printf(a, "%s of one bits written", fmt_bytes(bytes).s);
    case FILL_PATTERN:
        return arena_printf(a, "%s of a repeated pattern written", fmt_bytes(bytes).s);
    case FILL_COMPRESSIBLE:
        return arena_printf(a, "%s of %u %% compressible data written", fmt_bytes(bytes).s,
                            fill->percent);
    case FILL_DUPLICATE:
        return arena_printf(a, "%s of data with %u %% duplicate blocks written", fmt_bytes(bytes).s,
                            fill->percent);
    }
    return "";
}
