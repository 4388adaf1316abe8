#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/parse.h"
#include "model/moments.h"

/* The one histogram layout of the program (reference/statistics.md §2): log-linear, 7 sub-bits (128 sub-buckets per
 * octave), values 0 .. 2^36 - 1 ns, widest bucket 1/128 = 0.78 %. Larger values are counted in the last bucket and in
 * `overflow`; the moments stay exact.
 *
 * Invariants (hist_is_sane): the counts sum to m.n; m.min lies in the first non-empty bucket and m.max in the last (or
 * overflow > 0). m.max holds recorded I/Os only: the age of I/Os still in flight is never in here. */
enum { HIST_SUB_BITS = 7, HIST_RANGE_BITS = 36 };
enum { HIST_BUCKETS = (HIST_RANGE_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS };
#define HIST_SCHEME "log-linear/7/36"

struct hist {
    struct moments m;
    uint64_t overflow;
    uint64_t count[HIST_BUCKETS];
};

static inline uint32_t hist_index(uint64_t ns)
{
    if (__builtin_expect(ns >> HIST_RANGE_BITS, 0))
        return HIST_BUCKETS - 1;
    uint32_t shift = ns < 256 ? 0 : 56 - (uint32_t)__builtin_clzll(ns);
    return (shift << HIST_SUB_BITS) + (uint32_t)(ns >> shift);
}

static inline void hist_record(struct hist *h, uint64_t ns)
{
    moments_add(&h->m, ns);
    h->count[hist_index(ns)]++;
    h->overflow += ns >> HIST_RANGE_BITS != 0;
}

uint64_t hist_lower(uint32_t index); /* inclusive lower bound, ns */
uint64_t hist_upper(uint32_t index); /* inclusive upper bound, ns */

void hist_clear(struct hist *h);
void hist_merge(struct hist *into, const struct hist *from);
bool hist_is_sane(const struct hist *h);

/* Nearest-rank percentile p = f.num/f.den in ns: upper bound of the bucket, clamped to [min, max]. n must be > 0. */
uint64_t hist_percentile(const struct hist *h, struct fraction p);
/* Is that percentile backed by at least 10 I/Os beyond it (§2, "when it may be printed")? */
bool percentile_printable(uint64_t n, struct fraction p);
/* hist_percentile as a double, NaN where it may not be printed. */
double hist_percentile_or_nan(const struct hist *h, struct fraction p);

/* Share of I/Os below t ns: linear inside one bucket, whose weight is *ret_error (§3). n = 0: NaN. */
double hist_share_below(const struct hist *h, uint64_t t_ns, double *ret_error);

/* Sparse varint blob of HIST_SCHEME with its moments: what the store keeps. Encoding allocates in the arena.
 * Decoding checks every length and hist_is_sane; a damaged blob is a QD_E_FAIL. */
void hist_encode(const struct hist *h, struct arena *a, void **ret, size_t *ret_n);
int hist_decode(const void *blob, size_t n, struct hist *ret, struct error *e);

/* Reads such a blob bucket by bucket, without a struct hist of 30 KB: for merging the histograms of many intervals.
 *   struct hist_cursor c;
 *   hist_cursor_open(&c, blob, n);
 *   while (hist_cursor_next(&c)) … c.index, c.count …
 *   if (hist_cursor_end(&c, e)) return -1;                                                       */
struct hist_cursor {
    struct moments m;
    uint64_t overflow;
    uint32_t index; /* of the current bucket */
    uint64_t count; /* in it, > 0 */
    const unsigned char *at, *end;
    uint64_t left, sum;
    uint32_t next;
    bool damaged;
};
void hist_cursor_open(struct hist_cursor *c, const void *blob, size_t n);
bool hist_cursor_next(struct hist_cursor *c);
/* After the last bucket: was the blob whole, and do its counts sum to m.n? */
int hist_cursor_end(const struct hist_cursor *c, struct error *e);

/* The same as decoding and hist_merge. A damaged blob leaves `into` unspecified. */
int hist_merge_blob(struct hist *into, const void *blob, size_t n, struct error *e);
