#include <string.h>

#include "import/fio.h"
#include "import/fio_log_inside.h"

/* "time_ms, direction, block size, count, count, …": NAME_clat_hist.1.log (write_hist_log). The counts of a row are those since the row
 * before. log_hist_coarseness=k adds 2^k neighbours up, so that the number of counts tells k and the version: 1856 / 2^k bins of ns
 * since 3.0, 1216 / 2^k of µs before. */

enum { COARSEST = 6, FIRST_COUNTS = 3, FINE = 2 /* of 64 a power of two: 3 % */ };

struct shape {
    size_t n;        /* counts in a row */
    uint32_t stride; /* fio's bins in one of them */
    uint64_t unit;   /* ns */
};

static bool shape_of(size_t n, struct shape *ret)
{
    for (int k = 0; k <= COARSEST; k++) {
        *ret = (struct shape) { n, 1u << k, n == (size_t)FIO_BINS >> k ? 1 : 1000 };
        if (n == (size_t)FIO_BINS >> k || n == (size_t)FIO_BINS_OLD >> k)
            return true;
    }
    return false;
}

/* Numbers of a line in `at`, at most `max`; returns how many there are, 0 if something else is in it. */
static size_t numbers(const char *p, uint64_t *at, size_t max)
{
    size_t n = 0;
    for (;;) {
        uint64_t v = 0;
        p += strspn(p, " \t");
        const char *from = p;
        for (; *p >= '0' && *p <= '9'; p++)
            v = v * 10 + (uint64_t)(*p - '0');
        if (p == from)
            return 0;
        if (n < max)
            at[n] = p - from > 15 ? UINT64_MAX : v;
        n++;
        p += strspn(p, " \t");
        if (!*p || *p == '\n')
            return n;
        if (*p++ != ',')
            return 0;
        if (p[strspn(p, " \t")] == '\0' || p[strspn(p, " \t")] == '\n')
            return n;
    }
}

bool fio_log_hist_line(const char *line)
{
    struct shape ignored;
    size_t n = numbers(line, NULL, 0);
    return n > FIRST_COUNTS && shape_of(n - FIRST_COUNTS, &ignored);
}

struct hist_log {
    struct collect *c;
    struct log_part *part;
    struct log_set *set;
    struct hist *row;
    struct fio_bin bins[FIO_BINS];
    uint64_t at[FIRST_COUNTS + FIO_BINS];
    size_t n; /* counts of the rows */
};

static void take_counts(struct hist_log *f, const struct shape *shape)
{
    for (size_t i = 0; i < shape->n; i++) {
        struct fio_bin low = fio_bin_at((uint32_t)i * shape->stride);
        struct fio_bin high = fio_bin_at((uint32_t)(i + 1) * shape->stride - 1);
        f->bins[i] = (struct fio_bin) { .low = low.low * shape->unit,
                                        .high = (high.high + 1) * shape->unit - 1,
                                        .count = f->at[FIRST_COUNTS + i] };
    }
}

/* Bins over 5 % wide are no histogram: percentiles become ranges. */
static void add_coarse(struct hist_log *f, int d)
{
    struct wide_bins **to = &f->part->coarse[d];
    if (!*to) {
        struct wide_bin *at = arena_array(f->c->a, struct wide_bin, f->n);
        for (size_t i = 0; i < f->n; i++)
            at[i] = (struct wide_bin) { (double)f->bins[i].low, (double)f->bins[i].high, 0 };
        *to = arena_one(f->c->a, struct wide_bins);
        **to = (struct wide_bins) { at, f->n, "fio's histogram log" };
    }
    for (size_t i = 0; i < f->n && i < (*to)->n; i++)
        (*to)->at[i].count += f->bins[i].count;
}

