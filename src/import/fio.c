#include "import/fio.h"

#include <string.h>

enum { PLAT_BITS = 6, PLAT_VAL = 1 << PLAT_BITS };

struct fio_bin fio_bin_at(uint32_t index)
{
    if (index < 2 * PLAT_VAL)
        return (struct fio_bin) { .low = index, .high = index };
    uint32_t error_bits = (index >> PLAT_BITS) - 1;
    uint64_t low = (uint64_t)(index % PLAT_VAL + PLAT_VAL) << error_bits;
    return (struct fio_bin) { .low = low, .high = low + (1ull << error_bits) - 1 };
}

struct fio_bin fio_bin_of(uint64_t middle)
{
    if (middle < 2 * PLAT_VAL)
        return (struct fio_bin) { .low = middle, .high = middle };
    uint32_t error_bits = 63 - (uint32_t)__builtin_clzll(middle) - PLAT_BITS;
    uint64_t low = middle >> error_bits << error_bits;
    return (struct fio_bin) { .low = low, .high = low + (1ull << error_bits) - 1 };
}

static uint64_t middle_of(const struct fio_bin *b)
{
    return b->low + (b->high - b->low + 1) / 2;
}

static void put(struct hist *h, uint64_t value, uint64_t count)
{
    h->count[hist_index(value)] += count;
    h->overflow += value >> HIST_RANGE_BITS ? count : 0;
}

/* Moves one I/O from where its bin was put to where it is known to be. */
static void move_one(struct hist *h, uint64_t from, uint64_t to)
{
    h->count[hist_index(from)]--;
    h->overflow -= from >> HIST_RANGE_BITS ? 1 : 0;
    put(h, to, 1);
}

static uint64_t clamped(const struct moments *m, uint64_t v)
{
    if (v < m->min)
        return m->min;
    return v > m->max ? m->max : v;
}

bool fio_hist_fill(struct hist *h, const struct fio_bin *at, size_t n, const struct moments *m)
{
    while (n && !at[0].count) {
        at++;
        n--;
    }
    while (n && !at[n - 1].count)
        n--;
    if (!n)
        return false;
    const struct fio_bin *first = at, *last = &at[n - 1];
    hist_clear(h);
    h->m = *m;
    h->m.n = 0;
    for (size_t i = 0; i < n; i++)
        h->m.n += at[i].count;
    bool ends = m->n && m->min >= first->low && m->min <= first->high && m->max >= last->low &&
                m->max <= last->high && (h->m.n > 1 || m->min == m->max) && m->max;
    if (!ends || h->m.n != m->n) {
        /* only counts are sure: the sum is that of the bins' middles */
        h->m.sum = 0;
        h->m.sum_sq = 0;
        for (size_t i = 0; i < n; i++) {
            uint64_t v = middle_of(&at[i]);
            h->m.sum += v * at[i].count;
            h->m.sum_sq += (unsigned __int128)v * v * at[i].count;
        }
    }
    if (!ends) {
        h->m.min = UINT64_MAX;
        h->m.max = 0;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t v = middle_of(&at[i]);
        put(h, ends ? clamped(m, v) : v, at[i].count);
    }
    if (ends && !h->count[hist_index(m->min)])
        move_one(h, clamped(m, middle_of(first)), m->min);
    if (ends && !h->count[hist_index(m->max)])
        move_one(h, clamped(m, middle_of(last)), m->max);
    return true;
}

struct hist *fio_hist(struct arena *a, const struct fio_bin *at, size_t n, const struct moments *m)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= at[i].count > 0;
    if (!any)
        return NULL;
    struct hist *h = arena_one(a, struct hist);
    fio_hist_fill(h, at, n, m);
    return h;
}

const char *fio_tool(struct arena *a, const char *version)
{
    if (!version || !*version)
        return "fio";
    return arena_printf(a, "fio %s", strncmp(version, "fio-", 4) ? version : version + 4);
}
