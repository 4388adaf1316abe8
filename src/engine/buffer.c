#include "engine/buffer.h"

#include "base/rng.h"
#include "engine/memory.h"
#include "engine/round.h"

/* Several times the largest record common filesystems compress at once (1 MiB), as long as many workers do not make it
 * much memory. */
enum { POOL_MOST = 4 << 20, POOL_ALL = 64 << 20 };

/* Whether every block is to differ from all others, and so needs a pool and stamps. */
static bool all_differ(const struct fill *f)
{
    return f->kind == FILL_RANDOM || (f->kind == FILL_COMPRESSIBLE && f->percent < 100);
}

static uint64_t write_region(const struct buffers_wanted *w)
{
    if (!w->largest_write)
        return 0;
    uint64_t pool = POOL_ALL / w->n_threads < POOL_MOST ? POOL_ALL / w->n_threads : POOL_MOST;
    uint64_t share = all_differ(w->fill) || w->fill->kind == FILL_DUPLICATE ? pool / w->n_slots : 0;
    return round_up(share > w->largest_write ? share : w->largest_write, w->align);
}

static uint64_t read_region(const struct buffers_wanted *w)
{
    return round_up(w->largest_read, w->align);
}

size_t buffers_size(const struct buffers_wanted *w)
{
    return (size_t)w->n_slots * (read_region(w) + write_region(w));
}

int buffers_open(struct buffers *b, const struct buffers_wanted *w, struct slot *slots,
                 struct error *e)
{
    *b = (struct buffers) {
        .bytes = buffers_size(w),
        .read_bytes = (uint32_t)read_region(w),
        .write_bytes = (uint32_t)write_region(w),
        .piece = w->largest_write,
        .step = (uint32_t)round_up(w->largest_write, w->align),
        .stamped = all_differ(w->fill),
        .copies = w->fill->kind == FILL_DUPLICATE,
        .copy_mark = fill_copy_mark(),
        .stamp = (w->salt + ((uint64_t)w->thread << 48)) * STAMP_STEP,
    };
    if (memory_map(b->bytes, "I/O buffers", &b->memory, e) != 0)
        return -1;
    unsigned char *reads = b->memory, *writes = reads + (size_t)w->n_slots * b->read_bytes;
    struct rng rng = rng_seed(rng_worker_seed(w->salt, w->thread));
    for (uint32_t i = 0; i < w->n_slots; i++) {
        slots[i].read_buffer = reads + (size_t)i * b->read_bytes;
        slots[i].write_buffer = writes + (size_t)i * b->write_bytes;
        slots[i].write_next = 0;
        if (b->write_bytes == 0)
            continue;
        uint64_t piece = ((uint64_t)w->thread * w->n_slots + i) * (b->write_bytes / b->step);
        for (uint32_t at = 0; at + b->step <= b->write_bytes; at += b->step, piece++)
            fill_make(w->fill, &rng, piece, slots[i].write_buffer + at, b->step);
        buffers_next_write(b, &slots[i]);
    }
    return 0;
}

void buffers_stamp_originals(struct buffers *b, unsigned char *at)
{
    for (uint32_t i = 0; i + sizeof b->stamp <= b->piece; i += FILL_UNIT) {
        if (memcmp(at + i, &b->copy_mark, sizeof b->copy_mark) == 0)
            continue;
        uint32_t end = i + FILL_UNIT < b->piece ? i + FILL_UNIT : b->piece;
        for (uint32_t k = i; k + sizeof b->stamp <= end; k += STAMP_BYTES, b->stamp += STAMP_STEP)
            memcpy(at + k, &b->stamp, sizeof b->stamp);
    }
}

void buffers_close(struct buffers *b)
{
    memory_unmap(b->memory, b->bytes);
    b->memory = NULL;
}
