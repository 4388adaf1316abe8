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

struct reader {
    const unsigned char *at, *end;
    bool damaged; /* sticky */
};

static uint64_t get(struct reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; r->at < r->end && shift < 7 * VARINT_MAX; shift += 7) {
        unsigned char byte = *r->at++;
        uint64_t bits = byte & 0x7F;
        if (shift == 63 && bits > 1)
            break;
        v |= bits << shift;
        if (!(byte & 0x80))
            return v;
    }
    r->damaged = true;
    return 0;
}

static void get_buckets(struct reader *r, uint64_t used, struct hist *h)
{
    uint64_t next = 0;
    for (uint64_t i = 0; i < used && !r->damaged; i++) {
        uint64_t gap = get(r), count = get(r);
        if (gap >= HIST_BUCKETS - next || !count) {
            r->damaged = true;
            return;
        }
        h->count[next + gap] = count;
        next += gap + 1;
    }
}

int hist_decode(const void *blob, size_t n, struct hist *ret, struct error *e)
{
    struct reader r = { .at = blob, .end = (const unsigned char *)blob + n };
    hist_clear(ret);
    ret->m.n = get(&r);
    ret->m.sum = get(&r);
    uint64_t low = get(&r), high = get(&r);
    ret->m.sum_sq = (unsigned __int128)high << 64 | low;
    ret->m.min = get(&r);
    ret->m.max = get(&r);
    ret->overflow = get(&r);
    uint64_t used = get(&r);
    if (!r.damaged)
        get_buckets(&r, used, ret);
    if (r.damaged || r.at != r.end || !hist_is_sane(ret)) {
        hist_clear(ret);
        return error_set(e, QD_E_FAIL, "cannot read a histogram of %zu bytes: it is damaged", n);
    }
    return 0;
}