static void take_row(struct hist_log *f, size_t n, long line)
{
    struct shape shape;
    struct moments nothing = moments_zero();
    if (n <= FIRST_COUNTS || !shape_of(n - FIRST_COUNTS, &shape) || f->at[1] >= LOG_DIRS ||
        f->at[2] > PLAN_MAX_SIZE || (f->n && f->n != shape.n)) {
        collect_warn(f->c, line, "no row of a histogram log of fio: left out");
        return;
    }
    f->n = shape.n;
    for (size_t i = 0; i < n; i++)
        if (f->at[i] > 1ull << 48) { /* fio 3.x wrote differences below 0 */
            collect_warn(f->c, line, "it counts more I/Os than can be: the row is left out");
            return;
        }
    if (!f->part->n_threads && !f->set->epoch_ms && f->at[0] >= 1000000000000)
        f->set->epoch_ms = (int64_t)(f->at[0] / 1000 * 1000);
    take_counts(f, &shape);
    double sum = f->part->counted_ns;
    for (size_t i = 0; i < shape.n; i++)
        sum += (double)f->bins[i].high * (double)f->bins[i].count;
    if (sum > 0x1p58) {
        collect_warn(f->c, line, "it counts more I/Os than can be: the row is left out");
        return;
    }
    f->part->counted_ns = sum;
    int d = (int)f->at[1];
    struct log_count *x = array_push(&f->part->counts);
    x->t_ms = (int64_t)f->at[0] - f->set->epoch_ms;
    x->direction = (uint8_t)d;
    x->lat = nothing;
    if (!fio_hist_fill(f->row, f->bins, shape.n, &nothing))
        return; /* nothing was done in it */
    x->ios = f->row->m.n;
    x->bytes = x->ios * f->at[2];
    x->lat = f->row->m;
    if (shape.stride <= FINE)
        hist_encode(f->row, f->c->a, &x->bins, &x->n_bins);
    uint32_t size = (uint32_t)f->at[2];
    uint32_t *sizes = f->part->sizes;
    sizes[d] = !sizes[d] || sizes[d] == size ? size : UINT32_MAX;
    if (shape.stride > FINE) {
        add_coarse(f, d);
        return;
    }
    if (!f->part->hist[d]) {
        f->part->hist[d] = arena_one(f->c->a, struct hist);
        hist_clear(f->part->hist[d]);
    }
    hist_merge(f->part->hist[d], f->row);
}

int fio_log_read_hist(struct collect *c, struct log_set *set, struct error *e)
{
    struct hist_log *f = arena_one(c->a, struct hist_log);
    char *line;
    size_t n_line;
    int rc;
    f->c = c;
    f->set = set;
    f->part = &set->parts[LOG_HIST];
    f->row = arena_one(c->a, struct hist);
    f->part->any = true;
    f->part->source = (size_t)(c->source - c->sources);
    while ((rc = reader_line(c->source->reader, &line, &n_line, e)) == 1) {
        size_t n = n_line ? numbers(line, f->at, FIRST_COUNTS + FIO_BINS) : 0;
        long number = reader_number(c->source->reader);
        if (n)
            take_row(f, n, number);
        else if (n_line)
            collect_warn(c, number, "no row of a histogram log of fio: '%.40s' is left out", line);
    }
    f->part->n_threads++;
    if (!f->n)
        collect_warn(c, 0, "there is no sample in it");
    return rc;
}

int fio_log_add_bins(struct arena *a, void **into, size_t *n_into, const void *bins, size_t n,
                     struct error *e)
{
    if (!bins)
        return 0;
    if (!*into) {
        *into = arena_memdup(a, bins, n);
        *n_into = n;
        return 0;
    }
    struct arena *scratch = arena_new();
    struct hist *h = arena_one(scratch, struct hist);
    int rc = hist_decode(*into, *n_into, h, e) || hist_merge_blob(h, bins, n, e) ? -1 : 0;
    if (!rc)
        hist_encode(h, a, into, n_into);
    arena_free(scratch);
    return rc;
}
