#include "model/hist.h"

/* The blob: varints (7 bits a byte, low first) of n, sum, sum_sq low and high half, min, max, overflow and the number of
 * non-empty buckets, then for each of those its distance from the bucket after the one before, and its count. */
enum { HEADER_FIELDS = 8, VARINT_MAX = 10 };

static size_t put(unsigned char *at, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        at[n++] = (unsigned char)(v | 0x80);
    at[n++] = (unsigned char)v;
    return n;
}

void hist_encode(const struct hist *h, struct arena *a, void **ret, size_t *ret_n)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < HIST_BUCKETS; i++)
        used += h->count[i] != 0;
    const uint64_t header[HEADER_FIELDS] = {
        h->m.n,   h->m.sum, (uint64_t)h->m.sum_sq, (uint64_t)(h->m.sum_sq >> 64),
        h->m.min, h->m.max, h->overflow,           used
    };
    unsigned char buf[(HEADER_FIELDS + 2 * HIST_BUCKETS) * VARINT_MAX];
    size_t n = 0;
    for (int i = 0; i < HEADER_FIELDS; i++)
        n += put(buf + n, header[i]);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < HIST_BUCKETS; i++) {
        if (!h->count[i])
            continue;
        n += put(buf + n, i - expected);
        n += put(buf + n, h->count[i]);
        expected = i + 1;
    }
    *ret = arena_memdup(a, buf, n);
    *ret_n = n;
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

static uint64_t get(struct hist_cursor *c)
{
    uint64_t v = 0;
    for (unsigned shift = 0; c->at < c->end && shift < 7 * VARINT_MAX; shift += 7) {
        unsigned char byte = *c->at++;
        uint64_t bits = byte & 0x7F;
        if (shift == 63 && bits > 1)
            break;
        v |= bits << shift;
        if (!(byte & 0x80))
            return v;
    }
    c->damaged = true;
    return 0;
}

void hist_cursor_open(struct hist_cursor *c, const void *blob, size_t n)
{
    *c = (struct hist_cursor) { .at = blob };
    c->end = c->at + n;
    c->m.n = get(c);
    c->m.sum = get(c);
    uint64_t low = get(c), high = get(c);
    c->m.sum_sq = (unsigned __int128)high << 64 | low;
    c->m.min = get(c);
    c->m.max = get(c);
    c->overflow = get(c);
    c->left = get(c);
}

bool hist_cursor_next(struct hist_cursor *c)
{
    if (c->damaged || !c->left)
        return false;
    uint64_t gap = get(c);
    c->count = get(c);
    if (gap >= HIST_BUCKETS - c->next || !c->count)
        c->damaged = true;
    c->index = c->next + (uint32_t)gap;
    c->next = c->index + 1;
    c->sum += c->count;
    c->left--;
    return !c->damaged;
}

static int damaged(struct error *e)
{
    return error_set(e, QD_E_FAIL, "cannot read a histogram: it is damaged");
}

int hist_cursor_end(const struct hist_cursor *c, struct error *e)
{
    bool whole = !c->damaged && !c->left && c->at == c->end && c->sum == c->m.n;
    return whole ? 0 : damaged(e);
}

int hist_merge_blob(struct hist *into, const void *blob, size_t n, struct error *e)
{
    struct hist_cursor c;
    hist_cursor_open(&c, blob, n);
    while (hist_cursor_next(&c))
        into->count[c.index] += c.count;
    if (hist_cursor_end(&c, e))
        return -1;
    moments_merge(&into->m, &c.m);
    into->overflow += c.overflow;
    return 0;
}

int hist_decode(const void *blob, size_t n, struct hist *ret, struct error *e)
{
    struct hist_cursor c;
    hist_clear(ret);
    hist_cursor_open(&c, blob, n);
    ret->m = c.m;
    ret->overflow = c.overflow;
    while (hist_cursor_next(&c))
        ret->count[c.index] = c.count;
    if (!hist_cursor_end(&c, e) && hist_is_sane(ret))
        return 0;
    hist_clear(ret);
    return damaged(e);
}
