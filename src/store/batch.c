#include "store/batch.h"

enum { VARINT_MAX = 10, FIELDS = 4 };

static size_t put(unsigned char *at, uint64_t v)
{
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        at[n++] = (unsigned char)(v | 0x80);
    at[n++] = (unsigned char)v;
    return n;
}

const void *batch_encode(const struct batch *at, size_t n, enum direction d, struct arena *a,
                         size_t *ret_n)
{
    *ret_n = 0;
    if (n == 0)
        return NULL;
    unsigned char *blob = arena_alloc(a, (1 + n * FIELDS) * VARINT_MAX);
    size_t used = put(blob, n);
    for (size_t i = 0; i < n; i++) {
        used += put(blob + used, at[i].length_ns);
        used += put(blob + used, at[i].dir[d].ios);
        used += put(blob + used, at[i].dir[d].bytes);
        used += put(blob + used, at[i].dir[d].lat_sum_ns);
    }
    *ret_n = used;
    return blob;
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
        if (shift == 63 && byte > 1)
            break;
        v |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return v;
    }
    r->damaged = true;
    return 0;
}

int batch_decode(const void *blob, size_t n, struct arena *a, struct batch_row **ret, size_t *ret_n,
                 struct error *e)
{
    *ret = NULL;
    *ret_n = 0;
    if (n == 0)
        return 0;
    struct reader r = { .at = blob, .end = (const unsigned char *)blob + n };
    uint64_t count = get(&r);
    if (count > n / FIELDS) /* each takes at least a byte a field */
        r.damaged = true;
    struct batch_row *rows = r.damaged ? NULL : arena_array(a, struct batch_row, count);
    for (uint64_t i = 0; i < count && !r.damaged; i++) {
        rows[i].length_ns = get(&r);
        rows[i].ios = get(&r);
        rows[i].bytes = get(&r);
        rows[i].lat_sum_ns = get(&r);
    }
    if (r.damaged || r.at != r.end)
        return error_set(e, QD_E_FAIL, "cannot read batches of %zu bytes: they are damaged", n);
    *ret = rows;
    *ret_n = count;
    return 0;
}
